"""A planetary stage of a wind turbine: its gears, load sharing, modes, and a run over speed.

python examples/planetary_gearbox.py
"""

import math

import flank
from flank.analyses.result import Result
from flank.machines.planetary.gearbox import PlanetaryGearbox

FLOATING = {"sun.support": {"kind": "floating"}}
SPRINGS = {"sun_mesh.model": "spring", "ring_mesh.model": "spring"}
DAMPED = {"sun_mesh.damping": "2e5 N*s/m", "ring_mesh.damping": "2e5 N*s/m"}


def stage(changes: dict | None = None) -> PlanetaryGearbox:
    """The stage of 500 kW, sun 20, three planets 35, ring 91, module 10 mm."""
    return flank.preset("planetary-500kw", changes)


def sharing(microns: float, changes: dict | None = None) -> tuple[float, float]:
    """Mesh load factor K_γ, and the mean share of planet 1 in %, its pin ahead by some µm."""
    moved = {"errors.pin_tangential": {"1": f"{microns} um"}}
    result = flank.run(stage({**(changes or {}), **moved}), "load-sharing")
    return float(result["mesh_load_factor"]), 100 * float(result["share"].values[:, 0].mean())


def modes() -> list[tuple[float, str]]:
    """Natural frequencies in Hz with their families, shafts free, sun and planets on bearings."""
    bearing = {"kind": "bearing", "stiffness": "2e9 N/m"}
    supports = {"sun.support": bearing, "planets.support": bearing}
    gearbox = stage(SPRINGS | supports)
    result = flank.run(gearbox, "natural-frequencies", input="free", count=20)
    return list(zip(result["frequency"].values, result["family"].values, strict=True))


def critical_speeds() -> list[tuple[str, float, float, str]]:
    """Order, speed of the carrier in rpm, frequency in Hz and family of the modes that harmonics of
    the teeth can excite, of the same stage."""
    bearing = {"kind": "bearing", "stiffness": "2e9 N/m"}
    supports = {"sun.support": bearing, "planets.support": bearing}
    settings = {"input": "free", "harmonics": 3, "last_speed": "120 rpm"}
    result = flank.run(stage(SPRINGS | supports), "campbell", **settings)
    families = result["family"].values
    columns = ("critical_order", "critical_speed", "critical_frequency", "critical_mode")
    rows = zip(*(result[name].values.tolist() for name in columns), strict=True)
    return sorted(
        {
            (
                str(order),
                round(speed * 30 / math.pi, 6),
                round(frequency, 6),
                str(families[mode - 1]),
            )
            for order, speed, frequency, mode in rows
        }
    )


def sweep() -> Result:
    """Vibration, mesh forces and parting of teeth from 5 to 15 rpm of the carrier, more damped."""
    settings = {"lowest": "5 rpm", "highest": "15 rpm", "speeds": 11, "direction": "up"}
    return flank.run(stage(DAMPED), "speed-sweep", **settings)


def forces(result: Result) -> list[tuple[float, float]]:
    """(speed of the carrier in rpm, largest mesh force over its mean) of a sweep."""
    factor = (result["force_largest"] / result["force_mean"]).max("mesh").values[0]
    return list(zip(result["speed"].values * 30 / math.pi, factor, strict=True))


if __name__ == "__main__":
    for name, changes in (("guided", {}), ("floating", FLOATING)):
        for microns in (0, 20, 40):
            print(
                "{:8} {:2} µm: K_γ {:.3f}, planet 1 {:.1f} %".format(
                    name, microns, *sharing(microns, changes)
                )
            )
    for frequency, family in modes():
        print(f"{frequency:6.0f} Hz {family}")
    for order, speed, frequency, family in critical_speeds():
        print(f"{order:8} meets {frequency:5.0f} Hz, {family}, at {speed:4.0f} rpm")
    result = sweep()
    for speed, factor in forces(result):
        print(f"{speed:4.0f} rpm: largest over mean mesh force {factor:.2f}")
    print(flank.summary(result))
    flank.save(result, "out")
