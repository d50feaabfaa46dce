"""Dwell at one speed, reached from below and from above: the motion itself, and what teeth carry.

Where a sweep finds two states (`speed_sweep`), the way to a speed decides on the one that is seen:
the rising branch starts slower, the falling one faster, and the speed changes steadily from there.
Then the machine settles and is recorded over some mesh periods: time history, spectrum, phase
portrait, Poincaré section (one point in every mesh period), forces of single teeth and the
intervals without contact. Where discs roll among pins and there are no gears, each disc is a mesh.
"""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from flank.analyses.continuous_sweep import Excited, TurningMachine, mesh_frequency
from flank.analyses.forces import MESH_NAMES, mesh_names
from flank.analyses.quantities import Declared, Quantities, Values
from flank.analyses.result import Result, make_result
from flank.analyses.runs import MotionState, loaded_equilibrium, partial_progress
from flank.analyses.settings import LoadTorque
from flank.analyses.speed_sweep import Periods, PositiveSpeed
from flank.analyses.sweep_reading import Reading, read_periods
from flank.analyses.two_states import DIFFERENT
from flank.analyses.warnings import contact_warnings, load_warnings
from flank.arrays import Floats, Integers
from flank.dynamics.run import Progress
from flank.dynamics.trajectory import AnyTrajectory, Trajectory, joined
from flank.errors import SpecError
from flank.machines.base import Assembly, Reducer
from flank.machines.carried import (
    carrier_names,
    net_forces,
    separated,
    single_forces,
    transmission_errors,
)
from flank.machines.quantities import Fraction, WholeNumber
from flank.machines.spec import Spec, key, optional

BY_MESH, OVER_TIME = "branch mesh", "branch time"

QUANTITIES = Quantities(
    "speed-dwell",
    {
        "torque": Declared("Output torque", "N*m"),
        "input_speed": Declared("Input speed", "rad/s", "rpm"),
        "mesh_frequency": Declared("Mesh frequency", "1/s", "Hz"),
        "state_count": Declared("Different states"),
        "error_rms": Declared("Dynamic transmission error (rms)", "rad", "arcsec", "branch"),
        "worst_mesh_error": Declared("Error of the mesh (rms)", "m", "um", "branch"),
        "force_factor": Declared("Largest over mean mesh force", over="branch"),
        "worst_contact_loss": Declared("Without contact", "", "percent", "branch"),
        "worst_loss_count": Declared("Contact losses in a mesh period", over="branch"),
        "repeats_after": Declared("Repeats after mesh periods (0: not at all)", over="branch"),
        "mesh_error_rms": Declared(
            "Dynamic transmission error of the mesh (rms)", "m", "um", BY_MESH
        ),
        "contact_loss": Declared("Share of time without contact", "", "percent", BY_MESH),
        "loss_count": Declared("Contact losses in a mesh period", over=BY_MESH),
        "mesh_error": Declared(
            "Oscillating transmission error of the mesh", "m", "um", "branch time mesh"
        ),
        "mesh_error_rate": Declared("Its rate", "m/s", "mm/s", "branch time mesh"),
        "mesh_force": Declared("Tooth force of the mesh, normal", "N", "N", "branch time mesh"),
        "amplitude": Declared(
            "Amplitude of the first mesh's transmission error", "m", "um", "branch order"
        ),
        "section_error": Declared(
            "Error of the first mesh once in a mesh period", "m", "um", "branch period"
        ),
        "section_rate": Declared("Its rate", "m/s", "mm/s", "branch period"),
        "tooth_force": Declared(
            "Force on a tooth, or pin, of the first mesh", "N", "N", "branch tooth_time tooth"
        ),
        "loss_branch": Declared("Branch", over="loss"),
        "loss_mesh": Declared("Mesh", over="loss"),
        "loss_begin": Declared("Contact lost at", "s", "ms", "loss"),
        "loss_duration": Declared("for", "s", "ms", "loss"),
        "loss_share": Declared("of a mesh period", "", "percent", "loss"),
    },
    {
        "branch": Declared("Branch", over="branch"),
        "time": Declared("Time", "s", "ms", "time"),
        "tooth_time": Declared("Time", "s", "ms", "tooth_time"),
        "order": Declared("Order of the mesh frequency", over="order"),
        "period": Declared("Mesh period", over="period"),
        "tooth": Declared("Tooth or pin, in the order of meshing", over="tooth"),
        "loss": Declared("Loss", over="loss"),
        **MESH_NAMES,
    },
    {
        "Branches": (
            "branch",
            "worst_mesh_error",
            "force_factor",
            "worst_contact_loss",
            "worst_loss_count",
            "repeats_after",
        ),
        "Contact losses in the last mesh periods": (
            "loss",
            "loss_branch",
            "loss_mesh",
            "loss_begin",
            "loss_duration",
            "loss_share",
        ),
    },
)

