"""Build a model of spatial bodies from parts.

builder = SpatialBuilder(length_scale=0.1)
top = builder.body("top", mass=1.0, inertia=(2e-3, 2e-3, 1e-3), position=(0, 0, 0.1))
builder.spherical(GROUND, top, at_b=(0, 0, -0.1))
builder.force(top, (0, 0, -9.81), constant(1.0))
model = builder.build()
"""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from flank.arrays import Floats
from flank.contact.mesh_map import MeshMap
from flank.contact.spatial.flank_search import FlankMesh
from flank.contact.spatial.surface import axes, three_numbers, unit
from flank.contact.spatial.table import spatial_contact_dtype
from flank.contact.tooth_pair import RollTable
from flank.dynamics.functions import Function, constant
from flank.dynamics.packing import RowsBuilder, Topology, new_row, rows_of
from flank.dynamics.spatial.flanks import FlankElement, FlankElements, NoFlanks
from flank.dynamics.spatial.model import MAXIMUM_NEIGHBOURS, SpatialModel
from flank.dynamics.spatial.quaternions import matrix_of, quaternion_of
from flank.dynamics.spatial.tables import (
    ALONG,
    ANGLE,
    CONDITION,
    DOT,
    EQUATIONS,
    HELD,
    POINT,
    SPATIAL_BUSHING,
    SPATIAL_LOAD,
    SPATIAL_MESH,
    TEETH,
)
from flank.dynamics.spatial.teeth import SPATIAL_TEETH, NoTeeth, Teeth, teeth_gaps
from flank.dynamics.tables import GROUND
from flank.dynamics.tooth_store import ToothStore
from flank.dynamics.trajectory import Shaft

ORIGIN = (0.0, 0.0, 0.0)
Z = (0.0, 0.0, 1.0)
NOT_TURNED = np.eye(3)


