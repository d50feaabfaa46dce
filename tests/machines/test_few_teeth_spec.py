"""What a few-teeth reducer's spec refuses, its kinematics, and the geometry of the references."""

import math

import numpy as np
import pytest

import flank
from flank.errors import SpecError
from flank.io.spec_files import read_spec_text, write_yaml
from flank.machines.crank_reducer.rules import WALL
from flank.machines.few_teeth.spec import KINDS, FewTeethReducerSpec
from flank.presets import preset_text

PRESETS = ("few-teeth-60", "few-teeth-38")
FIRST_STAGE = {
    "first_stage.sun_teeth": 18,
    "first_stage.planet_teeth": 54,
    "first_stage.module": "1.75 mm",
}
SET_98 = {
    "rack.normal_module": "2.5 mm",
    "discs.teeth": 98,
    "ring.teeth": 100,
    "ring.profile_shift": -0.2,
    "discs.width": "21 mm",
    "cranks.circle_radius": "70 mm",
}
UNSHIFTED_38 = {"rack.addendum": 1.0, "rack.dedendum": 1.25, "ring.profile_shift": 0.0}


def spec(name="few-teeth-60"):
    return FewTeethReducerSpec.from_mapping(read_spec_text(preset_text(name), name))


@pytest.mark.parametrize("name", PRESETS)
def test_presets_come_back_equal(name):
    one = spec(name)
    assert one.source
    assert one.assumptions
    assert FewTeethReducerSpec.from_mapping(read_spec_text(write_yaml(one.to_mapping()))) == one
    assert flank.preset(name).findings() == ()


@pytest.mark.parametrize(
    ("name", "angle", "eccentricity", "contact_ratio"),
    [("few-teeth-60", 36.808, 4.6947, 1.205), ("few-teeth-38", 46.03, 2.7071, 1.203)],
)
def test_geometry_of_the_references(name, angle, eccentricity, contact_ratio):
    """Working angle, eccentricity and contact ratio of sharp tips, to the references' digits."""
    sharp = {"discs.edge_radius": 0, "ring.edge_radius": 0}
    machine = flank.preset(name, sharp)
    pair = machine.spec.pair
    assert math.degrees(pair.working_angle) == pytest.approx(angle, abs=6e-3)
    assert machine.size.eccentricity * 1e3 == pytest.approx(eccentricity, abs=5e-5)
    assert pair.contact_ratio == pytest.approx(contact_ratio, abs=5e-4)
    assert pair.normal_backlash == pytest.approx(0.0, abs=1e-15)


def test_the_rings_tip_is_the_corrected_one():
    """r_a2 = r2 - m (h_a - x2 + Δy), with the sign of x and Δy of the source."""
    pair, shift, alpha = spec().pair, 0.25, math.radians(20)
    less = shift - (math.cos(alpha) / math.cos(pair.working_angle) - 1)
    assert pair.second.tip_radius == pytest.approx(0.124 - 4e-3 * (0.64 - shift + less), rel=1e-12)
    assert pair.second.root_radius == pytest.approx(0.124 + 4e-3 * (1.14 + shift), rel=1e-12)
    assert flank.preset("few-teeth-60", {"ring.tip_radius": "122.5 mm"}).spec.pair.second.tip_radius


@pytest.mark.parametrize("name", PRESETS)
def test_holes_leave_walls(name):
    one = spec(name)
    size, circle = one.dimensions, one.cranks.circle_radius
    hole, wall = size.turning_arm.bore_radius, 0.99 * WALL * size.ring_radius
    assert size.root_radius - circle - hole > wall
    assert size.root_radius - size.pillar_circle_radius - size.pillar_hole_radius > wall
    chord = 2 * circle * math.sin(math.pi / one.cranks.count / 2)
    assert chord - hole - size.pillar_hole_radius > wall


@pytest.mark.parametrize(
    ("name", "changes", "ratio"),
    [
        ("few-teeth-60", {}, -30),
        ("few-teeth-60", FIRST_STAGE, 1 + 31 * 3),
        ("few-teeth-38", {}, 41),
        ("few-teeth-38", {"first_stage": None}, -19),
        ("few-teeth-60", {"discs.teeth": 59}, -59 / 3),
    ],
)
def test_ratio_and_motion(name, changes, ratio):
    """Disc and ring roll on each other, the carrier turns with the disc, the sun with planets."""
    machine = flank.preset(name, changes)
    assert machine.ratio == pytest.approx(ratio, rel=1e-15)
    output, input_body = machine.layout.flange[1], machine.layout.input_body
    one, two = machine.ideal_pose(0.0), machine.ideal_pose(0.9)
    assert two[input_body, 2] == pytest.approx(0.9, rel=1e-14)
    assert two[output, 2] == pytest.approx(0.9 / ratio, rel=1e-14)
    pair = machine.spec.pair
    for rim, phase in zip(machine.layout.rim, machine.layout.phases, strict=True):
        x, y, turn = two[rim]
        assert np.hypot(x, y) == pytest.approx(pair.centre_distance, rel=1e-14)
        # rolling: the disc turns about the ring's pitch point, e/(r_w2 - r_w1) of the orbit
        orbit = -machine.spec.crank_ratio * 0.9 / ratio + phase
        assert turn == pytest.approx(-orbit * machine.spec.teeth_of_difference / pair.first.teeth)
        assert turn - one[rim, 2] == pytest.approx(two[output, 2] - one[output, 2], rel=1e-13)