SHOWN_PERIODS = 4
"""Last mesh periods, whose teeth and contact losses are told one by one."""

SLOWER, FASTER = 0.6, 1.5
"""Times the speed, where the branches start if nobody says."""

LONGEST_REPEAT = 8
"""Mesh periods after which a motion may repeat."""

SAME = 0.05
"""Rms of what differs over that of the vibration, up to which a motion repeats."""


class SpeedDwellSettings(Spec):
    """Which speed, and how it is reached."""

    speed: PositiveSpeed | None = optional(
        "the input speed; the operating point's if absent", "2880 rpm"
    )
    branch: Literal["both", "up", "down"] = key(
        "reached with rising speed, with falling speed, or one after the other", default="both"
    )
    lowest: PositiveSpeed | None = optional(
        "where the rising branch starts; 0.6 times the speed if absent", "900 rpm"
    )
    highest: PositiveSpeed | None = optional(
        "where the falling branch starts; 1.5 times the speed if absent", "4100 rpm"
    )
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


@dataclass(frozen=True)
class Branch:
    """One motion at the speed."""

    reading: Reading
    assembly: Assembly
    record: AnyTrajectory
    per_period: int

    @property
    def repeats_after(self) -> int:
        """Mesh periods after which the first mesh moves the same; 0 if none of the first few."""
        return _repeats_after(
            transmission_errors(self.assembly, self.record)[:, 0], self.per_period
        )


def run(
    machine: Reducer, settings: SpeedDwellSettings = DEFAULTS, progress: Progress | None = None
) -> Result:
    """The motion at one speed on one or both branches."""
    torque = machine.load_torque if settings.torque is None else settings.torque
    speed = settings.speed or machine.input_speed
    starts = _starts(settings, speed)
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
        values = _values(machine, branches, speed, torque) | mesh_names(assembly)
    warnings = contact_warnings(assembly, joined_runs, static=False)
    warnings += load_warnings(machine, assembly, torque, equilibrium)
    warnings += _settling_warnings(branches)
    return make_result(QUANTITIES, machine, settings, joined_runs, values, warnings)


def _starts(settings: SpeedDwellSettings, speed: float) -> dict[str, float]:
    """Where the branches begin; SpecError if they do not lie on their sides of the speed."""
    if not speed > 0:
        raise SpecError("operation.input_speed must be positive for a dwell; or give a speed")
    lowest = settings.lowest or SLOWER * speed
    highest = settings.highest or FASTER * speed
    if not lowest < speed < highest:
        raise SpecError(
            f"speed is {speed:.4g} rad/s; it must lie between lowest, {lowest:.4g} rad/s, and "
            f"highest, {highest:.4g} rad/s, from which the branches start"
        )
    starts = {"up": lowest, "down": highest}
    return starts if settings.branch == "both" else {settings.branch: starts[settings.branch]}


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
        for number, (duration, records, stride) in enumerate(pieces, start=1):
            part = turning.advance(duration, records, stride, settings.spectral_radius)
            counters.update(part.counters)
            if not part.complete:
                return [replace(part, counters=dict(counters))], None
            if progress is not None:
                progress(number / len(pieces))
        angles = turning.angles(part.time)
        reading = read_periods(self.machine, turning.assembly, part, angles, steps)
        record = replace(part, counters=dict(counters))
        return [record], Branch(reading, turning.assembly, record, steps)


