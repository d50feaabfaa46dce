"""What is to be found: keys that vary, figures to be improved, limits to be kept; and what is known
of it by trying.

A trial is a spec with other values of the keys that vary, and all figures of it by real runs. It is
computed once. A spec that is refused and a run that does not complete are trials as well: they are
not allowed, and say why in a sentence. Neither is a spec about which `flank check` has a finding of
a kind that the machine to begin with does not have. Where that is a rule's, it is a limit like any
other, as it tells how far away it is.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from flank.analyses.quantities import LESS
from flank.analyses.result import Result, values_only
from flank.arrays import Floats
from flank.blas import one_blas_thread
from flank.design import registry
from flank.design.asked_figures import (
    CHECK,
    AskedFigure,
    FigureName,
    asks_of,
    better_of,
    check_figure,
    figure_of,
    find_name,
)
from flank.design.vary import Varied, find_varied
from flank.design.verdict import Verdict, judge
from flank.errors import SpecError
from flank.machines.machine import SpecifiedMachine
from flank.machines.registry import changed_title, listed_changes
from flank.studies.samples import Ask, figures_of
from flank.studies.study import Pace, Tell
from flank.texts import describe, echo, joined

MOST_OBJECTIVES = 2

WITHIN = 1e-12
"""Of a limit: what exceeds it by less keeps it."""


class Objective(NamedTuple):
    """A figure that is to be as small as can be, or as large."""

    figure: AskedFigure
    largest: bool

    def cost(self, value: float) -> float:
        """Less is better."""
        return -value if self.largest else value

    @property
    def words(self) -> str:
        return f"{'largest' if self.largest else 'smallest'} {self.figure.full}"


class Limit(NamedTuple):
    """What a figure may be, in SI; infinite where it has no limit to that side."""

    figure: AskedFigure
    low: float
    high: float

    def excess(self, value: float) -> float:
        """By which share a limit is exceeded; less than nothing where it is kept."""
        over = (value - self.high) / _size(self.high) if math.isfinite(self.high) else -math.inf
        under = (self.low - value) / _size(self.low) if math.isfinite(self.low) else -math.inf
        return max(over, under)

    @property
    def words(self) -> str:
        """As it was given."""
        name, low, high = self.figure.full, self.figure.text(self.low), self.figure.text(self.high)
        if not math.isfinite(self.low):
            return f"{name} <= {high}"
        return f"{name} >= {low}" if not math.isfinite(self.high) else f"{low} <= {name} <= {high}"


def _size(bound: float) -> float:
    return abs(bound) or 1.0


@dataclass(frozen=True)
class Trial:
    """What is known of a spec: its figures by their full names, or why there are none."""

    number: int
    values: tuple[float, ...]
    figures: Mapping[str, float] = field(default_factory=dict)
    refusal: str = ""
    warnings: tuple[str, ...] = ()
    margins: Mapping[str, float] = field(default_factory=dict)  # by rule, shares of its limit

    @property
    def allowed(self) -> bool:
        return not self.refusal


class Reply(NamedTuple):
    """What a trial is worth: a cost, not a number where it is unknown; by how much it exceeds each
    limit, and whether it is allowed at all."""

    cost: float
    excess: tuple[float, ...]
    allowed: bool

    @property
    def good(self) -> bool:
        """Whether it is allowed and keeps all limits."""
        return self.allowed and all(each <= WITHIN for each in self.excess)

    @property
    def violation(self) -> float:
        """All limits that are exceeded, added up."""
        return sum(max(each, 0.0) for each in self.excess)


Goal = Callable[[Trial], Reply]


@dataclass(frozen=True)
class Problem:
    """A machine to begin with, what varies in it, and what is wanted. Keys are in the order of
    their names, so that nothing hangs on the order in which they were given."""

    machine: SpecifiedMachine
    varied: tuple[Varied, ...]
    objectives: tuple[Objective, ...]
    limits: tuple[Limit, ...]
    asks: tuple[Ask, ...]
    own: Trial  # of the machine as it is
    rules: Mapping[str, str] = field(default_factory=dict)  # to be kept: by code, in words
    codes: frozenset[str] | None = None  # of findings that may be; None if any may
    met: frozenset[str] = frozenset()  # rules that the machine to begin with meets to the last bit

    def cost(self, trial: Trial, place: int = 0) -> float:
        """Of one objective; not a number where it is unknown."""
        objective = self.objectives[place]
        value = objective.cost(trial.figures.get(objective.figure.full, math.nan))
        return value if math.isfinite(value) else math.nan

    def excess(self, trial: Trial) -> tuple[float, ...]:
        """By limit, then by rule."""
        limits = [
            each.excess(trial.figures.get(each.figure.full, math.nan)) for each in self.limits
        ]
        return (*limits, *(-trial.margins.get(code, 1.0) for code in self.rules))

    def reply(self, trial: Trial) -> Reply:
        """By the first objective."""
        return Reply(self.cost(trial), self.excess(trial), trial.allowed)

    def changes(self, values: Sequence[float]) -> dict[str, Any]:
        """Of the machine's spec."""
        return {
            each.key: int(value) if each.whole else float(value)
            for each, value in zip(self.varied, values, strict=True)
        }

    def machine_of(self, values: Sequence[float]) -> SpecifiedMachine:
        """SpecError if its spec is refused."""
        return type(self.machine)(self.machine.spec.with_changes(self.changes(values)))

    def spec_of(self, values: Sequence[float]) -> dict[str, Any]:
        """The spec of a trial as plain data; title and assumptions tell what changed, and why."""
        changed = self.machine_of(values).spec
        pairs = zip(self.varied, values, strict=True)
        shown = {each.key: each.text(value) for each, value in pairs}
        wanted = joined([each.words for each in self.objectives], "and")
        limits = joined([each.words for each in self.limits], "and") if self.limits else "no limit"
        note = f"Optimised for the {wanted}, with {limits}: {listed_changes(shown)}."
        texts = {
            "title": changed_title(self.machine.title, shown).replace("(changed", "(optimised"),
            "assumptions": [*changed.assumptions, note],
        }
        return changed.with_changes(texts).to_mapping()

    @property
    def figures(self) -> dict[str, AskedFigure]:
        """All that are asked for, by their full names."""
        asked = [each.figure for each in self.objectives] + [each.figure for each in self.limits]
        return {each.full: each for each in asked}


