"""What bends and twists in a cycloidal drive besides its contacts.

Bodies that the spec's block `structure` adds: the eccentrics on their shaft; the ring of pins in
its housing; the circle on which the first flange holds the output pins, which twists against where
the carrier gives its torque to the output; a second flange, which the pins alone bear; and each
output pin at every disc, on beams between the flanges. A part that is not given is rigid, and is
the input, ground or the carrier itself.
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from flank.arrays import Integers
from flank.dynamics.builder import ORIGIN, ModelBuilder
from flank.dynamics.tables import GROUND
from flank.elasticity.held_pin import (
    CLAMPED,
    Root,
    pin_stiffness,
    plate_twist,
    stamp_root,
    tube_twist,
)
from flank.elasticity.material import Material
from flank.machines.cycloidal.spec import CycloidalDriveSpec
from flank.machines.cycloidal.structure_spec import DriveStructureSpec, OutputPinsSpec
from flank.machines.output_rollers import RollersSpec
from flank.machines.round_parts import (
    MassInertia,
    Point,
    carried,
    cylinder,
    even_angles,
    hollow,
    polar,
    shifted,
)

Shaft = Literal["input", "carrier", "ground"]


@dataclass(frozen=True)
class Added:
    """A body of the structure: with what it turns, and where it stands on that."""

    name: str
    mass: MassInertia
    turns_with: Shaft
    place: Point = ORIGIN


@dataclass(frozen=True)
class DriveStructure:
    """The structure of a spec, its bodies numbered from `first` on."""

    spec: CycloidalDriveSpec
    input: int
    carrier: int
    first: int

    @property
    def given(self) -> DriveStructureSpec | None:
        return self.spec.structure

    @cached_property
    def bodies(self) -> list[Added]:
        return [] if self.given is None else list(self._bodies(self.given))

    @property
    def pins(self) -> OutputPinsSpec | None:
        return self.given.output_pins if self.given else None

    @property
    def eccentrics(self) -> int:
        return self._number("eccentrics", self.input)

    @property
    def housing(self) -> int:
        return self._number("housing", GROUND)

    @property
    def first_flange(self) -> int:
        return self._number("flange 1", self.carrier)

    @cached_property
    def output_pins(self) -> Integers:
        """Bodies that discs touch, by disc and roller: the carrier where pins are rigid."""
        rollers, discs = self.spec.output.rollers, self.spec.discs.count
        count = rollers.count if rollers else 0
        numbers = np.full((discs, count), self.carrier)
        if self.pins is not None:
            begin = self._number(_pin_name(0, 0), 0)
            numbers = begin + np.arange(discs * count).reshape(discs, count)
        return numbers

    @property
    def carrier_inertia(self) -> float:
        """kg·m² of what it adds to the output."""
        with_carrier = [body for body in self.bodies if body.turns_with == "carrier"]
        return sum(shifted(body.mass, math.hypot(*body.place))[1] for body in with_carrier)

    def _number(self, name: str, absent: int) -> int:
        names = [body.name for body in self.bodies]
        return self.first + names.index(name) if name in names else absent

    def pose(self, input_angle: float) -> list[tuple[float, float, float]]:
        """Of the added bodies in the ideal drive."""
        turn = {"input": input_angle, "carrier": -input_angle / self.spec.lobe_count, "ground": 0.0}
        angles = [turn[body.turns_with] for body in self.bodies]
        return [
            (*carried((0.0, 0.0, angle), body.place), angle)
            for body, angle in zip(self.bodies, angles, strict=True)
        ]

    def _bodies(self, given: DriveStructureSpec) -> Iterator[Added]:
        spec, rollers = self.spec, self.spec.output.rollers

        def density(name: str) -> float:
            return spec.material(name).density

        if shaft := given.shaft:
            part = shaft.radius, shaft.bore_radius, shaft.length
            yield Added("eccentrics", hollow(*part, density(shaft.material)), "input")
        if tube := given.housing:
            part = self._bore + tube.wall, self._bore, tube.length
            yield Added("housing", hollow(*part, density(tube.material)), "ground")
        if rollers is None or given.output_pins is None:
            return
        pins, reach = given.output_pins, rollers.circle_radius + rollers.radius
        width = given.flanges.width if given.flanges else spec.discs.width
        material = given.flanges.material if given.flanges else pins.material
        plate = cylinder(reach, width, density(material))
        if given.flanges:
            yield Added("flange 1", plate, "carrier")
        if pins.held == "both ends":
            yield Added("flange 2", plate, "carrier")
        pin = cylinder(self._pin_radius(pins, rollers), spec.discs.width, density(pins.material))
        for j, k in np.ndindex(spec.discs.count, rollers.count):
            place = polar(rollers.circle_radius, even_angles(rollers.count)[k])
            yield Added(_pin_name(j, k), pin, "carrier", place)

    @property
    def _bore(self) -> float:
        """Inside of the housing: where the pins' circle reaches to."""
        return self.spec.pins.circle_radius + self.spec.pins.radius

    @staticmethod
    def _pin_radius(pins: OutputPinsSpec, rollers: RollersSpec) -> float:
        return pins.radius or rollers.radius

    def add_to(self, builder: ModelBuilder) -> None:
        """Bodies were added by their list; here is what ties them."""
        given, rollers = self.given, self.spec.output.rollers
        if given is None:
            return
        if given.shaft is not None:
            with builder.part("shaft", "input shaft"):
                shaft = given.shaft
                twist = tube_twist(
                    shaft.bore_radius, shaft.radius, shaft.length, self._material(shaft.material)
                )
                self._twisted(builder, self.input, self.eccentrics, twist)
        if given.housing is not None:
            with builder.part("housing", "housing"):
                tube, inside = given.housing, self._bore
                material = self._material(tube.material)
                twist = tube_twist(inside, inside + tube.wall, tube.length, material)
                self._twisted(builder, GROUND, self.housing, twist)
        if given.output_pins is not None and rollers is not None:
            if given.flanges is not None:
                with builder.part("flanges", "flanges"):
                    self._add_flange(builder, given, rollers)
            with builder.part("output_pins", "output pins"):
                self._add_pins(builder, given, given.output_pins, rollers)

    def _material(self, name: str) -> Material:
        return self.spec.elastic(name)

    def _twisted(self, builder: ModelBuilder, a: int, b: int, twist: float) -> None:
        """Two bodies on one axis; rigid where nothing lies between them."""
        if twist > 0.0:
            builder.revolute(a, b)
            builder.torsion_spring(a, b, 1 / twist, self._damping / twist)
        else:
            builder.fixed(a, b)

    @property
    def _damping(self) -> float:
        return self.given.damping if self.given else 0.0

    def _add_flange(
        self, builder: ModelBuilder, given: DriveStructureSpec, rollers: RollersSpec
    ) -> None:
        """Twist of the first flange between the pins' circle and the output's."""
        assert given.flanges is not None
        flanges = given.flanges
        circles = rollers.circle_radius, flanges.output_radius
        twist = plate_twist(*circles, flanges.width, self._material(flanges.material))
        self._twisted(builder, self.carrier, self.first_flange, twist)

    def _add_pins(
        self,
        builder: ModelBuilder,
        given: DriveStructureSpec,
        pins: OutputPinsSpec,
        rollers: RollersSpec,
    ) -> None:
        """Beams from the first flange past all discs, or to the second flange."""
        width, count, both = self.spec.discs.width, self.spec.discs.count, pins.held == "both ends"
        pitch, radius = width + pins.gap, self._pin_radius(pins, rollers)
        stations = [pins.gap + 0.5 * width + j * pitch for j in range(count)]
        length = stations[-1] + 0.5 * width + (pins.gap if both else 0.0)
        root: Root = CLAMPED
        if given.flanges is not None:
            root = stamp_root(radius, self._material(given.flanges.material))
        material = self._material(pins.material)
        roots = root, root if both else None
        stiffness = pin_stiffness(length, radius, stations, material, roots)
        second = [self._number("flange 2", 0)] if both else []
        twist = [tube_twist(0.0, radius, z, material) for z in stations]
        for k, angle in enumerate(even_angles(rollers.count)):
            place = polar(rollers.circle_radius, angle)
            bodies = [self.first_flange, *self.output_pins[:, k].tolist(), *second]
            places = [place, *([ORIGIN] * count), *([place] * len(second))]
            for j, i in itertools.combinations(range(len(bodies)), 2):
                tie = -float(stiffness[i, j])
                ends = bodies[j], bodies[i]
                builder.bushing(*ends, tie, self._damping * tie, places[j], places[i])
            for body, soft in zip(self.output_pins[:, k].tolist(), twist, strict=True):
                builder.torsion_spring(self.first_flange, body, 1 / soft, self._damping / soft)


def _pin_name(disc: int, roller: int) -> str:
    return f"output pin {roller + 1}, disc {disc + 1}"
