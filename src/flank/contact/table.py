"""The rows that describe contacts, their memory and what they report.

A contact is a circle on body B against a shape on body A: contact kind x force law x friction.
Topology (integers) is the same for all runs of an ensemble; the rest are parameters. Every row has
COMMON and FRICTION; kinds and laws add their own fields (`declare`).
"""

from __future__ import annotations

import functools

import numpy as np

from flank.arrays import row_type
from flank.contact.declare import ContactKind, Field, ForceLaw, Registry, Screen

FRICTION_NONE, FRICTION_SMOOTH, FRICTION_LINEAR, FRICTION_ELASTIC, FRICTION_STICK = range(5)
"""Friction laws: by velocity Eqs. 12 and 15 of arXiv 2604.02387; elastic-plastic; by velocity again
with static friction and drilling (Marter et al. 2020)."""

DAMPING_HUNT_CROSSLEY, DAMPING_APPROACH, DAMPING_VISCOUS = range(3)
"""Forms of a contact's damping (laws/damping.py)."""

DAMPING = (
    Field("damping_form", "number of the damping's form", np.int64),
    Field("damping", "s/m of Hunt and Crossley's form, N·s/m of the others"),
)

FRICTION = (
    Field("friction_form", "number of the friction law", np.int64),
    Field("friction", "Coulomb coefficient μ, of sliding where there is a static one"),
    Field("friction_velocity", "m/s, below which friction is viscous"),
    Field("static_friction", "μ_0 of FRICTION_STICK"),
    Field("static_velocity", "m/s, over which static friction fades"),
    Field("tangential_ratio", "tangential over normal stiffness, of FRICTION_ELASTIC"),
)

COMMON = (
    Field("kind", "number of the contact kind", np.int64),
    Field("law", "number of the force law", np.int64),
    Field("body_a", "carries the curve, the outer ring or the inner race", np.int64),
    Field("body_b", "carries the circle", np.int64),
    Field("rolls", "one where B is a bore around a rolling element", np.int64),
    Field("on_node", "one where B is the node of a beam, which has no angle", np.int64),
    Field("follows_flank", "one where the law knows a curvature that changes", np.int64),
    Field("over_area", "one where the law goes by an area of overlap", np.int64),
    Field("a_x", "m, origin of the shape on A, in A's frame"),
    Field("a_y", "m"),
    Field("a_radius", "m, of a round shape"),
    Field("b_x", "m, centre of the circle on B, in B's frame"),
    Field("b_y", "m"),
    Field("b_radius", "m"),
    Field(
        "plate_side", "which body is an elastic plate (plate_element.py), zero for none", np.int64
    ),
    Field("plate_row", "first row of its modes", np.int64),
    Field("plate_rows", "how many these are, three modes each", np.int64),
    Field("plate_table", "where the table of the touched circle begins", np.int64),
    Field("plate_knots", "of that table", np.int64),
    Field("plate_angle", "rad, where it begins on the plate"),
    Field(
        "ring_side",
        "which body stands at one place of an elastic ring, zero for none; plate_side is A's then",
        np.int64,
    ),
    Field("ring_row", "as of the plate", np.int64),
    Field("ring_rows", "as of the plate", np.int64),
    Field("ring_table", "as of the plate", np.int64),
    Field("ring_knots", "as of the plate", np.int64),
    Field("ring_angle", "rad, where that table begins on the body"),
    Field("share_a", "how much of A's turning the shape follows; the rest is B's"),
    *DAMPING,
    *FRICTION,
)

KINDS: Registry[ContactKind] = Registry("contact kind", COMMON)
LAWS: Registry[ForceLaw] = Registry("force law", COMMON)
SCREENS: Registry[Screen] = Registry("pre-screen", COMMON)
"""The package has none of its own: contacts know by themselves how long they are surely open."""


def contact_dtype() -> np.dtype:
    """The type of a contact's row, of all kinds and laws known by now."""
    return _dtype_of_known(len(KINDS), len(LAWS), len(SCREENS))


@functools.cache
def _dtype_of_known(kinds: int, laws: int, screens: int) -> np.dtype:
    """Every row asks for it; registries only grow, so their lengths tell what is in them."""
    return row_dtype((*COMMON, *KINDS.fields(), *LAWS.fields(), *SCREENS.fields()))


@functools.cache
def row_dtype(fields: tuple[Field, ...]) -> np.dtype:
    return row_type([(field.name, field.type, *field.shape) for field in fields])


MEMORY = row_type(
    [
        ("parameter", np.float64),  # of the foot point: the warm start
        ("known", np.int64),  # whether parameter, point and gap are of an earlier search
        ("point_x", np.float64),  # circle centre in the shape's frame at that search
        ("point_y", np.float64),
        ("gap", np.float64),
        ("stuck_force", np.float64),  # friction at the last accepted pose; zero where open
        ("trial_force", np.float64),  # friction if nothing had slipped since
        ("tangential_stiffness", np.float64),  # at the last evaluation, N/m
        ("frozen_limit", np.float64),  # of friction, where the step of statics begins
    ]
)

CONTACT_RESULT = row_type(
    [
        ("gap", np.float64),
        ("normal_force", np.float64),
        ("friction_force", np.float64),
        ("stiffness", np.float64),  # dF/dδ
        ("curvature", np.float64),  # 1/ρ, relative
        ("parameter", np.float64),  # of the foot point on the shape
        ("x", np.float64),  # contact point, inertial frame
        ("y", np.float64),
        ("normal_x", np.float64),  # out of A
        ("normal_y", np.float64),
        ("friction_work", np.float64),  # lost to slip of elastic friction so far, J
    ]
)
"""What a contact reports of the last evaluation; the friction's work is of accepted poses."""
