"""Points, directions and frames as given; refused in one sentence if wrong."""

import numpy as np
from numpy.typing import ArrayLike

from flank.arrays import Floats


def three_numbers(what: str, given: ArrayLike) -> Floats:
    """A vector; a single number would silently stand for all three."""
    vector = np.asarray(given, dtype=float)
    if vector.shape != (3,) or not np.isfinite(vector).all():
        raise ValueError(f"{what} must be three finite numbers, not {vector}")
    return vector


def unit(direction: ArrayLike) -> Floats:
    vector = three_numbers("a direction", direction)
    length = float(np.linalg.norm(vector))
    if not length > 0:
        raise ValueError(f"{vector} is no direction; give three numbers that are not all zero")
    return vector / length


def axes(what: str, frame: ArrayLike) -> Floats:
    """The axes of a frame, its rows."""
    rows = np.asarray(frame, dtype=float)
    if rows.shape != (3, 3) or not np.allclose(rows @ rows.T, np.eye(3), atol=1e-9):
        allowed = "three unit vectors perpendicular to each other"
        raise ValueError(f"the frame of {what} must be {allowed}")
    return rows
