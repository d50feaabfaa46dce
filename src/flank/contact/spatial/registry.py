"""The distance fields of the package: a line each, numbered in this order."""

from flank.contact.spatial.kinds.simple import INSIDE_SPHERE, OUTSIDE_SPHERE, PLANE
from flank.contact.spatial.kinds.tracks import ARC, ELLIPSE
from flank.contact.spatial.table import FIELDS

for field in (PLANE, ARC, ELLIPSE, INSIDE_SPHERE, OUTSIDE_SPHERE):
    FIELDS.add(field)
