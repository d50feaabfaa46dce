"""An RV reducer with discs as a coordinate measuring machine found them.

python examples/measured_disc.py
"""

import math
import tempfile
from pathlib import Path

import numpy as np

import flank
from flank.geometry.curve import equal_arc_length_parameters, evaluate

ARCMIN = math.pi / 180 / 60
POINTS = 4000


def write(folder: Path) -> str:
    """Two files of points, one a disc, and the name that stands for both.

    Both discs are ground 4 µm too small; the first has a run-out of 3 µm, the second flanks that
    wave by 1 µm eleven times around. The probe scatters by 0.2 µm.
    """
    profile = flank.preset("rv-320").profile
    rows = evaluate(profile, equal_arc_length_parameters(profile, POINTS))
    outward = np.column_stack((rows[:, 3], -rows[:, 2]))
    around = np.arctan2(rows[:, 1], rows[:, 0])
    scatter = np.random.default_rng(7)
    for disc, deviation in enumerate((3e-6 * np.cos(around), 1e-6 * np.sin(11 * around)), start=1):
        off = -4e-6 + deviation + scatter.normal(0.0, 0.2e-6, POINTS)
        points = rows[:, :2] + off[:, None] * outward
        np.savetxt(folder / f"disc {disc}.csv", points, fmt="%.9f", header="x y in m")
    return str(folder / "disc {}.csv")


def loop(changes: dict) -> tuple[float, float, float]:
    """Torsional stiffness in N·m/arcmin, lost motion and backlash in arcmin."""
    result = flank.run(flank.preset("rv-320", changes), "hysteresis", points_per_stage=15)
    names = ("lost_motion", "backlash")
    return (result["torsional_stiffness"] * ARCMIN, *(result[name] / ARCMIN for name in names))


def loops(points: str) -> dict[str, tuple[float, float, float]]:
    """As designed, all of 4 µm smaller, and as measured."""
    designed = flank.preset("rv-320").spec.discs.equidistant
    measured = {"discs.profile": "measured", "discs.points_file": points}
    return {
        "as designed": loop({}),
        "4 µm smaller": loop({"discs.equidistant": designed + 4e-6}),
        "as measured": loop(measured),
    }


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        for name, found in loops(write(Path(folder))).items():
            print(f"{name:14} {found[0]:5.0f} N·m/arcmin, {found[1]:.3f} and {found[2]:.3f} arcmin")
