"""A damper of a mesh acts in contact only, or always: between the flanks, and as a pull."""

import math

import numpy as np
import pytest

from flank.dynamics.builder import ModelBuilder
from flank.dynamics.run import settings_for, solve_dynamics
from flank.dynamics.tables import GROUND

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
