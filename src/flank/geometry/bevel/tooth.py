"""A member of a bevel or hypoid pair: one tooth as arrays of points, and how often it is repeated.

The frame of a member has its z axis along the member's axis, from the crossing point of both axes
(of a pair without offset the pitch apex, of a hypoid the foot of the common perpendicular) towards
the heel. Grids run from root (v = -1) to tip (v = 1) in their first index and from toe (u = -1) to
heel (u = 1) in their second; normals point out of the tooth. Tooth 0 has its concave flank where
the machine cut it; its convex flank is turned by whole pitches until both bound one tooth. Tooth k
is turned about z by 2π k/z, in the sense of right-handed rotations, and by its pitch deviation.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from flank.arrays import Floats
from flank.errors import SpecError
from flank.geometry.bevel.blade import INSIDE, OUTSIDE
from flank.geometry.bevel.cutting import Cut, CutFlank, FlankGrid, cut_flank, places_of
from flank.geometry.bevel.section import AxialSection
from flank.geometry.rotations import about_z
from flank.geometry.spline_surface import BY_U, BY_V, POINT, SplineSurface
from flank.texts import mm

CONCAVE, CONVEX = "concave", "convex"

FEWEST_ROWS = 5
"""Points across or along a flank below which a surface of third degree is guesswork."""

ROUND_OFF = 1e-9
"""In rad: fillets that meet in the middle of a space do not cross."""

PROFILE_POINTS, LENGTHWISE_POINTS, FILLET_POINTS = 25, 35, 9


def turned(vectors: Floats, angle: float) -> Floats:
    """About the z axis."""
    return np.asarray(vectors @ about_z(angle).T)


@dataclass(frozen=True)
class ToothSide:
    """A flank from root to tip, and its fillet from the flank's root end to the bottom."""

    flank: FlankGrid
    fillet: FlankGrid

    def turned(self, angle: float) -> "ToothSide":
        grids = (
            FlankGrid(turned(grid.points, angle), turned(grid.normals, angle))
            for grid in (self.flank, self.fillet)
        )
        return ToothSide(*grids)

    def moved(self, along: float) -> "ToothSide":
        """By a way along the z axis."""
        step = np.array([0.0, 0.0, along])
        grids = (FlankGrid(grid.points + step, grid.normals) for grid in (self.flank, self.fillet))
        return ToothSide(*grids)

    @property
    def tip_line(self) -> Floats:
        """(lengthwise, 3)."""
        return np.asarray(self.flank.points[-1])

    @property
    def bottom_line(self) -> Floats:
        return np.asarray(self.fillet.points[-1])

    @cached_property
    def _spline(self) -> SplineSurface:
        """z, radius and azimuth over v and u."""
        points = self.flank.points
        azimuth = np.unwrap(np.unwrap(azimuths(points), axis=0), axis=1)
        return SplineSurface(np.concatenate([places_of(points), azimuth[..., None]], axis=-1))

    def azimuth(self, place: Floats) -> float:
        """Of the flank at (z, radius), which should lie on it."""
        u, v = 0.0, 0.0
        for _ in range(20):
            at = self._spline.at(u, v)
            slopes = at[[BY_U, BY_V], :2].T
            step = np.linalg.solve(slopes, at[POINT, :2] - place)
            u, v = (float(x) for x in np.clip([u - step[0], v - step[1]], -1, 1))
        return float(self._spline.at(u, v)[POINT, 2])


def azimuths(points: Floats) -> Floats:
    return np.arctan2(points[..., 1], points[..., 0])


