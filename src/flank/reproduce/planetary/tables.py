"""The tables on the gearbox of Table 1: angles, damping, stiffness, periods, forces."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from flank.io.shown import Table
from flank.reproduce.planetary.closed_forms import rigid_angle
from flank.reproduce.planetary.published import (
    AREAS,
    DAMPED_TOLERANCE,
    FLEXIBLE_TOLERANCE,
    HALF_PERIODS,
    RIGID_TOLERANCE,
    STIFFER,
    TABLE_1C,
    TABLE_10A,
    TABLE_10A_DEVIATIONS,
    TEXT_STIFFNESS,
)
from flank.reproduce.planetary.swings import PULSE, Periods, Swing
from flank.reproduce.text import NOTE

Swings = Mapping[int, Swing]
"""By the number of planets, or by damping."""


def angle_table(rigid: Swings, flexible: Swings, mark: str) -> Table:
    """Table 1c beside ours."""
    cells = []
    for count, paper in TABLE_1C.items():
        stiff, soft = rigid[count].angle, flexible[count].angle
        row = [str(count), f"{paper.rigid:.2f}", f"{rigid_angle(count):.4f}", f"{stiff:.4f}"]
        row += [signed(stiff - paper.rigid, 4)]
        row += [f"{paper.flexible:.2f}", f"{soft:.4f}", signed(soft - paper.flexible, 4)]
        row += [f"{_deviation(paper.flexible, paper.rigid):.2f}", f"{_deviation(soft, stiff):.2f}"]
        cells.append([*row, mark])
    headings = ["planets", "rigid paper", "closed form", "rigid here", "rigid diff."]
    headings += ["flexible paper", "flexible here", "flexible diff.", "ε paper", "ε here", NOTE]
    title = (
        "Table 1c and ours: final carrier angle in degrees, ε in %; asked for within "
        f"{RIGID_TOLERANCE}° rigid and {FLEXIBLE_TOLERANCE}° flexible"
    )
    return Table(title, headings, [False] * len(headings), cells)


def damping_table(damped: Swings, rigid: float, mark: str) -> Table:
    """The table of Fig. 10a beside ours; ε here is against our rigid model."""
    cells = []
    for damping, paper in TABLE_10A.items():
        here = damped[damping].angle
        row = [str(damping), f"{paper:.3f}", f"{here:.4f}", signed(here - paper, 4)]
        row += [f"{TABLE_10A_DEVIATIONS[damping]:.3f}"]
        row += [f"{_deviation(paper, rigid):.3f}", f"{_deviation(here, rigid):.3f}", mark]
        cells.append(row)
    headings = ["damping, N·s/m", "paper", "here", "diff.", "ε paper"]
    headings += ["ε of its angles", "ε here", NOTE]
    title = (
        "Table of Fig. 10a and ours: final carrier angle in degrees, three planets, "
        f"{STIFFER:g} N/m, ε in %; asked for within {DAMPED_TOLERANCE}°"
    )
    return Table(title, headings, [False] * len(headings), cells)


def stiffness_table(readings: Mapping[str, tuple[Swings, str]]) -> Table:
    """Differences from Table 1c under several readings of stiffness and radius."""
    cells = []
    for reading, (swings, mark) in readings.items():
        off = [swings[count].angle - paper.flexible for count, paper in TABLE_1C.items()]
        row = [reading, *(signed(value, 3) for value in off)]
        cells.append([*row, f"{max(map(abs, off)):.3f}", mark])
    headings = ["stiffness and radius", *(f"N = {count}" for count in TABLE_1C), "largest", NOTE]
    title = "Which stiffness: flexible angle less that of Table 1c, in degrees"
    return Table(title, headings, [True, *[False] * (len(headings) - 1)], cells)


def period_table(periods: Mapping[tuple[int, float], Periods], mark: str) -> Table:
    """Natural periods beside what the paper calls half of one."""
    cells = [
        [
            f"{count}",
            f"{stiffness:g}",
            f"{HALF_PERIODS[stiffness]:.2f}",
            f"{found.first:.3f}",
            f"{found.first / 2:.3f}",
            f"{found.second:.3f}",
            mark,
        ]
        for (count, stiffness), found in periods.items()
    ]
    headings = ["planets", "stiffness, N/m", "paper, 'half period'", "period here"]
    headings += ["half of it", "second period", NOTE]
    return Table(
        "Natural periods in s, all planets alike", headings, [False] * len(headings), cells
    )


def area_table(rigid: Swing, flexible: Swing, mark: str) -> Table:
    """∫ F dt over the whole run, and the rigid force under load, with one planet."""
    cells = []
    for mesh, paper in AREAS.items():
        stiff, soft = (area(swing, mesh) for swing in (rigid, flexible))
        row = [mesh, f"{under_load(rigid, rigid.normal, mesh):.3f}"]
        row += [f"{under_load(rigid, rigid.tangential, mesh):.3f}"]
        row += [f"{stiff:.3f}", f"{soft:.3f}"]
        cells.append([*row, paper, signed(100 * (soft / stiff - 1), 1), mark])
    headings = ["mesh", "rigid force, normal, N", "tangential, N", "rigid area, N·s"]
    headings += ["flexible area, N·s", "deviation paper", "here, %", NOTE]
    title = f"One planet, {TEXT_STIFFNESS:g} N/m: forces under load and tangential areas, 0 to 5 s"
    return Table(title, headings, [True, *[False] * 4, True, False, False], cells)


def peak_table(damped: Swings) -> Table:
    """Largest forces with three planets, and what is left of them after four seconds."""
    cells = []
    for damping, swing in damped.items():
        late = swing.time > 4.0
        row = [str(damping)]
        for mesh in ("sun/planet 1", "planet 1/ring"):
            for forces in (swing.normal, swing.tangential):
                row.append(f"{largest(forces.get(mesh)):.3f}")
            row.append(f"{largest(swing.normal[mesh][late] if swing.normal else None):.3f}")
        cells.append(row)
    parts = ("normal", "tangential", "normal after 4 s")
    headings = ["damping, N·s/m", *(f"{m}, {p}" for m in ("sun", "ring") for p in parts)]
    title = f"Largest tooth forces in N of the sun's and ring's meshes, N = 3, {STIFFER:g} N/m"
    return Table(title, headings, [False] * len(headings), cells)


def area(swing: Swing, mesh: str) -> float:
    """∫ F dt of the tangential force in N·s."""
    if not swing.complete:
        return np.nan
    return float(np.trapezoid(swing.tangential[mesh], swing.time))


def under_load(swing: Swing, forces: dict[str, NDArray], mesh: str) -> float:
    """A force in the middle of the pulse of torque."""
    return float(np.interp(0.5 * PULSE, swing.time, forces[mesh])) if swing.complete else np.nan


def largest(forces: NDArray | None) -> float:
    return float(np.abs(forces).max()) if forces is not None and len(forces) else np.nan


def _deviation(angle: float, rigid: float) -> float:
    return 100 * (1 - angle / rigid)


def signed(value: float, digits: int) -> str:
    """With its sign; what rounds to nothing has none, so that round-off does not show."""
    text = f"{value:+.{digits}f}"
    return text if float(text) else text[1:]
