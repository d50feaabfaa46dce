"""Gap, normal and Hessian of surfaces against dense sampling and finite differences."""

import numpy as np
import pytest
from scipy.optimize import minimize
from spatial_contact import (
    BALL,
    NAMES,
    SEMI_AXES,
    Answer,
    differences,
    field,
    posed,
    surface,
    touching_point,
)

from flank.contact.spatial import (
    Place,
    PowerLaw,
    SpatialSurface,
    Sphere,
    ball_in_arc,
    ball_in_ellipse,
)

LAW = SpatialSurface(PowerLaw(3e10))


def points_of(name, u, v):
    """Points of a surface in its own frame, from two parameters."""
    if name == "plane":
        return np.stack([0 * u, u, v], axis=-1)
    if name == "arc":
        turned = 1.02 * BALL * np.stack([np.cos(u), np.sin(u)], axis=-1) - 1e-4
        return np.concatenate([turned, np.expand_dims(v, -1)], axis=-1)
    if name in ("ellipse", "cylinder"):
        a, b = SEMI_AXES if name == "ellipse" else (1.02 * BALL, 1.02 * BALL)
        return np.stack([a * np.cos(u), b * np.sin(u), v], axis=-1)
    across = 35e-3 * np.cos(v)
    return np.stack([across * np.cos(u), across * np.sin(u), 35e-3 * np.sin(v)], axis=-1)


def grid_of(name):
    if name == "plane":
        return np.meshgrid(np.linspace(-5e-3, 5e-3, 81), np.linspace(-5e-3, 5e-3, 81))
    along = np.linspace(-1.5, 1.5, 121) if "sphere" in name else np.linspace(-5e-3, 5e-3, 61)
    around = np.linspace(0.0, np.pi, 721) if name == "ellipse" else np.linspace(-np.pi, np.pi, 721)
    return np.meshgrid(around, along)


@pytest.mark.parametrize("name", NAMES)
def test_contact_point_is_the_nearest_of_the_surface(name):
    row = surface(name, LAW)
    pose = posed(row, touching_point(name))
    contact_result = Answer(row, pose).contact_result
    centre = pose.position[1] + pose.matrix[1] @ row["arm"]

    def in_space(u, v):
        return pose.position[0] + (row["origin"] + points_of(name, u, v) @ row["frame"]) @ (
            pose.matrix[0].T
        )

    u, v = grid_of(name)
    apart = np.linalg.norm(in_space(u, v) - centre, axis=-1)
    near = np.unravel_index(np.argmin(apart), apart.shape)

    def squared(w):
        return float(np.sum((in_space(w[0], w[1]) - centre) ** 2)) / BALL**2

    best = minimize(
        squared,
        [u[near], v[near]],
        method="Nelder-Mead",
        options={"xatol": 1e-10, "fatol": 1e-16, "maxiter": 2000},
    )
    nearest = in_space(best.x[0], best.x[1])
    assert contact_result["gap"] < 0
    expected = np.linalg.norm(nearest - centre)
    toward = centre - nearest
    radius = row["sphere_radius"]
    assert contact_result["gap"] == pytest.approx(expected - radius, abs=1e-11)
    np.testing.assert_allclose(contact_result["normal"], toward / expected, atol=2e-6)
    ball_side = centre - radius * toward / expected
    np.testing.assert_allclose(contact_result["point"], (nearest + ball_side) / 2, atol=2e-8)


@pytest.mark.parametrize("name", NAMES)
def test_normal_is_the_gradient_of_the_gap(name):
    row = surface(name, LAW)
    point = touching_point(name)
    slope = differences(lambda d: field(row, point + d)[0], 3, 1e-7)
    np.testing.assert_allclose(field(row, point)[1], slope, atol=1e-6)
    assert np.linalg.norm(field(row, point)[1]) == pytest.approx(1.0, abs=1e-14)


@pytest.mark.parametrize("name", NAMES)
def test_hessian_is_the_derivative_of_the_normal(name):
    row = surface(name, LAW)
    point = touching_point(name)
    bends = differences(lambda d: field(row, point + d)[1], 3, 1e-8)
    hessian = field(row, point)[2]
    np.testing.assert_allclose(hessian, bends, atol=1e-6 * np.abs(hessian).max() + 1e-9)


@pytest.mark.parametrize("name", ["inside sphere", "outside sphere", "cylinder"])
def test_centre_of_a_round_surface_is_no_place_of_division_by_zero(name):
    gap, normal, hessian = field(surface(name, LAW), np.zeros(3))
    assert np.isfinite(gap)
    assert np.linalg.norm(normal) == 1.0
    assert not hessian.any()


