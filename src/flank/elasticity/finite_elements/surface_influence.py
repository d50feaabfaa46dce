"""Influence numbers of a flank in space, read anywhere on it.

Numbers on a grid, u along the tooth and v along the profile, are read by cubic splines in both
points: C(x, x') = w(x)ᵀ G w(x'), w the weights of the grid's points. That keeps a symmetric matrix
so, and one without negative directions.

The indentation under a contact is not in them. It is the line-contact law's, which counts down to
one point at a depth below the surface of a half plane. A tooth is rather a layer on its middle
surface, of which the law's factor ln d is corrected:

    layer of the depth d on a rigid base   L = [κ sinh 2α - 2α]/[κ cosh 2α + 2α² + 5 - 12ν + 8ν²]
    half plane, to the depth d             L = 1 - e^{-α}(1 + α/(2(1 - ν)))

with κ = 3 - 4ν, α = k d for waves k of the pressure; a narrow pressure F' goes in by
2 (1 - ν²)/(π E) F' ∫L/α dα, and the difference of both integrals is that of ln d, whatever the
width.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.integrate import quad

from flank.arrays import Floats, Integers
from flank.geometry.spline_surface import spline_reading


@dataclass(frozen=True, eq=False)
class SurfaceInfluence:
    """Influence numbers of one flank of a gear whose body is held, on a grid of P x Q points.

    `compliance` (T, 2 K + 1, P Q, P Q) in m/N is the displacement along the inward normal of point
    i of tooth t + k, k = -K ... K in the sense of rising angles, under a unit normal force at point
    j of tooth t; T are the teeth after which numbers repeat, one where all are alike. Row p Q + q
    is the point p along the profile, v at equal steps from root (-1) to tip (1), and strip q of
    equal ones from toe (u = -1) to heel (1), over which forces are even and displacements means.
    What happens between the flank and `depths` (P, Q) in m below it, in line contact, is left out.
    """

    compliance: Floats
    depths: Floats

    @property
    def neighbours(self) -> Integers:
        """k of each block."""
        count = self.compliance.shape[1]
        return np.asarray(np.arange(count) - count // 2)

    @property
    def period(self) -> int:
        return len(self.compliance)

    @cached_property
    def depth(self) -> float:
        """In the middle of the flank."""
        return float(self.depth_at(np.zeros(1), np.zeros(1))[0])

    def depth_at(self, u: Floats, v: Floats) -> Floats:
        """Below any places, in m."""
        weights = self._weights(np.asarray(u, float), np.asarray(v, float))
        return np.asarray(weights @ self.depths.ravel())

    def influence(self, u: Floats, v: Floats, offset: int, tooth: int = 0) -> Floats:
        """(m, m) in m/N: displacement along the inward normal at points (u, v) of a tooth under
        unit normal forces at the same points of the tooth `offset` before it, which is `tooth`
        where teeth differ. Teeth farther apart than there are numbers count as the farthest."""
        reach = self.compliance.shape[1] // 2
        block = min(max(offset, -reach), reach) + reach
        weights = self._weights(np.asarray(u, float), np.asarray(v, float))
        return np.asarray(weights @ self.compliance[tooth % self.period, block] @ weights.T)

    def _weights(self, u: Floats, v: Floats) -> Floats:
        """(m, P Q) of the grid's points at places."""
        rows, columns = self.depths.shape
        along = spline_reading(0.5 * columns * (np.clip(u, -1, 1) + 1) - 0.5, columns)
        across = spline_reading(0.5 * (rows - 1) * (np.clip(v, -1, 1) + 1), rows)
        return np.asarray(np.einsum("mp,mq->mpq", across, along).reshape(len(u), -1))


def strip_centres(count: int) -> Floats:
    """u of the centres of equal strips from toe to heel."""
    return np.asarray((2 * np.arange(count) + 1) / count - 1)


def layer_depth_factor(poisson_ratio: float) -> float:
    """By which the depth to a held surface grows to that to which line contact is counted."""
    kappa = 3 - 4 * poisson_ratio
    more = 5 - 12 * poisson_ratio + 8 * poisson_ratio**2

    def difference(a: float) -> float:
        small = math.exp(-2 * a)
        layer = 0.5 * kappa * (1 - small**2) - 2 * a * small
        layer /= 0.5 * kappa * (1 + small**2) + (2 * a * a + more) * small
        return (layer - 1 + math.exp(-a) * (1 + a / (2 * (1 - poisson_ratio)))) / a

    return math.exp(quad(difference, 0, 60, limit=200)[0])
