"""What a builder is given: points, directions, inertia; refused in one sentence if wrong."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def three_numbers(what: str, given: ArrayLike) -> NDArray:
    """A vector; a single number would silently stand for all three."""
    vector = np.asarray(given, dtype=float)
    if vector.shape != (3,) or not np.isfinite(vector).all():
        raise ValueError(f"{what} must be three finite numbers, not {vector}")
    return vector


def not_negative(what: str, given: ArrayLike) -> NDArray:
    vector = three_numbers(what, given)
    if np.any(vector < 0):
        raise ValueError(f"{what} must not be negative along any axis, not {vector}")
    return vector


def unit(direction: ArrayLike) -> NDArray:
    vector = three_numbers("a direction", direction)
    length = float(np.linalg.norm(vector))
    if not length > 0:
        raise ValueError(f"{vector} is no direction; give three numbers that are not all zero")
    return vector / length


def sides(axis: ArrayLike) -> tuple[NDArray, NDArray]:
    """Two directions square to an axis and to each other, right-handed with it."""
    z = unit(axis)
    x = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = unit(x - (x @ z) * z)
    return x, np.cross(z, x)


def axes(frame: ArrayLike) -> NDArray:
    rows = np.asarray(frame, dtype=float)
    if rows.shape != (3, 3) or not np.allclose(rows @ rows.T, np.eye(3), atol=1e-9):
        raise ValueError("the frame of a bushing must be three unit vectors square to each other")
    return rows


def inertia_tensor(name: str, mass: float, given: ArrayLike) -> NDArray:
    """From three principal moments or a 3 x 3 matrix."""
    if not 0 < mass < np.inf:
        raise ValueError(f"{name!r} needs a positive mass, not {mass:.4g} kg")
    moments = np.asarray(given, dtype=float)
    tensor = np.diag(moments) if moments.shape == (3,) else moments
    if tensor.shape != (3, 3) or not np.isfinite(tensor).all() or not np.allclose(tensor, tensor.T):
        raise ValueError(
            f"the inertia of {name!r} must be three moments or a symmetric 3 x 3 matrix in kg m²"
        )
    principal = np.linalg.eigvalsh(tensor)
    if not principal[0] > 0 or principal[2] > sum(principal[:2]) * (1 + 1e-9):
        raise ValueError(
            f"{name!r} needs moments of inertia that a body can have: positive, the largest not "
            f"above the sum of the others; given {np.round(principal, 12)} kg m²"
        )
    return tensor
