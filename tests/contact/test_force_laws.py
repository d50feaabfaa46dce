"""Force laws alone: inverse, derivative, energy, order, damping."""

import math
import re

import numpy as np
import pytest
from contact_pieces import foundation, power
from hypothesis import given, settings
from hypothesis import strategies as st

from flank.contact import Damping
from flank.contact.laws import damped, line_contact
from flank.contact.table import DAMPING_APPROACH, DAMPING_HUNT_CROSSLEY, DAMPING_VISCOUS
from flank.elasticity.line_contact import Cylinder, DeepBody, line_law
from flank.elasticity.material import STEEL, Material

LAW = line_law(DeepBody(8e-3, STEEL), Cylinder(3e-3, STEEL), 9e-3)
POLYMER = line_law(DeepBody(8e-3, Material(2e9, 0.38, 1100.0)), Cylinder(3e-3, STEEL), 9e-3)


def hertz(law, depth, radius):
    return line_contact(depth, law.constant, law.slope, law.length, 1 / radius)


LAWS = {
    "line": lambda depth: hertz(LAW, depth, 2e-3),
    "line, polymer": lambda depth: hertz(POLYMER, depth, 2e-3),
    "palmgren": lambda depth: power(depth, 2e9, 10 / 9),
    "linear": lambda depth: power(depth, 3e8, 1.0),
    "power 3/2": lambda depth: power(depth, 1e11, 1.5),
    "foundation": lambda depth: foundation(depth, 1e13, 1 / 2e-3),
}
depths = st.floats(1e-9, 1e-4)


@settings(max_examples=200, deadline=None)
@given(st.floats(1e-6, 3e4), st.floats(0.3e-3, 1.0), st.sampled_from(["steel", "polymer"]))
def test_line_law_is_the_inverse_of_the_approach(force, radius, material):
    """Force -> δ = F'(P - Q ln F') -> force, to 1e-12."""
    law = LAW if material == "steel" else POLYMER
    logarithm = law.constant / law.slope - math.log(force / law.length * radius)
    if logarithm < 2.05:  # half widths of the size of the bodies, see below
        return
    depth = law.approach(force, radius)
    assert hertz(law, depth, radius)[0] == pytest.approx(force, rel=1e-12)


def test_line_law_goes_on_straight_where_hertz_ends():
    """Beyond w = P/Q - ln F' = 2 force and stiffness go on without a jump, along the tangent."""
    limit = LAW.slope * 2 * math.exp(LAW.constant / LAW.slope - math.log(2e-3) - 2)
    below, at, above, far = (
        hertz(LAW, limit * share, 2e-3) for share in (1 - 1e-9, 1.0, 1 + 1e-9, 3.0)
    )
    for i in range(3):
        assert below[i] == pytest.approx(at[i], rel=1e-7)
        assert above[i] == pytest.approx(at[i], rel=1e-7)
    assert far[1] == pytest.approx(at[1], rel=1e-12)
    assert far[0] == pytest.approx(at[0] + at[1] * 2 * limit, rel=1e-12)
    work = at[0] * 2 * limit + at[1] * (2 * limit) ** 2 / 2
    assert far[2] == pytest.approx(at[2] + work, rel=1e-12)


@pytest.mark.parametrize("name", LAWS)
@settings(max_examples=50, deadline=None)
@given(depth=depths)
def test_stiffness_is_the_derivative_of_the_force(name, depth):
    """Fourth-order difference over 1 % of the depth."""
    law, h = LAWS[name], 0.01 * depth
    stencil = [(-2, 1 / 12), (-1, -8 / 12), (1, 8 / 12), (2, -1 / 12)]
    slope = sum(w * law(depth + k * h)[0] for k, w in stencil) / h
    assert law(depth)[1] == pytest.approx(slope, rel=1e-8)


@pytest.mark.parametrize("name", LAWS)
@settings(max_examples=50, deadline=None)
@given(depth=depths)
def test_force_is_the_derivative_of_the_energy(name, depth):
    law, h = LAWS[name], 0.01 * depth
    stencil = [(-2, 1 / 12), (-1, -8 / 12), (1, 8 / 12), (2, -1 / 12)]
    slope = sum(w * law(depth + k * h)[2] for k, w in stencil) / h
    assert law(depth)[0] == pytest.approx(slope, rel=1e-8)


@pytest.mark.parametrize("name", LAWS)
@settings(max_examples=50, deadline=None)
@given(depth=depths, more=st.floats(1.001, 10.0))
def test_force_rises(name, depth, more):
    less, greater = LAWS[name](depth), LAWS[name](more * depth)
    assert 0 < less[0] < greater[0]
    assert 0 < less[2] < greater[2]
    assert less[1] > 0


@pytest.mark.parametrize("name", LAWS)
def test_vanishes_with_the_depth(name):
    """Force and energy of the smallest penetration a double can hold are finite and tiny."""
    force, stiffness, energy = LAWS[name](1e-300)
    assert 0 <= force < 1e-150
    assert 0 <= energy < 1e-300
    assert math.isfinite(stiffness)


def test_power_law_is_a_power():
    force, stiffness, energy = power(3e-6, 2e9, 10 / 9)
    assert force == pytest.approx(2e9 * 3e-6 ** (10 / 9), rel=1e-14)
    assert stiffness == pytest.approx(10 / 9 * force / 3e-6, rel=1e-14)
    assert energy == pytest.approx(force * 3e-6 / (19 / 9), rel=1e-14)
    assert power(3e-6, 2e9, 1.0)[:2] == pytest.approx((6e3, 2e9), rel=1e-14)


