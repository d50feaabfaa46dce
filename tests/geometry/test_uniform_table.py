"""Tables on a uniform grid: what they keep, how fast they converge, what they never do."""

import numba
import numpy as np
import pytest

from flank.geometry.uniform_table import table_value


@numba.njit
def _read(values, x):
    return table_value(values, 0, values.shape[0], 0.0, 1.0, x)


def read(values, x):
    return _read(np.asarray(values, dtype=float), x)


def test_a_parabola_is_kept_and_its_slopes_are_those_of_the_values():
    nodes = np.arange(8.0)
    for x in np.linspace(1.0, 5.99, 41):
        assert read((nodes + 2) ** 2, x) == pytest.approx(((x + 2) ** 2, 2 * (x + 2), 2.0))


def test_value_and_slope_are_continuous_and_the_ends_go_on():
    values = np.random.default_rng(1).normal(size=9)
    for node in range(1, 8):
        before, after = read(values, node - 1e-9), read(values, node + 1e-9)
        assert before[:2] == pytest.approx(after[:2], abs=1e-7)
        assert read(values, float(node))[0] == values[node]
    assert read(values, -3.0) == (values[0], 0.0, 0.0)
    assert read(values, 20.0) == (values[-1], 0.0, 0.0)


@pytest.mark.parametrize("late", [0.0, 1e-6, 0.1, 0.5, 0.999])
def test_what_is_zero_and_then_rises_is_never_below_zero(late):
    """Wherever between two nodes the rise begins, as the separation of teeth past their path."""
    nodes = np.arange(20.0)
    values = np.maximum(nodes - 8 - late, 0.0) ** 2
    places = np.linspace(0, 19, 2000)
    found = np.array([read(values, x)[0] for x in places])
    assert found.min() == 0.0
    assert np.all(found[places <= 8.0] == 0.0)
    assert np.all(np.diff(found) >= 0.0)
