"""Flanks that no machine has cut: measured grids, involute helicoids."""

import math

import numpy as np
import pytest

from flank.errors import SpecError
from flank.geometry.bevel.cutting import LEFT, RIGHT
from flank.geometry.bevel.fillet import with_normals
from flank.geometry.bevel.helicoid import helicoid_member, parallel_pair
from flank.geometry.bevel.measured import member_from_grids
from flank.geometry.bevel.pair import COAST, DRIVE
from flank.geometry.bevel.published import (
    PINION_ANGLES,
    PINION_CLEARANCE,
    nasa_pinion,
    nasa_section,
)
from flank.geometry.bevel.tooth import turned
from flank.geometry.gear import Gear, Relief

PINION = nasa_pinion(9, 11)
BOTTOM = nasa_section(PINION_ANGLES, PINION_CLEARANCE).bottom
CONCAVE, CONVEX = PINION.concave.flank.points, PINION.convex.flank.points


def given(concave=CONCAVE, convex=CONVEX, **others):
    return member_from_grids(12, LEFT, concave, convex, BOTTOM, **others)


def test_a_grid_gives_back_the_flanks_it_was_taken_from():
    member = given()
    for name in DRIVE:
        cosines = np.sum(member.side(name).flank.normals * PINION.side(name).flank.normals, axis=-1)
        assert cosines[1:].min() > 1 - 1e-6
        assert cosines.min() > 1 - 2e-5  # at the root a pinion bends most, between nine rows
        assert np.array_equal(member.side(name).flank.points, PINION.side(name).flank.points)
    assert member.outward == PINION.outward
    assert 0 < member.thickness < 2 * math.pi / 12 * member.mean_place[1]


def test_every_tooth_may_have_flanks_of_its_own():
    rng = np.random.default_rng(1)
    deviations = 1e-5 * rng.standard_normal(12)
    angles = 2 * math.pi * np.arange(12) / 12 + deviations
    concave, convex = (np.array([turned(grid, a) for a in angles]) for grid in (CONCAVE, CONVEX))
    member = given(concave, convex)
    for tooth in (0, 5, 11):
        points = member.side("concave", tooth).flank.points
        assert np.allclose(points, turned(CONCAVE, deviations[tooth]), atol=1e-15)
        assert np.allclose(turned(points, member.tooth_angle(tooth)), concave[tooth], atol=1e-15)
    shifted = given(pitch_deviations=deviations)
    assert shifted.tooth_angle(5) == pytest.approx(angles[5], abs=1e-15)


def _broken(change):
    grid = CONCAVE.copy()
    change(grid)
    return grid


def _hole(grid):
    grid[7, 2] = np.nan


def _fold(grid):
    grid[[0, 1]] = grid[[1, 0]]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: given(_broken(_hole)),
            r"tooth 0 has 1 holes, the first at row 8, column 3, .*toe",
        ),
        (lambda: given(_broken(_fold)), r"concave flank of tooth 0 folds at row 1, column 1"),
        (lambda: given(CONCAVE[::-1, ::-1]), "runs from tip to root"),
        (lambda: given(CONCAVE[:3]), "A flank of 3 by 11 points"),
        (lambda: given(np.zeros((3, 9, 11, 3))), r"give \(profile, lengthwise, 3\), or \(12,"),
        (lambda: given(np.array([CONCAVE] * 12)), "12 concave and 1 convex grids"),
        (lambda: given(pitch_deviations=[1e-6]), "1 pitch deviations for 12 teeth"),
    ],
)
def test_grids_that_cannot_be_flanks_are_refused(make, words):
    with pytest.raises(SpecError, match=words):
        make()


