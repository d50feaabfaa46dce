"""The law of line contact read backwards, for any depth."""

import math

import numpy as np
import pytest

from flank.contact.laws import line_contact
from flank.elasticity.line_contact import LEAST_W, line_approach, line_load

SLOPE = 2.8e-12  # two steel bodies, 1/Pa
CONSTANTS = SLOPE * np.array([8.0, 25.0, 40.0, 90.0, 400.0])
LOADS = 10.0 ** np.linspace(-280, 60, 341)


@pytest.mark.parametrize("constant", CONSTANTS)
def test_load_and_approach_are_inverse_to_round_off(constant):
    """From loads that no scale can show to those far beyond where the law ends; Newton's last step
    must have nothing left to do, which only the right slope achieves in so few."""
    depths = np.array([float(line_approach(load, constant, SLOPE)) for load in LOADS])
    assert np.all(np.diff(depths) > 0)
    np.testing.assert_allclose(line_load(depths, np.array(constant), SLOPE), LOADS, rtol=1e-12)


@pytest.mark.parametrize("constant", CONSTANTS)
def test_within_its_range_the_approach_is_the_law(constant):
    loads = np.exp(constant / SLOPE - np.linspace(LEAST_W, 60, 50))
    for load in loads:
        law = load * (constant - SLOPE * math.log(load))
        assert float(line_approach(load, constant, SLOPE)) == pytest.approx(law, rel=1e-12)


def test_beyond_its_range_a_contact_keeps_the_last_stiffness():
    constant = 25 * SLOPE
    last = math.exp(25 - LEAST_W)
    at = [float(line_approach(share * last, constant, SLOPE)) for share in (1 - 1e-6, 1, 1 + 1e-6)]
    below, above = (1e-6 * last / (at[k + 1] - at[k]) for k in (0, 1))
    assert below == pytest.approx(above, rel=1e-5)
    far = [float(line_approach(share * last, constant, SLOPE)) for share in (1e3, 1e3 + 1)]
    assert last / (far[1] - far[0]) == pytest.approx(above, rel=1e-5)


@pytest.mark.parametrize("depth", [1e-12, 1e-7, 1e-5, 1e-3, 0.3])
def test_contacts_of_the_model_follow_the_same_law(depth):
    constant = 30 * SLOPE
    force, _, _ = line_contact(depth, constant, SLOPE, 1.0, 1.0)
    assert force == pytest.approx(float(line_load(np.array(depth), constant, SLOPE)), rel=1e-10)


def test_nothing_touches_at_no_depth():
    depths = np.array([-1.0, -1e-300, 0.0])
    np.testing.assert_array_equal(line_load(depths, np.array(30 * SLOPE), SLOPE), 0.0)
