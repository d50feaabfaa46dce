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


@dataclass(frozen=True)
class Quantity:
    """Metadata of a float in a spec; bounds are in SI."""

    si_unit: str
    shown_unit: str
    above: float | None = None
    minimum: float | None = None
    maximum: float | None = None
    reason: str = ""  # why there are bounds, where it is not plain

    def parse(self, value: Any) -> float:
        """The SI value of what was given; ValueError with one sentence when it is refused."""
        number = units.parse(value, self.si_unit)
        if self.above is not None and number <= self.above:
            self._refuse(value, number, f"more than {self.shown(self.above)}")
        if self.minimum is not None and number < self.minimum:
            self._refuse(value, number, f"at least {self.shown(self.minimum)}")
        if self.maximum is not None and number > self.maximum:
            self._refuse(value, number, f"at most {self.shown(self.maximum)}")
        return number

    def shown(self, number: float) -> str:
        """The value as a person reads it."""
        return units.format_quantity(number, self.si_unit, self.shown_unit)

    def _refuse(self, value: Any, number: float, allowed: str) -> None:
        """A plain number is SI, which someone who thinks of degrees must be told."""
        unclear = number != 0 and self.shown_unit != self.si_unit
        meant = f", which is {self.shown(number)}" * (unclear and not isinstance(value, str))
        raise ValueError(
            f"{units.describe(value)} is given{meant}; it must be {allowed}{self.reason}"
        )

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


@dataclass(frozen=True)
class WholeNumber:
    """Metadata of a count in a spec."""

    minimum: int
    maximum: int | None = None

    def parse(self, value: Any) -> int:
        """The count that was given; ValueError with one sentence when it is refused."""
        number = self._whole(value)
        if number is None:
            raise ValueError(f"{units.describe(value)} is given; {self._allowed()}")
        if number < self.minimum or (self.maximum is not None and number > self.maximum):
            raise ValueError(f"{number} is given; {self._allowed()}")
        return number

    @staticmethod
    def _whole(value: Any) -> int | None:
        if isinstance(value, str) and value.strip().isdecimal():
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


LARGEST_ANGLE = 2000 * math.pi
"""rad, a thousand turns: an output's turn at any usual ratio. A double there is known to 1e-12 rad,
0.1 pm at a radius of 0.1 m, where a contact of 1e9 N/m gives 1e-4 N: light loads are just told."""

Number = Annotated[float, quantity("", "")]
Fraction = Annotated[float, quantity("", "", minimum=0.0, maximum=1.0)]
Coefficient = Annotated[float, quantity("", "", minimum=0.0)]
PoissonRatio = Annotated[float, quantity("", "", minimum=0.0, maximum=0.5)]

Length = Annotated[float, quantity("m", "mm")]
PositiveLength = Annotated[float, quantity("m", "mm", positive=True)]
Deviation = Annotated[float, quantity("m", "um")]
Angle = Annotated[
    float,
    Quantity(
        "rad",
        "deg",
        minimum=-LARGEST_ANGLE,
        maximum=LARGEST_ANGLE,
        reason=", a thousand turns, as the digits of larger angles no longer resolve contacts",
    ),
]
Time = Annotated[float, quantity("s", "s")]
NonNegativeTime = Annotated[float, quantity("s", "s", minimum=0.0)]
PositiveTime = Annotated[float, quantity("s", "s", positive=True)]
Velocity = Annotated[float, quantity("m/s", "mm/s")]
PositiveVelocity = Annotated[float, quantity("m/s", "mm/s", positive=True)]
AngularSpeed = Annotated[float, quantity("rad/s", "rpm")]
Force = Annotated[float, quantity("N", "N")]
Torque = Annotated[float, quantity("N*m", "N*m")]
PositiveTorque = Annotated[float, quantity("N*m", "N*m", positive=True)]
Mass = Annotated[float, quantity("kg", "kg", positive=True)]
Modulus = Annotated[float, quantity("Pa", "GPa", positive=True)]
Density = Annotated[float, quantity("kg/m^3", "kg/m^3", positive=True)]
ContactDamping = Annotated[float, quantity("s/m", "s/m", minimum=0.0)]

Count = Annotated[int, WholeNumber(minimum=1)]
Index = Annotated[int, WholeNumber(minimum=0)]
