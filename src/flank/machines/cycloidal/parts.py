"""The parts of a cycloidal drive as a spec names them."""

from collections.abc import Iterable
from typing import Annotated, ClassVar, Literal

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
from flank.machines.spec import Spec, key, optional

MODIFICATIONS = ("equidistant", "radial", "angular")
GENERATING_CIRCLES = ("generating_circle_radius", "generating_pin_radius")


class PinsSpec(PinRingSpec):
    """The ring of pins in the housing."""

    loose_mounting: ClassVar[str] = "rolling"

    mounting: Literal["fixed", "rolling"] = key(
        "whether pins are held fast or roll in grooves", "fixed", default="fixed"
    )
    length: PositiveLength | None = optional(
        "the length of a pin; the disc width if absent", "9 mm"
    )

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        if not self.loose and self.length is not None:
            yield "length does nothing with fixed pins, which touch along discs.width; remove it"


class DiscsSpec(Spec):
    """The cycloidal discs: one, or two half a turn apart."""

    count: Annotated[int, WholeNumber(minimum=1, maximum=2)] = key("the number of discs", 2)
    width: PositiveLength = key("the width of one disc", "9 mm")
    bore_radius: PositiveLength = key("the radius of the hole for the eccentric's bearing", "25 mm")
    contact_depth: PositiveLength | None = optional(
        "the depth below the flank at which the body counts as rigid", "10 mm"
    )
    generating_circle_radius: PositiveLength | None = optional(
        "the pin circle's radius of the generating tool; the pins' own if absent", "64.01 mm"
    )
    generating_pin_radius: PositiveLength | None = optional(
        "the pin radius of the generating tool; the pins' own if absent", "3.01 mm"
    )
    equidistant: Deviation = key("equidistant modification, positive removes", "5 um", default=0.0)
    radial: Deviation = key("radial modification, positive removes", "5 um", default=0.0)
    angular: Angle = key("rotation of the profile on the disc", "0.01 deg", default=0.0)
    profile: Literal["smooth", "polyline", "measured"] = key(
        "how the flank is represented", "smooth", default="smooth"
    )
    segments_per_lobe: Annotated[int, WholeNumber(minimum=1, most=10_000)] | None = optional(
        "segments of a polyline; 200 if absent", 200
    )
    points_file: str | None = optional("the file of measured points", "disc.csv")
    material: str = key("the name of a material", "steel", default="steel")

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

    count: RollerCount = key("the number of needles", 24)
    radius: PositiveLength = key("the radius of a needle", "2.5 mm")
    length: PositiveLength = key("the length of a needle", "9 mm")
    clearance: Deviation = key("the radial clearance, negative is preload", "5 um", default=0.0)
    material: str = key("the name of a material", "steel", default="steel")


class EccentricSpec(Spec):
    """The eccentric on the input shaft and its bearing in the disc."""

    bearing: Literal["rigid", "needles"] = key(
        "the bearing between eccentric and disc", "rigid", default="rigid"
    )
    needles: NeedlesSpec | None = optional("the needles of the bearing")

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

    count: RollerCount = key("the number of rollers", 8)
    circle_radius: PositiveLength = key("the radius of the circle of roller centres", "42 mm")
    radius: PositiveLength = key("the radius of a roller", "5 mm")
    hole_radius: PositiveLength | None = optional(
        "the radius of a hole; roller radius plus eccentricity if absent", "6.31 mm"
    )
    length: PositiveLength | None = optional(
        "the length of a roller; the disc width if absent", "9 mm"
    )
    material: str = key("the name of a material", "steel", default="steel")


class OutputSpec(Spec):
    """What takes the slow rotation: rollers in holes, or the disc itself."""

    kind: Literal["rollers", "disc"] = key("what carries the output torque", "rollers")
    rollers: RollersSpec | None = optional("the output rollers")

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

    input_speed: AngularSpeed = key("the speed of the input shaft", "1500 rpm")
    torque: Torque = key("the load torque on the output", "200 N*m")