@dataclass
class Trials:
    """All that was tried, in its order, and what may still be: so many, or so long."""

    problem: Problem
    most: int
    seconds: float = math.inf
    tell: Tell | None = None
    known: dict[tuple[float, ...], Trial] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._started = time.monotonic()
        self._places: list[Floats] = []

    @property
    def all(self) -> list[Trial]:
        return list(self.known.values())

    def shares(self, trial: Trial) -> Floats:
        """Where a trial lies between the bounds."""
        return self.places[trial.number]

    @property
    def places(self) -> list[Floats]:
        """Where all trials lie."""
        for trial in self.all[len(self._places) :]:
            pairs = zip(self.problem.varied, trial.values, strict=True)
            self._places.append(np.array([each.share(value) for each, value in pairs]))
        return self._places

    def ask(self, shares: Iterable[float]) -> Trial:
        """The trial at shares of the way between the bounds; Spent where none may be made."""
        return self.at(
            tuple(each.at(s) for each, s in zip(self.problem.varied, shares, strict=True))
        )

    def at(self, values: tuple[float, ...]) -> Trial:
        if values not in self.known:
            if len(self.known) >= self.most:
                raise Spent(f"{self.most} evaluations are spent")
            if time.monotonic() - self._started > self.seconds:
                raise Spent(f"{self.seconds / 60.0:.3g} minutes are over")
            self.known[values] = self.compute(len(self.known), values)
            if self.tell is not None:
                seconds = time.monotonic() - self._started
                self.tell(Pace(len(self.known), self.most, len(self.known), seconds))
        return self.known[values]

    def compute(self, number: int, values: tuple[float, ...]) -> Trial:
        """By real runs."""
        problem = self.problem
        try:
            machine = problem.machine_of(values)
        except SpecError as error:
            return Trial(number, values, refusal="; ".join(error.problems))
        trial = answered(machine, problem.asks, number, values)
        figures, margins, found = checked(machine, problem)
        figures = {**trial.figures, **figures}
        missing = [name for name in problem.figures if not _known(figures, name)]
        refusal = trial.refusal
        if not refusal and missing:
            refusal = f"{joined(missing, 'and')} cannot be told"
        return Trial(number, values, figures, refusal or found, trial.warnings, margins)


def checked(
    machine: SpecifiedMachine, problem: Problem
) -> tuple[dict[str, float], dict[str, float], str]:
    """What a check tells: figures that are asked for, margins of rules, and a finding that may not
    be and is no rule's."""
    names = [each.name for each in problem.figures.values() if each.name.analysis == CHECK]
    if problem.codes is None and not names:
        return {}, {}, ""
    verdict = judge(machine)
    known = {name.full: verdict.figures.value(name.quantity) for name in names}
    figures = {name: value for name, value in known.items() if value is not None}
    margins = {each.rule.code: each.share for each in verdict.margins if each.share == each.share}
    return figures, margins, _not_allowed(verdict, problem)


