"""A stepped shaft by its half section: a beam where it is slender, softer where it has steps."""

import numpy as np
import pytest

from flank.elasticity.finite_elements.stepped_shaft import solid_lateral_stiffness
from flank.elasticity.material import Material
from flank.elasticity.shaft import Segment, Shaft

STEEL = Material(206e9, 0.3, 7850.0)
SHORT = (0.01, 0.01, 0.01)


def _between(stiffness):
    """m/N of the middle station between the outer ones."""
    return 1 / stiffness[1, 1]


def _shaft(radii, length=0.1):
    stations = (0.005, length + 0.005, 2 * length - 0.005)
    return Shaft(tuple(Segment(length, r) for r in radii), stations, STEEL)


def test_a_slender_shaft_is_a_beam():
    shaft = _shaft((0.005, 0.005), length=0.2)
    solid, beam = solid_lateral_stiffness(shaft, SHORT, 3), shaft.lateral_stiffness()
    assert _between(solid) == pytest.approx(_between(beam), rel=5e-3)
    assert solid / solid[1, 1] == pytest.approx(beam / beam[1, 1], abs=5e-3)


def test_it_resists_no_shift_and_no_tilt_and_is_symmetric():
    shaft = _shaft((0.012, 0.02))
    stiffness = solid_lateral_stiffness(shaft, SHORT)
    scale = np.abs(stiffness).max()
    assert np.abs(stiffness - stiffness.T).max() < 1e-12 * scale
    assert np.abs(stiffness @ np.ones(3)).max() < 1e-9 * scale
    assert np.abs(stiffness @ np.array(shaft.stations)).max() < 1e-10 * scale


def test_a_step_is_softer_than_the_beam_that_ends_abruptly():
    shaft = Shaft(
        (Segment(0.04, 0.01), Segment(0.04, 0.03), Segment(0.04, 0.01)), (0.005, 0.06, 0.115), STEEL
    )
    ratio = _between(solid_lateral_stiffness(shaft, SHORT)) / _between(shaft.lateral_stiffness())
    assert 1.2 < ratio < 1.4


def test_finer_cells_change_little():
    shaft = _shaft((0.012, 0.02))
    coarse, fine = (_between(solid_lateral_stiffness(shaft, SHORT, n)) for n in (6, 12))
    assert coarse == pytest.approx(fine, rel=0.01)
    assert coarse < fine
