"""Circles as curves: outline counter-clockwise, bore clockwise, material on the left."""

import math

import numpy as np
import pytest

from flank.geometry.curve import Circle, evaluate, period

RADIUS = 0.0123
PARAMETERS = np.linspace(0.0, 2 * math.pi, 101)


@pytest.mark.parametrize("hole", [False, True])
def test_closed_form(hole):
    sign = -1 if hole else 1
    x, y, tx, ty, speed, curvature = evaluate(Circle(RADIUS, hole), PARAMETERS).T
    np.testing.assert_allclose(np.hypot(x, y), RADIUS, rtol=1e-15)
    np.testing.assert_allclose(x + 1j * y, RADIUS * np.exp(sign * 1j * PARAMETERS), atol=1e-17)
    derivative = sign * 1j * RADIUS * np.exp(sign * 1j * PARAMETERS)
    np.testing.assert_allclose((tx + 1j * ty) * speed, derivative, rtol=0, atol=1e-17)
    np.testing.assert_allclose(speed, RADIUS, rtol=1e-15)
    np.testing.assert_allclose(curvature, sign / RADIUS, rtol=1e-15)


@pytest.mark.parametrize(("hole", "outward"), [(False, 1.0), (True, -1.0)])
def test_normal_leaves_the_material(hole, outward):
    """(t_y, -t_x) points away from the centre of a disc and to the centre of a bore."""
    x, y, tx, ty = evaluate(Circle(RADIUS, hole), PARAMETERS)[:, :4].T
    np.testing.assert_allclose((x * ty - y * tx) / RADIUS, outward, rtol=1e-14)


def test_period():
    assert period(Circle(RADIUS)) == 2 * math.pi
