"""The teeth of a bevel or hypoid pair as they are made, and how they stand to each other.

With the pinion at the angle φ_1 of its own frame, its driving flanks touch the wheel's at
φ_2 = c + i φ_1, i = -z_1/z_2, and its coasting flanks at another c; a tooth on, all is the same.
The machine counts the wheel's angle from the middle between both, so that at zero all teeth stand
in the middle of their backlash.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from flank.arrays import Floats
from flank.errors import SpecError
from flank.geometry.bevel.blank import PairBlanks, pair_blanks
from flank.geometry.bevel.cutting import Cut
from flank.geometry.bevel.design import PairDesign, designed_pair
from flank.geometry.bevel.section import AxialSection, Blank, root_cone_section
from flank.geometry.bevel.tooth import CONCAVE, CONVEX, BevelMember, cut_member
from flank.geometry.flank_pair import FlankPair, NoContact, Touching
from flank.geometry.mounting import Mounting
from flank.geometry.relative_curvature import relative_curvatures
from flank.geometry.spline_surface import POINT, SplineSurface, unit_normals

PROFILE_POINTS, LENGTHWISE_POINTS = 33, 35
"""Of a flank's grid: on finer ones the published pair's error differs by 0.01 arcsec."""

MATES = {CONCAVE: CONVEX, CONVEX: CONCAVE}

KEPT = 16
"""Pairs of teeth that a process remembers."""


@dataclass(frozen=True)
class MemberCut:
    """One member by its cones, which have a common apex, and the cuts of both its flanks."""

    teeth: int
    hand: int
    cuts: tuple[Cut, Cut]
    mean_distance: float
    face_width: float
    pitch_angle: float
    addendum_angle: float
    dedendum_angle: float
    clearance: float
    apex_beyond: float
    spiral_angle: float  # for tables alone, as the cut decides on it

    @property
    def section(self) -> AxialSection:
        section = root_cone_section(
            self.mean_distance,
            self.face_width,
            self.pitch_angle,
            self.addendum_angle,
            self.dedendum_angle,
            self.clearance,
        )
        shift = np.array([-self.apex_beyond, 0.0])
        return AxialSection(section.corners + shift, section.bottom + shift)

    @property
    def mean_place(self) -> Floats:
        pitch = self.pitch_angle
        along = np.array([math.cos(pitch), math.sin(pitch)])
        return np.asarray(self.mean_distance * along - np.array([self.apex_beyond, 0.0]))

    def blank(self, member: BevelMember) -> Blank:
        """As tables show it, with teeth as thick as they were made."""
        rise = (math.tan(angle) for angle in (self.addendum_angle, self.dedendum_angle))
        addendum, dedendum = (self.mean_distance * tangent for tangent in rise)
        return Blank(
            self.teeth,
            self.pitch_angle,
            self.mean_distance,
            self.spiral_angle,
            addendum,
            dedendum,
            self.addendum_angle,
            self.dedendum_angle,
            0.5 * self.face_width,
            0.5 * self.face_width,
            member.thickness * math.cos(self.spiral_angle),
            self.clearance,
            self.apex_beyond,
        )

    def made(self) -> BevelMember:
        return cut_member(
            self.teeth,
            self.hand,
            self.cuts,
            self.section,
            self.mean_place,
            PROFILE_POINTS,
            LENGTHWISE_POINTS,
        )


@dataclass(frozen=True)
class CutPair:
    """Both members as machines cut them; the wheel is thinned until there is the backlash."""

    pinion: MemberCut
    wheel: MemberCut
    mounting: Mounting
    transverse_backlash: float  # at the wheel's mean place


@dataclass(frozen=True, eq=False)
class PairTeeth:
    """Both members in their mounting; sections are the axial ones of their teeth."""

    pinion: BevelMember
    wheel: BevelMember
    mounting: Mounting
    sections: tuple[AxialSection, AxialSection]
    blanks: tuple[Blank, Blank]
    pair_blanks: PairBlanks | None = None  # none where settings tell the teeth

    @property
    def teeth(self) -> tuple[int, int]:
        return self.pinion.teeth, self.wheel.teeth

    @cached_property
    def _surfaces(self) -> dict[str, tuple[SplineSurface, SplineSurface]]:
        return {
            flank: (
                SplineSurface(self.pinion.side(flank).flank.points),
                SplineSurface(self.wheel.side(mate).flank.points),
            )
            for flank, mate in MATES.items()
        }

    @cached_property
    def _pairs(self) -> dict[tuple[str, Mounting], FlankPair]:
        return {}

    def flanks(self, flank: str, mounting: Mounting | None = None) -> FlankPair:
        """The pinion's concave or convex flank with its mate, as designed or misaligned."""
        place = flank, mounting or self.mounting
        if place not in self._pairs:
            self._pairs[place] = FlankPair(self._surfaces[flank], self.teeth, place[1])
        return self._pairs[place]

    def backlash(self, mounting: Mounting | None = None) -> float:
        """Angle that the wheel can turn with the pinion at rest; below zero flanks jam."""
        drive, coast = (_seat(self.flanks(flank, mounting)) for flank in (CONCAVE, CONVEX))
        push = self.flanks(CONCAVE, mounting).push
        return math.remainder(push * (coast - drive), self.wheel.pitch_angle)

    def phase(self, mounting: Mounting | None = None) -> float:
        """The wheel's angle in the middle of the backlash with the pinion's at zero."""
        pair = self.flanks(CONCAVE, mounting)
        middle = _seat(pair) + 0.5 * pair.push * self.backlash(mounting)
        return math.remainder(middle, self.wheel.pitch_angle)


