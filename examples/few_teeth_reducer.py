"""A reducer with two teeth of difference: its loop, where it gives way, who carries the load.

python examples/few_teeth_reducer.py
"""

import math

import numpy as np

import flank

ARCMIN = math.pi / 180 / 60
RUNGS = ("contact", "fe", "table", "spring", "rigid")


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


def teeth(reducer, torque: float) -> list[float]:
    """Forces in N of the pairs of teeth of the first disc that carry load, the largest first."""
    result = flank.run(reducer, "load-distribution", torque=torque, crank_angle="40 deg")
    force = result["tooth_force"].isel(disc=0).values.ravel()
    return sorted((float(one) for one in force if one > 0.5), reverse=True)


def relief(microns: float) -> tuple[float, float]:
    """Largest pressure of teeth in GPa and transmission error in arcsec, at the rated torque."""
    changes = {
        f"{gear}.tip_relief": {"amount": f"{microns} um", "length": "3 mm"}
        for gear in ("discs", "ring")
    }
    reducer = flank.preset("few-teeth-60", changes if microns else None)
    torque = reducer.rated_torque
    result = flank.run(reducer, "transmission-error", torque=torque, points_per_turn=620)
    error = float(result["peak_to_peak"]) / ARCMIN * 60
    return float(result["largest_tooth_pressure"]) * 1e-9, error


def mesh_models() -> list[tuple[str, float]]:
    """(model of the mesh, torsional stiffness in N·m/arcmin)."""
    changes = {"friction.teeth": 0}
    return [
        (model, loop(flank.preset("few-teeth-60", changes | {"mesh.model": model}))[0])
        for model in RUNGS
    ]


if __name__ == "__main__":
    reducer = flank.preset("few-teeth-60")
    print("{:.0f} N·m/arcmin, lost motion {:.3f}, backlash {:.3f} arcmin".format(*loop(reducer)))
    for part, share in split(reducer)[:6]:
        print(f"{part:24} {share:5.1f} %")
    for torque in (150.0, 1500.0):
        shown = ", ".join(f"{force:.0f}" for force in teeth(reducer, torque))
        print(f"{torque:6.0f} N·m: {shown} N")
    for microns in (0, 10, 20):
        print("{:3} µm: {:.2f} GPa, {:.1f} arcsec".format(microns, *relief(microns)))
    for model, stiffness in mesh_models():
        print(f"{model:8} {stiffness:6.0f} N·m/arcmin")
