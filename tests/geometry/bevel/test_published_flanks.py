"""The four published points of NASA CR-191009, in inch, and what the pair's teeth must be."""

import numpy as np
import pytest

from flank.geometry.bevel.cutting import CutFlank
from flank.geometry.bevel.published import (
    GEAR_ANGLES,
    GEAR_CLEARANCE,
    INCH,
    PINION_ANGLES,
    PINION_CLEARANCE,
    PRINTED_GEAR_BLADE_ANGLE,
    nasa_gear,
    nasa_gear_cuts,
    nasa_pair,
    nasa_pinion,
    nasa_pinion_cuts,
    nasa_section,
)

POINTS = [
    (nasa_pinion_cuts()[0], (0.7948185893, 0.1518771877, 2.5655730093)),
    (nasa_pinion_cuts()[1], (0.7093463178, 0.3893983455, 2.5655730093)),
    (nasa_gear_cuts(PRINTED_GEAR_BLADE_ANGLE)[0], (2.4744339674, -0.3395653327, 0.9856358798)),
    (nasa_gear_cuts(PRINTED_GEAR_BLADE_ANGLE)[1], (2.4873289969, -0.2265447761, 0.9856358798)),
]


@pytest.mark.parametrize(("cut", "published"), POINTS)
def test_published_points(cut, published):
    data = (PINION_ANGLES, PINION_CLEARANCE) if cut.hand == 1 else (GEAR_ANGLES, GEAR_CLEARANCE)
    grid, _ = CutFlank(cut, nasa_section(*data)).grid(5, 5)
    assert np.abs(grid.points[0, 0] / INCH - published).max() < 1e-7


def test_the_pair_has_next_to_no_backlash_at_the_mean_point():
    pinion, gear = nasa_pinion(9, 11), nasa_gear(9, 11)
    pitch = pinion.pitch_angle * pinion.mean_place[1]
    assert abs(pinion.thickness + gear.thickness - pitch) < 3e-6


def test_backlash_leaves_the_driving_flank_where_it_was_cut():
    pair, gear = nasa_pair(0.2e-3, 9, 11), nasa_gear(9, 11)
    assert np.array_equal(pair.gear.convex.flank.points, gear.convex.flank.points)
    pitch = gear.pitch_angle * gear.mean_place[1]
    assert abs(pitch - pair.pinion.thickness - pair.gear.thickness - 0.2e-3) < 1e-9


def test_normals_point_out_of_the_tooth():
    for member in (nasa_pinion(9, 11), nasa_gear(9, 11)):
        middle = 0.5 * (member.concave.flank.points + member.convex.flank.points)
        for side in (member.concave, member.convex):
            outward = np.sum((side.flank.points - middle) * side.flank.normals, axis=-1)
            assert outward.min() > 0
