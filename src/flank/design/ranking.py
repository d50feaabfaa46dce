"""By what designs are ranked: each rule gives a cost, less is better."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from flank.design.measure import Measured


class Rule(NamedTuple):
    """In words, and the cost of what was measured."""

    words: str
    cost: Callable[[Measured], float]


def _known(value: float) -> float:
    return value if math.isfinite(value) else math.inf


RANKINGS: Mapping[str, Rule] = {
    "size": Rule(
        "the smallest volume of the cylinder around it first", lambda m: m.envelope.volume
    ),
    "diameter": Rule("the smallest outer diameter first", lambda m: m.envelope.diameter),
    "length": Rule("the shortest first", lambda m: m.envelope.length),
    "stiffness": Rule(
        "the largest torsional stiffness first", lambda m: -_known(m.figures.stiffness)
    ),
    "play": Rule("the least lost motion first", lambda m: _known(abs(m.figures.lost_motion))),
    "margin": Rule("the largest of the least margins first", lambda m: -m.margin),
}
