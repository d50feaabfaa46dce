"""Reducers with cranks: discs on cranks roll inside a ring and turn the carrier.

The model is planar, with the cranks seen station by station along their axis: a beam with shear
ties the stations of a crank, so that bending and tilt between its eccentrics are there. Everything
that carries the torque has its compliance: teeth or pins, turning-arm rollers, cranks, support
rollers, discs, carrier, first stage, main bearings.
"""

import math
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from flank.arrays import Floats
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.tables import GROUND
from flank.dynamics.trajectory import AnyTrajectory
from flank.geometry.findings import Finding
from flank.geometry.pair_checks import check_pair
from flank.geometry.planetary_checks import SUN_PLANET
from flank.machines.base import (
    Assembly,
    DataTable,
    Derived,
    Drive,
    MeshPhases,
    MeshPlace,
    PlanetLoads,
    pitches,
)
from flank.machines.crank_reducer.bearings import (
    add_supports,
    add_turning_arms,
    support_loads,
)
from flank.machines.crank_reducer.first_stage import (
    add_first_stage,
    check_keying,
    meshed_stage,
    stage_data,
    toothed_pair,
)
from flank.machines.crank_reducer.geometry import hole_error
from flank.machines.crank_reducer.layout import Layout
from flank.machines.crank_reducer.masses import masses_of
from flank.machines.crank_reducer.outlines import crank_outlines
from flank.machines.crank_reducer.rules import Dimensions, ruled_dimensions
from flank.machines.crank_reducer.spec import CrankReducerSpec
from flank.machines.crank_reducer.structure import (
    add_carrier,
    add_discs,
    add_main_bearings,
    add_shafts,
)
from flank.machines.machine import SpecifiedMachine
from flank.machines.mesh_forces import net_forces
from flank.machines.meshed_pair import check_load
from flank.machines.orders import CAGE, STAGE, Orders
from flank.machines.outlines import Outline


