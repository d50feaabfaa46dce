"""Planes through the origin, whose x points to where the sphere is, and spheres about the origin,
solid or hollow."""

import math

import numpy as np
from numpy.typing import ArrayLike

from flank.contact.declare import Field
from flank.contact.spatial.surface import Place, SpatialSurface, Sphere, frame_about, spatial_row
from flank.contact.spatial.table import Distance, DistanceField
from flank.kernel import kernel


@kernel(internal=True)
def _plane_distance(contact, x, _y, _z):
    radius = contact.sphere_radius
    return Distance(x - radius, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0 / radius)


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


RADIUS = Field("radius", "m, of a round surface")

PLANE = DistanceField(name="plane", distance=_plane_distance)
INSIDE_SPHERE = DistanceField(name="inside sphere", fields=(RADIUS,), distance=_inside)
OUTSIDE_SPHERE = DistanceField(name="outside sphere", fields=(RADIUS,), distance=_outside)


def sphere_on_plane(
    body: int, origin: ArrayLike, normal: ArrayLike, sphere: Sphere, surface: SpatialSurface
) -> np.void:
    """A sphere on the side of a body's plane to which the normal points."""
    plane = Place(body, origin, np.roll(frame_about(normal), 1, axis=0))
    return spatial_row(PLANE, plane, sphere, surface)


def sphere_in_sphere(hollow: Sphere, sphere: Sphere, surface: SpatialSurface) -> np.void:
    """A sphere inside a hollow one."""
    if not hollow.radius > sphere.radius:
        raise ValueError(
            f"a sphere of radius {sphere.radius:g} m does not fit in one of {hollow.radius:g} m"
        )
    return _on_round(INSIDE_SPHERE, hollow, sphere, surface)


def sphere_on_sphere(first: Sphere, second: Sphere, surface: SpatialSurface) -> np.void:
    """Two spheres outside each other."""
    if not first.radius > 0:
        raise ValueError(f"a sphere needs a positive radius, not {first.radius:g} m")
    return _on_round(OUTSIDE_SPHERE, first, second, surface)


def _on_round(
    field: DistanceField, first: Sphere, second: Sphere, surface: SpatialSurface
) -> np.void:
    place = Place(first.body, first.centre, np.eye(3))
    return spatial_row(field, place, second, surface, radius=first.radius)
