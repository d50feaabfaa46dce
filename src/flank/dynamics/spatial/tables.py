"""The rows that describe joints, bushings and loads of spatial bodies."""

import numpy as np

from flank.arrays import row_type
from flank.dynamics.tables import NONE_HELD

POINT, DOT, ALONG, ANGLE, TEETH = range(5)
"""Conditions, of which joints are made.

POINT: a point of A is a point of B (three equations). DOT: a direction of A stays
perpendicular to one of B. ALONG: from a point of A to one of B it is function(t) along a direction
of A. ANGLE: seen along an axis of A, a direction of B is turned by function(t) from one of A.
TEETH: the gap of a gear mesh stays as it is on one flank; its geometry is a row of `teeth.py`.
"""

HELD = ((0, 1, 2), *4 * ((NONE_HELD,),))
"""As of joints in the plane: a direction of a body turns, so a row along one has no such entry."""

EQUATIONS = tuple(map(len, HELD))
"""Equations of each condition."""

CONDITION = row_type(
    [
        ("kind", np.int64),
        ("body_a", np.int64),
        ("body_b", np.int64),
        ("first", np.int64),  # its first multiplier
        ("function", np.int64),  # ALONG: a distance; ANGLE: an angle
        ("at_a", np.float64, 3),
        ("at_b", np.float64, 3),
        ("direction_a", np.float64, 3),  # DOT, ALONG; ANGLE: perpendicular to B's at zero
        ("turned_a", np.float64, 3),  # ANGLE: the same at π/2
        ("direction_b", np.float64, 3),  # DOT, ANGLE
    ]
)

SPATIAL_BUSHING = row_type(
    [
        ("body_a", np.int64),
        ("body_b", np.int64),
        ("at_a", np.float64, 3),
        ("at_b", np.float64, 3),
        ("frame", np.float64, (3, 3)),  # rows: its axes, in A's frame
        ("relaxed", np.float64, 4),  # quaternion of R_Aᵀ R_B where it is relaxed
        ("stiffness", np.float64, 3),  # N/m along its axes
        ("damping", np.float64, 3),  # N·s/m
        ("turning_stiffness", np.float64, 3),  # N·m/rad about its axes
        ("turning_damping", np.float64, 3),  # N·m·s/rad
    ]
)

SPATIAL_LOAD = row_type(
    [
        ("body", np.int64),
        ("reference", np.int64),  # body whose axes force and torque follow; ground: fixed
        ("function", np.int64),
        ("force", np.float64, 3),  # times function(t), along the axes of the reference
        ("torque", np.float64, 3),
        ("at", np.float64, 3),  # where the force acts, body frame
    ]
)

SPATIAL_MESH = row_type(
    [
        ("body_a", np.int64),
        ("body_b", np.int64),
        ("normal", np.float64, 3),  # n, in space: the way A pushes B
        ("pitch", np.float64),  # base pitch over 2π, m
        ("teeth", np.float64, 2),  # ±z_A, ±z_B: arm about the axis over `pitch`
        ("origin", np.float64, (2, 3)),  # centres as built
        ("arm", np.float64, (2, 3)),  # L = (P - x) x n
        ("axis", np.float64, (2, 3)),  # a, in space
        ("across", np.float64, (2, 3)),  # u, perpendicular to the axis: where the mark is at θ = 0
        ("beside", np.float64, (2, 3)),  # v = a x u
        ("mark", np.float64, (2, 3)),  # u on the body
        ("spindle", np.float64, (2, 3)),  # a on the body
        ("stiffness", np.float64),  # N/m
        ("damping", np.float64),  # N·s/m, where the teeth touch
        ("backlash", np.float64),  # m, along n
    ]
)
