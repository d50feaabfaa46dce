"""Pinions conjugate to their wheels, ease-offs, mountings."""

import math
from dataclasses import replace

import numpy as np
import pytest

from flank.errors import SpecError
from flank.geometry.bevel.blank import pair_blanks
from flank.geometry.bevel.conjugate import ConjugateFlank, EaseOff
from flank.geometry.bevel.cutting import LEFT, RIGHT, CutFlank, FlankGrid
from flank.geometry.bevel.design import PairDesign, designed_pair, eased
from flank.geometry.bevel.pair import COAST, DRIVE, BevelPair
from flank.geometry.bevel.pitch_cones import PairData, depth_factors
from flank.geometry.bevel.published import (
    GEAR_ANGLES,
    GEAR_CLEARANCE,
    PINION_ANGLES,
    PINION_CLEARANCE,
    nasa_gear,
    nasa_gear_cuts,
    nasa_pinion,
    nasa_section,
)
from flank.geometry.mounting import Mounting

R = math.radians
BEVEL = PairData(
    (12, 37),
    27e-3,
    180e-3,
    R(35),
    95e-3,
    **depth_factors(0.25, 2, 0.125, 0.09),
    addendum_angle=R(1.5),
    dedendum_angle=R(4),
    outer_normal_backlash=0.12e-3,
)
HYPOID = PairData(
    (13, 42),
    30e-3,
    170e-3,
    R(50),
    63.5e-3,
    1,
    15e-3,
    limit_angle_factor=1,
    **depth_factors(0.35, 2, 0.125, 0.1),
    addendum_angle=R(1),
    dedendum_angle=R(4),
    outer_transverse_backlash=0.2e-3,
)
HOBBED = PairData(
    (9, 34),
    26e-3,
    146.7e-3,
    R(21.009),
    76e-3,
    2,
    31.75e-3,
    blade_groups=13,
    limit_angle_factor=1,
    **depth_factors(0.275, 2, 0.125, 0.1),
    outer_transverse_backlash=0.2e-3,
)
CROWNED = EaseOff(profile_crowning=8e-6, lengthwise_crowning=25e-6, twist=3e-6)


@pytest.mark.parametrize("data", [BEVEL, HYPOID, HOBBED])
@pytest.mark.parametrize("hand", [LEFT, RIGHT])
def test_any_tooth_numbers_and_offset_give_valid_teeth(data, hand):
    pair = designed_pair(PairDesign(data, CROWNED, CROWNED, pinion_hand=hand), 9, 11)
    blanks = pair_blanks(data)
    for member, blank in ((pair.pinion, blanks.pinion), (pair.gear, blanks.wheel)):
        assert member.teeth == blank.teeth
        assert member.thickness == pytest.approx(blank.transverse_thickness, rel=2.5e-3)
        for side in (member.concave, member.convex):
            assert np.allclose(np.linalg.norm(side.flank.normals, axis=-1), 1)
            assert np.allclose(side.fillet.points[0], side.flank.points[0], atol=1e-12)
    assert pair.pinion.outward == -hand
    assert pair.gear.outward == hand


@pytest.mark.parametrize("data", [BEVEL, HYPOID])
def test_the_mirrored_pair_is_the_mirror_image(data):
    left = designed_pair(PairDesign(data, CROWNED), 7, 9)
    right = designed_pair(PairDesign(data, CROWNED, pinion_hand=RIGHT), 7, 9)
    for member, mirrored in ((left.pinion, right.pinion), (left.gear, right.gear)):
        for name in DRIVE:
            image = member.side(name).flank.points * [1, -1, 1]
            assert np.allclose(mirrored.side(name).flank.points, image, atol=1e-10)


@pytest.mark.parametrize(
    ("data", "formate"),
    [
        (BEVEL, False),
        (HYPOID, False),
        (HYPOID, True),
        (replace(BEVEL, shaft_angle=R(75)), False),
        (replace(HYPOID, shaft_angle=R(97)), False),
    ],
)
def test_conjugate_flanks_touch_at_every_angle_and_never_cross(data, formate):
    """Points of the gear's flank, turned under the exact ratio, stay outside of the pinion's
    flank, and each touches it at one angle."""
    design = PairDesign(data, formate=formate, edge_radius=0.3e-3)
    blanks = pair_blanks(data)
    concave, _ = design.conjugate_flanks(blanks)
    u, v = np.array([-0.3, 0.0, 0.4]), np.array([-0.2, 0.1, 0.3])
    middle = concave.gear.section.points(u, v)
    parameters, _ = concave.gear.parameters(middle)
    points = concave.gear.cut(parameters).value
    there = concave._in_mesh(parameters)[:, -1]
    for point, angle in zip(points, there, strict=True):
        turns = [
            _in_pinion(design.mounting, data.teeth, point, angle + turn)
            for turn in (-0.02, -0.01, 0.0, 0.01, 0.02)
        ]
        gaps = -concave.ease_off(FlankGrid(np.array(turns), np.zeros((5, 3))))
        assert abs(gaps[2]) < 1e-12
        assert gaps.argmin() == 2
        assert gaps[[0, 4]].min() > 3 * gaps[[1, 3]].min()


