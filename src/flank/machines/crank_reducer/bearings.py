"""Turning-arm and support bearings, roller by roller.

A roller is solved inside its bearing (one contact between the races, its two line contacts in
series) or is a body of its own (a contact with each race) held in its place by a cage.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from flank.arrays import Floats
from flank.contact import (
    Disc,
    Surface,
    circle_in_hole,
    circle_pair,
    needle_between,
)
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.trajectory import AnyTrajectory
from flank.elasticity.line_contact import Cylinder
from flank.elasticity.material import Material, contact_modulus, tangential_ratio
from flank.machines.base import Assembly, LinePressure
from flank.machines.contact_laws import (
    friction_law,
    loose_friction,
    needle_law,
    pair_law,
)
from flank.machines.crank_reducer.geometry import hole_error, off_circle, polar
from flank.machines.crank_reducer.layout import SIDES
from flank.machines.crank_reducer.parts import RollersBearingSpec
from flank.machines.crank_reducer.rules import BearingDimensions
from flank.machines.crank_reducer.structure import add_rollers_on_walls

if TYPE_CHECKING:
    from flank.machines.crank_reducer.reducer import CrankReducer

RACES = 2
"""Contacts of a roller that is a body: with the inner and with the outer race."""


@dataclass(frozen=True)
class Bearing:
    """One bearing in its place: races on their bodies, cage and rollers if these are bodies."""

    inner: Disc
    outer: Disc
    clearance: float
    size: BearingDimensions
    cage: int
    rollers: tuple[int, ...]


@dataclass(frozen=True)
class Kind:
    """What all bearings of one kind share."""

    name: str
    title: str
    spec: RollersBearingSpec
    friction: float
    inner_material: Material
    outer_material: Material


def add_turning_arms(machine: CrankReducer, builder: ModelBuilder) -> None:
    """Rollers between the eccentrics and the holes of the discs."""
    spec = machine.spec
    kind = Kind(
        "turning_arm",
        "turning-arm rollers",
        spec.turning_arm,
        spec.friction.turning_arm,
        spec.material(spec.cranks.material).elastic,
        spec.material(spec.discs.material).elastic,
    )
    shape = (spec.cranks.count, spec.discs.count)
    bearings = [_turning_arm(machine, k, j) for k in range(shape[0]) for j in range(shape[1])]
    _add(machine, builder, kind, bearings, {"crank": shape[0], "disc": shape[1]})


def add_supports(machine: CrankReducer, builder: ModelBuilder) -> None:
    """Rollers between the journals and the flanges of the carrier."""
    spec = machine.spec
    kind = Kind(
        "support",
        "support rollers",
        spec.supports,
        spec.friction.supports,
        spec.material(spec.cranks.material).elastic,
        spec.material(spec.carrier.material).elastic,
    )
    shape = (spec.cranks.count, SIDES)
    bearings = [_support(machine, k, side) for k in range(shape[0]) for side in range(SIDES)]
    _add(machine, builder, kind, bearings, {"crank": shape[0], "side": shape[1]})


def support_loads(machine: CrankReducer, assembly: Assembly, trajectory: AnyTrajectory) -> Floats:
    """What the journals of each crank press on the carrier along its circle, (time, crank) in N."""
    group = assembly.groups["support"]
    force = trajectory.force(group)
    pushed = np.stack(
        [force * trajectory.reading(group, name) for name in ("normal_x", "normal_y")], axis=-1
    )
    if "race" in group.dimensions:  # of rollers that are bodies the outer race is the carrier's
        pushed = pushed[:, :, :, RACES - 1]
    on_crank = pushed.sum(axis=(2, 3))
    x, y = np.moveaxis(trajectory.position[:, machine.layout.journal[:, 0], :2], -1, 0)
    return np.asarray((x * on_crank[..., 1] - y * on_crank[..., 0]) / np.hypot(x, y))


def _turning_arm(machine: CrankReducer, k: int, j: int) -> Bearing:
    layout, errors = machine.layout, machine.errors
    size = machine.size.turning_arm
    throw = machine.size.eccentricity + errors["eccentricity"][k, j]
    phase = layout.phases[j] + errors["eccentric_phase"][k, j]
    pin_error, bore_error = errors["crank_pin_radius"][k, j], errors["hole_radius"][j, k]
    clearance = size.clearance + errors["turning_arm_clearance"][k, j] + bore_error - pin_error
    seat = int(layout.arm_seat[k, j])
    hole = layout.hole("turning_arm", k, j)
    x, y = hole_error(errors, hole, k, j)
    if seat not in layout.seat_places:
        x, y = x + hole[0], y + hole[1]
    inner_radius = size.race_radius + pin_error
    return Bearing(
        Disc(int(layout.eccentric[k, j]), *polar(throw, phase), inner_radius),
        Disc(seat, x, y, inner_radius + 2 * size.roller_radius + clearance),
        clearance,
        size,
        int(layout.arm_cage[k, j]),
        tuple(layout.arm_roller[k, j].tolist()),
    )


def _support(machine: CrankReducer, k: int, side: int) -> Bearing:
    layout, errors = machine.layout, machine.errors
    size = machine.size.support
    clearance = size.clearance + errors["support_clearance"][k, side]
    seat = int(layout.support_seat[k, side])
    hole = layout.hole("supports", k, side)
    x, y = off_circle(hole, errors["crank_radial"][k], errors["crank_tangential"][k])
    if seat not in layout.seat_places:
        x, y = x + hole[0], y + hole[1]
    return Bearing(
        Disc(int(layout.journal[k, side]), 0.0, 0.0, size.race_radius),
        Disc(seat, x, y, size.race_radius + 2 * size.roller_radius + clearance),
        clearance,
        size,
        int(layout.support_cage[k, side]),
        tuple(layout.support_roller[k, side].tolist()),
    )


def _add(
    machine: CrankReducer,
    builder: ModelBuilder,
    kind: Kind,
    bearings: list[Bearing],
    sizes: dict[str, int],
) -> None:
    """All bearings of a kind; a part with the springs of its cages, a group roller by roller."""
    size, roller = bearings[0].size, machine.spec.material(kind.spec.material).elastic
    bodies = kind.spec.elements == "bodies"
    walls = kind.name == "turning_arm" and machine.layout.ring_nodes
    pressure = LinePressure(
        size.length,
        contact_modulus(kind.inner_material, roller),
        1 / size.race_radius + 1 / size.roller_radius,
    )
    places = np.ndindex(*sizes.values())
    sizes = sizes | ({"race": RACES} if bodies else {}) | {f"{kind.name}_roller": size.count}
    with builder.part(kind.name, kind.title, sizes, pressure):
        for place, bearing in zip(places, bearings, strict=True):
            if walls:
                add_rollers_on_walls(machine, builder, place, bearing.inner, bearing.clearance)
            elif bodies:
                _add_bodies(machine, builder, kind, bearing)
            else:
                _add_inside(machine, builder, kind, bearing)


def _add_inside(machine: CrankReducer, builder: ModelBuilder, kind: Kind, bearing: Bearing) -> None:
    """Each roller one contact between the races."""
    spec, size = machine.spec, bearing.size
    roller_material = spec.material(kind.spec.material).elastic
    law = needle_law(
        spec.contact,
        Cylinder(bearing.inner.radius, kind.inner_material),
        Cylinder(size.roller_radius, roller_material),
        Cylinder(bearing.outer.radius, kind.outer_material),
        size.length,
    )
    if size.contact_angle:
        law = law.slanted(size.contact_angle)
    ratio = tangential_ratio(kind.inner_material, roller_material)
    friction = friction_law(spec.friction, kind.friction, ratio)
    for roller in range(size.count):
        angle = 2 * math.pi * roller / size.count
        row = needle_between(
            bearing.inner,
            bearing.outer,
            angle,
            bearing.clearance,
            law,
            spec.contact.damping,
            friction,
        )
        builder.contact(row)


def _tie_cage(
    machine: CrankReducer, builder: ModelBuilder, bearing: Bearing, stiffness: float
) -> None:
    """Hold a cage where rolling without slip has it; without friction nothing else does.

    A spring in φ = θ_c - a θ_i - b θ_o, a + b = 1 the races' shares, as three springs between two
    bodies each: φ² = a (θ_c - θ_i)² + b (θ_c - θ_o)² - a b (θ_i - θ_o)². `stiffness` is that of all
    pockets along the pitch circle.
    """
    turn = stiffness * bearing.size.pitch_radius**2
    races = bearing.inner.radius + bearing.outer.radius
    inner, outer = bearing.inner.radius / races, bearing.outer.radius / races
    for first, second, share in (
        (bearing.inner.body, bearing.cage, inner),
        (bearing.outer.body, bearing.cage, outer),
        (bearing.inner.body, bearing.outer.body, -inner * outer),
    ):
        angles = [machine.layout.places[body - 1].pose(0.0)[2] for body in (first, second)]
        damping = machine.spec.structural_damping * share * turn
        builder.torsion_spring(first, second, share * turn, damping, angles[1] - angles[0])


def _add_bodies(machine: CrankReducer, builder: ModelBuilder, kind: Kind, bearing: Bearing) -> None:
    """Each roller a body between the races, in its place in the cage."""
    spec, size = machine.spec, bearing.size
    roller = Cylinder(size.roller_radius, spec.material(kind.spec.material).elastic)
    friction = loose_friction(spec.friction, kind.friction)
    inner = pair_law(
        spec.contact, Cylinder(bearing.inner.radius, kind.inner_material), roller, size.length
    )
    outer = pair_law(
        spec.contact, roller, Cylinder(bearing.outer.radius, kind.outer_material), size.length
    )
    damping = spec.contact.damping
    circles = [Disc(body, 0.0, 0.0, size.roller_radius) for body in bearing.rollers]
    for circle in circles:
        builder.contact(circle_pair(bearing.inner, circle, Surface(inner, damping, friction)))
    for circle in circles:
        builder.contact(circle_in_hole(bearing.outer, circle, Surface(outer, damping, friction)))
    held = kind.spec.pocket
    at_race = (bearing.inner.x, bearing.inner.y)
    _tie_cage(machine, builder, bearing, size.count * held[0])
    builder.bushing(bearing.inner.body, bearing.cage, *held, at_a=at_race)
    pitch = size.race_radius + size.roller_radius + 0.5 * size.clearance
    for number, body in enumerate(bearing.rollers):
        angle = 2 * math.pi * number / size.count
        along = angle + 0.5 * math.pi  # a pocket leaves a roller free to move in and out
        builder.guide(bearing.cage, body, *held, polar(pitch, angle), along)
