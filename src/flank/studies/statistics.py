"""What samples say of all machines that could be built, with intervals that say how surely.

Intervals of yields and of quantiles assume nothing but independent samples: a count of samples is
binomial, whatever the distribution of the figure.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats


class Estimate(NamedTuple):
    """A number and the interval that holds the true one, as often as the confidence says; an end
    is infinite where there are too few samples to tell it."""

    value: float
    low: float
    high: float


def proportion(within: float, count: float, confidence: float) -> Estimate:
    """A share of all by a share of samples; the exact interval of Clopper and Pearson."""
    from scipy.stats import beta

    if count == 0:
        return Estimate(math.nan, 0.0, 1.0)
    tail = 0.5 * (1.0 - confidence)
    low = beta.ppf(tail, within, count - within + 1) if within else 0.0
    high = beta.ppf(1.0 - tail, within + 1, count - within) if within < count else 1.0
    return Estimate(within / count, float(low), float(high))


def mean(values: Floats, confidence: float) -> Estimate:
    """Student's interval."""
    from scipy.stats import t

    count, middle = len(values), float(np.mean(values)) if len(values) else math.nan
    if count < 2:
        return Estimate(middle, -math.inf, math.inf)
    half = t.ppf(0.5 * (1.0 + confidence), count - 1) * np.std(values, ddof=1) / math.sqrt(count)
    return Estimate(middle, middle - float(half), middle + float(half))


def two_phase_mean(
    values: Floats, known: Floats, known_of_all: float, samples: int, confidence: float
) -> Estimate:
    """The mean of a figure by exact `values` of the first of all `samples` (not a number where one
    failed), what is `known` of them without computing them, and the mean of that over all."""
    from scipy.stats import t

    complete = np.isfinite(values)
    count, share = len(values), float(complete.mean()) if len(values) else 0.0
    if complete.sum() < 2:
        return Estimate(math.nan, -math.inf, math.inf)
    middle = float(values[complete].mean())
    deviations = np.where(complete, values - middle, 0.0) / share
    left = deviations - (known - known.mean())
    variance = float(np.var(values[complete], ddof=1)) / (samples * share)
    variance += float(np.var(left, ddof=1)) * (1.0 / count - 1.0 / samples)
    half = float(t.ppf(0.5 * (1.0 + confidence), count - 1)) * math.sqrt(variance)
    value = middle + known_of_all - float(known.mean())
    return Estimate(value, value - half, value + half)


def two_phase_share(
    within: Floats, known: Floats, known_of_all: float, samples: int, confidence: float
) -> Estimate:
    """The same of a share, where all are 0 or 1.

    Three things make it uncertain: how all samples came out (exact interval of a share), and how
    often the first ones are taken wrongly for outside, or for within (exact intervals of rare
    shares, which also speak where none was). Distances to the ends of intervals of independent
    terms add up as squares (Zou and Donner, 2008).
    """
    from scipy.special import ndtri

    complete = np.isfinite(within)
    count, good = int(complete.sum()), float(np.nansum(within))
    if count == 0:
        return Estimate(math.nan, 0.0, 1.0)
    value = min(max(good / count + known_of_all - float(known.mean()), 0.0), 1.0)
    of_all = samples * count / len(within)
    whole = proportion(value * of_all, of_all, confidence)
    wrongly_out = int(np.sum(within[complete] > known[complete]))
    wrongly_in = int(np.sum(within[complete] < known[complete]))
    further = 1.0 - len(within) / samples
    more, less = (proportion(wrong, count, confidence) for wrong in (wrongly_out, wrongly_in))
    failed = known[~complete] - float(known.mean())
    aside = (float(ndtri(0.5 * (1.0 + confidence))) / len(within)) ** 2 * float(failed @ failed)
    low = (more.value - more.low) ** 2 + (less.high - less.value) ** 2 + aside
    high = (more.high - more.value) ** 2 + (less.value - less.low) ** 2 + aside
    return Estimate(
        value,
        max(value - math.sqrt((value - whole.low) ** 2 + further * low), 0.0),
        min(value + math.sqrt((whole.high - value) ** 2 + further * high), 1.0),
    )


def quantile(values: Floats, share: float, confidence: float) -> Estimate:
    """A quantile, and the two ordered samples between which it lies: the number of samples below
    it is binomial."""
    from scipy.stats import binom

    count, tail = len(values), 0.5 * (1.0 - confidence)
    if count == 0:
        return Estimate(math.nan, -math.inf, math.inf)
    ordered = np.concatenate([[-math.inf], np.sort(values), [math.inf]])
    low = int(binom.ppf(tail, count, share))
    high = int(binom.ppf(1.0 - tail, count, share)) + 1
    middle = float(np.quantile(values, share, method="median_unbiased"))
    return Estimate(middle, float(ordered[low]), float(ordered[min(high, count + 1)]))


