"""How the spec of a ball joint says what happens where bodies touch, and how the joint is run."""

import math
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field

from flank.elasticity.ellipse_shape import Theory
from flank.machines.quantities import (
    AngularSpeed,
    Coefficient,
    ContactDamping,
    Length,
    Mass,
    PositiveLength,
    PositiveTime,
    PositiveVelocity,
    Torque,
    quantity,
)
from flank.machines.spec import Spec

STIFFNESS_UNIT = "N/m^1.5"
HertzStiffness = Annotated[float, quantity(STIFFNESS_UNIT, STIFFNESS_UNIT, positive=True)]
Deflection = Annotated[float, quantity("rad", "deg", minimum=0.0, maximum=math.radians(60))]
Frequency = Annotated[float, quantity("1/s", "Hz", positive=True)]

STATIC_VELOCITY = 0.1
STICK_VELOCITY = 1e-3
"""m/s, where a spec gives none."""


class JointFrictionSpec(Spec):
    """Friction of all contacts: μ(w) = (μ_r + (μ_0 - μ_r) exp(-w/v_1)) tanh(w/v_2)."""

    sliding: Coefficient = Field(
        default=0.0, description="the coefficient of sliding friction μ_r", examples=[0.03]
    )
    static: Coefficient | None = Field(
        default=None,
        description="the coefficient of static friction μ_0; that of sliding if absent",
        examples=[0.05],
    )
    static_velocity: PositiveVelocity | None = Field(
        default=None,
        description="the velocity v_1 over which static friction fades; 100 mm/s if absent",
        examples=["100 mm/s"],
    )
    stick_velocity: PositiveVelocity | None = Field(
        default=None,
        description="the velocity v_2 below which friction is viscous; 1 mm/s if absent",
        examples=["1 mm/s"],
    )
    drilling: bool = Field(
        default=True,
        description="whether a ball that spins about the normal feels friction too",
        examples=[True],
    )

    def cross_checks(self) -> Iterable[str]:
        if self.static is not None and self.static < self.sliding:
            yield f"static is {self.static:.6g}; it must be at least the sliding {self.sliding:.6g}"
        if self.static_velocity is not None and self.static is None:
            yield (
                "static_velocity does nothing without static friction; give 'static' too, or "
                "leave it out"
            )
        if self.stick_velocity is not None and not (self.sliding or self.static):
            yield (
                "stick_velocity does nothing without friction; give 'sliding' too, or leave it out"
            )


class JointContactSpec(Spec):
    """F = K δ^1.5 (1 + d δ̇) of all contacts."""

    theory: Theory = Field(
        default="exact",
        description="how the ellipse of Hertz's contact is found, which gives stiffness, pressure "
        "and drilling friction",
        examples=["exact"],
    )
    stiffness: HertzStiffness | None = Field(
        default=None,
        description="K of all contacts; from Hertz's theory if absent",
        examples=["6e12 N/m^1.5"],
    )
    damping: ContactDamping = Field(
        default=0.0,
        description="Hunt and Crossley's damping d in F (1 + d δ̇)",
        examples=["0.2 s/m"],
    )
    friction: JointFrictionSpec = Field(
        default=JointFrictionSpec(), description="the friction of all contacts"
    )


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
