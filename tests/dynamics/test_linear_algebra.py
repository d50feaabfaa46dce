"""The kernels' own linear algebra against numpy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flank.dynamics import linear
from flank.kernel import kernel


@kernel
def factorize(matrix, pivots, filled, size):
    return linear.factorize(matrix, pivots, filled, size)


@kernel
def substitute(matrix, pivots, right, size):
    linear.substitute(matrix, pivots, right, size)


@kernel
def invert_3(matrix):
    return linear.invert_3(matrix)


seeds = st.integers(0, 2**31)


def solve(matrix, right):
    matrix, right = matrix.copy(), right.copy()
    pivots = np.zeros(len(right), dtype=np.int64)
    assert factorize(matrix, pivots, np.zeros_like(pivots), len(right))
    substitute(matrix, pivots, right, len(right))
    return right


@given(size=st.integers(1, 30), seed=seeds)
@settings(max_examples=80, deadline=None)
def test_solution_has_a_residual_of_round_off(size, seed):
    """Backward stable as LAPACK is: |A x - b| is a few units of |A| |x|."""
    rng = np.random.default_rng(seed)
    matrix, right = rng.normal(size=(size, size)), rng.normal(size=size)
    x = solve(matrix, right)
    scale = np.max(np.abs(matrix)) * np.max(np.abs(x)) + np.max(np.abs(right))
    assert np.max(np.abs(matrix @ x - right)) < 50 * size * np.finfo(float).eps * scale
    condition = np.linalg.cond(matrix)
    assert x == pytest.approx(np.linalg.solve(matrix, right), rel=1e-14 * condition * size)


@given(bodies=st.integers(1, 6), joints=st.integers(1, 3), seed=seeds)
@settings(max_examples=40, deadline=None)
def test_saddle_point_matrix_with_zero_diagonal(bodies, joints, seed):
    """Mass and constraints, [[M, Cᵀ], [C, 0]], needs the pivoting; signs and scales are mixed."""
    rng = np.random.default_rng(seed)
    size = 3 * bodies
    count = min(joints, size)
    mass = np.diag(10.0 ** rng.uniform(-3, 3, size))
    rows = rng.normal(size=(count, size))
    matrix = np.block([[mass, rows.T], [rows, np.zeros((count, count))]])
    x = rng.normal(size=size + count)
    tolerance = 1e-14 * np.linalg.cond(matrix) * size
    assert solve(matrix, matrix @ x) == pytest.approx(x, abs=tolerance, rel=tolerance)


def test_permutation_is_exact():
    order = np.random.default_rng(1).permutation(12)
    matrix = np.eye(12)[order]
    assert np.array_equal(solve(matrix, np.arange(12.0)), matrix.T @ np.arange(12.0))


def test_larger_arrays_are_used_only_up_to_size():
    rng = np.random.default_rng(2)
    matrix, right = rng.normal(size=(9, 9)), rng.normal(size=9)
    full, x, pivots = matrix.copy(), right.copy(), np.zeros(9, dtype=np.int64)
    assert factorize(full, pivots, np.zeros_like(pivots), 5)
    substitute(full, pivots, x, 5)
    assert x[:5] == pytest.approx(np.linalg.solve(matrix[:5, :5], right[:5]), rel=1e-11)
    assert np.array_equal(x[5:], right[5:])
    assert np.array_equal(full[5:], matrix[5:])


@pytest.mark.parametrize(
    "matrix",
    [np.zeros((3, 3)), np.ones((3, 3)), np.diag([1.0, 0.0, 2.0]), np.outer([1, 2, 4], [1, 8, 2])],
    ids=["zero", "ones", "empty-row", "rank-one"],
)
def test_singular_matrices_are_reported(matrix):
    scratch = np.zeros((2, 3), dtype=np.int64)
    assert not factorize(matrix.astype(float), scratch[0], scratch[1], 3)
    assert not invert_3(matrix.astype(float))


@given(seed=seeds)
@settings(max_examples=60, deadline=None)
def test_inverse_of_a_leaf_block(seed):
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(3, 3))
    inverse = matrix.copy()
    assert invert_3(inverse)
    condition = np.linalg.cond(matrix)
    identity = inverse @ matrix
    assert identity == pytest.approx(np.eye(3), abs=1e-14 * condition**2)


def test_sparse_rows_factor_as_dense_ones():
    """Short rows take the other path through the elimination; the solution is the same."""
    random = np.random.default_rng(3)
    size = 60
    matrix = np.diag(random.uniform(1, 2, size))
    for _ in range(90):
        i, j = random.integers(0, size, 2)
        matrix[i, j] += random.uniform(-1, 1)
    right = random.normal(size=size)
    expected = np.linalg.solve(matrix, right)
    pivots = np.zeros(size, dtype=np.int64)
    assert factorize(matrix, pivots, np.zeros_like(pivots), size)
    substitute(matrix, pivots, right, size)
    assert right == pytest.approx(expected, rel=1e-10)
