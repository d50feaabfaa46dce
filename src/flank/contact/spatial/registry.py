"""The distance fields of the package: a line each, numbered in this order."""

from flank.contact.spatial.kinds.arc import ARC
from flank.contact.spatial.kinds.ellipse import ELLIPSE
from flank.contact.spatial.kinds.plane import PLANE
from flank.contact.spatial.kinds.spheres import INSIDE_SPHERE, OUTSIDE_SPHERE
from flank.contact.spatial.table import FIELDS

for field in (PLANE, ARC, ELLIPSE, INSIDE_SPHERE, OUTSIDE_SPHERE):
    FIELDS.add(field)
