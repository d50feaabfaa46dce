"""A planetary stage under the torque of a rotor in turbulent wind, read from a CSV file.

python examples/turbulent_torque.py

The series is made here, from a seed: the source of the stage shows such torques, and has no file of
them. The rotor's torque is a mean with slow changes of the wind, whose spectrum falls by f^(-5/3)
beyond a corner (Kaimal), and the passing of three blades; the generator follows more slowly.
"""

import math
import tempfile
from pathlib import Path

import numpy as np

import flank
from flank.analyses.result import Result

MEAN, SPEED = 155.9e3, 2.86
"""N·m on the carrier and rad/s, of the operating point."""

INTENSITY, CORNER, PASSING = 0.12, 0.05, 0.03
"""Standard deviation of the slow changes over the mean, corner of their spectrum in Hz, and the
amplitude of blades that pass over the mean."""

RATIO, LAG = 5.55, 0.8
"""Of the stage; and of the generator, in s, with which it follows the rotor."""

STEP = 0.02
"""s between points of the series."""


def series(seed: int, duration: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Times in s, torques of the rotor and of the generator on the sun in N·m."""
    random = np.random.default_rng(seed)
    time = STEP * np.arange(round(duration / STEP) + 1)
    frequency = np.linspace(0.01, 5.0, 500)
    density = 1 / (1 + 1.5 * frequency / CORNER) ** (5 / 3)
    amplitude = np.sqrt(2 * density / density.sum()) * INTENSITY
    phase = random.uniform(0.0, 2 * math.pi, len(frequency))
    slow = amplitude @ np.cos(2 * math.pi * np.outer(frequency, time) + phase[:, None])
    blades = PASSING * np.sin(3 * SPEED * time)
    rotor = MEAN * (1 + slow + blades)
    generator = np.empty_like(rotor)
    generator[0] = rotor[0]
    share = 1 - math.exp(-STEP / LAG)
    for k in range(1, len(time)):
        generator[k] = generator[k - 1] + share * (rotor[k] - generator[k - 1])
    return time, rotor, -generator / RATIO


def write(path: Path, seed: int = 7, duration: float = 2.5) -> None:
    """A file with units in its headings."""
    rows = zip(*series(seed, duration), strict=True)
    lines = [f"{t:.2f}; {1e-3 * rotor:.6f}; {1e-3 * sun:.6f}" for t, rotor, sun in rows]
    path.write_text("\n".join(["time [s]; rotor [kN*m]; generator [kN*m]", *lines]))


def response(path: Path, damping: float, duration: float = 0.5) -> Result:
    """The stage under both torques, with some damping in its meshes in N·s/m."""
    meshes = {"sun_mesh.damping": damping, "ring_mesh.damping": damping}
    torques = {
        "carrier": {"file": str(path), "column": "rotor"},
        "sun": {"file": str(path), "column": "generator"},
    }
    stage = flank.preset("planetary-500kw", meshes)
    settings = {"duration": duration, "step": 1e-4, "points": 5000, "initial_speed": SPEED}
    return flank.run(stage, "time-response", torques=torques, **settings)


def told(result: Result) -> tuple[float, float, float]:
    """Mean tangential forces of sun/planet 1 and planet 1/ring in kN, and the standard deviation of
    the sun's inertia torque in kN·m, the first fifth left out."""
    later = result["time"].values > 0.2 * result["time"].values[-1]
    forces = 1e-3 * result["tangential_force"].values[later].mean(axis=0)
    torque = result["inertia_torque"].sel(body="sun").values[later]
    return abs(forces[0]), abs(forces[3]), 1e-3 * torque.std()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "torque.csv"
        write(path)
        for damping in (2e4, 4e4):
            print("{:.0f} N·s/m: {:.1f} kN, {:.1f} kN, {:.2f} kN·m".format(
                damping, *told(response(path, damping))))  # fmt: skip
