"""Rungs of the ladder against each other and against the laws of motion, built as machines do."""

import math

import numpy as np
import pytest
from gear_models import gears, turned, two_gears

from flank.dynamics.assembly import assemble
from flank.dynamics.functions import constant, linear
from flank.dynamics.model import initial_state, workspace
from flank.dynamics.run import solve_statics
from flank.elasticity.material import STEEL
from flank.machines.base import Assembly
from flank.machines.gear_spec import MeshSpec
from flank.machines.mesh_forces import mesh_forces
from flank.machines.meshes import MeshedPair, add_mesh

INTERNAL = pytest.mark.parametrize("internal", [False, True])
BOTH = (STEEL, STEEL)


def force_at(pair, builder):
    """Force on the line of action as a function of the first gear's angle and the approach."""
    model, pose = builder.build(), builder.pose()
    state, work = initial_state(model, pose), workspace(model)

    def force(angle, closer):
        moved = turned(pair, pose, angle, closer + 0.5 * pair.normal_backlash)
        assemble(model, state, moved, np.zeros_like(moved), 0.0, work, 0.0, 1.0, 1.0)
        return abs(work.force[2, 2]) / pair.second.base_radius

    return force


@INTERNAL
@pytest.mark.parametrize("rung", ["table", "contact"])
def test_overloaded_teeth_come_into_mesh_without_a_jump(internal, rung):
    """Ten times the deflection of the load that the table is taken at."""
    pair = gears(internal)
    b, first, second = two_gears(pair)
    load = 300e3 * pair.face_width
    add_mesh(b, "mesh", MeshedPair(pair, BOTH, MeshSpec(model=rung), load), first, second)
    force = force_at(pair, b)
    closer = 10 * load / (20e9 * pair.face_width)
    found = [force(a, closer) for a in np.linspace(0, pair.first.pitch_angle, 400)]
    assert np.abs(np.diff(found)).max() < 0.015 * np.mean(found)
    assert math.isclose(found[0], found[-1], rel_tol=1e-9)


@INTERNAL
def test_flanks_of_a_table_are_conjugate_without_load(internal):
    """No force up to the touch at any position, and no more of it than the teeth's stiffness."""
    pair = gears(internal, thickness_deviation=-40e-6)
    b, first, second = two_gears(pair)
    load = 300e3 * pair.face_width
    add_mesh(b, "mesh", MeshedPair(pair, BOTH, MeshSpec(model="table"), load), first, second)
    force = force_at(pair, b)
    for angle in np.linspace(0, pair.first.pitch_angle, 500):
        assert force(angle, -1e-12) == 0.0
        assert 0.0 < force(angle, 1e-12) < 1e-12 * 50e9 * pair.face_width


def equilibrium(pair, rung, load, start=0.0):
    """Pose and forces of gears about fixed centres, the first held at an angle, rung by rung."""
    b, first, second = two_gears(pair)
    meshed = MeshedPair(pair, BOTH, MeshSpec(model=rung), load)
    mesh = add_mesh(b, "mesh", meshed, first, second)
    for place in (first, second):
        b.revolute(0, place.body, b.placed(place.body, (0.0, 0.0)))
    b.rotation(0, first.body, constant(start))
    b.torque(second.body, constant(pair.sign * load * pair.second.base_radius))
    model, pose = b.build(), turned(pair, b.pose(), start)
    run = solve_statics(model, pose, np.array([0.0]))
    assert run.complete
    assembly = Assembly.of(b, pose, {}, meshes=(mesh,))
    turn = run.position[0, second.body, 2] - pose[second.body, 2]
    return turn, mesh_forces(assembly, run)[0, 0]


