"""Closed polylines: CAD points and the piecewise-linear curves of arXiv 2604.02387, section 3.3.

One that runs clockwise is the wall of a hole. A circle inside it lies in a corner: between the
normals of two segments no point is the nearest one, and a force in such a direction would be borne
by none. It is borne by both segments, whose forces together are that of one contact at that depth.
That is the limit of a corner rounded by an arc tangent to both segments, as the arc becomes short,
since the energy of the nearest segment is a convex function of the circle's place. So the corners
of holes are rounded, by the longest arc that leaves half of the shorter segment to the next corner:
a wall of unit normals that turn steadily, no farther from the points than chords are from the curve
they were taken from. A regular polygon becomes the circle inside it, R cos(π/n).

Corners of more than `SHARPEST_CORNER` are corners of the part; they stay, as do all of an outline.
"""

import math
from dataclasses import dataclass

import numpy as np

from flank.arrays import Floats
from flank.geometry.spline import signed_area

BLOCK = 16
"""Segments that share one bounding box."""

SECTORS = 512
"""Equal polar angles, each with the run of blocks that pass through it."""

VERTEX_FIELDS = 4  # x, y, curvature, length of a rounded corner on either segment
BOX_FIELDS = 4  # x and y limits of a block
SECTOR_FIELDS = 2  # first block, number of blocks

SHARPEST_CORNER = math.radians(30)
"""Turn of a hole's wall up to which a corner comes from chords of a curve: twelve to a circle."""

FLAT = 1e-9
"""Turn in rad below which two segments are one."""


@dataclass(frozen=True)
class Polyline:
    """Closed polyline through points (n, 2), the last joined to the first: counter-clockwise for an
    outline, clockwise for the wall of a hole."""

    points: Floats

    def packed(self) -> Floats:
        """Vertices with their curvature, boxes of the blocks, and the sectors, in one row."""
        rows = np.zeros((len(self.points), VERTEX_FIELDS))
        rows[:, :2] = self.points
        rows[:, 2] = vertex_curvature(self.points)
        rows[:, 3] = self.rounded()
        return np.concatenate((rows.ravel(), self.boxes().ravel(), self.sectors().ravel()))

    def rounded(self) -> Floats:
        """How far from every vertex its corner is rounded, in m on both segments; 0 leaves it."""
        if signed_area(self.points) > 0:
            return np.zeros(len(self.points))
        before, after = _sides(self.points)
        cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
        turn = np.arctan2(-cross, np.sum(before * after, axis=1))
        half: Floats = 0.5 * np.minimum(np.hypot(*before.T), np.hypot(*after.T))
        return np.where((turn > FLAT) & (turn <= SHARPEST_CORNER), half, 0.0)

    def blocks(self) -> list[Floats]:
        """Points of each block of segments, its last point being the next block's first."""
        closed = np.vstack((self.points, self.points[:1]))
        count = len(self.points)
        return [closed[i : min(i + BLOCK, count) + 1] for i in range(0, count, BLOCK)]

    def boxes(self) -> Floats:
        """Rows (x_min, x_max, y_min, y_max), one for each block of segments."""
        return np.array(
            [[b[:, 0].min(), b[:, 0].max(), b[:, 1].min(), b[:, 1].max()] for b in self.blocks()]
        )

    def sectors(self) -> Floats:
        """Rows (first block, number of blocks) of the run of blocks that meets each sector.

        A curve that is not star-shaped about its origin gets longer runs, never wrong ones.
        """
        blocks = self.blocks()
        members = np.zeros((SECTORS, len(blocks)), dtype=bool)
        for i, block in enumerate(blocks):
            angles = np.unwrap(np.arctan2(block[:, 1], block[:, 0]))
            low, high = (
                math.floor(a * SECTORS / (2 * math.pi)) for a in (angles.min(), angles.max())
            )
            members[np.arange(low, high + 1) % SECTORS, i] = True
        return np.array([_cyclic_run(row) for row in members], dtype=float)


def _cyclic_run(members: Floats) -> tuple[int, int]:
    """Shortest run of cyclic indices that holds all members: (first, length)."""
    where = np.flatnonzero(members)
    if len(where) == 0:
        return 0, 0
    holes = np.diff(where, append=where[0] + len(members))
    widest = int(np.argmax(holes))
    first = int(where[(widest + 1) % len(where)])
    return first, len(members) - int(holes[widest]) + 1


def _sides(points: Floats) -> tuple[Floats, Floats]:
    """Vectors to every vertex from the one before, and from it to the next."""
    return points - np.roll(points, 1, axis=0), np.roll(points, -1, axis=0) - points


def vertex_curvature(points: Floats) -> Floats:
    """Curvature of the circle through each vertex and its two neighbours, positive if convex."""
    before, after = _sides(points)
    across = before + after
    cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    lengths = [np.hypot(*v.T) for v in (before, after, across)]
    curvature: Floats = 2 * cross / (lengths[0] * lengths[1] * lengths[2])
    return curvature
