"""In-plane torsion of a round plate with holes.

A plate of width B carries a torque from the radius a out to b by shear. On the circle r the share
f(r) of the circumference is material, so

    φ / T = ∫_a^b dr / (2π r³ G B f(r)).

Without holes (f = 1) this is the closed form (1/a² - 1/b²) / (4π G B). The holes' corners are left
out: the shear is taken as even along what is left of each circle.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flank.elasticity.material import Material

CIRCLES = 400
"""Circles on which the material left is counted."""

LEAST_SHARE = 0.05
"""Material counted where holes leave less; a finding of the machine says so before."""


@dataclass(frozen=True)
class Holes:
    """Equal round holes on a circle, which do not overlap."""

    count: int
    circle_radius: float
    radius: float

    def share_of_circle(self, radius: NDArray) -> NDArray:
        """Share of each circle's circumference that lies inside the holes."""
        ring = self.circle_radius
        cosine = (radius**2 + ring**2 - self.radius**2) / (2 * radius * ring)
        half_angle = np.arccos(np.clip(cosine, -1.0, 1.0))
        return self.count * half_angle / math.pi


def material_share(radius: NDArray, holes: Sequence[Holes]) -> NDArray:
    """f(r), the share of each circle that is material."""
    taken = sum((h.share_of_circle(radius) for h in holes), np.zeros_like(radius))
    return np.maximum(1 - taken, LEAST_SHARE)


def torsional_stiffness(
    inner: float, outer: float, width: float, material: Material, holes: Sequence[Holes] = ()
) -> float:
    """T/φ in N·m/rad between the circles of radius `inner` and `outer`."""
    nodes, weights = np.polynomial.legendre.leggauss(CIRCLES)
    radius = 0.5 * (outer - inner) * nodes + 0.5 * (outer + inner)
    shear = 2 * math.pi * radius**3 * material.shear_modulus * width
    twist = 0.5 * (outer - inner) * np.sum(weights / (shear * material_share(radius, holes)))
    return 1 / float(twist)
