"""From a preset to numbers: what a looser fit costs in backlash and evenness.

python examples/cycloidal_drive.py
"""

import flank


def study() -> list[tuple[float, float, float, float]]:
    """(clearance in µm, backlash, lost motion in arcmin, transmission error in arcsec)."""
    rows = []
    for clearance in (0, 5, 10):
        drive = flank.preset("cycloidal-drive", {"discs.equidistant": f"{clearance} um"})
        loop = flank.run(drive, "hysteresis", points_per_stage=25)
        turn = flank.run(drive, "transmission-error", points_per_turn=240)
        arcmin = 180 / 3.141592653589793 * 60
        rows.append(
            (
                clearance,
                loop["backlash"] * arcmin,
                loop["lost_motion"] * arcmin,
                turn["peak_to_peak"] * arcmin * 60,
            )
        )
    return rows


if __name__ == "__main__":
    print("equidistant um   backlash arcmin   lost motion arcmin   TE p-p arcsec")
    for row in study():
        print("{:14.0f} {:17.3f} {:20.3f} {:15.3f}".format(*row))
