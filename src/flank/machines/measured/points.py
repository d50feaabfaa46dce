"""Points that a coordinate measuring machine took: read, laid onto the nominal outline, ordered.

Who measures lays a part down somehow and begins somewhere: by default points are therefore turned
and moved onto the nominal flank (`registration.py`), and what that took away is told. A
run-out or a turn against the holes goes with it; who measured in the frame of the part's bore
keeps the centre, or the whole frame.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from flank import units
from flank.arrays import Floats
from flank.errors import SpecError
from flank.geometry.cycloid import Cycloid
from flank.geometry.findings import OTHER_UNITS, Finding, Measure, error, note, warning
from flank.geometry.gear import Gear
from flank.geometry.tooth_outline import gear_outline
from flank.machines.measured.point_order import (
    around_by_angle,
    around_once,
    counter_clockwise,
    opened,
    way_along,
)
from flank.machines.measured.registration import (
    DistanceOf,
    Fit,
    Placement,
    best_fit,
    counted_waves,
    feet,
    from_cycloid,
    from_gear,
    start_of,
)
from flank.number_tables import NumberTable, read_number_table
from flank.texts import mm, um

PointsFit = Literal["angle and centre", "angle", "none"]

FREE: dict[str, tuple[bool, bool, bool]] = {
    "angle and centre": (True, True, True),
    "angle": (True, False, False),
    "none": (False, False, False),
}
"""What of angle, x and y is fitted."""

FEWEST = 8
SIZE_SHARE = 0.1
"""By how much points may be larger or smaller than the outline that they are laid onto."""

NEGLIGIBLE = 0.1e-6
"""m: shifts of points of which nothing is said."""

RUN_OUT = 25e-6
"""m: run-out of points that are kept in their frame, from which it is doubtful."""

SHARPEST = 0.5 * math.pi
"""Turn of the way from point to point, beyond which it runs back; a flank turns little."""

LONGER = 0.2
"""Share by which a way around in order may be longer than the outline."""


@dataclass(frozen=True)
class MeasuredFlank:
    """Points (n, 2) of one disc in its frame, counter-clockwise in order, how they were laid there
    and what they deviate; none where they cannot be those of the disc."""

    file: str
    points: Floats
    seen: Floats  # the same in the order of the file
    fit: Fit | None = None
    kind: str = "none"
    best: Fit | None = None  # where not all is free
    waves: int | None = None  # lobes or teeth that points have, where they lie far off
    size: float | None = None  # how far from their centre they lie, where that is another size

    def deviations(self) -> tuple[Floats, Floats]:
        """Angles in rad of points on flanks, rising from 0, and how far they stand out in m."""
        assert self.fit is not None
        found = self.fit.distances
        angle = np.arctan2(self.seen[found.rows, 1], self.seen[found.rows, 0]) % (2 * math.pi)
        order = np.argsort(angle, kind="stable")
        return np.asarray(angle[order]), np.asarray(found.distance[order])


@dataclass(frozen=True)
class Target:
    """What points are laid onto: distances from it, its size, lobes or teeth and their pitch."""

    distance_of: DistanceOf
    radius: float
    waves: int
    wave_words: str
    on_crest: bool
    scale: float  # that deviations are small against: a pin's radius, a module
    in_order: Callable[[Floats], Floats]

    @property
    def pitch(self) -> float:
        return 2 * math.pi / self.waves


def of_cycloid(nominal: Cycloid) -> Target:
    """A generated flank, a valley of which lies on +x; points are sorted along it."""
    return Target(
        from_cycloid(nominal),
        nominal.generating_radius - nominal.offset,
        nominal.lobes,
        "lobes",
        False,
        nominal.pin_radius,
        lambda points: around_once(points, feet(points, nominal)[0]),
    )


def of_gear(gear: Gear) -> Target:
    """An external gear, a tooth of which lies on +x."""
    way = float(np.sum(np.hypot(*np.diff(gear_outline(gear), axis=1))))

    def in_order(points: Floats) -> Floats:
        points = opened(points)
        if way_along(points) > (1 + LONGER) * way:
            return around_by_angle(points)
        return counter_clockwise(points)

    radius, module = gear.reference_radius, gear.normal_module
    return Target(from_gear(gear), radius, gear.teeth, "teeth", True, module, in_order)


def read_outline(file: str, unit: str | None) -> Floats:
    """Points (n, 2) of a file in m, in its order; ValueError with one sentence."""
    table = read_number_table(file)
    points = np.column_stack([table.values(k, "m", unit or "") for k in _places(table)])
    points = opened(points)
    if len(points) < FEWEST:
        raise ValueError(
            f"{table.shown} has {len(points)} points; a closed profile needs at least {FEWEST}"
        )
    same = np.flatnonzero(np.all(points == np.roll(points, 1, axis=0), axis=1))
    if len(same):
        raise ValueError(
            f"{table.shown}, line {table.lines[same[0]]} has the same point twice in a row; take "
            "one of them out"
        )
    return points


def _places(table: NumberTable) -> tuple[int, int]:
    """The columns x and y: by their headings, or the only two."""
    if table.columns and (table.place("x") is not None or table.place("y") is not None):
        return table.needed("x", "x [mm]"), table.needed("y", "y [mm]")
    if table.numbers.shape[1] != 2:
        raise ValueError(
            f"{table.shown} has {table.numbers.shape[1]} columns and no headings that tell x from "
            "y; write a line 'x [mm]; y [mm]; ...' above the numbers"
        )
    return 0, 1


def laid(file: str, points: Floats, target: Target, kind: str) -> MeasuredFlank:
    """Points laid onto the nominal outline; as they are where they cannot be of it."""
    centred = kind != "angle and centre"
    start = start_of(points, target.waves, target.on_crest, centred)
    size = float(np.median(np.hypot(*(points - [start.x, start.y]).T)))
    if abs(size / target.radius - 1) > SIZE_SHARE:
        seen = Placement(0.0, start.x, start.y).in_outline(points)
        return MeasuredFlank(file, around_by_angle(seen), seen, kind=kind, size=size)
    start = Placement() if kind == "none" else start
    fit = _least_turn(best_fit(points, target.distance_of, start, FREE[kind]), points, target)
    seen = fit.placement.in_outline(points)
    if _far(fit, target):
        waves = counted_waves(points, 3 * target.waves)
        return MeasuredFlank(file, around_by_angle(seen), seen, kind=kind, waves=waves)
    best = None
    if centred:
        free = start_of(points, target.waves, target.on_crest)
        best = best_fit(points, target.distance_of, free, FREE["angle and centre"])
    return MeasuredFlank(file, target.in_order(seen), seen, fit, kind, best)


def _far(fit: Fit, target: Target) -> bool:
    found = fit.distances
    if len(found.rows) < FEWEST:
        return True
    return bool(np.abs(found.distance).max() > SIZE_SHARE * target.scale)


def _least_turn(fit: Fit, points: Floats, target: Target) -> Fit:
    """The same by the turn of at most half a pitch, where the outline lies on itself."""
    angle, x, y = fit.placement
    near = angle - target.pitch * round(angle / target.pitch)
    if near == angle:
        return fit
    placement = Placement(near, x, y)
    return replace(
        fit, placement=placement, distances=target.distance_of(placement.in_outline(points))
    )


def unlike(flank: MeasuredFlank, target: Target, words: str) -> Iterator[Finding]:
    """That points are those of another disc, by their size or by their lobes or teeth."""
    if flank.size is not None and not _in_other_unit(flank.size / target.radius):
        yield error(
            "far-from-nominal",
            (flank.size, target.radius, "m"),
            f"{words}the points lie {mm(flank.size, 4)} from their centre, the nominal flank "
            f"{mm(target.radius, 4)}",
            "give the points of this disc about its centre",
        )
    if flank.waves not in (None, target.waves):
        assert flank.waves is not None
        yield error(
            "far-from-nominal",
            (flank.waves, target.waves, ""),
            f"{words}the points have {flank.waves} {target.wave_words}, the nominal flank has "
            f"{target.waves}",
            "give the points of this disc",
        )


def _in_other_unit(share: float) -> bool:
    return any(abs(share / per_metre - 1) < SIZE_SHARE for per_metre in OTHER_UNITS.values())


def explained(doubt: Finding, flank: MeasuredFlank, words: str) -> Finding:
    """A doubt about points as it is told, with what a spec can do about it."""
    message, remedy = doubt.message, doubt.remedy
    if doubt.code == "points-in-other-units":
        unit = doubt.message.rpartition(" ")[2]
        remedy = f"set points_unit to '{unit}', or write the unit into the headings as 'x [{unit}]'"
    elif doubt.code == "points-out-of-order":
        remedy = "give points of the whole flank, once around the disc's centre"
    elif doubt.code == "far-from-nominal" and flank.kind == "none":
        remedy += ", or set points_fit to 'angle and centre'"
    elif doubt.code == "far-from-nominal":
        message += ", laid onto it as well as they can be"
        remedy = "give the points of this disc"
    return replace(doubt, message=f"{words}{message}", remedy=remedy)


def sharp(flank: MeasuredFlank, words: str) -> Iterator[Finding]:
    """Where points run back over each other by their noise, as those measured twice do."""
    ways = (np.roll(flank.points, -1, axis=0) - flank.points) @ [1, 1j]
    turn = np.abs(np.angle(np.roll(ways, -1) / np.where(ways == 0, 1.0, ways)))
    worst = int(np.argmax(turn))
    if turn[worst] > SHARPEST:
        yield error(
            "points-turn-back",
            (float(turn[worst]), SHARPEST, "rad"),
            f"{words}behind point {worst + 1} of {len(turn)}, counted counter-clockwise, the "
            "profile folds: points run back over each other",
            "take out what was measured twice, or thin and smooth the points where noise is as "
            "large as their steps",
        )


def fit_findings(flank: MeasuredFlank, words: str) -> Iterator[Finding]:
    """What laying took away, or what is kept: of the points of `words`."""
    if flank.fit is None:
        return
    turn, off = flank.fit.placement.angle, flank.fit.placement.offset
    left = f"rms {um(flank.fit.rms, 3)}, largest {um(flank.fit.largest, 3)}"
    radius = float(np.hypot(*flank.points.T).mean())
    if abs(turn) * radius > NEGLIGIBLE or off > NEGLIGIBLE:
        moved = f" and moved by {far(off)}" if flank.kind == "angle and centre" else ""
        keeping = "'none' keeps the frame of the file"
        if flank.kind == "angle and centre":
            keeping = "'angle' keeps their centre, with the run-out, 'none' their whole frame"
        yield note(
            "points-fitted",
            (off, 0.0, "m"),
            f"{words} are turned by {math.degrees(turn):.5g} deg{moved} onto the nominal flank; "
            f"left are {left}",
            f"points_fit {keeping}",
        )
    if flank.best is not None and flank.best.placement.offset > NEGLIGIBLE:
        run_out = flank.best.placement.offset
        measure: Measure = (run_out, RUN_OUT, "m")
        message = f"the centre of {words} is {far(run_out)} off and kept as run-out; left are "
        message += left
        remedy = "set points_fit to 'angle and centre' where it is but the frame of the file"
        told = warning if run_out > RUN_OUT else note
        yield told("points-off-centre", measure, message, remedy)


def far(length: float) -> str:
    """In um, or in mm from one mm on."""
    return um(length, 3) if length < 1e-3 else mm(length, 4)


def unit_problem(given: str | None) -> str:
    """The sentence about a unit of points that is none of length, '' without one."""
    if given is None:
        return ""
    try:
        units.parse(f"1 {given}", "m")
    except ValueError as error:
        return str(error)
    return ""


def read_measured(file: str, unit: str | None) -> Floats:
    """Points of a file of a spec; SpecError where it cannot be read."""
    try:
        return read_outline(file, unit)
    except ValueError as error:
        raise SpecError(f"discs.points_file: {error}") from None
