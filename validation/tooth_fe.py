"""A whole gear by finite elements: the truth that the beam model of a tooth is held against.

Plane strain, six-node triangles on the true outline, fine at the loaded tooth and coarse around
the gear, held at a bore (or, for a ring, at its rim). The load is a Hertzian pressure of known half
width w on the flank. What it does work on is the mean approach; less the half-plane's share down to
the middle of the tooth, at the depth d along the load,

    (1 - ν²)/(π E) F' [2 ln(2 d/w) - ν/(1 - ν) - 1/2],

it is the structure's deflection, which is what bending, shear, compression and foundation make up.
"""

import math
from dataclasses import dataclass

import numpy as np
from matplotlib.path import Path
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import splu
from scipy.spatial import Delaunay, cKDTree

from flank.elasticity.material import STEEL, Material
from flank.elasticity.tooth_beam import load_line
from flank.geometry.gear import Gear
from flank.geometry.tooth_outline import half_outline, tooth_points

GROWTH = 0.22
"""Edge length of a triangle per distance from the loaded tooth."""


@dataclass
class FiniteGear:
    """A meshed gear with its factorised stiffness; `held` is the radius that does not move."""

    gear: Gear
    held: float
    finest: float = 0.03  # edge length on the loaded flank in modules
    material: Material = STEEL

    def __post_init__(self) -> None:
        self.points, self.triangles = _mesh(self.gear, self.held, self.finest)
        self.nodes, self.elements = _quadratic(self.points, self.triangles)
        radii = np.abs(self.nodes)
        fixed = np.abs(radii - self.held) < 2e-3 * self.gear.normal_module
        fixed |= radii < self.held if not self.gear.internal else radii > self.held
        self.free = np.repeat(~fixed, 2).nonzero()[0]
        matrix = _stiffness(self.nodes, self.elements, self.material)
        self.solve = splu(matrix[self.free][:, self.free].tocsc()).solve

    def pressure(self, roll: float, half_width: float, tooth: int = 0) -> NDArray:
        """Nodal forces of one newton per width, normal to the upper flank of a tooth."""
        outline = half_outline(self.gear)
        turn = np.exp(1j * tooth * self.gear.pitch_angle)
        centre = complex(outline.flank.point(np.array(roll))) * turn
        gamma, _ = load_line(self.gear, roll)
        direction = -1j * np.exp(-1j * self.gear.sign * gamma) * turn
        force = np.zeros(2 * len(self.nodes))
        nodes, weights = np.polynomial.legendre.leggauss(12)
        for edge in self._edges():
            a, b, middle = (self.nodes[k] for k in edge)
            if min(abs(a - centre), abs(b - centre)) > half_width + abs(b - a):
                continue
            for t, weight in zip(nodes, weights, strict=True):
                shape = np.array([0.5 * t * (t - 1), 0.5 * t * (t + 1), 1 - t * t])
                place = shape @ np.array([a, b, middle])
                off = ((place - centre) * np.conj(1j * direction)).real / half_width
                if abs(off) >= 1 or abs(place - centre) > 2 * half_width:
                    continue
                amount = math.sqrt(1 - off * off) * weight * 0.5 * abs(b - a) * shape
                np.add.at(force, 2 * np.array(edge), amount * direction.real)
                np.add.at(force, 2 * np.array(edge) + 1, amount * direction.imag)
        total = force[::2].sum() * direction.real + force[1::2].sum() * direction.imag
        return force / total

    def _edges(self) -> list[tuple[int, int, int]]:
        if not hasattr(self, "_boundary"):
            count: dict[tuple[int, int], tuple[int, int, int]] = {}
            seen: dict[tuple[int, int], int] = {}
            for element in self.elements:
                for i, j, k in ((0, 1, 3), (1, 2, 4), (2, 0, 5)):
                    key = tuple(sorted((element[i], element[j])))
                    seen[key] = seen.get(key, 0) + 1
                    count[key] = (element[i], element[j], element[k])
            near = 3 * self.gear.pitch_angle
            self._boundary = [
                edge
                for key, edge in count.items()
                if seen[key] == 1 and abs(np.angle(self.nodes[edge[0]])) < near
            ]
        return self._boundary

    def displacement(self, force: NDArray) -> NDArray:
        whole = np.zeros_like(force)
        whole[self.free] = self.solve(force[self.free])
        return whole

    def structure(self, roll: float, half_width: float | None = None) -> float:
        """Deflection × E of the structure under one newton per width."""
        width = half_width or 2.5 * self.finest * self.gear.normal_module
        force = self.pressure(roll, width)
        mean = float(force @ self.displacement(force))
        return mean - local_approach(self.gear, self.material, roll, width)

    def coupling(self, roll: float, other_roll: float, tooth: int) -> float:
        """Deflection at the flank of another tooth under one newton per width on the first."""
        width = 2.5 * self.finest * self.gear.normal_module
        moved = self.displacement(self.pressure(roll, width))
        return float(self.pressure(other_roll, width, tooth) @ moved)


