"""Curves of several machines over one another."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from flank.analyses.registry import ANALYSES
from flank.plots.style import COLOURS, QUIET, WIDE, Picture, label, shown, styled

if TYPE_CHECKING:
    from flank.analyses.labelled import LabelledArray
    from flank.analyses.result import Result
    from flank.arrays import Floats
    from flank.design.comparison import Comparison

NAMES = ("curves", "loads")

MOST_PANELS = 8

SHOWN_SHARE = 0.05
"""Of the largest amplitude: orders above the last one that has it are not shown."""

MOST_MARKED = 100
"""Points of a curve up to which they are marked."""


class Curve(NamedTuple):
    """What is drawn of a side in a panel."""

    side: int
    x: Floats
    y: Floats


class Panel(NamedTuple):
    """Curves of one pair of quantities."""

    title: str
    across: str
    along: str
    curves: list[Curve]
    spectrum: bool = False


def draw(comparison: Comparison) -> dict[str, Picture]:
    """Declared curves of the analyses, and how contacts share the load."""
    with styled():
        panels = [each for name in comparison.analyses for each in _panels(comparison, name)]
        pictures: dict[str, Picture] = {}
        if panels:
            pictures["curves"] = _picture(
                comparison,
                panels[:MOST_PANELS],
                "Curves of all machines over one another, where at least two have them. Of a "
                "transmission error the mean is removed.",
            )
        loads = list(_loads(comparison))
        if loads:
            pictures["loads"] = _picture(
                comparison,
                loads[:MOST_PANELS],
                "Forces of contacts around their circle, of the first disc and the first row "
                "where there are several, at the angle and the torque of the load distribution.",
            )
    return pictures


def _panels(comparison: Comparison, analysis: str) -> Iterator[Panel]:
    for across, along in ANALYSES[analysis].quantities.curves:
        curves, labels = [], ("", "")
        for number, side in enumerate(comparison.sides):
            found = _curve(side.results[analysis], across, along)
            if found is not None:
                x, y = found
                curves.append(Curve(number, shown(x), _level(along, shown(y))))
                labels = label(x), label(y, "Amplitude" if across == "order" else None)
        if len(curves) > 1:
            title = f"{analysis.replace('-', ' ')}"
            yield Panel(title, *labels, curves, across == "order")


def _curve(result: Result, across: str, along: str) -> tuple[LabelledArray, LabelledArray] | None:
    data = result.data
    if across not in data or along not in data:
        return None
    x, y = data[across], data[along]
    if x.ndim != 1 or y.dims != x.dims or y.values.size < 2:
        return None
    return x, y


def _level(name: str, values: Floats) -> Floats:
    return values - values.mean() if name == "transmission_error" else values


def _loads(comparison: Comparison) -> Iterator[Panel]:
    if "load-distribution" not in comparison.analyses:
        return
    results = [side.results["load-distribution"] for side in comparison.sides]
    names = dict.fromkeys(
        name for each in results for name in each.data.data_vars if name.endswith("_force")
    )
    for name in names:
        curves, text = [], ""
        for number, result in enumerate(results):
            array: Any = result.data.data_vars.get(name)
            if array is not None and array.ndim and array.shape[-1] > 1:
                row = shown(array)[(0,) * (array.ndim - 1)]
                around = 360.0 * np.arange(len(row)) / len(row)
                curves.append(Curve(number, around, row))
                text = label(array)
        if len(curves) > 1:
            title = name.removesuffix("_force").replace("_", " ")
            yield Panel(f"{title}s", "Place around the circle (°)", text, curves)


def _picture(comparison: Comparison, panels: list[Panel], caption: str) -> Picture:
    columns = 1 if len(panels) == 1 else 2
    rows = math.ceil(len(panels) / columns)
    picture = Picture(WIDE, 0.6 + 2.9 * rows, caption)
    axes = picture.panels(rows, columns).ravel()
    for each, panel in zip(axes, panels, strict=False):
        _draw(each, panel)
    for each in axes[len(panels) :]:
        each.set_visible(False)
    used = sorted({curve.side for panel in panels for curve in panel.curves})
    handles = [
        axes[0].plot([], [], color=_colour(number), label=comparison.sides[number].name)[0]
        for number in used
    ]
    picture.legend(
        handles=handles, loc="outside upper right", ncols=min(len(used), 4), handlelength=1.4
    )
    return picture


def _colour(number: int) -> str:
    return COLOURS[number % len(COLOURS)]


def _draw(axes: Axes, panel: Panel) -> None:
    axes.set_title(panel.title.capitalize())
    axes.axhline(0.0, color=QUIET, linewidth=0.5)
    for curve in panel.curves:
        style = (0, (5, 1.5)) if curve.side % 2 else "-"
        marks = "." if len(curve.x) < MOST_MARKED else ""
        axes.plot(
            curve.x,
            curve.y,
            color=_colour(curve.side),
            linestyle=style,
            linewidth=1.1,
            marker=marks,
            markersize=3,
        )
    if panel.spectrum:
        axes.set_xlim(0.0, _last_order(panel))
    axes.set_xlabel(panel.across)
    axes.set_ylabel(panel.along)


def _last_order(panel: Panel) -> float:
    last = 1.0
    for curve in panel.curves:
        large = curve.y >= SHOWN_SHARE * float(np.max(curve.y, initial=0.0))
        if large.any():
            last = max(last, float(curve.x[large].max()))
    return 1.05 * last
