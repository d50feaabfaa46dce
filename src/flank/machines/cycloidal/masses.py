"""Masses and inertias of a cycloidal drive, from its dimensions.

What a spec does not draw is taken as plain: the shaft is a cylinder of the eccentric's radius over
all discs, the carrier a round plate one disc thick that reaches around its rollers.
"""

from typing import NamedTuple

from flank.machines.cycloidal.spec import CycloidalDriveSpec
from flank.machines.solids import MassInertia, cylinder, less


class DriveMasses(NamedTuple):
    """(kg, kg·m²) of one part of each kind."""

    shaft: MassInertia
    disc: MassInertia
    carrier: MassInertia
    pin: MassInertia


def drive_masses(spec: CycloidalDriveSpec) -> DriveMasses:
    density = spec.material(spec.discs.material).density
    pin_density = spec.material(spec.pins.material).density
    rollers = spec.output.rollers
    reach = rollers.circle_radius + rollers.radius if rollers else spec.discs.bore_radius
    return DriveMasses(
        shaft=cylinder(spec.eccentric_radius, spec.discs.count * spec.discs.width, density),
        disc=_disc(spec, density),
        carrier=cylinder(reach, spec.discs.width, density),
        pin=cylinder(spec.pins.radius, spec.pin_length, pin_density),
    )


def _disc(spec: CycloidalDriveSpec, density: float) -> MassInertia:
    """Disc of the mean flank radius less its bore and output holes."""
    width = spec.discs.width
    mean_radius = spec.generating_circle_radius - spec.generating_pin_radius
    disc = cylinder(mean_radius, width, density)
    disc = less(disc, cylinder(spec.discs.bore_radius, width, density))
    if (rollers := spec.output.rollers) is not None:
        hole = cylinder(spec.roller_hole_radius, width, density)
        disc = less(disc, hole, rollers.count, rollers.circle_radius)
    return disc
