"""The spec of a cycloidal drive: pins in the housing, discs on an eccentric, an output.

Refused is what makes the machine impossible or an option useless. Whether a possible machine is a
good one (undercut, thin walls) is a finding of the geometry.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

from flank.elasticity.finite_elements.elastic_ring import RingBody
from flank.machines.contact_spec import ContactSpec, FrictionSpec
from flank.machines.cycloidal.disc_plates import circles_of_discs
from flank.machines.cycloidal.structure_spec import PARTS, DriveStructureSpec
from flank.machines.elastic_discs import thin_wall_problems
from flank.machines.error_kinds import (
    ARCSECOND,
    ROLLER_TOLERANCE,
    Counts,
    ErrorKind,
    Kinds,
    diameter,
    distance,
)
from flank.machines.flank_profile import FlankProfileSpec
from flank.machines.machine_spec import OperationSpec
from flank.machines.materials import MATERIALS_MEANING, MaterialSpec
from flank.machines.mistakes import first_causes
from flank.machines.output_rollers import RollersSpec
from flank.machines.pin_spec import PinReducerSpec, PinRingSpec, pin_kinds
from flank.machines.quantities import (
    Angle,
    Deviation,
    NonNegativeTime,
    PositiveLength,
    RollerCount,
    WholeNumber,
)
from flank.machines.release_spec import RATED_LIFE, RatedLife
from flank.machines.spec import RATIO_KEYS, Spec, key, optional
from flank.texts import echo, mm, shortened

GENERATING_CIRCLES = ("generating_circle_radius", "generating_pin_radius")

PLATE_DAMPING = 1e-6
"""s, of elastic discs whose damping is not told."""


class PinsSpec(PinRingSpec):
    """The ring of pins in the housing."""

    loose_mounting: ClassVar[str] = "rolling"

    mounting: Literal["fixed", "rolling"] = key(
        "whether pins are held fast or roll in grooves", default="fixed"
    )
    length: PositiveLength | None = optional(
        "the length of a pin; the disc width if absent", "9 mm"
    )

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        if not self.loose and self.length is not None:
            yield "length does nothing with fixed pins, which touch along discs.width; remove it"


class DiscsSpec(FlankProfileSpec):
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
    body: Literal["elastic", "rigid"] = key(
        "the disc as an elastic plate on its pins, or rigid", default="rigid"
    )
    damping: NonNegativeTime | None = optional(
        "damping over stiffness of an elastic disc, a loss factor of 1 % near 1.6 kHz if absent",
        "1e-6 s",
    )
    material: str = key("the name of a material", default="steel")

    @property
    def bends(self) -> bool:
        """Whether a disc is a plate whose rim gives way."""
        return self.body == "elastic"

    @property
    def plate_damping(self) -> float:
        return PLATE_DAMPING if self.damping is None else self.damping

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        if self.damping is not None and not self.bends:
            yield "damping does nothing with rigid discs; remove it, or set discs.body to 'elastic'"


class NeedlesSpec(Spec):
    """The needles between the eccentric and a disc's bore."""

    count: RollerCount = key("the number of needles", 24)
    radius: PositiveLength = key("the radius of a needle", "2.5 mm")
    length: PositiveLength = key("the length of a needle", "9 mm")
    clearance: Deviation = key("the radial clearance, negative is preload", "5 um", default=0.0)
    material: str = key("the name of a material", default="steel")


