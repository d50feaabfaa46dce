"""Reducers with cranks: discs on cranks roll inside a ring and turn the carrier.

The model is planar, with the cranks seen station by station along their axis: a beam with shear
ties the stations of a crank, so that bending and tilt between its eccentrics are there. Everything
that carries the torque has its compliance: teeth or pins, turning-arm rollers, cranks, support
rollers, discs, carrier, first stage, main bearings.
"""

import math
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from flank.arrays import Floats
from flank.dynamics.builder import ORIGIN, ElasticCircle, ModelBuilder
from flank.dynamics.tables import GROUND
from flank.dynamics.trajectory import AnyTrajectory
from flank.geometry.findings import Finding
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
from flank.machines.crank_reducer.bearing_life import BearingLives
from flank.machines.crank_reducer.bearings import RACES, CrankBearings
from flank.machines.crank_reducer.disc_plates import DiscPlate, add_plate
from flank.machines.crank_reducer.first_stage import FirstStage
from flank.machines.crank_reducer.fits import Fits
from flank.machines.crank_reducer.geometry import hole_error, masses_of
from flank.machines.crank_reducer.layout import Layout
from flank.machines.crank_reducer.output_rollers import OutputRollers
from flank.machines.crank_reducer.plates import plates_of
from flank.machines.crank_reducer.rules import Dimensions, published, ruled_dimensions
from flank.machines.crank_reducer.spec import CrankReducerSpec
from flank.machines.crank_reducer.structure import Structure
from flank.machines.elastic_rings import add_ring
from flank.machines.holes import wall_points
from flank.machines.machine import RatedMachine
from flank.machines.mesh_forces import net_forces
from flank.machines.meshed_pair import MeshedPair
from flank.machines.orders import CAGE, STAGE, Orders
from flank.machines.outlines import (
    Cage,
    Outline,
    axis_outline,
    circle,
    disc_layer,
    disc_outlines,
    ring_of,
)
from flank.machines.plates import Edge, Plate
from flank.machines.rated_turn import RatedTurn
from flank.machines.round_parts import Point, polar

FORMULAS = (
    ("carrier", "body", "solid", "elastic"),
    ("cranks", "shaft", "solid", "beam"),
    ("turning_arm", "elements", "bodies", "inside"),
    ("supports", "elements", "bodies", "inside"),
)
"""Block, key, the form of it that takes seconds, and one that has a formula, or is solved where it
stands."""