@dataclass(frozen=True)
class BevelMember:
    """One gear: tooth 0, the number of teeth, the hand of its spiral, and deviations of its
    pitches as angles (teeth,), of which a positive one turns the tooth on about z."""

    teeth: int
    hand: int
    concave: ToothSide
    convex: ToothSide
    mean_place: Floats  # (z, radius) at which thickness is measured
    pitch_deviations: Floats = field(default_factory=lambda: np.zeros(0))
    measured: tuple[tuple[ToothSide, ToothSide], ...] = ()
    """Where every tooth has flanks of its own: concave and convex, turned back to tooth 0."""

    @property
    def pitch_angle(self) -> float:
        return 2 * math.pi / self.teeth

    def side(self, name: str, tooth: int = 0) -> ToothSide:
        """Of a tooth, turned back to where tooth 0 is."""
        if self.measured:
            return self.measured[tooth % self.teeth][name == CONVEX]
        return self.concave if name == CONCAVE else self.convex

    def tooth_angle(self, tooth: int) -> float:
        """By which tooth 0 is turned to become another."""
        deviation = self.pitch_deviations[tooth % self.teeth] if len(self.pitch_deviations) else 0.0
        return self.pitch_angle * tooth + float(deviation)

    def mean_flank(self, name: str) -> Floats:
        """Points of a flank in the mean over all teeth, pitches left out."""
        if not self.measured:
            return self.side(name).flank.points
        teeth = [self.side(name, tooth).flank.points for tooth in range(self.teeth)]
        return np.asarray(np.mean(teeth, axis=0))

    def flanks_that_differ(self, name: str) -> tuple[Floats, ...]:
        """Points of the flanks of all teeth, turned back by whole pitches; none if alike."""
        if not self.measured and not np.any(self.pitch_deviations):
            return ()
        off = self.pitch_deviations if len(self.pitch_deviations) else np.zeros(self.teeth)
        return tuple(
            turned(self.side(name, tooth).flank.points, float(off[tooth]))
            for tooth in range(self.teeth)
        )

    @cached_property
    def outward(self) -> int:
        """Sense about z in which the concave flank looks."""
        return _outward(self.concave)

    @cached_property
    def thickness_angle(self) -> float:
        """Of a tooth about the axis, at the mean place."""
        concave, convex = (s.azimuth(self.mean_place) for s in (self.concave, self.convex))
        return self.outward * _principal(concave - convex)

    @property
    def thickness(self) -> float:
        """Transverse, along the circle at the mean place."""
        return float(self.mean_place[1]) * self.thickness_angle

    def moved(self, along: float) -> "BevelMember":
        """By a way along its axis."""
        return replace(
            self,
            concave=self.concave.moved(along),
            convex=self.convex.moved(along),
            mean_place=self.mean_place + np.array([along, 0.0]),
            measured=tuple((a.moved(along), b.moved(along)) for a, b in self.measured),
        )

    @property
    def renamed(self) -> "BevelMember":
        """With its flanks called the other way round."""
        measured = tuple((second, first) for first, second in self.measured)
        return replace(self, concave=self.convex, convex=self.concave, measured=measured)

    def with_thickness(self, thickness: float, resting: str | None = None) -> "BevelMember":
        """With teeth as thick at the mean place: both flanks are turned alike, or only that
        opposite to the `resting` one."""
        turn = self.outward * (thickness / float(self.mean_place[1]) - self.thickness_angle)
        share = {None: 0.5, CONCAVE: 0.0, CONVEX: 1.0}[resting]
        turns = share * turn, (share - 1) * turn
        concave, convex = (
            side.turned(angle)
            for side, angle in zip((self.concave, self.convex), turns, strict=True)
        )
        measured = tuple((a.turned(turns[0]), b.turned(turns[1])) for a, b in self.measured)
        result = replace(self, concave=concave, convex=convex, measured=measured)
        check_spaces(result)
        return result


