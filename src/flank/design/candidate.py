"""A machine that may be the answer, and what a kind of machine has to offer for the search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from flank.design.falls import Falls

if TYPE_CHECKING:
    from flank.design.measure import Asked
    from flank.design.overview import Size
    from flank.design.requirements import Requirements

Numbers = tuple[tuple[str, int], ...]
"""Whole numbers that an enumeration chose, by name."""


@dataclass(frozen=True)
class Variable:
    """A continuous one: its title, and the bounds within which it is looked for; by which share of
    itself it may change in the local search, all the way between the bounds if nothing is said."""

    title: str
    low: float
    high: float
    local: float | None = None


@dataclass(frozen=True)
class Candidate:
    """Whole numbers and continuous values; `score` is what the rule of ranking gives it by closed
    forms, less is better."""

    numbers: Numbers
    values: tuple[float, ...]
    score: float

    @property
    def order(self) -> tuple[Any, ...]:
        """By which candidates are gone through, whatever order they were found in."""
        return (float(f"{self.score:.9g}"), self.numbers, self.values)

    def number(self, name: str) -> int:
        return dict(self.numbers)[name]


class Fallen(Exception):
    """A candidate that cannot be: the code of the reason, and by how much it fails."""

    def __init__(self, code: str, excess: float = float("inf"), words: str = "") -> None:
        super().__init__(code)
        self.code, self.excess, self.words = code, excess, words

    def tell(self, falls: Falls) -> None:
        falls.add(self.code, self.excess, self.words)


@dataclass(frozen=True)
class Envelope:
    """Outermost diameter and length in m, and mass in kg where it is known."""

    diameter: float
    length: float

    @property
    def volume(self) -> float:
        return 0.25 * 3.141592653589793 * self.diameter**2 * self.length


class Designer(Protocol):
    """What a kind of machine offers. Candidates may come in any order."""

    wanted: Requirements
    title: str
    heads: int  # sets of whole numbers that are refined
    evaluations: int  # of each, at most
    verified_by: Sequence[str]  # analyses

    @property
    def variables(self) -> Mapping[str, Variable]: ...

    def candidates(self, falls: Falls) -> Sequence[Candidate]:
        """All that closed forms let pass; the others are told to `falls`."""
        ...

    def spec(self, candidate: Candidate, values: Sequence[float]) -> dict[str, Any]:
        """A spec in SI with the whole numbers of a candidate; Fallen where parts find no room."""
        ...

    def ratio_problems(self) -> Iterable[str]:
        """Why no machine of the kind has the ratio, with the nearest that one has."""
        ...

    def envelope(self, machine: Any) -> Envelope: ...

    def sizes(self, machine: Any) -> Sequence[Size]:
        """Dimensions that tell designs apart."""
        ...

    def asked(self, machine: Any, figures: Any) -> Iterable[Asked]:
        """What the requirements limit, by real solves; the envelope is asked for by itself."""
        ...

    # asked_of_runs(results) -> Iterable[Asked], where a kind has limits that only the runs of
    # `verified_by` tell of

    def begin_larger(self, values: Sequence[float], factor: float) -> tuple[float, ...]:
        """The same machine, larger."""
        ...