@dataclass(frozen=True, repr=False)
class CrankReducer(RatedMachine):
    """A checked spec, made into models on demand; `extra` errors come on top of the spec's."""

    ring_block: ClassVar[str]
    """The block of the spec that findings about the mesh belong to."""

    finding_keys: ClassVar[Mapping[str, str]] = {}
    """Other keys of the spec that such findings belong to, by their code."""

    derived_heading: ClassVar[str] = "By the sizing rule, as the spec leaves them out:"
    sharing_error: ClassVar[str] = "crank_tangential"

    spec: CrankReducerSpec

    @abstractmethod
    def mesh_findings(self) -> Iterable[Finding]:
        """What is wrong or doubtful about the mesh of discs and ring."""

    @abstractmethod
    def add_ring(
        self, builder: ModelBuilder, plates: Sequence[DiscPlate], ring: ElasticCircle | None
    ) -> list[MeshPlace]:
        """Put the mesh of discs and ring into the model; returns its gear meshes, if any.

        `plates` are of discs that bend, none if none does; `ring` is what gives way itself."""

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

    @abstractmethod
    def flank_edge(self, disc: int) -> Edge:
        """Edge of one disc in its frame, as it is made."""

    @abstractmethod
    def ring_plates(self) -> Sequence[Plate]:
        """The ring, or what of it discs touch."""

    @property
    def ratio(self) -> float:
        return self.spec.ratio

    @property
    def output_inertia(self) -> float:
        masses, discs = self.layout.masses, self.spec.discs.count
        return 2 * masses.flange[1] + discs * (masses.web[1] + masses.rim[1])

    @property
    def orders(self) -> Orders:
        """Per input turn; a planet's is that of its crank in the carrier."""
        ratio, stage = abs(self.ratio), self.spec.first_stage
        crank = self.spec.crank_ratio / ratio
        orders = {
            "output": 1 / ratio,
            "crank": crank,
            **({"planet": (self.spec.crank_ratio + 1) / ratio} if stage else {}),
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
        return arm.count * arm.cage_share * (self.spec.crank_ratio + 1) / abs(self.ratio)

    @cached_property
    def size(self) -> Dimensions:
        return self.spec.dimensions

    @cached_property
    def first_stage(self) -> FirstStage | None:
        stage = self.spec.first_stage
        return None if stage is None else FirstStage(self, stage)

    def tooth_pairs(self) -> dict[str, MeshedPair]:
        """Of a first stage."""
        return {"sun/planet": self.first_stage.meshed} if self.first_stage else {}

    def gear_data(self) -> list[DataTable]:
        return self.first_stage.data() if self.first_stage else []

    @cached_property
    def by_formulas(self) -> Self:
        """The same machine with carrier and cranks as formulas have them: what rollers and pins
        bear differs little, and a check waits for no finite elements."""
        parts = {
            block: getattr(self.spec, block).model_copy(update={key: formula})
            for block, key, elements, formula in FORMULAS
            if getattr(getattr(self.spec, block), key) == elements
        }
        return replace(self, spec=self.spec.model_copy(update=parts)) if parts else self

    @cached_property
    def rated_turn(self) -> RatedTurn:
        """One turn of a crank against the carrier."""
        turn = 2 * math.pi * abs(self.ratio) / (abs(self.spec.crank_ratio) + 1)
        return RatedTurn(self.by_formulas, turn)

    @cached_property
    def bearing_lives(self) -> BearingLives:
        return BearingLives(self.by_formulas, self.rated_turn)

    def rated_loads(self) -> list[DataTable]:
        return [self.bearing_lives.table()] if self.rated_turn.known else []

    def derived(self) -> list[Derived]:
        """What the sizing rule gave."""
        return [
            Derived(*ruled, published(self.spec, ruled[0]))
            for ruled in ruled_dimensions(self.spec, self.size)
        ]

    @cached_property
    def layout(self) -> Layout:
        return Layout(self.spec, self.size, masses_of(self.spec, self.size))

    def keyed_findings(self) -> Iterable[tuple[str, Finding]]:
        stage = self.first_stage.findings() if self.first_stage else ()
        return [
            *(
                (self.finding_keys.get(finding.code, self.ring_block), finding)
                for finding in self.mesh_findings()
            ),
            *(("first_stage", finding) for finding in stage),
        ]

    @property
    def planet_count(self) -> int:
        return self.spec.cranks.count if self.spec.first_stage else 0

    @property
    def mesh_count(self) -> int:
        """Of the first stage; a toothed ring has more."""
        return self.planet_count

    @property
    def planet_mesh_order(self) -> float:
        return self._stage_order if self.planet_count else 0.0

    def planet_loads(self, assembly: Assembly, trajectory: AnyTrajectory) -> PlanetLoads:
        """The bearings of a crank in the carrier are its planet's pin."""
        sun = net_forces(assembly, trajectory)[:, -self.planet_count :]
        pin = self._support_loads(assembly, trajectory)
        return PlanetLoads(sun * (np.sign(sun.sum()) or 1.0), pin * (np.sign(pin.sum()) or 1.0))

    def _support_loads(self, assembly: Assembly, trajectory: AnyTrajectory) -> Floats:
        """What the journals of each crank press on the carrier along its circle, (time, crank) in
        N."""
        group = assembly.groups["support"]
        force = trajectory.force(group)
        pushed = np.stack(
            [force * trajectory.reading(group, name) for name in ("normal_x", "normal_y")], axis=-1
        )
        if "race" in group.dimensions:  # of rollers that are bodies the outer race is the carrier's
            pushed = pushed[:, :, :, RACES - 1]
        on_crank = pushed.sum(axis=(2, 3))
        x, y = np.moveaxis(trajectory.position[:, self.layout.journal[:, 0], :2], -1, 0)
        return np.asarray((x * on_crank[..., 1] - y * on_crank[..., 0]) / np.hypot(x, y))

    def mesh_phases(self) -> MeshPhases:
        """Of the sun, which the positive input turns forward against the carrier: a planet at β
        meets the teeth z1 β/2π pitches later."""
        stage, angles = self.spec.first_stage, np.array(self.layout.crank_angles)
        assert stage is not None  # asked for only where there are planets
        return MeshPhases(angles, pitches(-stage.sun_teeth * angles / (2 * math.pi)))

    def excited_family(self, harmonic: int) -> str:
        """Its modes have no families that are known."""
        return ""

    def ideal_pose(self, input_angle: float) -> Floats:
        return self.layout.pose(input_angle / self.ratio)

    def assemble(self, drive: Drive) -> Assembly:
        layout = self.layout
        builder = ModelBuilder(self.size.ring_radius)
        structure = Structure(self, builder)
        plates, ring = self._add_places(builder)
        bearings = CrankBearings(self, builder, plates)
        axis = self.first_stage.axis if self.first_stage else ORIGIN
        builder.revolute(GROUND, layout.input_body, axis)
        bodies = {"input": layout.input_body, "output": layout.output_body}
        shafts = drive.turn(builder, bodies)
        meshes = self.add_ring(builder, plates, ring)
        bearings.add_turning_arms()
        bearings.add_supports()
        if self.spec.output_rollers is not None:
            OutputRollers(self, self.spec.output_rollers, plates).add_to(builder)
        with builder.part("discs", "discs"):
            structure.add_discs()
        with builder.part("cranks", "crankshafts"):
            structure.add_shafts()
        with builder.part("carrier", "carrier"):
            structure.add_carrier()
        meshes += self.add_cranks_drive(builder)
        with builder.part("main_bearings", "main bearings"):
            structure.add_main_bearings()
        Fits(self, builder).add_all()
        return Assembly.of(builder, builder.pose(), shafts, meshes=meshes)

    def eccentric_place(self, k: int, j: int) -> Point:
        """Middle of the eccentric of crank k for disc j, on the crank."""
        throw = self.size.eccentricity + self.errors["eccentricity"][k, j]
        return polar(throw, self.layout.phases[j] + self.errors["eccentric_phase"][k, j])

    def add_cranks_drive(self, builder: ModelBuilder) -> list[MeshPlace]:
        """What ties the cranks to the input; returns its gear meshes, if any."""
        assert self.first_stage is not None  # a machine that may lack it has another drive
        return self.first_stage.add_to(builder)

    def _add_places(self, builder: ModelBuilder) -> tuple[list[DiscPlate], ElasticCircle | None]:
        """All rows of the layout; the nodes of a hole's wall stand off where the hole does.
        Returns the plates of discs that bend, and the ring if it does."""
        layout, plates = self.layout, list[DiscPlate]()
        ring = None
        holes = {row: hole for hole, rows in layout.ring_nodes.items() for row in rows}
        for row, place in enumerate(layout.places, start=1):
            if place.slope is not None:
                x, y, z = place.pose(0.0)
                if row in holes:
                    k, j = holes[row]
                    error = hole_error(self.errors, layout.turning_arm.holes[k][j], k, j)
                    off_x, off_y = layout.in_space(j, error)
                    x, y = x + off_x, y + off_y
                builder.point(place.name, (x, y, z), place.slope(0.0))
            elif place.name:
                builder.body(place.name, *place.mass, pose=place.pose(0.0), leaf=place.leaf)
            elif row in layout.plate_rows:
                with builder.part("discs", "discs"):
                    plates.append(add_plate(builder, layout, layout.plate_rows.index(row)))
            elif row == layout.ring_row and (body := self.spec.elastic_ring) is not None:
                with builder.part("ring", "housing ring"):
                    damping = self.spec.structural_damping
                    ring = add_ring(builder, GROUND, body, damping)
        return plates, ring

    def outlines(self) -> list[Outline]:
        """Discs, ring, pillars, first stage, and the cranks in their rollers."""
        discs, cranks = range(self.spec.discs.count), range(self.spec.cranks.count)
        return [
            *(part for j in discs for part in self._disc_outlines(j)),
            *self.ring_outlines(),
            *self._pillar_outlines(),
            *self._stage_outlines(),
            *(part for j in discs for k in cranks for part in self._bearing_outlines(k, j)),
            *(part for k in cranks for part in self._pitch_circles(k)),
            axis_outline("reducer"),
        ]

    def _disc_outlines(self, j: int) -> Iterator[Outline]:
        """A disc with its bore and the holes of cranks and pillars."""
        size, layout, rollers = self.size, self.layout, self.spec.output_rollers
        segments = rollers.wall_segments if rollers else None
        turned = layout.phases[j] / self.spec.crank_ratio + math.pi / size.pillar_count
        pillars = ring_of(size.pillar_count, size.pillar_circle_radius, turned)
        holes = [
            circle(size.disc_bore_radius),
            *(
                wall_points(size.turning_arm.bore_radius, self.spec.discs.wall_segments, row[j])
                for row in layout.turning_arm.holes
            ),
            *(wall_points(size.pillar_hole_radius, segments, place) for place in pillars),
        ]
        return disc_outlines(j, layout.rim[j], layout.web[j], self.flank_points(j), holes)

    def plates(self) -> list[Plate]:
        """Its parts as they are made, but housing and flanges."""
        return [*plates_of(self), *self.ring_plates()]

    def _pillar_outlines(self) -> Iterator[Outline]:
        size = self.size
        first = math.pi / size.pillar_count
        for k, place in enumerate(ring_of(size.pillar_count, size.pillar_circle_radius, first)):
            points = circle(size.pillar_radius, place)
            yield Outline(f"pillar {k + 1}", self.layout.flange[0], points, "pin")

    def _stage_outlines(self) -> Iterator[Outline]:
        if stage := self.spec.first_stage:
            points = circle(self._pitch_radius(stage.sun_teeth))
            yield Outline("sun", self.layout.input_body, points, "sun")

    def _pitch_radius(self, teeth: int) -> float:
        """Working pitch circle of a gear of the first stage."""
        stage = self.spec.first_stage
        assert stage is not None
        share = teeth / (stage.sun_teeth + stage.planet_teeth)
        return share * self.spec.cranks.circle_radius

    def _bearing_outlines(self, k: int, j: int) -> Iterator[Outline]:
        """The eccentric of crank k in disc j, between its rollers."""
        arm, places, layer = self.size.turning_arm, self.layout.turning_arm, disc_layer(j)
        body, name = int(places.inner[k, j]), places.title(k, j)
        centre = polar(self.size.eccentricity, self.layout.phases[j])
        cage = Cage(body, self.layout.flange[0], centre, arm.cage_share)
        for roller, place in enumerate(ring_of(arm.count, arm.pitch_radius)):
            title, number = f"roller {roller + 1} of {name}", int(places.roller[k, j, roller])
            if number:  # a body of the model
                yield Outline(title, number, circle(arm.roller_radius), "roller", layer=layer)
            else:
                points = circle(arm.roller_radius, place)
                yield Outline(title, body, points, "roller", layer=layer, cage=cage)
        race = circle(arm.race_radius, centre)
        yield Outline(f"eccentric of {name}", body, race, "eccentric", layer=layer)

    def _pitch_circles(self, k: int) -> Iterator[Outline]:
        """Of the planet on a crank, and its journal."""
        layout = self.layout
        if stage := self.spec.first_stage:
            points = circle(self._pitch_radius(stage.planet_teeth))
            yield Outline(f"planet {k + 1}", int(layout.driven_end[k]), points, "pitch circle")
        journal, body = circle(self.size.journal_radius), int(layout.journal[k, 0])
        yield Outline(f"journal of crank {k + 1}", body, journal, "pitch circle")
