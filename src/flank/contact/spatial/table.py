"""The rows that describe contacts of spatial bodies and what they report.

A contact is a sphere on body B against a surface on body A: distance field x force law x friction.
The surface has its own frame on A, its rows x, y, z unit vectors: of a track, x points to its
bottom, y across it and z along it. Every row has SPATIAL_COMMON, friction's fields as in the plane
among them; fields and laws add their own (`flank.contact.declare`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flank.arrays import row_type
from flank.contact.declare import Declared, Field, Kernel, Registry
from flank.contact.table import DAMPING, FRICTION, LAWS, row_dtype

SPATIAL_COMMON = (
    Field("field", "number of the distance field", np.int64),
    Field("law", "number of the force law", np.int64),
    Field("body_a", "carries the surface", np.int64),
    Field("body_b", "carries the sphere", np.int64),
    Field("origin", "m, of the surface, in A's frame", shape=(3,)),
    Field("frame", "rows: x, y, z of the surface, in A's frame", shape=((3, 3),)),
    Field("arm", "m, centre of the sphere, in B's frame", shape=(3,)),
    Field("sphere_radius", "m"),
    *DAMPING,
    *FRICTION,
    Field("drilling_length", "m/N^(1/3), ρ of the drilling radius ρ F^(1/3)"),
)


class Distance(NamedTuple):
    """What a distance field is at the centre of B's sphere, in the frame of A's surface."""

    gap: float
    normal_x: float  # towards the sphere
    normal_y: float
    normal_z: float
    level_curvature_first: float  # of the distance's level surface along t₁, 1/m
    level_curvature_second: float  # and along t₂
    curvature: float  # relative, of the section across the first tangent, for the force law


@dataclass(frozen=True, eq=False)
class DistanceField(Declared):
    """A surface that a sphere may touch: `distance(contact, x, y, z)` returns a Distance.

    With t₁ = `tangent(n)` and t₂ = n x t₁ the gap's gradient is n and its Hessian
    κ₁ t₁t₁ᵀ + κ₂ t₂t₂ᵀ, κ the curvatures of its level surface. Laws that know the relative
    curvature are refused where it `varies`: of how energy changes along the surface at equal depth
    the force would know nothing.
    """

    distance: Kernel | None = None
    varies: bool = False


FIELDS: Registry[DistanceField] = Registry("distance field", SPATIAL_COMMON)


def spatial_contact_dtype() -> np.dtype:
    """The type of a contact's row, of all fields and laws known by now."""
    return row_dtype((*SPATIAL_COMMON, *FIELDS.fields(), *LAWS.fields()))


SPATIAL_CONTACT_RESULT = row_type(
    [
        ("gap", np.float64),
        ("normal_force", np.float64),
        ("stiffness", np.float64),  # dF/dδ
        ("normal", np.float64, 3),  # in space, the way the sphere is pushed
        ("point", np.float64, 3),  # in space, halfway between the surfaces
        ("friction", np.float64, 3),  # in space, force on the sphere
        ("drilling", np.float64),  # torque on the sphere about the normal
        ("sliding", np.float64, 3),  # velocity of the sphere over the surface, in space
        ("spin", np.float64),  # how fast the sphere turns about the normal over the surface
        ("friction_power", np.float64),  # that friction takes, W, not negative
        ("damping_power", np.float64),  # that damping takes, W
        ("friction_work", np.float64),  # lost to slip of elastic friction so far, J
    ]
)
"""What a contact reports of its last evaluation; all but the gap is zero where it is open. The
friction's work is of accepted poses."""

SPATIAL_MEMORY = row_type(
    [
        ("stuck_force", np.float64, 3),  # friction at the last accepted pose, as all there
        ("stuck_normal", np.float64, 3),
        ("stuck_centre", np.float64, 3),  # of the sphere, from A's centre of mass, m
        ("stuck_turn", np.float64, (3, 3)),  # rotation of B against A
        ("trial_force", np.float64),  # size of friction if nothing had slipped since
        ("stuck_along", np.float64),  # of the stuck force, along the trial one
        ("tangential_stiffness", np.float64),  # at the last evaluation, N/m
        ("frozen_limit", np.float64),  # of friction, where the step of statics begins
    ]
)
"""What elastic friction remembers of one contact, vectors along A's axes."""
