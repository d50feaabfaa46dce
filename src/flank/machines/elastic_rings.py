"""Elastic rings in the housing: what specs say of them, what elements are given, and their places
in a model.

A ring of pins begins at the bottom of its grooves, a ring gear at its root circle. What lies above
the depth that the law of contact counts is the contact's own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Literal

from flank.elasticity.finite_elements.elastic_plate import spread_of
from flank.elasticity.finite_elements.elastic_ring import RingBody
from flank.elasticity.finite_elements.plate_mesh import Circle, thinnest_wall
from flank.elasticity.material import Material
from flank.machines.quantities import Angle, PositiveLength, WholeNumber
from flank.machines.round_parts import even_angles, polar
from flank.machines.spec import Spec, key, optional
from flank.texts import mm

if TYPE_CHECKING:
    from flank.dynamics.builder import ElasticCircle, ModelBuilder

BOLT_KEYS = ("bolt_count", "bolt_circle_radius", "bolt_radius")

PIN_MODES, TOOTH_MODES = 24, 48
"""Of a ring that pins press on all round, or some teeth in a few places."""

THINNEST_WALL = 1 / 100
"""Of the outer radius, that elements of a ring can tell apart."""

GROOVE_DEPTH = 2 * math.exp(-0.5 * (1 - 0.3 / 0.7))
"""Of a groove's radius: how deep the law of a pin in it counts the wall. There a deep body gives
way as the cylinder does that Hertz's law makes of a groove (elasticity/line_contact.py), with
Poisson's ratio of metals."""


class RingBodySpec(Spec):
    """How a ring is held, and how wide it is."""

    held: Literal["outer face", "bolts"] = key(
        "where something rigid holds the ring: all over its outer face, as in a stiff bore, or in "
        "the holes of its bolts",
        default="outer face",
    )
    bolt_count: Annotated[int, WholeNumber(minimum=3, most=200)] | None = optional(
        "the number of bolts, where these hold the ring", 16
    )
    bolt_circle_radius: PositiveLength | None = optional(
        "the radius of the circle of bolts", "140 mm"
    )
    bolt_radius: PositiveLength | None = optional("the radius of a bolt's hole", "5.5 mm")
    bolt_angle: Angle = key(
        "the angle of the first bolt from the first pin or the first space", "0 deg", default=0.0
    )
    width: PositiveLength | None = optional(
        "the width of the ring; that of all discs if absent", "32 mm"
    )

    def cross_checks(self) -> Iterable[str]:
        for name in BOLT_KEYS:
            given = getattr(self, name) is not None
            if self.held == "bolts" and not given:
                yield f"{name} is missing: a ring that is held by bolts needs it"
            if self.held != "bolts" and given:
                yield (
                    f"{name} does nothing with held '{self.held}'; remove it, or set held: bolts"
                )
        if self.held != "bolts" and self.bolt_angle:
            yield f"bolt_angle does nothing with held '{self.held}'; remove it"

    def bolts(self) -> tuple[Circle, ...]:
        """Their holes."""
        if self.bolt_count is None or self.bolt_circle_radius is None or self.bolt_radius is None:
            return ()
        return tuple(
            Circle(*polar(self.bolt_circle_radius, angle + self.bolt_angle), self.bolt_radius)
            for angle in even_angles(self.bolt_count)
        )

    def circles(self, inside: float) -> tuple[Circle, ...]:
        """Of all holes, its own included."""
        return Circle(0.0, 0.0, inside), *self.bolts()

    def wall_problems(self, block: str, inside: float, outside: float, what: str) -> Iterator[str]:
        """Whether there is a ring of any thickness between all its circles."""
        least = THINNEST_WALL * outside
        if outside <= inside:
            yield (
                f"{what} is {mm(outside)}; the ring must reach beyond {mm(inside)}, where it "
                "begins behind pins or teeth"
            )
        elif (wall := thinnest_wall(outside, self.circles(inside))) < least:
            yield (
                f"{block}: the thinnest wall is {mm(max(wall, 0.0))}, elements need {mm(least)}; "
                "use a larger outer radius, or fewer or smaller bolts in the middle of the ring"
            )


class HousingRingSpec(RingBodySpec):
    """The ring of the housing that holds the pins."""

    outer_radius: PositiveLength = key("the radius of the ring's outer face", "141 mm")
    material: str = key("the name of a material", default="steel")


def ring_body(
    spec: RingBodySpec,
    radii: tuple[float, float],
    width: float,
    material: Material,
    depth: float,
    modes: int,
) -> RingBody:
    """`width` if the spec has none; the law of contact counts the wall down to `depth`."""
    spread = spread_of(depth, material)
    return RingBody(*radii, spec.width or width, material, spread, spec.bolts(), modes)


def add_ring(builder: ModelBuilder, housing: int, body: RingBody, damping: float) -> ElasticCircle:
    """Modes of a ring on a body that holds it, ground or a housing; the circle that pins or teeth
    stand on."""
    from flank.contact.plate_modes import plate_modes  # no spec waits for kernels

    (circle,) = builder.plate_modes("ring", housing, plate_modes(body), damping)
    return circle


def ring_rows(body: RingBody) -> int:
    """Rows of its modes."""
    from flank.contact.plate_modes import ROW, plate_modes

    return len(plate_modes(body)) // ROW
