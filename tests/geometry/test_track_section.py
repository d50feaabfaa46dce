"""Sections of tracks: where and how the ball touches, found again by brute force."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from flank.geometry.track_section import TrackSection

BALL = 8.731e-3
TURN = np.linspace(0, 2 * math.pi, 400_001)

sections = st.builds(
    TrackSection,
    ball_radius=st.just(BALL),
    conformity=st.floats(1.005, 1.2),
    contact_angle=st.floats(math.radians(30), math.radians(60)),
    clearance=st.floats(-20e-6, 40e-6),
)


def from_ball(x, y):
    """Distance of points from the ball's centre, and their angle from the bottom of the track."""
    return np.hypot(x, y), np.arctan2(y, x)


@given(sections)
def test_gothic_arch_is_nearest_at_the_contact_angle(section):
    """The nearest points of two arcs, each on its own side of the bottom."""
    for side in (1, -1):
        middle = section.arc_centre(side)
        distance, angle = from_ball(
            middle[0] + section.radius * np.cos(TURN), middle[1] + section.radius * np.sin(TURN)
        )
        nearest = distance.argmin()
        assert distance[nearest] == pytest.approx(BALL + section.clearance, abs=1e-12)
        assert angle[nearest] == pytest.approx(side * section.contact_angle, abs=2e-4)


@given(sections)
def test_ellipse_touches_at_two_points_with_the_radius_asked_for(section):
    assume(section.has_ellipse)
    a, b, offset = section.ellipse
    x, y = a * np.cos(TURN[:-1]) - offset, b * np.sin(TURN[:-1])
    distance, angle = from_ball(x, y)
    lowest = np.flatnonzero((distance < np.roll(distance, 1)) & (distance < np.roll(distance, -1)))
    assert len(lowest) == 2
    assert distance[lowest] == pytest.approx(BALL + section.clearance, abs=1e-11)
    assert sorted(angle[lowest]) == pytest.approx(
        [-section.contact_angle, section.contact_angle], abs=1e-4
    )
    near = lowest[0] + np.array([-400, 0, 400])
    assert circle_through(x[near], y[near]) == pytest.approx(section.radius, rel=1e-4)


def circle_through(x, y):
    """Radius of the circle through three points: product of the sides over four areas."""
    points = np.stack([x, y], axis=-1)
    sides = np.linalg.norm(points - np.roll(points, 1, axis=0), axis=-1)
    (ux, uy), (vx, vy) = points[1] - points[0], points[2] - points[0]
    return np.prod(sides) / (2 * abs(ux * vy - uy * vx))


def test_ellipse_of_a_hardly_wider_track_is_a_circle():
    a, b, offset = TrackSection(BALL, 1 + 1e-9, math.radians(45)).ellipse
    assert (a, b) == pytest.approx((BALL, BALL), rel=1e-8)
    assert abs(offset) < 1e-10


def test_sections_of_the_reference_joint():
    """Both centres of curvature lie 2 % of the ball's radius behind its centre."""
    section = TrackSection(BALL, 1.02, math.radians(45))
    assert section.radius == pytest.approx(8.90562e-3)
    assert section.arc_centre(1) == pytest.approx((-0.12347e-3, -0.12347e-3), rel=1e-4)
    assert section.ellipse == pytest.approx((8.99783e-3, 8.81964e-3, 0.25199e-3), rel=1e-5)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ((0.0, 1.02, 0.8), "positive radius"),
        ((BALL, 1.0, 0.8), "does not touch a ball"),
        ((BALL, 1.02, 0.8, 180e-6), "smaller clearance"),
        ((BALL, float("inf"), 0.8), "does not touch a ball"),
        ((BALL, 1.02, 0.0), "between the bottom"),
        ((BALL, 1.02, 1.6), "between the bottom"),
    ],
)
def test_refused(values, sentence):
    with pytest.raises(ValueError, match=sentence):
        TrackSection(*values)


def test_no_ellipse_beyond_the_largest_conformity():
    """At α = 30 deg cos² α is 3/4, so that 4/3 is the limit."""
    angle = math.radians(30)
    assert TrackSection(BALL, 1.3333, angle).has_ellipse
    with pytest.raises(ValueError, match=r"less than 1\.333"):
        _ = TrackSection(BALL, 1.3334, angle).ellipse
