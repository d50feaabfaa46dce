"""Numbers as drawings have them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flank.units import parse

if TYPE_CHECKING:
    from flank.design.requirements import Requirements

RPM = math.pi / 30


def rounded(value: float, step: float, down: bool = False, up: bool = False) -> float:
    """The nearest multiple of a step, or the next one below or above, without stray digits."""
    count = value / step
    whole = math.floor(count + 1e-9) if down else math.ceil(count - 1e-9) if up else round(count)
    return float(f"{whole * step:.12g}")


def in_rpm(speed: float) -> float:
    """A speed in rad/s that is written in rpm without stray digits."""
    return parse(f"{speed / RPM:.10g} rpm", "rad/s")


def source(wanted: Requirements) -> str:
    """What a designed spec says of where it is from."""
    given = wanted.to_mapping()
    words = ", ".join(f"{name} {value}" for name, value in given.items() if name != "designs")
    return f"Found by flank design {wanted.kind} for {words}."
