"""How a spec tells the teeth of a bevel or hypoid pair: by blanks of ISO 23509, from which the
wheel is cut and the pinion made conjugate to it, less an ease-off; or by the settings of the
machines that cut both members.
"""

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any

from flank.geometry.bevel.blade import INSIDE, OUTSIDE, Blade
from flank.geometry.bevel.conjugate import EaseOff
from flank.geometry.bevel.cradle import CradleSettings, settings_of_vector_sum
from flank.geometry.bevel.cutting import Cut
from flank.geometry.bevel.pitch_cones import OERLIKON, depth_factors
from flank.machines.quantities import (
    Coefficient,
    Deviation,
    Length,
    Number,
    PositiveLength,
    WholeNumber,
    quantity,
)
from flank.machines.spec import Spec, key, optional
from flank.texts import mm

SpiralAngle = Annotated[float, quantity("rad", "deg", minimum=0.0, maximum=1.15)]
PressureAngle = Annotated[float, quantity("rad", "deg", minimum=0.1, maximum=0.6)]
ConeAngle = Annotated[float, quantity("rad", "deg", minimum=0.0, maximum=1.56)]
TaperAngle = Annotated[float, quantity("rad", "deg", minimum=-0.3, maximum=0.3)]
MachineAngle = Annotated[float, quantity("rad", "deg", minimum=-6.3, maximum=6.3)]
NonNegativeLength = Annotated[float, quantity("m", "mm", minimum=0.0)]


class EaseOffSpec(Spec):
    """What is taken off a conjugate flank of the pinion, at the ends of its face or its profile."""

    profile_crowning: Deviation = key("at root and tip", "15 um", default=0.0)
    lengthwise_crowning: Deviation = key("at toe and heel", "40 um", default=0.0)
    pressure_angle: Deviation = key(
        "at the tip, and as much put on at the root: an error of the pressure angle",
        "5 um",
        default=0.0,
    )
    spiral_angle: Deviation = key(
        "at the heel, and as much put on at the toe: an error of the spiral angle",
        "5 um",
        default=0.0,
    )
    twist: Deviation = key(
        "at heel and tip, and at toe and root; put on at the other corners", "5 um", default=0.0
    )

    @property
    def of_flank(self) -> EaseOff:
        return EaseOff(
            self.pressure_angle,
            self.spiral_angle,
            self.profile_crowning,
            self.lengthwise_crowning,
            self.twist,
        )


class EaseOffsSpec(Spec):
    """Of both flanks of the pinion."""

    concave: EaseOffSpec = key("of its concave flanks", default=EaseOffSpec())
    convex: EaseOffSpec = key("of its convex flanks", default=EaseOffSpec())

    @property
    def of_flanks(self) -> tuple[EaseOff, EaseOff]:
        return self.concave.of_flank, self.convex.of_flank


class DepthSpec(Spec):
    """Heights and thicknesses of teeth, the data of type II of ISO 23509."""

    addendum_share: Coefficient = key(
        "c_ham: the wheel's mean addendum over the working depth", default=0.35
    )
    depth: Coefficient = key("k_d: mean working depth over the mean normal module", default=2.0)
    clearance: Coefficient = key("k_c: clearance over the mean working depth", default=0.125)
    thickness: Number = key(
        "k_t: how much thicker the pinion's teeth are than the wheel's, over the module",
        default=0.1,
    )


