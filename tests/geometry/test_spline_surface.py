"""Surfaces through grids: exact for cubics, fourth order on a sphere, true to generated flanks."""

import nasa_pair
import numpy as np
import pytest

from flank.geometry.spline_surface import (
    BY_U,
    BY_UU,
    BY_UV,
    BY_V,
    BY_VV,
    SplineSurface,
    principal_curvatures,
    unit_normals,
)


def _grid(function, profile, lengthwise):
    u, v = np.meshgrid(np.linspace(-1, 1, lengthwise), np.linspace(-1, 1, profile))
    return np.stack(function(u, v), axis=-1)


def _cubic(u, v):
    return u + 0.2 * u * v**3, v - 0.1 * u**3, 0.3 * u**3 * v**3 - u * v + 0.5 * v**2


def _sphere(u, v):
    return (
        2 * np.cos(0.4 * u) * np.cos(0.3 * v),
        2 * np.sin(0.4 * u) * np.cos(0.3 * v),
        2 * np.sin(0.3 * v),
    )


def test_a_bicubic_is_met_everywhere_and_beyond_the_borders():
    surface = SplineSurface(_grid(_cubic, 6, 9))
    u, v = np.random.default_rng(0).uniform(-1.5, 1.5, (2, 50))
    np.testing.assert_allclose(surface.points(u, v), np.stack(_cubic(u, v), -1), atol=1e-12)


def test_derivatives_are_those_of_differences_and_continuous_at_nodes():
    surface = SplineSurface(nasa_pair.flank_grid(nasa_pair.PINION_CONVEX, 9, 11))
    u, v, h = np.array([0.2, -0.4, 1.1]), np.array([0.25, 0.5, -0.93]), 1e-5  # nodes among them
    at = surface.at(u, v)
    east, west = surface.at(u + h, v), surface.at(u - h, v)
    north, south = surface.at(u, v + h), surface.at(u, v - h)
    scale = np.abs(at[:, BY_U]).max()
    for row, high, low, of in (
        (BY_U, east, west, 0),
        (BY_V, north, south, 0),
        (BY_UU, east, west, BY_U),
        (BY_UV, north, south, BY_U),
        (BY_VV, north, south, BY_V),
    ):
        slope = (high[:, of] - low[:, of]) / (2 * h)
        np.testing.assert_allclose(at[:, row], slope, atol=2e-6 * scale)


def test_points_converge_with_the_fourth_power_and_curvatures_with_the_second():
    u, v = np.random.default_rng(1).uniform(-0.9, 0.9, (2, 300))
    errors = []
    for count in (9, 17, 33):
        at = SplineSurface(_grid(_sphere, count, count)).at(u, v)
        away = np.abs(np.linalg.norm(at[:, 0], axis=1) - 2).max()
        bent = np.abs(np.abs(principal_curvatures(at)) - 0.5).max()
        errors.append((away, bent))
    rates = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(rates[:, 0] > 3.5)
    assert np.all(rates[:, 1] > 1.7)


def test_a_point_is_projected_along_the_normal():
    surface = SplineSurface(_grid(_sphere, 15, 15))
    u, v = np.array([0.3, -0.7, 1.05]), np.array([-0.2, 0.9, 0.4])
    at = surface.at(u, v)
    places, settled = surface.project(at[:, 0] + 0.05 * unit_normals(at))
    assert settled.all()
    np.testing.assert_allclose(places, np.stack((u, v), -1), atol=1e-11)


@pytest.mark.parametrize(
    "flank", ["PINION_CONCAVE", "PINION_CONVEX", "GEAR_CONCAVE", "GEAR_CONVEX"]
)
def test_a_generated_flank_is_met_within_a_thousandth_of_a_micrometre(flank):
    """From 25 x 35 points. At the foot of the pinion's concave flank, next to its undercut, the
    curvature runs away: there it is 0.03 µm."""
    cut = getattr(nasa_pair, flank)
    surface = SplineSurface(nasa_pair.flank_grid(cut))
    face, height = np.random.default_rng(2).uniform(0, 1, (2, 200))
    away = surface.points(2 * face - 1, 2 * height - 1) - nasa_pair.flank_points(cut, face, height)
    error = np.linalg.norm(away, axis=-1)
    assert error.max() < 5e-8
    assert error[height > 0.2].max() < 1e-9


def test_grids_that_cannot_be_a_surface_are_refused():
    with pytest.raises(ValueError, match=r"5 x 5 points or more.*\(4, 9, 3\)"):
        SplineSurface(np.zeros((4, 9, 3)))
    holes = _grid(_sphere, 6, 6)
    holes[2, 3] = np.nan
    with pytest.raises(ValueError, match="fill the holes"):
        SplineSurface(holes)


def test_what_has_no_foot_says_so():
    _, settled = SplineSurface(_grid(_sphere, 15, 15)).project([[np.nan, 0.0, 0.0], [2.1, 0, 0.1]])
    np.testing.assert_array_equal(settled, [False, True])