def _outward(concave: ToothSide) -> int:
    middle = tuple(n // 2 for n in concave.flank.points.shape[:2])
    point, normal = concave.flank.points[middle], concave.flank.normals[middle]
    return 1 if point[0] * normal[1] > point[1] * normal[0] else -1


def _principal(angle: float) -> float:
    return math.remainder(angle, 2 * math.pi)


def assemble_tooth(
    teeth: int, hand: int, concave: ToothSide, convex: ToothSide, mean_place: Floats
) -> BevelMember:
    """Both flanks on one tooth; SpecError where its spaces have no room."""
    pitch, outward = 2 * math.pi / teeth, _outward(concave)
    apart = outward * (concave.azimuth(mean_place) - convex.azimuth(mean_place))
    convex = convex.turned(outward * pitch * math.floor(apart / pitch))
    member = BevelMember(teeth, hand, concave, convex, mean_place)
    check_spaces(member)
    return member


def check_spaces(member: BevelMember) -> None:
    """SpecError where the fillets of a space cross, or the flanks of a tooth below its tip."""
    bottom = member.outward * _difference(member.concave.bottom_line, member.convex.bottom_line)
    room = member.pitch_angle - bottom
    radius = np.hypot(*member.concave.bottom_line[:, :2].T)
    tightest = int(np.argmin(room * radius))
    if room[tightest] < -ROUND_OFF:
        end, missing = _end(tightest, len(room)), -room[tightest] * radius[tightest]
        if room[tightest] < -0.5 * member.pitch_angle:
            raise SpecError(
                f"The flanks of a space cross by {mm(missing, 3)} at the {end}, more than half a "
                "pitch: their cuts do not belong to one space; check cradle angles, which are "
                "positive for both hands, and point radii."
            )
        raise SpecError(
            f"The spaces of the {member.teeth} teeth are {mm(missing, 3)} too narrow at the {end} "
            "for the edge radii of both blades, so that no fillet is left; use smaller edge radii, "
            "a wider point width or less dedendum."
        )
    top = member.outward * _difference(member.concave.tip_line, member.convex.tip_line)
    if top.min() < 0:
        end = _end(int(np.argmin(top)), len(top))
        raise SpecError(
            f"The flanks of a tooth cross below its tip at the {end}: the teeth are pointed; use "
            "less addendum, a smaller pressure angle or thicker teeth."
        )


def _end(column: int, columns: int) -> str:
    return "toe" if column < columns / 2 else "heel"


def _difference(first: Floats, second: Floats) -> Floats:
    """Of azimuths, between -π and π."""
    return np.asarray(np.angle(np.exp(1j * (azimuths(first) - azimuths(second)))))


def cut_member(
    teeth: int,
    hand: int,
    cuts: Iterable[Cut],
    section: AxialSection,
    mean_place: Floats,
    rows: int = PROFILE_POINTS,
    columns: int = LENGTHWISE_POINTS,
    fillet_rows: int = FILLET_POINTS,
) -> BevelMember:
    """Of a member whose concave and convex flank are cut as told, in either order."""
    check_counts(rows, columns, fillet_rows)
    flanks = {cut.blade.side: cut_flank(cut, section, columns) for cut in cuts}
    if len(flanks) != 2:
        raise SpecError("A member needs two cuts, one by an outside and one by an inside blade.")
    # where one blade's edge radius ends higher, both flanks begin there
    highest = max((flank.section for flank in flanks.values()), key=lambda each: each.root_height)
    concave, convex = (
        _side(replace(flanks[side], section=highest), rows, columns, fillet_rows)
        for side in (OUTSIDE, INSIDE)
    )
    return assemble_tooth(teeth, hand, concave, convex, mean_place)


def check_counts(rows: int, columns: int, fillet_rows: int = FEWEST_ROWS) -> None:
    if min(rows, columns, fillet_rows) < FEWEST_ROWS:
        raise SpecError(
            f"A flank of {rows} by {columns} points, or a fillet of {fillet_rows} rows, cannot be "
            f"followed by a smooth surface; give at least {FEWEST_ROWS} each way."
        )


def _side(flank: CutFlank, rows: int, columns: int, fillet_rows: int) -> ToothSide:
    grid, parameters = flank.grid(rows, columns)
    return ToothSide(grid, flank.fillet(fillet_rows, parameters[0]))
