"""Numbers as drawings have them."""

from __future__ import annotations

import math


def rounded(value: float, step: float, down: bool = False, up: bool = False) -> float:
    """The nearest multiple of a step, or the next one below or above, without stray digits."""
    count = value / step
    whole = math.floor(count + 1e-9) if down else math.ceil(count - 1e-9) if up else round(count)
    return float(f"{whole * step:.12g}")
