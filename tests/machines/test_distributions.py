"""Distributions: quantiles and shares are inverse, moments are those of the draws."""

import math

import numpy as np
import pytest
from scipy import integrate, stats

from flank.machines.distributions import Discrete, Normal, Triangular, TruncatedNormal, Uniform

CONTINUOUS = [
    Normal(1.5, 0.5),
    TruncatedNormal(0.2, 1.0, (-1.0, 2.5)),
    Uniform((-2.0, 3.0)),
    Triangular(0.5, (0.0, 2.0)),
    Triangular(0.0, (0.0, 2.0)),
    Triangular(2.0, (0.0, 2.0)),
]


@pytest.mark.parametrize("distribution", CONTINUOUS, ids=repr)
def test_shares_below_quantiles_are_the_shares(distribution):
    shares = np.linspace(0.001, 0.999, 57)
    values = distribution.quantile(shares)
    assert np.all(np.diff(values) > 0)
    np.testing.assert_allclose([distribution.below(v) for v in values], shares, atol=1e-12)


@pytest.mark.parametrize("distribution", CONTINUOUS, ids=repr)
def test_moments_are_integrals_of_the_quantiles(distribution):
    def moment(power):
        value, _ = integrate.quad(lambda u: distribution.quantile(np.array([u]))[0] ** power, 0, 1)
        return value

    assert distribution.mean == pytest.approx(moment(1), abs=1e-6)
    variance = moment(2) - distribution.mean**2
    assert distribution.deviation == pytest.approx(math.sqrt(variance), rel=1e-5)


@pytest.mark.parametrize("distribution", CONTINUOUS[1:], ids=repr)
def test_ends_are_reached_and_not_left(distribution):
    low, high = distribution.ends
    assert list(distribution.along(np.array([0.0, 0.5, 1.0]))) == [low, 0.5 * (low + high), high]
    extreme = distribution.quantile(np.array([2.0**-53, 1 - 2.0**-53]))
    assert low <= extreme[0] < extreme[1] <= high


def test_a_truncated_normal_is_scipys():
    ours = TruncatedNormal(0.2, 2.0, (-1.0, 2.5))
    theirs = stats.truncnorm((-1.0 - 0.2) / 2, (2.5 - 0.2) / 2, 0.2, 2.0)
    assert ours.mean == pytest.approx(theirs.mean())
    assert ours.deviation == pytest.approx(theirs.std())


def test_discrete_values_come_with_their_weights():
    dice = Discrete((1.0, 2.0, 5.0), (1.0, 2.0, 1.0))
    shares = np.array([0.1, 0.26, 0.74, 0.76])
    assert list(dice.quantile(shares)) == [1.0, 2.0, 2.0, 5.0]
    assert dice.mean == pytest.approx(2.5)
    assert dice.deviation == pytest.approx(1.5)
    assert dice.below(2.0) == pytest.approx(0.25)
    assert dice.ends == (1.0, 5.0)
    assert list(dice.along(np.array([0.0, 0.5, 1.0]))) == [1.0, 2.0, 5.0]


def test_measured_values_are_drawn_evenly():
    measured = Discrete.measured([3.0, 1.0, 2.0, 2.0])
    drawn = measured.quantile((np.arange(400) + 0.5) / 400)
    assert [int(np.sum(drawn == value)) for value in (1.0, 2.0, 3.0)] == [100, 200, 100]
