"""smallest_clearance against the gaps of all pins, found by brute force in the centred pose."""

import math

import numpy as np
import pytest
from scipy.spatial import KDTree

from flank.geometry.curve import evaluate
from flank.geometry.cycloid import Cycloid
from flank.geometry.findings import smallest_clearance


def brute_force(profile, circle_radius, pin_radius, crank_angles=60, per_lobe=3000):
    """Smallest signed gap of any pin at many crank angles, from a dense polygon of the flank.

    The polygon's corners lie on the curve, so the gap is too large by at most (spacing)²/8ρ:
    5e-10 m here.
    """
    t = np.arange(per_lobe * profile.lobes) * (2 * math.pi / (per_lobe * profile.lobes))
    points = evaluate(profile, t)
    tree = KDTree(points[:, :2])
    ring = circle_radius * np.exp(2j * math.pi * np.arange(profile.pins) / profile.pins)
    smallest = math.inf
    for crank in np.linspace(0, 2 * math.pi, crank_angles):
        centre = profile.eccentricity * np.exp(1j * crank)
        seen = (ring - centre) * np.exp(1j * crank / profile.lobes)
        distance, _ = tree.query(np.column_stack((seen.real, seen.imag)))
        smallest = min(smallest, distance.min() - pin_radius)
    return smallest


CASES = [  # equidistant, radial, pin's radius error, circle's radius error, all in um
    (10, 0, 0, 0),
    (-10, 0, 0, 0),
    (0, 10, 0, 0),
    (0, -10, 0, 0),
    (15, -10, 0, 0),
    (-4, 12, 0, 0),
    (0, 0, 5, 0),
    (0, 0, 0, 8),
    (3, 5, -4, -7),
]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", ["A", "H"])
def test_equals_brute_force(sets, name, case):
    """Exact for Δr; for ΔR = 10 um within 0.1 um (reference, 7.5)."""
    plain = sets[name]
    equidistant, radial, pin_error, circle_error = (1e-6 * value for value in case)
    profile = Cycloid(
        plain.pins,
        plain.pin_circle_radius,
        plain.pin_radius,
        plain.eccentricity,
        equidistant,
        radial,
    )
    circle_radius = plain.pin_circle_radius + circle_error
    pin_radius = plain.pin_radius + pin_error
    found = smallest_clearance(profile, circle_radius, pin_radius)
    expected = brute_force(profile, circle_radius, pin_radius)
    tolerance = 1e-9 if radial == circle_error == 0 else 1e-7
    assert found == pytest.approx(expected, abs=tolerance)


def test_play_of_the_pins_adds(sets):
    profile = Cycloid(40, 64e-3, 3e-3, 1.3e-3, equidistant=-5e-6)
    assert smallest_clearance(profile, 64e-3, 3e-3, 12e-6) == pytest.approx(7e-6, abs=1e-15)


def test_unmodified_profile_has_none(profile):
    clearance = smallest_clearance(profile, profile.pin_circle_radius, profile.pin_radius)
    assert abs(clearance) < 1e-17
