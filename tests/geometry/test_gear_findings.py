"""Each finding of a gear and of a pair appears beyond its limit and not before it."""

import math
from dataclasses import replace

import numpy as np
import pytest

from flank.geometry.gear import Gear, Relief
from flank.geometry.gear_checks import (
    check_gear,
    form_roll,
    least_profile_shift,
)
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_checks import check_gears, check_pair, flank_reserves, tip_clearances
from flank.geometry.tooth_fillet import rack_form_roll, rounding_of_rack

ALPHA = math.radians(20)
M = 2e-3


def gear(teeth, shift=0.0, internal=False, **more):
    return Gear(teeth, M, ALPHA, shift, internal, **more)


def codes(findings):
    return [(f.code, f.severity) for f in findings]


def cut_space(gear, radius, points=8000):
    """Half angle of the space that the rack's tooth leaves at a radius, every rack point tried."""
    slant, cosine = gear.normal_pressure_angle, math.cos(gear.helix_angle)
    rounding = gear.fillet_radius * gear.normal_module
    deepest = (gear.dedendum - gear.profile_shift) * gear.normal_module
    half_pitch = math.pi / gear.teeth - gear.half_angle(gear.reference_radius)
    at_pitch_line = half_pitch * gear.reference_radius * cosine  # normal section from here on
    centre = deepest - rounding
    across = at_pitch_line - centre * math.tan(slant) - rounding / math.cos(slant)
    theta = np.linspace(slant, math.pi / 2, points)
    depth = np.concatenate(
        (
            np.linspace(-3 * gear.normal_module, centre + rounding * math.sin(slant), points),
            centre + rounding * np.sin(theta),
        )
    )
    width = np.concatenate(
        (at_pitch_line - depth[:points] * math.tan(slant), across + rounding * np.cos(theta))
    )
    height = gear.reference_radius - depth
    reach = radius > height
    along = np.sqrt(radius**2 - height[reach] ** 2)
    widest = -math.inf
    for side in (1, -1):
        seen = np.arctan2(side * along, height[reach])
        rolled = side * along - width[reach] / cosine
        widest = max(widest, float(np.max(seen - rolled / gear.reference_radius)))
    return widest


@pytest.mark.parametrize("helix", [0.0, 0.3])
@pytest.mark.parametrize(("teeth", "shift"), [(20, 0.1), (35, -0.3), (12, 0.5)])
def test_flank_begins_where_the_rack_leaves_the_involute(teeth, shift, helix):
    one = gear(teeth, shift, helix_angle=helix)
    begins = rack_form_roll(one)
    assert form_roll(one) == pytest.approx(begins, abs=1e-15)
    for share, on_involute in ((0.3, True), (0.02, True), (-0.15, False)):
        radius = math.hypot(one.base_radius, begins + share * M)
        missing = math.pi / teeth - one.half_angle(radius) - cut_space(one, radius)
        # Below the form circle the fillet is thicker than an involute would be.
        assert (abs(missing) < 5e-9) == on_involute
        assert missing > -5e-9


@pytest.mark.parametrize("helix", [0.0, 0.3])
@pytest.mark.parametrize("fillet", [0.0, 0.2, 0.38])
def test_undercut_begins_at_the_least_shift(fillet, helix):
    one = gear(12, helix_angle=helix, fillet_radius=fillet)
    least = least_profile_shift(one)
    radius = one.base_radius * (1 + 1e-7)
    for more, undercut in ((0.05, False), (-0.05, True)):
        cut = replace(one, profile_shift=least + more)
        removed = cut_space(cut, radius) - (math.pi / 12 - cut.half_angle(radius))
        assert (removed > 1e-6) == undercut
        assert (rack_form_roll(cut) < 0) == undercut
        assert [f.code for f in check_gear(cut)] == (["undercut"] if undercut else [])


def test_textbook_limit_of_undercut():
    """z sin² α/2 = 1 for a straight flank down to one module: 17.097 teeth."""
    rack = {"dedendum": 1.25, "fillet_radius": 0.25 / (1 - math.sin(ALPHA))}
    assert least_profile_shift(gear(17, **rack)) == pytest.approx(1 - 8.5 * math.sin(ALPHA) ** 2)


@pytest.mark.parametrize("teeth", [10, 14, 16])
def test_undercut_flank_begins_where_the_trochoid_crosses_it(teeth):
    one = gear(teeth)
    begins = form_roll(one)
    assert begins > 0
    for share, on_involute in ((1.02, True), (0.8, False)):
        radius = math.hypot(one.base_radius, share * begins)
        removed = cut_space(one, radius) - (math.pi / teeth - one.half_angle(radius))
        assert (abs(removed) < 5e-9) == on_involute


@pytest.mark.parametrize("teeth", [4, 9, 17])
def test_the_slightest_undercut_is_followed(teeth):
    """It begins half as far above the base circle as the rack's flank ends below it."""
    one = gear(teeth, fillet_radius=0.2, helix_angle=0.2, tip_shortening=1.0)
    least = least_profile_shift(one)
    less = 10.0 ** np.arange(-16, -1)
    rolls = np.array([form_roll(replace(one, profile_shift=least - x)) for x in less])
    assert np.all(rolls >= 0)
    half = 0.5 * less * M / math.sin(one.pressure_angle)
    assert rolls == pytest.approx(half, rel=0.02, abs=5e-8)


def test_undercut_is_refused_where_the_mate_needs_the_flank():
    short = gear(60, tip_shortening=0.5)
    assert codes(check_pair(GearPair(gear(16), short))) == [("undercut", "warning")]
    found = codes(check_pair(GearPair(gear(12), gear(60))))
    assert found == [("undercut", "warning"), ("undercut-flank", "error")]


