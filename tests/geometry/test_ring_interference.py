"""Tips, fillets and the way in of a gear and a ring, against dense outlines that are moved."""

import math

import numpy as np
import pytest

from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_checks import (
    check_pair,
    flank_reserves,
    radial_assembly_margin,
    tip_crossing,
    tip_margin,
    tip_overlap_number,
)
from flank.geometry.pair_gap import fillet_depths
from flank.geometry.tooth_outline import tooth_points

M = 2e-3
ALPHA = math.radians(20)


def gear(teeth, shift=0.0, internal=False, **more):
    return Gear(teeth, M, ALPHA, shift, internal, **more)


def half_angles(gear, radii):
    angles = np.arccos(np.minimum(gear.base_radius / radii, 1.0))
    return gear.base_half_angle - gear.sign * (np.tan(angles) - angles)


def rolled(pair, positions=4000):
    """Angles of a tooth of each gear, touching on flank +1, over one pitch of the gear."""
    first = np.linspace(0.0, pair.first.pitch_angle, positions)
    second = (pair.first.base_radius * first - pair.gap(1, 0.0, 0.0)) / pair.second.base_radius
    return first, second


def brute_margin(pair):
    """Least room at the leading corners of the gear's teeth, well past the mesh.

    Along the ring's circle through the corner, to the flank it touched in mesh.
    """
    gear, ring, a = pair.first, pair.second, pair.centre_distance
    corner = gear.half_angle(gear.tip_radius)
    past = 0.7 * tip_crossing(pair)[1]
    least = math.inf
    for first, second in zip(*rolled(pair), strict=True):
        k = np.arange(gear.teeth)
        angle = first + corner + k * gear.pitch_angle
        ahead = second + k * ring.pitch_angle
        points = a + gear.tip_radius * np.exp(1j * angle)
        radii = np.abs(points)
        far = (radii >= ring.tip_radius) & (np.angle(points) > past)
        if np.any(far):
            room = ahead[far] - half_angles(ring, radii[far]) - np.angle(points[far])
            least = min(least, float(np.min(radii[far] * room)))
    return least


@pytest.mark.parametrize(
    ("first", "second", "shift", "addendum"),
    [
        (60, 62, 0.25, 0.64),
        (60, 62, 0.2, 0.64),
        (98, 100, 0.2, 0.64),
        (38, 40, 0.6, 0.7),
        (30, 34, 0.1, 0.8),
        (30, 36, 0.0, 1.0),
        (50, 56, 0.1, 0.9),
    ],
)
def test_margin_of_the_tips(first, second, shift, addendum):
    heights = {"addendum": addendum, "dedendum": addendum + 0.25}
    pair = GearPair(gear(first, **heights), gear(second, -shift, True, **heights))
    margin, brute = tip_margin(pair), brute_margin(pair)
    # The corner is least free as it leaves the ring, to the step of the rolling.
    assert brute == pytest.approx(margin, abs=2e-6)
    assert margin * tip_overlap_number(pair) > 0


def test_tip_circle_that_encloses_the_ring():
    """Unshifted 38/40 (m 2): r_a1 = r_a2 + a, the tips pass on the far side or not at all."""
    pair = GearPair(gear(38), gear(40, internal=True))
    assert pair.first.tip_radius == pytest.approx(pair.second.tip_radius + pair.centre_distance)
    assert tip_overlap_number(pair) == pytest.approx(-4.9, abs=0.05)
    errors = {f.code for f in check_pair(pair) if f.severity == "error"}
    assert errors == {"tip-interference", "trochoid-interference"}


def overlaps_on_the_way(pair, start):
    """Whether any point of the gear's outline gets into a ring tooth on a straight way in."""
    first, ring = pair.first, pair.second
    half = tooth_points(first, 60)
    tooth = np.concatenate((half.conj(), half[::-1]))
    turns = np.exp(1j * first.pitch_angle * (np.arange(first.teeth) + start))
    outline = (tooth[None, :] * turns[:, None]).ravel()
    for a in np.linspace(0.0, pair.centre_distance, 120):
        points = a + outline
        radii, angles = np.abs(points), np.angle(points)
        pitches = angles / ring.pitch_angle - start - 0.5
        off = np.abs(pitches - np.round(pitches)) * ring.pitch_angle
        deep = half_angles(ring, radii) - off
        # Flanks without backlash touch where the gear has arrived.
        if np.any((radii > ring.tip_radius) & (radii * deep > 1e-6)):
            return True
    return False


@pytest.mark.parametrize("teeth", [24, 31])
def test_way_in_along_a_radius(teeth):
    """The shortest difference of teeth that goes in is found where outlines clear each other."""
    outcomes = []
    for difference in range(10, 30):
        ring = gear(teeth + difference, -0.2, True, tip_shortening=0.15)
        pair = GearPair(gear(teeth, 0.2), ring)
        room = radial_assembly_margin(pair)
        brute = not all(overlaps_on_the_way(pair, start) for start in (0.0, 0.5))
        if abs(room) > 0.01 * M:
            assert (room > 0) == brute
            outcomes.append(brute)
    assert len(outcomes) > 14
    assert set(outcomes) == {True, False}


def test_no_way_in_is_a_warning():
    ring = gear(41, -0.2, True, tip_shortening=0.15)
    found = [(f.code, f.severity) for f in check_pair(GearPair(gear(31, 0.2), ring))]
    assert found == [("no-radial-assembly", "warning")]


@pytest.mark.parametrize("internal", [False, True])
def test_tips_in_fillets(internal):
    """Free while the flank reaches past the mate's tip, deeper and deeper where it does not."""
    depths, reserves = [], []
    for longer in np.linspace(-0.3, 0.25, 12):
        mate = gear(80, 0.0, internal, tip_shortening=-longer)
        pair = GearPair(gear(25, dedendum=1.4 if internal else 1.2), mate)
        reserves.append(flank_reserves(pair)[0])
        depths.append(fillet_depths(pair)[0])
        assert fillet_depths(pair)[1] == 0.0
    free = np.array(reserves) >= 0
    assert 2 < free.sum() < 11
    assert np.all(np.array(depths)[free] < 1e-9)
    dug = np.array(depths)[~free]
    assert np.all(dug > 0)
    assert np.all(np.diff(dug) > 0)


def test_depth_in_a_fillet_against_a_dense_search():
    """The unshifted 40/100 pair: the ring's corner through a mesh, and nearest fillet points."""
    pair = GearPair(gear(40), gear(100, internal=True))
    first, ring = pair.first, pair.second
    fillet = tooth_points(first, 4000)
    fillet = fillet[(np.abs(fillet) < first.reference_radius) & (fillet.imag > 0)]
    span = np.linspace(-1.5, 0.5, 4000) * first.pitch_angle
    turned = (first.base_radius * span - pair.gap(1, 0.0, 0.0)) / ring.base_radius
    corner = ring.tip_radius * np.exp(1j * (turned - ring.half_angle(ring.tip_radius)))
    seen = (corner - pair.centre_distance) * np.exp(-1j * span)
    order = np.argsort(np.abs(fillet))
    outline = np.interp(np.abs(seen), np.abs(fillet)[order], np.angle(fillet)[order], right=-1)
    deepest = np.argmax(outline - np.angle(seen))
    normal_distance = np.min(np.abs(fillet - seen[deepest]))
    depth = fillet_depths(pair)[0]
    assert depth == pytest.approx(0.0056 * M, rel=0.02)
    assert depth == pytest.approx(normal_distance, rel=0.15)
    found = [(f.code, f.severity) for f in check_pair(pair)]
    assert found == [("trochoid-interference", "warning")]
