"""The ring of pins that cycloid discs roll in, as it is made: places, clearance and contacts.

A pin is fixed in the housing, or loose in a groove, where it rolls or floats; then it is a body.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flank.contact import Disc, Friction, Surface, circle_in_hole, circle_on_curve
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.tables import GROUND
from flank.elasticity.line_contact import Cylinder, DeepBody
from flank.elasticity.material import Material, contact_modulus
from flank.geometry.curve import Cycloid, Shape, reach
from flank.geometry.findings import (
    Finding,
    check_clearance,
    check_cycloid,
    check_pin_ring,
    smallest_clearance,
)
from flank.geometry.pin_clearance import PinRing, Removed, Tightest, removed_from, tightest_pin
from flank.machines.base import LinePressure
from flank.machines.contact_laws import pair_law
from flank.machines.contact_spec import ContactSpec
from flank.machines.error_kinds import Values
from flank.machines.pin_spec import PinRingSpec


@dataclass(frozen=True)
class Pins:
    """The pins as they are made."""

    spec: PinRingSpec
    errors: Values

    @cached_property
    def radii(self) -> NDArray[np.float64]:
        return self.spec.radius + self.errors["pin_radius"]

    @cached_property
    def centres(self) -> NDArray[np.float64]:
        """(n, 2)."""
        angle = 2 * math.pi * np.arange(self.spec.count) / self.spec.count
        outward = np.column_stack((np.cos(angle), np.sin(angle)))
        along = np.column_stack((-np.sin(angle), np.cos(angle)))
        radial = self.spec.circle_radius + self.errors["pin_radial"]
        return radial[:, None] * outward + self.errors["pin_tangential"][:, None] * along

    @cached_property
    def groove_radii(self) -> NDArray[np.float64]:
        """Of loose pins."""
        assert self.spec.groove_radius is not None  # the spec refuses loose pins without it
        errors = self.errors.get("groove_radius", np.zeros(self.spec.count))
        return self.spec.groove_radius + errors

    @property
    def play(self) -> NDArray[np.float64]:
        """How far each pin may move in its groove, about the middle."""
        return self.groove_radii - self.radii if self.spec.loose else np.zeros(self.spec.count)

    def findings(self) -> Iterator[Finding]:
        """Whether pins leave room between them and fit into their grooves."""
        spec = self.spec
        yield from check_pin_ring(spec.count, spec.circle_radius, spec.radius)
        pin = int(np.argmin(self.play))
        if spec.loose and self.play[pin] <= 0:
            yield Finding(
                "tight-groove",
                "error",
                f"pin {pin + 1} with its errors is {-self.play[pin] * 1e6:.3g} um too large for "
                "its groove",
                float(self.play[pin]),
                0.0,
                "m",
                "give smaller errors, or larger grooves",
            )

    def disc_findings(
        self,
        discs: Sequence[tuple[Cycloid, float]],
        deviate: bool,
        measured: NDArray[np.float64] | None = None,
    ) -> Iterator[Finding]:
        """Whether discs, each a profile and an error of its eccentricity, exist and have room.

        `deviate`: whether they or the pins have errors. The room of `measured` flanks (points) is
        doubtful at worst, as points have noise.
        """
        removed = None if measured is None else removed_from(measured, discs[0][0])
        first = {disc: number for number, disc in reversed(list(enumerate(discs, start=1)))}
        for (profile, eccentricity_error), number in reversed(first.items()):
            yield from check_cycloid(profile)
            if profile.shortening >= 1:
                continue
            clearance, pin = self._clearance(profile, eccentricity_error, deviate, removed)
            worst = f"pin {pin + 1}" if len(first) == 1 else f"disc {number} and pin {pin + 1}"
            for finding in check_clearance(clearance, self.spec.radius, worst if deviate else ""):
                doubtful = replace(finding, severity="warning", limit=0.0)
                yield finding if measured is None else doubtful

    @property
    def ring(self) -> PinRing:
        """As the geometry knows it."""
        errors = self.errors
        places = errors["pin_radial"], errors["pin_tangential"]
        return PinRing(self.spec.circle_radius, self.radii, *places)

    def _clearance(
        self, profile: Cycloid, eccentricity_error: float, deviate: bool, removed: Removed | None
    ) -> Tightest:
        if deviate or removed is not None:
            return tightest_pin(profile, self.ring, self.play, eccentricity_error, removed)
        spec, play = self.spec, float(self.play[0])
        return Tightest(smallest_clearance(profile, spec.circle_radius, spec.radius, play), 0)


@dataclass(frozen=True)
class PinMesh:
    """Pins and the discs that roll among them, ready to be put into a model."""

    pins: Pins
    bodies: Sequence[int]  # of loose pins, none if they are fixed
    discs: Sequence[int]
    flanks: Sequence[Shape]  # of the discs
    width: float  # of a disc
    depth: float  # to which a disc's compression is counted
    groove_length: float
    disc_material: Material
    pin_material: Material
    contact: ContactSpec
    friction: Friction
    groove_friction: Friction

    def add_pins(self, builder: ModelBuilder) -> None:
        """One contact for each disc and pin."""
        sizes = {"disc": len(self.discs), "pin": self.pins.spec.count}
        modulus = contact_modulus(self.disc_material, self.pin_material)
        with builder.part("pin", "pins", sizes, LinePressure(self.width, modulus)):
            for disc, flank in zip(self.discs, self.flanks, strict=True):
                self._add_disc(builder, disc, flank)

    def _add_disc(self, builder: ModelBuilder, disc: int, flank: Shape) -> None:
        curve = builder.curve(flank)
        concave = reach(flank, 0.0)  # once for all pins: its search along the flank takes long
        for circle in self._circles():
            law = pair_law(
                self.contact,
                DeepBody(self.depth, self.disc_material),
                Cylinder(circle.radius, self.pin_material),
                self.width,
            )
            surface = Surface(law, self.contact.damping, self.friction)
            row = circle_on_curve(disc, curve, flank, circle, surface, concave - circle.radius)
            builder.contact(row)

    def add_grooves(self, builder: ModelBuilder) -> None:
        """Loose pins in their grooves, taken as round holes of the housing."""
        if not self.bodies:
            return
        material, sizes = self.pin_material, {"pin": self.pins.spec.count}
        pressure = LinePressure(self.groove_length, contact_modulus(material, material))
        with builder.part("groove", "pins in their grooves", sizes, pressure):
            for circle, (x, y), radius in zip(
                self._circles(), self.pins.centres, self.pins.groove_radii.tolist(), strict=True
            ):
                cylinders = Cylinder(radius, material), Cylinder(circle.radius, material)
                law = pair_law(self.contact, *cylinders, self.groove_length)
                surface = Surface(law, self.contact.damping, self.groove_friction)
                builder.contact(circle_in_hole(Disc(GROUND, x, y, radius), circle, surface))

    def _circles(self) -> list[Disc]:
        radii = self.pins.radii.tolist()
        if self.bodies:
            return [Disc(b, 0.0, 0.0, r) for b, r in zip(self.bodies, radii, strict=True)]
        return [Disc(GROUND, x, y, r) for (x, y), r in zip(self.pins.centres, radii, strict=True)]
