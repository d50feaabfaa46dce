"""Masses and inertias of a planetary gearbox, by hand or from its dimensions.

A gear counts as a disc of its reference circle less the bore, the ring from its reference circle
to its outer radius, the carrier as a round plate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from flank.machines.solids import MassInertia, hollow

if TYPE_CHECKING:
    from flank.machines.planetary.parts import MassSpec
    from flank.machines.planetary.spec import PlanetaryGearboxSpec

RIM = 2.5
"""Modules between the ring's root and its outer radius, where a spec gives none."""


class PlanetaryMasses(NamedTuple):
    """(kg, kg·m²) of one part of each kind."""

    sun: MassInertia
    ring: MassInertia
    carrier: MassInertia
    planet: MassInertia


def planetary_masses(spec: PlanetaryGearboxSpec) -> PlanetaryMasses:
    sun, planet, ring = spec.sun_gear, spec.planet_gear, spec.ring_gear
    outer = spec.ring.outer_radius or ring.root_radius + RIM * ring.normal_module
    edge = spec.carrier.outer_radius or spec.carrier_radius + 0.5 * planet.reference_radius
    plates = spec.carrier.thickness or 0.5 * spec.planets.face_width

    def annulus(part: MassSpec, material: str, outside: float, inside: float, width: float):
        return _given(part, hollow(outside, inside, width, spec.material(material).density))

    return PlanetaryMasses(
        sun=annulus(
            spec.sun,
            spec.sun.material,
            sun.reference_radius,
            spec.sun.bore_radius or 0.0,
            spec.sun.face_width,
        ),
        ring=annulus(
            spec.ring, spec.ring.material, outer, ring.reference_radius, spec.ring.face_width
        ),
        carrier=annulus(spec.carrier, spec.carrier.material, edge, 0.0, plates),
        planet=annulus(
            spec.planets,
            spec.planets.material,
            planet.reference_radius,
            spec.planets.bore_radius or 0.0,
            spec.planets.face_width,
        ),
    )


def _given(part: MassSpec, drawn: MassInertia) -> MassInertia:
    """What the spec gives by hand, the rest as drawn."""
    mass = part.mass or drawn[0]
    return mass, part.inertia or drawn[1] * mass / drawn[0]
