"""Stiffness over time and over an angle: exact tangents, kept energy, Mathieu's equation."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flank.dynamics.assembly import assemble
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.energy import kinetic_energy, stored_energy
from flank.dynamics.functions import constant, harmonic, linear, over_angle, over_time, rise, table
from flank.dynamics.model import initial_state, workspace
from flank.dynamics.reading import Forces
from flank.dynamics.run import DynamicSettings, solve_dynamics, solve_statics
from flank.dynamics.tables import GROUND

poses = st.lists(st.floats(-0.05, 0.05), min_size=6, max_size=6)
WAVE = harmonic(200.0, 3.0 / (2 * math.pi), middle=500.0)  # three times a turn


def bushing(b, p, q, stiffness):
    b.bushing(p, q, stiffness, 4.0, (0.3, -0.1), (-0.2, 0.4))


def guide(b, p, q, stiffness):
    b.guide(p, q, stiffness, 4.0, (0.3, -0.1), 0.7)


def torsion(b, p, q, stiffness):
    b.torsion_spring(p, q, stiffness, 4.0, angle=0.1, dead_band=0.05)


def mesh(b, p, q, stiffness):
    b.mesh(p, q, stiffness, (0.4, 0.5), 1.1, flank=1)  # which also pulls: no kink


def pair(add, follower):
    b = ModelBuilder(0.7)
    p, q = b.body("a", 1.0, 1.0), b.body("b", 1.0, 1.0, (1.1, 0.0, 0.0))
    add(b, p, q, over_angle(WAVE, (p, q)[follower]))
    return b


def moved(b, values):
    return b.pose() + np.vstack([np.zeros(3), np.reshape(values, (2, 3))])


@pytest.mark.parametrize("follower", [0, 1])
@pytest.mark.parametrize("add", [bushing, torsion, mesh])
@given(position=poses)
@settings(max_examples=25, deadline=None)
def test_the_tangent_is_the_derivative_of_the_force(tangents_of, add, follower, position):
    b = pair(add, follower)
    k, _, _, numerical, _ = tangents_of(b.build(), moved(b, position), np.zeros((3, 3)))
    assert k == pytest.approx(numerical, abs=2e-5)


def assembled(model, pose):
    """Energy and forces at rest."""
    state, work = initial_state(model, pose), workspace(model)
    energy, _ = assemble(model, state, pose, np.zeros_like(pose), 0.0, work, 0.0, 1.0, 1.0)
    return energy, work.force


@pytest.mark.parametrize("follower", [0, 1])
@pytest.mark.parametrize("add", [bushing, guide, torsion, mesh])
@given(position=poses)
@settings(max_examples=15, deadline=None)
def test_the_force_is_the_gradient_of_the_energy(add, follower, position):
    b = pair(add, follower)
    model, pose = b.build(), moved(b, position)
    _, force = assembled(model, pose)
    for body in (1, 2):
        for i in range(3):
            step = np.zeros_like(pose)
            step[body, i] = 1e-6
            difference = assembled(model, pose + step)[0] - assembled(model, pose - step)[0]
            assert -force[body, i] == pytest.approx(difference / 2e-6, abs=2e-4)


def test_energy_is_kept_where_a_stiffness_follows_an_angle():
    """A turning rotor on springs that are stiffer three times a turn: parametric, not driven."""
    b = ModelBuilder(0.1)
    rotor = b.body("rotor", 2.0, 0.01, (0.01, 0.0, 0.0))
    b.bushing(GROUND, rotor, over_angle(harmonic(4e3, 3 / (2 * math.pi), middle=1e4), rotor))
    model = b.build()
    spinning = np.zeros((2, 3))
    spinning[rotor, 2] = 20.0
    settings = DynamicSettings(step=1e-4, spectral_radius=1.0)
    run = solve_dynamics(model, b.pose(), 0.5, settings, velocity=spinning)
    assert run.complete
    total = kinetic_energy(model, run.velocity) + stored_energy(model, run)
    assert total == pytest.approx(np.full(len(total), total[0]), rel=2e-4)
    assert np.ptp(run.velocity[:, rotor, 2]) > 0.5  # the torque -k' W speeds it up and slows it


def test_a_stiffness_over_time_is_that_of_mathieu():
    """Twice the natural frequency and 20 % of swing: the known growth rate ε ω/4, ε = 0.2."""
    b = ModelBuilder(1.0)
    wheel = b.body("wheel", 1.0, 1.0)
    b.revolute(GROUND, wheel)
    omega, swing = 2 * math.pi, 0.2
    k = harmonic(swing * omega**2, 2 * omega / (2 * math.pi), middle=omega**2)
    b.torsion_spring(GROUND, wheel, over_time(k))
    start = b.pose()
    start[wheel, 2] = 1e-3
    run = solve_dynamics(b.build(), start, 20.0, DynamicSettings(step=2e-3, spectral_radius=1.0))
    size = np.abs(run.position[:, wheel, 2])
    early, late = (size[(run.time > a) & (run.time <= a + 1)].max() for a in (9.0, 19.0))
    assert np.log(late / early) / 10.0 == pytest.approx(swing * omega / 4, rel=0.02)


def test_a_table_with_a_period_comes_again():
    """In statics the angle is the force over the stiffness of the moment."""
    b = ModelBuilder(1.0)
    wheel = b.body("wheel", 1.0, 1.0)
    b.revolute(GROUND, wheel)
    steps = table([(0.0, 100.0), (0.5, 200.0), (1.0, 400.0)], period=2.0)
    b.torsion_spring(GROUND, wheel, over_time(steps), name="spring")
    b.torque(wheel, constant(10.0))
    times = np.array([0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 2.25, 6.5])
    run = solve_statics(b.build(), b.pose(), times)
    expected = np.array([100, 150, 200, 400, 250, 100, 150, 200])
    assert 10.0 / run.position[:, wheel, 2] == pytest.approx(expected, rel=1e-7)
    assert Forces(b, run).spring("spring")[:, 2] == pytest.approx(-10.0, rel=1e-7)


@pytest.mark.parametrize(
    ("stiffness", "sentence"),
    [
        (over_time(linear(1.0)), "varies from -inf to inf"),
        (over_time(harmonic(2.0, 1.0, middle=1.0)), "varies from -1 to 3"),
        (over_time(rise(-1.0, 1.0, start=2.0)), "varies from -1 to 2"),
        (over_angle(constant(1.0), 3), "one of the two bodies"),
        (over_angle(constant(1.0), GROUND), "one of the two bodies"),
    ],
)
def test_what_cannot_be_a_stiffness(stiffness, sentence):
    b = ModelBuilder(1.0)
    bodies = [b.body(name, 1.0, 1.0) for name in "abc"]
    with pytest.raises(ValueError, match=sentence):
        b.torsion_spring(bodies[0], GROUND, stiffness)


def test_points_of_a_table_lie_in_one_period():
    with pytest.raises(ValueError, match="must lie in one period"):
        table([(0.0, 1.0), (2.0, 1.0)], period=2.0)


def test_a_mesh_with_a_table_does_not_vary_twice():
    b = ModelBuilder(1.0)
    a, c = b.body("a", 1.0, 1.0), b.body("c", 1.0, 1.0)
    with pytest.raises(ValueError, match="varies by it"):
        b.mesh(a, c, over_time(constant(1.0)), (0.4, 0.5), 1.1, pair=0)
