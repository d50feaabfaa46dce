"""Explicit Runge-Kutta: order four with and without joints, where generalized-alpha has two.

Where it is unstable it says so, and what it cannot do it refuses.
"""

import math
import warnings

import numpy as np
import pytest

import flank
from flank.engine import (
    GROUND,
    STEEL,
    Disc,
    DynamicSettings,
    ModelBuilder,
    PowerLaw,
    SpatialBuilder,
    SpatialPose,
    Status,
    Surface,
    add_shaft,
    circle_in_hole,
    constant,
    linear,
    rectangular_section,
    solve_dynamics,
    stable_step,
)
from flank.errors import SpecError


def oscillator(stiffness=1e4, damping=3.0):
    builder = ModelBuilder(1.0)
    body = builder.body("body", 1.0, 1.0)
    builder.bushing(GROUND, body, stiffness, damping)
    builder.torsion_spring(GROUND, body, stiffness, damping)
    return builder


def thrown(speed=1.0):
    velocity = np.zeros((2, 3))
    velocity[1, 0] = speed
    return velocity


def pendulum():
    """On a joint, far from small angles."""
    builder = ModelBuilder(0.6)
    pose = (0.6 * math.sin(2.2), -0.6 * math.cos(2.2), 2.2)
    bob = builder.body("bob", 1.5, 0.2, pose)
    builder.revolute(GROUND, bob, at_b=(0.0, 0.6))
    builder.force(bob, (0.0, -9.81), constant(1.5))
    return builder


def crank_and_bob():
    """A bob on the pin of a crank that turns as it is told."""
    builder = ModelBuilder(0.4)
    crank = builder.body("crank", 1.0, 0.1)
    bob = builder.body("bob", 0.8, 0.03, (0.25 + 0.4 * math.sin(0.7), -0.4 * math.cos(0.7), 0.7))
    builder.revolute(GROUND, crank)
    builder.revolute(crank, bob, (0.25, 0.0), (0.0, 0.4))
    builder.rotation(GROUND, crank, linear(7.0))
    builder.force(bob, (0.0, -9.81), constant(0.8))
    return builder


def ends(builder, method, counts, duration, velocity=None):
    """The last pose, velocity and multipliers in so many steps."""
    model, found = builder.build(), []
    for count in counts:
        settings = DynamicSettings(duration / count, method=method)
        run = solve_dynamics(model, builder.pose(), duration, settings, velocity)
        assert run.complete
        last = run.position[-1].ravel(), run.velocity[-1].ravel(), run.multipliers[-1].ravel()
        found.append(np.concatenate(last))
    return found


@pytest.mark.parametrize("made", [pendulum, crank_and_bob])
def test_order_four_with_joints_meets_order_two(made):
    """Positions, velocities and reactions: both come to one motion, each at its order."""
    builder = made()
    *explicit, exact = ends(builder, "runge-kutta", (200, 400, 3200), 1.0)
    implicit = ends(builder, "generalized-alpha", (1600, 3200), 1.0)
    for found, order in ((explicit, 4.0), (implicit, 2.0)):
        first, second = (np.abs(each - exact).max() for each in found)
        assert math.log2(first / second) == pytest.approx(order, abs=0.15)
    assert np.abs(explicit[-1] - exact).max() < 0.1 * np.abs(implicit[-1] - exact).max()


def test_joints_stay_closed():
    builder = crank_and_bob()
    settings = DynamicSettings(4e-3, method="runge-kutta")
    run = solve_dynamics(builder.build(), builder.pose(), 2.0, settings)
    angle, hung = run.position[:, 1, 2], run.position[:, 2, 2]
    pin = 0.25 * np.stack((np.cos(angle), np.sin(angle)), axis=1)
    on_bob = run.position[:, 2, :2] + 0.4 * np.stack((-np.sin(hung), np.cos(hung)), axis=1)
    assert np.abs(pin - on_bob).max() < 1e-11
    assert np.abs(angle - 7.0 * run.time).max() < 1e-11


def test_damped_oscillator_against_its_closed_form():
    decay, rate = 1.5, math.sqrt(1e4 - 1.5**2)
    exact = math.exp(-decay * 0.3) / rate * math.sin(rate * 0.3)
    (found,) = ends(oscillator(), "runge-kutta", (800,), 0.3, thrown())
    assert found[3] == pytest.approx(exact, abs=1e-9)


def test_a_circle_that_bounces_without_damping_keeps_its_speed():
    """An impact has no order; in steps short against it the speed comes back whole."""
    builder = ModelBuilder(0.01)
    ball = builder.body("ball", 0.05, 2e-6)
    hole, circle = Disc(GROUND, 0.0, 0.0, 0.0101), Disc(ball, 0.0, 0.0, 0.01)
    builder.contact(circle_in_hole(hole, circle, Surface(PowerLaw(1e7, 1.5))))
    settings = DynamicSettings(2e-6, method="runge-kutta")
    run = solve_dynamics(builder.build(), builder.pose(), 0.01, settings, thrown(0.5))
    assert run.counters["contact_switches"] >= 6
    free = run.contact_results["normal_force"][:, 0] == 0.0
    assert np.abs(run.velocity[free, ball, 0]) == pytest.approx(0.5, rel=1e-4)


