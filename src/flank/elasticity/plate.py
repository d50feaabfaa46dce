"""Elasticity of a round plate with holes, seen from the holes that carry load.

Plane stress on a square grid of bilinear elements; a cell that an edge cuts counts with the share
of it that is material (the finite-cell idea at its plainest), so any pattern of holes is meshed
and the error falls with the cell. What is held is either the rim or a set of round pillars. A
bearing presses on half of its hole's wall with a pressure p ~ cos φ about the load's direction; the
displacement that counts is the one the pressure does work on.

Two numbers come out, for n equal holes on a circle of radius R:

    shift   displacement of a hole in m/N when all are loaded in one direction of space, averaged
            over directions
    turn    displacement of a hole when all are loaded along the circle: (turn - shift)/(n R²) is
            the twist in rad/(N·m) of the plate beyond what its seats explain
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from flank.arrays import Flags, Floats, Integers
from flank.blas import one_blas_thread
from flank.elasticity.material import Material

CELLS = 120
"""Cells across the plate."""

SAMPLES = 4
"""Points per cell and direction that are tried for material."""

PRESSURE_POINTS = 720
"""Points of a hole's wall on which the pressure is put."""

DIRECTIONS = 4
"""Directions of load that are averaged."""


ON_CIRCLE = 1e-9
"""Of a radius squared: grids and holes share round numbers, so points lie on circles exactly."""


@dataclass(frozen=True)
class Holes:
    """Equal round holes (or pillars) on a circle, the first at `angle`."""

    count: int
    circle_radius: float
    radius: float
    angle: float = 0.0

    def centres(self) -> Floats:
        angles = self.angle + 2 * math.pi * np.arange(self.count) / self.count
        return self.circle_radius * np.column_stack((np.cos(angles), np.sin(angles)))


@dataclass(frozen=True)
class Plate:
    """A round plate of `radius` and `width`; `loaded` holes carry bearings.

    Held at its rim, or, where `pillars` are given, inside these.
    """

    radius: float
    width: float
    bore_radius: float
    material: Material
    loaded: Holes
    openings: tuple[Holes, ...] = ()
    pillars: Holes | None = None


class Compliance(NamedTuple):
    """Displacement of a hole in m/N, all holes loaded in one direction or along the circle."""

    shift: float
    turn: float


def plate_compliance(plate: Plate, cells: int = CELLS) -> Compliance:
    """Compliance of the plate between its loaded holes and what holds it."""
    material = plate.material
    scale = material.youngs_modulus * plate.width
    unit = Material(1.0, material.poisson_ratio, material.density)
    shift, turn = _unit_compliance(replace(plate, width=1.0, material=unit), cells)
    return Compliance(shift / scale, turn / scale)


@lru_cache(maxsize=64)
def _unit_compliance(plate: Plate, cells: int) -> Compliance:
    """Of a plate of one metre's width and one pascal: wider and stiffer ones follow from it."""
    from flank.elasticity.finite_elements.factorization import superlu

    with one_blas_thread():  # after the import, which brings a BLAS of its own
        stiffness, free, size = _stiffness(plate, cells)
        count = plate.loaded.count
        angles = 2 * math.pi * np.arange(DIRECTIONS) / DIRECTIONS
        tangents = plate.loaded.angle + 2 * math.pi * np.arange(count) / count + 0.5 * math.pi
        forces = np.zeros((2 * (cells + 1) ** 2, DIRECTIONS + 1))
        for force, directions in zip(
            forces.T, [*(np.full(count, angle) for angle in angles), tangents], strict=True
        ):  # every hole is loaded by one newton in its direction
            for centre, direction in zip(plate.loaded.centres(), directions, strict=True):
                _add_pressure(force, plate, centre, float(direction), size, cells)
        pressed = forces[free]
        means = np.sum(pressed * superlu(stiffness).solve(pressed), axis=0) / count
        return Compliance(float(np.mean(means[:-1])), float(means[-1]))


