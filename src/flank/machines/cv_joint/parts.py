"""The parts of a constant-velocity ball joint as a spec names them."""

import math
from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field

from flank.machines.quantities import (
    MOST_ROLLERS,
    Angle,
    Deviation,
    Mass,
    PositiveLength,
    WholeNumber,
    quantity,
)
from flank.machines.spec import Spec

Conformity = Annotated[float, quantity("", "", minimum=1.0)]
ContactAngle = Annotated[
    float, quantity("rad", "deg", minimum=math.radians(10), maximum=math.radians(80))
]
Inertia = Annotated[float, quantity("kg*m^2", "kg*m^2", positive=True)]

STEEPEST_TRACK = math.radians(45)


class BallsSpec(Spec):
    """The balls, all alike."""

    count: Annotated[int, WholeNumber(minimum=4, most=MOST_ROLLERS)] = Field(
        description="the even number of balls m", examples=[8]
    )
    diameter: PositiveLength = Field(description="the diameter of a ball", examples=["17.462 mm"])
    mass: Mass | None = Field(
        default=None,
        description="the mass of a ball; from diameter and density if absent",
        examples=["21.9 g"],
    )
    material: str = Field(default="steel", description="the name of a material", examples=["steel"])

    def cross_checks(self) -> Iterable[str]:
        if self.count % 2:
            yield (
                f"count is {self.count}; it must be even, because neighbouring tracks cross in "
                "opposite ways"
            )


class TracksSpec(Spec):
    """The cross-section of all tracks, and their length."""

    section: Literal["gothic-arch", "elliptical"] = Field(
        default="gothic-arch",
        description="two arcs, or an ellipse, that the ball touches on two flanks",
        examples=["gothic-arch"],
    )
    conformity: Conformity = Field(
        description="the radius of the section where the ball touches over that of the ball",
        examples=[1.02],
    )
    contact_angle: ContactAngle = Field(
        description="the angle of both contacts from the bottom of the track, unloaded",
        examples=["45 deg"],
    )
    clearance: Deviation = Field(
        default=0.0,
        description="the gap of the centred ball at each flank; negative is preload",
        examples=["5 um"],
    )
    length: PositiveLength | None = Field(
        default=None,
        description="the length of a track that the ball's centre may use, half on either side; "
        "the width of its race if absent",
        examples=["30 mm"],
    )

    def cross_checks(self) -> Iterable[str]:
        if self.conformity <= 1:
            yield "conformity is 1; it must be more, or the ball does not touch at a point"


class RaceSpec(Spec):
    """What both races have: a ring with tracks in it."""

    outer_diameter: PositiveLength = Field(
        description="the outer diameter, for its mass and the room it leaves", examples=["92 mm"]
    )
    bore_diameter: PositiveLength = Field(
        description="the diameter of its bore, for its mass and the room it leaves",
        examples=["66 mm"],
    )
    width: PositiveLength = Field(description="the width along the axis", examples=["41 mm"])
    mass: Mass | None = Field(
        default=None,
        description="the mass; a ring less its tracks if absent",
        examples=["0.85 kg"],
    )
    inertia: Inertia | None = Field(
        default=None,
        description="the moment of inertia about its axis; that of the ring less its tracks if "
        "absent, in the ratio of the masses where a mass is given",
        examples=["1.3e-3 kg*m^2"],
    )
    material: str = Field(default="steel", description="the name of a material", examples=["steel"])

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

    skew: Angle = Field(
        description="the angle α of a track to the axis, seen from outside; neighbours have it the "
        "other way round",
        examples=["8 deg"],
    )
    inclination: Angle = Field(
        description="the angle β at which a track that is skewed the way of positive rotation goes "
        "outwards; neighbours have it the other way round",
        examples=["4 deg"],
    )


class InnerRaceSpec(RaceSpec):
    """The inner race; its tracks mirror those of the outer one unless given."""

    skew: Angle | None = Field(
        default=None,
        description="the skew of the outer track that this one mirrors; the outer race's if absent",
        examples=["8 deg"],
    )
    inclination: Angle | None = Field(
        default=None,
        description="the inclination of the outer track that this one mirrors; the outer race's "
        "if absent",
        examples=["4 deg"],
    )


class GuideSpec(Spec):
    """A spherical face that guides the cage."""

    radius: PositiveLength = Field(
        description="the radius of the sphere, that of the cage outside, that of the inner race "
        "inside",
        examples=["32.5 mm"],
    )
    clearance: Annotated[float, quantity("m", "um", positive=True)] = Field(
        description="how much larger the radius of the face around the sphere is",
        examples=["50 um"],
    )


class CageSpec(Spec):
    """The cage with a window for each ball."""

    outer_diameter: PositiveLength = Field(description="the outer diameter", examples=["65 mm"])
    inner_diameter: PositiveLength = Field(description="the inner diameter", examples=["55 mm"])
    width: PositiveLength = Field(description="the width along the axis", examples=["30 mm"])
    window_length: PositiveLength = Field(
        description="the length of a window around the cage", examples=["20 mm"]
    )
    window_clearance: Deviation = Field(
        default=0.0,
        description="how much wider than the ball a window is along the axis; negative is "
        "interference",
        examples=["-10 um"],
    )
    window_offset: Deviation = Field(
        default=0.0,
        description="how far the windows stand from the cage's middle, along its axis",
        examples=["0 um"],
    )
    outer_guide: GuideSpec | None = Field(
        default=None,
        description="the cage's outer sphere in the cylindrical bore of the outer race",
    )
    inner_guide: GuideSpec | None = Field(
        default=None, description="the inner race's sphere in the spherical bore of the cage"
    )
    mass: Mass | None = Field(
        default=None,
        description="the mass; a ring less its windows if absent",
        examples=["0.11 kg"],
    )
    inertia: Inertia | None = Field(
        default=None,
        description="the moment of inertia about its axis; that of the ring less its windows if "
        "absent, in the ratio of the masses where a mass is given",
        examples=["1e-4 kg*m^2"],
    )
    material: str = Field(default="steel", description="the name of a material", examples=["steel"])
