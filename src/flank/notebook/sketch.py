"""A machine as a small picture of lines, made of its outlines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

import numpy as np

from flank.analyses.drawing import Drawing
from flank.analyses.views import View, views_of
from flank.arrays import Floats
from flank.plots.machine import FILLED, LINES, outline_polygons

HEIGHT = 220
"""Pixels."""

MARGIN = 1.04
"""What is shown over what there is."""

FINEST = 1.0
"""Pixels between points of a line, below which one of them is left out."""


def sketch(drawing: Drawing) -> str:
    """All views of a machine side by side to scale; empty if there is nothing to see."""
    views = [_view(drawing, view) for view in views_of(drawing)]
    return f"<div style='display:flex;gap:8px;flex-wrap:wrap'>{''.join(views)}</div>" * any(views)


def _view(drawing: Drawing, view: View) -> str:
    shapes = list(_shapes(drawing, view))
    if not shapes:
        return ""
    points = np.vstack([each for polygons, _ in shapes for each in polygons])
    low, high = points.min(axis=0), points.max(axis=0)
    size = np.maximum(high - low, 1e-6) * MARGIN
    scale = HEIGHT / size[1]  # pixels in a mm
    corner = 0.5 * (low + high) + 0.5 * size * (-1, 1)
    paths = "".join(
        f"<path d='{_path((each - corner) * (scale, -scale) for each in polygons)}' {look}/>"
        for polygons, look in shapes
    )
    width = scale * size[0]
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' role='img' width='{width:.0f}' "
        f"height='{HEIGHT}' viewBox='0 0 {width:.0f} {HEIGHT}'>"
        f"<title>{escape(view.layer or 'machine')}</title>{paths}</svg>"
    )


def _shapes(drawing: Drawing, view: View) -> Iterator[tuple[list[Floats], str]]:
    """Polygons in mm, those of holes with what they are cut out of, and how they are drawn."""
    pending: tuple[list[Floats], str] | None = None
    for outline in drawing.in_layer(view.layer):
        polygons = outline_polygons(drawing, outline, view)
        if outline.kind == "hole" and pending:
            pending[0].extend(polygons)
            continue
        if pending:
            yield pending
        pending = None
        if outline.kind in FILLED:
            face, edge = FILLED[outline.kind]
            pending = polygons, f"fill='{face}' fill-rule='evenodd' {_stroke(edge)}"
        elif outline.kind in LINES:
            colour = LINES[outline.kind]["color"]
            yield polygons, f"fill='none' {_stroke(colour)} stroke-dasharray='1 3'"
    if pending:
        yield pending


def _stroke(colour: str) -> str:
    return f"stroke='{colour}' stroke-width='0.7' vector-effect='non-scaling-stroke'"


def _path(polygons: Iterable[Floats]) -> str:
    """Of polygons in pixels, with as many corners as can be told apart."""
    return "".join(f"M{' '.join(f'{x:.1f},{y:.1f}' for x, y in _seen(each))}Z" for each in polygons)


def _seen(points: Floats) -> Floats:
    along = np.cumsum(np.hypot(*np.diff(points, axis=0, prepend=points[:1]).T))
    kept: Floats = points[np.unique(along // FINEST, return_index=True)[1]]
    return kept
