"""Speed sweep: a machine under load at rising and falling speeds, and where its teeth part.

In steps every speed starts from where the one before it ended: at each the machine settles for some
mesh periods and is looked at for some more. A continuous sweep (`continuous_sweep`) changes the
speed steadily and is looked at all the time. Either way the two directions differ where several
motions are possible, with jumps between them at resonances with contact loss (`two_states`).
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar, Literal

import numpy as np

from flank.analyses.continuous_sweep import (
    Excited,
    SteadySweep,
    excited_frequencies,
    mesh_frequency,
)
from flank.analyses.forces import mesh_names
from flank.analyses.orders import has_teeth, tooth_order
from flank.analyses.quantities import Values
from flank.analyses.result import Result, make_result
from flank.analyses.runs import MotionState, partial_progress
from flank.analyses.settings import LoadTorque, ModeSettings
from flank.analyses.sweep_reading import (
    POINTS_PER_PERIOD,
    QUANTITIES,
    Reading,
    known,
    overloaded_warnings,
    read_periods,
    settling_warnings,
    strongest_factor,
    sweep_values,
)
from flank.analyses.warnings import contact_warnings, load_warnings
from flank.arrays import Floats
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import Progress, settings_for, solve_dynamics, solve_statics
from flank.dynamics.trajectory import AnyTrajectory, joined
from flank.errors import SpecError
from flank.machines.base import Drive, Reducer
from flank.machines.quantities import Fraction, PositiveTime, Quantity, WholeNumber
from flank.machines.spec import key, optional

PositiveSpeed = Annotated[
    float,
    Quantity(
        "rad/s",
        "rpm",
        above=0.0,
        reason=", as no teeth pass where a sweep goes through zero speed",
        listed=False,
    ),
]
Periods = Annotated[int, WholeNumber(minimum=1, maximum=100_000)]

STEPS, PIN_STEPS = 96, 480
"""In a mesh period: pins pass more slowly than teeth and rub on their way."""


class SpeedSweepSettings(ModeSettings):
    """Which speeds, and how long at each."""

    mode: Literal["steps", "continuous"] = key(
        "speeds one after the other, or a speed that changes steadily", default="steps"
    )
    lowest: PositiveSpeed | None = optional(
        "lowest input speed; a quarter of the operating point's if absent", "200 rpm"
    )
    highest: PositiveSpeed | None = optional(
        "highest input speed; twice the operating point's if absent", "4000 rpm"
    )
    speeds: Annotated[int, WholeNumber(minimum=2, maximum=10_000)] = key(
        "the number of speeds in each direction", default=30
    )
    duration: PositiveTime | None = optional(
        "how long a continuous sweep takes in each direction; 150 times the periods that "
        "are looked at if absent",
        "25 s",
    )
    direction: Literal["both", "up", "down"] = key(
        "in which order the speeds are taken", default="both"
    )
    settling_periods: Periods = key(
        "mesh periods before a speed, or a continuous sweep, is looked at", default=60
    )
    periods: Periods = key("mesh periods that are looked at together", default=20)
    steps_per_period: Annotated[int, WholeNumber(minimum=16, maximum=100_000)] | None = optional(
        f"time steps in a mesh period; if absent {STEPS}, or {PIN_STEPS} in a sweep in steps where "
        "pins pass and the teeth of a first stage are springs, and more at low speeds, as natural "
        "frequencies need",
        STEPS,
    )
    torque: LoadTorque = None
    spectral_radius: Fraction = key("of generalized-alpha", default=0.8)

    ONLY: ClassVar[dict[str, tuple[str, ...]]] = {
        "steps": ("speeds",),
        "continuous": ("duration",),
    }

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        if self.lowest is not None and self.highest is not None and self.lowest >= self.highest:
            yield "lowest is not below highest; give a range of speeds"


DEFAULTS = SpeedSweepSettings()


def run(
    machine: Reducer,
    settings: SpeedSweepSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """Dynamic transmission error, mesh forces and contact loss over the speed, up and down."""
    torque = machine.load_torque if settings.torque is None else settings.torque
    ends = speed_range(machine, settings.lowest, settings.highest)
    excited = Excited.of(machine, torque, ends[1], settings.steps_per_period)
    excited.refuse_too_few(ends[0])
    continuous = settings.mode == "continuous"
    steady = _steady(machine, settings, torque, ends, excited) if continuous else None
    assembly = machine.assemble(Drive.of_ends(constant(0.0), constant(torque)))
    ideal = machine.ideal_pose(0.0)
    equilibrium = solve_statics(assembly.model, ideal, np.array([0.0]))
    state = MotionState(equilibrium.last if equilibrium.complete else ideal, None, 0.0, 0.0)
    speeds = np.linspace(*ends, settings.speeds)
    sweep = steady or SteppedSweep(machine, settings, torque, speeds, excited, state)
    sequences = {"up": sweep, "down": sweep.reversed}
    if settings.direction != "both":
        sequences = {settings.direction: sequences[settings.direction]}
    runs: list[AnyTrajectory] = [equilibrium]
    readings: dict[str, list[Reading | None]] = {}
    for number, (name, one) in enumerate(sequences.items() if equilibrium.complete else ()):
        report_progress = partial_progress(progress, number, len(sequences))
        readings[name], trajectory, state = one.run(state, report_progress)
        runs.append(trajectory)
        if not trajectory.complete:
            break
    joined_runs = joined(runs)
    values: Values = {}
    if known(readings):
        stepped = settings.mode == "steps"
        values = sweep_values(machine, readings, sweep.speeds, torque, settings.periods, stepped)
        values |= mesh_names(assembly) | _modes(machine, torque, ends[1])
    warnings = contact_warnings(assembly, joined_runs, static=False)
    warnings += load_warnings(machine, assembly, torque, equilibrium)
    if settings.mode == "steps":
        warnings += settling_warnings(readings)
    warnings += overloaded_warnings(readings)
    return make_result(QUANTITIES, machine, settings, joined_runs, values, warnings)


def _modes(machine: Reducer, torque: float, highest: float) -> Values:
    """Natural frequencies that the mesh reaches, and speeds at which it does by its first order."""
    found = np.sort(excited_frequencies(machine, torque, highest, input_free=False))
    found = found[found > 0]
    if not len(found):
        return {}
    return {
        "natural_frequency": found,
        "critical_speed": found / mesh_frequency(machine, 1.0),
        "mode": np.arange(1, len(found) + 1),
    }


def speed_range(
    machine: Reducer, lowest: float | None, highest: float | None
) -> tuple[float, float]:
    """Of a sweep, by the operating point where nothing is given; SpecError if it does not rise."""
    lowest = lowest or 0.25 * machine.input_speed
    highest = highest or 2.0 * machine.input_speed
    if not 0 < lowest < highest:
        raise SpecError(
            f"lowest is {lowest:.4g} rad/s and highest {highest:.4g} rad/s; give a rising range"
        )
    return lowest, highest


def _steady(
    machine: Reducer,
    settings: SpeedSweepSettings,
    torque: float,
    ends: tuple[float, float],
    excited: Excited,
) -> SteadySweep:
    """SpecError where its duration is too short or too long."""
    return SteadySweep.fitting(
        machine,
        torque,
        ends,
        settings.duration,
        settings.periods,
        settings.settling_periods,
        excited,
        settings.spectral_radius,
    )


@dataclass(frozen=True)
class SteppedSweep:
    """Speeds one after the other, each held until the machine has settled and was looked at."""

    machine: Reducer
    settings: SpeedSweepSettings
    torque: float
    speeds: Floats
    excited: Excited
    rest: MotionState  # from which it starts anew where teeth would break

    @property
    def reversed(self) -> "SteppedSweep":
        return replace(self, speeds=self.speeds[::-1])

    def run(
        self, state: MotionState, progress: Progress | None
    ) -> tuple[list[Reading | None], AnyTrajectory, MotionState]:
        """All speeds from a state on; the end of the last stands for the run."""
        machine, settings = self.machine, self.settings
        strongest = strongest_factor(machine, self.torque)
        fewest = STEPS if has_teeth(machine) else PIN_STEPS
        readings: list[Reading | None] = []
        counters = Counter[str]()
        for k, speed in enumerate(self.speeds):
            steps = settings.steps_per_period or max(fewest, self.excited.needed(speed))
            stride = max(steps // POINTS_PER_PERIOD, 1)
            per_period = math.ceil(steps / stride)
            turned = linear(speed, state.angle)
            assembly = machine.assemble(Drive.of_ends(turned, constant(self.torque), in_time=True))
            period = 2 * math.pi / (tooth_order(machine) * speed)
            duration = (settings.settling_periods + settings.periods) * period
            step = period / (stride * per_period)
            run = solve_dynamics(
                assembly.model,
                state.pose,
                duration,
                settings_for(assembly.model, step, settings.spectral_radius),
                state.at_speed(machine, speed),
                stride=stride,
                progress=partial_progress(progress, k, len(self.speeds)),
            )
            counters.update(run.counters)
            last = run.since(settings.settling_periods * per_period)
            if not run.complete:
                break
            reading = read_periods(
                machine, assembly, last, state.angle + speed * last.time, per_period
            )
            broken = reading.factor > strongest
            readings.append(None if broken else reading)
            angle = state.angle + speed * duration
            state = MotionState(run.last, run.velocity[-1], angle, float(speed))
            state = self.rest if broken else state
        return readings, replace(last, counters=dict(counters)), state