def local_approach(gear: Gear, material: Material, roll: float, half_width: float) -> float:
    """Mean approach of the pressure's patch to the middle of the tooth, half plane."""
    depth = load_line(gear, roll)[1]
    poisson = material.poisson_ratio
    shape = 2 * math.log(2 * depth / half_width) - poisson / (1 - poisson) - 0.5
    return material.line_compliance * shape


def _mesh(gear: Gear, held: float, finest: float) -> tuple[NDArray, NDArray]:
    """Complex points and triangles of the whole gear."""
    module = gear.normal_module
    half = tooth_points(gear, 200)
    tooth = np.concatenate((half.conj(), half[-2::-1]))[:-1]
    turns = np.exp(1j * gear.pitch_angle * np.arange(gear.teeth))
    outline = (turns[:, None] * tooth[None, :]).ravel()
    tree = cKDTree(np.column_stack((tooth.real, tooth.imag)))

    def size(z: NDArray) -> NDArray:
        away = tree.query(np.column_stack((z.real, z.imag)))[0]
        return finest * module + GROWTH * away

    outer = _respace(outline, size, 0.3 * module)
    around = held * np.exp(2j * np.pi * np.arange(4000) / 4000)
    inner = _respace(around, size, np.inf)
    shape = Path(np.column_stack((outer.real, outer.imag)))
    boundary = np.concatenate((outer, inner))
    border = cKDTree(np.column_stack((boundary.real, boundary.imag)))

    def inside(z: NDArray) -> NDArray:
        within = shape.contains_points(np.column_stack((z.real, z.imag)))
        if gear.internal:
            return ~within & (np.abs(z) < held)
        return within & (np.abs(z) > held)

    def clear(z: NDArray) -> NDArray:
        away, near = border.query(np.column_stack((z.real, z.imag)))
        return away > 0.55 * np.minimum(size(z), _spacing[near])

    _spacing = np.concatenate(
        [0.5 * (abs(np.roll(c, 1) - c) + abs(np.roll(c, -1) - c)) for c in (outer, inner)]
    )
    radius = held if gear.internal else gear.tip_radius
    cells = _quadtree(radius, size)
    cells = cells[inside(cells)]
    cells = cells[clear(cells)]
    for smoothing in range(4):
        points = np.concatenate((boundary, cells))
        triangles = Delaunay(np.column_stack((points.real, points.imag))).simplices
        triangles = triangles[inside(points[triangles].mean(axis=1))]
        if smoothing == 3:
            break
        sums, counts = np.zeros(len(points), dtype=complex), np.zeros(len(points))
        for i in range(3):
            for j in (1, 2):
                np.add.at(sums, triangles[:, i], points[triangles[:, (i + j) % 3]])
                np.add.at(counts, triangles[:, i], 1.0)
        moved = sums / np.maximum(counts, 1)
        new = moved[len(boundary) :]
        good = inside(new) & clear(new)
        cells = np.where(good, new, cells)
    used = np.unique(triangles)
    number = np.full(len(points), -1)
    number[used] = np.arange(len(used))
    corners = points[triangles]
    area = ((corners[:, 1] - corners[:, 0]).conj() * (corners[:, 2] - corners[:, 0])).imag
    triangles = triangles[area > 1e-9 * module**2]
    return points[used], number[triangles]


