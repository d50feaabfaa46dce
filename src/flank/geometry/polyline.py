"""Closed polylines: CAD points and the piecewise-linear curves of arXiv 2604.02387, section 3.3."""

import math
from dataclasses import dataclass

import numpy as np

from flank.arrays import Floats

BLOCK = 16
"""Segments that share one bounding box."""

SECTORS = 512
"""Equal polar angles, each with the run of blocks that pass through it."""

VERTEX_FIELDS = 4  # x, y, curvature, spare
BOX_FIELDS = 4  # x and y limits of a block
SECTOR_FIELDS = 2  # first block, number of blocks


@dataclass(frozen=True)
class Polyline:
    """Closed polyline through points (n, 2), counter-clockwise, the last joined to the first."""

    points: Floats

    def packed(self) -> Floats:
        """Vertices with their curvature, boxes of the blocks, and the sectors, in one row."""
        rows = np.zeros((len(self.points), VERTEX_FIELDS))
        rows[:, :2] = self.points
        rows[:, 2] = vertex_curvature(self.points)
        return np.concatenate((rows.ravel(), self.boxes().ravel(), self.sectors().ravel()))

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


def vertex_curvature(points: Floats) -> Floats:
    """Curvature of the circle through each vertex and its two neighbours, positive if convex."""
    before = points - np.roll(points, 1, axis=0)
    after = np.roll(points, -1, axis=0) - points
    across = before + after
    cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    lengths = [np.hypot(*v.T) for v in (before, after, across)]
    curvature: Floats = 2 * cross / (lengths[0] * lengths[1] * lengths[2])
    return curvature
