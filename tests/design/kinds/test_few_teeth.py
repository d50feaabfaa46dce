"""Reducers with few teeth of difference: teeth that pass each other, sizes by what they bear."""

import math

import pytest

import flank
from flank.design.designing import find_designs
from flank.design.falls import Falls
from flank.design.kinds import few_teeth
from flank.design.kinds.few_teeth import FewTeethDesigner, best_teeth
from flank.design.requirements import FewTeethRequirements
from flank.errors import SpecError
from flank.geometry.pair_checks import tip_margin
from flank.machines.registry import machine_from_mapping


class Quick(FewTeethDesigner):
    heads, evaluations = 1, 3


@pytest.fixture(autouse=True)
def few_numbers(monkeypatch):
    monkeypatch.setattr(few_teeth, "DIFFERENCES", (2,))
    monkeypatch.setattr(few_teeth, "STAGED_TEETH", range(38, 39))
    monkeypatch.setattr(few_teeth, "CRANKS", (3,))


def designer(**given):
    wanted = {"torque": 60.0, "ratio": 41.0, "designs": 1, "ratio_tolerance": 0.0} | given
    return Quick(FewTeethRequirements.from_mapping(wanted))


def test_a_design_loads_keeps_its_ratio_and_passes_check():
    shortlist = find_designs(designer())
    (spec,) = shortlist.specs
    machine = machine_from_mapping(spec)
    assert flank.check(machine).light == "green"
    assert machine.ratio == pytest.approx(41)
    (design,) = shortlist.designs
    assert design.verification.passed
    assert set(design.verification.results) == {"hysteresis", "transmission-error"}
    assert {each.name for each in design.measured.asked} == {"turning_arm-life", "supports-life"}


def test_a_ratio_is_made_with_and_without_a_first_stage():
    """38 in 40 behind z2/z1 = 2, and 82 in 84."""
    assert sorted(designer().trains) == [(38, 2, 1, 2), (82, 2, 0, 0)]
    found = designer(ratio=30.0).candidates(Falls())
    direct = [each for each in found if not each.number("sun_part")]
    spec = designer(ratio=30.0).spec(direct[0], direct[0].values)
    assert machine_from_mapping(spec).ratio == -30
    assert "first_stage" not in spec


@pytest.mark.parametrize(
    ("given", "torque", "told"),
    [({}, 30.0, "Half the rated torque"), ({"operating_torque": 54.0}, 54.0, "0.9 of the rated")],
)
def test_the_operating_point_is_that_which_is_asked_for(given, torque, told):
    made = designer(**given)
    (candidate, *_) = made.candidates(Falls())
    spec = made.spec(candidate, candidate.values)
    assert spec["operation"]["torque"] == torque
    assert spec["assumptions"][0].startswith(told)


@pytest.mark.parametrize(("teeth", "difference"), [(30, 2), (60, 2), (60, 3), (90, 4)])
def test_teeth_pass_each_other_and_follow_each_other(teeth, difference):
    pair = best_teeth(teeth, difference).pair
    assert tip_margin(pair) >= 0.03
    assert pair.contact_ratio >= 1.1
    assert pair.working_angle < math.radians(45)


def test_one_tooth_of_difference_pushes_hard_and_asks_for_many_teeth():
    assert math.degrees(best_teeth(60, 1).pair.working_angle) == pytest.approx(53.42, abs=0.01)
    assert best_teeth(20, 1) is None


def test_teeth_are_thinner_the_more_parts_deviate():
    found = {}
    for tolerance in (4e-6, 16e-6):
        made = designer(tolerance=tolerance)
        (candidate, *_) = made.candidates(Falls())
        found[tolerance] = made.spec(candidate, candidate.values)["discs"]["thickness_deviation"]
    assert found[16e-6] < 3 * found[4e-6] < 0


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"ratio": 2}, "the nearest that a reducer with few teeth of difference has is 12"),
        ({"ratio": 40.6}, "is 40.5, with 81 teeth in 83; .* ratio_tolerance of 0.0025"),
        ({"outer_diameter": 0.04}, "mm across needed by teeth and bearings"),
        ({"length": 0.01}, "envelope length, the nearest by .* mm long"),
        ({"bore": 0.2, "outer_diameter": 0.3}, "no design found"),
    ],
)
def test_what_cannot_be_is_refused_with_what_limits_it(given, sentence):
    with pytest.raises(SpecError, match=sentence):
        find_designs(designer(**given))


@pytest.mark.nightly
@pytest.mark.parametrize(("ratio", "torque"), [(30, 60.0), (94, 1500.0)])
def test_whole_shortlists_are_green(ratio, torque, monkeypatch):
    monkeypatch.undo()
    wanted = FewTeethRequirements.from_mapping({"torque": torque, "ratio": ratio})
    designs = find_designs(FewTeethDesigner(wanted)).designs
    assert len(designs) == 3
    assert all(flank.check(design.machine).light == "green" for design in designs)
