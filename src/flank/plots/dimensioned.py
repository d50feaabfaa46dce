"""The machine at rest with its dimensions: overall sizes as arrows, features as a table.

All is read off the outlines, which are to scale, so that drawing and table cannot disagree with
what is computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from flank.analyses.drawing import Drawing
from flank.analyses.views import View, views_of
from flank.arrays import Floats
from flank.io.shown import number_text
from flank.io.tables import MISSING, Column, Table, table
from flank.machines.outlines import Outline
from flank.plots.machine import DRAWN, FILLED, draw_outlines, has_look, outline_polygons
from flank.plots.style import INK, WIDE, Picture

ROUND = 1e-3
"""Scatter of the radius over it, up to which an outline is a circle."""

ALIKE = 1e-6
"""m by which sizes of one feature may differ and be told as one."""

MEASURED = {*FILLED, "hole"}
"""Kinds of outlines that are features of parts."""

AWAY = 0.11
"""Of the larger extent: how far dimension lines lie from the machine."""


class Extent(NamedTuple):
    low: Floats
    high: Floats

    @property
    def size(self) -> Floats:
        return np.asarray(self.high - self.low)


def dimensioned_picture(drawing: Drawing) -> Picture | None:
    """A panel for each view with its overall dimensions; None where there is nothing to draw."""
    if not has_look(drawing):
        return None
    views = views_of(drawing)[:2]
    extents = [_extent(drawing, view) for view in views]
    height = max(float(extent.size[1] / extent.size[0]) for extent in extents)
    width = WIDE if len(views) > 1 else 0.7 * WIDE
    picture = Picture(
        width,
        min(max(width / len(views) * min(height, 1.0) * 1.08, 2.6), 7.0),
        "The machine to scale at rest, overall dimensions in mm.",
    )
    for axes, view, extent in zip(picture.panels(1, len(views))[0], views, extents, strict=True):
        draw_outlines(axes, drawing, view)
        _dimension(axes, extent)
        if len(views) > 1:
            axes.set_title(view.layer.capitalize())
    return picture


def _extent(drawing: Drawing, view: View) -> Extent:
    points = np.vstack(
        [
            points
            for outline in drawing.in_layer(view.layer)
            if outline.kind in DRAWN
            for points in outline_polygons(drawing, outline, view)
        ]
    )
    return Extent(points.min(axis=0), points.max(axis=0))


def _dimension(axes: Axes, extent: Extent) -> None:
    """Arrows below and to the right, with lines to what they measure."""
    (left, low), (right, high) = extent
    width, height = extent.size
    away = AWAY * max(width, height)
    _arrow(axes, (left, low - away), (right, low - away), width, 0.0)
    _arrow(axes, (right + away, low), (right + away, high), height, 90.0)
    for x in (left, right):
        axes.plot([x, x], [0.5 * (low + high), low - 1.25 * away], color=INK, linewidth=0.5)
    for y in (low, high):
        axes.plot([0.5 * (left + right), right + 1.25 * away], [y, y], color=INK, linewidth=0.5)
    axes.set_xlim(left - 0.4 * away, right + 2.2 * away)
    axes.set_ylim(low - 2.2 * away, high + 0.4 * away)
    axes.set_aspect("equal")
    axes.set_axis_off()


def _arrow(
    axes: Axes,
    first: tuple[float, float],
    last: tuple[float, float],
    length: float,
    turned: float,
) -> None:
    arrow = {"arrowstyle": "<|-|>", "color": INK, "linewidth": 0.7, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", last, first, arrowprops=arrow)
    middle = 0.5 * (first[0] + last[0]), 0.5 * (first[1] + last[1])
    axes.annotate(
        number_text(length, 4),
        middle,
        rotation=turned,
        ha="center",
        va="center",
        backgroundcolor="white",
        fontsize=9,
    )


def features_table(drawing: Drawing) -> Table | None:
    """Features of a plane machine: how many, how large, on which circle."""
    if drawing.spatial:
        return None
    rows = list(_features(drawing))
    if not rows:
        return None
    names = "feature", "number", "diameter, mm", "inner diameter, mm", "on a circle of, mm"
    columns = [Column(name, [row[k] for row in rows]) for k, name in enumerate(names)]
    made = table("Dimensions", columns)
    return made._replace(words=[True, False, False, False, False])


def _features(drawing: Drawing) -> Iterator[tuple[str, str, str, str, str]]:
    """Outlines of one name and kind together, numbers of the name left out; those of one size."""
    groups: dict[tuple[str, str], list[Outline]] = {}
    for outline in drawing.outlines:
        if outline.kind in MEASURED and outline.closed:
            name = re.sub(r"\s*\d+\b", "", outline.name)
            name = f"hole in {name}" if outline.kind == "hole" else name
            groups.setdefault((name, outline.kind), []).append(outline)
    for (name, _), outlines in groups.items():
        sizes: dict[tuple[float, float, float], int] = {}
        for outline in outlines:
            size = _size(drawing, outline)
            known = next((each for each in sizes if np.allclose(each, size, atol=ALIKE)), size)
            sizes[known] = sizes.get(known, 0) + 1
        for (outer, inner, circle), count in sorted(sizes.items(), reverse=True):
            within = _mm(inner) if outer - inner > ROUND * outer else MISSING
            yield name, str(count), _mm(outer), within, _mm(circle) if circle else MISSING


def _size(drawing: Drawing, outline: Outline) -> tuple[float, float, float]:
    """Outer and inner diameter, and that of the circle on which its middle lies: in its body, or
    that of its body."""
    own = outline.points
    centre = own.mean(axis=0)
    if np.ptp(np.hypot(*(own - centre).T)) > ROUND * float(np.hypot(*own.T).max()):
        centre = np.zeros(2)
    radius = np.hypot(*(own - centre).T)
    own_place = np.hypot(*centre) > ALIKE
    where = centre if own_place else drawing.poses[0, outline.body, :2]
    place = 2 * float(np.hypot(*where))
    on = place if place > 2 * ALIKE else 0.0
    return 2 * float(radius.max()), 2 * float(radius.min()), on


def _mm(length: float) -> str:
    return number_text(length * 1e3, 5)
