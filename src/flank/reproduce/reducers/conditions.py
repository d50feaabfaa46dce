"""Table 10 of arXiv 2604.02387 as printed, and what stands beside each of its rows here.

The paper draws three of its errors from U(-Δ, Δ) per crank. Its public script takes |Δ| and the
same seed each time, so both signs are one run, and not every error reaches what it is named
after. Here each error is first given to all cranks and discs alike, then drawn as named, then,
where that is something else, applied as the script does it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from flank.reproduce.study import read_paper

CRANK_CIRCLE = 70e-3
"""Radius of the crank circle in m; an angle of the script moves a crank along it."""

DRAWN = (-0.251, 0.901, 0.464)
"""The three cranks' draws of U(-1, 1) from the script's seed, 42."""

SIDES_OF_A_NEEDLE = 2
"""The script adds its clearance on both sides of a needle: δ_c is 2 δ_c between the races."""

CLEARANCES = (0, 10, 20)
"""δ_c in µm."""

ARCSECOND = math.pi / 180 / 3600


class Figures(NamedTuple):
    """K_T in N·m/arcmin, lost motion and backlash in arcmin."""

    stiffness: float
    lost_motion: float
    backlash: float

    @property
    def gap(self) -> float:
        """Lost motion less backlash."""
        return self.lost_motion - self.backlash


PAPER = read_paper(__package__)
PUBLISHED: dict[str, Figures] = {
    row: Figures(*figures) for row, figures in PAPER.published["table_10"].items()
}
"""The rows of Table 10, in its order."""


@dataclass(frozen=True)
class Condition:
    """A row of the paper, how its error is applied here, and the note that explains the difference.

    `changes` are keys of the spec; a condition without any is the nominal reducer.
    """

    printed: str
    applied: str
    note: str
    changes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def error(self) -> str:
        return self.printed.split(" ")[0]

    @property
    def nominal(self) -> str:
        """The paper's row that this one is to be compared with."""
        return next(row for row in PUBLISHED if row.startswith(f"{self.error} = 0"))

    @property
    def published(self) -> Figures:
        return PUBLISHED[self.printed]


NOMINAL = "nominal"


def conditions() -> list[Condition]:
    """Every row of Table 10, some of them more than once."""
    return [*_radius(), *_eccentricity(), *_phase(), *_clearance()]


def clearance_change(paper_clearance: float) -> dict[str, Any]:
    """δ_c of the paper in µm, as a change of the spec."""
    if not paper_clearance:
        return {}
    return {"errors.turning_arm_clearance": f"{SIDES_OF_A_NEEDLE * paper_clearance} um"}


def per_eccentric(values: Sequence[float], unit: str) -> dict[str, str]:
    """One value a crank, for both of its eccentrics."""
    return {f"{k}/{j}": f"{value:.6g} {unit}" for k, value in enumerate(values, 1) for j in (1, 2)}


def per_hole(values: Sequence[float], unit: str) -> dict[str, str]:
    """One value a crank, for its holes in both discs."""
    return {f"{j}/{k}": f"{value:.6g} {unit}" for k, value in enumerate(values, 1) for j in (1, 2)}


def _listed(values: Sequence[float], digits: int) -> str:
    return ", ".join(f"{value:+.{digits}f}" for value in values)


def _radius() -> list[Condition]:
    row, drawn = "δr = -10 µm", [10 * share for share in DRAWN]
    pins, holes = per_eccentric(drawn, "um"), per_hole(drawn, "um")
    both = {"errors.crank_pin_radius": pins, "errors.hole_radius": holes}
    listed = _listed(drawn, 1)
    return [
        Condition(row, "all eccentrics", "radius", {"errors.crank_pin_radius": "-10 um"}),
        Condition(row, f"drawn {listed}", "radius drawn", {"errors.crank_pin_radius": pins}),
        Condition(row, "script: so drawn, bores follow", "radius script", both),
        Condition("δr = 0 µm", NOMINAL, NOMINAL),
    ]


def _eccentricity() -> list[Condition]:
    def everywhere(size: str) -> Condition:
        changes = {"errors.eccentricity": f"{size} um"}
        return Condition(f"δe = {size} µm", "all eccentrics", "eccentricity", changes)

    drawn = [6 * share for share in DRAWN]
    changes = {"errors.eccentricity": per_eccentric(drawn, "um")}
    listed = _listed(drawn, 1)
    return [
        everywhere("-6"),
        Condition("δe = 0 µm", NOMINAL, NOMINAL),
        everywhere("+6"),
        Condition("δe = +6 µm", f"drawn {listed}", "eccentricity", changes),
    ]


def _phase() -> list[Condition]:
    def everywhere(size: str) -> Condition:
        changes = {"errors.eccentric_phase": f"{size} arcsec"}
        return Condition(f"δφ = {size}″", "all eccentrics", "phase", changes)

    row, drawn = "δφ = +120″", [120 * share for share in DRAWN]
    moved = [angle * ARCSECOND * CRANK_CIRCLE * 1e6 for angle in drawn]
    phases = {"errors.eccentric_phase": per_eccentric(drawn, "arcsec")}
    places = {f"{k}": f"{value:.6g} um" for k, value in enumerate(moved, 1)}
    script = f"script: positions {_listed(moved, 0)} µm"
    return [
        everywhere("-120"),
        Condition("δφ = 0″", NOMINAL, NOMINAL),
        everywhere("+120"),
        Condition(row, f"drawn {_listed(drawn, 0)}", "phase drawn", phases),
        Condition(row, script, "phase script", {"errors.crank_tangential": places}),
    ]


def _clearance() -> list[Condition]:
    return [
        Condition(
            f"δc = {size} µm",
            f"+{SIDES_OF_A_NEEDLE * size} µm between the races" if size else NOMINAL,
            "clearance" if size else NOMINAL,
            clearance_change(size),
        )
        for size in CLEARANCES
    ]
