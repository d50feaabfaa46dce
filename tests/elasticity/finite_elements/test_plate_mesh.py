"""Round plates with round holes in triangles."""

import math

import numpy as np
import pytest

from flank.arrays import Floats
from flank.elasticity.finite_elements.plate_mesh import Circle, PlateMesh, plate_mesh

RADIUS = 0.112
BORE = Circle(0.0, 0.0, 0.024)
CRANKS = [Circle(0.063 * math.cos(a), 0.063 * math.sin(a), 0.031) for a in (0.0, 2.1, 4.2)]
PILLARS = [Circle(0.063 * math.cos(a), 0.063 * math.sin(a), 0.019) for a in (1.05, 3.15, 5.24)]


def _areas(mesh: PlateMesh) -> Floats:
    a, b, c = (mesh.points[mesh.triangles[:, k]] for k in range(3))
    return np.asarray(0.5 * ((b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]))


def _angles(mesh: PlateMesh) -> Floats:
    """Smallest angle of every triangle."""
    corners = mesh.points[mesh.triangles]
    sides = [corners[:, (k + 1) % 3] - corners[:, k] for k in range(3)]
    cosines = [
        -np.sum(sides[k] * sides[k - 1], axis=1)
        / (np.linalg.norm(sides[k], axis=1) * np.linalg.norm(sides[k - 1], axis=1))
        for k in range(3)
    ]
    return np.asarray(np.min(np.arccos(cosines), axis=0))


@pytest.mark.parametrize("size", [0.008, 0.004, 0.002])
def test_triangles_fill_the_plate_with_an_error_of_second_order(size: float) -> None:
    holes = [BORE, *CRANKS, *PILLARS]
    mesh = plate_mesh(RADIUS, holes, size)
    exact = math.pi * (RADIUS**2 - sum(hole.radius**2 for hole in holes))
    circles = [Circle(0.0, 0.0, RADIUS), *holes]
    # a chord of length s of a circle of radius r leaves s³/12r of a segment
    chords = sum(2 * math.pi * circle.radius * size**2 / (12 * circle.radius) for circle in circles)
    assert abs(_areas(mesh).sum() - exact) < 1.5 * chords
    assert np.array_equal(np.unique(mesh.triangles), np.arange(len(mesh.points)))


@pytest.mark.parametrize("size", [0.008, 0.004, 0.002])
def test_no_triangle_is_thin(size: float) -> None:
    assert np.degrees(_angles(plate_mesh(RADIUS, [BORE, *CRANKS, *PILLARS], size)).min()) > 20


def test_circles_are_edges_of_the_mesh_also_those_with_material_on_both_sides() -> None:
    size = 0.004
    mesh = plate_mesh(RADIUS, [BORE, *CRANKS], size, PILLARS)
    sides = np.concatenate([mesh.triangles[:, [k, (k + 1) % 3]] for k in range(3)])
    for circle in (Circle(0.0, 0.0, RADIUS), BORE, *CRANKS, *PILLARS):
        away = np.hypot(*(mesh.points - circle[:2]).T)
        on = np.abs(away - circle.radius) < 1e-9
        along = sides[on[sides].all(axis=1)]
        lengths = np.linalg.norm(np.diff(mesh.points[along], axis=1)[:, 0], axis=1)
        total = lengths.sum() / (2 if circle in PILLARS else 1)
        assert total == pytest.approx(2 * math.pi * circle.radius, rel=5e-3)


def test_the_same_plate_has_the_same_mesh() -> None:
    first, second = (plate_mesh(RADIUS, [BORE, *CRANKS], 0.005) for _ in range(2))
    assert np.array_equal(first.points, second.points)
    assert np.array_equal(first.triangles, second.triangles)
