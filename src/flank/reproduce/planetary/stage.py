"""The 500 kW stage under a constant torque: what each planet carries."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flank import api
from flank.analyses.result import Result
from flank.machines.planetary.gearbox import PlanetaryGearbox
from flank.reproduce.planetary.gearboxes import STAGE, by_mesh, gearbox

STAGE_TORQUE, STAGE_SPEED = 155.9e3, 2.86
"""N·m on the carrier, and its speed in rad/s. The torque follows from 272 and 277 kN (Fig. 14)."""

RUNGS = ("rigid", "spring", "table", "contact")


@dataclass(frozen=True)
class StageRun:
    """Forces of the stage in N: by mesh, their means and standard deviations, and over time.

    `inertia_torque` is the standard deviation of I θ̈ of the sun in N·m.
    """

    angle: float
    mean: dict[str, float]
    normal: dict[str, float]
    deviation: dict[str, float]
    inertia_torque: float
    time: NDArray
    tangential: dict[str, NDArray]
    complete: bool


def stage_run(changes: dict[str, Any], duration: float, step: float, cycles: int) -> StageRun:
    """At the paper's speed; forces are averaged over the last whole mesh cycles."""
    machine = gearbox(STAGE, changes)
    load = -STAGE_TORQUE * machine.ratio
    result = api.run(
        machine,
        "time-response",
        duration=duration,
        step=step,
        points=round(duration / step),
        initial_speed=STAGE_SPEED,
        torques={"carrier": STAGE_TORQUE, "sun": load},
    )
    if not result.complete:
        return StageRun(math.nan, {}, {}, {}, math.nan, np.zeros(0), {}, complete=False)
    return _read(machine, result, load, cycles)


@dataclass(frozen=True)
class RestingSwing:
    """Standard deviation in N of the sun's tangential force on planet 1 over one mesh cycle."""

    deviation: float
    complete: bool


def resting_swing(changes: dict[str, Any]) -> RestingSwing:
    """By equilibria, so without any dynamics."""
    machine = gearbox(STAGE, changes)
    result = api.run(machine, "load-sharing", error_points=0)
    if not result.complete:
        return RestingSwing(math.nan, complete=False)
    cosine = math.cos(machine.layout.gears.sun_planet.working_angle)
    return RestingSwing(float(result["sun_force"].values[:, 0].std()) * cosine, complete=True)


def _read(machine: PlanetaryGearbox, result: Result, load: float, cycles: int) -> StageRun:
    time = result["time"].values
    cycle = 2 * math.pi / (machine.orders["mesh"] * STAGE_SPEED)
    last = time > time[-1] - cycles * cycle
    normal, tangential = (by_mesh(result, name) for name in ("mesh_force", "tangential_force"))
    on_sun = sum(force for mesh, force in normal.items() if mesh.startswith("sun/"))
    inertia = load - machine.spec.sun_gear.base_radius * np.asarray(on_sun)
    return StageRun(
        math.degrees(float(result["final_input_angle"])),
        {mesh: float(force[last].mean()) for mesh, force in tangential.items()},
        {mesh: float(force[last].mean()) for mesh, force in normal.items()},
        {mesh: float(force[last].std()) for mesh, force in tangential.items()},
        float(inertia[last].std()),
        time[last],
        {mesh: force[last] for mesh, force in tangential.items()},
        complete=True,
    )
