"""Sun and planets: what ties the cranks to the input, on any rung of the ladder.

The rung `spring` has the mean stiffness of ISO 6336-1, or the one given; the others know teeth.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from flank.contact.tooth_pair import GearPlace
from flank.dynamics.builder import ModelBuilder
from flank.elasticity.iso_6336 import mean_stiffness
from flank.elasticity.material import contact_modulus
from flank.geometry.gear_pair import GearPair
from flank.machines.base import ContactGroup, MeshPlace, Part
from flank.machines.gear_spec import EDGE_RADIUS, MeshSpec
from flank.machines.meshed_pair import MeshedPair
from flank.machines.meshes import add_mesh

if TYPE_CHECKING:
    from flank.machines.crank_reducer.parts import FirstStageSpec
    from flank.machines.crank_reducer.reducer import CrankReducer


class Drive(NamedTuple):
    """What ties the cranks to the input."""

    part: Part
    groups: tuple[ContactGroup, ...] = ()
    meshes: tuple[MeshPlace, ...] = ()


def add_first_stage(machine: CrankReducer, builder: ModelBuilder) -> Drive:
    """Mesh of the sun with the planet of every crank."""
    stage, gears, layout = machine.spec.first_stage, machine.gears, machine.layout
    assert stage is not None  # asked for only where there is one
    assert gears is not None
    meshed = _meshed(machine, stage, gears)
    first_spring, first_contact = builder.spring_count, builder.contact_count
    places = []
    for k, direction in enumerate(layout.crank_angles):
        body = int(layout.driven_end[k])
        tooth = _mating_angle(meshed.pair, direction) - float(builder.pose()[body, 2])
        sun, planet = GearPlace(layout.input_body), GearPlace(body, tooth)
        places.append(add_mesh(builder, f"sun/planet {k + 1}", meshed, sun, planet))
    springs = tuple(range(first_spring, builder.spring_count))
    contacts = tuple(range(first_contact, builder.contact_count))
    part = Part("first_stage", "first stage", contacts, springs)
    groups = (_group(meshed, first_contact, len(places), len(contacts)),) if contacts else ()
    return Drive(part, groups, tuple(places))


def _meshed(machine: CrankReducer, stage: FirstStageSpec, gears: GearPair) -> MeshedPair:
    """Half of the backlash is taken off each gear's teeth."""
    spec = machine.spec
    material = spec.material(spec.cranks.material).elastic
    both = (material, material)
    thinner = -0.5 * stage.backlash / math.cos(stage.pressure_angle)
    edge = EDGE_RADIUS * stage.module
    first, second = (
        replace(gear, thickness_deviation=thinner, edge_radius=edge)
        for gear in (gears.first, gears.second)
    )
    pair = replace(gears, first=first, second=second)
    mean = mean_stiffness(gears, both) * gears.face_width
    stiffness = stage.stiffness or mean
    form = MeshSpec(model=stage.model, damping=spec.structural_damping * stiffness)
    if stage.model == "spring":
        form = form.with_changes({"stiffness": stiffness})
    torque = spec.rated_torque / abs(machine.ratio)
    load = torque / (spec.cranks.count * gears.first.base_radius)
    return MeshedPair(pair, both, form, load)


def _mating_angle(pair: GearPair, direction: float) -> float:
    """Where a tooth of the second gear stands centred, one of the first along the x axis."""
    first, second = pair.first.base_radius, pair.second.base_radius
    half = 0.5 * pair.base_pitch
    return direction + math.pi + (half + first * direction) / second


def _group(meshed: MeshedPair, first: int, planets: int, contacts: int) -> ContactGroup:
    slots = contacts // (2 * planets)
    return ContactGroup(
        "first_stage",
        "teeth of the first stage",
        first,
        ("planet", "flank", "slot"),
        (planets, 2, slots),
        meshed.pair.face_width,
        contact_modulus(*meshed.materials),
    )
