"""A contact on a body that is bent: how far its modes move the contact point, and what that adds.

Static modes z of an elastic plate (contact/plate_modes.py) move the points of its rim and of the
walls of its holes by Σ z_k Φ_k(θ), θ seen from the circle's centre in the frame of the body. A
contact between rigid bodies with the gap g, its normal n and the centre of B's circle at p has then

    g' = g + w,        w = Σ z_k s_k,        s_k = -n·Φ_k(θ(p))     the plate is A
                                             s_k =  n·Φ_k(θ(n))     the plate is B around a needle

To first order in z, as the plate itself is linear. Of this gap all follows exactly: with κ the
level curvature, t = ẑ x n, ' for ∂/∂θ, and ψ the turn of the needle's normal against the plate,

    ∂w/∂p   = -Σ z_k g_k,      g_k = κ (t·Φ_k) t + (n·Φ_k') ∇θ         A
    ∂w/∂ψ   =  Σ z_k (e_r·Φ_k)'                                        B, pressed at right angles
    ∂g'/∂z  = s

so forces on bodies and modes do the work that the energy tells. Of second derivatives those
between bodies and modes are counted; those of w between bodies are not: they are as much smaller
than the turning of forces as the plate's displacement is than the flank's radius.

A tooth presses on the plate that it stands on at its own middle, θ fixed on the plate: g_k is then
κ (t·Φ_k) t alone.

A table holds, for every mode, the largest |Φ_k|, and then at every knot around the circle how far
each moves outward and around, as coefficients of a cubic B-spline.
"""

import math
from typing import NamedTuple

from flank.contact.declare import Gap
from flank.kernel import kernel

PLATE_A, PLATE_B = 1, 2
"""Which body of a contact is the plate; zero for none."""

SHAPE, SLOPE_X, SLOPE_Y, SLOPE_AROUND, ON_BODIES, ON_MODES, SHAPE_ROWS = 0, 1, 2, 3, 4, 10, 16
"""Rows of the scratch table `shapes`, a column a mode: s, and -g or a needle's (e_r·Φ)', one more
for these; then what contacts of one pair of bodies add to the tangent, six rows between bodies and
modes and six between modes and bodies."""

MOST_MODES = 48
"""That fit there."""


class Bent(NamedTuple):
    """What the modes do to a gap: w, and how it follows p in the frame of A, or ψ."""

    moved: float
    along_x: float
    along_y: float


@kernel(internal=True)
def plate_reach(contact, position, table):
    """No point of the plate is moved farther than this by its modes."""
    reach = 0.0
    at = contact.plate_table
    for row in range(contact.plate_row, contact.plate_row + contact.plate_rows):
        for i in range(3):
            reach += abs(position[row, i]) * table[at + i]
        at += 3
    return reach


@kernel(internal=True)
def bend(contact, gap, px, py, position, table, shapes):
    """Fill the scratch table in the frame of A and sum it up over the modes."""
    if contact.plate_side == PLATE_A:
        angle = math.atan2(py, px)
        _fill_shapes(contact, angle, table, shapes)
        _turn_shapes(contact, gap, px, py, shapes)
    else:  # moved outward alone
        angle = math.atan2(gap.normal_y, gap.normal_x)
        angle += position[contact.body_a, 2] - position[contact.body_b, 2]
        _fill_shapes(contact, angle, table, shapes)
        for k in range(3 * contact.plate_rows):
            shapes[SLOPE_X, k] = shapes[SLOPE_Y, k]
            shapes[SLOPE_Y, k] = 0.0
    moved = 0.0
    along_x = 0.0
    along_y = 0.0
    for row in range(contact.plate_rows):
        for i in range(3):
            z = position[contact.plate_row + row, i]
            moved += z * shapes[SHAPE, 3 * row + i]
            along_x += z * shapes[SLOPE_X, 3 * row + i]
            along_y += z * shapes[SLOPE_Y, 3 * row + i]
    return Bent(moved, along_x, along_y)


