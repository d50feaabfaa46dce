"""Machines beside one another: what differs in their specs, and figures of analyses that fit all.

A side is a machine, or the result of an analysis that was run before. Where a side is a result, all
others are asked the same with its settings.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from flank import units
from flank.analyses.quantities import LESS
from flank.analyses.registry import ANALYSES, Analysis, find_analysis
from flank.analyses.result import Result
from flank.dynamics.run import Progress
from flank.errors import SpecError
from flank.machines.base import Machine
from flank.machines.fields import field_at, metadata
from flank.machines.quantities import Quantity
from flank.machines.registry import machine_from_mapping
from flank.machines.spec import Spec
from flank.texts import echo, joined, listed

ASKED = (
    "transmission-error",
    "hysteresis",
    "load-distribution",
    "load-sharing",
    "natural-frequencies",
    "contact-pattern",
    "joint-turns",
)
"""Analyses that are asked where none is named: those that take seconds."""

TEXTS = ("machine", "title", "source", "assumptions")
"""Keys that say nothing of how a machine is made."""

ALIKE = 1e-4
"""Of the larger one: figures that differ by less read alike, and neither is the better one."""

MOST_SIDES = 12


@dataclass(frozen=True)
class Side:
    """One machine of a comparison, with what it answers by analysis."""

    name: str
    machine: Machine | None
    spec: Mapping[str, Any]  # plain data with units
    kind: type[Spec] | None
    results: dict[str, Result] = field(default_factory=dict)

    @property
    def title(self) -> str:
        if self.machine is not None:
            return self.machine.title
        return next(iter(self.results.values())).title

    @cached_property
    def keys(self) -> dict[str, Any]:
        """Values of the spec by dotted key, texts about it left out."""
        return {key: value for key, value in _flat(self.spec) if key.partition(".")[0] not in TEXTS}

    def is_default(self, key: str) -> bool:
        """Whether a value is what holds where nothing is given."""
        if self.kind is None:
            return False
        known = field_at(self.kind, tuple(key.split(".")))
        if known is None or known.is_required():
            return False
        default, given = known.get_default(call_default_factory=True), self.keys.get(key)
        if default is None or given is None:
            return given is default
        return _same(_plain(default, self.kind, key), given)


class Difference(NamedTuple):
    """A key that is not the same on all sides: its values, None where a side has none."""

    key: str
    meaning: str
    values: tuple[Any, ...]
    defaults: tuple[bool, ...]


class Row(NamedTuple):
    """A figure on all sides, not a number where one has none; `better` is the number of the side
    that is the best by what the analysis declares, -1 where none can be said to be."""

    analysis: str
    name: str
    title: str
    unit: str
    shown_unit: str
    values: tuple[float, ...]
    better: int


@dataclass(frozen=True)
class Comparison:
    """Sides in the order in which they were given, and the analyses that all were asked."""

    sides: tuple[Side, ...]
    analyses: tuple[str, ...]
    left_out: tuple[str, ...] = ()  # sentences about what could not be compared

    @property
    def one_kind(self) -> bool:
        return len({side.spec.get("machine") for side in self.sides}) == 1

    @cached_property
    def differences(self) -> list[Difference]:
        """Keys that all sides may have, where they are not the same."""
        names = list(dict.fromkeys(key for side in self.sides for key in side.keys))
        if not self.one_kind:
            names = [name for name in names if all(name in side.keys for side in self.sides)]
        return [
            Difference(
                name,
                self._meaning(name),
                tuple(side.keys.get(name) for side in self.sides),
                tuple(side.is_default(name) for side in self.sides),
            )
            for name in names
            if not all(
                _same(side.keys.get(name), self.sides[0].keys.get(name)) for side in self.sides
            )
        ]

    def _meaning(self, key: str) -> str:
        kind = self.sides[0].kind
        known = None if kind is None else field_at(kind, tuple(key.split(".")))
        return "" if known is None else known.description or ""

    @cached_property
    def rows(self) -> list[Row]:
        """Figures that at least two sides have."""
        return [row for name in self.analyses for row in self._rows(name)]

    def _rows(self, analysis: str) -> Iterator[Row]:
        results = [side.results.get(analysis) for side in self.sides]
        figures = [
            {} if each is None else {figure.name: figure for figure in each.figures()}
            for each in results
        ]
        for name in dict.fromkeys(name for each in figures for name in each):
            having = [each[name] for each in figures if name in each]
            if len(having) < 2:
                continue
            values = tuple(each[name].value if name in each else math.nan for each in figures)
            first = having[0]
            yield Row(
                analysis,
                name,
                first.title,
                first.unit,
                first.shown_unit,
                values,
                _best(values, ANALYSES[analysis].quantities.better(name)),
            )


def _best(values: Sequence[float], better: str) -> int:
    known = [value for value in values if math.isfinite(value)]
    if not better or len(known) < len(values):
        return -1
    best = min(known) if better == LESS else max(known)
    if sum(math.isclose(value, best, rel_tol=ALIKE, abs_tol=0.0) for value in values) > 1:
        return -1
    return values.index(best)


def _flat(data: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from _flat(value, f"{path}.{key}" if path else str(key))
    else:
        yield path, data


def _same(one: Any, other: Any) -> bool:
    """Texts of quantities are the shortest ones, so that equal values have equal texts."""
    return bool(one == other)


def _plain(default: Any, kind: type[Spec], key: str) -> Any:
    """A default as `to_mapping` writes it."""
    known = field_at(kind, tuple(key.split(".")))
    measure = None if known is None else metadata(known, Quantity)
    if isinstance(default, (int, float)) and not isinstance(default, bool) and measure is not None:
        if measure.shown_unit:
            return units.exact_text(float(default), measure.si_unit, measure.shown_unit)
        return float(default)
    return list(default) if isinstance(default, tuple) else default


def make_side(name: str, given: Machine | Result) -> Side:
    """Of a machine, or of a result."""
    if isinstance(given, Result):
        try:
            machine = machine_from_mapping(given.spec)
        except SpecError:  # of another version: its numbers can be compared all the same
            return Side(name, None, given.spec, None, {given.analysis: given})
        return Side(name, machine, given.spec, type(machine.spec), {given.analysis: given})
    return Side(name, given, given.spec.to_mapping(), type(given.spec))


def compare(
    given: Mapping[str, Machine | Result],
    analyses: Sequence[str] = (),
    settings: Mapping[str, Mapping[str, Any]] | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Machines and results by the names they are to have; SpecError where they cannot be compared.

    Without analyses all that fit every machine and take seconds are asked.
    """
    if len(given) < 2:
        raise SpecError(
            "one machine only is given; name two or more, as in `flank compare rv-40 rv-80`"
            if given
            else "no machine is given; name two or more, as in `flank compare rv-40 rv-80`"
        )
    if len(given) > MOST_SIDES:
        raise SpecError(f"{len(given)} machines are given; compare {MOST_SIDES} at most")
    sides = tuple(make_side(name, each) for name, each in given.items())
    asked, left_out = _asked(sides, analyses, settings or {})
    total, done = len(asked) * len(sides), 0
    for analysis in asked:
        checked = _settings(analysis, sides, settings or {})
        for side in sides:
            if analysis.name not in side.results:
                assert side.machine is not None
                side.results[analysis.name] = analysis.run(side.machine, checked)
            done += 1
            if progress is not None:
                progress(done / total)
    return Comparison(sides, tuple(each.name for each in asked), tuple(left_out))


