"""The blocks that the specs of all reducers with cranks share.

A length that is left out follows from the others by the rule of rules.py; the field's
description says so.
"""

import math
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from flank.elasticity.roller_profile import RollerProfile
from flank.machines.contact_spec import FrictionForm
from flank.machines.crank_reducer.housing import HousingSpec
from flank.machines.gear_spec import MOST_TEETH, MeshSpec, PressureAngle
from flank.machines.holes import HoleProfileSpec
from flank.machines.quantities import (
    MOST_ROLLERS,
    Coefficient,
    Damping,
    Deviation,
    Number,
    PositiveLength,
    RollerCount,
    Stiffness,
    WholeNumber,
    quantity,
)
from flank.machines.spec import Spec, key, optional
from flank.texts import um
from flank.units import format_quantity

SAME_DISTANCE = 1e-9
"""Of a centre distance: closer ones ask for no profile shift."""

CAGE_STIFFNESS = 1e5
"""N/m: soft against contacts, stiff against the weight of a roller."""

CAGE_DAMPING = 20.0
"""N·s/m: a roller of some grams comes to rest in its pocket within a millisecond."""

FitCompliance = Annotated[float, quantity("m/N", "um/kN", minimum=0.0)]
TurningCompliance = Annotated[float, quantity("rad/(N*m)", "arcsec/(kN*m)", minimum=0.0)]

LEAST_COMPLIANCE = 1e-13
"""m/N: what gives way by less is as good as tight, and its stiffness drowns others in round-off."""

ContactAngle = Annotated[float, quantity("rad", "deg", minimum=0.0, maximum=1.2)]


def ruled(meaning: str, example: Any) -> Any:
    """A key that the sizing rule fills in."""
    return optional(f"{meaning}; by the sizing rule if absent", example)


class DiscsSpec(HoleProfileSpec):
    """The discs on the cranks, evenly spread in phase."""

    count: Annotated[int, WholeNumber(minimum=1, maximum=3)] = key("the number of discs", default=2)
    width: PositiveLength | None = ruled("the width of one disc", "15 mm")
    bore_radius: PositiveLength | None = ruled("the radius of the central hole", "25 mm")
    body: Literal["elastic", "rigid_rim", "rigid"] = key(
        "the disc as an elastic plate on its ring, with its rim held as rigid all round, or rigid",
        default="rigid_rim",
    )
    hole_wall: Literal["rigid", "ancf"] = key(
        "the wall of the crank holes: rigid, or an ANCF ring", default="rigid"
    )
    material: str = key("the name of a material", default="steel")

    @property
    def bends(self) -> bool:
        """Whether a disc is a plate whose rim gives way."""
        return self.body == "elastic"

    @property
    def rim_held(self) -> bool:
        """Whether only its holes give way against its rim."""
        return self.body == "rigid_rim"


class CranksSpec(Spec):
    """The crankshafts: journal, eccentrics, journal; the planet sits beyond the first journal."""

    count: Annotated[int, WholeNumber(minimum=1, maximum=12)] = key(
        "the number of cranks; one needs output_rollers", 3
    )
    circle_radius: PositiveLength = key(
        "the radius of the circle of crank axes on the carrier", "63 mm"
    )
    pin_radius: PositiveLength | None = ruled("the radius of an eccentric", "22.5 mm")
    journal_radius: PositiveLength | None = ruled("the radius of the journals", "17 mm")
    journal_length: PositiveLength | None = ruled(
        "the length of a journal, its bearing in the middle", "20 mm"
    )
    eccentric_length: PositiveLength | None = ruled("the length of an eccentric", "15 mm")
    web_length: PositiveLength | None = ruled("the length between eccentrics", "5 mm")
    shaft: Literal["solid", "beam", "ancf", "rigid"] = key(
        "the crank's body: a stepped shaft by finite elements, a beam with shear, ANCF elements, "
        "or rigid",
        default="solid",
    )
    material: str = key("the name of a material", default="steel")


def _too_tight(name: str, compliance: float) -> Iterable[str]:
    if 0 < compliance < LEAST_COMPLIANCE:
        given = format_quantity(compliance, "m/N", "um/kN")
        least = format_quantity(LEAST_COMPLIANCE, "m/N", "um/kN")
        yield f"{name} is {given}; use 0 for what is tight, or at least {least}"


