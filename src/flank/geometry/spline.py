"""A periodic C2 spline through measured points of a closed profile."""

import re
from dataclasses import dataclass

import numpy as np

from flank.arrays import Floats
from flank.kernel import kernel
from flank.plain_files import NotReadable, decoded, read_plain_file
from flank.texts import echo, echo_path, shortened


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


LARGEST_FILE = 50_000_000
"""Bytes of measured points: a million of them."""


def read_points(path: str) -> Floats:
    """Points of a measured profile: two columns x y in m, comma or blank separated, `#` comments.

    The order must run once around; a repeated last point is dropped and a clockwise run reversed.
    Raises OSError or ValueError with one sentence that names the file and the line.
    """
    name = echo_path(path)
    try:
        text = decoded(read_plain_file(path, LARGEST_FILE))
    except NotReadable as error:
        raise OSError(f"{name} {error}; {error.remedy or 'give the path of a file'}") from None
    rows = []
    for number, line in enumerate(text.splitlines(), start=1):
        content = line.split("#")[0].strip()
        if content:
            rows.append(_row(content, f"{name}, line {number}"))
    if len(rows) > 1 and np.allclose(rows[0], rows[-1], rtol=0.0, atol=1e-12):
        rows.pop()
    if len(rows) < 8:
        raise ValueError(f"{name} has {len(rows)} points; a closed profile needs at least 8")
    points = np.array(rows)
    if not np.all(np.any(points != np.roll(points, 1, axis=0), axis=1)):
        raise ValueError(f"{name} has the same point twice in a row")
    return points if signed_area(points) > 0 else points[::-1].copy()


DECIMAL_COMMAS = re.compile(
    r"([-+]?\d+),(\d+(?:[eE][-+]?\d+)?)\s*[;,\s]\s*([-+]?\d+),(\d+(?:[eE][-+]?\d+)?)"
)
"""Two numbers as some countries write them."""


def _row(text: str, where: str) -> list[float]:
    try:
        row = [float(word) for word in text.replace(",", " ").split()]
    except ValueError:
        row = []
    if len(row) != 2 and (fitting := DECIMAL_COMMAS.fullmatch(text)):
        x, y = ".".join(fitting.groups()[:2]), ".".join(fitting.groups()[2:])
        raise ValueError(f"{where}: '{echo(text)}' has decimal commas; write '{x} {y}'")
    if len(row) != 2 or not np.all(np.isfinite(row)):
        raise ValueError(f"{where}: '{_shown(text)}' is not two numbers (x y in m)")
    return row


def _shown(text: str) -> str:
    """Of a line without numbers only its beginning: the file may be a private one."""
    return echo(text) if re.fullmatch(r"[-+.,;\s\deE]*", text) else shortened(echo(text), 11)


def signed_area(points: Floats) -> float:
    """Area enclosed by a closed polygon, positive when it runs counter-clockwise."""
    x, y = points.T
    return 0.5 * float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))
