"""Fig. 7 and Fig. 8 of the paper, four panels each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from flank.io.shown import factor
from flank.plots.style import ACCENT, INK, MAIN, QUIET, SECOND, Picture, angle_ticks
from flank.reproduce.pictures import drawn
from flank.reproduce.reducers.computing import PAPER, Condition, Error, Traced

ERRORS = ("δr", "δc", "δe", "δφ")
"""Of the panels, in the order of Fig. 7."""

LINES = ((MAIN, "-"), (SECOND, "-"), (ACCENT, (0, (5, 2))), (QUIET, (0, (2, 1.5))))
"""Colour and dashes of the conditions that are not nominal."""

OPAQUE: Any = {"frameon": True, "facecolor": "white", "edgecolor": "none", "framealpha": 1.0}
"""A legend that hides the grid behind it."""

LEGEND_LINE = 0.047
"""Height of a line of the legend, as a share of the panel's."""

NEAR = 0.2
"""Share of the torque that a panel of loops shows; beyond it the curves run side by side."""


def loop_picture(rows: Sequence[Condition], loops: Sequence[Traced]) -> Picture:
    """Loops of torque and angle, one panel an error."""
    with drawn(PAPER, "hysteresis-loops") as (picture, panels):
        for axes, error in zip(panels, ERRORS, strict=True):
            for condition, traced, style in _of(error, rows, loops):
                share = traced.torque / traced.torque.max()
                near = np.abs(share) <= NEAR
                angle = np.where(near, traced.angle * factor("rad", "arcmin"), np.nan)
                axes.plot(traced.torque, angle, label=_label(condition), **style)
            _zoom_in(axes)
    return picture


def error_picture(rows: Sequence[Condition], errors: Sequence[Error]) -> Picture:
    """Transmission errors over one crank turn, one panel an error."""
    with drawn(PAPER, "transmission-errors") as (picture, panels):
        sizes = [float(np.abs(e.error - e.mean).max()) for e in errors if e.complete]
        largest = max(sizes, default=1.0)
        for axes, name in zip(panels, ERRORS, strict=True):
            for condition, error, style in _of(name, rows, errors):
                values = (error.error - error.error.mean()) * factor("rad", "arcsec")
                axes.plot(np.degrees(error.crank_angle), values, label=_label(condition), **style)
            angle_ticks(axes, 0.0, 360.0)
            _leave_room(axes, 1.1 * largest * factor("rad", "arcsec"))
    return picture


def _zoom_in(axes: Axes) -> None:
    """Limits about the curves, which end where the zoom does, and lines through zero."""
    lines = axes.get_lines()
    if not lines:
        return
    top = max(float(np.nanmax(np.abs(line.get_ydata()))) for line in lines)
    reach = NEAR * max(float(np.max(line.get_xdata())) for line in lines)
    axes.axhline(0.0, color=QUIET, linewidth=0.6)
    axes.axvline(0.0, color=QUIET, linewidth=0.6)
    axes.set_xlim(-reach, reach)
    _leave_room(axes, 1.1 * top)


def _leave_room(axes: Axes, top: float) -> None:
    """Limits ±top and above them the legend, where anything was drawn."""
    if not axes.get_lines():
        return
    legend = axes.legend(loc="upper left", fontsize=7.5, labelspacing=0.35, **OPAQUE)
    share = 0.03 + LEGEND_LINE * len(legend.get_texts())
    axes.set_ylim(-top, top + 2 * top * share / (1 - share))


def _of(
    error: str, rows: Sequence[Condition], curves: Sequence[Any]
) -> Iterator[tuple[Condition, Any, dict[str, Any]]]:
    """The nominal first, then the conditions of one error, each with its line.

    What did not complete is left out.
    """
    pairs = [pair for pair in zip(rows, curves, strict=True) if pair[1].complete]
    nominal = [pair for pair in pairs if not pair[0].changes]
    changed = [pair for pair in pairs if pair[0].changes and pair[0].error == error]
    for pair in nominal[:1]:
        yield (*pair, {"color": INK, "linestyle": "-", "linewidth": 1.6})
    for pair, (colour, dashes) in zip(changed, LINES, strict=False):
        yield (*pair, {"color": colour, "linestyle": dashes, "linewidth": 1.1})


def _label(condition: Condition) -> str:
    return f"{condition.printed}: {condition.applied}" if condition.changes else "nominal"
