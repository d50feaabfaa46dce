"""Remedies of one verdict get on with each other.

Whoever does all that a verdict says writes every change into one spec. So where two findings are
mended by the same keys, both say the same values if these are enough for both; what one wants
enlarged no other wants reduced; and a change that breaks a rule which is kept now, or undoes what
is said before, is taken only where there is no better one, and says so. Findings are gone through
the worst first; later ones follow those before them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from flank.design.figure import Figures
from flank.design.found import troubles
from flank.design.remedy import Company, Question, figures_with
from flank.design.rule import Move
from flank.errors import SpecError


class Mended(Protocol):
    """A finding with what mends it."""

    @property
    def code(self) -> str: ...

    @property
    def changes(self) -> Mapping[str, Any]: ...

    @property
    def question(self) -> Question: ...


class Trials:
    """A machine as it would be with changes, each built and solved once for all findings; `codes`
    are of what is broken now, or not known to be kept."""

    def __init__(self, figures: Figures, codes: Iterable[str]) -> None:
        self.figures = figures
        self.codes = frozenset(codes)
        self._tried: dict[str, Figures | SpecError] = {}

    def of(self, changes: Mapping[str, Any]) -> Figures:
        """SpecError where there is no such machine."""
        name = repr(sorted(changes.items()))
        if name not in self._tried:
            try:
                self._tried[name] = figures_with(self.figures, changes)
            except SpecError as error:
                self._tried[name] = error
        tried = self._tried[name]
        if isinstance(tried, SpecError):
            raise tried
        return tried

    def way(self, key: str, changes: Mapping[str, Any]) -> int:
        """1 if changes enlarge a key, -1 if they reduce it, else 0."""
        begin, end = self.figures.present(key), self.of(changes).present(key)
        if not isinstance(begin, (int, float)) or not isinstance(end, (int, float)):
            return 0
        return (end > begin) - (end < begin)


class Others(Company):
    """What is found `before`, the worst first, and what trips."""

    def __init__(self, trials: Trials, before: Sequence[Mended]) -> None:
        self._trials, self._before = trials, before

    def figures(self, changes: Mapping[str, Any]) -> Figures:
        return self._trials.of(changes)

    def taken(self, move: Move) -> Iterator[Mapping[str, Any]]:
        wanted = 1 if move.up else -1
        for each in self._before:
            changes = each.changes
            if {*move.keys} <= changes.keys() <= {*move.keys, *move.caps} and all(
                self._trials.way(key, changes) == wanted for key in move.keys
            ):
                yield changes

    def forbids(self, move: Move) -> bool:
        opposite = -1 if move.up else 1
        return any(
            self._trials.way(key, each.changes) == opposite
            for each in self._before
            for key in move.keys
            if key in each.changes
        )

    def held(self, key: str) -> float | None:
        lowest: float | None = self._trials.figures.present(key)
        for each in self._before:
            if lowest is not None and key in each.changes:
                lowest = min(lowest, self._trials.of(each.changes).present(key), key=abs)
        return lowest

    def trips(self, changes: Mapping[str, Any], caps: Sequence[str] = ()) -> tuple[str, ...]:
        """Together with what before it moves the same keys, or those that cap it."""
        if any(dict(each.changes) == dict(changes) for each in self._before):
            return ()
        related = [each for each in self._before if each.changes.keys() & {*changes, *caps}]
        together = {key: value for each in related for key, value in each.changes.items()}
        try:
            figures = self._trials.of({**together, **changes})
        except SpecError:
            figures = self._trials.of(changes)
        broken = [code for code in troubles(figures) if code not in self._trials.codes]
        broken += [each.code for each in related if not each.question(figures).kept]
        return tuple(dict.fromkeys(broken))
