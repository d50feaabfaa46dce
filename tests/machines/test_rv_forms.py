"""One reducer in several forms: rollers inside or as bodies, beams or ANCF, static or in time."""

import math

import numpy as np
import pytest

import flank
from flank.analyses import hysteresis, stiffness_split
from flank.elasticity.gear_body import _harmonics
from flank.elasticity.material import STEEL, Material
from flank.errors import SpecError
from flank.machines.base import Drive
from flank.machines.crank_reducer.housing import ring_stiffness

UNMODIFIED = {"discs.equidistant": 0, "discs.radial": 0}
NO_FRICTION = {
    "friction.pins": 0,
    "friction.turning_arm": 0,
    "friction.supports": 0,
    **UNMODIFIED,
}
COARSE = hysteresis.HysteresisSettings(points_per_stage=10)
FEW = hysteresis.HysteresisSettings(points_per_stage=5)
ARCMIN = math.pi / 180 / 60


def reducer(changes=None, name="rv-320"):
    return flank.preset(name, NO_FRICTION | (changes or {}))


def figures(machine, settings=COARSE):
    result = hysteresis.run(machine, settings)
    assert result.complete, result.outcome
    return {
        name: float(result[name]) for name in ("torsional_stiffness", "lost_motion", "backlash")
    }


@pytest.fixture(scope="module")
def inside():
    return figures(reducer({"supports.contact_angle": 0}))


@pytest.mark.parametrize(
    "bodies",
    [
        {"turning_arm.elements": "bodies"},
        {"supports.elements": "bodies"},
        {"turning_arm.elements": "bodies", "supports.elements": "bodies"},
    ],
)
def test_rollers_as_bodies_agree_with_rollers_inside(bodies, inside):
    found = figures(reducer({"supports.contact_angle": 0} | bodies))
    for name, value in inside.items():
        assert found[name] == pytest.approx(value, rel=2e-3), name


def test_rollers_as_bodies_carry_the_same_loads():
    one, two = (
        hysteresis.run(reducer({"turning_arm.elements": form}), COARSE)
        for form in ("inside", "bodies")
    )
    name = "largest_turning_arm_force"
    assert float(two[name]) == pytest.approx(float(one[name]), rel=2e-2)


def test_a_preset_has_over_300_degrees_of_freedom():
    machine = flank.preset("rv-paper")
    assert machine.spec.turning_arm.elements == "bodies"
    assert 3 * len(machine.layout.places) > 300


def test_cages_turn_as_rolling_has_it():
    """In the ideal machine a crank turn moves a cage by r_i/(r_i + r_o) against the carrier."""
    machine = reducer({"turning_arm.elements": "bodies"})
    one, two = machine.ideal_pose(0.0), machine.ideal_pose(1.0)
    cage = machine.layout.turning_arm.cage[0, 0]
    carrier = 1.0 / machine.ratio
    size = machine.size.turning_arm
    share = size.race_radius / (size.race_radius + size.bore_radius)
    expected = share * -machine.lobes * carrier + (1 - share) * carrier
    assert two[cage, 2] - one[cage, 2] == pytest.approx(expected, rel=1e-12)


def test_ancf_shafts_lie_between_beams_with_shear_and_rigid_cranks():
    beam, ancf, rigid = (
        figures(reducer({"cranks.shaft": form}))["torsional_stiffness"]
        for form in ("beam", "ancf", "rigid")
    )
    assert 1.02 * beam < ancf < 0.98 * rigid


def test_hole_walls_of_rings_agree_with_the_plate():
    """Two models of the same disc: finite cells of the plate, and an ANCF ring on a foundation."""
    plate, ring = (figures(reducer({"discs.hole_wall": form}), FEW) for form in ("rigid", "ancf"))
    assert ring["torsional_stiffness"] == pytest.approx(plate["torsional_stiffness"], rel=0.1)
    assert ring["backlash"] == pytest.approx(plate["backlash"], rel=1e-3)


def test_rollers_resist_on_a_flexible_wall_as_in_a_round_hole():
    """Friction acts at the nodes of the wall with the torque that it has at the inner race."""
    few = hysteresis.HysteresisSettings(points_per_stage=8)
    lost = {}
    for wall in ("rigid", "ancf"):
        work = [
            hysteresis.run(
                flank.preset("rv-320", {"discs.hole_wall": wall, "friction.turning_arm": mu}), few
            )["friction_work"]
            for mu in (0.0, 0.02)
        ]
        lost[wall] = work[1] - work[0]
    assert lost["rigid"] > 0
    assert lost["ancf"] == pytest.approx(lost["rigid"], rel=0.15)


