"""Distance fields: the gap of a sphere at a point of a surface's frame, its normal and its bends.

Of a wall with the radius of curvature ρ around a sphere whose centre is D away from it the bend is
-1/(ρ - D). A file of `kinds` has each field, `table.DistanceField` what it gives.

A flank (side ±1) is that part of a section where y has this sign; its ends lie on y = 0. An end is
no surface: where the flank's nearest point is an end, the gap is the distance to it and never
negative, so that the contact is open. Gaps do not jump as long as they are positive.
"""

import math

from flank.contact.dispatch import dispatched
from flank.contact.spatial.table import FIELDS
from flank.kernel import kernel


@dispatched(FIELDS, "field", "distance")
def distance_field(contact, x, y, z):
    """Distance of one contact, its sphere's centre in the surface's frame."""


@kernel(internal=True)
def tangent(nx, ny, nz):
    """A direction perpendicular to n; across the track where n is, so that n x t is along it."""
    if nx * nx + ny * ny > 0.25:
        factor = 1.0 / math.sqrt(nx * nx + ny * ny)
        return -ny * factor, nx * factor, 0.0
    factor = 1.0 / math.sqrt(ny * ny + nz * nz)
    return 0.0, -nz * factor, ny * factor
