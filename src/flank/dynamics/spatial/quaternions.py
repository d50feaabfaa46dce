"""Rotations as unit quaternions (w, x, y, z) and matrices, in NumPy; kernels are in rotation.py."""

import numpy as np
from numpy.typing import ArrayLike

from flank.arrays import Floats


def quaternion_of(matrix: Floats) -> Floats:
    """Unit quaternion of a rotation matrix; ValueError if it is none."""
    if matrix.shape != (3, 3) or not np.allclose(matrix.T @ matrix, np.eye(3), atol=1e-9):
        raise ValueError("a rotation must be a 3 x 3 matrix of orthogonal unit vectors")
    if np.linalg.det(matrix) < 0:
        raise ValueError("the rotation is a mirror image; exchange two of its axes")
    # The eigenvector of Bar-Itzhack (2000): no case distinction, no loss of digits near half turns.
    m = matrix
    k = np.array(
        [
            [m[0, 0] + m[1, 1] + m[2, 2], 0, 0, 0],
            [m[2, 1] - m[1, 2], m[0, 0] - m[1, 1] - m[2, 2], 0, 0],
            [m[0, 2] - m[2, 0], m[0, 1] + m[1, 0], m[1, 1] - m[0, 0] - m[2, 2], 0],
            [m[1, 0] - m[0, 1], m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], m[2, 2] - m[0, 0] - m[1, 1]],
        ]
    )
    quaternion = np.linalg.eigh(k)[1][:, -1]  # eigh reads the lower triangle
    return quaternion if quaternion[0] >= 0 else -quaternion


def product(first: Floats, second: Floats) -> Floats:
    """Of quaternions (..., 4): the rotation `second`, then `first`."""
    w, v = first[..., :1], first[..., 1:]
    real, vector = second[..., :1], second[..., 1:]
    scalar = w * real - np.sum(v * vector, axis=-1, keepdims=True)
    return np.concatenate([scalar, w * vector + real * v + np.cross(v, vector)], axis=-1)


def inverse(quaternion: Floats) -> Floats:
    """Of unit quaternions (..., 4)."""
    return np.asarray(quaternion * np.array([1.0, -1.0, -1.0, -1.0]))


def matrix_of(quaternion: Floats) -> Floats:
    """Rotation matrices of unit quaternions (..., 4), as (..., 3, 3)."""
    w, x, y, z = np.moveaxis(np.asarray(quaternion, dtype=float), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def rotation_about(axis: ArrayLike, angle: float) -> Floats:
    """Matrix that turns by `angle` in rad about an axis (Rodrigues)."""
    x, y, z = np.asarray(axis, dtype=float) / np.linalg.norm(np.asarray(axis, dtype=float))
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)


def quaternion_of_vector(vector: Floats) -> Floats:
    """Unit quaternions (..., 4) of rotation vectors (..., 3) in rad."""
    angle = np.linalg.norm(vector, axis=-1, keepdims=True)
    half_sinc = 0.5 * np.sinc(angle / (2 * np.pi))
    return np.concatenate([np.cos(0.5 * angle), half_sinc * vector], axis=-1)


def vector_of(quaternion: Floats) -> Floats:
    """The shorter rotation vectors (..., 3) in rad of unit quaternions (..., 4)."""
    near = np.where(quaternion[..., :1] < 0, -quaternion, quaternion)
    sine = np.linalg.norm(near[..., 1:], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(sine, near[..., :1])
    return np.where(sine > 0, angle / np.where(sine > 0, sine, 1.0), 2.0) * near[..., 1:]
