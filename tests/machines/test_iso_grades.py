"""Standard tolerances of ISO 286-1, as drawings' tolerances of every machine."""

import itertools
import math

import pytest

import flank
from flank.errors import SpecError
from flank.machines.iso_grades import grade_in, grades, width

ENDS = (1, 3, 6, 10, 18, 30, 50, 80, 120, 180, 250, 315, 400, 500)
LARGE_ENDS = (500, 630, 800, 1000, 1250, 1600, 2000, 2500, 3150)
FACTORS = {
    "IT5": 7, "IT6": 10, "IT7": 16, "IT8": 25, "IT9": 40, "IT10": 64, "IT11": 100, "IT12": 160,
}  # fmt: skip
LINEAR = {"IT01": (0.3, 0.008), "IT0": (0.5, 0.012), "IT1": (0.8, 0.020)}


def test_printed_values_are_those_of_the_standard():
    """A few that every handbook has, at the ends of their ranges and within."""
    printed = {
        ("IT01", 3): 0.3, ("IT1", 10): 1, ("IT3", 1.5): 2, ("IT4", 26): 6, ("IT5", 6): 5,
        ("IT6", 25): 13, ("IT7", 150): 40, ("IT7", 50): 25, ("IT8", 100): 54, ("IT9", 500): 155,
        ("IT11", 30): 130, ("IT12", 400): 570, ("IT6", 1000): 56, ("IT7", 3150): 210,
    }  # fmt: skip
    for (grade, size), value in printed.items():
        assert width(grade, size * 1e-3) == pytest.approx(value * 1e-6, rel=1e-12), (grade, size)


def _mean(low: float, high: float) -> float:
    return math.sqrt(low * high)


@pytest.mark.parametrize("number", range(1, 13))
def test_printed_values_are_the_formula_rounded(number):
    """Up to 500 mm by i, each within 6 % or 0.7 um: the standard rounds by steps of its own. IT2 to
    IT4 lie between IT1 and IT5 in geometric progression, as it says. What is printed counts."""
    low, high = ENDS[number], ENDS[number + 1]
    size = _mean(low, high)
    unit = 0.45 * size ** (1 / 3) + 0.001 * size
    for grade, factor in FACTORS.items():
        printed = width(grade, size * 1e-3) * 1e6
        assert printed == pytest.approx(factor * unit, rel=0.06, abs=0.7), (grade, high)
    for grade, (base, slope) in LINEAR.items():
        printed = width(grade, size * 1e-3) * 1e6
        assert printed == pytest.approx(base + slope * size, rel=0.3), (grade, high)
    first, last = width("IT1", size * 1e-3), width("IT5", size * 1e-3)
    for step, grade in enumerate(("IT2", "IT3", "IT4"), start=1):
        between = first * (last / first) ** (step / 4)
        assert width(grade, size * 1e-3) == pytest.approx(between, rel=0.12, abs=0.7e-6), (
            grade,
            high,
        )


def test_the_first_range_is_wider_than_its_formula():
    unit = 0.45 * _mean(1, 3) ** (1 / 3) + 0.001 * _mean(1, 3)
    for grade, factor in FACTORS.items():
        printed = width(grade, 2e-3) * 1e6
        assert factor * unit < printed <= 1.2 * factor * unit, grade


def test_large_sizes_follow_their_own_formula():
    for low, high in itertools.pairwise(LARGE_ENDS):
        size = _mean(low, high)
        unit = 0.004 * size + 2.1
        for grade, factor in {"IT1": 2, "IT2": 2.7, "IT3": 3.7, "IT4": 5, **FACTORS}.items():
            printed = width(grade, size * 1e-3) * 1e6
            assert printed == pytest.approx(factor * unit, rel=0.07), (grade, high)


def test_widths_rise_with_grade_and_size():
    sizes = [0.5 * (low + high) * 1e-3 for low, high in itertools.pairwise(ENDS)]
    table = [[width(grade, size) for grade in grades()] for size in sizes]
    for row in table:
        assert all(a < b for a, b in itertools.pairwise(row))
    for column in zip(*table, strict=True):
        assert all(a <= b for a, b in itertools.pairwise(column))


