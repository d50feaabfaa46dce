"""Regularised Coulomb friction, both forms: arXiv 2604.02387, Eqs. 12 and 15."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from flank.contact.friction import sliding_share
from flank.contact.table import FRICTION_LINEAR, FRICTION_SMOOTH

FORMS = [FRICTION_SMOOTH, FRICTION_LINEAR]
velocities = st.floats(-10, 10)
regularizations = st.floats(1e-5, 0.1)


@given(velocities, regularizations)
def test_smooth_form(v, vr):
    """v/√(v² + v_r²)."""
    share, slope = sliding_share(FRICTION_SMOOTH, v, vr)
    assert share == pytest.approx(v / math.hypot(v, vr), rel=1e-13)
    assert slope == pytest.approx(vr**2 / math.hypot(v, vr) ** 3, rel=1e-12)


@given(velocities, regularizations)
def test_linear_form(v, vr):
    """sign(v) min(1, |v|/v_r)."""
    share, slope = sliding_share(FRICTION_LINEAR, v, vr)
    assert share == pytest.approx(math.copysign(min(1.0, abs(v) / vr), v), rel=1e-14)
    assert slope == (0.0 if abs(v / vr) > 1 else pytest.approx(1 / vr, rel=1e-14))


@pytest.mark.parametrize("form", FORMS)
@given(v=velocities, vr=regularizations)
def test_odd_bounded_and_rising(form, v, vr):
    share, slope = sliding_share(form, v, vr)
    back, back_slope = sliding_share(form, -v, vr)
    assert back == -share
    assert back_slope == slope >= 0
    assert abs(share) <= 1
    assert share * v >= 0
    assert sliding_share(form, v + 0.01, vr)[0] >= share


@pytest.mark.parametrize("form", FORMS)
@given(v=velocities, vr=regularizations)
def test_slope_is_the_derivative(form, v, vr):
    h = 1e-4 * vr
    if form == FRICTION_LINEAR and abs(abs(v) - vr) < 2 * h:
        return
    difference = (sliding_share(form, v + h, vr)[0] - sliding_share(form, v - h, vr)[0]) / (2 * h)
    assert sliding_share(form, v, vr)[1] * vr == pytest.approx(difference * vr, abs=1e-7)


@pytest.mark.parametrize("form", FORMS)
def test_slope_at_rest_is_one_over_the_regularization(form):
    assert sliding_share(form, 0.0, 1e-3) == pytest.approx((0.0, 1e3))
