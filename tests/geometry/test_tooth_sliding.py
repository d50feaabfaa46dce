"""Mean sliding of involute teeth against closed forms."""

import math

import pytest

from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.geometry.tooth_sliding import sliding_share

ANGLE, MODULE = math.radians(20), 3e-3


def pair_of(first, second, face_width=20e-3, **changes):
    one, two = (
        Gear(teeth, MODULE, ANGLE, **changes, **more)
        for teeth, more in ((first, {}), (abs(second), {"internal": second < 0}))
    )
    return GearPair(one, two, face_width=face_width)


def partial_ratios(pair):
    """ε₁ and ε₂: how far the path reaches behind and before the pitch point, in base pitches."""
    pitch_point = pair.first.base_radius * math.tan(pair.working_angle)
    start, end = pair.path
    return (end - pitch_point) / pair.base_pitch, (pitch_point - start) / pair.base_pitch


@pytest.mark.parametrize(
    ("teeth", "addendum"), [((24, 36), 1.0), ((30, 70), 1.0), ((50, 50), 1.0), ((30, -90), 0.8)]
)
def test_spur_teeth_slide_as_ohlendorf_has_it(teeth, addendum):
    """His formula is for the pitch point between the ends of single contact."""
    pair = pair_of(*teeth, addendum=addendum)
    one, two = partial_ratios(pair)
    assert 1 < pair.contact_ratio < 2
    assert max(one, two) < 1
    inverse = 1 / teeth[0] + 1 / teeth[1]
    expected = math.pi * inverse * (1 - pair.contact_ratio + one**2 + two**2)
    assert sliding_share(pair) == pytest.approx(expected, rel=3e-3)


def test_lines_across_a_whole_overlap_see_all_of_the_path_alike():
    plain = pair_of(24, 36, helix_angle=math.radians(15))
    pair = pair_of(24, 36, plain.face_width / plain.overlap_ratio, helix_angle=math.radians(15))
    assert pair.overlap_ratio == pytest.approx(1.0)
    start, end = pair.path
    pitch_point = pair.first.base_radius * math.tan(pair.working_angle)
    mean = ((end - pitch_point) ** 2 + (pitch_point - start) ** 2) / (2 * (end - start))
    inverse = 1 / pair.first.base_radius + 1 / pair.second.base_radius
    assert sliding_share(pair) == pytest.approx(mean * inverse, rel=3e-3)
