"""A study evaluated: yields, quantiles, what drives a figure, what the worst have in common."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flank import units
from flank.arrays import Floats, Integers
from flank.studies import linear_map, statistics
from flank.studies.assisted import PART, Assistance, assistance
from flank.studies.refusals import without_numbers
from flank.studies.samples import COMPLETE, MAPPED, STATUS_WORDS, WAITING
from flank.studies.statistics import Estimate, Index, Moments
from flank.studies.store import Quantity, Store
from flank.studies.study import Limit, Study, find_limits

WORST_SHARE, FEWEST_WORST = 0.01, 10
"""Of the samples, those that are looked at together; and how many at least."""


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
        return int(np.sum(~np.isin(self.status, (WAITING, COMPLETE, MAPPED))))

    def warnings(self) -> dict[str, int]:
        """Warnings of samples and how many have each, the commonest first; of those that differ in
        numbers alone the first stands for all."""
        counts: Counter[str] = Counter()
        first: dict[str, str] = {}
        for told in self.store.warnings():
            kinds = {without_numbers(sentence): sentence for sentence in reversed(told)}
            counts.update(kinds.keys())
            first = kinds | first
        return {first[kind]: count for kind, count in counts.most_common()}

    @property
    def nothing_varied(self) -> bool:
        """Whether several samples are known and each figure is the same in all of them."""
        return len(self._drawn) > 1 and bool(self._columns) and not self.figures

    @cached_property
    def map(self) -> Assistance | None:
        """The linear map of an assisted study, as soon as its first samples are known."""
        return assistance(self.study, self.store) if self.study.spec.method == "assisted" else None

    @property
    def assisted(self) -> Assistance | None:
        """The map where it pays; else all samples are exact."""
        return self.map if self.map is not None and self.map.pays else None

    @cached_property
    def _drawn(self) -> Integers:
        """Samples that are complete and independent: of sobol-indices, only rows A and B are; of an
        assisted study, only those that were not chosen by the map."""
        block = self.study.sampler.plan.block
        first = self.study.samples if self.assisted is None else self.assisted.exact
        numbers = np.flatnonzero(self.status[:first] == COMPLETE)
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
        limits = self.limits if limit is None else [limit]
        if self.assisted and all(each.figure in self.assisted.figures for each in limits):
            share = self.assisted.share(limits)
        return Yield(limit, good, count, self.failed, share)

    def quantile(self, name: str, share: float) -> Estimate:
        if self.assisted and self.assisted.has_quantiles(name):
            return self.assisted.quantile(name, share)
        return statistics.quantile(self.values(name), share, self.confidence)

    def mean(self, name: str) -> Estimate:
        if self.assisted and name in self.assisted.figures:
            return self.assisted.mean(name)
        return statistics.mean(self.values(name), self.confidence)

    def deviation(self, name: str) -> float:
        if self.assisted and name in self.assisted.figures:
            return self.assisted.deviation(name)
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

    @cached_property
    def first_order(self) -> dict[str, dict[str, float]]:
        """By figure and entry, the deviation in SI that derivatives of the loop tell, √(gᵀ C g):
        derivatives by its places, each times the deviation, and their correlation; empty before
        `differentiate`."""
        known = linear_map.gradients(self.study, self.store)
        rows: dict[str, dict[str, float]] = {}
        for figure in known.figures:
            rows[figure] = {}
            for entry in self.study.variables.entries:
                if linear_map.differentiable(entry, self.study):
                    scaled = known.of(figure, entry, self.study) * entry.distribution.deviation
                    size = math.sqrt(float(scaled @ entry.correlation @ scaled))
                    rows[figure][entry.name] = size
        return rows

    def differentiate(self) -> None:
        """Have the machine's derivatives computed, and kept in the store, where it has any."""
        linear_map.differentiate(self.study, self.store)
        self.__dict__.pop("first_order", None)

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
