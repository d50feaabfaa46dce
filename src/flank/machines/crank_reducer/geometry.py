"""Shapes of a crank reducer's parts: walls of its discs, a crank as a stepped shaft, and masses.

For their masses all parts count as solids of revolution.
"""

import math
from typing import NamedTuple

from flank.elasticity.shaft import Segment, Shaft
from flank.machines.crank_reducer.carrier import pillar_length
from flank.machines.crank_reducer.rules import BearingDimensions, Dimensions
from flank.machines.crank_reducer.spec import CrankReducerSpec
from flank.machines.error_kinds import Values
from flank.machines.round_parts import (
    MassInertia,
    Point,
    carried,
    cylinder,
    even_angles,
    less,
    off_circle,
    polar,
    shifted,
    total,
)


def hole_error(errors: Values, hole: Point, k: int, j: int) -> Point:
    """How far the hole of crank k in disc j is off its place, on the disc, about the middle of its
    flank."""
    x, y = off_circle(hole, errors["hole_radial"][j, k], errors["hole_tangential"][j, k])
    cranks = errors["hole_radial"].shape[1]
    first = math.atan2(hole[1], hole[0]) - 2 * math.pi * k / cranks
    off_x, off_y = flank_run_out(errors, j, first)
    return x - off_x, y - off_y


def flank_run_out(errors: Values, j: int, first: float) -> Point:
    """How far the flank of disc j is off the middle of its holes, on the disc: as told from that
    middle to the hole of the first crank, which stands at the angle `first`."""
    if "flank_x" not in errors:  # a measured flank holds it, and teeth have a kind of their own
        return 0.0, 0.0
    return carried((0.0, 0.0, first), (float(errors["flank_x"][j]), float(errors["flank_y"][j])))


def wall_behind(spec: CrankReducerSpec, size: Dimensions, crank: int, direction: float) -> float:
    """Material behind the wall of a crank hole in a direction of the disc, to the next edge.

    Never more than the hole's radius: what lies deeper is hardly pressed.
    """
    radius = size.turning_arm.bore_radius
    angle = 2 * math.pi * crank / spec.cranks.count
    x, y = polar(spec.cranks.circle_radius, angle)
    dx, dy = math.cos(direction), math.sin(direction)
    to_root = math.sqrt(size.root_radius**2 - (x * dy - y * dx) ** 2) - (x * dx + y * dy)
    distances = [2 * radius, to_root]
    circles = [(0.0, 0.0, size.disc_bore_radius)]
    for k in range(size.pillar_count):
        place = polar(size.pillar_circle_radius, 2 * math.pi * (k + 0.5) / size.pillar_count)
        circles.append((*place, size.pillar_hole_radius))
    for k, angle in enumerate(even_angles(spec.cranks.count)):
        if k != crank:
            circles.append((*polar(spec.cranks.circle_radius, angle), radius))
    for cx, cy, r in circles:
        along = (cx - x) * dx + (cy - y) * dy
        across = (cx - x) ** 2 + (cy - y) ** 2 - along**2
        if along > 0 and across < r**2:
            distances.append(along - math.sqrt(r**2 - across))
    return min(distances) - radius


def ring_thickness(spec: CrankReducerSpec, size: Dimensions) -> float:
    """The thinnest wall around any crank hole."""
    steps = 720
    return min(
        wall_behind(spec, size, k, 2 * math.pi * i / steps)
        for k in range(spec.cranks.count)
        for i in range(steps)
    )


def crank_shaft(spec: CrankReducerSpec, size: Dimensions) -> Shaft:
    """Planet (if there is one), journal, eccentrics with webs between, journal.

    A station stands in the middle of each. The web between two eccentrics is the largest round one
    that lies inside both.
    """
    journal = Segment(size.journal_length, size.journal_radius)
    eccentric = Segment(size.eccentric_length, size.pin_radius)
    web = Segment(size.web_length, size.pin_radius - size.eccentricity)
    pieces = [journal]
    if spec.first_stage is not None:
        pieces.insert(0, Segment(size.face_width, size.journal_radius))
    for j in range(spec.discs.count):
        pieces += [web, eccentric] if j else [eccentric]
    pieces.append(journal)
    stations, place = [], 0.0
    for piece in pieces:
        if piece is not web:
            stations.append(place + 0.5 * piece.length)
        place += piece.length
    material = spec.elastic(spec.cranks.material)
    return Shaft(tuple(pieces), tuple(stations), material)


def crank_loaded_lengths(spec: CrankReducerSpec, size: Dimensions) -> tuple[float, ...]:
    """Along which each station of a crank is loaded: teeth and rollers, within their pieces."""
    journal = min(size.support.length, size.journal_length)
    eccentric = min(size.turning_arm.length, size.eccentric_length)
    planet = () if spec.first_stage is None else (size.face_width,)
    return *planet, journal, *([eccentric] * spec.discs.count), journal


