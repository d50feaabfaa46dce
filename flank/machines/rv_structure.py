"""What bends and twists between the contacts: discs, cranks, carrier, first stage, bearings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flank.dynamics.builder import ModelBuilder
from flank.dynamics.tables import GROUND
from flank.elasticity.ball_bearing import radial_stiffness
from flank.elasticity.plate import Holes, torsional_stiffness
from flank.elasticity.shaft import Segment, Shaft, clamped_stiffness
from flank.machines.base import Part
from flank.machines.rv_masses import pillar_length

if TYPE_CHECKING:
    from flank.machines.rv_reducer import RvReducer


def crank_shaft(machine: RvReducer) -> Shaft:
    """Planet, journal, eccentrics with webs between, journal; a station in the middle of each.

    The web between two eccentrics is the largest round one that lies inside both.
    """
    size, discs = machine.size, machine.spec.discs.count
    journal = Segment(size.journal_length, size.journal_radius)
    eccentric = Segment(size.eccentric_length, size.pin_radius)
    web = Segment(size.web_length, size.pin_radius - machine.spec.eccentricity)
    pieces = [Segment(size.face_width, size.journal_radius), journal]
    for j in range(discs):
        pieces += [web, eccentric] if j else [eccentric]
    pieces.append(journal)
    stations, place = [], 0.0
    for piece in pieces:
        if piece is not web:
            stations.append(place + 0.5 * piece.length)
        place += piece.length
    material = machine.spec.material(machine.spec.cranks.material).elastic
    return Shaft(tuple(pieces), tuple(stations), material)


def add_shafts(machine: RvReducer, builder: ModelBuilder) -> Part:
    """Beams through the stations of every crank.

    A stiffness K between stations that resists neither shift nor tilt is a spring -K_ij between
    every two of them, some of them negative.
    """
    first, layout = builder.spring_count, machine.layout
    if machine.spec.cranks.shaft == "beam":
        shaft = crank_shaft(machine)
        lateral, torsional = shaft.lateral_stiffness(), shaft.torsional_stiffness()
        for k in range(machine.spec.cranks.count):
            stations = layout.stations(k)
            for i in range(len(stations)):
                for j in range(i):
                    builder.bushing(stations[j], stations[i], -float(lateral[i, j]))
            for i, stiffness in enumerate(torsional):
                builder.torsion_spring(stations[i], stations[i + 1], stiffness)
    return Part("cranks", "crankshafts", springs=_since(first, builder))


def add_discs(machine: RvReducer, builder: ModelBuilder) -> Part:
    """Torsion of each disc from the circle of its holes out to the flank's root."""
    spec, size, layout = machine.spec, machine.size, machine.layout
    first = builder.spring_count
    if spec.discs.body == "elastic":
        holes = (
            Holes(spec.cranks.count, spec.cranks.circle_radius, size.turning_arm.bore_radius),
            Holes(size.pillar_count, size.pillar_circle_radius, size.pillar_hole_radius),
        )
        stiffness = torsional_stiffness(
            spec.cranks.circle_radius,
            spec.root_radius,
            size.disc_width,
            spec.material(spec.discs.material).elastic,
            holes,
        )
        for web, rim in zip(layout.web, layout.rim, strict=True):
            builder.revolute(web, rim)
            builder.torsion_spring(web, rim, stiffness)
    return Part("discs", "discs", springs=_since(first, builder))


def add_carrier(machine: RvReducer, builder: ModelBuilder) -> Part:
    """Pillars between the flanges, clamped at both ends."""
    spec, size = machine.spec, machine.size
    first = builder.spring_count
    if spec.carrier.body == "elastic":
        material = spec.material(spec.carrier.material).elastic
        length = pillar_length(spec, size)
        pillar = clamped_stiffness(length, Segment(length, size.pillar_radius), material)
        total = size.pillar_count * pillar
        one, two = machine.layout.flange
        builder.bushing(one, two, total)
        builder.torsion_spring(one, two, total * size.pillar_circle_radius**2)
    return Part("carrier", "carrier", springs=_since(first, builder))


def add_first_stage(machine: RvReducer, builder: ModelBuilder) -> Part:
    """Mesh of the sun with the planet of every crank."""
    spec, gears, layout = machine.spec, machine.gears, machine.layout
    first = builder.spring_count
    modulus = spec.material(spec.cranks.material).youngs_modulus
    stiffness = spec.first_stage.stiffness or gears.stiffness(machine.size.face_width, modulus)
    sun, planet = gears.base_radii
    for k, angle in enumerate(layout.crank_angles):
        builder.mesh(
            layout.sun,
            int(layout.planet[k]),
            stiffness,
            gears.base_radii,
            spec.cranks.circle_radius,
            angle=-(sun + planet) / planet * angle,
            backlash=spec.first_stage.backlash,
        )
    return Part("first_stage", "first stage", springs=_since(first, builder))


def add_main_bearings(machine: RvReducer, builder: ModelBuilder) -> Part:
    """A radial spring between each flange and the housing."""
    size = machine.size
    first = builder.spring_count
    stiffness = radial_stiffness(
        size.ball_count, size.ball_radius, size.ball_contact_angle, size.main_preload
    )
    for flange in machine.layout.flange:
        builder.bushing(GROUND, flange, stiffness)
    return Part("main_bearings", "main bearings", springs=_since(first, builder))


def _since(first: int, builder: ModelBuilder) -> tuple[int, ...]:
    return tuple(range(first, builder.spring_count))
