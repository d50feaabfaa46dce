"""Flanks that roll without load, against closed forms, a published pair and mirror images."""

from functools import cache

import nasa_pair
import numpy as np
import pytest
from involute_flanks import FACE, PRESSURE_ANGLE, spur_pair

from flank.geometry.flank_pair import FlankPair, NoContact
from flank.geometry.spline_surface import SplineSurface
from flank.geometry.unloaded_contact import (
    contact_pattern,
    ease_off,
    hand_over,
    motion_curve,
    transmission_error,
)

ARC_SECOND = np.radians(1 / 3600)
SIDES = {
    "concave": (nasa_pair.PINION_CONCAVE, nasa_pair.MATCHED_CONVEX),
    "convex": (nasa_pair.PINION_CONVEX, nasa_pair.MATCHED_CONCAVE),
}


@cache
def bevel_pair(side):
    surfaces = [SplineSurface(nasa_pair.flank_grid(cut, 49, 35)) for cut in SIDES[side]]
    return FlankPair((surfaces[0], surfaces[1]), (12, 36))


def test_the_spiral_bevel_pair_rolls_as_an_independent_program_says():
    """Its curve of one tooth pair, on surfaces without borders, in arc seconds."""
    pair = bevel_pair("concave")
    angles = np.radians([-15, -10, -5, 5, 10, 15, -0.031])
    curve = motion_curve(pair, pair.touching(angles, within=False)) / ARC_SECOND
    expected = [6.10, 3.03, 0.84, 1.00, 4.35, 10.63]
    np.testing.assert_allclose(curve[:-1] - curve[-1], expected, atol=0.05)
    angle, level = hand_over(pair)
    assert level / ARC_SECOND == pytest.approx(7.57, abs=0.05)
    assert np.degrees(angle) == pytest.approx(12.9, abs=0.1)


def test_its_contact_path_is_where_that_program_has_it():
    touching = bevel_pair("concave").touching(np.radians([-10, 0, 10]))
    face_and_height = 0.5 * (touching.places[:, 2:] + 1)
    expected = [(0.556, 0.192), (0.548, 0.449), (0.525, 0.716)]
    np.testing.assert_allclose(face_and_height, expected, atol=2e-3)
    assert not touching.edges.any()


@pytest.mark.parametrize("side", SIDES)
def test_peak_to_peak_is_that_between_positions_too(side):
    """Where curves cross, whatever the positions are, and never less than at some of them."""
    few, many = (transmission_error(bevel_pair(side), positions) for positions in (16, 61))
    assert few.peak_to_peak == pytest.approx(many.peak_to_peak, rel=1e-4)
    assert many.peak_to_peak > np.ptp(many.error)


@pytest.mark.parametrize("end", [-1, 1])
def test_spur_teeth_without_crowning_touch_at_an_end_of_misaligned_axes(end):
    pair = spur_pair(crowning=0.0, alpha=end * 1e-4)
    straight = spur_pair(crowning=0.0)
    assert pair.starts_on_edge
    assert not straight.starts_on_edge
    assert abs(pair.start[1]) == pytest.approx(1.0)
    assert transmission_error(pair, 16).peak_to_peak < 1e-3 * ARC_SECOND
    # the end is nearer by half the face times the angle, of which the working angle's cosine counts
    first, *_, second = pair.start
    known, *_, other = straight.start
    moved = (second - pair.ratio * first) - (other - straight.ratio * known)
    assert abs(moved) * 72e-3 == pytest.approx(0.5 * FACE * 1e-4, rel=1e-3)


