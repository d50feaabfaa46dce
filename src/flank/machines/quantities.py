"""The kinds of number a spec may hold: what they measure, their bounds and how they are shown.

A spec holds SI floats. Each type carries the SI unit and the unit in which a person writes it, so
that `eccentricity: 1.3 mm` is read as 0.0013 and written as '1.3 mm' again.
"""

import math
import numbers
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from flank import units
from flank.texts import describe

LARGEST = {"m": 1e3, "kg": 1e9, "s": 1e9, "rad/s": 1e7, "m/s": 3e8, "": 1e15}
"""SI. Beyond these is no machine: 1 km, a million tons, thirty years, 100 million rpm, light."""

LARGEST_OF_ANY = 1e30
"""SI, of forces, stiffnesses and whatever else: beyond it products and powers leave the doubles."""

SMALLEST_OF_ANY = 1e-30
"""SI, of what must be more than nothing."""

LARGEST_BARE = {"m": 1.0, "rad": 2 * math.pi}
"""From here on a length that was written without a unit was meant in mm or um, an angle in deg."""


@dataclass(frozen=True)
class Quantity:
    """Metadata of a float in a spec; bounds are in SI."""

    si_unit: str
    shown_unit: str
    above: float | None = None
    minimum: float | None = None
    maximum: float | None = None
    reason: str = ""  # why there are bounds, where it is not plain
    listed: bool = (
        True  # whether people must know the bounds, or they but keep out slips of the pen
    )

    def parse(self, value: Any) -> float:
        """The SI value of what was given; ValueError with one sentence when it is refused."""
        number = units.parse(value, self.si_unit)
        bare = number != 0 and units.lacks_unit(value)
        refused = self._outside(number)
        if bare and (refused or self._must_have_unit(number)) and (meant := self.meant(value)):
            raise ValueError(meant)
        if refused:
            given = f"{describe(value)} is given{self._in_si(value, number)}"
            raise ValueError(f"{given}; {refused}{self.reason}")
        return number

    def meant(self, value: Any) -> str | None:
        """The question about a number without a unit that is possible in the unit of people."""
        text = self.in_shown_unit(value)
        try:
            number, meant = (units.parse(written, self.si_unit) for written in (value, text))
        except ValueError:
            return None
        if self.si_unit == "rad/s":
            return self._speed_without_unit(value, number)
        if self.shown_unit == self.si_unit or self._outside(meant):
            return None
        bare = text.removesuffix(f" {self.shown_unit}")
        return (
            f"{bare} without a unit is {units.format_quantity(number, self.si_unit, self.si_unit)};"
            f" did you mean '{text}'?"
        )

    def in_shown_unit(self, value: Any) -> str:
        """A number without a unit, with the unit in which people give such a thing."""
        return f"{str(value).strip()} {self.shown_unit}"

    def _speed_without_unit(self, value: Any, number: float) -> str:
        bare = str(value).strip()
        return (
            f"{bare} without a unit would be {bare} rad/s = {self.shown(number)}; "
            f"write '{self.in_shown_unit(value)}'"
        )

    def _must_have_unit(self, number: float) -> bool:
        """Nobody counts in rad/s, in metres what is longer than one, in radians beyond a turn."""
        return self.si_unit == "rad/s" or abs(number) >= LARGEST_BARE.get(self.si_unit, math.inf)

    def _outside(self, number: float) -> str:
        """What a number that is out of bounds must be; nothing for one within them."""
        if self.above is not None and number <= self.above:
            return f"it must be more than {self.shown(self.above)}"
        if self.minimum is not None and number < self.minimum:
            return f"it must be at least {self.shown(self.minimum)}"
        if self.above is not None and abs(number) < SMALLEST_OF_ANY:
            return f"it must be at least {self.shown(SMALLEST_OF_ANY)}"
        largest = LARGEST.get(self.si_unit, LARGEST_OF_ANY)
        maximum = largest if self.maximum is None else self.maximum
        if number > maximum:
            return f"it must be at most {self.shown(maximum)}"
        return f"it must be at least {self.shown(-largest)}" if number < -largest else ""

    def shown(self, number: float) -> str:
        """The value as a person reads it."""
        return units.format_quantity(number, self.si_unit, self.shown_unit)

    def _in_si(self, value: Any, number: float) -> str:
        """A plain number is SI, which someone who thinks of degrees must be told."""
        unclear = number != 0 and self.shown_unit != self.si_unit
        return f", which is {self.shown(number)}" * (unclear and not isinstance(value, str))

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.parse, handler(source))


def quantity(
    si_unit: str,
    shown_unit: str,
    *,
    positive: bool = False,
    minimum: float | None = None,
    maximum: float | None = None,
) -> Quantity:
    """The metadata of a quantity held in `si_unit` and shown in `shown_unit`; bounds in SI."""
    above = 0.0 if positive else None
    return Quantity(si_unit, shown_unit, above=above, minimum=minimum, maximum=maximum)


LONGEST_COUNT = 20
"""Digits of a count that is read."""


