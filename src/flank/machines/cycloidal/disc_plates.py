"""Discs of a cycloidal drive as elastic plates: what the elements are given, and their places.

Pins press on the rim, output rollers and needles on the walls of their holes. Without needles the
joint of eccentric and disc holds the bore, which stays round: then a disc's coordinates are those
of its bore.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flank.contact.plate_modes import PlateModes, plate_modes
from flank.dynamics.builder import ElasticCircle, ModelBuilder
from flank.elasticity.finite_elements.elastic_plate import PlateBody, spread_of
from flank.elasticity.finite_elements.plate_mesh import Circle
from flank.machines.round_parts import even_angles, polar

if TYPE_CHECKING:
    from flank.machines.cycloidal.spec import CycloidalDriveSpec

BORE = 0
"""Its number among the holes."""


@dataclass(frozen=True)
class DrivePlate:
    """The circles of one disc that contacts touch."""

    rim: ElasticCircle
    bore: ElasticCircle
    rollers: list[ElasticCircle]


def circles_of_discs(spec: CycloidalDriveSpec) -> list[Circle]:
    """The bore, and the holes of output rollers."""
    bore, rollers = Circle(0.0, 0.0, spec.discs.bore_radius), spec.output.rollers
    if rollers is None:
        return [bore]
    angles = even_angles(rollers.count)
    return [
        bore,
        *(Circle(*polar(rollers.circle_radius, a), spec.roller_hole_radius) for a in angles),
    ]


def modes_of_discs(spec: CycloidalDriveSpec) -> PlateModes:
    """Of any disc: their holes are alike."""
    circles, material = circles_of_discs(spec), spec.elastic(spec.discs.material)
    body = PlateBody(
        spec.root_radius,
        spec.discs.width,
        tuple(circles),
        tuple(range(len(circles))),
        material,
        spread_of(spec.pressed_depth, material),
        seat=BORE if spec.eccentric.bearing == "rigid" else None,
    )
    return plate_modes(body)


def add_plates(
    builder: ModelBuilder, spec: CycloidalDriveSpec, discs: range, turned: list[float]
) -> list[DrivePlate]:
    """Modes of all discs, whose holes are `turned` on them; none of discs that do not bend."""
    if not spec.discs.bends:
        return []
    modes, plates = modes_of_discs(spec), list[DrivePlate]()
    for j, (disc, angle) in enumerate(zip(discs, turned, strict=True)):
        damping = spec.discs.plate_damping
        rim, bore, *rollers = builder.plate_modes(f"disc {j + 1}", disc, modes, damping, angle)
        plates.append(DrivePlate(rim, bore, rollers))
    return plates
