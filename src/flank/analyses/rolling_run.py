"""Rolling run: gears of finite elements under any torque, at any speed, over time.

Speed of the input and torque of the output are points in time with straight lines between them, of
the torque also jumps. A torque that changes its sign takes the teeth through their backlash to
their other flanks (`dynamics.rolling`).

Steps are of equal angle. The speed is that of a mesh period, so it changes from one to the next;
the torque is that in the middle of every step. What the inertia behind the mesh takes while the
speed changes adds to it. A mesh period is one of the input: that teeth are ahead or behind by what
shafts twist counts in the error and not in where they touch.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, NamedTuple

import numpy as np

from flank.analyses.orders import tooth_order
from flank.analyses.quantities import LESS, Declared, Quantities, Values
from flank.analyses.result import Ending, Result, make_result
from flank.analyses.rolled_pair import (
    STALLED,
    RolledSettings,
    line_load,
    pair_of,
    pressed,
    rolled_warnings,
)
from flank.analyses.settings import (
    SpeedCurve,
    TorqueCurve,
    TorquePoint,
    curve_problems,
    torques_at,
    value_after,
)
from flank.analyses.warnings import Timed, uncovered_course_warnings
from flank.arrays import Floats
from flank.dynamics.rolling import READ
from flank.dynamics.rolling_mesh import RollingPair
from flank.dynamics.run import Progress
from flank.errors import SpecError
from flank.machines.base import Reducer, Rolling
from flank.machines.quantities import PositiveTime, WholeNumber
from flank.machines.spec import key

QUANTITIES = Quantities(
    "rolling-run",
    {
        "largest_force": Declared("Largest mesh force on the flanks that drive", "N", better=LESS),
        "largest_other_force": Declared("Largest mesh force on the other flanks", "N"),
        "contact_loss": Declared("Share of time without contact", "", "percent"),
        "other_flank_share": Declared("Share of time on the other flanks", "", "percent"),
        "loss_count": Declared("Contact losses"),
        "flank_changes": Declared("Times that teeth come from one flank to the other"),
        "input_speed": Declared("Speed of the input", "rad/s", "rpm", "time"),
        "torque": Declared("Torque of the output", "N*m", over="time"),
        "mesh_error": Declared("Transmission error of the mesh", "m", "um", "time"),
        "output_error": Declared("Transmission error of the output", "rad", "arcsec", "time"),
        "mesh_force": Declared("Mesh force, less than zero on other flanks", "N", over="time"),
    },
    {"time": Declared("Time", "s", "ms", "time")},
    curves=(("time", "mesh_error"),),
)

MOST_STEPS = 1e10
"""Hours."""

CYCLES = 200
"""Mesh periods that are rolled at a time."""


class RollingRunSettings(RolledSettings):
    """Speed and torque over time."""

    duration: PositiveTime = key("how long", "0.5 s", default=0.1)
    speed: SpeedCurve = key(
        "speed of the input, constant, as [time, speed] points, a file or a function; the "
        "operating point's if absent",
        "[[0 s, 900 rpm], [0.5 s, 1200 rpm]]",
        default=(),
    )
    torque: TorqueCurve = key(
        "torque of the output, constant, a file, a function or [time, torque] points of which two "
        "at one time are a jump; the operating point's if absent",
        "[[0 s, 150 N*m], [0.1 s, 150 N*m], [0.2 s, -50 N*m]]",
        default=(),
    )
    kept: Annotated[int, WholeNumber(minimum=10, maximum=1_000_000)] = key(
        "points in time that are kept, about", default=4000
    )

    def cross_checks(self) -> list[str]:
        problems = list(curve_problems("torque", self.torque or _NOTHING))
        times = [point.time for point in self.speed]
        if any(a >= b for a, b in pairwise(times)):
            problems.append("speed: its times must rise; a speed cannot jump")
        if any(point.speed <= 0 for point in self.speed):
            problems.append("speed: gears roll in one direction only; give speeds above zero")
        return problems


_NOTHING = (TorquePoint(time=0.0, torque=0.0),)

DEFAULTS = RollingRunSettings()


class History(NamedTuple):
    """Mesh periods: when each begins, how long it lasts, and what it has in the mean."""

    begin: Floats
    period: Floats
    speed: Floats
    acceleration: Floats  # rad/s²


def run(
    machine: Reducer, settings: RollingRunSettings = DEFAULTS, progress: Progress | None = None
) -> Result:
    """Transmission error and mesh force over time."""
    assert isinstance(machine, Rolling)
    torques = settings.torque or (TorquePoint(time=0.0, torque=machine.load_torque),)
    history = _history(machine, settings)
    pair = pair_of(machine, settings, float(history.speed.min()))
    rolled = Rolled(machine, settings, pair, history, torques)
    total, parts = len(history.period), []
    for part in rolled.parts():
        parts.append(part)
        if progress is not None:
            progress(min(CYCLES * len(parts) / total, 1.0))
    complete = CYCLES * len(parts) >= total
    values = _values(parts, rolled) if parts else {}
    steps = sum(len(part.time) for part in parts)
    largest = max((point.torque for point in torques), key=abs)
    force = max((float(np.abs(pair.net_force(part.rows)).max()) for part in parts), default=0.0)
    deepest = max((pressed(pair, part.rows[:, 0]) for part in parts), default=0.0)
    warnings = rolled_warnings(machine, largest, force, deepest)
    files: dict[str, Sequence[Timed]] = {"speed": settings.speed, "torque": settings.torque}
    warnings += uncovered_course_warnings(files, settings.duration)
    ending = Ending("Completed." if complete else STALLED, complete, {"steps": steps})
    return make_result(QUANTITIES, machine, settings, ending, values, warnings)


def _history(machine: Reducer, settings: RollingRunSettings) -> History:
    """Mesh periods of the whole run, the last of which is begun before it ends."""
    points = [(point.time, point.speed) for point in settings.speed] or [(0.0, machine.input_speed)]
    if points[0][1] <= 0:
        raise SpecError("speed: the operating point's input stands still; give a speed above zero")
    marks, speeds = (np.array(column) for column in zip(*points, strict=True))
    marks, speeds = _extended(marks, speeds, settings.duration)
    turned = np.append(0.0, np.cumsum(0.5 * (speeds[1:] + speeds[:-1]) * np.diff(marks)))
    pitch = 2 * math.pi / tooth_order(machine)
    count = math.ceil(turned[-1] / pitch)
    steps = count * settings.fewest_steps
    if steps > MOST_STEPS:
        longest = settings.duration * MOST_STEPS / steps
        raise SpecError(
            f"duration: the run would take {steps:.2g} steps; use at most {longest:.3g} s"
        )
    edges = _times_of(pitch * np.arange(count + 1), marks, speeds, turned)
    at = np.interp(edges, marks, speeds)
    period = np.diff(edges)
    return History(edges[:-1], period, pitch / period, np.diff(at) / period)


def _extended(marks: Floats, speeds: Floats, duration: float) -> tuple[Floats, Floats]:
    """Constant before the first point and after the last."""
    last = float(np.interp(duration, marks, speeds))
    inside = (marks > 0) & (marks < duration)
    first = float(np.interp(0.0, marks, speeds))
    times = np.concatenate(([0.0], marks[inside], [duration]))
    return times, np.concatenate(([first], speeds[inside], [last]))


def _times_of(angles: Floats, marks: Floats, speeds: Floats, turned: Floats) -> Floats:
    """When the input has turned so far: t = 2 θ/(Ω + √(Ω² + 2 α θ)) after each point, which is no
    0/0 at a constant speed; past the end it turns on as it does there."""
    k = np.clip(np.searchsorted(turned, angles, side="right") - 1, 0, len(marks) - 2)
    slope = (speeds[k + 1] - speeds[k]) / (marks[k + 1] - marks[k])
    slope = np.where(angles > turned[-1], 0.0, slope)
    begin = np.where(angles > turned[-1], turned[-1], turned[k])
    speed = np.where(angles > turned[-1], speeds[-1], speeds[k])
    start = np.where(angles > turned[-1], marks[-1], marks[k])
    left = angles - begin
    return np.asarray(start + 2 * left / (speed + np.sqrt(speed**2 + 2 * slope * left)))


class Part(NamedTuple):
    """Some mesh periods, by step."""

    time: Floats
    speed: Floats
    torque: Floats
    rows: Floats  # (step, column) of a record


@dataclass(frozen=True, eq=False)
class Rolled:
    """A pair that is rolled some mesh periods at a time."""

    machine: Reducer
    settings: RollingRunSettings
    pair: RollingPair
    history: History
    torques: tuple[TorquePoint, ...]

    @property
    def stride(self) -> int:
        steps = len(self.history.period) * self.pair.places
        return max(round(steps / self.settings.kept), 1)

    def parts(self) -> Iterator[Part]:
        """As far as it comes."""
        history, places = self.history, self.pair.places
        first = line_load(
            self.machine, value_after(self.torques, 0.0), float(history.acceleration[0])
        )
        state = self.pair.at_rest(float(first))
        for begin in range(0, len(history.period), CYCLES):
            some = slice(begin, begin + CYCLES)
            periods = history.period[some]
            middles = history.begin[some, None] + np.outer(
                periods, (np.arange(places) + 0.5) / places
            )
            torque = torques_at(self.torques, middles)
            loads = line_load(self.machine, torque, history.acceleration[some, None])
            record = self.pair.rolled(periods, np.asarray(loads), state, len(periods))
            if record is None:
                return
            time = middles + 0.5 * periods[:, None] / places
            speed = np.broadcast_to(history.speed[some, None], time.shape)
            rows = record.reshape(-1, record.shape[2])
            yield Part(time.ravel(), speed.ravel(), torque.ravel(), rows)


def _values(parts: list[Part], rolled: Rolled) -> Values:
    """Figures of all steps, and curves of some."""
    forces = np.concatenate([rolled.pair.net_force(part.rows) for part in parts])
    touching = np.concatenate([part.rows[:, READ:].any(axis=1) for part in parts])
    flank = np.sign(forces)
    carried = flank[flank != 0]
    some = slice(rolled.stride - 1, None, rolled.stride)

    def curve(column: int) -> Floats:
        return np.concatenate([part.rows[:, column] for part in parts])[some]

    return {
        "largest_force": max(float(forces.max()), 0.0),
        "largest_other_force": max(float(-forces.min()), 0.0),
        "contact_loss": float(np.mean(~touching)),
        "other_flank_share": float(np.mean(flank < 0)),
        "loss_count": int(np.sum(touching[:-1] & ~touching[1:])),
        "flank_changes": int(np.sum(carried[1:] != carried[:-1])),
        "input_speed": np.concatenate([part.speed for part in parts])[some],
        "torque": np.concatenate([part.torque for part in parts])[some],
        "mesh_error": curve(0),
        "output_error": math.copysign(1.0, rolled.machine.ratio) * curve(2),
        "mesh_force": forces[some],
        "time": np.concatenate([part.time for part in parts])[some],
    }
