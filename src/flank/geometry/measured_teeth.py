"""The flanks of an external gear from measured points of its outline.

A point at the radius r that belongs to the flank of a tooth has the roll length ρ = √(r² - r_b²),
and an involute turned about the gear's axis is the same one moved along its normals: the point
lacks r_b (ψ(r) - ϑ) of the nominal flank, ϑ its angle from the middle of the tooth and ψ(r) the
nominal one. So every point of a flank tells how much is removed at its roll length, whatever the
order of points; those of fillets, edges and tips tell nothing.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from flank.arrays import Flags, Floats, Integers
from flank.geometry.findings import OTHER_UNITS, Finding, error, warning
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.geometry.tooth_outline import gear_outline, half_outline
from flank.texts import mm, um

FEWEST_ON_FLANK = 6
"""Points of one flank below which its deviations are guesswork."""

WIDEST_STEP = 0.3
"""Of a flank's roll length, beyond which no point tells what lies between."""

SAMPLES = 33
"""Of a flank in the table of its deviations."""

LARGEST_DEVIATION = 0.05
"""Of the module; points farther off belong to other teeth."""

FOLD = math.radians(150)
"""Turn between two steps from which points run back."""

LARGEST_WAVE = 2e-7
"""m: waves of a flank below which nothing is said of them."""

SIDES = ("counter-clockwise", "clockwise")


class MeasuredFlanks(NamedTuple):
    """Material that flanks lack, in m by tooth, side (first the counter-clockwise one) and roll
    length, on a uniform grid."""

    start: float
    step: float
    removed: Floats


class _OnFlanks(NamedTuple):
    """Points that lie on flanks: number of tooth times two and side, roll length, removed."""

    flank: Integers
    roll: Floats
    removed: Floats


