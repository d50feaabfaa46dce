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
from numpy.typing import NDArray
from pydantic import Field

from flank.analyses.equilibria import joined
from flank.analyses.mesh_quantities import mesh_names, net_forces, parted
from flank.analyses.result import Quantity, Result, make_result
from flank.analyses.transmission_runs import ideal_velocity
from flank.analyses.warnings import contact_warnings
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import (
    DynamicSettings,
    Progress,
    Trajectory,
    solve_dynamics,
    solve_statics,
)
from flank.errors import SpecError
from flank.machines.base import Assembly, Machine
from flank.machines.quantities import Fraction, Torque, WholeNumber, quantity
from flank.machines.spec import Spec

NAME = "speed-sweep"
TITLE = "Speed sweep"

PositiveSpeed = Annotated[float, quantity("rad/s", "rpm", positive=True)]
Periods = Annotated[int, WholeNumber(minimum=1, maximum=100_000)]

POINTS_PER_PERIOD = 24
"""Of a mesh period that are looked at, at least."""

BREAKING = 20
"""Largest over mean force of a mesh beyond which a vibration is none that teeth survive."""

CHANGING = 0.1
"""Rms between the first and the last period, over that of the vibration, of which one is told."""


class SpeedSweepSettings(Spec):
    """Which speeds, and how long at each."""

    lowest: PositiveSpeed | None = Field(
        default=None,
        description="lowest input speed; a quarter of the operating point's if absent",
        examples=["200 rpm"],
    )
    highest: PositiveSpeed | None = Field(
        default=None,
        description="highest input speed; twice the operating point's if absent",
        examples=["4000 rpm"],
    )
    speeds: Annotated[int, WholeNumber(minimum=2, maximum=10_000)] = Field(
        default=30, description="the number of speeds in each direction", examples=[30]
    )
    direction: Literal["both", "up", "down"] = Field(
        default="both", description="in which order the speeds are taken", examples=["both"]
    )
    settling_periods: Periods = Field(
        default=60, description="mesh periods before a speed is looked at", examples=[60]
    )
    periods: Periods = Field(
        default=20, description="mesh periods that are looked at", examples=[20]
    )
    steps_per_period: Annotated[int, WholeNumber(minimum=16, maximum=100_000)] = Field(
        default=96, description="time steps in a mesh period", examples=[96]
    )
    torque: Torque | None = Field(
        default=None,
        description="the output torque; the operating point's if absent",
        examples=["200 N*m"],
    )
    spectral_radius: Fraction = Field(
        default=0.8, description="of generalized-alpha", examples=[0.8]
    )

    def cross_checks(self) -> Iterable[str]:
        if self.lowest is not None and self.highest is not None and self.lowest >= self.highest:
            yield "lowest is not below highest; give a range of speeds"


DEFAULTS = SpeedSweepSettings()


@dataclass(frozen=True)
class Reading:
    """What is seen at one speed."""

    error: NDArray  # of the output against the ideal ratio, over time
    force: NDArray  # (time, mesh), along the flank that carries more
    parted: NDArray  # share of the time without contact, by mesh
    change: float  # between the first and the last mesh period, over the vibration


