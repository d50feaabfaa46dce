"""The blocks that the specs of all reducers with cranks share.

A length that is left out follows from the others by the rule of rules.py; the field's
description says so.
"""

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import Field

from flank.machines.contact_spec import FrictionForm
from flank.machines.gear_spec import MOST_TEETH, MeshSpec
from flank.machines.quantities import (
    MOST_ROLLERS,
    AngularSpeed,
    Coefficient,
    Deviation,
    Number,
    PositiveLength,
    RollerCount,
    Torque,
    WholeNumber,
    quantity,
)
from flank.machines.spec import Spec

CAGE_STIFFNESS = 1e5
"""N/m: soft against contacts, stiff against the weight of a roller."""

CAGE_DAMPING = 20.0
"""N·s/m: a roller of some grams comes to rest in its pocket within a millisecond."""

RULE = "; by the sizing rule if absent"
Stiffness = Annotated[float, quantity("N/m", "N/m", positive=True)]
Damping = Annotated[float, quantity("N*s/m", "N*s/m", minimum=0.0)]
ContactAngle = Annotated[float, quantity("rad", "deg", minimum=0.0, maximum=1.2)]
PressureAngle = Annotated[float, quantity("rad", "deg", minimum=0.17, maximum=0.53)]


class DiscsSpec(Spec):
    """The discs on the cranks, evenly spread in phase."""

    count: Annotated[int, WholeNumber(minimum=1, maximum=3)] = Field(
        default=2, description="the number of discs", examples=[2]
    )
    width: PositiveLength | None = Field(
        default=None, description="the width of one disc" + RULE, examples=["15 mm"]
    )
    bore_radius: PositiveLength | None = Field(
        default=None, description="the radius of the central hole" + RULE, examples=["25 mm"]
    )
    body: Literal["elastic", "rigid"] = Field(
        default="elastic",
        description="shift and turn of the disc's holes against its flank",
        examples=["elastic"],
    )
    hole_wall: Literal["rigid", "ancf"] = Field(
        default="rigid",
        description="the wall of the crank holes: rigid, or an ANCF ring",
        examples=["rigid"],
    )
    material: str = Field(default="steel", description="the name of a material", examples=["steel"])


class CranksSpec(Spec):
    """The crankshafts: journal, eccentrics, journal; the planet sits beyond the first journal."""

    count: Annotated[int, WholeNumber(minimum=2, maximum=12)] = Field(
        description="the number of cranks", examples=[3]
    )
    circle_radius: PositiveLength = Field(
        description="the radius of the circle of crank axes on the carrier", examples=["63 mm"]
    )
    pin_radius: PositiveLength | None = Field(
        default=None, description="the radius of an eccentric" + RULE, examples=["22.5 mm"]
    )
    journal_radius: PositiveLength | None = Field(
        default=None, description="the radius of the journals" + RULE, examples=["17 mm"]
    )
    journal_length: PositiveLength | None = Field(
        default=None,
        description="the length of a journal, its bearing in the middle" + RULE,
        examples=["20 mm"],
    )
    eccentric_length: PositiveLength | None = Field(
        default=None, description="the length of an eccentric" + RULE, examples=["15 mm"]
    )
    web_length: PositiveLength | None = Field(
        default=None, description="the length between eccentrics" + RULE, examples=["5 mm"]
    )
    shaft: Literal["beam", "ancf", "rigid"] = Field(
        default="beam",
        description="the crank's body: a beam with shear, ANCF elements, or rigid",
        examples=["beam"],
    )
    material: str = Field(default="steel", description="the name of a material", examples=["steel"])


class RollersBearingSpec(Spec):
    """A bearing, roller by roller."""

    count: RollerCount | None = Field(
        default=None, description="the number of rollers" + RULE, examples=[18]
    )
    radius: PositiveLength | None = Field(
        default=None, description="the radius of a roller" + RULE, examples=["4.25 mm"]
    )
    length: PositiveLength | None = Field(
        default=None, description="the length of a roller" + RULE, examples=["13 mm"]
    )
    clearance: Deviation | None = Field(
        default=None,
        description="the radial clearance from the centred place to touch, negative is preload"
        + RULE,
        examples=["5 um"],
    )
    elements: Literal["inside", "bodies"] = Field(
        default="inside",
        description="rollers solved inside the bearing, or as bodies with inertia",
        examples=["inside"],
    )
    cage_stiffness: Stiffness | None = Field(
        default=None,
        description="what holds a roller that is a body in its pocket; 1e5 N/m if absent",
        examples=["1e5 N/m"],
    )
    cage_damping: Damping | None = Field(
        default=None,
        description="the drag of oil on such a roller in its pocket; 20 N*s/m if absent",
        examples=["20 N*s/m"],
    )
    material: str = Field(default="steel", description="the name of a material", examples=["steel"])

    @property
    def pocket(self) -> tuple[float, float]:
        """Stiffness and damping of a cage's pocket, given or not."""
        stiffness = CAGE_STIFFNESS if self.cage_stiffness is None else self.cage_stiffness
        return stiffness, CAGE_DAMPING if self.cage_damping is None else self.cage_damping

    def cross_checks(self) -> Iterable[str]:
        for name in ("cage_stiffness", "cage_damping"):
            if self.elements == "inside" and getattr(self, name) is not None:
                yield f"{name} does nothing with rollers solved inside the bearing; remove it"


