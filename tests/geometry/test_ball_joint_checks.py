"""Room for the balls of a joint: against closed forms, and where it ends."""

import math

import numpy as np
import pytest

from flank.geometry.ball_joint import BallJoint, TrackAngles
from flank.geometry.ball_joint_checks import (
    JointRoom,
    check_axis_offset,
    check_crossing,
    check_room,
    deflection_limit,
    margins,
    parallel_deflection,
)

DEGREE = math.pi / 180
RADIUS, BALL = 0.03, 8.731e-3
ROOM = JointRoom(BALL, 0.040, 0.026, 0.0275, 0.0325, 0.020)
PARALLEL = TrackAngles(0.0, 0.0)
CROSSED = TrackAngles(8 * DEGREE, 4 * DEGREE)
REFERENCE = BallJoint(8, RADIUS, CROSSED, CROSSED)
DEFLECTION = 20 * DEGREE


def joint(outer=CROSSED, inner=None, balls=8):
    return BallJoint(balls, RADIUS, outer, inner or outer)


def codes(findings):
    return [(finding.code, finding.severity) for finding in findings]


def test_margins_of_tracks_parallel_to_the_axis():
    """In the plane that halves the angle the pitch circle is an ellipse, 1/cos(δ/2) long."""
    found = margins(joint(PARALLEL), ROOM, DEFLECTION)
    stretch = 1 / math.cos(DEFLECTION / 2)
    stroke = RADIUS * math.tan(DEFLECTION / 2)
    assert found["outer track"] == pytest.approx(0.020 - stroke)
    assert found["inner track"] == pytest.approx(0.013 - stroke)
    assert found["window"] == pytest.approx(0.010 - BALL - 0.5 * RADIUS * (stretch - 1))
    assert found["cage wall"] == pytest.approx(0.0325 - RADIUS * stretch)
    assert found["neighbours"] == pytest.approx(2 * (RADIUS * math.sin(math.pi / 8) - BALL))


def test_plunge_takes_half_of_itself_from_the_tracks():
    straight, plunged = (margins(REFERENCE, ROOM, 0.0, plunge) for plunge in (0.0, 0.010))
    slant = math.cos(CROSSED.skew) * math.cos(CROSSED.inclination)
    for name in ("outer track", "inner track"):
        assert straight[name] - plunged[name] == pytest.approx(0.005 / slant)


@pytest.mark.parametrize("name", ["inner track", "window", "cage wall"])
def test_at_its_limit_a_room_is_used_up(name):
    limit = deflection_limit(REFERENCE, ROOM, name)
    assert abs(margins(REFERENCE, ROOM, limit)[name]) < 1e-7
    assert margins(REFERENCE, ROOM, 0.99 * limit)[name] > 0


def test_no_limit_within_60_deg():
    assert deflection_limit(REFERENCE, ROOM, "neighbours") is None


def test_tracks_turn_parallel_where_one_is_square_to_the_bisecting_plane():
    limit = parallel_deflection(REFERENCE)
    assert limit == pytest.approx(17.877 * DEGREE, rel=1e-4)
    turn = np.linspace(0, 2 * math.pi, 100_001)
    assert REFERENCE.crossing(turn, limit).min() < 1e-4
    smaller = REFERENCE.crossing(turn, limit - 2 * DEGREE).min()
    assert math.asin(smaller) == pytest.approx(2 * DEGREE, rel=1e-3)


def test_tracks_that_do_not_cross():
    reversed_angles = TrackAngles(-CROSSED.skew, -CROSSED.inclination)
    for one in (joint(PARALLEL), joint(CROSSED, reversed_angles)):
        assert codes(check_crossing(one, 0.0)) == [("tracks-do-not-cross", "error")]
    assert codes(check_crossing(REFERENCE, 10 * DEGREE)) == []
    assert codes(check_crossing(REFERENCE, 17 * DEGREE)) == [("tracks-nearly-parallel", "warning")]
    beyond = codes(check_crossing(REFERENCE, 25 * DEGREE))
    assert beyond == [("tracks-cross-the-other-way", "warning")]


def test_axes_that_miss_are_told():
    other = joint(CROSSED, TrackAngles(6 * DEGREE, 4 * DEGREE))
    assert codes(check_axis_offset(REFERENCE, DEFLECTION, 0.0)) == []
    assert codes(check_axis_offset(REFERENCE, 0.0, 0.005)) == []
    for one, plunge in ((REFERENCE, 0.005), (other, 0.0)):
        (finding,) = check_axis_offset(one, 2 * DEGREE, plunge)
        assert (finding.code, finding.severity) == ("axes-miss", "warning")
        assert finding.value > 1e-6


def test_room_in_the_straight_joint_and_at_a_deflection():
    assert list(check_room(REFERENCE, ROOM, DEFLECTION, 0.0)) == []
    (finding,) = check_room(REFERENCE, ROOM, 30 * DEGREE, 0.0)
    assert finding.code == "deflection-window"
    assert "deflect by less than 26.7 deg" in finding.remedy
    crowded = joint(balls=12)
    found = codes(check_room(crowded, ROOM, 0.0, 0.0))
    assert ("balls-collide", "error") in found
