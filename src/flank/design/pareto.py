"""Two objectives: a front of trials of which none is better than another in both.

First each objective is searched for alone, which gives the ends of the front. Then the widest gap
between neighbours, in shares of the front's extent, is halved: of the first objective f₁ the least
is looked for where the second is at most half-way,

    min f₁ + δ f₂   subject to   f₂ ≤ ε,

with a small δ that leaves no point which could be better in f₂ at no cost (the augmented
ε-constraint method of Mavrotas, 2009; for two objectives, and by gaps instead of a grid). A gap in
which nothing new is found is left alone.

What these searches found is the front, unless another trial is better in both. Trials on the way to
them that happen to be better than none of it are not: they were not searched for.
"""

from __future__ import annotations

import math
from collections.abc import Container
from dataclasses import dataclass

from flank.design.problem import Goal, Reply, Trial, Trials
from flank.design.search import KINDS, Search

AUGMENTED = 1e-3
"""δ, of the extents of both objectives."""


@dataclass(frozen=True)
class Front:
    """Trials that keep all limits and of which none is better than another in both objectives, from
    the best of the first to the best of the second."""

    trials: tuple[Trial, ...]
    costs: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, trials: Trials, found: Container[int] | None = None) -> Front:
        """Of all trials, or of those among them whose numbers are `found`."""
        problem = trials.problem
        good = [
            (problem.cost(each, 0), problem.cost(each, 1), each.number, each)
            for each in trials.all
            if problem.reply(each).good and math.isfinite(problem.cost(each, 1))
        ]
        kept = []
        least = math.inf
        for first, second, number, trial in sorted(good, key=lambda row: row[:3]):
            if second < least:  # all before it are as good in the first
                if found is None or number in found:
                    kept.append((first, second, trial))
                least = second
        return cls(tuple(row[2] for row in kept), tuple((row[0], row[1]) for row in kept))

    @property
    def extents(self) -> tuple[float, float]:
        """Of both objectives, from end to end; 1 where there is none."""
        if len(self.costs) < 2:
            return 1.0, 1.0
        first, last = self.costs[0], self.costs[-1]
        return last[0] - first[0] or 1.0, first[1] - last[1] or 1.0

    def gap(self, place: int) -> float:
        """Between a trial and the one that follows it."""
        (a, b), (c, d), (width, height) = self.costs[place], self.costs[place + 1], self.extents
        return math.hypot((c - a) / width, (b - d) / height)

    def spread(self, points: int) -> list[Trial]:
        """So many of its trials, evenly along it; its ends are among them."""
        if len(self.trials) <= points:
            return list(self.trials)
        along = [0.0]
        for place in range(len(self.trials) - 1):
            along.append(along[-1] + self.gap(place))
        wanted = [along[-1] * k / (points - 1) for k in range(points)]
        places = {min(range(len(along)), key=lambda k: (abs(along[k] - at), k)) for at in wanted}
        return [self.trials[k] for k in sorted(places)]


def search_front(trials: Trials, seed: int, points: int, found: set[int]) -> Front:
    """Until gaps are close, or nothing fills them; Spent where the budget ends it before. Numbers
    of what was searched for go into `found`."""
    for goal in (trials.problem.reply, _second(trials)):
        search = Search(trials, goal, seed)
        search.run()
        _note(search, found)
    closed: set[tuple[int, int]] = set()
    while True:
        front = Front.of(trials, found)
        gaps = [
            (front.gap(k), k)
            for k in range(len(front.trials) - 1)
            if _pair(front, k) not in closed and front.gap(k) > 1.0 / points
        ]
        if not gaps:
            return front
        _, place = max(gaps, key=lambda row: (row[0], -row[1]))
        closed.add(_pair(front, place))
        _halve(trials, front, place, seed, found)


def _pair(front: Front, place: int) -> tuple[int, int]:
    return front.trials[place].number, front.trials[place + 1].number


def _note(search: Search, found: set[int]) -> None:
    if search.best is not None:
        found.add(search.best.number)


def _second(trials: Trials) -> Goal:
    problem = trials.problem
    return lambda trial: Reply(problem.cost(trial, 1), problem.excess(trial), trial.allowed)


def _halve(trials: Trials, front: Front, place: int, seed: int, found: set[int]) -> None:
    """From the neighbour that keeps the half-way, then from the other, which breaks that limit
    alone, with other models: where one ends in a dip of its own, the other may not."""
    search = Search(trials, _between(trials, front, place), seed)
    for start, models in zip((place + 1, place), KINDS, strict=True):
        search.local(front.trials[start], models)
    _note(search, found)


def _between(trials: Trials, front: Front, place: int) -> Goal:
    problem = trials.problem
    width, height = front.extents
    half = 0.5 * (front.costs[place][1] + front.costs[place + 1][1])

    def goal(trial: Trial) -> Reply:
        first, second = problem.cost(trial, 0), problem.cost(trial, 1)
        return Reply(
            first / width + AUGMENTED * second / height,
            (*problem.excess(trial), (second - half) / height),
            trial.allowed,
        )

    return goal
