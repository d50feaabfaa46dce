"""A planetary stage under the torque of a rotor in turbulent wind, read from a CSV file.

python examples/turbulent_torque.py

The series is made from a seed, as in `flank reproduce planetary`: the source of the stage shows
such torques, and has no file of them. The rotor's torque is a mean with slow changes of the wind,
whose spectrum falls by f^(-5/3) beyond a corner (Kaimal), and the passing of three blades; the
generator follows more slowly.
"""

import tempfile
from pathlib import Path

import flank
from flank.analyses.result import Result
from flank.reproduce.planetary.turbulence import SEED, series

SPEED = 2.86
"""rad/s of the carrier at the operating point."""


def write(path: Path, seed: int = SEED, duration: float = 2.5) -> None:
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
