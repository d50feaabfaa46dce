"""Loops and transmission errors as a test rig measured them, laid over the computed ones.

A measured curve is shifted by one offset of its angle, the mean of what lies between it and the
computed one, which makes the sum of the squares of the residual least; nothing else is fitted.
The residual is taken at every measured point, measured less computed, the computed curve being
straight between its points.

A loop is the last closed cycle of a file: from a peak of the torque down to the other one and up
again, or up and down. It is cut where the torque changes its sign into the four branches between
zero and the peaks, which are laid over the branches of the same name. Stiffness, lost motion and
backlash are then read off it by the definitions of `analyses/loop.py`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from flank.analyses.loop import LOST_MOTION_SHARE, Loop
from flank.analyses.quantities import LESS, MORE, Declarations, Declared, Values
from flank.arrays import Flags, Floats, Integers
from flank.errors import SpecError
from flank.number_tables import NumberTable, read_number_table
from flank.texts import counted, listed

FEWEST = 20
"""Points of a measured curve."""

PROMINENCE = 0.25
"""Of the torque's whole range: what it must go back for a peak to be one, and no noise."""

BRANCHES = {
    1: "unloading from positive torque",
    2: "loading to negative torque",
    3: "unloading from negative torque",
    4: "loading to positive torque",
}
"""Stages of a loop that are laid over one another; the first, from where it began, is not."""

OTHER_PEAK = 0.02
"""Share by which the peak of a measured loop may differ from the computed one's."""

LAID: Declarations = {
    "measured_offset": Declared("Measured angle, taken off to lay it over", "rad", "arcmin"),
    "residual_rms": Declared("Residual, measured less computed, rms", "rad", "arcsec"),
    "residual_largest": Declared("Residual, largest", "rad", "arcsec"),
    "residual": Declared("Measured less computed", "rad", "arcsec", "measured_point"),
}

LOOP_DECLARED: Declarations = {
    "measured_torsional_stiffness": Declared(
        "Measured torsional stiffness", "N*m/rad", "N*m/arcmin", better=MORE
    ),
    "measured_lost_motion": Declared("Measured lost motion", "rad", "arcmin", better=LESS),
    "measured_backlash": Declared("Measured backlash", "rad", "arcmin", better=LESS),
    **LAID,
    "measured_torque": Declared("Measured torque", "N*m", over="measured_point"),
    "measured_angle": Declared("Measured angle, laid over", "rad", "arcmin", "measured_point"),
    "measured_stage": Declared("Stage of a measured point, 1 to 4", over="measured_point"),
    "branch_rms": Declared("Residual, rms", "rad", "arcsec", "branch"),
    "branch_mean": Declared("Mean", "rad", "arcsec", "branch"),
    "branch_largest": Declared("Largest", "rad", "arcsec", "branch"),
    "branch_points": Declared("Points", over="branch"),
}
LOOP_COORDINATES: Declarations = {"branch": Declared("Branch", over="branch")}
LOOP_TABLES = {
    "Measured less computed": (
        "branch",
        "branch_points",
        "branch_rms",
        "branch_mean",
        "branch_largest",
    )
}

ERROR_DECLARED: Declarations = {
    "measured_peak_to_peak": Declared(
        "Measured transmission error, peak to peak", "rad", "arcsec", better=LESS
    ),
    **LAID,
    "measured_input_angle": Declared("Measured input angle", "rad", "deg", "measured_point"),
    "measured_error": Declared(
        "Measured transmission error, laid over", "rad", "arcsec", "measured_point"
    ),
}

TORQUE_NAMES = ("torque", "output torque", "moment", "m", "t")
ANGLE_NAMES = ("angle", "output angle", "twist", "output twist", "phi")
INPUT_NAMES = ("input angle", "input", "crank angle", "motor angle", "input angle measured")
OUTPUT_NAMES = ("output angle", "output")
ERROR_NAMES = ("error", "transmission error", "te", "rotational transmission error")


class MeasuredLoop(NamedTuple):
    """One closed cycle: falling branches first, then the rising ones."""

    torque: Floats
    angle: Floats
    stage: Integers

    @property
    def peak(self) -> float:
        """What it reaches on both sides."""
        return float(min(self.torque.max(), -self.torque.min()))


class MeasuredError(NamedTuple):
    """Over angles of the input."""

    angle: Floats
    error: Floats


def read_loop(file: str) -> MeasuredLoop:
    """The last closed cycle of a file; SpecError with one sentence where there is none."""
    try:
        table = read_number_table(file)
        torque = table.values(_column(table, TORQUE_NAMES, "torque [N*m]"), "N*m")
        angle = table.values(_column(table, ANGLE_NAMES, "angle [arcmin]"), "rad")
        return _closed_cycle(table, torque, angle)
    except ValueError as error:
        raise SpecError(f"measured: {error}") from None