def _respace(curve: NDArray, size, largest: float) -> NDArray:
    """Points of a closed dense curve at the distances that `size` asks for."""
    closed = np.append(curve, curve[0])
    arc = np.concatenate(([0.0], np.cumsum(np.abs(np.diff(closed)))))
    density = 1 / np.minimum(size(closed), largest)
    count = np.concatenate(([0.0], np.cumsum(0.5 * (density[1:] + density[:-1]) * np.diff(arc))))
    total = math.ceil(count[-1])
    place = np.interp(np.arange(total) * count[-1] / total, count, arc)
    return np.interp(place, arc, closed.real) + 1j * np.interp(place, arc, closed.imag)


def _quadtree(radius: float, size) -> NDArray:
    """Centres of square cells no larger than `size`."""
    cells, width, done = np.array([0j]), 2.0 * radius, []
    while len(cells):
        split = size(cells) < width
        done.append(cells[~split])
        width /= 2
        step = 0.5 * width * np.array([1 + 1j, 1 - 1j, -1 + 1j, -1 - 1j])
        cells = (cells[split][:, None] + step[None, :]).ravel()
    return np.concatenate(done)


def _quadratic(points: NDArray, triangles: NDArray) -> tuple[NDArray, NDArray]:
    """Middles of all edges added."""
    pairs = np.sort(
        np.concatenate((triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]])), axis=1
    )
    edges, index = np.unique(pairs, axis=0, return_inverse=True)
    middle = points[edges].mean(axis=1)
    numbers = len(points) + index.reshape(3, len(triangles)).T
    return np.concatenate((points, middle)), np.hstack((triangles, numbers))


def _stiffness(nodes: NDArray, elements: NDArray, material: Material):
    """Plane strain, three Gauss points."""
    poisson = material.poisson_ratio
    scale = material.youngs_modulus / ((1 + poisson) * (1 - 2 * poisson))
    law = scale * np.array(
        [[1 - poisson, poisson, 0], [poisson, 1 - poisson, 0], [0, 0, 0.5 - poisson]]
    )
    corner = nodes[elements[:, :3]]
    x, y = corner.real, corner.imag
    double = (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])
    slope_x = (
        np.stack((y[:, 1] - y[:, 2], y[:, 2] - y[:, 0], y[:, 0] - y[:, 1]), 1) / double[:, None]
    )
    slope_y = (
        np.stack((x[:, 2] - x[:, 1], x[:, 0] - x[:, 2], x[:, 1] - x[:, 0]), 1) / double[:, None]
    )
    total = np.zeros((len(elements), 12, 12))
    for a, b in ((1 / 6, 1 / 6), (2 / 3, 1 / 6), (1 / 6, 2 / 3)):
        bary = np.array([1 - a - b, a, b])
        strain = np.zeros((len(elements), 3, 12))
        for k in range(6):
            if k < 3:
                weight = np.zeros(3)
                weight[k] = 4 * bary[k] - 1
            else:
                i, j = ((0, 1), (1, 2), (2, 0))[k - 3]
                weight = np.zeros(3)
                weight[i], weight[j] = 4 * bary[j], 4 * bary[i]
            dx, dy = slope_x @ weight, slope_y @ weight
            strain[:, 0, 2 * k], strain[:, 1, 2 * k + 1] = dx, dy
            strain[:, 2, 2 * k], strain[:, 2, 2 * k + 1] = dy, dx
        total += np.einsum("eia,ij,ejb->eab", strain, law, strain) * (double / 6)[:, None, None]
    unknowns = np.stack((2 * elements, 2 * elements + 1), 2).reshape(len(elements), 12)
    rows, columns = np.repeat(unknowns, 12, axis=1), np.tile(unknowns, (1, 12))
    size = 2 * len(nodes)
    return coo_matrix((total.ravel(), (rows.ravel(), columns.ravel())), (size, size)).tocsc()
