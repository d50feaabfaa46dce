"""The spring between two gears: exact kinematics of involutes, gradient and tangent."""

import math

import numpy as np
import pytest

from flank.dynamics.assembly import assemble
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant
from flank.dynamics.model import initial_state, workspace
from flank.dynamics.run import solve_statics
from flank.dynamics.tables import GROUND

RADII = (0.01, 0.03)
ALPHA = math.radians(20)
DISTANCE = sum(RADII) / math.cos(ALPHA)
STIFFNESS = 2e8


def pair(backlash: float = 0.0, angle: float = 0.0):
    builder = ModelBuilder(0.03)
    builder.body("a", 1.0, 1e-4)
    builder.body("b", 1.0, 1e-3)
    builder.mesh(1, 2, STIFFNESS, RADII, DISTANCE, angle=angle, backlash=backlash)
    return builder


def forces(model, position):
    state, work = initial_state(model, position), workspace(model)
    energy, _ = assemble(model, state, state.position, state.velocity, 0.0, work, 0.0, 1.0, 1.0)
    return energy, work.force[1:].ravel().copy(), work.core.copy()


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_force_and_tangent_are_derivatives_of_the_energy(sign):
    model = pair().build()
    pose = np.array(
        [[0, 0, 0], [1e-5, -2e-5, sign * 3e-3], [DISTANCE * 0.8, DISTANCE * 0.6, 0.0]], dtype=float
    )
    direction = math.atan2(*(pose[2] - pose[1])[1::-1])
    pose[2, 2] = direction * sum(RADII) / RADII[1]
    _, force, tangent = forces(model, pose)
    step = 1e-7
    for i in range(6):
        moved = [pose.copy(), pose.copy()]
        moved[0][1 + i // 3, i % 3] += step
        moved[1][1 + i // 3, i % 3] -= step
        (up, force_up, _), (down, force_down, _) = (forces(model, m) for m in moved)
        assert force[i] == pytest.approx(-(up - down) / (2 * step), rel=1e-5, abs=1e-2)
        assert tangent[:, i] == pytest.approx(
            -(force_up - force_down) / (2 * step), rel=1e-5, abs=2e-6 * np.abs(tangent).max()
        )


def test_centred_gears_roll_without_force():
    """Any pair of angles on the ratio is free of force, many turns on."""
    model = pair().build()
    for turn in (0.0, 0.3, 17.0, -40.0):
        pose = np.zeros((3, 3))
        pose[2, 0] = DISTANCE
        pose[1, 2], pose[2, 2] = turn, -turn * RADII[0] / RADII[1]
        assert np.abs(forces(model, pose)[1]).max() < 1e-4


def test_line_of_action_and_stiffness():
    """A torque on a is T/r_a along the line of action, at the pressure angle to the tangent."""
    model = pair().build()
    pose = np.zeros((3, 3))
    pose[2, 0] = DISTANCE
    pose[1, 2] = 1e-4
    _, force, _ = forces(model, pose)
    normal = STIFFNESS * 1e-4 * RADII[0]
    assert force[2] == pytest.approx(-normal * RADII[0], rel=1e-9)
    assert force[5] == pytest.approx(-normal * RADII[1], rel=1e-9)
    assert force[3] == pytest.approx(normal * math.sin(ALPHA), rel=1e-9)
    assert abs(force[4]) == pytest.approx(normal * math.cos(ALPHA), rel=1e-9)


def test_backlash_is_taken_up_before_force():
    backlash = 20e-6
    model = pair(backlash).build()
    pose = np.zeros((3, 3))
    pose[2, 0] = DISTANCE
    free = backlash / 2 / RADII[0]
    for turn, loaded in ((0.99 * free, False), (1.01 * free, True), (-1.01 * free, True)):
        pose[1, 2] = turn
        assert bool(np.any(forces(model, pose)[1])) is loaded


def test_equilibrium_under_torque():
    builder = pair(backlash=10e-6, angle=0.7)
    builder.revolute(GROUND, 1)
    builder.rotation(GROUND, 1, constant(0.0))
    builder.revolute(GROUND, 2, (DISTANCE, 0.0))
    builder.torque(2, constant(30.0))
    start = np.zeros((3, 3))
    start[2] = DISTANCE, 0.0, 0.7
    run = solve_statics(builder.build(), start, np.array([0.0]))
    expected = 0.7 + (5e-6 + 30.0 / RADII[1] / STIFFNESS) / RADII[1]
    assert run.position[0, 2, 2] == pytest.approx(expected, rel=1e-9)


def test_overlapping_base_circles_are_refused():
    builder = ModelBuilder(0.03)
    builder.body("a", 1.0, 1e-4)
    builder.body("b", 1.0, 1e-3)
    with pytest.raises(ValueError, match="base circles"):
        builder.mesh(1, 2, STIFFNESS, RADII, 0.039)
