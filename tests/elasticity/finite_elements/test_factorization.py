"""Sparse systems by SuperLU, and by PARDISO where it is."""

import sys

import numpy as np
import pytest
from scipy import sparse

from flank.elasticity.finite_elements import factorization


def system():
    random = np.random.default_rng(2)
    root = sparse.random_array((60, 60), density=0.1, rng=random)
    return (root @ root.T + sparse.eye_array(60)).tocsc(), random.standard_normal((60, 3))


def test_real_and_complex_right_sides_and_matrices():
    matrix, right = system()
    solve = factorization.factorized(matrix)
    np.testing.assert_allclose(matrix @ solve(right), right, atol=1e-12)
    np.testing.assert_allclose(matrix @ solve(right[:, 0]), right[:, 0], atol=1e-12)
    turned = right[:, 0] + 1j * right[:, 1]
    np.testing.assert_allclose(matrix @ solve(turned), turned, atol=1e-12)
    skew = sparse.triu(matrix, 1) * 0.3j
    hermitian = (matrix + skew + skew.conj().T).tocsc()
    found = factorization.factorized(hermitian)(right)
    np.testing.assert_allclose(hermitian @ found, right, atol=1e-12)


def test_large_systems_do_without_pardiso(monkeypatch):
    monkeypatch.setattr(factorization, "LARGE", 1)
    monkeypatch.setitem(sys.modules, "pypardiso", None)
    matrix, right = system()
    np.testing.assert_allclose(matrix @ factorization.factorized(matrix)(right), right, atol=1e-12)


def test_pardiso_gives_the_same(monkeypatch):
    pytest.importorskip("pypardiso")
    monkeypatch.setattr(factorization, "LARGE", 1)
    matrix, right = system()
    np.testing.assert_allclose(matrix @ factorization.factorized(matrix)(right), right, atol=1e-12)
