"""The operating point of a ball joint as a spec names it."""

import math
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field

from flank.machines.quantities import (
    AngularSpeed,
    Length,
    Mass,
    PositiveLength,
    PositiveTime,
    Torque,
    quantity,
)
from flank.machines.spec import Spec

Deflection = Annotated[float, quantity("rad", "deg", minimum=0.0, maximum=math.radians(60))]
Frequency = Annotated[float, quantity("1/s", "Hz", positive=True)]


class RampSpec(Spec):
    """A deflection that rises, or falls, smoothly at the start."""

    start: Deflection = Field(
        default=0.0, description="the deflection at time zero", examples=["0 deg"]
    )
    duration: PositiveTime = Field(
        description="the time until the deflection is reached", examples=["0.1 s"]
    )


class PlungeSpec(Spec):
    """What the inner race does along its axis."""

    kind: Literal["held", "free", "prescribed"] = Field(
        default="held",
        description="held at a place, free to slide, or moved to and fro",
        examples=["held"],
    )
    at: Length = Field(
        default=0.0,
        description="the place of the inner race along its axis: where it is held, begins or "
        "swings about",
        examples=["0 mm"],
    )
    amplitude: PositiveLength | None = Field(
        default=None, description="the amplitude of a prescribed plunge", examples=["1 mm"]
    )
    frequency: Frequency | None = Field(
        default=None, description="the frequency of a prescribed plunge", examples=["10 Hz"]
    )
    shaft_mass: Mass | None = Field(
        default=None,
        description="the mass of the shaft that slides along with a free inner race",
        examples=["2.5 kg"],
    )

    def cross_checks(self) -> Iterable[str]:
        for name in ("amplitude", "frequency"):
            given = getattr(self, name) is not None
            if self.kind == "prescribed" and not given:
                yield f"{name} is missing: a prescribed plunge needs it"
            if self.kind != "prescribed" and given:
                yield f"{name} does nothing with a plunge that is {self.kind}; remove it"
        if self.kind != "free" and self.shaft_mass is not None:
            yield f"shaft_mass does nothing with a plunge that is {self.kind}; remove it"

    @property
    def farthest(self) -> float:
        """Largest distance from the middle, as far as the spec tells it."""
        return abs(self.at) + (self.amplitude or 0.0)


class JointOperationSpec(Spec):
    """The operating point."""

    torque: Torque = Field(
        description="what the joint transmits from the outer to the inner race, about the inner "
        "race's axis; positive drives with a positive speed",
        examples=["2000 N*m"],
    )
    speed: AngularSpeed = Field(description="the speed of the outer race", examples=["300 rpm"])
    deflection: Deflection = Field(
        default=0.0, description="the angle between the axes of the races", examples=["2 deg"]
    )
    ramp: RampSpec | None = Field(
        default=None, description="how the deflection is reached; constant if absent"
    )
    plunge: PlungeSpec = Field(
        default=PlungeSpec(), description="what the inner race does along its axis"
    )

    @property
    def largest_deflection(self) -> float:
        return max(self.deflection, self.ramp.start if self.ramp else 0.0)
