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

Where pins are held by an elastic ring, or teeth stand in one, that body gives way as well, each at
its own place, in columns behind those of a plate. A pin or a tooth of B's ring has

    s_k = n·Φ_k,      ∂w/∂p = Σ z_k κ (t·Φ_k) t,      ∂w/∂(θ_B - θ_A) = -Σ z_k (t·Φ_k).

A groove of A's ring is carried along by u = Σ z_k Φ_k: its gap is found at p - u, so that

    s_k = -n·Φ_k,     ∂s_k/∂p = -κ (t·Φ_k) t,         ∂s_k/∂z_m = κ (t·Φ_k) (t·Φ_m)

hold exactly, as they have to: κ is one over the play of the pin.

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
"""Of a plate, or of a ring."""

COLUMNS = 2 * MOST_MODES
"""Of the scratch table: a plate's, and a ring's behind them."""


class Bent(NamedTuple):
    """What the modes do to a gap: w, how it follows p in the frame of A, or ψ, and how it follows
    θ_B - θ_A besides."""

    moved: float
    along_x: float
    along_y: float
    turning: float


class Moved(NamedTuple):
    """Columns of a gap's modes, from `first`, and their rows of coordinates."""

    first: int
    row: int
    rows: int


@kernel(internal=True)
def plate_reach(contact, position, table):
    """No point of plate and ring are moved farther than this by their modes, against each other."""
    reach = _reach(contact.plate_row, contact.plate_rows, contact.plate_table, position, table)
    return reach + _reach(contact.ring_row, contact.ring_rows, contact.ring_table, position, table)


@kernel(internal=True)
def _reach(first, rows, at, position, table):
    reach = 0.0
    for row in range(rows):
        for i in range(3):
            reach += abs(position[first + row, i]) * table[at + 3 * row + i]
    return reach


@kernel(internal=True)
def modes_of(contact, part):
    """Of the plate, and (part 1) of the ring."""
    if part == 0:
        return Moved(0, contact.plate_row, contact.plate_rows)
    return Moved(3 * contact.plate_rows, contact.ring_row, contact.ring_rows)


@kernel(internal=True)
def bend(contact, gap, px, py, position, table, shapes):
    """Fill the scratch table in the frame of A and sum it up over the modes."""
    if contact.plate_rows == 0:  # a ring alone
        pass
    elif contact.plate_side == PLATE_A:
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
    return _summed(contact, 0, position, shapes)


@kernel(internal=True)
def together(one, other):
    """What a plate and a ring do to one gap."""
    return Bent(
        one.moved + other.moved,
        one.along_x + other.along_x,
        one.along_y + other.along_y,
        one.turning + other.turning,
    )


@kernel(internal=True)
def _summed(contact, part, position, shapes):
    """w and its slopes over the modes of the plate or of the ring."""
    modes = modes_of(contact, part)
    moved = 0.0
    along_x = 0.0
    along_y = 0.0
    for row in range(modes.rows):
        for i in range(3):
            z = position[modes.row + row, i]
            k = modes.first + 3 * row + i
            moved += z * shapes[SHAPE, k]
            along_x += z * shapes[SLOPE_X, k]
            along_y += z * shapes[SLOPE_Y, k]
    return Bent(moved, along_x, along_y, 0.0)


@kernel(internal=True)
def bend_tooth(contact, angle, normal_x, normal_y, level_curvature, position, table, shapes):
    """As `bend`, of a tooth at an angle on A and a normal in its frame."""
    if contact.plate_rows == 0:
        return Bent(0.0, 0.0, 0.0, 0.0)
    _fill_shapes(contact, angle, table, shapes)
    c = math.cos(angle)
    s = math.sin(angle)
    normal_out = normal_x * c + normal_y * s
    normal_around = normal_y * c - normal_x * s
    _press_shapes(
        -1.0,
        0,
        3 * contact.plate_rows,
        normal_out,
        normal_around,
        normal_x,
        normal_y,
        level_curvature,
        shapes,
    )
    return _summed(contact, 0, position, shapes)


@kernel(internal=True)
def bend_at_pin(contact, gap, position, table, shapes):
    """What B's ring does to the gap of a pin that it holds; nothing where there is none."""
    if contact.ring_side != PLATE_B:
        return Bent(0.0, 0.0, 0.0, 0.0)
    place = math.atan2(contact.b_y, contact.b_x)
    turned = position[contact.body_b, 2] - position[contact.body_a, 2]
    normal = gap.normal_x, gap.normal_y
    return bend_ring(contact, place, turned, *normal, gap.level_curvature, position, table, shapes)


@kernel(internal=True)
def groove_displacement(contact, position, table, shapes):
    """u of a groove of A's ring, in the frame of A."""
    place = math.atan2(contact.a_y, contact.a_x)
    return ring_displacement(contact, place, 0.0, position, table, shapes)


