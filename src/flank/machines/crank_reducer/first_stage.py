"""The mesh of the sun with the planet of every crank.

Without a block `mesh` it is a spring of ISO 6336-1's mean stiffness along each flank. With one it
has the mesh model that the block names. A tooth of the sun stands at its angle zero; the planet in
the direction β has one at β + π + β z1/z2 and half a pitch on, so that they mesh.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flank.contact.tooth_pair import GearPlace
from flank.dynamics.builder import ModelBuilder
from flank.elasticity.iso_6336 import mean_stiffness
from flank.geometry.findings import Finding
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_checks import check_pair
from flank.geometry.planetary import SUN_PLANET
from flank.machines.base import DataTable, MeshPlace
from flank.machines.crank_reducer.parts import FirstStageSpec
from flank.machines.error_kinds import Index
from flank.machines.gear_bodies import check_bodies
from flank.machines.gear_data import gear_table, mesh_table
from flank.machines.gear_spec import EDGE_RADIUS, MeshSpec
from flank.machines.meshed_pair import MeshedPair, check_mesh, held_at
from flank.machines.meshes import add_mesh
from flank.machines.round_parts import Point

if TYPE_CHECKING:
    from flank.machines.crank_reducer.reducer import CrankReducer

NORM_DEDENDUM = 1.2
"""Of the rack for which ISO 6336-1 states its stiffness, in modules."""


def stage_pair(stage: FirstStageSpec, face_width: float, distance: float) -> GearPair:
    """Sun and planet, teeth of the norm's rack without backlash at the centre distance; tips are
    shortened by k = Σx - (a - a0)/m, which keeps their clearance."""
    shifts = stage.shift_sum(distance)
    shortening = shifts - (distance - stage.plain_distance) / stage.module if shifts else 0.0
    sun, planet = (
        Gear(
            teeth,
            stage.module,
            stage.pressure_angle,
            shift,
            dedendum=NORM_DEDENDUM,
            tip_shortening=shortening,
        )
        for teeth, shift in (
            (stage.sun_teeth, stage.profile_shift),
            (stage.planet_teeth, shifts - stage.profile_shift),
        )
    )
    return GearPair(sun, planet, face_width=face_width)


def toothed_pair(stage: FirstStageSpec, face_width: float, distance: float) -> GearPair:
    """The same gears with rounded tips, their teeth thinner by the backlash: half of it each."""
    pair = stage_pair(stage, face_width, distance)
    thinner = -0.5 * stage.backlash / math.cos(stage.pressure_angle)
    sun, planet = (
        replace(gear, edge_radius=EDGE_RADIUS * stage.module, thickness_deviation=thinner)
        for gear in (pair.first, pair.second)
    )
    return replace(pair, first=sun, second=planet)


@dataclass(frozen=True)
class FirstStage:
    """The first stage of a machine that has one."""

    machine: CrankReducer
    spec: FirstStageSpec

    @property
    def axis(self) -> Point:
        """Of the sun, off that of the housing."""
        return self._run_out("input")

    def _run_out(self, part: str, index: Index = ()) -> Point:
        errors = self.machine.errors
        return float(errors[f"{part}_x"][index]), float(errors[f"{part}_y"][index])

    def _planet_place(self, k: int) -> tuple[float, Point]:
        """How far the teeth of planet k are turned on their crank, and off its axis."""
        turned = float(self.machine.errors["planet_phase"][k])
        return turned, self._run_out("planet", (k,))

    @property
    def meshed(self) -> MeshedPair:
        """Sun and one planet at the rated torque."""
        spec = self.machine.spec
        distance = spec.cranks.circle_radius
        pair = toothed_pair(self.spec, self.machine.size.face_width, distance)
        material = spec.elastic(spec.cranks.material)
        sun_torque = spec.rated_torque / abs(self.machine.ratio)
        load = sun_torque / (spec.cranks.count * pair.first.base_radius)
        pair = held_at(pair, self.spec.sun_bore_radius, self.spec.planet_bore_radius)
        form = self.spec.mesh or MeshSpec(model="spring")
        return MeshedPair(pair, (material, material), form, load, key="first_stage.mesh")

    def data(self) -> list[DataTable]:
        """Sun and planets, as `flank check` shows them."""
        meshed = self.meshed
        gears = {"sun": meshed.pair.first, "planet": meshed.pair.second}
        return [
            gear_table("Gears of the first stage", gears),
            mesh_table("Mesh of the first stage", {"sun/planet": meshed}),
        ]

    def findings(self) -> Iterator[Finding]:
        """Of its teeth; a spring of the norm's stiffness bears with an undercut."""
        impossible = False
        for finding in check_pair(self.meshed.pair, SUN_PLANET):
            tolerated = self.spec.mesh is None and finding.code == "undercut-flank"
            impossible |= finding.severity == "error" and not tolerated
            yield replace(finding, severity="warning") if tolerated else finding
        if not impossible:
            yield from check_mesh(self.meshed, SUN_PLANET)
            yield from self._bodies()
        yield from self._keying()

    def _bodies(self) -> Iterator[Finding]:
        """Bores that nobody gave; a spring of the norm's stiffness asks for none."""
        if self.spec.mesh is not None:
            keys = "first_stage.sun_bore_radius", "first_stage.planet_bore_radius"
            yield from check_bodies(self.meshed, SUN_PLANET, keys)

    def _keying(self) -> Iterator[Finding]:
        """Whether all cranks can be alike, planet and eccentrics keyed to each other in one way."""
        stage, cranks = self.spec, self.machine.spec.cranks.count
        remainder = (stage.sun_teeth + stage.planet_teeth) % cranks
        if remainder:
            yield Finding(
                "planets-keyed-differently",
                "warning",
                f"{stage.sun_teeth} + {stage.planet_teeth} teeth are no multiple of {cranks} "
                "cranks: each planet must be keyed to its crank differently",
                float(remainder),
                0.0,
                "",
                "choose tooth numbers whose sum is a multiple of the cranks, or mark the cranks",
            )

    def add_to(self, builder: ModelBuilder) -> list[MeshPlace]:
        """A mesh for every planet."""
        name, title, planets = "first_stage", "first stage", self.machine.layout.driven_end.tolist()
        if self.spec.mesh is None:
            with builder.part(name, title):
                return self._add_springs(builder, planets)
        sizes = {"planet": len(planets), "stage_flank": 2, "stage_pair": -1}
        teeth = ("stage_tooth", "teeth of the first stage", sizes, self.meshed.pressure)
        with builder.part(name, title), builder.group(*teeth):
            return self._add_meshes(builder, planets)

    def _add_springs(self, builder: ModelBuilder, planets: list[int]) -> list[MeshPlace]:
        """A spring of the given stiffness, or the norm's, for every planet."""
        spec, layout, meshed = self.machine.spec, self.machine.layout, self.meshed
        size, distance = self.machine.size, spec.cranks.circle_radius
        gears = stage_pair(self.spec, size.face_width, distance)
        mean = mean_stiffness(gears, meshed.materials) * gears.face_width
        stiffness = self.spec.stiffness or mean
        sun, planet = gears.first.base_radius, gears.second.base_radius
        springs = []
        for k, (body, angle) in enumerate(zip(planets, layout.crank_angles, strict=True)):
            turned, run_out = self._planet_place(k)
            number = builder.mesh(
                layout.input_body,
                body,
                stiffness,
                (sun, planet),
                spec.cranks.circle_radius,
                damping=spec.structural_damping * stiffness,
                angle=-(sun + planet) / planet * angle - turned,
                backlash=self.spec.backlash,
                at_a=self._run_out("sun"),
                at_b=run_out,
            )
            springs.append(number)
        return [meshed.place(f"planet {k + 1}", springs=(n,)) for k, n in enumerate(springs)]

    def _add_meshes(self, builder: ModelBuilder, planets: list[int]) -> list[MeshPlace]:
        layout, stage, meshed = self.machine.layout, self.spec, self.meshed
        flank = 1 if self.machine.load_torque < 0 else -1  # a sun that drives pushes as it turns
        places = []
        for k, angle in enumerate(layout.crank_angles):
            tooth = angle + math.pi + (angle * stage.sun_teeth + math.pi) / stage.planet_teeth
            turned, run_out = self._planet_place(k)
            sun = GearPlace(layout.input_body, centre=self._run_out("sun"))
            planet = GearPlace(planets[k], tooth + turned, run_out)
            places.append(add_mesh(builder, f"planet {k + 1}", meshed, sun, planet, flank))
        return places
