"""A straight track, its section an arc; all of it, or one flank. A round bore is one as well."""

import math

import numpy as np
from numpy.typing import ArrayLike

from flank.contact.declare import Field
from flank.contact.spatial.surface import CENTRE, SpatialSurface, frame_about, spatial_row
from flank.contact.spatial.table import Distance, DistanceField
from flank.kernel import kernel

SIDES = (-1.0, 0.0, 1.0)


@kernel(internal=True)
def _distance(contact, x, y, _z):
    """In the section (dx, dy) leads from the arc's centre to the sphere's."""
    dx = x - contact.centre[0]
    dy = y - contact.centre[1]
    centre_y = contact.centre[1]
    radius = contact.radius
    curvature = 1.0 / contact.sphere_radius - 1.0 / radius
    r = math.sqrt(dx * dx + dy * dy)
    if r == 0.0:
        return Distance(radius - contact.sphere_radius, -1.0, 0.0, 0.0, 0.0, 0.0, curvature)
    if contact.side * (centre_y * r + radius * dy) < 0.0:
        half = math.sqrt(max(radius * radius - centre_y * centre_y, 0.0))
        gap = to_end(abs(dx) - half, dy + centre_y, contact.sphere_radius)
        return Distance(gap, -dx / r, -dy / r, 0.0, 0.0, 0.0, curvature)
    gap = radius - r - contact.sphere_radius
    return Distance(gap, -dx / r, -dy / r, 0.0, -1.0 / r, 0.0, curvature)


@kernel(internal=True)
def to_end(dx, dy, sphere_radius):
    """Gap to the end of a flank."""
    return max(math.sqrt(dx * dx + dy * dy) - sphere_radius, 0.0)


RADIUS = Field("radius", "m, of a round surface")
SIDE = Field("side", "±1, the flank where y has this sign; zero: all of it")

ARC = DistanceField(
    name="arc",
    fields=(RADIUS, Field("centre", "m, x and y of the arc's centre", shape=(2,)), SIDE),
    distance=_distance,
)


def ball_in_arc(
    body_a: int,
    body_b: int,
    origin: ArrayLike,
    frame: ArrayLike,
    centre: ArrayLike,
    radius: float,
    side: float,
    sphere_radius: float,
    surface: SpatialSurface,
    arm: ArrayLike = CENTRE,
) -> np.void:
    """A ball in a straight track whose section is an arc about `centre` (x, y): the flank where y
    has the sign of `side`, or all of it (zero)."""
    refuse_side(side)
    middle = np.asarray(centre, dtype=float)
    if not radius > sphere_radius:
        raise ValueError(
            f"a ball of radius {sphere_radius:g} m does not fit in a track of {radius:g} m"
        )
    if side != 0 and not abs(middle[1]) < radius:
        raise ValueError(
            f"an arc of radius {radius:g} m about y = {middle[1]:g} m does not reach the bottom of "
            "its track at y = 0; make the radius larger"
        )
    return spatial_row(
        ARC,
        (body_a, body_b),
        origin,
        frame,
        sphere_radius,
        surface,
        arm,
        centre=middle,
        radius=radius,
        side=side,
    )


def sphere_in_cylinder(
    body_a: int,
    body_b: int,
    origin: ArrayLike,
    axis: ArrayLike,
    radius: float,
    sphere_radius: float,
    surface: SpatialSurface,
    arm: ArrayLike = CENTRE,
) -> np.void:
    """A sphere in a round bore along `axis`."""
    frame = frame_about(axis)
    return ball_in_arc(
        body_a, body_b, origin, frame, (0.0, 0.0), radius, 0.0, sphere_radius, surface, arm
    )


def refuse_side(side: float) -> None:
    if side not in SIDES:
        raise ValueError(f"a flank's side is 1 (y > 0), -1 (y < 0) or 0 (both), not {side!r}")
