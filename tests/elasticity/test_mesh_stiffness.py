"""Pairs that share a load, the table of one pair, and the norm."""

import math
from dataclasses import replace

import numpy as np
import pytest

from flank.elasticity.iso_6336 import mean_stiffness
from flank.elasticity.material import STEEL
from flank.elasticity.mesh_stiffness import _share, mesh_stiffness, pair_compliance, pair_table
from flank.elasticity.mesh_stiffness import mean_stiffness as whole_face
from flank.elasticity.tooth import tooth_compliance
from flank.geometry.gear import Gear, Relief
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_checks import check_gears
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


@pytest.mark.parametrize("load", [1e-250, 1e-9, 1.0, 1e3, 1e6, 1e12, 1e40])
@pytest.mark.parametrize("slices", [1, 9])
def test_any_load_is_shared(load, slices):
    """One pair alone, several at once, relieved ones, and soft ones beside stiff ones."""
    rng = np.random.default_rng(8)
    slope = 2.8e-12
    for count in (1, 2, 5):
        constant = slope * rng.uniform(20, 90, (count, slices))
        apart = rng.uniform(-20e-6, 60e-6, (count, slices)) * rng.integers(0, 2, (count, slices))
        past, forces = _share(apart, constant, slope, load)
        assert past > 0
        assert np.all(forces >= 0)
        assert forces.sum() / slices == pytest.approx(load, rel=1e-9)
        later = apart - apart.min()
        assert np.all((forces > 0) == (later < past))


def test_one_pair_alone_carries_exactly_the_load():
    """Where the deflection of one pair under all of the load is the root itself."""
    slope = 2.8e-12
    for constant in slope * np.linspace(20, 60, 400):
        past, forces = _share(np.zeros((1, 1)), np.full((1, 1), constant), slope, LOAD)
        assert forces[0, 0] == pytest.approx(LOAD, rel=1e-12)
        assert past == pytest.approx(LOAD * (constant - slope * math.log(LOAD)), rel=1e-12)


def test_mesh_of_an_undercut_sun_computes():
    """Of 10 unshifted teeth; with its profile shift it has more contact and is stiffer."""
    plain, shifted = (
        GearPair(gear(10, x, dedendum=1.2), gear(38, -x, dedendum=1.2), face_width=0.1)
        for x in (0.0, 0.4)
    )
    found = [mesh_stiffness(pair, BOTH, 40e3) for pair in (plain, shifted)]
    for curve in found:
        np.testing.assert_allclose(curve.shares.sum(axis=1), 1.0)
    assert 0.6 < found[0].mean / found[1].mean < 0.95


@pytest.mark.parametrize(("width", "load"), [(0.0, LOAD), (0.1, 0.0), (-0.1, LOAD)])
def test_no_face_or_no_load_has_no_stiffness(width, load):
    pair = replace(STANDARD, face_width=width)
    with pytest.raises(ValueError, match="both must be positive"):
        mesh_stiffness(pair, BOTH, load)


def random_pairs(count):
    """Sensible gears: those that no finding refuses."""
    rng = np.random.default_rng(12)
    found = []
    while len(found) < count:
        internal = bool(rng.random() < 0.4)
        first_teeth = int(rng.integers(8, 60))
        second_teeth = int(rng.integers(first_teeth + 8 if internal else 8, 120))
        shift = float(rng.uniform(-0.3, 0.9))
        other = float(rng.uniform(-1, 0.6)) - (shift if internal else 0.0)
        helix = float(rng.choice([0.0, 0.0, 0.25]))
        first, second = gear(first_teeth, shift), gear(second_teeth, other, internal)
        first, second = (replace(g, helix_angle=helix) for g in (first, second))
        if any(finding.severity == "error" for finding in check_gears(first, second)):
            continue
        found.append(GearPair(first, second, face_width=0.1))
    return found


@pytest.mark.parametrize("number", range(40))
def test_gears_that_are_not_refused_have_a_stiffness(number):
    pair = random_pairs(40)[number]
    load = 10.0 ** (1 + 0.13 * number)
    curve = mesh_stiffness(pair, BOTH, load, positions=16)
    np.testing.assert_allclose(curve.shares.sum(axis=1), 1.0)
    assert np.all(curve.stiffness > 0)
    table = pair_table(pair, BOTH, load)
    assert np.all(table.stiffness > 0)
    assert np.min(table.separation) > -1e-3 * pair.first.normal_module
