"""A plane through the origin; x points to where the sphere is."""

import numpy as np
from numpy.typing import ArrayLike

from flank.contact.spatial.surface import CENTRE, SpatialSurface, frame_about, spatial_row
from flank.contact.spatial.table import Distance, DistanceField
from flank.kernel import kernel


@kernel(internal=True)
def _distance(contact, x, _y, _z):
    radius = contact.sphere_radius
    return Distance(x - radius, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0 / radius)


PLANE = DistanceField(name="plane", distance=_distance)


def sphere_on_plane(
    body_a: int,
    body_b: int,
    origin: ArrayLike,
    normal: ArrayLike,
    sphere_radius: float,
    surface: SpatialSurface,
    arm: ArrayLike = CENTRE,
) -> np.void:
    """A sphere on the side of a plane to which the normal points."""
    frame = np.roll(frame_about(normal), 1, axis=0)
    return spatial_row(PLANE, (body_a, body_b), origin, frame, sphere_radius, surface, arm)
