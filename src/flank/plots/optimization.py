"""Pictures of a search: how the best came down, where it looked, and a front of two objectives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from flank.io.shown import factor, unit_text
from flank.plots.style import ACCENT, INK, MAIN, QUIET, SECOND, WIDE, Picture, styled

if TYPE_CHECKING:
    from flank.arrays import Floats
    from flank.design.asked_figures import AskedFigure
    from flank.design.optimization import Optimum
    from flank.design.problem import Trial

NAMES = ("search", "front")

MOST_PANELS = 4
"""Keys of which each has a panel."""


def draw(optimum: Optimum, chosen: Sequence[Trial]) -> dict[str, Picture]:
    """The search always; the front where there is one."""
    with styled():
        pictures = {"search": _search(optimum)}
        if optimum.front is not None and len(optimum.front.trials) > 1:
            pictures["front"] = _front(optimum, chosen)
    return pictures


def _label(figure: AskedFigure) -> str:
    unit = unit_text(figure.shown_unit)
    return f"{figure.title} ({unit})" if unit else figure.title


def _values(figure: AskedFigure, trials: Sequence[Trial]) -> Floats:
    scale = factor(figure.unit, figure.shown_unit)
    return np.array([each.figures.get(figure.full, math.nan) * scale for each in trials])


def _search(optimum: Optimum) -> Picture:
    """The objective over the trials, and over every key."""
    problem, path = optimum.problem, optimum.path
    figure = problem.objectives[0].figure
    keys = problem.varied[:MOST_PANELS]
    columns = 1 + len(keys)
    picture = Picture(
        WIDE,
        3.4 if columns < 4 else 5.6,
        "Left: the first objective of every spec in the order in which they were tried, with the "
        "best so far. Then the same over each key between its bounds. Full points keep all limits, "
        "crosses do not; the ticks below are specs that are not allowed. Red: the best; dotted: "
        "the machine as it is."
        + (" Only the first keys are shown." if len(problem.varied) > MOST_PANELS else ""),
    )
    rows = 1 if columns < 4 else 2
    panels = picture.panels(rows, math.ceil(columns / rows), sharey=True).ravel()
    values = _values(figure, path)
    numbers = np.array([each.number + 1 for each in path], dtype=float)
    good = np.array([problem.reply(each).good for each in path])
    _points(panels[0], numbers, values, good)
    _best_so_far(panels[0], numbers, values, good, problem.objectives[0].largest)
    panels[0].set_xlabel("Trial")
    panels[0].xaxis.set_major_locator(MaxNLocator(integer=True))
    for k, (axes, varied) in enumerate(zip(panels[1:], keys, strict=False)):
        scale = factor(varied.measure.si_unit, varied.measure.shown_unit)
        places = np.array([each.values[k] * scale for each in path])
        _points(axes, places, values, good)
        unit = unit_text(varied.measure.shown_unit)
        axes.set_xlabel(f"{varied.key} ({unit})" if unit else varied.key)
        if varied.own is not None and varied.low <= varied.own <= varied.high:
            axes.axvline(varied.own * scale, color=QUIET, linewidth=0.9, linestyle=":")
        if optimum.best is not None and optimum.front is None:
            at = optimum.best.values[k] * scale
            axes.plot([at], _values(figure, [optimum.best]), "o", color=ACCENT, markersize=6)
    for axes in panels[columns:]:
        axes.set_visible(False)
    for axes in panels[:columns]:
        own = _values(figure, [problem.own])[0]
        if math.isfinite(own):
            axes.axhline(own, color=QUIET, linewidth=0.9, linestyle=":")
    for row in range(rows):
        panels[row * math.ceil(columns / rows)].set_ylabel(_label(figure))
    return picture


def _points(axes: Axes, places: Floats, values: Floats, good: np.ndarray) -> None:
    told = np.isfinite(values)
    axes.plot(places[told & ~good], values[told & ~good], "x", color=QUIET, markersize=4)
    axes.plot(places[good], values[good], "o", color=MAIN, markersize=3.2)
    axes.plot(
        places[~told],
        np.full(int((~told).sum()), 0.02),
        "|",
        color=SECOND,
        markersize=7,
        transform=axes.get_xaxis_transform(),
    )


def _best_so_far(
    axes: Axes, numbers: Floats, values: Floats, good: np.ndarray, largest: bool
) -> None:
    worst = -math.inf if largest else math.inf
    kept = np.where(good, values, worst)
    best = np.maximum.accumulate(kept) if largest else np.minimum.accumulate(kept)
    known = np.isfinite(best)
    axes.step(numbers[known], best[known], where="post", color=ACCENT, linewidth=1.3)


def _front(optimum: Optimum, chosen: Sequence[Trial]) -> Picture:
    assert optimum.front is not None
    first, second = (each.figure for each in optimum.problem.objectives)
    picture = Picture(
        WIDE * 0.75,
        4.6,
        "Two objectives of all specs that keep the limits (grey), and the front, of which none is "
        "better than another in both; numbers are those of the table and of the files. The cross "
        "is the machine as it is.",
    )
    axes = picture.panel()
    goods = optimum.goods
    axes.plot(_values(first, goods), _values(second, goods), ".", color=QUIET, markersize=4)
    line = optimum.front.trials
    axes.plot(_values(first, line), _values(second, line), color=MAIN, linewidth=1.0)
    axes.plot(_values(first, chosen), _values(second, chosen), "o", color=MAIN, markersize=5)
    for number, trial in enumerate(chosen, start=1):
        at = (_values(first, [trial])[0], _values(second, [trial])[0])
        axes.annotate(
            str(number), at, xytext=(5, 4), textcoords="offset points", fontsize=8, color=MAIN
        )
    own = [optimum.problem.own]
    axes.plot(_values(first, own), _values(second, own), "x", color=INK, markersize=8)
    axes.set_xlabel(_label(first))
    axes.set_ylabel(_label(second))
    return picture
