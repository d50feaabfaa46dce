"""Circle against circle, outside and inside, against points on the circles and closed forms."""

import math

import numpy as np
import pytest
from contact_pieces import circle_inside, circle_outside, needle
from hypothesis import given, settings
from hypothesis import strategies as st

from flank.geometry.curve import Circle

radii = st.floats(0.5e-3, 0.1)
coordinates = st.floats(-0.2, 0.2)


def brute(px, py, a_radius, count=2000):
    """Distance of p to the best of many points of the circle, refined between its neighbours."""
    low, high = 0.0, 2 * math.pi
    for _ in range(5):
        angle = np.linspace(low, high, count)
        distance = np.hypot(a_radius * np.cos(angle) - px, a_radius * np.sin(angle) - py)
        best, step = angle[np.argmin(distance)], angle[1] - angle[0]
        low, high = best - step, best + step
    return distance.min()


@settings(max_examples=60, deadline=None)
@given(coordinates, coordinates, radii, radii)
def test_outside_equals_brute_force(px, py, a_radius, b_radius):
    gap, nx, ny, level_curvature, curvature, _ = circle_outside(px, py, a_radius, b_radius)
    distance = math.hypot(px, py)
    side = 1 if distance >= a_radius else -1
    assert gap == pytest.approx(side * brute(px, py, a_radius) - b_radius, abs=2e-16)
    assert gap == pytest.approx(distance - a_radius - b_radius, abs=1e-16)
    assert curvature == pytest.approx(1 / a_radius + 1 / b_radius, rel=1e-15)
    if distance > 1e-6:
        assert math.hypot(nx, ny) == pytest.approx(1, abs=1e-15)
        assert (nx * px + ny * py) == pytest.approx(distance, rel=1e-14)
        assert level_curvature == pytest.approx(1 / distance, rel=1e-14)


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 1.5), st.floats(0, 2 * math.pi), radii, st.floats(0.05, 0.99))
def test_inside_equals_brute_force(share, angle, a_radius, ratio):
    b_radius = ratio * a_radius
    px, py = share * a_radius * math.cos(angle), share * a_radius * math.sin(angle)
    gap, nx, ny, level_curvature, curvature, _ = circle_inside(px, py, a_radius, b_radius)
    side = 1 if math.hypot(px, py) <= a_radius else -1
    assert gap == pytest.approx(side * brute(px, py, a_radius) - b_radius, abs=2e-16)
    assert curvature == pytest.approx(1 / b_radius - 1 / a_radius, rel=1e-12)
    distance = math.hypot(px, py)
    if distance > 1e-6:
        assert (nx * px + ny * py) == pytest.approx(-distance, rel=1e-14)
        assert level_curvature == pytest.approx(-1 / distance, rel=1e-14)


def test_concentric_circles_have_a_finite_answer():
    assert np.all(np.isfinite(circle_inside(0.0, 0.0, 0.02, 0.01)))
    assert circle_inside(0.0, 0.0, 0.02, 0.01)[0] == pytest.approx(0.01)
    assert np.all(np.isfinite(circle_outside(0.0, 0.0, 0.02, 0.01)))
    assert circle_outside(0.0, 0.0, 0.02, 0.01)[0] == pytest.approx(-0.03)


@pytest.mark.parametrize("hole", [False, True])
@pytest.mark.parametrize("warm", [False, True])
def test_a_circle_as_a_curve_is_the_same_contact(find, hole, warm):
    """Every number but the parameter, which runs the other way round in a bore."""
    rng = np.random.default_rng(7)
    a_radius, b_radius = 0.02, 0.004
    angle, size = rng.uniform(0, 2 * math.pi, 300), rng.uniform(1e-4, 0.05, 300)
    points = np.column_stack((size * np.cos(angle), size * np.sin(angle)))
    starts = rng.uniform(0, 2 * math.pi, 300) if warm else None
    closed_form = circle_inside if hole else circle_outside
    expected = np.array([closed_form(*p, a_radius, b_radius) for p in points])
    got = find(Circle(a_radius, hole), points, b_radius, starts)
    np.testing.assert_allclose(got[:, 0], expected[:, 0], rtol=0, atol=1e-16)
    np.testing.assert_allclose(got[:, 1:3], expected[:, 1:3], rtol=0, atol=1e-10)
    np.testing.assert_allclose(got[:, 3], expected[:, 3], rtol=1e-10)
    np.testing.assert_allclose(got[:, 4], expected[:, 4], rtol=1e-14)
    sense = -1 if hole else 1
    turn = np.exp(1j * (sense * got[:, 5] - expected[:, 5]))
    np.testing.assert_allclose(turn, 1.0, atol=1e-3)


@pytest.mark.parametrize("start", [None, [0.0], [1.3]])
def test_the_centre_of_a_bore_has_a_gap(find, start):
    """Every point of the wall is as near; the answer must be a number, and the right one."""
    got = find(Circle(0.02, hole=True), [[0.0, 0.0]], 0.004, start)[0]
    assert np.all(np.isfinite(got))
    assert got[0] == pytest.approx(0.016, abs=1e-17)


@given(coordinates, coordinates, st.floats(-10, 10), st.floats(-1e-4, 1e-4))
def test_needle_gap(px, py, direction, clearance):
    """gap = c + n·p, with no bend, and a relative radius of 1 m for a law made in series."""
    gap, nx, ny, level_curvature, curvature, _ = needle(px, py, direction, clearance)
    assert (nx, ny) == (math.cos(direction), math.sin(direction))
    assert gap == pytest.approx(clearance + nx * px + ny * py, abs=1e-17)
    assert (level_curvature, curvature) == (0.0, 1.0)
