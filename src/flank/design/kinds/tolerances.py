"""Tolerances of a spec from one that holds for all of its drawing."""

from __future__ import annotations

import math
from typing import Any

BOUGHT = (
    "ball_diameter",
    "pin_radius",
    "needle_radius",
    "groove_radius",
    "clearance",
    "roller_radius",
)
"""Ends of the names of deviations of parts that are bought ground and sorted, whatever makes the
others."""


ALMOST_ALL = 2.33 / math.sqrt(3)
"""Of the root of summed squares of tolerances, what 99 of 100 drawn sums stay below: deviations are
even within them."""


def tolerances(spec: Any, deviation: float | str, radius: float) -> dict[str, Any]:
    """Of every kind of error: the deviation, angles by `radius`; a grade where a kind has a size.
    Parts that are bought ground keep what is usual for them if that is less."""
    given: dict[str, Any] = {}
    for name, kind in spec.error_kinds.items():
        if kind.direction:
            continue
        if isinstance(deviation, str):
            if kind.size is not None and not name.endswith(BOUGHT):
                given[name] = deviation
            continue
        half = min(kind.tolerance, deviation) if name.endswith(BOUGHT) else deviation
        given[name] = half if kind.unit == "m" else half / radius
    return given
