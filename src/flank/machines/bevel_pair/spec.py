"""Specs of a bevel pair, whose axes cross, and of a hypoid pair, whose axes pass at an offset.

The pinion drives. Its frame and the wheel's have their z axes along the axes of the shafts, from
the crossing point (of a hypoid pair the foot of the common perpendicular) towards the heels of the
teeth. Misalignments are those of gear inspection: E along the offset, P and G along the axes of
pinion and wheel, away from the crossing point, and a change of the shaft angle.
"""

import math
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, ClassVar, Literal

from flank.geometry.bevel.cutting import LEFT, RIGHT
from flank.geometry.bevel.design import PairDesign
from flank.geometry.bevel.involute_pair import InvolutePair
from flank.geometry.bevel.pitch_cones import PairData
from flank.geometry.bevel.section import RoundHoles
from flank.geometry.mounting import Mounting
from flank.machines.bevel_pair.flank_grids import read_grids
from flank.machines.bevel_pair.teeth import (
    CutPair,
    GivenPair,
    GivenTeeth,
    MemberCut,
    Plan,
    keyed,
)
from flank.machines.bevel_pair.teeth_spec import (
    BlankSpec,
    EaseOffsSpec,
    MemberSettingsSpec,
    SettingsSpec,
)
from flank.machines.error_kinds import ARCSECOND, Counts, ErrorKind, Kinds, distance
from flank.machines.gear_pair.spec import AddedInertia, ShaftSpec
from flank.machines.gear_spec import MOST_TEETH
from flank.machines.machine_spec import OperationSpec, RatedSpec
from flank.machines.materials import MATERIALS_MEANING, MaterialSpec
from flank.machines.quantities import (
    Coefficient,
    Damping,
    DampingRatio,
    Deviation,
    Length,
    PositiveLength,
    PositiveVelocity,
    Stiffness,
    WholeNumber,
    quantity,
)
from flank.machines.spec import Spec, key, optional
from flank.machines.wheel_spec import MassSpec

ToothCount = Annotated[int, WholeNumber(minimum=3, maximum=MOST_TEETH)]
ShaftAngle = Annotated[float, quantity("rad", "deg", minimum=0.17, maximum=2.9)]
NonNegativeStiffness = Annotated[float, quantity("N/m", "N/m", minimum=0.0)]

MEMBERS = ("pinion", "wheel")
HANDS = {"left": LEFT, "right": RIGHT}

KINDS: Kinds = {
    "offset": ErrorKind(
        "offset E of the axes", (), 20e-6, size=distance("offset of the axes", "axes_offset")
    ),
    "pinion_axial": ErrorKind("axial place P of the pinion", (), 50e-6),
    "wheel_axial": ErrorKind("axial place G of the wheel", (), 50e-6),
    "shaft_angle": ErrorKind("shaft angle", (), 60 * ARCSECOND, "rad"),
}
"""Tolerances are assumed: a housing bored in one setting, members shimmed to 0.05 mm."""


class BearingSpec(Spec):
    """A bearing of a shaft, elastic along and across it."""

    at: Length = key("where it sits on the axis, from the crossing point to the heel", "90 mm")
    radial_stiffness: Stiffness = key("across the shaft", "4e8 N/m")
    axial_stiffness: NonNegativeStiffness = key("along the shaft", "2e8 N/m", default=0.0)
    damping: Damping = key("across and along the shaft", "2e3 N*s/m", default=0.0)


class HolesSpec(Spec):
    """Round holes through a body along its axis, at equal angles."""

    count: Annotated[int, WholeNumber(minimum=3, maximum=60)] = key("how many", 6)
    circle_diameter: PositiveLength = key("of the circle that their centres lie on", "105 mm")
    diameter: PositiveLength = key("of a hole", "18 mm")

    @property
    def round_holes(self) -> RoundHoles:
        return RoundHoles(self.count, 0.5 * self.circle_diameter, 0.5 * self.diameter)


