"""Measured points in their order around an outline, whatever order a file has them in."""

import math

import numpy as np

from flank.arrays import Floats
from flank.geometry.spline import signed_area

ONCE = 0.1
"""rad by which points that go once around may miss the whole turn."""

CLOSED = 1e-12
"""m: a last point that is so near the first is the first again."""


def turned_around(points: Floats) -> float:
    """How far points turn about the origin in all, both ways counted, in rad."""
    return float(np.sum(np.abs(np.diff(np.unwrap(np.angle(points @ [1, 1j]))))))


def way_along(points: Floats) -> float:
    """Length of the closed polygon."""
    return float(np.sum(np.hypot(*(np.roll(points, -1, axis=0) - points).T)))


def opened(points: Floats) -> Floats:
    """Without a last point that is the first again."""
    closed = len(points) > 1 and np.allclose(points[0], points[-1], rtol=0.0, atol=CLOSED)
    return points[:-1] if closed else points


def counter_clockwise(points: Floats) -> Floats:
    """The same points, the other way round where they went clockwise."""
    return points if signed_area(points) > 0 else points[::-1].copy()


def around_by_angle(points: Floats) -> Floats:
    """The same where there is no outline yet along which they would be sorted."""
    return around_once(points, np.arctan2(points[:, 1], points[:, 0]))


def around_once(points: Floats, place: Floats) -> Floats:
    """Points of a disc about its centre, counter-clockwise: as they are where they go once around,
    else sorted by their `place` along the outline."""
    points = opened(points)
    if abs(turned_around(points) - 2 * math.pi) <= ONCE:
        return counter_clockwise(points)
    return np.asarray(points[np.argsort(place[: len(points)] % (2 * math.pi), kind="stable")])