@dataclass(frozen=True, repr=False)
class CrankReducer(SpecifiedMachine):
    """A checked spec, made into models on demand; `extra` errors come on top of the spec's."""

    ring_block: ClassVar[str]
    """The block of the spec that findings about the mesh belong to."""

    spec: CrankReducerSpec

    @abstractmethod
    def mesh_findings(self) -> Iterable[Finding]:
        """What is wrong or doubtful about the mesh of discs and ring."""

    @abstractmethod
    def add_ring(self, builder: ModelBuilder) -> list[MeshPlace]:
        """Put the mesh of discs and ring into the model; returns its gear meshes, if any."""

    @property
    @abstractmethod
    def mesh_orders(self) -> Orders:
        """Named orders of that mesh per input turn."""

    @abstractmethod
    def flank_points(self, disc: int) -> Floats:
        """Outline (n, 2) of one disc in its frame."""

    @abstractmethod
    def ring_outlines(self) -> Sequence[Outline]:
        """Of the ring and what it holds."""

    def outlines(self) -> list[Outline]:
        return crank_outlines(self)

    @property
    def turns(self) -> float:
        """u, turns of a crank for one of the output."""
        return self.spec.crank_turns

    @property
    def ratio(self) -> float:
        return self.spec.ratio

    @property
    def rated_torque(self) -> float:
        return self.spec.rated_torque

    @property
    def load_torque(self) -> float:
        """Against a positive input speed, whichever way the output turns then."""
        return -math.copysign(1.0, self.ratio) * self.spec.operation.torque

    @property
    def input_speed(self) -> float:
        return self.spec.operation.input_speed

    @property
    def output_inertia(self) -> float:
        masses, discs = self.layout.masses, self.spec.discs.count
        return 2 * masses.flange[1] + discs * (masses.web[1] + masses.rim[1])

    @property
    def orders(self) -> Orders:
        """Per input turn; a planet's is that of its crank in the carrier."""
        ratio, stage = abs(self.ratio), self.spec.first_stage
        crank = self.turns / ratio
        orders = {
            "output": 1 / ratio,
            "crank": crank,
            **({"planet": (self.turns + 1) / ratio} if stage else {}),
            "disc": self.spec.discs.count * crank,
            "input": 1.0,
            "roller": self._roller_order,
            **self.mesh_orders,
            **({"stage": self._stage_order} if stage and stage.mesh else {}),
        }
        return Orders(orders, {**self.mesh_orders.kinds, "roller": CAGE, "stage": STAGE})

    @property
    def _stage_order(self) -> float:
        """Teeth of the sun that pass a planet, whose axis goes round with the carrier."""
        stage = self.spec.first_stage
        assert stage is not None
        return stage.sun_teeth * abs(1 - 1 / self.ratio)

    @property
    def _roller_order(self) -> float:
        """Turning-arm rollers that pass a point of the carrier, at the cage's turn."""
        arm = self.size.turning_arm
        return arm.count * arm.cage_share * (self.turns + 1) / abs(self.ratio)

    @cached_property
    def size(self) -> Dimensions:
        return self.spec.dimensions

    def gear_data(self) -> list[DataTable]:
        stage = self.spec.first_stage
        return [] if stage is None else stage_data(self, stage)

    @property
    def derived_heading(self) -> str:
        return "By the sizing rule, as the spec leaves them out:"

    def derived(self) -> list[Derived]:
        """What the sizing rule gave."""
        return [Derived(*ruled) for ruled in ruled_dimensions(self.spec, self.size)]

    @cached_property
    def layout(self) -> Layout:
        return Layout(self.spec, self.size, masses_of(self.spec, self.size))

    def keyed_findings(self) -> Iterable[tuple[str, Finding]]:
        stage = (*self._stage_findings(), *check_keying(self.spec))
        return [
            *((self.ring_block, finding) for finding in self.mesh_findings()),
            *(("first_stage", finding) for finding in stage),
        ]

    def _stage_findings(self) -> Iterable[Finding]:
        """Of the first stage's teeth; a spring of the norm's stiffness bears with an undercut."""
        stage = self.spec.first_stage
        if stage is None:
            return
        impossible = False
        for finding in check_pair(toothed_pair(stage, self.size.face_width), SUN_PLANET):
            borne = stage.mesh is None and finding.code == "undercut-flank"
            impossible |= finding.severity == "error" and not borne
            yield replace(finding, severity="warning") if borne else finding
        if not impossible:
            yield from check_load(meshed_stage(self, stage), SUN_PLANET)

    @property
    def planet_count(self) -> int:
        return self.spec.cranks.count if self.spec.first_stage else 0

    @property
    def planet_mesh_order(self) -> float:
        return self._stage_order if self.planet_count else 0.0

    @property
    def sharing_error(self) -> str:
        return "crank_tangential"

    def planet_loads(self, assembly: Assembly, trajectory: AnyTrajectory) -> PlanetLoads:
        """The bearings of a crank in the carrier are its planet's pin."""
        sun = net_forces(assembly, trajectory)[:, -self.planet_count :]
        pin = support_loads(self, assembly, trajectory)
        return PlanetLoads(sun * (np.sign(sun.sum()) or 1.0), pin * (np.sign(pin.sum()) or 1.0))

    def mesh_phases(self) -> MeshPhases:
        """Of the sun, which the positive input turns forward against the carrier: a planet at β
        meets the teeth z1 β/2π pitches later."""
        stage, angles = self.spec.first_stage, np.array(self.layout.crank_angles)
        assert stage is not None  # asked for only where there are planets
        return MeshPhases(angles, pitches(-stage.sun_teeth * angles / (2 * math.pi)))

    def excited_family(self, harmonic: int) -> str:
        """Its modes have no families that are known."""
        return ""

    def ideal_pose(self, input_angle: float) -> NDArray:
        return self.layout.pose(input_angle / self.ratio)

    def assemble(self, drive: Drive) -> Assembly:
        layout = self.layout
        builder = ModelBuilder(self.size.ring_radius)
        add_places(self, builder)
        builder.revolute(GROUND, layout.input_body)
        bodies = {"input": layout.input_body, "output": layout.flange[-1]}
        shafts = drive.turn(builder, bodies)
        meshes = self.add_ring(builder)
        add_turning_arms(self, builder)
        add_supports(self, builder)
        with builder.part("discs", "discs"):
            add_discs(self, builder)
        with builder.part("cranks", "crankshafts"):
            add_shafts(self, builder)
        with builder.part("carrier", "carrier"):
            add_carrier(self, builder)
        meshes += self.add_cranks_drive(builder)
        with builder.part("main_bearings", "main bearings"):
            add_main_bearings(self, builder)
        return Assembly.of(builder, builder.pose(), shafts, meshes=meshes)

    def add_cranks_drive(self, builder: ModelBuilder) -> list[MeshPlace]:
        """What ties the cranks to the input; returns its gear meshes, if any."""
        return add_first_stage(self, builder)


def add_places(machine: CrankReducer, builder: ModelBuilder) -> None:
    """All rows of the layout; the nodes of a hole's wall stand off where the hole does."""
    layout = machine.layout
    holes = {row: hole for hole, rows in layout.ring_nodes.items() for row in rows}
    for row, place in enumerate(layout.places, start=1):
        if place.slope is not None:
            x, y, z = place.pose(0.0)
            if row in holes:
                k, j = holes[row]
                hole = layout.hole("turning_arm", k, j)
                off_x, off_y = layout.in_space(j, hole_error(machine.errors, hole, k, j))
                x, y = x + off_x, y + off_y
            builder.point(place.name, (x, y, z), place.slope(0.0))
        elif place.name:
            builder.body(place.name, *place.mass, pose=place.pose(0.0), leaf=place.leaf)
