"""How a pinion and its gear stand to each other in space, and which of their teeth are near.

The fixed frame is that of the gear as designed. The pinion stands in it with the axes

    z_1 = (sin Σ, 0, cos Σ),   x_1 = (-cos Σ, 0, sin Σ),   y_1 = (0, -1, 0),

for Σ = 90° (x, y, z) -> (z, -y, x), its origin moved along y by the offset. Misalignments are E
along the offset, P along the pinion's axis, G along the gear's, both away from the crossing point,
and α of the shaft angle. From the gear into the pinion this is
Tz(-P) Ty(a + E) Ry(Σ + α) Tz(G) Rz(π).

With a left-hand pinion a positive offset makes the pinion's spiral angle greater than the gear's,
with a right-hand one a negative offset does. Under the exact ratio φ_2 = -φ_1 z_1/z_2 + const.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats
from flank.geometry.bevel.jets import Jet, Z
from flank.geometry.bevel.tooth import CONCAVE, CONVEX, BevelMember

DRIVE, COAST = (CONCAVE, CONVEX), (CONVEX, CONCAVE)
"""Flanks of pinion and gear that run together; the pinion's concave side drives."""

NEIGHBOURS = 2
"""Pairs of teeth on either side of the middle one that may touch as well."""


class Pose(NamedTuple):
    """Where a member is in the fixed frame: r -> rotation r + position."""

    rotation: Floats  # (3, 3)
    position: Floats  # (3,)

    def place(self, points: Floats) -> Floats:
        return np.asarray(points @ self.rotation.T + self.position)


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
    def pinion_axes(self) -> Floats:
        """Columns: axes of the pinion's frame."""
        angle = self.shaft_angle + self.alpha
        s, c = math.sin(angle), math.cos(angle)
        return np.array([[-c, 0.0, s], [0.0, -1.0, 0.0], [s, 0.0, c]])

    def pinion_pose(self, angle: float) -> Pose:
        axes = self.pinion_axes
        position = np.array([0.0, self.offset + self.e, 0.0]) + self.p * axes[:, 2]
        return Pose(axes @ about_z(angle), position)

    def gear_pose(self, angle: float) -> Pose:
        return Pose(about_z(angle), np.array([0.0, 0.0, self.g]))

    def rolled(self, gear: Jet, teeth: tuple[int, int], parameter: int, angle: Floats) -> Jet:
        """Of points of the gear, what they are in the frame of the turning pinion, while the gear
        turns by a parameter of theirs and the pinion under the exact ratio."""
        ratio, pose = teeth[1] / teeth[0], self.pinion_pose(0.0)
        jet = gear.turned(Z, angle, {parameter: 1.0}).moved(Z, self.g)
        jet = jet.placed(pose.rotation.T, -pose.rotation.T @ pose.position)
        return jet.turned(Z, ratio * angle, {parameter: ratio})


def about_z(angle: float) -> Floats:
    cosine, sine = math.cos(angle), math.sin(angle)
    return np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])


@dataclass(frozen=True)
class BevelPair:
    """Two members and how they are mounted; `phase` is the gear's angle with the pinion's at 0."""

    pinion: BevelMember
    gear: BevelMember
    mounting: Mounting = field(default_factory=Mounting)
    phase: float = 0.0

    @property
    def ratio(self) -> float:
        """dφ_2/dφ_1."""
        return -self.pinion.teeth / self.gear.teeth

    def poses(self, pinion_angle: float, lag: float = 0.0) -> tuple[Pose, Pose]:
        """Of both members with the pinion turned, the gear by a transmission error off the exact
        ratio."""
        gear_angle = self.phase + self.ratio * pinion_angle + lag
        return self.mounting.pinion_pose(pinion_angle), self.mounting.gear_pose(gear_angle)

    @cached_property
    def _middles(self) -> dict[str, tuple[Floats, Floats]]:
        """Of the flanks of every tooth of both members, by the pinion's side."""
        result = {}
        for sides in (DRIVE, COAST):
            rings = []
            for member, side in zip((self.pinion, self.gear), sides, strict=True):
                points = member.side(side).flank.points
                middle = points[points.shape[0] // 2, points.shape[1] // 2]
                turns = [about_z(member.tooth_angle(k)) for k in range(member.teeth)]
                rings.append(np.array(turns) @ middle)
            result[sides[0]] = (rings[0], rings[1])
        return result

    def candidates(
        self, sides: tuple[str, str], pinion_angle: float, neighbours: int = NEIGHBOURS
    ) -> list[tuple[int, int]]:
        """Numbers of pinion and gear teeth whose flanks may touch, the middle of the mesh first.

        Neighbours are counted the other way round on the gear, which turns against the pinion.
        """
        first, second = self._middles[sides[0]]
        poses = self.poses(pinion_angle)
        apart = np.linalg.norm(
            poses[0].place(first)[:, None] - poses[1].place(second)[None], axis=-1
        )
        i, j = (int(k) for k in np.unravel_index(np.argmin(apart), apart.shape))
        steps = sorted(range(-neighbours, neighbours + 1), key=abs)
        return [((i + k) % self.pinion.teeth, (j - k) % self.gear.teeth) for k in steps]
