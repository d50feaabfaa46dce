"""Rolling dwell: gears of finite elements at one speed, reached from below and from above.

What a dwell asks (`speed_dwell`), of gears whose contact is solved for at every step, between all
teeth in mesh and across the face (`dynamics.rolling`): time history, spectrum, phase portrait,
Poincaré section, forces of single teeth and intervals without contact. On the way to the speed the
input becomes faster or slower at a constant rate, and the mesh has the load of that, too.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from flank.analyses.dwell_reading import QUANTITIES as OF_DWELLS
from flank.analyses.dwell_reading import (
    SHOWN_PERIODS,
    Branch,
    DwellSettings,
    branch_starts,
    dwell_values,
    unsettled_warnings,
)
from flank.analyses.orders import tooth_order
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
from flank.analyses.settings import LoadTorque
from flank.analyses.speed_sweep import Periods
from flank.arrays import Floats
from flank.dynamics.rolling import READ
from flank.dynamics.rolling_mesh import RollingPair
from flank.dynamics.run import Progress
from flank.machines.base import Reducer, Rolling
from flank.machines.quantities import WholeNumber
from flank.machines.spec import key

QUANTITIES = Quantities(
    "rolling-dwell", OF_DWELLS.declared, OF_DWELLS.coordinates, OF_DWELLS.tables
)


class RollingDwellSettings(DwellSettings, RolledSettings):
    """Which speed, how it is reached, and what rolls."""

    approach_periods: Periods = key("mesh periods on the way to the speed", default=3000)
    settling_periods: Periods = key(
        "mesh periods where a branch starts, and at the speed before the record", default=1000
    )
    periods: Annotated[int, WholeNumber(minimum=8, maximum=1000)] = key(
        "mesh periods that are recorded", default=32
    )
    torque: LoadTorque = None


DEFAULTS = RollingDwellSettings()


@dataclass(frozen=True, eq=False)
class Dwelled:
    """Some mesh periods of a pair that rolls at one speed; `pairs` of teeth have a slot for each of
    `across` points on the flanks that drive, and after them others may follow."""

    record: Floats  # (period, place, column)
    pairs: int
    across: int
    complete: bool = True

    @classmethod
    def of(cls, pair: RollingPair, record: Floats) -> "Dwelled":
        return cls(record, pair.mesh.front_slots // pair.mesh.across, pair.mesh.across)

    @property
    def error(self) -> Floats:
        """Transmission error about its mean (step,), m."""
        error = self.record[:, :, 0].ravel()
        return np.asarray(error - error.mean())

    @property
    def velocity(self) -> Floats:
        """m/s"""
        return np.asarray(self.record[:, :, 1].ravel())

    @property
    def total(self) -> Floats:
        """N, of all flanks that drive (step,)."""
        return np.asarray(self._slots.sum(axis=2).ravel())

    @property
    def _slots(self) -> Floats:
        return self.record[:, :, READ : READ + self.pairs * self.across]

    @property
    def forces(self) -> Floats:
        """N on the driving flank of every pair of teeth that passes (step, pair)."""
        return _passing(self._slots, self.across)

    @property
    def other_forces(self) -> Floats:
        """N on the other flanks, likewise."""
        return _passing(self.record[:, :, READ + self.pairs * self.across :], self.across)

    @property
    def apart(self) -> float:
        """Share of the time without contact of the flanks that drive."""
        return float(np.mean(self.total == 0.0))

    @property
    def losses(self) -> float:
        """Of this contact, in a mesh period."""
        free = self.total == 0.0
        return float(np.sum(free & ~np.roll(free, 1))) / len(self.record)

    @property
    def rms(self) -> float:
        return float(self.error.std())

    @property
    def amplitudes(self) -> Floats:
        """m, at orders 1/periods, 2/periods and so on of the mesh frequency."""
        lines = 2 * np.abs(np.fft.rfft(self.error)) / len(self.error)
        return np.asarray(lines[1:])

    def order(self, number: int) -> float:
        """Amplitude at a whole order."""
        return float(self.amplitudes[number * len(self.record) - 1])


def _passing(slots: Floats, across: int) -> Floats:
    """Forces (step, pair) of slots (period, place, slot): a slot hands its teeth on at the end of a
    period, and the last step has been handed over already."""
    periods, places, _ = slots.shape
    by_pair = slots.reshape(periods, places, -1, across).sum(axis=3)
    count = by_pair.shape[2]
    forces = np.zeros((periods, places, periods + count))
    for period in range(periods):
        forces[period, :-1, period : period + count] = by_pair[period, :-1]
        forces[period, -1, period + 1 : period + 1 + count] = by_pair[period, -1]
    return forces.reshape(periods * places, -1)


def run(
    machine: Reducer, settings: RollingDwellSettings = DEFAULTS, progress: Progress | None = None
) -> Result:
    """The motion at one speed on one or both branches."""
    assert isinstance(machine, Rolling)
    torque = machine.load_torque if settings.torque is None else settings.torque
    speed = settings.speed or machine.input_speed
    starts = branch_starts(settings.branch, speed, settings.lowest, settings.highest)
    pair = pair_of(machine, settings, min(speed, *starts.values()))
    branches: dict[str, Branch] = {}
    for number, (name, start) in enumerate(starts.items(), start=1):
        record = _record(machine, settings, pair, torque, start, speed)
        if record is None:
            break
        branches[name] = _branch(machine, pair, record, float(mesh_period(machine, speed)))
        if progress is not None:
            progress(number / len(starts))
    complete = len(branches) == len(starts)
    rolled = 2 * settings.settling_periods + settings.approach_periods + settings.periods + 1
    steps = {"steps": len(branches) * rolled * pair.places}
    values = dwell_values(machine, branches, speed, torque) if branches else {}
    values |= {"mesh": np.array(list(machine.tooth_pairs()))}
    readings = [branch.reading for branch in branches.values()]
    force = max((float(each.force_largest.max()) for each in readings), default=0.0)
    deepest = max((each.deepest for each in readings), default=0.0)
    warnings = rolled_warnings(machine, torque, force, deepest) + unsettled_warnings(branches)
    ending = Ending("Completed." if complete else STALLED, complete, steps)
    return make_result(QUANTITIES, machine, settings, ending, values, warnings)


def _record(
    machine: Reducer,
    settings: RollingDwellSettings,
    pair: RollingPair,
    torque: float,
    start: float,
    speed: float,
) -> Floats | None:
    """From rest at a first speed to another, and what it does there, with the period before; none
    where it stalls."""
    load = line_load(machine, torque, 0.0)
    state = pair.at_rest(load)
    edges = np.sqrt(np.linspace(start**2, speed**2, settings.approach_periods + 1))
    way = 0.5 * (edges[1:] + edges[:-1])  # equal angles at a constant acceleration
    pitch = 2 * np.pi / tooth_order(machine)
    acceleration = (speed**2 - start**2) / (2 * settings.approach_periods * pitch)
    before, after = settings.settling_periods, settings.settling_periods + settings.periods + 1
    record: Floats | None = None
    for speeds, rate, keep in (
        (np.full(before, start), 0.0, 0),
        (way, acceleration, 0),
        (np.full(after, speed), 0.0, settings.periods + 1),
    ):
        loads = np.full(len(speeds), line_load(machine, torque, rate))
        record = pair.rolled(mesh_period(machine, speeds), loads, state, keep)
        if record is None:
            return None
    return record


def _branch(machine: Reducer, pair: RollingPair, record: Floats, period: float) -> Branch:
    """Of periods of which the first gives the begin of the second only."""
    assert isinstance(machine, Rolling)
    places, reading = pair.places, read_record(pair, record[1:])
    rows = record.reshape(-1, record.shape[2])[places - 1 :]
    force, dwelled = pair.net_force(rows), Dwelled.of(pair, record)
    drives = force.mean() >= 0
    teeth = (dwelled.forces if drives else dwelled.other_forces)[-SHOWN_PERIODS * places - 1 :]
    return Branch(
        reading,
        places,
        np.asarray(period / places * np.arange(len(rows)), dtype=np.float64),
        rows[:, :1],
        force[:, None],
        (rows[:, READ:].sum(axis=1) == 0.0)[:, None],
        tuple(machine.tooth_pairs()),
        teeth[:, teeth.any(axis=0)],
        rows[:, 1:2],
    )
