"""The RV reducer: sun, planets on cranks, cycloid discs between the cranks and a ring of pins."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from flank.arrays import Floats
from flank.dynamics.builder import ModelBuilder
from flank.geometry.curve import Cycloid
from flank.geometry.findings import (
    Finding,
    check_clearance,
    check_cycloid,
    check_pin_ring,
    smallest_clearance,
)
from flank.geometry.pin_clearance import PinRing, tightest_pin
from flank.machines.base import MeshPlace
from flank.machines.crank_reducer.masses import masses_of
from flank.machines.crank_reducer.reducer import CrankReducer
from flank.machines.outlines import Outline, flank_points, pin_outlines
from flank.machines.rv.pins import RvLayout, add_grooves, add_pins, pin_centres, pin_radii
from flank.machines.rv.spec import RvReducerSpec


@dataclass(frozen=True, repr=False)
class RvReducer(CrankReducer):
    """A checked spec, made into models on demand; `extra` errors come on top of the spec's."""

    ring_block: ClassVar[str] = "pins"

    spec: RvReducerSpec

    @property
    def lobes(self) -> int:
        return self.spec.lobe_count

    @property
    def mesh_orders(self) -> dict[str, float]:
        return {"pin": self.spec.pins.count * (self.lobes / self.ratio)}

    @cached_property
    def layout(self) -> RvLayout:
        return RvLayout(self.spec, self.size, masses_of(self.spec, self.size))

    def profile(self, disc: int) -> Cycloid:
        """The flank of one disc, modified."""
        spec, errors = self.spec, self.errors
        return Cycloid(
            spec.pins.count,
            spec.pins.circle_radius,
            spec.pins.radius,
            spec.eccentricity,
            spec.discs.equidistant + errors["equidistant"][disc],
            spec.discs.radial + errors["radial"][disc],
            errors["angular"][disc],
        )

    @property
    def contact_depth(self) -> float:
        """Depth to which the flank's compression is counted: the wall behind the flank's root."""
        hole = self.spec.cranks.circle_radius + self.size.turning_arm.bore_radius
        return self.spec.discs.contact_depth or self.spec.root_radius - hole

    def mesh_findings(self) -> Iterable[Finding]:
        pins = self.spec.pins
        yield from check_pin_ring(pins.count, pins.circle_radius, pins.radius)
        for profile, disc in {self.profile(j): j for j in range(self.spec.discs.count)}.items():
            yield from check_cycloid(profile)
            if profile.shortening < 1:
                yield from self._check_pins(profile, disc)

    def _check_pins(self, profile: Cycloid, disc: int) -> Iterator[Finding]:
        """Whether a disc has room among the pins as they are."""
        pins, errors = self.spec.pins, self.errors
        play = (pins.groove_radius or pins.radius) - pins.radius
        kinds = ("pin_radius", "pin_radial", "pin_tangential", "equidistant", "radial")
        if not any(np.any(errors[kind]) for kind in kinds):
            clearance = smallest_clearance(profile, pins.circle_radius, pins.radius, play)
            return check_clearance(clearance, pins.radius)
        ring = PinRing(
            pins.circle_radius, pin_radii(self), errors["pin_radial"], errors["pin_tangential"]
        )
        clearance, pin = tightest_pin(profile, ring, play)
        return check_clearance(clearance, pins.radius, f"disc {disc} and pin {pin}")

    def add_ring(self, builder: ModelBuilder) -> list[MeshPlace]:
        add_pins(self, builder)
        add_grooves(self, builder)
        return []

    def flank_points(self, disc: int) -> Floats:
        return flank_points(self.profile(disc), self.lobes)

    def ring_outlines(self) -> list[Outline]:
        """The pins, which are bodies where they float."""
        radius = self.spec.pins.circle_radius
        return pin_outlines(radius, pin_centres(self), pin_radii(self), self.layout.pin)
