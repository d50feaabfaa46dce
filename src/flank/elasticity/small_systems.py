"""Small dense systems without BLAS, whose code and last digits differ between processors."""

import numpy as np

from flank.arrays import Floats, Integers


def solved(matrix: Floats, right: Floats) -> Floats:
    """X of A X = B by elimination with row pivots; leading axes are as many systems at once.

    Of a singular matrix the answer is not finite.
    """
    matrix, right = np.array(matrix, dtype=float), np.array(right, dtype=float)
    size = matrix.shape[-1]
    for column in range(size):
        best = column + np.argmax(np.abs(matrix[..., column:, column]), axis=-1)
        for array in (matrix, right):
            _swap_rows(array, column, best)
        with np.errstate(divide="ignore", invalid="ignore"):
            factors = matrix[..., column + 1 :, column] / matrix[..., column, column, None]
            for array in (matrix, right):
                array[..., column + 1 :, :] -= factors[..., None] * array[..., None, column, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        for row in range(size - 1, -1, -1):
            known = matrix[..., row, row + 1 :, None] * right[..., row + 1 :, :]
            right[..., row, :] -= known.sum(axis=-2)
            right[..., row, :] /= matrix[..., row, row, None]
    return right


def product(a: Floats, b: Floats) -> Floats:
    """A B, sums taken in order."""
    return np.asarray((a[..., :, :, None] * b[..., None, :, :]).sum(axis=-2))


def _swap_rows(array: Floats, row: int, other: Integers) -> None:
    index = np.asarray(other)[..., None, None]
    first = array[..., row : row + 1, :].copy()
    array[..., row : row + 1, :] = np.take_along_axis(array, index, axis=-2)
    np.put_along_axis(array, index, first, axis=-2)
