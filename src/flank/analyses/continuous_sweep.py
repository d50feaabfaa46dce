"""A sweep in which the speed changes steadily, looked at window by window.

From the speed Ω_0 to Ω_1 the angle of the input is θ = Ω_0 t + α t²/2. A window is a number of mesh
periods, so windows are equal angles, and both directions have the same. In each, steps are equal;
their number in a mesh period grows towards low speeds, where the natural frequencies have more
swings in it. Before and after the windows the acceleration rises from zero and falls to it smoothly
for some mesh periods, α (1 - cos πt/τ)/2, so that elastic shafts do not ring. Integrator and
contacts remember from window to window what they did in the one before, as nothing happens there
but that steps become a little longer or shorter.
"""

import math
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from flank.analyses.natural_frequencies import modes_of
from flank.analyses.orders import tooth_order
from flank.analyses.runs import (
    MotionState,
    assemble_locked,
    ideal_velocity,
    linearize_at,
    loaded_equilibrium,
    partial_progress,
)
from flank.analyses.sweep_reading import HIGHEST_ORDER, Reading, read_periods, strongest_factor
from flank.arrays import Floats
from flank.dynamics.functions import constant, speeds
from flank.dynamics.run import ContinuedRun, Progress, settings_for, solve_statics
from flank.dynamics.trajectory import AnyTrajectory
from flank.errors import SpecError
from flank.machines.base import Assembly, Drive, Reducer

LEAD_POINTS = 32
"""Of speeds between which the acceleration is constant while it rises or falls."""

RECORDS = 48
"""Of a mesh period, at least: a contact that is lost for a fiftieth of it is seen."""

STEPS_PER_SWING = 16
"""Of the highest natural frequency that teeth excite."""

FEWEST_STEPS = 96
"""In a mesh period: a pair of teeth comes into mesh within a few of them."""

WINDOWS = 150
"""In one direction, where nobody says how long a sweep takes."""

FEWEST_WINDOWS = 8

MOST_STEPS = 1e9
"""Of a sweep: hours for the smallest machine."""


