"""Plates that pillars join, as tetrahedra under the loads of `joined_plates`."""

import math
from functools import partial
from itertools import pairwise

import numpy as np
from scipy import sparse

from flank.arrays import Floats, Integers
from flank.blas import one_blas_thread
from flank.elasticity.finite_elements.elements import assembled
from flank.elasticity.finite_elements.extruded import ELEMENT, ON_CIRCLE, Extruded, Slab
from flank.elasticity.finite_elements.factorization import factorized
from flank.elasticity.finite_elements.joined_plates import FINEST, JoinedPlates
from flank.elasticity.finite_elements.plate_mesh import Circle, PlateMesh, plate_mesh
from flank.elasticity.plate import Holes

LAYER = 1.1
"""Most that a layer may be high, in sides of triangles; quadratic elements bear it."""

FEWEST_LAYERS = 3
"""Of a plate: pillars press on it like stamps, whose pressure fades with the depth."""

SLENDER = 0.7
"""Most that a layer of a pillar may be high, in radii."""


def compliance_of(plates: JoinedPlates, across: int) -> Floats:
    """Of all coordinates, as one mesh has it that tells all walls apart."""
    with one_blas_thread():
        for finer in range(across, max(FINEST, across) + 1, 4):
            elements = Elements(plates, finer)
            if elements.closed:
                return elements.compliance()
    raise ValueError("a wall of the plates is too thin for elements; let holes leave more between")


class Elements:
    """Loads and their displacements on one mesh."""

    def __init__(self, plates: JoinedPlates, across: int) -> None:
        self.plates, self.size = plates, plates.radius / across
        self.seats, self.pillars = _circles(plates.seats), _circles(plates.pillars)
        self.rim = Circle(0.0, 0.0, plates.radius)
        bore = [Circle(0.0, 0.0, plates.bore_radius)] if plates.bore_radius > 0 else []
        flat = plate_mesh(plates.radius, [*bore, *self.seats], self.size, self.pillars)
        self.solid = Extruded(
            flat, self._slabs(flat), [self.rim, *bore, *self.seats, *self.pillars]
        )

    def _slabs(self, flat: PlateMesh) -> list[Slab]:
        """Both plates, then the pieces of the pillars."""
        plates = self.plates
        middle = flat.points[flat.triangles].mean(axis=1)
        in_pillars = np.zeros(len(middle), dtype=bool)
        for x, y, radius in self.pillars:
            in_pillars |= np.hypot(middle[:, 0] - x, middle[:, 1] - y) < radius
        cuts = {0.0, plates.distance}
        for at, length in plates.stations:
            cuts |= {at - 0.5 * length, at + 0.5 * length}
        heights = sorted(cuts)

        def layers(height: float, most: float = math.inf) -> int:
            return max(1, math.ceil(height / min(LAYER * self.size, most)))

        full, count = np.ones(len(middle), dtype=bool), max(FEWEST_LAYERS, layers(plates.width))
        most = SLENDER * plates.pillars.radius
        return [
            Slab(-plates.width, 0.0, count, full),
            Slab(plates.distance, plates.distance + plates.width, count, full),
            *(
                Slab(low, high, layers(high - low, most), in_pillars)
                for low, high in pairwise(heights)
            ),
        ]

    @property
    def closed(self) -> bool:
        """Whether all circles are edges of the mesh."""
        points, triangles = self.solid.plate
        sides = np.sort(np.concatenate([triangles[:, pair] for pair in ([0, 1], [1, 2], [2, 0])]))
        edges = np.unique(sides, axis=0)
        for x, y, radius in self.solid.circles:
            away = np.hypot(points[:, 0] - x, points[:, 1] - y)
            on = np.abs(away - radius) < ON_CIRCLE * radius
            along = edges[on[edges].all(axis=1)]
            middles = points[along].mean(axis=1)
            if not on.any():  # smaller than a side
                return False
            chord = 2 * math.pi * radius / on.sum()
            off = radius - np.hypot(middles[:, 0] - x, middles[:, 1] - y)
            if np.count_nonzero(off < 0.25 * chord**2 / radius) != on.sum():
                return False
        return True

    def compliance(self) -> Floats:
        """Loads and their displacements."""
        loads, pressed = self._loads(), self._pressed()
        all_loads = np.column_stack((loads, pressed))
        moved = self._moved(all_loads)
        found = all_loads.T @ moved
        count = loads.shape[1]
        compliance = found[:count, :count]
        own = np.arange(pressed.shape[1])
        compliance[own, own] += np.diag(found)[count:]
        return compliance

    def _stiffness(self) -> sparse.csr_array:
        solid, plates = self.solid, self.plates
        if plates.plate_material is None:
            return assembled(solid.nodes, solid.elements, ELEMENT, plates.material)[0]
        between = solid.within(0.0, plates.distance)
        below = solid.within(-plates.width, 0.0)
        above = solid.within(plates.distance, plates.distance + plates.width)
        parts = (between, plates.material), (np.vstack((below, above)), plates.plate_material)
        return sum(assembled(solid.nodes, part, ELEMENT, of)[0] for part, of in parts)

    def _moved(self, loads: Floats) -> Floats:
        """Displacements relative to the outer face, which follows its loads or is rigid."""
        solid, plates = self.solid, self.plates
        outer = solid.face(
            plates.distance + plates.width, np.ones(len(solid.plate.triangles), bool)
        )
        still = np.unique(outer)
        moving = np.ones(solid.nodes.size, dtype=bool)
        rigid = _rigid_motions(solid.nodes)
        if plates.face == "held":
            moving[(3 * still[:, None] + np.arange(3)).ravel()] = False
            balanced = loads
        else:
            moving[_three_two_one(solid.nodes, still)] = False
            held = np.column_stack([solid.pressed(outer, partial(_tractions, k)) for k in range(6)])
            balanced = loads - held @ np.linalg.solve(rigid.T @ held, rigid.T @ loads)
        free = np.flatnonzero(moving)
        moved = np.zeros_like(loads)
        solve = factorized(self._stiffness()[free][:, free].tocsc())
        moved[free] = solve(balanced[free])
        if plates.face == "free":
            moved -= rigid @ np.linalg.solve(held.T @ rigid, held.T @ moved)
        return moved

    def _loads(self) -> Floats:
        solid, plates = self.solid, self.plates
        columns = [
            self._on_wall(seat, slab, direction, full=True)
            for slab in solid.slabs[:2]
            for seat in self.seats
            for direction in _polar(seat)
        ]
        first = solid.slabs[0]
        columns += [
            self._on_wall(self.rim, first, np.array(direction), full=True)
            for direction in ((1.0, 0.0), (0.0, 1.0))
        ]
        columns.append(self._twist(first))
        columns += [
            self._on_pillar(pillar, at, length, direction)
            for at, length in plates.stations
            for pillar in self.pillars
            for direction in _polar(pillar)
        ]
        return np.column_stack(columns)

    def _pressed(self) -> Floats:
        """What a half pressure has besides the full one, seat by seat."""
        return np.column_stack(
            [
                self._on_wall(seat, slab, direction, full=False)
                for slab in self.solid.slabs[:2]
                for seat in self.seats
                for direction in _polar(seat)
            ]
        )

    def _on_wall(self, circle: Circle, slab: Slab, direction: Floats, full: bool) -> Floats:
        """One newton on a round wall as p cos φ all round, or p |cos φ|/2 of p cos φ on half."""
        scale = 1 / (math.pi * circle.radius * (slab.high - slab.low))

        def traction(at: Floats) -> Floats:
            normal = (at[:, :2] - circle[:2]) / circle.radius
            along = normal @ direction
            pressure = scale * (along if full else np.abs(along))
            return np.column_stack((pressure[:, None] * normal, np.zeros(len(at))))

        return self.solid.pressed(self.solid.wall(circle, slab), traction)

    def _twist(self, slab: Slab) -> Floats:
        """One newton metre around the rim."""
        area = 2 * math.pi * self.rim.radius * (slab.high - slab.low)

        def traction(at: Floats) -> Floats:
            around = np.column_stack((-at[:, 1], at[:, 0], np.zeros(len(at))))
            return np.asarray(around / (self.rim.radius**2 * area))

        return self.solid.pressed(self.solid.wall(self.rim, slab), traction)

    def _on_pillar(self, pillar: Circle, at: float, length: float, direction: Floats) -> Floats:
        """One newton spread evenly over a length of a pillar."""
        solid = self.solid
        part = solid.within(at - 0.5 * length, at + 0.5 * length, pillar)
        mass = assembled(solid.nodes, part, ELEMENT, self.plates.material)[1]
        even = np.tile((*direction, 0.0), len(solid.nodes))
        return np.asarray(mass @ even / (even @ mass @ even))