def _stiffness(plate: Plate, cells: int) -> tuple[Any, Integers, float]:
    """Matrix of the free displacements, their numbers, and the size of a cell."""
    from scipy.sparse import coo_matrix

    size = 2 * plate.radius / cells
    share = _material_share(plate, cells, size)
    row, column = np.nonzero(share)
    corner = row * (cells + 1) + column
    nodes = np.stack((corner, corner + cells + 1, corner + cells + 2, corner + 1), axis=1)
    unknowns = np.stack((2 * nodes, 2 * nodes + 1), axis=2).reshape(len(nodes), 8)
    values = share[row, column][:, None] * _cell(plate, size).ravel()
    rows, columns = np.repeat(unknowns, 8, axis=1), np.tile(unknowns, (1, 8))
    total = 2 * (cells + 1) ** 2
    matrix = coo_matrix((values.ravel(), (rows.ravel(), columns.ravel())), (total, total)).tocsc()
    used = np.zeros((cells + 1) ** 2, dtype=bool)
    used[nodes] = True
    free = np.repeat(used & ~_fixed_nodes(plate, cells, size), 2).nonzero()[0]
    return matrix[free][:, free].tocsc(), free, size


def _cell(plate: Plate, size: float) -> Floats:
    """8 x 8 stiffness of a full square cell, plane stress, 2 x 2 Gauss points."""
    material, poisson = plate.material, plate.material.poisson_ratio
    scale = material.youngs_modulus * plate.width / (1 - poisson**2)
    law = scale * np.array([[1, poisson, 0], [poisson, 1, 0], [0, 0, (1 - poisson) / 2]])
    gauss = 1 / math.sqrt(3)
    total = np.zeros((8, 8))
    for s in (-gauss, gauss):
        for t in (-gauss, gauss):
            slopes = np.array([[t - 1, 1 - t, 1 + t, -1 - t], [s - 1, -1 - s, 1 + s, 1 - s]])
            slopes *= 0.5 / size
            strain = np.zeros((3, 8))
            strain[0, ::2], strain[1, 1::2] = slopes
            strain[2, ::2], strain[2, 1::2] = slopes[1], slopes[0]
            total += strain.T @ law @ strain * (0.25 * size**2)
    return total


def _material_share(plate: Plate, cells: int, size: float) -> Floats:
    """Share of every cell that is material."""
    points = (np.arange(cells * SAMPLES) + 0.5) * size / SAMPLES - plate.radius
    x, y = np.meshgrid(points, points, indexing="ij")
    inside = _outside(x, y, plate.bore_radius) & ~_outside(x, y, plate.radius + size)
    for holes in (plate.loaded, *plate.openings):
        for cx, cy in holes.centres():
            inside &= _outside(x - cx, y - cy, holes.radius)
    return np.asarray(inside.reshape(cells, SAMPLES, cells, SAMPLES).mean(axis=(1, 3)))


def _fixed_nodes(plate: Plate, cells: int, size: float) -> Flags:
    """Which nodes of the grid do not move."""
    points = np.arange(cells + 1) * size - plate.radius
    x, y = (axis.ravel() for axis in np.meshgrid(points, points, indexing="ij"))
    if plate.pillars is None:
        return _outside(x, y, plate.radius)
    fixed = np.zeros(len(x), dtype=bool)
    for cx, cy in plate.pillars.centres():
        fixed |= ~_outside(x - cx, y - cy, plate.pillars.radius)
    return fixed


def _outside(x: Floats, y: Floats, radius: float) -> Flags:
    """Whether points lie outside a circle; those on it do, whatever their last digits."""
    return x**2 + y**2 >= radius**2 * (1 - ON_CIRCLE)


def _add_pressure(
    force: Floats, plate: Plate, centre: Floats, direction: float, size: float, cells: int
) -> None:
    """Add one newton in `direction` on the wall of a hole, half a cell inside the material."""
    angle = 2 * math.pi * (np.arange(PRESSURE_POINTS) + 0.5) / PRESSURE_POINTS
    pressure = np.maximum(np.cos(angle - direction), 0.0)
    pressure /= np.sum(pressure * np.cos(angle - direction))
    radius = plate.loaded.radius + 0.5 * size
    place_x = (centre[0] + radius * np.cos(angle) + plate.radius) / size
    place_y = (centre[1] + radius * np.sin(angle) + plate.radius) / size
    i, j = place_x.astype(int), place_y.astype(int)
    a, b = place_x - i, place_y - j
    corners = ((0, 0, (1 - a) * (1 - b)), (1, 0, a * (1 - b)), (1, 1, a * b), (0, 1, (1 - a) * b))
    for di, dj, weight in corners:
        node = (i + di) * (cells + 1) + j + dj
        np.add.at(force, 2 * node, weight * pressure * np.cos(angle))
        np.add.at(force, 2 * node + 1, weight * pressure * np.sin(angle))