@pytest.mark.parametrize("angle", [0.0, 0.37, 5.0, -40.0])
@pytest.mark.parametrize("changes", [{}, {"discs.count": 3}, {"discs.teeth": 59}])
def test_teeth_stand_in_spaces(changes, angle):
    """Both gaps of a tooth vanish at every angle, for every disc: the gears are conjugate."""
    machine = flank.preset("few-teeth-60", changes)
    pair = machine.spec.pair
    ring = math.pi / machine.spec.ring.teeth
    pose = machine.ideal_pose(angle * machine.ratio)
    for rim in machine.layout.rim:
        x, y, turn = pose[rim]
        direction = math.atan2(y, x)
        for flank_side in (1, -1):
            gap = pair.gap(flank_side, turn, ring, direction)
            off = gap - round(gap / pair.base_pitch) * pair.base_pitch
            assert abs(off) < 1e-12


def test_two_discs_of_an_even_difference_are_alike():
    """Δ ψ/z1 between teeth and holes is a whole pitch for ψ = π and Δ = 2."""
    layout = flank.preset("few-teeth-60").layout
    x, y = layout.turning_arm.holes[0][1]
    assert math.atan2(y, x) == pytest.approx(2 * math.pi / 60)


@pytest.mark.parametrize(
    ("name", "changes", "sentence"),
    [
        ("few-teeth-60", SET_98, "ring: tips of the disc and the ring overlap by 0.16 mm"),
        ("few-teeth-38", UNSHIFTED_38, "ring: tips of the disc and the ring overlap by 4.63 mm"),
        ("few-teeth-60", {"discs.teeth": 62}, "the ring needs more teeth than the discs"),
        ("few-teeth-60", {"ring.profile_shift": 0.2}, "at no eccentricity; lower it"),
        ("few-teeth-60", {"eccentricity": "3.7 mm"}, "it must exceed 3.75877 mm"),
        ("few-teeth-60", {"eccentricity": "4.9 mm"}, "ring: teeth .* too thick"),
        ("few-teeth-60", {"cranks.circle_radius": "90 mm"}, "cut the flank, whose root radius"),
        ("few-teeth-60", {"mesh.slices": 1, "ring.crowning": "5 um"}, "mesh.slices: 1 slice"),
        ("few-teeth-60", {"coupling.backlash": "0.1 deg"}, "backlash needs a stiffness"),
        ("few-teeth-38", {"coupling.stiffness": 1e6}, "coupling does nothing beside a first_stage"),
        ("few-teeth-60", {"mesh.model": "table"}, "friction.teeth does nothing with the mesh"),
        ("few-teeth-60", {"discs.count": 4}, "a whole number from 1 to 3"),
        ("few-teeth-60", {"ring.material": "stel"}, "ring.material: 'stel' is not a material"),
        (
            "few-teeth-60",
            {"errors.ring_x": {"1": "3 um"}},
            "errors.ring_x.1: there is one only",
        ),
        ("few-teeth-60", {"errors.tooth_thickness": "200 um"}, "ring: teeth .* too thick"),
        ("few-teeth-60", {"friction.regularization_velocity": "1 mm/s"}, "does nothing with"),
    ],
)
def test_refusals(name, changes, sentence):
    with pytest.raises(SpecError, match=sentence):
        flank.preset(name, changes)


def test_errors_are_drawn_and_recorded():
    one = flank.preset("few-teeth-60", {"errors.seed": 7})
    assert one.spec.errors.drawn_from == 7
    assert set(one.errors) == set(KINDS) - set(one.spec.absent_errors)
    assert all(np.any(values) for values in one.errors.values())
    assert one.errors["ring_thickness"].shape == ()
    names = [parameter.name for parameter in one.error_parameters()]
    of_bodies = 6 * 3 + 3 * 2 + 6 * 3 + 6 * 2 + 2 * 4 + 3 + 2 * 4
    rollers = 6 * one.size.turning_arm.count + 6 * one.size.support.count
    assert len(names) == len(set(names)) == of_bodies + rollers


def test_what_the_rule_gave_is_told():
    told = {one.key: one.value for one in flank.preset("few-teeth-60").derived()}
    assert told["eccentricity"] == pytest.approx(4.6947e-3, abs=5e-8)
    assert "first_stage.face_width" not in told
    assert "discs.width" not in told
    assert "first_stage.face_width" in {one.key for one in flank.preset("few-teeth-38").derived()}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"ring.outer_radius": None, "mesh.model": "fe"}, "ring.outer_radius is missing: finite"),
        ({"ring.outer_radius": "100 mm"}, "it must exceed the root radius of 129"),
    ],
)
def test_finite_elements_need_the_ring_s_rim(changes, sentence):
    with pytest.raises(SpecError, match=sentence):
        flank.preset("few-teeth-60", {"friction.teeth": 0} | changes)


def test_finite_elements_are_held_at_the_web_of_discs_and_outside_the_ring():
    """Between web and rim a disc is elastic as a plate with holes already."""
    changes = {"friction.teeth": 0, "mesh.model": "fe"}
    machine = flank.preset("few-teeth-60", changes)
    pair = machine.meshed_pair(0).pair
    assert pair.first.held_radius == machine.spec.toothing.split_radius
    assert pair.second.held_radius == pytest.approx(0.140)
    assert flank.preset("few-teeth-60").meshed_pair(0).pair.second.held_radius is None