@pytest.mark.parametrize("side", SIDES)
def test_flanks_touch_and_do_not_overlap(side):
    """At every position, edges and neighbouring teeth counted: the least separation of the flanks
    over a grid is what a grid leaves beside the contact, and more where a tip touches below the
    other flank's root border. Were the tooth that pushes farthest another one, they would."""
    pair = bevel_pair(side)
    pattern = contact_pattern(pair, positions=24)
    least = pattern.by_position.reshape(3, 24, -1).min(axis=(0, 2))
    assert least.min() > -1e-9
    assert np.median(least) < 0.5e-6
    assert least.max() < 5e-6
    assert pair.push == {"concave": 1, "convex": -1}[side]


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("direction", ["e", "p", "g"])
def test_misalignment_by_a_tenth_moves_the_contact_both_ways(side, direction):
    pair = bevel_pair(side)
    off = [pair.misaligned(**{direction: shift}) for shift in (-1e-4, 1e-4)]
    moved = np.array([transmission_error(each, 24).touching.places[:, 2] for each in off])
    middles = [each.touching(each.start[0]).places[0, 2] for each in (*off, pair)]
    assert np.isfinite(moved).all()
    if direction != "g" or side == "concave":
        assert (middles[0] - middles[2]) * (middles[1] - middles[2]) < 0


def test_on_its_edge_a_tooth_pushes_less_than_its_surface_would_beyond():
    pair = bevel_pair("concave")
    angles = np.radians([-20.0, -15.0, 20.5])
    edge, beyond = (pair.touching(angles, within) for within in (True, False))
    assert np.all(edge.edges == 1)
    assert np.all(motion_curve(pair, edge) < motion_curve(pair, beyond))
    np.testing.assert_allclose(edge.places[:2, 1], 1.0, atol=1e-12)
    assert edge.places[2, 3] == pytest.approx(1.0)


def test_involute_teeth_have_the_exact_ratio_and_their_crowning_for_ease_off():
    pair = spur_pair(crowning=10e-6)
    error = transmission_error(pair, 40)
    inside = ~error.on_edge
    assert inside.sum() > 30
    assert np.ptp(error.error[inside]) < 1e-9
    relief = ease_off(pair, 7, 9)
    np.testing.assert_allclose(relief.relief, 10e-6 * relief.u**2, atol=2e-9)


def test_skewed_axes_move_the_contact_of_crowned_teeth_by_what_they_lean():
    """α along the line of centres turns the flanks by α cos α_t in the plane of action; the relief
    c u² has that slope where the contact goes."""
    skew, crowning = 2e-4, 10e-6
    moved = spur_pair(crowning=crowning, alpha=skew)
    touching = moved.touching(moved.start[0])
    expected = skew * np.cos(PRESSURE_ANGLE) * (0.5 * FACE) / (2 * crowning)
    assert abs(touching.places[0, 2]) == pytest.approx(expected, rel=2e-2)


def test_a_marking_is_as_wide_as_the_compound_is_thick():
    """c u² = t, at the middle of the face; in the profile all that is in mesh."""
    pattern = contact_pattern(spur_pair(crowning=25e-6), 6.25e-6, 16, 9, 81)
    half = np.abs(pattern.u[pattern.marked]).max()
    assert half == pytest.approx(0.5, abs=0.03)
    assert pattern.centre[0] == pytest.approx(0.0, abs=0.01)


def test_the_mirror_image_of_a_pair_rolls_as_its_mirror_image():
    pair = bevel_pair("concave")
    mirrored = [SplineSurface(surface.grid * [1, -1, 1]) for surface in pair.surfaces]
    image = FlankPair((mirrored[0], mirrored[1]), pair.teeth)
    angles = np.radians([-8.0, 3.0, 12.0])
    there, here = image.touching(-angles), pair.touching(angles)
    np.testing.assert_allclose(there.second_angle, -here.second_angle, atol=1e-12)
    np.testing.assert_allclose(there.places, here.places, atol=1e-6)
    assert image.push == -pair.push


def test_flanks_of_the_same_side_do_not_mate():
    surfaces = [
        SplineSurface(nasa_pair.flank_grid(cut))
        for cut in (nasa_pair.PINION_CONCAVE, nasa_pair.MATCHED_CONCAVE)
    ]
    pair = FlankPair((surfaces[0], surfaces[1]), (12, 36))
    with pytest.raises(NoContact, match="flanks of mating sides"):
        pair.start  # noqa: B018
