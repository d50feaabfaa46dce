"""The blocks of a ball joint's spec: its parts, what happens where they touch, how it is run."""

import math
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import ValidationInfo, field_validator

from flank.elasticity.elliptic_contact import Theory
from flank.machines.contact_spec import (
    DAMPING,
    DAMPING_FORM,
    DampingForm,
    damping_problems,
    damping_quantity,
    read_damping,
)
from flank.machines.quantities import (
    MOST_ROLLERS,
    Angle,
    AngularSpeed,
    Coefficient,
    ContactDamping,
    Damping,
    Deviation,
    Inertia,
    Length,
    Mass,
    PositiveLength,
    PositiveTime,
    PositiveVelocity,
    Quantity,
    Stiffness,
    Torque,
    WholeNumber,
    quantity,
)
from flank.machines.spec import Spec, key, optional
from flank.texts import mm

Conformity = Annotated[float, quantity("", "", minimum=1.0)]
ContactAngle = Annotated[
    float, quantity("rad", "deg", minimum=math.radians(10), maximum=math.radians(80))
]
STIFFNESS_UNIT = "N/m^1.5"
HertzStiffness = Annotated[float, quantity(STIFFNESS_UNIT, STIFFNESS_UNIT, positive=True)]
Deflection = Annotated[float, quantity("rad", "deg", minimum=0.0, maximum=math.radians(60))]
Frequency = Annotated[float, quantity("1/s", "Hz", positive=True)]

STATIC_VELOCITY = 0.1
STICK_VELOCITY = 1e-3
"""m/s, where a spec gives none."""

STEEPEST_TRACK = math.radians(45)


class BallsSpec(Spec):
    """The balls, all alike."""

    count: Annotated[int, WholeNumber(minimum=4, most=MOST_ROLLERS)] = key(
        "the even number of balls m", 8
    )
    diameter: PositiveLength = key("the diameter of a ball", "17.462 mm")
    mass: Mass | None = optional(
        "the mass of a ball; from diameter and density if absent", "21.9 g"
    )
    material: str = key("the name of a material", default="steel")

    def cross_checks(self) -> Iterable[str]:
        if self.count % 2:
            yield (
                f"count is {self.count}; it must be even, because neighbouring tracks cross in "
                "opposite ways"
            )


class TracksSpec(Spec):
    """The cross-section of all tracks, and their length."""

    section: Literal["gothic-arch", "elliptical"] = key(
        "two arcs, or an ellipse, that the ball touches on two flanks", default="gothic-arch"
    )
    conformity: Conformity = key(
        "the radius of the section where the ball touches over that of the ball", 1.02
    )
    contact_angle: ContactAngle = key(
        "the angle of both contacts from the bottom of the track, unloaded", "45 deg"
    )
    clearance: Deviation = key(
        "the gap of the centred ball at each flank; negative is preload", "5 um", default=0.0
    )
    length: PositiveLength | None = optional(
        "the length of a track that the ball's centre may use, half on either side; "
        "the width of its race if absent",
        "30 mm",
    )

    def cross_checks(self) -> Iterable[str]:
        if self.conformity <= 1:
            yield "conformity is 1; it must be more, or the ball does not touch at a point"


class RaceSpec(Spec):
    """What both races have: a ring with tracks in it."""

    outer_diameter: PositiveLength = key(
        "the outer diameter, for its mass and the room it leaves", "92 mm"
    )
    bore_diameter: PositiveLength = key(
        "the diameter of its bore, for its mass and the room it leaves", "66 mm"
    )
    width: PositiveLength = key("the width along the axis", "41 mm")
    mass: Mass | None = optional("the mass; a ring less its tracks if absent", "0.85 kg")
    inertia: Inertia | None = optional(
        "the moment of inertia about its axis; that of the ring less its tracks if "
        "absent, in the ratio of the masses where a mass is given",
        "1.3e-3 kg*m^2",
    )
    material: str = key("the name of a material", default="steel")

    def cross_checks(self) -> Iterable[str]:
        if self.bore_diameter >= self.outer_diameter:
            yield (
                f"bore_diameter is {mm(self.bore_diameter)}; it must be less than the "
                f"outer diameter of {mm(self.outer_diameter)}"
            )
        for name in ("skew", "inclination"):
            if abs(getattr(self, name) or 0.0) > STEEPEST_TRACK:
                yield (
                    f"{name} is {math.degrees(getattr(self, name)):.6g} deg; a track may be "
                    "inclined by at most 45 deg"
                )


