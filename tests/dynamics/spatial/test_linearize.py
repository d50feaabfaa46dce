"""Spatial models linearised: closed forms of frequencies and compliances."""

import math

import numpy as np
import pytest
from scipy import linalg
from scipy.spatial.transform import Rotation
from spatial_models import moved, start

from flank.contact import PowerLaw
from flank.contact.spatial import SpatialSurface, Sphere, sphere_on_plane
from flank.dynamics.functions import constant
from flank.dynamics.linearize import linearize, mass_matrix, null_space, unit_turn
from flank.dynamics.run import solve_statics
from flank.dynamics.spatial.builder import SpatialBuilder

GRAVITY = 9.81
FRAME = Rotation.random(random_state=4).as_matrix()


def squares(model, at):
    """ω² of all motions that the joints allow."""
    basis = null_space(at.constraints)
    stiffness, mass = (
        basis.T @ matrix @ basis for matrix in (at.stiffness, mass_matrix(model, at.state))
    )
    assert stiffness == pytest.approx(stiffness.T, abs=1e-9 * np.abs(stiffness).max())
    return linalg.eigh(stiffness, mass, eigvals_only=True)


def test_a_body_on_a_bushing_has_six_frequencies():
    """√(k/m) and √(k_t/J) along the axes of body and bushing, however these lie in space."""
    mass, inertia = 2.0, np.array([1e-3, 2e-3, 2.5e-3])
    stiffness, turning = np.array([1e5, 2e5, 4e5]), np.array([30.0, 80.0, 200.0])
    b = SpatialBuilder(0.1)
    body = b.body("body", mass, inertia, (0.3, -0.2, 0.1), FRAME)
    at = (0.3, -0.2, 0.1)
    b.bushing(0, body, stiffness, turning, at_a=at, frame=FRAME.T)
    found = squares(b.build(), linearize(b.build(), start(b)))
    expected = np.sort(np.concatenate([stiffness / mass, turning / inertia]))
    assert found == pytest.approx(expected, rel=1e-9)


def test_a_spatial_pendulum():
    """Hung by a ball joint: m g l/(J + m l²) about both axes, and a spin that nothing resists."""
    mass, arm, inertia = 1.5, 0.4, (0.02, 0.03, 0.01)
    b = SpatialBuilder(0.1)
    bob = b.body("bob", mass, inertia, (0.0, 0.0, -arm))
    b.spherical(0, bob, at_b=(0, 0, arm))
    b.force(bob, (0, 0, -GRAVITY), constant(mass))
    at = linearize(b.build(), start(b))
    swings = [mass * GRAVITY * arm / (j + mass * arm**2) for j in inertia[1::-1]]
    assert squares(b.build(), at) == pytest.approx([0.0, *swings], abs=1e-9, rel=1e-9)
    assert at.state.multipliers[:3] == pytest.approx([0, 0, -mass * GRAVITY])


def test_a_ball_in_a_groove_is_a_leaf():
    """Two planes at ±45° under a load: K = Σ k n nᵀ, k = 3/2 F/δ; free along the groove."""
    mass, weight, law = 0.2, 100.0, SpatialSurface(PowerLaw(1e9))
    b = SpatialBuilder(0.01)
    ball = b.body("ball", mass, (1e-5, 1e-5, 1e-5), (0, 0, 0.01 * math.sqrt(2)), leaf=True)
    for side in (1, -1):
        b.contact(sphere_on_plane(0, (0, 0, 0), (side, 0, 1), Sphere(ball, 0.01), law))
    b.force(ball, (0, 0, -1), constant(weight))
    model = b.build()
    run = solve_statics(model, start(b), np.zeros(1))
    force = run.contact_results["normal_force"][0]
    assert force == pytest.approx(np.full(2, weight / math.sqrt(2)), rel=1e-6)
    at = linearize(model, run.last)
    stiffness = 1.5 * force[0] / (force[0] / law.law.stiffness) ** (2 / 3)
    expected = np.diag([stiffness, 0, stiffness, 0, 0, 0])
    assert at.stiffness == pytest.approx(expected, abs=2e-6 * stiffness)
    assert list(at.closed) == [0, 1]


def test_compliance_about_an_axis_of_space():
    b = SpatialBuilder(0.1)
    body = b.body("body", 1.0, (1e-3, 1e-3, 1e-3), rotation=FRAME)
    b.spherical(0, body)
    b.bushing(0, body, turning_stiffness=(20.0, 50.0, 90.0))
    model = b.build()
    at = linearize(model, start(b))
    for axis, stiffness in zip(np.eye(3), (20.0, 50.0, 90.0), strict=True):
        load = unit_turn(model, body, axis)
        assert load @ at.solve(load) == pytest.approx(1 / stiffness, rel=1e-6)


def test_a_pose_that_is_no_equilibrium_is_refused():
    b = SpatialBuilder(0.1)
    body = b.body("body", 1.0, (1e-3, 1e-3, 1e-3))
    b.bushing(0, body, (1e5,) * 3, (50.0,) * 3)
    away = moved(start(b), np.array([1e-3, 0, 0, 0, 0, 0]))
    with pytest.raises(ValueError, match="no equilibrium: 100 N"):
        linearize(b.build(), away)


def test_masses_need_a_pose():
    b = SpatialBuilder(0.1)
    b.body("body", 1.0, (1e-3, 2e-3, 2.5e-3))
    with pytest.raises(ValueError, match="turn with their bodies"):
        mass_matrix(b.build())