@dataclass(frozen=True)
class WholeNumber:
    """Metadata of a count in a spec: `maximum` is a rule, `most` what a machine can have at all."""

    minimum: int
    maximum: int | None = None
    most: int = 1_000_000

    def parse(self, value: Any) -> int:
        """The count that was given; ValueError with one sentence when it is refused."""
        number = self._whole(value)
        if number is None or number < self.minimum:
            raise ValueError(f"{describe(value)} is given; {self._allowed()}")
        if self.maximum is not None and number > self.maximum:
            raise ValueError(f"{describe(number)} is given; {self._allowed()}")
        if self.maximum is None and number > self.most:
            raise ValueError(f"{describe(number)} is given; at most {self.most} is allowed")
        return number

    @staticmethod
    def _whole(value: Any) -> int | None:
        if isinstance(value, str) and value.strip().isdecimal() and len(value) <= LONGEST_COUNT:
            return int(value)
        if isinstance(value, numbers.Integral) and not isinstance(value, bool):
            return int(value)
        return int(value) if isinstance(value, float) and value.is_integer() else None

    def _allowed(self) -> str:
        if self.maximum is None:
            return f"a whole number of at least {self.minimum} is needed"
        return f"a whole number from {self.minimum} to {self.maximum} is needed"

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self.parse, handler(source))


SMALLEST_LENGTH = 1e-9
"""m, a few atoms: a part that is smaller is a slip of the pen, and forces over it overflow."""

SMALLEST_TORQUE = 1e-9
"""N·m, below any that could be measured."""

SOFTEST = 1e4
"""Pa, a modulus softer than any rubber."""

LARGEST_ANGLE = 2000 * math.pi
"""rad, a thousand turns: an output's turn at any usual ratio. A double there is known to 1e-12 rad,
0.1 pm at a radius of 0.1 m, where a contact of 1e9 N/m gives 1e-4 N: light loads are just told."""

Number = Annotated[float, quantity("", "")]
Fraction = Annotated[float, quantity("", "", minimum=0.0, maximum=1.0)]
Coefficient = Annotated[float, quantity("", "", minimum=0.0)]
PoissonRatio = Annotated[float, quantity("", "", minimum=0.0, maximum=0.5)]

Length = Annotated[float, quantity("m", "mm")]
PositiveLength = Annotated[float, quantity("m", "mm", positive=True, minimum=SMALLEST_LENGTH)]
Deviation = Annotated[float, quantity("m", "um")]
Angle = Annotated[
    float,
    Quantity(
        "rad",
        "deg",
        minimum=-LARGEST_ANGLE,
        maximum=LARGEST_ANGLE,
        reason=", a thousand turns, as the digits of larger angles no longer resolve contacts",
        listed=False,
    ),
]
Time = Annotated[float, quantity("s", "s")]
NonNegativeLength = Annotated[float, quantity("m", "mm", minimum=0.0)]
NonNegativeTime = Annotated[float, quantity("s", "s", minimum=0.0)]
PositiveTime = Annotated[float, quantity("s", "s", positive=True)]
Velocity = Annotated[float, quantity("m/s", "mm/s")]
PositiveVelocity = Annotated[float, quantity("m/s", "mm/s", positive=True)]
AngularSpeed = Annotated[float, quantity("rad/s", "rpm")]
Force = Annotated[float, quantity("N", "N")]
Torque = Annotated[float, quantity("N*m", "N*m")]
PositiveTorque = Annotated[float, quantity("N*m", "N*m", positive=True, minimum=SMALLEST_TORQUE)]
Mass = Annotated[float, quantity("kg", "kg", positive=True)]
Modulus = Annotated[float, quantity("Pa", "GPa", minimum=SOFTEST)]
DampingRatio = Annotated[float, quantity("", "percent", minimum=0.0, maximum=1.0)]
Bedding = Annotated[float, quantity("N/m^3", "N/m^3", positive=True)]
Density = Annotated[float, quantity("kg/m^3", "kg/m^3", positive=True)]
Inertia = Annotated[float, quantity("kg*m^2", "kg*m^2", positive=True)]
Stiffness = Annotated[float, quantity("N/m", "N/m", positive=True)]
Damping = Annotated[float, quantity("N*s/m", "N*s/m", minimum=0.0)]
TorsionalStiffness = Annotated[float, quantity("N*m/rad", "N*m/rad", positive=True)]
TorsionalDamping = Annotated[float, quantity("N*m*s/rad", "N*m*s/rad", minimum=0.0)]
ContactDamping = Annotated[float, quantity("s/m", "s/m", minimum=0.0)]

LARGEST_SEED = 2**63 - 1
"""What a result file holds as a whole number."""

MOST_PINS = 1000
"""On one ring: of 1 mm they need a ring of 0.6 m."""

MOST_ROLLERS = 400
"""Rollers, balls, needles or pillars on one circle; thin needles are a hundred."""

PinCount = Annotated[int, WholeNumber(minimum=3, most=MOST_PINS)]
RollerCount = Annotated[int, WholeNumber(minimum=3, maximum=MOST_ROLLERS)]
Index = Annotated[int, WholeNumber(minimum=0)]
Seed = Annotated[int, WholeNumber(minimum=0, most=LARGEST_SEED)]