class SupportBearingSpec(RollersBearingSpec):
    """The two bearings of a crank in the carrier's flanges."""

    race_radius: PositiveLength | None = Field(
        default=None, description="the radius of the inner race" + RULE, examples=["20 mm"]
    )
    contact_angle: ContactAngle | None = Field(
        default=None,
        description="the contact angle of tapered rollers, 0 for needles" + RULE,
        examples=["15 deg"],
    )

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        if self.elements == "bodies" and self.contact_angle != 0.0:
            yield (
                "elements 'bodies' needs cylindrical rollers, whose contact_angle is 0; "
                "set contact_angle: 0 deg, or solve the rollers inside the bearing"
            )


class FirstStageSpec(Spec):
    """The sun on the input and one planet on each crank."""

    sun_teeth: Annotated[int, WholeNumber(minimum=6, most=MOST_TEETH)] = Field(
        description="the teeth of the sun z1", examples=[18]
    )
    planet_teeth: Annotated[int, WholeNumber(minimum=6, most=MOST_TEETH)] = Field(
        description="the teeth of a planet z2", examples=[54]
    )
    module: PositiveLength = Field(
        description="the module m; m (z1 + z2)/2 is the crank circle's radius", examples=["1.75 mm"]
    )
    pressure_angle: PressureAngle = Field(
        default=0.3490658503988659, description="the pressure angle", examples=["20 deg"]
    )
    profile_shift: Number = Field(
        default=0.0,
        description="the profile shift coefficient x of the sun; the planets have -x, so that the "
        "centre distance stays",
        examples=[0.4],
    )
    face_width: PositiveLength | None = Field(
        default=None, description="the face width" + RULE, examples=["10 mm"]
    )
    backlash: Annotated[float, quantity("m", "um", minimum=0.0)] = Field(
        default=0.0, description="the normal backlash of a mesh", examples=["20 um"]
    )
    stiffness: Stiffness | None = Field(
        default=None,
        description="the mesh stiffness along the line of action; ISO 6336-1 if absent",
        examples=["2e8 N/m"],
    )
    mesh: MeshSpec | None = Field(
        default=None,
        description="how its teeth are modelled; if absent a spring of that stiffness",
    )

    def cross_checks(self) -> Iterable[str]:
        if self.mesh is not None and self.stiffness is not None:
            yield "stiffness does nothing beside a mesh block; write mesh.stiffness"


class CarrierSpec(Spec):
    """Two flanges joined by pillars between the cranks."""

    body: Literal["elastic", "rigid"] = Field(
        default="elastic",
        description="bending of the pillars, and seats in the flanges",
        examples=["elastic"],
    )
    pillar_count: Annotated[int, WholeNumber(minimum=2, most=MOST_ROLLERS)] | None = Field(
        default=None, description="the number of pillars; as many as cranks if absent", examples=[3]
    )
    pillar_circle_radius: PositiveLength | None = Field(
        default=None,
        description="the radius of the circle of pillars; the cranks' if absent",
        examples=["63 mm"],
    )
    pillar_radius: PositiveLength | None = Field(
        default=None, description="the radius of a pillar" + RULE, examples=["15 mm"]
    )
    flange_width: PositiveLength | None = Field(
        default=None, description="the thickness of a flange" + RULE, examples=["24 mm"]
    )
    material: str = Field(default="steel", description="the name of a material", examples=["steel"])


class MainBearingsSpec(Spec):
    """Two preloaded angular contact ball bearings between carrier and housing."""

    ball_count: Annotated[int, WholeNumber(minimum=1, most=MOST_ROLLERS)] | None = Field(
        default=None, description="the number of balls of one" + RULE, examples=[40]
    )
    ball_radius: PositiveLength | None = Field(
        default=None, description="the radius of a ball" + RULE, examples=["4 mm"]
    )
    contact_angle: Annotated[float, quantity("rad", "deg", minimum=0.17, maximum=1.2)] | None = (
        Field(default=None, description="the contact angle" + RULE, examples=["40 deg"])
    )
    preload: Annotated[float, quantity("N", "N", positive=True)] | None = Field(
        default=None, description="the axial preload" + RULE, examples=["2600 N"]
    )


class BearingFrictionSpec(FrictionForm):
    """Friction of the cranks' bearings, and its form at every contact."""

    turning_arm: Coefficient = Field(
        default=0.0,
        description="the rolling resistance of the turning-arm bearings at their inner race, or "
        "the sliding coefficient of rollers that are bodies",
        examples=[0.002],
    )
    supports: Coefficient = Field(
        default=0.0,
        description="the same of the support bearings",
        examples=[0.002],
    )
    form: Literal["smooth", "linear", "elastic"] = Field(
        default="elastic", description="what friction follows before it slips", examples=["elastic"]
    )

    def cross_checks(self) -> Iterable[str]:
        return ()  # the velocity is asked for by rollers that are bodies, too: see checks.py


class OperationSpec(Spec):
    """The operating point."""

    input_speed: AngularSpeed = Field(
        description="the speed of the input shaft", examples=["1800 rpm"]
    )
    torque: Torque = Field(
        description="the load on the output, positive against a positive input speed",
        examples=["1500 N*m"],
    )
