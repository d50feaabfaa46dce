"""The area integral on a polyline, and the closed form it tends to."""

import math

import numpy as np
import pytest
from contact_pieces import foundation

from flank.contact import FoundationLaw, Surface
from flank.geometry.curve import equal_arc_length_points
from flank.geometry.polyline import Polyline


def regular_polygon(radius, count):
    angle = 2 * math.pi * np.arange(count) / count
    return Polyline(radius * np.column_stack((np.cos(angle), np.sin(angle))))


def plain_integrals(polyline, p, radius, per_segment=4000):
    """∫(r-d)ds, ∫ds, ∫(r-d)²/2 ds where d < r: the midpoint rule on every segment near p."""
    start, end = polyline.points, np.roll(polyline.points, -1, axis=0)
    share = (np.arange(per_segment) + 0.5) / per_segment
    near = np.minimum(np.hypot(*(start - p).T), np.hypot(*(end - p).T)) < 1.5 * radius
    total = np.zeros(3)
    for a, b in zip(start[near], end[near], strict=True):
        depth = radius - np.hypot(*(a + share[:, None] * (b - a) - p).T)
        inside = depth[depth > 0]
        step = np.hypot(*(b - a)) / per_segment
        total += [inside.sum() * step, len(inside) * step, (inside**2).sum() / 2 * step]
    return total


@pytest.mark.parametrize("angle", [0.0, 0.05, 0.1234, 2.5])
def test_overlap_equals_plain_integration(find, find_overlap, angle):
    """A polygon of 60 segments and a circle that covers some of them."""
    polygon, radius, depth = regular_polygon(0.02, 60), 4e-3, 0.3e-3
    distance = 0.02 + radius - depth
    point = np.array([[distance * math.cos(angle), distance * math.sin(angle)]])
    foot = find(polygon, point, radius)[:, 5]
    got = find_overlap(polygon, point, radius, foot)[0]
    np.testing.assert_allclose(got, plain_integrals(polygon, point[0], radius), rtol=1e-3)


@pytest.mark.parametrize("ratio", [1.0, 0.3])
def test_refined_polygon_tends_to_the_closed_form(find, find_overlap, ratio):
    """Circle on circle, 1/ρ = 1/R + 1/r: (4/3)√(2ρ) δ^1.5, 2√(2ρδ), (8/15)√(2ρ) δ^2.5.

    The closed form is the leading term: the difference falls in proportion to δ/ρ.
    """
    large = 0.02
    small = ratio * large
    relative = 1 / (1 / large + 1 / small)
    errors = []
    for depth in (1e-4, 1e-5):
        # chords lie inside the circle by a sagitta: 1e-4 of the depth
        count = int(math.pi / math.sqrt(2e-4 * depth / large))
        polygon = regular_polygon(large, count)
        point = np.array([[large + small - depth, 0.0]])
        foot = find(polygon, point, small)[:, 5]
        got = find_overlap(polygon, point, small, foot)[0]
        expected = foundation(depth, 1.0, 1 / relative)
        errors.append(np.abs(got / np.array([expected[0], expected[1], expected[2]]) - 1))
    assert np.all(errors[0] < 2 * 1e-4 / relative)
    assert np.all(errors[1] < 2 * 1e-5 / relative + 4e-4)


def test_refinement_converges_at_second_order(find, find_overlap):
    """Area at fixed depth over segments 1 : 1/2 : 1/4, measured against a very fine polygon."""
    large, small, depth = 0.02, 4e-3, 1e-4
    point = np.array([[large + small - depth, 0.0]])

    def area(count):
        polygon = regular_polygon(large, count)
        return find_overlap(polygon, point, small, find(polygon, point, small)[:, 5])[0, 0]

    fine = area(160_000)
    errors = np.array([abs(area(count) / fine - 1) for count in (1000, 2000, 4000)])
    assert errors[0] < 2e-2
    orders = np.log2(errors[:-1] / errors[1:])
    assert np.all(np.abs(orders - 2) < 0.3)


def test_element_on_a_fine_polyline_equals_that_on_the_smooth_flank(scene, profiles):
    """Force and energy of the foundation law on set H's flank, polyline against cycloid."""
    surface = Surface(FoundationLaw(1e13))
    smooth, coarse = scene("cycloid", surface), scene("polyline", surface)
    profile = profiles["H"]
    fine = Polyline(equal_arc_length_points(profile, 2000 * profile.lobes))
    refined = type(coarse)("polyline", coarse.row, coarse.place, [fine])
    for where in (0.02, 0.11, 0.5):
        position = smooth.pose(where, 10e-6, (0.0, 0.0, 0.3), 0.1)
        here, there = smooth.solve(position), refined.solve(position)
        size = np.abs(here.force).max()
        np.testing.assert_allclose(there.force, here.force, rtol=0, atol=1e-2 * size)
        assert there.energy == pytest.approx(here.energy, rel=2e-2)


@pytest.mark.parametrize("where", [0.05, 0.31])
def test_energy_is_the_potential_of_the_area_force(scene, where):
    """dE/dδ of the polyline's own integrals is its force to a share of order δ/ρ: the force takes
    the whole area along the normal, the energy each part of it along its own."""
    here = scene("polyline", Surface(FoundationLaw(1e13)))
    for depth, tolerance in ((10e-6, 5e-3), (2e-6, 1e-3)):
        h = 0.01 * depth
        less, more = (here.solve(here.pose(where, depth + s * h)).energy for s in (-1, 1))
        force = here.solve(here.pose(where, depth)).contact_result["normal_force"]
        assert (more - less) / (2 * h) == pytest.approx(force, rel=tolerance)
