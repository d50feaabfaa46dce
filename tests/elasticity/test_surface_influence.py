"""Influence numbers between any points of flanks: read by shapes, symmetric, never negative."""

import math

import numpy as np
import pytest

from flank.elasticity.finite_elements.influence import law_remainder
from flank.elasticity.material import STEEL
from flank.elasticity.surface_influence import (
    TOLERANCE,
    SurfaceInfluence,
    influence_shapes,
    layer_depth_factor,
    strip_centres,
)
from flank.geometry.gear import Gear
from flank.kernel import kernel

ROWS, COLUMNS, REACH = 7, 9, 2


def places():
    u = np.tile(strip_centres(COLUMNS), ROWS)
    return u, np.repeat(np.linspace(-1, 1, ROWS), COLUMNS)


def smooth(first, second, apart):
    """A compliance that dies away with the distance, softer towards tip and heel."""
    (u, v), (s, t) = first, second
    near = np.exp(-0.5 * ((u - s) ** 2 + (v - t) ** 2 + apart**2))
    return np.exp(0.3 * (u + s) + 0.6 * (v + t)) * near


@pytest.fixture(scope="module")
def influence():
    u, v = (x[:, None] for x in places())
    blocks = [smooth((u, v), (u.T, v.T), k) for k in range(-REACH, REACH + 1)]
    depth = (3e-3 * np.exp(-0.4 * v + 0.1 * u)).reshape(ROWS, COLUMNS)
    return SurfaceInfluence(np.array([blocks]), depth)


def test_points_of_the_grid_have_the_numbers_given(influence):
    u, v = places()
    given = influence.compliance[0]
    for tooth in (0, 1, 2):
        found = influence.matrix(np.repeat([5, 5 + tooth], len(u)), np.tile(u, 2), np.tile(v, 2))
        block = found[len(u) :, : len(u)]
        off = np.abs(block - given[REACH + tooth]).max() / given.max()
        assert off < 10 * TOLERANCE


def test_between_points_splines_follow_what_is_smooth(influence):
    random = np.random.default_rng(2)
    u, v = random.uniform(-1, 1, (2, 60))
    teeth = random.integers(0, 3, 60)
    exact = smooth((u[:, None], v[:, None]), (u, v), teeth[:, None] - teeth)
    np.testing.assert_allclose(influence.matrix(teeth, u, v), exact, atol=4e-3 * exact.max())


def test_matrices_are_symmetric_and_have_no_negative_directions(influence):
    random = np.random.default_rng(3)
    u, v = random.uniform(-1, 1, (2, 80))
    found = influence.matrix(random.integers(-1, 2, 80), u, v)
    np.testing.assert_array_equal(found, found.T)
    values = np.linalg.eigvalsh(found)
    assert values[0] > -1e-12 * values[-1]


def test_beyond_borders_and_neighbours_the_last_numbers_hold(influence):
    inside = influence.matrix([0, 2], [1.0, -1.0], [1.0, 0.2])
    np.testing.assert_array_equal(influence.matrix([0, 7], [1.3, -4.0], [1.1, 0.2]), inside)


def test_teeth_that_differ_have_their_own_numbers(influence):
    alike = influence.compliance[0]
    scales = np.array([1.0, 2.0, 1.5])
    around = (np.arange(3)[:, None] + influence.neighbours) % 3
    both = np.sqrt(scales[:, None] * scales[around])[..., None, None]
    different = SurfaceInfluence(both * alike, influence.depth)
    first, second = (
        numbers.matrix([4, 5, 6], [0.1, 0.2, 0.3], np.zeros(3))
        for numbers in (influence, different)
    )
    expected = np.sqrt(scales[[1, 2, 0]])
    np.testing.assert_allclose(second, first * np.outer(expected, expected), rtol=2e-3)


@kernel
def _read(shapes, u, v, out):
    influence_shapes(shapes, u, v, out)


def shapes_at(influence, u, v):
    out = np.empty((3, influence.shapes.shape[2]))
    _read(influence.shapes, u, v, out)
    return out


def test_slopes_are_those_of_the_shapes(influence):
    step = 1e-5
    for u, v in ((0.13, -0.4), (-0.97, 0.99), (0.6, -1.0 + 2 * step)):
        at = shapes_at(influence, u, v)
        by_u = shapes_at(influence, u + step, v)[0] - shapes_at(influence, u - step, v)[0]
        by_v = shapes_at(influence, u, v + step)[0] - shapes_at(influence, u, v - step)[0]
        np.testing.assert_allclose(at[1:], np.array((by_u, by_v)) / (2 * step), atol=1e-6)


def test_depths_are_read_as_a_shape(influence):
    out = np.empty((3, 1))
    _read(influence.depth_coefficients, 0.3, 0.55, out)
    assert math.exp(out[0, 0]) == pytest.approx(3e-3 * math.exp(-0.4 * 0.55 + 0.03), rel=1e-6)


def test_a_layer_on_a_held_base_is_what_meshes_of_teeth_have():
    """In the middle of a flank, away from root and tip."""
    more = 2 * STEEL.line_compliance * math.log(layer_depth_factor(STEEL.poisson_ratio))
    meshed = law_remainder(Gear(50, 3e-3, math.radians(20)), STEEL, 5)[2]
    assert more == pytest.approx(meshed, rel=0.06)
