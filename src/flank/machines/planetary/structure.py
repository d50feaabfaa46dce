"""How the members of a planetary gearbox become bodies, supports and meshes of a model."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flank.contact.tooth_pair import GearPlace
from flank.dynamics.builder import ORIGIN, ModelBuilder, Point
from flank.dynamics.functions import constant
from flank.dynamics.tables import GROUND
from flank.elasticity.material import contact_modulus
from flank.geometry.willis import MEMBERS
from flank.machines.base import ContactGroup, MeshPlace, Part
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


def add_supports(machine: PlanetaryGearbox, builder: ModelBuilder) -> list[Part]:
    """Joints and bearings of all centres and of the held member; returns the soft ones as parts."""
    spec, layout = machine.spec, machine.layout
    parts = []
    for member in MEMBERS:
        first = builder.spring_count
        held_fast = member == spec.operation.held and spec.held.stiffness is None
        support: SupportSpec = getattr(spec, member).support
        body = layout.body_of(member)
        if held_fast and support.kind == "rigid":
            builder.fixed(GROUND, body)
        else:
            _add_support(builder, support, GROUND, body)
            if held_fast:
                builder.rotation(GROUND, body, constant(0.0))
        parts.append(
            _springs_since(builder, first, f"{member}_bearing", f"bearing of the {member}")
        )
    first = builder.spring_count
    for n, body in enumerate(layout.planets):
        pin = layout.pin(n, machine.errors)
        _add_support(builder, spec.planets.support, CARRIER, body, pin)
    parts.append(_springs_since(builder, first, "planet_bearings", "planet bearings"))
    first = builder.spring_count
    if spec.held.stiffness is not None:
        held = layout.body_of(spec.operation.held)
        builder.torsion_spring(GROUND, held, spec.held.stiffness, spec.held.damping)
    parts.append(_springs_since(builder, first, "held", f"mount of the {spec.operation.held}"))
    return [part for part in parts if part.springs]


def _add_support(
    builder: ModelBuilder, support: SupportSpec, a: int, b: int, at_a: Point = ORIGIN
) -> None:
    if support.kind == "rigid":
        builder.revolute(a, b, at_a)
    elif support.stiffness is not None:
        builder.bushing(a, b, support.stiffness, support.damping, at_a)


def _springs_since(builder: ModelBuilder, first: int, name: str, title: str) -> Part:
    return Part(name, title, springs=tuple(range(first, builder.spring_count)))


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
    for n, planet in enumerate(in_sun_mesh):
        name, meshed = f"sun/planet {n + 1}", machine.sun_pair(n)
        places.append(add_mesh(builder, name, meshed, sun, planet, flank, shared))
        if spec.redundant:
            shared = places[0].multiplier
    for n, planet in enumerate(planets):
        name, meshed = f"planet {n + 1}/ring", machine.ring_pair(n)
        places.append(add_mesh(builder, name, meshed, planet, ring, -flank))
    return tuple(places)


def _centre(machine: PlanetaryGearbox, part: str, index: tuple[int, ...] = ()) -> Point:
    """Centre of a gear's teeth on its body."""
    size = machine.errors[f"{part}_eccentricity"][index]
    direction = machine.errors[f"{part}_eccentricity_direction"][index]
    return float(size * math.cos(direction)), float(size * math.sin(direction))


def mesh_groups(
    machine: PlanetaryGearbox, places: tuple[MeshPlace, ...]
) -> tuple[ContactGroup, ...]:
    """Explicit contacts by planet, flank, slice across the face, and pair of teeth."""
    found = []
    for kind, rows in machine.mesh_rows.items():
        own = [places[row] for row in rows]
        meshed = machine.sun_pair(0) if kind == "sun" else machine.ring_pair(0)
        if not own[0].contacts:
            continue
        slices = len(meshed.slices())
        each = len(own[0].contacts) // (2 * slices)
        found.append(
            ContactGroup(
                f"{kind}_mesh",
                f"{kind} meshes",
                own[0].contacts[0],
                ("planet_index", "flank_index", "slice", f"{kind}_tooth_pair"),
                (len(own), 2, slices, each),
                meshed.pair.face_width / slices,
                contact_modulus(*meshed.materials),
            )
        )
    return tuple(found)


def mesh_parts(places: tuple[MeshPlace, ...]) -> list[Part]:
    """Sun meshes and ring meshes as parts of the compliance."""
    found = []
    for name, title, begins in (
        ("sun_mesh", "sun meshes", "sun/"),
        ("ring_mesh", "ring meshes", "planet "),
    ):
        own = [place for place in places if place.name.startswith(begins)]
        contacts = tuple(number for place in own for number in place.contacts)
        springs = tuple(number for place in own for number in place.springs)
        found.append(Part(name, title, contacts, springs))
    return [part for part in found if part.contacts or part.springs]