@INTERNAL
@pytest.mark.parametrize("edge", [0.1e-3, 1e-6])
@pytest.mark.parametrize("closer", [15e-6, 60e-6])
def test_contact_passes_from_flank_to_edge_without_a_jump_of_energy(internal, edge, closer):
    """At both ends of the path, conformal flanks included, whose curvature minds micrometres."""
    pair = gears(internal, edge_radius=edge)
    b, first, second = two_gears(pair)
    load = 300e3 * pair.face_width
    add_mesh(b, "mesh", MeshedPair(pair, BOTH, MeshSpec(model="contact"), load), first, second)
    model, pose = b.build(), b.pose()
    state, work = initial_state(model, pose), workspace(model)
    still = np.zeros_like(pose)

    def missing(low, high):
        """Where energy and work differ most, and by how much."""
        angles = np.linspace(low, high, 400)
        energy, torque = np.empty_like(angles), np.empty_like(angles)
        for n, angle in enumerate(angles):
            moved = turned(pair, pose, angle, closer + 0.5 * pair.normal_backlash)
            energy[n] = assemble(model, state, moved, still, 0.0, work, 0.0, 1.0, 1.0)[0]
            torque[n] = -work.force[1, 2] - work.force[2, 2] / pair.signed_ratio
        done = 0.5 * (torque[1:] + torque[:-1]) * np.diff(angles)
        miss = np.abs(np.diff(energy) - done) / energy.mean()
        worst = int(np.argmax(miss))
        return angles[worst], angles[worst + 1], miss[worst]

    for piece in range(4):  # a jump stays as large as it is, however near one looks
        low, high, miss = np.array([piece, piece + 1, 0]) / 4 * pair.first.pitch_angle
        for _ in range(3):
            low, high, miss = missing(low, high)
        assert miss < 1e-7


@INTERNAL
def test_sharp_edges_are_as_good_as_hardly_rounded_ones(internal):
    forces = []
    for edge in (0.0, 1e-6):
        pair = gears(internal, edge_radius=edge)
        b, first, second = two_gears(pair)
        meshed = MeshedPair(pair, BOTH, MeshSpec(model="contact"), 300e3 * pair.face_width)
        add_mesh(b, "mesh", meshed, first, second)
        force = force_at(pair, b)
        forces.append([force(a, 20e-6) for a in np.linspace(0, pair.first.pitch_angle, 50)])
    np.testing.assert_allclose(forces[0], forces[1], rtol=0.03)


@INTERNAL
@pytest.mark.parametrize("rung", ["spring", "table", "contact", "rigid"])
def test_teeth_do_not_tire_of_turning(internal, rung):
    """Round-off of an angle of ten thousand turns is no reason to find no equilibrium."""
    pair = gears(internal)
    load = 300e3 * pair.face_width
    turn, forces = equilibrium(pair, rung, load)
    assert forces[0] == pytest.approx(load, rel=0.01)
    later, later_forces = equilibrium(pair, rung, load, 2 * math.pi * 10_000)
    assert later == pytest.approx(turn, rel=1e-5, abs=1e-10)
    assert later_forces == pytest.approx(forces, rel=1e-5)


def test_a_run_without_records_has_no_forces():
    pair = gears(False)
    b, first, second = two_gears(pair)
    meshed = MeshedPair(pair, BOTH, MeshSpec(model="contact"), 1e3)
    mesh = add_mesh(b, "mesh", meshed, first, second)
    model, pose = b.build(), b.pose()
    run = solve_statics(model, pose, np.array([0.0])).since(1)
    assembly = Assembly.of(b, pose, {}, meshes=(mesh,))
    assert mesh_forces(assembly, run).shape == (0, 1, 2)


def test_a_gear_whose_teeth_do_not_reach_runs_away():
    """Beyond all teeth there is no equilibrium, and round-off of a huge angle is no excuse."""
    pair = gears(False, addendum=0.12)
    assert pair.contact_ratio < 0.5
    b, first, second = two_gears(pair)
    load = 300e3 * pair.face_width
    add_mesh(b, "mesh", MeshedPair(pair, BOTH, MeshSpec(), load), first, second)
    for place in (first, second):
        b.revolute(0, place.body, b.placed(place.body, (0.0, 0.0)))
    b.rotation(0, first.body, linear(pair.first.pitch_angle))
    b.torque(second.body, constant(load * pair.second.base_radius))
    times = (np.arange(64) + 0.5) / 64
    poses = np.array([turned(pair, b.pose(), t * pair.first.pitch_angle) for t in times])
    run = solve_statics(b.build(), poses[0], times, poses)
    assert not run.complete
    assert np.all(np.abs(run.position) < 1.0)
