"""Flanks of a gear from points of its outline."""

from dataclasses import replace

import numpy as np
import pytest

from flank.geometry.gear import Gear, Relief
from flank.geometry.gear_pair import GearPair
from flank.geometry.measured_teeth import check_measured_teeth, measured_flanks
from flank.geometry.tooth_outline import gear_outline

GEAR = Gear(38, 2e-3, np.radians(20), addendum=0.7, edge_radius=0.04e-3)
RING = Gear(
    40, 2e-3, np.radians(20), profile_shift=-0.6, internal=True, addendum=0.7, edge_radius=0.04e-3
)
PAIR = GearPair(GEAR, RING)


def outline(gear=GEAR, points=12):
    return np.column_stack(gear_outline(gear, points))[:-1]


POINTS = outline()


def test_points_of_the_gear_itself_lack_nothing():
    removed = measured_flanks(POINTS, GEAR).removed
    assert removed.shape == (38, 2, 33)
    assert np.abs(removed).max() < 1e-15
    assert list(check_measured_teeth(POINTS, PAIR)) == []


def test_thinner_teeth_lack_as_much_everywhere():
    """s cos α/2 on either flank, by the thickness at the reference circle."""
    thin = replace(GEAR, thickness_deviation=-20e-6)
    removed = measured_flanks(outline(thin), GEAR).removed
    np.testing.assert_allclose(removed, 10e-6 * np.cos(GEAR.pressure_angle), rtol=1e-9)


def test_a_turned_gear_lacks_on_one_side_what_it_has_on_the_other():
    turn = 1e-4
    turned = POINTS @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    removed = measured_flanks(turned, GEAR).removed
    np.testing.assert_allclose(removed[:, 0], -GEAR.base_radius * turn, rtol=1e-9)
    np.testing.assert_allclose(removed[:, 1], GEAR.base_radius * turn, rtol=1e-9)


def test_one_tooth_with_a_tip_relief_is_found_where_it_is():
    relief = Relief(20e-6, 1.5e-3, 2.0)
    rows = outline(GEAR, 40).reshape(38, -1, 2).copy()
    angle, radius = np.arctan2(rows[5, :, 1], rows[5, :, 0]), np.hypot(*rows[5].T)
    roll = np.sqrt(np.maximum(radius**2 - GEAR.base_radius**2, 0))
    eased = replace(GEAR, relief=relief)
    middle = 5 * GEAR.pitch_angle
    taken = np.array([eased.relieved(r) for r in np.minimum(roll, GEAR.edge_roll_length)])
    angle -= np.sign(angle - middle) * taken / GEAR.base_radius
    rows[5] = np.column_stack((radius * np.cos(angle), radius * np.sin(angle)))
    flanks = measured_flanks(rows.reshape(-1, 2), GEAR)
    grid = flanks.start + flanks.step * np.arange(33)
    expected = np.array([eased.relieved(r) for r in grid])
    np.testing.assert_allclose(flanks.removed[5, 0], expected, atol=0.1e-6)
    others = np.delete(flanks.removed, 5, axis=0)
    assert np.abs(others).max() < 1e-12


def swapped(points, first):
    points = points.copy()
    points[[first, first + 1]] = points[[first + 1, first]]
    return points


WAVING = POINTS * (1 + 2e-8 * np.random.default_rng(1).normal(size=(len(POINTS), 1)))
WAVING = WAVING + np.random.default_rng(2).normal(0, 1e-6, POINTS.shape)


@pytest.mark.parametrize(
    ("points", "code", "severity"),
    [
        (POINTS * 1e3, "points-in-other-units", "error"),
        (np.random.default_rng(1).permutation(POINTS), "points-out-of-order", "error"),
        (swapped(POINTS, 30), "points-turn-back", "error"),
        (POINTS[::8], "few-points", "error"),
        (POINTS + np.array([0.3e-3, 0.0]), "far-from-nominal", "error"),
        (np.delete(POINTS, range(26, 31), axis=0), "points-missing", "error"),
        (WAVING, "flanks-wave", "warning"),
    ],
    ids=["millimetres", "shuffled", "two exchanged", "few", "off centre", "a gap", "noise"],
)
def test_what_is_wrong_with_points_is_one_finding(points, code, severity):
    (finding,) = check_measured_teeth(points, PAIR)
    assert (finding.code, finding.severity) == (code, severity)
