"""Figs. 9, 10, 12 and 14 of the paper."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from flank.plots.style import ACCENT, INK, MAIN, QUIET, SECOND, WIDE, Picture, styled
from flank.plots.time_response import COLOURS
from flank.reproduce.planetary.published import STAGE_FORCES
from flank.reproduce.planetary.stage import StageRun
from flank.reproduce.planetary.swings import Swing
from flank.reproduce.planetary.switching import Course
from flank.reproduce.planetary.tables import Swings

SHOWN_DAMPING = (0, 30, 60)
"""N·s/m of Figs. 10b to 10d."""

SHOWN_CYCLES = 0.2
"""s of the stage's forces at the end of the run."""

LINES = {"sun": (MAIN, "sun/planet"), "ring": (SECOND, "planet/ring")}


def swing_picture(rigid: Swings, flexible: Swings) -> Picture:
    """Fig. 9: one row a number of planets; planet 1 and, as all others are alike, planet 2."""
    with styled():
        picture = Picture(
            WIDE,
            9.6,
            "Tangential tooth forces of the rigid (dashed) and the flexible model (500 N/m, no "
            "damping) with 1 to 4 planets (Fig. 9 of the paper). In the rigid model planet 1 alone "
            "meshes with the sun; all further planets are like planet 2.",
        )
        for row, count in enumerate(flexible):
            rows = [_panel(picture, row, 4, column) for column in range(min(count, 2))]
            for column, axes in enumerate(rows):
                _swing(axes, rigid[count], flexible[count], column + 1)
                name = "planet" if count == 1 else "planets"
                axes.set_title(f"{count} {name}: planet {column + 1}")
        _explain(_panel(picture, 0, 4, 1))
    return picture


def damping_picture(rigid: Swing, damped: Swings) -> Picture:
    """Fig. 10: one row a damping."""
    with styled():
        picture = Picture(
            WIDE,
            7.4,
            "Tangential tooth forces of the rigid (dashed) and the flexible model with 3 planets, "
            "5000 N/m and three dampings (Figs. 10b to 10d of the paper). They die out; the "
            "paper's text has ±2.3 N at the end with 60 N·s/m.",
        )
        for row, damping in enumerate(SHOWN_DAMPING):
            for column in range(2):
                axes = _panel(picture, row, 3, column)
                _swing(axes, rigid, damped[damping], column + 1)
                axes.set_title(f"{damping} N·s/m: planet {column + 1}")
        axes.plot([], [], color=QUIET, linestyle="--", label="rigid")
        axes.legend(loc="lower right", ncols=3)
    return picture


def _panel(picture: Picture, row: int, rows: int, column: int) -> Axes:
    height = 1.0 / rows
    bottom = 1.0 - (row + 1) * height + 0.22 * height
    return picture.add_axes((0.07 + 0.49 * column, bottom, 0.42, 0.62 * height))


def _swing(axes: Axes, rigid: Swing, flexible: Swing, planet: int) -> None:
    names = {"sun": f"sun/planet {planet}", "ring": f"planet {planet}/ring"}
    for kind, (colour, label) in LINES.items():
        mesh = names[kind]
        if mesh in flexible.tangential:
            axes.plot(flexible.time, flexible.tangential[mesh], color=colour, label=label)
        if mesh in rigid.tangential:
            axes.plot(rigid.time, rigid.tangential[mesh], color=colour, linestyle="--")
    axes.set_xlim(0.0, 5.0)
    axes.set_xlabel("Time (s)")
    axes.set_ylabel("Force (N)")
    axes.margins(y=0.12)


def _explain(axes: Axes) -> None:
    """A legend in the place of a panel."""
    axes.set_axis_off()
    for colour, label in LINES.values():
        axes.plot([], [], color=colour, label=f"{label}, flexible")
        axes.plot([], [], color=colour, linestyle="--", label=f"{label}, rigid")
    axes.legend(loc="center left")


