"""Forces read from a run by name are those that hold the balance."""

import numpy as np
import pytest

from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant, harmonic, over_angle
from flank.dynamics.reading import Forces
from flank.dynamics.run import DynamicSettings, solve_dynamics, solve_statics
from flank.dynamics.tables import GROUND

SETTINGS = DynamicSettings(step=1e-4)


def test_a_damper_alone():
    """m v̇ = -d v: the force that is read is the mass times the deceleration."""
    b = ModelBuilder(0.1)
    mass = b.body("mass", 2.0, 0.01)
    b.bushing(GROUND, mass, 0.0, damping=30.0, name="damper")
    moving = np.zeros((2, 3))
    moving[mass, 0] = 1.5
    run = solve_dynamics(b.build(), b.pose(), 0.1, SETTINGS, velocity=moving)
    force = Forces(b, run).spring("damper")
    assert run.velocity[:, mass, 0] == pytest.approx(1.5 * np.exp(-15.0 * run.time), rel=1e-5)
    assert force[:, 0] == pytest.approx(-30.0 * run.velocity[:, mass, 0])
    assert force[:, 1:] == pytest.approx(0.0, abs=1e-12)


def gears():
    """A driven gear, and one that carries a torque, on a joint each."""
    b = ModelBuilder(0.05)
    a = b.body("pinion", 0.5, 2e-4)
    c = b.body("wheel", 1.0, 1e-3, (0.11, 0.0, 0.0))
    b.fixed(GROUND, a, name="clamp")
    b.revolute(GROUND, c, (0.11, 0.0), name="bearing")
    swing = harmonic(2e7, 20 / (2 * np.pi), middle=1e8)
    b.mesh(a, c, over_angle(swing, c), (0.04, 0.06), 0.11, name="teeth")
    b.torque(c, constant(12.0))
    return b


def test_teeth_and_bearings_hold_a_torque():
    b = gears()
    run = solve_statics(b.build(), b.pose(), np.zeros(1))
    assert run.complete
    carried = Forces(b, run)
    push = carried.mesh("teeth")[0]
    assert np.abs(push).max() == pytest.approx(12.0 / 0.06, rel=1e-3)  # and a little by k'
    assert np.abs(push).min() == 0.0
    on_wheel = carried.spring("teeth")[0] + carried.joint("bearing")[0]
    assert on_wheel == pytest.approx([0.0, 0.0, -12.0], abs=1e-6)
    on_pinion = carried.joint("clamp")[0]
    assert on_pinion[:2] == pytest.approx(carried.spring("teeth")[0][:2], rel=1e-6)


def test_names_that_are_not_there_or_twice():
    b = gears()
    run = solve_statics(b.build(), b.pose(), np.zeros(1))
    carried = Forces(b, run)
    with pytest.raises(ValueError, match="nothing is named 'tooth'; did you mean 'teeth'"):
        carried.spring("tooth")
    with pytest.raises(ValueError, match="'bearing' is named already"):
        b.revolute(GROUND, 1, name="bearing")
    b.torsion_spring(GROUND, 1, 1.0, name="spring")
    with pytest.raises(ValueError, match="a spring without teeth"):
        Forces(b, run).mesh("spring")
