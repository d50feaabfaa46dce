"""A sphere about the origin, solid or hollow."""

import math

import numpy as np
from numpy.typing import ArrayLike

from flank.contact.spatial.kinds.arc import RADIUS
from flank.contact.spatial.surface import CENTRE, SpatialSurface, spatial_row
from flank.contact.spatial.table import Distance, DistanceField
from flank.kernel import kernel


@kernel(internal=True)
def _inside(contact, x, y, z):
    return _from_centre(contact, x, y, z, -1.0)


@kernel(internal=True)
def _outside(contact, x, y, z):
    return _from_centre(contact, x, y, z, 1.0)


@kernel(internal=True)
def _from_centre(contact, x, y, z, sense):
    """`sense` is 1 outside the sphere, -1 inside."""
    r = math.sqrt(x * x + y * y + z * z)
    gap = sense * (r - contact.radius) - contact.sphere_radius
    curvature = 1.0 / contact.sphere_radius + sense / contact.radius
    if r == 0.0:
        return Distance(gap, 1.0, 0.0, 0.0, 0.0, 0.0, curvature)
    turn = sense / r
    return Distance(gap, turn * x, turn * y, turn * z, turn, turn, curvature)


INSIDE_SPHERE = DistanceField(name="inside sphere", fields=(RADIUS,), distance=_inside)
OUTSIDE_SPHERE = DistanceField(name="outside sphere", fields=(RADIUS,), distance=_outside)


def sphere_in_sphere(
    body_a: int,
    body_b: int,
    origin: ArrayLike,
    radius: float,
    sphere_radius: float,
    surface: SpatialSurface,
    arm: ArrayLike = CENTRE,
) -> np.void:
    """A sphere inside a hollow one."""
    if not radius > sphere_radius:
        raise ValueError(
            f"a sphere of radius {sphere_radius:g} m does not fit in one of {radius:g} m"
        )
    bodies = body_a, body_b
    return spatial_row(
        INSIDE_SPHERE, bodies, origin, np.eye(3), sphere_radius, surface, arm, radius=radius
    )


def sphere_on_sphere(
    body_a: int,
    body_b: int,
    origin: ArrayLike,
    radius: float,
    sphere_radius: float,
    surface: SpatialSurface,
    arm: ArrayLike = CENTRE,
) -> np.void:
    """Two spheres outside each other."""
    if not radius > 0:
        raise ValueError(f"a sphere needs a positive radius, not {radius:g} m")
    bodies = body_a, body_b
    return spatial_row(
        OUTSIDE_SPHERE, bodies, origin, np.eye(3), sphere_radius, surface, arm, radius=radius
    )