class EccentricSpec(Spec):
    """The eccentric on the input shaft and its bearing in the disc."""

    bearing: Literal["rigid", "needles"] = key(
        "the bearing between eccentric and disc", default="rigid"
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


LOBE_KEYS = ("lobes", "lobe_count")
"""What people call the lobes of a disc, whose number is the ratio."""

FLANK_TOLERANCE = 5e-6
"""Half width in m of modifications, and of the flank's turn at the pin circle; assumption."""

PROFILE_KINDS: Kinds = {
    "equidistant": ErrorKind("equidistant modification of {}", ("disc",), FLANK_TOLERANCE),
    "radial": ErrorKind("radial modification of {}", ("disc",), FLANK_TOLERANCE),
    "angular": ErrorKind(
        "turn of the flanks of {}", ("disc",), 0.0, "rad", assumed_as="5 um at the pin circle"
    ),
    "flank_x": ErrorKind(
        "run-out along x of the flank of {}, with its wobble", ("disc",), FLANK_TOLERANCE
    ),
    "flank_y": ErrorKind(
        "run-out along y of the flank of {}, with its wobble", ("disc",), FLANK_TOLERANCE
    ),
}
"""x points from the bore to roller hole 1 of the disc."""

_ROLLER_CIRCLE = distance("radius of the roller circle", "output.rollers.circle_radius")

ROLLER_KINDS: Kinds = {
    "hole_radius": ErrorKind(
        "radius of a roller hole",
        ("disc", "roller"),
        4e-6,
        size=diameter("diameter of a roller hole", "roller_hole_radius"),
    ),
    "hole_radial": ErrorKind(
        "outward position of a roller hole", ("disc", "roller"), 5e-6, size=_ROLLER_CIRCLE
    ),
    "hole_tangential": ErrorKind(
        "tangential position of a roller hole", ("disc", "roller"), 5e-6, size=_ROLLER_CIRCLE
    ),
    "roller_radius": ErrorKind(
        "radius of {}",
        ("roller",),
        2e-6,
        size=diameter("diameter of a roller", "output.rollers.radius"),
    ),
    "roller_radial": ErrorKind("outward position of {}", ("roller",), 5e-6, size=_ROLLER_CIRCLE),
    "roller_tangential": ErrorKind(
        "tangential position of {}", ("roller",), 5e-6, size=_ROLLER_CIRCLE
    ),
}
NEEDLE_KINDS: Kinds = {
    "needle_radius": ErrorKind("radius of a needle", ("disc", "needle"), ROLLER_TOLERANCE),
    "eccentric_radius": ErrorKind(
        "radius of the eccentric of {}",
        ("disc",),
        4e-6,
        size=diameter("diameter of the eccentric", "eccentric_radius"),
    ),
    "bore_radius": ErrorKind(
        "radius of the bore of {}",
        ("disc",),
        4e-6,
        size=diameter("diameter of the bore", "discs.bore_radius"),
    ),
}
GROOVE_KINDS: Kinds = {
    "groove_radius": ErrorKind(
        "radius of the groove of {}",
        ("pin",),
        5e-6,
        size=diameter("diameter of a groove", "pins.groove_radius"),
    )
}
KINDS: Kinds = {
    **pin_kinds(radius=2e-6, place=5e-6),
    **GROOVE_KINDS,
    **PROFILE_KINDS,
    "eccentricity": ErrorKind(
        "eccentricity of {}", ("disc",), 5e-6, size=distance("eccentricity", "eccentricity")
    ),
    "eccentric_phase": ErrorKind("phase of the eccentric of {}", ("disc",), 90 * ARCSECOND, "rad"),
    **NEEDLE_KINDS,
    **ROLLER_KINDS,
}
"""Tolerances are assumptions of the size usual for precision reducers, not of any drawing: pins
ground to 2 um in radius, places and flanks held to 5 um, bores to 4 um."""

RENAMED_KEYS = {f"pins.{kind}_errors": f"pin_{kind}" for kind in ("radius", "radial", "tangential")}
"""Errors of pins as specs once named them, counted from 0, and their kinds."""


def _pins_for(ratio: Any) -> str:
    try:
        lobes = WholeNumber(minimum=2).parse(ratio)
    except ValueError:
        return ", one more than the ratio"
    return f": for {lobes} give pins.count: {lobes + 1}"


def _renumbered(given: Any) -> str:
    """How errors that were counted from 0 are written now."""
    try:
        numbered = {int(pin) + 1: value for pin, value in given.items()}
    except (AttributeError, TypeError, ValueError, OverflowError):
        return ""
    shown = ", ".join(f"{pin}: {echo(value)}" for pin, value in numbered.items())
    return f": {{{shortened(shown)}}}"


class CycloidalDriveSpec(PinReducerSpec, kinds=KINDS):
    """A cycloidal drive. The properties give what a key that was left out stands for."""

    machine: Literal["cycloidal-drive"] = key("the kind of machine", "cycloidal-drive")
    rated_life: RatedLife = key(
        "the basic rating life that needles are to have at the rated torque and the working speed, "
        "for a check",
        "6000 h",
        default=RATED_LIFE,
    )
    eccentricity: PositiveLength = key("the eccentricity of the input shaft", "1.3 mm")
    pins: PinsSpec = key("the ring of pins")
    discs: DiscsSpec = key("the cycloidal discs")
    eccentric: EccentricSpec = key("the eccentric", default=EccentricSpec())
    output: OutputSpec = key("the output")
    structure: DriveStructureSpec | None = optional(
        "what bends and twists besides contacts; contacts only if absent"
    )
    contact: ContactSpec = key("the law of contact", default=ContactSpec())
    friction: FrictionSpec = key("the friction", default=FrictionSpec())
    materials: dict[str, MaterialSpec] = key(MATERIALS_MEANING, default={})
    operation: OperationSpec = key("the operating point")

    @classmethod
    def elsewhere(cls, key: str, given: Any) -> str | None:
        if key.rpartition(".")[2] in (*RATIO_KEYS, *LOBE_KEYS):
            return f"it follows from pins.count{_pins_for(given)}"
        if key in RENAMED_KEYS:
            return f"it is errors.{RENAMED_KEYS[key]} now, pins counted from 1{_renumbered(given)}"
        return None

    @property
    def counts(self) -> Counts:
        rollers = self.output.rollers
        return {
            "pin": self.pins.count,
            "disc": self.discs.count,
            "roller": rollers.count if rollers else 0,
            "needle": self.eccentric.needles.count if self.eccentric.needles else 0,
        }

    @property
    def absent_errors(self) -> Mapping[str, str]:
        reasons = (
            (GROOVE_KINDS, "with fixed pins", not self.pins.loose),
            (PROFILE_KINDS, "with a measured profile", self.discs.measured),
            (NEEDLE_KINDS, "with a rigid eccentric bearing", self.eccentric.bearing == "rigid"),
            (ROLLER_KINDS, "without output rollers", self.output.rollers is None),
        )
        return {kind: reason for kinds, reason, absent in reasons if absent for kind in kinds}

    @property
    def error_kinds(self) -> Kinds:
        kinds = dict(super().error_kinds)
        if "angular" in kinds:
            turn = FLANK_TOLERANCE / self.pins.circle_radius
            kinds["angular"] = replace(kinds["angular"], tolerance=turn)
        return kinds

    @property
    def pin_length(self) -> float:
        return self.pins.length or self.discs.width

    @property
    def generating_circle_radius(self) -> float:
        return self.discs.generating_circle_radius or self.pins.circle_radius

    @property
    def generating_pin_radius(self) -> float:
        return self.discs.generating_pin_radius or self.pins.radius

    @property
    def eccentric_radius(self) -> float:
        """Radius of the eccentric: what needles and their clearance leave of the bore."""
        needles = self.eccentric.needles
        taken = 2.0 * needles.radius + needles.clearance if needles else 0.0
        return self.discs.bore_radius - taken

    @property
    def roller_hole_radius(self) -> float:
        """Radius of the output holes; 0 without output rollers."""
        rollers = self.output.rollers
        if rollers is None:
            return 0.0
        return rollers.hole(self.eccentricity)

    @property
    def roller_length(self) -> float:
        """Length of the output rollers; 0 without them."""
        rollers = self.output.rollers
        if rollers is None:
            return 0.0
        return rollers.length or self.discs.width

    @property
    def elastic_ring(self) -> RingBody | None:
        """What holds the pins, where it gives way."""
        if self.pins.ring is None:
            return None
        return self.housing_ring(self.discs.count * self.discs.width)

    @property
    def pressed_depth(self) -> float:
        """If the spec does not tell it, the wall behind the flank's root."""
        rollers = self.output.rollers
        hole = rollers.circle_radius + self.roller_hole_radius if rollers else 0.0
        wall = self.root_radius - max(hole, self.discs.bore_radius)
        return self.discs.contact_depth or wall

    def cross_checks(self) -> Iterable[str]:
        parts = tuple(f"structure.{part}" for part in PARTS)
        materials = ("pins", "pins.ring", "discs", "eccentric.needles", "output.rollers", *parts)
        circles = {
            "pins.circle_radius": self.pins.circle_radius,
            "discs.generating_circle_radius": self.generating_circle_radius,
        }
        yield from self.material_problems(materials)
        yield from self._unused()
        yield from self.discs.segment_problems(self.lobe_count)
        yield from first_causes(
            self.pins.circle_problems(self.eccentricity, circles),
            self._bore(),
            self.modification_problems(),
            self._inside(),
            self._plate(),
        )
        yield from self.error_problems()

    @property
    def deviating(self) -> dict[str, tuple[str, float]]:
        rollers, needles = self.output.rollers, self.eccentric.needles
        sizes = super().deviating
        sizes |= dict.fromkeys(GROOVE_KINDS, ("pins.radius", self.pins.radius))
        sizes["eccentricity"] = ("eccentricity", self.eccentricity)
        if rollers is not None:
            sizes |= dict.fromkeys(ROLLER_KINDS, ("output.rollers.radius", rollers.radius))
        if needles is not None:
            sizes |= dict.fromkeys(NEEDLE_KINDS, ("eccentric.needles.radius", needles.radius))
        return sizes

    def _inside(self) -> Iterator[str]:
        if (rollers := self.output.rollers) is not None:
            yield from first_causes(
                rollers.hole_problems("output.rollers", self.eccentricity),
                self._roller_circle(rollers),
                self._holes_apart(rollers),
            )
        if (needles := self.eccentric.needles) is not None:
            yield from self._needles(needles)
        if self.structure is not None:
            yield from self.structure.problems(self)

    def _unused(self) -> Iterator[str]:
        yield from self.unused_pin_problems()
        if self.friction.rollers and self.output.rollers is None:
            yield "friction.rollers does nothing without output rollers; remove it"

    def _plate(self) -> Iterator[str]:
        """What elements of a disc need."""
        if not self.discs.bends:
            return
        if self.output.rollers is None:
            yield (
                "discs.body 'elastic' needs output rollers: where a disc is the output, a spec "
                "does not tell where the torque leaves it; set discs.body to 'rigid'"
            )
            return
        yield from thin_wall_problems(self.root_radius, circles_of_discs(self), "'rigid'")

    def _bore(self) -> Iterator[str]:
        root = self.root_radius
        if self.discs.bore_radius >= root:
            yield (
                f"discs.bore_radius is {mm(self.discs.bore_radius)}; it must be less than "
                f"the flank's root radius of {mm(root)}"
            )

    def _roller_circle(self, rollers: RollersSpec) -> Iterator[str]:
        hole = self.roller_hole_radius
        outermost = rollers.circle_radius + hole
        if outermost >= self.root_radius:
            yield (
                f"output.rollers: the holes reach out to {mm(outermost)} and cut the flank, whose "
                f"root radius is {mm(self.root_radius)}; use a smaller circle_radius or radius"
            )
        innermost = rollers.circle_radius - hole
        if innermost <= self.discs.bore_radius:
            yield (
                f"output.rollers: the holes reach in to {mm(innermost)} and cut discs.bore_radius "
                f"of {mm(self.discs.bore_radius)}; use a larger circle_radius or a smaller bore"
            )

    def _holes_apart(self, rollers: RollersSpec) -> Iterator[str]:
        if self.roller_hole_radius >= rollers.circle_radius * math.sin(math.pi / rollers.count):
            yield "output.rollers: neighbouring holes overlap; use fewer or smaller rollers"

    def _needles(self, needles: NeedlesSpec) -> Iterator[str]:
        if self.eccentric_radius <= self.eccentricity:
            yield (
                f"eccentric.needles.radius: discs.bore_radius leaves an eccentric of radius "
                f"{mm(self.eccentric_radius)}, which must exceed the eccentricity; "
                "use thinner needles or a larger bore"
            )
            return
        pitch_radius = self.eccentric_radius + needles.radius + needles.clearance / 2.0
        if needles.radius >= pitch_radius * math.sin(math.pi / needles.count):
            most = int(math.pi / math.asin(min(1.0, needles.radius / pitch_radius)))
            yield f"eccentric.needles.count is {needles.count}; at most {most} of this radius fit"
