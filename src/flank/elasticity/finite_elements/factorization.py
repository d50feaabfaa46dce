"""Sparse symmetric systems: factorised once, solved often.

SciPy's SuperLU does it everywhere. PARDISO, where `pypardiso` is installed (the extra `pardiso`),
takes the real systems of many thousand unknowns, such as whole gears.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from flank.arrays import AnyArray

LARGE = 20_000
"""Unknowns from which on PARDISO is worth its start."""


def factorized(matrix: sparse.csc_array) -> Callable[[AnyArray], AnyArray]:
    """x of A x = b for a symmetric or Hermitian definite A, by b."""
    if np.isrealobj(matrix) and matrix.shape[0] >= LARGE:
        with suppress(ImportError):  # also where it is there without the library that it calls
            return _pardiso(matrix)
    factors = superlu(matrix)

    def solve(right: AnyArray) -> AnyArray:
        if np.iscomplexobj(right) and np.isrealobj(matrix):
            return np.asarray(factors.solve(right.real) + 1j * factors.solve(right.imag))
        return np.asarray(factors.solve(right.astype(matrix.dtype)))

    return solve


def superlu(matrix: sparse.csc_array) -> Any:
    """SuperLU's factors, eliminated along the diagonal; RuntimeError if a pivot is zero."""
    return splu(
        matrix.tocsc(),
        permc_spec="MMD_AT_PLUS_A",
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )


def _pardiso(matrix: sparse.csc_array) -> Callable[[AnyArray], AnyArray]:
    from pypardiso import PyPardisoSolver

    solver, rows = PyPardisoSolver(), sparse.csr_matrix(matrix)
    solver.factorize(rows)
    return lambda right: np.asarray(solver.solve(rows, np.ascontiguousarray(right)))
