"""The periodic C2 spline through points: order, smoothness, and what it must not depend on."""

import math

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from flank.geometry.curve import equal_arc_length_parameters, equal_arc_length_points, evaluate
from flank.geometry.cycloid import Cycloid
from flank.geometry.spline import ClosedSpline

PROFILE = Cycloid(14, 34e-3, 3.5e-3, 1.5e-3)


def distance_to_the_profile(points, start):
    """Signed distance to the cycloid of points near the parameters `start`, by Newton."""
    t = start.copy()
    for _ in range(20):
        x, y, tx, ty, speed, curvature = evaluate(PROFILE, t).T
        along = (points[:, 0] - x) * tx + (points[:, 1] - y) * ty
        across = (points[:, 0] - x) * ty - (points[:, 1] - y) * tx
        t += along / (speed * (1 + curvature * across))
    assert np.abs(along).max() < 1e-15
    return across


def spline_error(per_lobe):
    """Largest normal distance of a spline's inner points from the profile it was put through."""
    count = per_lobe * PROFILE.lobes
    t = equal_arc_length_parameters(PROFILE, count)
    spline = ClosedSpline(evaluate(PROFILE, t)[:, :2])
    u = np.arange(0, count, 0.125)
    near = np.interp(u, np.arange(count + 1), np.append(t, 2 * math.pi))
    return np.abs(distance_to_the_profile(evaluate(spline, u)[:, :2], near)).max()


def test_converges_to_the_cycloid_at_fourth_order():
    """Error 1.5e-9 m at 80 points a lobe; halving the spacing divides it by 16."""
    errors = [spline_error(n) for n in (40, 80, 160)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(np.abs(orders - 4) < 0.2)
    assert errors[1] < 2e-9


def test_passes_through_its_points():
    points = equal_arc_length_points(PROFILE, 500)
    got = evaluate(ClosedSpline(points), np.arange(500.0))[:, :2]
    np.testing.assert_allclose(got, points, rtol=0, atol=1e-16)


def test_is_c2_at_the_knots_and_across_the_seam():
    """Point, tangent, speed and curvature from the left and from the right; seam at u = 0."""
    spline = ClosedSpline(equal_arc_length_points(PROFILE, 520))
    knots = np.arange(520.0)
    step = 1e-9
    left, right = (evaluate(spline, knots + s) for s in (-step, step))
    size = np.abs(right).max(axis=0)
    jump = np.abs(left - right) / size
    drift = 40 * step  # what a smooth curve changes over two steps
    assert jump.max() < drift
    third = np.abs(np.diff(spline.coefficients()[:, 3])).max()
    assert third > 0  # the third derivative does jump: the test could see one


def test_closes_and_wraps():
    spline = ClosedSpline(equal_arc_length_points(PROFILE, 200))
    u = np.array([0.0, 0.3, 77.7, 199.9])
    for turns in (-2, 1, 3):
        shifted = evaluate(spline, u + 200 * turns)
        np.testing.assert_allclose(shifted, evaluate(spline, u), rtol=1e-9, atol=1e-12)
    assert np.all(np.isfinite(evaluate(spline, [-1e-18, np.nextafter(200.0, 0), 200.0])))


@pytest.mark.parametrize("shift", [1, 137])
def test_does_not_depend_on_the_starting_point(shift):
    points = equal_arc_length_points(PROFILE, 390)
    u = np.linspace(0, 390, 2001)
    here = evaluate(ClosedSpline(points), u)
    there = evaluate(ClosedSpline(np.roll(points, -shift, axis=0)), u - shift)
    np.testing.assert_allclose(there, here, rtol=1e-9, atol=1e-13)


def test_derivatives_equal_those_of_scipy():
    points = equal_arc_length_points(PROFILE, 130)
    reference = CubicSpline(np.arange(131), np.vstack((points, points[:1])), bc_type="periodic")
    u = np.linspace(0.0, 129.99, 1777)
    first, second = reference(u, 1), reference(u, 2)
    speed = np.hypot(*first.T)
    curvature = (first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / speed**3
    x, y, tx, ty, got_speed, got_curvature = evaluate(ClosedSpline(points), u).T
    np.testing.assert_allclose(np.column_stack((x, y)), reference(u), rtol=0, atol=1e-16)
    np.testing.assert_allclose(got_speed, speed, rtol=1e-12)
    np.testing.assert_allclose(np.column_stack((tx, ty)), first / speed[:, None], atol=1e-12)
    np.testing.assert_allclose(got_curvature, curvature, rtol=1e-9, atol=1e-7)
