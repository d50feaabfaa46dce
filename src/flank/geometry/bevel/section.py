"""The axial section of a member: where its flanks lie, and the blank that says so.

A member's axial section has the coordinates z along its axis, from the crossing point of both axes
(of a hypoid: of their common perpendicular) towards its heel, and the radius. Along the pitch cone
ℓ is the distance from the pitch apex, at z = -t_z, and h the height above the cone:

    z = -t_z + ℓ cos δ - h sin δ,    radius = ℓ sin δ + h cos δ.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from math import cos, sin, tan

import numpy as np

from flank.arrays import Floats


@dataclass(frozen=True)
class RoundHoles:
    """Holes along the axis of a member, of radius `size`, at equal angles around a circle of
    `radius`, the first on the x axis."""

    count: int
    radius: float
    size: float


@dataclass(frozen=True)
class AxialSection:
    """Where a tooth's flank lies in the axial plane, and how deep its space is.

    Rows of `corners` are root and tip, columns toe and heel; the root corners are where the flank
    ends above the fillet. Between them u (toe -1, heel 1) and v (root -1, tip 1) are bilinear. The
    bottom of the space is the straight line through both `bottom` points. All are (z, radius).
    """

    corners: Floats  # (2, 2, 2)
    bottom: Floats  # (2, 2): toe, heel

    def points(self, u: Floats, v: Floats) -> Floats:
        """(z, radius) at u and v, which broadcast."""
        u, v = np.broadcast_arrays(u, v)
        along = 0.5 * np.stack([1 - u, 1 + u], axis=-1)
        across = 0.5 * np.stack([1 - v, 1 + v], axis=-1)
        result: Floats = np.einsum("...k,...i,kic->...c", across, along, self.corners)
        return result

    def bottom_points(self, u: Floats) -> Floats:
        result: Floats = 0.5 * np.stack([1 - u, 1 + u], axis=-1) @ self.bottom
        return result

    def grid(self, rows: int, columns: int) -> Floats:
        """(profile, lengthwise, 2) points, root to tip and toe to heel."""
        u, v = np.linspace(-1, 1, columns), np.linspace(-1, 1, rows)
        return self.points(u[None, :], v[:, None])

    def height(self, places: Floats) -> Floats:
        """Of places (z, radius) above the bottom of the space."""
        along = self.bottom[1] - self.bottom[0]
        across: Floats = (places - self.bottom[0]) @ np.array([-along[1], along[0]])
        return np.asarray(across / np.hypot(*along))

    def raised(self, height: Floats | float) -> "AxialSection":
        """With the root end of the flank at a height above the bottom of the space, or at two, of
        toe and heel."""
        root, tip = self.height(self.corners)
        shares = ((height - root) / (tip - root))[:, None]
        corners = self.corners.copy()
        corners[0] += shares * (corners[1] - corners[0])
        return AxialSection(corners, self.bottom)

    def moved(self, along: float) -> "AxialSection":
        """By a way along the axis."""
        step = np.array([along, 0.0])
        return AxialSection(self.corners + step, self.bottom + step)

    @property
    def root_height(self) -> float:
        """Least height of the flank's root end above the bottom of the space."""
        return float(np.min(self.height(self.corners[0])))


@dataclass(frozen=True)
class Blank:
    """One member; depths and cone distances are measured along and across its pitch cone."""

    teeth: int
    pitch_angle: float  # δ
    mean_distance: float  # R_m
    spiral_angle: float  # β_m
    mean_addendum: float  # h_am
    mean_dedendum: float  # h_fm
    addendum_angle: float  # θ_a
    dedendum_angle: float  # θ_f
    outer_width: float  # b_e, from the calculation point to the heel
    inner_width: float  # b_i
    thickness: float  # s_mn, mean normal
    clearance: float  # c
    apex_beyond: float = 0.0  # t_z, pitch apex beyond the crossing point
    outer_spiral_angle: float = math.nan  # β_e
    inner_spiral_angle: float = math.nan  # β_i

    @property
    def face_width(self) -> float:
        return self.outer_width + self.inner_width

    @property
    def face_angle(self) -> float:
        """δ_a."""
        return self.pitch_angle + self.addendum_angle

    @property
    def root_angle(self) -> float:
        """δ_f."""
        return self.pitch_angle - self.dedendum_angle

    @property
    def mean_diameter(self) -> float:
        return 2 * self.mean_distance * sin(self.pitch_angle)

    @property
    def transverse_thickness(self) -> float:
        """s_mt."""
        return self.thickness / cos(self.spiral_angle)

    @property
    def outer_distance(self) -> float:
        """R_e."""
        return self.mean_distance + self.outer_width

    @property
    def inner_distance(self) -> float:
        """R_i."""
        return self.mean_distance - self.inner_width

    def addendum(self, distance: float) -> float:
        return self.mean_addendum + (distance - self.mean_distance) * tan(self.addendum_angle)

    def dedendum(self, distance: float) -> float:
        return self.mean_dedendum + (distance - self.mean_distance) * tan(self.dedendum_angle)

    def point(self, distance: float, height: float) -> Floats:
        """(z, radius) at a distance along the pitch cone and a height above it."""
        along, across = cos(self.pitch_angle), sin(self.pitch_angle)
        z = -self.apex_beyond + distance * along - height * across
        return np.array([z, distance * across + height * along])

    @cached_property
    def mean_point(self) -> Floats:
        return self.point(self.mean_distance, 0.0)

    @property
    def outside_diameter(self) -> float:
        """d_ae."""
        return float(2 * self.point(self.outer_distance, self.addendum(self.outer_distance))[1])

    def section(self) -> AxialSection:
        """Flanks reach down to where the clearance begins; ends are across the pitch cone."""
        ends = (self.inner_distance, self.outer_distance)
        rise = self.clearance / cos(self.dedendum_angle)
        root = [self.point(end, rise - self.dedendum(end)) for end in ends]
        tip = [self.point(end, self.addendum(end)) for end in ends]
        bottom = [self.point(end, -self.dedendum(end)) for end in ends]
        return AxialSection(np.array([root, tip]), np.array(bottom))


def root_cone_section(
    mean_distance: float,
    face_width: float,
    pitch_angle: float,
    addendum_angle: float,
    dedendum_angle: float,
    clearance: float,
) -> AxialSection:
    """Of a member whose cones all have their apex in the crossing point: flanks begin a clearance
    above the root cone, and the ends of the teeth are across it."""
    root = pitch_angle - dedendum_angle

    def place(face: float, height: float) -> tuple[float, float]:
        along = (mean_distance - face_width / 2) * cos(dedendum_angle) + face * face_width
        z = along * cos(root) - clearance * sin(root)
        depth = z * tan(dedendum_angle + addendum_angle) / cos(root) - clearance
        radius = z * tan(root) + clearance / cos(root)
        return z - height * depth * sin(root), radius + height * depth * cos(root)

    corners = np.array([[place(face, height) for face in (0, 1)] for height in (0, 1)])
    return AxialSection(corners, corners[0] - clearance * np.array([-sin(root), cos(root)]))
