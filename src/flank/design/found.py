"""What is found of a machine: rules of its kind against their figures, and what it finds itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from flank.design.figure import Figures
from flank.design.registry import rules_of
from flank.design.remedy import Answer, Question
from flank.design.rule import Rule
from flank.geometry.findings import Finding


@dataclass(frozen=True)
class Margin:
    """How far a machine is from the limit of one rule: the share of it that is left, negative
    where the rule is broken, nan where the figure is not known."""

    rule: Rule
    value: float
    limit: float

    @property
    def kept(self) -> bool:
        return self.rule.kept(self.value, self.limit)

    @property
    def share(self) -> float:
        return self.rule.margin(self.value, self.limit)


def margins_of(figures: Figures) -> Iterator[Margin]:
    """Of every rule that applies."""
    for rule in rules_of(figures.machine):
        value = figures.value(rule.figure)
        limit = None if value is None else rule.limit_of(figures)
        if value is not None and limit is not None:
            yield Margin(rule, value, limit)


def found_itself(machine: Any) -> Iterator[tuple[str, Finding]]:
    """Findings of a machine with the keys that they are about, '' where it does not say, and its
    doubts."""
    from flank.machines.machine import SpecifiedMachine

    if not isinstance(machine, SpecifiedMachine):
        yield from (("", finding) for finding in machine.findings())
        return
    yield from machine.keyed()
    yield from (("", finding) for finding in machine.doubts())


def absent(code: str) -> Question:
    """Whether a machine itself does not find a code."""
    return lambda figures: Answer(
        all(each.code != code for _, each in found_itself(figures.machine))
    )


def troubles(figures: Figures) -> Iterator[str]:
    """Codes of what is an error or a warning."""
    yield from (each.code for _, each in found_itself(figures.machine) if each.severity != "note")
    for margin in margins_of(figures):
        if not margin.kept and margin.rule.severity_of(figures) != "note":
            yield margin.rule.code
