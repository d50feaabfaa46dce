"""Rungs of the ladder against each other and against the laws of motion, built as machines do."""

import math

import numpy as np
import pytest
from gear_models import gears, turned, two_gears

from flank.dynamics.assembly import assemble
from flank.dynamics.functions import constant
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
    assembly = Assembly(model, pose, first.body, second.body, (), meshes=(mesh,))
    turn = run.position[0, second.body, 2] - pose[second.body, 2]
    return turn, mesh_forces(assembly, run)[0, 0]


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
    assembly = Assembly(model, pose, 1, 2, (), meshes=(mesh,))
    assert mesh_forces(assembly, run).shape == (0, 1, 2)
