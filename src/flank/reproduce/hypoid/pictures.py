"""Figs. 1 to 4, 8 and 11 to 13 of the paper, and how teeth hand over without load."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from flank.arrays import Floats, Integers
from flank.geometry.rotations import about_z
from flank.geometry.spline_surface import SplineSurface
from flank.plots.style import ACCENT, COLOURS, FAINT, INK, MAIN, QUIET, SECOND, Picture
from flank.reproduce.hypoid.computing import CASES, PAPER, Errors, Rolled, machine_of
from flank.reproduce.hypoid.findings import Evidence
from flank.reproduce.hypoid.one_position import Position
from flank.reproduce.pictures import drawn

LONGEST_ARROW = 8e-3
"""m, of the greatest force of a point."""

LINES = (5, 9)
"""Lines of a drawn flank along the profile and along the face."""

DETAIL = (0.1, 0.35)
"""Part of the pitch that Figs. 12 and 13 look at."""

STYLES = {"old/40": (SECOND, 0.9), "old/200": (INK, 0.9), "new/40": (MAIN, 1.3)}
"""Colours as in the paper: orange, black and blue."""


def _view(position: Position) -> Floats:
    """Rows: along the pinion's axis, up the teeth, towards who looks, on what the pinion pushes."""
    middle = position.place.mean(axis=0)
    outward = -position.normal.mean(axis=0)
    radial = np.array([middle[0], middle[1], 0.0]) / np.hypot(*middle[:2])
    near = 0.5 * radial + outward
    axis = np.array([0.0, 0.0, 1.0])
    near -= axis * (near @ axis)
    near /= np.linalg.norm(near)
    return np.array([axis, np.cross(near, axis), near])


def _draw_teeth(
    axes: Axes, surface: SplineSurface, teeth: Floats, pitch: float, view: Floats
) -> None:
    for tooth in teeth:
        turn = view[:2] @ about_z(tooth * pitch)
        v, u = np.meshgrid(np.linspace(-1, 1, LINES[0]), np.linspace(-1, 1, 41))
        across = 1e3 * surface.points(u, v) @ turn.T
        axes.plot(across[..., 0], across[..., 1], color=QUIET, linewidth=0.5)
        v, u = np.meshgrid(np.linspace(-1, 1, 21), np.linspace(-1, 1, LINES[1]), indexing="ij")
        along = 1e3 * surface.points(u, v) @ turn.T
        axes.plot(along[..., 0], along[..., 1], color=FAINT, linewidth=0.5)


def _prepared(axes: Axes, pair: str, position: Position) -> Floats:
    """Teeth that touch and their neighbours, without a frame; returns the view."""
    flanks = machine_of(pair).loaded_flanks()
    view = _view(position)
    teeth = np.unique(position.load.tooth)
    near = np.arange(teeth.min(), teeth.max() + 1)
    _draw_teeth(axes, flanks.loading.pair.surfaces[0], near, flanks.loading.pair.pitch, view)
    axes.set_aspect("equal")
    axes.set_axis_off()
    return view


def line_picture(evidence: Evidence) -> Picture:
    with drawn(PAPER, "contact-lines") as (picture, panels):
        for axes, (pair, each) in zip(panels, evidence.items(), strict=True):
            position = each.position
            view = _prepared(axes, pair, position)
            bearing = position.forces > 0
            place = 1e3 * position.place @ view[:2].T
            scale = 1e3 * LONGEST_ARROW / position.forces.max()
            arrow = scale * position.forces[:, None] * (position.normal @ view[:2].T)
            axes.plot(*place[~bearing].T, ".", color=SECOND, markersize=3)
            axes.plot(*place[bearing].T, ".", color=MAIN, markersize=4)
            tail = place - arrow
            axes.quiver(
                *tail[bearing].T, *arrow[bearing].T,
                angles="xy", scale_units="xy", scale=1, width=0.003, headwidth=4, headlength=5,
                color=MAIN,
            )  # fmt: skip
    return picture


def iteration_picture(evidence: Evidence) -> Picture:
    with drawn(PAPER, "iterations") as (picture, panels):
        for row, each in enumerate(evidence.values()):
            position = each.position
            depth, old, new = panels[3 * row : 3 * row + 3]
            number: Integers = np.arange(len(position.forces), dtype=np.int64)
            depth.bar(number, 1e6 * position.points.depth, color=QUIET, width=0.8)
            _draw_steps(old, number, position.deleted)
            _draw_steps(new, number, position.settled)
            for axes in (depth, old, new):
                for edge in np.flatnonzero(np.diff(position.load.tooth)) + 0.5:
                    axes.axvline(edge, color=FAINT)
    return picture