def test_a_size_belongs_to_the_range_that_it_ends():
    assert width("IT5", 0.006) == width("IT5", 2 * 0.003) == pytest.approx(5e-6)
    assert width("IT5", 0.0060001) == pytest.approx(6e-6)


@pytest.mark.parametrize(
    ("grade", "size", "part"),
    [("IT0", 0.6, "ends at 500 mm"), ("IT5", 3.2, "ends at 3150 mm"), ("IT5", 0.0, "nominal size")],
)
def test_where_the_standard_ends_it_is_told(grade, size, part):
    with pytest.raises(ValueError, match=part):
        width(grade, size)


def test_grades_are_read_as_people_write_them():
    assert grade_in(" it 5 ") == "IT5"
    assert grade_in("IT01") == "IT01"
    assert grade_in("5 um") is grade_in(5.0) is None
    for wrong in ("IT13", "IT", "ITx"):
        with pytest.raises(ValueError, match="IT01, IT0, IT1 to IT12"):
            grade_in(wrong)


def test_a_radius_has_a_quarter_of_the_width_and_a_distance_half():
    drive = flank.preset(
        "cycloidal-drive", {"tolerances": {"pin_radius": "IT5", "pin_radial": "IT5"}}
    )
    spec = drive.spec
    assert 2 * spec.pins.radius == pytest.approx(6e-3)
    assert spec.tolerance("pin_radius") == pytest.approx(5e-6 / 4)
    assert spec.tolerance("pin_radial") == pytest.approx(13e-6 / 2)  # of 64 mm
    assert spec.to_mapping()["tolerances"] == {"pin_radius": "IT5", "pin_radial": "IT5"}
    assert type(spec).from_mapping(spec.to_mapping()) == spec


def test_a_centre_distance_of_js7_is_what_its_assumed_tolerance_says():
    pair = flank.preset("gear-pair", {"tolerances.centre_distance": "IT7"})
    assert 0.12 < pair.spec.pair.centre_distance <= 0.18
    assert pair.spec.tolerance("centre_distance") == pytest.approx(20e-6)


def test_draws_and_sensitivities_see_the_width():
    drive = flank.preset("cycloidal-drive", {"errors.seed": 3, "tolerances.pin_radius": "IT3"})
    drawn = drive.errors["pin_radius"]
    half = 2.5e-6 / 4
    assert 0.9 * half < abs(drawn).max() <= half
    parameter = next(p for p in drive.error_parameters() if p.kind == "pin_radius")
    assert parameter.tolerance == pytest.approx(half)
    assert not parameter.assumed


@pytest.mark.parametrize(
    "preset",
    [
        "cycloidal-drive",
        "rv-320",
        "few-teeth-60",
        "gear-pair",
        "planetary-500kw",
        "cv-joint",
        "hypoid-pair",
        "helical-in-space",
    ],
)
def test_every_kind_has_a_size_or_refuses_grades_in_one_sentence(preset):
    spec = flank.preset(preset).spec
    for name, kind in spec.error_kinds.items():
        if kind.direction:
            continue
        change = {f"tolerances.{name}": "IT6"}
        if kind.size is not None:
            assert spec.with_changes(change).tolerance(name) > 0
            continue
        with pytest.raises(SpecError) as refused:
            spec.with_changes(change)
        (sentence,) = refused.value.problems
        assert sentence.startswith(f"tolerances.{name}: 'IT6' is given, but ")
        assert "an angle" in sentence if kind.unit == "rad" else "no nominal size" in sentence


def test_what_is_no_grade_and_no_length_is_refused():
    with pytest.raises(SpecError, match="grades of ISO 286-1 go from"):
        flank.preset("cycloidal-drive", {"tolerances.pin_radius": "IT19"})
    with pytest.raises(SpecError, match="nominal size, which is 0 mm"):
        flank.preset("bevel-pair", {"tolerances.offset": "IT5"})