class BearingMasses(NamedTuple):
    """(kg, kg·m²) of one roller, its cage, and the walls that move with both races."""

    roller: MassInertia
    cage: MassInertia
    seat: MassInertia
    race: MassInertia


class Masses(NamedTuple):
    """(kg, kg·m²) of one part of each kind."""

    input: MassInertia  # the sun, or a shaft as thick as a journal
    planet: MassInertia | None
    journal: MassInertia
    eccentric: MassInertia
    web: MassInertia  # of a disc, inside the split circle
    rim: MassInertia  # of a disc, outside it
    plate: MassInertia  # of a flange
    pillars: MassInertia  # half of all, which a flange carries
    main_seat: MassInertia  # the wall that moves with the outer race of a main bearing
    turning_arm: BearingMasses
    support: BearingMasses
    roller_pin: MassInertia  # as long as an eccentric

    @property
    def flange(self) -> MassInertia:
        """A plate and half the pillars."""
        return total(self.plate, self.pillars)


def masses_of(spec: CrankReducerSpec, size: Dimensions) -> Masses:
    def density(name: str) -> float:
        return spec.material(name).density

    def bearing(
        of: BearingDimensions, roller_material: str, width: float, holder: str
    ) -> BearingMasses:
        return BearingMasses(
            cylinder(of.roller_radius, of.length, density(roller_material)),
            _cage(of, steel),
            _seat(of.bore_radius, width, density(holder)),
            _seat(of.race_radius, of.length, steel),
        )

    steel, stage = density(spec.cranks.material), spec.first_stage
    discs, carrier = spec.discs.material, spec.carrier.material
    journal = cylinder(size.journal_radius, size.journal_length, steel)
    pin = cylinder(size.pin_radius, size.eccentric_length, steel)
    half_web = cylinder(size.pin_radius - size.eccentricity, 0.5 * size.web_length, steel)
    sun, planet = journal, None
    if stage is not None:
        sun = cylinder(0.5 * stage.module * stage.sun_teeth, size.face_width, steel)
        planet = cylinder(0.5 * stage.module * stage.planet_teeth, size.face_width, steel)
    return Masses(
        sun,
        planet,
        journal,
        total(shifted(pin, size.eccentricity), half_web),
        *_disc(spec, size, density(discs)),
        _plate(spec, size, density(carrier)),
        _pillars(spec, size, density(carrier)),
        _seat(size.main_circle_radius + size.ball_radius, size.flange_width, density(carrier)),
        bearing(size.turning_arm, spec.turning_arm.material, size.disc_width, discs),
        bearing(size.support, spec.supports.material, size.flange_width, carrier),
        cylinder(size.pillar_radius, size.eccentric_length, density(carrier)),
    )


def _disc(
    spec: CrankReducerSpec, size: Dimensions, density: float
) -> tuple[MassInertia, MassInertia]:
    """Web and rim; the holes are counted with the web, on which most of them lie."""
    width = size.disc_width
    split = cylinder(size.split_radius, width, density)
    outer = cylinder(size.disc_radius, width, density)
    rim = outer[0] - split[0], outer[1] - split[1]
    web = less(split, cylinder(size.disc_bore_radius, width, density))
    crank_hole = cylinder(size.turning_arm.bore_radius, width, density)
    web = less(web, crank_hole, spec.cranks.count, spec.cranks.circle_radius)
    pillar_hole = cylinder(size.pillar_hole_radius, width, density)
    web = less(web, pillar_hole, size.pillar_count, size.pillar_circle_radius)
    least = 0.05 * split[0], 0.05 * split[1]  # what is left of a web that is mostly holes
    return (max(web[0], least[0]), max(web[1], least[1])), rim


def _plate(spec: CrankReducerSpec, size: Dimensions, density: float) -> MassInertia:
    """A flange out to the main bearing."""
    plate = cylinder(size.main_circle_radius - size.ball_radius, size.flange_width, density)
    hole = cylinder(size.support.bore_radius, size.flange_width, density)
    return less(plate, hole, spec.cranks.count, spec.cranks.circle_radius)


def _pillars(spec: CrankReducerSpec, size: Dimensions, density: float) -> MassInertia:
    """Half of all."""
    half = cylinder(size.pillar_radius, 0.5 * pillar_length(spec, size), density)
    mass, inertia = shifted(half, size.pillar_circle_radius)
    return size.pillar_count * mass, size.pillar_count * inertia


def _cage(of: BearingDimensions, density: float) -> MassInertia:
    """A thin sleeve, a third of a roller's diameter thick, half of it windows."""
    thickness = of.roller_radius * 2 / 3
    mass = density * math.pi * of.pitch_radius * thickness * of.length
    return mass, mass * of.pitch_radius**2


def _seat(radius: float, width: float, density: float) -> MassInertia:
    """The wall around a bearing that moves with its outer race: a tenth of its radius thick."""
    mass = density * 2 * math.pi * radius * 0.1 * radius * width
    return mass, mass * radius**2
