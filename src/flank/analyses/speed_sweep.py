"""Speed sweep: a machine under load at rising and falling speeds, and where its teeth part.

Every speed starts from where the one before it ended, so that the two directions differ where
several motions are possible (jumps at resonances with contact loss). At each speed the machine
settles for some mesh periods and is looked at for some more.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from flank.analyses.load_warnings import load_warnings
from flank.analyses.result import Quantity, Result, make_result
from flank.analyses.sweep_readings import (
    BREAKING,
    BROKEN,
    Moving,
    Reading,
    Stay,
    has_teeth,
    sound,
    sweep,
    sweep_quantities,
)
from flank.analyses.warnings import contact_warnings
from flank.dynamics.functions import constant
from flank.dynamics.run import Progress, solve_statics
from flank.dynamics.trajectory import joined
from flank.errors import SpecError
from flank.machines.base import Drive, Reducer
from flank.machines.quantities import Fraction, Torque, WholeNumber, quantity
from flank.machines.spec import Spec

NAME = "speed-sweep"
TITLE = "Speed sweep"

PositiveSpeed = Annotated[float, quantity("rad/s", "rpm", positive=True)]
Periods = Annotated[int, WholeNumber(minimum=1, maximum=100_000)]

CHANGING = 0.1
"""Rms between the first and the last period, over that of the vibration, of which one is told."""


STEPS, PIN_STEPS = 96, 480
"""In a mesh period: pins pass more slowly than teeth and rub on their way."""


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
    steps_per_period: Annotated[int, WholeNumber(minimum=16, maximum=100_000)] | None = Field(
        default=None,
        description=f"time steps in a mesh period; if absent {STEPS}, or {PIN_STEPS} where pins "
        "pass and the teeth of a first stage are springs",
        examples=[STEPS],
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


def run(
    machine: Reducer,
    settings: SpeedSweepSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """Dynamic transmission error, mesh forces and contact loss over the speed, up and down."""
    torque = machine.load_torque if settings.torque is None else settings.torque
    speeds = _speeds(machine, settings)
    ways = {"up": speeds, "down": speeds[::-1]}
    if settings.direction != "both":
        ways = {settings.direction: ways[settings.direction]}
    assembly = machine.assemble(Drive.of_ends(constant(0.0), constant(torque)))
    ideal = machine.ideal_pose(0.0)
    rest = solve_statics(assembly.model, ideal, np.array([0.0]))
    start = Moving(rest.last if rest.complete else ideal, None, 0.0, 0.0)
    stay = Stay(
        settings.settling_periods,
        settings.periods,
        settings.steps_per_period or (STEPS if has_teeth(machine) else PIN_STEPS),
        settings.spectral_radius,
    )
    state, runs = start, [rest]
    readings: dict[str, list[Reading]] = {}
    for number, (name, way) in enumerate(ways.items() if rest.complete else ()):

        def report(share: float, number: int = number) -> None:
            if progress is not None:
                progress((number + share) / len(ways))

        found, trajectory, state = sweep(machine, stay, torque, way, (start, state), report)
        readings[name] = found
        runs.append(trajectory)
        if not trajectory.complete:
            break
    whole = joined(runs)
    quantities: dict[str, Quantity] = {}
    coordinates: dict[str, Quantity] = {}
    if any(sound(way) for way in readings.values()):
        quantities, coordinates = sweep_quantities(machine, assembly, readings, speeds, torque)
    warnings = contact_warnings(assembly, whole, static=False)
    warnings += load_warnings(machine, assembly, torque, rest)
    warnings += [*_unsettled(readings), *_broken(readings)]
    return make_result(NAME, machine, settings, whole, quantities, coordinates, warnings)


def _speeds(machine: Reducer, settings: SpeedSweepSettings) -> NDArray:
    lowest = settings.lowest or 0.25 * machine.input_speed
    highest = settings.highest or 2.0 * machine.input_speed
    if not 0 < lowest < highest:
        raise SpecError(
            f"lowest is {lowest:.4g} rad/s and highest {highest:.4g} rad/s; give a rising range"
        )
    return np.linspace(lowest, highest, settings.speeds)


def _unsettled(readings: Mapping[str, Sequence[Reading]]) -> list[str]:
    """That vibrations do not repeat where they were looked at."""
    seen = [one for way in readings.values() for one in sound(way)]
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
    over = sum(one is BROKEN for one in seen)
    if not over:
        return []
    return [
        f"{over} of {len(seen)} speeds are left out: mesh forces there exceed {BREAKING} times "
        "those of the rated torque, as the changing stiffness feeds a vibration that the damping "
        "given does not bound. The speed after each starts from rest."
    ]