def _draw_steps(axes: Axes, number: Integers, steps: Floats) -> None:
    """Faint to dark, as iterations go on, the last with marks."""
    last = len(steps) - 1
    for k, forces in enumerate(steps):
        shade = 0.6 + 0.4 * k / max(last, 1)
        text = f"step {k + 1}" if k in (0, 1, last) else None
        colour = MAIN if k == last else COLOURS[(k + 1) % len(COLOURS)]
        mark = "." if k == last else None
        axes.plot(number, forces, marker=mark, color=colour, alpha=shade, label=text)
    axes.axhline(0.0, color=INK, linewidth=0.5)


def angle_picture(evidence: Evidence) -> Picture:
    with drawn(PAPER, "contact-angle") as (picture, panels):
        for axes, bar, (pair, each) in zip(
            panels[::2], panels[1::2], evidence.items(), strict=True
        ):
            position = each.position
            view = _prepared(axes, pair, position)
            largest = float(np.abs(position.angle).max())
            place = 1e3 * position.place @ view[:2].T
            dots = axes.scatter(place[:, 0], place[:, 1], 12, position.angle, zorder=3)
            dots.set_cmap("coolwarm")
            dots.set_clim(-largest, largest)
            for normal, point in zip(position.normal @ view[:2].T, place, strict=True):
                axes.plot(*np.array([point, point - 4 * normal]).T, color=SECOND, linewidth=0.4)
            picture.colorbar(dots, cax=bar)
    return picture


def error_picture(evidence: Evidence) -> Picture:
    with drawn(PAPER, "transmission-error") as (picture, panels):
        for row, (pair, each) in enumerate(evidence.items()):
            *whole, apart = panels[3 * row : 3 * row + 3]
            for axes, (count, errors) in zip(whole, each.errors.items(), strict=True):
                axes.set_title(f"{pair}, {count} positions")
                _draw_errors(axes, errors)
            apart.set_title(f"{pair}, less new/200")
            for case in ("old/40", "new/40"):
                colour, width = STYLES[case]
                apart.plot(errors.positions, errors.apart(case), color=colour, linewidth=width)
    return picture


def _draw_errors(axes: Axes, errors: Errors) -> None:
    for case in ("old/40", "new/40"):
        colour, width = STYLES[case]
        axes.plot(errors.positions, errors.loaded[case], color=colour, linewidth=width, label=case)
    lowest = float(np.mean(errors.loaded["new/40"]) - 0.9 * np.ptp(errors.unloaded))
    unloaded = errors.unloaded - errors.unloaded.mean() + lowest
    axes.plot(errors.positions, unloaded, color=QUIET, label="no load, shifted")
    axes.set_xlim(0, 1)


def torque_picture(evidence: Evidence) -> Picture:
    with drawn(PAPER, "torque") as (picture, panels):
        for row, (pair, each) in enumerate(evidence.items()):
            for axes, detail in zip(panels[2 * row :], (False, True), strict=False):
                axes.set_title(f"{pair}, {'detail' if detail else 'one pitch'}")
                _draw_rolls(axes, each.roll, each.roll.torque, detail)
    return picture


def derivative_picture(evidence: Evidence) -> Picture:
    with drawn(PAPER, "derivative") as (picture, panels):
        for row, (pair, each) in enumerate(evidence.items()):
            per_degree = each.roll.derivative * np.pi / 180
            for axes, detail in zip(panels[2 * row :], (True, False), strict=False):
                axes.set_title(f"{pair}, {'detail' if detail else 'one pitch'}")
                _draw_rolls(axes, each.roll, per_degree, detail)
    return picture


def _draw_rolls(axes: Axes, roll: Rolled, values: Floats, detail: bool) -> None:
    places = np.linspace(0, 1, values.shape[1])
    part = (places >= DETAIL[0]) & (places <= DETAIL[1]) if detail else slice(None)
    for case in CASES["shown_cases"]:
        colour, width = STYLES[case]
        row = values[roll.row(case)]
        axes.plot(places[part], row[part], color=colour, linewidth=width, label=case)
    axes.set_xlim(*(DETAIL if detail else (0, 1)))


def hand_over_picture(evidence: Evidence) -> Picture:
    with drawn(PAPER, "hand-over") as (picture, panels):
        for axes, (pair, each) in zip(panels, evidence.items(), strict=True):
            unloaded = each.unloaded[True]
            angle = np.degrees(unloaded.angle)
            axes.set_title(f"{pair}, driving flanks")
            for k, curve in enumerate(unloaded.curves):
                text = "single pairs, no borders" if k == 0 else None
                axes.plot(angle, curve, color=QUIET, linewidth=0.8, label=text)
            axes.plot(angle, unloaded.error, color=MAIN, label="the pair, edges counted")
            axes.plot(
                angle[:: unloaded.stride], unloaded.turned, "x", color=ACCENT, markersize=4,
                label="turned out of the way",
            )  # fmt: skip
            span = np.ptp(unloaded.error)
            axes.set_ylim(unloaded.error.min() - 0.5 * span, unloaded.error.max() + 0.5 * span)
    return picture