class OuterRaceSpec(RaceSpec):
    """The outer race."""

    skew: Angle = key(
        "the angle α of a track to the axis, seen from outside; neighbours have it the "
        "other way round",
        "8 deg",
    )
    inclination: Angle = key(
        "the angle β at which a track that is skewed the way of positive rotation goes "
        "outwards; neighbours have it the other way round",
        "4 deg",
    )


class InnerRaceSpec(RaceSpec):
    """The inner race; its tracks mirror those of the outer one unless given."""

    skew: Angle | None = optional(
        "the skew of the outer track that this one mirrors; the outer race's if absent", "8 deg"
    )
    inclination: Angle | None = optional(
        "the inclination of the outer track that this one mirrors; the outer race's if absent",
        "4 deg",
    )


class GuideSpec(Spec):
    """A spherical face that guides the cage."""

    radius: PositiveLength = key(
        "the radius of the sphere, that of the cage outside, that of the inner race inside",
        "32.5 mm",
    )
    clearance: Annotated[float, quantity("m", "um", positive=True)] = key(
        "how much larger the radius of the face around the sphere is", "50 um"
    )


class CageSpec(Spec):
    """The cage with a window for each ball."""

    outer_diameter: PositiveLength = key("the outer diameter", "65 mm")
    inner_diameter: PositiveLength = key("the inner diameter", "55 mm")
    width: PositiveLength = key("the width along the axis", "30 mm")
    window_length: PositiveLength = key("the length of a window around the cage", "20 mm")
    window_clearance: Deviation = key(
        "how much wider than the ball a window is along the axis; negative is interference",
        "-10 um",
        default=0.0,
    )
    window_offset: Deviation = key(
        "how far the windows stand from the cage's middle, along its axis", "0 um", default=0.0
    )
    outer_guide: GuideSpec | None = optional(
        "the cage's outer sphere in the cylindrical bore of the outer race"
    )
    inner_guide: GuideSpec | None = optional(
        "the inner race's sphere in the spherical bore of the cage"
    )
    mass: Mass | None = optional("the mass; a ring less its windows if absent", "0.11 kg")
    inertia: Inertia | None = optional(
        "the moment of inertia about its axis; that of the ring less its windows if "
        "absent, in the ratio of the masses where a mass is given",
        "1e-4 kg*m^2",
    )
    material: str = key("the name of a material", default="steel")


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
        "whether a ball that spins about the normal feels friction too", default=True
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
        default="exact",
    )
    stiffness: HertzStiffness | None = optional(
        "K of all contacts; from Hertz's theory if absent", "6e12 N/m^1.5"
    )
    damping_form: DampingForm | None = optional(DAMPING_FORM, "viscous")
    damping: ContactDamping = key(DAMPING, "0.2 s/m", default=0.0)
    friction: JointFrictionSpec = key("the friction of all contacts", default=JointFrictionSpec())

    @field_validator("damping", mode="before")
    @classmethod
    def _read_damping(cls, value: Any, info: ValidationInfo) -> Any:
        return read_damping(value, info.data.get("damping_form"))

    def quantity_of(self, name: str) -> Quantity | None:
        if name == "damping":
            return damping_quantity(self.damping_form)
        return super().quantity_of(name)

    def cross_checks(self) -> Iterable[str]:
        yield from damping_problems(self.damping, self.damping_form)


class RampSpec(Spec):
    """A deflection that rises, or falls, smoothly at the start."""

    start: Deflection = key("the deflection at time zero", "0 deg", default=0.0)
    duration: PositiveTime = key("the time until the deflection is reached", "0.1 s")


class PlungeSpec(Spec):
    """What the inner race does along its axis."""

    kind: Literal["held", "free", "prescribed"] = key(
        "held at a place, free to slide, or moved to and fro", default="held"
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


class GuidanceSpec(Spec):
    """What guides the inner race sideways; its axis keeps the direction of its shaft."""

    kind: Literal["rigid", "elastic", "free"] = key(
        "on the axis of its shaft, on a stiffness, or free sideways", default="rigid"
    )
    stiffness: Stiffness | None = optional(
        "the stiffness of an elastic guidance in any direction across the axis", "1e8 N/m"
    )
    damping: Damping | None = optional("the damping of an elastic guidance", "100 N*s/m")

    def cross_checks(self) -> Iterable[str]:
        if self.kind == "elastic" and self.stiffness is None:
            yield "stiffness is missing: an elastic guidance needs it"
        for name in ("stiffness", "damping"):
            if self.kind != "elastic" and getattr(self, name) is not None:
                yield f"{name} does nothing with a guidance that is {self.kind}; remove it"


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
    guidance: GuidanceSpec = key("what guides the inner race sideways", default=GuidanceSpec())

    @property
    def largest_deflection(self) -> float:
        return max(self.deflection, self.ramp.start if self.ramp else 0.0)
