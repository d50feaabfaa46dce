"""Dwell at one speed, reached from below and from above: the motion itself, and what teeth carry.

Where a sweep finds two states (`speed_sweep`), the way to a speed decides on the one that is seen:
the rising branch starts slower, the falling one faster, and the speed changes steadily from there.
Then the machine settles and is recorded over some mesh periods: time history, spectrum, phase
portrait, Poincaré section (one point in every mesh period), forces of single teeth and the
intervals without contact. Where discs roll among pins and there are no gears, each disc is a mesh.
"""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Annotated

from flank.analyses.continuous_sweep import Excited, TurningMachine, mesh_frequency
from flank.analyses.dwell_reading import QUANTITIES as QUANTITIES
from flank.analyses.dwell_reading import (
    SHOWN_PERIODS,
    Branch,
    DwellSettings,
    branch_starts,
    dwell_values,
    unsettled_warnings,
)
from flank.analyses.forces import mesh_names
from flank.analyses.quantities import Values
from flank.analyses.result import Result, make_result
from flank.analyses.runs import MotionState, loaded_equilibrium, partial_progress
from flank.analyses.settings import LoadTorque
from flank.analyses.speed_sweep import Periods
from flank.analyses.sweep_reading import Reading, read_periods
from flank.analyses.warnings import contact_warnings, load_warnings
from flank.arrays import Floats
from flank.dynamics.run import Progress
from flank.dynamics.trajectory import AnyTrajectory, Trajectory, joined
from flank.machines.base import Assembly, Reducer
from flank.machines.carried import (
    carrier_names,
    net_forces,
    separated,
    single_forces,
    transmission_errors,
)
from flank.machines.quantities import Fraction, WholeNumber
from flank.machines.spec import key, optional


class SpeedDwellSettings(DwellSettings):
    """Which speed, and how it is reached."""

    approach_periods: Periods = key("mesh periods on the way to the speed", default=1000)
    settling_periods: Periods = key("mesh periods at the speed before the record", default=200)
    periods: Annotated[int, WholeNumber(minimum=8, maximum=1000)] = key(
        "mesh periods that are recorded", default=32
    )
    steps_per_period: Annotated[int, WholeNumber(minimum=16, maximum=100_000)] | None = optional(
        "time steps in a mesh period; 96 if absent, or as many as natural frequencies need", 96
    )
    torque: LoadTorque = None
    spectral_radius: Fraction = key("of generalized-alpha", default=0.8)


DEFAULTS = SpeedDwellSettings()


def run(
    machine: Reducer, settings: SpeedDwellSettings = DEFAULTS, progress: Progress | None = None
) -> Result:
    """The motion at one speed on one or both branches."""
    torque = machine.load_torque if settings.torque is None else settings.torque
    speed = settings.speed or machine.input_speed
    starts = branch_starts(settings.branch, speed, settings.lowest, settings.highest)
    slowest = min(speed, *starts.values())
    excited = Excited.of(machine, torque, max(speed, *starts.values()), settings.steps_per_period)
    excited.refuse_too_few(slowest)
    equilibrium, assembly = loaded_equilibrium(machine, 0.0, torque)
    runs: list[AnyTrajectory] = [equilibrium]
    branches: dict[str, Branch] = {}
    for number, (name, start) in enumerate(starts.items() if equilibrium.complete else ()):
        state = MotionState(equilibrium.last, None, 0.0, 0.0)
        way = _Way(machine, settings, torque, start, speed, excited, state)
        parts, branch = way.run(partial_progress(progress, number, len(starts)))
        runs += parts
        if branch is None:
            break
        branches[name] = branch
    joined_runs = joined(runs)
    values: Values = {}
    if branches:
        values = dwell_values(machine, branches, speed, torque) | mesh_names(assembly)
    warnings = contact_warnings(assembly, joined_runs, static=False)
    warnings += load_warnings(machine, assembly, torque, equilibrium)
    warnings += unsettled_warnings(branches)
    return make_result(QUANTITIES, machine, settings, joined_runs, values, warnings)


@dataclass(frozen=True)
class _Way:
    """From a start to the speed, and what is seen there."""

    machine: Reducer
    settings: SpeedDwellSettings
    torque: float
    start: float
    speed: float
    excited: Excited
    state: MotionState

    def run(self, progress: Progress | None) -> tuple[list[AnyTrajectory], Branch | None]:
        """What stands for the run, and the branch if it came to its end."""
        settings = self.settings
        period, slow = 1 / mesh_frequency(self.machine, self.speed), min(self.start, self.speed)
        before = settings.settling_periods / mesh_frequency(self.machine, self.start)
        mean = 0.5 * (self.start + self.speed)
        approach = settings.approach_periods / mesh_frequency(self.machine, mean)
        points = [(0.0, self.start), (before, self.start), (before + approach, self.speed)]
        turning = TurningMachine.begin(self.machine, self.torque, points, self.state)
        steps = self.excited.steps(self.speed)
        pieces = (
            (before, settings.settling_periods, self.excited.steps(self.start)),
            (approach, settings.approach_periods, self.excited.steps(slow)),
            (settings.settling_periods * period, settings.settling_periods, steps),
            (settings.periods * period, settings.periods * steps, 1),
        )
        counters: Counter[str] = Counter()
        for number, (duration, records, stride) in enumerate(pieces):
            told = partial_progress(progress, number, len(pieces))
            part = turning.advance(duration, records, stride, settings.spectral_radius, told)
            counters.update(part.counters)
            if not part.complete:
                return [replace(part, counters=dict(counters))], None
        angles = turning.angles(part.time)
        reading = read_periods(self.machine, turning.assembly, part, angles, steps)
        record = replace(part, counters=dict(counters))
        return [record], _branch(reading, turning.assembly, record, steps)


def _branch(reading: Reading, assembly: Assembly, record: AnyTrajectory, steps: int) -> Branch:
    return Branch(
        reading,
        steps,
        record.time - record.time[0],
        transmission_errors(assembly, record),
        net_forces(assembly, record),
        separated(assembly, record),
        tuple(carrier_names(assembly)),
        _teeth(assembly, record, steps),
    )


def _teeth(assembly: Assembly, record: AnyTrajectory, steps: int) -> Floats | None:
    """Of the first mesh over the last mesh periods."""
    if not isinstance(record, Trajectory):
        return None
    last = record.since(len(record.time) - SHOWN_PERIODS * steps - 1)
    told_apart = single_forces(assembly, last)
    return None if told_apart is None else told_apart[1]
