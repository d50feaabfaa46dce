"""Parts of a crank reducer in absolute nodal coordinates: crankshafts, and the walls of disc holes.

A crank is a chain of beam elements along its axis, a node at every step and station; each station
is a planar body on its node. Without shear it is stiffer than the beam of the other form.

The wall of a crank hole is a ring as thick as the thinnest wall around the hole, a node at every
roller. Behind a node lies more of the disc where the wall is thicker than the ring: a foundation
E/((1 + ν) R) per wall area, the stiffness of a wide plate around a hole of radius R under even
pressure, times the share of the wall that is not the ring itself. A thin wall bends freely, so the
hole becomes oval. Rollers keep their places on the wall.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flank.contact import Disc, Surface, circle_pair
from flank.dynamics.builder import ModelBuilder, Node
from flank.elasticity.line_contact import Cylinder, LineLaw
from flank.elasticity.section import rectangular_section, round_section
from flank.elasticity.shaft import Shaft
from flank.machines.contact_laws import needle_law
from flank.machines.crank_reducer.geometry import hole_error, wall_behind

if TYPE_CHECKING:
    from flank.machines.crank_reducer.reducer import CrankReducer


def add_shaft_beams(machine: CrankReducer, builder: ModelBuilder, shaft: Shaft) -> None:
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


def add_hole_walls(machine: CrankReducer, builder: ModelBuilder) -> None:
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
