"""Specs of reducers whose cycloid discs roll in a ring of pins: its block, checks and errors.

A pin is fixed in the housing, or loose in a groove, where it rolls or floats.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Literal, Protocol

from flank.elasticity.finite_elements.elastic_ring import RingBody
from flank.elasticity.seated_pin import groove_wall, seated_half
from flank.machines.contact_spec import ContactSpec
from flank.machines.elastic_rings import GROOVE_DEPTH, PIN_MODES, HousingRingSpec, ring_body
from flank.machines.error_kinds import ErrorKind, Extra, Kinds, Values, diameter, distance
from flank.machines.flank_profile import SEGMENTS_PER_LOBE
from flank.machines.measured.pins import MeasuredPins, NominalRing, read_pins
from flank.machines.measured.points import PointsFit, unit_problem
from flank.machines.quantities import PinCount, PositiveLength
from flank.machines.release_spec import ReleaseSpec
from flank.machines.spec import Spec, key, optional
from flank.texts import mm, um

PIN_KINDS = ("pin_radius", "pin_radial", "pin_tangential")

CIRCLE_KINDS = ("pin_circle_x", "pin_circle_y", "pin_circle_oval", "pin_circle_oval_diagonal")
"""Errors that all pins have in common: of the housing's bore."""

LARGEST_SHARE = 0.1
"""Of the dimension that deviates, beyond which a deviation is a mistake."""


def pin_kinds(radius: float, place: float) -> Kinds:
    """Errors of pins with their tolerances in m; x points to pin 1. An ovality is the amplitude of
    the radius, a cos 2φ along x and a sin 2φ along the diagonal."""
    circle = distance("radius of the pin circle", "pins.circle_radius")
    return {
        "pin_radius": ErrorKind(
            "radius of {}", ("pin",), radius, size=diameter("diameter of a pin", "pins.radius")
        ),
        "pin_radial": ErrorKind("outward position of {}", ("pin",), place, size=circle),
        "pin_tangential": ErrorKind("tangential position of {}", ("pin",), place, size=circle),
        "pin_circle_x": ErrorKind("pin circle off the axis along x", (), 5e-6),
        "pin_circle_y": ErrorKind("pin circle off the axis along y", (), 5e-6),
        "pin_circle_oval": ErrorKind("ovality of the pin circle, wide along x", (), 3e-6),
        "pin_circle_oval_diagonal": ErrorKind(
            "ovality of the pin circle, wide halfway between x and y", (), 3e-6
        ),
    }