class BlankSpec(Spec):
    """Blanks by ISO 23509, and how the wheel is cut from its blank."""

    method: Annotated[int, WholeNumber(minimum=0, maximum=3)] | None = optional(
        "of ISO 23509 for the pitch cones: 0 without offset, 1, 2 or 3 of a hypoid pair; if absent "
        "0, or 1 with an offset",
        1,
    )
    outer_diameter: PositiveLength | None = optional("d_e2, outer, of the wheel", "170 mm")
    mean_diameter: PositiveLength | None = optional(
        "d_m2, at the middle of the wheel's face, in place of the outer one with method 2", "147 mm"
    )
    face_width: PositiveLength = key("b2, of the wheel", "30 mm")
    spiral_angle: SpiralAngle = key(
        "β_m2, mean, of the wheel; with method 1 the one that is wanted of the pinion, β_m1",
        "35 deg",
    )
    cutter_radius: PositiveLength = key("r_c0, of the wheel's cutter", "63.5 mm")
    blade_groups: Annotated[int, WholeNumber(minimum=0, maximum=50)] = key(
        "z_0, of the cutter in face hobbing; none in face milling", default=0
    )
    drive_pressure_angle: PressureAngle = key(
        "α_dD: nominal, of the pinion's concave flanks", "20 deg", default=math.radians(20)
    )
    coast_pressure_angle: PressureAngle = key(
        "α_dC: nominal, of the pinion's convex flanks", "20 deg", default=math.radians(20)
    )
    limit_angle_factor: Coefficient = key(
        "f_αlim: share of the limit pressure angle that both flanks take into account", default=0.0
    )
    depth: DepthSpec = key("heights and thicknesses of the teeth", default=DepthSpec())
    wheel_addendum_angle: TaperAngle = key("θ_a2", "1 deg", default=0.0)
    wheel_dedendum_angle: TaperAngle = key("θ_f2", "4 deg", default=0.0)
    normal_backlash: NonNegativeLength = key("j_en, at the heel", "0.1 mm", default=0.0)
    transverse_backlash: NonNegativeLength = key(
        "j_et2, at the heel, in place of the normal one", "0.15 mm", default=0.0
    )
    formate: bool = key("whether the wheel is cut without generating motion", default=False)
    edge_radius: PositiveLength | None = optional(
        "of the wheel's blades; if absent as large as the clearance lets it", "0.6 mm"
    )

    def cross_checks(self) -> Iterable[str]:
        given, other = "outer_diameter", "mean_diameter"
        if self.method == OERLIKON:
            given, other = other, given
        if getattr(self, given) is None:
            yield (
                f"{given} is missing: method {self.method or 0} of ISO 23509 begins with it, for "
                f"example '{given}: 170 mm'"
            )
        if getattr(self, other) is not None:
            yield f"{other} does nothing with method {self.method or 0}; give {given} and remove it"
        if self.normal_backlash and self.transverse_backlash:
            yield "normal_backlash and transverse_backlash are both given; remove one of them"

    def pair_data(self) -> dict[str, Any]:
        """Keys of `PairData` that are told here."""
        depth = self.depth
        return {
            "face_width": self.face_width,
            "diameter": self.mean_diameter if self.method == OERLIKON else self.outer_diameter,
            "spiral_angle": self.spiral_angle,
            "cutter_radius": self.cutter_radius,
            "blade_groups": self.blade_groups,
            "pressure_angles": (self.drive_pressure_angle, self.coast_pressure_angle),
            "limit_angle_factor": self.limit_angle_factor,
            **depth_factors(depth.addendum_share, depth.depth, depth.clearance, depth.thickness),
            "addendum_angle": self.wheel_addendum_angle,
            "dedendum_angle": self.wheel_dedendum_angle,
            "outer_normal_backlash": self.normal_backlash,
            "outer_transverse_backlash": self.transverse_backlash,
        }


class HobbingSpec(Spec):
    """Face hobbing: the work turns on by teeth while the cutter turns, group of blades by group."""

    blade_groups: Annotated[int, WholeNumber(minimum=1, maximum=50)] = key(
        "z_0: groups of blades, teeth by which the work turns in a turn of the cutter", 5
    )
    cutter_radius: PositiveLength = key(
        "r_c0: where the plane of the blades crosses the cutter's radius", "88 mm"
    )
    lead_angle: MachineAngle = key("ν: of that plane against the cutter's radius", "6 deg")
    indexing_origin: MachineAngle = key(
        "θ_0: the cutter's angle at which the work stands as the cradle has it; both cuts of a "
        "member count from it, so their spaces hang on it",
        "75 deg",
        default=0.0,
    )