class BodySpec(Spec):
    """The body under the teeth, of revolution but for its holes."""

    bore_diameter: PositiveLength | None = optional("the diameter of the bore; solid if absent")
    back: PositiveLength | None = optional(
        "how far the body goes on along its axis behind the roots at the heel; as far as teeth are "
        "high if absent",
        "15 mm",
    )
    holes: HolesSpec | None = optional(
        "holes through it, by which teeth give way according to their place; with the influence fe"
    )


class RealTeethSpec(Spec):
    """What is known of the teeth of a real gear."""

    points_file: str | None = optional(
        "the file of points of its flanks, given or measured, in place of those that are made: a "
        "table with the head 'tooth, flank, row, column, x [mm], y [mm], z [mm]', of one tooth for "
        "all or of every tooth",
        "pinion.csv",
    )
    pitch_deviations: tuple[Deviation, ...] = key(
        "how far teeth stand on from their places about the axis by the right hand, tooth by "
        "tooth, along the circle at the middle of their faces; the axis looks to the heel",
        ["0 um", "3 um", "-2 um"],
        default=(),
    )

    def deviation_problems(self, teeth: int) -> Iterator[str]:
        count = len(self.pitch_deviations)
        if count not in (0, teeth):
            yield (
                f"pitch_deviations has {count} values, and the gear {teeth} teeth; give one for "
                "every tooth"
            )

    @property
    def given_teeth(self) -> GivenTeeth:
        """SpecError where the file cannot be read."""
        path = self.points_file or ""
        return GivenTeeth(path, read_grids(path) if path else "", self.pitch_deviations)


def real_pair(
    made: PairDesign | CutPair | InvolutePair, pinion: RealTeethSpec, wheel: RealTeethSpec
) -> Plan:
    """What is made, or that with what is known of real teeth."""
    given = []
    for name, member in zip(MEMBERS, (pinion, wheel), strict=True):
        with keyed(f"{name}.points_file"):
            given.append(member.given_teeth)
    if all(each == GivenTeeth() for each in given):
        return made
    return GivenPair(made, (given[0], given[1]))


class MemberSpec(MassSpec, RealTeethSpec):
    """The pinion or the wheel besides how its flanks are made."""

    teeth: ToothCount = key("the number of teeth z", 13)
    material: str = key("the name of a material", default="steel")
    body: BodySpec = key("the body under the teeth", default=BodySpec())
    added_inertia: AddedInertia = key(
        "the moment of inertia of what turns rigidly with it, as hub and shaft",
        "0.002 kg*m^2",
        default=0.0,
    )
    bearings: tuple[BearingSpec, ...] = key(
        "the bearings of its shaft; held rigidly on its axis if absent", default=()
    )

    def cross_checks(self) -> Iterable[str]:
        yield from self.deviation_problems(self.teeth)
        yield from bearing_problems(self.bearings)


def bearing_problems(bearings: tuple[BearingSpec, ...]) -> Iterator[str]:
    """Sentences about bearings that leave a shaft free."""
    places = {bearing.at for bearing in bearings}
    if bearings and len(places) < 2:
        yield (
            "bearings: a shaft needs two bearings at different places, or it tilts freely; "
            "give another, or none for a rigid support"
        )
    if bearings and not any(bearing.axial_stiffness for bearing in bearings):
        yield (
            "bearings: none of them holds the shaft along its axis; give one of them an "
            "axial_stiffness, for example 'axial_stiffness: 2e8 N/m'"
        )