def correlation(value: float, count: int, confidence: float) -> Estimate:
    """A coefficient of correlation with Fisher's interval."""
    from scipy.special import ndtri

    if count < 4 or not abs(value) < 1.0:
        return Estimate(value, -1.0, 1.0)
    half = float(ndtri(0.5 * (1.0 + confidence))) / math.sqrt(count - 3)
    low, high = (math.tanh(math.atanh(value) + sign * half) for sign in (-1.0, 1.0))
    return Estimate(value, low, high)


class Moments:
    """Means, spreads and correlations of columns with figures, from parts of all samples: what is
    kept does not grow with their number."""

    def __init__(self, columns: int, figures: int) -> None:
        self.count = 0
        self._mean = np.zeros(columns + figures)
        self._products = np.zeros((columns + figures, figures))
        self._squares = np.zeros(columns + figures)
        self._figures = figures

    def add(self, columns: Floats, figures: Floats) -> None:
        """Samples (sample, column) and their figures (sample, figure)."""
        both, count = np.hstack([columns, figures]), len(columns)
        if count == 0:
            return
        means = both.mean(axis=0)
        centred = both - means
        shift, total = means - self._mean, self.count + count
        weight = self.count * count / total
        last = slice(len(shift) - self._figures, None)
        self._products += centred.T @ centred[:, last] + weight * np.outer(shift, shift[last])
        self._squares += (centred**2).sum(axis=0) + weight * shift**2
        self._mean += shift * count / total
        self.count = total

    @property
    def correlations(self) -> Floats:
        """Of columns with figures (column, figure), zero where either does not vary."""
        first = len(self._mean) - self._figures
        sizes = np.sqrt(np.outer(self._squares[:first], self._squares[first:]))
        known = sizes > 0.0
        return np.where(known, self._products[:first] / np.where(known, sizes, 1.0), 0.0)

    @property
    def means(self) -> Floats:
        """Of the columns."""
        return self._mean[: len(self._mean) - self._figures]

    @property
    def deviations(self) -> Floats:
        """Of the columns."""
        squares = self._squares[: len(self._mean) - self._figures]
        return np.asarray(np.sqrt(squares / max(self.count - 1, 1)))


def variance_share(correlations: Floats, count: int, confidence: float) -> Estimate:
    """Share s of a figure's variance that a linear function of independent columns explains.

    A squared correlation ρ² is estimated too large by (1-ρ²)²/(n-1) on average, with a variance of
    2/n² where it is none; that of their sum has besides, for normal numbers and the concentration
    q = Σρ⁴/s² (one column alone: 1, many equal ones: 0),

        4/n (s² [2 (1 - s/2)² - q (3/2 - s)] + s (1 - s)³ + s² (1 - s)²/2),

    which for one column is the known 4 s (1 - s)²/n.
    """
    from scipy.special import ndtri

    columns = len(correlations)
    if count <= columns + 3:
        return Estimate(math.nan, 0.0, 1.0)
    squares = correlations**2
    total = float(squares.sum())
    s = min(max(total - float(((1.0 - squares) ** 2).sum()) / (count - 1), 0.0), 1.0)
    q = float((squares**2).sum()) / total**2 if total else 1.0
    along = s**2 * (2 * (1 - s / 2) ** 2 - q * (1.5 - s)) + s * (1 - s) ** 3
    variance = 2 * columns / count**2 + 4 / count * (along + s**2 * (1 - s) ** 2 / 2)
    half = float(ndtri(0.5 * (1.0 + confidence))) * math.sqrt(variance)
    return Estimate(s, max(s - half, 0.0), min(s + half, 1.0))


class Index(NamedTuple):
    """Sobol's indices of one entry: what it does alone, and with all that it takes part in."""

    first: Estimate
    total: Estimate


def sobol_indices(answers: Floats, confidence: float, seed: int) -> list[Index]:
    """Of each entry, from answers (row, part) to A, B and A with one entry's numbers of B; rows
    with an answer that is not known are left out, down to a power of two, which SciPy needs."""
    from scipy import stats

    known = answers[np.isfinite(answers).all(axis=1)]
    entries = answers.shape[1] - 2
    rows = 2 ** int(math.log2(len(known))) if len(known) else 0
    if rows < 16 or np.ptp(known) == 0.0:
        unknown = Estimate(math.nan, -math.inf, math.inf)
        return [Index(unknown, unknown)] * entries
    known = known[:rows]
    functions = {
        "f_A": known[:, 0][None, :],
        "f_B": known[:, 1][None, :],
        "f_AB": known[:, 2:].T[:, None, :],
    }
    generator = np.random.default_rng(seed)
    indices = stats.sobol_indices(func=functions, n=rows, random_state=generator)
    ranges = indices.bootstrap(confidence_level=confidence, n_resamples=999)
    return [
        Index(
            _estimate(indices.first_order, ranges.first_order.confidence_interval, k),
            _estimate(indices.total_order, ranges.total_order.confidence_interval, k),
        )
        for k in range(entries)
    ]


def _estimate(values: Floats, interval: Sequence[Floats], place: int) -> Estimate:
    low, high = interval
    return Estimate(
        *(float(np.reshape(each, -1)[place]) for each in (values, low, high)),
    )
