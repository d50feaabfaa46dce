"""Pictures of a study: how its figures spread, what drives them, and its worst samples."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from flank.arrays import Floats
from flank.io.shown import factor, number_text, unit_text
from flank.plots.style import (
    ACCENT,
    FAINT,
    INK,
    MAIN,
    QUIET,
    SECOND,
    WIDE,
    Picture,
    styled,
)

if TYPE_CHECKING:
    from flank.studies.evaluation import Evaluation
    from flank.studies.study import Limit

NAMES = ("study-histograms", "study-drivers", "study-worst")
FEWEST = 10
"""Samples from which something is drawn."""

MOST_PANELS = 6
COLUMNS = 3


def draw(evaluation: Evaluation) -> dict[str, Picture]:
    """The pictures of a study, by name; none as long as there are but a few samples."""
    figures = [
        name
        for name in evaluation.main_figures[:MOST_PANELS]
        if len(evaluation.values(name)) >= FEWEST
    ]
    if not figures:
        return {}
    with styled():
        pictures = {NAMES[0]: _histograms(evaluation, figures)}
        if evaluation.statistical:
            pictures[NAMES[1]] = _drivers(evaluation, figures)
        pictures[NAMES[2]] = _worst(evaluation, figures)
    return pictures


def why_none(evaluation: Evaluation) -> str:
    """One sentence where samples are too few for pictures; empty where there are some, or no
    figure that varies."""
    known = [len(evaluation.values(name)) for name in evaluation.main_figures[:MOST_PANELS]]
    if not known or max(known) >= FEWEST:
        return ""
    return f"Pictures are drawn from {FEWEST} samples on; {max(known)} are known."


def _picture(figures: list[str], height: float, caption: str) -> tuple[Picture, list[Axes]]:
    columns = min(len(figures), COLUMNS)
    rows = math.ceil(len(figures) / columns)
    width = WIDE if columns > 1 else 0.62 * WIDE
    picture = Picture(width, height * rows + 0.2, caption)
    panels = [axes for row in picture.panels(rows, columns) for axes in row]
    for axes in panels[len(figures) :]:
        axes.set_visible(False)
    return picture, panels


def _scale(evaluation: Evaluation, name: str) -> float:
    quantity = evaluation.figures[name]
    return factor(quantity.unit, quantity.shown_unit)


def _label(evaluation: Evaluation, name: str) -> str:
    quantity = evaluation.figures[name]
    unit = unit_text(quantity.shown_unit)
    return f"{quantity.title} ({unit})" if unit else quantity.title


def _histograms(evaluation: Evaluation, figures: list[str]) -> Picture:
    picture, panels = _picture(
        figures,
        2.9,
        "How the figures of the samples spread. Red: limits, and samples beyond them; orange: "
        "the machine itself, nothing varied; grey band: 5 % to 95 % of the samples.",
    )
    limits = {limit.figure: limit for limit in evaluation.limits}
    for axes, name in zip(panels, figures, strict=False):
        _histogram(axes, evaluation, name, limits.get(name))
    _add_legend(picture, panels)
    return picture


def _add_legend(picture: Picture, panels: list[Axes]) -> None:
    """One legend below all panels: each name once."""
    handles: dict[str, Any] = {}
    for axes in panels:
        found, names = axes.get_legend_handles_labels()
        handles |= dict(zip(names, found, strict=True))
    picture.legend(
        list(handles.values()),
        list(handles),
        loc="outside lower right",
        ncols=len(handles) if len(panels) > 1 else 3,
        handlelength=1.2,
    )


def _histogram(axes: Axes, evaluation: Evaluation, name: str, limit: Limit | None) -> None:
    scale = _scale(evaluation, name)
    values = evaluation.values(name) * scale
    edges = np.histogram_bin_edges(values, bins=_bins(values))
    low, high = (evaluation.quantile(name, share).value * scale for share in (0.05, 0.95))
    axes.axvspan(low, high, color=FAINT, alpha=0.5, linewidth=0, label="5 % to 95 %")
    within = np.ones(len(values), dtype=bool)
    if limit is not None:
        within = (values >= limit.low * scale) & (values <= limit.high * scale)
        share = next(y for y in evaluation.yields() if y.limit == limit).share
        axes.set_title(f"Yield {share.value:.1%} ({share.low:.1%} to {share.high:.1%})")
        for bound in filter(math.isfinite, (limit.low, limit.high)):
            axes.axvline(bound * scale, color=ACCENT, linewidth=1.4, label="limit")
    parts = [values[within], values[~within]]
    names = ["samples", "" if within.all() else "samples beyond a limit"]
    axes.hist(parts, list(edges), color=[MAIN, ACCENT], rwidth=0.92, stacked=True, label=names)
    axes.axvline(
        evaluation.nominal(name) * scale, color=SECOND, linewidth=1.4, label="nothing varied"
    )
    axes.set_xlabel(_label(evaluation, name))
    axes.set_ylabel("samples")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(visible=False, axis="x")


def _bins(values: Floats) -> int:
    """By the rule of Freedman and Diaconis, within what can be seen."""
    low, high = np.quantile(values, (0.25, 0.75))
    width = 2.0 * (high - low) / len(values) ** (1 / 3)
    return int(np.clip(np.ptp(values) / width if width > 0 else 1, 8, 60))


def _drivers(evaluation: Evaluation, figures: list[str]) -> Picture:
    count = len(evaluation.study.variables.entries)
    picture, panels = _picture(
        figures,
        1.4 + 0.28 * count,
        "What each varied key does to a figure: the standard deviation that it alone makes. Blue: "
        "by the samples, with its interval; orange: to first order, by derivatives at the machine "
        "itself, where they are known.",
    )
    for axes, name in zip(panels, figures, strict=False):
        _rank(axes, evaluation, name)
    _add_legend(picture, panels)
    return picture


def _rank(axes: Axes, evaluation: Evaluation, name: str) -> None:
    drivers, scale = evaluation.drivers(name), _scale(evaluation, name)
    spread = evaluation.deviation(name) * scale
    rows = np.arange(len(drivers))
    values = np.array([driver.deviation * scale for driver in drivers])
    ends = np.array([[math.sqrt(x) * spread for x in driver.share[1:]] for driver in drivers])
    axes.barh(rows - 0.17, np.nan_to_num(values), 0.34, color=MAIN, label="by the samples")
    axes.hlines(rows - 0.17, ends[:, 0], ends[:, 1], color=INK, linewidth=1.0, label="interval")
    linear = np.array([driver.first_order * scale for driver in drivers])
    known = "to first order" if np.isfinite(linear).any() else ""
    axes.barh(rows + 0.19, linear, 0.3, color=SECOND, label=known)
    labels = [f"{driver.entry.removeprefix('errors.')} ({driver.places})" for driver in drivers]
    axes.set_yticks(rows, labels, fontsize=7.5)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(left=0.0)
    axes.tick_params(axis="y", length=0)
    axes.grid(visible=False, axis="y")
    axes.set_title(evaluation.figures[name].title)
    unit = unit_text(evaluation.figures[name].shown_unit)
    axes.set_xlabel(f"{unit} (all together: {number_text(spread, 3)})")


def _worst(evaluation: Evaluation, figures: list[str]) -> Picture:
    picture, panels = _picture(
        figures,
        3.0,
        "Each figure over the drawn number that goes with it most closely, with their coefficient "
        "of correlation. Dashed: limits. Red: the worst samples, the largest where there is no "
        "limit, with the numbers of the first of them, which `flank study show` computes again in "
        "full.",
    )
    for axes, name in zip(panels, figures, strict=False):
        _scatter(axes, evaluation, name)
    return picture


def _scatter(axes: Axes, evaluation: Evaluation, name: str) -> None:
    strongest, estimate = next(iter(evaluation.correlations(name).items()))
    numbers, values = evaluation.numbers(name), evaluation.values(name) * _scale(evaluation, name)
    across, unit = evaluation.driver_column(strongest, numbers)
    worst = evaluation.worst(name)
    axes.plot(across, values, ".", color=QUIET, markersize=3, alpha=0.6, rasterized=True)
    axes.plot(across[worst], values[worst], ".", color=ACCENT, markersize=5)
    for place in worst[:3]:
        axes.annotate(
            str(numbers[place]),
            (across[place], values[place]),
            xytext=(4, 2),
            textcoords="offset points",
            fontsize=7.5,
            color=ACCENT,
        )
    for limit in evaluation.limits:
        if limit.figure == name:
            for bound in (limit.low, limit.high):
                if math.isfinite(bound):
                    level = bound * _scale(evaluation, name)
                    axes.axhline(level, color=ACCENT, linewidth=1.0, linestyle="--")
    axes.locator_params(axis="x", nbins=5)
    axes.set_title(f"r = {estimate.value:+.2f} ({estimate.low:+.2f} to {estimate.high:+.2f})")
    axes.set_xlabel(f"{strongest} ({unit_text(unit)})" if unit else strongest)
    axes.set_ylabel(_label(evaluation, name))
