"""What is seen at each speed of a sweep: vibration, mesh forces, contact loss."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from flank.analyses.mesh_quantities import mesh_names
from flank.analyses.orders import STAGE
from flank.analyses.result import Quantity
from flank.analyses.transmission_runs import ideal_velocity
from flank.arrays import Floats
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import Progress, settings_for, solve_dynamics
from flank.dynamics.trajectory import AnyTrajectory, Pose
from flank.machines.base import Assembly, Drive, Reducer
from flank.machines.mesh_forces import net_forces, parted

POINTS_PER_PERIOD = 24
"""Of a mesh period that are looked at, at least."""

BREAKING = 20
"""Mesh force over that of the rated torque beyond which a vibration is none that teeth survive."""


@dataclass(frozen=True)
class Stay:
    """How long a machine stays at a speed, in mesh periods, and how finely it is integrated."""

    settling: int
    seen: int
    steps: int
    spectral_radius: float


@dataclass(frozen=True)
class Reading:
    """What is seen at one speed."""

    error: Floats  # of the output against the ideal ratio, over time
    force: Floats  # (time, mesh), along the flank that carries more
    parted: Floats  # share of the time without contact, by mesh
    change: float  # between the first and the last mesh period, over the vibration

    @property
    def factor(self) -> float:
        """Largest over mean force, of the worst mesh."""
        return float(np.max(self.force.max(axis=0) / np.abs(self.force.mean(axis=0))))


BROKEN = Reading(np.zeros(0), np.zeros((0, 0)), np.zeros(0), 0.0)
"""Stands for a speed at which teeth would break."""


@dataclass(frozen=True)
class Moving:
    """Where a machine is, and how it moves, when one speed ends and the next begins."""

    pose: Pose
    velocity: Floats | None  # none at rest
    angle: float
    speed: float


def tooth_order(machine: Reducer) -> float:
    """Teeth that pass in a turn of the input: in its meshes, in a ring, or in a first stage; pins
    where that is a spring."""
    orders = machine.orders
    return next(orders[name] for name in ("mesh", "tooth", STAGE, "pin") if name in orders)


def sweep(
    machine: Reducer,
    stay: Stay,
    torque: float,
    speeds: Floats,
    states: tuple[Moving, Moving],
    progress: Progress,
) -> tuple[list[Reading], AnyTrajectory, Moving]:
    """All speeds one after the other; the end of the last stands for the run.

    `states` are the machine at rest, from which it starts anew where teeth would break, and as it
    was left.
    """
    start, state = states
    strongest = BREAKING * machine.rated_torque / abs(torque) if torque else math.inf
    stride = max(stay.steps // POINTS_PER_PERIOD, 1)
    per_period = math.ceil(stay.steps / stride)
    found: list[Reading] = []
    counters = Counter[str]()
    for k, speed in enumerate(speeds):
        faster = (speed - state.speed) * ideal_velocity(machine, state.angle)
        turned = linear(speed, state.angle)
        assembly = machine.assemble(Drive.of_ends(turned, constant(torque), in_time=True))
        period = 2 * math.pi / (tooth_order(machine) * speed)
        duration = (stay.settling + stay.seen) * period
        step = period / (stride * per_period)
        whole = solve_dynamics(
            assembly.model,
            state.pose,
            duration,
            settings_for(assembly.model, step, stay.spectral_radius),
            faster if state.velocity is None else state.velocity + faster,
            stride=stride,
        )
        counters.update(whole.counters)
        last = whole.since(stay.settling * per_period)
        if not whole.complete:
            break
        angles = state.angle + speed * last.time
        found.append(_reading(machine, assembly, last, angles, per_period))
        angle = state.angle + speed * duration
        state = Moving(whole.last, whole.velocity[-1], angle, float(speed))
        if found[-1].factor > strongest:
            found[-1], state = BROKEN, start
        progress((k + 1) / len(speeds))
    return found, replace(last, counters=dict(counters)), state


def _reading(
    machine: Reducer, assembly: Assembly, seen: AnyTrajectory, angles: Floats, per_period: int
) -> Reading:
    ideal = angles / machine.ratio
    error = seen.angle(assembly.output_shaft, near=ideal[0]) - ideal
    forces = net_forces(assembly, seen)
    carried = forces * np.sign(forces.mean(axis=0))
    change = (error[-1 - per_period : -1] - error[:per_period]).std()
    size = error.std()
    apart = parted(assembly, seen).mean(axis=0)
    return Reading(error, carried, apart, float(change / size) if size else 0.0)


def sound(way: Sequence[Reading]) -> list[Reading]:
    return [one for one in way if one is not BROKEN]


def sweep_quantities(
    machine: Reducer,
    assembly: Assembly,
    readings: Mapping[str, Sequence[Reading]],
    speeds: Floats,
    torque: float,
) -> tuple[dict[str, Quantity], dict[str, Quantity]]:
    over, by_mesh = ("direction", "speed"), ("direction", "speed", "mesh")

    def of(read: Callable[[Reading], Floats | float]) -> Floats:
        """By direction and speed; not a number where teeth broke or the run never came."""
        like = np.asarray(next(read(one) for way in readings.values() for one in sound(way)))
        values = np.full((len(readings), len(speeds), *like.shape), np.nan)
        for k, (name, way) in enumerate(readings.items()):
            for n, one in enumerate(way):
                if one is not BROKEN:
                    values[k, n if name == "up" else len(speeds) - 1 - n] = read(one)
        return values

    swing = of(lambda one: float(one.error.std()))
    largest = of(lambda one: one.force.max(axis=0))
    mean = of(lambda one: one.force.mean(axis=0))
    rms = of(lambda one: one.force.std(axis=0))
    apart = of(lambda one: one.parted)
    peak = np.unravel_index(int(np.nanargmax(swing)), swing.shape)
    found = {
        "torque": Quantity((), torque, "N*m", "N*m", "Output torque"),
        "resonance_speed": Quantity(
            (), speeds[peak[1]], "rad/s", "rpm", "Input speed of the largest vibration"
        ),
        "largest_error": Quantity(
            (), swing[peak], "rad", "arcsec", "Largest dynamic transmission error (rms)"
        ),
        "dynamic_factor": Quantity(
            (), float(np.nanmax(largest / mean)), "", "", "Largest mesh force over its mean"
        ),
        "largest_contact_loss": Quantity(
            (), np.nanmax(apart), "", "percent", "Largest share of time without contact"
        ),
        "error_rms": Quantity(over, swing, "rad", "arcsec", "Dynamic transmission error (rms)"),
        "error_span": Quantity(
            over,
            of(lambda one: float(np.ptp(one.error))),
            "rad",
            "arcsec",
            "Dynamic transmission error, peak to peak",
        ),
        "force_mean": Quantity(by_mesh, mean, "N", "kN", "Mean mesh force"),
        "force_rms": Quantity(by_mesh, rms, "N", "kN", "Mesh force about its mean (rms)"),
        "force_largest": Quantity(by_mesh, largest, "N", "kN", "Largest mesh force"),
        "contact_loss": Quantity(by_mesh, apart, "", "percent", "Share of time without contact"),
    }
    frequency = tooth_order(machine) * speeds / (2 * math.pi)
    return found, {
        "direction": Quantity(
            ("direction",), np.array(list(readings), dtype=str), "", "", "Direction"
        ),
        "speed": Quantity(("speed",), speeds, "rad/s", "rpm", "Input speed"),
        "mesh_frequency": Quantity(("speed",), frequency, "1/s", "Hz", "Mesh frequency"),
    } | mesh_names(assembly)
