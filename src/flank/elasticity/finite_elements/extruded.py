"""Solids with round walls along one axis: tetrahedra of ten nodes over the triangles of a plate.

Over every triangle and between two levels stands a prism of three tetrahedra. Its upright faces are
halved from the corner with the lower number below to the other one above, so neighbours agree.
Nodes between two corners on a circle lie on the circle, too: round walls are round.
"""

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from skfem import ElementTetP2, ElementTriP2
from skfem.quadrature import get_quadrature

from flank.arrays import Flags, Floats, Integers
from flank.elasticity.finite_elements.elements import shapes_at
from flank.elasticity.finite_elements.plate_mesh import Circle, PlateMesh

ELEMENT = "tetrahedron-10"

TETRAHEDRA = ((0, 1, 2, 5), (0, 1, 4, 5), (0, 3, 4, 5))
"""Of a prism: its corners below, by rising numbers, then those above."""

WALLS = ((0, 1, 3), (0, 2, 3))
"""Triangles of an upright face: its corners below, by rising numbers, then those above."""

ON_CIRCLE = 1e-6
"""Of a circle's radius."""

Traction = Callable[[Floats], Floats]
"""Force per area (points, 3) at places (points, 3)."""


@dataclass(frozen=True)
class Slab:
    """Part of a solid between two heights, over some triangles of the plate."""

    low: float
    high: float
    layers: int
    over: Flags

    def levels(self) -> Floats:
        return np.linspace(self.low, self.high, self.layers + 1)


