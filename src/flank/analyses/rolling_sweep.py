"""Rolling sweep: gears of finite elements rolled through the speeds, up and down, in seconds.

What a continuous speed sweep asks, of gears whose contact is solved for at every step, between all
teeth in mesh and across the face (`dynamics.rolling`). The speed changes from one mesh period to
the next; windows of some periods are looked at, as in a speed sweep, whose quantities it has.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from flank.analyses.continuous_sweep import count_windows
from flank.analyses.quantities import Quantities
from flank.analyses.result import Ending, Result, make_result
from flank.analyses.rolled_pair import (
    STALLED,
    RolledSettings,
    line_load,
    mesh_period,
    pair_of,
    read_record,
    rolled_warnings,
)
from flank.analyses.runs import partial_progress
from flank.analyses.settings import LoadTorque
from flank.analyses.speed_sweep import Periods, PositiveSpeed, speed_range
from flank.analyses.sweep_reading import QUANTITIES as OF_SWEEPS
from flank.analyses.sweep_reading import Reading, known, sweep_values
from flank.arrays import Floats
from flank.dynamics.rolling import RollingState
from flank.dynamics.rolling_mesh import RollingPair
from flank.dynamics.run import Progress
from flank.machines.base import Reducer, Rolling
from flank.machines.quantities import PositiveTime
from flank.machines.spec import key, optional

QUANTITIES = Quantities(
    "rolling-sweep", OF_SWEEPS.declared, OF_SWEEPS.coordinates, OF_SWEEPS.tables
)

MOST_STEPS = 1e10
"""Hours."""


class RollingSweepSettings(RolledSettings):
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
        "mesh periods at the first speed before the sweep begins, in which the load comes up that "
        "a changing speed brings",
        default=100,
    )
    periods: Periods = key("mesh periods that are looked at together", default=20)
    torque: LoadTorque = None

    def cross_checks(self) -> list[str]:
        if self.lowest is not None and self.highest is not None and self.lowest >= self.highest:
            return ["lowest is not below highest; give a range of speeds"]
        return []


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
    sweep = RollingSweep(machine, pair_of(machine, settings, windows[0]), torque, settings)
    state, complete, counts = sweep.at_rest(), True, 0
    readings: dict[str, list[Reading | None]] = {}
    for number, name in enumerate(names):
        speeds = windows if name == "up" else windows[::-1]
        told = partial_progress(progress, number, len(names))
        readings[name] = list(sweep.readings(speeds, state, number > 0, told))
        counts += len(readings[name]) * settings.periods * sweep.pair.places
        complete = len(readings[name]) == len(speeds)
        if not complete:
            break
    values = (
        sweep_values(machine, readings, windows, torque, settings.periods, False)
        if known(readings)
        else {}
    )
    values |= {"mesh": np.array(list(machine.tooth_pairs()))}
    ending = Ending("Completed." if complete else STALLED, complete, {"steps": counts})
    force = max((float(each.force_largest.max()) for each in known(readings)), default=0.0)
    deepest = max((each.deepest for each in known(readings)), default=0.0)
    warnings = rolled_warnings(machine, torque, force, deepest)
    return make_result(QUANTITIES, machine, settings, ending, values, warnings)


def _windows(machine: Reducer, settings: RollingSweepSettings) -> Floats:
    """Mean speeds of all windows, rising; SpecError for a sweep that is none."""
    lowest, highest = speed_range(machine, settings.lowest, settings.highest)
    window = settings.periods * float(mesh_period(machine, 0.5 * (lowest + highest)))
    steps = settings.periods * settings.fewest_steps
    count = count_windows(settings.duration, window, settings.periods, steps, MOST_STEPS)
    squares = np.linspace(lowest**2, highest**2, count + 1)
    edges = np.sqrt(squares)  # equal angles at a constant acceleration
    return np.asarray(0.5 * (edges[:-1] + edges[1:]))


@dataclass(frozen=True, eq=False)
class RollingSweep:
    """A pair that is rolled window by window."""

    machine: Reducer
    pair: RollingPair
    torque: float
    settings: RollingSweepSettings

    def at_rest(self) -> RollingState:
        return self.pair.at_rest(line_load(self.machine, self.torque, 0.0))

    def readings(
        self, speeds: Floats, state: RollingState, follows: bool, progress: Progress | None
    ) -> Iterable[Reading | None]:
        """Of every window, as far as it comes; the state goes on. One that `follows` another
        begins at the acceleration with which that ended, which is opposite to its own."""
        slope = np.gradient(speeds)
        shares = (np.arange(self.settings.periods) + 0.5) / self.settings.periods - 0.5
        begin = float(slope[0] / mesh_period(self.machine, speeds[0] + slope[0] * shares).sum())
        if not self._settled(speeds[0], state, -begin if follows else 0.0, begin):
            return
        for k, speed in enumerate(speeds):
            periods = mesh_period(self.machine, speed + slope[k] * shares)
            acceleration = float(slope[k] / periods.sum())
            record = self._rolled(periods, state, acceleration)
            if record is None:
                return
            yield read_record(self.pair, record)
            if progress is not None:
                progress((k + 1) / len(speeds))

    def _settled(self, speed: float, state: RollingState, before: float, begin: float) -> bool:
        """Whether it rolls at the first speed while the load of one acceleration becomes that of
        another, as (1 - cos)/2: one that jumps makes shafts ring through the first windows."""
        count = self.settings.settling_periods
        share = 0.5 - 0.5 * np.cos(np.pi * (np.arange(count) + 0.5) / count)
        loads = line_load(
            self.machine, np.full(count, self.torque), before + (begin - before) * share
        )
        periods = np.full(count, mesh_period(self.machine, speed))
        return self.pair.rolled(periods, loads, state) is not None

    def _rolled(self, periods: Floats, state: RollingState, acceleration: float) -> Floats | None:
        loads = np.full(len(periods), line_load(self.machine, self.torque, acceleration))
        return self.pair.rolled(periods, loads, state, len(periods))
