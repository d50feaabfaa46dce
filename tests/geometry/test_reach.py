"""reach: the smallest concave radius of the flank less the circle's radius."""

import math

import numpy as np
import pytest

from flank.geometry.curve import Circle, equal_arc_length_points, evaluate, reach
from flank.geometry.polyline import Polyline
from flank.geometry.spline import ClosedSpline


def valley_radius(profile):
    """R(1-K1)²/(z_p K1 - 1) of the pin-centre curve at the root, plus the pin's radius."""
    k1, zp = profile.shortening, profile.pins
    return profile.generating_radius * (1 - k1) ** 2 / (zp * k1 - 1) + profile.offset


def test_of_a_cycloid_is_the_radius_of_its_valley(profile):
    """For the pin that cut the flank: 71.4 um for set A, 650 um for set H."""
    expected = valley_radius(profile) - profile.pin_radius
    assert reach(profile, profile.pin_radius) == pytest.approx(expected, rel=1e-12)


def test_set_values(sets):
    assert reach(sets["A"], 3e-3) == pytest.approx(7.142857e-5, rel=1e-7)
    assert reach(sets["H"], 3.5e-3) == pytest.approx(6.5e-4, rel=1e-12)


def test_falls_by_what_the_circle_grows(profile):
    small, large = (reach(profile, radius) for radius in (1e-3, 1.5e-3))
    assert small - large == pytest.approx(0.5e-3, rel=1e-12)


def test_of_circles_and_polylines(profile):
    """A bore is concave everywhere, a disc nowhere; a polyline promises nothing."""
    assert reach(Circle(0.02, hole=True), 0.005) == pytest.approx(0.015, rel=1e-14)
    assert reach(Circle(0.02), 0.005) == math.inf
    assert reach(Polyline(evaluate(profile, np.linspace(0, 6, 50))[:, :2]), 0.003) == 0.0


def test_of_a_spline_approaches_that_of_its_cycloid(sets):
    """The curvature of a cubic spline converges at second order: 0.4 um at 100 points a lobe."""
    profile = sets["A"]
    exact = reach(profile, profile.pin_radius)
    errors = [
        abs(
            reach(
                ClosedSpline(equal_arc_length_points(profile, n * profile.lobes)),
                profile.pin_radius,
            )
            - exact
        )
        for n in (100, 200)
    ]
    assert errors[0] < 1e-6
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.3)
