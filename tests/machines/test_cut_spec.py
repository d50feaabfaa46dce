"""Machines that cut one flank, as a spec tells them."""

import math

import numpy as np
import pytest

import flank
from flank.geometry.bevel.blade import INSIDE, OUTSIDE
from flank.geometry.bevel.wheel import wheel_cuts, wheel_settings
from flank.machines.bevel_pair.teeth_spec import CutSpec, HobbingSpec

CUTTER, GROUPS = 0.088, 5


def told(cut):
    """The spec of a hobbed cut."""
    settings, blade = cut.settings, cut.blade
    return CutSpec(
        point_radius=blade.point_radius,
        blade_angle=blade.angle,
        edge_radius=blade.edge_radius,
        radial=settings.radial,
        cradle_angle=-settings.cradle_angle,
        ratio_of_roll=settings.ratio_of_roll,
        root_angle=settings.root_angle,
        sliding_base=settings.sliding_base,
        centre_to_back=settings.centre_to_back,
        hobbing=HobbingSpec(
            blade_groups=GROUPS,
            cutter_radius=settings.lead_radius,
            lead_angle=settings.lead_angle,
            indexing_origin=settings.indexing_origin,
        ),
    )


def test_a_hobbed_wheel_is_told_by_its_settings():
    blank = flank.preset("bevel-pair").teeth.blanks[1]
    settings = wheel_settings(blank, CUTTER, GROUPS)
    cuts = wheel_cuts(blank, 1, settings, (math.radians(20),) * 2, CUTTER)
    for cut, side in zip(cuts, (OUTSIDE, INSIDE), strict=True):
        again = told(cut).cut(root_angle=0.1, teeth=blank.teeth, side=side, hand=1)
        assert again.settings.indexing == pytest.approx(GROUPS / blank.teeth)
        assert again == cut


def test_the_root_cone_is_cut_where_no_root_angle_is_given():
    spec = flank.preset("spiral-bevel-nasa").spec.settings.pinion
    outside, inside = spec.cuts(12, 1)
    assert outside.settings.root_angle == inside.settings.root_angle == spec.root_angle


def test_a_root_angle_that_is_not_the_cone_s_shows_in_the_flank():
    changes = {"settings.pinion.concave.root_angle": "16.9 deg"}
    plain, turned = (flank.preset("spiral-bevel-nasa", each) for each in ({}, changes))
    mid, moved = (pair.flank_pair().surfaces[0].grid for pair in (plain, turned))
    assert 1e-6 < np.abs(moved - mid).max() < 2e-4