class RollersBearingSpec(Spec):
    """A bearing, roller by roller."""

    count: RollerCount | None = ruled("the number of rollers", 18)
    radius: PositiveLength | None = ruled("the radius of a roller", "4.25 mm")
    length: PositiveLength | None = ruled("the length of a roller", "13 mm")
    clearance: Deviation | None = ruled(
        "the radial clearance from the centred place to touch, negative is preload", "5 um"
    )
    profile: Literal["straight", "crowned", "logarithmic"] = key(
        "the rollers' profile: straight, crowned by a parabola, or logarithmic by ISO 16281",
        default="straight",
    )
    crown: Deviation | None = optional(
        "how much a crowned roller's radius is smaller at its ends", "3 um"
    )
    elements: Literal["inside", "bodies"] = key(
        "rollers solved inside the bearing, or as bodies with inertia", default="inside"
    )
    cage_stiffness: Stiffness | None = optional(
        "what holds a roller that is a body in its pocket; 1e5 N/m if absent", "1e5 N/m"
    )
    cage_damping: Damping | None = optional(
        "the drag of oil on such a roller in its pocket; 20 N*s/m if absent", "20 N*s/m"
    )
    fit_compliance: FitCompliance = key(
        "what the seats of both races give way by in their fits, over the force on the bearing; "
        "tight if absent",
        "0.5 um/kN",
        default=0.0,
    )
    material: str = key("the name of a material", default="steel")

    def roller_profile(self, radius: float, length: float) -> RollerProfile:
        """Of a roller of these dimensions."""
        if self.profile == "logarithmic":
            return RollerProfile.logarithmic(2 * radius, length)
        return RollerProfile(drop=self.crown or 0.0)

    @property
    def pocket(self) -> tuple[float, float]:
        """Stiffness and damping of a cage's pocket, given or not."""
        stiffness = CAGE_STIFFNESS if self.cage_stiffness is None else self.cage_stiffness
        return stiffness, CAGE_DAMPING if self.cage_damping is None else self.cage_damping

    def cross_checks(self) -> Iterable[str]:
        if self.profile == "crowned" and self.crown is None:
            yield "crown is missing: a crowned roller needs it, for example 'crown: 3 um'"
        if self.profile != "crowned" and self.crown is not None:
            yield f"crown does nothing with the profile '{self.profile}'; remove it"
        if self.crown is not None and self.crown <= 0:
            yield f"crown is {um(self.crown)}; it must be more than 0, or leave profile straight"
        for name in ("cage_stiffness", "cage_damping"):
            if self.elements == "inside" and getattr(self, name) is not None:
                yield f"{name} does nothing with rollers solved inside the bearing; remove it"
        yield from _too_tight("fit_compliance", self.fit_compliance)


