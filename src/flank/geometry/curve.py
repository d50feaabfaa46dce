"""One table of curves that kernels read: u -> point, tangent, speed, curvature.

Every curve is closed and runs with its material on the left, so that (t_y, -t_x) points out of
the body: counter-clockwise for an outline, clockwise for the wall of a hole. Points at equal arc
lengths follow arXiv 2604.02387, Eq. 3.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from flank.arrays import Floats, Rows, row_type
from flank.geometry.cycloid import Cycloid, cycloid_curvature_slope, cycloid_point
from flank.geometry.polyline import BOX_FIELDS, VERTEX_FIELDS, Polyline
from flank.geometry.spline import ClosedSpline, spline_curvature_slope, spline_point
from flank.kernel import kernel

CIRCLE, CYCLOID, SPLINE, POLYLINE = range(4)

NODES, WEIGHTS = np.polynomial.legendre.leggauss(8)

CURVE = row_type(
    [
        ("kind", np.int64),
        ("period", np.float64),  # of the parameter u
        ("radius", np.float64),  # of the circle (negative: a hole), or R' of the cycloid
        ("eccentricity", np.float64),
        ("pins", np.float64),
        ("offset", np.float64),
        ("rotation", np.float64),
        ("data_start", np.int64),  # spline and polyline: first entry in the data array
        ("count", np.int64),
        ("sample_start", np.int64),  # coarse samples (u, x, y) for a search without warm start
        ("sample_count", np.int64),
        ("sample_spacing", np.float64),  # longest distance of neighbouring samples
        ("box_start", np.int64),  # polyline: bounding boxes of its blocks
        ("box_count", np.int64),
        ("sector_start", np.int64),  # polyline: runs of blocks by polar angle
    ]
)


@dataclass(frozen=True)
class Circle:
    """A circle about the curve's origin: an outline, or with `hole` the wall of a bore."""

    radius: float
    hole: bool = False


Shape = Circle | Cycloid | ClosedSpline | Polyline


class CurveTable(NamedTuple):
    """Rows of CURVE and the data they point into."""

    rows: Rows
    data: Floats


@kernel
def curve_point(curve, data, u):
    """(x, y, t_x, t_y, speed, curvature) of a smooth curve at u, whatever its kind."""
    if curve.kind == CYCLOID:
        return cycloid_point(
            u, curve.radius, curve.eccentricity, curve.pins, curve.offset, curve.rotation
        )
    if curve.kind == SPLINE:
        return spline_point(u, data, curve.data_start, curve.count)
    sign = 1.0 if curve.radius > 0.0 else -1.0
    size = abs(curve.radius)
    c = math.cos(u)
    s = math.sin(u) * sign
    return size * c, size * s, -s * sign, c * sign, size, sign / size


@kernel(internal=True)
def curvature_slope(curve, data, u):
    """dκ/ds of a smooth curve at u, whatever its kind."""
    if curve.kind == CYCLOID:
        return cycloid_curvature_slope(
            u, curve.radius, curve.eccentricity, curve.pins, curve.offset
        )
    if curve.kind == SPLINE:
        return spline_curvature_slope(u, data, curve.data_start, curve.count)
    return 0.0


@kernel
def _evaluate(rows, data, parameters, out):
    for i in range(parameters.shape[0]):
        x, y, tx, ty, speed, curvature = curve_point(rows[0], data, parameters[i])
        out[i, 0], out[i, 1], out[i, 2] = x, y, tx
        out[i, 3], out[i, 4], out[i, 5] = ty, speed, curvature


def evaluate(shape: Shape, parameters: ArrayLike) -> Floats:
    """Columns x, y, t_x, t_y, speed, curvature of a smooth shape at the parameters."""
    parameters = np.ascontiguousarray(parameters, dtype=float)
    row, data = _describe(shape)
    out = np.empty((len(parameters), 6))
    _evaluate(np.array([row]), data, parameters, out)
    return out


def pack_curves(shapes: list[Shape]) -> CurveTable:
    """Table of all curves of a model; at least one row, so that kernels always have an array."""
    rows = np.zeros(max(len(shapes), 1), dtype=CURVE)
    pieces: list[Floats] = [np.zeros(1)]
    used = 1
    for i, shape in enumerate(shapes):
        row, data = _describe(shape)
        samples = _samples(shape)
        spacing = np.hypot(*np.diff(samples[:, 1:], axis=0, append=samples[:1, 1:]).T)
        row["data_start"] = used
        row["box_start"] += used
        row["sector_start"] += used
        row["sample_start"] = used + len(data)
        row["sample_count"] = len(samples)
        row["sample_spacing"] = spacing.max()
        rows[i] = row
        pieces += [data, samples.ravel()]
        used += len(data) + samples.size
    return CurveTable(rows, np.concatenate(pieces))


