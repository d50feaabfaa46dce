"""Tangent, speed and curvature of the profile against numerical differentiation."""

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from flank.geometry.curve import evaluate
from flank.geometry.cycloid import Cycloid


def complex_step(coordinates, profile, t, h=1e-30):
    """Exact first derivatives: Im f(t + ih)/h has no cancellation."""
    x, y = coordinates(profile, t + 1j * h)
    return x.imag / h, y.imag / h


def test_tangent_and_speed_equal_the_complex_step(profile, coordinates):
    t = np.linspace(0.0, 2 * math.pi, 9973)
    dx, dy = complex_step(coordinates, profile, t)
    speed = np.hypot(dx, dy)
    _, _, tx, ty, got_speed, _ = evaluate(profile, t).T
    np.testing.assert_allclose(got_speed, speed, rtol=2e-12)
    np.testing.assert_allclose(tx, dx / speed, rtol=0, atol=2e-12)
    np.testing.assert_allclose(ty, dy / speed, rtol=0, atol=2e-12)


def test_curvature_equals_the_turning_of_the_tangent(profile, coordinates):
    """κ = (x' y'' - y' x'')/|P'|³; second derivatives by a fourth-order difference of exact first
    ones, whose error is of order (z_c h)⁴ and round-off/(z_c h): 2e-9 of the largest curvature."""
    t = np.linspace(0.0, 2 * math.pi, 9973)
    h = 2e-4 / profile.lobes
    dx, dy = complex_step(coordinates, profile, t)
    stencil = [(-2, 1 / 12), (-1, -8 / 12), (1, 8 / 12), (2, -1 / 12)]
    ddx = sum(w * complex_step(coordinates, profile, t + k * h)[0] for k, w in stencil) / h
    ddy = sum(w * complex_step(coordinates, profile, t + k * h)[1] for k, w in stencil) / h
    curvature = (dx * ddy - dy * ddx) / np.hypot(dx, dy) ** 3
    got = evaluate(profile, t)[:, 5]
    assert np.abs(got - curvature).max() < 5e-9 * np.abs(curvature).max()
    assert got.max() > 0 > got.min()


@settings(max_examples=60, deadline=None)
@given(
    pins=st.integers(4, 80),
    shortening=st.floats(0.05, 0.9),
    share=st.floats(0.05, 0.9),
    equidistant=st.floats(-50e-6, 50e-6),
    radial=st.floats(-50e-6, 50e-6),
    place=st.floats(0.0, 1.0),
)
def test_any_profile_without_undercut(
    coordinates, pins, shortening, share, equidistant, radial, place
):
    """Unit tangent along P', positive speed, normal out of the body: for any usable numbers."""
    bare = Cycloid(pins, 0.1, 1e-3, shortening * 0.1 / pins, radial=radial)
    size = share * bare.minimum_convex_radius
    profile = Cycloid(pins, 0.1, size, bare.eccentricity, equidistant, radial)
    if profile.offset <= 0 or profile.offset > 0.95 * bare.minimum_convex_radius:
        return
    t = np.array([2 * math.pi * place])
    dx, dy = complex_step(coordinates, profile, t)
    x, y, tx, ty, speed, _ = evaluate(profile, t)[0]
    assert abs(math.hypot(tx, ty) - 1) < 1e-14
    assert speed > 0
    assert abs(tx * dy[0] - ty * dx[0]) < 1e-11 * speed
    assert abs(tx * dx[0] + ty * dy[0] - speed) < 1e-11 * speed
    assert x * ty - y * tx > 0
