"""How two gears stand to each other in space, as designed and off it.

Each gear has a frame with z along its axis. The fixed frame is that of the second gear as designed;
the first stands in it with the axes

    z₁ = (sin Σ, 0, cos Σ),   x₁ = (-cos Σ, 0, sin Σ),   y₁ = (0, -1, 0),

for Σ = 90° (x, y, z)₁ -> (z, -y, x), its origin moved along y by the offset a. Misalignments are E
along the offset, P along the first gear's axis, G along the second's, both away from the crossing
point, and α of the shaft angle. From the second gear into the first this is
Tz(-P) Ty(a + E) Ry(Σ + α) Tz(G) Rz(π).
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats
from flank.geometry.rotations import about_z


class Placement(NamedTuple):
    """Where a gear is in the fixed frame: r -> rotation r + origin."""

    origin: Floats  # (3,)
    rotation: Floats  # (3, 3)

    def place(self, points: Floats) -> Floats:
        return np.asarray(points @ self.rotation.T + self.origin)


@dataclass(frozen=True)
class Mounting:
    """As designed and off it; lengths in m, angles in rad."""

    shaft_angle: float = 0.5 * math.pi
    offset: float = 0.0
    e: float = 0.0
    p: float = 0.0
    g: float = 0.0
    alpha: float = 0.0

    @property
    def first_axes(self) -> Floats:
        """Columns: axes of the first gear's frame."""
        s, c = math.sin(self.shaft_angle + self.alpha), math.cos(self.shaft_angle + self.alpha)
        return np.array([[-c, 0.0, s], [0.0, -1.0, 0.0], [s, 0.0, c]])

    @property
    def first_origin(self) -> Floats:
        return np.array([0.0, self.offset + self.e, 0.0]) + self.p * self.first_axes[:, 2]

    @property
    def second_origin(self) -> Floats:
        return np.array([0.0, 0.0, self.g])

    def first(self, angle: float) -> Placement:
        """Of the first gear, turned about its axis."""
        return Placement(self.first_origin, self.first_axes @ about_z(angle))

    def second(self, angle: float) -> Placement:
        return Placement(self.second_origin, about_z(angle))
