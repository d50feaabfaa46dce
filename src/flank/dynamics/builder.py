"""Put bodies, joints, springs, beams, loads and contacts together into a Model."""

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from flank.arrays import Floats
from flank.contact.flexible_gear import GearModes
from flank.contact.mesh_map import MeshMap
from flank.contact.plate_element import PLATE_A, PLATE_B
from flank.contact.plate_modes import PlateModes
from flank.contact.table import contact_dtype
from flank.contact.tooth_pair import RollTable
from flank.dynamics.beams import beam_floor, beam_row
from flank.dynamics.functions import Function, VaryingStiffness
from flank.dynamics.gear_modes import MOST_MODES
from flank.dynamics.model import MAXIMUM_NEIGHBOURS, ROUND_OFF, Model
from flank.dynamics.packing import RowsBuilder, Topology, new_row, rows_of
from flank.dynamics.tables import (
    BEAM,
    BUSHING,
    COUPLED,
    EQUATIONS,
    FIXED,
    FLEXIBLE_MESH,
    GEAR,
    GROUND,
    GUIDE,
    HELD,
    JOINT,
    LOAD,
    MESH,
    MODES,
    REVOLUTE,
    ROTATION,
    SPRING,
    TOOTH,
    TORSION,
)
from flank.dynamics.tooth_store import ToothStore, mesh_floor
from flank.dynamics.trajectory import Shaft
from flank.elasticity.section import Section
from flank.geometry.curve import Shape, pack_curves
from flank.geometry.measured_teeth import MeasuredFlanks

SYMMETRIC = 1e-9
"""Of the entries on its diagonal, by which a stiffness may differ from its transpose."""

Point = tuple[float, float]
ORIGIN: Point = (0.0, 0.0)


class Node(NamedTuple):
    """Numbers of the two rows of a beam's node."""

    position: int  # x, y, z
    slope: int  # dr/ds


class ElasticCircle(NamedTuple):
    """A circle of an elastic plate that contacts touch, its rim or the wall of a hole."""

    body: int
    first_row: int  # of the plate's modes
    rows: int
    table: int
    knots: int
    angle: float  # where its shapes begin, on the body


