"""Cubic splines through few nodes are those of SciPy."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from flank.geometry.cubic_through import CubicThrough


@pytest.mark.parametrize("count", [2, 3, 4, 5, 12])
def test_spline_is_the_one_of_scipy(count: int) -> None:
    """Inside, at the nodes and beyond the ends, values and slopes."""
    draw = np.random.default_rng(count)
    nodes, values = np.cumsum(draw.uniform(0.1, 1.0, count)), draw.normal(size=count)
    places = np.concatenate([np.linspace(nodes[0] - 0.2, nodes[-1] + 0.2, 41), nodes])
    reference = CubicSpline(nodes, values)
    value, slope = CubicThrough(nodes, values).at(places)
    np.testing.assert_allclose(value, reference(places), rtol=0, atol=1e-11)
    np.testing.assert_allclose(slope, reference(places, 1), rtol=0, atol=1e-10)


def test_cubic_is_kept() -> None:
    """A cubic is met by its spline."""
    nodes = np.array([-1.0, -0.3, 0.1, 0.8, 1.0])
    value, slope = CubicThrough(nodes, nodes**3 - nodes).at(np.array([-2.0, 0.5]))
    np.testing.assert_allclose(value, [-6.0, -0.375], atol=1e-12)
    np.testing.assert_allclose(slope, [11.0, -0.25], atol=1e-12)