class MeshInSpaceSpec(Spec):
    """How the teeth are modelled.

    spring: constant stiffness along the line of action at the middle of the flanks. flanks: the
    flanks themselves on sections across the face, loads shared among all teeth.
    """

    model: Literal["spring", "flanks"] = key("how the teeth are modelled", default="flanks")
    stiffness: Stiffness | None = optional(
        "the constant stiffness of 'spring' along the line of action; if absent by ISO 10300-1, of "
        "involute gears by ISO 6336-1",
        "4e8 N/m",
    )
    damping: Damping = key("damping along the line of action", "2e3 N*s/m", default=0.0)
    points: Annotated[int, WholeNumber(minimum=8, maximum=200)] = key(
        "points of a flank, one on each section, at which loads are found", default=40
    )
    influence: Literal["beam", "fe"] = key(
        "what teeth and bodies give way by: slices of a virtual spur gear, or finite elements of "
        "the real teeth",
        default="beam",
    )
    friction: Coefficient = key("the coefficient of friction between flanks", 0.05, default=0.0)
    friction_velocity: PositiveVelocity = key(
        "sliding velocity below which friction fades out", "10 mm/s", default=0.01
    )

    def cross_checks(self) -> Iterable[str]:
        if self.stiffness is not None and self.model != "spring":
            yield f"stiffness does nothing with the model '{self.model}'; remove it"


class BevelMeshSpec(MeshInSpaceSpec):
    """The same of teeth whose blanks do not tell how their tips are rounded."""

    edge_radius: PositiveLength = key("the rounding of tips", "0.2 mm", default=0.2e-3)


