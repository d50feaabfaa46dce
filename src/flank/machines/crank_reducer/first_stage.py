"""The mesh of the sun with the planet of every crank.

Without a block `mesh` it is a spring of ISO 6336-1's mean stiffness along each flank. With one it
is on the rung of the ladder that the block names. A tooth of the sun stands at its angle zero; the
planet in the direction β has one at β + π + β z1/z2 and half a pitch on, so that they mesh.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from flank.contact.tooth_pair import GearPlace
from flank.dynamics.builder import ModelBuilder
from flank.elasticity.iso_6336 import mean_stiffness
from flank.elasticity.material import contact_modulus
from flank.geometry.findings import Finding
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.machines.base import DataTable, LinePressure, MeshPlace
from flank.machines.crank_reducer.parts import FirstStageSpec
from flank.machines.crank_reducer.spec import CrankReducerSpec
from flank.machines.gear_data import gear_table, mesh_table
from flank.machines.gear_spec import EDGE_RADIUS, MeshSpec
from flank.machines.meshed_pair import MeshedPair
from flank.machines.meshes import add_mesh

if TYPE_CHECKING:
    from flank.machines.crank_reducer.reducer import CrankReducer

NORM_DEDENDUM = 1.2
"""Of the rack for which ISO 6336-1 states its stiffness, in modules."""

GROUP_TITLE = "teeth of the first stage"


def stage_pair(stage: FirstStageSpec, face_width: float) -> GearPair:
    """Sun and planet, teeth of the norm's rack without backlash."""
    sun, planet = (
        Gear(teeth, stage.module, stage.pressure_angle, shift, dedendum=NORM_DEDENDUM)
        for teeth, shift in (
            (stage.sun_teeth, stage.profile_shift),
            (stage.planet_teeth, 0.0 - stage.profile_shift),  # not -0 where there is none
        )
    )
    return GearPair(sun, planet, face_width=face_width)


def toothed_pair(stage: FirstStageSpec, face_width: float) -> GearPair:
    """The same gears with rounded tips, their teeth thinner by the backlash: half of it each."""
    pair = stage_pair(stage, face_width)
    thinner = -0.5 * stage.backlash / math.cos(stage.pressure_angle)
    sun, planet = (
        replace(gear, edge_radius=EDGE_RADIUS * stage.module, thickness_deviation=thinner)
        for gear in (pair.first, pair.second)
    )
    return replace(pair, first=sun, second=planet)


def add_first_stage(machine: CrankReducer, builder: ModelBuilder) -> list[MeshPlace]:
    stage = machine.spec.first_stage
    assert stage is not None  # asked for only where there is one
    name, title, meshed = "first_stage", "first stage", meshed_stage(machine, stage)
    if stage.mesh is None:
        with builder.part(name, title):
            return _add_springs(machine, builder, stage, meshed)
    sizes = {"planet": len(machine.layout.crank_angles), "stage_flank": 2, "stage_pair": -1}
    width = meshed.pair.face_width / len(meshed.slices())
    pressure = LinePressure(width, contact_modulus(*meshed.materials))
    with builder.part(name, title), builder.group("stage_tooth", GROUP_TITLE, sizes, pressure):
        return _add_meshes(machine, builder, stage, meshed)


def stage_data(machine: CrankReducer, stage: FirstStageSpec) -> list[DataTable]:
    """Sun and planets, as `flank check` shows them."""
    meshed = meshed_stage(machine, stage)
    gears = {"sun": meshed.pair.first, "planet": meshed.pair.second}
    return [
        gear_table("Gears of the first stage", gears),
        mesh_table("Mesh of the first stage", {"sun/planet": meshed}),
    ]


def _add_springs(
    machine: CrankReducer, builder: ModelBuilder, stage: FirstStageSpec, meshed: MeshedPair
) -> list[MeshPlace]:
    """A spring of the given stiffness, or the norm's, for every planet."""
    spec, layout = machine.spec, machine.layout
    gears = stage_pair(stage, machine.size.face_width)
    mean = mean_stiffness(gears, meshed.materials) * gears.face_width
    stiffness = stage.stiffness or mean
    sun, planet = gears.first.base_radius, gears.second.base_radius
    places = []
    for k, angle in enumerate(layout.crank_angles):
        spring = builder.mesh(
            layout.input_body,
            int(layout.driven_end[k]),
            stiffness,
            (sun, planet),
            spec.cranks.circle_radius,
            damping=spec.structural_damping * stiffness,
            angle=-(sun + planet) / planet * angle,
            backlash=stage.backlash,
        )
        places.append(
            MeshPlace(
                f"planet {k + 1}",
                "spring",
                springs=(spring,),
                working_angle=meshed.working_angle,
                limits=meshed.limits,
            )
        )
    return places


def meshed_stage(machine: CrankReducer, stage: FirstStageSpec) -> MeshedPair:
    """Sun and one planet at the rated torque, of the default model if none is named."""
    spec, pair = machine.spec, toothed_pair(stage, machine.size.face_width)
    material = spec.material(spec.cranks.material).elastic
    sun_torque = spec.rated_torque / abs(machine.ratio)
    load = sun_torque / (spec.cranks.count * pair.first.base_radius)
    return MeshedPair(pair, (material, material), stage.mesh or MeshSpec(), load)


def _add_meshes(
    machine: CrankReducer, builder: ModelBuilder, stage: FirstStageSpec, meshed: MeshedPair
) -> list[MeshPlace]:
    layout = machine.layout
    flank = 1 if machine.load_torque < 0 else -1  # a sun that drives pushes as it turns
    places = []
    for k, angle in enumerate(layout.crank_angles):
        tooth = angle + math.pi + (angle * stage.sun_teeth + math.pi) / stage.planet_teeth
        sun = GearPlace(layout.input_body)
        planet = GearPlace(int(layout.driven_end[k]), tooth)
        places.append(add_mesh(builder, f"planet {k + 1}", meshed, sun, planet, flank))
    return places


def check_keying(spec: CrankReducerSpec) -> Iterator[Finding]:
    """Whether all cranks can be alike, planet and eccentrics keyed to each other in one way."""
    stage, cranks = spec.first_stage, spec.cranks.count
    if stage is None:
        return
    left = (stage.sun_teeth + stage.planet_teeth) % cranks
    if left:
        yield Finding(
            "planets-keyed-differently",
            "warning",
            f"{stage.sun_teeth} + {stage.planet_teeth} teeth are no multiple of {cranks} cranks: "
            "each planet must be keyed to its crank differently",
            float(left),
            0.0,
            "",
            "choose tooth numbers whose sum is a multiple of the cranks, or mark the cranks",
        )
