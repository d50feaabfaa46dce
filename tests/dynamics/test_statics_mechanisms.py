"""Static equilibria of levers, springs and joints against closed forms."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from flank.contact import Disc, PowerLaw, Surface, circle_in_hole
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant, linear, rise, table
from flank.dynamics.plane import FORCE_FLOOR
from flank.dynamics.run import DynamicSettings, solve_dynamics, solve_statics

NOW = np.array([0.0])


def lever(load=800.0, stiffness=2e4):
    """Pivoted at the origin, a spring to ground at x = -0.2, a weight at x = 0.3."""
    b = ModelBuilder(0.3)
    bar = b.body("lever", 1.0, 0.1)
    b.revolute(0, bar)
    b.bushing(0, bar, stiffness, at_a=(-0.2, 0.0), at_b=(-0.2, 0.0))
    b.force(bar, (0.0, -1.0), constant(load), at=(0.3, 0.0))
    return b


def test_pivoted_lever():
    """Spring moment k a² sin θ (u = 2 a sin(θ/2) at both ends' half angle) = -W b cos θ."""
    b = lever()
    run = solve_statics(b.build(), b.pose(), NOW)
    assert run.complete
    angle = brentq(
        lambda t: 2e4 * 0.04 * np.sin(t) + 800.0 * 0.3 * np.cos(t), -1.0, 0.0, xtol=1e-15
    )
    assert run.position[0, 1, 2] == pytest.approx(angle, abs=1e-11)
    assert run.position[0, 1, :2] == pytest.approx(0.0, abs=1e-12)
    assert run.counters["newton_iterations"] <= 25


@given(st.lists(st.floats(10, 1e5), min_size=1, max_size=6), st.floats(1e-2, 50))
@settings(max_examples=30, deadline=None)
def test_torsion_springs_in_series(stiffnesses, torque):
    """θ_n = T Σ 1/k, as exactly as the tolerance says: FORCE_FLOOR and 1e-9 T left on each body."""
    b = ModelBuilder(0.1)
    last = 0
    for k in stiffnesses:
        body = b.body("rotor", 1.0, 1e-3)
        b.revolute(0, body)
        b.torsion_spring(last, body, k)
        last = body
    b.torque(last, constant(torque))
    run = solve_statics(b.build(), b.pose(), NOW)
    assert run.complete
    compliance = np.cumsum(1 / np.array(stiffnesses))
    left = len(stiffnesses) * (FORCE_FLOOR * 0.1 + 1e-9 * torque)
    assert np.all(np.abs(run.position[0, 1:, 2] - torque * compliance) <= 1.01 * left * compliance)


def test_dead_band_is_crossed_before_the_spring_holds():
    """φ = ±(band/2 + T/k): lost motion and stiffness of a clearance coupling."""
    b = ModelBuilder(0.05)
    rotor = b.body("rotor", 1.0, 1e-3)
    b.revolute(0, rotor)
    b.torsion_spring(0, rotor, 500.0, dead_band=0.02)
    b.torque(rotor, table([(0.0, 5.0), (1.0, -5.0)]))
    times = np.array([0.0, 0.2, 0.45, 0.55, 0.8, 1.0])
    run = solve_statics(b.build(), b.pose(), times)
    assert run.complete
    torque = 5.0 - 10.0 * times
    expected = np.sign(torque) * 0.01 + torque / 500.0
    assert run.position[:, 1, 2] == pytest.approx(expected, abs=1e-8)


def test_rotation_and_gear_carry_a_torque_to_the_motor():
    """Held motor, ratio 12, compliant output: θ_out = θ_in/12 + T/k at every input angle."""
    b = ModelBuilder(0.1)
    motor, carrier, output = (b.body(name, 1.0, 1e-3) for name in ("motor", "carrier", "output"))
    for body in (motor, carrier, output):
        b.revolute(0, body)
    b.rotation(0, motor, linear(3.0))
    b.gear(motor, carrier, 12.0)
    b.torsion_spring(carrier, output, 4e3)
    b.torque(output, constant(-20.0))
    times = np.linspace(0.0, 200.0, 9)
    run = solve_statics(b.build(), b.pose(), times)
    assert run.complete
    assert run.position[:, 1, 2] == pytest.approx(3.0 * times, abs=1e-12)
    assert run.position[:, 3, 2] == pytest.approx(3.0 * times / 12 - 0.005, abs=1e-11)


@pytest.mark.parametrize("turns", [1e2, 1e4, 1e6])
def test_many_turns_later(turns):
    """The same at angles whose last digit is far above the tolerance of a joint."""
    start = 2 * np.pi * turns
    b = ModelBuilder(0.05)
    fast = b.body("fast", 1.0, 1e-3, (0.0, 0.0, start))
    slow = b.body("slow", 1.0, 1e-3, (0.0, 0.0, start / 40.7))
    for body in (fast, slow):
        b.revolute(0, body)
    b.gear(fast, slow, 40.7)
    b.rotation(0, fast, linear(0.37, start))
    b.torque(slow, constant(3.0))
    run = solve_statics(b.build(), b.pose(), np.linspace(0.0, 10.0, 11))
    assert run.complete
    error = run.position[:, 1, 2] - 40.7 * run.position[:, 2, 2]
    assert np.max(np.abs(error)) < 2e-15 * start + 1e-13


def test_open_joints_are_closed_first():
    """A four-bar drawn 5 mm and 0.1 rad off closes and then carries its load."""
    b = ModelBuilder(0.3)
    crank = b.body("crank", 1.0, 0.01, (0.0, 0.105, np.pi / 2 + 0.1))
    coupler = b.body("coupler", 1.0, 0.01, (0.205, 0.2, 0.05))
    rocker = b.body("rocker", 1.0, 0.01, (0.4, 0.095, np.pi / 2 - 0.1))
    b.revolute(0, crank, at_b=(-0.1, 0.0))
    b.revolute(crank, coupler, (0.1, 0.0), (-0.2, 0.0))
    b.revolute(coupler, rocker, (0.2, 0.0), (0.1, 0.0))
    b.revolute(rocker, 0, (-0.1, 0.0), (0.4, 0.0))
    b.torsion_spring(0, crank, 1e3, angle=np.pi / 2)
    b.torque(rocker, constant(10.0))
    run = solve_statics(b.build(), b.pose(), NOW)
    assert run.complete
    # a parallelogram: both cranks turn alike, so the torque reaches the spring whole
    assert run.position[0, 1, 2] == pytest.approx(np.pi / 2 + 0.01, abs=1e-10)
    assert run.position[0, 3, 2] == pytest.approx(np.pi / 2 + 0.01, abs=1e-10)
    assert run.position[0, 2, 2] == pytest.approx(0.0, abs=1e-10)


@pytest.mark.parametrize("lean", [1e-3, -0.2, 2.0])
def test_unstable_start_falls_to_the_stable_side(lean):
    """A pendulum standing almost upright ends hanging, not back on its tip."""
    b = ModelBuilder(0.4)
    angle = np.pi + lean
    body = b.body("bob", 2.0, 0.1, (0.4 * np.sin(angle), -0.4 * np.cos(angle), angle))
    b.revolute(0, body, at_b=(0.0, 0.4))
    b.force(body, (0.0, -1.0), constant(20.0))
    run = solve_statics(b.build(), b.pose(), NOW)
    assert run.complete
    assert run.position[0, 1, :2] == pytest.approx([0.0, -0.4], abs=1e-7)


def test_unloading_retraces_loading():
    """No friction, no memory: the way down is the way up, through clearance and two contacts."""
    b = ModelBuilder(0.02)
    arm = b.body("arm", 1.0, 1e-3)
    b.bushing(0, arm, 1e5)
    b.torsion_spring(0, arm, 400.0, dead_band=0.01)
    for x in (0.03, -0.03):
        hole, pin = Disc(0, x, 0.0, 0.0055), Disc(arm, x, 0.0, 0.005)
        b.contact(circle_in_hole(hole, pin, Surface(PowerLaw(3e9, 10 / 9))))
    b.torque(arm, table([(0.0, 1.0), (1.0, 60.0), (2.0, 1.0)]))
    b.force(arm, (1.0, 0.0), table([(0.0, 1.0), (1.0, 900.0), (2.0, 1.0)]))
    times = np.linspace(0.0, 2.0, 41)
    run = solve_statics(b.build(), b.pose(), times)
    assert run.complete
    assert run.counters["contact_switches"] >= 2
    assert run.position[::-1] == pytest.approx(run.position, abs=1e-9)
    assert run.counters["newton_iterations"] <= 8 * len(times)


def test_static_is_the_end_of_a_slow_damped_motion():
    """A load that rises slowly on a damped body ends in the static equilibrium."""
    b = ModelBuilder(0.02)
    arm = b.body("arm", 0.5, 1e-4)
    b.bushing(0, arm, 2e5, 300.0)
    b.torsion_spring(0, arm, 50.0, 0.2)
    surface = Surface(PowerLaw(3e9, 10 / 9), 0.5)
    b.contact(circle_in_hole(Disc(0, 0.03, 0, 0.0052), Disc(arm, 0.03, 0, 0.005), surface))
    b.torque(arm, rise(8.0, 0.02))
    b.force(arm, (0.8, 0.6), rise(200.0, 0.02))
    model = b.build()
    settings_ = DynamicSettings(2e-5)
    slow = solve_dynamics(model, b.pose(), 0.15, settings_, stride=100)
    static = solve_statics(model, b.pose(), np.array([0.15]))
    assert slow.complete
    assert static.complete
    assert static.contact_results["normal_force"][0, 0] > 100.0
    moved = np.max(np.abs(static.position[0, 1]))
    assert slow.position[-1] == pytest.approx(static.position[0], abs=1e-7 * moved)


def test_guesses_move_the_start_of_each_equilibrium():
    """A guess that follows the drive exactly leaves Newton nothing to do but check."""
    b = ModelBuilder(0.1)
    rotor, follower = b.body("rotor", 1.0, 1e-3), b.body("follower", 1.0, 1e-3)
    for body in (rotor, follower):
        b.revolute(0, body)
    b.rotation(0, rotor, linear(2.0))
    b.torsion_spring(rotor, follower, 1e3)
    b.torque(follower, constant(4.0))
    times = np.linspace(0.0, 5.0, 21)
    plain = solve_statics(b.build(), b.pose(), times)
    guesses = np.repeat(b.pose()[None], len(times), axis=0)
    guesses[:, 1:, 2] += 2.0 * times[:, None]
    guided = solve_statics(b.build(), b.pose(), times, guesses)
    left = 1e-7 * 0.1 / 1e3  # by the least force that counts, at the length scale
    assert guided.position == pytest.approx(plain.position, abs=2 * left)
    assert guided.counters["newton_iterations"] < plain.counters["newton_iterations"]
    assert guided.position[:, 2, 2] == pytest.approx(2.0 * times + 0.004, abs=1e-10)
