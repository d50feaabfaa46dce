"""A rule of good design, as data."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Relation = Literal["at_least", "at_most"]
Severity = Literal["error", "warning", "note"]

GUIDE = "guide of this project: "
"""Begins the source of a limit that no standard or textbook gives: a judgement, and its reason."""

ROUND_OFF = 1e-9
"""Of a limit: a value that misses it by less keeps it."""


@dataclass(frozen=True)
class Move:
    """One way to keep a rule: keys of the spec, all changed by the same factor, or by the same
    amount where `amount` gives the first step (values that may be zero or change sign).

    `power` is d ln(figure)/d ln(key) where it is roughly known: figures that take a static solve
    are then computed a few times only. `most` is the largest factor that is tried. `farthest_first`
    says that nothing is enough where the farthest step is not: for figures that take a search of
    seconds where they are not found. `caps` are keys that must not exceed the first one, and are
    put to its value where they would.
    """

    words: str
    keys: tuple[str, ...]
    up: bool
    power: float = 0.0
    amount: float = 0.0
    most: float = 10.0
    farthest_first: bool = False
    caps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Put:
    """Another way: keys of the spec with values of their own, by the machine's figures."""

    words: str
    values: Callable[[Any], Mapping[str, Any]]


@dataclass(frozen=True)
class Rule:
    """`figure` has to be at least, or at most, `limit`, a number in SI or a function of the
    machine's figures; None as a limit says that the rule does not apply.

    `sentence` says what is wrong where it is broken, `limit_is` in words what the limit is,
    `source` where it comes from. An `error` means that the machine breaks, jams or cannot be
    assembled; a `warning` that it should not be released; a `note` is worth knowing.
    """

    code: str
    figure: str
    relation: Relation
    limit: float | Callable[[Any], float | None]
    sentence: str
    remedies: tuple[Move | Put, ...]
    source: str
    limit_is: str = ""
    severity: Severity = "warning"
    at_peak: bool = False  # whether it is about the peak torque

    def severity_of(self, figures: Any) -> Severity:
        """What breaks at a peak torque that nobody gave is a doubt, and no error."""
        assumed = self.at_peak and figures.machine.spec.peak_torque is None
        return "warning" if assumed and self.severity == "error" else self.severity

    @property
    def key(self) -> str:
        """Of the spec, that the first remedy moves; '' where none moves one."""
        moves = (each.keys[0] for each in self.remedies if isinstance(each, Move))
        return next(moves, "")

    def limit_of(self, figures: Any) -> float | None:
        """In SI, None where the rule does not apply."""
        limit = self.limit(figures) if callable(self.limit) else self.limit
        return None if limit is None or math.isnan(limit) else limit

    def kept(self, value: float, limit: float) -> bool:
        """Whether a value keeps the limit; one that is not known does."""
        slack = ROUND_OFF * abs(limit)
        if self.relation == "at_least":
            return not value < limit - slack
        return not value > limit + slack

    def margin(self, value: float, limit: float) -> float:
        """What is left to the limit, as a share of it; negative where the rule is broken. Against
        a limit of zero it is infinite."""
        left = value - limit if self.relation == "at_least" else limit - value
        if limit == 0:
            return math.copysign(math.inf, left) if left else 0.0
        return left / abs(limit)
