"""Helical gears in space, on bearings that feel their axial force, and a beveloid pair.

python examples/gears_in_space.py
"""

import flank
from flank.analyses.result import Result
from flank.machines.bevel_pair.machine import BevelPairMachine

ARC_SECOND = 4.84813681109536e-06


def helical(crossing: float = 0.0) -> BevelPairMachine:
    """The 25/77 pair of `gear-pair` with its axes off by some µm per 100 mm."""
    return flank.preset("helical-in-space", {"errors.shaft_angle": crossing * 1e-5})


def loaded(machine: BevelPairMachine, positions: int = 16) -> Result:
    """Teeth under the rated torque, axes at rest."""
    return flank.run(machine, "loaded-contact", positions=positions)


def row(result: Result) -> tuple[float, float, float]:
    """Transmission error in arcsec, pressure in MPa and pairs of teeth."""
    error, pressure = result["peak_to_peak"] / ARC_SECOND, 1e-6 * result["largest_pressure"]
    return error, pressure, result["carrying_pairs"]


def frequencies(machine: BevelPairMachine, count: int = 6) -> list[float]:
    """The lowest natural frequencies in Hz."""
    result = flank.run(machine, "natural-frequencies", count=count)
    return [float(value) for value in result["frequency"].values]


if __name__ == "__main__":
    for crossing in (0, 20, 50):
        error, pressure, pairs = row(loaded(helical(crossing)))
        print(f"{crossing} µm/100 mm: {error:.2f} arcsec, {pressure:.0f} MPa, {pairs:.1f} pairs")
    print("Hz:", ", ".join(f"{value:.0f}" for value in frequencies(helical())))
    beveloid = flank.preset("beveloid-pair")
    error, pressure, pairs = row(loaded(beveloid))
    print(f"beveloid: {error:.2f} arcsec, {pressure:.0f} MPa, {pairs:.1f} pairs")
    pattern = flank.run(beveloid, "contact-pattern")
    print(flank.summary(pattern))
    flank.save(pattern, "out")