class SpatialBuilder(RowsBuilder):
    """Collects bodies, joints, bushings, loads and contacts; points and directions of a body are
    given along its own axes. `length_scale` in m weighs rotations against displacements."""

    def __init__(self, length_scale: float) -> None:
        if not 0 < length_scale < np.inf:
            raise ValueError("length_scale must be positive: a radius at which bodies touch")
        super().__init__(float(length_scale), MAXIMUM_NEIGHBOURS)
        self._mass = [0.0]
        self._inertia = [np.zeros((3, 3))]
        self._position = [np.zeros(3)]
        self._rotation = [np.array([1.0, 0.0, 0.0, 0.0])]
        self._meshes: list[np.void] = []
        self._flanks: list[FlankElement] = []
        self._teeth: list[np.void] = []
        self._tooth_store = ToothStore()

    def body(
        self,
        name: str,
        mass: float,
        inertia: ArrayLike,
        position: ArrayLike = ORIGIN,
        rotation: ArrayLike = NOT_TURNED,
        leaf: bool = False,
    ) -> int:
        """Add a body with its centre of mass at `position`; returns its number.

        `inertia` about the centre of mass is three principal moments or a 3 x 3 matrix, along body
        axes; `rotation` is the matrix from body axes to space. Leaves come last.
        """
        tensor = _inertia_tensor(name, float(mass), inertia)
        place = three_numbers(f"the position of {name!r}", position)
        turned = quaternion_of(np.asarray(rotation, dtype=float))
        number = self._add_name(name, leaf)
        self._mass.append(float(mass))
        self._inertia.append(tensor)
        self._position.append(place)
        self._rotation.append(turned)
        return number

    def spherical(self, a: int, b: int, at_a: ArrayLike = ORIGIN, at_b: ArrayLike = ORIGIN) -> int:
        """A point of A is a point of B; returns the first of three multipliers, the force on A
        along the axes of space (that on B is -λ)."""
        return self._condition(POINT, a, b, at_a=at_a, at_b=at_b)

    def revolute(
        self,
        a: int,
        b: int,
        axis: ArrayLike = Z,
        at_a: ArrayLike = ORIGIN,
        at_b: ArrayLike = ORIGIN,
    ) -> int:
        """B turns against A about an axis that both have, given in A's frame; five multipliers."""
        first = self.spherical(a, b, at_a, at_b)
        self.parallel(a, b, axis)
        return first

    def universal(
        self,
        a: int,
        b: int,
        axis_a: ArrayLike,
        axis_b: ArrayLike,
        at_a: ArrayLike = ORIGIN,
        at_b: ArrayLike = ORIGIN,
    ) -> int:
        """Cross joint: `axis_a` of A stays perpendicular to `axis_b` of B; four multipliers."""
        first = self.spherical(a, b, at_a, at_b)
        self._condition(DOT, a, b, direction_a=unit(axis_a), direction_b=unit(axis_b))
        return first

    def fixed(self, a: int, b: int, at_a: ArrayLike = ORIGIN, at_b: ArrayLike = ORIGIN) -> int:
        """B stays to A as it is built, the points brought together; six multipliers."""
        first = self.spherical(a, b, at_a, at_b)
        self.rotation(a, b, constant(0.0), NOT_TURNED[2])
        self.parallel(a, b, NOT_TURNED[2])
        return first

    def cylindrical(
        self,
        a: int,
        b: int,
        axis: ArrayLike = Z,
        at_a: ArrayLike = ORIGIN,
        at_b: ArrayLike = ORIGIN,
    ) -> int:
        """B turns about and slides along an axis that both have, in A's frame; four multipliers."""
        first = self._equations
        for side in _sides(axis):
            self.along(a, b, side, constant(0.0), at_a, at_b)
        self.parallel(a, b, axis)
        return first

    def parallel(self, a: int, b: int, axis: ArrayLike = Z) -> int:
        """A's axis keeps the direction that it has in B; two multipliers."""
        in_b = self._to_b(a, b, unit(axis))
        first = self._equations
        for side in _sides(axis):
            self._condition(DOT, a, b, direction_a=side, direction_b=in_b)
        return first

    def rotation(self, a: int, b: int, angle: Function, axis: ArrayLike = Z) -> int:
        """B is turned against A by angle(t) about an axis of A that it keeps by other joints,
        counted from how it is built; one multiplier, the torque that drives B about the axis."""
        side, turned = _sides(axis)
        return self._condition(
            ANGLE,
            a,
            b,
            angle,
            direction_a=side,
            turned_a=turned,
            direction_b=self._to_b(a, b, turned),
        )

    def along(
        self,
        a: int,
        b: int,
        direction: ArrayLike,
        distance: Function,
        at_a: ArrayLike = ORIGIN,
        at_b: ArrayLike = ORIGIN,
    ) -> int:
        """From a point of A to one of B it is distance(t) along a direction of A; one multiplier,
        minus the force along the direction on B."""
        return self._condition(
            ALONG, a, b, distance, at_a=at_a, at_b=at_b, direction_a=unit(direction)
        )

    def bushing(
        self,
        a: int,
        b: int,
        stiffness: ArrayLike = ORIGIN,
        turning_stiffness: ArrayLike = ORIGIN,
        damping: ArrayLike = ORIGIN,
        turning_damping: ArrayLike = ORIGIN,
        at_a: ArrayLike = ORIGIN,
        at_b: ArrayLike = ORIGIN,
        frame: ArrayLike = NOT_TURNED,
    ) -> int:
        """Springs between two points and about the axes of a frame on A (rows), relaxed in turning
        as built; returns its number."""
        self._refuse_pair(a, b)
        row = new_row(
            SPATIAL_BUSHING,
            body_a=a,
            body_b=b,
            at_a=_point(at_a),
            at_b=_point(at_b),
            frame=axes("a bushing", frame),
            relaxed=quaternion_of(self._matrix(a).T @ self._matrix(b)),
            stiffness=_not_negative("stiffness", stiffness),
            damping=_not_negative("damping", damping),
            turning_stiffness=_not_negative("turning stiffness", turning_stiffness),
            turning_damping=_not_negative("turning damping", turning_damping),
        )
        self._springs.append(row)
        return len(self._springs) - 1

    def mesh(
        self,
        a: int,
        b: int,
        teeth: tuple[int, int],
        axes: tuple[ArrayLike, ArrayLike],
        pitch_point: ArrayLike,
        line_of_action: ArrayLike,
        stiffness: float,
        damping: float = 0.0,
        backlash: float = 0.0,
    ) -> int:
        """Teeth of two gears as a spring along their line of action, by which A pushes B, through
        the pitch point; all in space, where the axes of the gears stand still. The teeth are
        centred in their backlash as built. Returns its number."""
        row = self.line_of_action(a, b, teeth, axes, pitch_point, line_of_action)
        row["stiffness"], row["damping"], row["backlash"] = stiffness, damping, backlash
        self._meshes.append(row)
        return len(self._meshes) - 1

    def line_of_action(
        self,
        a: int,
        b: int,
        teeth: tuple[int, int],
        axes: tuple[ArrayLike, ArrayLike],
        pitch_point: ArrayLike,
        line_of_action: ArrayLike,
    ) -> np.void:
        """The row of such a mesh without a stiffness, which tells how far teeth are pressed."""
        self._refuse_pair(a, b)
        self._refuse_leaf(a, b, "teeth")
        row = new_row(SPATIAL_MESH, body_a=a, body_b=b, normal=unit(line_of_action))
        arms = []
        for gear, (body, axis) in enumerate(zip((a, b), map(unit, axes), strict=True)):
            arm = np.cross(_point(pitch_point) - self._position[body], row["normal"])
            across, beside = _sides(axis)
            row["origin"][gear], row["arm"][gear] = self._position[body], arm
            row["axis"][gear], row["across"][gear], row["beside"][gear] = axis, across, beside
            row["mark"][gear] = self._matrix(body).T @ across
            row["spindle"][gear] = self._matrix(body).T @ axis
            arms.append(float(arm @ axis) * (1 - 2 * gear))
        pitches = [abs(arm) / count for arm, count in zip(arms, teeth, strict=True)]
        if not math.isclose(*pitches, rel_tol=1e-9) or min(pitches) == 0:
            raise ValueError(
                f"the base pitches of the gears, {2e3 * np.pi * pitches[0]:.6g} mm and "
                f"{2e3 * np.pi * pitches[1]:.6g} mm, differ; give a pitch point whose distances "
                "from the axes are as the numbers of teeth"
            )
        row["pitch"], row["teeth"] = pitches[0], np.round(np.array(arms) / pitches[0])
        return row

    def flanks(self, a: int, b: int, mesh: FlankMesh, damping: float = 0.0) -> int:
        """Flanks of two gears, whose frames are those of the bodies; A carries the sections. Forces
        of points are damped by their rates times `damping` in s. Returns its number."""
        self._refuse_pair(a, b)
        self._refuse_leaf(a, b, "flanks")
        if not damping >= 0:
            raise ValueError(f"damping must not be negative, not {damping:.4g} s")
        self._flanks.append(FlankElement(mesh, a, b, np.array([1.0, damping])))
        return len(self._flanks) - 1

    def tooth_pair(
        self,
        row: np.void,
        teeth: tuple[RollTable, RollTable] | None = None,
        pairs: tuple[RollTable, RollTable] | None = None,
        common: float = 0.0,
        mesh_map: MeshMap | None = None,
    ) -> int:
        """Add the geometry of a mesh, a row of contact.tooth_pair, and its tables (ToothStore)."""
        return self._tooth_store.add(row, teeth, pairs, common, mesh_map)

    def teeth(
        self,
        a: int,
        b: int,
        stiffness: float,
        base_radii: tuple[float, float],
        centre_distance: float,
        period: float,
        damping: float = 0.0,
        angle: float = 0.0,
        backlash: float = 0.0,
        at_a: ArrayLike = ORIGIN,
        at_b: ArrayLike = ORIGIN,
        helix: float = 0.0,
        height: float = 0.0,
        flank: int = 0,
        pair: int = -1,
        roll_offset: float = 0.0,
        separation: float = 0.0,
        always_damped: bool = False,
    ) -> int:
        """Teeth of two involute gears that turn about the z axes of their bodies, as a spring along
        each flank; returns its number. Keys are those of ModelBuilder.mesh, and `helix`, the
        tangent of the base helix angle of A, positive where it is right-handed, `height` of the
        plane in which they mesh above A's centre, and `period` of the mesh in m: the base pitch
        times the largest common divisor of both tooth numbers."""
        row = self._teeth_row(a, b, base_radii, centre_distance, period, at_a, at_b, helix, height)
        row["stiffness"], row["damping"], row["always_damped"] = stiffness, damping, always_damped
        row["angle"], row["dead_band"], row["flank"], row["pair"] = angle, backlash, flank, pair
        row["roll_offset"], row["separation"] = roll_offset, separation
        self._teeth.append(row)
        return len(self._teeth) - 1

    def tooth_joint(
        self,
        a: int,
        b: int,
        base_radii: tuple[float, float],
        period: float,
        flank: int,
        at_a: ArrayLike = ORIGIN,
        at_b: ArrayLike = ORIGIN,
        helix: float = 0.0,
        shared: int = -1,
    ) -> int:
        """Keep the gap of one flank of a mesh as it is where the bodies begin; returns the
        multiplier λ, the teeth push by -λ. With `shared` this mesh goes by the multiplier of
        another: together they keep the sum of their gaps, with equal forces."""
        distance = 2 * abs(sum(base_radii))
        row = self._teeth_row(a, b, base_radii, distance, period, at_a, at_b, helix, 0.0)
        ahead, behind = teeth_gaps(row, *self.pose())
        row["angle"] += 0.5 * (behind - ahead) / base_radii[1]  # so that the phase begins at zero
        row["offset"], row["flank"] = 0.5 * (ahead + behind), flank
        equations = EQUATIONS[TEETH] if shared < 0 else 0
        row["first"] = self._equations if shared < 0 else shared
        joint = new_row(CONDITION, kind=TEETH, body_a=a, body_b=b, first=row["first"])
        self._teeth.append(row)
        return self._add_joint(joint, equations)

    def _teeth_row(
        self,
        a: int,
        b: int,
        base_radii: tuple[float, float],
        centre_distance: float,
        period: float,
        at_a: ArrayLike,
        at_b: ArrayLike,
        helix: float,
        height: float,
    ) -> np.void:
        self._refuse_pair(a, b)
        self._refuse_leaf(a, b, "teeth")
        if centre_distance <= abs(sum(base_radii)):
            raise ValueError("the base circles of the gears overlap; enlarge the centre distance")
        row = new_row(SPATIAL_TEETH, body_a=a, body_b=b, centre_a=_point(at_a))
        row["centre_b"], row["centre_distance"] = _point(at_b), centre_distance
        row["a_base_radius"], row["b_base_radius"] = base_radii
        row["helix"], row["height"], row["period"] = helix, height, period
        row["pair"], row["first"] = -1, -1
        return row

    def force(
        self,
        body: int,
        force: ArrayLike,
        function: Function,
        at: ArrayLike = ORIGIN,
        reference: int = GROUND,
    ) -> None:
        """Force x function(t) at a point of the body, along the axes of the reference body."""
        self._load(body, reference, function, force=force, at=at)

    def torque(
        self, body: int, torque: ArrayLike, function: Function, reference: int = GROUND
    ) -> None:
        """Torque x function(t) along the axes of the reference body."""
        self._load(body, reference, function, torque=torque)

    def contact(self, row: np.void) -> int:
        """Add a contact made by a constructor of flank.contact.spatial; returns its number."""
        self._refuse_pair(int(row["body_a"]), int(row["body_b"]))
        self._contacts.append(row)
        return len(self._contacts) - 1

    def shaft(
        self,
        body: int,
        axis: ArrayLike = Z,
        reference: int = GROUND,
        angle: Function | None = None,
        torque: Function | None = None,
    ) -> Shaft:
        """A body that turns about an axis of a reference body, which joints let it: at an angle,
        under a torque about the axis, or free."""
        along = unit(axis)
        multiplier = -1 if angle is None else self.rotation(reference, body, angle, along)
        if torque is not None:
            self.torque(body, along, torque, reference)
        built = quaternion_of(self._matrix(reference).T @ self._matrix(body))
        return Shaft(
            body, reference, tuple(along.tolist()), tuple(built.tolist()), multiplier, torque
        )

    def pose(self) -> tuple[Floats, Floats]:
        """Positions (bodies, 3) and rotations (bodies, 4) as built, ground first."""
        return np.array(self._position), np.array(self._rotation)

    def build(self) -> SpatialModel:
        """The model as arrays."""
        return SpatialModel(
            mass=np.array(self._mass),
            inertia=np.array(self._inertia),
            conditions=rows_of(self._joints, CONDITION),
            bushings=rows_of(self._springs, SPATIAL_BUSHING),
            meshes=rows_of(self._meshes, SPATIAL_MESH),
            mesh_count=len(self._meshes),
            flanks=FlankElements(tuple(self._flanks)) if self._flanks else NoFlanks(),
            teeth=self._packed_teeth(),
            **self._tables(spatial_contact_dtype(), SPATIAL_LOAD, Topology(6, HELD, self._pairs)),
        )

    def _packed_teeth(self) -> Teeth | NoTeeth:
        if not self._teeth:
            return NoTeeth()
        return Teeth(rows_of(self._teeth, SPATIAL_TEETH), self._tooth_store.packed())

    @property
    def _pairs(self) -> list[Any]:
        """Bodies that teeth join."""
        flanks = [{"body_a": each.body_a, "body_b": each.body_b} for each in self._flanks]
        return [*self._meshes, *self._teeth, *flanks]

    def _condition(
        self, kind: int, a: int, b: int, function: Function | None = None, **values: ArrayLike
    ) -> int:
        self._refuse_pair(a, b)
        self._refuse_leaf(a, b)
        vectors = {name: _point(value) for name, value in values.items()}
        row = new_row(CONDITION, kind=kind, body_a=a, body_b=b, first=self._equations, **vectors)
        row["function"] = self.function(constant(0.0) if function is None else function)
        return self._add_joint(row, EQUATIONS[kind])

    def _load(
        self,
        body: int,
        reference: int,
        function: Function,
        force: ArrayLike = ORIGIN,
        torque: ArrayLike = ORIGIN,
        at: ArrayLike = ORIGIN,
    ) -> None:
        self._refuse_unknown(body, reference)
        if body == GROUND:
            raise ValueError("a load on ground does nothing; name the body that it acts on")
        row = new_row(
            SPATIAL_LOAD,
            body=body,
            reference=reference,
            force=three_numbers("a force", force),
            torque=three_numbers("a torque", torque),
            at=_point(at),
        )
        row["function"] = self.function(function)
        self._loads.append(row)

    def _matrix(self, body: int) -> Floats:
        return matrix_of(self._rotation[body])

    def _to_b(self, a: int, b: int, direction: Floats) -> Floats:
        """A direction of A along the axes of B, as built."""
        return self._matrix(b).T @ self._matrix(a) @ direction

    def _refuse_pair(self, a: int, b: int) -> None:
        self._refuse_unknown(a, b)
        if a == b:
            raise ValueError(f"{self.names[a]!r} cannot be joined to itself; name two bodies")
        self._refuse_leaf_pair(a, b)