def run(
    machine: Machine,
    settings: SpeedSweepSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """Dynamic transmission error, mesh forces and contact loss over the speed, up and down."""
    torque = machine.load_torque if settings.torque is None else settings.torque
    speeds = _speeds(machine, settings)
    ways = {"up": speeds, "down": speeds[::-1]}
    if settings.direction != "both":
        ways = {settings.direction: ways[settings.direction]}
    assembly = machine.assemble(constant(0.0), constant(torque))
    if not assembly.meshes:
        raise SpecError(f"{machine.title} has no gear meshes to look at; speed-sweep needs some")
    rest = solve_statics(assembly.model, machine.ideal_pose(0.0), np.array([0.0]))
    state = Moving(rest.position[-1], np.zeros_like(assembly.pose), 0.0, 0.0)
    runs, readings = [rest], {}
    for number, (name, way) in enumerate(ways.items() if rest.complete else ()):

        def report(share: float, number: int = number) -> None:
            if progress is not None:
                progress((number + share) / len(ways))

        found, trajectory, state = _sweep(machine, settings, torque, way, state, report)
        readings[name] = found
        runs.append(trajectory)
        if not trajectory.complete:
            break
    whole = joined(runs)
    quantities: dict[str, Quantity] = {}
    coordinates: dict[str, Quantity] = {}
    if any(readings.values()):
        quantities, coordinates = _quantities(machine, assembly, readings, speeds, torque)
    warnings = contact_warnings(assembly, whole.touches, static=False)
    warnings += [*_unsettled(readings), *_broken(readings)]
    return make_result(NAME, machine, settings, whole, quantities, coordinates, warnings)


def _speeds(machine: Machine, settings: SpeedSweepSettings) -> NDArray:
    lowest = settings.lowest or 0.25 * machine.input_speed
    highest = settings.highest or 2.0 * machine.input_speed
    if not 0 < lowest < highest:
        raise SpecError(
            f"lowest is {lowest:.4g} rad/s and highest {highest:.4g} rad/s; give a rising range"
        )
    return np.linspace(lowest, highest, settings.speeds)


@dataclass(frozen=True)
class Moving:
    """Where a machine is, and how it moves, when one speed ends and the next begins."""

    position: NDArray
    velocity: NDArray
    angle: float
    speed: float


def _sweep(
    machine: Machine,
    settings: SpeedSweepSettings,
    torque: float,
    speeds: NDArray,
    state: Moving,
    progress: Progress,
) -> tuple[list[Reading], Trajectory, Moving]:
    """All speeds one after the other; the end of the last stands for the run."""
    stride = max(settings.steps_per_period // POINTS_PER_PERIOD, 1)
    per_period = math.ceil(settings.steps_per_period / stride)
    found: list[Reading] = []
    counters = Counter[str]()
    for k, speed in enumerate(speeds):
        faster = (speed - state.speed) * ideal_velocity(machine, state.angle)
        assembly = machine.assemble(linear(speed, state.angle), constant(torque))
        period = 2 * math.pi / (machine.orders["mesh"] * speed)
        duration = (settings.settling_periods + settings.periods) * period
        step = period / (stride * per_period)
        whole = solve_dynamics(
            assembly.model,
            state.position,
            duration,
            DynamicSettings(step, spectral_radius=settings.spectral_radius),
            velocity=state.velocity + faster,
            stride=stride,
        )
        counters.update(whole.counters)
        last = whole.since(settings.settling_periods * per_period)
        if not whole.complete:
            break
        angles = state.angle + speed * last.time
        found.append(_reading(machine, assembly, last, angles, per_period))
        angle = state.angle + speed * duration
        state = Moving(whole.position[-1], whole.velocity[-1], angle, float(speed))
        progress((k + 1) / len(speeds))
    return found, replace(last, counters=dict(counters)), state


def _reading(
    machine: Machine, assembly: Assembly, seen: Trajectory, angles: NDArray, per_period: int
) -> Reading:
    error = seen.position[:, assembly.output_body, 2] - angles / machine.ratio
    forces = net_forces(assembly, seen)
    carried = forces * np.sign(forces.mean(axis=0))
    change = (error[-1 - per_period : -1] - error[:per_period]).std()
    size = error.std()
    apart = parted(assembly, seen).mean(axis=0)
    return Reading(error, carried, apart, float(change / size) if size else 0.0)


def _unsettled(readings: Mapping[str, Sequence[Reading]]) -> list[str]:
    """That vibrations do not repeat where they were looked at."""
    seen = [one for way in readings.values() for one in way]
    changing = sum(one.change > CHANGING for one in seen)
    if not changing:
        return []
    return [
        f"At {changing} of {len(seen)} speeds the vibration changes by more than {CHANGING:.0%} "
        "between the mesh periods looked at: it has not settled (use more settling_periods), or is "
        "not periodic with the mesh, as with run-out or parting teeth."
    ]


def _broken(readings: Mapping[str, Sequence[Reading]]) -> list[str]:
    """That teeth would carry what no teeth do: a vibration that damping does not bound."""
    seen = [one for way in readings.values() for one in way]
    over = sum(
        bool(np.any(one.force.max(axis=0) > BREAKING * one.force.mean(axis=0))) for one in seen
    )
    if not over:
        return []
    return [
        f"At {over} of {len(seen)} speeds the largest mesh force is more than {BREAKING} times the "
        "mean: the changing stiffness feeds a vibration that the damping given does not bound, and "
        "teeth would break. Use more damping, or stay below these speeds."
    ]


def _quantities(
    machine: Machine,
    assembly: Assembly,
    readings: Mapping[str, Sequence[Reading]],
    speeds: NDArray,
    torque: float,
) -> tuple[dict[str, Quantity], dict[str, Quantity]]:
    over, by_mesh = ("direction", "speed"), ("direction", "speed", "mesh")

    def of(read: Callable[[Reading], NDArray | float]) -> NDArray:
        """By direction and speed; not a number where a run that stopped early never came."""
        like = np.asarray(next(read(one) for way in readings.values() for one in way))
        values = np.full((len(readings), len(speeds), *like.shape), np.nan)
        for k, (name, way) in enumerate(readings.items()):
            for n, one in enumerate(way):
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
    frequency = machine.orders["mesh"] * speeds / (2 * math.pi)
    return found, {
        "direction": Quantity(
            ("direction",), np.array(list(readings), dtype=str), "", "", "Direction"
        ),
        "speed": Quantity(("speed",), speeds, "rad/s", "rpm", "Input speed"),
        "mesh_frequency": Quantity(("speed",), frequency, "1/s", "Hz", "Mesh frequency"),
    } | mesh_names(assembly)
