"""How the members of a planetary gearbox become bodies, supports and meshes of a model."""

from __future__ import annotations

import math
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from flank.contact.tooth_pair import GearPlace
from flank.dynamics.builder import ORIGIN, ModelBuilder, Point
from flank.dynamics.functions import constant
from flank.dynamics.tables import GROUND
from flank.elasticity.material import contact_modulus
from flank.geometry.willis import MEMBERS
from flank.machines.base import LinePressure, MeshPlace
from flank.machines.meshed_pair import MeshedPair
from flank.machines.meshes import add_mesh
from flank.machines.planetary.layout import CARRIER, RING, SUN
from flank.machines.planetary.parts import SupportSpec

if TYPE_CHECKING:
    from flank.machines.planetary.gearbox import PlanetaryGearbox


def add_bodies(machine: PlanetaryGearbox, builder: ModelBuilder) -> None:
    """Sun, ring, carrier and planets where an ideal gearbox has them at angle zero."""
    masses, pose = machine.masses, machine.ideal_pose(0.0)
    kinds = [("sun", masses.sun), ("ring", masses.ring), ("carrier", masses.carrier)]
    kinds += [(f"planet {n + 1}", masses.planet) for n in range(machine.spec.planets.count)]
    for row, (name, mass) in enumerate(kinds, start=1):
        x, y, angle = pose[row]
        builder.body(name, *mass, pose=(x, y, angle))


def add_supports(machine: PlanetaryGearbox, builder: ModelBuilder) -> None:
    """Joints and bearings of all centres and of the held member; soft ones are parts."""
    spec, layout = machine.spec, machine.layout
    for member in MEMBERS:
        held_fast = member == spec.operation.held and spec.held.stiffness is None
        support: SupportSpec = getattr(spec, member).support
        body = layout.body_of(member)
        with builder.part(f"{member}_bearing", f"bearing of the {member}"):
            if held_fast and support.kind == "rigid":
                builder.fixed(GROUND, body)
            else:
                _add_support(builder, support, GROUND, body)
                if held_fast:
                    builder.rotation(GROUND, body, constant(0.0))
    with builder.part("planet_bearings", "planet bearings"):
        for n, body in enumerate(layout.planets):
            pin = layout.pin(n, machine.errors)
            _add_support(builder, spec.planets.support, CARRIER, body, pin)
    if spec.held.stiffness is not None:
        held = layout.body_of(spec.operation.held)
        with builder.part("held", f"mount of the {spec.operation.held}"):
            builder.torsion_spring(GROUND, held, spec.held.stiffness, spec.held.damping)


def _add_support(
    builder: ModelBuilder, support: SupportSpec, a: int, b: int, at_a: Point = ORIGIN
) -> None:
    if support.kind == "rigid":
        builder.revolute(a, b, at_a)
    elif support.stiffness is not None:
        builder.bushing(a, b, support.stiffness, support.damping, at_a)


def add_meshes(machine: PlanetaryGearbox, builder: ModelBuilder) -> tuple[MeshPlace, ...]:
    """All sun meshes, then all ring meshes; the sun's and the planet's teeth are the first.

    Where rigid meshes leave the sharing open, those of the sun share one multiplier, or the first
    planet alone meshes with the sun.
    """
    spec, layout = machine.spec, machine.layout
    flank = machine.sun_flank
    sun = GearPlace(SUN, 0.0, _centre(machine, "sun"))
    ring = GearPlace(RING, layout.ring_tooth_angle, _centre(machine, "ring"))
    planets = [
        GearPlace(body, layout.planet_tooth_angles[n], _centre(machine, "planet", (n,)))
        for n, body in enumerate(layout.planets)
    ]
    places: list[MeshPlace] = []
    shared = -1
    in_sun_mesh = planets[:1] if machine.only_first_drives else planets
    with _kind_of_mesh(builder, "sun", machine.sun_pair(0), len(in_sun_mesh)):
        for n, planet in enumerate(in_sun_mesh):
            name, meshed = f"sun/planet {n + 1}", machine.sun_pair(n)
            places.append(add_mesh(builder, name, meshed, sun, planet, flank, shared))
            if spec.redundant:
                shared = places[0].multiplier
    with _kind_of_mesh(builder, "ring", machine.ring_pair(0), len(planets)):
        for n, planet in enumerate(planets):
            name, meshed = f"planet {n + 1}/ring", machine.ring_pair(n)
            places.append(add_mesh(builder, name, meshed, planet, ring, -flank))
    return tuple(places)


def _kind_of_mesh(
    builder: ModelBuilder, kind: str, meshed: MeshedPair, count: int
) -> AbstractContextManager[None]:
    """A part; explicit contacts by planet, flank, slice across the face, and pair of teeth."""
    slices = len(meshed.slices())
    sizes = {"planet_index": count, "flank_index": 2, "slice": slices, f"{kind}_tooth_pair": -1}
    pressure = LinePressure(meshed.pair.face_width / slices, contact_modulus(*meshed.materials))
    return builder.part(f"{kind}_mesh", f"{kind} meshes", sizes, pressure)


def _centre(machine: PlanetaryGearbox, part: str, index: tuple[int, ...] = ()) -> Point:
    """Centre of a gear's teeth on its body."""
    size = machine.errors[f"{part}_eccentricity"][index]
    direction = machine.errors[f"{part}_eccentricity_direction"][index]
    return float(size * math.cos(direction)), float(size * math.sin(direction))
