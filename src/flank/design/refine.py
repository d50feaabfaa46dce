"""The continuous values of a candidate, by real static solves: first larger until limits are kept,
then by the search of `flank optimize` (search.py) around that.

Whatever is tried is a machine with dimensions as drawings have them, so that what is found needs no
rounding.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flank.design.candidate import Candidate, Fallen
from flank.design.measure import Measured, measure
from flank.design.problem import Problem, Reply, Spent, Trial, Trials
from flank.design.ranking import RANKINGS
from flank.design.search import Search
from flank.design.vary import Varied
from flank.errors import SpecError
from flank.machines.quantities import Quantity
from flank.machines.registry import machine_from_mapping

if TYPE_CHECKING:
    from flank.design.candidate import Designer
    from flank.studies.study import Tell

COST = "cost"

IN_HAND = 0.01
"""Of every limit: figures of other crank angles than those looked at are a little larger."""

STEPS_UP, LARGEST_STEP, BLIND_STEP = 8, 1.4, 1.04
"""How often, and by how much at most, a candidate is made larger until it keeps its limits."""


POWERS = {"Pa": 2 / 3, "s": 0.15, "N*m/rad": 1 / 3}
"""Of a ratio to the limit, by which size has to grow: pressures fall with the power 3/2 of size,
lives rise with the seventh, stiffnesses with the third."""


@dataclass
class DesignTrials(Trials):
    """Trials of one candidate; their figures are excesses over limits, and the cost."""

    designer: Any = None
    candidate: Any = None
    built: dict[int, tuple[dict[str, Any], Measured]] = field(default_factory=dict)

    @cached_property
    def _limits(self) -> tuple[str, ...]:
        """Names of the limits of the first machine that could be measured."""
        first = next(each for each in self.all if each.allowed)
        return tuple(sorted(name for name in first.figures if name != COST))

    def reply(self, trial: Trial) -> Reply:
        """A trial as the search sees it, with the same limits every time: those that the first
        machine has, and one for all that others have besides."""
        if not trial.allowed:
            count = len(self._limits) + 1 if any(each.allowed for each in self.all) else 1
            return Reply(math.nan, (math.inf,) * count, False)
        excesses = {name: each for name, each in trial.figures.items() if name != COST}
        known = [excesses.pop(name, -1.0) for name in self._limits]
        known.append(max(excesses.values(), default=-1.0))
        return Reply(trial.figures[COST], tuple(each + IN_HAND for each in known), True)

    def compute(self, number: int, values: tuple[float, ...]) -> Trial:
        designer: Designer = self.designer
        try:
            spec = designer.spec(self.candidate, tuple(map(float, values)))
            measured = measure(designer, machine_from_mapping(spec))
        except Fallen as fallen:
            return Trial(number, values, refusal=fallen.code, warnings=(fallen.words,))
        except SpecError as error:
            return Trial(number, values, refusal="spec-refused", warnings=tuple(error.problems))
        excesses = measured.excesses
        cost = RANKINGS[designer.wanted.rank].cost(measured)
        if not math.isfinite(cost) or not all(map(math.isfinite, excesses.values())):
            return Trial(number, values, refusal="no-equilibrium")
        self.built[number] = spec, measured
        return Trial(number, values, {COST: cost, **excesses})


def refine(
    designer: Designer, candidate: Candidate, most: int, tell: Tell | None = None
) -> DesignTrials:
    """At most so many machines of a candidate; `tell` is told after each, and may stop it."""
    varied = tuple(
        Varied(name, each.title, Quantity("", ""), each.low, each.high, value)
        for (name, each), value in zip(designer.variables.items(), candidate.values, strict=True)
    )
    own = Trial(0, candidate.values)
    problem = Problem(None, varied, (), (), (), own)  # type: ignore[arg-type]
    trials = DesignTrials(problem, most, designer=designer, candidate=candidate, tell=tell)
    try:
        start = _large_enough(designer, trials, candidate.values)
        if start is not None:
            trials.problem = replace(problem, varied=_local(designer, varied, start.values))
            Search(trials, trials.reply, designer.wanted.seed).local(start)
    except Spent:
        pass
    return trials


def _large_enough(
    designer: Designer, trials: DesignTrials, values: tuple[float, ...]
) -> Trial | None:
    """Larger and larger until limits are kept; the nearest to it, None where nothing is allowed."""
    allowed: list[Trial] = []
    for _ in range(STEPS_UP):
        trial = trials.at(tuple(_within(trials, values)))
        factor = BLIND_STEP
        if trial.allowed:
            allowed.append(trial)
            answer = trials.reply(trial)
            if answer.good:
                return trial
            factor = 1.01 * _growth(trials, trial)
        larger = designer.begin_larger(trial.values, min(factor, LARGEST_STEP))
        if tuple(_within(trials, larger)) == trial.values:
            break
        values = larger
    return min(allowed, key=lambda each: trials.reply(each).violation, default=None)


def _local(
    designer: Designer, varied: tuple[Varied, ...], start: tuple[float, ...]
) -> tuple[Varied, ...]:
    """Narrower bounds where a value is known but for some share of itself."""
    return tuple(
        each
        if of.local is None
        else replace(
            each,
            low=max(each.low, (1 - of.local) * value),
            high=min(each.high, (1 + of.local) * value),
            own=value,
        )
        for each, of, value in zip(varied, designer.variables.values(), start, strict=True)
    )


def _growth(trials: DesignTrials, trial: Trial) -> float:
    """By which factor of size the worst limit would be kept, as the figure follows size."""
    measured = trials.built[trial.number][1]
    worst = max(measured.asked, key=lambda each: each.excess, default=None)
    if worst is None or worst.excess <= 0:
        return BLIND_STEP
    ratio = 1 / max(1 - worst.excess, 0.1) if worst.least else 1 + worst.excess
    power = POWERS.get(worst.unit, 1.0) if worst.power is None else worst.power
    return math.pow(ratio, power)


def _within(trials: Trials, values: tuple[float, ...]) -> list[float]:
    return [
        min(max(value, each.low), each.high)
        for value, each in zip(values, trials.problem.varied, strict=True)
    ]
