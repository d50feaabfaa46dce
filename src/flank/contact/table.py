"""The rows that describe contacts, their memory and what they report.

A contact is a circle on body B against a shape on body A: gap finder x force law x friction.
Topology (integers) is the same for all runs of an ensemble; the rest are parameters.
"""

import numpy as np

CIRCLE_OUTSIDE, CIRCLE_INSIDE, CURVE_SMOOTH, CURVE_POLYLINE, NEEDLE, TEETH = range(6)
"""Gap finders."""

LAW_HERTZ, LAW_POWER, LAW_FOUNDATION = range(3)
"""Force laws."""

FRICTION_NONE, FRICTION_SMOOTH, FRICTION_LINEAR, FRICTION_ELASTIC = range(4)
"""Friction laws: Eqs. 12 and 15 of arXiv 2604.02387, which go by velocity, and elastic-plastic."""

CONTACT = np.dtype(
    [
        ("finder", np.int64),
        ("body_a", np.int64),  # carries the curve, the outer ring or the inner race
        ("body_b", np.int64),  # carries the circle
        ("curve", np.int64),  # row of the curve table, or of the tooth pairs
        ("law", np.int64),
        ("friction_form", np.int64),
        ("flank", np.int64),  # TEETH: +1 where A pushes turning counter-clockwise, -1 else
        ("slot", np.int64),  # TEETH: teeth of A with this number modulo `slots`
        ("slots", np.int64),
        ("a_x", np.float64),  # origin of the shape on A, in A's frame
        ("a_y", np.float64),
        ("a_radius", np.float64),
        ("b_x", np.float64),  # centre of the circle on B, in B's frame
        ("b_y", np.float64),
        ("b_radius", np.float64),
        ("reach", np.float64),  # below this gap a foot point is the nearest one for sure
        ("needle_angle", np.float64),  # at the pose of zero angles
        ("needle_share_a", np.float64),  # how much of A's turning the cage follows; rest is B's
        ("clearance", np.float64),  # radial, of a needle between its races; taken off teeth
        ("roll_offset", np.float64),  # TEETH: how far a slice across the face is ahead, m
        ("stiffness", np.float64),  # Hertz: P in 1/Pa; power: K; foundation: N/m²
        ("exponent", np.float64),  # Hertz: Q in 1/Pa; power: n
        ("length", np.float64),  # Hertz
        ("damping", np.float64),  # Hunt-Crossley, s/m
        ("friction", np.float64),  # Coulomb coefficient
        ("friction_velocity", np.float64),  # regularization, m/s
        ("tangential_ratio", np.float64),  # tangential over normal stiffness
    ]
)

MEMORY = np.dtype(
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

TOUCH = np.dtype(
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

ROUND = -1
"""Curve index of contacts that need no curve."""
