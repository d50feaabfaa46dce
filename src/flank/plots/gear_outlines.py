"""Gears with their real teeth, drawn to scale in mm."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from flank.geometry.gear import Gear
from flank.geometry.planetary import PlanetarySet
from flank.geometry.tooth_outline import gear_outline
from flank.plots.outlines import (
    POINTS_PER_CIRCLE,
    Hole,
    closed_path,
    draw_disc,
    fill,
    placed,
    ring_of,
)
from flank.plots.style import BODY, INK

POINTS_PER_PIECE = 8
RIM = 0.6
"""Thickness of a drawn rim behind the roots, in tooth heights, where none is given."""


def gear_points(gear: Gear, pose: NDArray) -> NDArray:
    """Outline (n, 2) of a gear that stands at a pose (x, y, direction of a tooth)."""
    return placed(np.column_stack(gear_outline(gear, POINTS_PER_PIECE)), pose)


def draw_gear(axes: Axes, gear: Gear, pose: NDArray, bore: float = 0.0) -> None:
    """An external gear as a filled outline, with a round bore if it has one."""
    holes = [Hole(np.asarray(pose[:2]), bore)] if bore else []
    draw_disc(axes, gear_points(gear, pose), holes)


def rim_radius(gear: Gear) -> float:
    """Of a ring as it is drawn where no outer radius is given."""
    return gear.root_radius + RIM * (gear.root_radius - gear.tip_radius)


def draw_ring(
    axes: Axes, gear: Gear, pose: NDArray, outer_radius: float = 0.0, colour: str = BODY
) -> None:
    """An internal gear as a filled ring, its teeth inside."""
    outer = outer_radius or rim_radius(gear)
    around = np.asarray(pose[:2]) + ring_of(4 * POINTS_PER_CIRCLE, outer)
    # The teeth run against the outer circle and so bound a hole.
    fill(axes, [closed_path(around), closed_path(gear_points(gear, pose)[::-1])], colour, INK)


def draw_planetary(
    axes: Axes, gears: PlanetarySet, sun: float = 0.0, outer_radius: float = 0.0
) -> None:
    """Sun, planets and ring in mesh, a tooth of the sun at the angle `sun`."""
    ring = gears.ring_tooth_angle(sun)
    draw_ring(axes, gears.planet_ring.second, np.array([0.0, 0.0, ring]), outer_radius)
    draw_gear(axes, gears.sun_planet.first, np.array([0.0, 0.0, sun]))
    a = gears.sun_planet.centre_distance
    for n, direction in enumerate(gears.directions):
        tooth = gears.planet_tooth_angle(n, sun, ring).tooth_angle
        pose = np.array([a * np.cos(direction), a * np.sin(direction), tooth])
        draw_gear(axes, gears.planet_ring.first, pose)
