"""Masses and inertias of an RV reducer, from its dimensions; solids of revolution throughout."""

import math
from typing import NamedTuple

from flank.machines.cycloidal.masses import MassInertia, cylinder
from flank.machines.rv.rules import Dimensions
from flank.machines.rv.spec import RvReducerSpec


class RvMasses(NamedTuple):
    """(kg, kg·m²) of one part of each kind."""

    sun: MassInertia
    planet: MassInertia
    journal: MassInertia
    eccentric: MassInertia
    web: MassInertia  # of a disc, inside the split circle
    rim: MassInertia  # of a disc, outside it
    flange: MassInertia
    pin: MassInertia
    arm_roller: MassInertia
    support_roller: MassInertia
    arm_cage: MassInertia
    support_cage: MassInertia
    arm_seat: MassInertia
    support_seat: MassInertia


def rv_masses(spec: RvReducerSpec, size: Dimensions) -> RvMasses:
    def density(name: str) -> float:
        return spec.material(name).density

    steel = density(spec.cranks.material)
    stage = spec.first_stage
    arm, support = size.turning_arm, size.support
    web, rim = _disc(spec, size, density(spec.discs.material))
    half_web = cylinder(size.pin_radius - spec.eccentricity, 0.5 * size.web_length, steel)
    return RvMasses(
        sun=cylinder(0.5 * stage.module * stage.sun_teeth, size.face_width, steel),
        planet=cylinder(0.5 * stage.module * stage.planet_teeth, size.face_width, steel),
        journal=cylinder(size.journal_radius, size.journal_length, steel),
        eccentric=_sum(
            _shifted(cylinder(size.pin_radius, size.eccentric_length, steel), spec.eccentricity),
            half_web,
        ),
        web=web,
        rim=rim,
        flange=_flange(spec, size, density(spec.carrier.material)),
        pin=cylinder(spec.pins.radius, pin_length(spec, size), density(spec.pins.material)),
        arm_roller=cylinder(arm.roller_radius, arm.length, density(spec.turning_arm.material)),
        support_roller=cylinder(
            support.roller_radius, support.length, density(spec.supports.material)
        ),
        arm_cage=_cage(arm.pitch_radius, arm.roller_radius, arm.length, steel),
        support_cage=_cage(support.pitch_radius, support.roller_radius, support.length, steel),
        arm_seat=_seat(arm.bore_radius, size.disc_width, density(spec.discs.material)),
        support_seat=_seat(support.bore_radius, size.flange_width, density(spec.carrier.material)),
    )


def pin_length(spec: RvReducerSpec, size: Dimensions) -> float:
    """Length of a pin in its groove: over all discs."""
    return spec.discs.count * size.disc_width


def split_radius(spec: RvReducerSpec) -> float:
    """Where a disc's web, which the cranks hold, ends and its rim, which the pins hold, begins."""
    return 0.5 * (spec.cranks.circle_radius + spec.pins.circle_radius - spec.pins.radius)


def _sum(first: MassInertia, second: MassInertia) -> MassInertia:
    return first[0] + second[0], first[1] + second[1]


def _shifted(part: MassInertia, distance: float) -> MassInertia:
    return part[0], part[1] + part[0] * distance**2


def _less(whole: MassInertia, hole: MassInertia, count: int, distance: float) -> MassInertia:
    mass, inertia = _shifted(hole, distance)
    return whole[0] - count * mass, whole[1] - count * inertia


def _disc(spec: RvReducerSpec, size: Dimensions, density: float) -> tuple[MassInertia, MassInertia]:
    """Web and rim; the holes are counted with the web, on which most of them lie."""
    width = size.disc_width
    split = cylinder(split_radius(spec), width, density)
    outer = cylinder(spec.pins.circle_radius - spec.pins.radius, width, density)
    rim = outer[0] - split[0], outer[1] - split[1]
    web = _less(split, cylinder(size.disc_bore_radius, width, density), 1, 0.0)
    crank_hole = cylinder(size.turning_arm.bore_radius, width, density)
    web = _less(web, crank_hole, spec.cranks.count, spec.cranks.circle_radius)
    pillar_hole = cylinder(size.pillar_hole_radius, width, density)
    web = _less(web, pillar_hole, size.pillar_count, size.pillar_circle_radius)
    least = 0.05 * split[0], 0.05 * split[1]  # what is left of a web that is mostly holes
    return (max(web[0], least[0]), max(web[1], least[1])), rim


def _flange(spec: RvReducerSpec, size: Dimensions, density: float) -> MassInertia:
    """A plate out to the main bearing, and half the pillars."""
    plate = cylinder(size.main_circle_radius - size.ball_radius, size.flange_width, density)
    hole = cylinder(size.support.bore_radius, size.flange_width, density)
    plate = _less(plate, hole, spec.cranks.count, spec.cranks.circle_radius)
    half = cylinder(size.pillar_radius, 0.5 * pillar_length(spec, size), density)
    mass, inertia = _shifted(half, size.pillar_circle_radius)
    return plate[0] + size.pillar_count * mass, plate[1] + size.pillar_count * inertia


def pillar_length(spec: RvReducerSpec, size: Dimensions) -> float:
    """Between the flanges' inner faces: all eccentrics and the webs between them."""
    discs = spec.discs.count
    return discs * size.eccentric_length + (discs - 1) * size.web_length


def _cage(pitch_radius: float, roller_radius: float, length: float, density: float) -> MassInertia:
    """A thin sleeve, a third of a roller's diameter thick, half of it windows."""
    thickness = roller_radius * 2 / 3
    mass = density * math.pi * pitch_radius * thickness * length
    return mass, mass * pitch_radius**2


def _seat(radius: float, width: float, density: float) -> MassInertia:
    """The wall around a bearing that moves with its outer race: a tenth of its radius thick."""
    mass = density * 2 * math.pi * radius * 0.1 * radius * width
    return mass, mass * radius**2