def switching_picture(time: NDArray, courses: dict[str, Course]) -> Picture:
    """Fig. 12: arc lengths and stiffnesses."""
    with styled():
        picture = Picture(
            WIDE,
            6.6,
            "Above, arc length on the base circle at which sun (with each planet) and planet 1 "
            "(with the ring) are touched; below the dotted lines two pairs of teeth carry. Below, "
            "the stiffness of both meshes of planet 1 under the rated torque (Fig. 12 of the "
            "paper, which has Fig. 7's stiffness).",
        )
        top = picture.add_axes((0.07, 0.55, 0.72, 0.40))
        below = picture.add_axes((0.07, 0.08, 0.72, 0.37))
        shown = ["sun/planet 1", "sun/planet 2", "sun/planet 3", "planet 1/ring"]
        colours = (*COLOURS[:3], ACCENT)
        for name, colour in zip(shown, colours, strict=True):
            course = courses[name]
            top.plot(time, _unwrapped(course) * 1e3, color=colour, label=name, linewidth=1.0)
        for name in ("sun/planet 1", "planet 1/ring"):
            course = courses[name]
            limit = (course.path[1] - course.base_pitch) * 1e3
            top.axhline(limit, color=QUIET, linestyle=":", linewidth=0.9)
        for name, colour in (("sun/planet 1", COLOURS[0]), ("planet 1/ring", ACCENT)):
            below.plot(time, courses[name].stiffness / 1e9, color=colour, label=name)
        top.set_ylabel("Arc length $s_1$ (mm)")
        below.set_ylabel("Mesh stiffness (kN/µm)")
        below.set_ylim(bottom=0.0)
        for axes in (top, below):
            axes.set_xlim(time[0], time[-1])
            axes.set_xlabel("Time (s)")
            axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.02), borderaxespad=0.0)
    return picture


def _unwrapped(course: Course) -> NDArray:
    """Without the strokes back to the start of the path."""
    jump = np.abs(np.diff(course.arc, append=course.arc[-1])) > 0.5 * course.base_pitch
    return np.where(jump, np.nan, course.arc)


def stage_picture(first: StageRun, table: dict[float, StageRun]) -> Picture:
    """Fig. 14: forces by planet, and the rigid model's."""
    with styled():
        picture = Picture(
            WIDE,
            7.4,
            f"Tangential tooth forces of the 500 kW stage over the last {SHOWN_CYCLES} s under "
            "155.9 kN·m, rung 'table', with both dampings (Fig. 14 of the paper). Dotted: the "
            "paper's means, flexible; dashed: rigid, planet 1 alone.",
        )
        for row, (damping, run) in enumerate(table.items()):
            axes = picture.add_axes((0.08, 0.57 - 0.495 * row, 0.72, 0.385))
            _stage(axes, first, run)
            axes.set_title(f"{damping:.0f} N·s/m")
    return picture


def _stage(axes: Axes, first: StageRun, run: StageRun) -> None:
    shown = run.time > run.time[-1] - SHOWN_CYCLES if len(run.time) else run.time > 0
    for number, colour in zip((1, 2, 3), COLOURS, strict=False):
        for mesh, name in (
            (f"sun/planet {number}", f"planet {number}"),
            (f"planet {number}/ring", None),
        ):
            force = run.tangential.get(mesh)
            if force is not None:
                axes.plot(run.time[shown], force[shown] / 1e3, color=colour, label=name)
    for printed in STAGE_FORCES["flexible"]:
        axes.axhline(printed, color=INK, linestyle=":", linewidth=1.1)
    for mesh in ("sun/planet 1", "planet 1/ring"):
        axes.axhline(first.mean.get(mesh, np.nan) / 1e3, color=QUIET, linestyle="--", linewidth=1.1)
    axes.plot([], [], color=INK, linestyle=":", label="paper, flexible")
    axes.plot([], [], color=QUIET, linestyle="--", label="rigid, planet 1")
    axes.set_ylim(-320, 320)
    if shown.any():
        axes.set_xlim(run.time[shown][0], run.time[-1])
    axes.set_xlabel("Time (s)")
    axes.set_ylabel("Force (kN): ring above, sun below zero")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1.02), borderaxespad=0.0)
