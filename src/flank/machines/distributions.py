"""Distributions of what varies, in draws of a spec and in studies: values of a uniform number, and
how much lies below a bound.

All numbers are SI. `quantile` maps the open interval (0, 1); `ends` are the lowest and the highest
value, infinite where there is none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

import numpy as np

from flank.arrays import Floats

DEVIATIONS_IN_TOLERANCE = 3.0
"""Standard deviations of a normal distribution to either side within a tolerance: 99.7 % of all."""


class Distribution(Protocol):
    """What a variable draws from."""

    @property
    def ends(self) -> tuple[float, float]: ...

    @property
    def mean(self) -> float: ...

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        ...

    def quantile(self, share: Floats) -> Floats: ...

    def below(self, value: float) -> float:
        """The share of draws below a value."""
        ...

    def along(self, share: Floats) -> Floats:
        """Values at shares of the way from one end to the other, for grids and corners."""
        ...

    @property
    def levels(self) -> int | None:
        """How many values there are, None where they are not counted."""
        ...


class _Continuous:
    """What distributions with a density share."""

    ends: tuple[float, float]
    levels: int | None = None

    def along(self, share: Floats) -> Floats:
        low, high = self.ends
        return np.where(share == 1.0, high, low + (high - low) * share)


@dataclass(frozen=True)
class Normal(_Continuous):
    mean: float
    deviation: float
    ends: tuple[float, float] = (-math.inf, math.inf)

    def quantile(self, share: Floats) -> Floats:
        from scipy.special import ndtri

        return np.asarray(self.mean + self.deviation * ndtri(share))

    def below(self, value: float) -> float:
        from scipy.special import ndtr

        return float(ndtr((value - self.mean) / self.deviation))


@dataclass(frozen=True)
class TruncatedNormal(_Continuous):
    """A normal distribution of which only draws between the ends are taken: `centre` and `spread`
    are those of the normal one."""

    centre: float
    spread: float
    ends: tuple[float, float]

    @cached_property
    def _bounds(self) -> tuple[float, float]:
        low, high = ((end - self.centre) / self.spread for end in self.ends)
        return low, high

    @property
    def mean(self) -> float:
        from scipy.stats import truncnorm

        return self.centre + self.spread * float(truncnorm.mean(*self._bounds))

    @property
    def deviation(self) -> float:
        from scipy.stats import truncnorm

        return self.spread * float(truncnorm.std(*self._bounds))

    def quantile(self, share: Floats) -> Floats:
        from scipy.stats import truncnorm

        drawn = self.centre + self.spread * truncnorm.ppf(share, *self._bounds)
        return np.asarray(np.clip(drawn, *self.ends))

    def below(self, value: float) -> float:
        from scipy.stats import truncnorm

        return float(truncnorm.cdf((value - self.centre) / self.spread, *self._bounds))


@dataclass(frozen=True)
class Uniform(_Continuous):
    ends: tuple[float, float]

    @property
    def mean(self) -> float:
        return 0.5 * sum(self.ends)

    @property
    def deviation(self) -> float:
        return (self.ends[1] - self.ends[0]) / math.sqrt(12.0)

    def quantile(self, share: Floats) -> Floats:
        return self.along(share)

    def below(self, value: float) -> float:
        low, high = self.ends
        return float(np.clip((value - low) / (high - low), 0.0, 1.0))


@dataclass(frozen=True)
class Triangular(_Continuous):
    """Most likely at the mode, nothing at the ends."""

    mode: float
    ends: tuple[float, float]

    @property
    def mean(self) -> float:
        return (sum(self.ends) + self.mode) / 3.0

    @property
    def deviation(self) -> float:
        (a, b), c = self.ends, self.mode
        return math.sqrt((a * a + b * b + c * c - a * b - a * c - b * c) / 18.0)

    def quantile(self, share: Floats) -> Floats:
        (low, high), mode = self.ends, self.mode
        rising = low + np.sqrt(share * (high - low) * (mode - low))
        falling = high - np.sqrt((1.0 - share) * (high - low) * (high - mode))
        return np.where(share * (high - low) < mode - low, rising, falling)

    def below(self, value: float) -> float:
        (low, high), mode = self.ends, self.mode
        if value <= low or value >= high:
            return float(value >= high)
        if value < mode:
            return (value - low) ** 2 / ((high - low) * (mode - low))
        return 1.0 - (high - value) ** 2 / ((high - low) * (high - mode))


@dataclass(frozen=True)
class Discrete:
    """Values with their probabilities: a few that were chosen, or all that were measured."""

    values: tuple[float, ...]
    weights: tuple[float, ...]

    @classmethod
    def measured(cls, values: Sequence[float]) -> Discrete:
        """Every measured value as likely as any other."""
        ordered = tuple(sorted(values))
        return cls(ordered, (1.0 / len(ordered),) * len(ordered))

    @cached_property
    def _sums(self) -> Floats:
        sums = np.cumsum(self.weights)
        return np.asarray(sums / sums[-1])

    @property
    def ends(self) -> tuple[float, float]:
        return min(self.values), max(self.values)

    @property
    def levels(self) -> int | None:
        return len(self.values)

    @property
    def mean(self) -> float:
        return float(np.average(self.values, weights=self.weights))

    @property
    def deviation(self) -> float:
        squares = (np.asarray(self.values) - self.mean) ** 2
        return math.sqrt(float(np.average(squares, weights=self.weights)))

    def quantile(self, share: Floats) -> Floats:
        places = np.searchsorted(self._sums, share, side="right")
        return np.asarray(self.values)[np.minimum(places, len(self.values) - 1)]

    def below(self, value: float) -> float:
        total = float(np.sum(self.weights))
        return sum(w for v, w in zip(self.values, self.weights, strict=True) if v < value) / total

    def along(self, share: Floats) -> Floats:
        places = np.rint(share * (len(self.values) - 1)).astype(np.int64)
        return np.asarray(self.values)[places]


WithinTolerance = Literal["uniform", "triangular", "truncated-normal"]
"""Names of distributions that end at a tolerance."""


def within_tolerance(name: WithinTolerance, tolerance: float) -> Distribution:
    """About nought, between ± a tolerance above zero; a normal one has it at three deviations."""
    ends = (-tolerance, tolerance)
    match name:
        case "triangular":
            return Triangular(0.0, ends)
        case "truncated-normal":
            return TruncatedNormal(0.0, tolerance / DEVIATIONS_IN_TOLERANCE, ends)
    return Uniform(ends)