def _seat(pair: FlankPair) -> float:
    """c: the wheel's angle where flanks touch near their middles, the pinion's at zero."""
    first, *_, second = pair.start
    return float(second - pair.ratio * first)


@lru_cache(maxsize=KEPT)
def made_teeth(plan: PairDesign | CutPair) -> PairTeeth:
    """The teeth of a plan; SpecError where they cannot be made."""
    return _designed(plan) if isinstance(plan, PairDesign) else _cut(plan)


def _designed(design: PairDesign) -> PairTeeth:
    pair, blanks = (
        designed_pair(design, PROFILE_POINTS, LENGTHWISE_POINTS),
        pair_blanks(design.data),
    )
    mounting = Mounting(design.mounting.shaft_angle, design.mounting.offset)
    sections = blanks.pinion.section(), blanks.wheel.section()
    members = blanks.pinion, blanks.wheel
    return PairTeeth(pair.pinion, pair.gear, mounting, sections, members, blanks)


def _cut(plan: CutPair) -> PairTeeth:
    sections = plan.pinion.section, plan.wheel.section
    pinion, wheel = plan.pinion.made(), plan.wheel.made()
    blanks = plan.pinion.blank(pinion), plan.wheel.blank(wheel)
    teeth = PairTeeth(pinion, wheel, plan.mounting, sections, blanks)
    try:
        room = teeth.backlash() * float(plan.wheel.mean_place[1])
    except NoContact as reason:
        raise SpecError(f"As cut and mounted, {reason}") from None
    missing = plan.transverse_backlash - room
    if missing >= wheel.thickness:
        raise SpecError(
            f"A backlash of {plan.transverse_backlash * 1e3:.4g} mm is more than the wheel's "
            f"teeth are thick, {wheel.thickness * 1e3:.4g} mm; use less backlash."
        )
    # its convex flanks rest, which run with the pinion's concave ones: those stay as cut
    thinned = wheel.with_thickness(wheel.thickness - missing, resting=CONVEX)
    return replace(teeth, wheel=thinned, blanks=(blanks[0], plan.wheel.blank(thinned)))


@dataclass(frozen=True, eq=False)
class MeanContact:
    """Where flanks touch near their middles, in the fixed frame: the point, the normal by which
    the pinion pushes the wheel, levers of that about both axes, and the radius of curvature across
    the line of contact."""

    point: Floats
    normal: Floats
    levers: tuple[float, float]
    radius: float


def mean_contact(pair: FlankPair) -> MeanContact:
    """Of two flanks; the point lies where the levers are as the tooth numbers, which it does but
    for the slope of the transmission error."""
    start, mounting = pair.start[None], pair.mounting
    first = pair.first_at(start[:, 1:3], start[:, 0])
    normal = pair.outward[0] * unit_normals(first)[0]
    origins = mounting.first_origin, mounting.second_origin
    turning = [np.cross(normal, axis) for axis in (mounting.first_axes[:, 2], np.eye(3)[2])]
    point = first[0, POINT]
    # lever of n at P about the axis a: a · (P - x) x n = (P - x) · n x a
    gradient = turning[0] / pair.teeth[0] + turning[1] / pair.teeth[1]
    apart = sum(
        float((point - origin) @ turn) / teeth
        for origin, turn, teeth in zip(origins, turning, pair.teeth, strict=True)
    )
    point = point - gradient * apart / float(gradient @ gradient)
    levers = [float((point - origin) @ turn) for origin, turn in zip(origins, turning, strict=True)]
    touching = Touching(
        start[:, 0], start[:, 5], start[:, 1:5], np.zeros(1, dtype=np.int64), first[:, POINT]
    )
    radius = 1 / float(relative_curvatures(pair, touching)[0][0, 1])
    return MeanContact(point, normal, (levers[0], levers[1]), radius)
