"""Intervals hold what they say, and indices are those of functions that are known."""

import math

import numpy as np
import pytest
from scipy import stats

from flank.studies import statistics
from flank.studies.statistics import Moments

STUDIES = 1000


def band(share, count=STUDIES, deviations=4.0):
    """Around a share of `count` studies, where its count is binomial."""
    half = deviations * math.sqrt(share * (1 - share) / count)
    return share - half, share + half


@pytest.mark.parametrize(("share", "count"), [(0.9, 50), (0.99, 200), (0.5, 20)])
def test_yields_lie_in_their_intervals_as_often_as_they_should(share, count):
    """Over 1,000 small studies; how often exactly follows from the binomial distribution."""
    chances = stats.binom.pmf(np.arange(count + 1), count, share)
    intervals = [statistics.proportion(k, count, 0.95) for k in range(count + 1)]
    holds = np.array([each.low <= share <= each.high for each in intervals])
    exact = float(chances[holds].sum())
    assert exact >= 0.95
    drawn = np.random.default_rng(1).binomial(count, share, STUDIES)
    low, high = band(exact)
    assert low <= np.mean(holds[drawn]) <= high


def test_the_exact_interval_is_scipys():
    theirs = stats.binomtest(7, 60).proportion_ci(0.9, method="exact")
    assert statistics.proportion(7, 60, 0.9)[1:] == pytest.approx(tuple(theirs))


def test_a_yield_of_all_or_none_has_an_interval():
    assert statistics.proportion(50, 50, 0.95)[1:] == pytest.approx((0.025 ** (1 / 50), 1.0))
    assert statistics.proportion(0, 50, 0.95)[1:] == pytest.approx((0.0, 1 - 0.025 ** (1 / 50)))


@pytest.mark.parametrize(("share", "count"), [(0.5, 40), (0.95, 200)])
def test_quantiles_lie_between_their_order_statistics(share, count):
    draws = np.random.default_rng(2).exponential(size=(STUDIES, count))
    true = -math.log(1 - share)
    holds = [
        each.low <= true <= each.high
        for each in (statistics.quantile(row, share, 0.9) for row in draws)
    ]
    low = int(stats.binom.ppf(0.05, count, share))
    high = int(stats.binom.ppf(0.95, count, share))
    exact = stats.binom.cdf(high, count, share) - stats.binom.cdf(low - 1, count, share)
    assert exact >= 0.9
    assert band(exact)[0] <= np.mean(holds) <= band(exact)[1]


def test_a_quantile_that_few_samples_cannot_tell_has_no_end():
    estimate = statistics.quantile(np.arange(50.0), 0.99, 0.95)
    assert estimate.high == math.inf
    assert estimate.low > 40.0


def test_means_of_normal_figures_lie_in_students_interval():
    draws = np.random.default_rng(3).normal(2.0, 3.0, (STUDIES, 12))
    holds = [each.low <= 2.0 <= each.high for each in (statistics.mean(row, 0.95) for row in draws)]
    assert band(0.95)[0] <= np.mean(holds) <= band(0.95)[1]


@pytest.mark.parametrize("true", [0.0, 0.7])
def test_correlations_lie_in_fishers_interval(true):
    draws = np.random.default_rng(4).normal(size=(STUDIES, 2, 60))
    mixed = true * draws[:, 0] + math.sqrt(1 - true**2) * draws[:, 1]
    holds = []
    for first, second in zip(draws[:, 0], mixed, strict=True):
        r = float(np.corrcoef(first, second)[0, 1])
        each = statistics.correlation(r, 60, 0.95)
        holds.append(each.low <= true <= each.high)
    assert band(0.95, deviations=5)[0] <= np.mean(holds) <= band(0.95, deviations=5)[1]


@pytest.mark.parametrize("columns", [1, 20])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.8])
def test_shares_of_variance_are_without_bias_and_in_their_intervals(share, columns):
    """Columns that do it together, over 400 studies of 150 samples."""
    generator, count = np.random.default_rng(5), 150
    values, holds = [], []
    for _ in range(400):
        drawn = generator.normal(size=(count, columns))
        others = generator.normal(size=count)
        figure = drawn.sum(axis=1) * math.sqrt(share / columns) + math.sqrt(1 - share) * others
        moments = Moments(columns, 1)
        moments.add(drawn, figure[:, None])
        each = statistics.variance_share(moments.correlations[:, 0], count, 0.95)
        values.append(each.value)
        holds.append(each.low - 1e-12 <= share <= each.high)
    if share:  # below zero it is cut off, above not
        assert np.mean(values) == pytest.approx(share, abs=0.02)
    assert np.mean(holds) > band(0.95, 400)[0]


def test_a_column_that_decides_all_has_all_of_the_variance():
    assert statistics.variance_share(np.array([1.0]), 24, 0.95).value == 1.0


def test_moments_of_parts_are_those_of_all():
    generator = np.random.default_rng(6)
    columns, figures = generator.normal(5.0, 2.0, (100, 4)), generator.normal(size=(100, 2))
    figures[:, 0] += columns[:, 1]
    moments = Moments(4, 2)
    for part in (slice(0, 1), slice(1, 40), slice(40, 40), slice(40, 100)):
        moments.add(columns[part], figures[part])
    theirs = np.corrcoef(np.hstack([columns, figures]).T)[:4, 4:]
    np.testing.assert_allclose(moments.correlations, theirs, atol=1e-12)
    np.testing.assert_allclose(moments.means, columns.mean(axis=0))
    np.testing.assert_allclose(moments.deviations, columns.std(axis=0, ddof=1))


def test_a_column_that_does_not_vary_correlates_with_nothing():
    moments = Moments(1, 1)
    moments.add(np.ones((5, 1)), np.arange(5.0)[:, None])
    assert moments.correlations == 0.0
