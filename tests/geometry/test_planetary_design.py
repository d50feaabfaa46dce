"""The search for tooth numbers finds what trying every combination finds."""

import math
from fractions import Fraction
from itertools import product

import pytest

from flank.geometry.planetary import equal_directions, neighbour_gap
from flank.geometry.planetary_design import Search, design_gap, designs, ratio_limits
from flank.geometry.willis import ToothNumbers


def tried(search):
    """Every combination within the bounds, each condition written out."""
    found = set()
    suns = range(search.least_teeth, search.most_sun_teeth + 1)
    for sun, ring in product(suns, range(search.least_teeth, search.most_ring_teeth + 1)):
        value = {
            "ring": Fraction(ring + sun, sun),
            "sun": Fraction(ring + sun, ring),
            "carrier": Fraction(ring, sun),
        }[search.held]
        if abs(float(value) / search.ratio - 1) > search.tolerance:
            continue
        for planet, count in product(range(search.least_teeth, ring), search.planets):
            short = Fraction(ring - sun, 2) - planet
            if not 0 <= short <= search.shift or (sun + ring) % count:
                continue
            tip, a = (ring - sun) / 4 + 1, (sun + ring) / 4
            if neighbour_gap(equal_directions(count), a, tip) > search.clearance:
                found.add((sun, planet, ring, count))
    return found


@pytest.mark.parametrize(
    "search",
    [
        Search(5.55, most_sun_teeth=30, most_ring_teeth=140),
        Search(4.0, "ring", (3, 4, 5, 6), 0.051, 15, 32, 110, 1.5, 2.0),
        Search(1.25, "sun", (3, 4), 0.0101, 12, 40, 120),
        Search(1.6, "sun", (3, 6), 0.04, 12, 60, 100),
        Search(3.2, "carrier", (2, 3, 4), 0.03, 12, 30, 99, 0.0),
    ],
)
def test_search_finds_all(search):
    found = [(*d.teeth, d.planets) for d in designs(search)]
    assert len(found) == len(set(found))
    assert set(found) == tried(search)
    assert found


def test_nearest_ratio_and_fewest_teeth_first():
    found = designs(Search(5.55))
    assert found[0].teeth == (20, 35, 91)
    off = [round(abs(d.deviation), 9) for d in found]
    assert off == sorted(off)
    assert off[0] == 0


def test_what_a_design_says():
    one = next(d for d in designs(Search(5.55)) if d.teeth == (20, 35, 91))
    assert (one.planets, one.ratio, one.shift) == (3, Fraction(111, 20), Fraction(1, 2))
    assert (one.step, one.phasing, one.excites) == (Fraction(2, 3), "sequential", "translational")
    assert one.common_factors == (5, 7)


def test_gap_between_unshifted_planets():
    """That of the tip circles: a = 30, r_a = 21 modules for 20/40/100."""
    gap = design_gap(ToothNumbers(20, 40, 100), 3)
    assert gap == pytest.approx(neighbour_gap(equal_directions(3), 30.0, 21.0))


def test_planetary_stages_of_the_nrel_5_mw_gearbox_are_among_the_results():
    for teeth in ((19, 17, 56), (18, 36, 93)):
        wanted = 1 + teeth[2] / teeth[0]
        assert teeth in [d.teeth for d in designs(Search(wanted, tolerance=1e-9, shift=1.5))]


@pytest.mark.parametrize("planets", [3, 4, 5, 6])
def test_largest_ratio_is_where_planets_touch(planets):
    """Approached from below with very many teeth, for every member held."""
    _, largest = ratio_limits("ring", planets)
    sun = 1_000_000
    for share, free in ((0.999, True), (1.001, False)):
        ring = round(sun * (share * largest - 1))
        assert (design_gap(ToothNumbers(sun, (ring - sun) // 2, ring), planets) > 0) == free
    assert ratio_limits("carrier", planets) == (1.0, pytest.approx(largest - 1))
    assert ratio_limits("sun", planets) == (pytest.approx(1 + 1 / (largest - 1)), 2.0)


def test_one_or_two_planets_never_touch():
    for planets in (1, 2):
        assert ratio_limits("ring", planets)[1] == math.inf
        assert ratio_limits("sun", planets)[0] == 1.0
