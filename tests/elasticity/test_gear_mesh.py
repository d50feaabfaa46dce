"""Spur pairs: geometry and the mesh stiffness of ISO 6336-1."""

import math

import pytest

from flank.elasticity.ball_bearing import radial_stiffness
from flank.elasticity.gear_mesh import SpurPair

PAIR = SpurPair(18, 54, 1.75e-3, math.radians(20))


def test_centre_distance_and_base_circles():
    assert PAIR.centre_distance == pytest.approx(63e-3)
    assert sum(PAIR.base_radii) == pytest.approx(63e-3 * math.cos(math.radians(20)))


def test_contact_ratio_of_a_textbook_pair():
    """z 20 and 40, 20°, standard addenda: ε_α = 1.635."""
    assert SpurPair(20, 40, 1e-3, math.radians(20)).contact_ratio == pytest.approx(1.635, abs=2e-3)


def test_stiffness_is_in_the_range_of_the_norm():
    """ISO 6336-1 gives c_γ near 20 N/(mm µm) for steel spur gears with ε_α between 1.2 and 1.9."""
    per_width = PAIR.stiffness(1.0) / 1e9
    assert 15 < per_width < 20


def test_stiffness_is_proportional_to_width_and_modulus():
    assert PAIR.stiffness(0.02) == pytest.approx(2 * PAIR.stiffness(0.01))
    assert PAIR.stiffness(0.01, 103e9) == pytest.approx(PAIR.stiffness(0.01) / 2)


def test_ball_bearing_stiffness_grows_with_the_cube_root_of_preload():
    one, eight = (radial_stiffness(40, 4e-3, 0.7, preload) for preload in (500.0, 4000.0))
    assert eight == pytest.approx(2 * one, rel=1e-12)


def test_ball_bearing_by_hand():
    """One ball of 8 mm under 100 N: δ = 4.4e-4 (1e4/8)^(1/3) mm = 4.740 µm, k = 150/4.74e-6 N/m."""
    angle = math.radians(40)
    preload = 20 * 100 * math.sin(angle)
    expected = 0.5 * 20 * 1.5 * 100 / 4.7397e-6 * math.cos(angle) ** 2
    assert radial_stiffness(20, 4e-3, angle, preload) == pytest.approx(expected, rel=1e-4)
