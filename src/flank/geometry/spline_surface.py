"""A C2 surface through a grid of points: flanks of gears, cut, measured or given.

The grid (m, n, 3) has m points along the profile and n lengthwise; the parameters u (lengthwise,
-1 toe to +1 heel) and v (profile, -1 root to +1 tip) are uniform in it. With uniform cubic
B-splines

    S(u, v) = Σ_ij c_ij B_i(u) B_j(v)

is twice continuously differentiable; the coefficients follow from the points and from third
derivatives that do not jump at the last but one nodes (not-a-knot). The last cubics go on beyond
the borders, so that a search that steps over an edge finds a smooth surface there; the further, the
less it is the flank. Of a function with fourth derivatives the error is that of cubic splines,
5/384 h⁴ f''''; curvatures are wrong by about h² f''''/12.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from flank.arrays import Flags, Floats
from flank.geometry.uniform_table import floor_index
from flank.kernel import kernel

POINT, BY_U, BY_V, BY_UU, BY_UV, BY_VV = range(6)
"""Rows of what a surface is at a place: the point, tangents and second derivatives."""

FEWEST = 5
"""Points along either side of a grid: fewer leave nothing between the conditions of both ends."""

PROJECTION_STEPS = 30
CLOSE = 1e-9
"""Of u and v: a step of Newton whose square is round-off."""

FAR = 20.0
"""Of u and v: beyond, a search has lost its way."""


@kernel(internal=True)
def spline_weights(x, cells):
    """Cell of x, counted in nodes, and the four weights of a uniform cubic B-spline there, their
    first and their second derivatives. Beyond the ends the last cubic goes on."""
    cell = min(max(floor_index(x), 0), cells - 1)
    t = x - cell
    s = 1.0 - t
    return (
        cell,
        (s * s * s / 6.0, (t * t * (3.0 * t - 6.0) + 4.0) / 6.0,
         (s * s * (3.0 * s - 6.0) + 4.0) / 6.0, t * t * t / 6.0),
        (-0.5 * s * s, t * (1.5 * t - 2.0), -s * (1.5 * s - 2.0), 0.5 * t * t),
        (s, 3.0 * t - 2.0, 3.0 * s - 2.0, t),
    )  # fmt: skip


@kernel(internal=True)
def surface_at(coefficients, u, v, out):
    """Fill out (6, 3) with the point, both tangents and the second derivatives by u and v."""
    nodes_u = coefficients.shape[0] - 3
    nodes_v = coefficients.shape[1] - 3
    scale_u = 0.5 * nodes_u
    scale_v = 0.5 * nodes_v
    i, wu, du, ddu = spline_weights((u + 1.0) * scale_u, nodes_u)
    j, wv, dv, ddv = spline_weights((v + 1.0) * scale_v, nodes_v)
    for c in range(3):
        p = s_u = s_v = s_uu = s_uv = s_vv = 0.0
        for k in range(4):
            c0 = coefficients[i + k, j, c]
            c1 = coefficients[i + k, j + 1, c]
            c2 = coefficients[i + k, j + 2, c]
            c3 = coefficients[i + k, j + 3, c]
            value = wv[0] * c0 + wv[1] * c1 + wv[2] * c2 + wv[3] * c3
            slope = dv[0] * c0 + dv[1] * c1 + dv[2] * c2 + dv[3] * c3
            p += wu[k] * value
            s_u += du[k] * value
            s_uu += ddu[k] * value
            s_v += wu[k] * slope
            s_uv += du[k] * slope
            s_vv += wu[k] * (ddv[0] * c0 + ddv[1] * c1 + ddv[2] * c2 + ddv[3] * c3)
        out[POINT, c] = p
        out[BY_U, c] = scale_u * s_u
        out[BY_V, c] = scale_v * s_v
        out[BY_UU, c] = scale_u * scale_u * s_uu
        out[BY_UV, c] = scale_u * scale_v * s_uv
        out[BY_VV, c] = scale_v * scale_v * s_vv


@kernel
def _evaluate(coefficients, u, v, out):
    for k in range(u.shape[0]):
        surface_at(coefficients, u[k], v[k], out[k])


@kernel
def _project(coefficients, points, places, settled, scratch):
    """Feet of points, from and into places (k, 2), and whether the search settled there."""
    for k in range(points.shape[0]):
        settled[k] = False
        for _ in range(PROJECTION_STEPS):
            surface_at(coefficients, places[k, 0], places[k, 1], scratch)
            du, dv = foot_step(scratch, points[k])
            places[k, 0] += min(max(du, -0.5), 0.5)
            places[k, 1] += min(max(dv, -0.5), 0.5)
            settled[k] = abs(du) + abs(dv) < CLOSE
            if settled[k] or not abs(places[k, 0]) + abs(places[k, 1]) < FAR:
                break


@kernel(internal=True)
def foot_step(at, point):
    """Newton's step (du, dv) to where point - S is perpendicular to both tangents."""
    r_u = r_v = uu = uv = vv = 0.0
    for c in range(3):
        away = point[c] - at[POINT, c]
        r_u += away * at[BY_U, c]
        r_v += away * at[BY_V, c]
        uu += at[BY_U, c] * at[BY_U, c] - away * at[BY_UU, c]
        uv += at[BY_U, c] * at[BY_V, c] - away * at[BY_UV, c]
        vv += at[BY_V, c] * at[BY_V, c] - away * at[BY_VV, c]
    determinant = uu * vv - uv * uv
    return (r_u * vv - r_v * uv) / determinant, (r_v * uu - r_u * uv) / determinant


