"""Involute gears in space: what a spec may tell of them, and what follows."""

import math

import numpy as np
import pytest

import flank
from flank.errors import SpecError
from flank.geometry.unloaded_contact import ease_off, transmission_error

RIGID = {
    "pinion.bearings": None,
    "wheel.bearings": None,
    "input_shaft": None,
    "output_shaft": None,
    "damping_ratio": None,
    "mesh.points": 12,
}
COARSE = {"misalignment": 0, "positions": 16}


def test_the_helical_pair_is_that_of_the_plane():
    machine, planar = flank.preset("helical-in-space"), flank.preset("gear-pair")
    gears, pair = machine.spec.gears, planar.spec.pair
    assert [gear.base_radius for gear in gears] == pytest.approx(planar.meshed.base_radii)
    helix = math.cos(gears[0].base_helix_angle)
    levers = [abs(lever) / helix for lever in machine.contact.levers]
    assert levers == pytest.approx(planar.meshed.base_radii, rel=1e-5)
    play = machine.backlash * pair.working_radii[1]
    assert play == pytest.approx(pair.circumferential_backlash, rel=1e-3)
    assert machine.ratio == planar.ratio


def test_turning_decides_which_flank_pushes():
    for hand in ("left", "right"):
        for turning, sense in (("right-handed", 1), ("left-handed", -1)):
            machine = flank.preset("helical-in-space", {"pinion.hand": hand, "turning": turning})
            assert machine.sense == sense


def test_axes_of_beveloid_gears_cross_at_the_sum_of_tapers():
    machine = flank.preset("beveloid-pair", RIGID)
    mounting, middles = machine.teeth.mounting, machine.teeth.middles
    assert math.degrees(mounting.shaft_angle) == pytest.approx(8.0)
    assert mounting.offset == 0.0
    # both faces look at one point: from the crossing point its distance is the same
    radii = [gear.reference_radius for gear in machine.spec.gears]
    first, second = (
        math.hypot(middle, radius) for middle, radius in zip(middles, radii, strict=True)
    )
    assert first == pytest.approx(second, rel=1e-6)
    unrelieved = RIGID | {"pinion.tip_relief": None, "wheel.tip_relief": None}
    pair = flank.preset("beveloid-pair", unrelieved).flank_pair()
    assert transmission_error(pair, 16).peak_to_peak < 1e-8


