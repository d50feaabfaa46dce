"""The outlines of a cycloidal drive: discs with their holes, eccentrics, pins, output rollers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from flank.arrays import Floats
from flank.dynamics.tables import GROUND
from flank.machines.outlines import Outline, circle, disc_layer, flank_points, pin_outlines, ring_of

if TYPE_CHECKING:
    from flank.machines.cycloidal.drive import CycloidalDrive

INPUT, FIRST_DISC = 1, 2
"""Body numbers."""


def drive_outlines(drive: CycloidalDrive) -> list[Outline]:
    """Disc by disc, then what all discs share."""
    spec = drive.spec
    flank = flank_points(drive.shape, drive.lobes)
    discs = [part for j in range(spec.discs.count) for part in _disc(drive, j, flank)]
    eccentrics = [_eccentric(drive, j) for j in range(spec.discs.count)]
    axis = Outline("drive", GROUND, np.zeros((1, 2)), "axis", closed=False)
    return [*discs, *_pins(drive), *_rollers(drive), *eccentrics, axis]


def _disc(drive: CycloidalDrive, j: int, flank: Floats) -> Iterator[Outline]:
    """A disc, its bore, its output holes and its centre."""
    spec, body, layer, name = drive.spec, FIRST_DISC + j, disc_layer(j), f"disc {j + 1}"
    yield Outline(name, body, flank, "body", layer=layer)
    yield Outline(name, body, circle(spec.discs.bore_radius), "hole", layer=layer)
    rollers = spec.output.rollers
    if rollers is not None:
        first = drive.phases[j] / drive.lobes  # the disc's frame is turned by -ψ/z_c
        for place in ring_of(rollers.count, rollers.circle_radius, first):
            hole = circle(spec.roller_hole_radius, place)
            yield Outline(name, body, hole, "hole", layer=layer)
    yield Outline(name, body, np.zeros((1, 2)), "centre", closed=False, layer=layer)


def _eccentric(drive: CycloidalDrive, j: int) -> Outline:
    place = ring_of(1, drive.spec.eccentricity, drive.phases[j])[0]
    points = circle(drive.spec.eccentric_radius, place)
    return Outline(f"eccentric {j + 1}", INPUT, points, "eccentric", layer=disc_layer(j))


def _pins(drive: CycloidalDrive) -> list[Outline]:
    """Pins in the housing, or as bodies, the last ones, where they roll."""
    pins, rows = drive.spec.pins, len(drive.ideal_pose(0.0))
    bodies = range(rows - pins.count, rows) if pins.loose else ()
    return pin_outlines(pins.circle_radius, drive.pins.centres, drive.pins.radii, bodies)


def _rollers(drive: CycloidalDrive) -> Iterator[Outline]:
    rollers = drive.spec.output.rollers
    if rollers is not None:
        for k, place in enumerate(ring_of(rollers.count, rollers.circle_radius)):
            points = circle(rollers.radius, place)
            yield Outline(f"output roller {k + 1}", drive.output_body, points, "pin")