@dataclass(frozen=True, eq=False)
class Extruded:
    """Slabs over the triangles of a plate, whose `circles` are walls."""

    plate: PlateMesh
    slabs: Sequence[Slab]
    circles: Sequence[Circle]

    @cached_property
    def _levels(self) -> Floats:
        return np.unique(np.round(np.concatenate([slab.levels() for slab in self.slabs]), 9))

    def _level(self, height: float) -> int:
        return int(np.argmin(np.abs(self._levels - height)))

    @cached_property
    def _corners(self) -> Integers:
        """Tetrahedra by corners; a corner is its place on the plate plus plates times its level."""
        count, parts = len(self.plate.points), []
        for slab in self.slabs:
            triangles = np.sort(self.plate.triangles[slab.over], axis=1)
            for low, high in itertools.pairwise(map(self._level, slab.levels())):
                prisms = np.hstack((triangles + count * low, triangles + count * high))
                parts += [prisms[:, corners] for corners in map(list, TETRAHEDRA)]
        return np.concatenate(parts)

    @cached_property
    def _used(self) -> Integers:
        """Corners that there are, rising; the first nodes."""
        return np.unique(self._corners)

    @cached_property
    def _edges(self) -> Integers:
        """Both corners of every edge in one number, rising; the nodes behind those of corners."""
        pairs = _edge_places(ElementTetP2.doflocs)
        corners = np.searchsorted(self._used, self._corners)
        return np.unique(np.concatenate([self._coded(corners[:, pair]) for pair in pairs]))

    def _coded(self, ends: Integers) -> Integers:
        low, high = np.sort(ends, axis=1).T
        return np.asarray(low * len(self._used) + high)

    def _numbered(self, corners: Integers, places: Floats) -> Integers:
        """Nodes of cells by their corners, in the order of an element's places."""
        corners = np.searchsorted(self._used, corners)
        between = [
            len(self._used) + np.searchsorted(self._edges, self._coded(corners[:, pair]))
            for pair in _edge_places(places)
        ]
        return np.column_stack((corners, *between))

    @cached_property
    def elements(self) -> Integers:
        """Tetrahedra by their nodes, turned to the right side."""
        ends = self._corner_places[np.searchsorted(self._used, self._corners)]
        sides = ends[:, 1:] - ends[:, :1]
        turned = np.linalg.det(sides) < 0
        corners = self._corners.copy()
        corners[turned, :2] = corners[turned, 1::-1]
        return self._numbered(corners, ElementTetP2.doflocs)

    @cached_property
    def _corner_places(self) -> Floats:
        level, place = np.divmod(self._used, len(self.plate.points))
        return np.column_stack((self.plate.points[place], self._levels[level]))

    @cached_property
    def nodes(self) -> Floats:
        """Places (n, 3) of all nodes; around cells that a wall would turn inside out edges stay
        straight."""
        ends = np.column_stack(np.divmod(self._edges, len(self._used)))
        straight = np.concatenate((self._corner_places, self._corner_places[ends].mean(axis=1)))
        places = np.concatenate((self._corner_places, self._on_circles(ends)))
        while len(turned := self.elements[_turned(places[self.elements])]):
            places[turned] = straight[turned]
        return places

    def _on_circles(self, ends: Integers) -> Floats:
        """The middles of edges, those along a circle moved onto it."""
        middles = self._corner_places[ends].mean(axis=1)
        for circle in self.circles:
            away = self._corner_places[ends, :2] - circle[:2]
            on = np.abs(np.hypot(away[..., 0], away[..., 1]) - circle.radius).max(axis=1)
            arms = middles[:, :2] - circle[:2]
            reach = np.hypot(arms[:, 0], arms[:, 1])
            chord = (on < ON_CIRCLE * circle.radius) & (reach > 0.5 * circle.radius)
            arms[chord] *= (circle.radius / reach[chord])[:, None]
            middles[chord, :2] = arms[chord] + circle[:2]
        return np.asarray(middles)

    def within(self, low: float, high: float, circle: Circle | None = None) -> Integers:
        """Elements between two heights, of all or inside a circle."""
        middle = self.nodes[self.elements[:, :4]].mean(axis=1)
        inside = (middle[:, 2] > low) & (middle[:, 2] < high)
        if circle is not None:
            away = middle[:, :2] - circle[:2]
            inside &= np.hypot(away[:, 0], away[:, 1]) < circle.radius
        return np.asarray(self.elements[inside])

    def wall(self, circle: Circle, slab: Slab) -> Integers:
        """Triangles of six nodes of a round wall of a slab."""
        flat, points = self.plate.triangles[slab.over], self.plate.points
        sides = np.sort(np.concatenate([flat[:, pair] for pair in ([0, 1], [1, 2], [2, 0])]))
        edges, times = np.unique(sides, axis=0, return_counts=True)
        away = points[edges] - circle[:2]
        off = np.abs(np.hypot(away[..., 0], away[..., 1]) - circle.radius).max(axis=1)
        edges = edges[(times == 1) & (off < ON_CIRCLE * circle.radius)]
        count, parts = len(points), []
        for low, high in itertools.pairwise(map(self._level, slab.levels())):
            upright = np.hstack((edges + count * low, edges + count * high))
            parts += [upright[:, corners] for corners in map(list, WALLS)]
        return self._numbered(np.concatenate(parts), ElementTriP2.doflocs)

    def face(self, height: float, over: Flags) -> Integers:
        """Triangles of six nodes of a flat face."""
        level = self._level(height) * len(self.plate.points)
        return self._numbered(np.sort(self.plate.triangles[over]) + level, ElementTriP2.doflocs)

    def pressed(self, facets: Integers, traction: Traction) -> Floats:
        """Forces (3 n,) on all nodes of a traction on triangles of six nodes."""
        places, weights = get_quadrature(ElementTriP2.refdom, 5)
        values, slopes = _triangle_shapes(places)
        ends = self.nodes[facets]
        at = np.einsum("nq,fni->fqi", values, ends)
        along = np.einsum("jnq,fni->jfqi", slopes, ends)
        area = np.linalg.norm(np.cross(along[0], along[1]), axis=-1) * weights
        force = traction(at.reshape(-1, 3)).reshape(at.shape)
        shares = np.einsum("nq,fqi,fq->fni", values, force, area, optimize=True)
        total = np.zeros_like(self.nodes)
        np.add.at(total, facets, shares)
        return np.asarray(total.ravel())


def _turned(corners: Floats) -> Flags:
    """Cells (n,) of nodes at (n, 10, 3) that somewhere are turned inside out."""
    points = get_quadrature(ElementTetP2.refdom, 5)[0]
    slopes = shapes_at(ELEMENT, np.hstack((points, np.asarray(ElementTetP2.doflocs[:4]).T)))[1]
    volume = np.linalg.det(np.einsum("eni,jnq->eqij", corners, slopes, optimize=True))
    return np.asarray((volume <= 0).any(axis=1))


def _edge_places(places: Floats) -> Iterable[list[int]]:
    """Corners between which the other nodes of an element stand."""
    corners = len(places[0]) + 1
    for middle in places[corners:]:
        yield next(
            [a, b]
            for a, b in itertools.combinations(range(corners), 2)
            if np.allclose(0.5 * (places[a] + places[b]), middle)
        )


def _triangle_shapes(points: Floats) -> tuple[Floats, Floats]:
    """Values (6, points) and slopes (2, 6, points) of the shape functions of a triangle."""
    element = ElementTriP2()
    pairs = [element.lbasis(points, node) for node in range(len(element.doflocs))]
    return np.array([value for value, _ in pairs]), np.array([s for _, s in pairs]).swapaxes(0, 1)