class SupportBearingSpec(RollersBearingSpec):
    """The two bearings of a crank in the carrier's flanges."""

    race_radius: PositiveLength | None = ruled("the radius of the inner race", "20 mm")
    contact_angle: ContactAngle | None = ruled(
        "the contact angle of tapered rollers, 0 for needles", "15 deg"
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

    sun_teeth: Annotated[int, WholeNumber(minimum=6, most=MOST_TEETH)] = key(
        "the teeth of the sun z1", 18
    )
    planet_teeth: Annotated[int, WholeNumber(minimum=6, most=MOST_TEETH)] = key(
        "the teeth of a planet z2", 54
    )
    module: PositiveLength = key(
        "the module m; m (z1 + z2)/2 is the crank circle's radius, or profile shifts make it so",
        "1.75 mm",
    )
    pressure_angle: PressureAngle = key("the pressure angle", "20 deg", default=0.3490658503988659)
    profile_shift: Number = key(
        "the profile shift coefficient x of the sun; that of the planets follows, so that they "
        "mesh without backlash at the crank circle's radius",
        0.4,
        default=0.0,
    )
    face_width: PositiveLength | None = ruled("the face width", "10 mm")
    backlash: Annotated[float, quantity("m", "um", minimum=0.0)] = key(
        "the normal backlash of a mesh", "20 um", default=0.0
    )
    stiffness: Stiffness | None = optional(
        "the mesh stiffness along the line of action; ISO 6336-1 if absent", "2e8 N/m"
    )
    mesh: MeshSpec | None = optional(
        "how its teeth are modelled; if absent a spring of that stiffness"
    )
    sun_bore_radius: PositiveLength | None = optional(
        "where the body of the sun is held, for the teeth of a mesh block; if absent the body is "
        "solid, and elastic 3.5 modules below the root",
        "6 mm",
    )
    planet_bore_radius: PositiveLength | None = optional(
        "the same of the planets: their seats on the cranks", "14 mm"
    )

    @property
    def plain_distance(self) -> float:
        """Centre distance without profile shift, in m."""
        return 0.5 * self.module * (self.sun_teeth + self.planet_teeth)

    def shift_sum(self, distance: float) -> float:
        """x1 + x2 of teeth that mesh without backlash at a centre distance; nan where base circles
        leave no line of action: Σx = (z1 + z2)(inv α_w - inv α)/(2 tan α), cos α_w = a0 cos α/a."""
        plain, angle = self.plain_distance, self.pressure_angle
        if abs(distance - plain) < SAME_DISTANCE * plain:
            return 0.0
        cosine = plain * math.cos(angle) / distance
        if cosine >= 1:
            return math.nan
        working = math.acos(cosine)
        opened = math.tan(working) - working - (math.tan(angle) - angle)
        return (self.sun_teeth + self.planet_teeth) * opened / (2 * math.tan(angle))

    def cross_checks(self) -> Iterable[str]:
        for name in ("sun_bore_radius", "planet_bore_radius"):
            if getattr(self, name) is not None and self.mesh is None:
                yield f"{name} does nothing without a mesh block; give one or remove it"
        if self.mesh is not None:
            yield from self.mesh.idle_damping("mesh")
        if self.mesh is not None and self.stiffness is not None:
            yield "stiffness does nothing beside a mesh block; write mesh.stiffness"


class CarrierSpec(Spec):
    """Two flanges joined by pillars between the cranks."""

    body: Literal["solid", "elastic", "rigid"] = key(
        "flanges and pillars in space by finite elements, pillars clamped in flanges that bend in "
        "their plane only (elastic), or rigid",
        default="solid",
    )
    output_face: Literal["held", "free"] | None = optional(
        "the outer face of flange 2: held by a stiff part that is bolted to it (if absent), or "
        "free to bend",
        "held",
    )
    pillar_count: Annotated[int, WholeNumber(minimum=2, most=MOST_ROLLERS)] | None = optional(
        "the number of pillars; as many as cranks if absent", 3
    )
    pillar_circle_radius: PositiveLength | None = optional(
        "the radius of the circle of pillars; the cranks' if absent", "63 mm"
    )
    pillar_radius: PositiveLength | None = ruled("the radius of a pillar", "15 mm")
    flange_width: PositiveLength | None = ruled("the thickness of a flange", "24 mm")
    joint_compliance: FitCompliance = key(
        "what the bolted joint of flange 1 on a pillar gives way by along the flange, over the "
        "force on that pillar; none if absent",
        "0.5 um/kN",
        default=0.0,
    )
    output_compliance: TurningCompliance = key(
        "what the bolted joint of flange 2 with the driven part twists by, over the torque; none "
        "if absent",
        "0.5 arcsec/(kN*m)",
        default=0.0,
    )
    material: str = key("the name of a material", default="steel")

    @property
    def jointed(self) -> bool:
        """Whether flange 1 gives way on its pillars."""
        return self.joint_compliance > 0

    def cross_checks(self) -> Iterable[str]:
        yield from _too_tight("joint_compliance", self.joint_compliance)
        if self.body == "rigid" and self.jointed:
            yield (
                "joint_compliance does nothing with the body 'rigid', which is one piece; remove "
                "it, or set carrier.body to 'solid' or 'elastic'"
            )
        if self.body != "solid" and self.output_face is not None:
            yield (
                f"output_face does nothing with the body '{self.body}'; remove it, or set "
                "carrier.body to 'solid'"
            )


class MainBearingsSpec(Spec):
    """Two preloaded angular contact ball bearings between carrier and housing."""

    ball_count: Annotated[int, WholeNumber(minimum=1, most=MOST_ROLLERS)] | None = ruled(
        "the number of balls of one", 40
    )
    ball_radius: PositiveLength | None = ruled("the radius of a ball", "4 mm")
    contact_angle: Annotated[float, quantity("rad", "deg", minimum=0.17, maximum=1.2)] | None = (
        ruled("the contact angle", "40 deg")
    )
    preload: Annotated[float, quantity("N", "N", positive=True)] | None = ruled(
        "the axial preload", "2600 N"
    )
    fit_compliance: FitCompliance = key(
        "what the seats of both races of one bearing give way by in their fits, over the force on "
        "it; tight if absent",
        "0.2 um/kN",
        default=0.0,
    )
    housing: HousingSpec | None = optional(
        "what gives way around each bearing; rigid if absent", "{wall: 12 mm}"
    )

    def cross_checks(self) -> Iterable[str]:
        yield from _too_tight("fit_compliance", self.fit_compliance)


class BearingFrictionSpec(FrictionForm):
    """Friction of the cranks' bearings, and its form at every contact."""

    turning_arm: Coefficient = key(
        "the rolling resistance of the turning-arm bearings at their inner race, or "
        "the sliding coefficient of rollers that are bodies",
        0.002,
        default=0.0,
    )
    supports: Coefficient = key("the same of the support bearings", 0.002, default=0.0)
    rollers: Coefficient | None = optional(
        "the coefficient between output rollers and their holes; 0 if absent", 0.01
    )
    form: Literal["smooth", "linear", "elastic"] = key(
        "what friction follows before it slips", default="elastic"
    )

    def cross_checks(self) -> Iterable[str]:
        return ()  # the velocity is asked for by rollers that are bodies, too: see checks.py
