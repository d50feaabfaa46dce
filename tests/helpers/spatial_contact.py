"""Two bodies and one contact between them, evaluated from Python."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from flank.contact.spatial import (
    Place,
    SpatialSurface,
    Sphere,
    ball_in_arc,
    ball_in_ellipse,
    sphere_in_cylinder,
    sphere_in_sphere,
    sphere_on_plane,
    sphere_on_sphere,
)
from flank.contact.spatial.element import (
    contact_tangent,
    distance_field,
    evaluate_contact,
    tangent,
)
from flank.contact.spatial.table import SPATIAL_CONTACT_RESULT, SPATIAL_MEMORY
from flank.kernel import kernel

BALL = 8.731e-3
FRAME = Rotation.from_rotvec([0.4, -0.7, 0.5]).as_matrix()
ORIGIN = np.array([0.03, 0.01, -0.02])
ARM = np.array([4e-3, -3e-3, 2e-3])
SEMI_AXES = (8.997e-3, 8.819e-3)
NAMES = ("plane", "arc", "ellipse", "cylinder", "inside sphere", "outside sphere")


@dataclass(frozen=True)
class Pose:
    """Positions (2, 3), rotations (2, 3, 3) and velocities (2, 6) of bodies A and B."""

    position: NDArray
    matrix: NDArray
    velocity: NDArray

    def moved(self, change: NDArray) -> "Pose":
        """After x += δx and R → exp(α) R of both bodies, ordered x_A, α_A, x_B, α_B."""
        change = change.reshape(2, 6)
        turn = Rotation.from_rotvec(change[:, 3:]).as_matrix()
        return Pose(self.position + change[:, :3], turn @ self.matrix, self.velocity)

    def faster(self, change: NDArray) -> "Pose":
        return Pose(self.position, self.matrix, self.velocity + change.reshape(2, 6))


def memory_of(
    stuck_force: NDArray | None = None, normal: NDArray | None = None, limit: float = 0.0
) -> NDArray:
    """What elastic friction remembers: force and normal along A's axes, and a frozen limit."""
    memory = np.zeros(1, dtype=SPATIAL_MEMORY)
    if stuck_force is not None:
        memory["stuck_force"], memory["stuck_normal"] = stuck_force, normal
    memory["frozen_limit"] = limit
    return memory


def seen_from_a(row: np.void, pose: Pose) -> tuple[NDArray, NDArray]:
    """The sphere's centre and B's rotation along A's axes."""
    centre = pose.position[1] + pose.matrix[1] @ row["arm"] - pose.position[0]
    return pose.matrix[0].T @ centre, pose.matrix[0].T @ pose.matrix[1]


class Answer:
    """What a contact gives in a pose; with elastic friction, coming from a pose `before`."""

    def __init__(
        self,
        row: np.void,
        pose: Pose,
        before: Pose | None = None,
        memory: NDArray | None = None,
    ) -> None:
        self._contacts = np.array([row])
        contact_results = np.zeros(1, dtype=SPATIAL_CONTACT_RESULT)
        self._element = np.full((16, 12), np.nan)
        given = (
            self._contacts,
            pose.position,
            pose.matrix,
            pose.velocity,
            contact_results,
            self._element,
        )
        self.memory = memory
        if before is None:
            self.closed, self.energy = _evaluate(*given)
        else:
            self.memory = memory_of() if memory is None else memory.copy()
            self.memory["stuck_centre"], self.memory["stuck_turn"] = seen_from_a(row, before)
            self.closed, self.energy = _hold(*given, self.memory)
        self.contact_result = contact_results[0]
        self.force = self._element[0].copy() if self.closed else np.zeros(12)

    def tangent(self, rate_factor: float = 0.0, geometric_factor: float = 1.0) -> NDArray:
        block = np.zeros((12, 12))
        given = (self._contacts, self._element, rate_factor, geometric_factor, block)
        if self.memory is None:
            _add_tangent(*given)
        else:
            _add_holding_tangent(*given, self.memory)
        return block


