"""A modification of disc flanks that no hand has tried: `flank.optimize` on a drive of 30 pins.

Four modifications that somebody tried by hand, and the one that a search finds within the range of
backlash of those four.
"""

from pathlib import Path
from typing import Any

import flank
from flank.design.optimization import Optimum

DRIVE = {
    "pins.count": 30,
    "pins.circle_radius": "54 mm",
    "eccentricity": "1.2 mm",
    "pins.radius": "3 mm",
    "output.rollers.circle_radius": "32 mm",
    "discs.bore_radius": "18 mm",
    "rated_torque": "50 N*m",
    "operation.torque": "20 N*m",
}
BY_HAND = ((10, 0), (0, 10), (-10, 20), (15, -10))
"""Equidistant and radial, in um."""

FIGURE = "transmission-error.peak_to_peak"


def by_hand(points: int) -> dict[tuple[int, int], dict[str, float]]:
    """Transmission error in arcsec, backlash in arcmin."""
    found = {}
    for equidistant, radial in BY_HAND:
        changes = {"discs.equidistant": f"{equidistant} um", "discs.radial": f"{radial} um"}
        drive = flank.preset("cycloidal-drive", {**DRIVE, **changes})
        error = flank.run(drive, "transmission-error", points_per_turn=points)
        loop = flank.run(drive, "hysteresis")
        found[equidistant, radial] = {
            "error": error.value("peak_to_peak", "arcsec"),
            "backlash": loop.value("backlash", "arcmin"),
        }
    return found


def search(points: int, evaluations: int, least: float, most: float) -> Optimum:
    """The least transmission error within a range of backlash, in arcmin."""
    settings: dict[str, dict[str, Any]] = {FIGURE.partition(".")[0]: {"points_per_turn": points}}
    return flank.optimize(
        flank.preset("cycloidal-drive", DRIVE),
        {"discs.equidistant": "-20..20 um", "discs.radial": "-40..40 um"},
        FIGURE,
        f"{least:.4g} arcmin <= backlash <= {most:.4g} arcmin",
        settings=settings,
        evaluations=evaluations,
    )


def main(points: int = 720, evaluations: int = 160, folder: Path = Path("modification")) -> None:
    tried = by_hand(points)
    print("equidistant, radial   transmission error   backlash")
    for (equidistant, radial), row in tried.items():
        place = f"{equidistant} um, {radial} um"
        print(f"{place:<20} {row['error']:10.3f} arcsec {row['backlash']:9.3f} arcmin")
    backlash = [row["backlash"] for row in tried.values()]
    best = min(tried.values(), key=lambda row: row["error"])
    optimum = search(points, evaluations, min(backlash), best["backlash"])
    figure = optimum.problem.figures[FIGURE]
    assert optimum.best is not None
    values = zip(optimum.problem.varied, optimum.best.values, strict=True)
    print(", ".join(f"{each.key} {each.text(value)}" for each, value in values))
    print(f"{figure.text(optimum.best.figures[FIGURE])} after {len(optimum.path)} specs")
    flank.save(optimum, folder)


if __name__ == "__main__":
    main()
