"""The parts of a cycloidal drive as a spec names them."""

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from flank.machines.pin_spec import PinRingSpec
from flank.machines.quantities import (
    Angle,
    AngularSpeed,
    Deviation,
    PositiveLength,
    RollerCount,
    Torque,
    WholeNumber,
)
from flank.machines.spec import Spec

MODIFICATIONS = ("equidistant", "radial", "angular")
GENERATING_CIRCLES = ("generating_circle_radius", "generating_pin_radius")


class PinsSpec(PinRingSpec):
    """The ring of pins in the housing."""

    loose_mounting: ClassVar[str] = "rolling"

    mounting: Literal["fixed", "rolling"] = Field(
        default="fixed",
        description="whether pins are held fast or roll in grooves",
        examples=["fixed"],
    )
    length: PositiveLength | None = Field(
        default=None, description="the length of a pin; the disc width if absent", examples=["9 mm"]
    )

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        if not self.loose and self.length is not None:
            yield "length does nothing with fixed pins, which touch along discs.width; remove it"


class DiscsSpec(Spec):
    """The cycloidal discs: one, or two half a turn apart."""

    count: Annotated[int, WholeNumber(minimum=1, maximum=2)] = Field(
        description="the number of discs", examples=[2]
    )
    width: PositiveLength = Field(description="the width of one disc", examples=["9 mm"])
    bore_radius: PositiveLength = Field(
        description="the radius of the hole for the eccentric's bearing", examples=["25 mm"]
    )
    contact_depth: PositiveLength | None = Field(
        default=None,
        description="the depth below the flank at which the body counts as rigid",
        examples=["10 mm"],
    )
    generating_circle_radius: PositiveLength | None = Field(
        default=None,
        description="the pin circle's radius of the generating tool; the pins' own if absent",
        examples=["64.01 mm"],
    )
    generating_pin_radius: PositiveLength | None = Field(
        default=None,
        description="the pin radius of the generating tool; the pins' own if absent",
        examples=["3.01 mm"],
    )
    equidistant: Deviation = Field(
        default=0.0, description="equidistant modification, positive removes", examples=["5 um"]
    )
    radial: Deviation = Field(
        default=0.0, description="radial modification, positive removes", examples=["5 um"]
    )
    angular: Angle = Field(
        default=0.0, description="rotation of the profile on the disc", examples=["0.01 deg"]
    )
    profile: Literal["smooth", "polyline", "measured"] = Field(
        default="smooth", description="how the flank is represented", examples=["smooth"]
    )
    segments_per_lobe: Annotated[int, WholeNumber(minimum=1, most=10_000)] | None = Field(
        default=None, description="segments of a polyline; 200 if absent", examples=[200]
    )
    points_file: str | None = Field(
        default=None, description="the file of measured points", examples=["disc.csv"]
    )
    material: str = Field(default="steel", description="the name of a material", examples=["steel"])

    def cross_checks(self) -> Iterable[str]:
        if self.segments_per_lobe is not None and self.profile != "polyline":
            yield f"segments_per_lobe does nothing with a {self.profile} profile; remove it"
        if self.points_file is not None and self.profile != "measured":
            yield f"points_file does nothing with a {self.profile} profile; remove it"
        if self.profile == "measured":
            if self.points_file is None:
                yield "points_file is missing: a measured profile needs it"
            for name in (*MODIFICATIONS, *GENERATING_CIRCLES):
                if getattr(self, name):
                    yield f"{name} does nothing with a measured profile; remove it"


class NeedlesSpec(Spec):
    """The needles between the eccentric and a disc's bore."""

    count: RollerCount = Field(description="the number of needles", examples=[24])
    radius: PositiveLength = Field(description="the radius of a needle", examples=["2.5 mm"])
    length: PositiveLength = Field(description="the length of a needle", examples=["9 mm"])
    clearance: Deviation = Field(
        default=0.0, description="the radial clearance, negative is preload", examples=["5 um"]
    )
    material: str = Field(default="steel", description="the name of a material", examples=["steel"])


class EccentricSpec(Spec):
    """The eccentric on the input shaft and its bearing in the disc."""

    bearing: Literal["rigid", "needles"] = Field(
        default="rigid", description="the bearing between eccentric and disc", examples=["rigid"]
    )
    needles: NeedlesSpec | None = Field(default=None, description="the needles of the bearing")

    def cross_checks(self) -> Iterable[str]:
        if self.bearing == "rigid" and self.needles is not None:
            yield (
                "needles does nothing with a rigid bearing; "
                "remove it, or set eccentric.bearing to 'needles'"
            )
        if self.bearing == "needles" and self.needles is None:
            yield "needles is missing: give the block with the keys count, radius, length"


class RollersSpec(Spec):
    """The output rollers and the holes of the disc in which they run."""

    count: RollerCount = Field(description="the number of rollers", examples=[8])
    circle_radius: PositiveLength = Field(
        description="the radius of the circle of roller centres", examples=["42 mm"]
    )
    radius: PositiveLength = Field(description="the radius of a roller", examples=["5 mm"])
    hole_radius: PositiveLength | None = Field(
        default=None,
        description="the radius of a hole; roller radius plus eccentricity if absent",
        examples=["6.31 mm"],
    )
    length: PositiveLength | None = Field(
        default=None,
        description="the length of a roller; the disc width if absent",
        examples=["9 mm"],
    )
    material: str = Field(default="steel", description="the name of a material", examples=["steel"])


class OutputSpec(Spec):
    """What takes the slow rotation: rollers in holes, or the disc itself."""

    kind: Literal["rollers", "disc"] = Field(
        description="what carries the output torque", examples=["rollers"]
    )
    rollers: RollersSpec | None = Field(default=None, description="the output rollers")

    def cross_checks(self) -> Iterable[str]:
        if self.kind == "disc" and self.rollers is not None:
            yield (
                "rollers does nothing when the disc is the output; "
                "remove it, or set output.kind to 'rollers'"
            )
        if self.kind == "rollers" and self.rollers is None:
            yield "rollers is missing: give the block with the keys count, circle_radius, radius"


class OperationSpec(Spec):
    """The operating point."""

    input_speed: AngularSpeed = Field(
        description="the speed of the input shaft", examples=["1500 rpm"]
    )
    torque: Torque = Field(description="the load torque on the output", examples=["200 N*m"])
