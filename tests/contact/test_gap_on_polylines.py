"""A circle on a polyline: screens against the search over everything, and against smooth curves."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flank.geometry.curve import equal_arc_length_points, evaluate
from flank.geometry.polyline import Polyline


def plain_search(polyline, points):
    """Squared distance to each segment, in numpy; returns the signed distance of the nearest.

    The sign is that of the segment's side, or at a vertex of the sum of both normals.
    """
    start = polyline.points
    edge = np.roll(start, -1, axis=0) - start
    length = np.hypot(*edge.T)
    normal = np.column_stack((edge[:, 1], -edge[:, 0])) / length[:, None]
    result = np.empty(len(points))
    for k, p in enumerate(points):
        share = np.clip(np.sum((p - start) * edge, axis=1) / length**2, 0.0, 1.0)
        away = p - start - share[:, None] * edge
        distance = np.hypot(*away.T)
        i = int(np.argmin(distance))
        out = normal[i]
        if share[i] == 0.0:
            out = normal[i] + normal[i - 1]
        elif share[i] == 1.0:
            out = normal[i] + normal[(i + 1) % len(start)]
        result[k] = math.copysign(distance[i], away[i] @ out)
    return result


def cloud(profile, rng, count):
    low = profile.root_radius - 2 * profile.pin_radius
    high = profile.pin_circle_radius + 3 * profile.pin_radius
    angle, size = rng.uniform(0, 2 * math.pi, count), rng.uniform(low, high, count)
    return np.column_stack((size * np.cos(angle), size * np.sin(angle)))


@pytest.fixture(scope="module", params=["A", "H"])
def profile(request, profiles):
    return profiles[request.param]


@pytest.fixture(scope="module")
def polyline(profile):
    return Polyline(equal_arc_length_points(profile, 50 * profile.lobes + 7))


def test_full_search_equals_plain_numpy(find, profile, polyline):
    points = cloud(profile, np.random.default_rng(0), 400)
    found = find(polyline, points, profile.pin_radius)[:, 0] + profile.pin_radius
    np.testing.assert_allclose(found, plain_search(polyline, points), rtol=0, atol=1e-16)


def test_screened_equals_full_search_exactly(find, profile, polyline):
    """Bit by bit, from random starts and over the whole region, and near the centre."""
    rng = np.random.default_rng(1)
    points = np.vstack((cloud(profile, rng, 3000), rng.normal(0, 5e-3, (300, 2)), [[0.0, 0.0]]))
    full = find(polyline, points, profile.pin_radius)
    for _ in range(5):
        starts = rng.uniform(0, len(polyline.points), len(points))
        screened = find(polyline, points, profile.pin_radius, starts)
        np.testing.assert_array_equal(screened, full)


def test_screened_walk_equals_full_search_exactly(find, profile, polyline):
    """As in a run: the last foot point starts the next search, along a path of 2000 steps."""
    rng = np.random.default_rng(2)
    walk = np.cumsum(rng.normal(0, 2e-4, (2000, 2)), axis=0)
    points = walk - walk[0] + [profile.tip_radius + profile.pin_radius, 0.0]
    full = find(polyline, points, profile.pin_radius)
    starts = np.concatenate(([0.0], full[:-1, 5]))
    np.testing.assert_array_equal(find(polyline, points, profile.pin_radius, starts), full)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(0.3, 1.0), min_size=3, max_size=60),
    st.floats(-1.5, 1.5),
    st.floats(-1.5, 1.5),
    st.floats(0, 1),
)
def test_any_star_polygon(find, radii, px, py, start):
    """Few or many vertices, spiky or round: the screens skip nothing that is nearer, and the sign
    is right at corners of any sharpness."""
    angle = 2 * math.pi * np.arange(len(radii)) / len(radii)
    points = np.array(radii)[:, None] * np.column_stack((np.cos(angle), np.sin(angle)))
    polyline = Polyline(points)
    exact = plain_search(polyline, np.array([[px, py]]))[0]
    for starts in (None, [start * len(radii) * 0.999]):
        found = find(polyline, [[px, py]], 0.1, starts)[0]
        assert np.all(np.isfinite(found))
        assert abs(found[0] + 0.1 - exact) < 1e-14


def test_gap_converges_to_the_smooth_curve_at_second_order(find, profile):
    """Largest gap error of circles that touch the flank: 4 times smaller for half the spacing."""
    t = np.random.default_rng(3).uniform(0, 2 * math.pi, 4000)
    x, y, tx, ty = evaluate(profile, t)[:, :4].T
    arm = profile.pin_radius - 1e-6
    points = np.column_stack((x + arm * ty, y - arm * tx))
    errors = []
    for per_lobe in (200, 400, 800):
        flank = Polyline(equal_arc_length_points(profile, per_lobe * profile.lobes))
        errors.append(np.abs(find(flank, points, profile.pin_radius)[:, 0] + 1e-6).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(np.abs(orders - 2) < 0.1)
    assert errors[-1] < 2e-8


def test_the_sides_of_a_needle_sharp_corner(find):
    """Beyond the tip of a wedge of 11 degrees the gap is the distance to the tip, all around it."""
    wedge = Polyline(np.array([[0.0, 0.0], [-1.0, 0.1], [-1.0, -0.1]]))
    angle = np.linspace(-1.47, 1.47, 41)
    points = 0.3 * np.column_stack((np.cos(angle), np.sin(angle)))
    found = find(wedge, points, 0.05)
    np.testing.assert_allclose(found[:, 0], 0.25, rtol=1e-14)
    np.testing.assert_allclose(found[:, 1:3], points / 0.3, atol=1e-14)


def test_a_vertex_acts_as_a_point(find):
    """Outside the corner of a square the gap is the distance to it, and the field bends by 1/d."""
    square = Polyline(np.array([[1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]]))
    gap, nx, ny, level_curvature, _, u = find(square, [[1.3, 1.4]], 0.2)[0]
    assert gap == pytest.approx(0.5 - 0.2, rel=1e-14)
    assert (nx, ny) == pytest.approx((0.6, 0.8), rel=1e-14)
    assert level_curvature == pytest.approx(2.0, rel=1e-14)
    assert u == 1.0
    gap, nx, ny, level_curvature, _, u = find(square, [[1.3, 0.2]], 0.2)[0]
    assert (gap, nx, ny, level_curvature) == pytest.approx((0.1, 1.0, 0.0, 0.0), abs=1e-15)
    assert u == pytest.approx(0.6)
    inside = find(square, [[0.9, 0.2]], 0.2)[0]
    assert inside[0] == pytest.approx(-0.3, rel=1e-14)
    assert inside[1] == 1.0