@kernel(internal=True)
def press_groove(contact, gap, shapes):
    """What `groove_displacement` left, as s and its slope."""
    place = math.atan2(contact.a_y, contact.a_x)
    press_ring(contact, place, 0.0, gap.normal_x, gap.normal_y, gap.level_curvature, shapes)


@kernel(internal=True)
def ring_displacement(contact, place, turned, position, table, shapes):
    """u of a place of the ring in the frame of A; its modes' Φ, outward and around, are left in
    their columns."""
    modes = modes_of(contact, 1)
    _fill_columns(
        modes.first,
        3 * modes.rows,
        contact.ring_table,
        contact.ring_knots,
        place - contact.ring_angle,
        True,
        table,
        shapes,
    )
    outward = 0.0
    around = 0.0
    for row in range(modes.rows):
        for i in range(3):
            z = position[modes.row + row, i]
            outward += z * shapes[SHAPE, modes.first + 3 * row + i]
            around += z * shapes[SLOPE_X, modes.first + 3 * row + i]
    c = math.cos(place + turned)
    s = math.sin(place + turned)
    return c * outward - s * around, s * outward + c * around


@kernel(internal=True)
def press_ring(contact, place, turned, normal_x, normal_y, level_curvature, shapes):
    """What `ring_displacement` left, as s and its slope for a normal in the frame of A."""
    c = math.cos(place + turned)
    s = math.sin(place + turned)
    modes = modes_of(contact, 1)
    _press_shapes(
        1.0 if contact.ring_side == PLATE_B else -1.0,
        modes.first,
        3 * modes.rows,
        normal_x * c + normal_y * s,
        normal_y * c - normal_x * s,
        normal_x,
        normal_y,
        level_curvature,
        shapes,
    )


@kernel(internal=True)
def bend_ring(contact, place, turned, normal_x, normal_y, level_curvature, position, table, shapes):
    """As `bend_tooth`, of B's pin or tooth at a place of its ring."""
    ux, uy = ring_displacement(contact, place, turned, position, table, shapes)
    press_ring(contact, place, turned, normal_x, normal_y, level_curvature, shapes)
    bent = _summed(contact, 1, position, shapes)
    turning = normal_y * ux - normal_x * uy  # -t·u
    return Bent(bent.moved, bent.along_x, bent.along_y, turning)


@kernel(internal=True)
def _press_shapes(
    sign, first, modes, normal_out, normal_around, normal_x, normal_y, level_curvature, shapes
):
    """Outward and around become σ n·Φ and σ κ (t·Φ) t."""
    for k in range(first, first + modes):
        outward = shapes[SHAPE, k]
        around = shapes[SLOPE_X, k]
        across = sign * level_curvature * (normal_out * around - normal_around * outward)
        shapes[SHAPE, k] = sign * (normal_out * outward + normal_around * around)
        shapes[SLOPE_X, k] = -across * normal_y
        shapes[SLOPE_Y, k] = across * normal_x


@kernel(internal=True)
def _fill_shapes(contact, angle, table, shapes):
    """Of the plate at an angle on its body."""
    _fill_columns(
        0,
        3 * contact.plate_rows,
        contact.plate_table,
        contact.plate_knots,
        angle - contact.plate_angle,
        contact.plate_side == PLATE_A,
        table,
        shapes,
    )


@kernel(internal=True)
def _fill_columns(first_column, modes, start, knots, angle, around_too, table, shapes):
    """How far every mode moves the circle at an angle: outward, around, and the slopes of both."""
    rate = knots / (2.0 * math.pi)
    place = angle * rate
    first = math.floor(place)
    x = place - first
    y = 1.0 - x
    columns = shapes[:, first_column : first_column + modes]
    for row in range(ON_BODIES):
        for k in range(modes):
            columns[row, k] = 0.0
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
        at = start + modes + 2 * modes * knot
        outwards = table[at : at + modes]
        arounds = table[at + modes : at + 2 * modes]
        for k in range(modes):
            columns[SHAPE, k] += weight * outwards[k]
            columns[SLOPE_Y, k] += slope * outwards[k]
        if around_too:
            for k in range(modes):
                columns[SLOPE_X, k] += weight * arounds[k]
                columns[SLOPE_AROUND, k] += slope * arounds[k]


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
    for part in range(2):
        modes = modes_of(contact, part)
        for row in range(modes.rows):
            for i in range(3):
                rate += shapes[SHAPE, modes.first + 3 * row + i] * velocity[modes.row + row, i]
    return rate


@kernel(internal=True)
def turn_slopes(contact, cosine, sine, shapes):
    """From the frame of A into the inertial one."""
    for k in range(3 * (contact.plate_rows + contact.ring_rows)):
        x = shapes[SLOPE_X, k]
        y = shapes[SLOPE_Y, k]
        shapes[SLOPE_X, k] = cosine * x - sine * y
        shapes[SLOPE_Y, k] = sine * x + cosine * y