class CutSpec(Spec):
    """The machine that cuts one flank of a member, and the side of its blades that does."""

    point_radius: PositiveLength = key(
        "of the cutter, where the blade meets its tip plane", "75 mm"
    )
    blade_angle: PressureAngle = key("of the blade against the cutter's axis", "20 deg")
    edge_radius: PositiveLength = key("of the blade's tip, which cuts the fillet", "0.4 mm")
    profile_radius: Length | None = optional(
        "of a circular blade, positive where it is hollow; a straight blade if absent", "800 mm"
    )
    radial: PositiveLength = key("S_r: the cutter's axis from the cradle's", "75 mm")
    cradle_angle: MachineAngle = key("q: of the cradle in the middle of the cut", "60 deg")
    ratio_of_roll: Number = key(
        "R_a: how far the work turns over the cradle; zero is formate, without generating motion",
        3.2,
    )
    root_angle: MachineAngle | None = optional(
        "γ_m: of the machine, where it differs from the root cone's, as with a tilted cutter",
        "-3 deg",
    )
    blank_offset: Length = key("E_m", "3.9 mm", default=0.0)
    sliding_base: Length = key("X_B", "0.3 mm", default=0.0)
    centre_to_back: Length = key("X_D: machine centre to back", "-1 mm", default=0.0)
    vector_sum: Length = key(
        "L_m, along the root line, in place of sliding_base and centre_to_back",
        "1 mm",
        default=0.0,
    )
    tilt: MachineAngle = key("i: of the cutter's axis", "2 deg", default=0.0)
    swivel: MachineAngle = key("j: the direction of the tilt", "30 deg", default=0.0)
    modified_roll: tuple[Number, ...] = key(
        "C, D, ... of the roll's series in the cradle's turn", "[0.01, 0.002]", default=()
    )
    helical_motion: tuple[Length, ...] = key(
        "derivatives of X_B by the cradle's turn, from the first on", "[2 mm]", default=()
    )
    vertical_motion: tuple[Length, ...] = key("the same of E_m", "[1 mm]", default=())
    radial_motion: tuple[Length, ...] = key("the same of S_r", "[1 mm]", default=())
    hobbing: HobbingSpec | None = optional("continuous indexing; face milling if absent")

    def cross_checks(self) -> Iterable[str]:
        if self.vector_sum and (self.sliding_base or self.centre_to_back):
            yield (
                "vector_sum stands for sliding_base and centre_to_back together; give it, or both "
                "of them"
            )
        radius = self.profile_radius
        if radius is not None and abs(radius) <= 2 * self.edge_radius:
            yield (
                f"profile_radius is {mm(radius, 4)}, no more than twice the edge radius; give a "
                "larger one, or none for a straight blade"
            )

    def cut(self, root_angle: float, teeth: int, side: int, hand: int) -> Cut:
        """On a blank of a root angle and a number of teeth."""
        radius = math.inf if self.profile_radius is None else self.profile_radius
        blade = Blade(self.point_radius, self.blade_angle, side, self.edge_radius, radius)
        angle = root_angle if self.root_angle is None else self.root_angle
        settings, hobbing = self._milling(angle), self.hobbing
        if hobbing is not None:
            settings = replace(
                settings,
                indexing=hobbing.blade_groups / teeth,
                indexing_origin=hobbing.indexing_origin,
                lead_angle=hobbing.lead_angle,
                lead_radius=hobbing.cutter_radius,
            )
        return Cut(settings, blade, hand)

    def _milling(self, root_angle: float) -> CradleSettings:
        if self.vector_sum:
            base = settings_of_vector_sum(
                self.radial,
                self.cradle_angle,
                root_angle,
                self.ratio_of_roll,
                self.blank_offset,
                self.vector_sum,
            )
            sliding, back = base.sliding_base, base.centre_to_back
        else:
            sliding, back = self.sliding_base, self.centre_to_back
        return CradleSettings(
            self.radial,
            -self.cradle_angle,
            root_angle,
            self.ratio_of_roll,
            self.blank_offset,
            sliding,
            back,
            self.swivel,
            self.tilt,
            self.modified_roll,
            self.helical_motion,
            self.vertical_motion,
            self.radial_motion,
        )


class MemberSettingsSpec(Spec):
    """Blank and cuts of one member; its cones have their apexes in one point of the axis."""

    pitch_angle: ConeAngle = key("δ: of the pitch cone", "18.4 deg")
    addendum_angle: TaperAngle = key("θ_a: from the pitch cone to the face cone", "3.9 deg")
    dedendum_angle: TaperAngle = key("θ_f: from the pitch cone to the root cone", "1.6 deg")
    clearance: PositiveLength = key("between a tip and the bottom of the mate's space", "0.8 mm")
    apex_beyond: Length = key(
        "how far the apex lies beyond the crossing point of the axes, away from the heel",
        "2 mm",
        default=0.0,
    )
    concave: CutSpec | None = optional(
        "the cut of its concave flanks, by outside blades; a pinion without cuts is conjugate to "
        "its wheel, less the ease_off"
    )
    convex: CutSpec | None = optional("the cut of its convex flanks, by inside blades")

    def cross_checks(self) -> Iterable[str]:
        if (self.concave is None) != (self.convex is None):
            given, missing = ("concave", "convex") if self.concave else ("convex", "concave")
            yield f"{missing} is missing: {given} is given; give both cuts, or none of a pinion"

    @property
    def root_angle(self) -> float:
        return self.pitch_angle - self.dedendum_angle

    def cuts(self, teeth: int, hand: int) -> tuple[Cut, Cut] | None:
        """By outside and by inside blades."""
        if self.concave is None or self.convex is None:
            return None
        return (
            self.concave.cut(self.root_angle, teeth, OUTSIDE, hand),
            self.convex.cut(self.root_angle, teeth, INSIDE, hand),
        )


class SettingsSpec(Spec):
    """Both members by the settings of the machines that cut them."""

    mean_distance: PositiveLength = key("R_m: mean cone distance", "81 mm")
    face_width: PositiveLength = key("b: of both members, along their root cones", "25.4 mm")
    spiral_angle: SpiralAngle = key(
        "β_m: mean, for the tables alone, as the cut decides on it", "35 deg", default=0.0
    )
    transverse_backlash: NonNegativeLength = key(
        "at the middle of the wheel's face; its teeth are thinned until there is as much",
        "0.15 mm",
        default=0.0,
    )
    pinion: MemberSettingsSpec = key("blank and cuts of the pinion")
    wheel: MemberSettingsSpec = key("blank and cuts of the wheel")

    def cross_checks(self) -> Iterable[str]:
        if self.wheel.concave is None:
            yield (
                "wheel.concave is missing: only a pinion can be conjugate to its mate; give both "
                "cuts of the wheel"
            )
