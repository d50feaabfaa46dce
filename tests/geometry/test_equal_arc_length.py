"""Points at equal arc lengths (arXiv 2604.02387, Eq. 3), measured with a quadrature of its own."""

import math

import numpy as np
import pytest

from flank.geometry.curve import (
    Circle,
    equal_arc_length_parameters,
    equal_arc_length_points,
    evaluate,
)
from flank.geometry.cycloid import Cycloid

NODES, WEIGHTS = np.polynomial.legendre.leggauss(60)


def arc_lengths(coordinates, profile, start, end):
    """∫|P'| dt between parameters: 60 Gauss points on complex-step derivatives of numpy code."""
    half = 0.5 * (end - start)
    t = (0.5 * (start + end))[:, None] + half[:, None] * NODES
    x, y = coordinates(profile, t + 1e-30j)
    return half * (np.hypot(x.imag, y.imag) * 1e30 @ WEIGHTS)


@pytest.mark.parametrize("per_lobe", [7, 24])
def test_arcs_are_equal_to_1e_12_of_the_length(profile, coordinates, per_lobe):
    """Measured 2e-15 of the length."""
    t = equal_arc_length_parameters(profile, per_lobe * profile.lobes)
    ends = np.append(t[1:], 2 * math.pi)
    arcs = arc_lengths(coordinates, profile, t, ends)
    length = arcs.sum()
    assert np.abs(arcs - length / len(t)).max() < 1e-12 * length
    along = np.concatenate(([0.0], np.cumsum(arcs)[:-1]))
    assert np.abs(along - np.arange(len(t)) * length / len(t)).max() < 1e-12 * length


def test_begins_at_zero_and_rises(profile):
    t = equal_arc_length_parameters(profile, 1000)
    assert abs(t[0]) < 1e-15
    assert np.all(np.diff(t) > 0)
    assert t[-1] < 2 * math.pi


def test_on_a_circle_they_are_equal_angles():
    t = equal_arc_length_parameters(Circle(0.02), 37)
    np.testing.assert_allclose(t, 2 * math.pi * np.arange(37) / 37, rtol=0, atol=1e-12)


def test_points_lie_on_the_curve_at_those_parameters(profile):
    points = equal_arc_length_points(profile, 311)
    t = equal_arc_length_parameters(profile, 311)
    np.testing.assert_array_equal(points, evaluate(profile, t)[:, :2])


def test_a_count_that_does_not_divide_the_lobes(coordinates):
    profile = Cycloid(14, 34e-3, 3.5e-3, 1.5e-3)
    t = equal_arc_length_parameters(profile, 101)
    arcs = arc_lengths(coordinates, profile, t, np.append(t[1:], 2 * math.pi))
    assert np.ptp(arcs) < 1e-12 * arcs.sum()
