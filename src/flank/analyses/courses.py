"""Courses over time as people give them, and as motion that a model can follow.

A course is a value, points [[time, value], ...] with straight lines between them, a column of a
file {file: run.csv, column: torque}, or one of some functions

    rise   {function: rise, from: , to: , begin: , duration: }   (1 - cos)/2 between two values
    ramp   {function: ramp, from: , to: , begin: , duration: }   a straight line between them
    sine   {function: sine, mean: , amplitude: , frequency: , begin: , duration: }

which become points as well, of a wave 128 to its half.

What is prescribed as a place or an angle must not change its speed at once: points of such a course
are met by parabolas. Between two points, h apart, the rate is linear to a knot in the middle and
linear again (Schumaker 1983),

    ẏ_m = 2 (y_1 - y_0)/h - (ẏ_0 + ẏ_1)/2,

with the rates ẏ at the points from the parabola through three of them, zero where the course turns
and never more than twice the smaller slope beside it: so ẏ_m has their sign, and nothing
overshoots. Before the first point and after the last it rests, so the rates there are zero; but
where a run begins or ends amid three points or more, they are those of a parabola again.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from flank import units
from flank.arrays import Floats
from flank.dynamics.functions import Function, constant, speeds
from flank.errors import suggestion
from flank.machines.quantities import Quantity
from flank.texts import echo, listed
from flank.time_series import TIME, read_time_series

WAVE = 128
"""Points of a half wave."""

MOST_WAVES = 500

FILE_KEYS = ("file", "column", "time")
EDGE = ("from", "to", "begin", "duration")
FUNCTIONS = {
    "rise": EDGE,
    "ramp": EDGE,
    "sine": ("mean", "amplitude", "frequency", "begin", "duration"),
}
"""Their keys, all needed but 'begin', which is zero, and 'from' and 'mean', which are zero too."""

OPTIONAL = ("begin", "from", "mean")

Pairs = list[tuple[float, float]]


def described_points(given: Mapping[str, Any], measure: Quantity) -> Pairs:
    """Points in SI of a file or a function; ValueError with one sentence about what is wrong."""
    if "file" in given:
        _check_keys(given, FILE_KEYS, ("column", "time"))
        texts = {name: str(given.get(name) or "") for name in FILE_KEYS}
        series = read_time_series(
            texts["file"], measure.si_unit, texts["column"], texts["time"] or TIME
        )
        values = [measure.parse(value) for value in series.values.tolist()]
        return list(zip(series.time.tolist(), values, strict=True))
    name = str(given.get("function", ""))
    if name not in FUNCTIONS:
        raise ValueError(
            f"'{echo(name)}' is no function{suggestion(name, FUNCTIONS)} Give 'file', or "
            f"'function' as one of {listed(FUNCTIONS)}"
        )
    _check_keys(given, ("function", *FUNCTIONS[name]), OPTIONAL)
    return _wave(given, measure) if name == "sine" else _edge(given, measure, name == "rise")


def _check_keys(given: Mapping[str, Any], known: Sequence[str], optional: Sequence[str]) -> None:
    for name in given:
        if name not in known:
            raise ValueError(f"'{echo(name)}' is unknown here; the keys are {listed(known)}")
    if missing := [name for name in known if name not in given and name not in optional]:
        raise ValueError(f"'{missing[0]}' is missing; the keys are {listed(known)}")


def _edge(given: Mapping[str, Any], measure: Quantity, smooth: bool) -> Pairs:
    first, last = (measure.parse(given.get(name, 0.0)) for name in ("from", "to"))
    begin, duration = _times(given)
    share = np.linspace(0.0, 1.0, WAVE + 1 if smooth else 2)
    height = 0.5 - 0.5 * np.cos(math.pi * share) if smooth else share
    return _pairs(begin + duration * share, first + (last - first) * height)


def _wave(given: Mapping[str, Any], measure: Quantity) -> Pairs:
    mean, amplitude = (measure.parse(given.get(name, 0.0)) for name in ("mean", "amplitude"))
    begin, duration = _times(given)
    frequency = units.parse(given["frequency"], "1/s")
    waves = frequency * duration
    if not 0 < waves <= MOST_WAVES:
        raise ValueError(f"{waves:.4g} waves are given; more than none, {MOST_WAVES} at most")
    share = np.linspace(0.0, 1.0, math.ceil(2 * WAVE * waves) + 1)
    phase = 2 * math.pi * waves * share
    return _pairs(begin + duration * share, mean + amplitude * np.sin(phase))


def _times(given: Mapping[str, Any]) -> tuple[float, float]:
    begin, duration = units.parse(given.get("begin", 0.0), "s"), units.parse(given["duration"], "s")
    if begin < 0 or duration <= 0:
        raise ValueError("begin must not be negative, and duration must be more than zero")
    return begin, duration


def _pairs(times: Floats, values: Floats) -> Pairs:
    return list(zip(times.tolist(), values.tolist(), strict=True))


class Rates(NamedTuple):
    """A course that changes smoothly: its rate is linear between knots, zero outside; `value` at
    each knot is where it has come to."""

    time: Floats
    rate: Floats
    value: Floats

    def at(self, time: float) -> float:
        """The value at a time."""
        place = int(np.searchsorted(self.time, time, side="right")) - 1
        if place < 0 or place >= len(self.time) - 1:
            return float(self.value[0 if place < 0 else -1])
        past = time - self.time[place]
        return float(self.value[place] + 0.5 * past * (self.rate[place] + self._rate_at(time)))

    def _rate_at(self, time: float) -> float:
        return float(np.interp(time, self.time, self.rate, left=0.0, right=0.0))

    def between(self, first: float, last: float) -> Function:
        """From one time to another, time counted from the first."""
        inside = self.time[(self.time > first) & (self.time < last)]
        times = np.concatenate(([first], inside, [last]))
        rates = [self._rate_at(time) for time in times]
        if not any(rates):
            return constant(self.at(first))
        return speeds(_pairs(times - first, np.array(rates)), self.at(first))


def smooth_motion(points: Sequence[tuple[float, float]], duration: float) -> Rates:
    """Parabolas through points in rising time, for a run from time zero that takes so long."""
    time, value = (np.array(column) for column in zip(*points, strict=True))
    if len(time) == 1:
        return Rates(time, np.zeros(1), value)
    steps = np.diff(time)
    slopes = np.diff(value) / steps
    rates = np.zeros(len(time))
    inside = (steps[1:] * slopes[:-1] + steps[:-1] * slopes[1:]) / (steps[1:] + steps[:-1])
    rates[1:-1] = _limited(inside, slopes[:-1], slopes[1:])
    if len(time) > 2:
        begin = slopes[0] + (slopes[0] - rates[1])
        end = slopes[-1] + (slopes[-1] - rates[-2])
        rates[0] = _limited(begin, slopes[:1], slopes[:1])[0] if time[0] <= 0 else 0.0
        rates[-1] = _limited(end, slopes[-1:], slopes[-1:])[0] if time[-1] >= duration else 0.0
    middle = 2 * slopes - 0.5 * (rates[:-1] + rates[1:])
    knots = np.empty(2 * len(time) - 1)
    knots[::2], knots[1::2] = time, 0.5 * (time[1:] + time[:-1])
    at_knots = np.empty_like(knots)
    at_knots[::2], at_knots[1::2] = rates, middle
    return _travelled(knots, at_knots, float(value[0]))


def _limited(rates: Floats | float, before: Floats, after: Floats) -> Floats:
    """No more than twice the smaller slope on either side, and none where they or it differ in
    sign."""
    least = 2 * np.minimum(np.abs(before), np.abs(after))
    turns = (before * after <= 0) | (rates * before <= 0)
    return np.asarray(np.where(turns, 0.0, np.clip(rates, -least, least)))


def turning(points: Sequence[tuple[float, float]], start: float = 0.0) -> Rates:
    """The angle that speeds with straight lines between (time, speed) points lead to."""
    time, speed = (np.array(column) for column in zip(*points, strict=True))
    return _travelled(time, speed, start)


def _travelled(time: Floats, rate: Floats, start: float) -> Rates:
    steps = 0.5 * (rate[1:] + rate[:-1]) * np.diff(time)
    return Rates(time, rate, start + np.concatenate(([0.0], np.cumsum(steps))))