def test_a_housing_is_a_spring_behind_each_main_bearing():
    """Thin rings are layers, k = π a B E/((1 - ν²) h); others meet the harmonics of an annulus."""
    a, width = 0.1, 0.02
    layer = math.pi * a * width * STEEL.youngs_modulus / ((1 - 0.3**2) * 1e-4)
    assert ring_stiffness(a, 1e-4, width, STEEL) == pytest.approx(layer, rel=1e-3)
    strain = Material(STEEL.youngs_modulus, 0.3, 1.0)  # as a sheet: ν' = ν/(1 - ν), E' = E/(1 - ν²)
    sheet = Material(strain.youngs_modulus / (1 - 0.3**2), 0.3 / 0.7, 1.0)
    radial = abs(float(_harmonics(np.array([1.0]), a, 1.4 * a, strain)[0][0]))
    assert ring_stiffness(a, 0.4 * a, width, sheet) == pytest.approx(
        math.pi * a * width / radial, rel=1e-9
    )
    soft = reducer({"main_bearings.housing": {"stiffness": "1e7 N/m"}})
    springs = [machine.assemble(Drive()).planar.springs for machine in (reducer({}), soft)]
    changed = springs[0]["stiffness"] != springs[1]["stiffness"]
    balls, both = (rows["stiffness"][changed][0] for rows in springs)
    assert both == pytest.approx(1 / (1 / balls + 1 / 1e7))


@pytest.mark.parametrize(
    ("changes", "part"),
    [({"cranks.shaft": "ancf"}, "cranks"), ({"discs.hole_wall": "ancf"}, "discs")],
)
def test_shares_add_up_with_flexible_parts(changes, part):
    settings = stiffness_split.StiffnessSplitSettings(points=3)
    result = stiffness_split.run(reducer(changes), settings)
    assert abs(float(result["closure"])) < 0.02
    shares = dict(zip(result["part"].values, result["part_share"].values, strict=True))
    assert 0.02 < shares[part] < 0.4


def test_hole_errors_move_a_flexible_wall_too():
    flexible = {"discs.hole_wall": "ancf", "turning_arm.clearance": "-2 um"}
    base = hysteresis.run(reducer(flexible), FEW)["loop_angle"].values
    off = hysteresis.run(reducer(flexible | {"errors.hole_tangential": "4 um"}), FEW)[
        "loop_angle"
    ].values
    assert (off - base).mean() == pytest.approx(4e-6 / 63e-3, rel=0.06)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"discs.hole_wall": "ancf", "turning_arm.elements": "bodies"}, "elements 'inside'"),
        ({"main_bearings.housing": {}}, "either stiffness or wall"),
        ({"main_bearings.housing": {"stiffness": 1e9, "wall": "9 mm"}}, "either stiffness or wall"),
        ({"main_bearings.housing": {"stiffness": 1e9, "width": "9 mm"}}, "width does nothing"),
        ({"discs.hole_wall": "ancf", "discs.body": "rigid"}, "a rigid disc has a rigid wall"),
    ],
)
def test_forms_that_do_not_go_together_are_refused(changes, sentence):
    with pytest.raises(SpecError, match=sentence):
        reducer(changes)


def test_friction_widens_the_loop_and_its_work_is_the_area():
    settings = hysteresis.HysteresisSettings(points_per_stage=40)
    plain, rough = (
        hysteresis.run(flank.preset("rv-320", changes), settings)
        for changes in (NO_FRICTION, UNMODIFIED | {"friction.pins": 0.1})
    )
    assert float(rough["loop_work"]) > 1e3 * float(plain["loop_work"])
    assert float(rough["friction_work"]) == pytest.approx(float(rough["loop_work"]), rel=0.02)
    assert float(rough["lost_motion"]) == pytest.approx(float(plain["lost_motion"]), rel=0.02)


@pytest.mark.nightly
def test_dynamic_loop_is_the_static_one():
    """2.5 s at h = 1e-4, friction on; halved steps and a ramp twice as slow change under 1 %."""
    machine = flank.preset("rv-320")
    static = figures(machine, hysteresis.HysteresisSettings())
    settings = hysteresis.HysteresisSettings(mode="dynamic")
    usual = figures(machine, settings)
    finer = figures(machine, settings.with_changes({"step": 5e-5}))
    slower = figures(machine, settings.with_changes({"stage_duration": 1.0}))
    for name in ("lost_motion", "backlash"):
        assert finer[name] == pytest.approx(usual[name], rel=1e-2), name
        assert slower[name] == pytest.approx(usual[name], rel=1e-2), name
        assert usual[name] == pytest.approx(static[name], rel=2e-2), name


@pytest.mark.nightly
def test_dynamic_forms_agree():
    one, two = (
        figures(
            reducer({"turning_arm.elements": form}),
            hysteresis.HysteresisSettings(mode="dynamic", stage_duration=0.2),
        )
        for form in ("inside", "bodies")
    )
    for name, value in one.items():
        assert two[name] == pytest.approx(value, rel=2e-2), name
