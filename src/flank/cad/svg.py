"""Parts as SVG at their true size, a group a layer."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from flank._version import __version__
from flank.cad.placing import MILLIMETRE, Placed, layers_of
from flank.io.ownership import GENERATOR

if TYPE_CHECKING:
    from flank.machines.plates import Edge

MARGIN = 1.0
"""mm around what there is."""

DECIMALS = 4
"""Of mm."""

LINE = 0.1
"""mm, the width of lines."""


def svg_text(parts: list[Placed], title: str, tolerance: float) -> str:
    """The text of a file; `tolerance` in m is that of lines in the place of curves."""
    chord = tolerance * MILLIMETRE
    corners = np.vstack([part.plate.outside.points(0.01) for part in parts])
    low, high = corners.min(axis=0) - MARGIN, corners.max(axis=0) + MARGIN
    width, height = high - low
    groups = []
    for layer in layers_of(parts):
        paths = "\n".join(
            f"<path d='{''.join(_path(edge, chord) for edge in part.edges)}'>"
            f"<title>{escape(part.plate.name)}</title></path>"
            for part in parts
            if part.layer == layer
        )
        groups.append(f"<g id='{escape(layer.replace(' ', '-').replace(',', ''))}'>\n{paths}\n</g>")
    return (
        "<?xml version='1.0' encoding='UTF-8'?>\n"
        f"<!-- {GENERATOR} {__version__} -->\n"
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width:.3f}mm' height='{height:.3f}mm' "
        f"viewBox='{low[0]:.3f} {-high[1]:.3f} {width:.3f} {height:.3f}' fill='none' "
        f"fill-rule='evenodd' stroke='black' stroke-width='{LINE}'>\n"
        f"<title>{escape(title)}</title>\n" + "\n".join(groups) + "\n</svg>\n"
    )


def _path(edge: Edge, chord: float) -> str:
    if edge.circle is not None:
        x, y, r = edge.circle
        arc = f"A{r:.{DECIMALS}f},{r:.{DECIMALS}f} 0 0 0"
        left, right = (
            f"{x - r:.{DECIMALS}f},{-y:.{DECIMALS}f}",
            f"{x + r:.{DECIMALS}f},{-y:.{DECIMALS}f}",
        )
        return f"M{right}{arc} {left}{arc} {right}Z"
    points = " ".join(f"{x:.{DECIMALS}f},{-y:.{DECIMALS}f}" for x, y in edge.points(chord))
    return f"M{points}Z"
