"""Speed sweep: a machine under load at rising and falling speeds, and where its teeth part.

Every speed starts from where the one before it ended, so that the two directions differ where
several motions are possible (jumps at resonances with contact loss). At each speed the machine
settles for some mesh periods and is looked at for some more.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from flank.analyses.forces import MESH_NAMES, mesh_names
from flank.analyses.orders import has_teeth, tooth_order
from flank.analyses.quantities import Declared, Quantities, Values
from flank.analyses.result import Result, make_result
from flank.analyses.runs import ideal_velocity, partial_progress
from flank.analyses.settings import LoadTorque
from flank.analyses.warnings import contact_warnings, load_warnings
from flank.arrays import Floats
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import Progress, settings_for, solve_dynamics, solve_statics
from flank.dynamics.trajectory import AnyTrajectory, Pose, joined
from flank.errors import SpecError
from flank.machines.base import Assembly, Drive, Reducer
from flank.machines.mesh_forces import net_forces, separated
from flank.machines.quantities import Fraction, WholeNumber, quantity
from flank.machines.spec import Spec, key, optional

OVER, BY_MESH = "direction speed", "direction speed mesh"

QUANTITIES = Quantities(
    "speed-sweep",
    {
        "torque": Declared("Output torque", "N*m"),
        "resonance_speed": Declared("Input speed of the largest vibration", "rad/s", "rpm"),
        "largest_error": Declared("Largest dynamic transmission error (rms)", "rad", "arcsec"),
        "dynamic_factor": Declared("Largest mesh force over its mean"),
        "largest_contact_loss": Declared("Largest share of time without contact", "", "percent"),
        "error_rms": Declared("Dynamic transmission error (rms)", "rad", "arcsec", OVER),
        "error_span": Declared("Dynamic transmission error, peak to peak", "rad", "arcsec", OVER),
        "force_mean": Declared("Mean mesh force", "N", "kN", BY_MESH),
        "force_rms": Declared("Mesh force about its mean (rms)", "N", "kN", BY_MESH),
        "force_largest": Declared("Largest mesh force", "N", "kN", BY_MESH),
        "contact_loss": Declared("Share of time without contact", "", "percent", BY_MESH),
    },
    {
        "direction": Declared("Direction", over="direction"),
        "speed": Declared("Input speed", "rad/s", "rpm", "speed"),
        "mesh_frequency": Declared("Mesh frequency", "1/s", "Hz", "speed"),
        **MESH_NAMES,
    },
)

POINTS_PER_PERIOD = 24
"""Of a mesh period that are looked at, at least."""

LARGEST_FORCE_RATIO = 20
"""Mesh force over that of the rated torque beyond which a vibration is none that teeth survive."""

PositiveSpeed = Annotated[float, quantity("rad/s", "rpm", positive=True)]
Periods = Annotated[int, WholeNumber(minimum=1, maximum=100_000)]

LARGEST_CHANGE = 0.1
"""Rms between the first and the last period, over that of the vibration, of which one is told."""


STEPS, PIN_STEPS = 96, 480
"""In a mesh period: pins pass more slowly than teeth and rub on their way."""


class SpeedSweepSettings(Spec):
    """Which speeds, and how long at each."""

    lowest: PositiveSpeed | None = optional(
        "lowest input speed; a quarter of the operating point's if absent", "200 rpm"
    )
    highest: PositiveSpeed | None = optional(
        "highest input speed; twice the operating point's if absent", "4000 rpm"
    )
    speeds: Annotated[int, WholeNumber(minimum=2, maximum=10_000)] = key(
        "the number of speeds in each direction", default=30
    )
    direction: Literal["both", "up", "down"] = key(
        "in which order the speeds are taken", default="both"
    )
    settling_periods: Periods = key("mesh periods before a speed is looked at", default=60)
    periods: Periods = key("mesh periods that are looked at", default=20)
    steps_per_period: Annotated[int, WholeNumber(minimum=16, maximum=100_000)] | None = optional(
        f"time steps in a mesh period; if absent {STEPS}, or {PIN_STEPS} where pins "
        "pass and the teeth of a first stage are springs",
        STEPS,
    )
    torque: LoadTorque = None
    spectral_radius: Fraction = key("of generalized-alpha", default=0.8)

    def cross_checks(self) -> Iterable[str]:
        if self.lowest is not None and self.highest is not None and self.lowest >= self.highest:
            yield "lowest is not below highest; give a range of speeds"


DEFAULTS = SpeedSweepSettings()


@dataclass(frozen=True)
class Reading:
    """What is seen at one speed."""

    error: Floats  # of the output against the ideal ratio, over time
    force: Floats  # (time, mesh), along the flank that carries more
    contact_loss: Floats  # share of the time without contact, by mesh
    change: float  # between the first and the last mesh period, over the vibration

    @property
    def factor(self) -> float:
        """Largest over mean force, of the worst mesh."""
        return float(np.max(self.force.max(axis=0) / np.abs(self.force.mean(axis=0))))


OVERLOADED = Reading(np.zeros(0), np.zeros((0, 0)), np.zeros(0), 0.0)
"""Stands for a speed at which teeth would break."""


@dataclass(frozen=True)
class MotionState:
    """Where a machine is, and how it moves, when one speed ends and the next begins."""

    pose: Pose
    velocity: Floats | None  # none at rest
    angle: float
    speed: float


def run(
    machine: Reducer,
    settings: SpeedSweepSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """Dynamic transmission error, mesh forces and contact loss over the speed, up and down."""
    torque = machine.load_torque if settings.torque is None else settings.torque
    speeds = _speeds(machine, settings)
    sequences = {"up": speeds, "down": speeds[::-1]}
    if settings.direction != "both":
        sequences = {settings.direction: sequences[settings.direction]}
    assembly = machine.assemble(Drive.of_ends(constant(0.0), constant(torque)))
    ideal = machine.ideal_pose(0.0)
    equilibrium = solve_statics(assembly.model, ideal, np.array([0.0]))
    start = MotionState(equilibrium.last if equilibrium.complete else ideal, None, 0.0, 0.0)
    state, runs = start, [equilibrium]
    readings: dict[str, list[Reading]] = {}
    for number, (name, sequence) in enumerate(sequences.items() if equilibrium.complete else ()):
        report_progress = partial_progress(progress, number, len(sequences))
        readings[name], trajectory, state = sweep(
            machine, settings, torque, sequence, (start, state), report_progress
        )
        runs.append(trajectory)
        if not trajectory.complete:
            break
    joined_runs = joined(runs)
    values: Values = {}
    if any(valid_readings(sequence) for sequence in readings.values()):
        values = _values(machine, readings, speeds, torque) | mesh_names(assembly)
    warnings = contact_warnings(assembly, joined_runs, static=False)
    warnings += load_warnings(machine, assembly, torque, equilibrium)
    warnings += [*_settling_warnings(readings), *_overloaded_warnings(readings)]
    return make_result(QUANTITIES, machine, settings, joined_runs, values, warnings)


def _speeds(machine: Reducer, settings: SpeedSweepSettings) -> Floats:
    lowest = settings.lowest or 0.25 * machine.input_speed
    highest = settings.highest or 2.0 * machine.input_speed
    if not 0 < lowest < highest:
        raise SpecError(
            f"lowest is {lowest:.4g} rad/s and highest {highest:.4g} rad/s; give a rising range"
        )
    return np.linspace(lowest, highest, settings.speeds)


def sweep(
    machine: Reducer,
    settings: SpeedSweepSettings,
    torque: float,
    speeds: Floats,
    states: tuple[MotionState, MotionState],
    progress: Progress | None,
) -> tuple[list[Reading], AnyTrajectory, MotionState]:
    """All speeds one after the other; the end of the last stands for the run.

    `states` are the machine at rest, from which it starts anew where teeth would break, and as it
    was left.
    """
    start, state = states
    strongest = LARGEST_FORCE_RATIO * machine.rated_torque / abs(torque) if torque else math.inf
    steps = settings.steps_per_period or (STEPS if has_teeth(machine) else PIN_STEPS)
    stride = max(steps // POINTS_PER_PERIOD, 1)
    per_period = math.ceil(steps / stride)
    readings: list[Reading] = []
    counters = Counter[str]()
    for k, speed in enumerate(speeds):
        velocity_change = (speed - state.speed) * ideal_velocity(machine, state.angle)
        turned = linear(speed, state.angle)
        assembly = machine.assemble(Drive.of_ends(turned, constant(torque), in_time=True))
        period = 2 * math.pi / (tooth_order(machine) * speed)
        duration = (settings.settling_periods + settings.periods) * period
        step = period / (stride * per_period)
        run = solve_dynamics(
            assembly.model,
            state.pose,
            duration,
            settings_for(assembly.model, step, settings.spectral_radius),
            velocity_change if state.velocity is None else state.velocity + velocity_change,
            stride=stride,
        )
        counters.update(run.counters)
        last = run.since(settings.settling_periods * per_period)
        if not run.complete:
            break
        angles = state.angle + speed * last.time
        readings.append(_reading(machine, assembly, last, angles, per_period))
        angle = state.angle + speed * duration
        state = MotionState(run.last, run.velocity[-1], angle, float(speed))
        if readings[-1].factor > strongest:
            readings[-1], state = OVERLOADED, start
        if progress is not None:
            progress((k + 1) / len(speeds))
    return readings, replace(last, counters=dict(counters)), state


def _reading(
    machine: Reducer, assembly: Assembly, trajectory: AnyTrajectory, angles: Floats, per_period: int
) -> Reading:
    ideal = angles / machine.ratio
    error = trajectory.angle(assembly.output_shaft, near=ideal[0]) - ideal
    forces = net_forces(assembly, trajectory)
    carried = forces * np.sign(forces.mean(axis=0))
    change = (error[-1 - per_period : -1] - error[:per_period]).std()
    size = error.std()
    contact_loss = separated(assembly, trajectory).mean(axis=0)
    return Reading(error, carried, contact_loss, float(change / size) if size else 0.0)


def valid_readings(sequence: Sequence[Reading]) -> list[Reading]:
    return [reading for reading in sequence if reading is not OVERLOADED]


def _values(
    machine: Reducer, readings: Mapping[str, Sequence[Reading]], speeds: Floats, torque: float
) -> Values:
    def of(read: Callable[[Reading], Floats | float]) -> Floats:
        """By direction and speed; not a number where teeth broke or the run never came."""
        like = np.asarray(
            next(read(reading) for each in readings.values() for reading in valid_readings(each))
        )
        values = np.full((len(readings), len(speeds), *like.shape), np.nan)
        for k, (name, sequence) in enumerate(readings.items()):
            for n, reading in enumerate(sequence):
                if reading is not OVERLOADED:
                    values[k, n if name == "up" else len(speeds) - 1 - n] = read(reading)
        return values

    swing = of(lambda reading: float(reading.error.std()))
    largest = of(lambda reading: reading.force.max(axis=0))
    mean = of(lambda reading: reading.force.mean(axis=0))
    contact_loss = of(lambda reading: reading.contact_loss)
    peak = np.unravel_index(int(np.nanargmax(swing)), swing.shape)
    return {
        "torque": torque,
        "resonance_speed": speeds[peak[1]],
        "largest_error": swing[peak],
        "dynamic_factor": float(np.nanmax(largest / mean)),
        "largest_contact_loss": np.nanmax(contact_loss),
        "error_rms": swing,
        "error_span": of(lambda reading: float(np.ptp(reading.error))),
        "force_mean": mean,
        "force_rms": of(lambda reading: reading.force.std(axis=0)),
        "force_largest": largest,
        "contact_loss": contact_loss,
        "direction": np.array(list(readings), dtype=str),
        "speed": speeds,
        "mesh_frequency": tooth_order(machine) * speeds / (2 * math.pi),
    }


def _settling_warnings(readings: Mapping[str, Sequence[Reading]]) -> list[str]:
    """That vibrations do not repeat where they were looked at."""
    all_readings = [r for sequence in readings.values() for r in valid_readings(sequence)]
    changing = sum(reading.change > LARGEST_CHANGE for reading in all_readings)
    if not changing:
        return []
    return [
        f"At {changing} of {len(all_readings)} speeds the vibration changes by more than "
        f"{LARGEST_CHANGE:.0%} between the mesh periods looked at: it has not settled (use more "
        "settling_periods), or is not periodic with the mesh, as with run-out or parting teeth."
    ]


def _overloaded_warnings(readings: Mapping[str, Sequence[Reading]]) -> list[str]:
    """That teeth would carry what no teeth do: a vibration that damping does not bound."""
    all_readings = [reading for sequence in readings.values() for reading in sequence]
    over = sum(reading is OVERLOADED for reading in all_readings)
    if not over:
        return []
    return [
        f"{over} of {len(all_readings)} speeds are left out: mesh forces there exceed "
        f"{LARGEST_FORCE_RATIO} times those of the rated torque, as the changing stiffness feeds a "
        "vibration that the damping given does not bound. The speed after each starts from rest."
    ]