def surface(name: str, law: SpatialSurface) -> np.void:
    """A contact of bodies 0 and 1 with each distance field, off-centre on both bodies."""
    if name == "plane":
        return sphere_on_plane(0, ORIGIN, FRAME[0], Sphere(1, BALL, ARM), law)
    if name == "arc":
        return ball_in_arc(
            Place(0, ORIGIN, FRAME), (-1e-4, -1e-4), 1.02 * BALL, 1, Sphere(1, BALL, ARM), law
        )
    if name == "ellipse":
        return ball_in_ellipse(Place(0, ORIGIN, FRAME), SEMI_AXES, 1, Sphere(1, BALL, ARM), law)
    if name == "cylinder":
        return sphere_in_cylinder(0, ORIGIN, FRAME[2], 1.02 * BALL, Sphere(1, BALL, ARM), law)
    if name == "inside sphere":
        return sphere_in_sphere(Sphere(0, 35e-3, ORIGIN), Sphere(1, 34.9e-3, ARM), law)
    return sphere_on_sphere(Sphere(0, 35e-3, ORIGIN), Sphere(1, BALL, ARM), law)


def touching_point(name: str) -> NDArray:
    """A centre of the sphere in the surface's frame where it is some 40 µm deep."""
    oblique = np.array([1.0, 2.0, -1.0]) / np.sqrt(6.0)
    return {
        "plane": np.array([BALL - 4e-5, 1e-3, 2e-3]),
        "arc": np.array([4.9e-5, 3.7e-5, 3e-3]),
        "ellipse": np.array([2.7e-4, 4e-5, 2e-3]),
        "cylinder": np.array([-1.2e-4, 1.8e-4, 1e-3]),
        "inside sphere": 1.4e-4 * oblique,
        "outside sphere": (35e-3 + BALL - 4e-5) * oblique,
    }[name]


def posed(row: np.void, point: NDArray, velocity: NDArray | None = None) -> Pose:
    """Bodies turned anyhow, the sphere's centre at a point of the surface's frame."""
    turns = Rotation.from_rotvec([[0.3, 1.1, -0.6], [-1.4, 0.2, 0.9]]).as_matrix()
    first = np.array([0.1, 0.2, 0.3])
    centre = first + turns[0] @ (row["origin"] + row["frame"].T @ point)
    position = np.array([first, centre - turns[1] @ row["arm"]])
    return Pose(position, turns, np.zeros((2, 6)) if velocity is None else velocity)


def field(row: np.void, point: NDArray) -> tuple[float, NDArray, NDArray]:
    """Gap, normal and Hessian of the distance field at a point of the surface's frame."""
    gap, nx, ny, nz, first, second, _curvature = _field(np.array([row]), *(float(v) for v in point))
    normal = np.array([nx, ny, nz])
    t1 = np.array(_tangent_of(nx, ny, nz))
    t2 = np.cross(normal, t1)
    return gap, normal, first * np.outer(t1, t1) + second * np.outer(t2, t2)


def differences(function, size: int, step: float) -> NDArray:
    """Central differences of a function of `size` coordinates, a column for each."""
    columns = [
        (np.asarray(function(step * unit)) - np.asarray(function(-step * unit))) / (2 * step)
        for unit in np.eye(size)
    ]
    return np.stack(columns, axis=-1)


@kernel
def _evaluate(contacts, position, matrix, velocity, contact_results, element):
    return evaluate_contact(contacts[0], position, matrix, velocity, contact_results[0], element)


@kernel
def _add_tangent(contacts, element, rate_factor, geometric_factor, block):
    contact_tangent(contacts[0], element, rate_factor, geometric_factor, block)


@kernel
def _hold(contacts, position, matrix, velocity, contact_results, element, memories):
    return evaluate_contact(
        contacts[0], position, matrix, velocity, contact_results[0], element, memories[0]
    )


@kernel
def _add_holding_tangent(contacts, element, rate_factor, geometric_factor, block, memories):
    contact_tangent(contacts[0], element, rate_factor, geometric_factor, block, memories[0])


@kernel
def _field(contacts, x, y, z):
    return distance_field(contacts[0], x, y, z)


@kernel
def _tangent_of(nx, ny, nz):
    return tangent(nx, ny, nz)
