"""The parts of a constant-velocity ball joint as a spec names them."""

import math
from collections.abc import Iterable
from typing import Annotated, Literal

from flank.machines.quantities import (
    MOST_ROLLERS,
    Angle,
    Deviation,
    Mass,
    PositiveLength,
    WholeNumber,
    quantity,
)
from flank.machines.spec import Spec, key, optional

Conformity = Annotated[float, quantity("", "", minimum=1.0)]
ContactAngle = Annotated[
    float, quantity("rad", "deg", minimum=math.radians(10), maximum=math.radians(80))
]
Inertia = Annotated[float, quantity("kg*m^2", "kg*m^2", positive=True)]

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
    material: str = key("the name of a material", "steel", default="steel")

    def cross_checks(self) -> Iterable[str]:
        if self.count % 2:
            yield (
                f"count is {self.count}; it must be even, because neighbouring tracks cross in "
                "opposite ways"
            )


class TracksSpec(Spec):
    """The cross-section of all tracks, and their length."""

    section: Literal["gothic-arch", "elliptical"] = key(
        "two arcs, or an ellipse, that the ball touches on two flanks",
        "gothic-arch",
        default="gothic-arch",
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
    material: str = key("the name of a material", "steel", default="steel")

    def cross_checks(self) -> Iterable[str]:
        if self.bore_diameter >= self.outer_diameter:
            yield (
                f"bore_diameter is {1e3 * self.bore_diameter:.6g} mm; it must be less than the "
                f"outer diameter of {1e3 * self.outer_diameter:.6g} mm"
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
    material: str = key("the name of a material", "steel", default="steel")
