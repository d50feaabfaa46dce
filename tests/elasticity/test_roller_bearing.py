"""Ratings and lives of roller bearings against tables, worked examples and each other."""

import math

import numpy as np
import pytest

from flank.elasticity.roller_bearing import (
    LAMINAE,
    RollerBearing,
    edge_factors,
    equivalent_load,
    lamina_loads,
    lamina_places,
    race_load,
)

BEARING = RollerBearing(14, 10e-3, 9.6e-3, 65e-3)

TABLE_7 = {0.01: 52.1, 0.05: 74.1, 0.10: 84.2, 0.14: 87.7, 0.18: 88.8, 0.22: 88.2, 0.30: 83.8}
"""f_c of ISO 281 by D cos α/D_p."""

SHIGLEY = {
    # Shigley's Mechanical Engineering Design: millions of turns, force and rating in kN
    "8th edition, problem 11-3": (1440.0, 10.279, 91.1),
    "8th edition, problem 11-8": (180.0, 12.0, 57.0),
    "10th edition, problem 11-3": (1248.0, 13.92, 118.0),
}


@pytest.mark.parametrize("gamma", TABLE_7)
def test_rating_factor_is_that_of_table_7(gamma):
    """Of a bearing of one roller of 1 mm by 1 mm what is left of C is b_m f_c."""
    bearing = RollerBearing(1, 1e-3, 1e-3, 1e-3 / gamma)
    assert bearing.dynamic_rating / 1.1 == pytest.approx(TABLE_7[gamma], abs=0.11)


@pytest.mark.parametrize("example", SHIGLEY)
def test_life_of_worked_examples(example):
    """Solutions of straight roller bearings: the rating that lasts for a given number of turns."""
    millions, force, rating = SHIGLEY[example]
    share = BEARING.dynamic_rating / (rating * 1e3)
    found = BEARING.life(force * 1e3 * share) / 1e6
    assert found == pytest.approx(millions, rel=0.015)  # ratings are printed with three digits


def test_tilted_rollers_rate_by_their_radial_part():
    tilted = RollerBearing(14, 10e-3, 9.6e-3, 65e-3, math.radians(60))
    assert tilted.slenderness == pytest.approx(0.5 * BEARING.slenderness)
    assert tilted.static_rating == pytest.approx(
        0.5 * BEARING.static_rating * (1 - tilted.slenderness) / (1 - BEARING.slenderness)
    )


def test_static_rating_is_4000_mpa_at_the_roller_that_carries_most():
    """ISO 76 rests on Q = 5 F/Z of the most loaded roller and 4000 MPa at the inner race."""
    roller = 5 * BEARING.static_rating / BEARING.count
    curvature = 2 / BEARING.diameter + 2 / (BEARING.pitch_diameter - BEARING.diameter)
    modulus = 206e9 / (2 * (1 - 0.3**2))
    pressure = math.sqrt(roller / BEARING.length * modulus * curvature / math.pi)
    assert pressure == pytest.approx(4000e6, rel=0.02)


def rollers(force, turn):
    """Forces (time, roller) of half the rollers, in a bearing whose inner race makes one turn,
    and places on both races, against the direction of the load."""
    at_rest = 2 * math.pi * np.arange(BEARING.count) / BEARING.count
    angles = at_rest + 0.42 * turn[:, None]
    shares = np.maximum(np.cos(angles), 0.0) ** (10 / 9)
    forces = force * shares / np.sum(shares * np.cos(angles), axis=1, keepdims=True)
    return forces, (angles - turn[:, None]) / (2 * math.pi), angles / (2 * math.pi)


def sliced(forces):
    return np.repeat(forces[..., None] / LAMINAE, LAMINAE, axis=-1)


def test_loads_of_races_are_the_means_of_the_norm():
    """Power 4 for a race that turns against the load, 9/2 for one that stands."""
    forces, on_inner, on_outer = rollers(1e4, np.linspace(0, 2 * math.pi, 96, endpoint=False))
    loads = sliced(forces)
    inner, outer = (race_load(loads, places)[0] * LAMINAE for places in (on_inner, on_outer))
    assert inner == pytest.approx(np.mean(forces**4) ** 0.25, rel=1e-3)
    assert outer == pytest.approx(np.mean(forces**4.5) ** (1 / 4.5), rel=5e-3)


def test_reference_life_at_the_dynamic_rating():
    """Under F = C, half the rollers loaded and each evenly along its length, a bearing lasts for
    a million turns but for what ISO 281 takes off for uneven loads: 0.83^-4 of it."""
    forces, on_inner, on_outer = rollers(
        BEARING.dynamic_rating, np.linspace(0, 2 * math.pi, 96, endpoint=False)
    )
    loads = sliced(forces)
    life = BEARING.reference_life(race_load(loads, on_inner), race_load(loads, on_outer))
    assert life == pytest.approx(1e6 * 0.83**-4, rel=0.03)


def test_laminae_carry_the_force_of_their_roller():
    places = lamina_places(BEARING.length)
    for tilt in (0.0, 3e-4, 1e-2):  # the last lifts half of the roller
        gaps = tilt * (places - places.min())
        loads = lamina_loads(np.array([4e3, 0.0]), np.broadcast_to(gaps, (2, LAMINAE)), 9.6e-3)
        assert loads[0].sum() == pytest.approx(4e3)
        assert not loads[1].any()
        depth = (loads[0] / loads[0, 0]) ** 0.9  # the spring's inverse: linear in the tilt
        steps = np.diff(depth[loads[0] > 0])
        assert np.ptp(steps) < 1e-9
    assert (loads[0] == 0).any()


def test_even_load_presses_as_the_norm_says():
    """δ = (Q/35948 L^(8/9))^0.9 in mm, a roller of 10 mm under 35948 N being pressed 0.129 mm."""
    loads = lamina_loads(np.array([1e3]), np.zeros((1, LAMINAE)), 10e-3)
    assert np.ptp(loads) < 1e-9
    gap = (1e3 / (35948 * 10 ** (8 / 9))) ** 0.9 * 1e-3
    lifted = np.zeros((1, LAMINAE))
    lifted[0, 0] = gap * 0.999
    assert lamina_loads(np.array([1e3]), lifted, 10e-3)[0, 0] > 0
    lifted[0, 0] = gap * 1.05
    assert lamina_loads(np.array([1e3]), lifted, 10e-3)[0, 0] == 0


def test_ends_of_a_roller_are_stressed_more():
    factors = edge_factors()
    assert factors == pytest.approx(factors[::-1])
    assert factors[0] == pytest.approx(1 - 0.01 / math.log(1.985 / 2))
    assert 1 < factors[LAMINAE // 2] < 1.01
    assert np.isfinite(edge_factors(31)).all()


def test_equivalent_load_lies_between_mean_and_largest():
    loads = np.array([1.0, 2.0, 3.0])
    assert equivalent_load(np.full(5, 7.0)) == pytest.approx(7.0)
    assert 2.0 < equivalent_load(loads) < 3.0