def measured_flanks(points: Floats, gear: Gear) -> MeasuredFlanks:
    """From points (n, 2) about the gear's centre, a tooth along x; see `check_measured_teeth`."""
    from scipy.interpolate import PchipInterpolator

    start, end = _flank_rolls(gear)
    grid, on_flanks = np.linspace(start, end, SAMPLES), _on_flanks(points, gear)
    removed = np.empty((gear.teeth, 2, SAMPLES))
    for flank, rows in _by_flank(on_flanks, gear):
        roll, first = np.unique(on_flanks.roll[rows], return_index=True)
        between = np.clip(grid, roll[0], roll[-1])  # constant beyond the last points
        values = PchipInterpolator(roll, on_flanks.removed[rows][first])
        removed[flank // 2, flank % 2] = values(between)
    return MeasuredFlanks(start, float(grid[1] - grid[0]), removed)


def check_measured_teeth(points: Floats, pair: GearPair) -> Iterator[Finding]:
    """Whether points can be the teeth of the pair's first gear that they are said to be."""
    gear = pair.first
    wrong = (
        [*_other_units(points, gear)]
        or [*_wrong_order(points, gear)]
        or [*_far(points, gear)]
        or [*_missing(points, gear)]
    )
    yield from wrong
    if not wrong:
        yield from _waves(measured_flanks(points, gear), pair)


def _flank_rolls(gear: Gear) -> tuple[float, float]:
    return half_outline(gear).form_roll, gear.edge_roll_length


def _on_flanks(points: Floats, gear: Gear) -> _OnFlanks:
    start, end = _flank_rolls(gear)
    radius, base = np.hypot(*points.T), gear.base_radius
    roll = np.sqrt(np.maximum(radius**2 - base**2, 0.0))
    inside: Flags = (roll >= start - 1e-9) & (roll <= end + 1e-9)
    place = np.arctan2(points[inside, 1], points[inside, 0]) / gear.pitch_angle
    tooth = np.round(place)
    angle, roll = gear.pitch_angle * (place - tooth), roll[inside]
    half = gear.base_half_angle - (roll / base - np.arctan(roll / base))
    number = tooth.astype(int) % gear.teeth
    return _OnFlanks(2 * number + (angle < 0), roll, base * (half - np.abs(angle)))


def _by_flank(on_flanks: _OnFlanks, gear: Gear) -> Iterator[tuple[int, Integers]]:
    order = np.argsort(on_flanks.flank, kind="stable")
    first = np.searchsorted(on_flanks.flank[order], np.arange(2 * gear.teeth + 1))
    for flank in range(2 * gear.teeth):
        yield flank, order[first[flank] : first[flank + 1]]


def _other_units(points: Floats, gear: Gear) -> Iterator[Finding]:
    size, expected = float(np.median(np.hypot(*points.T))), gear.reference_radius
    for unit, per_metre in OTHER_UNITS.items():
        if abs(size / (per_metre * expected) - 1) < 0.1:
            yield error(
                "points-in-other-units",
                (size, expected, "m"),
                f"the points lie {size:.4g} m from the centre, the teeth {mm(expected, 4)}: they "
                f"seem to be in {unit}",
                f"give x and y in m, every number divided by {per_metre:.4g}",
            )


def _wrong_order(points: Floats, gear: Gear) -> Iterator[Finding]:
    """Whether the points follow the outline once around, and never run back."""
    nominal = float(np.sum(np.hypot(*np.diff(gear_outline(gear), axis=1))))
    steps = np.roll(points, -1, axis=0) - points
    length = float(np.sum(np.hypot(*steps.T)))
    if abs(length / nominal - 1) > 0.2:
        yield error(
            "points-out-of-order",
            (length, nominal, "m"),
            f"the way along the points is {mm(length, 4)} long, the outline {mm(nominal, 4)}",
            "give the points in order, once around the gear",
        )
        return
    complex_steps = steps @ [1, 1j]
    turn = np.abs(np.angle(np.roll(complex_steps, -1) / complex_steps))
    back = int(np.argmax(turn))
    if turn[back] > FOLD:
        yield error(
            "points-turn-back",
            (float(turn[back]), FOLD, "rad"),
            f"at point {(back + 1) % len(points) + 1} of {len(points)}, counted counter-clockwise, "
            "the points run back and the profile folds",
            "give the points in order, or thin and smooth them where noise is as large as "
            "their steps",
        )


def _far(points: Floats, gear: Gear) -> Iterator[Finding]:
    farthest = float(np.max(np.abs(_on_flanks(points, gear).removed), initial=0.0))
    limit = LARGEST_DEVIATION * gear.normal_module
    if farthest > limit:
        yield error(
            "far-from-nominal",
            (farthest, limit, "m"),
            f"points of flanks lie up to {mm(farthest, 3)} from the nominal ones",
            "give x and y in m about the disc's centre, a tooth on the positive x axis",
        )


def _missing(points: Floats, gear: Gear) -> Iterator[Finding]:
    """Whether every flank has points enough, and all along."""
    (start, end), on_flanks = _flank_rolls(gear), _on_flanks(points, gear)
    for flank, rows in _by_flank(on_flanks, gear):
        name = (
            f"the {('counter-clockwise', 'clockwise')[flank % 2]} flank of tooth {flank // 2 + 1}"
        )
        if len(rows) < FEWEST_ON_FLANK:
            yield error(
                "few-points",
                (len(rows), FEWEST_ON_FLANK, ""),
                f"{name} has {len(rows)} points, too few to follow it",
                f"measure at least {FEWEST_ON_FLANK} points on every flank",
            )
            return
        steps = np.diff(np.sort(np.concatenate(([start, end], on_flanks.roll[rows]))))
        if steps.max() > WIDEST_STEP * (end - start):
            yield error(
                "points-missing",
                (float(steps.max()), WIDEST_STEP * (end - start), "m"),
                f"on {name} there is a gap of {mm(float(steps.max()), 3)} of roll length without "
                "points",
                "measure there again, or give evenly spaced points",
            )
            return


def _waves(flanks: MeasuredFlanks, pair: GearPair) -> Iterator[Finding]:
    """Whether flanks touch where their line of action has them.

    They do where deviations curve less than the flanks do against each other: by
    (ρ_1/r_b1)² (1/ρ_1 ± 1/ρ_2) over the roll length.
    """
    rolls: Floats = flanks.start + flanks.step * np.arange(1.0, SAMPLES - 1)
    second = pair.second_roll(rolls)
    relative = (rolls / pair.first.base_radius) ** 2 * np.abs(1 / rolls + pair.sign / second)
    bent = np.abs(np.diff(flanks.removed, 2, axis=2)) / flanks.step**2
    share = np.linspace(-1.0, 1.0, SAMPLES)
    basis = np.linalg.qr(np.vander(share, 4))[0]
    wave = float(np.max(np.abs(flanks.removed - flanks.removed @ basis @ basis.T)))
    if np.any(bent > relative) and wave > LARGEST_WAVE:
        yield warning(
            "flanks-wave",
            (wave, LARGEST_WAVE, "m"),
            f"measured flanks wave by {um(wave, 3)} more sharply than they are curved against the "
            "mate's: which point touches first is known to this only",
            "smooth the points, or measure with less noise",
        )