def _not_allowed(verdict: Verdict, problem: Problem) -> str:
    if problem.codes is None:
        return ""
    for finding in verdict.findings:
        known = finding.code in problem.codes or finding.code in problem.rules
        if finding.severity != "note" and not known:
            return f"of a check, which the machine to begin with passes: {finding.message}"
    return ""


def _known(figures: Mapping[str, float], name: str) -> bool:
    return math.isfinite(figures.get(name, math.nan))


class Spent(Exception):
    """The budget is; the sentence says which."""


def answered(
    machine: SpecifiedMachine, asks: Sequence[Ask], number: int, values: tuple[float, ...]
) -> Trial:
    """All figures of a machine; nothing that goes wrong in a run is raised."""
    figures: dict[str, float] = {}
    failed, warnings = [], []
    try:
        with values_only(), one_blas_thread():
            for ask in asks:
                ask.analysis.check_machine(machine)
                result: Result = ask.analysis.module.run(machine, ask.settings, None)
                figures |= figures_of(ask, result.data)
                warnings += result.warnings
                failed += [] if result.complete else [f"{ask.name}: {result.outcome}"]
    except SpecError as error:
        failed += error.problems
    except (ArithmeticError, ValueError) as error:  # one odd machine may not end a search
        failed.append(f"{type(error).__name__}: {error}")
    return Trial(number, values, figures, "; ".join(failed), tuple(dict.fromkeys(warnings)))


def make_problem(
    machine: SpecifiedMachine,
    vary: Mapping[str, Any],
    objectives: Sequence[tuple[str, str]],
    subject_to: Iterable[str] = (),
    settings: Mapping[str, Mapping[str, Any]] | None = None,
    new_findings: bool = False,
) -> Problem:
    """A checked problem; SpecError with every sentence that can be said before anything is run, and
    with those that the machine's own answer tells.

    Objectives are pairs of a figure and a way: 'better' as its analysis declares, 'smallest' or
    'largest'. A limit is a text such as 'backlash < 1 arcmin'. Settings are by analysis.
    """
    problems: list[str] = []
    varied: tuple[Varied, ...] = ()
    try:
        varied = tuple(sorted(find_varied(machine.spec, vary), key=lambda each: each.key))
    except SpecError as error:
        problems += error.problems
    asked = [*(settings or {}), *_analyses_named([name for name, _ in objectives])]
    names: list[tuple[FigureName, bool]] = []
    limits: list[tuple[FigureName, str, str, str, str]] = []
    for text, way in objectives:
        try:
            names.append(_directed(find_name(text, machine, asked), way))
        except SpecError as error:
            problems += error.problems
    asked += [name.analysis for name, _ in names]
    for text in subject_to:
        try:
            limits.append(_limit_parts(text, machine, asked))
        except SpecError as error:
            problems += error.problems
    problems += _wrong_objectives([name for name, _ in names], len(objectives))
    used = [name for name, _ in names] + [parts[0] for parts in limits]
    asks: list[Ask] = []
    try:
        _check_settings(settings or {}, used)
        asks = asks_of(used, settings or {})
    except SpecError as error:
        problems += error.problems
    if problems:
        raise SpecError(problems)
    own, figures = _own(machine, varied, asks, used)
    verdict = judge(machine)
    rules = {} if new_findings else _rules(verdict)
    codes = frozenset(each.code for each in verdict.findings)
    return Problem(
        machine,
        varied,
        tuple(Objective(figures[name.full], largest) for name, largest in names),
        _limits(limits, figures),
        tuple(asks),
        own,
        rules,
        None if new_findings else codes,
        frozenset(each.rule.code for each in verdict.margins if each.share == 0),
    )


def _rules(verdict: Verdict) -> dict[str, str]:
    """Rules that the machine to begin with keeps, with what they ask."""
    names = verdict.figures.declared()
    kept = [each.rule for each in verdict.margins if each.kept and each.rule.severity != "note"]
    return {
        rule.code: f"rule {rule.code}: {names[rule.figure].title.lower()} "
        f"{'at least' if rule.relation == 'at_least' else 'at most'} {rule.limit_is}".rstrip()
        for rule in kept
    }


def _analyses_named(texts: Iterable[str]) -> list[str]:
    return [text.partition(".")[0] for text in texts if "." in text]


def _directed(name: FigureName, way: str) -> tuple[FigureName, bool]:
    """A figure, and whether it is to be large."""
    if way != "better":
        return name, way == "largest"
    declared = better_of(name)
    if not declared:
        raise SpecError(
            f"{name.full} is better neither small nor large in itself; say --minimize or "
            f"--maximize {name.full}"
        )
    return name, declared != LESS


