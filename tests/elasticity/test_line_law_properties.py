"""What every line law must do: series, units, symmetry, the local exponent."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flank.elasticity.line_contact import (
    Cylinder,
    DeepBody,
    LineLaw,
    line_law,
    palmgren_stiffness,
)
from flank.elasticity.material import STEEL, Material

lengths = st.floats(1e-3, 0.1)
radii = st.floats(0.5e-3, 0.2)
forces = st.floats(1e-3, 1e5)
moduli = st.floats(1e9, 4e11)
ratios = st.floats(0.0, 0.49)


def relative(first, second):
    return 1 / (1 / first + 1 / second)


@settings(max_examples=60, deadline=None)
@given(radii, radii, radii, lengths, forces, moduli, ratios)
def test_series_is_the_sum_of_two_approaches(inner, needle, outer, length, force, e, nu):
    """A needle between two races: the force is one, the approaches add."""
    soft = Material(e, nu, 1000.0)
    first = line_law(Cylinder(inner, STEEL), Cylinder(needle, STEEL), length)
    second = line_law(Cylinder(needle, STEEL), Cylinder(outer, soft), length)
    r1, r2 = relative(inner, needle), relative(needle, outer)
    total = first.approach(force, r1) + second.approach(force, r2)
    series = first.in_series(r1, second, r2)
    scale = abs(first.approach(force, r1)) + abs(second.approach(force, r2))
    assert abs(series.approach(force, 1.0) - total) < 1e-12 * scale


@settings(max_examples=60, deadline=None)
@given(radii, radii, lengths, forces, st.sampled_from([1e3, 1e-3, 25.4]))
def test_does_not_depend_on_the_unit_of_length(first, second, length, force, factor):
    """In a unit 1/`factor` of a metre the same contact has the same approach."""
    other = Material(206e9 / factor**2, 0.3, 1.0)
    metres = line_law(Cylinder(first, STEEL), Cylinder(second, STEEL), length)
    units = line_law(
        Cylinder(first * factor, other), Cylinder(second * factor, other), length * factor
    )
    expected = metres.approach(force, relative(first, second))
    got = units.approach(force, relative(first, second) * factor) / factor
    scale = force / length * 1e-11
    assert got == pytest.approx(expected, rel=1e-11, abs=1e-12 * scale)


@settings(max_examples=30, deadline=None)
@given(lengths, st.sampled_from([1e3, 1e-3]))
def test_palmgren_does_not_depend_on_the_unit_of_length(length, factor):
    other = Material(206e9 / factor**2, 0.3, 1.0)
    force = 1000.0
    metres = (force / palmgren_stiffness(STEEL, STEEL, length)) ** 0.9
    units = (force / palmgren_stiffness(other, other, length * factor)) ** 0.9 / factor
    assert units == pytest.approx(metres, rel=1e-12)


@given(radii, radii, lengths, forces)
def test_does_not_depend_on_the_order_of_the_bodies(first, second, length, force):
    soft = Material(3e9, 0.4, 1000.0)
    a, b = DeepBody(first, STEEL), Cylinder(second, soft)
    there, back = line_law(a, b, length), line_law(b, a, length)
    assert there.approach(force, 2e-3) == pytest.approx(back.approach(force, 2e-3), rel=1e-12)


@given(radii, lengths, forces)
def test_twice_the_length_carries_twice_the_force(radius, length, force):
    one = line_law(Cylinder(radius, STEEL), Cylinder(radius, STEEL), length)
    two = line_law(Cylinder(radius, STEEL), Cylinder(radius, STEEL), 2 * length)
    assert two.approach(2 * force, 1e-3) == pytest.approx(one.approach(force, 1e-3), rel=1e-13)


def test_half_the_modulus_is_more_than_half_as_stiff():
    """c doubles and the contact widens, which the logarithm rewards."""
    soft = Material(103e9, 0.3, 7850.0)
    stiff_law, soft_law = (
        line_law(Cylinder(3e-3, m), Cylinder(10e-3, m), 0.01) for m in (STEEL, soft)
    )
    ratio = soft_law.approach(500.0, 2e-3) / stiff_law.approach(500.0, 2e-3)
    assert 1.8 < ratio < 2


def test_local_exponent_is_that_of_palmgren():
    """d ln F/d ln δ is 1.09 to 1.10 at the loads of the table."""
    law = line_law(Cylinder(2.5e-3, STEEL), Cylinder(13e-3, STEEL), 12e-3)
    radius = relative(2.5e-3, 13e-3)
    low, high = law.approach(999.0, radius), law.approach(1001.0, radius)
    exponent = math.log(1001 / 999) / math.log(high / low)
    assert 1.09 < exponent < 1.10


def test_no_force_no_approach():
    law = LineLaw(1e-10, 1e-12, 0.01)
    assert law.approach(0.0, 1e-3) == 0.0
    assert law.approach(-5.0, 1e-3) == 0.0


def test_line_compliance():
    assert STEEL.line_compliance == pytest.approx(0.91 / (math.pi * 206e9), rel=1e-15)
