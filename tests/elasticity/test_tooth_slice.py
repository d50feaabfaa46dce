"""Slices of a tooth: prisms, and wedges against their closed forms."""

import math

import numpy as np
import pytest

from flank.elasticity.tooth_slice import SMALL, slice_factors, wedge_functions


def whole(half, slope):
    half, slope = np.atleast_1d(half).astype(float), np.atleast_1d(slope).astype(float)
    return slice_factors(half, slope, np.zeros(len(half)), half)[:, 0]


def test_a_slice_without_slope_is_that_of_a_prism():
    """12/H³ of bending, 6/5 over H of shear, 1/H of compression."""
    thickness = 0.7
    factors = whole(thickness / 2, 0.0)
    expected = [12 / thickness**3, 0, 0, 0, 0, 1.2 / thickness, 1 / thickness]
    np.testing.assert_allclose(factors, expected, atol=1e-12)


@pytest.mark.parametrize("degrees", [3, 15, 30, 45])
def test_a_force_through_the_apex_has_the_energy_of_the_wedge(degrees):
    """σ_r = 2 P sin θ/(r (2α - sin 2α)) alone: ∫σ² dy = 2 P²/(a (2α - sin 2α)) on a chord at a
    from the apex, and no shear; along the wedge 2 N²/(a (2α + sin 2α))."""
    angle, depth = math.radians(degrees), 1.3
    slope = math.tan(angle)
    factors = whole(depth * slope, slope)
    powers = np.array([depth**2, depth, 1.0])  # a moment P a of a force at the apex
    difference = 2 * angle - math.sin(2 * angle)
    assert factors[:3] @ powers == pytest.approx(2 / (depth * difference), rel=1e-8)
    assert factors[3:6] @ powers == pytest.approx(0.0, abs=1e-9 / depth)
    total = 2 * angle + math.sin(2 * angle)
    assert factors[6] == pytest.approx(2 / (depth * total), rel=1e-6)


def test_a_moment_at_the_apex_has_the_stresses_of_inglis():
    """∫σ² dy and ∫τ² dy on a chord, integrated over the angle."""
    angle, depth = math.radians(25), 0.8
    slope = math.tan(angle)
    turns, weights = np.polynomial.legendre.leggauss(30)
    theta = angle * turns
    scale = math.sin(2 * angle) - 2 * angle * math.cos(2 * angle)
    stress = 2 * np.sin(2 * theta) * np.cos(theta) ** 2 / depth**2 / scale
    shear = (np.cos(2 * theta) - math.cos(2 * angle)) * np.cos(theta) ** 2 / depth**2 / scale
    share = angle * weights * depth / np.cos(theta) ** 2
    factors = whole(depth * slope, slope)
    assert factors[0] == pytest.approx(np.sum(share * stress**2), rel=1e-8)
    assert factors[3] == pytest.approx(np.sum(share * shear**2), rel=1e-8)


def test_series_and_closed_forms_of_the_wedge_meet():
    below, above = (
        np.array(wedge_functions(np.array([SMALL * (1 + step)]))) for step in (-1e-9, 1e-9)
    )
    np.testing.assert_allclose(below, above, rtol=1e-7)


def test_halves_of_a_slice_add_up():
    half, slope = np.array([0.4]), np.array([0.5])
    inner = slice_factors(half, slope, np.zeros(1), np.array([0.15]))
    outer = slice_factors(half, slope, np.array([0.15]), half)
    np.testing.assert_allclose(inner[:, 0] + outer[:, 0], whole(0.4, 0.5), rtol=1e-7)