@pytest.mark.parametrize(("helix", "hand"), [(0.0, LEFT), (20.0, LEFT), (20.0, RIGHT)])
def test_helicoids_are_the_gears_involutes(helix, hand):
    gear = Gear(23, 2e-3, math.radians(20), 0.2, helix_angle=math.radians(helix))
    member = helicoid_member(gear, 20e-3, hand, rows=9, columns=11)
    lead = -hand * math.tan(gear.helix_angle) / gear.reference_radius
    for side in (member.concave, member.convex):
        points = side.flank.points
        radius = np.hypot(points[..., 0], points[..., 1])
        azimuth = np.arctan2(points[..., 1], points[..., 0]) - lead * points[..., 2]
        half = np.vectorize(gear.half_angle)(radius)
        assert np.allclose(np.abs(azimuth), half, atol=1e-14)
        assert np.allclose(radius[-1], gear.tip_radius, rtol=1e-12)
        assert np.allclose(np.hypot(*side.bottom_line[:, :2].T), gear.root_radius, rtol=1e-9)
    assert member.thickness == pytest.approx(gear.thickness(gear.reference_radius), rel=3e-6)


@pytest.mark.parametrize("helix", [0.0, 15.0])
def test_normals_of_beveloids_are_those_of_their_surfaces(helix):
    gear = Gear(30, 2e-3, math.radians(20), 0.3, helix_angle=math.radians(helix))
    member = helicoid_member(gear, 20e-3, LEFT, math.radians(4), 25, 25)
    for side in (member.concave, member.convex):
        from_points = with_normals(side.flank.points, side.flank.normals[12, 12]).normals
        assert np.abs(from_points - side.flank.normals)[2:].max() < 1e-4
    tip = np.hypot(*member.concave.tip_line[:, :2].T)
    assert tip[-1] - tip[0] == pytest.approx(20e-3 * math.tan(math.radians(4)), rel=1e-9)


def test_relief_and_crowning_are_taken_off():
    plain = Gear(30, 2e-3, math.radians(20))
    relieved = Gear(30, 2e-3, math.radians(20), relief=Relief(12e-6, 1.5e-3), crowning=5e-6)
    members = [helicoid_member(gear, 20e-3, rows=15, columns=15) for gear in (plain, relieved)]
    for name in DRIVE:
        before, after = (member.side(name).flank for member in members)
        taken = np.sum((before.points - after.points) * before.normals, axis=-1)
        assert taken[0, 7] == pytest.approx(0.0, abs=1e-12)
        assert taken[-1, 7] == pytest.approx(12e-6, rel=1e-6)
        assert taken[0, 0] == pytest.approx(5e-6, rel=1e-6)


def test_a_parallel_pair_meshes_with_its_backlash_on_both_sides():
    gears = [Gear(n, 2e-3, math.radians(20), helix_angle=0.3) for n in (23, 40)]
    pinion = helicoid_member(gears[0], 20e-3, LEFT, rows=15, columns=15)
    gear = helicoid_member(gears[1], 20e-3, RIGHT, rows=15, columns=15)
    pair = parallel_pair(pinion, gear, sum(g.reference_radius for g in gears))
    for angle in (0.0, 0.3):
        for sides in (DRIVE, COAST):
            i, j = pair.candidates(sides, angle)[0]
            poses = pair.poses(angle)
            grids = [
                pose.place(turned(member.side(name).flank.points, member.tooth_angle(k)))
                for pose, member, name, k in zip(poses, (pinion, gear), sides, (i, j), strict=True)
            ]
            apart = np.linalg.norm(grids[0].reshape(-1, 1, 3) - grids[1].reshape(1, -1, 3), axis=-1)
            assert apart.min() < 0.3e-3  # no backlash: they touch, between points of the grids


def test_helicoid_refusals():
    gear = Gear(30, 2e-3, math.radians(20))
    with pytest.raises(SpecError, match="A ring cannot be a member"):
        helicoid_member(Gear(60, 2e-3, math.radians(20), internal=True), 20e-3)
    with pytest.raises(SpecError, match="without a pressure angle"):
        helicoid_member(
            Gear(30, 2e-3, math.radians(5), helix_angle=math.radians(30)), 20e-3, taper=0.3
        )
    with pytest.raises(SpecError, match=r"At its (toe|heel) the gear has no flank"):
        helicoid_member(gear, 60e-3, taper=math.radians(8))
