"""The planetary gearbox: kinematics, teeth in mesh, forces in balance."""

import itertools
import math

import numpy as np
import pytest

import flank
from flank.dynamics.assembly import assemble
from flank.dynamics.functions import constant
from flank.dynamics.model import initial_state, workspace
from flank.dynamics.run import solve_statics
from flank.geometry.willis import ToothNumbers
from flank.machines.base import Drive
from flank.machines.planetary.layout import CARRIER, FIRST_PLANET, RING, SUN, Kinematics

ROLES = list(itertools.permutations(("sun", "ring", "carrier"), 2))
FLOATING = {"sun.support": {"kind": "bearing", "stiffness": 1e7}}


def paper(changes=None):
    return flank.preset("planetary-paper", changes)


@pytest.mark.parametrize("held", ["sun", "ring", "carrier"])
def test_willis_exactly(held):
    willis = Kinematics(ToothNumbers(20, 35, 91), held)
    for member in {"sun", "ring", "carrier"} - {held}:
        turned = willis.angles(member, 0.7)
        assert turned.of(held) == 0.0
        assert turned.of(member) == pytest.approx(0.7, rel=1e-15)
        sun, ring, carrier, planet = turned
        assert 20 * sun + 91 * ring == pytest.approx(111 * carrier, rel=1e-14)
        assert (planet - carrier) * 35 == pytest.approx(-(sun - carrier) * 20, rel=1e-14)
        assert (planet - carrier) * 35 == pytest.approx((ring - carrier) * 91, rel=1e-14)
    assert sum(willis.torques("sun", 3.0).values()) == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize("preset", ["planetary-paper", "planetary-500kw"])
@pytest.mark.parametrize(("driven", "loaded"), ROLES)
def test_ideal_pose_keeps_every_tooth_centred(preset, driven, loaded):
    """In every mesh the gaps of both flanks stay equal, whoever is held."""
    machine = flank.preset(preset, {"operation.input": driven, "operation.output": loaded})
    layout, sun, ring = machine.layout, machine.sun_pair(0).pair, machine.ring_pair(0).pair
    for angle in (0.0, 0.4, -2.3):
        pose = machine.ideal_pose(angle)
        for n, tooth in enumerate(layout.planet_tooth_angles):
            x, y, turned = pose[FIRST_PLANET + n]
            assert math.hypot(x, y) == pytest.approx(machine.spec.carrier_radius, rel=1e-12)
            direction = math.atan2(y, x)
            for pair, first, second in (
                (sun, pose[SUN, 2], tooth + turned),
                (ring, tooth + turned, layout.ring_tooth_angle + pose[RING, 2]),
            ):
                gap = pair.gap(1, first, second, direction) - pair.gap(-1, first, second, direction)
                off = math.remainder(0.5 * gap - 0.5 * pair.base_pitch, pair.base_pitch)
                assert off == pytest.approx(0.0, abs=1e-14)


def test_ratio_and_load_of_every_role():
    for driven, loaded in ROLES:
        machine = paper({"operation.input": driven, "operation.output": loaded})
        pose = machine.ideal_pose(1e-3)
        bodies = machine.layout.body_of(driven), machine.layout.body_of(loaded)
        assert pose[bodies[0], 2] == pytest.approx(machine.ratio * pose[bodies[1], 2])
        assert machine.load_torque * machine.ratio < 0  # it brakes a positive input speed
        assert machine.orders["mesh"] > 0


