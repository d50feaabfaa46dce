"""A pinion and its gear in their mounting, and which of their teeth are near.

The pinion is the first gear of a `Mounting`. With a left-hand pinion a positive offset makes the
pinion's spiral angle greater than the gear's, with a right-hand one a negative offset does. Under
the exact ratio φ_2 = -φ_1 z_1/z_2 + const.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from flank.arrays import Floats
from flank.geometry.bevel.jets import Jet, Z
from flank.geometry.bevel.tooth import CONCAVE, CONVEX, BevelMember
from flank.geometry.mounting import Mounting, Placement
from flank.geometry.rotations import about_z

DRIVE, COAST = (CONCAVE, CONVEX), (CONVEX, CONCAVE)
"""Flanks of pinion and gear that run together; the pinion's concave side drives."""

NEIGHBOURS = 2
"""Pairs of teeth on either side of the middle one that may touch as well."""


def rolled(
    mounting: Mounting, gear: Jet, teeth: tuple[int, int], parameter: int, angle: Floats
) -> Jet:
    """Of points of the gear, what they are in the frame of the turning pinion, while the gear
    turns by a parameter of theirs and the pinion under the exact ratio."""
    ratio, pinion = teeth[1] / teeth[0], mounting.first(0.0)
    jet = gear.turned(Z, angle, {parameter: 1.0}).moved(Z, mounting.g)
    jet = jet.placed(pinion.rotation.T, -pinion.rotation.T @ pinion.origin)
    return jet.turned(Z, ratio * angle, {parameter: ratio})


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

    def poses(self, pinion_angle: float, lag: float = 0.0) -> tuple[Placement, Placement]:
        """Of both members with the pinion turned, the gear by a transmission error off the exact
        ratio."""
        gear_angle = self.phase + self.ratio * pinion_angle + lag
        return self.mounting.first(pinion_angle), self.mounting.second(gear_angle)

    @cached_property
    def _middles(self) -> dict[str, tuple[Floats, Floats]]:
        """Of the flanks of every tooth of both members, by the pinion's side."""
        result = {}
        for sides in (DRIVE, COAST):
            rings = []
            for member, side in zip((self.pinion, self.gear), sides, strict=True):
                points = member.side(side).flank.points
                middle = points[points.shape[0] // 2, points.shape[1] // 2]
                angles = [member.tooth_angle(k) for k in range(member.teeth)]
                rings.append(about_z(np.array(angles)) @ middle)
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
