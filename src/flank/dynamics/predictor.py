"""Where a secant leads to the next equilibrium of a path, and the secant of bodies in space; why it
is looked for there stands in static_path.py, whose kernel goes along the paths of the plane."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flank.arrays import Flags, Floats
from flank.dynamics.poses import AnyModel, shift_between
from flank.dynamics.tables import RISE, RUN_UP, SPEEDS, TABLE
from flank.dynamics.trajectory import Pose

LONGEST = 2.0
"""Times the step before: further a secant is not trusted."""

AT_A_POINT = 1e-9
"""Of a step: a time that close to the point of a table is the point."""


class Equilibrium(NamedTuple):
    """One that was found: when, where, and the reactions of joints."""

    time: float
    pose: Pose
    multipliers: Floats


class Step(NamedTuple):
    """How bodies move besides what was guessed, and how reactions change."""

    shift: Floats
    multipliers: Floats


class Secant:
    """The last two equilibria of a path, as far as the next one follows from them."""

    def __init__(self, model: AnyModel, times: Floats) -> None:
        self._smooth = smooth_steps(times, bends(model, float(times[0]), float(times[-1])))
        self._last: Equilibrium | None = None
        self._rate: Step | None = None  # over a second

    def add(self, time: float, pose: Pose, multipliers: Floats, guessed: Floats) -> None:
        """The next equilibrium, and how bodies had been guessed to move up to it."""
        now, before = Equilibrium(time, pose, multipliers.copy()), self._last
        if before is not None and time != before.time:
            shift = shift_between(before.pose, now.pose) - guessed
            change = now.multipliers - before.multipliers
            self._rate = Step(shift / (time - before.time), change / (time - before.time))
        self._last = now

    def step(self, number: int, time: float) -> Step | None:
        """What is to be expected of the equilibrium of this number; None where nothing is."""
        if self._last is None or self._rate is None or not self._smooth[number]:
            return None
        after = time - self._last.time
        return Step(after * self._rate.shift, after * self._rate.multipliers)


def bends(model: AnyModel, first: float, last: float) -> Floats:
    """Times between two at which some function of the model is not smooth, and some more: functions
    of an angle count as if they were of time."""
    points: list[Floats] = [np.zeros(0)]
    for function in model.functions:
        if function["kind"] in (RISE, RUN_UP):
            points.append(np.array([0.0, function["duration"]]))
        if function["kind"] in (TABLE, SPEEDS):
            data = model.function_data[function["data_start"] :][: 2 * function["count"] : 2]
            period = function["duration"]
            begins = np.zeros(1)
            if period > 0.0:
                turns = np.floor((np.array([first, last]) - data[0]) / period)
                begins = period * np.arange(turns[0], turns[1] + 1)
            points.append((begins[:, None] + data).ravel())
    return np.unique(np.concatenate(points))


def smooth_steps(times: Floats, points: Floats) -> Flags:
    """Whether all is smooth from two times before each one up to it; not at the first two."""
    smooth = np.zeros(len(times), dtype=bool)
    for number in range(2, len(times)):
        first, middle, last = times[number - 2 : number + 1]
        margin = AT_A_POINT * min(middle - first, last - middle)
        inside = (points > first + margin) & (points < last - margin)
        near = last - middle <= LONGEST * (middle - first)
        smooth[number] = near and margin > 0.0 and not np.any(inside)
    return smooth
