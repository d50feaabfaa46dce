"""Quaternions, matrices and rotation vectors agree with SciPy and with their own derivatives."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from flank.dynamics.spatial import rotation as kernels
from flank.dynamics.spatial.quaternions import (
    inverse,
    matrix_of,
    product,
    quaternion_of,
    rotation_about,
)
from flank.kernel import kernel

ANGLES = [0.0, 1e-12, 1e-9, 9.9e-5, 1.01e-4, 1e-3, 9.9e-3, 1.01e-2, 0.3, 1.7, 3.0]
AXIS = np.array([0.36, -0.48, 0.8])


@kernel
def turn(quaternion, vector, out):
    kernels.turn(quaternion, vector, out)


@kernel
def fill_matrix(quaternion, matrix):
    kernels.fill_matrix(quaternion, matrix)


@kernel
def fill_jacobian(vector, matrix):
    kernels.fill_jacobian(vector, matrix)


@kernel
def fill_inverse_jacobian(vector, matrix):
    kernels.fill_inverse_jacobian(vector, matrix)


@kernel
def fill_turned_between(from_a, relaxed, to_b, vector):
    kernels.fill_turned_between(from_a, relaxed, to_b, vector)


def random_rotations(count, seed=1):
    return Rotation.random(count, random_state=seed)


def filled(kernel, vector):
    matrix = np.zeros((3, 3))
    kernel(np.array(vector, dtype=float), matrix)
    return matrix


def test_quaternion_of_matrix_and_back():
    for rotation in random_rotations(50):
        quaternion = quaternion_of(rotation.as_matrix())
        expected = rotation.as_quat(scalar_first=True, canonical=True)
        assert quaternion == pytest.approx(expected, abs=4e-15)
        assert matrix_of(quaternion) == pytest.approx(rotation.as_matrix(), abs=4e-15)


@pytest.mark.parametrize("axis", [*np.eye(3), (1.0, 1.0, 0.0), (-0.6, 0.0, 0.8)])
@pytest.mark.parametrize("angle", [np.pi, np.pi - 1e-9, 1e-9])
def test_half_turns_lose_no_digits(axis, angle):
    matrix = rotation_about(axis, angle)
    assert matrix_of(quaternion_of(matrix)) == pytest.approx(matrix, abs=4e-15)


def test_matrix_kernel_is_the_numpy_one():
    for quaternion in random_rotations(5).as_quat(scalar_first=True):
        assert filled(fill_matrix, quaternion) == pytest.approx(matrix_of(quaternion), abs=1e-15)


@pytest.mark.parametrize("matrix", [np.ones((3, 3)), 2 * np.eye(3), np.eye(2), np.diag([1, 1, -1])])
def test_what_is_no_rotation_is_refused(matrix):
    with pytest.raises(ValueError, match=r"a rotation must be|mirror image"):
        quaternion_of(matrix)


@pytest.mark.parametrize("angle", [*ANGLES, 5.0, 20.0])
def test_turning_is_a_product_of_rotations(angle):
    first = random_rotations(1)[0]
    out = np.zeros(4)
    turn(first.as_quat(scalar_first=True), angle * AXIS, out)
    expected = Rotation.from_rotvec(angle * AXIS) * first
    assert matrix_of(out) == pytest.approx(expected.as_matrix(), abs=1e-14)
    assert out @ out == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("angle", ANGLES)
def test_jacobian_is_the_derivative_of_the_exponential(angle):
    """exp(v + dv) = exp(T dv) exp(v)."""
    vector, step = angle * AXIS, 1e-6
    columns = []
    for unit in np.eye(3):
        after, before = (Rotation.from_rotvec(vector + s * unit) for s in (step, -step))
        columns.append((after * before.inv()).as_rotvec() / (2 * step))
    assert filled(fill_jacobian, vector) == pytest.approx(np.column_stack(columns), abs=1e-9)


@pytest.mark.parametrize("angle", ANGLES)
def test_inverse_jacobian(angle):
    product = filled(fill_jacobian, angle * AXIS) @ filled(fill_inverse_jacobian, angle * AXIS)
    assert product == pytest.approx(np.eye(3), abs=2e-15)


@pytest.mark.parametrize("angle", [*ANGLES, 3.14, -3.0])
@pytest.mark.parametrize("sign", [1, -1])
def test_vector_between_rotations(angle, sign):
    """q and -q are the same rotation."""
    from_a, relaxed = random_rotations(2)
    to_b = Rotation.from_rotvec(angle * AXIS) * from_a * relaxed
    out = np.zeros(3)
    quaternions = (r.as_quat(scalar_first=True) for r in (from_a, relaxed, to_b))
    fill_turned_between(*(s * q for s, q in zip((1, 1, sign), quaternions, strict=True)), out)
    assert out == pytest.approx(angle * AXIS, abs=3e-15)


def test_product_of_quaternions_is_that_of_matrices():
    random = np.random.default_rng(3)
    first, second = random.normal(size=(2, 5, 4))
    first /= np.linalg.norm(first, axis=-1, keepdims=True)
    second /= np.linalg.norm(second, axis=-1, keepdims=True)
    both = matrix_of(first) @ matrix_of(second)
    np.testing.assert_allclose(matrix_of(product(first, second)), both, atol=1e-14)
    back = np.swapaxes(matrix_of(first), -1, -2)
    np.testing.assert_allclose(matrix_of(inverse(first)), back, atol=1e-14)
