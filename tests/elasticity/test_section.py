"""Sections against the formulas of any handbook."""

import math

import pytest

from flank.elasticity.material import STEEL
from flank.elasticity.section import Section, rectangular_section, round_section


def test_a_tube_is_a_shaft_less_its_bore():
    shaft, bore = round_section(STEEL, 0.03), round_section(STEEL, 0.01)
    tube = round_section(STEEL, 0.03, bore=0.01)
    for name in ("axial_stiffness", "bending_stiffness", "mass_per_length"):
        assert getattr(tube, name) == pytest.approx(getattr(shaft, name) - getattr(bore, name))


def test_a_shaft_of_two_metres():
    section = round_section(STEEL, 2.0)
    assert section.axial_stiffness == pytest.approx(STEEL.youngs_modulus * math.pi)
    assert section.bending_stiffness == pytest.approx(STEEL.youngs_modulus * math.pi / 4)
    assert section.mass_per_length == pytest.approx(STEEL.density * math.pi)


def test_a_rectangle_bends_across_its_thickness():
    section = rectangular_section(STEEL, thickness=0.1, width=0.3)
    assert section.axial_stiffness == pytest.approx(STEEL.youngs_modulus * 0.03)
    assert section.bending_stiffness == pytest.approx(STEEL.youngs_modulus * 0.3 * 1e-3 / 12)


def test_nonsense_is_refused():
    with pytest.raises(ValueError, match="bore"):
        round_section(STEEL, 0.01, bore=0.01)
    with pytest.raises(ValueError, match="positive"):
        Section(1.0, 0.0, 1.0)
