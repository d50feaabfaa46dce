"""What a machine is to do, as people give it: units at the edge, SI inside.

A kind of machine has the block of requirements that fits it. What contradicts itself is refused
here, before anything is looked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from flank.design.processes import PROCESSES
from flank.errors import SpecError
from flank.machines.iso_grades import grade_in
from flank.machines.materials import BUILT_IN_MATERIALS, not_among
from flank.machines.quantities import (
    AngularSpeed,
    Fraction,
    NonNegativeLength,
    PositiveLength,
    PositiveTorque,
    Seed,
    WholeNumber,
    quantity,
)
from flank.machines.spec import Spec, key, optional
from flank.texts import echo, mm
from flank.units import format_quantity

Play = Annotated[float, quantity("rad", "arcmin", positive=True, maximum=0.2)]
Stiffness = Annotated[float, quantity("N*m/rad", "N*m/arcmin", positive=True)]
Pressure = Annotated[float, quantity("Pa", "MPa", positive=True)]
Life = Annotated[float, quantity("s", "h", positive=True)]
Tolerance = Annotated[float, quantity("m", "um", positive=True, maximum=2e-3)]
Ratio = Annotated[float, quantity("", "", positive=True, maximum=1e5)]
Deflection = Annotated[float, quantity("rad", "deg", minimum=0.0, maximum=0.9)]
Force = Annotated[float, quantity("N", "N", positive=True)]
Power = Annotated[float, quantity("W", "W", positive=True)]

ProcessName = Literal["ground", "eroded", "machined", "moulded", "printed"]
Ranking = Literal["size", "diameter", "length", "stiffness", "play", "margin"]

SAME_RATIO = 1e-3
"""Part by which a given ratio and that of two speeds may differ."""


class Requirements(Spec):
    """What all kinds of machines may be asked."""

    kind: ClassVar[str] = ""

    torque: PositiveTorque = key("the rated torque of the output", "50 N*m")
    peak_torque: PositiveTorque | None = optional(
        "the torque that it bears at times; the rated one if absent", "120 N*m"
    )
    outer_diameter: PositiveLength | None = optional(
        "the largest diameter of the housing or of what stands outermost", "120 mm"
    )
    length: PositiveLength | None = optional("the largest length along the axis", "60 mm")
    bore: PositiveLength | None = optional("the least diameter of a hole through it", "10 mm")
    process: ProcessName = key("how its parts are made", default="ground")
    tolerance: Tolerance | str | None = optional(
        "half of what parts may deviate, or a grade of ISO 286-1; that of the process if absent",
        "10 um",
    )
    pressure: Pressure | None = optional(
        "the largest contact pressure; that of the process' material if absent", "1500 MPa"
    )
    material: str | None = optional(
        "the material of the toothed parts; that of the process if absent", "steel"
    )
    rank: Ranking = key("by what designs are ranked", default="size")
    designs: Annotated[int, WholeNumber(minimum=1, maximum=20)] = key(
        "how many designs are wanted", default=3
    )
    seed: Seed = key("by which deviations are drawn", default=0)

    @classmethod
    def from_requirements(cls, given: Mapping[str, Any], name: str) -> Self:
        """SpecError speaks of requirements, not of keys of a spec."""
        try:
            return cls.from_mapping(given)
        except SpecError as error:
            raise SpecError(
                [
                    text.replace("a key of the spec", f"a requirement of {name}")
                    for text in error.problems
                ]
            ) from None

    @property
    def peak(self) -> float:
        return self.peak_torque or self.torque

    @property
    def allowed_pressure(self) -> float:
        """Of rolling or sliding contacts at the rated torque."""
        return self.pressure or PROCESSES[self.process].pressure

    @property
    def made_of(self) -> str:
        return self.material or PROCESSES[self.process].material

    @property
    def deviation(self) -> float | str:
        """Half width, or the name of a grade."""
        if self.tolerance is not None:
            return self.tolerance
        return PROCESSES[self.process].guides.position

    def cross_checks(self) -> Iterable[str]:
        if self.peak_torque is not None and self.peak_torque < self.torque:
            yield (
                f"peak_torque is {self.peak_torque:g} N*m, less than the rated torque of "
                f"{self.torque:g} N*m; give more, or leave it out"
            )
        outer = self.outer_diameter
        if self.bore is not None and outer is not None and self.bore >= outer:
            yield (
                f"bore is {mm(self.bore)} and outer_diameter {mm(outer)}; the hole must be smaller "
                "than what it goes through"
            )
        if self.made_of not in BUILT_IN_MATERIALS:
            yield f"material: {not_among(self.made_of, list(BUILT_IN_MATERIALS))}"
        if isinstance(self.tolerance, str):
            yield from _wrong_grade(self.tolerance)


def _wrong_grade(text: str) -> Iterator[str]:
    try:
        grade = grade_in(text)
    except ValueError as error:
        yield f"tolerance: {error}"
        return
    if grade is None:
        yield f"tolerance is '{echo(text)}'; give a length as 10 um, or a grade as IT6"


class ReducerRequirements(Requirements):
    """What a machine with a ratio may be asked."""

    ratio: Ratio | None = optional("input speed over output speed, without sign", 29)
    input_speed: AngularSpeed | None = optional("the speed of the input", "1500 rpm")
    output_speed: AngularSpeed | None = optional("the speed of the output", "15 rpm")
    ratio_tolerance: Fraction = key("part by which the ratio may be off", default=0.0)
    operating_torque: PositiveTorque | None = optional(
        "the torque under which it runs on, for heat and losses; that which is usual if absent",
        "30 N*m",
    )
    life: Life = key(
        "the basic rating life of its bearings at rated torque and speed", "6000 h", default=2.16e7
    )
    backlash: Play | None = optional("the largest backlash, as drawn", "3 arcmin")
    lost_motion: Play | None = optional("the largest lost motion, as drawn", "3 arcmin")
    stiffness: Stiffness | None = optional("the least torsional stiffness", "10 N*m/arcmin")

    usual_output_speed: ClassVar[float] = 15 * math.pi / 30
    usual_share: ClassVar[float] = 1.0
    """Of the rated torque, under which machines of the kind run on."""

    @property
    def operating(self) -> float:
        """N·m of the output at the operating point."""
        if self.operating_torque is None:
            return self.usual_share * self.torque
        return self.operating_torque

    @property
    def wanted_ratio(self) -> float:
        if self.ratio is not None:
            return self.ratio
        assert self.input_speed is not None
        assert self.output_speed is not None
        return abs(self.input_speed / self.output_speed)

    @property
    def speed(self) -> float:
        """Of the input, in rad/s; of an output at 15 rpm where no speed is given."""
        if self.input_speed is not None:
            return abs(self.input_speed)
        out = self.usual_output_speed if self.output_speed is None else abs(self.output_speed)
        return out * self.wanted_ratio

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        for name in ("input_speed", "output_speed"):
            if getattr(self, name) == 0:
                yield f"{name} is 0; a machine that stands has no ratio, give its speed"
                return
        if self.operating > self.torque:
            yield (
                f"operating_torque is {self.operating:g} N*m, more than the rated torque of "
                f"{self.torque:g} N*m; rate it for what it runs on with"
            )
        both = self.input_speed is not None and self.output_speed is not None
        if self.ratio is None and not both:
            yield "ratio is missing; give it, or both input_speed and output_speed"
            return
        if self.ratio is not None and both:
            follows = abs(self.input_speed / self.output_speed)  # type: ignore[operator]
            if abs(follows / self.ratio - 1) > SAME_RATIO:
                speeds = (
                    format_quantity(speed or 0.0, "rad/s", "rpm")
                    for speed in (self.input_speed, self.output_speed)
                )
                yield (
                    f"ratio is {self.ratio:g}, but {' over '.join(speeds)} is {follows:.6g}; leave "
                    "one of the three out"
                )


class CycloidalRequirements(ReducerRequirements):
    """A cycloidal drive: its ratio is a whole number, pins less one."""

    kind: ClassVar[str] = "cycloidal"
    draws: Annotated[int, WholeNumber(minimum=0, maximum=5000)] = key(
        "machines drawn within tolerance that every shortlisted design is verified by", default=200
    )


class CrankRequirements(ReducerRequirements):
    """A reducer with a first stage before its cranks.

    It runs on under half the rated torque, as the presets have it: docs/design.md says why.
    """

    usual_share: ClassVar[float] = 0.5

    ratio_tolerance: Fraction = key("part by which the ratio may be off", default=0.01)
    draws: Annotated[int, WholeNumber(minimum=0, maximum=5000)] = key(
        "machines drawn within tolerance that every shortlisted design is verified by", default=0
    )


class RvRequirements(CrankRequirements):
    """An RV reducer."""

    kind: ClassVar[str] = "rv"


class FewTeethRequirements(CrankRequirements):
    """A reducer with few teeth of difference."""

    kind: ClassVar[str] = "few-teeth"


class GearedRequirements(ReducerRequirements):
    """Gears whose rating asks for their life."""

    ratio_tolerance: Fraction = key("part by which the ratio may be off", default=0.02)
    life: Life = key("how long the gears last", "20000 h", default=7.2e7)
    draws: Annotated[int, WholeNumber(minimum=0, maximum=5000)] = key(
        "machines drawn within tolerance that every shortlisted design is verified by", default=0
    )

    usual_output_speed: ClassVar[float] = 300 * math.pi / 30


class GearPairRequirements(GearedRequirements):
    """A pair of involute gears."""

    kind: ClassVar[str] = "gear-pair"


class PlanetaryRequirements(GearedRequirements):
    """A planetary set whose ring is held."""

    kind: ClassVar[str] = "planetary"
    usual_output_speed: ClassVar[float] = 60 * math.pi / 30


class JointRequirements(Requirements):
    """A ball joint: it has no ratio, and no norm tells how long it lasts."""

    kind: ClassVar[str] = "cv-joint"
    torque: PositiveTorque = key("the torque that it transmits for long", "1000 N*m")
    peak_torque: PositiveTorque | None = optional(
        "the largest torque; the one that it transmits for long if absent", "2000 N*m"
    )
    deflection: Deflection = key("the largest angle between the shafts", "8 deg")
    plunge: NonNegativeLength = key(
        "how far the inner race slides to either side of its middle", "10 mm", default=0.0
    )
    speed: AngularSpeed = key("the speed of both shafts", "1000 rpm", default=1000 * math.pi / 30)
    axial_force: Force | None = optional("the largest axial force, peak to peak", "50 N")
    secondary_torque: PositiveTorque | None = optional(
        "the largest mean torque across the shafts", "40 N*m"
    )
    loss: Power | None = optional("the largest power lost to friction", "100 W")
    rank: Literal["size", "diameter", "length", "margin"] = key(
        "by what designs are ranked", default="size"
    )

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        if self.speed == 0:
            yield "speed is 0; friction acts through sliding, give the speed at which it runs"