def _point(given: ArrayLike) -> Floats:
    return three_numbers("a point of a body", given)


def _not_negative(what: str, given: ArrayLike) -> Floats:
    vector = three_numbers(what, given)
    if np.any(vector < 0):
        raise ValueError(f"{what} must not be negative along any axis, not {vector}")
    return vector


def _sides(axis: ArrayLike) -> tuple[Floats, Floats]:
    """Two directions perpendicular to an axis and to each other, right-handed with it."""
    z = unit(axis)
    x = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = unit(x - (x @ z) * z)
    return x, np.cross(z, x)


def _inertia_tensor(name: str, mass: float, given: ArrayLike) -> Floats:
    """From three principal moments or a 3 x 3 matrix."""
    if not 0 < mass < np.inf:
        raise ValueError(f"{name!r} needs a positive mass, not {mass:.4g} kg")
    moments = np.asarray(given, dtype=float)
    tensor = np.diag(moments) if moments.shape == (3,) else moments
    if tensor.shape != (3, 3) or not np.isfinite(tensor).all() or not np.allclose(tensor, tensor.T):
        raise ValueError(
            f"the inertia of {name!r} must be three moments or a symmetric 3 x 3 matrix in kg m²"
        )
    principal = np.linalg.eigvalsh(tensor)
    if not principal[0] > 0 or principal[2] > sum(principal[:2]) * (1 + 1e-9):
        raise ValueError(
            f"{name!r} needs moments of inertia that a body can have: positive, the largest not "
            f"above the sum of the others; given {np.round(principal, 12)} kg m²"
        )
    return tensor
