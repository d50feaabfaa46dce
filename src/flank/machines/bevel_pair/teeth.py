"""The teeth of two gears in space as they are made, and how they stand to each other.

With the pinion at the angle φ_1 of its own frame, its driving flanks touch the wheel's at
φ_2 = c + i φ_1, i = -z_1/z_2, and its coasting flanks at another c; a tooth on, all is the same.
The machine counts the wheel's angle from the middle between both, so that at zero all teeth stand
in the middle of their backlash.

The quick influence numbers are those of the virtual spur gear in the normal section: of a bevel
gear z/(cos δ cos³ β) teeth of the mean normal module, as high and as thick at the pitch cone as the
real ones.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from flank.arrays import Floats
from flank.errors import SpecError
from flank.geometry.bevel.blank import PairBlanks, pair_blanks
from flank.geometry.bevel.conjugate import CONJUGATE, EaseOff
from flank.geometry.bevel.cutting import Cut
from flank.geometry.bevel.design import (
    PairDesign,
    conjugate_flanks,
    conjugate_member,
    designed_pair,
)
from flank.geometry.bevel.involute_pair import InvoluteGear, InvolutePair
from flank.geometry.bevel.measured import member_from_grids
from flank.geometry.bevel.section import AxialSection, Blank, root_cone_section
from flank.geometry.bevel.tooth import CONCAVE, CONVEX, BevelMember, cut_member
from flank.geometry.flank_pair import FlankPair, NoContact, Touching
from flank.geometry.gear import Gear
from flank.geometry.mounting import Mounting
from flank.geometry.relative_curvature import relative_curvatures
from flank.geometry.spline_surface import POINT, SplineSurface, unit_normals
from flank.machines.bevel_pair.flank_grids import flank_grids

PROFILE_POINTS, LENGTHWISE_POINTS = 33, 35
"""Of a flank's grid: on finer ones the published pair's error differs by 0.01 arcsec."""

MATES = {CONCAVE: CONVEX, CONVEX: CONCAVE}

KEPT = 16
"""Pairs of teeth that a process remembers."""

EFFECTIVE_FACE = 0.85
"""Of the face width of a bevel gear that bears, by ISO 10300-1 for usual patterns at full load."""

FILLET = 0.25
"""Of a bevel gear's virtual rack, in modules."""

STRETCHES, NO_PLAY = 12, 1e-10
"""Steps to the distance without backlash, and what is left of it over the wheel's pitch."""

STRETCH = 1e-3
"""Of the distance: the first step."""


@dataclass(frozen=True)
class MemberCut:
    """One member by its cones, which have a common apex, and the cuts of both its flanks, by
    outside and inside blades; a pinion without cuts is conjugate to its wheel."""

    teeth: int
    hand: int
    cuts: tuple[Cut, Cut] | None
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
        return section.moved(-self.apex_beyond)

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
        assert self.cuts is not None
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
    """Both members as machines cut them, or the pinion conjugate less the ease-offs of its concave
    and convex flanks; the wheel is thinned until there is the backlash."""

    pinion: MemberCut
    wheel: MemberCut
    mounting: Mounting
    transverse_backlash: float  # at the wheel's mean place
    ease_offs: tuple[EaseOff, EaseOff] = (CONJUGATE, CONJUGATE)

    def made_pinion(self) -> BevelMember:
        pinion, wheel = self.pinion, self.wheel
        if pinion.cuts is not None:
            return pinion.made()
        assert wheel.cuts is not None
        teeth, sections = (pinion.teeth, wheel.teeth), (pinion.section, wheel.section)
        return conjugate_member(
            pinion.hand,
            conjugate_flanks(wheel.cuts, teeth, self.mounting, sections),
            self.ease_offs,
            pinion.mean_place,
            PROFILE_POINTS,
            LENGTHWISE_POINTS,
        )


@dataclass(frozen=True)
class NormalTooth:
    """What a tooth is in its normal section, a tooth of a spur gear, and its length there."""

    gear: Gear
    length: float


