"""The RV reducer: sun, planets on cranks, cycloid discs between the cranks and a ring of pins.

The model is planar, with the cranks seen station by station along their axis: a beam with shear
ties the stations of a crank, so that bending and tilt between its eccentrics are there. Everything
that carries the torque has its compliance: pin contacts, turning-arm rollers, cranks, support
rollers, discs, carrier, first stage, main bearings.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import Function
from flank.dynamics.tables import GROUND
from flank.errors import SpecError
from flank.geometry.curve import Cycloid
from flank.geometry.findings import (
    Finding,
    check_clearance,
    check_cycloid,
    check_pin_ring,
    smallest_clearance,
)
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.machines.base import Assembly, Derived, ErrorParameter, part_of
from flank.machines.rv.bearings import add_supports, add_turning_arms
from flank.machines.rv.derived import derived_dimensions
from flank.machines.rv.errors import (
    KINDS,
    Values,
    as_listed,
    drawn_errors,
    instances,
    key_of,
    listed_errors,
)
from flank.machines.rv.findings import check_keying
from flank.machines.rv.geometry import hole_error
from flank.machines.rv.layout import Layout
from flank.machines.rv.masses import rv_masses
from flank.machines.rv.pins import add_grooves, add_pins
from flank.machines.rv.rules import Dimensions
from flank.machines.rv.spec import RvReducerSpec
from flank.machines.rv.structure import (
    add_carrier,
    add_discs,
    add_first_stage,
    add_main_bearings,
    add_shafts,
)

NORM_DEDENDUM = 1.2
"""Of the rack for which ISO 6336-1 states its stiffness, in modules."""


@dataclass(frozen=True)
class RvReducer:
    """A checked spec, made into models on demand; `extra` errors come on top of the spec's."""

    spec: RvReducerSpec
    extra: dict[tuple[str, tuple[int, ...]], float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.extra:
            object.__setattr__(self, "spec", with_draw(self.spec))
            problems = [f for f in self.findings() if f.severity == "error"]
            if problems:
                raise SpecError([f"pins: {f.message}; {f.remedy}" for f in problems])

    @property
    def title(self) -> str:
        return self.spec.title or "RV reducer"

    @property
    def lobes(self) -> int:
        return self.spec.lobe_count

    @property
    def ratio(self) -> float:
        return self.spec.ratio

    @property
    def rated_torque(self) -> float:
        return self.spec.rated_torque

    @property
    def load_torque(self) -> float:
        return -self.spec.operation.torque  # the output turns with the input

    @property
    def input_speed(self) -> float:
        return self.spec.operation.input_speed

    @property
    def output_inertia(self) -> float:
        masses, discs = self.layout.masses, self.spec.discs.count
        return 2 * masses.flange[1] + discs * (masses.web[1] + masses.rim[1])

    @property
    def orders(self) -> dict[str, float]:
        spec = self.spec
        crank = self.lobes / self.ratio
        return {
            "output": 1 / self.ratio,
            "crank": crank,
            "planet": spec.pins.count / self.ratio,
            "disc": spec.discs.count * crank,
            "input": 1.0,
            "roller": self._roller_order,
            "pin": spec.pins.count * crank,
        }

    @property
    def _roller_order(self) -> float:
        """Turning-arm rollers that pass a point of the carrier, at the cage's turn."""
        arm = self.size.turning_arm
        return arm.count * arm.cage_share * self.spec.pins.count / self.ratio

    @cached_property
    def size(self) -> Dimensions:
        return self.spec.dimensions

    def derived(self) -> list[Derived]:
        """What the sizing rule gave."""
        return derived_dimensions(self.spec, self.size)

    @cached_property
    def layout(self) -> Layout:
        return Layout(self.spec, self.size, rv_masses(self.spec, self.size))

    @cached_property
    def errors(self) -> Values:
        """Every deviation of this machine."""
        values = listed_errors(self.spec.errors, self.spec.counts)
        for (name, index), value in self.extra.items():
            values[name][index] += value
        return values

    @cached_property
    def gears(self) -> GearPair:
        """Sun and planet, unshifted teeth of the norm's rack."""
        stage = self.spec.first_stage
        sun, planet = (
            Gear(teeth, stage.module, stage.pressure_angle, dedendum=NORM_DEDENDUM)
            for teeth in (stage.sun_teeth, stage.planet_teeth)
        )
        return GearPair(sun, planet, face_width=self.size.face_width)

    def profile(self, disc: int) -> Cycloid:
        """The flank of one disc, modified."""
        spec, errors = self.spec, self.errors
        return Cycloid(
            spec.pins.count,
            spec.pins.circle_radius,
            spec.pins.radius,
            spec.eccentricity,
            spec.discs.equidistant + errors["equidistant"][disc],
            spec.discs.radial + errors["radial"][disc],
            errors["angular"][disc],
        )

    @property
    def contact_depth(self) -> float:
        """Depth to which the flank's compression is counted: the wall behind the flank's root."""
        hole = self.spec.cranks.circle_radius + self.size.turning_arm.bore_radius
        return self.spec.discs.contact_depth or self.spec.root_radius - hole

    def findings(self) -> tuple[Finding, ...]:
        return self._findings

    @cached_property
    def _findings(self) -> tuple[Finding, ...]:
        pins = self.spec.pins
        found = [*check_pin_ring(pins.count, pins.circle_radius, pins.radius)]
        for profile in {self.profile(j) for j in range(self.spec.discs.count)}:
            found += check_cycloid(profile)
            if profile.shortening < 1:
                found += check_clearance(self._least_clearance(profile), pins.radius)
        return (*found, *check_keying(self.spec))

    def _least_clearance(self, profile: Cycloid) -> float:
        """Of a disc in the ring, the worst pin's errors taken off."""
        pins, errors = self.spec.pins, self.errors
        play = (pins.groove_radius or pins.radius) - pins.radius
        tight = float(np.max(errors["pin_radius"] - errors["pin_radial"]))
        return smallest_clearance(profile, pins.circle_radius, pins.radius, play) - max(tight, 0.0)

    def error_parameters(self) -> Sequence[ErrorParameter]:
        """Every deviation of every part, with its drawing tolerance."""
        return [
            ErrorParameter(
                f"{name}.{key_of(index)}",
                name,
                f"{kind.title} {key_of(index)}",
                kind.unit,
                getattr(self.spec.tolerances, name),
                assumed=name not in self.spec.tolerances.model_fields_set,
            )
            for name, kind in KINDS.items()
            for index in instances(kind, self.spec.counts)
        ]

    def with_error(self, name: str, value: float) -> "RvReducer":
        """The same machine with one deviation changed by `value`."""
        kind, _, key = name.partition(".")
        index = tuple(int(number) for number in key.split("/"))
        changed = self.extra | {(kind, index): self.extra.get((kind, index), 0.0) + value}
        return replace(self, extra=changed)

    def ideal_pose(self, input_angle: float) -> NDArray:
        return self.layout.pose(input_angle / self.ratio)

    def assemble(self, input_angle: Function, output_torque: Function) -> Assembly:
        return self._assemble(output_torque, input_angle=input_angle)

    def assemble_driven(self, input_torque: Function, output_torque: Function) -> Assembly:
        """The input free to turn, under a torque."""
        return self._assemble(output_torque, input_torque=input_torque)

    def _assemble(
        self,
        output_torque: Function,
        input_angle: Function | None = None,
        input_torque: Function | None = None,
    ) -> Assembly:
        layout = self.layout
        builder = ModelBuilder(self.spec.pins.circle_radius)
        add_places(self, builder)
        builder.revolute(GROUND, layout.sun)
        if input_angle is not None:
            builder.rotation(GROUND, layout.sun, input_angle)
        if input_torque is not None:
            builder.torque(layout.sun, input_torque)
        output = layout.flange[-1]
        builder.torque(output, output_torque)
        groups = [add_pins(self, builder), *add_grooves(self, builder)]
        parts = [part_of(group) for group in groups]
        for add in (add_turning_arms, add_supports):
            first = builder.spring_count
            groups.append(add(self, builder))
            cages = tuple(range(first, builder.spring_count))
            parts.append(replace(part_of(groups[-1]), springs=cages))
        parts += [
            add_discs(self, builder),
            add_shafts(self, builder),
            add_carrier(self, builder),
            add_first_stage(self, builder),
            add_main_bearings(self, builder),
        ]
        return Assembly(
            builder.build(),
            builder.pose(),
            layout.sun,
            output,
            tuple(groups),
            tuple(part for part in parts if part.contacts or part.springs),
            tuple(builder.names),
        )


def add_places(machine: RvReducer, builder: ModelBuilder) -> None:
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


def with_draw(spec: RvReducerSpec) -> RvReducerSpec:
    """The spec with a random draw, if it asks for one, written out among its errors."""
    seed = spec.errors.seed
    if seed is None:
        return spec
    values = listed_errors(spec.errors, spec.counts)
    for name, drawn in drawn_errors(spec.tolerances, seed, spec.counts).items():
        values[name] += drawn
    return spec.with_changes({"errors": as_listed(values) | {"drawn_from": seed}})
