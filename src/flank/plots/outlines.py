"""Outlines of parts, drawn to scale in mm."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.path import Path
from numpy.typing import NDArray

from flank.geometry.curve import Polyline, Shape, evaluate, period
from flank.plots.style import BODY, INK, QUIET

MILLIMETRE = 1e3
POINTS_PER_LOBE = 40
POINTS_PER_CIRCLE = 90
PIN_COLOUR = "#c9ced6"


class Hole(NamedTuple):
    """A round hole, in m."""

    centre: NDArray
    radius: float


def flank_points(shape: Shape, lobes: int) -> NDArray:
    """Points of a flank in the disc's frame."""
    if isinstance(shape, Polyline):
        return np.asarray(shape.points)
    count = POINTS_PER_LOBE * lobes
    return evaluate(shape, np.arange(count) * (period(shape) / count))[:, :2]


def placed(points: NDArray, pose: NDArray) -> NDArray:
    """Points of a body's frame where its pose (x, y, θ) puts them."""
    x, y, angle = pose
    cosine, sine = np.cos(angle), np.sin(angle)
    return points @ np.array([[cosine, sine], [-sine, cosine]]) + (x, y)


def ring_of(count: int, radius: float, first: float = 0.0) -> NDArray:
    """Points (count, 2) evenly on a circle about the origin."""
    angles = first + 2 * np.pi * np.arange(count) / count
    return radius * np.column_stack((np.cos(angles), np.sin(angles)))


def draw_disc(axes: Axes, outline: NDArray, holes: list[Hole]) -> None:
    """The disc as one filled path; holes run against the outline and so stay empty."""
    paths = [closed_path(outline), *(_circle(centre, radius, -1) for centre, radius in holes)]
    fill(axes, paths, BODY, INK)


def circles(axes: Axes, centres: NDArray, radius: float, colour: str) -> None:
    """Filled circles of one radius."""
    fill(axes, [_circle(centre, radius, 1) for centre in centres], colour, QUIET)


def dotted_circle(axes: Axes, centre: NDArray, radius: float, above: bool = False) -> None:
    """A circle that only guides the eye, behind the parts or above them."""
    ring = (centre + ring_of(POINTS_PER_CIRCLE, radius)) * MILLIMETRE
    closed = np.vstack((ring, ring[:1]))
    height = 3.0 if above else 0.5
    axes.plot(*closed.T, color=QUIET, linewidth=0.7, linestyle=(0, (1, 3)), zorder=height)


def centres(axes: Axes, x: float, y: float) -> None:
    """The machine's centre as a cross and the disc's as a dot."""
    axes.plot(0.0, 0.0, "+", color=INK, markersize=9, markeredgewidth=0.8)
    axes.plot(x * MILLIMETRE, y * MILLIMETRE, "o", color=INK, markersize=2.5)


def _circle(centre: NDArray, radius: float, direction: int) -> Path:
    return closed_path(centre + ring_of(POINTS_PER_CIRCLE, radius)[::direction])


def closed_path(points: NDArray) -> Path:
    """Points (n, 2) in m as a closed path in mm."""
    return Path(np.vstack((points, points[:1])) * MILLIMETRE, closed=True)


def fill(axes: Axes, paths: list[Path], face: str, edge: str) -> None:
    """Many outlines as one, added without the slow search for its extent: the frame is known."""
    whole = PathCollection(
        [Path.make_compound_path(*paths)], facecolor=face, edgecolor=edge, linewidth=0.7
    )
    axes.add_collection(whole, autolim=False)