def _column(table: NumberTable, names: tuple[str, ...], example: str) -> int:
    """The place of a column with its unit."""
    if not table.columns:
        raise ValueError(
            f"{table.shown} has no headings; write a line such as '{example}' with a heading and "
            "a unit for every column above the numbers"
        )
    place = table.needed(names, example)
    if not table.columns[place].unit:
        raise ValueError(
            f"{table.shown}: '{table.columns[place].heading}' has no unit; write it in the "
            f"heading, as in '{example}'"
        )
    return place


def _closed_cycle(table: NumberTable, torque: Floats, angle: Floats) -> MeasuredLoop:
    _check_count(table, len(torque))
    low, high = float(torque.min()), float(torque.max())
    if low >= 0 or high <= 0:
        raise ValueError(
            f"{table.shown}: its torque goes from {low:.4g} to {high:.4g} N*m; a loop needs both "
            "signs, for example 0, +T, 0, -T, 0, +T"
        )
    if np.corrcoef(torque, angle)[0, 1] < 0:
        raise ValueError(
            f"{table.shown}: the angle falls where the torque rises; change the sign of one of them"
        )
    peaks = turning_points(torque, PROMINENCE * (high - low))
    if len(peaks) < 3:
        raise ValueError(
            f"{table.shown} has no closed cycle of the torque; give it from a peak to the opposite "
            "one and back, for example 0, +T, 0, -T, 0, +T"
        )
    first, middle, last = peaks[-3:]
    parts = [np.arange(first, middle + 1), np.arange(middle, last + 1)]
    falling, rising = parts if torque[first] > torque[middle] else parts[::-1]
    pieces = [*_cut(torque, angle, falling, 1), *_cut(torque, angle, rising, 3)]
    return MeasuredLoop(*(np.concatenate(each) for each in zip(*pieces, strict=True)))


def turning_points(values: Floats, least: float) -> list[int]:
    """Where values turn, ends included, with ways of at least `least` between; the last of equals,
    so that a hold at a peak belongs to the way there."""
    places, direction, high, low = [0], 0, 0, 0
    for k in range(1, len(values)):
        high = k if values[k] >= values[high] else high
        low = k if values[k] <= values[low] else low
        if direction >= 0 and values[high] - values[k] >= least:
            places += [high] * (high > 0)
            direction, low = -1, k
        elif direction <= 0 and values[k] - values[low] >= least:
            places += [low] * (low > 0)
            direction, high = 1, k
    return [*places, high if direction > 0 else low]


def _cut(
    torque: Floats, angle: Floats, rows: Integers, stage: int
) -> list[tuple[Floats, Floats, Integers]]:
    """A way from peak to peak as two stages, with a point of its own where the torque is zero."""
    way = rows[np.argsort(torque[rows], kind="stable")]
    way = way[::-1] if torque[rows[0]] > torque[rows[-1]] else way
    sign = 1.0 if torque[way[0]] > 0 else -1.0
    before = way[sign * torque[way] > 0]
    after = way[sign * torque[way] <= 0]
    order = np.argsort(torque[way], kind="stable")
    at_zero = float(np.interp(0.0, torque[way][order], angle[way][order]))
    first = np.append(torque[before], 0.0), np.append(angle[before], at_zero)
    exact = sign * torque[after] < 0
    return [
        (*first, np.full(len(before) + 1, stage)),
        (torque[after][exact], angle[after][exact], np.full(int(exact.sum()), stage + 1)),
    ]


def loop_values(measured: MeasuredLoop, computed: Loop) -> tuple[Values, list[str]]:
    """The measured loop laid over a computed one, its own figures, and what is doubtful."""
    peak = float(np.abs(computed.torque).max())
    inside: Flags = np.abs(measured.torque) <= peak * (1 + 1e-9)
    between = np.full(len(measured.torque), math.nan)
    for stage in BRANCHES:
        rows = inside & (measured.stage == stage)
        between[rows] = measured.angle[rows] - np.interp(
            measured.torque[rows], *computed.branch(stage)
        )
    offset = float(np.nanmean(between))
    residual = between - offset
    values = _laid(offset, residual) | {
        "measured_torque": measured.torque,
        "measured_angle": measured.angle - offset,
        "measured_stage": measured.stage,
    }
    values |= _by_branch(measured, residual) | _own_figures(measured, computed)
    warnings = []
    if np.abs(measured.torque).max() > peak * (1 + OTHER_PEAK):
        warnings.append(
            f"{int((~inside).sum())} measured points lie beyond the computed peak of {peak:.4g} "
            "N*m and are compared with nothing."
        )
    if abs(measured.peak / peak - 1) > OTHER_PEAK:
        warnings.append(
            f"The measured loop reaches {measured.peak:.4g} N*m on both sides and the computed one "
            f"{peak:.4g} N*m: what friction and clearance leave depends on it; set torque to the "
            "measured peak."
        )
    return values, warnings