def test_foundation_is_the_integral_over_the_parabola():
    """k ∫(δ - s²/2ρ) ds and k ∫(δ - s²/2ρ)²/2 ds over |s| < √(2ρδ), by quadrature."""
    depth, radius, stiffness = 7e-6, 2e-3, 1e13
    nodes, weights = np.polynomial.legendre.leggauss(10)
    half = math.sqrt(2 * radius * depth)
    height = depth - (half * nodes) ** 2 / (2 * radius)
    force, slope, energy = foundation(depth, stiffness, 1 / radius)
    assert force == pytest.approx(stiffness * half * (height @ weights), rel=1e-13)
    assert slope == pytest.approx(stiffness * 2 * half, rel=1e-13)
    assert energy == pytest.approx(stiffness * half * (height**2 @ weights) / 2, rel=1e-13)


# Hunt-Crossley damping, f = F max(0, 1 + d δ̇)


@given(st.floats(0, 1e4), st.floats(0, 1e9), st.floats(0, 100), st.floats(-1, 1))
def test_damping_never_pulls(force, stiffness, damping, rate):
    got = damped(force, stiffness, DAMPING_HUNT_CROSSLEY, damping, rate)
    assert got[0] >= 0
    assert got[0] == pytest.approx(force * max(0.0, 1 + damping * rate), rel=1e-14)


@given(st.floats(0, 100), st.floats(-1, 1))
def test_damping_gives_no_force_at_zero_penetration(damping, rate):
    """The damping force of arXiv 2604.02387 is there at first touch; this one is not."""
    assert damped(0.0, 0.0, DAMPING_HUNT_CROSSLEY, damping, rate)[0] == 0.0


@given(st.floats(1, 1e4), st.floats(1e6, 1e9), st.floats(0.1, 100), st.floats(-1, 1))
def test_damping_derivatives(force, stiffness, damping, rate):
    """∂f/∂δ = F'(1 + d δ̇), ∂f/∂δ̇ = F d while it pushes; nothing after it has let go."""
    if abs(1 + damping * rate) < 1e-6:
        return
    _, by_depth, by_rate = damped(force, stiffness, DAMPING_HUNT_CROSSLEY, damping, rate)
    h = 1e-9
    difference = damped(force, stiffness, DAMPING_HUNT_CROSSLEY, damping, rate + h)[0]
    difference = (
        difference - damped(force, stiffness, DAMPING_HUNT_CROSSLEY, damping, rate - h)[0]
    ) / (2 * h)
    assert by_rate == pytest.approx(difference, rel=1e-4, abs=1e-6)
    factor = max(0.0, 1 + damping * rate)
    assert by_depth == pytest.approx(stiffness * factor, rel=1e-14)
    assert by_rate == pytest.approx(force * damping if factor else 0.0, rel=1e-14)


def test_damping_takes_energy_from_every_cycle():
    """∮ f dδ over an in-and-out motion is positive."""
    time = np.linspace(0, math.pi, 20_001)
    depth, rate = 1e-5 * np.sin(time), 1e-5 * np.cos(time) * 100.0
    force = [
        damped(*power(d, 2e9, 1.5)[:2], DAMPING_HUNT_CROSSLEY, 20.0, r)[0]
        for d, r in zip(depth, rate, strict=True)
    ]
    assert np.trapezoid(force, depth) > 0


# A constant coefficient: in approach only, F + c max(0, δ̇), and linear, max(0, F + c δ̇)


@given(st.floats(0, 1e4), st.floats(0, 1e9), st.floats(0, 1e5), st.floats(-1, 1))
def test_damping_by_a_constant_coefficient(force, stiffness, damping, rate):
    approach = damped(force, stiffness, DAMPING_APPROACH, damping, rate)
    viscous = damped(force, stiffness, DAMPING_VISCOUS, damping, rate)
    assert approach[0] == pytest.approx(force + damping * max(0.0, rate), rel=1e-14)
    assert viscous[0] == pytest.approx(max(0.0, force + damping * rate), rel=1e-14)
    assert approach[1] == (stiffness if approach[0] > 0 or rate <= 0 else 0.0)
    if rate <= 0:
        assert approach[2] == 0.0
    else:
        assert viscous == approach
    if viscous[0] == 0.0:  # it has let go: nothing pulls, nothing resists
        assert viscous == (0.0, 0.0, 0.0)
    else:
        assert viscous[1:] == (stiffness, damping)


def test_a_constant_coefficient_pushes_at_first_touch():
    """Where the elastic force is zero still, as in Eq. 11 of arXiv 2604.02387."""
    for form in (DAMPING_APPROACH, DAMPING_VISCOUS):
        assert damped(0.0, 0.0, form, 1e5, 0.01)[0] == pytest.approx(1e3)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"form": "kelvin"}, "no damping of the form 'kelvin'; choose one of hunt-crossley, app"),
        ({"coefficient": -1.0}, "damping of -1 s/m must not be negative; zero leaves it out"),
        ({"coefficient": -1.0, "form": "viscous"}, "damping of -1 N·s/m must not be negative"),
        ({"coefficient": math.nan}, "damping of nan s/m must not be negative"),
    ],
)
def test_a_damping_that_is_none_is_refused(given, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        Damping(**given)
