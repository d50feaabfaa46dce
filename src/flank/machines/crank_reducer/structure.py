"""What bends and twists between the contacts: discs, cranks, carrier, main bearings.

In absolute nodal coordinates a crank is a chain of beam elements along its axis, a node at every
step and station; each station is a planar body on its node. Without shear it is stiffer than the
beam of the other form.

The wall of a crank hole is a ring as thick as the thinnest wall around the hole, a node at every
roller. Behind a node lies more of the disc where the wall is thicker than the ring: a foundation
E/((1 + ν) R) per wall area, the stiffness of a wide plate around a hole of radius R under even
pressure, times the share of the wall that is not the ring itself. A thin wall bends freely, so the
hole becomes oval. Rollers keep their places on the wall.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from flank.contact import Disc, Surface, circle_pair
from flank.dynamics.builder import ModelBuilder, Node
from flank.dynamics.tables import GROUND
from flank.elasticity.ball_bearing import radial_stiffness
from flank.elasticity.line_contact import Cylinder, LineLaw
from flank.elasticity.plate import Compliance, Holes, Plate, plate_compliance
from flank.elasticity.section import rectangular_section, round_section
from flank.elasticity.shaft import Segment, Shaft, clamped_stiffness
from flank.machines.contact_laws import needle_law
from flank.machines.crank_reducer.geometry import crank_shaft, hole_error, wall_behind
from flank.machines.crank_reducer.masses import pillar_length

if TYPE_CHECKING:
    from flank.machines.crank_reducer.reducer import CrankReducer

WEB_SHARE = 0.02
"""Share of a disc's shift between web and rim: holes hardly feel each other's loads (1 % by FE)."""


def add_shafts(machine: CrankReducer, builder: ModelBuilder) -> None:
    """Bending and torsion of every crank between its stations."""
    form = machine.spec.cranks.shaft
    if form != "rigid":
        shaft = crank_shaft(machine.spec, machine.size)
        _add_torsion(machine, builder, shaft)
        if form == "beam":
            _add_bending(machine, builder, shaft)
        else:
            _add_shaft_beams(machine, builder, shaft)


def _add_torsion(machine: CrankReducer, builder: ModelBuilder, shaft: Shaft) -> None:
    damping = machine.spec.structural_damping
    for k in range(machine.spec.cranks.count):
        stations = itertools.pairwise(machine.layout.stations(k))
        for ends, stiffness in zip(stations, shaft.torsional_stiffness(), strict=True):
            builder.torsion_spring(*ends, stiffness, damping * stiffness)


def _add_bending(machine: CrankReducer, builder: ModelBuilder, shaft: Shaft) -> None:
    """Springs that a condensed beam is between its stations.

    A stiffness K that resists neither shift nor tilt is a spring -K_ij between every two stations,
    some of them negative.
    """
    damping, lateral = machine.spec.structural_damping, shaft.lateral_stiffness()
    for k in range(machine.spec.cranks.count):
        stations = machine.layout.stations(k)
        for j, i in itertools.combinations(range(len(stations)), 2):
            stiffness = -float(lateral[i, j])
            builder.bushing(stations[j], stations[i], stiffness, damping * stiffness)


def disc_compliance(machine: CrankReducer) -> Compliance:
    """The plate of a disc between its crank holes and the root circle of its flank."""
    spec, size = machine.spec, machine.size
    ring = spec.cranks.circle_radius
    plate = Plate(
        size.root_radius,
        size.disc_width,
        size.disc_bore_radius,
        spec.material(spec.discs.material).elastic,
        Holes(spec.cranks.count, ring, size.turning_arm.bore_radius),
        (_pillars(machine, size.pillar_hole_radius),),
    )
    return plate_compliance(plate)


def flange_compliance(machine: CrankReducer) -> Compliance:
    """The plate of a flange between the seats of its bearings and the pillars."""
    spec, size = machine.spec, machine.size
    plate = Plate(
        size.main_circle_radius - size.ball_radius,
        size.flange_width,
        size.disc_bore_radius,
        spec.material(spec.carrier.material).elastic,
        Holes(spec.cranks.count, spec.cranks.circle_radius, size.support.bore_radius),
        pillars=_pillars(machine, size.pillar_radius),
    )
    return plate_compliance(plate)


def _pillars(machine: CrankReducer, radius: float) -> Holes:
    size = machine.size
    return Holes(size.pillar_count, size.pillar_circle_radius, radius, math.pi / size.pillar_count)


def add_discs(machine: CrankReducer, builder: ModelBuilder) -> None:
    """Each disc's web turns against its rim, and every hole's seat gives way in the web.

    Of the shift of all holes together WEB_SHARE lies between web and rim, the rest in the seats.
    """
    layout, damping = machine.layout, machine.spec.structural_damping
    if machine.spec.discs.body == "elastic":
        compliance = disc_compliance(machine)
        cranks = machine.spec.cranks
        twist = max(compliance.turn / compliance.shift - 1, 0.0) + WEB_SHARE
        shift = cranks.count / (WEB_SHARE * compliance.shift)
        turn = cranks.count * cranks.circle_radius**2 / (twist * compliance.shift)
        for web, rim in zip(layout.web, layout.rim, strict=True):
            builder.bushing(web, rim, shift, damping * shift)
            builder.torsion_spring(web, rim, turn, damping * turn)
        if layout.ring_nodes:
            _add_hole_walls(machine, builder)
        seat_compliance = (1 - WEB_SHARE) * compliance.shift
        for (_, j), seat in np.ndenumerate(layout.arm_seat):
            if int(seat) in layout.seat_places:
                at_web = layout.seat_places[int(seat)]
                _add_seat(builder, layout.web[j], int(seat), seat_compliance, damping, at_web)


def add_carrier(machine: CrankReducer, builder: ModelBuilder) -> None:
    """Pillars between the flanges, clamped at both ends; bearing seats in the flanges."""
    spec, size, layout = machine.spec, machine.size, machine.layout
    damping = spec.structural_damping
    if spec.carrier.body == "elastic":
        material = spec.material(spec.carrier.material).elastic
        length = pillar_length(spec, size)
        pillar = clamped_stiffness(length, Segment(length, size.pillar_radius), material)
        total = size.pillar_count * pillar
        one, two = layout.flange
        builder.bushing(one, two, total, damping * total)
        own = 2 * material.shear_modulus * Segment(length, size.pillar_radius).second_moment
        twist = total * size.pillar_circle_radius**2 + size.pillar_count * own / length
        builder.torsion_spring(one, two, twist, damping * twist)
        compliance = flange_compliance(machine).turn
        for (_, side), seat in np.ndenumerate(layout.support_seat):
            at_flange = layout.seat_places[int(seat)]
            _add_seat(builder, layout.flange[side], int(seat), compliance, damping, at_flange)


def _add_seat(
    builder: ModelBuilder,
    body: int,
    seat: int,
    compliance: float,
    damping: float,
    place: tuple[float, float],
) -> None:
    """A seat in its body: it gives way, and as good as does not turn."""
    shift, turn = 1 / compliance, (place[0] ** 2 + place[1] ** 2) / compliance
    builder.bushing(body, seat, shift, damping * shift, at_a=place)
    builder.torsion_spring(body, seat, turn, damping * turn)


def add_main_bearings(machine: CrankReducer, builder: ModelBuilder) -> None:
    """A radial spring between each flange and the housing."""
    size = machine.size
    stiffness = radial_stiffness(
        size.ball_count, size.ball_radius, size.ball_contact_angle, size.main_preload
    )
    for flange in machine.layout.flange:
        damping = machine.spec.structural_damping * stiffness
        builder.bushing(GROUND, flange, stiffness, damping)


def _add_shaft_beams(machine: CrankReducer, builder: ModelBuilder, shaft: Shaft) -> None:
    """Beam elements between the nodes of every crank, stations tied to theirs."""
    layout = machine.layout
    pieces, at_stations = shaft.pieces(), shaft.station_places()
    for k in range(machine.spec.cranks.count):
        nodes = [Node(row, row + 1) for row in layout.shaft_nodes[k]]
        for first, second, (low, high, segment) in zip(nodes[:-1], nodes[1:], pieces, strict=True):
            section = round_section(shaft.material, 2 * segment.radius)
            builder.beam(first, second, high - low, section)
        for body, place in zip(layout.stations(k), at_stations, strict=True):
            builder.revolute(body, nodes[place].position)


def _add_hole_walls(machine: CrankReducer, builder: ModelBuilder) -> None:
    """Rings around the crank holes of every disc, on their foundation in the disc."""
    spec, size, layout = machine.spec, machine.size, machine.layout
    material = spec.material(spec.discs.material).elastic
    thickness, count = layout.wall_thickness, size.turning_arm.count
    section = rectangular_section(material, thickness, size.disc_width)
    hole = size.turning_arm.bore_radius
    modulus = material.youngs_modulus / ((1 + material.poisson_ratio) * hole)
    area = size.disc_width * 2 * math.pi * hole / count
    arc = 2 * math.pi * (hole + 0.5 * thickness) / count
    for (k, j), rows in layout.ring_nodes.items():
        nodes = [Node(row, row + 1) for row in rows]
        off_x, off_y = hole_error(machine.errors, layout.hole("turning_arm", k, j), k, j)
        for roller, node in enumerate(nodes):
            builder.beam(node, nodes[(roller + 1) % count], arc, section)
            x, y = layout.wall_place(k, j, roller, hole + 0.5 * thickness)
            place = x + off_x, y + off_y
            direction = 2 * math.pi * roller / count  # on the disc, its pattern of holes at zero
            share = 1 - thickness / wall_behind(spec, size, k, direction)
            stiffness = modulus * area * max(share, 0.0)
            if stiffness > 0:
                damping = spec.structural_damping * stiffness
                builder.bushing(layout.web[j], node.position, stiffness, damping, place)


def add_rollers_on_walls(
    machine: CrankReducer,
    builder: ModelBuilder,
    place: tuple[int, ...],
    inner: Disc,
    clearance: float,
) -> None:
    """Each roller one contact between the eccentric and the wall's node before it.

    The eccentric with its rollers is a circle, the wall about its node another of half its
    thickness; the law of the roller's two contacts is written for the curvature these have.
    """
    spec, size = machine.spec, machine.size.turning_arm
    half = 0.5 * machine.layout.wall_thickness
    law = needle_law(
        spec.contact,
        Cylinder(inner.radius, spec.material(spec.cranks.material).elastic),
        Cylinder(size.roller_radius, spec.material(spec.turning_arm.material).elastic),
        Cylinder(size.bore_radius, spec.material(spec.discs.material).elastic),
        size.length,
    )
    reach = size.bore_radius - clearance
    if isinstance(law, LineLaw):
        radius = 1 / (1 / reach + 1 / half)
        law = LineLaw(law.constant + law.slope * math.log(radius), law.slope, law.length)
    envelope = Disc(inner.body, inner.x, inner.y, reach)
    surface = Surface(law, spec.contact.damping)
    for row in machine.layout.ring_nodes[place[0], place[1]]:
        builder.contact(circle_pair(envelope, Disc(row, 0.0, 0.0, half), surface))
