"""Influence numbers between any points of flanks: read by splines, symmetric, never negative."""

import math

import numpy as np
import pytest

from flank.elasticity.finite_elements.influence import law_remainder
from flank.elasticity.finite_elements.surface_influence import (
    SurfaceInfluence,
    layer_depth_factor,
    strip_centres,
)
from flank.elasticity.material import STEEL
from flank.geometry.gear import Gear
from flank.geometry.spline_surface import spline_reading

ROWS, COLUMNS, REACH = 7, 9, 2


def places():
    u = np.tile(strip_centres(COLUMNS), ROWS)
    return u, np.repeat(np.linspace(-1, 1, ROWS), COLUMNS)


def smooth(u, v, apart):
    """A compliance that dies away with the distance, softer towards tip and heel."""
    u, v = u[:, None], v[:, None]
    near = np.exp(-0.5 * ((u - u.T - 0.2 * apart) ** 2 + (v - v.T) ** 2 + apart**2))
    return np.exp(0.3 * (u + u.T) + 0.6 * (v + v.T)) * near


@pytest.fixture(scope="module")
def influence():
    u, v = places()
    blocks = [smooth(u, v, k) for k in range(-REACH, REACH + 1)]
    depths = (3e-3 * np.exp(-0.4 * v + 0.1 * u)).reshape(ROWS, COLUMNS)
    return SurfaceInfluence(np.array([blocks]), depths)


def test_points_of_the_grid_have_the_numbers_given(influence):
    u, v = places()
    for k, block in zip(influence.neighbours, influence.compliance[0], strict=True):
        np.testing.assert_allclose(influence.influence(u, v, int(k)), block, atol=1e-12)


def test_between_points_splines_follow_what_is_smooth(influence):
    u, v = np.random.default_rng(2).uniform(-1, 1, (2, 60))
    for offset in (0, 1, -2):
        exact = smooth(u, v, offset)
        found = influence.influence(u, v, offset)
        np.testing.assert_allclose(found, exact, atol=3e-3 * exact.max())


def test_forces_and_displacements_can_be_exchanged(influence):
    u, v = np.random.default_rng(3).uniform(-1, 1, (2, 30))
    ahead, behind = (influence.influence(u, v, offset) for offset in (1, -1))
    np.testing.assert_allclose(ahead, behind.T, rtol=1e-12)


def test_no_point_is_pulled_along(influence):
    u, v = np.random.default_rng(3).uniform(-1, 1, (2, 80))
    values = np.linalg.eigvalsh(influence.influence(u, v, 0))
    assert values[0] > -1e-12 * values[-1]


def test_beyond_borders_and_neighbours_the_last_numbers_hold(influence):
    at_border = influence.influence([1.0, -1.0], [1.0, 0.2], 2)
    beyond = influence.influence([1.3, -4.0], [1.1, 0.2], 5)
    np.testing.assert_array_equal(beyond, at_border)


def test_teeth_that_differ_have_their_own_numbers(influence):
    scales = np.array([1.0, 2.0, 1.5])[:, None, None, None]
    different = SurfaceInfluence(scales * influence.compliance, influence.depths)
    u, v = np.array([0.1, 0.6]), np.array([-0.3, 0.9])
    alike = influence.influence(u, v, 1)
    for tooth, scale in ((0, 1.0), (1, 2.0), (-1, 1.5)):
        np.testing.assert_allclose(different.influence(u, v, 1, tooth), scale * alike, rtol=1e-12)


def test_cubics_are_read_exactly_and_go_on():
    cubic = np.polynomial.Polynomial([1.0, -2.0, 0.5, 0.3])
    at = np.array([-0.5, 0.0, 1.7, 4.0, 4.5])
    np.testing.assert_allclose(spline_reading(at, 5) @ cubic(np.arange(5.0)), cubic(at), atol=1e-12)


def test_the_depth_is_that_in_the_middle(influence):
    assert influence.depth == pytest.approx(3e-3, rel=1e-3)


def test_a_layer_on_a_held_base_is_what_meshes_of_teeth_have():
    """In the middle of a flank, away from root and tip."""
    more = 2 * STEEL.line_compliance * math.log(layer_depth_factor(STEEL.poisson_ratio))
    meshed = law_remainder(Gear(50, 3e-3, math.radians(20)), STEEL, 5)[2]
    assert more == pytest.approx(meshed, rel=0.06)
