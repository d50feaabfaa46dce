"""One made RV reducer: its loop, where it gives way, and which errors matter.

python examples/rv_reducer.py
"""

import math

import numpy as np

import flank

ARCMIN = math.pi / 180 / 60


def machine(seed: int = 42):
    """The 320 class with every error drawn evenly within its tolerance."""
    return flank.preset("rv-320", {"errors.seed": seed})


def loop(reducer) -> tuple[float, float, float]:
    """Torsional stiffness in N·m/arcmin, lost motion and backlash in arcmin."""
    result = flank.run(reducer, "hysteresis", points_per_stage=25)
    names = ("lost_motion", "backlash")
    return (result["torsional_stiffness"] * ARCMIN, *(result[name] / ARCMIN for name in names))


def split(reducer) -> list[tuple[str, float]]:
    """(part, share of the compliance in percent), the softest first."""
    result = flank.run(reducer, "stiffness-split")
    titles, shares = result["part_title"].values, 100 * result["part_share"].values
    return [(str(titles[k]), float(shares[k])) for k in np.argsort(-shares)]


def kinds(reducer) -> list[tuple[str, float]]:
    """(kind of error, what its tolerances do to the lost motion in arcsec), the worst first."""
    result = flank.run(reducer, "sensitivity", points=12)
    names, effects = result["kind"].values, result["lost_motion_of_kind"].values / ARCMIN * 60
    return [(str(names[k]), float(effects[k])) for k in np.argsort(-effects)]


if __name__ == "__main__":
    reducer = machine()
    print("{:.0f} N·m/arcmin, lost motion {:.3f}, backlash {:.3f} arcmin".format(*loop(reducer)))
    for part, share in split(reducer)[:6]:
        print(f"{part:24} {share:5.1f} %")
    for kind, effect in kinds(reducer)[:5]:
        print(f"{kind:24} {effect:5.1f} arcsec")
