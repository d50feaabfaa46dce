"""Screened and unscreened models along a walk of poses: the same forces."""

import math

import numpy as np
import pytest

from flank.contact import Disc, Friction, PowerLaw, Surface, circle_on_curve
from flank.dynamics.assembly import assemble
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.model import initial_state, workspace
from flank.dynamics.tables import GROUND
from flank.geometry.curve import equal_arc_length_points, reach
from flank.geometry.polyline import Polyline
from flank.geometry.spline import ClosedSpline


def ring(profile, shape, screened):
    """A disc inside all its pins, which are fixed to ground."""
    builder = ModelBuilder(profile.pin_circle_radius)
    disc = builder.body("disc", 1.0, 1e-3)
    curve = builder.curve(shape)
    surface = Surface(PowerLaw(2e9, 10 / 9), 5.0, Friction(0.05, 1e-3))
    known = reach(shape, profile.pin_radius)
    for k in range(profile.pins):
        angle = 2 * math.pi * k / profile.pins
        x, y = (profile.pin_circle_radius * f(angle) for f in (math.cos, math.sin))
        pin = Disc(GROUND, x, y, profile.pin_radius)
        builder.contact(circle_on_curve(disc, curve, shape, pin, surface, known))
    return builder.build(screened)


def walk(profile, rng, count, jump):
    """The disc rolls in its ring with wobble: a crank that turns by up to `jump` a step."""
    crank = np.cumsum(rng.uniform(-0.2, 1.0, count) * jump)
    position = np.zeros((count, 2, 3))
    position[:, 1, 0] = profile.eccentricity * np.cos(crank)
    position[:, 1, 1] = profile.eccentricity * np.sin(crank)
    position[:, 1, 2] = -crank / profile.lobes
    position[:, 1] += rng.normal(0, 1, (count, 3)) * [8e-6, 8e-6, 3e-4]
    return position


def forces(model, poses, velocities):
    state, work = initial_state(model, poses[0]), workspace(model)
    results, contact_results = [], []
    for position, velocity in zip(poses, velocities, strict=True):
        assemble(model, state, position, velocity, 0.0, work, 1.0, 1.0, 1.0)
        results.append(np.concatenate((work.force.ravel(), work.core.ravel())))
        contact_results.append(state.contact_results.copy())
    return np.array(results), np.array(contact_results)


def shapes(profile):
    points = equal_arc_length_points(profile, 60 * profile.lobes)
    return {"cycloid": profile, "spline": ClosedSpline(points), "polyline": Polyline(points)}


@pytest.mark.parametrize("jump", [0.01, 0.5])
@pytest.mark.parametrize("kind", ["cycloid", "spline", "polyline"])
@pytest.mark.parametrize("name", ["A", "H"])
def test_forces_and_tangents_are_the_same(profiles, name, kind, jump):
    """Exactly on a polyline. On smooth curves a search that starts elsewhere ends within 1e-8 m of
    the same foot point, and the forces differ by what that leaves: 6e-11 of the largest, 1e-6 in
    the tangent, which knows the curvature there."""
    profile = profiles[name]
    shape = shapes(profile)[kind]
    rng = np.random.default_rng(6)
    poses = walk(profile, rng, 300, jump)
    velocities = rng.normal(0, 1, poses.shape) * [0.01, 0.01, 0.1]
    velocities[:, 0] = 0.0
    screened, seen = forces(ring(profile, shape, True), poses, velocities)
    plain, all_seen = forces(ring(profile, shape, False), poses, velocities)
    closed = all_seen["normal_force"] > 0
    assert 0.05 < closed.mean() < 0.95
    np.testing.assert_array_equal(seen["normal_force"] > 0, closed)
    if kind == "polyline":
        np.testing.assert_array_equal(screened, plain)
    else:
        error = np.abs(screened - plain).max(axis=0)
        size = np.abs(plain).max(axis=0)
        assert np.all(error[:6] < 1e-9 * size[:6])
        assert np.all(error[6:] < 1e-5 * size[6:])
        np.testing.assert_allclose(
            seen["normal_force"], all_seen["normal_force"], rtol=1e-9, atol=1e-6
        )
    assert np.all(seen["gap"][~closed] <= all_seen["gap"][~closed] + 1e-16)
    assert np.all(seen["gap"][~closed] >= 0)


def test_screening_does_skip(profiles):
    """Otherwise the test above would prove nothing: some open gaps are reported as bounds."""
    profile = profiles["H"]
    rng = np.random.default_rng(6)
    poses = walk(profile, rng, 50, 0.01)
    velocities = np.zeros_like(poses)
    _, seen = forces(ring(profile, profile, True), poses, velocities)
    _, all_seen = forces(ring(profile, profile, False), poses, velocities)
    assert np.mean(seen["gap"] < all_seen["gap"] - 1e-9) > 0.02