def test_the_longest_stable_step():
    """2√2/ω without damping; of pure decay 2.785 over its rate."""
    builder = oscillator(damping=0.0)
    limit = stable_step(builder.build(), builder.pose())
    assert limit.rate == pytest.approx(100.0)
    assert limit.step == pytest.approx(2 * math.sqrt(2) / 100, rel=1e-3)
    damper = oscillator(stiffness=0.0, damping=50.0)
    assert stable_step(damper.build(), damper.pose()).step == pytest.approx(2.785 / 50, rel=1e-3)
    loose = ModelBuilder(1.0)
    loose.body("loose", 1.0, 1.0)
    assert stable_step(loose.build(), loose.pose()).step == math.inf


def test_a_step_that_is_too_long_is_warned_of_and_the_motion_grows():
    builder = oscillator(damping=0.0)
    model = builder.build()
    long, short = (DynamicSettings(step, method="runge-kutta") for step in (0.03, 0.028))
    with pytest.warns(RuntimeWarning, match="too long for the method 'runge-kutta': the fastest"):
        run = solve_dynamics(model, builder.pose(), 3.0, long, thrown())
    assert np.abs(run.position[-1]).max() > 1e3 * 0.01
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = solve_dynamics(model, builder.pose(), 3.0, short, thrown())
    assert np.abs(run.position).max() < 0.0101


def test_a_motion_without_bounds_ends_the_run():
    builder = oscillator(damping=0.0)
    settings = DynamicSettings(0.1, method="runge-kutta")
    with pytest.warns(RuntimeWarning, match="too long"):
        run = solve_dynamics(builder.build(), builder.pose(), 20.0, settings, thrown())
    assert run.status is Status.UNSTABLE
    assert "too long for an explicit method" in run.status.sentence
    assert np.isfinite(run.position).all()


def test_beams_have_their_mass_in_their_elements():
    """A cantilever on two elements that is let go under a force at its end."""
    builder = ModelBuilder(0.1)
    section = rectangular_section(STEEL, 2e-3, 10e-3)
    nodes = add_shaft(builder, "bar", (0.0, 0.0, 0.0), (0.1, 0.0, 0.0), 2, section)
    for row in nodes[0]:
        builder.fixed(GROUND, row, at_a=tuple(builder.pose()[row][:2]))
    builder.force(nodes[-1].position, (0.0, -1.0), constant(1.0))
    model = builder.build()
    step = 0.4 * stable_step(model, builder.pose()).step
    found = []
    for method, length in (("runge-kutta", step), ("generalized-alpha", step / 4)):
        settings = DynamicSettings(length, method=method, spectral_radius=1.0)
        run = solve_dynamics(model, builder.pose(), 400 * step, settings)
        assert run.complete
        found.append(run.position[-1, nodes[-1].position, 1])
    assert found[0] < -1e-6
    assert found[0] == pytest.approx(found[1], rel=0.02)


def test_what_it_cannot_do_is_refused():
    space = SpatialBuilder(0.1)
    space.body("body", 1.0, (1.0, 1.0, 1.0))
    start = SpatialPose(*space.pose(), np.zeros((2, 6)))
    for given, words in (
        ({"method": "runge-kutta"}, "the method 'runge-kutta' is for models in the plane"),
        ({"keeps_tangent": True}, "keeps_tangent is for models in the plane"),
    ):
        with pytest.raises(ValueError, match=words):
            solve_dynamics(space.build(), start, 1e-3, DynamicSettings(1e-4, **given))
    with pytest.raises(ValueError, match="no tangent to keep"):
        DynamicSettings(1e-4, method="runge-kutta", keeps_tangent=True)
    with pytest.raises(ValueError, match="there is no method 'euler'; choose one of gen"):
        DynamicSettings(1e-4, method="euler")


class TestMachines:
    """The stage of Jørgensen, Pedersen and Sørensen, who integrate so."""

    def test_meets_generalized_alpha(self):
        machine = flank.preset("planetary-paper")
        asked = {"duration": 0.05, "points": 50}
        explicit = flank.run(machine, "time-response", method="runge-kutta", step=2e-4, **asked)
        implicit = flank.run(machine, "time-response", step=2e-5, **asked)
        assert explicit.complete
        assert implicit.complete
        last = [result["angle"].values[-1] for result in (explicit, implicit)]
        assert last[0] == pytest.approx(last[1], rel=1e-5, abs=1e-9)

    def test_warns(self):
        asked = {"duration": 1e-2, "step": 1e-3, "points": 10, "method": "runge-kutta"}
        result = flank.run(flank.preset("planetary-500kw"), "time-response", **asked)
        assert any("too long for the method 'runge-kutta'" in text for text in result.warnings)

    def test_refuses(self):
        machine, asked = flank.preset("planetary-paper"), {"method": "runge-kutta"}
        with pytest.raises(SpecError, match="spectral_radius does nothing with the method 'runge"):
            flank.run(machine, "time-response", **asked, spectral_radius=0.5)
        with pytest.raises(SpecError, match="keeps_tangent does nothing with the method 'runge"):
            flank.run(machine, "time-response", **asked, keeps_tangent=True)
        for given in (asked, {"keeps_tangent": True}):
            with pytest.raises(SpecError, match="for machines in the plane, and this one is in"):
                flank.run(flank.preset("cv-joint"), "time-response", **given)
