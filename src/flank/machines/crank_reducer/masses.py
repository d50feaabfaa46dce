"""Masses and inertias of a crank reducer, from its dimensions; solids of revolution throughout."""

import math
from typing import NamedTuple

from flank.machines.crank_reducer.rules import Dimensions
from flank.machines.crank_reducer.spec import CrankReducerSpec
from flank.machines.solids import MassInertia, cylinder, less, shifted, total


class Masses(NamedTuple):
    """(kg, kg·m²) of one part of each kind."""

    input: MassInertia  # the sun, or a shaft as thick as a journal
    planet: MassInertia | None
    journal: MassInertia
    eccentric: MassInertia
    web: MassInertia  # of a disc, inside the split circle
    rim: MassInertia  # of a disc, outside it
    flange: MassInertia
    arm_roller: MassInertia
    support_roller: MassInertia
    arm_cage: MassInertia
    support_cage: MassInertia
    arm_seat: MassInertia
    support_seat: MassInertia


def masses_of(spec: CrankReducerSpec, size: Dimensions) -> Masses:
    def density(name: str) -> float:
        return spec.material(name).density

    steel = density(spec.cranks.material)
    arm, support = size.turning_arm, size.support
    web, rim = _disc(spec, size, density(spec.discs.material))
    half_web = cylinder(size.pin_radius - size.eccentricity, 0.5 * size.web_length, steel)
    return Masses(
        input=_input(spec, size, steel),
        planet=_planet(spec, size, steel),
        journal=cylinder(size.journal_radius, size.journal_length, steel),
        eccentric=total(
            shifted(cylinder(size.pin_radius, size.eccentric_length, steel), size.eccentricity),
            half_web,
        ),
        web=web,
        rim=rim,
        flange=_flange(spec, size, density(spec.carrier.material)),
        arm_roller=cylinder(arm.roller_radius, arm.length, density(spec.turning_arm.material)),
        support_roller=cylinder(
            support.roller_radius, support.length, density(spec.supports.material)
        ),
        arm_cage=_cage(arm.pitch_radius, arm.roller_radius, arm.length, steel),
        support_cage=_cage(support.pitch_radius, support.roller_radius, support.length, steel),
        arm_seat=_seat(arm.bore_radius, size.disc_width, density(spec.discs.material)),
        support_seat=_seat(support.bore_radius, size.flange_width, density(spec.carrier.material)),
    )


def _input(spec: CrankReducerSpec, size: Dimensions, density: float) -> MassInertia:
    stage = spec.first_stage
    if stage is None:
        return cylinder(size.journal_radius, size.journal_length, density)
    return cylinder(0.5 * stage.module * stage.sun_teeth, size.face_width, density)


def _planet(spec: CrankReducerSpec, size: Dimensions, density: float) -> MassInertia | None:
    stage = spec.first_stage
    if stage is None:
        return None
    return cylinder(0.5 * stage.module * stage.planet_teeth, size.face_width, density)


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


def _flange(spec: CrankReducerSpec, size: Dimensions, density: float) -> MassInertia:
    """A plate out to the main bearing, and half the pillars."""
    plate = cylinder(size.main_circle_radius - size.ball_radius, size.flange_width, density)
    hole = cylinder(size.support.bore_radius, size.flange_width, density)
    plate = less(plate, hole, spec.cranks.count, spec.cranks.circle_radius)
    half = cylinder(size.pillar_radius, 0.5 * pillar_length(spec, size), density)
    mass, inertia = shifted(half, size.pillar_circle_radius)
    return plate[0] + size.pillar_count * mass, plate[1] + size.pillar_count * inertia


def pillar_length(spec: CrankReducerSpec, size: Dimensions) -> float:
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
