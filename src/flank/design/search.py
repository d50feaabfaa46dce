"""The search for the best trial: a few points everywhere, then local searches from the best ones.

Points are shares of the way between the bounds of each key, in [0, 1]. Local searches need no
derivatives and are of two kinds in turns, which model cost and limits in a region that they trust:
COBYQA (T. M. Ragonneau, Z. Zhang) by quadratics, the better one where all is smooth; COBYLA (M. J.
D. Powell, 1994; by PRIMA in SciPy) by planes, the better one where peaks to peaks or largest forces
have kinks, and in corners of limits. What was measured of both is in `docs/optimize.md`.

Trials that are not allowed have no figures to be modelled: there a model sees those of the nearest
trial that has some. One limit more tells it where they are: the distance to the nearest allowed
trial, and of an allowed one less than nothing, by the distance to the nearest that is not. (A limit
of nought all over the allowed would stop a search short of the optimum.)

Keys of whole numbers stay as they are in a local search. Between two of them the neighbours of the
best are tried, each number by itself one up and one down.

A search ends where so many local searches in a row, from places apart, found nothing better.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats
from flank.design.problem import Goal, Reply, Trial, Trials

EXPLORED = 8
"""Points a key that are spread over the whole, before the first local search."""

APART = 0.15
"""From all earlier ones, that a local search begins."""

IN_VAIN = 4
"""Local searches in a row that find nothing better, after which it is over."""

BETTER = 1e-3
"""By which share of the distance from the middle cost to the best one something is better."""

HIDDEN = 3.0
"""Weight of the distance to what is allowed, among limits that are shares of themselves."""


class Models(NamedTuple):
    """An optimiser by its name in SciPy, and what it calls its first and last radius."""

    method: str
    first: str
    last: str


class Radii(NamedTuple):
    """First and last of the region in which a model is trusted, as shares of the way between
    bounds."""

    first: float
    last: float


COARSE, FINE = Radii(0.1, 1e-3), Radii(1e-2, 2e-5)
"""Of all searches, and of the one from the best at the end."""

LINEAR = Models("COBYLA", "rhobeg", "tol")
QUADRATIC = Models("COBYQA", "initial_tr_radius", "final_tr_radius")
KINDS = (QUADRATIC, LINEAR)


@dataclass
class Search:
    """One goal over all trials; those that others made count as well."""

    trials: Trials
    goal: Goal
    seed: int = 0

    @property
    def best(self) -> Trial | None:
        """The first of the best that keep all limits."""
        good = [each for each in self.trials.all if self.goal(each).good]
        return min(good, key=lambda each: self.goal(each).cost, default=None)

    @property
    def nearest(self) -> Trial | None:
        """The best, or what comes nearest to keeping all limits."""
        return min(self.trials.all, key=self._rank, default=None)

    def run(self, count: int = EXPLORED) -> None:
        """Until nothing better is found; Spent where the budget ends it. So many points a key are
        tried first."""
        self._explore(count)
        self.refine(IN_VAIN)
        if self.best is not None:
            self.local(self.best, QUADRATIC, FINE)

    def refine(self, in_vain: int) -> None:
        """Local searches only, until so many of them in a row were in vain."""
        used: list[Trial] = []
        starts: list[Trial] = []
        failed = 0
        while failed < in_vain:
            start = self._next_start(used)
            if start is None:
                return
            before = self.nearest
            used.append(start)
            self.local(start, KINDS[len(starts) % len(KINDS)])
            starts.append(start)
            if self.nearest is not None:
                used.append(self.nearest)
            self._try_neighbours()
            after = self.nearest
            assert before is not None
            assert after is not None
            failed = failed + 1 if not self._gained(before, after) else 0

    def local(self, start: Trial, models: Models = QUADRATIC, radii: Radii = COARSE) -> None:
        """From one trial, whole numbers as they are there."""
        free = [k for k, each in enumerate(self.trials.problem.varied) if not each.whole]
        if not free:
            return
        fixed = self.trials.shares(start)

        def asked(shares: Floats) -> Trial:
            point = fixed.copy()
            point[free] = np.clip(shares, 0.0, 1.0)
            return self.trials.ask(point)

        _minimize(models, radii, self._filled(asked), fixed[free], len(self.goal(start).excess) + 1)

    def _explore(self, count: int) -> None:
        """The spec's own place, each key by itself at both bounds, and points of Sobol' over all of
        the space; those of the keys count among them."""
        varied = self.trials.problem.varied
        begin = np.array([each.share(each.begin) for each in varied])
        self.trials.ask(begin)
        for k, end in itertools.product(range(len(varied)), (0.0, 1.0)):
            point = begin.copy()
            point[k] = end
            self.trials.ask(point)
        for point in sobol_points(len(varied), (count - 2) * len(varied), self.seed):
            self.trials.ask(point)

    def _next_start(self, used: Sequence[Trial]) -> Trial | None:
        """The best trial that is apart from where searches began and ended."""
        for trial in sorted(self.trials.all, key=self._rank):
            if all(self._apart(trial, other) for other in used):
                return trial
        return None

    def _apart(self, one: Trial, other: Trial) -> bool:
        whole = [each.whole for each in self.trials.problem.varied]
        pairs = zip(one.values, other.values, whole, strict=True)
        if any(a != b for a, b, is_whole in pairs if is_whole):
            return True
        return float(np.linalg.norm(self.trials.shares(one) - self.trials.shares(other))) > APART

    def _try_neighbours(self) -> None:
        """Of the best in whole numbers, until it is the best of them."""
        varied = self.trials.problem.varied
        places = [k for k, each in enumerate(varied) if each.whole]
        while places:
            best = self.nearest
            assert best is not None
            for k, step in itertools.product(places, (-1.0, 1.0)):
                values = list(best.values)
                values[k] += step
                if varied[k].low <= values[k] <= varied[k].high:
                    self.trials.at(tuple(values))
            if self.nearest is best:
                return

    def _gained(self, before: Trial, after: Trial) -> bool:
        if before is after:
            return False
        first, second = self.goal(before), self.goal(after)
        if not (first.good and second.good):
            return self._rank(after) < self._rank(before)
        good = [self.goal(each).cost for each in self.trials.all if self.goal(each).good]
        return first.cost - second.cost > BETTER * (float(np.median(good)) - min(good))

    def _rank(self, trial: Trial) -> tuple[int, float, int]:
        """What keeps all limits by its cost, then the rest by how far it is from that."""
        reply = self.goal(trial)
        if reply.good:
            return 0, reply.cost, trial.number
        if trial.allowed:
            return 1, reply.violation, trial.number
        return 2, self._distance(self.trials.shares(trial), allowed=True), trial.number

    def _distance(self, shares: Floats, allowed: bool) -> float:
        """To the nearest trial that is allowed, or is not."""
        places = self.trials.places
        those = [places[each.number] for each in self.trials.all if each.allowed is allowed]
        return float(_distances(those, shares).min()) if those else math.inf

    def _filled(self, asked: Callable[[Floats], Trial]) -> Callable[[Floats], Reply]:
        """Replies that are numbers everywhere, costs over their spread among them."""
        costs = [self.goal(each).cost for each in self.trials.all]
        finite = [cost for cost in costs if math.isfinite(cost)] or [0.0]
        scale = (max(finite) - min(finite)) or abs(finite[0]) or 1.0
        memory: dict[int, Reply] = {}

        def reply(shares: Floats) -> Reply:
            trial = asked(shares)
            if trial.number not in memory:
                memory[trial.number] = self._reply(trial, scale)
            return memory[trial.number]

        return reply

    def _reply(self, trial: Trial, scale: float) -> Reply:
        own = self.goal(trial)
        if trial.allowed and math.isfinite(own.cost):
            inside = self._distance(self.trials.shares(trial), allowed=False)
            return Reply(own.cost / scale, (*own.excess, -HIDDEN * min(inside, 1.0)), True)
        shares = self.trials.shares(trial)
        like = own if _is_told(own) else self._nearest_told(shares, len(own.excess))
        outside = HIDDEN * min(self._distance(shares, allowed=True), 1.0)
        return Reply(like.cost / scale, (*like.excess, outside), False)

    def _nearest_told(self, shares: Floats, limits: int) -> Reply:
        told = [each for each in self.trials.all if _is_told(self.goal(each))]
        if not told:
            return Reply(0.0, (0.0,) * limits, False)
        places = [self.trials.shares(each) for each in told]
        return self.goal(told[int(_distances(places, shares).argmin())])


def _distances(places: Sequence[Floats], shares: Floats) -> Floats:
    return np.asarray(np.linalg.norm(np.array(places) - shares, axis=1))


def _is_told(reply: Reply) -> bool:
    return math.isfinite(reply.cost) and all(map(math.isfinite, reply.excess))


def _minimize(
    models: Models, radii: Radii, reply: Callable[[Floats], Reply], start: Floats, limits: int
) -> None:
    """Whatever comes of it is among the trials."""
    from scipy.optimize import NonlinearConstraint, minimize

    kept = NonlinearConstraint(
        lambda shares: np.array(reply(shares).excess), -math.inf, np.zeros(limits)
    )
    minimize(
        lambda shares: reply(shares).cost,
        start,
        method=models.method,
        bounds=[(0.0, 1.0)] * len(start),
        constraints=[kept],
        options={models.first: radii.first, models.last: radii.last},
    )


def sobol_points(dimensions: int, count: int, seed: int) -> Iterator[Floats]:
    """Points that fill the unit cube evenly, the same for the same seed."""
    from scipy.stats import qmc

    if count <= 0:
        return
    sobol = qmc.Sobol(dimensions, rng=np.random.default_rng(seed))
    yield from sobol.random_base2(math.ceil(math.log2(count)))[:count]