@dataclass(frozen=True, eq=False)
class SplineSurface:
    """The surface through a grid (m profile, n lengthwise, 3), in m."""

    grid: Floats

    def __post_init__(self) -> None:
        shape = np.shape(self.grid)
        if len(shape) != 3 or shape[2] != 3 or min(shape[:2]) < FEWEST:
            raise ValueError(
                f"a flank's grid has {FEWEST} x {FEWEST} points or more of three numbers, not the "
                f"shape {shape}; give points along the profile, lengthwise, and x, y, z"
            )
        if not np.isfinite(self.grid).all():
            raise ValueError(
                "a flank's grid has points that are not numbers; fill the holes of a measured grid "
                "before a surface is laid through it"
            )

    @cached_property
    def coefficients(self) -> Floats:
        """c (n + 2, m + 2, 3), lengthwise first, as kernels read it."""
        by_v = np.einsum("ij,jkc->ikc", spline_filter(self.grid.shape[0]), self.grid)
        both = np.einsum("ij,kjc->ikc", spline_filter(self.grid.shape[1]), by_v)
        return np.ascontiguousarray(both)

    def at(self, u: ArrayLike, v: ArrayLike) -> Floats:
        """(..., 6, 3): point, tangents by u and v, second derivatives by uu, uv, vv."""
        u, v = np.broadcast_arrays(np.asarray(u, float), np.asarray(v, float))
        out = np.empty((u.size, 6, 3))
        _evaluate(self.coefficients, u.ravel().copy(), v.ravel().copy(), out)
        return out.reshape((*u.shape, 6, 3))

    def points(self, u: ArrayLike, v: ArrayLike) -> Floats:
        """Points (..., 3)."""
        found: Floats = self.at(u, v)[..., POINT, :]
        return found

    def project(
        self, points: ArrayLike, near: tuple[float, float] | Floats = (0.0, 0.0)
    ) -> tuple[Floats, Flags]:
        """(u, v) of the feet of points (k, 3), and whether each has one; `near` is where to look
        first."""
        points = np.ascontiguousarray(np.atleast_2d(points), dtype=float)
        places = np.array(np.broadcast_to(near, (len(points), 2)), dtype=float)
        settled = np.zeros(len(points), dtype=bool)
        _project(self.coefficients, points, places, settled, np.empty((6, 3)))
        return places, settled


def spline_filter(count: int) -> Floats:
    """Values at `count` nodes to the coefficients of uniform cubic B-splines through them."""
    system = np.zeros((count + 2, count + 2))
    for row in range(count):
        system[row + 1, row : row + 3] = 1 / 6, 4 / 6, 1 / 6
    system[0, :5] = system[-1, -5:] = 1, -4, 6, -4, 1
    return np.asarray(np.linalg.inv(system)[:, 1:-1], dtype=float)


def spline_reading(places: Floats, count: int) -> Floats:
    """What a uniform cubic spline through `count` values is at places, counted in nodes, as a
    matrix (m, count) on the values; beyond the ends the last cubic goes on."""
    cell = np.clip(np.floor(places), 0, count - 2).astype(int)
    t = places - cell
    s = 1 - t
    weights = (s**3, t * t * (3 * t - 6) + 4, s * s * (3 * s - 6) + 4, t**3)
    coefficients = spline_filter(count)
    parts = [w[:, None] * coefficients[cell + k] for k, w in enumerate(weights)]
    return np.asarray(sum(parts) / 6)


def unit_normals(at: Floats) -> Floats:
    """S_u x S_v over its length, (..., 3), of what `SplineSurface.at` gives."""
    normal = np.cross(at[..., BY_U, :], at[..., BY_V, :])
    found: Floats = normal / np.linalg.norm(normal, axis=-1, keepdims=True)
    return found


def fundamental_forms(at: Floats) -> tuple[Floats, Floats]:
    """First and second fundamental form (..., 2, 2) in u and v; along the normal S_u x S_v, a
    surface that bends towards it has positive curvature."""
    tangents = at[..., BY_U : BY_V + 1, :]
    first = np.einsum("...ic,...jc->...ij", tangents, tangents)
    bending = np.einsum("...kc,...c->...k", at[..., BY_UU:, :], unit_normals(at))
    second = bending[..., [0, 1, 1, 2]].reshape((*bending.shape[:-1], 2, 2))
    return first, second


def principal_curvatures(at: Floats) -> Floats:
    """Both principal curvatures (..., 2), the smaller first, in 1/m."""
    first, second = fundamental_forms(at)
    shape = np.linalg.solve(first, second)
    mean = 0.5 * np.trace(shape, axis1=-2, axis2=-1)
    gauss = np.linalg.det(shape)
    root = np.sqrt(np.maximum(mean**2 - gauss, 0.0))
    return np.stack((mean - root, mean + root), axis=-1)
