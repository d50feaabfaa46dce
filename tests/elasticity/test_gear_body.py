"""The body under a tooth against closed forms of annulus and half plane."""

import math

import numpy as np
import pytest

from flank.elasticity.gear_body import _harmonics, root_compliance
from flank.elasticity.material import STEEL, Material

E, NU = STEEL.youngs_modulus, STEEL.poisson_ratio


def test_moment_on_a_narrow_strip_is_webers_half_plane():
    """18 (1 - ν²)/(π E H²), and 1.2 (1 - 2ν)(1 + ν)/(E H) between moment and shear."""
    half = 2e-4
    found = root_compliance(1.0, 0.5, half, 0.0, STEEL)
    width = 2 * half
    assert found[2, 2] * width**2 * E == pytest.approx(18 * (1 - NU**2) / math.pi, rel=1e-3)
    assert found[1, 2] * width * E == pytest.approx(-1.2 * (1 - 2 * NU) * (1 + NU), rel=1e-2)


def test_forces_on_a_strip_grow_with_the_logarithm_of_its_width():
    """A half plane gives 2 (1 - ν²)/(π E) ln 2 more for half the width."""
    wide, narrow = (root_compliance(1.0, 0.5, half, 0.0, STEEL) for half in (4e-4, 2e-4))
    more = 2 * (1 - NU**2) / (math.pi * E) * math.log(2)
    assert narrow[0, 0] - wide[0, 0] == pytest.approx(more, rel=2e-3)
    assert narrow[1, 1] - wide[1, 1] == pytest.approx(more, rel=2e-3)


@pytest.mark.parametrize("held", [0.4, 1.6])
def test_tangential_forces_all_around_twist_the_annulus(held):
    """Strips side by side make a uniform shear: rotation T (1/a² - 1/b²)/(4 π G)."""
    teeth = 24
    half = math.pi / teeth
    found = sum(root_compliance(1.0, held, half, k * 2 * half, STEEL)[1, 1] for k in range(teeth))
    twist = abs(1 / held**2 - 1) / (4 * math.pi * STEEL.shear_modulus)
    assert found == pytest.approx(teeth * twist, rel=1e-6)


@pytest.mark.parametrize("held", [0.4, 1.6])
def test_radial_forces_all_around_press_the_annulus(held):
    """Lamé with u = 0 where it is held: u/p = (1 - h²)/[2 (λ + μ) + 2 μ h²] at r = 1, h = held."""
    teeth = 24
    half = math.pi / teeth
    found = sum(root_compliance(1.0, held, half, k * 2 * half, STEEL)[0, 0] for k in range(teeth))
    shear = STEEL.shear_modulus
    bulk = 2 * shear * NU / (1 - 2 * NU)
    lame = abs(1 - held**2) / (2 * (bulk + shear) + 2 * shear * held**2)
    assert found == pytest.approx(teeth * lame / (2 * math.pi), rel=1e-6)


def test_maxwells_reciprocity_and_positive_energy():
    here = root_compliance(1.0, 0.6, 0.08, 0.0, STEEL)
    assert np.all(np.linalg.eigvalsh(here) > 0)
    there, back = (root_compliance(1.0, 0.6, 0.08, angle, STEEL) for angle in (0.3, -0.3))
    np.testing.assert_allclose(there, back.T, rtol=1e-9, atol=1e-9 * np.abs(there).max())


def test_a_material_where_a_power_meets_kolosovs_constant():
    """ν = 1/4 makes 3 - 4ν a whole number; nothing special happens."""
    near, at = (
        root_compliance(1.0, 0.6, 0.1, 0.2, Material(E, poisson, 0.0))
        for poisson in (0.25001, 0.25)
    )
    np.testing.assert_allclose(near, at, rtol=1e-3)


@pytest.mark.parametrize("held", [0.5, 1.3])
def test_the_first_harmonic_lies_between_its_neighbours(held):
    """Its solution with a logarithm is the limit of the powers from both sides, to second order."""
    exact = np.ravel(_harmonics(np.array([1.0]), 1.0, held, STEEL))
    off = [
        np.abs(
            0.5
            * np.sum([np.ravel(_harmonics(np.array([n]), 1.0, held, STEEL)) for n in near], 0)
            / exact
            - 1
        )
        for near in ((0.99, 1.01), (0.995, 1.005))
    ]
    np.testing.assert_allclose(off[0] / off[1], 4, rtol=0.02)
    assert np.all(off[1] < 1e-4)
