"""A stepped shaft against the closed forms of beams with shear."""

import math

import numpy as np
import pytest

from flank.elasticity.material import STEEL
from flank.elasticity.shaft import Segment, Shaft, beam_stiffness, clamped_stiffness

LENGTH, RADIUS = 0.2, 0.015
AREA, SECOND_MOMENT = math.pi * RADIUS**2, math.pi * RADIUS**4 / 4
BENDING = STEEL.youngs_modulus * SECOND_MOMENT
SHEAR = 6 * 1.3 / (7 + 6 * 0.3) * STEEL.shear_modulus * AREA


def plain_shaft(stations: tuple[float, ...], pieces: int = 1) -> Shaft:
    return Shaft((Segment(LENGTH / pieces, RADIUS),) * pieces, stations, STEEL)


@pytest.mark.parametrize("pieces", [1, 3, 8])
def test_supported_beam_bends_and_shears_as_in_the_books(pieces):
    stiffness = plain_shaft((0.0, LENGTH / 2, LENGTH), pieces).lateral_stiffness()
    shape = np.linalg.solve(stiffness[1:2, 1:2], [1.0])
    expected = LENGTH**3 / (48 * BENDING) + LENGTH / (4 * SHEAR)
    assert shape[0] == pytest.approx(expected, rel=1e-10)


def test_overhung_load():
    a, overhang = 0.14, 0.06
    stiffness = plain_shaft((0.0, a, LENGTH)).lateral_stiffness()
    deflection = 1 / stiffness[2, 2]
    bending = overhang**2 * (a + overhang) / (3 * BENDING)
    shear = overhang / SHEAR + (overhang / a) ** 2 * a / SHEAR
    assert deflection == pytest.approx(bending + shear, rel=1e-10)


def test_neither_shift_nor_tilt_is_resisted():
    stations = (0.01, 0.05, 0.11, 0.19)
    stepped = Shaft(
        (Segment(0.04, 0.01), Segment(0.1, 0.02), Segment(0.06, 0.012)), stations, STEEL
    )
    stiffness = stepped.lateral_stiffness()
    scale = np.abs(stiffness).max()
    assert np.allclose(stiffness, stiffness.T, atol=1e-12 * scale)
    assert np.abs(stiffness.sum(axis=0)).max() < 1e-9 * scale
    assert np.abs(stiffness @ np.array(stations)).max() < 1e-9 * scale
    assert np.linalg.eigvalsh(stiffness)[2] > 1e-6 * scale


def test_torsion_of_steps_adds_up():
    stepped = Shaft((Segment(0.04, 0.01), Segment(0.1, 0.02)), (0.02, 0.09), STEEL)
    twist = 0.02 / (0.5 * math.pi * 0.01**4) + 0.05 / (0.5 * math.pi * 0.02**4)
    assert stepped.torsional_stiffness() == pytest.approx([STEEL.shear_modulus / twist], rel=1e-9)


def test_pillar_clamped_at_both_ends():
    segment = Segment(0.04, 0.02)
    bending = STEEL.youngs_modulus * segment.second_moment
    shear = 6 * 1.3 / 8.8 * STEEL.shear_modulus * segment.area
    expected = 1 / (0.04**3 / (12 * bending) + 0.04 / shear)
    assert clamped_stiffness(0.04, segment, STEEL) == pytest.approx(expected, rel=1e-12)


def test_beam_without_tilt_forces():
    stiffness = beam_stiffness(0.1, Segment(0.1, 0.01), STEEL)
    assert np.abs(stiffness @ [0.0, 1.0, 0.1, 1.0]).max() < 1e-6 * np.abs(stiffness).max()
