"""A hypoid pair designed from its blanks: its pattern, teeth under load, and a forced roll.

python examples/bevel_gears.py
"""

import flank
from flank.analyses.result import Result
from flank.machines.bevel_pair.machine import BevelPairMachine

ARC_SECOND = 4.84813681109536e-06


def pair(profile: int = 30, lengthwise: int = 40) -> BevelPairMachine:
    """The 13/42 pair with an ease-off of some µm on both flanks."""
    relief = {
        f"ease_off.{flank}.{way}_crowning": f"{amount} um"
        for flank in ("concave", "convex")
        for way, amount in (("profile", profile), ("lengthwise", lengthwise))
    }
    return flank.preset("hypoid-pair", relief)


def pattern(machine: BevelPairMachine) -> tuple[float, float, float]:
    """Transmission error without load in arcsec, pattern and its middle from the toe in percent."""
    result = flank.run(machine, "contact-pattern", misalignment=0)
    shares = 100 * result["pattern_area"], 100 * result["pattern_face"]
    return result["peak_to_peak"] / ARC_SECOND, *shares


def loaded(machine: BevelPairMachine, torque: float, positions: int = 24) -> Result:
    """Teeth under a torque of the wheel in N·m, with a friction of 0.05."""
    return flank.run(machine, "loaded-contact", torque=torque, positions=positions, friction=0.05)


def row(result: Result) -> tuple[float, float, float, float]:
    """Transmission error in arcsec, pressure in MPa, pairs of teeth, efficiency in percent."""
    error, pressure = result["peak_to_peak"] / ARC_SECOND, 1e-6 * result["largest_pressure"]
    return error, pressure, result["carrying_pairs"], 100 * result["efficiency"]


if __name__ == "__main__":
    for profile, lengthwise in ((15, 20), (30, 40), (60, 80)):
        error, area, face = pattern(pair(profile, lengthwise))
        print(
            f"ease-off {profile}/{lengthwise} µm: {error:.1f} arcsec, pattern {area:.0f} % at "
            f"{face:.0f} % of the face"
        )
    for torque in (100, 350, 700):
        error, pressure, pairs, efficiency = row(loaded(pair(), torque))
        print(
            f"{torque} N·m: {error:.1f} arcsec, {pressure:.0f} MPa, {pairs:.1f} pairs, "
            f"{efficiency:.1f} %"
        )
    roll = flank.run(pair(), "forced-roll")
    print(flank.summary(roll))
    flank.save(roll, "out")
