"""A cycloidal drive drawn to scale in the pose of a crank angle."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.path import Path
from numpy.typing import NDArray

from flank.geometry.curve import Polyline, evaluate, period
from flank.machines.cycloidal_drive import CycloidalDrive
from flank.plots.style import BODY, FAINT, INK, QUIET

MILLIMETRE = 1e3
POINTS_PER_LOBE = 40
POINTS_PER_CIRCLE = 90
PIN_COLOUR = "#c9ced6"
FIRST_DISC = 2
"""Row of the first disc in a pose."""


def draw_drive(axes: Axes, drive: CycloidalDrive, crank_angle: float, disc: int) -> None:
    """One disc with its eccentric, the ring of pins and the output rollers, in mm."""
    pose = drive.ideal_pose(crank_angle)
    x, y, angle = pose[FIRST_DISC + disc]
    outline = _placed(_profile(drive), x, y, angle)
    holes = _holes(drive, disc, x, y, angle)
    _draw_disc(axes, outline, holes)
    spec = drive.spec
    ring = _ring_of(POINTS_PER_CIRCLE, spec.pins.circle_radius * MILLIMETRE, 0.0)
    axes.plot(*ring.T, color=QUIET, linewidth=0.7, linestyle=(0, (1, 3)), zorder=0.5)
    _circles(axes, drive.pin_positions(), spec.pins.radius, PIN_COLOUR)
    rollers = spec.output.rollers
    if rollers is not None:
        turned = pose[drive.output_body, 2]
        centres = _ring_of(rollers.count, rollers.circle_radius, turned)
        _circles(axes, centres, rollers.radius, PIN_COLOUR)
    _circles(axes, np.array([[x, y]]), spec.eccentric_radius, FAINT)
    _centres(axes, x, y)


def _profile(drive: CycloidalDrive) -> NDArray:
    """Points of the flank in the disc's frame."""
    shape = drive.shape
    if isinstance(shape, Polyline):
        return np.asarray(shape.points)
    count = POINTS_PER_LOBE * drive.lobes
    return evaluate(shape, np.arange(count) * (period(shape) / count))[:, :2]


def _placed(points: NDArray, x: float, y: float, angle: float) -> NDArray:
    cosine, sine = np.cos(angle), np.sin(angle)
    return points @ np.array([[cosine, sine], [-sine, cosine]]) + (x, y)


def _ring_of(count: int, radius: float, first: float) -> NDArray:
    angles = first + 2 * np.pi * np.arange(count) / count
    return radius * np.column_stack((np.cos(angles), np.sin(angles)))


def _holes(
    drive: CycloidalDrive, disc: int, x: float, y: float, angle: float
) -> list[tuple[NDArray, float]]:
    """Centre and radius of the bore and of every output hole."""
    found = [(np.array([x, y]), drive.spec.discs.bore_radius)]
    rollers = drive.spec.output.rollers
    if rollers is not None:
        first = angle + drive.phases[disc] / drive.lobes
        centres = _ring_of(rollers.count, rollers.circle_radius, first) + np.array([x, y])
        found += [(centre, drive.spec.roller_hole_radius) for centre in centres]
    return found


def _draw_disc(axes: Axes, outline: NDArray, holes: list[tuple[NDArray, float]]) -> None:
    """The disc as one filled path; holes run against the outline and so stay empty."""
    paths = [_closed(outline), *(_circle(centre, radius, -1) for centre, radius in holes)]
    _fill(axes, paths, BODY, INK)


def _circles(axes: Axes, centres: NDArray, radius: float, colour: str) -> None:
    _fill(axes, [_circle(centre, radius, 1) for centre in centres], colour, QUIET)


def _circle(centre: NDArray, radius: float, direction: int) -> Path:
    return _closed(centre + _ring_of(POINTS_PER_CIRCLE, radius, 0.0)[::direction])


def _closed(points: NDArray) -> Path:
    return Path(np.vstack((points, points[:1])) * MILLIMETRE, closed=True)


def _fill(axes: Axes, paths: list[Path], face: str, edge: str) -> None:
    """Many outlines as one, added without the slow search for its extent: the frame is known."""
    whole = PathCollection(
        [Path.make_compound_path(*paths)], facecolor=face, edgecolor=edge, linewidth=0.7
    )
    axes.add_collection(whole, autolim=False)


def _centres(axes: Axes, x: float, y: float) -> None:
    """The machine's centre as a cross and the eccentric's as a dot."""
    axes.plot(0.0, 0.0, "+", color=INK, markersize=9, markeredgewidth=0.8)
    axes.plot(x * MILLIMETRE, y * MILLIMETRE, "o", color=INK, markersize=2.5)


def outermost(drive: CycloidalDrive) -> float:
    """Half the width in m that shows the whole ring of pins."""
    pins = drive.spec.pins
    return pins.circle_radius + 2.2 * pins.radius