@pytest.mark.parametrize(
    ("name", "changes", "sentence"),
    [
        ("beveloid-pair", {"centre_distance": "150 mm"}, "centre_distance is for parallel axes"),
        ("helical-in-space", {"pinion.edge_radius": 0}, "a sharp edge has no limit"),
        ("helical-in-space", {"pinion.taper": "30 deg"}, "taper"),
        ("helical-in-space", {"centre_distance": "155 mm"}, "thicker than their spaces"),
        ("helical-in-space", {"pinion.pitch_deviations": ["1 um"]}, "give one for every tooth"),
        ("helical-in-space", {"mesh.points": 7}, "a whole number from 8 to 200"),
        ("helical-in-space", {"pinion.points_file": "none.csv"}, "none.csv does not exist"),
        (
            "helical-in-space",
            {"errors.shaft_angle": "20 mrad"},
            "teeth jam",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(name, changes, sentence):
    with pytest.raises(SpecError) as error:
        flank.preset(name, changes)
    assert sentence in str(error.value)
    assert len(error.value.problems) == 1


def test_faces_without_crowning_touch_with_their_ends():
    plain = {"pinion.crowning": None, "pinion.face_width": "42 mm"}
    machine = flank.preset("helical-in-space", plain | {"errors.shaft_angle": "0.1 mrad"})
    codes = {finding.code for finding in machine.findings()}
    assert "contact-on-edge" in codes
    assert flank.preset("helical-in-space", plain).findings() == ()


def grid_file(path, member, every=False, unit=1e-3, shown="mm"):
    """Flanks of a member as a table, of one tooth or of all."""
    lines = [f"tooth, flank, row, column, x [{shown}], y [{shown}], z [{shown}]"]
    for tooth in range(member.teeth if every else 1):
        angle = member.pitch_angle * tooth
        turn = np.array(
            [[math.cos(angle), -math.sin(angle), 0], [math.sin(angle), math.cos(angle), 0]]
        )
        for flank_name in ("concave", "convex"):
            points = member.side(flank_name).flank.points[::4, ::2]
            places = np.concatenate((points @ turn.T, points[..., 2:]), axis=-1) / unit
            for (row, column), _ in np.ndenumerate(points[..., 0]):
                x, y, z = (f"{value:.12g}" for value in places[row, column])
                lines.append(f"{tooth + 1}, {flank_name}, {row + 1}, {column + 1}, {x}, {y}, {z}")
    path.write_text("\n".join(lines))
    return str(path)


@pytest.fixture
def lag_of():
    def computed(machine, angle=0.05):
        return machine.loaded_flanks(points=12).under(angle, machine.rated_torque).lag

    return computed


@pytest.mark.parametrize("name", ["hypoid-pair", "beveloid-pair"])
def test_points_of_flanks_stand_for_flanks(name, tmp_path, lag_of):
    made = flank.preset(name, RIGID)
    member = made.teeth.pinion.moved(-made.teeth.middles[0])
    inch = grid_file(tmp_path / "pinion.csv", member, unit=0.0254, shown="in")
    given = flank.preset(name, RIGID | {"pinion.points_file": inch})
    assert lag_of(given) == pytest.approx(lag_of(made), rel=2e-3)
    assert not given.deviates


def test_every_tooth_counts_as_it_is(lag_of):
    """Teeth that all stand on by the same way are a shaft that was turned; one of them comes into
    mesh once a turn."""
    straight = flank.preset("helical-in-space", RIGID)
    teeth, radius = 77, float(straight.teeth.wheel.mean_place[1])
    against = -straight.flank_pair().push * 5
    on = {"wheel.pitch_deviations": [f"{against} um"] * teeth}
    turned = flank.preset("helical-in-space", RIGID | on)
    assert turned.deviates
    assert lag_of(straight) - lag_of(turned) == pytest.approx(5e-6 / radius, rel=1e-5)
    single = ["0 um"] * teeth
    single[40] = f"{against} um"
    elsewhere = flank.preset("helical-in-space", RIGID | {"wheel.pitch_deviations": single})
    angles = 0.05 + np.array([20, 46, 60]) * 2 * np.pi / 25
    less = np.array([lag_of(straight, angle) - lag_of(elsewhere, angle) for angle in angles])
    assert less[[0, 2]] == pytest.approx(0.0, abs=1e-11)
    assert 1e-6 < less[1] * radius < 5e-6


@pytest.mark.parametrize(
    ("line", "change", "sentence"),
    [
        (0, lambda line: line.replace("[mm]", ""), "its head must be"),
        (0, lambda line: line.replace("[mm]", "[kg]"), "kg"),
        (1, lambda line: line.replace("concave", "hollow"), "'concave' or 'convex'"),
        (1, lambda line: line.rpartition(",")[0], "three lengths"),
        (1, lambda line: "", "has 1 holes, the first at row 1, column 1"),
        (2, lambda line: line.replace(" 1, 2,", " 1, 1,"), "was given before"),
        (1, lambda line: line.replace("1, concave", "3, concave"), "give tooth 1 for all of them"),
        (1, lambda line: "nan" + line, "a line has the numbers of"),
    ],
)
def test_tables_of_points_are_read_with_care(line, change, sentence, tmp_path):
    member = flank.preset("hypoid-pair", RIGID).teeth.pinion
    path = tmp_path / "pinion.csv"
    lines = (grid_file(path, member), path.read_text().splitlines())[1]
    lines[line] = change(lines[line])
    path.write_text("\n".join(lines))
    with pytest.raises(SpecError) as error:
        flank.preset("hypoid-pair", RIGID | {"pinion.points_file": str(path)})
    assert sentence in str(error.value)
    assert str(error.value).startswith("pinion.points_file: ")


def test_a_grid_that_folds_is_refused(tmp_path):
    member = flank.preset("hypoid-pair", RIGID).teeth.pinion
    path = tmp_path / "pinion.csv"
    grid_file(path, member)
    text = path.read_text().replace("1, concave, 1,", "1, concave, 0,")
    text = text.replace("1, concave, 2,", "1, concave, 1,").replace("concave, 0,", "concave, 2,")
    path.write_text(text)
    with pytest.raises(SpecError, match="folds at row 1"):
        flank.preset("hypoid-pair", RIGID | {"pinion.points_file": str(path)})


def test_a_pinion_without_cuts_is_conjugate_to_the_wheel_that_is_cut():
    conjugate = {f"settings.pinion.{flank_name}": None for flank_name in ("concave", "convex")}
    machine = flank.preset("spiral-bevel-nasa", conjugate)
    assert np.nanmax(np.abs(ease_off(machine.flank_pair()).relief)) < 0.2e-6
    eased = conjugate | {"ease_off": {"concave": {"lengthwise_crowning": "20 um"}}}
    result = flank.run(flank.preset("spiral-bevel-nasa", eased), "contact-pattern", **COARSE)
    assert 0.1 < result["pattern_area"] < 0.9
    with pytest.raises(SpecError, match="ease_off does nothing with settings of the pinion"):
        flank.preset("spiral-bevel-nasa", {"ease_off": eased["ease_off"]})
    with pytest.raises(SpecError, match="convex is missing"):
        flank.preset("spiral-bevel-nasa", {"settings.pinion.convex": None})
    with pytest.raises(SpecError, match="only a pinion can be conjugate"):
        flank.preset(
            "spiral-bevel-nasa", {"settings.wheel.concave": None, "settings.wheel.convex": None}
        )