@dataclass(frozen=True)
class Excited:
    """How many steps in a mesh period a machine needs: its teeth excite natural frequencies."""

    machine: Reducer
    highest: float  # Hz, natural frequency
    given: int | None  # steps, if somebody says

    @classmethod
    def of(cls, machine: Reducer, torque: float, speed: float, given: int | None) -> "Excited":
        """By the modes of the loaded machine that harmonics of the mesh reach at a speed."""
        reached = excited_frequencies(machine, torque, speed, input_free=True)
        return cls(machine, float(reached.max(initial=0.0)), given)

    def records(self, speed: float) -> tuple[int, int]:
        """Records in a mesh period at a speed, and steps from one to the next."""
        steps = self.given or self.needed(speed)
        stride = max(steps // RECORDS, 1)
        return math.ceil(steps / stride), stride

    def steps(self, speed: float) -> int:
        """In a mesh period at a speed."""
        return math.prod(self.records(speed))

    def needed(self, speed: float) -> int:
        """In a mesh period at a speed, where nobody says."""
        swings = self.highest / mesh_frequency(self.machine, speed)
        return max(FEWEST_STEPS, math.ceil(STEPS_PER_SWING * swings))

    def refuse_too_few(self, speed: float) -> None:
        """SpecError where the steps that are given do not resolve a swing at the lowest speed."""
        swings = self.highest / mesh_frequency(self.machine, speed)
        least = math.ceil(STEPS_PER_SWING * swings)
        if self.given is not None and self.given < least:
            raise SpecError(
                f"steps_per_period is {self.given}; at the lowest speed a mesh period holds "
                f"{swings:.3g} swings of the natural frequency of {self.highest:.4g} Hz, which "
                f"need at least {least} steps; leave it out to have as many as are needed"
            )


def excited_frequencies(machine: Reducer, torque: float, speed: float, input_free: bool) -> Floats:
    """Natural frequencies in Hz of the loaded machine that harmonics of the mesh reach at a speed;
    none where no equilibrium is found."""
    assembly = assemble_locked(machine, 0.0)
    path = solve_statics(assembly.model, machine.ideal_pose(0.0), np.array([torque]))
    if not path.complete:
        return np.zeros(0)
    frequencies = modes_of(assembly, linearize_at(assembly, path, 0), input_free).frequencies
    return np.asarray(frequencies[frequencies <= HIGHEST_ORDER * mesh_frequency(machine, speed)])


def mesh_frequency(machine: Reducer, speed: float) -> float:
    """Of the teeth that pass, in Hz."""
    return tooth_order(machine) * speed / (2 * math.pi)


def count_windows(
    duration: float, window: float, periods: int, steps: int, most_steps: float
) -> int:
    """Windows that last so long at the mean speed, of so many mesh periods and steps; SpecError
    where they are too few for a sweep, or too many to wait for."""
    windows = round(duration / window)
    if windows < FEWEST_WINDOWS:
        raise SpecError(
            f"duration is {duration:.4g} s, in which {windows} times {periods} mesh periods "
            f"pass; use at least {FEWEST_WINDOWS * window:.3g} s, or fewer periods"
        )
    if windows * steps > most_steps:
        longest = window * most_steps / steps
        raise SpecError(
            f"duration: the sweep would take {windows * steps:.2g} steps; use at most "
            f"{longest:.3g} s"
        )
    return windows


@dataclass(frozen=True)
class SteadySweep:
    """The windows of one direction, and of the settling before it at its first speed."""

    machine: Reducer
    torque: float
    first: float  # rad/s
    last: float
    windows: int
    periods: int  # mesh periods of a window
    settling: int  # mesh periods while the acceleration rises, and falls
    excited: Excited
    spectral_radius: float

    @classmethod
    def fitting(
        cls, machine: Reducer, torque: float, ends: tuple[float, float], duration: float | None,
        periods: int, settling: int, excited: Excited, spectral_radius: float,
    ) -> "SteadySweep":  # fmt: skip
        """The sweep of about that duration whose windows are whole; SpecError if it cannot be."""
        mean = 0.5 * sum(ends)
        window, steps = periods / mesh_frequency(machine, mean), periods * excited.steps(mean)
        windows = count_windows(duration or WINDOWS * window, window, periods, steps, MOST_STEPS)
        return cls(machine, torque, *ends, windows, periods, settling, excited, spectral_radius)

    @property
    def reversed(self) -> "SteadySweep":
        return replace(self, first=self.last, last=self.first)

    @property
    def _pitch(self) -> float:
        """Angle of the input in a mesh period."""
        return 2 * math.pi / tooth_order(self.machine)

    @cached_property
    def duration(self) -> float:
        """Of the sweep alone."""
        return 2 * self.windows * self.periods * self._pitch / (self.first + self.last)

    def _lead(self, speed: float) -> float:
        """Time in which the acceleration rises or falls at an end of the sweep."""
        return self.settling * self._pitch / speed

    @property
    def points(self) -> list[tuple[float, float]]:
        """Times and speeds of the sweep with what leads to it and away from it."""
        rate = (self.last - self.first) / self.duration
        share = np.linspace(0.0, 1.0, LEAD_POINTS + 1)
        gained = 0.5 * (share - np.sin(math.pi * share) / math.pi)  # of α τ
        before, after = self._lead(self.first), self._lead(self.last)
        start, end = before, before + self.duration
        into = self.first + rate * before * (gained - 0.5)
        out = self.last + rate * after * (0.5 - gained[::-1])
        return [
            *zip(before * share[:-1], into[:-1], strict=True),
            (start, self.first),
            (end, self.last),
            *zip(end + after * share[1:], out[1:], strict=True),
        ]

    @cached_property
    def edges(self) -> Floats:
        """Times at which windows begin and end: t = 2 θ/(Ω_0 + √(Ω_0² + 2 α θ)), which is no 0/0 at
        a constant speed."""
        angles = np.arange(self.windows + 1) * self.periods * self._pitch
        rate = (self.last - self.first) / self.duration
        roots = np.sqrt(self.first**2 + 2 * rate * angles)
        return np.asarray(self._lead(self.first) + 2 * angles / (self.first + roots))

    @property
    def speeds(self) -> Floats:
        """Mean speed of every window."""
        return np.asarray(self.periods * self._pitch / np.diff(self.edges))

    def run(
        self, state: MotionState, progress: Progress | None
    ) -> tuple[list[Reading | None], AnyTrajectory, MotionState]:
        """All windows one after the other; what follows the last stands for the run."""
        readings: list[Reading | None] = []
        counters: Counter[str] = Counter()
        motion = TurningMachine.begin(self.machine, self.torque, self.points, state)
        parts = [partial_progress(progress, k, self.windows + 2) for k in range(self.windows + 2)]
        last = self._advance(motion, self._lead(self.first), self.settling, self.first, parts[0])
        counters.update(last.counters)
        strongest = strongest_factor(self.machine, self.torque)
        for k, speed in enumerate(self.speeds if last.complete else ()):
            window = float(np.diff(self.edges)[k])
            last = self._advance(motion, window, self.periods, speed, parts[k + 1])
            counters.update(last.counters)
            if not last.complete:
                break
            angles = motion.angles(last.time)
            per_period, _ = self.excited.records(speed)
            reading = read_periods(self.machine, motion.assembly, last, angles, per_period)
            broken = reading.factor > strongest
            readings.append(None if broken else reading)
            if broken:
                motion = motion.at_rest(last.time[-1])
        if last.complete:
            last = self._advance(motion, self._lead(self.last), self.settling, self.last, parts[-1])
            counters.update(last.counters)
        end = MotionState(last.last, last.velocity[-1], *motion.turning(last.time[-1]))
        return readings, replace(last, counters=dict(counters)), end

    def _advance(
        self,
        motion: "TurningMachine",
        duration: float,
        periods: int,
        speed: float,
        progress: Progress | None,
    ) -> AnyTrajectory:
        per_period, stride = self.excited.records(speed)
        records = periods * per_period
        return motion.advance(duration, records, stride, self.spectral_radius, progress)


@dataclass(frozen=True)
class TurningMachine:
    """A machine on its way through speeds that are linear between points in time."""

    machine: Reducer
    torque: float
    points: list[tuple[float, float]]
    start: float  # angle of the input at the first point
    assembly: Assembly
    motion: ContinuedRun

    @classmethod
    def begin(
        cls, machine: Reducer, torque: float, points: list[tuple[float, float]], state: MotionState
    ) -> "TurningMachine":
        """From where it was left, its velocities brought to the first speed."""
        turned = speeds(points, state.angle)
        assembly = machine.assemble(Drive.of_ends(turned, constant(torque), in_time=True))
        velocity = state.at_speed(machine, points[0][1])
        begins = points[0][0]
        motion = ContinuedRun(assembly.model, state.pose, velocity, begin=begins)
        return cls(machine, torque, points, state.angle, assembly, motion)

    def advance(
        self,
        duration: float,
        records: int,
        stride: int,
        spectral_radius: float,
        progress: Progress | None = None,
    ) -> AnyTrajectory:
        """In equal steps, every so many-th of which is recorded."""
        model, step = self.assembly.model, duration / (records * stride)
        how = settings_for(model, step, spectral_radius)
        return self.motion.advance(duration, how, stride=stride, progress=progress)

    def angles(self, times: Floats) -> Floats:
        """Of the input."""
        marks, values = np.array(self.points).T
        travelled = np.concatenate(
            ([0.0], np.cumsum(0.5 * (values[1:] + values[:-1]) * np.diff(marks)))
        )
        speed = np.interp(times, marks, values)
        k = np.clip(np.searchsorted(marks, times, side="right") - 1, 0, len(marks) - 1)
        return np.asarray(
            self.start + travelled[k] + 0.5 * (values[k] + speed) * (times - marks[k])
        )

    def turning(self, time: float) -> tuple[float, float]:
        """Angle and speed of the input."""
        speed = float(np.interp(time, *np.array(self.points).T))
        return float(self.angles(np.array([time]))[0]), speed

    def at_rest(self, time: float) -> "TurningMachine":
        """The same going on from the loaded equilibrium, without vibration."""
        angle, speed = self.turning(time)
        equilibrium, _ = loaded_equilibrium(self.machine, angle, self.torque)
        pose = equilibrium.last if equilibrium.complete else self.machine.ideal_pose(angle)
        velocity = speed * ideal_velocity(self.machine, angle)
        motion = ContinuedRun(self.assembly.model, pose, velocity, begin=time)
        return replace(self, motion=motion)
