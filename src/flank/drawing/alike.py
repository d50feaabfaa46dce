"""Whether a machine looks the same after its input has turned: parts that are alike are one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.spatial import cKDTree

from flank.analyses.drawing import Drawing, drawing_at_rest

if TYPE_CHECKING:
    from flank.arrays import Floats

NEAR = 0.004
"""Over the size of the machine: what two pictures may differ by, a pixel or two."""

SPACING = 0.002
"""Of points on lines, over the size of the machine."""


def repeats(machine: Any, turned: float) -> bool:
    """Whether the ideal machine looks as before after that angle of its input, in rad."""
    first, again = drawing_at_rest(machine), drawing_at_rest(machine, turned)
    if first is None or again is None:
        return True
    size = float(max(np.ptp(cloud, axis=0).max() for cloud in _clouds(first, np.inf).values()))
    before, after = (_clouds(each, SPACING * size) for each in (first, again))
    return all(_same(before[key], after[key], NEAR * size) for key in before)


def _same(first: Floats, second: Floats, near: float) -> bool:
    return bool(
        cKDTree(first).query(second)[0].max() < near
        and cKDTree(second).query(first)[0].max() < near
    )


def _clouds(drawing: Drawing, spacing: float) -> dict[tuple[str, str], Floats]:
    """Points along the lines of all outlines of each kind and layer."""
    clouds: dict[tuple[str, str], list[Floats]] = {}
    for outline in drawing.outlines:
        points = drawing.placed(outline)
        if outline.closed:
            points = np.vstack((points, points[:1]))
        clouds.setdefault((outline.kind, outline.layer), []).append(_dense(points, spacing))
    return {key: np.vstack(parts) for key, parts in clouds.items()}


def _dense(points: Floats, spacing: float) -> Floats:
    """A polyline with points at most so far apart."""
    if len(points) < 2 or not np.isfinite(spacing):
        return points
    along = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))))
    places = np.linspace(0.0, along[-1], max(int(along[-1] / spacing) + 2, len(points)))
    return np.column_stack([np.interp(places, along, column) for column in points.T])
