"""The gearbox of Table 1 under its torque, and its natural periods."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flank import api
from flank.reproduce.planetary.gearboxes import PRESET, by_mesh, gearbox

TORQUE, PULSE, DURATION = -4.0, 2.0, 5.0
"""N·m on the carrier, how long, and how long the run is, in s (Table 1a)."""


@dataclass(frozen=True)
class Swing:
    """Final carrier angle in degrees, and tooth forces in N over time by the name of the mesh."""

    angle: float
    time: NDArray
    normal: dict[str, NDArray]
    tangential: dict[str, NDArray]
    complete: bool


@dataclass(frozen=True)
class Periods:
    """Of the two modes in which all planets move alike, in s."""

    first: float
    second: float
    complete: bool


def swing(changes: dict[str, Any], step: float, spectral_radius: float) -> Swing:
    """From rest, the torque removed after two seconds."""
    result = api.run(
        gearbox(PRESET, changes),
        "time-response",
        duration=DURATION,
        step=step,
        points=round(DURATION / step),
        spectral_radius=spectral_radius,
        initial_speed=0.0,
        torques={"carrier": [[0.0, TORQUE], [PULSE, TORQUE], [PULSE, 0.0]]},
    )
    if not result.complete:
        return Swing(math.nan, np.zeros(0), {}, {}, complete=False)
    return Swing(
        math.degrees(float(result["final_input_angle"])),
        result["time"].values,
        by_mesh(result, "mesh_force"),
        by_mesh(result, "tangential_force"),
        complete=True,
    )


def natural_periods(changes: dict[str, Any]) -> Periods:
    machine = gearbox(PRESET, changes)
    result = api.run(machine, "natural-frequencies", input="free", torque=0.0)
    if not result.complete:
        return Periods(math.nan, math.nan, complete=False)
    frequencies = result["frequency"].values
    if machine.spec.planets.count > 1:
        frequencies = frequencies[result["family"].values == "rotational"]
    first, second = (1.0 / float(frequency) for frequency in frequencies)
    return Periods(first, second, complete=True)
