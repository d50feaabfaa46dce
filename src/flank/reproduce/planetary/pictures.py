"""Figs. 7 and 9 to 15 of the paper."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from flank.arrays import Flags, Floats
from flank.plots.style import ACCENT, COLOURS, INK, MAIN, QUIET, SECOND, Picture
from flank.reproduce.pictures import drawn
from flank.reproduce.planetary.computing import (
    PAPER,
    STAGE_FORCES,
    StageRun,
    Swing,
    Swings,
    mesh_name,
)
from flank.reproduce.planetary.switching import MeshContact
from flank.reproduce.planetary.turbulence import Series, TurbulentRun

SHOWN_DAMPING = (0, 30, 60)
"""N·s/m of Figs. 10b to 10d."""

SHOWN_CYCLES = 0.2
"""s of the stage's forces at the end of the run."""

SHOWN_TURBULENCE = 0.5
"""s at the end of a run under the turbulent torque."""

LINES = {"sun": (MAIN, "sun/planet"), "ring": (SECOND, "planet/ring")}


def swing_picture(rigid: Swings, flexible: Swings) -> Picture:
    """Fig. 9: one row a number of planets; planet 1 and, as all others are alike, planet 2."""
    shown = [(count, planet) for count in flexible for planet in range(1, min(count, 2) + 1)]
    with drawn(PAPER, "tooth-forces") as (picture, panels):
        for axes, (count, planet) in zip(panels, shown, strict=False):
            _swing(axes, rigid[count], flexible[count], planet)
        _explain(panels[-1])
    return picture


def damping_picture(rigid: Swing, damped: Swings) -> Picture:
    """Fig. 10: one row a damping."""
    shown = [(damping, planet) for damping in SHOWN_DAMPING for planet in (1, 2)]
    with drawn(PAPER, "damped-forces") as (picture, panels):
        for axes, (damping, planet) in zip(panels, shown, strict=True):
            _swing(axes, rigid, damped[damping], planet)
        panels[-1].plot([], [], color=QUIET, linestyle="--", label="rigid")
    return picture


def _swing(axes: Axes, rigid: Swing, flexible: Swing, planet: int) -> None:
    for kind, (colour, label) in LINES.items():
        mesh = mesh_name(kind, planet)
        if mesh in flexible.tangential:
            axes.plot(flexible.time, flexible.tangential[mesh], color=colour, label=label)
        if mesh in rigid.tangential:
            axes.plot(rigid.time, rigid.tangential[mesh], color=colour, linestyle="--")
    axes.margins(y=0.12)


def _explain(axes: Axes) -> None:
    """A legend in the place of a panel."""
    axes.set_axis_off()
    for colour, label in LINES.values():
        axes.plot([], [], color=colour, label=f"{label}, flexible")
        axes.plot([], [], color=colour, linestyle="--", label=f"{label}, rigid")


def switching_picture(time: Floats, by_mesh: dict[str, MeshContact]) -> Picture:
    """Fig. 12: arc lengths and stiffnesses."""
    sun, ring = mesh_name("sun", 1), mesh_name("ring", 1)
    shown = {mesh_name("sun", n): COLOURS[n - 1] for n in (1, 2, 3)} | {ring: ACCENT}
    with drawn(PAPER, "switching") as (picture, (top, below)):
        for name, colour in shown.items():
            arc = _unwrapped(by_mesh[name]) * 1e3
            top.plot(time, arc, color=colour, label=name, linewidth=1.0)
        for name in (sun, ring):
            contact = by_mesh[name]
            limit = (contact.path[1] - contact.base_pitch) * 1e3
            top.axhline(limit, color=QUIET, linestyle=":", linewidth=0.9)
            below.plot(time, contact.stiffness / 1e9, color=shown[name], label=name)
    return picture


def _unwrapped(contact: MeshContact) -> Floats:
    """Arc length without the strokes back to the start of the path."""
    jump = np.abs(np.diff(contact.arc, append=contact.arc[-1])) > 0.5 * contact.base_pitch
    return np.where(jump, np.nan, contact.arc)


def stage_picture(first: StageRun, table: dict[float, StageRun]) -> Picture:
    """Fig. 14: forces by planet, and the rigid model's."""
    with drawn(PAPER, "stage-forces", len(table)) as (picture, panels):
        for axes, run in zip(panels, table.values(), strict=True):
            _stage(axes, first, run)
    return picture


def _stage(axes: Axes, first: StageRun, run: StageRun) -> None:
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
    if shown.any():
        axes.set_xlim(run.time[shown][0], run.time[-1])


def stiffness_picture(run: TurbulentRun) -> Picture:
    """Fig. 7: what the run met on the path, each mesh in a panel."""
    with drawn(PAPER, "stiffness-over-path") as (picture, panels):
        for axes, (kind, record) in zip(panels, run.meshes.items(), strict=False):
            shown = record.stiffness > 0
            place = 1e3 * record.roll[shown], record.stiffness[shown] / 1e9
            axes.plot(*place, ".", color=LINES[kind][0], markersize=1.5)
    return picture


def torque_picture(given: Series) -> Picture:
    """Fig. 11: the seeded series."""
    with drawn(PAPER, "turbulent-torque") as (picture, (top, below)):
        top.plot(given.time, given.rotor / 1e3, color=MAIN)
        below.plot(given.time, given.generator / 1e3, color=SECOND)
    return picture


def parts_picture(run: TurbulentRun) -> Picture:
    """Fig. 13: spring, damper and their sum on planet 1, along x and y."""
    with drawn(PAPER, "spring-and-damper") as (picture, panels):
        if run.complete:
            record, shown = run.meshes["sun"], _last(run)
            parts = record.spring, record.damper, record.spring + record.damper
            for axes, force in zip(panels, parts, strict=True):
                for axis, colour in ((0, MAIN), (1, SECOND)):
                    values = force[shown, axis] / 1e3
                    axes.plot(run.time[shown], values, color=colour, label="xy"[axis])
                axes.margins(x=0)
    return picture


def inertia_picture(runs: Mapping[float, TurbulentRun]) -> Picture:
    """Fig. 15: the sun's inertia torque with each damping; above, accelerations with the least."""
    first = next(iter(runs.values()))
    with drawn(PAPER, "accelerations") as (picture, (top, below, *others)):
        shown = _last(first)
        for body, turning in first.acceleration.items():
            axes, colour = (top, ACCENT) if "planet" in body else (below, SECOND)
            colour = MAIN if body == "sun" else colour
            axes.plot(first.time[shown], turning[shown], color=colour, label=body, linewidth=0.8)
        for axes, run in zip(others, runs.values(), strict=True):
            shown = _last(run)
            axes.plot(run.time[shown], run.inertia_torque[shown] / 1e3, color=MAIN, linewidth=0.8)
        for axes in (top, below, *others):
            axes.margins(x=0)
    return picture


def _last(run: TurbulentRun) -> Flags:
    """The part of a run that is drawn."""
    return (
        np.asarray(run.time >= run.time[-1] - SHOWN_TURBULENCE) if len(run.time) else run.time > 0
    )