def _values(machine: Reducer, branches: dict[str, Branch], speed: float, torque: float) -> Values:
    each = list(branches.values())
    readings = [branch.reading for branch in each]
    errors = np.stack([transmission_errors(branch.assembly, branch.record) for branch in each])
    forces = np.stack([net_forces(branch.assembly, branch.record) for branch in each])
    signs = np.sign(forces.mean(axis=1))  # so that both are positive on the loaded flank
    errors = signs[:, None] * errors
    errors -= errors[:, :-1].mean(axis=1, keepdims=True)
    time = each[0].record.time - each[0].record.time[0]
    rates = np.gradient(errors, time, axis=1, edge_order=2)
    steps = each[0].per_period
    values: Values = {
        "torque": torque,
        "input_speed": speed,
        "mesh_frequency": mesh_frequency(machine, speed),
        "state_count": _state_count(readings),
        "error_rms": [reading.error_rms for reading in readings],
        "worst_mesh_error": [reading.mesh_error_rms.max() for reading in readings],
        "force_factor": [reading.factor for reading in readings],
        "worst_contact_loss": [reading.contact_loss.max() for reading in readings],
        "worst_loss_count": [reading.loss_count.max() for reading in readings],
        "repeats_after": [branch.repeats_after for branch in each],
        "mesh_error_rms": np.stack([reading.mesh_error_rms for reading in readings]),
        "contact_loss": np.stack([reading.contact_loss for reading in readings]),
        "loss_count": np.stack([reading.loss_count for reading in readings]),
        "mesh_error": errors,
        "mesh_error_rate": rates,
        "mesh_force": signs[:, None] * forces,
        "amplitude": np.stack([reading.amplitudes for reading in readings]),
        "section_error": errors[:, :-1:steps, 0],
        "section_rate": rates[:, :-1:steps, 0],
        "branch": np.array(list(branches), dtype=str),
        "time": time,
        "order": np.arange(1, len(readings[0].amplitudes) + 1) / ((len(time) - 1) / steps),
        "period": np.arange(1, (len(time) - 1) // steps + 1),
    }
    return values | _teeth(branches, time) | _losses(branches, time)


def _state_count(readings: list[Reading]) -> int:
    """Two where one branch vibrates so much more than the other."""
    sizes = [float(reading.mesh_error_rms.max()) for reading in readings]
    return 2 if max(sizes) > DIFFERENT * min(sizes) else 1


def _settling_warnings(branches: dict[str, Branch]) -> list[str]:
    """That a motion does not repeat: then two branches may differ without being two states."""
    return [
        f"The motion reached {name}wards does not repeat after {LONGEST_REPEAT} mesh periods or "
        "fewer: it has not settled (use more settling_periods), or is not periodic with the mesh, "
        "as with run-out or parting teeth."
        for name, branch in branches.items()
        if branch.repeats_after == 0
    ]


def _repeats_after(error: Floats, per_period: int) -> int:
    size = error.std()
    for periods in range(1, LONGEST_REPEAT + 1):
        shift = periods * per_period
        if shift < len(error) - 1 and (error[shift:] - error[:-shift]).std() <= SAME * size:
            return periods
    return 0


def _shown(branch: Branch) -> slice:
    """Records of the last mesh periods."""
    return slice(-SHOWN_PERIODS * branch.per_period - 1, None)


def _teeth(branches: dict[str, Branch], time: Floats) -> Values:
    """Of the first mesh, its teeth numbered as they come; none where they cannot be told apart."""
    parts: list[tuple[Integers, Floats]] = []
    for branch in branches.values():
        record = branch.record
        if not isinstance(record, Trajectory):
            return {}
        last = record.since(len(record.time) - SHOWN_PERIODS * branch.per_period - 1)
        told_apart = single_forces(branch.assembly, last)
        if told_apart is None:
            return {}
        parts.append(told_apart)
    most = max(len(teeth) for teeth, _ in parts)
    rows = len(parts[0][1])
    values = np.zeros((len(parts), rows, most))
    for k, (_, forces) in enumerate(parts):
        order = np.argsort(np.argmax(forces > 0, axis=0), kind="stable")
        values[k, :, : forces.shape[1]] = forces[:, order]
    first = next(iter(branches.values()))
    return {
        "tooth_force": values,
        "tooth_time": time[_shown(first)],
        "tooth": np.arange(1, most + 1),
    }


def _losses(branches: dict[str, Branch], time: Floats) -> Values:
    """A row for every interval without contact in the last mesh periods."""
    rows: list[tuple[str, str, float, float, float]] = []
    for name, branch in branches.items():
        last = _shown(branch)
        parted, at = separated(branch.assembly, branch.record)[last], time[last]
        period = (at[-1] - at[0]) / SHOWN_PERIODS
        for mesh, flags in zip(carrier_names(branch.assembly), parted.T, strict=True):
            edges = np.flatnonzero(np.diff(np.concatenate(([False], flags, [False])).astype(int)))
            for first, end in zip(edges[::2], edges[1::2], strict=True):
                lasts = float(at[min(end, len(at) - 1)] - at[first])
                rows.append((name, mesh, float(at[first]), lasts, lasts / period))
    if not rows:
        return {}
    branch_names, meshes, begins, durations, shares = zip(*rows, strict=True)
    return {
        "loss_branch": np.array(branch_names, dtype=str),
        "loss_mesh": np.array(meshes, dtype=str),
        "loss_begin": np.array(begins),
        "loss_duration": np.array(durations),
        "loss_share": np.array(shares),
        "loss": np.arange(1, len(rows) + 1),
    }