def _describe(shape: Shape) -> tuple[np.void, Floats]:
    row = np.zeros(1, dtype=CURVE)[0]
    data = np.zeros(0)
    row["period"] = 2 * math.pi
    if isinstance(shape, Circle):
        row["kind"] = CIRCLE
        row["radius"] = -shape.radius if shape.hole else shape.radius
    elif isinstance(shape, Cycloid):
        row["kind"] = CYCLOID
        row["radius"] = shape.generating_radius
        row["eccentricity"] = shape.eccentricity
        row["pins"] = shape.pins
        row["offset"] = shape.offset
        row["rotation"] = shape.angular
    elif isinstance(shape, ClosedSpline):
        data = shape.coefficients().ravel()
        row["kind"], row["period"], row["count"] = SPLINE, len(shape.points), len(shape.points)
    else:
        data = shape.packed()
        count = len(shape.points)
        row["kind"], row["period"], row["count"] = POLYLINE, count, count
        row["box_start"] = VERTEX_FIELDS * count
        row["box_count"] = len(shape.blocks())
        row["sector_start"] = row["box_start"] + BOX_FIELDS * row["box_count"]
    return row, data


def period(shape: Shape) -> float:
    """Length of the parameter range after which the curve closes."""
    return float(_describe(shape)[0]["period"])


def _samples(shape: Shape) -> Floats:
    """Coarse (u, x, y) that resolve every lobe: the places a cold search starts from."""
    if isinstance(shape, Polyline):
        return np.column_stack((np.arange(len(shape.points), dtype=float), shape.points))
    count = 64
    if isinstance(shape, Cycloid):
        count = 48 * shape.lobes
    if isinstance(shape, ClosedSpline):
        count = min(len(shape.points), 2048)
    parameters = np.arange(count) * (period(shape) / count)
    return np.column_stack((parameters, evaluate(shape, parameters)[:, :2]))


def reach(shape: Shape, circle_radius: float) -> float:
    """How far off the touching pose a circle's foot point is sure to be the nearest one.

    The smallest concave radius of the curve parallel to `shape` at `circle_radius`: a foot point
    whose gap is below it is the nearest point of the whole curve, so a local search suffices.
    """
    if isinstance(shape, Polyline):
        return 0.0
    count = 64 if isinstance(shape, Circle) else 4000
    if isinstance(shape, Cycloid):
        count = 512 * shape.lobes
    if isinstance(shape, ClosedSpline):
        count = 4 * len(shape.points)
    curvature = evaluate(shape, np.arange(count) * (period(shape) / count))[:, 5]
    sharpest = -curvature.min()
    return 1.0 / sharpest - circle_radius if sharpest > 0 else math.inf


def equal_arc_length_parameters(shape: Shape, count: int, tolerance: float = 1e-13) -> Floats:
    """Parameters u_i with s(u_i) = i L / count, by Newton u <- u - (s(u) - s_i)/|dP/du|.

    Arc length is integrated by Gauss-Legendre between fine knots, so that the equality holds to
    `tolerance` of the length L and not to the size of a sampling chord.
    """
    knots = np.linspace(0.0, period(shape), max(8 * count, 4000) + 1)
    lengths = np.concatenate(([0.0], np.cumsum(_gauss(shape, knots[:-1], knots[1:]))))
    targets = np.arange(count) * (lengths[-1] / count)
    parameters: Floats = np.interp(targets, lengths, knots)
    for _ in range(50):
        below = np.clip(np.searchsorted(knots, parameters, side="right") - 1, 0, len(knots) - 2)
        error = lengths[below] + _gauss(shape, knots[below], parameters) - targets
        parameters = parameters - error / evaluate(shape, parameters)[:, 4]
        if np.max(np.abs(error)) < tolerance * lengths[-1]:
            break
    return parameters


def equal_arc_length_points(shape: Shape, count: int) -> Floats:
    """`count` points (n, 2) at equal arc lengths."""
    return evaluate(shape, equal_arc_length_parameters(shape, count))[:, :2]


def _gauss(shape: Shape, start: Floats, end: Floats) -> Floats:
    half = 0.5 * (end - start)
    u = (0.5 * (end + start))[:, None] + half[:, None] * NODES
    speed = evaluate(shape, u.ravel())[:, 4].reshape(u.shape)
    return half * (speed @ WEIGHTS)