@kernel(internal=True)
def bend_tooth(contact, angle, normal_x, normal_y, level_curvature, position, table, shapes):
    """As `bend`, of a tooth at an angle on A and a normal in its frame."""
    _fill_shapes(contact, angle, table, shapes)
    c = math.cos(angle)
    s = math.sin(angle)
    normal_out = normal_x * c + normal_y * s
    normal_around = normal_y * c - normal_x * s
    moved = 0.0
    along_x = 0.0
    along_y = 0.0
    for row in range(contact.plate_rows):
        for i in range(3):
            k = 3 * row + i
            outward = shapes[SHAPE, k]
            around = shapes[SLOPE_X, k]
            across = level_curvature * (normal_out * around - normal_around * outward)
            shapes[SHAPE, k] = -(normal_out * outward + normal_around * around)
            shapes[SLOPE_X, k] = across * normal_y
            shapes[SLOPE_Y, k] = -across * normal_x
            z = position[contact.plate_row + row, i]
            moved += z * shapes[SHAPE, k]
            along_x += z * shapes[SLOPE_X, k]
            along_y += z * shapes[SLOPE_Y, k]
    return Bent(moved, along_x, along_y)


@kernel(internal=True)
def _fill_shapes(contact, angle, table, shapes):
    """How far every mode moves the circle at an angle: outward, around, and the slopes of both."""
    modes = 3 * contact.plate_rows
    knots = contact.plate_knots
    rate = knots / (2.0 * math.pi)
    place = (angle - contact.plate_angle) * rate
    first = math.floor(place)
    x = place - first
    y = 1.0 - x
    for row in range(ON_BODIES):
        for k in range(modes):
            shapes[row, k] = 0.0
    for j in range(4):
        if j == 0:
            weight, slope = y * y * y / 6.0, -0.5 * y * y
        elif j == 1:
            weight, slope = (3.0 * x * x * x - 6.0 * x * x + 4.0) / 6.0, 1.5 * x * x - 2.0 * x
        elif j == 2:
            weight, slope = (3.0 * y * y * y - 6.0 * y * y + 4.0) / 6.0, 2.0 * y - 1.5 * y * y
        else:
            weight, slope = x * x * x / 6.0, 0.5 * x * x
        slope *= rate
        knot = int(first) - 1 + j
        knot -= knots * (knot // knots)
        at = contact.plate_table + modes + 2 * modes * knot
        outwards = table[at : at + modes]
        arounds = table[at + modes : at + 2 * modes]
        for k in range(modes):
            shapes[SHAPE, k] += weight * outwards[k]
            shapes[SLOPE_Y, k] += slope * outwards[k]
        if contact.plate_side == PLATE_A:
            for k in range(modes):
                shapes[SLOPE_X, k] += weight * arounds[k]
                shapes[SLOPE_AROUND, k] += slope * arounds[k]


@kernel(internal=True)
def _turn_shapes(contact, gap, px, py, shapes):
    """What `_fill_shapes` left, as s and -g at the centre p of B's circle."""
    square = px * px + py * py
    distance = math.sqrt(square)
    outward_x = px / distance
    outward_y = py / distance
    normal_out = gap.normal_x * outward_x + gap.normal_y * outward_y
    normal_around = gap.normal_y * outward_x - gap.normal_x * outward_y
    for k in range(3 * contact.plate_rows):
        outward = shapes[SHAPE, k]
        around = shapes[SLOPE_X, k]
        # n·Φ' with the turning of its two directions, and κ t·Φ
        turning = normal_out * (shapes[SLOPE_Y, k] - around)
        turning += normal_around * (shapes[SLOPE_AROUND, k] + outward)
        across = gap.level_curvature * (normal_out * around - normal_around * outward)
        shapes[SHAPE, k] = -(normal_out * outward + normal_around * around)
        shapes[SLOPE_X, k] = across * gap.normal_y + turning * py / square
        shapes[SLOPE_Y, k] = -across * gap.normal_x - turning * px / square


@kernel(internal=True)
def moved_by(gap, moved):
    """The gap with the plate bent."""
    return Gap(
        gap.size + moved,
        gap.normal_x,
        gap.normal_y,
        gap.level_curvature,
        gap.curvature,
        gap.parameter,
    )


@kernel(internal=True)
def shape_rate(contact, velocity, shapes):
    """What the modes' rates add to that of the gap."""
    rate = 0.0
    for row in range(contact.plate_rows):
        for i in range(3):
            rate += shapes[SHAPE, 3 * row + i] * velocity[contact.plate_row + row, i]
    return rate


@kernel(internal=True)
def turn_slopes(contact, cosine, sine, shapes):
    """From the frame of A into the inertial one."""
    for k in range(3 * contact.plate_rows):
        x = shapes[SLOPE_X, k]
        y = shapes[SLOPE_Y, k]
        shapes[SLOPE_X, k] = cosine * x - sine * y
        shapes[SLOPE_Y, k] = sine * x + cosine * y
