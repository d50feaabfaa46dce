"""The cutting edge of a blade in a plane that holds the direction of the cutter's axis.

Coordinates are the height x above the tip plane, towards the cutter head, and the radius. With the
angle A between the edge and the cutter's axis, and σ = 1 for an outside blade, which cuts the
concave flank, σ = -1 for an inside blade, which cuts the convex one,

    dx/ds = cos A,   dradius/ds = σ sin A.

The edge begins in the tip plane (A = 90°), turns through the edge radius to the join at s = 0, and
goes on as a line, or as an arc whose radius counts positive where its centre lies outside the
blade: such a blade is hollow and crowns the tooth's profile.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats
from flank.errors import SpecError
from flank.texts import mm

OUTSIDE, INSIDE = 1, -1

LARGEST_BLADE_ANGLE = math.radians(60)


class EdgePoint(NamedTuple):
    """Of a cutting edge at s: (x, radius), unit tangent and its derivative, all (..., 2)."""

    position: Floats
    tangent: Floats
    bend: Floats


@dataclass(frozen=True)
class Blade:
    """One side of a blade; the point radius is where its profile, prolonged, meets the tip plane,
    and the blade angle is the profile's there."""

    point_radius: float
    angle: float
    side: int
    edge_radius: float
    profile_radius: float = math.inf  # positive: hollow blade, crowned tooth

    def __post_init__(self) -> None:
        name = "outside" if self.side == OUTSIDE else "inside"
        problems = []
        if not 0 < self.angle < LARGEST_BLADE_ANGLE:
            problems.append(
                f"A blade angle of {math.degrees(self.angle):.4g}° on the {name} blade cannot "
                "generate a flank; give one above 0° and below "
                f"{math.degrees(LARGEST_BLADE_ANGLE):.4g}°, on either side."
            )
        if self.edge_radius <= 0:
            problems.append(
                f"The {name} blade has an edge radius of {mm(self.edge_radius, 4)}; give one "
                "above zero, without which there is no fillet."
            )
        if self.point_radius <= 0:
            problems.append(
                f"The {name} blade has a point radius of {mm(self.point_radius, 4)}; give the "
                "cutter's radius at the blade's point, above zero."
            )
        if abs(self.profile_radius) <= 2 * self.edge_radius:
            problems.append(
                f"The {name} blade has a profile radius of {mm(self.profile_radius, 4)}, no more "
                "than twice its edge radius; give a larger one, or none for a straight blade."
            )
        if problems:
            raise SpecError(problems)

    @property
    def curvature(self) -> float:
        return 1 / self.profile_radius

    @cached_property
    def join_angle(self) -> float:
        """A at s = 0, where the edge radius ends."""
        bent = self.curvature * self.edge_radius
        return math.asin((math.sin(self.angle) + bent) / (1 + bent))

    @cached_property
    def join(self) -> tuple[float, float]:
        """Height and radius at s = 0."""
        height = self.edge_radius * (1 - math.sin(self.join_angle))
        mean = 0.5 * (self.angle + self.join_angle)
        # of an arc its chord has the mean of both end angles
        return height, self.point_radius + self.side * height * math.tan(mean)

    @property
    def bottom(self) -> float:
        """s where the edge radius meets the tip plane; negative."""
        return -self.edge_radius * (0.5 * math.pi - self.join_angle)

    def __call__(self, s: Floats) -> EdgePoint:
        """The edge at arc lengths s."""
        slope = np.where(s < 0, -1 / self.edge_radius, self.curvature)
        half = 0.5 * slope * s
        chord = s * np.sinc(half / math.pi)
        mean, angle = self.join_angle + half, self.join_angle + 2 * half
        height, radius = self.join
        position = np.stack(
            [height + chord * np.cos(mean), radius + self.side * chord * np.sin(mean)], axis=-1
        )
        tangent = np.stack([np.cos(angle), self.side * np.sin(angle)], axis=-1)
        bend = slope[..., None] * np.stack([-np.sin(angle), self.side * np.cos(angle)], axis=-1)
        return EdgePoint(position, tangent, bend)
