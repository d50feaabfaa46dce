"""Contact of spatial bodies: a sphere of one against a surface of the other."""

from flank.contact.laws import PowerLaw
from flank.contact.spatial import registry as registry
from flank.contact.spatial.kinds.simple import (
    sphere_in_sphere,
    sphere_on_plane,
    sphere_on_sphere,
)
from flank.contact.spatial.kinds.tracks import ball_in_arc, ball_in_ellipse, sphere_in_cylinder
from flank.contact.spatial.surface import Place, SpatialSurface, Sphere, spatial_row
from flank.contact.spatial.table import FIELDS, Distance, DistanceField
from flank.contact.surface import FRICTIONLESS, StickFriction

__all__ = [
    "FIELDS",
    "FRICTIONLESS",
    "Distance",
    "DistanceField",
    "Place",
    "PowerLaw",
    "SpatialSurface",
    "Sphere",
    "StickFriction",
    "ball_in_arc",
    "ball_in_ellipse",
    "spatial_row",
    "sphere_in_cylinder",
    "sphere_in_sphere",
    "sphere_on_plane",
    "sphere_on_sphere",
]
