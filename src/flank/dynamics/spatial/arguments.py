"""What a builder is given besides points and directions; refused in one sentence if wrong."""

import numpy as np
from numpy.typing import ArrayLike

from flank.arrays import Floats
from flank.contact.spatial.surface import three_numbers, unit


def not_negative(what: str, given: ArrayLike) -> Floats:
    vector = three_numbers(what, given)
    if np.any(vector < 0):
        raise ValueError(f"{what} must not be negative along any axis, not {vector}")
    return vector


def sides(axis: ArrayLike) -> tuple[Floats, Floats]:
    """Two directions perpendicular to an axis and to each other, right-handed with it."""
    z = unit(axis)
    x = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = unit(x - (x @ z) * z)
    return x, np.cross(z, x)


def inertia_tensor(name: str, mass: float, given: ArrayLike) -> Floats:
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
