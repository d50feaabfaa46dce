"""The 500 kW stage under a torque like that of turbulent wind (Figs. 7, 11, 13 and 15).

The paper's series comes from FLEX5 and is not printed. Ours is made from a seed: the rotor's torque
is a mean with slow changes, whose spectrum falls by f^(-5/3) beyond a corner (Kaimal), and the
passing of three blades; the generator follows more slowly.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from flank import api
from flank.arrays import Floats
from flank.reproduce.planetary.computing import (
    STAGE,
    STAGE_SPEED,
    STAGE_TORQUE,
    by_mesh,
    gearbox,
    mesh_name,
)

SEED = 7
INTENSITY, CORNER, PASSING = 0.12, 0.05, 0.03
"""Standard deviation of the slow changes over the mean, corner of their spectrum in Hz, and the
amplitude of blades that pass over the mean."""

RATIO, LAG = 5.55, 0.8
"""Of the stage; and of the generator, in s, with which it follows the rotor."""

POINT_STEP = 0.02
"""s between points of the series."""

SETTLED = 0.2
"""Share of the run that is left out of means and deviations."""


class Series(NamedTuple):
    """Times in s, torques of the rotor on the carrier and of the generator on the sun in N·m."""

    time: Floats
    rotor: Floats
    generator: Floats


def series(seed: int, duration: float) -> Series:
    """The same for the same seed, as far as it goes."""
    random = np.random.default_rng(seed)
    time = np.linspace(0.0, duration, round(duration / POINT_STEP) + 1)
    frequency = np.linspace(0.01, 5.0, 500)
    density = 1 / (1 + 1.5 * frequency / CORNER) ** (5 / 3)
    amplitude = np.sqrt(2 * density / density.sum()) * INTENSITY
    phase = random.uniform(0.0, 2 * math.pi, len(frequency))
    slow = amplitude @ np.cos(2 * math.pi * np.outer(frequency, time) + phase[:, None])
    blades = PASSING * np.sin(3 * STAGE_SPEED * time)
    rotor = STAGE_TORQUE * (1 + slow + blades)
    generator = np.empty_like(rotor)
    generator[0] = rotor[0]
    share = 1 - math.exp(-POINT_STEP / LAG)
    for k in range(1, len(time)):
        generator[k] = generator[k - 1] + share * (rotor[k] - generator[k - 1])
    return Series(time, rotor, -generator / RATIO)


class MeshRecord(NamedTuple):
    """Of one mesh over time: stiffness in N/m, roll length in m, forces of spring and damper on the
    second gear along x and y, (time, 2) in N."""

    stiffness: Floats
    roll: Floats
    spring: Floats
    damper: Floats


@dataclass(frozen=True)
class TurbulentRun:
    """Of the run: meshes of planet 1 by "sun" and "ring", accelerations in rad/s² by body, and the
    inertia torque of the sun in N·m. Means in N of tangential forces, and the rotor's mean torque
    in N·m, are those of the settled part."""

    time: Floats = field(default_factory=lambda: np.zeros(0))
    meshes: Mapping[str, MeshRecord] = field(default_factory=dict)
    acceleration: Mapping[str, Floats] = field(default_factory=dict)
    inertia_torque: Floats = field(default_factory=lambda: np.zeros(0))
    mean: Mapping[str, float] = field(default_factory=dict)
    mean_torque: float = math.nan
    complete: bool = False

    @property
    def settled(self) -> Any:
        return self.time > SETTLED * self.time[-1] if len(self.time) else self.time > 0

    @property
    def swing(self) -> float:
        """Standard deviation of the sun's inertia torque in N·m."""
        return float(self.inertia_torque[self.settled].std()) if self.complete else math.nan

    def damper_share(self, kind: str) -> float:
        """Largest force of the damper over that of the spring."""
        if not self.complete:
            return math.nan
        record = self.meshes[kind]
        sizes = [np.linalg.norm(force, axis=1) for force in (record.damper, record.spring)]
        return float(sizes[0][self.settled].max() / sizes[1][self.settled].max())


def turbulent_run(changes: dict[str, Any], duration: float, step: float) -> TurbulentRun:
    """Under the series of the seed, from the paper's speed."""
    given = series(SEED, duration)
    torques = {"carrier": given.rotor, "sun": given.generator}
    points = {
        name: np.stack((given.time, torque), axis=1).tolist() for name, torque in torques.items()
    }
    result = api.run(
        gearbox(STAGE, changes),
        "time-response",
        duration=duration,
        step=step,
        points=round(duration / step),
        initial_speed=STAGE_SPEED,
        torques=points,
    )
    if not result.complete:
        return TurbulentRun()
    time = result["time"].values
    settled = time > SETTLED * time[-1]
    names = [mesh_name(kind, 1) for kind in ("sun", "ring")]
    data = {
        name: by_mesh(result, name)
        for name in (
            "mesh_force",
            "spring_force",
            "damper_force",
            "force_components",
            "mesh_stiffness",
            "roll_length",
            "tangential_force",
        )
    }

    def record(mesh: str) -> MeshRecord:
        total = data["mesh_force"][mesh]
        along = data["force_components"][mesh] / np.where(total == 0, 1.0, total)[:, None]
        spring, damper = (data[f"{part}_force"][mesh][:, None] for part in ("spring", "damper"))
        stiffness, roll = data["mesh_stiffness"][mesh], data["roll_length"][mesh]
        return MeshRecord(stiffness, roll, spring * along, damper * along)

    turning = result["acceleration"]
    bodies = ("sun", "carrier", "planet 1")
    return TurbulentRun(
        time,
        {kind: record(mesh) for kind, mesh in zip(("sun", "ring"), names, strict=True)},
        {body: turning.sel(body=body).values for body in bodies},
        result["inertia_torque"].sel(body="sun").values,
        {mesh: float(force[settled].mean()) for mesh, force in data["tangential_force"].items()},
        float(np.interp(time[settled], given.time, given.rotor).mean()),
        complete=True,
    )
