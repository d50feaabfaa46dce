"""Pairs that share a load, the table of one pair, and the norm."""

import math
from dataclasses import replace

import numpy as np
import pytest

from flank.elasticity.iso_6336 import mean_stiffness
from flank.elasticity.material import STEEL
from flank.elasticity.mesh_stiffness import mean_stiffness as whole_face
from flank.elasticity.mesh_stiffness import mesh_stiffness, pair_compliance, pair_table
from flank.elasticity.tooth import tooth_compliance
from flank.geometry.gear import Gear, Relief
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_gap import separation
from flank.geometry.roots import zero_between

ANGLE = math.radians(20)
BOTH = (STEEL, STEEL)
LOAD = 300e3


def gear(teeth, shift=0.0, internal=False, **options):
    return Gear(teeth, 10e-3, ANGLE, shift, internal, edge_radius=0.2e-3, **options)


STANDARD = GearPair(gear(20), gear(40), face_width=0.1)


@pytest.mark.parametrize(
    "pair",
    [
        GearPair(gear(20), gear(35), face_width=0.1),
        STANDARD,
        GearPair(gear(30), gear(90), face_width=0.1),
        GearPair(gear(24), gear(96, 0.0, True), face_width=0.1),
    ],
)
def test_mean_stiffness_of_standard_pairs_is_near_the_norm(pair):
    assert mesh_stiffness(pair, BOTH, LOAD).mean == pytest.approx(
        mean_stiffness(pair, BOTH), rel=0.15
    )


def test_one_pair_alone_is_teeth_bodies_and_contact_in_series():
    curve = mesh_stiffness(STANDARD, BOTH, LOAD)
    k = int(np.argmax(curve.shares.max(axis=1)))
    assert curve.shares[k].max() == pytest.approx(1.0)
    roll = STANDARD.path[0] + curve.positions[k]
    while separation(STANDARD, roll) > 0:
        roll += STANDARD.base_pitch
    bodies = sum(
        tooth_compliance(shape, STEEL).common for shape in (STANDARD.first, STANDARD.second)
    )
    alone = pair_compliance(STANDARD, BOTH, np.array([roll]), LOAD)[0] + bodies
    assert curve.stiffness[k] == pytest.approx(1 / alone, rel=1e-6)


def test_shares_add_up_and_two_pairs_are_stiffer_than_one():
    curve = mesh_stiffness(STANDARD, BOTH, LOAD)
    np.testing.assert_allclose(curve.shares.sum(axis=1), 1.0)
    single = curve.shares.max(axis=1) > 0.999
    assert curve.stiffness[single].max() < curve.stiffness[~single].max()
    assert 1.3 < curve.stiffness.max() / curve.stiffness.min() < 1.8


def test_springs_of_the_table_on_common_bodies_are_the_mesh():
    """But for the contact, linearised at the mean load of a pair."""
    table, curve = pair_table(STANDARD, BOTH, LOAD), mesh_stiffness(STANDARD, BOTH, LOAD)
    found = []
    for way in (np.arange(64) + 0.5) / 64 * STANDARD.base_pitch:
        rolls = STANDARD.path[0] + way + STANDARD.base_pitch * np.arange(-1, 3)
        stiff = np.interp(rolls, table.rolls, table.stiffness, 0.0, 0.0)
        apart = np.interp(rolls, table.rolls, table.separation, 1.0, 1.0)

        def missing(depth, stiff=stiff, apart=apart):
            return float(np.sum(stiff * np.maximum(depth - apart, 0.0))) - LOAD * 0.1

        bodies = table.common * LOAD * 0.1
        found.append(LOAD / (bodies + zero_between(missing, 0.0, 1e-3)))
    assert np.mean(found) == pytest.approx(curve.mean, rel=0.005)
    np.testing.assert_allclose(found, curve.stiffness, rtol=0.03)


def test_table_reaches_out_to_three_deflections_and_scales_with_the_face():
    table = pair_table(STANDARD, BOTH, LOAD)
    deflection = LOAD / mesh_stiffness(STANDARD, BOTH, LOAD).stiffness.min()
    assert table.rolls[0] < STANDARD.path[0]
    assert table.rolls[-1] > STANDARD.path[1]
    assert min(table.separation[0], table.separation[-1]) > 2 * deflection
    wide = pair_table(replace(STANDARD, face_width=0.2), BOTH, LOAD)
    np.testing.assert_allclose(wide.stiffness, 2 * table.stiffness)


def test_contact_stiffens_with_load():
    light, heavy = (mesh_stiffness(STANDARD, BOTH, load).mean for load in (0.1 * LOAD, LOAD))
    assert 1.05 < heavy / light < 1.35


def test_tip_relief_takes_the_load_off_the_ends_of_the_path():
    relief = Relief(30e-6, 6e-3)
    relieved = GearPair(gear(20, relief=relief), gear(40, relief=relief), face_width=0.1)
    plain, eased = (mesh_stiffness(pair, BOTH, LOAD) for pair in (STANDARD, relieved))
    alone = [np.mean(curve.shares.max(axis=1) > 0.999) for curve in (plain, eased)]
    assert alone[1] > alone[0] + 0.05


def test_overlap_evens_out_the_ripple_and_crowning_softens():
    helix = math.radians(20)
    teeth = [gear(20, helix_angle=helix), gear(40, helix_angle=helix)]
    helical = GearPair(*teeth, face_width=0.1)  # ε_β near one
    curve = mesh_stiffness(helical, BOTH, LOAD, slices=15)
    spur = mesh_stiffness(STANDARD, BOTH, LOAD)
    assert np.ptp(curve.stiffness) < 0.15 * np.ptp(spur.stiffness)
    crowned = GearPair(replace(teeth[0], crowning=20e-6), teeth[1], face_width=0.1)
    assert mesh_stiffness(crowned, BOTH, LOAD, slices=15).mean < 0.9 * curve.mean


def test_mean_of_the_whole_face():
    found = whole_face(STANDARD, BOTH, LOAD)
    assert found == pytest.approx(0.1 * np.mean(mesh_stiffness(STANDARD, BOTH, LOAD).stiffness))
