"""Elimination without BLAS against LAPACK's."""

import numpy as np
import pytest

from flank.elasticity.small_systems import product, solved


@pytest.mark.parametrize("shape", [(), (5,), (2, 3)])
@pytest.mark.parametrize("size", [1, 4, 9])
def test_many_systems_at_once_as_lapack_solves_them(shape, size):
    draw = np.random.default_rng(size)
    matrix, right = draw.normal(size=(*shape, size, size)), draw.normal(size=(*shape, size, 2))
    before = matrix.copy()
    found = solved(matrix, right)
    np.testing.assert_allclose(found, np.linalg.solve(matrix, right), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(product(matrix, found), right, rtol=1e-9, atol=1e-12)
    assert np.array_equal(matrix, before)


def test_a_zero_on_the_diagonal_is_no_obstacle():
    matrix = np.array([[0.0, 2.0], [4.0, 1.0]])
    assert np.array_equal(solved(matrix, np.array([[2.0], [5.0]])), [[1.0], [1.0]])


def test_a_singular_matrix_has_no_finite_answer():
    assert not np.isfinite(solved(np.ones((2, 2)), np.ones((2, 1)))).all()
