"""A pin in plates: cantilever and clamped beams by closed forms, and roots that give way."""

import math

import numpy as np
import pytest

from flank.elasticity.held_pin import (
    CLAMPED,
    Root,
    pin_stiffness,
    plate_twist,
    stamp_root,
    tube_twist,
)
from flank.elasticity.material import Material
from flank.elasticity.shaft import Segment, clamped_stiffness

STEEL = Material(206e9, 0.3, 7850.0)
LENGTH, RADIUS = 0.03, 0.005
SECTION = Segment(LENGTH, RADIUS)
BENDING = STEEL.youngs_modulus * SECTION.second_moment
SHEAR = 6 * 1.3 / (7 + 6 * 0.3) * STEEL.shear_modulus * SECTION.area


def _cantilever(z):
    return z**3 / (3 * BENDING) + z / SHEAR


def test_a_pin_held_at_one_end_is_a_cantilever():
    stations = [0.01, 0.024]
    stiffness = pin_stiffness(LENGTH, RADIUS, stations, STEEL, (CLAMPED, None))
    compliance = np.linalg.inv(stiffness[1:, 1:])
    assert np.diag(compliance) == pytest.approx([_cantilever(z) for z in stations])
    near, far = stations
    coupled = near**2 * (3 * far - near) / (6 * BENDING) + near / SHEAR
    assert compliance[0, 1] == pytest.approx(coupled)
    assert stiffness @ np.ones(3) == pytest.approx(np.zeros(3), abs=1e-6 * stiffness[0, 0])


def test_a_pin_held_at_both_ends_is_a_clamped_beam():
    stiffness = pin_stiffness(LENGTH, RADIUS, [0.4 * LENGTH], STEEL, (CLAMPED, CLAMPED))
    free = (
        stiffness[np.ix_([0, 2], [0, 2])]
        - np.outer(stiffness[[0, 2], 1], stiffness[1, [0, 2]]) / stiffness[1, 1]
    )
    assert free[0, 0] == pytest.approx(clamped_stiffness(LENGTH, SECTION, STEEL))
    assert stiffness @ np.ones(3) == pytest.approx(np.zeros(3), abs=1e-6 * stiffness[0, 0])


def test_a_root_adds_its_shift_and_its_tilt():
    z, root = 0.02, Root(3e-9, 4e-5)
    stiffness = pin_stiffness(LENGTH, RADIUS, [z], STEEL, (root, None))
    assert 1 / stiffness[1, 1] == pytest.approx(_cantilever(z) + root.shift + root.tilt * z**2)


def test_a_stamp_is_stiffer_on_a_stiffer_plate_and_by_its_radius():
    soft, stiff = stamp_root(RADIUS, Material(70e9, 0.3, 2700.0)), stamp_root(RADIUS, STEEL)
    assert soft.tilt / stiff.tilt == pytest.approx(206 / 70)
    wide = stamp_root(2 * RADIUS, STEEL)
    assert stiff.shift / wide.shift == pytest.approx(2)
    assert stiff.tilt / wide.tilt == pytest.approx(8)


def test_twist_of_plates_and_tubes():
    shear = STEEL.shear_modulus
    twist = plate_twist(0.02, 0.05, 0.01, STEEL)
    assert twist == plate_twist(0.05, 0.02, 0.01, STEEL)
    rings = np.linspace(0.02, 0.05, 20001)
    middles, step = 0.5 * (rings[1:] + rings[:-1]), rings[1] - rings[0]
    summed = np.sum(step / (2 * math.pi * 0.01 * shear * middles**3))  # γ/r = τ/(G r)
    assert twist == pytest.approx(summed, rel=1e-6)
    assert plate_twist(0.03, 0.03, 0.01, STEEL) == 0.0
    assert tube_twist(0.0, RADIUS, LENGTH, STEEL) == pytest.approx(
        LENGTH / (shear * 2 * SECTION.second_moment)
    )
