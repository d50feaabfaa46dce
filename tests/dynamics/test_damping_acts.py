"""A damper of a mesh acts in contact only, or always: between the flanks, and as a pull."""

import math

import numpy as np
import pytest

from flank.dynamics.builder import ModelBuilder
from flank.dynamics.engine import evaluate
from flank.dynamics.poses import state_at, workspace
from flank.dynamics.run import settings_for, solve_dynamics
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.tables import GROUND
from flank.dynamics.trajectory import SpatialPose

RADII, DISTANCE, BACKLASH = (0.05, 0.05), 0.11, 1e-2
DAMPING, INERTIA = 40.0, 0.01


def coasting(always):
    """A gear that turns between the flanks of one that stands; its speed after a while."""
    builder = ModelBuilder(0.1)
    still = builder.body("still", 1.0, INERTIA)
    free = builder.body("free", 1.0, INERTIA, (DISTANCE, 0.0, -1e-4))  # nearer to one flank
    builder.fixed(GROUND, still)
    builder.revolute(GROUND, free, (DISTANCE, 0.0))
    builder.mesh(
        still, free, 1e6, RADII, DISTANCE, DAMPING, backlash=BACKLASH, always_damped=always
    )
    model, velocity = builder.build(), np.zeros((3, 3))
    velocity[free, 2] = 0.1
    settings = settings_for(model, 1e-3, 1.0)
    run = solve_dynamics(model, builder.pose(), 0.05, settings, velocity)
    return float(run.velocity[-1, free, 2])


def test_between_the_flanks_it_acts_only_if_always():
    assert coasting(False) == pytest.approx(0.1, rel=1e-12)
    rate = DAMPING * RADII[1] ** 2 / INERTIA
    assert coasting(True) == pytest.approx(0.1 * math.exp(-rate * 0.05), rel=1e-3)


STIFFNESS, DEPTH = 1e6, 1e-5


def torque_in_plane(side, speed, always):
    """On a gear that is pressed against a flank, and moves."""
    builder = ModelBuilder(0.1)
    still = builder.body("still", 1.0, INERTIA)
    turned = side * (0.5 * BACKLASH + DEPTH) / RADII[1]
    free = builder.body("free", 1.0, INERTIA, (DISTANCE, 0.0, turned))
    springs = {"backlash": BACKLASH, "always_damped": always}
    builder.mesh(still, free, STIFFNESS, RADII, DISTANCE, DAMPING, **springs)
    model = builder.build()
    state, work = state_at(model, builder.pose()), workspace(model)
    state.velocity[free, 2] = speed
    evaluate(model, state, 0.0, work, 0.0, 1.0, 1.0)
    return work.force[free, 2]


def torque_in_space(side, speed, always):
    builder = SpatialBuilder(0.1)
    inertia = (INERTIA,) * 3
    still = builder.body("still", 1.0, inertia)
    free = builder.body("free", 1.0, inertia, (DISTANCE, 0.0, 0.0))
    # the angle of the free gear at which its teeth stand in the middle of the backlash
    turned = side * (0.5 * BACKLASH + DEPTH) / RADII[1]
    springs = {"damping": DAMPING, "backlash": BACKLASH, "always_damped": always}
    builder.teeth(still, free, STIFFNESS, RADII, DISTANCE, 0.03, angle=-turned, **springs)
    model = builder.build()
    position, rotation = builder.pose()
    state, work = (
        state_at(model, SpatialPose(position, rotation, np.zeros((3, 6)))),
        workspace(model),
    )
    state.velocity[free, 5] = speed
    evaluate(model, state, 0.0, work, 0.0, 1.0, 1.0)
    return work.force[free, 5]


@pytest.mark.parametrize("torque", [torque_in_plane, torque_in_space])
@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("rate", [-0.2, 0.1, 0.2, 2.0])
def test_of_a_loaded_flank_either_way_round(torque, side, rate):
    """`rate` of the gap in m/s over that at which the damper takes all of the spring's force: teeth
    that part faster pull only where the damper acts always."""
    elastic = STIFFNESS * DEPTH
    parting = rate * elastic / DAMPING
    damped = elastic - DAMPING * parting
    speed = -side * parting / RADII[1]
    arm = -side * RADII[1]
    assert torque(side, speed, True) == pytest.approx(arm * damped, rel=1e-9)
    assert torque(side, speed, False) == pytest.approx(arm * max(damped, 0.0), rel=1e-9, abs=1e-12)
