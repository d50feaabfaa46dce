"""Whether a machine may be released: figures, findings, and how far it is from every limit.

`judge(machine)` puts together what the machine itself finds (`findings()` and `doubts()`: whether
its geometry closes) and what the rules of its kind find (`registry.py`). A `Verdict` has

    figures    `Figures` of the machine; `figures.shown()` goes through them group by group
    findings   `Judged`, the worst first
    margins    `Margin` of every rule that applies, the least first, also of those that are kept
    light      'red' where something is an error, 'amber' where something is a warning, else 'green'

and a `Judged` has code, severity, sentence, value, limit and unit, the key that it is about, the
source of the limit, and a remedy: `remedy` in words and `changes`, dotted keys of the spec with
values, with which `machine.spec.with_changes(changes)` keeps the rule; empty where no single change
does. Remedies are sought when they are asked for, as they may take solves, and get on with each
other (`company.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from flank.design.company import Others, Trials
from flank.design.figure import Figures
from flank.design.found import Margin, absent, found_itself, margins_of
from flank.design.registry import figures_of, moves_of
from flank.design.remedy import Change, Company, Question, asked_by, remedy_of
from flank.design.rule import Relation, Severity
from flank.showing import ShowsItself
from flank.texts import listed

Light = Literal["green", "amber", "red"]

ORDER: tuple[Severity, ...] = ("error", "warning", "note")

GEOMETRY = "geometry of the machine, or what its spec says of itself"


@dataclass(frozen=True)
class Judged(ShowsItself):
    """One finding of a verdict; see above."""

    shown_as = "finding"

    code: str
    severity: Severity
    message: str
    value: float
    limit: float
    unit: str
    shown_unit: str
    relation: Relation | None
    key: str
    source: str
    _figures: Figures
    _remedies: tuple[Any, ...]
    question: Question
    _remedy: str = ""
    _company: Company | None = None

    @cached_property
    def change(self) -> Change:
        """The remedy with its values."""
        return remedy_of(self._figures, self._remedies, self.question, self._company)

    @property
    def changes(self) -> Mapping[str, Any]:
        """Dotted keys of the spec with the values that keep the rule, none if none does alone."""
        return self.change.changes

    @property
    def remedy(self) -> str:
        """In words, without values."""
        words = self._remedy or self.change.words
        trips = listed(self.change.trips)
        return f"{words} (which then trips {trips})" if trips else words

    @property
    def sentence(self) -> str:
        """What is wrong, and what to do about it, with values."""
        return f"{self.message}; {self.told_remedy}."

    @property
    def told_remedy(self) -> str:
        """In words, and by which values."""
        values = ", ".join(f"{key}={value}" for key, value in self.changes.items())
        return f"{self.remedy}: {values}" if values else self.remedy

    @property
    def margin(self) -> float:
        """As that of a rule; nan of what the machine finds itself."""
        if self.relation is None or self.limit == 0 or math.isnan(self.value):
            return math.nan
        left = self.value - self.limit if self.relation == "at_least" else self.limit - self.value
        return left / abs(self.limit)


@dataclass(frozen=True)
class Verdict(ShowsItself):
    """What is to be said of a machine; see above."""

    shown_as = "verdict"

    machine: Any
    figures: Figures
    findings: tuple[Judged, ...]
    margins: tuple[Margin, ...]

    @property
    def light(self) -> Light:
        severities = {finding.severity for finding in self.findings}
        if "error" in severities:
            return "red"
        return "amber" if "warning" in severities else "green"

    def found(self, code: str) -> Judged | None:
        """The finding of a code, None if there is none."""
        return next((finding for finding in self.findings if finding.code == code), None)

    def to_mapping(self) -> dict[str, Any]:
        """Plain data for programs, values in SI."""
        return {
            "machine": self.machine.spec.machine,
            "title": self.machine.title,
            "light": self.light,
            "figures": [
                {
                    "name": each.name,
                    "title": each.title,
                    "group": each.group,
                    "value": _plain(each.value),
                    "unit": each.unit,
                    "shown_unit": each.shown_unit,
                }
                for each in self.figures.shown()
            ],
            "findings": [
                {
                    "code": each.code,
                    "severity": each.severity,
                    "message": each.message,
                    "value": _plain(each.value),
                    "limit": _plain(each.limit),
                    "unit": each.unit,
                    "relation": each.relation,
                    "key": each.key,
                    "source": each.source,
                    "remedy": each.remedy,
                    "changes": dict(each.changes),
                    "trips": list(each.change.trips),
                }
                for each in self.findings
            ],
            "margins": [
                {
                    "code": each.rule.code,
                    "figure": each.rule.figure,
                    "relation": each.rule.relation,
                    "value": _plain(each.value),
                    "limit": _plain(each.limit),
                    "kept": each.kept,
                    "margin": _plain(each.share),
                }
                for each in self.margins
            ],
        }


def _plain(value: float) -> float | None:
    """JSON knows neither nan nor infinity."""
    return value if math.isfinite(value) else None


def judge(machine: Any) -> Verdict:
    """The verdict on a machine of any kind."""
    figures = figures_of(machine)
    margins = tuple(sorted(margins_of(figures), key=_least_first))
    findings = [*_own_findings(figures), *_rule_findings(figures, margins)]
    findings.sort(key=lambda each: (ORDER.index(each.severity), _worst_first(each)))
    unknown = [margin.rule.code for margin in margins if math.isnan(margin.value)]
    return Verdict(machine, figures, _in_company(figures, findings, unknown), margins)


def _in_company(
    figures: Figures, findings: Sequence[Judged], unknown: Sequence[str]
) -> tuple[Judged, ...]:
    """Each knows those before it; what is `unknown` now is not broken by a change that tells."""
    trials = Trials(figures, [*unknown, *(each.code for each in findings)])
    told: tuple[Judged, ...] = ()
    for each in findings:
        told = (*told, replace(each, _company=Others(trials, told)))
    return told


def _least_first(margin: Margin) -> float:
    return math.inf if math.isnan(margin.share) else margin.share


def _worst_first(finding: Judged) -> float:
    return -math.inf if math.isnan(finding.margin) else finding.margin


def _rule_findings(figures: Figures, margins: Iterable[Margin]) -> Iterator[Judged]:
    declared = figures.declared()
    for margin in margins:
        if margin.kept:
            continue
        rule, figure = margin.rule, declared[margin.rule.figure]
        yield Judged(
            rule.code,
            rule.severity_of(figures),
            rule.sentence,
            margin.value,
            margin.limit,
            figure.unit,
            figure.shown_unit,
            rule.relation,
            rule.key,
            rule.source,
            figures,
            rule.remedies,
            asked_by(rule),
        )


def _own_findings(figures: Figures) -> Iterator[Judged]:
    """What the machine finds itself, and its doubts."""
    machine = figures.machine
    for key, finding in found_itself(machine):
        yield Judged(
            finding.code,
            finding.severity,
            finding.message,
            finding.value,
            finding.limit,
            finding.unit,
            "",
            None,
            key,
            GEOMETRY,
            figures,
            moves_of(machine).get(finding.code, ()),
            absent(finding.code),
            finding.remedy,
        )
