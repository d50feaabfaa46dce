"""Arrays: types for annotations, and the largest of several."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
ComplexNumbers = NDArray[np.complex128]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Rows = NDArray[np.void]
"""Structured: a table of rows with named fields."""

AnyArray = NDArray[Any]

EQUAL = 0.999
"""Of the largest: what is not smaller may be the largest elsewhere, where rounding differs."""


def first_largest(sizes: ArrayLike, axis: int | None = None) -> Any:
    """Number of the largest, or numbers along an axis, the same on every processor: of those that
    are as large, the first."""
    sizes = np.asarray(sizes)
    return np.argmax(sizes >= EQUAL * sizes.max(axis=axis, keepdims=True), axis=axis)


def row_type(fields: Sequence[tuple[Any, ...]]) -> np.dtype[np.void]:
    """Of rows with named fields. A GPU reads a number that is not aligned byte by byte."""
    return np.dtype(list(fields), align=True)