def test_remedy_of_undercut_works():
    found = next(iter(check_gear(gear(12))))
    assert found.limit == pytest.approx(0.2981, abs=1e-4)
    assert "0.2982" in found.remedy
    assert not list(check_gear(gear(12, 0.2982)))


def test_tips():
    one = gear(20, 0.5)
    pointed = np.linspace(one.tip_radius, one.tip_radius + M, 200001)
    angles = np.arccos(one.base_radius / pointed)
    half = one.base_half_angle - (np.tan(angles) - angles)
    radius = pointed[np.argmin(np.abs(half))]
    assert codes(check_gear(one)) == []
    thin = one.with_tip_radius(radius - 1e-5)
    assert codes(check_gear(thin)) == [("thin-tip", "warning")]
    assert codes(check_gear(one.with_tip_radius(radius + 1e-5))) == [("pointed-tip", "error")]


def test_ring_tips_reach_no_further_than_the_base_circle():
    ring = gear(30, internal=True)
    assert codes(check_gear(ring)) == [("tip-inside-base-circle", "error")]
    assert codes(check_gear(ring.with_tip_radius(ring.base_radius * 1.002))) == []


def test_spaces_of_a_ring_and_tips_of_a_rack_may_run_to_a_point():
    assert codes(check_gear(gear(60, -0.5, True, dedendum=2.6))) == [("pointed-space", "error")]
    assert codes(check_gear(gear(40, dedendum=2.3))) == [("pointed-rack", "error")]


def test_fillet_that_has_no_room():
    one = replace(gear(40), normal_pressure_angle=math.radians(25))
    assert codes(check_gear(one)) == [("fillet-reduced", "warning")]
    fits = rounding_of_rack(one) / M
    assert codes(check_gear(replace(one, fillet_radius=fits - 1e-6))) == []


def test_no_flank_left():
    found = codes(check_gear(gear(5, -0.8, tip_shortening=0.3)))
    assert found == [("no-flank", "error")]


def test_no_line_of_action():
    pair = GearPair(gear(20), gear(40), 55e-3)
    assert codes(check_pair(pair)) == [("no-line-of-action", "error")]
    assert codes(check_gears(gear(20, -0.5), gear(21, -0.5))) == [("no-tight-mesh", "error")]
    found = codes(check_gears(gear(60, 0.2), gear(62, 0.1, True)))
    assert found == [("no-tight-mesh", "error")]


def test_contact_ratio():
    short = {"tip_shortening": 0.5}
    pair = GearPair(gear(20, **short), gear(30, **short))
    assert pair.contact_ratio < 1
    assert codes(check_pair(pair)) == [("contact-ratio", "warning")]
    helical = {**short, "helix_angle": 0.2}
    gears = gear(20, **helical), gear(30, **helical)
    assert codes(check_gears(*gears)) == [("contact-ratio", "warning")]
    assert codes(check_gears(*gears, face_width=20e-3)) == []  # the overlap carries on
    apart = GearPair(gear(20), gear(30), 54.2e-3)
    assert codes(check_pair(apart)) == [("no-contact", "error")]


@pytest.mark.parametrize("internal", [False, True])
def test_clearance_between_tips_and_roots(internal):
    """c = h_fP - h_aP of a pair without shift, on both sides."""
    for clearance, expected in ((0.12, []), (0.08, ["warning"] * 2), (-0.01, ["error"] * 2)):
        rack = {"dedendum": 1 + clearance, "fillet_radius": 0.05}
        pair = GearPair(gear(30, **rack), gear(90, internal=internal, **rack))
        assert tip_clearances(pair) == pytest.approx([clearance * M] * 2, abs=1e-15)
        found = [f for f in check_pair(pair) if "tip" in f.code and f.unit == "m"]
        assert [f.severity for f in found if f.code != "tip-interference"] == expected


@pytest.mark.parametrize("internal", [False, True])
def test_backlash(internal):
    for deviation, expected in (
        (-10e-6, []),
        (0.0, []),
        (10e-6, [("negative-backlash", "warning")]),
        (50e-6, [("negative-backlash", "error")]),
    ):
        one = gear(30, thickness_deviation=deviation)
        pair = GearPair(one, gear(90, internal=internal, tip_shortening=0.2))
        assert pair.normal_backlash == pytest.approx(-deviation * math.cos(ALPHA), abs=1e-15)
        assert codes(check_pair(pair)) == expected


def test_flank_reserves_of_a_standard_pair():
    """Without shift ρ_A = a sin α - ρ_a2 and the rack's flank ends one module deep."""
    pair = GearPair(gear(20), gear(50))
    first, second = pair.first, pair.second
    touched = 0.5 * (20 + 50) * M * math.sin(ALPHA) - second.roll_length(second.tip_radius)
    assert flank_reserves(pair)[0] == pytest.approx(touched - rack_form_roll(first))


def test_relief_of_the_whole_path_is_doubtful():
    pair = GearPair(gear(30), gear(40))
    start, end = pair.path
    for length, found in ((0.99, []), (1.01, [("relief-of-whole-flank", "warning")])):
        relieved = replace(pair.first, relief=Relief(1e-5, length * (end - start)))
        assert codes(check_pair(replace(pair, first=relieved))) == found


def test_helical_teeth_that_are_pointed_in_their_normal_section_are_refused():
    """By a hair: in the transverse plane there is still some tip."""
    almost = Gear(
        13, 10e-3, math.radians(14.5), 1.564, helix_angle=0.684, edge_radius=0.2e-3
    )  # thin as a knife
    found = list(check_gear(almost, "sun"))
    assert codes(found)[-1] == ("no-flank", "error")
    assert "(its normal section)" in found[-1].message
    assert almost.thickness(almost.tip_radius) > 0