@pytest.mark.parametrize("model", ["spring", "rigid"])
def test_action_and_reaction(model):
    """Nothing but supports and torques acts from outside: the meshes' forces cancel."""
    mesh = {"model": model} | ({"stiffness": 5e5, "separation": False} if model == "spring" else {})
    machine = paper({"sun_mesh": mesh, "ring_mesh": mesh} | (FLOATING if model == "spring" else {}))
    assembly = machine.assemble(Drive())
    state = initial_state(assembly.model, machine.ideal_pose(0.2))
    rng = np.random.default_rng(1)
    state.position[1:] += 1e-5 * rng.standard_normal(state.position[1:].shape)
    rows = [k for place in assembly.meshes for k in place.springs]
    keep = np.zeros_like(assembly.model.counts)
    keep[1] = len(rows)
    if model == "rigid":
        joints = [
            j
            for j in assembly.model.joints
            if j["first"] in {p.multiplier for p in assembly.meshes}
        ]
        keep[0], keep[1] = len(joints), 0
        part = assembly.model._replace(joints=np.array(joints), counts=keep)
        state.multipliers[:] = rng.standard_normal(len(state.multipliers))
    else:
        part = assembly.model._replace(springs=assembly.model.springs[rows], counts=keep)
    work = workspace(assembly.model)
    assemble(part, state, state.position, state.velocity, 0.0, work, 0.0, 1.0, 1.0)
    force, position = work.force[1:], state.position[1:]
    size = np.abs(force).max()
    assert size > 0.0
    assert force[:, :2].sum(axis=0) == pytest.approx(0.0, abs=1e-12 * size)
    torque = force[:, 2] + position[:, 0] * force[:, 1] - position[:, 1] * force[:, 0]
    assert torque.sum() == pytest.approx(0.0, abs=1e-11 * size)


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_rigid_meshes_hold_the_ideal_motion(count):
    rigid = {"sun_mesh": {"model": "rigid"}, "ring_mesh": {"model": "rigid"}}
    machine = paper(rigid | {"planets.count": count})
    model, ideal = (
        machine.assemble(Drive.of_ends(constant(0.9), constant(0.0))).model,
        machine.ideal_pose(0.9),
    )
    found = solve_statics(model, ideal, np.array([0.0]))
    assert found.complete
    assert found.position[0] == pytest.approx(ideal, abs=1e-13)
    off = ideal.copy()
    off[SUN, 2] += 1e-3  # that the joints would have closed it
    found = solve_statics(model, off, np.array([0.0]))
    assert found.position[0] == pytest.approx(ideal, abs=1e-12)


def test_pins_with_errors_stand_where_they_should():
    machine = paper({"errors.pin_radial": {2: "20 um"}, "errors.pin_tangential": {2: "-10 um"}})
    nominal, moved = (m.layout.pin(1, m.errors) for m in (paper(), machine))
    off = np.subtract(moved, nominal)
    outward = np.array(nominal) / np.linalg.norm(nominal)
    assert off @ outward == pytest.approx(20e-6, rel=1e-9)
    assert off @ (-outward[1], outward[0]) == pytest.approx(-10e-6, rel=1e-9)
    joints = machine.assemble(Drive.of_ends(constant(0.0), constant(0.0))).model.joints
    pins = joints[joints["body_a"] == CARRIER]
    assert (pins[1]["a_x"], pins[1]["a_y"]) == pytest.approx(moved)


def test_errors_change_the_pairs_and_places_they_name():
    machine = paper({"errors.planet_thickness": {3: "30 um"}, "errors.sun_eccentricity": "5 um"})
    thick = machine.ring_pair(2).pair.first.thickness_deviation
    assert (thick, machine.ring_pair(1).pair.first.thickness_deviation) == (30e-6, 0.0)
    other = machine.with_error("planet_thickness.3", 1e-6)
    assert other.sun_pair(2).pair.second.thickness_deviation == pytest.approx(31e-6)
    names = [error.name for error in machine.error_parameters()]
    assert "planet_eccentricity.3" in names
    assert "sun_eccentricity" in names
    assert not any("direction" in name for name in names)


@pytest.mark.parametrize("count", [3, 4, 5])
def test_phases_follow_the_tooth_numbers(count):
    machine = flank.preset("planetary-lin-parker", {"planets.count": count})
    phases = machine.mesh_phases()
    spec = machine.spec
    sense = 1 if machine.kinematics.angles("sun", 1.0).carrier < 1.0 else -1
    wanted = np.mod(-sense * spec.sun.teeth * np.array(spec.planet_angles) / (2 * math.pi), 1.0)
    at_ring = np.mod(sense * spec.ring.teeth * np.array(spec.planet_angles) / (2 * math.pi), 1.0)
    for found, asked in ((phases.sun, wanted), (phases.ring, at_ring)):
        assert np.abs(found - asked - np.round(found - asked)).max() < 1e-9


def test_phases_of_the_500_kw_stage_come_in_sequence():
    phases = flank.preset("planetary-500kw").mesh_phases()
    assert sorted(phases.sun) == pytest.approx([0.0, 1 / 3, 2 / 3], abs=1e-9)
    assert phases.ring == pytest.approx(phases.sun, abs=1e-9)


def test_excited_families():
    machine = flank.preset("planetary-paper", {"planets.count": 3})  # 20 teeth: phases 0, 2/3, 1/3
    families = [machine.excited_family(k) for k in (1, 2, 3)]
    assert families == ["translational", "translational", "rotational"]
    five = flank.preset("planetary-paper", {"planets.count": 4})
    assert {five.excited_family(k) for k in range(1, 9)} == {"rotational"}
