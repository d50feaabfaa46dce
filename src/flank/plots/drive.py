"""A cycloidal drive drawn to scale in the pose of a crank angle."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from flank.machines.cycloidal.drive import CycloidalDrive
from flank.plots.outlines import (
    PIN_COLOUR,
    Hole,
    centres,
    circles,
    dotted_circle,
    draw_disc,
    flank_points,
    placed,
    ring_of,
)
from flank.plots.style import FAINT

FIRST_DISC = 2
"""Row of the first disc in a pose."""


def draw_drive(axes: Axes, drive: CycloidalDrive, crank_angle: float, disc: int) -> None:
    """One disc with its eccentric, the ring of pins and the output rollers, in mm."""
    pose = drive.ideal_pose(crank_angle)
    own = pose[FIRST_DISC + disc]
    outline = placed(flank_points(drive.shape, drive.lobes), own)
    draw_disc(axes, outline, _holes(drive, disc, own))
    spec = drive.spec
    dotted_circle(axes, np.zeros(2), spec.pins.circle_radius)
    circles(axes, drive.pin_positions(), spec.pins.radius, PIN_COLOUR)
    rollers = spec.output.rollers
    if rollers is not None:
        turned = pose[drive.output_body, 2]
        places = ring_of(rollers.count, rollers.circle_radius, turned)
        circles(axes, places, rollers.radius, PIN_COLOUR)
    circles(axes, own[None, :2], spec.eccentric_radius, FAINT)
    centres(axes, *own[:2])


def _holes(drive: CycloidalDrive, disc: int, pose: NDArray) -> list[Hole]:
    """The bore and every output hole."""
    found = [Hole(pose[:2], drive.spec.discs.bore_radius)]
    rollers = drive.spec.output.rollers
    if rollers is not None:
        first = drive.phases[disc] / drive.lobes
        places = placed(ring_of(rollers.count, rollers.circle_radius, first), pose)
        found += [Hole(place, drive.spec.roller_hole_radius) for place in places]
    return found
