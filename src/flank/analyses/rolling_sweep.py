"""Rolling sweep: gears of finite elements rolled through the speeds, up and down, in seconds.

What a continuous speed sweep asks, of gears whose contact is solved for at every step, between all
teeth in mesh and across the face (`dynamics.rolling`). The speed changes from one mesh period to
the next; windows of some periods are looked at, as in a speed sweep, whose quantities it has.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal

import numpy as np

from flank.analyses.orders import tooth_order
from flank.analyses.quantities import Quantities
from flank.analyses.result import Ending, Result, make_result
from flank.analyses.runs import partial_progress
from flank.analyses.settings import LoadTorque
from flank.analyses.speed_sweep import Periods, PositiveSpeed, speed_range
from flank.analyses.sweep_reading import QUANTITIES as OF_SWEEPS
from flank.analyses.sweep_reading import Reading, amplitudes, known, losses, sweep_values
from flank.arrays import Floats
from flank.dynamics.rolling import READ, RollingState
from flank.dynamics.rolling_mesh import RollingPair
from flank.dynamics.run import Progress
from flank.errors import SpecError
from flank.machines.base import Reducer, Rolling
from flank.machines.quantities import Fraction, PositiveTime, WholeNumber
from flank.machines.spec import Spec, key, optional

QUANTITIES = Quantities(
    "rolling-sweep", OF_SWEEPS.declared, OF_SWEEPS.coordinates, OF_SWEEPS.tables
)

STEPS_PER_SWING = 2
"""Of the fastest mode, at the lowest speed; between steps modes move exactly."""

FEWEST_WINDOWS = 8
MOST_STEPS = 1e10
"""Hours."""


class RollingSweepSettings(Spec):
    """Which speeds, how fast through them, and what rolls."""

    lowest: PositiveSpeed | None = optional(
        "lowest input speed; a quarter of the operating point's if absent", "900 rpm"
    )
    highest: PositiveSpeed | None = optional(
        "highest input speed; twice the operating point's if absent", "4100 rpm"
    )
    duration: PositiveTime = key("how long the sweep takes in each direction", "25 s", default=5.0)
    direction: Literal["both", "up", "down"] = key(
        "in which order the speeds are taken", default="both"
    )
    settling_periods: Periods = key(
        "mesh periods at the first speed before the sweep begins", default=100
    )
    periods: Periods = key("mesh periods that are looked at together", default=20)
    steps_per_period: Annotated[int, WholeNumber(minimum=16, maximum=10_000)] = key(
        "time steps in a mesh period, of equal angle", default=120
    )
    points: Annotated[int, WholeNumber(minimum=1, maximum=25)] | None = optional(
        "points across the face; as many as the mesh model has if absent", 5
    )
    modes: Annotated[int, WholeNumber(minimum=0, maximum=200)] = key(
        "modes of each gear's body that vibrate; without any, bodies give way without mass",
        24,
        default=0,
    )
    body_damping: Fraction = key("of these modes, as a share of the critical one", default=0.01)
    restitution: Fraction | None = optional(
        "by how much an impulse turns the approach back where all contact was lost; teeth "
        "come back as elastic bodies if absent",
        0.56,
    )
    torque: LoadTorque = None

    def cross_checks(self) -> Iterable[str]:
        if self.lowest is not None and self.highest is not None and self.lowest >= self.highest:
            yield "lowest is not below highest; give a range of speeds"


DEFAULTS = RollingSweepSettings()


def run(
    machine: Reducer,
    settings: RollingSweepSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """Dynamic transmission error, mesh forces and contact loss over the speed, up and down."""
    assert isinstance(machine, Rolling)
    torque = machine.load_torque if settings.torque is None else settings.torque
    windows = _windows(machine, settings)
    names = ["up", "down"] if settings.direction == "both" else [settings.direction]
    pair = machine.rolling_pair(
        settings.steps_per_period,
        settings.points,
        settings.modes,
        settings.body_damping,
    )
    _refuse_modes_that_creep(pair)
    _refuse_too_few_steps(machine, pair, settings, windows[0])
    sweep = RollingSweep(machine, pair, torque, settings)
    state, complete, counts = sweep.at_rest(), True, 0
    readings: dict[str, list[Reading | None]] = {}
    for number, name in enumerate(names):
        speeds = windows if name == "up" else windows[::-1]
        told = partial_progress(progress, number, len(names))
        readings[name] = list(sweep.readings(speeds, state, told))
        counts += len(readings[name]) * settings.periods * settings.steps_per_period
        complete = len(readings[name]) == len(speeds)
        if not complete:
            break
    sentence = "Completed." if complete else "Stopped where the points in mesh found no balance."
    values = (
        sweep_values(machine, readings, windows, torque, settings.periods, False)
        if known(readings)
        else {}
    )
    values |= {"mesh": np.array(list(machine.tooth_pairs()))}
    ending = Ending(sentence, complete, {"steps": counts})
    return make_result(QUANTITIES, machine, settings, ending, values)


def _windows(machine: Reducer, settings: RollingSweepSettings) -> Floats:
    """Mean speeds of all windows, rising; SpecError for a sweep that is none."""
    lowest, highest = speed_range(machine, settings.lowest, settings.highest)
    turned = settings.periods * 2 * math.pi / tooth_order(machine)
    mean = 0.5 * (lowest + highest)
    count = round(settings.duration * mean / turned)
    if count < FEWEST_WINDOWS:
        raise SpecError(
            f"duration is {settings.duration:.4g} s, in which {count} times {settings.periods} "
            f"mesh periods pass; use at least {FEWEST_WINDOWS * turned / mean:.3g} s"
        )
    steps = count * settings.periods * settings.steps_per_period
    if steps > MOST_STEPS:
        longest = settings.duration * MOST_STEPS / steps
        raise SpecError(
            f"duration: the sweep would take {steps:.2g} steps; use at most {longest:.3g} s"
        )
    squares = np.linspace(lowest**2, highest**2, count + 1)
    edges = np.sqrt(squares)  # equal angles at a constant acceleration
    return np.asarray(0.5 * (edges[:-1] + edges[1:]))


def _refuse_modes_that_creep(pair: RollingPair) -> None:
    """SpecError where a mode is damped beyond the critical value: steps are those of swings."""
    frequency, decay = pair.modes.frequency, pair.modes.decay
    ratios = np.divide(decay, frequency, out=np.zeros_like(decay), where=frequency > 0)
    worst = int(np.argmax(ratios))
    if ratios[worst] >= 1:
        raise SpecError(
            f"the mode of {frequency[worst] / (2 * math.pi):.4g} Hz has {ratios[worst]:.3g} times "
            "its critical damping, and only modes that swing are rolled; use less body_damping, or "
            "shafts with less damping"
        )


def _refuse_too_few_steps(
    machine: Reducer, pair: RollingPair, settings: RollingSweepSettings, lowest: float
) -> None:
    """SpecError where forces that change from step to step cannot follow the fastest mode."""
    highest = float(pair.modes.frequency.max()) / (2 * math.pi)
    swings = highest * 2 * math.pi / (tooth_order(machine) * lowest)
    if settings.steps_per_period < STEPS_PER_SWING * swings:
        least = math.ceil(STEPS_PER_SWING * swings)
        raise SpecError(
            f"steps_per_period is {settings.steps_per_period}; at the lowest speed a mesh period "
            f"holds {swings:.3g} swings of the fastest mode, {highest:.4g} Hz, which need at least "
            f"{least} steps; use as many, or fewer modes"
        )


@dataclass(frozen=True, eq=False)
class RollingSweep:
    """A pair that is rolled window by window."""

    machine: Reducer
    pair: RollingPair
    torque: float
    settings: RollingSweepSettings

    @cached_property
    def load(self) -> float:
        """N, along the line of action."""
        assert isinstance(self.machine, Rolling)
        return self.torque / self.machine.output_base_radius

    def at_rest(self) -> RollingState:
        return self.pair.at_rest(self.load)

    def readings(
        self, speeds: Floats, state: RollingState, progress: Progress | None
    ) -> Iterable[Reading | None]:
        """Of every window, as far as it comes; the state goes on."""
        settle = np.full(self.settings.settling_periods, self._period(speeds[0]))
        if self._rolled(settle, state, keep=0) is None:
            return
        slope = np.gradient(speeds) if len(speeds) > 1 else np.zeros(1)
        shares = (np.arange(self.settings.periods) + 0.5) / self.settings.periods - 0.5
        for k, speed in enumerate(speeds):
            periods = self._period(speed + slope[k] * shares)
            more = self._accelerating(float(slope[k] / periods.sum()))
            record = self._rolled(periods, state, len(periods), more)
            if record is None:
                return
            yield self._reading(record)
            if progress is not None:
                progress((k + 1) / len(speeds))

    def _period(self, speed: Floats | float) -> Floats:
        return np.asarray(2 * math.pi / (tooth_order(self.machine) * speed))

    def _accelerating(self, acceleration: float) -> float:
        """N, by which the mesh also drives the inertia behind it while the input becomes faster."""
        assert isinstance(self.machine, Rolling)
        torque = self.machine.driven_inertia * acceleration / abs(self.machine.ratio)
        return torque / self.machine.output_base_radius

    def _rolled(
        self, periods: Floats, state: RollingState, keep: int, more: float = 0.0
    ) -> Floats | None:
        loads = np.full(len(periods), self.load + more)
        return self.pair.rolled(periods, loads, state, self.settings.restitution, keep)

    def _reading(self, record: Floats) -> Reading:
        periods, places, _ = record.shape
        rows = record.reshape(periods * places, -1)
        error, output, net = rows[:, 0], rows[:, 2], self.pair.net_force(rows)
        force = net * np.sign(net.mean())
        change, size = (output[-places:] - output[:places]).std(), output.std()
        apart = (rows[:, READ:].sum(axis=1) == 0.0)[:, None]
        return Reading(
            error_rms=float(size),
            error_span=float(np.ptp(output)),
            mesh_error_rms=np.array([error.std()]),
            force_mean=np.array([force.mean()]),
            force_rms=np.array([force.std()]),
            force_largest=np.array([force.max()]),
            contact_loss=apart.mean(axis=0),
            loss_count=losses(apart) / periods,
            amplitudes=amplitudes(error, periods),
            change=float(change / size) if size else 0.0,
        )
