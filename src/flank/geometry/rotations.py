"""Rotations about axes of a frame, of arrays of angles; complex ones serve derivatives."""

import numpy as np

from flank.arrays import AnyArray

Numbers = AnyArray | complex


def about_z(angle: Numbers) -> AnyArray:
    """Rotation by `angle` about z, (..., 3, 3)."""
    c, s, zero = np.cos(angle), np.sin(angle), 0.0 * angle
    rows = [[c, -s, zero], [s, c, zero], [zero, zero, zero + 1]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def about_y(angle: Numbers) -> AnyArray:
    """Rotation by `angle` about y, (..., 3, 3): z leans to x."""
    c, s, zero = np.cos(angle), np.sin(angle), 0.0 * angle
    rows = [[c, zero, s], [zero, zero + 1, zero], [-s, zero, c]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