def _circles(holes: Holes) -> list[Circle]:
    return [Circle(x, y, holes.radius) for x, y in holes.centres().tolist()]


def _polar(circle: Circle) -> tuple[Floats, Floats]:
    """Outward and along the circle on which it stands."""
    outward = np.array(circle[:2]) / math.hypot(circle.x, circle.y)
    return outward, np.array([-outward[1], outward[0]])


def _rigid_motions(places: Floats) -> Floats:
    """(3 n, 6): shifts along and turns about x, y, z."""
    columns = [np.tile(axis, (len(places), 1)) for axis in np.eye(3)]
    columns += [np.cross(axis, places) for axis in np.eye(3)]
    return np.column_stack([column.ravel() for column in columns])


def _tractions(motion: int, at: Floats) -> Floats:
    """Force per area that goes as a rigid motion does."""
    return np.asarray(_rigid_motions(at)[:, motion].reshape(-1, 3))


def _three_two_one(nodes: Floats, face: Integers) -> Integers:
    """Six displacements of nodes of a face that hold a body and no more: all of one node, two of
    another, along the axis of a third."""
    far = nodes[face]
    a = face[np.argmax(far[:, 0])]
    b = face[np.argmin(far[:, 0])]
    c = face[np.argmax(far[:, 1])]
    return np.array([3 * a, 3 * a + 1, 3 * a + 2, 3 * b + 1, 3 * b + 2, 3 * c + 2])
