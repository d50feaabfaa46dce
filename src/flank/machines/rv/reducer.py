"""The RV reducer: sun, planets on cranks, cycloid discs between the cranks and a ring of pins."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from flank.arrays import Floats
from flank.dynamics.builder import ModelBuilder
from flank.elasticity.material import tangential_ratio
from flank.geometry.curve import Cycloid
from flank.geometry.findings import Finding
from flank.machines.base import MeshPlace
from flank.machines.contact_laws import friction_law, loose_friction
from flank.machines.crank_reducer.geometry import polar
from flank.machines.crank_reducer.layout import Layout, Pose
from flank.machines.crank_reducer.masses import masses_of
from flank.machines.crank_reducer.reducer import CrankReducer
from flank.machines.orders import PINS, Orders
from flank.machines.outlines import Outline, flank_points, pin_outlines
from flank.machines.pins import PinMesh, Pins
from flank.machines.rv.spec import RvReducerSpec
from flank.machines.solids import cylinder


class RvLayout(Layout):
    """The bodies of an RV reducer; floating pins are the last leaves."""

    spec: RvReducerSpec

    def __post_init__(self) -> None:
        super().__post_init__()
        self.pin = self._add_pins()

    @property
    def pin_length(self) -> float:
        """Length of a pin in its groove: over all discs."""
        return self.spec.discs.count * self.size.disc_width

    def _add_pins(self) -> list[int]:
        pins = self.spec.pins
        if not pins.loose:
            return []

        def at(index: int) -> Pose:
            x, y = polar(pins.circle_radius, 2 * math.pi * index / pins.count)
            return lambda carrier: (x, y, 0.0)

        density = self.spec.material(pins.material).density
        mass = cylinder(pins.radius, self.pin_length, density)
        return [self._add(f"pin {k + 1}", mass, at(k), leaf=True) for k in range(pins.count)]


@dataclass(frozen=True, repr=False)
class RvReducer(CrankReducer):
    """A checked spec, made into models on demand; `extra` errors come on top of the spec's."""

    ring_block: ClassVar[str] = "pins"

    spec: RvReducerSpec

    @property
    def lobes(self) -> int:
        return self.spec.lobe_count

    @property
    def mesh_orders(self) -> Orders:
        return Orders({"pin": self.spec.pins.count * (self.lobes / self.ratio)}, {"pin": PINS})

    @cached_property
    def layout(self) -> RvLayout:
        return RvLayout(self.spec, self.size, masses_of(self.spec, self.size))

    @cached_property
    def pins(self) -> Pins:
        return Pins(self.spec.pins, self.errors)

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
        kinds = ("pin_radius", "pin_radial", "pin_tangential", "equidistant", "radial")
        deviates = any(np.any(self.errors[kind]) for kind in kinds)
        discs = range(self.spec.discs.count)
        yield from self.pins.findings()
        yield from self.pins.disc_findings([(self.profile(j), 0.0) for j in discs], deviates)

    @property
    def pin_mesh(self) -> PinMesh:
        spec, layout, friction = self.spec, self.layout, self.spec.friction
        disc = spec.material(spec.discs.material).elastic
        pin = spec.material(spec.pins.material).elastic
        fixed = friction_law(friction, friction.pins, tangential_ratio(disc, pin))
        return PinMesh(
            self.pins,
            layout.pin,
            layout.rim,
            [self.profile(j) for j in range(spec.discs.count)],
            self.size.disc_width,
            self.contact_depth,
            layout.pin_length,
            disc,
            pin,
            spec.contact,
            loose_friction(friction, friction.pins) if layout.pin else fixed,
            loose_friction(friction, friction.grooves),
        )

    def add_ring(self, builder: ModelBuilder) -> list[MeshPlace]:
        mesh = self.pin_mesh
        mesh.add_pins(builder)
        mesh.add_grooves(builder)
        return []

    def flank_points(self, disc: int) -> Floats:
        return flank_points(self.profile(disc), self.lobes)

    def ring_outlines(self) -> list[Outline]:
        """The pins, which are bodies where they float."""
        radius = self.spec.pins.circle_radius
        return pin_outlines(radius, self.pins.centres, self.pins.radii, self.layout.pin)
