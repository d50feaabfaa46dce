"""The undercut limit R√[27(1-K1²)(z_p-1)/(z_p+1)³], or the tip's R(1+K1)²/(1+z_p K1)."""

import math

import numpy as np
import pytest

from flank.geometry.curve import evaluate
from flank.geometry.cycloid import Cycloid


@pytest.mark.parametrize(
    ("name", "millimetres"), [("A", 4.6117), ("B", 6.0633), ("D", 9.9932), ("H", 8.6232)]
)
def test_table_of_the_reference(sets, name, millimetres):
    """Reference, section 7, item 2."""
    assert sets[name].minimum_convex_radius * 1e3 == pytest.approx(millimetres, abs=5e-5)


def smallest_sampled_radius(pins, radius, eccentricity):
    """Of the pin-centre curve, which is the profile cut by a pin of radius zero."""
    centre_curve = Cycloid(pins, radius, 0.0, eccentricity)
    t = np.linspace(0.0, math.pi / centre_curve.lobes, 200_001)
    return 1 / evaluate(centre_curve, t)[:, 5].max()


@pytest.mark.parametrize("pins", [4, 14, 40, 75])
@pytest.mark.parametrize("shortening", [0.05, 0.3, 0.49, 0.52, 0.8, 0.95])
def test_equals_the_sampled_curvature(pins, shortening):
    """On both sides of K1 = (z_p-2)/(2z_p-1); a quadratic minimum sampled at 1e-5 of a lobe."""
    radius = 0.1
    eccentricity = shortening * radius / pins
    exact = Cycloid(pins, radius, 1e-3, eccentricity).minimum_convex_radius
    assert smallest_sampled_radius(pins, radius, eccentricity) == pytest.approx(exact, rel=1e-8)


@pytest.mark.parametrize("pins", [4, 14, 40])
def test_both_branches_meet(pins):
    limit = (pins - 2) / (2 * pins - 1)
    low, high = (
        Cycloid(pins, 0.1, 1e-3, k1 * 0.1 / pins).minimum_convex_radius
        for k1 in (limit * (1 - 1e-9), limit * (1 + 1e-9))
    )
    assert low == pytest.approx(high, rel=1e-8)


def test_a_cutter_of_that_radius_stops_the_curve(profile):
    """|P'| vanishes somewhere for r = ρ_min and nowhere for r = 0.999 ρ_min."""
    limit = profile.minimum_convex_radius
    t = np.linspace(0.0, 2 * math.pi / profile.lobes, 100_001)
    for share, regular in ((0.999, True), (1.001, False)):
        cut = Cycloid(profile.pins, profile.pin_circle_radius, share * limit, profile.eccentricity)
        assert bool(evaluate(cut, t)[:, 4].min() > 0) is regular


@pytest.mark.parametrize("pins", [4, 14, 40])
@pytest.mark.parametrize("share", [0.97, 0.99, 1.01, 1.03])
def test_equals_the_sampled_curvature_next_to_where_the_branches_meet(pins, share):
    """Both formulas are close to each other there, yet only one of them is the minimum."""
    eccentricity = share * (pins - 2) / (2 * pins - 1) * 0.1 / pins
    exact = Cycloid(pins, 0.1, 1e-3, eccentricity).minimum_convex_radius
    assert smallest_sampled_radius(pins, 0.1, eccentricity) == pytest.approx(exact, rel=1e-9)
