"""How the spec of a ball joint says what happens where bodies touch, and how the joint is run."""

import math
from collections.abc import Iterable
from typing import Annotated, Literal

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
from flank.machines.spec import Spec, key, optional

STIFFNESS_UNIT = "N/m^1.5"
HertzStiffness = Annotated[float, quantity(STIFFNESS_UNIT, STIFFNESS_UNIT, positive=True)]
Deflection = Annotated[float, quantity("rad", "deg", minimum=0.0, maximum=math.radians(60))]
Frequency = Annotated[float, quantity("1/s", "Hz", positive=True)]

STATIC_VELOCITY = 0.1
STICK_VELOCITY = 1e-3
"""m/s, where a spec gives none."""


class JointFrictionSpec(Spec):
    """Friction of all contacts: μ(w) = (μ_r + (μ_0 - μ_r) exp(-w/v_1)) tanh(w/v_2)."""

    sliding: Coefficient = key("the coefficient of sliding friction μ_r", 0.03, default=0.0)
    static: Coefficient | None = optional(
        "the coefficient of static friction μ_0; that of sliding if absent", 0.05
    )
    static_velocity: PositiveVelocity | None = optional(
        "the velocity v_1 over which static friction fades; 100 mm/s if absent", "100 mm/s"
    )
    stick_velocity: PositiveVelocity | None = optional(
        "the velocity v_2 below which friction is viscous; 1 mm/s if absent", "1 mm/s"
    )
    drilling: bool = key(
        "whether a ball that spins about the normal feels friction too", True, default=True
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

    theory: Theory = key(
        "how the ellipse of Hertz's contact is found, which gives stiffness, pressure "
        "and drilling friction",
        "exact",
        default="exact",
    )
    stiffness: HertzStiffness | None = optional(
        "K of all contacts; from Hertz's theory if absent", "6e12 N/m^1.5"
    )
    damping: ContactDamping = key(
        "Hunt and Crossley's damping d in F (1 + d δ̇)", "0.2 s/m", default=0.0
    )
    friction: JointFrictionSpec = key("the friction of all contacts", default=JointFrictionSpec())


class RampSpec(Spec):
    """A deflection that rises, or falls, smoothly at the start."""

    start: Deflection = key("the deflection at time zero", "0 deg", default=0.0)
    duration: PositiveTime = key("the time until the deflection is reached", "0.1 s")


class PlungeSpec(Spec):
    """What the inner race does along its axis."""

    kind: Literal["held", "free", "prescribed"] = key(
        "held at a place, free to slide, or moved to and fro", "held", default="held"
    )
    at: Length = key(
        "the place of the inner race along its axis: where it is held, begins or swings about",
        "0 mm",
        default=0.0,
    )
    amplitude: PositiveLength | None = optional("the amplitude of a prescribed plunge", "1 mm")
    frequency: Frequency | None = optional("the frequency of a prescribed plunge", "10 Hz")
    shaft_mass: Mass | None = optional(
        "the mass of the shaft that slides along with a free inner race", "2.5 kg"
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

    torque: Torque = key(
        "what the joint transmits from the outer to the inner race, about the inner "
        "race's axis; positive drives with a positive speed",
        "2000 N*m",
    )
    speed: AngularSpeed = key("the speed of the outer race", "300 rpm")
    deflection: Deflection = key("the angle between the axes of the races", "2 deg", default=0.0)
    ramp: RampSpec | None = optional("how the deflection is reached; constant if absent")
    plunge: PlungeSpec = key("what the inner race does along its axis", default=PlungeSpec())

    @property
    def largest_deflection(self) -> float:
        return max(self.deflection, self.ramp.start if self.ramp else 0.0)