def _laid(offset: float, residual: Floats) -> Values:
    known = residual[~np.isnan(residual)]
    largest = float(known[np.argmax(np.abs(known))])
    return {
        "measured_offset": offset,
        "residual_rms": float(np.sqrt(np.mean(known**2))),
        "residual_largest": largest,
        "residual": residual,
    }


def _by_branch(measured: MeasuredLoop, residual: Floats) -> Values:
    stages = [stage for stage in BRANCHES if np.any(~np.isnan(residual[measured.stage == stage]))]
    each = [residual[measured.stage == stage] for stage in stages]
    each = [part[~np.isnan(part)] for part in each]
    return {
        "branch": np.array([BRANCHES[stage] for stage in stages], dtype=str),
        "branch_points": [len(part) for part in each],
        "branch_rms": [float(np.sqrt(np.mean(part**2))) for part in each],
        "branch_mean": [float(np.mean(part)) for part in each],
        "branch_largest": [float(part[np.argmax(np.abs(part))]) for part in each],
    }


def _own_figures(measured: MeasuredLoop, computed: Loop) -> Values:
    """By the definitions of the computed loop, as far as the measured one reaches."""
    rated = computed.rated_torque
    loop = replace(
        computed,
        torque=measured.torque,
        angle=measured.angle,
        stage=measured.stage,
        fit_to=min(computed.fit_to, measured.peak / rated),
    )
    values: Values = {"measured_backlash": loop.backlash()}
    if loop.fit is not None:
        values["measured_torsional_stiffness"] = loop.stiffness()
    if measured.peak >= LOST_MOTION_SHARE * rated:
        values["measured_lost_motion"] = loop.lost_motion()
    return values


def read_error(file: str, ratio: float) -> MeasuredError:
    """A transmission error over angles of the input; SpecError where a file does not tell one.

    It has the angle of the input or of the output, and the error; or both angles, whose difference
    at the ratio is the error.
    """
    try:
        table = read_number_table(file)
        place = {
            name: table.place(names)
            for name, names in (
                ("input", INPUT_NAMES),
                ("output", OUTPUT_NAMES),
                ("error", ERROR_NAMES),
            )
        }
        angles = {name: _angles(table, at) for name, at in place.items() if at is not None}
        if "error" in angles and "input" in angles:
            found = MeasuredError(angles["input"], angles["error"])
        elif "error" in angles and "output" in angles:
            found = MeasuredError((angles["output"] - angles["error"]) * ratio, angles["error"])
        elif "input" in angles and "output" in angles:
            found = MeasuredError(angles["input"], angles["output"] - angles["input"] / ratio)
        else:
            known = listed([column.heading for column in table.columns]) or "no headings"
            raise ValueError(
                f"{table.shown} does not tell a transmission error over an angle: it has {known}; "
                "head its columns as 'input angle [deg]' or 'output angle [deg]', and "
                "'error [arcsec]'"
            )
        _check_count(table, len(found.error))
    except ValueError as error:
        raise SpecError(f"measured: {error}") from None
    order = np.argsort(found.angle, kind="stable")
    return MeasuredError(found.angle[order], found.error[order])


def _angles(table: NumberTable, place: int) -> Floats:
    _column(table, (table.columns[place].name.casefold(),), "error [arcsec]")
    return table.values(place, "rad")


def _check_count(table: NumberTable, count: int) -> None:
    if count < FEWEST:
        raise ValueError(
            f"{table.shown} has {counted(count, 'point')}; a curve to be compared needs at least "
            f"{FEWEST}"
        )


def inside_of(measured: MeasuredError, first: float, last: float) -> MeasuredError:
    """What lies within the range that is computed; SpecError where too little does."""
    size = 1e-9 * max(abs(first), abs(last), 1.0)
    rows = (measured.angle >= first - size) & (measured.angle <= last + size)
    if rows.sum() < FEWEST:
        raise SpecError(
            f"measured: {int(rows.sum())} of its points lie within the input angles that are "
            f"computed, {math.degrees(first):.6g} to {math.degrees(last):.6g} deg; they go from "
            f"{math.degrees(measured.angle[0]):.6g} to {math.degrees(measured.angle[-1]):.6g} deg: "
            "shift them by measured_shift, or set start_angle and turns"
        )
    return MeasuredError(measured.angle[rows], measured.error[rows])


def error_values(measured: MeasuredError, angles: Floats, error: Floats) -> Values:
    """The measured transmission error laid over a computed one."""
    within = inside_of(measured, float(angles[0]), float(angles[-1]))
    between = within.error - np.interp(within.angle, angles, error)
    offset = float(np.mean(between))
    return _laid(offset, between - offset) | {
        "measured_peak_to_peak": float(np.ptp(within.error)),
        "measured_input_angle": within.angle,
        "measured_error": within.error - offset,
    }
