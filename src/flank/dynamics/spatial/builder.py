"""Build a model of spatial bodies from parts.

builder = SpatialBuilder(length_scale=0.1)
top = builder.body("top", mass=1.0, inertia=(2e-3, 2e-3, 1e-3), position=(0, 0, 0.1))
builder.spherical(GROUND, top, at_b=(0, 0, -0.1))
builder.force(top, (0, 0, -9.81), constant(1.0))
model = builder.build()
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from flank.arrays import Floats
from flank.contact.spatial.surface import axes, three_numbers, unit
from flank.contact.spatial.table import spatial_contact_dtype
from flank.dynamics.functions import Function, constant
from flank.dynamics.grouping import Grouping
from flank.dynamics.packing import leaf_neighbours, pack_functions, rows_of
from flank.dynamics.spatial.arguments import inertia_tensor, not_negative, sides
from flank.dynamics.spatial.model import MAXIMUM_NEIGHBOURS, SpatialModel
from flank.dynamics.spatial.quaternions import matrix_of, quaternion_of
from flank.dynamics.spatial.tables import (
    ALONG,
    ANGLE,
    CONDITION,
    DOT,
    EQUATIONS,
    POINT,
    SPATIAL_BUSHING,
    SPATIAL_LOAD,
    SPATIAL_MESH,
)
from flank.dynamics.tables import GROUND
from flank.dynamics.trajectory import Shaft

ORIGIN = (0.0, 0.0, 0.0)
Z = (0.0, 0.0, 1.0)
NOT_TURNED = np.eye(3)


class SpatialBuilder(Grouping):
    """Collects bodies, joints, bushings, loads and contacts; points and directions of a body are
    given along its own axes. `length_scale` in m weighs rotations against displacements."""

    def __init__(self, length_scale: float) -> None:
        if not 0 < length_scale < np.inf:
            raise ValueError("length_scale must be positive: a radius at which bodies touch")
        super().__init__()
        self.length_scale = float(length_scale)
        self.names = ["ground"]
        self._mass = [0.0]
        self._inertia = [np.zeros((3, 3))]
        self._position = [np.zeros(3)]
        self._rotation = [np.array([1.0, 0.0, 0.0, 0.0])]
        self._core_count = 0
        self._equations = 0
        self._functions: list[Function] = []
        self._conditions: list[np.void] = []
        self._loads: list[np.void] = []
        self._meshes: list[np.void] = []

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
        if not leaf and self._core_count != len(self.names) - 1:
            raise ValueError(f"body {name!r} must be added before the leaf bodies")
        tensor = inertia_tensor(name, float(mass), inertia)
        place = three_numbers(f"the position of {name!r}", position)
        turned = quaternion_of(np.asarray(rotation, dtype=float))
        self.names.append(name)
        self._mass.append(float(mass))
        self._inertia.append(tensor)
        self._position.append(place)
        self._rotation.append(turned)
        if not leaf:
            self._core_count += 1
        return len(self.names) - 1

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
        for side in sides(axis):
            self.along(a, b, side, constant(0.0), at_a, at_b)
        self.parallel(a, b, axis)
        return first

    def parallel(self, a: int, b: int, axis: ArrayLike = Z) -> int:
        """A's axis keeps the direction that it has in B; two multipliers."""
        in_b = self._to_b(a, b, unit(axis))
        first = self._equations
        for side in sides(axis):
            self._condition(DOT, a, b, direction_a=side, direction_b=in_b)
        return first

    def rotation(self, a: int, b: int, angle: Function, axis: ArrayLike = Z) -> int:
        """B is turned against A by angle(t) about an axis of A that it keeps by other joints,
        counted from how it is built; one multiplier, the torque that drives B about the axis."""
        side, turned = sides(axis)
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
        row = np.zeros(1, dtype=SPATIAL_BUSHING)[0]
        row["body_a"], row["body_b"] = a, b
        row["at_a"], row["at_b"] = _point(at_a), _point(at_b)
        row["frame"] = axes("a bushing", frame)
        row["relaxed"] = quaternion_of(self._matrix(a).T @ self._matrix(b))
        row["stiffness"] = not_negative("stiffness", stiffness)
        row["damping"] = not_negative("damping", damping)
        row["turning_stiffness"] = not_negative("turning stiffness", turning_stiffness)
        row["turning_damping"] = not_negative("turning damping", turning_damping)
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
        self._refuse_pair(a, b)
        if max(a, b) > self._core_count:
            raise ValueError("a leaf body cannot carry teeth; add it as a core body")
        row = np.zeros(1, dtype=SPATIAL_MESH)[0]
        row["body_a"], row["body_b"], row["normal"] = a, b, unit(line_of_action)
        arms = []
        for gear, (body, axis) in enumerate(zip((a, b), map(unit, axes), strict=True)):
            arm = np.cross(_point(pitch_point) - self._position[body], row["normal"])
            across, beside = sides(axis)
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
        row["stiffness"], row["damping"], row["backlash"] = stiffness, damping, backlash
        self._meshes.append(row)
        return len(self._meshes) - 1

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
        functions, function_data = pack_functions(self._functions)
        tables = (self._conditions, self._springs, self._loads, self._contacts)
        return SpatialModel(
            mass=np.array(self._mass),
            inertia=np.array(self._inertia),
            core_count=self._core_count,
            constraint_count=self._equations,
            length_scale=self.length_scale,
            contacts=rows_of(self._contacts, spatial_contact_dtype()),
            conditions=rows_of(self._conditions, CONDITION),
            bushings=rows_of(self._springs, SPATIAL_BUSHING),
            loads=rows_of(self._loads, SPATIAL_LOAD),
            functions=functions,
            function_data=function_data,
            leaf_neighbours=leaf_neighbours(
                self.names,
                self._core_count,
                [*self._contacts, *self._springs],
                MAXIMUM_NEIGHBOURS,
            ),
            counts=np.array([len(rows) for rows in tables]),
            meshes=rows_of(self._meshes, SPATIAL_MESH) if self._meshes else None,
        )

    def _condition(
        self, kind: int, a: int, b: int, function: Function | None = None, **values: ArrayLike
    ) -> int:
        self._refuse_pair(a, b)
        if max(a, b) > self._core_count:
            raise ValueError("a leaf body cannot carry a joint; add it as a core body")
        row = np.zeros(1, dtype=CONDITION)[0]
        row["kind"], row["body_a"], row["body_b"], row["first"] = kind, a, b, self._equations
        row["function"] = self._function(constant(0.0) if function is None else function)
        for name, value in values.items():
            row[name] = _point(value)
        self._conditions.append(row)
        self._equations += EQUATIONS[kind]
        return int(row["first"])

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
        row = np.zeros(1, dtype=SPATIAL_LOAD)[0]
        row["body"], row["reference"], row["function"] = body, reference, self._function(function)
        row["force"] = three_numbers("a force", force)
        row["torque"] = three_numbers("a torque", torque)
        row["at"] = _point(at)
        self._loads.append(row)

    def _function(self, function: Function) -> int:
        self._functions.append(function)
        return len(self._functions) - 1

    def _matrix(self, body: int) -> Floats:
        return matrix_of(self._rotation[body])

    def _to_b(self, a: int, b: int, direction: Floats) -> Floats:
        """A direction of A along the axes of B, as built."""
        return self._matrix(b).T @ self._matrix(a) @ direction

    def _refuse_unknown(self, *bodies: int) -> None:
        for body in bodies:
            if not 0 <= body < len(self.names):
                raise ValueError(f"there is no body number {body}; add bodies first")

    def _refuse_pair(self, a: int, b: int) -> None:
        self._refuse_unknown(a, b)
        if a == b:
            raise ValueError(f"{self.names[a]!r} cannot be joined to itself; name two bodies")
        if min(a, b) > self._core_count:
            raise ValueError("two leaf bodies cannot touch each other; make one a core body")


def _point(given: ArrayLike) -> Floats:
    return three_numbers("a point of a body", given)