def _asked(
    sides: Sequence[Side], named: Sequence[str], settings: Mapping[str, Any]
) -> tuple[list[Analysis], list[str]]:
    """What all sides are asked, and sentences about what is left out."""
    before = {name: side.name for side in sides for name in side.results}
    if len(before) > 1:
        told = joined([f"{side} is of {name}" for name, side in before.items()], "and")
        raise SpecError(
            f"results of different analyses have no figure in common: {told}; compare results of "
            "one analysis, or the machines by their spec files"
        )
    wanted = [find_analysis(name) for name in dict.fromkeys(named)]
    if before and (others := [each.name for each in wanted if each.name not in before]):
        (name,) = before
        raise SpecError(
            f"{before[name]} is a result of {name}, and {joined(others, 'and')} is asked; leave "
            "--analysis out, or compare the machines by their spec files"
        )
    if before:
        wanted = [find_analysis(name) for name in before]
    machines = [side.machine for side in sides if not side.results]
    if wanted:
        for analysis in wanted:
            for machine in machines:
                assert machine is not None
                analysis.check_machine(machine)
        left_out = []
    else:
        fitting = [
            each
            for each in ANALYSES.values()
            if all(machine is not None and each.fits(machine) for machine in machines)
        ]
        wanted = [each for each in fitting if each.name in ASKED or each.name in settings]
        more = [each.name for each in fitting if each not in wanted]
        left_out = [f"Not asked, as nobody named it: {listed(more)}."] if more else []
        if not wanted:
            left_out.append("No analysis fits all of these machines, so only specs are compared.")
    if unused := [name for name in settings if name not in [each.name for each in wanted]]:
        raise SpecError(
            f"settings of {joined(map(echo, unused), 'and')} do nothing, as it is not asked of all"
        )
    return wanted, left_out


def _settings(analysis: Analysis, sides: Sequence[Side], settings: Mapping[str, Any]) -> Spec:
    """Those that were given, else those of a result that is compared with."""
    earlier = [side.results[analysis.name] for side in sides if analysis.name in side.results]
    if earlier and analysis.name not in settings:
        return analysis.checked_settings(earlier[0].settings)
    return analysis.checked_settings(settings.get(analysis.name, {}))
