"""Implicit differentiation where the error sits in a joint."""

import numpy as np
import pytest

from flank.analyses.sensitivity import angle_derivatives, stations
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import linear
from flank.dynamics.run import solve_statics
from flank.dynamics.tables import GROUND
from flank.machines.base import Assembly

ARM, STIFFNESS = 0.1, 1e4


def flange(angle=0.0, height=0.0):
    """A sprung shaft, a flange welded to it at `angle`, and a hinge `height` too high."""
    builder = ModelBuilder(ARM)
    shaft, output = builder.body("shaft", 1.0, 0.01), builder.body("flange", 1.0, 0.01)
    builder.revolute(GROUND, shaft, at_a=(0.0, height))
    builder.fixed(shaft, output, angle=angle)
    builder.bushing(GROUND, shaft, STIFFNESS, at_a=(ARM, 0.0), at_b=(ARM, 0.0))
    shafts = {"input": builder.shaft(shaft), "output": builder.shaft(output, torque=linear(1.0))}
    return Assembly.of(builder, builder.pose(), shafts)


def test_errors_of_joints_reach_the_output():
    """A weld's angle turns the flange by itself, a hinge lifted by h turns the lever by -h/s."""
    machine = flange()
    path = solve_statics(machine.model, machine.pose, np.array([0.1, 1.0]))
    found = stations(machine, path)
    step = 1e-8
    by_angle = angle_derivatives(found, step, flange(angle=step).model, flange(angle=-step).model)
    assert by_angle == pytest.approx(1.0, rel=1e-6)
    by_height = angle_derivatives(found, step, flange(height=step).model)
    assert by_height == pytest.approx(-1 / ARM, rel=3e-2)
    again = [
        solve_statics(flange(height=h).model, machine.pose, path.time).position[:, 2, 2]
        for h in (1e-6, -1e-6)
    ]
    assert by_height == pytest.approx((again[0] - again[1]) / 2e-6, rel=1e-4)
