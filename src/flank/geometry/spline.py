"""A periodic C2 spline through measured points of a closed profile."""

from dataclasses import dataclass

import numpy as np

from flank.arrays import Floats
from flank.kernel import kernel


@kernel
def spline_point(u, data, start, count):
    """Point, unit tangent, speed |dP/du| and curvature of a uniform periodic cubic spline.

    `u` counts knots; interval k holds x = a + b s + c s² + d s³ (s = u - k) in data[start + 8 k :]
    for x and then y. Uniform knots make the look-up independent of the number of points.
    """
    wrapped = u % count
    k = int(wrapped)
    if k >= count:
        k = count - 1
    s = wrapped - k
    i = start + 8 * k
    x = data[i] + s * (data[i + 1] + s * (data[i + 2] + s * data[i + 3]))
    y = data[i + 4] + s * (data[i + 5] + s * (data[i + 6] + s * data[i + 7]))
    dx = data[i + 1] + s * (2.0 * data[i + 2] + 3.0 * s * data[i + 3])
    dy = data[i + 5] + s * (2.0 * data[i + 6] + 3.0 * s * data[i + 7])
    ddx = 2.0 * data[i + 2] + 6.0 * s * data[i + 3]
    ddy = 2.0 * data[i + 6] + 6.0 * s * data[i + 7]
    speed = (dx * dx + dy * dy) ** 0.5
    curvature = (dx * ddy - dy * ddx) / speed**3
    return x, y, dx / speed, dy / speed, speed, curvature


@kernel(internal=True)
def spline_curvature_slope(u, data, start, count):
    """dκ/ds at u, s the arc length; it jumps at knots."""
    wrapped = u % count
    k = int(wrapped)
    if k >= count:
        k = count - 1
    s = wrapped - k
    i = start + 8 * k
    dx = data[i + 1] + s * (2.0 * data[i + 2] + 3.0 * s * data[i + 3])
    dy = data[i + 5] + s * (2.0 * data[i + 6] + 3.0 * s * data[i + 7])
    ddx = 2.0 * data[i + 2] + 6.0 * s * data[i + 3]
    ddy = 2.0 * data[i + 6] + 6.0 * s * data[i + 7]
    square = dx * dx + dy * dy
    turning = dx * ddy - dy * ddx
    change = 6.0 * (dx * data[i + 7] - dy * data[i + 3])
    return (change - 3.0 * turning * (dx * ddx + dy * ddy) / square) / (square * square)


@dataclass(frozen=True)
class ClosedSpline:
    """Closed profile through points (n, 2), counter-clockwise, the last joined to the first."""

    points: Floats

    def coefficients(self) -> Floats:
        """Rows of eight: a b c d of x, then of y, one row a knot interval."""
        from scipy.interpolate import CubicSpline

        closed = np.vstack((self.points, self.points[:1]))
        spline = CubicSpline(np.arange(len(closed)), closed, bc_type="periodic")
        return np.ascontiguousarray(spline.c[::-1].transpose(1, 2, 0).reshape(-1, 8))


def signed_area(points: Floats) -> float:
    """Area enclosed by a closed polygon, positive when it runs counter-clockwise."""
    x, y = points.T
    return 0.5 * float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))