def _in_pinion(mounting, teeth, point, angle):
    pinion = mounting.first(-angle * teeth[1] / teeth[0])
    return pinion.rotation.T @ (mounting.second(angle).place(point) - pinion.origin)


def test_ease_off_of_a_pair_is_what_was_prescribed_and_none_without():
    design = PairDesign(BEVEL)
    concave, _ = design.conjugate_flanks(pair_blanks(BEVEL))
    plain = concave.grid(25, 35)
    assert np.abs(concave.ease_off(plain)).max() < 1e-12
    relieved = concave.ease_off(eased(plain, CROWNED))
    u, v = np.linspace(-1, 1, 35)[None], np.linspace(-1, 1, 25)[:, None]
    assert np.allclose(relieved, CROWNED(u, v), atol=4e-8)


def test_the_published_pair_matches_in_the_middle_of_the_face():
    section = nasa_section(GEAR_ANGLES, GEAR_CLEARANCE)
    outside, inside = nasa_gear_cuts()
    pinion = nasa_pinion(9, 11)
    for cut, side in ((inside, pinion.concave), (outside, pinion.convex)):
        conjugate = ConjugateFlank(
            CutFlank(cut, section),
            (12, 36),
            Mounting(),
            nasa_section(PINION_ANGLES, PINION_CLEARANCE),
        )
        ease_off = conjugate.ease_off(side.flank)
        assert abs(ease_off[4, 5]) < 1e-6
        assert np.abs(ease_off[2:7, 5]).max() < 1.5e-6
        assert ease_off[4, 0] > 5e-5
        assert ease_off[4, -1] > 5e-5


def test_candidates_are_the_nearest_teeth_and_their_neighbours():
    pair = BevelPair(nasa_pinion(7, 9), nasa_gear(7, 9))
    for sides in (DRIVE, COAST):
        first, second = (
            member.side(name).flank.points[3, 4]
            for member, name in zip((pair.pinion, pair.gear), sides, strict=True)
        )
        for angle in (0.0, 0.2, -1.0, 7.0):
            (i, j), *others = pair.candidates(sides, angle, 1)
            poses = pair.poses(angle)
            places = [
                pose.place(_turned(point, member.tooth_angle(k)))
                for pose, point, member, k in zip(
                    poses, (first, second), (pair.pinion, pair.gear), (i, j), strict=True
                )
            ]
            assert np.linalg.norm(places[0] - places[1]) < 1.5e-3
            assert others == [((i - 1) % 12, (j + 1) % 36), ((i + 1) % 12, (j - 1) % 36)]


def _turned(point, angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([c * point[0] - s * point[1], s * point[0] + c * point[1], point[2]])


def test_mounting_is_the_chain_of_the_literature():
    mounting = Mounting(R(83), 0.015, e=1e-4, p=-2e-4, g=3e-4, alpha=1e-3)
    point = np.array([0.02, -0.03, 0.05])
    pinion = mounting.first(0.0)
    seen = pinion.rotation.T @ (mounting.second(0.0).place(point) - pinion.origin)
    x, y, z = -point[0], -point[1], point[2] + 3e-4
    angle = R(83) + 1e-3
    expected = [
        math.cos(angle) * x + math.sin(angle) * z,
        y + 0.015 + 1e-4,
        -math.sin(angle) * x + math.cos(angle) * z + 2e-4,
    ]
    assert np.allclose(seen, expected, atol=1e-15)
    plain = Mounting().first(0.0)
    assert np.allclose(plain.place(point), [0.05, 0.03, 0.02])


def test_thickness_is_turned_to_the_wanted_one():
    pinion = nasa_pinion(9, 11)
    thinner = pinion.with_thickness(pinion.thickness - 1e-4)
    assert thinner.thickness == pytest.approx(pinion.thickness - 1e-4, rel=1e-9)
    resting = pinion.with_thickness(pinion.thickness - 1e-4, resting="concave")
    assert np.array_equal(resting.concave.flank.points, pinion.concave.flank.points)
    assert resting.thickness == pytest.approx(pinion.thickness - 1e-4, rel=1e-9)


def test_refusals_of_designs():
    with pytest.raises(SpecError, match="teeth of the wheel have no thickness left"):
        designed_pair(PairDesign(replace(BEVEL, outer_normal_backlash=10e-3)), 7, 7)
    with pytest.raises(SpecError, match="meets the fillet of the gear at the heel"):
        designed_pair(PairDesign(HYPOID, formate=True, edge_radius=0.75e-3), 9, 9)
    with pytest.raises(SpecError, match="at least 5 each way"):
        designed_pair(PairDesign(BEVEL), 4, 9)
