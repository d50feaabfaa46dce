"""The bracketed root finder."""

import math

import pytest

from flank.geometry.roots import zero_between


@pytest.mark.parametrize(
    ("function", "low", "high", "zero"),
    [
        (math.cos, 0.0, 3.0, 0.5 * math.pi),
        (lambda x: x**9 - 1, -1.0, 4.0, 1.0),
        (lambda x: math.exp(x) - 5, 3.0, -1.0, math.log(5)),
        (lambda x: x - 1, 1.0, 4.0, 1.0),
        (lambda x: 1e-200 * (x**3 - 2), 0.0, 4.0, 2 ** (1 / 3)),
    ],
)
def test_finds_the_zero_to_round_off(function, low, high, zero):
    assert zero_between(function, low, high) == pytest.approx(zero, abs=1e-14)


def test_refuses_places_of_one_sign():
    with pytest.raises(ValueError, match="no sign change"):
        zero_between(math.cosh, -1.0, 1.0)
    with pytest.raises(ValueError, match="no sign change"):
        zero_between(lambda x: 1e-200 * math.cosh(x), -1.0, 1.0)
