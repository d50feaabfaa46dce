"""Loaded gears of finite elements: grids, mirror images, and the body that teeth share."""

import math
from dataclasses import replace

import numpy as np
import pytest

from flank.contact.gear_loading import GearLoading, pairs_in_reach, rounded_thickness
from flank.contact.loaded_mesh import loaded_mesh
from flank.elasticity.finite_elements.influence import FlankGrid, flank_influence
from flank.elasticity.finite_elements.sector_mesh import GearBody, MeshDensity
from flank.elasticity.material import STEEL
from flank.elasticity.tooth_beam import held_radius
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair

COARSE = MeshDensity(tooth=4, flank=4, space=1, layers=2, growth=0.6)
TORQUE = np.array([100.0])


def gear(teeth, shift, **options):
    return Gear(teeth, 3e-3, math.radians(20), shift, edge_radius=60e-6, **options)


def loading_of(pair, profile=6, strips=3):
    influences = [
        flank_influence(
            shape,
            GearBody(pair.face_width, held_radius(shape)),
            STEEL,
            FlankGrid(profile, strips, 3),
            COARSE,
        )
        for shape in (pair.first, pair.second)
    ]
    return GearLoading(pair, tuple(influences), (STEEL, STEEL))


SPUR = GearPair(gear(20, 0.2), gear(30, 0.1), face_width=15e-3)


@pytest.fixture(scope="module")
def spur():
    return loaded_mesh(loading_of(SPUR), TORQUE, 32)


def test_points_along_the_profile_are_enough(spur):
    """A grid with points in other places has the same stiffness everywhere."""
    other = loaded_mesh(loading_of(SPUR, 9), TORQUE, 32)
    np.testing.assert_allclose(other.stiffness, spur.stiffness, rtol=5e-3)


def test_neighbours_share_the_body(spur):
    """Without what neighbours do to each other two pairs are stiffer, one is not."""
    loading = loading_of(SPUR)
    alone = [
        replace(shape, compliance=np.where(np.arange(7)[:, None, None] == 3, shape.compliance, 0))
        for shape in loading.influences
    ]
    apart = loaded_mesh(replace(loading, influences=tuple(alone)), TORQUE, 32)
    single = spur.sharing[0].max(axis=1) > 1 - 1e-12
    assert 3 < single.sum() < 29
    np.testing.assert_allclose(apart.stiffness[0, single], spur.stiffness[0, single], rtol=1e-9)
    assert apart.stiffness[0, ~single].mean() > 1.1 * spur.stiffness[0, ~single].mean()


@pytest.mark.parametrize("helix", [0.0, 0.35])
def test_gears_that_change_places_are_the_same_mesh(helix):
    """The path runs the other way, and so does the face."""
    wheels = gear(20, 0.2, helix_angle=helix), gear(30, 0.1, helix_angle=helix)
    pair = GearPair(*wheels, face_width=15e-3)
    other = GearPair(*wheels[::-1], face_width=15e-3)
    one, two = loading_of(pair), loading_of(other)
    for position in np.array([0.1, 0.4, 0.8]) * pair.base_pitch:
        roll = pair.path[0] + position
        mirrored = other.action_length - roll - other.path[0]
        first, second = (
            loaded.system(float(at))[1] for loaded, at in ((one, position), (two, mirrored))
        )
        np.testing.assert_allclose(second.compliance[::-1, ::-1], first.compliance, rtol=1e-9)


def test_a_spur_gear_is_a_helical_one_without_a_helix(spur):
    slight = [replace(shape, helix_angle=1e-4) for shape in (SPUR.first, SPUR.second)]
    pair = GearPair(*slight, face_width=15e-3)
    mesh = loaded_mesh(loading_of(pair), TORQUE, 32)
    np.testing.assert_allclose(mesh.stiffness, spur.stiffness, rtol=2e-3)


def test_errors_of_thickness_share_their_elements():
    shape = gear(20, 0.2, thickness_deviation=-62e-6)
    assert rounded_thickness(replace(shape, thickness_deviation=-58e-6)) == rounded_thickness(shape)


def test_pairs_in_reach_follow_the_mesh():
    """One pair more for every base pitch, and none that cannot touch."""
    pitch = SPUR.base_pitch
    assert list(pairs_in_reach(SPUR, 0.2 * pitch, False)) == [-1, 0]
    assert list(pairs_in_reach(SPUR, 3.2 * pitch, False)) == [2, 3]
    assert len(pairs_in_reach(SPUR, 0.99 * pitch)) >= 2
