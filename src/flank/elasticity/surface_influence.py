"""Influence numbers of flanks in space: how far one point gives way under a force on another.

Between a point (u, v) of tooth t + k and one (u', v') of tooth t, by unit forces along the inward
normals,

    C_tk(u, v; u', v') = Σ_rs φ_r(u, v) B_tk,rs φ_s(u', v'),

φ cubic splines over the flank. They span what the numbers on a grid have in common: eigenvectors of
Σ G_tk G_tkᵀ, G_tk the blocks of the grid, orthonormal there, so that B_tk = Φᵀ G_tk Φ. What they
leave out is below TOLERANCE of the whole, and a projection leaves a matrix without negative
directions one. Between m points of one tooth a matrix costs m² R/2 operations with R shapes, some
thirty, in place of 128 m².
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from flank.arrays import Floats, Integers
from flank.geometry.spline_surface import spline_filter, spline_weights
from flank.kernel import kernel

TOLERANCE = 1e-4
"""Of the norm of all blocks: what shapes together may leave out."""


@kernel(internal=True)
def influence_shapes(shapes, u, v, out):
    """Fill out (3, R) with φ and its slopes by u and v; beyond a border they are those of it.

    Nodes along u are centres of strips, along v both ends are nodes."""
    nodes_u = shapes.shape[0] - 3
    nodes_v = shapes.shape[1] - 3
    scale_u = 0.5 * (nodes_u + 1)
    scale_v = 0.5 * nodes_v
    i, wu, du, _ = spline_weights((min(max(u, -1.0), 1.0) + 1.0) * scale_u - 0.5, nodes_u)
    j, wv, dv, _ = spline_weights((min(max(v, -1.0), 1.0) + 1.0) * scale_v, nodes_v)
    within_u = scale_u if abs(u) <= 1.0 else 0.0
    within_v = scale_v if abs(v) <= 1.0 else 0.0
    out[:] = 0.0
    for k in range(4):
        for n in range(4):
            value = wu[k] * wv[n]
            by_u = within_u * du[k] * wv[n]
            by_v = within_v * wu[k] * dv[n]
            for r in range(shapes.shape[2]):
                shape = shapes[i + k, j + n, r]
                out[0, r] += value * shape
                out[1, r] += by_u * shape
                out[2, r] += by_v * shape


@kernel(internal=True)
def influence_matrix(blocks, teeth, at, count, moved, out):
    """Fill out (count, count) from shapes at[:, 0] of points on `teeth`; those of one tooth should
    follow each other. Teeth further apart than there are blocks count as the furthest."""
    reach = blocks.shape[1] // 2
    size = blocks.shape[2]
    for j in range(count):
        loaded = teeth[j] % blocks.shape[0]
        last = 2 * reach + 1
        for i in range(j + 1):
            block = min(max(teeth[i] - teeth[j], -reach), reach) + reach
            if block != last:
                for r in range(size):
                    total = 0.0
                    for s in range(size):
                        total += blocks[loaded, block, r, s] * at[j, 0, s]
                    moved[r] = total
                last = block
            total = 0.0
            for r in range(size):
                total += at[i, 0, r] * moved[r]
            out[i, j] = out[j, i] = total


@kernel
def _matrix(shapes, blocks, teeth, u, v, at, moved, out):
    for k in range(u.shape[0]):
        influence_shapes(shapes, u[k], v[k], at[k])
    influence_matrix(blocks, teeth, at, u.shape[0], moved, out)


@dataclass(frozen=True, eq=False)
class SurfaceInfluence:
    """Influence numbers of one flank of a gear whose body is held, on a grid of P x Q points.

    `compliance` (T, 2 K + 1, P Q, P Q) in m/N is the displacement along the inward normal of point
    i of tooth t + k, k = -K ... K in the sense of rising angles, under a unit normal force at point
    j of tooth t; T is the number of teeth, or one where all are alike. Row p Q + q is the point p
    along the profile, v at equal steps from root (-1) to tip (1), and strip q of equal ones from
    toe (u = -1) to heel (1), over which forces are even and displacements means. What happens
    between the flank and a `depth` (P, Q) in m below it, in line contact, is left out.
    """

    compliance: Floats
    depth: Floats

    @property
    def neighbours(self) -> Integers:
        """k of each block."""
        count = self.compliance.shape[1]
        return np.asarray(np.arange(count) - count // 2)

    @cached_property
    def _basis(self) -> Floats:
        """(P Q, R), orthonormal."""
        squares = np.einsum("tkij,tklj->il", self.compliance, self.compliance)
        values, vectors = np.linalg.eigh(squares)
        left_out = np.sqrt(np.cumsum(np.maximum(values, 0.0)) / np.sum(values))
        return np.asarray(vectors[:, left_out > TOLERANCE][:, ::-1])

    @cached_property
    def shapes(self) -> Floats:
        """Coefficients (Q + 2, P + 2, R) of φ, for kernels."""
        rows, columns = self.depth.shape
        grid = self._basis.reshape(rows, columns, -1)
        both = np.einsum("jp,iq,pqr->ijr", spline_filter(rows), spline_filter(columns), grid)
        return np.ascontiguousarray(both)

    @cached_property
    def blocks(self) -> Floats:
        """B (T, 2 K + 1, R, R), for kernels."""
        return np.ascontiguousarray(self._basis.T @ self.compliance @ self._basis)

    @cached_property
    def depth_coefficients(self) -> Floats:
        """(Q + 2, P + 2, 1) of ln(depth), read as a shape."""
        rows, columns = self.depth.shape
        both = spline_filter(columns) @ np.log(self.depth).T @ spline_filter(rows).T
        return np.ascontiguousarray(both[..., None])

    def matrix(self, teeth: ArrayLike, u: ArrayLike, v: ArrayLike) -> Floats:
        """Compliances (m, m) between m points (u, v) on teeth."""
        u, v = (np.array(x, dtype=float, ndmin=1) for x in (u, v))
        count, size = len(u), self.blocks.shape[2]
        out, at = np.empty((count, count)), np.empty((count, 3, size))
        numbers = np.array(teeth, dtype=np.int64, ndmin=1)
        _matrix(self.shapes, self.blocks, numbers, u, v, at, np.empty(size), out)
        return out


def strip_centres(count: int) -> Floats:
    """u of the centres of equal strips from toe to heel."""
    return np.asarray((2 * np.arange(count) + 1) / count - 1)


def layer_depth_factor(poisson_ratio: float) -> float:
    """By which the depth to a held surface grows to that to which line contact is counted.

    A layer of the depth d on a rigid base gives way under a narrow pressure by

        2 (1 - ν²)/(π E) F' ∫ L(α)/α dα,   L = [κ sinh 2α - 2α]/[κ cosh 2α + 2α² + 5 - 12ν + 8ν²],

    α = k d of its waves, κ = 3 - 4ν; a half plane, down to one point at the depth d, by the same
    with L = 1 - e^{-α}(1 + α/(2(1 - ν))), which is the law of line contact. The law has ln d, so
    that the factor is the exponential of the integral of the difference, whatever the width.
    """
    from scipy.integrate import quad

    kappa = 3 - 4 * poisson_ratio
    more = 5 - 12 * poisson_ratio + 8 * poisson_ratio**2

    def difference(a: float) -> float:
        small = math.exp(-2 * a)
        layer = 0.5 * kappa * (1 - small**2) - 2 * a * small
        layer /= 0.5 * kappa * (1 + small**2) + (2 * a * a + more) * small
        return (layer - 1 + math.exp(-a) * (1 + a / (2 * (1 - poisson_ratio)))) / a

    return math.exp(quad(difference, 0, 60, limit=200)[0])
