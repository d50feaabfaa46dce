"""Points of all edges, for programs that draw by themselves."""

from __future__ import annotations

import csv
import io

from flank.cad.placing import MILLIMETRE, Placed

HEADINGS = ("part", "edge", "x, mm", "y, mm")

DECIMALS = 6
"""Of mm."""


def csv_text(parts: list[Placed], tolerance: float) -> str:
    """A row a point: part, number of its edge (1 the outer one), place; `tolerance` in m is that of
    lines between the points."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(HEADINGS)
    for part in parts:
        for number, edge in enumerate(part.edges, start=1):
            for x, y in edge.points(tolerance * MILLIMETRE):
                rows.writerow((part.plate.name, number, f"{x:.{DECIMALS}f}", f"{y:.{DECIMALS}f}"))
    return text.getvalue()
