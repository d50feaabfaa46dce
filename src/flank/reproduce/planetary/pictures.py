"""Figs. 9, 10, 12 and 14 of the paper."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from flank.arrays import Floats
from flank.plots.style import ACCENT, COLOURS, INK, MAIN, QUIET, SECOND, Picture
from flank.reproduce.pictures import describe, drawn
from flank.reproduce.planetary.computing import (
    PAPER,
    STAGE_DAMPING,
    STAGE_FORCES,
    StageRun,
    Swing,
    Swings,
    mesh_name,
)
from flank.reproduce.planetary.findings import Evidence
from flank.reproduce.planetary.switching import Course, courses

SHOWN_DAMPING = (0, 30, 60)
"""N·s/m of Figs. 10b to 10d."""

SHOWN_TIME = 0.3
"""s of Fig. 12."""

SHOWN_CYCLES = 0.2
"""s of the stage's forces at the end of the run."""

LINES = {"sun": (MAIN, "sun/planet"), "ring": (SECOND, "planet/ring")}
BESIDE = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.02), "borderaxespad": 0.0}
"""A legend to the right of its panel."""


def pictures(evidence: Evidence) -> dict[str, Picture]:
    """All of them by name."""
    time = np.linspace(0.0, SHOWN_TIME, 3001)
    table = {damping: evidence.stages["table", damping] for damping in STAGE_DAMPING}
    return {
        "tooth-forces": swing_picture(evidence.rigid, evidence.text),
        "damped-forces": damping_picture(evidence.rigid[3], evidence.damped),
        "switching": switching_picture(time, courses(time)),
        "stage-forces": stage_picture(evidence.first_stage, table),
    }


def swing_picture(rigid: Swings, flexible: Swings) -> Picture:
    """Fig. 9: one row a number of planets; planet 1 and, as all others are alike, planet 2."""
    with drawn(PAPER, "tooth-forces", 9.6) as picture:
        for row, count in enumerate(flexible):
            panels = [_panel(picture, row, 4, column) for column in range(min(count, 2))]
            for planet, axes in enumerate(panels, start=1):
                name = "planet" if count == 1 else "planets"
                title = f"{count} {name}: planet {planet}"
                _swing(axes, rigid[count], flexible[count], planet, title)
        _explain(_panel(picture, 0, 4, 1))
    return picture


def damping_picture(rigid: Swing, damped: Swings) -> Picture:
    """Fig. 10: one row a damping."""
    with drawn(PAPER, "damped-forces", 7.4) as picture:
        for row, damping in enumerate(SHOWN_DAMPING):
            for planet in (1, 2):
                axes = _panel(picture, row, 3, planet - 1)
                title = f"{damping} N·s/m: planet {planet}"
                _swing(axes, rigid, damped[damping], planet, title)
        axes.plot([], [], color=QUIET, linestyle="--", label="rigid")
        axes.legend(loc="lower right", ncols=3)
    return picture


def _panel(picture: Picture, row: int, rows: int, column: int) -> Axes:
    height = 1.0 / rows
    bottom = 1.0 - (row + 1) * height + 0.22 * height
    return picture.add_axes((0.07 + 0.49 * column, bottom, 0.42, 0.62 * height))


def _swing(axes: Axes, rigid: Swing, flexible: Swing, planet: int, title: str) -> None:
    for kind, (colour, label) in LINES.items():
        mesh = mesh_name(kind, planet)
        if mesh in flexible.tangential:
            axes.plot(flexible.time, flexible.tangential[mesh], color=colour, label=label)
        if mesh in rigid.tangential:
            axes.plot(rigid.time, rigid.tangential[mesh], color=colour, linestyle="--")
    axes.set_xlim(0.0, 5.0)
    axes.margins(y=0.12)
    describe(axes, "Time (s)", "Force (N)", title)


def _explain(axes: Axes) -> None:
    """A legend in the place of a panel."""
    axes.set_axis_off()
    for colour, label in LINES.values():
        axes.plot([], [], color=colour, label=f"{label}, flexible")
        axes.plot([], [], color=colour, linestyle="--", label=f"{label}, rigid")
    axes.legend(loc="center left")


def switching_picture(time: Floats, by_mesh: dict[str, Course]) -> Picture:
    """Fig. 12: arc lengths and stiffnesses."""
    sun, ring = mesh_name("sun", 1), mesh_name("ring", 1)
    shown = {mesh_name("sun", n): COLOURS[n - 1] for n in (1, 2, 3)} | {ring: ACCENT}
    with drawn(PAPER, "switching", 6.6) as picture:
        top = picture.add_axes((0.07, 0.55, 0.72, 0.40))
        below = picture.add_axes((0.07, 0.08, 0.72, 0.37))
        for name, colour in shown.items():
            arc = _unwrapped(by_mesh[name]) * 1e3
            top.plot(time, arc, color=colour, label=name, linewidth=1.0)
        for name in (sun, ring):
            course = by_mesh[name]
            limit = (course.path[1] - course.base_pitch) * 1e3
            top.axhline(limit, color=QUIET, linestyle=":", linewidth=0.9)
            below.plot(time, course.stiffness / 1e9, color=shown[name], label=name)
        below.set_ylim(bottom=0.0)
        names = {top: "Arc length $s_1$ (mm)", below: "Mesh stiffness (kN/µm)"}
        for axes, name in names.items():
            axes.set_xlim(time[0], time[-1])
            describe(axes, "Time (s)", name, **BESIDE)
    return picture


def _unwrapped(course: Course) -> Floats:
    """Without the strokes back to the start of the path."""
    jump = np.abs(np.diff(course.arc, append=course.arc[-1])) > 0.5 * course.base_pitch
    return np.where(jump, np.nan, course.arc)


def stage_picture(first: StageRun, table: dict[float, StageRun]) -> Picture:
    """Fig. 14: forces by planet, and the rigid model's."""
    with drawn(PAPER, "stage-forces", 7.4) as picture:
        for row, (damping, run) in enumerate(table.items()):
            axes = picture.add_axes((0.08, 0.57 - 0.495 * row, 0.72, 0.385))
            _stage(axes, first, run, f"{damping:.0f} N·s/m")
    return picture


def _stage(axes: Axes, first: StageRun, run: StageRun, title: str) -> None:
    shown = run.time > run.time[-1] - SHOWN_CYCLES if len(run.time) else run.time > 0
    for number, colour in zip((1, 2, 3), COLOURS, strict=False):
        for kind, name in (("sun", f"planet {number}"), ("ring", None)):
            force = run.tangential.get(mesh_name(kind, number))
            if force is not None:
                axes.plot(run.time[shown], force[shown] / 1e3, color=colour, label=name)
    for printed in STAGE_FORCES["flexible"]:
        axes.axhline(printed, color=INK, linestyle=":", linewidth=1.1)
    for kind in ("sun", "ring"):
        mean = first.mean_force(mesh_name(kind, 1))
        axes.axhline(mean, color=QUIET, linestyle="--", linewidth=1.1)
    axes.plot([], [], color=INK, linestyle=":", label="paper, flexible")
    axes.plot([], [], color=QUIET, linestyle="--", label="rigid, planet 1")
    axes.set_ylim(-320, 320)
    if shown.any():
        axes.set_xlim(run.time[shown][0], run.time[-1])
    describe(axes, "Time (s)", "Force (kN): ring above, sun below zero", title, **BESIDE)
