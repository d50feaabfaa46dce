"""Compliance of a tooth: against finite elements, its scaling, its table."""

import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "validation"))

from plane_tooth import PlaneTooth

from flank.elasticity import tooth_beam as module
from flank.elasticity.line_contact import half_width
from flank.elasticity.material import STEEL, Material, contact_modulus
from flank.elasticity.tooth import tooth_compliance, tooth_pair_hertz, tooth_tables
from flank.elasticity.tooth_beam import held_radius, load_line, root_section
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.geometry.tooth_outline import half_outline

ANGLE = math.radians(20)


def gear(teeth, shift=0.0, internal=False, **options):
    return Gear(teeth, 10e-3, ANGLE, shift, internal, edge_radius=0.2e-3, **options)


@pytest.mark.parametrize(
    ("shape", "neighbour"),
    [
        (gear(10, 0.45), 0.03),
        (gear(14, 0.6), 0.04),
        (gear(17), 0.03),
        (gear(20), 0.03),
        (gear(20, held_radius=0.026), 0.01),
        (gear(40), 0.04),
        (gear(60), 0.04),
        (gear(100), 0.04),
        (gear(91, -0.84, True), 0.03),
    ],
)
def test_beam_on_its_body_against_finite_elements(shape, neighbour):
    """From the middle of the flank to its tip, whatever the number of teeth."""
    finite, table = PlaneTooth(shape, held_radius(shape)), tooth_compliance(shape, STEEL)
    rolls = np.linspace(half_outline(shape).form_roll, shape.edge_roll_length, 9)[[4, 7]]
    truth = np.array([finite.structure(roll) for roll in rolls])
    off = table.at(rolls) / truth - 1
    assert np.all(off > -0.005)
    assert np.all(off < 0.03)
    half = 0.5 * shape.base_pitch
    common = finite.coupling(rolls[0] - half, rolls[0] + half, shape.sign)
    assert table.common == pytest.approx(common, rel=neighbour)


def test_compliance_has_no_length_in_it_and_falls_with_the_modulus():
    large, small = gear(30), replace(gear(30), normal_module=1e-3, edge_radius=0.02e-3)
    one, other = tooth_compliance(large, STEEL), tooth_compliance(small, STEEL)
    np.testing.assert_allclose(one.values, other.values, rtol=1e-9)
    assert one.step == pytest.approx(10 * other.step)
    soft = tooth_compliance(large, Material(103e9, 0.3, 7000.0))
    np.testing.assert_allclose(soft.values, 2 * one.values, rtol=1e-12)


@pytest.mark.parametrize("shape", [gear(20), gear(10), gear(91, -0.84, True), gear(30, 0.3)])
def test_table_is_smooth_reaches_past_the_flank_and_adds_up(shape):
    table, fine = tooth_compliance(shape, STEEL), tooth_compliance(shape, STEEL, points=161)
    ends = sorted((half_outline(shape).form_roll, shape.edge_roll_length))
    assert table.rolls[2] < ends[0] < ends[1] < table.rolls[-3]
    np.testing.assert_allclose(np.sum(list(table.parts.values()), axis=0), table.values)
    assert np.all(table.values > 0)
    between = table.at(fine.rolls[1::2])
    np.testing.assert_allclose(between, fine.values[1::2], rtol=1e-4)


def test_quadrature_has_converged(monkeypatch):
    shape = gear(25)
    plain = tooth_compliance(shape, STEEL, points=11)
    tooth_compliance.cache_clear()
    monkeypatch.setattr(module, "GAUSS", 12)
    np.testing.assert_allclose(
        tooth_compliance(shape, STEEL, points=11).values, plain.values, rtol=1e-7
    )
    tooth_compliance.cache_clear()


def test_force_through_the_root_section_leaves_what_the_arc_of_the_body_parts_from_it():
    """Where x_0 is the root section the beam has only what stands between the section and the arc:
    bending and shear of a ring are those of a piece as high as the arc, a hundredth."""
    shape = gear(91, -0.84, True)
    table = tooth_compliance(shape, STEEL)
    root = root_section(shape)[1].real
    lengths = [shape.base_radius / math.cos(load_line(shape, roll)[0]) for roll in table.rolls]
    k = int(np.argmin(np.abs(np.array(lengths) - root)))
    assert abs(table.parts["bending"][k]) < 1e-4 * table.values[k]
    assert abs(table.parts["shear"][k]) < 0.06 * table.values[k]


@pytest.mark.parametrize("shape", [gear(10, 0.45), gear(25), gear(91, -0.84, True)])
def test_stresses_on_the_arc_of_the_root_balance_the_force(shape):
    """Uniform radial, parabolic shear and linear radial stress, integrated over the arc."""
    _, root = root_section(shape)
    radius, half = abs(root), math.atan2(root.imag, root.real)
    turns, weights = np.polynomial.legendre.leggauss(40)
    for roll in (half_outline(shape).form_roll, shape.edge_roll_length):
        along, across, moment = module._root_loads(shape, roll, root)
        radial = along / (2 * half) + 3 * moment / (2 * half**2 * radius) * turns
        shear = 3 * across / (4 * half) * (1 - turns**2)
        traction = (radial + 1j * shear) * np.exp(1j * half * turns)
        force = half * np.sum(weights * traction)
        angle, _ = load_line(shape, roll)
        expected = complex(-shape.sign * math.sin(angle), -math.cos(angle))
        assert force == pytest.approx(expected, rel=1e-9)
        torque = half * radius * np.sum(weights * shear)
        assert torque == pytest.approx(-shape.base_radius, rel=1e-9)


def test_shared_body_counts_as_often_as_pairs_share_the_load():
    pair = GearPair(gear(20), gear(40))
    alone = tooth_compliance(pair.first, STEEL)
    shared, _ = tooth_tables(pair, (STEEL, STEEL))
    more = (pair.contact_ratio - 1) * alone.common
    np.testing.assert_allclose(shared.values, alone.values + more, rtol=1e-12)


def test_helical_teeth_go_over_into_spur_teeth_and_soften():
    spur, slight, steep = (
        tooth_compliance(gear(40, helix_angle=angle), STEEL) for angle in (0.0, 1e-5, 0.35)
    )
    np.testing.assert_allclose(slight.values, spur.values, rtol=1e-6)
    assert 1.0 < steep.values[40] / spur.values[40] < 1.2


def test_contact_of_two_teeth_counts_both_bodies_to_their_middles():
    pair = GearPair(gear(20), gear(40))
    constant, slope = tooth_pair_hertz(pair, (STEEL, STEEL))
    middle = 0.5 * sum(pair.path)
    other = pair.second_roll(middle)
    radius, load = 1 / (1 / middle + 1 / other), 2e5
    width = half_width(load, 1.0, radius, contact_modulus(STEEL, STEEL))
    expected = 0.0
    for shape, roll in ((pair.first, middle), (pair.second, other)):
        depth = load_line(shape, roll)[1]
        expected += STEEL.line_compliance * (2 * math.log(2 * depth / width) - 0.3 / 0.7)
    found = constant - slope * math.log(radius) - slope * math.log(load)
    assert found == pytest.approx(expected, rel=1e-12)