@dataclass(frozen=True, eq=False)
class PairTeeth:
    """Both members in their mounting; sections are the axial ones of their teeth.

    `apex` is the pitch apex of the pinion on its axis, none where it has no cone, `bearing_width`
    what of the wheel's face bears, `middles` where bearings are counted from.
    """

    pinion: BevelMember
    wheel: BevelMember
    mounting: Mounting
    sections: tuple[AxialSection, AxialSection]
    normals: tuple[NormalTooth, NormalTooth]
    apex: float | None
    bearing_width: float
    middles: tuple[float, float] = (0.0, 0.0)
    blanks: tuple[Blank, Blank] | None = None
    pair_blanks: PairBlanks | None = None  # none where settings tell the teeth

    @property
    def teeth(self) -> tuple[int, int]:
        return self.pinion.teeth, self.wheel.teeth

    @cached_property
    def _surfaces(self) -> dict[str, tuple[SplineSurface, SplineSurface]]:
        """In the mean over all teeth."""
        return {
            flank: (SplineSurface(self.pinion.mean_flank(flank)), SplineSurface(of_wheel))
            for flank, mate in MATES.items()
            for of_wheel in (self.wheel.mean_flank(mate),)
        }

    def every_tooth(self, flank: str) -> tuple[tuple[Floats, ...], tuple[Floats, ...]]:
        """Points of the flanks of all teeth of pinion and wheel, turned back to the first one, that
        run with the pinion's flank; none of a member whose teeth are alike."""
        return self.pinion.flanks_that_differ(flank), self.wheel.flanks_that_differ(MATES[flank])

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


@dataclass(frozen=True)
class GivenTeeth:
    """What is known of a member's real teeth: the file of its flanks and its text, and how far
    teeth stand on about its axis, in m at the mean place."""

    points_file: str = ""
    text: str = ""
    pitch_deviations: tuple[float, ...] = ()

    def measured(self, member: BevelMember, bottom: Floats) -> BevelMember:
        concave, convex = flank_grids(self.points_file, self.text, member.teeth)
        return member_from_grids(member.teeth, member.hand, concave, convex, bottom)


@dataclass(frozen=True)
class GivenPair:
    """A pair as it would be made, and what is given of pinion and wheel besides."""

    made: PairDesign | CutPair | InvolutePair
    given: tuple[GivenTeeth, GivenTeeth]


Plan = PairDesign | CutPair | InvolutePair | GivenPair
"""How teeth are made."""


@lru_cache(maxsize=KEPT)
def made_teeth(plan: Plan) -> PairTeeth:
    """The teeth of a plan; SpecError where they cannot be made, with the block that tells them."""
    if isinstance(plan, GivenPair):
        return _given(plan)
    if isinstance(plan, PairDesign):
        with keyed("blank"):
            return _designed(plan)
    if isinstance(plan, CutPair):
        with keyed("settings"):
            return _cut(plan)
    with keyed("pinion, wheel"):
        return _involute(plan)


@contextmanager
def keyed(block: str) -> Iterator[None]:
    """What cannot be is told with the block of the spec that it is about."""
    try:
        yield
    except SpecError as error:
        raise SpecError([f"{block}: {text}" for text in error.problems]) from None


def _given(plan: GivenPair) -> PairTeeth:
    """Members whose flanks or pitches are given, in place of those that would be made."""
    teeth = made_teeth(plan.made)
    members = []
    for number, (name, given) in enumerate(zip(("pinion", "wheel"), plan.given, strict=True)):
        member = (teeth.pinion, teeth.wheel)[number]
        if given.points_file:
            bottom = teeth.sections[number].moved(-teeth.middles[number]).bottom
            with keyed(f"{name}.points_file"):
                member = given.measured(member, bottom).moved(teeth.middles[number])
        if given.pitch_deviations:
            turns = np.array(given.pitch_deviations) / float(member.mean_place[1])
            member = replace(member, pitch_deviations=turns)
        members.append(member)
    return replace(teeth, pinion=members[0], wheel=members[1])


def _designed(design: PairDesign) -> PairTeeth:
    pair, blanks = (
        designed_pair(design, PROFILE_POINTS, LENGTHWISE_POINTS),
        pair_blanks(design.data),
    )
    mounting = Mounting(design.mounting.shaft_angle, design.mounting.offset)
    sections = blanks.pinion.section(), blanks.wheel.section()
    pressure_angle = 0.5 * sum(blanks.pressure_angles)
    made = _of_blanks(
        pair.pinion, pair.gear, mounting, sections, (blanks.pinion, blanks.wheel), pressure_angle
    )
    return replace(made, pair_blanks=blanks)


def _of_blanks(
    pinion: BevelMember,
    wheel: BevelMember,
    mounting: Mounting,
    sections: tuple[AxialSection, AxialSection],
    blanks: tuple[Blank, Blank],
    pressure_angle: float,
) -> PairTeeth:
    first, second = blanks
    return PairTeeth(
        pinion,
        wheel,
        mounting,
        sections,
        (
            _normal_tooth(first, second, second, pressure_angle),
            _normal_tooth(second, first, second, pressure_angle),
        ),
        -first.apex_beyond,
        EFFECTIVE_FACE * second.face_width,
        blanks=blanks,
    )


