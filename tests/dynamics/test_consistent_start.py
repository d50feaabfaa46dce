"""The start agrees with the joints: projected velocities, closed-form accelerations, reactions."""

import numpy as np
import pytest
from consistent_start import start_consistently
from hypothesis import given, settings
from hypothesis import strategies as st

from flank.contact import Disc, PowerLaw, Surface, circle_in_hole
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant, linear, run_up
from flank.dynamics.model import initial_state, workspace
from flank.dynamics.status import Status

GRAVITY = 9.81
MASS, INERTIA, LENGTH = 1.2, 0.07, 0.8
speeds = st.floats(-20, 20)


def pendulum(angle):
    b = ModelBuilder(LENGTH)
    x, y = LENGTH * np.sin(angle), -LENGTH * np.cos(angle)
    body = b.body("bob", MASS, INERTIA, (x, y, angle))
    b.revolute(0, body, at_b=(0.0, LENGTH))
    b.force(body, (0.0, -1.0), constant(MASS * GRAVITY))
    return b


def started(b, velocity):
    model = b.build()
    state = initial_state(model, b.pose())
    state.velocity[1:] = velocity
    status = start_consistently(model, state, 0.0, workspace(model))
    return state, Status(status)


@given(angle=st.floats(-3, 3), rate=speeds)
@settings(max_examples=40, deadline=None)
def test_accelerations_and_tension_of_a_spun_up_pendulum(angle, rate):
    """θ̈ = -m g l sin θ/(J + m l²); a = l θ̈ e_t - l θ̇² e_r; along the rod T = m (g cos θ + l θ̇²)."""
    along = np.array([np.cos(angle), np.sin(angle)])
    radial = np.array([np.sin(angle), -np.cos(angle)])
    state, status = started(pendulum(angle), [[*(LENGTH * rate * along), rate]])
    assert status is Status.OK
    spin = -MASS * GRAVITY * LENGTH * np.sin(angle) / (INERTIA + MASS * LENGTH**2)
    assert state.velocity[1] == pytest.approx([*(LENGTH * rate * along), rate], abs=1e-11)
    assert state.acceleration[1, 2] == pytest.approx(spin, abs=1e-10)
    expected = LENGTH * (spin * along - rate**2 * radial)
    assert state.acceleration[1, :2] == pytest.approx(expected, abs=1e-9)
    tension = state.multipliers[:2] @ radial  # the pivot pulls with -λ, against the radial
    assert tension == pytest.approx(MASS * (GRAVITY * np.cos(angle) + LENGTH * rate**2), abs=1e-8)
    assert np.array_equal(state.auxiliary, state.acceleration)


@given(angle=st.floats(-3, 3), vx=speeds, vy=speeds, rate=speeds)
@settings(max_examples=40, deadline=None)
def test_projection_is_the_impulse_of_the_pivot(angle, vx, vy, rate):
    """The least change weighed by mass is an impulse at the pivot: it keeps the moment about it.

    (J + m l²) ω = J ω₀ + r x m v₀.
    """
    state, _ = started(pendulum(angle), [[vx, vy, rate]])
    r = LENGTH * np.array([np.sin(angle), -np.cos(angle)])
    momentum = INERTIA * rate + MASS * (r[0] * vy - r[1] * vx)
    omega = momentum / (INERTIA + MASS * LENGTH**2)
    assert state.velocity[1] == pytest.approx([-omega * r[1], omega * r[0], omega], abs=1e-10)


@given(first=st.floats(-5, 5), second=st.floats(-5, 5), ratio=st.floats(0.2, 9))
@settings(max_examples=30, deadline=None)
def test_gear_settles_the_speeds(first, second, ratio):
    """Two rotors thrown into mesh: ω_b = (J_b ω_b0 + ratio J_a ω_a0)/(J_b + ratio² J_a)."""
    b = ModelBuilder(1.0)
    x, y = b.body("a", 1.0, 0.3), b.body("b", 1.0, 0.8)
    b.gear(x, y, ratio)
    state, _ = started(b, [[0, 0, first], [0, 0, second]])
    expected = (0.8 * second + ratio * 0.3 * first) / (0.8 + ratio**2 * 0.3)
    assert state.velocity[2, 2] == pytest.approx(expected, abs=1e-12)
    assert state.velocity[1, 2] == pytest.approx(ratio * expected, abs=1e-11)


def test_drives_set_speed_and_acceleration():
    """A linear drive starts at its speed; a run-up starts at rest, without acceleration."""
    b = ModelBuilder(1.0)
    steady, ramped = b.body("steady", 1.0, 0.2), b.body("ramped", 1.0, 0.2)
    b.rotation(0, steady, linear(7.0))
    b.rotation(ramped, 0, run_up(7.0, 1.0))
    state, _ = started(b, [[0, 0, 0], [0, 0, 3.0]])
    assert state.velocity[1:, 2] == pytest.approx([7.0, 0.0], abs=1e-13)
    assert state.acceleration[1:, 2] == pytest.approx([0.0, 0.0], abs=1e-13)


def test_contact_already_closed_is_in_the_start():
    """m a = f at once, and the contact counts as closed, not as switched by the first step."""
    b = ModelBuilder(0.01)
    ball = b.body("ball", 0.5, 1e-5, (1.1e-3, 0.0, 0.0))
    surface = Surface(PowerLaw(1e6, 1.0))
    b.contact(circle_in_hole(Disc(0, 0, 0, 11e-3), Disc(ball, 0, 0, 10e-3), surface))
    state, _ = started(b, [[0, 0, 0]])
    assert state.acceleration[1] == pytest.approx([-1e6 * 1e-4 / 0.5, 0.0, 0.0], rel=1e-12)
    assert state.accepted_force[0] == pytest.approx(100.0, rel=1e-12)


def test_body_held_twice_is_refused():
    b = ModelBuilder(1.0)
    body = b.body("plate", 1.0, 1.0)
    b.fixed(0, body)
    b.revolute(0, body)
    _, status = started(b, [[0, 0, 0]])
    assert status is Status.SINGULAR
    assert "held twice" in status.sentence


def test_nonsense_is_refused_before_the_first_step():
    b = ModelBuilder(1.0)
    body = b.body("plate", 1.0, 1.0)
    b.torque(body, constant(float("nan")))
    _, status = started(b, [[0, 0, 0]])
    assert status is not Status.OK
