"""Triangles of a round plate with round holes.

Corners stand evenly on every circle and, around it, on rings a step apart in the material; between
them on a lattice of equilateral triangles, which leaves alone what lies near a ring. Delaunay's
triangulation of all corners then has the chords of the circles as edges, because nothing is nearer
to them than their own rings, and what lies in a hole is dropped. No chance is in it: the same
plate has the same mesh.
"""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from flank.arrays import Flags, Floats, Integers

STEP = math.sqrt(3) / 2
"""Of a triangle's side: between a circle and the ring beside it."""

NEAR = 0.6
"""Of a side: corners of the lattice keep this distance from those that stand already."""

FEWEST = 12
"""Corners on a circle, however small."""

SMOOTHINGS = 5
"""Times that corners of the lattice move to the mean of their neighbours."""

SLIVER = 1e-3
"""Of the area of a triangle of this side: thinner ones are of three corners on one chord."""


class Circle(NamedTuple):
    """A circle of the plate: where it is, and its radius, in m."""

    x: float
    y: float
    radius: float


def thinnest_wall(radius: float, holes: Sequence[Circle]) -> float:
    """Between any two of the circles of a plate of some radius, negative where they cut."""
    rims = (radius - math.hypot(hole.x, hole.y) - hole.radius for hole in holes)
    apart = (
        math.hypot(one.x - other.x, one.y - other.y) - one.radius - other.radius
        for one, other in combinations(holes, 2)
    )
    return min((*rims, *apart), default=radius)


class PlateMesh(NamedTuple):
    """Corners (n, 2) in m, and triangles (m, 3) by the numbers of their corners, anticlockwise."""

    points: Floats
    triangles: Integers


def plate_mesh(
    outer_radius: float, holes: Sequence[Circle], size: float, inner: Sequence[Circle] = ()
) -> PlateMesh:
    """A plate about the origin with sides of about `size`; `inner` circles are edges, too, with
    material on both sides.

    Holes and inner circles must neither cut each other nor the rim.
    """
    rim = Circle(0.0, 0.0, outer_radius)
    points = np.concatenate([_ring(circle, 0.0, size) for circle in (rim, *holes, *inner)])
    beside = [_ring(rim, -STEP, size), *(_ring(hole, STEP, size) for hole in holes)]
    for circle in inner:
        inside = _ring(circle, -STEP, size)
        if len(inside) == 1:  # without its middle a small circle would be of thin triangles
            points = np.concatenate((points, inside))
        beside += [inside, _ring(circle, STEP, size)]
    held = len(points)
    for ring in beside:
        points = _joined(points, ring[_inside(ring, rim, holes, 0.5 * size)], NEAR * size)
    lattice = _lattice(outer_radius, size)
    lattice = lattice[_inside(lattice, rim, holes, 0.5 * size)]
    points = _joined(points, lattice, NEAR * size)
    triangles = _triangles(points, rim, holes, size)
    for _ in range(SMOOTHINGS):
        points = _smoothed(points, triangles, held)
        triangles = _triangles(points, rim, holes, size)
    return PlateMesh(points, triangles)


def _ring(circle: Circle, away: float, size: float) -> Floats:
    """Corners on a circle, `away` sides outside of it; every second ring stands in the gaps."""
    radius = circle.radius + away * size
    if away and radius < 0.5 * size:
        return np.array([[circle.x, circle.y]])
    count = max(FEWEST, round(2 * math.pi * circle.radius / size))
    if away:
        count = max(round(count * radius / circle.radius), FEWEST // 2)
    angles = 2 * math.pi * (np.arange(count) + (0.5 if away else 0.0)) / count
    x, y = circle.x + radius * np.cos(angles), circle.y + radius * np.sin(angles)
    return np.column_stack((x, y))


def _lattice(outer_radius: float, size: float) -> Floats:
    """Equilateral triangles over the square around the plate, symmetric to its middle."""
    most = math.ceil(outer_radius / (STEP * size)) + 1
    row, column = np.meshgrid(*[np.arange(-most, most + 1)] * 2, indexing="ij")
    return size * np.column_stack(((column + 0.5 * (row % 2)).ravel(), (STEP * row).ravel()))


def _inside(points: Floats, rim: Circle, holes: Sequence[Circle], margin: float) -> Flags:
    """Whether points lie in the material, at least `margin` from its edges."""
    inside = np.hypot(points[:, 0], points[:, 1]) < rim.radius - margin
    for hole in holes:
        inside &= np.hypot(points[:, 0] - hole.x, points[:, 1] - hole.y) > hole.radius + margin
    return np.asarray(inside)


def _joined(points: Floats, more: Floats, distance: float) -> Floats:
    """With those of `more` that keep the distance from all that stand."""
    from scipy.spatial import cKDTree

    if not len(more):
        return points
    away, _ = cKDTree(points).query(more)
    return np.concatenate((points, more[away > distance]))


def _triangles(points: Floats, rim: Circle, holes: Sequence[Circle], size: float) -> Integers:
    """Delaunay's, without those in holes and slivers along the rim."""
    from scipy.spatial import Delaunay

    triangles = Delaunay(points).simplices.astype(int)
    a, b, c = (points[triangles[:, k]] for k in range(3))
    area = 0.5 * ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0])
    triangles[area < 0] = triangles[area < 0][:, ::-1]
    kept = _inside((a + b + c) / 3, rim, holes, 0.0)
    kept &= np.abs(area) > SLIVER * 0.5 * STEP * size**2
    return np.asarray(triangles[kept])


def _smoothed(points: Floats, triangles: Integers, held: int) -> Floats:
    """Corners moved to the mean of their neighbours, but for the first `held`."""
    total, count = np.zeros_like(points), np.zeros(len(points))
    for a, b in ((0, 1), (1, 2), (2, 0), (1, 0), (2, 1), (0, 2)):
        np.add.at(total, triangles[:, a], points[triangles[:, b]])
        np.add.at(count, triangles[:, a], 1.0)
    moved = points.copy()
    moved[held:] = total[held:] / np.maximum(count[held:], 1.0)[:, None]
    return moved
