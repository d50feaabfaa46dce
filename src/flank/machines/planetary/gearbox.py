"""The planetary gearbox: sun, ring, carrier and N planets in a plane.

Any central member is driven, another loaded, the third held. Every mesh stands on the rung of the
ladder that the spec names; centres are guided rigidly, by bearings, or float.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from numpy.typing import NDArray

from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import Function
from flank.dynamics.tables import GROUND
from flank.elasticity.material import Material
from flank.geometry.findings import Finding
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_checks import check_backlash
from flank.geometry.planetary import excited_modes
from flank.geometry.planetary_checks import PLANET_RING, SUN_PLANET
from flank.geometry.willis import MEMBERS
from flank.machines.base import Assembly, DataTable, MeshPhases
from flank.machines.gear_data import gear_table, mesh_table
from flank.machines.gear_spec import GearSpec
from flank.machines.machine import SpecifiedMachine
from flank.machines.meshed_pair import check_load
from flank.machines.meshes import MeshedPair
from flank.machines.planetary.families import family_names
from flank.machines.planetary.findings import findings_of
from flank.machines.planetary.kinematics import Kinematics
from flank.machines.planetary.layout import Layout
from flank.machines.planetary.masses import PlanetaryMasses, planetary_masses
from flank.machines.planetary.phasing import mesh_phases
from flank.machines.planetary.spec import PlanetaryGearboxSpec
from flank.machines.planetary.structure import (
    add_bodies,
    add_meshes,
    add_supports,
    mesh_groups,
    mesh_parts,
)


@dataclass(frozen=True, repr=False)
class PlanetaryGearbox(SpecifiedMachine):
    """A checked spec, made into models on demand; `extra` errors come on top of the spec's."""

    spec: PlanetaryGearboxSpec

    @property
    def kinematics(self) -> Kinematics:
        return self.layout.kinematics

    @property
    def ratio(self) -> float:
        operation = self.spec.operation
        return self.kinematics.ratio(operation.input, operation.output)

    @property
    def rated_torque(self) -> float:
        return self.spec.rated_torque

    @property
    def load_torque(self) -> float:
        return -math.copysign(1.0, self.ratio) * self.spec.operation.torque

    @property
    def input_speed(self) -> float:
        return self.spec.operation.input_speed

    @property
    def output_inertia(self) -> float:
        """Of the output alone: with soft meshes the input locks nothing else."""
        return float(getattr(self.masses, self.spec.operation.output)[1])

    @property
    def orders(self) -> dict[str, float]:
        """Turns of the gears are counted against the carrier: so often their run-outs come by."""
        turns = self.kinematics.angles(self.spec.operation.input, 1.0)
        found = {
            "output": abs(turns.of(self.spec.operation.output)),
            "input": 1.0,
            "ring": abs(turns.ring - turns.carrier),
            "planet": abs(turns.planet - turns.carrier),
            "sun": abs(turns.sun - turns.carrier),
        }
        return found | {"mesh": self.spec.sun.teeth * found["sun"]}

    @cached_property
    def layout(self) -> Layout:
        return Layout(self.spec)

    @cached_property
    def masses(self) -> PlanetaryMasses:
        return planetary_masses(self.spec)

    @property
    def sun_flank(self) -> int:
        """The flank of the sun that carries the load of the operating point."""
        load = self.load_torque or -math.copysign(1.0, self.ratio)
        torques = self.kinematics.torques(self.spec.operation.output, load)
        return 1 if torques["sun"] > 0 else -1

    @property
    def only_first_drives(self) -> bool:
        return self.spec.redundant and self.spec.rigid_sharing == "first"

    @property
    def tooth_load(self) -> float:
        """Normal force of one mesh at the rated torque, equally shared."""
        torque = self.kinematics.torques(self.spec.operation.output, self.rated_torque)["sun"]
        return abs(torque) / (self.spec.planets.count * self.spec.sun_gear.base_radius)

    def sun_pair(self, planet: int) -> MeshedPair:
        """Sun and one planet, their errors of thickness included."""
        sun, wheel = self.spec.sun, self.spec.planets
        sun_error, error = (self.errors[f"{part}_thickness"] for part in ("sun", "planet"))
        pair = _thicker(self.layout.gears.sun_planet, float(sun_error), float(error[planet]))
        return MeshedPair(pair, self._materials(sun, wheel), self.spec.sun_mesh, self.tooth_load)

    def ring_pair(self, planet: int) -> MeshedPair:
        """One planet and the ring."""
        wheel, ring = self.spec.planets, self.spec.ring
        error, ring_error = (self.errors[f"{part}_thickness"] for part in ("planet", "ring"))
        pair = _thicker(self.layout.gears.planet_ring, float(error[planet]), float(ring_error))
        return MeshedPair(pair, self._materials(wheel, ring), self.spec.ring_mesh, self.tooth_load)

    def _materials(self, first: GearSpec, second: GearSpec) -> tuple[Material, Material]:
        names = first.material, second.material
        return self.spec.material(names[0]).elastic, self.spec.material(names[1]).elastic

    def gear_data(self) -> list[DataTable]:
        spec, gears = self.spec, self.layout.gears
        meshes = {
            "sun/planet": replace(self.sun_pair(0), pair=gears.sun_planet),
            "planet/ring": replace(self.ring_pair(0), pair=gears.planet_ring),
        }
        wheels = {"sun": spec.sun_gear, "planet": spec.planet_gear, "ring": spec.ring_gear}
        return [gear_table("Gears", wheels), mesh_table("Meshes", meshes)]

    def keyed_findings(self) -> Iterator[tuple[str, Finding]]:
        found = (*findings_of(self.spec), *self._thick_teeth())
        yield from found
        if all(finding.severity != "error" for _, finding in found):
            yield from self._overloaded()

    def _overloaded(self) -> Iterator[tuple[str, Finding]]:
        """Whether teeth can carry the rated torque at all."""
        for finding in check_load(self.sun_pair(0), SUN_PLANET):
            yield "rated_torque, sun, planets", finding
        for finding in check_load(self.ring_pair(0), PLANET_RING):
            yield "rated_torque, planets, ring", finding

    def _thick_teeth(self) -> Iterator[tuple[str, Finding]]:
        """Whether teeth with their errors still find room, in meshes that know backlash."""
        for n in range(self.spec.planets.count):
            for mate, meshed in (("sun", self.sun_pair(n)), ("ring", self.ring_pair(n))):
                if not (self.errors["planet_thickness"][n] or self.errors[f"{mate}_thickness"]):
                    continue
                if meshed.form.model != "rigid" and meshed.form.separation:
                    for finding in check_backlash(meshed.pair, ("planet", mate)):
                        yield f"errors.planet_thickness.{n + 1}", finding

    def ideal_pose(self, input_angle: float) -> NDArray:
        return self.layout.pose(self.spec.operation.input, input_angle)

    def assemble(self, input_angle: Function, output_torque: Function) -> Assembly:
        return self._assemble({self.spec.operation.output: output_torque}, input_angle)

    def assemble_driven(self, input_torque: Function, output_torque: Function) -> Assembly:
        operation = self.spec.operation
        return self._assemble({operation.input: input_torque, operation.output: output_torque})

    def assemble_free(self, torques: Mapping[str, Function]) -> Assembly:
        """All members but the held one free to turn, under torques."""
        return self._assemble(torques)

    @property
    def shafts(self) -> dict[str, int]:
        """The central members that are not held rigidly, and their bodies."""
        held = self.spec.operation.held if self.spec.held.stiffness is None else None
        return {name: self.layout.body_of(name) for name in MEMBERS if name != held}

    @property
    def input_shaft(self) -> str:
        return self.spec.operation.input

    @property
    def output_shaft(self) -> str:
        return self.spec.operation.output

    def mode_families(self, weighed: NDArray, pose: NDArray) -> Sequence[str]:
        """Rotational, translational or planet modes; none with unevenly spaced planets."""
        if not self.spec.evenly_spaced or self.spec.planets.count < 2:
            return []
        return family_names(weighed, pose)

    @property
    def mesh_rows(self) -> dict[str, range]:
        """Rows of Assembly.meshes: those of the sun come first."""
        count = self.spec.planets.count
        of_sun = 1 if self.only_first_drives else count
        return {"sun": range(of_sun), "ring": range(of_sun, of_sun + count)}

    def excited_family(self, harmonic: int) -> str:
        if not self.spec.evenly_spaced:
            return ""
        return excited_modes(self.kinematics.teeth, self.spec.planets.count, harmonic) or ""

    def mesh_phases(self) -> MeshPhases:
        return mesh_phases(self)

    def _assemble(
        self, torques: Mapping[str, Function], input_angle: Function | None = None
    ) -> Assembly:
        layout, operation = self.layout, self.spec.operation
        builder = ModelBuilder(layout.carrier_radius)
        add_bodies(self, builder)
        supports = add_supports(self, builder)
        if input_angle is not None:
            builder.rotation(GROUND, layout.body_of(operation.input), input_angle)
        for member in MEMBERS:
            if member in torques:
                builder.torque(layout.body_of(member), torques[member])
        meshes = add_meshes(self, builder)
        return Assembly(
            builder.build(),
            builder.pose(),
            layout.body_of(operation.input),
            layout.body_of(operation.output),
            mesh_groups(self, meshes),
            (*mesh_parts(meshes), *supports),
            tuple(builder.names),
            meshes,
        )


def _thicker(pair: GearPair, first: float, second: float) -> GearPair:
    """The pair with other thicknesses of its teeth."""
    gears = [
        replace(gear, thickness_deviation=gear.thickness_deviation + deviation)
        for gear, deviation in ((pair.first, first), (pair.second, second))
    ]
    return replace(pair, first=gears[0], second=gears[1])
