"""Impacts: no energy is made, and Hunt-Crossley restores what its closed form says."""

import itertools

import numpy as np
import pytest
from scipy.optimize import brentq

from flank.contact import Disc, PowerLaw, Surface, circle_in_hole, circle_pair
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant

MASS, RADIUS = 0.05, 0.01
STIFFNESS, EXPONENT = 2e9, 1.5


def restitution(damping, speed):
    """v_out/v_in of f = F(δ)(1 + d δ̇), for any elastic F.

    m v dv/dδ = -F (1 + d v) separates: G(v) = d v - ln(1 + d v) is the same at v_in and -v_out
    (Hunt & Crossley 1975; Gonthier et al. 2004).
    """

    def stored(v):
        return damping * v - np.log1p(damping * v)

    lowest = min(1 / damping, speed) * (1 - 1e-12)
    return brentq(lambda v: stored(-v) - stored(speed), 1e-9 * speed, lowest, xtol=1e-15) / speed


def ball_in_hole(damping, exponent=EXPONENT, stiffness=STIFFNESS):
    """A ball free in a round hole of ground, clearance 2 mm all round."""
    b = ModelBuilder(RADIUS)
    ball = b.body("ball", MASS, 0.4 * MASS * RADIUS**2)
    surface = Surface(PowerLaw(stiffness, exponent), damping)
    b.contact(circle_in_hole(Disc(0, 0, 0, 0.012), Disc(ball, 0, 0, RADIUS), surface))
    return b


def thrown(direction, speed):
    velocity = np.zeros((2, 3))
    velocity[1, :2] = speed * np.cos(direction), speed * np.sin(direction)
    return velocity


@pytest.mark.parametrize("damping", [0.05, 0.3, 1.0])
@pytest.mark.parametrize(("stiffness", "exponent"), [(1e7, 1.0), (2e9, 1.5)])
def test_restitution(march, damping, stiffness, exponent):
    """One impact along a diameter: the speed returns in Hunt-Crossley's share."""
    b = ball_in_hole(damping, exponent, stiffness)
    run = march(b.build(), b.pose(), 3e-3, 3000, thrown(0.7, 1.5))
    speed = run.velocity[:, 1, :2] @ [np.cos(0.7), np.sin(0.7)]
    assert np.max(run.force) > 100.0
    assert run.force[-1, 0] == 0
    assert -speed[-1] / 1.5 == pytest.approx(restitution(damping, 1.5), rel=2e-4)
    assert run.position[-1, 1, 2] == 0.0


def flights(force):
    """First and last index of every stretch without contact."""
    free = np.concatenate([[False], force <= 0, [False]]).astype(int)
    edges = np.flatnonzero(np.diff(free))
    return list(zip(edges[::2], edges[1::2] - 1, strict=True))


@pytest.mark.parametrize("rho", [0.0, 0.8, 1.0])
@pytest.mark.parametrize("damping", [0.2, 0.8])
def test_energy_falls_from_rebound_to_rebound_in_a_hole(march, rho, damping):
    """Off-centre throws rattle round the hole: constant energy in flight, less after each hit."""
    b = ball_in_hole(damping)
    pose = b.pose()
    pose[1, :2] = 0.4e-3, -0.7e-3
    model = b.build()
    run = march(model, pose, 20e-3, 6000, thrown(0.3, 1.0), rho=rho)
    assert set(run.statuses) == {0}
    energy = run.energy(model)
    stretches = flights(run.force[:, 0])
    assert len(stretches) >= 5
    for first, last in stretches:
        # the integrator's own acceleration takes some steps to forget the contact's end
        settled = energy[min(first + 40, last) : last + 1]
        assert settled == pytest.approx(settled[-1], rel=1e-7)
    levels = np.array([energy[last] for _, last in stretches])
    assert np.all(np.diff(levels) < 0)
    assert np.max(energy) <= energy[0] * (1 + 1e-9)


def test_ball_on_a_fixed_circle_under_gravity(march):
    """Dropped on a circle from above, rebound heights follow v² -> (e v)²; energy never rises.

    The closed form leaves out the weight during contact, here 1/200 of the contact force.
    """
    b = ModelBuilder(RADIUS)
    ball = b.body("ball", MASS, 0.4 * MASS * RADIUS**2, (0.0, 0.025, 0.0))
    surface = Surface(PowerLaw(0.1 * STIFFNESS, EXPONENT), 0.4)
    b.contact(circle_pair(Disc(0, 0, 0, RADIUS), Disc(ball, 0, 0, RADIUS), surface))
    b.force(ball, (0.0, -1.0), constant(MASS * 9.81))
    model = b.build()
    run = march(model, b.pose(), 0.12, 24000)
    energy = run.energy(model)
    floor = MASS * 9.81 * 2 * RADIUS
    levels = [energy[last] - floor for _, last in flights(run.force[:, 0])]
    assert len(levels) >= 3
    for level, after in itertools.pairwise(levels[:3]):
        speed = np.sqrt(2 * level / MASS)
        assert after / level == pytest.approx(restitution(0.4, speed) ** 2, rel=5e-3)
    assert np.max(np.diff(levels)) < 0
    assert np.abs(run.position[:, 1, 0]).max() == 0.0


def test_elastic_impact_keeps_energy_as_the_step_is_refined(march):
    """Without damping and with ρ = 1 the loss in one impact falls with the square of the step."""
    losses = []
    for steps in (1000, 2000, 4000):
        b = ball_in_hole(0.0)
        model = b.build()
        run = march(model, b.pose(), 3e-3, steps, thrown(0.0, 1.5), rho=1.0)
        energy = run.energy(model)
        losses.append(abs(energy[-1] / energy[0] - 1))
    assert losses[-1] < 1e-5
    assert losses[0] / losses[-1] > 6
