"""The largest of several, named the same on every processor."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

EQUAL = 0.999
"""Of the largest: what is not smaller may be the largest elsewhere, where rounding differs."""


def first_largest(sizes: ArrayLike, axis: int | None = None) -> Any:
    """Number of the largest, or numbers along an axis; of those that are as large, the first."""
    sizes = np.asarray(sizes)
    return np.argmax(sizes >= EQUAL * sizes.max(axis=axis, keepdims=True), axis=axis)