class CrossedPairSpec(RatedSpec):
    """What bevel and hypoid pairs have in common."""

    shaft_angle: ShaftAngle = key("Σ between the axes", "90 deg", default=0.5 * math.pi)
    hand: Literal["left", "right"] = key("of the pinion's spiral", default="left")
    driving_flank: Literal["concave", "convex"] = key(
        "flanks of the pinion that drive, with a positive speed of the input", default="concave"
    )
    pinion: MemberSpec = key("the driving member")
    wheel: MemberSpec = key("the driven member")
    blank: BlankSpec | None = optional("teeth by their blanks")
    ease_off: EaseOffsSpec | None = optional(
        "what the pinion's flanks, conjugate to the wheel's, are less; with a blank, or with "
        "settings of the wheel alone"
    )
    settings: SettingsSpec | None = optional("teeth by machine settings, in place of blank")
    mesh: BevelMeshSpec = key("how the teeth are modelled", default=BevelMeshSpec())
    damping_ratio: DampingRatio | None = optional(
        "damping of the mesh as a share of the critical one of both members turning against each "
        "other on the mean mesh stiffness, in place of mesh.damping",
        "5 percent",
    )
    input_shaft: ShaftSpec = key("between what drives and the pinion", default=ShaftSpec())
    output_shaft: ShaftSpec = key("between the wheel and the load", default=ShaftSpec())
    materials: dict[str, MaterialSpec] = key(MATERIALS_MEANING, default={})
    operation: OperationSpec = key("the operating point")

    ratio_is: ClassVar[str] = "it follows from the teeth: wheel.teeth / pinion.teeth"

    @property
    def axes_offset(self) -> float:
        """Of the axes, zero where they cross."""
        return 0.0

    @property
    def edge_radius(self) -> float:
        """Of tips."""
        return self.mesh.edge_radius

    @property
    def counts(self) -> Counts:
        return {}

    @property
    def teeth(self) -> tuple[int, int]:
        return self.pinion.teeth, self.wheel.teeth

    def plan(self) -> Plan:
        """How the teeth are made, or known."""
        if self.blank is not None:
            return real_pair(self._design(self.blank), self.pinion, self.wheel)
        assert self.settings is not None
        return real_pair(self._cut_pair(self.settings), self.pinion, self.wheel)

    def _cut_pair(self, settings: SettingsSpec) -> CutPair:
        hand = HANDS[self.hand]
        mounting = Mounting(self.shaft_angle, hand * self.axes_offset)
        pinion, wheel = (
            self._member_cut(settings, part, teeth, sign * hand)
            for part, teeth, sign in zip(
                (settings.pinion, settings.wheel), self.teeth, (1, -1), strict=True
            )
        )
        return CutPair(
            pinion, wheel, mounting, settings.transverse_backlash, self._ease_offs.of_flanks
        )

    @property
    def _ease_offs(self) -> EaseOffsSpec:
        return self.ease_off or EaseOffsSpec()

    def _design(self, blank: BlankSpec) -> PairDesign:
        offset, method = self.axes_offset, blank.method
        data = PairData(
            teeth=self.teeth,
            method=(1 if offset else 0) if method is None else method,
            offset=offset,
            shaft_angle=self.shaft_angle,
            **blank.pair_data(),
        )
        return PairDesign(
            data,
            *self._ease_offs.of_flanks,
            HANDS[self.hand],
            blank.formate,
            blank.edge_radius,
        )

    @staticmethod
    def _member_cut(
        settings: SettingsSpec, member: MemberSettingsSpec, teeth: int, hand: int
    ) -> MemberCut:
        return MemberCut(
            teeth,
            hand,
            member.cuts(teeth, hand),
            settings.mean_distance,
            settings.face_width,
            member.pitch_angle,
            member.addendum_angle,
            member.dedendum_angle,
            member.clearance,
            member.apex_beyond,
            settings.spiral_angle,
        )

    def cross_checks(self) -> Iterable[str]:
        yield from self.material_problems(MEMBERS)
        yield from self._teeth_problems()
        yield from self._holes_problems()
        if self.damping_ratio is not None and self.mesh.damping > 0:
            yield "damping_ratio and mesh.damping are both given; remove one of them"
        yield from self.error_problems()

    def _holes_problems(self) -> Iterator[str]:
        if self.mesh.influence == "fe" and self.mesh.model == "flanks":
            return
        for name, member in zip(MEMBERS, (self.pinion, self.wheel), strict=True):
            if member.body.holes is not None:
                yield (
                    f"{name}.body.holes: only finite elements know how teeth give way above a "
                    "hole; use 'influence: fe' with the model 'flanks' of mesh, or leave holes out"
                )

    def _teeth_problems(self) -> Iterator[str]:
        if (self.blank is None) == (self.settings is None):
            given = "neither is" if self.blank is None else "both are"
            yield (
                f"blank and settings tell the teeth in two ways, and {given} given; give one of "
                "them"
            )
        cut = self.settings is not None and self.settings.pinion.concave is not None
        if self.ease_off is not None and cut:
            yield (
                "ease_off does nothing with settings of the pinion, which tell its flanks; remove "
                "it, or leave out settings.pinion.concave and convex for a conjugate pinion"
            )
        if self.wheel.teeth < self.pinion.teeth:
            yield (
                f"wheel.teeth is {self.wheel.teeth}; the wheel needs at least as many teeth as the "
                f"pinion, which has {self.pinion.teeth}"
            )
        yield from self._method_problems()

    def _method_problems(self) -> Iterator[str]:
        method = None if self.blank is None else self.blank.method
        if method == 0 and self.axes_offset:
            yield "blank.method: 0 is for axes that cross; use 1, 2 or 3, or leave it out"
        if method and not self.axes_offset:
            yield (
                f"blank.method: {method} is for a hypoid pair; leave it out, or use the machine "
                "hypoid-pair with an offset"
            )


class BevelPairSpec(CrossedPairSpec, kinds=KINDS):
    """A bevel pair: the axes cross."""

    machine: Literal["bevel-pair"] = key("the kind of machine", "bevel-pair")

    @classmethod
    def elsewhere(cls, key: str, given: Any) -> str | None:
        if key == "offset":
            return "the axes of a bevel pair cross; use the machine 'hypoid-pair'"
        return super().elsewhere(key, given)


class HypoidPairSpec(CrossedPairSpec, kinds=KINDS):
    """A hypoid pair: the axes pass each other at an offset."""

    machine: Literal["hypoid-pair"] = key("the kind of machine", "hypoid-pair")
    offset: PositiveLength = key(
        "a: of the axes, to the side where the pinion's spiral angle is the greater one", "15 mm"
    )

    @property
    def axes_offset(self) -> float:
        return self.offset
