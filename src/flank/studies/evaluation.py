"""A study evaluated: yields, quantiles, what drives a figure, what the worst have in common."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flank import units
from flank.analyses import sensitivity
from flank.analyses.registry import find_analysis
from flank.analyses.result import Result
from flank.arrays import Floats, Integers
from flank.studies import statistics
from flank.studies.samples import COMPLETE, STATUS_WORDS, WAITING
from flank.studies.statistics import Estimate, Index, Moments
from flank.studies.store import Quantity, Store
from flank.studies.study import Limit, Study, find_limits
from flank.studies.variables import Variable

WORST_SHARE, FEWEST_WORST = 0.01, 10
"""Of the samples, those that are looked at together; and how many at least."""

PART = 4096
"""Samples whose draws are held at a time."""

DIFFERENTIATED = ("torsional_stiffness", "lost_motion", "backlash")
"""Figures of a loop that `sensitivity` differentiates."""


FIRST_ORDER = "first_order"
"""Attribute of a store that keeps what derivatives tell."""


class Yield(NamedTuple):
    """How many samples keep a limit, or all of them; those that failed count apart."""

    limit: Limit | None
    within: int
    known: int
    failed: int
    share: Estimate


class Driver(NamedTuple):
    """What an entry of `varies` does to a figure: the share of its variance, and its deviation in
    SI by the samples and, where it is known, to first order."""

    entry: str
    places: int
    share: Estimate
    deviation: float
    first_order: float


class Common(NamedTuple):
    """A drawn number that the worst samples have in common: its mean among them and how often, by
    chance, any of all numbers would stand out as much."""

    name: str
    shift: float  # in standard deviations of the number
    chance: float


@dataclass(frozen=True)
class Evaluation:
    """What the store of a study holds by now."""

    study: Study
    store: Store

    @property
    def confidence(self) -> float:
        return self.study.spec.confidence

    @property
    def statistical(self) -> bool:
        """Whether samples stand for all that could be built; corners and grids do not."""
        return not self.study.sampler.plan.along

    @cached_property
    def status(self) -> Integers:
        return self.store.status()

    @property
    def states(self) -> dict[str, int]:
        """How many samples are complete, failed, waiting."""
        counts = np.bincount(self.status, minlength=len(STATUS_WORDS))
        return {word: int(counts[code]) for code, word in STATUS_WORDS.items() if counts[code]}

    @property
    def failed(self) -> int:
        return int(np.sum((self.status != WAITING) & (self.status != COMPLETE)))

    @cached_property
    def _drawn(self) -> Integers:
        """Samples that are complete and independent: of sobol-indices, only rows A and B are."""
        block = self.study.sampler.plan.block
        numbers = np.flatnonzero(self.status == COMPLETE)
        return numbers if block == 1 else numbers[numbers % block < 2]

    @cached_property
    def _columns(self) -> dict[str, Floats]:
        """Every figure of the samples that are looked at, not a number where one has none."""
        figures = (name for name, each in self.store.quantities.items() if not each.shape)
        return {name: self.store.values(name)[self._drawn] for name in figures}

    @cached_property
    def figures(self) -> dict[str, Quantity]:
        """Those that vary, by name."""
        return {
            name: self.store.quantities[name]
            for name, column in self._columns.items()
            if _varies(column[np.isfinite(column)])
        }

    def values(self, name: str) -> Floats:
        """A figure of the samples that have it, in the order of `numbers`."""
        column = self._columns[name]
        return column[np.isfinite(column)]

    def numbers(self, name: str) -> Integers:
        """Of the samples that have a figure."""
        return self._drawn[np.isfinite(self._columns[name])]

    def nominal(self, name: str) -> float:
        return float(self.store.manifest["nominal"].get(name, math.nan))

    @cached_property
    def limits(self) -> list[Limit]:
        return find_limits(self.study.spec, self.store.quantities)

    @property
    def main_figures(self) -> list[str]:
        """What a report looks into: figures with limits, else the first few that vary."""
        limited = [limit.figure for limit in self.limits if limit.figure in self.figures]
        return limited or list(self.figures)[:3]

    def yields(self) -> list[Yield]:
        """Of every limit, and of all together where there are several; none before a sample is
        known."""
        if not len(self._drawn):
            return []
        kept = {limit: self._within(limit) for limit in self.limits}
        rows = [self._yield(limit, within) for limit, within in kept.items()]
        if len(kept) > 1:
            rows.append(self._yield(None, np.all(list(kept.values()), axis=0)))
        return rows

    def _within(self, limit: Limit) -> Floats:
        values = self._columns[limit.figure]
        return np.asarray((values >= limit.low) & (values <= limit.high))

    def _yield(self, limit: Limit | None, within: Floats) -> Yield:
        count, good = len(within), int(np.sum(within))
        share = statistics.proportion(good, count, self.confidence)
        return Yield(limit, good, count, self.failed, share)

    def quantile(self, name: str, share: float) -> Estimate:
        return statistics.quantile(self.values(name), share, self.confidence)

    def mean(self, name: str) -> Estimate:
        return statistics.mean(self.values(name), self.confidence)

    def deviation(self, name: str) -> float:
        values = self.values(name)
        return float(np.std(values, ddof=1)) if len(values) > 1 else math.nan

    @cached_property
    def _moments(self) -> Moments:
        """Of all drawn numbers with all figures, a part of the samples at a time."""
        names = list(self.figures)
        moments = Moments(len(self.study.variables.dimensions), len(names))
        columns = [self._columns[name] for name in names]
        # A sample without a figure says nothing of it: the mean leaves correlations as they are.
        filled = [np.where(np.isfinite(each), each, np.nanmean(each)) for each in columns]
        for places, drivers in self._drivers(self._drawn):
            moments.add(drivers, np.reshape([each[places] for each in filled], (-1, len(places))).T)
        return moments

    def _drivers(self, numbers: Integers) -> Iterator[tuple[Integers, Floats]]:
        """Independent numbers of samples, a part at a time, with their places among `numbers`."""
        plan = self.study.sampler.plan
        for first in range(0, plan.samples, PART):
            places = np.flatnonzero((numbers >= first) & (numbers < first + PART))
            if len(places):
                count = min(PART, plan.samples - first)
                drivers = plan.variables.drivers(plan.uniform(first, count), plan.along)
                yield places, drivers[numbers[places] - first]

    def correlations(self, name: str) -> dict[str, Estimate]:
        """Of every drawn number with a figure, the strongest first."""
        column = list(self.figures).index(name)
        values = self._moments.correlations[:, column]
        names = self.study.variables.dimensions
        order = np.argsort(-np.abs(values), kind="stable")
        count = self._moments.count
        return {
            names[k]: statistics.correlation(float(values[k]), count, self.confidence)
            for k in order
        }

    def driver_column(self, name: str, numbers: Integers) -> tuple[Floats, str]:
        """A drawn number of samples as people read it, and its unit."""
        variables = self.study.variables
        column = variables.dimensions.index(name)
        entry = variables.entries[variables.owner[column]]
        parts = [drivers[:, column] for _, drivers in self._drivers(numbers)]
        if 0.0 < entry.share < 1.0:
            return np.concatenate(parts), "σ"
        scale = units.convert(1.0, entry.unit, entry.shown_unit)
        return np.concatenate(parts) * scale, entry.shown_unit

    def drivers(self, name: str) -> list[Driver]:
        """What each entry of `varies` does to a figure, the largest share first."""
        column = list(self.figures).index(name)
        values = self._moments.correlations[:, column]
        owner = np.asarray(self.study.variables.owner)
        spread, rows = self.deviation(name), []
        for k, entry in enumerate(self.study.variables.entries):
            share = statistics.variance_share(
                values[owner == k], self._moments.count, self.confidence
            )
            deviation = math.sqrt(share.value) * spread
            first_order = self.first_order.get(name, {}).get(entry.name, math.nan)
            rows.append(Driver(entry.name, len(entry.places), share, deviation, first_order))
        return sorted(rows, key=lambda row: -np.nan_to_num(row.share.value))

    @property
    def first_order(self) -> dict[str, dict[str, float]]:
        """By figure and entry, the deviation in SI that derivatives of the loop tell; empty before
        `differentiate`."""
        return dict(self.store.group.attrs.get(FIRST_ORDER, {}))

    def differentiate(self) -> None:
        """Have the machine's derivatives computed, and kept in the store, where it has any: it
        takes as long as some ten to a hundred samples."""
        if FIRST_ORDER in self.store.group.attrs:
            return
        linear = _sensitivity(self.study)
        if linear is not None:
            self.store.group.attrs[FIRST_ORDER] = {
                f"hysteresis.{figure}": {
                    entry.name: _first_order(entry, linear, figure)
                    for entry in self.study.variables.entries
                    if _differentiable(entry, self.study)
                }
                for figure in DIFFERENTIATED
            }

    def worst(self, name: str) -> Integers:
        """Places among `numbers` of the worst samples: those beyond the limit first, the largest
        where nothing says that the smallest are worse."""
        values = self.values(name)
        count = min(len(values), max(math.ceil(WORST_SHARE * len(values)), FEWEST_WORST))
        limit = next((each for each in self.limits if each.figure == name), None)
        badness = values
        if limit is not None:
            badness = np.maximum(values - limit.high, limit.low - values)
        return np.argsort(-badness, kind="stable")[:count]

    def common(self, name: str, most: int = 8) -> list[Common]:
        """Drawn numbers that the worst samples have in common and others do not."""
        from scipy.special import erfc

        worst, moments = self.worst(name), self._moments
        if moments.count < 2 * FEWEST_WORST:
            return []
        numbers = np.sort(self.numbers(name)[worst])
        drivers = np.vstack([part for _, part in self._drivers(numbers)])
        spread = np.where(moments.deviations > 0, moments.deviations, np.inf)
        shifts = (drivers.mean(axis=0) - moments.means) / spread
        chances = erfc(np.abs(shifts) * math.sqrt(len(worst)) / math.sqrt(2.0)) * len(shifts)
        names = self.study.variables.dimensions
        rows = [Common(names[k], float(shifts[k]), float(chances[k])) for k in range(len(names))]
        told = [row for row in rows if row.chance < 1.0 - self.confidence]
        return sorted(told, key=lambda row: -abs(row.shift))[:most]

    def indices(self, name: str) -> dict[str, Index]:
        """Sobol's indices of every entry, where samples were chosen for them."""
        block, entries = self.study.sampler.plan.block, self.study.variables.entries
        if block == 1:
            return {}
        values = np.where(self.status == COMPLETE, self.store.values(name), math.nan)
        indices = statistics.sobol_indices(
            values.reshape(-1, block), self.confidence, self.study.spec.seed
        )
        return {entry.name: index for entry, index in zip(entries, indices, strict=True)}


