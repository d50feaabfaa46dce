"""A circle on a smooth curve against brute force, from any start.

Points fill the whole ring region: from two pin radii inside the root to three outside the pin
circle, far beyond what a drive ever shows.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flank.geometry.curve import equal_arc_length_points, evaluate, period, reach
from flank.geometry.spline import ClosedSpline

TOLERANCE = 2e-15  # m; 1e-16 is measured, 7e-16 next to a centre of curvature


@pytest.fixture(scope="module", params=["A", "B", "D", "H"])
def profile(request, profiles):
    return profiles[request.param]


@pytest.fixture(scope="module", params=["cycloid", "spline"])
def shape(request, profile):
    if request.param == "cycloid":
        return profile
    return ClosedSpline(equal_arc_length_points(profile, 100 * profile.lobes))


def ring_region(profile, rng, count):
    low = profile.root_radius - 2 * profile.pin_radius
    high = profile.pin_circle_radius + 3 * profile.pin_radius
    angle, size = rng.uniform(0, 2 * math.pi, count), rng.uniform(low, high, count)
    return np.column_stack((size * np.cos(angle), size * np.sin(angle)))


def check(found, exact, radius):
    assert np.abs(found[:, 0] + radius - exact).max() < TOLERANCE


@pytest.fixture(scope="module")
def cloud(profile, shape, brute_force):
    points = ring_region(profile, np.random.default_rng(1), 500)
    return points, brute_force(shape, points, 400 * profile.lobes)


def test_cold(find, profile, shape, cloud):
    points, exact = cloud
    check(find(shape, points, profile.pin_radius), exact, profile.pin_radius)


def test_warm_start_from_the_answer(find, profile, shape, cloud):
    points, exact = cloud
    starts = find(shape, points, profile.pin_radius)[:, 5]
    check(find(shape, points, profile.pin_radius, starts), exact, profile.pin_radius)


def test_warm_start_from_anywhere(find, profile, shape, cloud):
    """A start on the wrong flank or at the other end of the disc costs time, never the answer."""
    points, exact = cloud
    rng = np.random.default_rng(2)
    for _ in range(20):
        starts = rng.uniform(0, period(shape), len(points))
        check(find(shape, points, profile.pin_radius, starts), exact, profile.pin_radius)


def test_warm_start_from_nearby(find, profile, shape, cloud):
    """A tenth of a lobe off, as after a long step."""
    points, exact = cloud
    rng = np.random.default_rng(3)
    starts = find(shape, points, profile.pin_radius)[:, 5]
    starts = starts + rng.normal(0, 0.1 * period(shape) / profile.lobes, len(starts))
    check(find(shape, points, profile.pin_radius, starts), exact, profile.pin_radius)


def test_on_the_axes_of_symmetry(find, profile, brute_force):
    """Above a valley or inside a tip two foot points are equally near, and either will do; the
    point between them, where the distance is largest, is a root as well and will not."""
    low, high = profile.root_radius - 1e-3, profile.pin_circle_radius + profile.pin_radius
    size = np.linspace(low, high, 400)
    for angle in (0.0, math.pi / profile.lobes):
        points = np.column_stack((size * math.cos(angle), size * math.sin(angle)))
        exact = brute_force(profile, points, 400 * profile.lobes)
        found = find(profile, points, profile.pin_radius)[:, 0] + profile.pin_radius
        assert np.abs(np.abs(found) - np.abs(exact)).max() < 1e-13  # 6e-15 where the feet part


def test_touching_circles(find, profile):
    """Circles set on the flank with a known penetration: p = c + (r - δ) n gives gap -δ."""
    t = np.linspace(0, 2 * math.pi, 1500, endpoint=False)
    x, y, tx, ty, _, curvature = evaluate(profile, t).T
    for depth in (-5e-6, 0.0, 1e-9, 20e-6):
        arm = profile.pin_radius - depth
        points = np.column_stack((x + arm * ty, y - arm * tx))
        found = find(profile, points, profile.pin_radius, t + 1e-3)
        np.testing.assert_allclose(found[:, 0], -depth, rtol=0, atol=1e-16)
        np.testing.assert_allclose(found[:, 1], ty, rtol=0, atol=1e-8)
        np.testing.assert_allclose(found[:, 2], -tx, rtol=0, atol=1e-8)
        # the foot point may be 1e-8 m off, which curvature alone sees at first order
        relative, level_curvature = (
            curvature + 1 / profile.pin_radius,
            curvature / (1 + curvature * arm),
        )
        np.testing.assert_allclose(found[:, 4], relative, rtol=0, atol=1e-2)
        np.testing.assert_allclose(found[:, 3], level_curvature, rtol=1e-4, atol=0.1)


def test_normal_and_bend_are_the_derivatives_of_the_gap(find, profile, shape):
    """∇gap = n and t·∇∇gap·t = bend, by central differences over 1 um and 10 um."""
    rng = np.random.default_rng(5)
    place = rng.uniform(0, period(shape), 200)
    x, y, tx, ty = evaluate(shape, place)[:, :4].T
    arm = profile.pin_radius - 20e-6
    points = np.column_stack((x + arm * ty, y - arm * tx))
    normal, tangent = np.column_stack((ty, -tx)), np.column_stack((tx, ty))

    def gap(shift):
        return find(shape, points + shift, profile.pin_radius, place)[:, 0]

    h = 1e-6
    found = find(shape, points, profile.pin_radius, place)
    for axis in np.eye(2):
        slope = (gap(h * axis) - gap(-h * axis)) / (2 * h)
        np.testing.assert_allclose(slope, found[:, 1:3] @ axis, rtol=0, atol=5e-4)
    assert np.abs((gap(h * normal) - gap(-h * normal)) / (2 * h) - 1).max() < 1e-9
    second = (gap(h * tangent) - 2 * gap(0 * tangent) + gap(-h * tangent)) / h**2
    sharp = np.abs(found[:, 3]) > 2000  # the valleys, where the field bends within 0.1 mm
    np.testing.assert_allclose(second[~sharp], found[~sharp, 3], rtol=2e-3, atol=1.0)


@settings(max_examples=200, deadline=None)
@given(
    angle=st.floats(0, 2 * math.pi),
    share=st.floats(0, 1),
    start=st.floats(-2, 3),
)
def test_any_point_and_any_start(find, brute_force, profiles, angle, share, start):
    """Property: one pin anywhere in the ring region of set H, started anywhere on the flank."""
    profile = profiles["H"]
    low = profile.root_radius - 2 * profile.pin_radius
    size = low + share * (profile.pin_circle_radius + 3 * profile.pin_radius - low)
    point = [[size * math.cos(angle), size * math.sin(angle)]]
    exact = abs(brute_force(profile, point, 4000)[0])
    for starts in (None, [start * 2 * math.pi]):
        found = find(profile, point, profile.pin_radius, starts)[0, 0] + profile.pin_radius
        assert abs(abs(found) - exact) < 1e-13  # on the axes of symmetry, see above


def test_below_its_reach_a_foot_point_is_the_nearest(find, profile, brute_force):
    """The promise `reach` makes: any foot point with 0 < d < r + reach is the nearest one."""
    rng = np.random.default_rng(11)
    limit = profile.pin_radius + reach(profile, profile.pin_radius)
    t = rng.uniform(0, 2 * math.pi, 500)
    x, y, tx, ty = evaluate(profile, t)[:, :4].T
    distance = rng.uniform(0, limit, 500)
    points = np.column_stack((x + distance * ty, y - distance * tx))
    exact = brute_force(profile, points, 400 * profile.lobes)
    np.testing.assert_allclose(exact, distance, rtol=0, atol=1e-15)