class PinRingSpec(Spec):
    """The ring of pins in the housing."""

    loose_mounting: ClassVar[str]
    """What the spec calls pins that are bodies in grooves."""

    count: PinCount = key("the number of pins", 40)
    circle_radius: PositiveLength = key("the radius of the circle of pin centres", "64 mm")
    radius: PositiveLength = key("the radius of a pin", "3 mm")
    mounting: str = key("how pins are held", default="fixed")
    groove_radius: PositiveLength | None = optional("the radius of a pin's groove", "3.01 mm")
    material: str = key("the name of a material", default="steel")
    grooves: Literal["rigid", "elastic"] = key(
        "what fixed pins sit in: rigid, or half-round grooves without play in which pin and wall "
        "give way; grooves of loose pins are contacts and always do",
        default="rigid",
    )
    ring: HousingRingSpec | None = optional(
        "the housing around the pins as an elastic ring; rigid if absent"
    )
    points_file: str | None = optional(
        "a file of pins as measured, a row each: pin, x, y and diameter as far as they are known",
        "pins.csv",
    )
    points_unit: str | None = optional(
        "the unit of that file, where its headings do not tell; m if absent", "mm"
    )
    points_fit: PointsFit | None = optional(
        "how measured places are laid onto the ring: turned and moved, turned only, or not at "
        "all; 'angle and centre' if absent",
        "angle",
    )

    @property
    def loose(self) -> bool:
        """Whether pins are bodies in grooves."""
        return self.mounting == self.loose_mounting

    def cross_checks(self) -> Iterable[str]:
        if not self.loose and self.groove_radius is not None:
            yield (
                "groove_radius does nothing with fixed pins; "
                f"remove it, or set pins.mounting to '{self.loose_mounting}'"
            )
        if self.loose and self.groove_radius is None:
            yield (
                f"groove_radius is missing: {self.loose_mounting} pins need it, "
                "and it must exceed pins.radius"
            )
        if self.groove_radius is not None and self.groove_radius <= self.radius:
            yield "groove_radius must exceed pins.radius; a pin must fit into its groove"
        if self.loose and self.grooves == "elastic":
            yield (
                "grooves 'elastic' does nothing with loose pins, whose grooves are contacts that "
                "give way; remove it"
            )
        if self.ring is not None:
            yield from self.ring.wall_problems(
                "ring", self.groove_bottom, self.ring.outer_radius, "ring.outer_radius"
            )
        for name in ("points_unit", "points_fit"):
            if getattr(self, name) is not None and self.points_file is None:
                yield f"{name} does nothing without a points_file; remove it"
        if problem := unit_problem(self.points_unit):
            yield f"points_unit: {problem}"

    @property
    def groove_bottom(self) -> float:
        """Radius at which the ring begins behind the pins."""
        return self.circle_radius + (self.groove_radius or self.radius)

    @property
    def groove_depth(self) -> float:
        """Below that, down to which laws of contact count the ring."""
        return GROOVE_DEPTH * (self.groove_radius or self.radius)

    @property
    def elastic(self) -> bool:
        """Whether the ring that holds them gives way."""
        return self.ring is not None

    def circle_problems(self, eccentricity: float, circles: Mapping[str, float]) -> Iterator[str]:
        """Whether the flank made on these circles (key, radius) exists, and pins stand apart."""
        shift = eccentricity * self.count
        tight = [name for name, radius in circles.items() if shift >= radius]
        if tight:
            largest = mm(circles[tight[0]] / self.count)
            yield (
                f"eccentricity is {mm(eccentricity)}; it must be less than {largest} "
                f"({tight[0]} / pins.count), or the flank crosses itself"
            )
        room = self.circle_radius * math.sin(math.pi / self.count)
        if self.radius >= room:
            yield (
                f"pins.radius is {mm(self.radius)}; neighbouring pins touch at {mm(room)}, "
                "use smaller or fewer pins"
            )


class PinDiscs(Protocol):
    """What the block `discs` of such a reducer tells."""

    count: int
    material: str
    contact_depth: float | None
    equidistant: float
    radial: float
    segments_per_lobe: int | None
    points_unit: str | None

    @property
    def laying(self) -> str: ...

    @property
    def profile(self) -> str | None: ...

    @property
    def measured(self) -> bool: ...

    @property
    def own_points(self) -> bool: ...

    def points_of(self, disc: int) -> str: ...


class GrooveFriction(Protocol):
    grooves: float


