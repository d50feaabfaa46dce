"""The tightest pin against the gaps of all pins, found by brute force over turns of the disc."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.spatial import KDTree

from flank.geometry.curve import evaluate
from flank.geometry.cycloid import Cycloid
from flank.geometry.findings import smallest_clearance
from flank.geometry.pin_clearance import PinRing, tightest_pin

PINS = 14


@pytest.fixture(scope="module")
def disc():
    return Cycloid(PINS, 34e-3, 3.5e-3, 1.5e-3, 12e-6, 0.0)


def ring(radius=0.0, outward=0.0, along=0.0, pins=PINS):
    none = np.zeros(pins)
    return PinRing(34e-3, 3.5e-3 + none + radius, none + outward, none + along)


def only(pin, size):
    return np.where(np.arange(PINS) == pin, size, 0.0)


def brute_force(profile, pins, farther=0.0, crank_angles=112, per_lobe=3000):
    """Least over crank angles of the most that turning the disc leaves the tightest pin."""
    t = np.arange(per_lobe * profile.lobes) * (2 * math.pi / (per_lobe * profile.lobes))
    tree = KDTree(evaluate(profile, t)[:, :2])
    places = np.exp(2j * math.pi * np.arange(profile.pins) / profile.pins)
    centres = places * (pins.circle_radius + pins.radial + 1j * pins.tangential)

    def gaps(crank, turn):
        seen = centres - (profile.eccentricity + farther) * np.exp(1j * crank)
        seen = seen * np.exp(1j * (crank / profile.lobes - turn))
        return tree.query(np.column_stack((seen.real, seen.imag)))[0] - pins.radius

    found = []
    for crank in 2 * math.pi * np.arange(crank_angles) / crank_angles:
        best = minimize_scalar(
            lambda turn, crank=crank: -gaps(crank, turn).min(),
            bounds=(-2e-3, 2e-3),
            method="bounded",
            options={"xatol": 1e-8},
        )
        found.append((-best.fun, int(np.argmin(gaps(crank, best.x)))))
    return min(found)


ERRORS = np.random.default_rng(7).uniform(-1, 1, (3, PINS))


@pytest.mark.parametrize(
    "pins",
    [
        ring(radius=10e-6),
        ring(outward=-10e-6),
        ring(along=20e-6),
        ring(radius=only(3, 20e-6)),
        ring(outward=only(5, -20e-6)),
        ring(along=only(2, 30e-6)),
        ring(*(15e-6 * ERRORS)),
    ],
)
def test_equals_brute_force(disc, pins):
    """To first order: 20 um make second-order differences of some hundredths of a micrometre."""
    found = tightest_pin(disc, pins)
    assert found.clearance == pytest.approx(brute_force(disc, pins)[0], abs=1e-7)


@pytest.mark.parametrize("farther", [-20e-6, 15e-6])
def test_an_eccentric_that_is_off_equals_brute_force(disc, farther):
    found = tightest_pin(disc, ring(), eccentricity_error=farther)
    assert found.clearance == pytest.approx(brute_force(disc, ring(), farther)[0], abs=1e-7)


@pytest.mark.parametrize("pin", [0, 3, 13])
def test_the_pin_that_is_too_large_is_named(disc, pin):
    found = tightest_pin(disc, ring(radius=only(pin, 30e-6)))
    assert found.pin == pin
    assert found.clearance == pytest.approx(-18e-6, abs=1e-9)


def test_of_equal_pins_the_first_is_named(disc):
    for error in (10e-6, 20e-6, -3e-6):
        assert tightest_pin(disc, ring(radius=error)).pin == 0


def test_without_errors_it_is_the_clearance_of_the_profile(disc):
    found = tightest_pin(disc, ring(), play=2e-6)
    assert found.clearance == pytest.approx(smallest_clearance(disc, 34e-3, 3.5e-3, 2e-6), abs=1e-9)


def test_a_ring_turned_as_a_whole_leaves_the_room_it_had(disc):
    """The disc turns with it; to first order nothing is lost."""
    turned = tightest_pin(disc, ring(along=25e-6)).clearance
    assert turned == pytest.approx(tightest_pin(disc, ring()).clearance, abs=1e-9)


def test_pins_outward_give_room_and_inward_take_it(disc):
    plain = tightest_pin(disc, ring()).clearance
    assert tightest_pin(disc, ring(outward=5e-6)).clearance > plain
    assert tightest_pin(disc, ring(outward=-5e-6)).clearance < plain
