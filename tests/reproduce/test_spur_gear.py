"""The paper's gear, all teeth at once: symmetric as it must be, and what it needs."""

import math

import numpy as np
import pytest

from flank.elasticity.finite_elements.sector_mesh import GearBody, MeshDensity
from flank.geometry.gear import Gear
from flank.reproduce.spur.finite_gear import (
    BODY,
    GEAR,
    MATERIAL,
    NODES,
    agreement,
    condensed,
    contact_nodes,
    coordinates,
    craig_bampton,
    full_modes,
    observed,
    whole_gear,
)

COARSE = MeshDensity(tooth=2, flank=2, space=1, layers=2, growth=0.6, element="hexahedron-8")
SMALL = Gear(14, 10e-3, math.radians(20))


@pytest.fixture(scope="module")
def small():
    return whole_gear(SMALL, GearBody(20e-3, 30e-3), MATERIAL, COARSE, added_inertia=1e-3)


def test_a_whole_gear_turns_without_strain_and_has_its_inertia(small):
    rotation = small.rotation
    assert abs(small.stiffness @ rotation).max() < 1e-9 * abs(small.stiffness).max()
    bare = whole_gear(SMALL, GearBody(20e-3, 30e-3), MATERIAL, COARSE)
    inertia, without = (rotation @ (each.mass @ rotation) for each in (small, bare))
    assert inertia - without == pytest.approx(1e-3)
    # A disc up to the pitch circle, whose teeth and spaces are about as large.
    disc = 0.5 * math.pi * 7600 * 20e-3 * (70e-3**4 - 30e-3**4)
    assert without == pytest.approx(disc, rel=0.1)


def test_sorting_by_one_tooth_changes_nothing_of_the_gear(small):
    forward, backward = small.sorting(1), small.sorting(-1)
    for matrix in (small.mass, small.stiffness):
        assert abs(forward @ matrix @ forward.T - matrix).max() < 1e-9 * abs(matrix).max()
    assert abs(forward @ backward - np.eye(len(small.rotation))).max() < 1e-12
    first, second = small.flank(0).nodes, small.flank(1).nodes
    moved = forward @ np.append(small.places.ravel(), 0.0)
    np.testing.assert_allclose(moved[coordinates(second)], small.places[second].ravel())
    assert not set(first.ravel()) & set(second.ravel())


def test_flank_nodes_lie_on_the_involute(small):
    flank = small.flank(3)
    assert flank.corners.shape == (COARSE.flank + 1, COARSE.layers + 1)
    places = small.places[flank.corners]
    radius = np.hypot(places[..., 0], places[..., 1])
    np.testing.assert_allclose(
        radius, np.hypot(SMALL.base_radius, flank.rolls)[:, None] + 0 * radius, atol=1e-8
    )
    angle = np.arctan2(places[..., 1], places[..., 0]) - 3 * SMALL.pitch_angle
    expected = [[SMALL.half_angle(r) for r in row] for row in radius]
    np.testing.assert_allclose(angle, expected, atol=1e-7)
    assert flank.rolls[-1] == pytest.approx(SMALL.edge_roll_length, abs=1e-8)


def check_reductions(whole, nodes):
    """Modal coordinates reach what nodes alone do not; observed they are not lost."""
    full = full_modes(whole, 12)
    contact = contact_nodes(whole, (0, 1))[::2]
    reduction = craig_bampton(whole, contact, 3 * (nodes - len(contact)))
    assert reduction.size == 3 * nodes + 1
    for each in (reduction, observed(whole, reduction, contact)):
        found = agreement(whole, full, each)
        assert found.deviations.max() < 5e-4
        assert found.deviations.min() > -1e-8
        assert found.subspace_assurance.min() > 0.95
    poor = agreement(whole, full, condensed(whole, full, contact, nodes))
    assert poor.deviations.min() > 0.01
    return found


def test_modal_coordinates_reach_what_nodes_alone_do_not(small):
    check_reductions(small, 40)


@pytest.mark.nightly
def test_the_paper_s_gear_with_229_coordinates():
    """Table 1: ten frequencies within 0.05 %, and its pairs split as modal coordinates split them,
    one mode of a pair far better than the other."""
    found = check_reductions(whole_gear(GEAR, BODY, MATERIAL, MeshDensity(2, 3, 1, 1, 2)), NODES)
    np.testing.assert_array_equal(found.cluster, (0, 0, 1, 2, 2, 3, 4, 4, 5, 5))
    for first in (0, 3, 6):
        assert found.deviations[first + 1] > 10 * found.deviations[first]