def sampled_flank(a, b, centre, point, side):
    """Signed distance to the interior local minimum nearest to a point on y side >= 0, or None."""
    u = np.linspace(-np.pi, np.pi, 40001)
    curve = np.stack([centre[0] + a * np.cos(u), centre[1] + b * np.sin(u)], axis=-1)
    apart = np.linalg.norm(curve - point, axis=-1)
    on_side = side * curve[:, 1] > 0
    lowest = (apart[1:-1] < apart[:-2]) & (apart[1:-1] <= apart[2:]) & on_side[1:-1]
    if not lowest.any():
        return None
    found = 1 + np.flatnonzero(lowest)[np.argmin(apart[1:-1][lowest])]
    outward = np.array([b * np.cos(u[found]), a * np.sin(u[found])])
    before, here, after = apart[found - 1 : found + 2] ** 2  # a parabola through three samples
    lowest_square = here - (after - before) ** 2 / (8 * (before - 2 * here + after))
    return np.sqrt(lowest_square) * np.sign((curve[found] - point) @ outward)


@pytest.mark.parametrize("ratio", [0.6, 0.999, 1.02, 1.5, 2.5])
def test_flanks_of_ellipses_anywhere(ratio):
    """Points inside and outside, near the axes and the evolute, against sampling."""
    generator = np.random.default_rng(int(100 * ratio))
    b = 9e-3
    a = ratio * b
    ball = 0.9 * min(a, b)
    seen = {"flank": 0, "end": 0}
    for k in range(120):
        side = 1.0 if k % 2 else -1.0
        point = generator.uniform(-1.4, 1.4, 2) * (a, b) * (0.02 if k % 3 == 0 else 1.0)
        row = ball_in_ellipse(Place(0, (0, 0, 0), np.eye(3)), (a, b), side, Sphere(1, ball), LAW)
        gap, normal, _ = field(row, np.array([*point, 0.0]))
        depth = sampled_flank(a, b, (0.0, 0.0), point, side)
        to_end = max(np.hypot(abs(point[0]) - a, point[1]) - ball, 0.0)
        if depth is None or depth - ball > to_end:
            seen["end"] += 1
            assert gap == pytest.approx(to_end, abs=1e-15)
        else:
            seen["flank"] += 1
            assert gap == pytest.approx(depth - ball, abs=1e-11)
            foot = point - depth * normal[:2]
            assert np.sum((foot / (a, b)) ** 2) == pytest.approx(1.0, abs=1e-6)
    assert min(seen.values()) > 5


def test_flanks_of_arcs_anywhere():
    generator = np.random.default_rng(7)
    radius = 1.02 * BALL
    seen = {"flank": 0, "end": 0}
    for k in range(120):
        side = 1.0 if k % 2 else -1.0
        centre = np.array([-1e-4, -1e-4 * side])
        point = generator.uniform(-1.4, 1.4, 2) * (3e-4 if k % 3 else radius)
        row = ball_in_arc(
            Place(0, (0, 0, 0), np.eye(3)), centre, radius, side, Sphere(1, BALL), LAW
        )
        gap = field(row, np.array([*point, 0.0]))[0]
        depth = sampled_flank(radius, radius, centre, point, side)
        if depth is None:
            seen["end"] += 1
            half = np.sqrt(radius**2 - centre[1] ** 2)
            nearest_end = np.hypot(abs(point[0] - centre[0]) - half, point[1])
            assert gap == pytest.approx(max(nearest_end - BALL, 0.0), abs=1e-15)
        else:
            seen["flank"] += 1
            assert gap == pytest.approx(depth - BALL, abs=1e-11)
    assert min(seen.values()) > 5


@pytest.mark.parametrize("name", ["arc", "ellipse"])
def test_gap_does_not_jump_where_the_nearest_point_leaves_an_open_flank(name):
    """Along a line across the groove; the gap of a field is 1-Lipschitz."""
    row = surface(name, LAW)
    x = 0.0 if name == "arc" else 2e-4
    across = np.linspace(-4e-4, 2e-5, 4001)
    gaps = np.array([field(row, np.array([x, y, 0.0]))[0] for y in across])
    bends = np.array([field(row, np.array([x, y, 0.0]))[2][1, 1] for y in across])
    assert (gaps > 0).all()
    assert (bends == 0).any()
    assert (bends < 0).any()
    assert np.abs(np.diff(gaps)).max() <= (across[1] - across[0]) * (1 + 1e-9)


@pytest.mark.parametrize("name", ["arc", "ellipse"])
def test_a_section_without_sides_is_touched_on_either(name):
    row = surface(name, LAW)
    row["side"] = 0.0
    point = touching_point(name)
    mirrored = point * (1, -1, 1)
    if name == "arc":
        mirrored[1] -= 2e-4  # its centre lies at y = -0.1 mm
    assert field(row, mirrored)[0] == pytest.approx(field(row, point)[0], abs=1e-15)
    assert field(row, mirrored)[1][1] == pytest.approx(-field(row, point)[1][1], abs=1e-12)
