"""Kinematics of the joint with crossed tracks: where axes meet, how far balls go, how fast."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flank.geometry.ball_joint import INNER, OUTER, BallJoint, TrackAngles
from flank.geometry.rotations import about_y, about_z

DEGREE = math.pi / 180
RADIUS = 0.03
CROSSED = TrackAngles(8 * DEGREE, 4 * DEGREE)
REFERENCE = BallJoint(8, RADIUS, CROSSED, CROSSED)
TURN = np.linspace(0, 2 * math.pi, 721)

inclined = st.builds(TrackAngles, st.floats(-0.35, 0.35), st.floats(-0.2, 0.2))
mirrored = st.builds(
    lambda half, angles: BallJoint(2 * half, RADIUS, angles, angles), st.integers(2, 6), inclined
)
rotations = st.floats(-7, 7)
deflections = st.floats(0, 0.5)


def line_distance(point, origin, direction):
    return np.linalg.norm(np.cross(point - origin, direction))


def axes_by_hand(joint, k, rotation, deflection, plunge=0.0):
    """Origins and directions of track k of both races in space, written out anew."""
    phi, sign = 2 * math.pi * k / joint.balls, (-1) ** k
    radial = np.array([math.cos(phi), math.sin(phi), 0])
    tangential = np.array([-math.sin(phi), math.cos(phi), 0])
    found = []
    for given_angles, side in ((joint.outer, sign), (joint.inner, -sign)):
        a, b = side * given_angles.skew, side * given_angles.inclination
        direction = math.sin(b) * radial + math.sin(a) * math.cos(b) * tangential
        direction[2] += math.cos(a) * math.cos(b)
        found.append((joint.pitch_radius * radial, direction))
    outer, inner = about_z(rotation), about_y(deflection) @ about_z(rotation)
    shift = plunge * about_y(deflection)[:, 2]
    return (
        (outer @ found[0][0], outer @ found[0][1]),
        (inner @ found[1][0] + shift, inner @ found[1][1]),
    )


@given(mirrored, rotations, deflections)
def test_ball_centres_lie_on_both_axes(joint, rotation, deflection):
    """The homokinetic condition is exact for rigid mirrored tracks of any inclination."""
    places = joint.places(rotation, deflection, 0.0)
    for k, centre in enumerate(places.centre):
        for origin, direction in axes_by_hand(joint, k, rotation, deflection):
            assert line_distance(centre, origin, direction) < 1e-15
    assert places.miss.max() < 1e-15


@given(mirrored, rotations, st.floats(-0.01, 0.01))
def test_plunge_of_the_straight_joint_is_shared(joint, rotation, plunge):
    """Balls go half the way of the inner race, and axes still meet."""
    places = joint.places(rotation, 0.0, plunge)
    assert places.centre[:, 2] == pytest.approx(0.5 * plunge, abs=1e-16)
    assert places.miss.max() < 1e-15


def test_balls_stay_in_the_plane_that_halves_the_angle():
    deflection = 15 * DEGREE
    centre = REFERENCE.places(TURN, deflection, 0.0).centre
    normal = [math.sin(deflection / 2), 0, math.cos(deflection / 2)]
    assert np.abs(centre @ normal).max() < 1e-15


@pytest.mark.parametrize("deflection", [2 * DEGREE, 10 * DEGREE])
def test_stroke(deflection):
    """PCD/2 tan(δ/2) along tracks parallel to the axis, more along inclined ones."""
    parallel = TrackAngles(0.0, 0.0)
    track_position = (
        BallJoint(8, RADIUS, parallel, parallel).places(TURN, deflection, 0.0).track_position
    )
    tangent = math.tan(deflection / 2)
    assert track_position.max() == pytest.approx(RADIUS * tangent, rel=1e-14)
    first = track_position[:, 0, OUTER]
    assert first == pytest.approx(-RADIUS * np.cos(TURN) * tangent, abs=1e-16)
    crossed = REFERENCE.places(TURN, deflection, 0.0).track_position[:, 0]
    a, b = CROSSED
    slope = np.sin(b) * np.cos(TURN) - np.sin(a) * np.cos(b) * np.sin(TURN)
    expected = -RADIUS * np.cos(TURN) * tangent / (np.cos(a) * np.cos(b) + tangent * slope)
    assert crossed[:, OUTER] == pytest.approx(expected, abs=1e-16)
    assert crossed[:, INNER] == pytest.approx(-expected, abs=1e-15)


def test_stroke_of_the_reference_joint():
    """About 0.5 mm of amplitude at 2 deg: 1 mm from end to end."""
    track_position = REFERENCE.places(TURN, 2 * DEGREE, 0.0).track_position[..., OUTER]
    assert track_position.max() == pytest.approx(0.53074e-3, rel=1e-4)
    assert track_position.max() / (RADIUS * math.tan(DEGREE)) == pytest.approx(1.0135, abs=1e-4)


def test_track_frames():
    """Right-handed; x to the bottom, outwards in the outer race; z along the axis of the race."""
    for race, side in ((OUTER, 1), (INNER, -1)):
        frames = REFERENCE.frames(race)
        assert frames @ np.swapaxes(frames, 1, 2) == pytest.approx(
            np.tile(np.eye(3), (8, 1, 1)), abs=1e-15
        )
        assert np.linalg.det(frames) == pytest.approx(np.ones(8))
        assert np.sum(frames[:, 0] * REFERENCE.radial, axis=-1) == pytest.approx(
            side * math.cos(CROSSED.inclination)
        )
        assert frames[:, 2, 2] == pytest.approx(
            math.cos(CROSSED.skew) * math.cos(CROSSED.inclination)
        )


def test_inner_tracks_mirror_the_outer_ones():
    mirror = np.array([1, 1, -1])
    outer, inner = REFERENCE.frames(OUTER), REFERENCE.frames(INNER)
    assert inner[:, 2] == pytest.approx(-mirror * outer[:, 2], abs=1e-16)
    # Tracks of even number go outwards and the way of positive rotation along +z.
    assert outer[0, 2] == pytest.approx(
        [math.sin(0.06981317), math.sin(0.13962634) * math.cos(0.06981317), 0.987855], abs=1e-6
    )


@pytest.mark.parametrize("inner", [CROSSED, TrackAngles(6 * DEGREE, 3 * DEGREE)])
def test_velocities_are_derivatives(inner):
    joint = BallJoint(6, RADIUS, CROSSED, inner)
    place, rate, eps = (0.4, 0.08, 2e-3), (31.4, 0.7, 0.05), 1e-6
    before, after = (
        joint.places(*(x + s * eps * v for x, v in zip(place, rate, strict=True))).centre
        for s in (-1, 1)
    )
    found = joint.velocities(place, rate)
    assert found == pytest.approx((after - before) / (2 * eps), abs=1e-8)


def test_axes_that_are_no_mirror_images_miss_each_other():
    """The ball stands in the middle of the shortest way between the axes."""
    joint = BallJoint(8, RADIUS, CROSSED, TrackAngles(6 * DEGREE, 4 * DEGREE))
    rotation, deflection, plunge = 0.3, 5 * DEGREE, 2e-3
    places = joint.places(rotation, deflection, plunge)
    for k in range(8):
        (o, d), (p, e) = axes_by_hand(joint, k, rotation, deflection, plunge)
        normal = np.cross(d, e) / np.linalg.norm(np.cross(d, e))
        shortest = abs((p - o) @ normal)
        assert places.miss[k] == pytest.approx(shortest, abs=1e-15)
        for origin, direction in ((o, d), (p, e)):
            distance = line_distance(places.centre[k], origin, direction)
            assert distance == pytest.approx(shortest / 2, abs=1e-15)
    assert places.miss.max() > 1e-5


def test_plunge_of_a_deflected_joint_misses_by_its_sine():
    """Shafts that cross at the outer centre: the mirror image is off by p sin δ/2 in its plane."""
    plunge, deflection = 4e-3, 2 * DEGREE
    miss = REFERENCE.places(TURN, deflection, plunge).miss
    assert miss == pytest.approx(plunge * math.sin(deflection / 2), abs=1e-16)


def test_odd_numbers_of_balls_are_refused():
    with pytest.raises(ValueError, match="must be even"):
        BallJoint(7, RADIUS, CROSSED, CROSSED)
