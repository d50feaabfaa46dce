"""Mesh stiffness of ISO 6336-1 on pairs of any kind; ball bearings by hand."""

import math

import pytest

from flank.elasticity.ball_bearing import radial_stiffness
from flank.elasticity.iso_6336 import mean_stiffness, rack_factor, single_stiffness
from flank.elasticity.material import STEEL, Material
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair

ANGLE = math.radians(20)
BOTH = (STEEL, STEEL)


def pair(first, second, **options):
    return GearPair(
        Gear(first, 1.75e-3, ANGLE, dedendum=1.2, **options),
        Gear(second, 1.75e-3, ANGLE, dedendum=1.2, **options),
    )


def nordtank(teeth, shift, tip, internal=False):
    return Gear(teeth, 10e-3, ANGLE, shift, internal).with_tip_radius(tip)


PLANET = nordtank(35, 0.419, 0.188185)


@pytest.mark.parametrize(
    ("meshed", "single", "mean"),
    [
        (GearPair(nordtank(20, 0.582, 0.114815), PLANET), 3.05e9, 3.84e9),
        (GearPair(PLANET, nordtank(91, -0.84, 0.4544, True)), 3.37e9, 4.66e9),
    ],
)
def test_500_kw_stage(meshed, single, mean):
    """Recomputed by hand from CAD measures: face width 210 mm, both meshes."""
    assert single_stiffness(meshed, BOTH) * 0.21 == pytest.approx(single, rel=2e-3)
    assert mean_stiffness(meshed, BOTH) * 0.21 == pytest.approx(mean, rel=2e-3)


def test_unshifted_pair_by_hand():
    """z 18 and 54: q' = 0.04723 + 0.15551/18 + 0.25791/54 = 0.060645, ε_α = 1.6488."""
    spur = pair(18, 54)
    assert single_stiffness(spur, BOTH) == pytest.approx(0.8e9 / 0.0606455, rel=1e-5)
    factor = 0.75 * spur.contact_ratio + 0.25
    assert mean_stiffness(spur, BOTH) == pytest.approx(0.8e9 / 0.0606455 * factor, rel=1e-5)


def test_rack_factor_is_one_for_the_norms_rack():
    assert rack_factor(Gear(20, 1e-3, ANGLE, dedendum=1.2)) == 1.0
    assert rack_factor(Gear(20, 1e-3, ANGLE)) == pytest.approx(0.975)
    deep = Gear(20, 1e-3, math.radians(25), dedendum=1.4)
    assert rack_factor(deep) == pytest.approx(0.9 * 1.1)


def test_helical_teeth_count_by_their_normal_section():
    """z_n = z/cos³β, and cos β on the whole."""
    helix = math.radians(30)
    flexibility = 0.04723 + (0.15551 / 18 + 0.25791 / 54) * math.cos(helix) ** 3
    found = single_stiffness(pair(18, 54, helix_angle=helix), BOTH)
    assert found == pytest.approx(0.8e9 * math.cos(helix) / flexibility, rel=1e-12)


def test_materials_enter_by_the_harmonic_mean_of_their_moduli():
    soft = Material(103e9, 0.3, 7000.0)
    spur = pair(18, 54)
    assert single_stiffness(spur, (soft, soft)) == pytest.approx(single_stiffness(spur, BOTH) / 2)
    mixed = single_stiffness(spur, (STEEL, soft))
    assert mixed == pytest.approx(single_stiffness(spur, BOTH) * 2 / 3)


def test_ball_bearing_stiffness_grows_with_the_cube_root_of_preload():
    one, eight = (radial_stiffness(40, 4e-3, 0.7, preload) for preload in (500.0, 4000.0))
    assert eight == pytest.approx(2 * one, rel=1e-12)


def test_ball_bearing_by_hand():
    """One ball of 8 mm under 100 N: δ = 4.4e-4 (1e4/8)^(1/3) mm = 4.740 µm, k = 150/4.74e-6 N/m."""
    angle = math.radians(40)
    preload = 20 * 100 * math.sin(angle)
    expected = 0.5 * 20 * 1.5 * 100 / 4.7397e-6 * math.cos(angle) ** 2
    assert radial_stiffness(20, 4e-3, angle, preload) == pytest.approx(expected, rel=1e-4)
