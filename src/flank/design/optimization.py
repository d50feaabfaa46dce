"""The best spec: keys vary between bounds until a figure is as good as can be within its limits.

`optimize` gives an `Optimum`: the best trial, all trials on the way, what holds the best where it
is, and how figures change about it. With two objectives there is a front of trials besides: none of
them is better in both (`design/pareto.py`).

Nothing is lost where a search is stopped, by its budget or by Ctrl-C: the best until then counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from flank.design.pareto import Front, search_front
from flank.design.problem import Limit, Problem, Spent, Trial, Trials
from flank.design.search import Search
from flank.design.slopes import Slopes, slopes_at
from flank.design.vary import Varied
from flank.errors import SpecError
from flank.machines.machine import SpecifiedMachine
from flank.studies.refusals import without_numbers
from flank.studies.study import Tell
from flank.texts import counted, joined

EVALUATIONS = 80
"""For each key that varies, at most, where no number is given."""

FRONT_EVALUATIONS = 160
"""The same where there are two objectives."""

MOST_EVALUATIONS = 100_000

AROUND = 0.05
"""Share of the way between bounds to either side of the best, where figures are looked at."""

ACTIVE = 1e-2
"""Of a limit, or of the way between bounds: what is as near holds the best where it is."""

UNMOVED = 1e-9
"""Of a figure: what changes it by less does nothing."""


class Budget(NamedTuple):
    """Evaluations at most, nothing said by the number of keys; seconds at most."""

    evaluations: int | None = None
    seconds: float = math.inf

    def most(self, problem: Problem) -> int:
        each = EVALUATIONS if len(problem.objectives) == 1 else FRONT_EVALUATIONS
        return self.evaluations or each * len(problem.varied)


DEFAULT_BUDGET = Budget()


def checked_budget(evaluations: int | None, minutes: float | None) -> Budget:
    """What was given; SpecError where nothing could be tried."""
    if evaluations is not None and not 1 <= evaluations <= MOST_EVALUATIONS:
        raise SpecError(
            f"evaluations are {evaluations}; give from 1 to {MOST_EVALUATIONS:,}, or leave it out"
        )
    if minutes is not None and not 0.0 < minutes < math.inf:
        raise SpecError(f"minutes are {minutes:g}; give more than 0, or leave it out")
    return Budget(evaluations, math.inf if minutes is None else 60.0 * minutes)


POINTS = 9
"""Of a front, that are wanted."""


class Around(NamedTuple):
    """Trials a little below and above the best along one key, none where a bound is nearer."""

    varied: Varied
    below: Trial | None
    above: Trial | None


@dataclass(frozen=True)
class Optimum:
    """What came of a search; `stopped` says how it ended, in words."""

    problem: Problem
    trials: Trials
    best: Trial | None
    front: Front | None
    stopped: str
    interrupted: bool = False
    around: tuple[Around, ...] = ()
    slopes: Slopes = field(default_factory=dict)
    idle: tuple[str, ...] = field(default=())

    @property
    def path(self) -> list[Trial]:
        """All trials in their order."""
        return self.trials.all

    @cached_property
    def goods(self) -> list[Trial]:
        """Those that keep all limits."""
        return [each for each in self.path if self.problem.reply(each).good]

    @property
    def changes(self) -> dict[str, object]:
        """Of the spec, to be the best; SpecError where there is none."""
        if self.best is None:
            raise SpecError(self.why_none)
        return self.problem.changes(self.best.values)

    @property
    def machine(self) -> SpecifiedMachine:
        """The best one; SpecError where no spec keeps all limits."""
        if self.best is None:
            raise SpecError(self.why_none)
        return self.problem.machine_of(self.best.values)

    @property
    def active(self) -> list[str]:
        """What holds the best where it is: limits, then bounds. Rules that this machine and the one
        to begin with meet to the last bit, as that there is an equilibrium, hold nothing."""
        if self.best is None:
            return []
        problem, best = self.problem, self.best
        still = {code for code in problem.met if best.margins.get(code) == 0}
        names = [*(None for _ in problem.limits), *problem.rules]
        words = [*(each.words for each in problem.limits), *problem.rules.values()]
        near = zip(names, words, problem.excess(best), strict=True)
        limits = [text for code, text, over in near if over > -ACTIVE and code not in still]
        return limits + [
            f"{each.key} {'>=' if share < 0.5 else '<='} "
            f"{each.text(each.low if share < 0.5 else each.high)}"
            for each, value in zip(self.problem.varied, self.best.values, strict=True)
            for share in [(value - each.low) / (each.high - each.low)]
            if min(share, 1.0 - share) < ACTIVE
        ]

    @property
    def why_none(self) -> str:
        """Why no trial is good: by how much limits fail at best, or why specs are refused."""
        allowed = [each for each in self.path if each.allowed]
        if not allowed:
            return f"none of {counted(len(self.path), 'spec')} that were tried is allowed: " + (
                commonest_refusal(self.path)
            )
        nearest = min(allowed, key=lambda each: self.problem.reply(each).violation)
        failing = [
            _failing(limit, nearest)
            for limit in self.problem.limits
            if limit.excess(nearest.figures[limit.figure.full]) > 0.0
        ] + [
            f"breaks {words}"
            for code, words in self.problem.rules.items()
            if nearest.margins.get(code, 1.0) < 0.0
        ]
        where = joined(
            [
                f"{each.key} {each.text(value)}"
                for each, value in zip(self.problem.varied, nearest.values, strict=True)
            ],
            "and",
        )
        return (
            f"no spec of {len(self.path)} that were tried keeps all limits; the nearest, with "
            f"{where}, {joined(failing, 'and')}: loosen these limits, widen the bounds or vary "
            "another key"
        )


def _failing(limit: Limit, trial: Trial) -> str:
    """A figure beyond its limit, and by how much."""
    value = trial.figures[limit.figure.full]
    bound = limit.high if value > limit.high else limit.low
    text = limit.figure.text
    return f"has {limit.figure.full} {text(value)}, {text(abs(value - bound))} beyond {text(bound)}"


def commonest_refusal(trials: Sequence[Trial]) -> str:
    """The sentence that refuses most, of those that differ by numbers alone the first."""
    sentences = [each.refusal for each in trials if each.refusal]
    kinds = [without_numbers(each) for each in sentences]
    return max(sentences, key=lambda each: kinds.count(without_numbers(each)))


def optimize(
    problem: Problem,
    budget: Budget = DEFAULT_BUDGET,
    seed: int = 0,
    tell: Tell | None = None,
    points: int = POINTS,
) -> Optimum:
    """Search until nothing better is found, the budget is spent or Ctrl-C; SpecError where an
    objective does not vary. `points` are those wanted of a front of two objectives."""
    return optimum_of(Trials(problem, budget.most(problem), budget.seconds, tell), seed, points)


def optimum_of(trials: Trials, seed: int = 0, points: int = POINTS) -> Optimum:
    """The same with trials that some may be known of."""
    problem, front = trials.problem, None
    found: set[int] = set()
    interrupted = False
    stopped = "nothing better was found by further local searches from other places"
    try:
        if len(problem.objectives) == 1:
            Search(trials, problem.reply, seed).run()
        else:
            front = search_front(trials, seed, points, found)
    except Spent as spent:
        stopped = str(spent)
    except KeyboardInterrupt:
        stopped, interrupted = "it was stopped", True
    if not trials.all:
        raise KeyboardInterrupt
    if front is None and len(problem.objectives) == 2:
        front = Front.of(trials, found if len(found) > 2 else None)
    _refuse_what_does_not_vary(problem, trials)
    best = Search(trials, problem.reply, seed).best
    around: tuple[Around, ...] = ()
    slopes: Slopes = {}
    if best is not None and not interrupted and len(problem.objectives) == 1:
        try:
            around = _look_around(trials, best)
        except KeyboardInterrupt:
            interrupted = True
        best = Search(trials, problem.reply, seed).best
        assert best is not None
        slopes = slopes_at(problem, best)
    idle = tuple(_idle_keys(problem, trials))
    return Optimum(problem, trials, best, front, stopped, interrupted, around, slopes, idle)


def _refuse_what_does_not_vary(problem: Problem, trials: Trials) -> None:
    """SpecError if all trials have one value of an objective: there is nothing to find."""
    for objective in problem.objectives:
        name = objective.figure.full
        values = [each.figures[name] for each in trials.all if name in each.figures]
        if len(values) > 2 and max(values) - min(values) <= UNMOVED * max(map(abs, values)):
            raise SpecError(
                f"{name} does not vary: it is {objective.figure.text(values[0])} at all "
                f"{len(values)} points that were tried; vary a key on which it depends, or ask for "
                "another figure"
            )


def _idle_keys(problem: Problem, trials: Trials) -> list[str]:
    """Keys of which alone the ends were tried, and whose change moved no figure."""
    idle = []
    for k, varied in enumerate(problem.varied):
        groups: dict[tuple[float, ...], list[Trial]] = {}
        for each in trials.all:
            groups.setdefault(each.values[:k] + each.values[k + 1 :], []).append(each)
        pairs = [group for group in groups.values() if len(group) > 1]
        if pairs and all(_unmoved(group, problem) for group in pairs):
            idle.append(varied.key)
    return idle


def _unmoved(group: Sequence[Trial], problem: Problem) -> bool:
    first = group[0]
    return all(
        each.allowed == first.allowed
        and all(
            math.isclose(
                each.figures.get(name, math.inf), first.figures.get(name, math.inf), rel_tol=UNMOVED
            )
            for name in problem.figures
        )
        for each in group[1:]
    )


def _look_around(trials: Trials, best: Trial) -> tuple[Around, ...]:
    """A little along every key, beyond the budget of the search."""
    rows = []
    for k, varied in enumerate(trials.problem.varied):
        step = 1.0 if varied.whole else AROUND * (varied.high - varied.low)
        found: list[Trial | None] = []
        for sign in (-1.0, 1.0):
            values = list(best.values)
            values[k] = varied.rounded(best.values[k] + sign * step)
            beyond = not varied.low <= best.values[k] + sign * step <= varied.high
            found.append(None if beyond else _beyond_budget(trials, tuple(values)))
        rows.append(Around(varied, *found))
    return tuple(rows)


def _beyond_budget(trials: Trials, values: tuple[float, ...]) -> Trial:
    if values not in trials.known:
        trials.known[values] = trials.compute(len(trials.known), values)
    return trials.known[values]
