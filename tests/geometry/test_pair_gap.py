"""Separation beyond the path of contact, against the distance of dense outlines."""

import cmath
import math

import numpy as np
import pytest
from scipy.spatial import cKDTree

from flank.geometry.gear import Gear, Relief
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_gap import separation
from flank.geometry.tooth_outline import half_outline

ANGLE = math.radians(20)


def gear(teeth, shift=0.0, internal=False, **options):
    return Gear(teeth, 10e-3, ANGLE, shift, internal, edge_radius=0.5e-3, **options)


OUTSIDE = GearPair(gear(20), gear(40))
INSIDE = GearPair(gear(35, 0.419), gear(91, -0.84, True))


def flank_points(shape, tooth, side, count):
    """Flank and rounded edge on one side of a tooth, about the gear's centre."""
    outline = half_outline(shape)
    line = np.concatenate([p.point(p.spread(count)) for p in (outline.flank, outline.edge)])
    return (line if side > 0 else line.conj()) * cmath.exp(1j * tooth)


def distance(pair, roll, approach):
    """Least distance of the two teeth's outlines: coarse points say where, dense ones how much."""
    first, second = pair.first, pair.second
    at_first = roll / first.base_radius - first.base_half_angle - pair.working_angle
    other = math.pi if pair.sign > 0 else 0.0
    at_second = other + pair.sign * (pair.gap(1, at_first, other) + approach) / second.base_radius
    assert pair.gap(1, at_first, at_second) == pytest.approx(-approach, abs=1e-15)
    place, found = None, math.inf
    for count in (800, 60000):
        mine = flank_points(first, at_first, 1, count) - pair.sign * pair.centre_distance
        theirs = flank_points(second, at_second, pair.sign, count)
        if place is not None:
            mine, theirs = (line[np.abs(line - place) < 2e-4] for line in (mine, theirs))
        tree = cKDTree(np.column_stack((theirs.real, theirs.imag)))
        distances = tree.query(np.column_stack((mine.real, mine.imag)))[0]
        place, found = mine[np.argmin(distances)], float(np.min(distances))
    return found


@pytest.mark.parametrize("pair", [OUTSIDE, INSIDE])
@pytest.mark.parametrize("past", [0.03, 0.15])
@pytest.mark.parametrize("end", [0, 1])
def test_edge_touches_where_the_separation_is_used_up(pair, past, end):
    roll = pair.path[end] + (2 * end - 1) * past * pair.base_pitch
    apart = separation(pair, roll)
    assert apart > 1e-7
    assert distance(pair, roll, apart) < 2e-7  # spacing of the points
    short = 5e-6
    left = distance(pair, roll, apart - short)
    assert 0.5 * short < left < 1.01 * short


@pytest.mark.parametrize("pair", [OUTSIDE, INSIDE])
def test_separation_begins_at_the_ends_of_the_path_as_a_parabola(pair):
    for end, side in zip(pair.path, (-1, 1), strict=True):
        near, far = (separation(pair, end + side * k * 1e-3 * pair.base_pitch) for k in (1, 2))
        assert 0 < near < 1e-7
        assert far == pytest.approx(4 * near, rel=0.02)
    assert separation(pair, sum(pair.path) / 2) == 0.0


def test_tip_relief_of_both_gears_separates_inside_the_path():
    relief = Relief(20e-6, 5e-3)
    pair = GearPair(gear(20, relief=relief), gear(40, relief=relief))
    start, end = pair.path
    assert separation(pair, start) == pytest.approx(20e-6)
    assert separation(pair, end) == pytest.approx(20e-6)
    assert separation(pair, end - 2.5e-3) == pytest.approx(5e-6)