def _normal_tooth(blank: Blank, mate: Blank, wheel: Blank, pressure_angle: float) -> NormalTooth:
    """At the middle of the face, of the wheel's mean normal module."""
    module = wheel.mean_diameter * math.cos(wheel.spiral_angle) / wheel.teeth
    depth = 0.5 * (blank.mean_addendum + mate.mean_addendum)
    shift = (blank.mean_addendum - depth) / module
    teeth = blank.teeth / (math.cos(blank.pitch_angle) * math.cos(blank.spiral_angle) ** 3)
    thickness = module * (0.5 * math.pi + 2 * shift * math.tan(pressure_angle))
    gear = Gear(
        max(round(teeth), blank.teeth),
        module,
        pressure_angle,
        shift,
        addendum=depth / module,
        dedendum=blank.mean_dedendum / module + shift,
        fillet_radius=FILLET,
        thickness_deviation=blank.thickness - thickness,
    )
    return NormalTooth(gear, blank.face_width / math.cos(blank.spiral_angle))


def _cut(plan: CutPair) -> PairTeeth:
    sections = plan.pinion.section, plan.wheel.section
    pinion, wheel = plan.made_pinion(), plan.wheel.made()
    angle = 0.5 * sum(cut.blade.angle for cut in plan.wheel.cuts or ())

    def teeth(wheel: BevelMember) -> PairTeeth:
        blanks = plan.pinion.blank(pinion), plan.wheel.blank(wheel)
        return _of_blanks(pinion, wheel, plan.mounting, sections, blanks, angle)

    try:
        room = teeth(wheel).backlash() * float(plan.wheel.mean_place[1])
    except NoContact as reason:
        raise SpecError(f"As cut and mounted, {reason}") from None
    missing = plan.transverse_backlash - room
    if missing >= wheel.thickness:
        raise SpecError(
            f"A backlash of {plan.transverse_backlash * 1e3:.4g} mm is more than the wheel's "
            f"teeth are thick, {wheel.thickness * 1e3:.4g} mm; use less backlash."
        )
    # its convex flanks rest, which run with the pinion's concave ones: those stay as cut
    return teeth(wheel.with_thickness(wheel.thickness - missing, resting=CONVEX))


def _involute(plan: InvolutePair) -> PairTeeth:
    """Where nominal teeth have no backlash, or at the distance that is given."""
    stretch = 0.0
    if plan.centre_distance is None and not plan.tight:
        nominal = replace(plan, pinion=plan.pinion.nominal, wheel=plan.wheel.nominal)
        stretch = _without_backlash(nominal)
    return _stretched(plan, stretch)


def _stretched(plan: InvolutePair, stretch: float) -> PairTeeth:
    gears, (mounting, middles) = (plan.pinion, plan.wheel), plan.placed(stretch)
    pinion, wheel = (
        gear.made(PROFILE_POINTS, LENGTHWISE_POINTS).moved(middle)
        for gear, middle in zip(gears, middles, strict=True)
    )
    if plan.wheel.hand == plan.pinion.hand:  # flanks that run together have different names
        wheel = wheel.renamed
    first, second = (
        gear.section.moved(middle) for gear, middle in zip(gears, middles, strict=True)
    )
    return PairTeeth(
        pinion,
        wheel,
        mounting,
        (first, second),
        (_involute_tooth(plan.pinion), _involute_tooth(plan.wheel)),
        None,
        min(gear.face_width for gear in gears),
        middles,
    )


def _involute_tooth(gear: InvoluteGear) -> NormalTooth:
    return NormalTooth(gear.normal_gear, gear.face_width / math.cos(gear.gear.helix_angle))


def _without_backlash(plan: InvolutePair) -> float:
    """κ by secants."""
    stretches = [0.0, STRETCH]
    try:
        plays = [_stretched(plan, stretch).backlash() for stretch in stretches]
        for _ in range(STRETCHES):
            if abs(plays[-1]) < NO_PLAY * 2 * math.pi / plan.wheel.gear.teeth:
                return stretches[-1]
            slope = (plays[-1] - plays[-2]) / (stretches[-1] - stretches[-2])
            stretches.append(stretches[-1] - plays[-1] / slope)
            plays.append(_stretched(plan, stretches[-1]).backlash())
    except NoContact as reason:
        raise SpecError(f"Where these gears would have no backlash, {reason}") from None
    raise SpecError(
        "No distance of these gears leaves their teeth without backlash; use less profile shift, "
        "taper or difference of helix angles."
    )


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
