"""The tables on the 500 kW stage: forces by planet, path of contact, and where teeth switch."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from flank.io.shown import Table
from flank.reproduce.planetary.published import STAGE_FORCES, STAGE_TOLERANCE
from flank.reproduce.planetary.stage import StageRun
from flank.reproduce.planetary.switching import Offset
from flank.reproduce.planetary.tables import signed
from flank.reproduce.text import NOTE

MISSING = "-"


def stage_table(
    first: StageRun, rungs: dict[tuple[str, float], StageRun], marks: tuple[str, str]
) -> Table:
    """Mean tangential forces of all meshes beside Fig. 14."""
    rows = [("rigid, planet 1 alone", "rigid", first, marks[0])]
    for (rung, damping), found in rungs.items():
        name = f"{rung}, {damping:.0e} N·s/m" if damping else f"{rung}, equal shares"
        rows.append((name.replace("e+04", "e4"), "flexible", found, marks[1]))
    cells = [
        [
            name,
            *_mesh_cells("sun", found, STAGE_FORCES[kind][0]),
            *_mesh_cells("ring", found, STAGE_FORCES[kind][1]),
            f"{found.deviation.get('sun/planet 1', np.nan) / 1e3:.2f}",
            f"{found.inertia_torque / 1e3:.2f}",
            f"{found.angle:.3f}",
            mark,
        ]
        for name, kind, found, mark in rows
    ]
    headings = ["model"]
    for mesh in ("sun", "ring"):
        headings += [f"{mesh} paper", *(f"{mesh} {n}" for n in (1, 2, 3)), f"{mesh} diff. %"]
    headings += ["std. dev. of sun 1", "std. dev. of I_s θ̈_s", "angle", NOTE]
    title = (
        "Fig. 14 and ours: mean tangential forces in kN by planet, standard deviations in kN and "
        f"kN·m, final carrier angle in degrees; asked for within {STAGE_TOLERANCE:g} %"
    )
    return Table(title, headings, [True, *[False] * (len(headings) - 1)], cells)


def mesh_name(kind: str, planet: int) -> str:
    return f"sun/planet {planet}" if kind == "sun" else f"planet {planet}/ring"


def differences(kind: str, run: StageRun, paper: float) -> list[float]:
    """Means of one kind of mesh over the paper's force (kN), less one, in %; loaded meshes only."""
    forces = [run.mean.get(mesh_name(kind, planet), 0.0) for planet in (1, 2, 3)]
    top = max(map(abs, forces))
    return [100 * (force / (1e3 * paper) - 1) for force in forces if abs(force) > 1e-6 * top]


def _mesh_cells(kind: str, run: StageRun, paper: float) -> list[str]:
    cells = [f"{paper:.0f}"]
    for planet in (1, 2, 3):
        name = mesh_name(kind, planet)
        cells.append(signed(run.mean[name] / 1e3, 2) if name in run.mean else MISSING)
    off = differences(kind, run, paper)
    return [*cells, signed(max(off, key=abs), 2) if off else MISSING]


def switching_table(offsets: Sequence[Offset], mark: str) -> Table:
    """Eqs. 17 to 20 beside geometry."""
    cells = [
        [
            offset.gears,
            offset.equation,
            f"{offset.paper * 1e3:.3f}",
            f"{offset.geometry * 1e3:.3f}",
            signed(offset.tooth, 3),
            signed(offset.space, 3),
            mark,
        ]
        for offset in offsets
    ]
    headings = ["gears", "equation", "s_1 paper, mm", "s_1 geometry, mm"]
    headings += ["off with a tooth, pitches", "off with a space, pitches", NOTE]
    title = "Arc length of contact at zero angle, a tooth or a space on the line of centres"
    return Table(title, headings, [True, *[False] * 6], cells)


def phase_table(phases: dict[int, NDArray], stage: NDArray, mark: str) -> Table:
    """When the planets' sun meshes switch, in pitches after the first."""
    rows = [(f"Table 1, N = {count}, x = 0", found) for count, found in phases.items()]
    rows.append(("500 kW, N = 3, shifted", stage))
    cells = []
    for name, found in rows:
        row = [f"{value:.3f}" for value in np.round(found, 9) % 1.0]
        together = "yes" if len(set(row)) == 1 else "no"
        cells.append([name, *row, *[MISSING] * (4 - len(row)), together, mark])
    headings = ["gearbox", *(f"planet {n}" for n in (1, 2, 3, 4)), "all at once", NOTE]
    title = "Phases of the sun meshes in pitches: who switches between one and two pairs when"
    return Table(title, headings, [True, *[False] * 4, True, False], cells)
