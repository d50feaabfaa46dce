"""Machines with one thing broken, by the rule that finds it.

A row is (kind of machine, code): (preset, changes that break it). The preset with `GOOD` changes
keeps every such rule, so that a rule is seen to trip and not to trip.
"""

from typing import Any

import flank

Case = tuple[str, dict[str, Any]]

DRIVE = "cycloidal-drive"

BROKEN: dict[tuple[str, str], Case] = {
    (DRIVE, "small-shortening"): (DRIVE, {"eccentricity": "0.5 mm"}),
    (DRIVE, "undercut-margin"): (DRIVE, {"pins.radius": "4.2 mm"}),
    (DRIVE, "crowded-pins"): (DRIVE, {"pins.radius": "4.57 mm", "eccentricity": "0.8 mm"}),
    (DRIVE, "thin-disc"): (DRIVE, {"discs.width": "0.5 mm"}),
    (DRIVE, "too-much-clearance"): (DRIVE, {"discs.equidistant": "500 um"}),
    (DRIVE, "static-pressure"): (DRIVE, {"rated_torque": "4120 N*m"}),
    (DRIVE, "thin-outer-wall"): (DRIVE, {"output.rollers.circle_radius": "52.6 mm"}),
    (DRIVE, "thin-inner-wall"): (DRIVE, {"discs.bore_radius": "35 mm"}),
    (DRIVE, "thin-wall-between-holes"): (DRIVE, {"output.rollers.count": 19}),
}


def good(preset: str) -> Any:
    """The machine before something is broken."""
    return flank.preset(preset, GOOD.get(preset, {}))


def broken(case: Case) -> Any:
    preset, changes = case
    return flank.preset(preset, GOOD.get(preset, {}) | changes)


GOOD: dict[str, dict[str, Any]] = {}
"""What a preset lacks for all rules to apply to it."""