class ModelBuilder(RowsBuilder):
    """Collects the parts of a planar model; `build` freezes them into arrays.

    Bodies are numbered from 1 in the order they are added; 0 is ground. Leaves (bodies held by
    contacts and springs only) come last. Springs and joints that have a `name` can be read from a
    run by it (dynamics/reading.py).
    """

    def __init__(self, length_scale: float) -> None:
        super().__init__(length_scale, MAXIMUM_NEIGHBOURS)
        self.spring_names: dict[str, int] = {}
        self.joint_names: dict[str, int] = {}
        self._mass = [(0.0, 0.0, 0.0)]
        self._pose: list[tuple[float, ...]] = [(0.0, 0.0, 0.0)]
        self._weights = [(1.0, 1.0, length_scale)]
        self._shapes: list[Shape] = []
        self._points: set[int] = set()
        self._teeth = ToothStore()
        self._modal_floor = 0.0
        self._plate_tables: dict[tuple[int, int], int] = {}

    def body(
        self,
        name: str,
        mass: float,
        inertia: float,
        pose: tuple[float, float, float] = (0.0, 0.0, 0.0),
        leaf: bool = False,
    ) -> int:
        """Add a rigid body, its origin at the centre of mass; returns its number."""
        if not (mass > 0 and inertia > 0):
            raise ValueError(f"body {name!r} needs a positive mass and inertia")
        weights = (1.0, 1.0, self.length_scale)
        return self._row(name, (mass, mass, inertia), pose, weights, leaf)

    def point(self, name: str, position: ArrayLike, slope: ArrayLike) -> Node:
        """Add a node of beams at (x, y, z) with the tangent dr/ds; returns its two rows.

        The position's row serves as a body without extent: joints, bushings and forces act on its
        x and y, `torque` as a force along z.
        """
        massless, weights = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
        place, tangent = (tuple(np.asarray(v, dtype=float).tolist()) for v in (position, slope))
        node = Node(
            self._row(name, massless, place, weights, False),
            self._row(f"{name} slope", massless, tangent, weights, False),
        )
        self._points.update(node)
        return node

    def beam(self, first: Node, second: Node, length: float, section: Section) -> None:
        """Join two nodes by a beam element that is free of stress as they are placed."""
        rows = (*first, *second)
        if not self._points.issuperset(rows):
            raise ValueError("a beam joins two nodes made by `point`")
        self._beams.append(beam_row(rows, self.pose()[list(rows)], length, section))
        for row in (first.slope, second.slope):
            self._weights[row] = (length, length, length)

    def clamp(self, node: Node) -> None:
        """Hold a node where it is, in place and direction.

        Along z only x and y of the slope are held; in other directions also its length, so that
        the axis cannot stretch at the node.
        """
        for row in node:
            x, y, z = self._pose[row]
            if row == node.slope and x == y == 0.0:
                self.revolute(GROUND, row)
            else:
                self.fixed(GROUND, row, (x, y), angle=z)

    def curve(self, shape: Shape) -> int:
        """Add an outline that circles may touch; returns its number."""
        self._shapes.append(shape)
        return len(self._shapes) - 1

    def revolute(
        self, a: int, b: int, at_a: Point = ORIGIN, at_b: Point = ORIGIN, name: str = ""
    ) -> int:
        """Join two points of two bodies; returns the first multiplier (force on B is -λ)."""
        return self._joint(REVOLUTE, a, b, at_a, at_b, name)

    def fixed(
        self,
        a: int,
        b: int,
        at_a: Point = ORIGIN,
        at_b: Point = ORIGIN,
        angle: float = 0.0,
        name: str = "",
    ) -> int:
        """Weld two bodies, θ_b - θ_a = `angle`."""
        return self._joint(FIXED, a, b, at_a, at_b, name, angle=angle)

    def rotation(self, a: int, b: int, function: Function, name: str = "") -> int:
        """Prescribe θ_b - θ_a as a function of time."""
        return self._joint(ROTATION, a, b, name=name, function=self.function(function))

    def gear(self, a: int, b: int, ratio: float, angle: float = 0.0, name: str = "") -> int:
        """Tie θ_a = ratio θ_b + `angle`."""
        return self._joint(GEAR, a, b, name=name, ratio=ratio, angle=angle)

    def bushing(
        self,
        a: int,
        b: int,
        stiffness: float | VaryingStiffness,
        damping: float = 0.0,
        at_a: Point = ORIGIN,
        at_b: Point = ORIGIN,
        name: str = "",
    ) -> int:
        """Isotropic spring and damper between two points; returns its number.

        `stiffness` in N/m may vary (`over_time`, `over_angle`), `damping` is in N·s/m; with a
        stiffness of zero it is a damper alone.
        """
        self._refuse_unknown(a, b)
        self._refuse_arm(a, at_a)
        self._refuse_arm(b, at_b)
        if a in self._points and damping != 0.0:
            raise ValueError("name the node of a beam second in a damped bushing")
        row = self._spring(BUSHING, a, b, stiffness, damping, name)
        row["a_x"], row["a_y"] = at_a
        row["b_x"], row["b_y"] = at_b
        return len(self._springs) - 1

    def guide(
        self,
        a: int,
        b: int,
        stiffness: float | VaryingStiffness,
        damping: float,
        at_a: Point,
        angle: float,
        name: str = "",
    ) -> int:
        """Hold B's origin at a point of A along one line only, at `angle` on A; drag all around."""
        number = self.bushing(a, b, stiffness, damping, at_a, name=name)
        self._springs[-1]["kind"], self._springs[-1]["angle"] = GUIDE, angle
        return number

    def torsion_spring(
        self,
        a: int,
        b: int,
        stiffness: float | VaryingStiffness,
        damping: float = 0.0,
        angle: float = 0.0,
        dead_band: float = 0.0,
        name: str = "",
    ) -> int:
        """Torsional spring and damper, without torque within ±`dead_band`/2 about `angle`.

        `stiffness` in N·m/rad may vary (`over_time`, `over_angle`), `damping` is in N·m·s/rad.
        """
        row = self._spring(TORSION, a, b, stiffness, damping, name)
        row["angle"], row["dead_band"] = angle, dead_band
        return len(self._springs) - 1

    def elastic_body(
        self, frame: int, bodies: Sequence[int], stiffness: Floats, damping: float = 0.0
    ) -> None:
        """Tie core bodies by a stiffness (bodies, 3, bodies, 3) of any kind, free of stress as they
        are placed; x, y and turn of each are measured on the body `frame`. Where it is zero there
        are no springs. `damping` in s is that over the stiffness."""
        self._refuse_unknown(frame, *bodies)
        self._refuse_leaf(frame, max(bodies), "an elastic body")
        size = np.sqrt(np.abs(np.einsum("aiai->ai", stiffness)))
        off = np.abs(stiffness - stiffness.transpose(2, 3, 0, 1))
        if np.any(off > SYMMETRIC * np.multiply.outer(size, size)):
            raise ValueError("the stiffness of an elastic body is not symmetric; take its mean")
        places = [self._place_on(frame, body) for body in bodies]
        for i, j in combinations_with_replacement(range(len(bodies)), 2):
            block = stiffness[i, :, j] * (0.5 if i == j else 1.0)
            if np.any(block):
                row = self._spring(COUPLED, bodies[i], bodies[j], 0.0, damping, "")
                row["frame"] = frame
                row["pair"] = self._teeth.put(np.concatenate((block.ravel(), places[i], places[j])))

    def _place_on(self, frame: int, body: int) -> Floats:
        """Where a body stands on another, and its angle there."""
        x, y, turn = np.subtract(self._pose[body], self._pose[frame])
        c, s = np.cos(self._pose[frame][2]), np.sin(self._pose[frame][2])
        return np.array([c * x + s * y, c * y - s * x, turn])

    def mesh(
        self,
        a: int,
        b: int,
        stiffness: float | VaryingStiffness,
        base_radii: Point,
        centre_distance: float,
        damping: float = 0.0,
        angle: float = 0.0,
        backlash: float = 0.0,
        at_a: Point = ORIGIN,
        at_b: Point = ORIGIN,
        flank: int = 0,
        pair: int = -1,
        roll_offset: float = 0.0,
        separation: float = 0.0,
        always_damped: bool = False,
        name: str = "",
    ) -> int:
        """Teeth of two gears, a spring along each flank; returns its number.

        A ring b has a negative base radius. Gear b stands centred in the mesh where
        r_a θ_a + r_b (θ_b - `angle`) = (r_a + r_b) β, β the direction towards the mesh.
        `backlash` is normal to the flanks at `centre_distance`; `at_a` and `at_b` are the gears'
        centres. With `flank` ±1 this flank alone acts, and also pulls. The damper acts in contact
        and never pulls, unless it acts always. With `pair`, a row made by
        `tooth_pair`, `stiffness` multiplies its table or map; without, it may vary (`over_time`,
        `over_angle` of a gear).
        """
        if pair >= 0 and isinstance(stiffness, VaryingStiffness):
            raise ValueError("a mesh with a table varies by it; give a number to multiply it")
        if centre_distance <= abs(sum(base_radii)):
            raise ValueError("the base circles of the gears overlap; enlarge the centre distance")
        row = self._spring(MESH, a, b, stiffness, damping, name)
        row["angle"], row["dead_band"] = angle, backlash
        row["a_base_radius"], row["b_base_radius"] = base_radii
        row["a_x"], row["a_y"] = at_a
        row["b_x"], row["b_y"] = at_b
        row["centre_distance"], row["flank"], row["pair"] = centre_distance, flank, pair
        row["roll_offset"], row["separation"] = roll_offset, separation
        row["always_damped"] = always_damped
        if pair >= 0 and self._teeth.modal_rows(pair):
            self._refuse_leaf(a, b, "a mesh with modes")
            row["kind"] = FLEXIBLE_MESH
        return len(self._springs) - 1

    def tooth_pair(
        self,
        row: np.void,
        teeth: tuple[RollTable, RollTable] | None = None,
        pairs: tuple[RollTable, RollTable] | None = None,
        common: float = 0.0,
        mesh_map: MeshMap | None = None,
        measured: MeasuredFlanks | None = None,
    ) -> int:
        """Add the geometry of a mesh, a row of contact.tooth_pair, and its tables (ToothStore)."""
        return self._teeth.add(row, teeth, pairs, common, mesh_map, measured)

    def gear_modes(self, name: str, body: int, modes: GearModes) -> int:
        """Give a gear an elastic body: rows of modal coordinates, which take their share of its
        mass; returns the first. Meshes know of them by `mesh_modes`."""
        self._refuse_leaf(body, body, "modes")
        coupling, frequency = modes.coupling, modes.frequency
        left = np.array(self._mass[body]) - np.sum(coupling**2, axis=0)
        if not np.all(left > 0):
            raise ValueError(
                f"the modes of {self.names[body]!r} move more than its mass and inertia; give it "
                "those of its elements"
            )
        self._mass[body] = (float(left[0]), float(left[1]), float(left[2]))
        numbers = np.column_stack((frequency**2, 2 * modes.damping_ratio * frequency, coupling))
        start, first = modes.at_rest(self._pose[body]), len(self.names)
        stiffest = np.max(frequency**2 * np.abs(coupling).max(axis=1) / modes.size)
        self._modal_floor = max(self._modal_floor, ROUND_OFF * float(stiffest))
        for k, at in zip(range(0, len(numbers), 3), start, strict=True):
            x, y, z = modes.size[k : k + 3].tolist()
            title = f"{name} modes {k + 1} to {k + 3}"
            row = self._row(title, (1.0, 1.0, 1.0), tuple(at.tolist()), (x, y, z), False)
            spring = self._spring(MODES, body, row, 0.0, 0.0, "")
            spring["pair"] = self._teeth.put(numbers[k : k + 3])
        return first

    def mesh_modes(self, pair: int, second: bool, first_row: int, table: Floats) -> None:
        """Let a mesh, a row made by `tooth_pair`, move the modes of its first or second gear: rows
        of MeshShapes.table. Before the spring of the mesh is made."""
        self._teeth.put_modes(pair, "ab"[second], first_row, table)
        if 3 * len(self._teeth.modal_rows(pair)) > MOST_MODES:
            raise ValueError(f"a mesh moves at most {MOST_MODES} modes of both its gears")

    def plate_modes(
        self, name: str, body: int, modes: PlateModes, damping: float, angle: float = 0.0
    ) -> list[ElasticCircle]:
        """Give a body static modes of an elastic plate, rows of coordinates with masses beside
        that of the body. The plate is turned by `angle` on it, `damping` is damping over
        stiffness in s. Returns the rim and the loaded holes, for `contact`."""
        self._refuse_leaf(body, body, "modes")
        first, count = len(self.names), len(modes)
        numbers = np.zeros((count, 5))
        numbers[:, 0], numbers[:, 1] = modes.stiffness, damping * modes.stiffness
        for k in range(0, count, 3):
            x, y, z = modes.mass[k : k + 3].tolist()
            title = f"{name} modes {k + 1} to {k + 3}"
            row = self._row(title, (x, y, z), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0), False)
            spring = self._spring(MODES, body, row, 0.0, 0.0, "")
            spring["pair"] = self._teeth.put(numbers[k : k + 3])
        return [
            ElasticCircle(body, first, count // 3, self._put_table(modes, shape), len(shape), angle)
            for shape in (modes.rim, *modes.holes)
        ]

    def _put_table(self, modes: PlateModes, shape: Floats) -> int:
        """Once for all plates that are alike."""
        key = (id(modes), id(shape))
        if key not in self._plate_tables:
            self._plate_tables[key] = self._teeth.put(modes.table(shape))
        return self._plate_tables[key]

    def tooth_joint(
        self,
        a: int,
        b: int,
        base_radii: Point,
        flank: int,
        at_a: Point = ORIGIN,
        at_b: Point = ORIGIN,
        shared: int = -1,
        name: str = "",
    ) -> int:
        """Keep the gap of one flank of a mesh as it is where the bodies begin.

        Returns the multiplier λ; the teeth push by -λ. With `shared` this mesh goes by the
        multiplier of another: together they keep the sum of their gaps, with equal forces.
        """
        first = self._joint(TOOTH, a, b, at_a, at_b, name, shared, flank=flank)
        row, pose = self._joints[-1], self.pose()
        ring = base_radii[1] < 0
        line = np.subtract(self.placed(b, at_b), self.placed(a, at_a)) * (-1 if ring else 1)
        radii, distance = sum(base_radii), float(np.hypot(*line))
        if distance <= abs(radii):
            raise ValueError("the base circles of the gears overlap; enlarge the centre distance")
        angle = np.arccos(abs(radii) / distance)
        phase = base_radii[0] * pose[a, 2] - radii * np.arctan2(line[1], line[0])
        row["a_base_radius"], row["b_base_radius"] = base_radii
        row["angle"] = pose[b, 2] + phase / base_radii[1]
        row["offset"] = radii * (np.tan(angle) - angle)
        return first

    def torque(self, body: int, function: Function) -> None:
        """Torque on a body, in N·m over time."""
        self._load(body, function, torque=1.0)

    def force(self, body: int, direction: Point, function: Function, at: Point = ORIGIN) -> None:
        """Force along a fixed direction of space, at a point of the body."""
        self._load(body, function, direction=direction, at=at)

    def contact(
        self,
        row: np.void,
        touched: ElasticCircle | None = None,
        ring: ElasticCircle | None = None,
    ) -> int:
        """Add a contact made by a constructor of flank.contact; returns its number. The circle of
        an elastic plate that is `touched` belongs to one of its bodies, and so does the `ring` that
        a pin, a groove or a tooth stands in."""
        if touched is not None:
            self._put_on_plate(row, touched)
        if ring is not None:
            self._put_in_ring(row, ring)
        self._refuse_leaf_pair(int(row["body_a"]), int(row["body_b"]))
        self._refuse_turning_contact(row)
        self._contacts.append(row)
        return len(self._contacts) - 1

    def _put_on_plate(self, row: np.void, touched: ElasticCircle) -> None:
        bodies = int(row["body_a"]), int(row["body_b"])
        self._refuse_leaf(*bodies, "a contact on an elastic plate")
        if touched.body not in bodies or (touched.body == bodies[1]) != bool(row["rolls"]):
            raise ValueError(
                "an elastic plate is touched at its flank or hole, or is around a rolling element"
            )
        row["plate_side"] = PLATE_A if touched.body == bodies[0] else PLATE_B
        row["plate_row"], row["plate_rows"] = touched.first_row, touched.rows
        row["plate_table"], row["plate_knots"] = touched.table, touched.knots
        row["plate_angle"] = touched.angle

    def _put_in_ring(self, row: np.void, ring: ElasticCircle) -> None:
        """Known by its place in the ring alone, so that no needle stands in one."""
        bodies = int(row["body_a"]), int(row["body_b"])
        self._refuse_leaf(*bodies, "a contact in an elastic ring")
        if ring.body not in bodies or row["rolls"] or row["plate_side"] == PLATE_B:
            raise ValueError("a pin, a groove or a tooth of the ring's body stands in a ring")
        row["plate_side"] = PLATE_A
        row["ring_side"] = PLATE_A if ring.body == bodies[0] else PLATE_B
        row["ring_row"], row["ring_rows"] = ring.first_row, ring.rows
        row["ring_table"], row["ring_knots"] = ring.table, ring.knots
        row["ring_angle"] = ring.angle

    def shaft(
        self, body: int, angle: Function | None = None, torque: Function | None = None
    ) -> Shaft:
        """A body that turns on ground: at an angle, under a torque, or free."""
        multiplier = -1 if angle is None else self.rotation(GROUND, body, angle)
        if torque is not None:
            self.torque(body, torque)
        return Shaft(body, multiplier=multiplier, applied=torque)

    def placed(self, body: int, point: Point) -> Point:
        """A point of a body in space, where the body begins."""
        x, y, angle = self._pose[body]
        c, s = float(np.cos(angle)), float(np.sin(angle))
        return x + (c * point[0] - s * point[1]), y + (s * point[0] + c * point[1])

    def pose(self) -> Floats:
        """Initial pose of all bodies, ground first."""
        return np.array(self._pose)

    def build(self, screened: bool = True) -> Model:
        """The model as arrays; `screened` passes over contacts that are surely open still."""
        self._refuse_loose_points()
        curves = pack_curves(self._shapes)
        return Model(
            mass=np.array(self._mass),
            weights=np.array(self._weights),
            force_floor=self._force_floor(),
            curves=curves.rows,
            curve_data=curves.data,
            joints=rows_of(self._joints, JOINT),
            springs=rows_of(self._springs, SPRING),
            beams=rows_of(self._beams, BEAM),
            gears=self._teeth.packed(),
            screened=screened,
            **self._tables(contact_dtype(), LOAD, Topology(3, HELD, self._through_others())),
        )

    def _through_others(self) -> list[np.void]:
        """Pairs of bodies and rows of modes that meet in one mesh, in contacts on a plate, or at
        an elastic body."""
        met: set[tuple[int, int]] = set()
        for spring in self._springs:
            if spring["kind"] == COUPLED:
                sides = (int(spring[f"body_{side}"]) for side in "ab")
                met |= {(side, int(spring["frame"])) for side in sides}
            if spring["kind"] == FLEXIBLE_MESH:
                rows = self._teeth.modal_rows(int(spring["pair"]))
                bodies = [int(spring["body_a"]), int(spring["body_b"]), *rows]
                met |= set(combinations(bodies, 2))
        for contact in self._contacts:
            if contact["plate_side"]:
                rows = list[int]()
                for kind in ("plate", "ring"):
                    first = int(contact[f"{kind}_row"])
                    rows += range(first, first + int(contact[f"{kind}_rows"]))
                met |= set(combinations(rows, 2))
                met |= {(int(contact[body]), row) for body in ("body_a", "body_b") for row in rows}
        return [new_row(SPRING, body_a=a, body_b=b) for a, b in sorted(met)]

    def _row(
        self,
        name: str,
        mass: tuple[float, float, float],
        pose: tuple[float, ...],
        weights: tuple[float, float, float],
        leaf: bool,
    ) -> int:
        number = self._add_name(name, leaf)
        self._mass.append(mass)
        self._pose.append(pose)
        self._weights.append(weights)
        return number

    def _joint(
        self,
        kind: int,
        a: int,
        b: int,
        at_a: Point = ORIGIN,
        at_b: Point = ORIGIN,
        name: str = "",
        shared: int = -1,
        **values: float,
    ) -> int:
        self._refuse_unknown(a, b)
        self._refuse_leaf(a, b)
        self._refuse_arm(a, at_a)
        self._refuse_arm(b, at_b)
        first, equations = (self._equations, EQUATIONS[kind]) if shared < 0 else (shared, 0)
        row = new_row(JOINT, kind=kind, body_a=a, body_b=b, first=first, **values)
        row["a_x"], row["a_y"] = at_a
        row["b_x"], row["b_y"] = at_b
        _put_name(self.joint_names, name, first)
        return self._add_joint(row, equations)

    def _spring(
        self,
        kind: int,
        a: int,
        b: int,
        stiffness: float | VaryingStiffness,
        damping: float,
        name: str,
    ) -> np.void:
        """A new row of the springs, for the caller to complete."""
        self._refuse_leaf_pair(a, b)
        row = new_row(SPRING, kind=kind, body_a=a, body_b=b, damping=damping)
        row["pair"], row["function"], row["follows"] = -1, -1, -1
        if isinstance(stiffness, VaryingStiffness):
            self._refuse_stiffness(stiffness, a, b)
            row["stiffness"] = stiffness.function.bounds[1]
            row["function"], row["follows"] = self.function(stiffness.function), stiffness.body
        else:
            row["stiffness"] = stiffness
        _put_name(self.spring_names, name, len(self._springs))
        self._springs.append(row)
        return row

    def _load(
        self,
        body: int,
        function: Function,
        direction: Point = ORIGIN,
        torque: float = 0.0,
        at: Point = ORIGIN,
    ) -> None:
        self._refuse_unknown(body)
        self._refuse_arm(body, at)
        row = new_row(LOAD, body=body, function=self.function(function), torque=torque)
        row["direction_x"], row["direction_y"] = direction
        row["x"], row["y"] = at
        self._loads.append(row)

    def _refuse_stiffness(self, stiffness: VaryingStiffness, a: int, b: int) -> None:
        least, largest = stiffness.function.bounds
        if not 0.0 <= least <= largest < np.inf:
            raise ValueError(
                f"a stiffness that varies from {least:.6g} to {largest:.6g} is none; let it stay "
                "zero or above and finite"
            )
        if stiffness.body >= 0 and stiffness.body not in {a, b} - {GROUND} - self._points:
            raise ValueError("a stiffness follows the angle of one of the two bodies it is between")

    def _refuse_arm(self, body: int, at: Point) -> None:
        if body in self._points and tuple(at) != ORIGIN:
            raise ValueError(f"{self.names[body]!r} is the node of a beam and has no arm to act at")

    def _refuse_turning_contact(self, row: np.void) -> None:
        """A node has no angle for the moment of a force that passes it by; friction acts at it."""
        a, b = int(row["body_a"]), int(row["body_b"])
        central = row["b_x"] == row["b_y"] == 0.0 and not row["rolls"]
        if a in self._points or (b in self._points and not central):
            raise ValueError("the node of a beam touches as a circle B about it")
        row["on_node"] = b in self._points

    def _refuse_loose_points(self) -> None:
        joined = {int(row) for beam in self._beams for row in beam["rows"]}
        for row in sorted(self._points - joined):
            raise ValueError(f"{self.names[row]!r} has no mass; join it to a beam")

    def _force_floor(self) -> float:
        """What the round-off of coordinates leaves in the worst beam and the worst mesh."""
        reach = np.abs(self.pose() * self._weights)[sorted(self._points)]
        return max(
            beam_floor(float(np.max(reach, initial=0.0)), self._beams),
            mesh_floor(self._springs, self._contacts, self._teeth),
            self._modal_floor,
        )


def _put_name(names: dict[str, int], name: str, number: int) -> None:
    if name in names:
        raise ValueError(f"{name!r} is named already; a name is for one spring or joint")
    if name:
        names[name] = number