def _varies(values: Floats) -> bool:
    return bool(len(values) and np.ptp(values) > 0.0)


def _differentiable(entry: Variable, study: Study) -> bool:
    """Whether it is of errors, and not of the directions of some."""
    kind = entry.places[0].kind
    return bool(kind) and not study.machine.spec.error_kinds[kind].direction


def _sensitivity(study: Study) -> Result | None:
    """Derivatives at the machine itself, by the settings of the loop that is asked."""
    ask = next((each for each in study.sampler.asks if each.name == "hysteresis"), None)
    kinds = [e.places[0].kind for e in study.variables.entries if _differentiable(e, study)]
    analysis = find_analysis("sensitivity")
    if ask is None or not kinds or not analysis.fits(study.machine):
        return None
    asked = ask.settings.to_mapping(units=False)
    settings = {
        key: asked[key] for key in ("torque", "crank_angle", "fit_from") if key in asked
    } | {"points": 8, "kinds": list(dict.fromkeys(kinds))}
    load = {} if getattr(study.machine, "load_torque", 0.0) else {"load_torque": 1.0}
    result = analysis.run(study.machine, analysis.checked_settings(settings | load))
    return result if result.complete else None


def _first_order(entry: Variable, linear: Result, figure: str) -> float:
    """√(gᵀ C g): derivatives by its places, each times the deviation, and their correlation."""
    parameters = [str(name) for name in linear.data["parameter"].values]
    units = linear.data["parameter_unit"].values
    effects = linear.data[f"{figure}_per_step"].values
    gradient = []
    for place in entry.places:
        k = parameters.index(place.name.removeprefix("errors."))
        gradient.append(effects[k] / sensitivity.SHOWN_STEPS[str(units[k])])
    scaled = np.asarray(gradient) * entry.distribution.deviation
    return math.sqrt(float(scaled @ entry.correlation @ scaled))
