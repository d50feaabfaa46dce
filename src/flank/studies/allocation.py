"""Tolerance allocation: the cheapest grades of tolerances that keep a yield.

Every kind of error has a few grades, each with a tolerance and a cost. Grades are whole choices, so
all their combinations are gone through, by a map in place of the machine:

1. a pilot of exact samples, each with a grade of its own drawn for every kind, spans all of them;
2. its figures are fitted (`linear_map.fit_map`) by derivatives, drawn numbers and, for every kind,
   the mean of its squares: errors do not only spread a figure, larger ones also shift it, as they
   take clearance away. With r the tolerance over that of the widest grade,

       y = c + Σ over kinds (r a + r² b) + what is left,

   where a and b of a kind are known for many draws of the widest grades;
3. combinations are tried from the cheapest on until the map predicts a yield that as many exact
   samples as the study has could prove;
4. an ordinary study with these grades proves it or not, and corrects the map either way; the search
   goes on until no cheaper combination is left that the corrected map takes for enough.

A combination counts as proved where the lower end of its yield's interval is what was asked for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats, Integers
from flank.errors import SpecError, suggestion
from flank.machines.machine import SpecifiedMachine
from flank.studies import statistics
from flank.studies.assisted import run_study
from flank.studies.backends import Backend
from flank.studies.evaluation import Evaluation
from flank.studies.linear_map import LinearMap, differentiate, fit_map, folds_of, gradients
from flank.studies.samples import COMPLETE
from flank.studies.sampling import Plan, uniform
from flank.studies.spec import AllocationSpec, GradeSpec, StudySpec
from flank.studies.statistics import Estimate
from flank.studies.store import STORE_FOLDER
from flank.studies.study import Limit, Study, Tell, make_study
from flank.studies.variables import ERRORS
from flank.texts import echo, listed

SCALING = ("uniform", "normal", "truncated-normal", "triangular")
"""Distributions whose width is that of the tolerance."""

MOST_COMBINATIONS = 2_000_000
MOST_PREDICTED = 5_000
"""Combinations that are predicted by draws, of those that means and deviations let pass."""

MOST_STUDIES = 8
DRAWS = 4_000
SLACK = 0.05
"""Of the yield: by how much means and deviations may take a combination for worse than it is."""


class Grade(NamedTuple):
    tolerance: float  # SI
    cost: float


class Trial(NamedTuple):
    """Grades (number by kind, from 0) that were computed exactly."""

    grades: dict[str, int]
    cost: float
    predicted: float
    verified: Estimate
    evaluation: Evaluation

    @property
    def name(self) -> str:
        return "-".join(str(number + 1) for number in self.grades.values())


@dataclass(frozen=True)
class Allocation:
    """What was found, with all that was computed exactly."""

    study: Study
    grades: dict[str, list[Grade]]
    at_least: float
    combinations: int
    trials: list[Trial]

    @property
    def proved(self) -> Trial | None:
        """The cheapest of those that are proved."""
        proved = [trial for trial in self.trials if trial.verified.low >= self.at_least]
        return min(proved, key=lambda trial: trial.cost, default=None)


@dataclass(frozen=True)
class GradedPlan(Plan):
    """Samples with a grade of their own for every kind, from draws of the widest grades."""

    ratios: tuple[tuple[float, ...], ...] = ()  # by entry, tolerance over that of the widest grade

    def values(self, first: int, count: int) -> Floats:
        widest, columns = super().values(first, count), []
        start = 0
        for entry, ratios in zip(self.variables.entries, self.ratios, strict=True):
            part = widest[:, start : start + len(entry.places)]
            draws = uniform(self.seed, f"grade of {entry.name}", first, count)
            chosen = np.asarray(ratios)[(draws * len(ratios)).astype(np.int64)]
            columns.append(
                entry.distribution.mean * (1.0 - chosen[:, None]) + chosen[:, None] * part
            )
            start += len(entry.places)
        return np.hstack(columns)


def find_grades(spec: StudySpec, machine: SpecifiedMachine) -> dict[str, list[Grade]]:
    """Grades by entry, the widest last; SpecError has a sentence for what does not fit."""
    asked = spec.allocate
    problems: list[str] = []
    if asked is None or not asked.grades:
        raise SpecError(
            "allocate is missing; give the yield and grades, for example allocate: {at_least: "
            "0.95, grades: {errors.pin_radius: [{tolerance: 2 um, cost: 9}, {tolerance: 5 um, "
            "cost: 4}]}}"
        )
    if not spec.limits:
        problems.append(
            "limits is empty; a yield needs at least one, as lost_motion: {at_most: ...}"
        )
    if spec.sampling != "random":
        problems.append(f"sampling is {spec.sampling}; grades are found with random samples")
    grades: dict[str, list[Grade]] = {}
    for name, given in asked.grades.items():
        try:
            grades[name] = _grades_of(name, given, spec, machine)
        except ValueError as error:
            problems.append(f"allocate.grades.{echo(name)}: {error}")
    count = math.prod(len(each) for each in grades.values())
    if count > MOST_COMBINATIONS:
        problems.append(
            f"allocate.grades: there are {float(count):.3g} combinations, and {MOST_COMBINATIONS} "
            "are the most; give fewer grades, or grades of those kinds that drive the figures"
        )
    if problems:
        raise SpecError(problems)
    return grades


def _grades_of(
    name: str, given: Sequence[GradeSpec], spec: StudySpec, machine: SpecifiedMachine
) -> list[Grade]:
    varies = spec.varies.get(name)
    block, _, kind_name = name.partition(".")
    kinds = machine.spec.error_kinds
    if varies is None:
        near = suggestion(name, list(spec.varies))
        raise ValueError(f"this does not vary{near} Varied: {listed(spec.varies)}")
    if block != ERRORS or kind_name not in kinds or kinds[kind_name].direction:
        raise ValueError("grades are of kinds of errors, which have a tolerance")
    widths = [
        key for key in ("low", "high", "deviation", "mode") if getattr(varies, key) is not None
    ]
    if varies.distribution not in SCALING or widths:
        raise ValueError(
            f"its {' and '.join(widths) or varies.distribution + ' distribution'} would not follow "
            f"the grade; use {' or '.join(SCALING)} and leave low, high and deviation out"
        )
    kind = kinds[kind_name]
    grades = []
    for each in given:
        read = kind.tolerance_quantity.read(each.tolerance)
        tolerance = kind.graded(read, machine.spec) if isinstance(read, str) else read
        if not tolerance > 0.0:
            raise ValueError("a tolerance must be more than 0")
        grades.append(Grade(tolerance, each.cost))
    if len({grade.tolerance for grade in grades}) < max(len(grades), 2):
        raise ValueError("give at least two grades, each with a tolerance of its own")
    return sorted(grades)


def with_grades(
    spec: StudySpec,
    machine: SpecifiedMachine,
    tolerances: Mapping[str, float],
    folder: Path,
    pilot: bool = False,
) -> Study:
    """The study whose machine has these tolerances, by the names of entries."""
    changes = {name.replace(ERRORS, "tolerances", 1): value for name, value in tolerances.items()}
    changed = type(machine)(machine.spec.with_changes(changes))
    update = {} if pilot else {"allocate": None}
    return make_study(spec.model_copy(update=update), changed, folder, begun=not pilot)


@dataclass(frozen=True)
class GradeMap:
    """Figures with limits by grades: parts of many draws, and errors of the map (figure, ...)."""

    limits: list[Limit]
    figures: list[str]
    offsets: Floats  # (figure)
    spread: dict[str, Floats]  # a by kind (figure, draw)
    shift: dict[str, Floats]  # b by kind (figure, draw)
    constant: Floats  # what kinds without grades do (figure, draw)
    left: Floats  # what the map leaves, of variance 1 (figure, draw)
    left_variance: Floats  # of it, without any grade (figure)
    left_growth: dict[str, Floats]  # what a kind's widest grade adds to it (figure)
    correlation: dict[str, float]

    def predict(self, ratios: Mapping[str, float]) -> float:
        """The yield of all limits."""
        variance = self.left_variance + sum(
            ratio**2 * self.left_growth[name] for name, ratio in ratios.items()
        )
        values = self.offsets[:, None] + self.constant + np.sqrt(variance)[:, None] * self.left
        for name, ratio in ratios.items():
            values = values + ratio * self.spread[name] + ratio**2 * self.shift[name]
        within = np.ones(values.shape[1], dtype=bool)
        for limit in self.limits:
            row = values[self.figures.index(limit.figure)]
            within &= (row >= limit.low) & (row <= limit.high)
        return float(within.mean())

    def roughly(self, ratios: list[Floats]) -> Floats:
        """The yield of many combinations by means and variances, taken for normal: that of the
        limit that is kept least often."""
        from scipy.special import ndtr

        best = np.ones(len(ratios[0]))
        for limit in self.limits:
            k = self.figures.index(limit.figure)
            mean = self.offsets[k] + self.constant[k].mean()
            variance = self.constant[k].var() + self.left_variance[k]
            for name, ratio in zip(self.spread, ratios, strict=True):
                a, b = self.spread[name][k], self.shift[name][k]
                both = 2.0 * float(np.cov(a, b, bias=True)[0, 1])
                mean = mean + ratio * a.mean() + ratio**2 * b.mean()
                variance = variance + ratio**2 * (a.var() + self.left_growth[name][k])
                variance = variance + ratio**3 * both + ratio**4 * b.var()
            sizes = np.sqrt(np.maximum(variance, 1e-300))
            share = ndtr((limit.high - mean) / sizes) - ndtr((limit.low - mean) / sizes)
            best = np.minimum(best, share)
        return best


@dataclass(frozen=True)
class Search:
    """Combinations of grades in the order of their cost."""

    grades: dict[str, list[Grade]]
    map: GradeMap

    @cached_property
    def _choices(self) -> Integers:
        """Numbers of grades (kind, combination)."""
        counts = [len(each) for each in self.grades.values()]
        return np.array(np.unravel_index(np.arange(math.prod(counts)), counts))

    @cached_property
    def costs(self) -> Floats:
        rows = zip(self.grades.values(), self._choices, strict=True)
        return np.asarray(sum(np.array([g.cost for g in each])[row] for each, row in rows))

    @cached_property
    def _rough(self) -> Floats:
        rows = zip(self.grades.values(), self._choices, strict=True)
        return self.map.roughly([_ratios(each)[row] for each, row in rows])

    def cheapest(
        self, needed: float, correction: float, below: float, tried: list[dict[str, int]]
    ) -> tuple[dict[str, int], float, float] | None:
        """The cheapest combination whose predicted yield is enough and whose cost is `below` that,
        with its cost and yield."""
        order = np.argsort(self.costs, kind="stable")
        order = order[self.costs[order] < below]
        passed = order[_corrected(self._rough[order], correction) >= needed - SLACK]
        for number in passed[:MOST_PREDICTED]:
            chosen = {
                name: int(k) for name, k in zip(self.grades, self._choices[:, number], strict=True)
            }
            if chosen in tried:
                continue
            ratios = {name: float(_ratios(self.grades[name])[k]) for name, k in chosen.items()}
            share = float(_corrected(np.array([self.map.predict(ratios)]), correction)[0])
            if share >= needed:
                return chosen, float(self.costs[number]), share
        return None


def _ratios(grades: list[Grade]) -> Floats:
    return np.array([grade.tolerance for grade in grades]) / grades[-1].tolerance


def _corrected(shares: Floats, correction: float) -> Floats:
    """Shares whose normal quantiles are moved by what exact studies taught."""
    from scipy.special import ndtr, ndtri

    return np.asarray(ndtr(ndtri(np.clip(shares, 1e-6, 1.0 - 1e-6)) + correction))


def needed_share(at_least: float, samples: int, confidence: float) -> float:
    """The least share of samples that proves a yield; SpecError if not even all of them do."""
    low, high = math.ceil(at_least * samples), samples
    if statistics.proportion(samples, samples, confidence).low < at_least:
        least = math.ceil(math.log((1.0 - confidence) / 2.0) / math.log(at_least))
        raise SpecError(
            f"{samples} samples cannot prove a yield of {at_least:.4g}, even if all are good; "
            f"samples: {least} can"
        )
    while low < high:
        middle = (low + high) // 2
        proves = statistics.proportion(middle, samples, confidence).low >= at_least
        low, high = (low, middle) if proves else (middle + 1, high)
    return low / samples


def allocate(
    spec: StudySpec,
    machine: SpecifiedMachine,
    base: Path,
    folder: Path,
    backend: Backend | None = None,
    tell: Tell | None = None,
    say: Callable[[str], None] = lambda sentence: None,
) -> Allocation:
    """Find the cheapest grades that keep the yield; studies are kept in `folder`, and gone on with
    where they are there already. Relative names of files count from `base`."""
    grades = find_grades(spec, machine)
    asked = spec.allocate
    assert asked is not None
    needed = needed_share(asked.at_least, spec.samples or 0, spec.confidence)
    pilot, made = _pilot(spec, machine, grades, base, folder, backend, tell)
    words = ", ".join(f"{name} {value:.3f}" for name, value in made.correlation.items())
    say(f"Pilot of {pilot.samples} samples: the map correlates with what is exact by {words}")
    search, trials = Search(grades, made), list[Trial]()
    correction, cost = 0.0, math.inf
    while len(trials) < MOST_STUDIES:
        tried = [trial.grades for trial in trials]
        choice = search.cheapest(needed, correction, cost, tried)
        if choice is None:
            break
        trial = _tried(spec, machine, grades, choice, base, folder, backend, tell)
        trials.append(trial)
        say(
            f"Grades {trial.name}, cost {trial.cost:.6g}: predicted {trial.predicted:.2%}, exactly "
            f"{trial.verified.value:.2%}"
        )
        correction += _probit(trial.verified.value) - _probit(trial.predicted)
        if trial.verified.low >= asked.at_least:
            cost = trial.cost
    return Allocation(pilot, grades, asked.at_least, len(search.costs), trials)


def _tried(
    spec: StudySpec,
    machine: SpecifiedMachine,
    grades: Mapping[str, list[Grade]],
    choice: tuple[dict[str, int], float, float],
    base: Path,
    folder: Path,
    backend: Backend | None,
    tell: Tell | None,
) -> Trial:
    """An exact study of a combination."""
    chosen, cost, predicted = choice
    tolerances = {name: grades[name][k].tolerance for name, k in chosen.items()}
    study = with_grades(spec, machine, tolerances, base)
    name = "-".join(str(number + 1) for number in chosen.values())
    store = study.open(_made(folder / f"grades-{name}") / STORE_FOLDER)
    run_study(study, store, backend, tell)
    evaluation = Evaluation(study, store)
    return Trial(chosen, cost, predicted, evaluation.yields()[-1].share, evaluation)


def _probit(share: float) -> float:
    return NormalDist().inv_cdf(min(max(share, 1e-6), 1.0 - 1e-6))


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _pilot(
    spec: StudySpec,
    machine: SpecifiedMachine,
    grades: dict[str, list[Grade]],
    base: Path,
    folder: Path,
    backend: Backend | None,
    tell: Tell | None,
) -> tuple[Study, GradeMap]:
    """Exact samples over all grades, and the map that they make."""
    asked = spec.allocate
    assert isinstance(asked, AllocationSpec)
    widest = {name: each[-1].tolerance for name, each in grades.items()}
    exact = spec.model_copy(update={"samples": asked.pilot, "method": "exact", "exact": None})
    study = with_grades(exact, machine, widest, base, pilot=True)
    plan, entries = study.sampler.plan, study.variables.entries
    ratios = tuple(
        tuple(_ratios(grades[e.name]).tolist()) if e.name in grades else (1.0,) for e in entries
    )
    graded = GradedPlan(plan.sampling, plan.seed, plan.samples, plan.variables, ratios)
    study = replace(study, sampler=replace(study.sampler, plan=graded))
    store = study.open(_made(folder / "pilot") / STORE_FOLDER)
    study.run(store, backend, tell)
    differentiate(study, store)
    complete = np.flatnonzero(store.status() == COMPLETE)
    if len(complete) < 20:
        raise SpecError(
            f"only {len(complete)} of {study.samples} samples of the pilot completed; see `flank "
            f"study report {folder / 'pilot'}`"
        )
    figures = list(dict.fromkeys(limit.figure for limit in study.limits))
    wanted = np.column_stack([store.values(name)[complete] for name in figures])
    values = graded.values(0, study.samples)[complete]
    squares = _squares(study, values)
    slopes = gradients(study, store).slopes
    padded = np.hstack([slopes, np.zeros((len(slopes), squares.shape[1]))])
    folds = folds_of(complete)
    fitted = fit_map(np.hstack([values, squares]), wanted, padded, folds)
    predicted = fitted.predict(np.hstack([values, squares]))[folds, :, np.arange(len(folds))]
    correlation = {
        name: float(np.corrcoef(predicted[:, k], wanted[:, k])[0, 1])
        for k, name in enumerate(figures)
    }
    errors = wanted - predicted
    left = [_left(errors[:, k], squares) for k in range(len(figures))]
    return study, _grade_map(study, plan, grades, fitted, left, figures, correlation)


def _left(errors: Floats, squares: Floats) -> tuple[Floats, Floats]:
    """Errors of the map of variance 1, and what makes their variance: a constant, and the squares
    of each entry. Narrow grades leave less to be wrong about."""
    from scipy.optimize import nnls

    columns = np.column_stack([np.ones(len(squares)), squares])
    scale = float(np.mean(errors**2)) or 1.0
    growth, _ = nnls(columns, errors**2 / scale)
    variance = np.maximum(columns @ growth, 1e-3)
    return errors / np.sqrt(scale * variance), scale * growth


def _squares(study: Study, values: Floats) -> Floats:
    """Mean of squares of every entry (sample, entry), in squares of its deviation."""
    columns, start = [], 0
    for entry in study.variables.entries:
        part = values[:, start : start + len(entry.places)] - entry.distribution.mean
        columns.append(((part / (entry.distribution.deviation or 1.0)) ** 2).mean(axis=1))
        start += len(entry.places)
    return np.column_stack(columns)


def _grade_map(
    study: Study,
    plan: Plan,
    grades: Mapping[str, list[Grade]],
    fitted: LinearMap,
    left: list[tuple[Floats, Floats]],
    figures: list[str],
    correlation: dict[str, float],
) -> GradeMap:
    """Parts of the fitted map for draws of the widest grades."""
    values = plan.values(0, DRAWS)
    squares = _squares(study, values)
    slopes, offsets = fitted.slopes.mean(axis=0), fitted.offsets.mean(axis=0)
    places = values.shape[1]
    spread, shift = {}, {}
    constant = np.zeros((len(figures), DRAWS))
    start = 0
    for k, entry in enumerate(study.variables.entries):
        part = slice(start, start + len(entry.places))
        mean = entry.distribution.mean
        offsets = offsets + slopes[:, part].sum(axis=1) * mean
        a = slopes[:, part] @ (values[:, part] - mean).T
        b = slopes[:, places + k, None] * squares[None, :, k]
        if entry.name in grades:
            spread[entry.name], shift[entry.name] = a, b
        else:
            constant += a + b
        start += len(entry.places)
    errors, growth = (np.array(each) for each in zip(*left, strict=True))
    drawn = np.random.default_rng(study.spec.seed).integers(errors.shape[1], size=DRAWS)
    numbers = {entry.name: k + 1 for k, entry in enumerate(study.variables.entries)}
    fixed = [0, *(k for name, k in numbers.items() if name not in grades)]
    return GradeMap(
        study.limits,
        figures,
        offsets,
        {name: spread[name] for name in grades},
        {name: shift[name] for name in grades},
        constant,
        errors[:, drawn],
        growth[:, fixed].sum(axis=1),
        {name: growth[:, numbers[name]] for name in grades},
        correlation,
    )