class PinReducerSpec(ReleaseSpec):
    """The spec of a reducer whose discs roll in pins."""

    if TYPE_CHECKING:
        eccentricity: float
        pins: PinRingSpec
        discs: PinDiscs
        contact: ContactSpec
        friction: GrooveFriction

    @property
    def lobe_count(self) -> int:
        """Lobes of a disc, one fewer than pins; a disc turns by one of them in a crank's turn."""
        return self.pins.count - 1

    @property
    def segments_per_lobe(self) -> int:
        return self.discs.segments_per_lobe or SEGMENTS_PER_LOBE

    @property
    def generating_circle_radius(self) -> float:
        return self.pins.circle_radius

    @property
    def generating_pin_radius(self) -> float:
        return self.pins.radius

    @property
    def root_radius(self) -> float:
        """Radius of the unmodified flank's valleys, R - r - e of the generating tool."""
        return self.generating_circle_radius - self.generating_pin_radius - self.eccentricity

    @property
    def deviating(self) -> dict[str, tuple[str, float]]:
        """By kind of error, the dimension that it must be small against."""
        return dict.fromkeys((*PIN_KINDS, *CIRCLE_KINDS), ("pins.radius", self.pins.radius))

    def housing_ring(self, width: float) -> RingBody:
        """Of pins that an elastic ring holds, all discs being as wide as `width` together."""
        pins, ring = self.pins, self.pins.ring
        assert ring is not None  # asked for only where there is one
        radii = pins.groove_bottom, ring.outer_radius
        material, depth = self.elastic(ring.material), pins.groove_depth
        return ring_body(ring, radii, width, material, depth, PIN_MODES)

    @property
    def groove_material(self) -> str:
        """Of what pins sit in."""
        return self.pins.ring.material if self.pins.ring else self.pins.material

    @property
    def seat_compliance(self) -> float:
        """1/Pa, of fixed pins and their grooves."""
        if self.pins.grooves == "rigid":
            return 0.0
        wall = self.elastic(self.groove_material)
        return seated_half(self.elastic(self.pins.material)) + groove_wall(wall, GROOVE_DEPTH)

    @cached_property
    def measured_pins(self) -> MeasuredPins | None:
        """As measured, none where they are not; SpecError where a file cannot be of these."""
        pins = self.pins
        if pins.points_file is None:
            return None
        ring = NominalRing(pins.count, pins.circle_radius, pins.radius)
        kind = pins.points_fit or "angle and centre"
        return read_pins(pins.points_file, pins.points_unit, ring, kind)

    @property
    def measured_errors(self) -> Collection[str]:
        return self.measured_pins.errors if self.measured_pins else ()

    def error_values(self, extra: Extra) -> Values:
        values = super().error_values(extra)
        for name in self.measured_errors:
            assert self.measured_pins is not None
            values[name] += self.measured_pins.errors[name]
        return values

    def modification_problems(self) -> Iterator[str]:
        """Whether lobes reach the pins at all, however a disc is turned on its eccentric: the pin
        that is nearest stands R - e from the disc's middle."""
        discs, pins, throw = self.discs, self.pins, self.eccentricity
        removed = discs.equidistant + discs.radial
        tip = self.generating_circle_radius - self.generating_pin_radius + throw - removed
        short = pins.circle_radius - throw - pins.radius - tip
        if short >= 0:
            yield (
                f"discs.equidistant and discs.radial take {mm(removed)} off the flank: its tips "
                f"pass all pins by {mm(short)}, and no pin carries; a modification is some um"
            )

    def error_problems(self) -> Iterator[str]:
        yield from super().error_problems()
        if self.pins.points_file is not None:
            for name in PIN_KINDS:
                if getattr(self.errors, name):
                    yield (
                        f"errors.{name} does nothing beside pins.points_file, which tells the pins "
                        "as they are; remove one of them"
                    )
        for name, (dimension, size) in self.deviating.items():
            for instance, error in getattr(self.errors, name).items():
                if abs(error) > LARGEST_SHARE * size:
                    yield (
                        f"errors.{name}.{instance} is {um(error)}, above a tenth of "
                        f"{dimension}: too much for a deviation, check its unit"
                    )

    def unused_pin_problems(self) -> Iterator[str]:
        if self.pins.grooves == "elastic" and self.contact.law != "hertz":
            yield (
                "pins.grooves 'elastic' needs contact.law 'hertz', whose compliance it adds to; "
                f"remove it, or the law '{self.contact.law}'"
            )
        if self.discs.contact_depth is not None and self.contact.law != "hertz":
            yield f"discs.contact_depth does nothing with the law '{self.contact.law}'; remove it"
        if self.friction.grooves and not self.pins.loose:
            loose = self.pins.loose_mounting
            yield f"friction.grooves does nothing with fixed pins; set pins.mounting to '{loose}'"
