"""Assisted studies: all samples by the linear map, and as many exact ones as the truth needs.

The first n of N samples are computed exactly, as in any study; samples are drawn independently, so
they are a random choice. They make the map, and tell how wrong it is. Any other sample is computed
only where its prediction comes as near to a limit as the map errs. With m(i) what is known without
a further computation (an exact sample near a limit: itself; any other: its prediction), and z the
figure, its square, or 1 where it keeps a limit,

    E[z] ≈ mean over N of m + mean over n of (z - m).

Whatever the map is worth, this is without bias: what it gets wrong, the n samples take back. Its
variance is that of N exact samples and that of what the map leaves,

    Var(z)/N + Var(z - m) (1/n - 1/N),

so that a map that correlates by r stands for up to 1/(1 - r²) times as many exact samples. Samples
are predicted by maps that were made without them (`linear_map.FOLDS`). A failed sample has no z;
the mean over n of z is then that of those that have one, and that of m stays that of all.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flank.arrays import Flags, Floats, Integers
from flank.studies.backends import Backend, Chunk
from flank.studies.linear_map import LinearMap, differentiate, fit_map, folds_of, gradients
from flank.studies.samples import COMPLETE, MAPPED, WAITING
from flank.studies.statistics import Estimate, two_phase_mean, two_phase_share
from flank.studies.store import Store
from flank.studies.study import Limit, Study, Tell, find_limits

LEAST_GAIN = 2.0
"""An assisted study pays where it spares every second exact sample, or more."""

PART = 4096
"""Samples whose draws are held at a time."""


class Gain(NamedTuple):
    """What the map is worth for a question: how its predictions correlate with what exact samples
    answer, how many exact samples would answer as surely, and how often that is what it takes."""

    question: str
    correlation: float
    stands_for: float
    factor: float


@dataclass(frozen=True)
class Assistance:
    """A map made of the exact samples of a study, and all samples seen through it."""

    study: Study
    store: Store
    exact: int  # samples that are computed whatever the map says, the first ones
    figures: tuple[str, ...]
    limits: tuple[Limit, ...]
    map: LinearMap

    @property
    def samples(self) -> int:
        return self.study.samples

    @property
    def _confidence(self) -> float:
        return self.study.spec.confidence

    @cached_property
    def _folds(self) -> Integers:
        return folds_of(np.arange(self.exact))

    @cached_property
    def _weights(self) -> Floats:
        """Share of the exact samples that each fold has."""
        return np.bincount(self._folds, minlength=len(self.map.offsets)) / self.exact

    @cached_property
    def _kept(self) -> list[int]:
        """Figures whose predictions are kept of every sample: those that have limits, or three."""
        limited = [self.figures.index(limit.figure) for limit in self.limits]
        return list(dict.fromkeys(limited)) or list(range(min(len(self.figures), 3)))

    @cached_property
    def _all(self) -> tuple[Floats, Floats, Floats]:
        """Means of predictions and of their squared distances from the exact mean (figure), and
        predictions that are kept (fold, figure, sample), of all samples a part at a time."""
        sums = np.zeros((2, len(self.figures)))
        kept = np.empty((len(self.map.offsets), len(self._kept), self.samples))
        for first in range(0, self.samples, PART):
            count = min(PART, self.samples - first)
            predicted = self.map.predict(self.study.sampler.plan.values(first, count))
            squares = (predicted - self._centres[:, None]) ** 2
            sums[0] += self._weights @ predicted.sum(axis=2)
            sums[1] += self._weights @ squares.sum(axis=2)
            kept[:, :, first : first + count] = predicted[:, self._kept]
        return sums[0] / self.samples, sums[1] / self.samples, kept

    @cached_property
    def _exactly(self) -> Floats:
        """Figures of all samples (figure kept, sample), not a number where one is not complete."""
        known = self.store.status() == COMPLETE
        columns = [self.store.values(self.figures[k]) for k in self._kept]
        return np.where(known, np.reshape(columns, (-1, self.samples)), math.nan)

    @cached_property
    def _random(self) -> Floats:
        """Figures of the first samples (figure, sample), not a number where one has none."""
        known = self.store.status()[: self.exact] == COMPLETE
        columns = [self.store.values(name)[: self.exact] for name in self.figures]
        return np.where(known, columns, math.nan)

    @cached_property
    def _centres(self) -> Floats:
        return np.asarray(np.nanmean(self._random, axis=1))

    @cached_property
    def _predicted(self) -> Floats:
        """Figures of the first samples by maps that were made without them (figure, sample)."""
        values = self.study.sampler.plan.values(0, self.exact)
        return self.map.predict(values)[self._folds, :, np.arange(self.exact)].T

    def near(self, predicted: Floats) -> Flags:
        """Of predictions of kept figures (fold, figure, sample), which come as near to a limit as
        the map errs (fold, sample)."""
        near = np.zeros((predicted.shape[0], predicted.shape[2]), dtype=bool)
        for limit in self.limits:
            figure = self.figures.index(limit.figure)
            place, band = self._kept.index(figure), self.map.bands[:, figure, None]
            for bound in filter(math.isfinite, (limit.low, limit.high)):
                near |= np.abs(predicted[:, place] - bound) <= band
        return near

    def wanted(self, chunk: Chunk) -> Flags:
        """Samples of a chunk that are to be exact."""
        part = slice(chunk.first, chunk.first + chunk.count)
        first = np.arange(chunk.first, chunk.first + chunk.count) < self.exact
        return np.asarray(first | self.near(self._all[2][:, :, part]).any(axis=0))

    @cached_property
    def _near(self) -> Flags:
        """Samples near a limit (fold, sample), where all of them are exact; else none, so that
        predictions stand for them as they do for others."""
        near = self.near(self._all[2])
        waiting = np.isin(self.store.status(), (WAITING, MAPPED))
        return np.zeros_like(near) if np.any(near.any(axis=0) & waiting) else near

    @cached_property
    def computed(self) -> int:
        """Exact samples that the whole study takes."""
        near = np.asarray(self.near(self._all[2]).any(axis=0))
        return self.exact + int(np.sum(near[self.exact :]))

    def mean(self, name: str) -> Estimate:
        k = self.figures.index(name)
        return two_phase_mean(
            self._random[k], self._predicted[k], float(self._all[0][k]), self.samples,
            self._confidence,
        )  # fmt: skip

    def deviation(self, name: str) -> float:
        """√(E[(y - c)²] - (E[y] - c)²) about the mean c of the first samples."""
        k = self.figures.index(name)
        squares = (self._random[k] - self._centres[k]) ** 2
        predicted = (self._predicted[k] - self._centres[k]) ** 2
        mean = two_phase_mean(
            squares, predicted, float(self._all[1][k]), self.samples, self._confidence
        ).value
        return math.sqrt(max(mean - (self.mean(name).value - self._centres[k]) ** 2, 0.0))

    def correlation(self, name: str) -> float:
        """Of predictions with exact figures, of the first samples."""
        k = self.figures.index(name)
        known = np.isfinite(self._random[k])
        both = self._random[k][known], self._predicted[k][known]
        return float(np.corrcoef(*both)[0, 1]) if np.ptp(both[1]) > 0.0 else 0.0

    def share(self, limits: Sequence[Limit]) -> Estimate:
        """Of all samples that keep all of these limits, whose figures are kept."""
        return self._share(limits, self._near, self._exactly)

    def _share(self, limits: Sequence[Limit], near: Flags, exactly: Floats) -> Estimate:
        """The same where samples that are `near` (fold, sample) stand for themselves as far as
        figures are known `exactly` (figure kept, sample)."""
        kept = self._all[2]
        places = [self._kept.index(self.figures.index(limit.figure)) for limit in limits]
        pairs = list(zip(limits, places, strict=True))
        truth = np.all([_inside(exactly[k], limit) for limit, k in pairs], axis=0).astype(float)
        truth[np.isnan(exactly[places]).any(axis=0)] = math.nan
        known = np.all([_inside(kept[:, k], limit) for limit, k in pairs], axis=0).astype(float)
        known = np.where(near & np.isfinite(truth), truth, known)
        of_first = known[self._folds, np.arange(self.exact)]
        of_all = float(self._weights @ known.mean(axis=1))
        return two_phase_share(
            truth[: self.exact], of_first, of_all, self.samples, self._confidence
        )

    def quantile(self, name: str, share: float) -> Estimate:
        """Where the share of samples that stay below is this; its interval holds all values that
        are not too unlikely to be it."""
        place = self._kept.index(self.figures.index(name))
        values = np.sort(self._exactly[place][np.isfinite(self._exactly[place])])

        def first(reaches: Callable[[Estimate], bool]) -> float:
            """The smallest exact figure below which so many stay, by halving."""
            low, high = 0, len(values)
            while low < high:
                middle = (low + high) // 2
                limit = Limit(name, -math.inf, float(values[middle]))
                low, high = (low, middle) if reaches(self.share([limit])) else (middle + 1, high)
            return float(values[low]) if low < len(values) else math.inf

        low = first(lambda below: below.high >= share)
        high = first(lambda below: below.low >= share)
        return Estimate(first(lambda below: below.value >= share), low, high)

    def has_quantiles(self, name: str) -> bool:
        return name in self.figures and self.figures.index(name) in self._kept

    def gains(self) -> list[Gain]:
        """Of the yield of every limit, or of means where there is none."""
        if self.limits:
            sets = [[limit] for limit in self.limits]
            sets += [list(self.limits)] if len(self.limits) > 1 else []
            return [self._gain_of_yield(limits) for limits in sets]
        return [self.gain_of_mean(self.figures[k]) for k in self._kept]

    def gain_of_mean(self, name: str) -> Gain:
        k = self.figures.index(name)
        z, m = self._random[k], self._predicted[k]
        left = float(np.nanvar(z - m) / np.nanvar(z))
        stands_for = 1.0 / (1.0 / self.samples + left * (1.0 / self.exact - 1.0 / self.samples))
        factor = stands_for / self.computed
        return Gain(f"mean of {name}", self.correlation(name), stands_for, factor)

    def _gain_of_yield(self, limits: Sequence[Limit]) -> Gain:
        """By the interval that is to be expected once all near a limit are exact; what the first
        samples tell of it, so that it stays the same while others become known."""
        names = list(dict.fromkeys(limit.figure for limit in limits))
        of_first = np.arange(self.samples) < self.exact
        exactly = np.where(of_first, self._exactly, math.nan)
        value, low, high = self._share(limits, self.near(self._all[2]), exactly)
        value = (value * self.exact + 1) / (self.exact + 2)  # also where none is outside
        stands_for = value * (1.0 - value) * (2.0 * self._normal / (high - low)) ** 2
        correlation = min(self.correlation(name) for name in names)
        question = "yield of " + " and ".join(names)
        return Gain(question, correlation, stands_for, stands_for / self.computed)

    @property
    def _normal(self) -> float:
        """Standard deviations to either side that hold what the confidence says."""
        return statistics.NormalDist().inv_cdf(0.5 * (1.0 + self._confidence))

    @cached_property
    def pays(self) -> bool:
        return all(gain.factor >= LEAST_GAIN for gain in self.gains())


def _inside(values: Floats, limit: Limit) -> Flags:
    return np.asarray((values >= limit.low) & (values <= limit.high))


def assistance(study: Study, store: Store) -> Assistance | None:
    """The map of an assisted study; None where it is exact, or its first samples are not known."""
    exact = _first_ones(study, store)
    status = store.status()[:exact]
    complete = status == COMPLETE
    if exact >= study.samples or not np.all((status != WAITING) & (status != MAPPED)):
        return None
    columns = {
        name: store.values(name)[:exact][complete]
        for name, each in store.quantities.items()
        if not each.shape
    }
    varying = {
        name: column
        for name, column in columns.items()
        if len(column) and np.isfinite(column).all() and np.ptp(column) > 0.0
    }
    if not varying:
        return None
    limits = [each for each in find_limits(study.spec, store.quantities) if each.figure in varying]
    values = study.sampler.plan.values(0, exact)[complete]
    folds = folds_of(np.flatnonzero(complete))
    slopes = gradients(study, store).slopes
    made = fit_map(values, np.column_stack(list(varying.values())), slopes, folds)
    return Assistance(study, store, exact, tuple(varying), tuple(limits), made)


def _first_ones(study: Study, store: Store) -> int:
    """Samples that are computed whatever the map says, in whole chunks."""
    chunk = int(store.manifest["chunk"])
    wanted = study.spec.exact_count(study.samples)
    return min(-(-wanted // chunk) * chunk, study.samples)


def run_study(
    study: Study,
    store: Store,
    backend: Backend | None = None,
    tell: Tell | None = None,
    say: Callable[[str], None] = lambda sentence: None,
) -> None:
    """Compute a study by its method; `say` is told what the map is worth. It may be stopped at any
    time."""
    if study.spec.method == "assisted":
        exact = _first_ones(study, store)
        study.run(
            store,
            backend,
            tell,
            lambda store: [chunk for chunk in store.missing() if chunk.first < exact],
        )
        differentiate(study, store)
        assisted = assistance(study, store)
        if assisted is not None:
            for sentence in gain_sentences(assisted, {}):
                say(sentence)
            if assisted.pays:
                study.run(store, backend, tell, lambda store: store.missing(assisted.wanted))
                return
    study.run(store, backend, tell)


def gain_sentences(assisted: Assistance, titles: Mapping[str, str]) -> list[str]:
    """What the map is worth, and what follows."""
    sentences = []
    for gain in assisted.gains():
        question = gain.question
        for name, title in titles.items():
            question = question.replace(name, title)
        sentences.append(
            f"{question[0].upper()}{question[1:]}: predictions of the linear map correlate by "
            f"{gain.correlation:.3f} with {assisted.exact} exact samples; {assisted.computed} "
            f"exact ones tell as much as {gain.stands_for:.0f} without the map, "
            f"{gain.factor:.1f} times as many."
        )
    verdict = (
        f"The map pays: {assisted.samples - assisted.computed} of {assisted.samples} samples need "
        "not be computed."
        if assisted.pays
        else f"The map does not pay ({LEAST_GAIN:g} times as many are asked of it): all samples "
        "are computed."
    )
    return [*sentences, verdict]
