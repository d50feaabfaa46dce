"""How the members of a planetary gearbox become bodies, supports and meshes of a model.

Masses are given by hand or follow from the dimensions: a gear counts as a disc of its reference
circle less the bore, the ring from its reference circle to its outer radius, the carrier as a round
plate.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from flank.contact.flexible_gear import GearModes
from flank.contact.tooth_pair import GearPlace
from flank.dynamics.builder import Point
from flank.dynamics.functions import constant
from flank.dynamics.tables import GROUND
from flank.geometry.gear import Gear
from flank.geometry.willis import MEMBERS, Member
from flank.machines.base import Drive, MeshPlace, Shaft
from flank.machines.meshed_pair import MeshedPair
from flank.machines.meshes import add_mesh
from flank.machines.planetary.layout import CARRIER, RING, SUN
from flank.machines.planetary.spec import CarrierSpec, MemberSupportSpec, RingSpec, WheelSpec
from flank.machines.round_parts import MassInertia, hollow, polar
from flank.machines.wheel_spec import SupportSpec

if TYPE_CHECKING:
    from flank.machines.planetary.gearbox import PlanetaryGearbox
    from flank.machines.planetary.spec import PlanetaryGearboxSpec


SUN_HAND = 1
"""A right-handed helix; planets and ring have the other hand."""


class PlanetaryMasses(NamedTuple):
    """(kg, kg·m²) of one part of each kind."""

    sun: MassInertia
    ring: MassInertia
    carrier: MassInertia
    planet: MassInertia


def planetary_masses(
    spec: PlanetaryGearboxSpec, ring_modes: GearModes | None = None
) -> PlanetaryMasses:
    """A ring that vibrates has the mass of its elements."""
    planet, carrier = spec.planet_gear, spec.carrier

    def round_part(
        part: WheelSpec | RingSpec | CarrierSpec, outside: float, inside: float, width: float
    ) -> MassInertia:
        return part.given(hollow(outside, inside, width, spec.material(part.material).density))

    def wheel(part: WheelSpec, gear: Gear) -> MassInertia:
        return round_part(part, gear.reference_radius, part.bore_radius or 0.0, part.face_width)

    edge = carrier.outer_radius or spec.carrier_radius + 0.5 * planet.reference_radius
    ring_inside, width = spec.ring_gear.reference_radius, spec.ring.face_width
    ring = round_part(spec.ring, spec.ring_outer_radius, ring_inside, width)
    if ring_modes is not None:
        ring = ring_modes.mass_of(width / min(width, spec.planets.face_width))
    return PlanetaryMasses(
        sun=wheel(spec.sun, spec.sun_gear),
        ring=ring,
        carrier=round_part(carrier, edge, 0.0, spec.carrier_width),
        planet=wheel(spec.planets, planet),
    )


@dataclass(frozen=True)
class GearboxModel:
    """Puts a gearbox into a model, member by member."""

    machine: PlanetaryGearbox
    builder: Any  # of the plane; in space of space

    def add_bodies(self) -> None:
        """Sun, ring, carrier and planets where an ideal gearbox has them at angle zero."""
        masses, pose = self.machine.masses, np.asarray(self.machine.ideal_pose(0.0))
        kinds = [("sun", masses.sun), ("ring", masses.ring), ("carrier", masses.carrier)]
        kinds += [
            (f"planet {n + 1}", masses.planet) for n in range(self.machine.spec.planets.count)
        ]
        for row, (name, mass) in enumerate(kinds, start=1):
            x, y, angle = pose[row]
            self.builder.body(name, *mass, pose=(x, y, angle))
        if (modes := self.machine.ring_modes) is not None:
            with self.builder.part("ring_body", "body of the ring"):
                self.builder.gear_modes("ring", RING, modes)

    def add_supports(self) -> None:
        """Joints and bearings of all centres, what keeps members from turning; soft ones are
        parts."""
        spec, layout = self.machine.spec, self.machine.layout
        for member in MEMBERS:
            fast = member == spec.operation.held and spec.held.stiffness is None
            with self.builder.part(f"{member}_bearing", f"bearing of the {member}"):
                self._hold_centre(member, layout.body_of(member), fast)
        with self.builder.part("planet_bearings", "planet bearings"):
            for n, body in enumerate(layout.planets):
                self._hold_planet(body, layout.pin(n, self.machine.errors))
        if spec.held.stiffness is not None:
            held = layout.body_of(spec.operation.held)
            with self.builder.part("held", f"mount of the {spec.operation.held}"):
                self._hold_turning(held, spec.held.stiffness, spec.held.damping)
        for member in MEMBERS:
            self._add_torsional_support(member)

    def _add_torsional_support(self, member: Member) -> None:
        support: MemberSupportSpec = getattr(self.machine.spec, member).support
        if support.torsional_stiffness or support.torsional_damping:
            with self.builder.part(f"{member}_torsion", f"torsional support of the {member}"):
                body, stiffness = self.machine.layout.body_of(member), support.torsional_stiffness
                self._hold_turning(body, stiffness or 0.0, support.torsional_damping)

    def _hold_centre(self, member: Member, body: int, fast: bool) -> None:
        """On its axis, as far as its support does; kept from turning if it is held fast."""
        support: SupportSpec = getattr(self.machine.spec, member).support
        if fast and support.kind == "rigid":
            self.builder.fixed(GROUND, body)
            return
        support.add_to(self.builder, GROUND, body)
        if fast:
            self.builder.rotation(GROUND, body, constant(0.0))

    def _hold_planet(self, body: int, pin: Point) -> None:
        self.machine.spec.planets.support.add_to(self.builder, CARRIER, body, pin)

    def _hold_turning(self, body: int, stiffness: float, damping: float) -> None:
        self.builder.torsion_spring(GROUND, body, stiffness, damping)

    def shafts(self, drive: Drive, bodies: dict[str, int]) -> dict[str, Shaft]:
        """The members that turn, each as the drive says."""
        operation = self.machine.spec.operation
        return drive.turn(self.builder, bodies, operation.input, operation.output)

    def add_meshes(self) -> tuple[MeshPlace, ...]:
        """All sun meshes, then all ring meshes; the sun's and the planet's teeth are the first.

        Where rigid meshes leave the sharing open, those of the sun share one multiplier, or the
        first planet alone meshes with the sun.
        """
        spec, layout = self.machine.spec, self.machine.layout
        flank = self.machine.sun_flank
        sun = GearPlace(SUN, 0.0, self._centre("sun"))
        modal_row = layout.planets.stop  # behind all bodies
        ring = GearPlace(RING, layout.ring_tooth_angle, self._centre("ring"), modal_row)
        ring_modes = self.machine.ring_modes
        planets = [
            GearPlace(body, layout.planet_tooth_angles[n], self._centre("planet", (n,)))
            for n, body in enumerate(layout.planets)
        ]
        places: list[MeshPlace] = []
        shared = -1
        in_sun_mesh = planets[:1] if self.machine.only_first_drives else planets
        with self._kind_of_mesh("sun", self.machine.sun_pair(0), len(in_sun_mesh)):
            for n, planet in enumerate(in_sun_mesh):
                name, meshed = f"sun/planet {n + 1}", self.machine.sun_pair(n)
                gears = meshed, sun, planet, flank, shared
                places.append(add_mesh(self.builder, name, *gears, hand=SUN_HAND))
                if spec.redundant:
                    shared = places[0].multiplier
        with self._kind_of_mesh("ring", self.machine.ring_pair(0), len(planets)):
            for n, planet in enumerate(planets):
                name, meshed = f"planet {n + 1}/ring", self.machine.ring_pair(n)
                meshed = replace(meshed, modes=(None, ring_modes))
                gears = meshed, planet, ring, -flank, -1
                places.append(add_mesh(self.builder, name, *gears, hand=-SUN_HAND))
        return tuple(places)

    def _kind_of_mesh(
        self, kind: str, meshed: MeshedPair, count: int
    ) -> AbstractContextManager[None]:
        """A part; explicit contacts by planet, flank, slice across the face, and pair of teeth."""
        slices = len(meshed.slices())
        sizes = {"planet_index": count, "flank_index": 2, "slice": slices, f"{kind}_tooth_pair": -1}
        part: AbstractContextManager[None] = self.builder.part(
            f"{kind}_mesh", f"{kind} meshes", sizes, meshed.pressure
        )
        return part

    def _centre(self, part: str, index: tuple[int, ...] = ()) -> Point:
        """Centre of a gear's teeth on its body."""
        size = self.machine.errors[f"{part}_eccentricity"][index]
        direction = self.machine.errors[f"{part}_eccentricity_direction"][index]
        return polar(float(size), float(direction))