def _wrong_objectives(names: Sequence[FigureName], given: int) -> Iterable[str]:
    if not given:
        yield "nothing is to be improved; name a figure, as transmission-error.peak_to_peak"
    if given > MOST_OBJECTIVES:
        yield f"{given} figures are to be improved; at most two can be, make limits of the others"
    if len({name.full for name in names}) < len(names):
        yield f"{names[0].full} is to be improved twice; name it once"


def _check_settings(settings: Mapping[str, Any], used: Sequence[FigureName]) -> None:
    asked = {name.analysis for name in used}
    if unused := [name for name in settings if name not in asked]:
        raise SpecError(
            f"settings of {joined(map(echo, unused), 'and')} do nothing: figures are asked of "
            f"{joined(sorted(asked), 'and') if asked else 'nothing'}"
        )


_COMPARISON = r"\s*(<=|>=|≤|≥|<|>)\s*"
_NAME = r"[A-Za-z][\w-]*(?:\.[\w/-]+)*"
_ONE_SIDED = re.compile(rf"\s*({_NAME}){_COMPARISON}(.+?)\s*")
_TWO_SIDED = re.compile(rf"\s*(.+?){_COMPARISON}({_NAME}){_COMPARISON}(.+?)\s*")
_FLIPPED = re.compile(rf"\s*([^<>≤≥]+?){_COMPARISON}({_NAME})\s*")


def _limit_parts(
    text: str, machine: SpecifiedMachine, asked: Sequence[str]
) -> tuple[FigureName, str, str, str, str]:
    """The figure, what it may at least and at most be (empty where nothing is said), and the text
    twice over, for sentences."""
    if not isinstance(text, str):
        raise SpecError(f"{describe(text)} is no limit; write 'backlash < 1 arcmin'")
    if match := _ONE_SIDED.fullmatch(text):
        name, sign, value = match.groups()
        low, high = ("", value) if sign in "<=≤" else (value, "")
    elif (match := _TWO_SIDED.fullmatch(text)) and _same_way(match[2], match[4]):
        first, sign, name, _, last = match.groups()
        low, high = (first, last) if sign in "<=≤" else (last, first)
    elif match := _FLIPPED.fullmatch(text):
        value, sign, name = match.groups()
        low, high = (value, "") if sign in "<=≤" else ("", value)
    else:
        raise SpecError(
            f"'{echo(text)}' is no limit; write a figure, < or >, and an amount, as "
            "'backlash < 1 arcmin'"
        )
    return find_name(name, machine, asked), low, high, text, name


def _same_way(first: str, second: str) -> bool:
    return (first in "<=≤") == (second in "<=≤")


def _limits(
    parts: Sequence[tuple[FigureName, str, str, str, str]], figures: Mapping[str, AskedFigure]
) -> tuple[Limit, ...]:
    limits, problems = [], []
    for name, low, high, text, _ in parts:
        figure = figures[name.full]
        try:
            bounds = (
                figure.parse(low) if low else -math.inf,
                figure.parse(high) if high else math.inf,
            )
        except ValueError as error:
            problems.append(f"'{echo(text)}': {error}")
            continue
        if bounds[0] > bounds[1]:
            problems.append(f"'{echo(text)}' is kept by nothing; exchange its ends")
        limits.append(Limit(figure, *bounds))
    if problems:
        raise SpecError(problems)
    return tuple(limits)


def _own(
    machine: SpecifiedMachine,
    varied: Sequence[Varied],
    asks: Sequence[Ask],
    names: Sequence[FigureName],
) -> tuple[Trial, dict[str, AskedFigure]]:
    """What the machine itself answers; SpecError if it cannot."""
    for ask in asks:
        ask.analysis.check_machine(machine)
    values = tuple(math.nan if each.own is None else each.own for each in varied)
    with one_blas_thread():
        results = {ask.name: ask.analysis.module.run(machine, ask.settings, None) for ask in asks}
    if failed := [f"{name}: {each.outcome}" for name, each in results.items() if not each.complete]:
        raise SpecError(
            f"the machine itself, with nothing varied, fails: {'; '.join(failed)} Correct it "
            "first, as with `flank run`"
        )
    found, problems = {}, []
    for name in names:
        try:
            if name.analysis == CHECK:
                found[name.full] = check_figure(name, machine)
            else:
                found[name.full] = figure_of(name, results[name.analysis])
        except SpecError as error:
            problems += error.problems
    if problems:
        raise SpecError(problems)
    of_check = registry.figures_of(machine)
    figures = {
        name.full: of_check.value(name.quantity) or 0.0 for name in names if name.analysis == CHECK
    }
    for ask in asks:
        figures |= figures_of(ask, results[ask.name].data)
    warnings = tuple(text for each in results.values() for text in each.warnings)
    return Trial(-1, values, figures, "", tuple(dict.fromkeys(warnings))), found
