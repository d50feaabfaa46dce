"""Two bodies and one contact between them, evaluated from Python."""

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from flank.contact.spatial.element import contact_tangent, evaluate_contact
from flank.contact.spatial.fields import distance_field, tangent
from flank.contact.spatial.table import SPATIAL_TOUCH
from flank.kernel import kernel

BODY_A, BODY_B = 0, 1


@kernel
def _evaluate(contacts, position, matrix, velocity, touches, element):
    return evaluate_contact(contacts[0], position, matrix, velocity, touches[0], element)


@kernel
def _tangent(contacts, element, rate_factor, geometric, block):
    contact_tangent(contacts[0], element, rate_factor, geometric, block)


@kernel
def _field(contacts, x, y, z):
    return distance_field(contacts[0], x, y, z)


@kernel
def _side_of(nx, ny, nz):
    return tangent(nx, ny, nz)


class Pose:
    """Positions (2, 3), rotations (2, 3, 3), velocities (2, 6) of bodies A and B."""

    def __init__(self, position, matrix, velocity=None):
        self.position = np.array(position, dtype=float)
        self.matrix = np.array(matrix, dtype=float)
        self.velocity = np.zeros((2, 6)) if velocity is None else np.array(velocity, dtype=float)

    def moved(self, change: NDArray) -> "Pose":
        """After x += δx, R -> exp(α) R of both bodies, ordered x_A, α_A, x_B, α_B."""
        change = change.reshape(2, 6)
        turn = Rotation.from_rotvec(change[:, 3:]).as_matrix()
        return Pose(self.position + change[:, :3], turn @ self.matrix, self.velocity)

    def faster(self, change: NDArray) -> "Pose":
        return Pose(self.position, self.matrix, self.velocity + change.reshape(2, 6))


class Answer:
    """What a contact gives in a pose."""

    def __init__(self, row, pose: Pose):
        self.contacts = np.array([row])
        touches = np.zeros(1, dtype=SPATIAL_TOUCH)
        self.element = np.full((16, 12), np.nan)
        self.closed, self.energy = _evaluate(
            self.contacts, pose.position, pose.matrix, pose.velocity, touches, self.element
        )
        self.touch = touches[0]
        self.force = self.element[0].copy() if self.closed else np.zeros(12)

    def tangent(self, rate_factor: float = 0.0, geometric: float = 1.0) -> NDArray:
        block = np.zeros((12, 12))
        _tangent(self.contacts, self.element, rate_factor, geometric, block)
        return block


def field(row, point) -> tuple[float, NDArray, NDArray]:
    """Gap, normal and Hessian of a contact's distance field at a point of the surface's frame."""
    gap, nx, ny, nz, first, second = _field(np.array([row]), *(float(v) for v in point))
    normal = np.array([nx, ny, nz])
    t1 = np.array(_side_of(nx, ny, nz))
    t2 = np.cross(normal, t1)
    return gap, normal, first * np.outer(t1, t1) + second * np.outer(t2, t2)


def differences(function, step: float) -> NDArray:
    """Central differences of a function of twelve coordinates, a column each."""
    return np.column_stack(
        [(function(step * unit) - function(-step * unit)) / (2 * step) for unit in np.eye(12)]
    )
