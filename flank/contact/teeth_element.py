"""Force of one pair of involute teeth, and its derivatives.

Teeth bend where they are touched, and flanks flatten: with F' the load per width

    δ = F' (P + c_a(ρ_a) + c_b(ρ_b) + Q ln κ - Q ln F'),

the law of line contact with the compliances c of both teeth in its constant. The compliance depends
on where the teeth touch, so the energy does, and the force is F (J + E/2), J the gradient of the
gap and E = Q F' ∇(P/Q + (c_a + c_b)/Q + ln κ): it keeps energy while the load moves along a tooth.

Where an edge touches, the relative curvature grows from the flank's to the edge's with the roll u
beyond the end of the flank, by the share u²/(u² + b²): a contact has a width, about b.
"""

import math

from flank.contact.element import (
    along,
    contact_tangent,
    gradient,
    hold,
    moved,
    report,
    second_derivative,
    slide,
)
from flank.contact.laws import damped, line_contact
from flank.contact.table import FRICTION_ELASTIC
from flank.contact.teeth import (
    EDGE_OF_A,
    EDGE_OF_B,
    FLANKS,
    find_teeth,
    gear_centre,
    probe_edge,
    relieved,
)
from flank.geometry.uniform_table import table_value
from flank.kernel import kernel

FLATTEST = 1e-4
"""Least curvature where an edge begins to touch, over that of the edge."""

ROLL_A, ROLL_B, PLACE = 6, 7, 8
"""Rows of the work array: gradients of the roll lengths, and E = Q F' ∇(P/Q + ln κ)."""


@kernel(internal=True)
def evaluate_teeth(contact, gears, memory, anchor, position, turns, velocity, touch, work):
    """Force of one slot; returns (closed, energy) and fills `touch` and `work` as element.py."""
    pair = gears.rows[contact.curve]
    a = contact.body_a
    b = contact.body_b
    side = float(contact.flank)
    acx, acy = gear_centre(
        position[a, 0], position[a, 1], turns[a, 0], turns[a, 1], pair.a_centre_x, pair.a_centre_y
    )
    bcx, bcy = gear_centre(
        position[b, 0], position[b, 1], turns[b, 0], turns[b, 1], pair.b_centre_x, pair.b_centre_y
    )
    kind, gap, roll_a, roll_b, cosine, sine, direction, distance, tooth_a, tooth_b = find_teeth(
        contact, pair, acx, acy, bcx, bcy, position[a, 2], position[b, 2]
    )
    touch.parameter = roll_a
    place_a = roll_a
    place_b = roll_b
    bend = pair.sign / (distance * sine)
    foot = direction - side * math.acos(cosine)
    nx = -side * math.sin(foot)
    ny = side * math.cos(foot)
    px = bcx - pair.sign * pair.b_base_radius * math.cos(foot)
    py = bcy - pair.sign * pair.b_base_radius * math.sin(foot)
    found = kind == FLANKS
    reach = 0.0
    kx = 0.0
    ky = 0.0
    if kind == EDGE_OF_A:
        turned = tooth_a + side * pair.a_edge_angle
        kx = acx + pair.a_edge_distance * math.cos(turned)
        ky = acy + pair.a_edge_distance * math.sin(turned)
        found, gap, reach, ex, ey = probe_edge(
            side, pair.sign, kx, ky, bcx, bcy, pair.b_base_radius, pair.b_half_angle, tooth_b
        )
        gap -= pair.a_edge_radius
        place_b = reach - pair.sign * pair.a_edge_radius
        found = found and pair.sign * (pair.b_edge_roll - place_b) > 0.0 and place_b > 0.0
        px = kx - reach * ex
        py = ky - reach * ey
        nx = -pair.sign * ex
        ny = -pair.sign * ey
        bend = pair.sign / max(reach, 1e-12)
    elif kind == EDGE_OF_B:
        turned = tooth_b + pair.sign * side * pair.b_edge_angle
        px = bcx + pair.b_edge_distance * math.cos(turned)
        py = bcy + pair.b_edge_distance * math.sin(turned)
        found, gap, reach, nx, ny = probe_edge(
            side, 1.0, px, py, acx, acy, pair.a_base_radius, pair.a_half_angle, tooth_a
        )
        gap -= pair.b_edge_radius
        place_a = reach - pair.b_edge_radius
        found = found and place_a < pair.a_edge_roll and place_a > 0.0
        bend = 1.0 / max(reach, 1e-12)
    touch.gap = 1.0
    touch.normal_force = 0.0
    touch.friction_force = 0.0
    touch.stiffness = 0.0
    if not found:
        return False, 0.0
    off_a, off_slope_a = relieved(
        pair.a_relief,
        pair.a_relief_length,
        pair.a_relief_exponent,
        min(place_a - pair.a_edge_roll, 0.0) + pair.a_relief_length,
    )
    off_b, off_slope_b = relieved(
        pair.b_relief,
        pair.b_relief_length,
        pair.b_relief_exponent,
        min(pair.sign * (place_b - pair.b_edge_roll), 0.0) + pair.b_relief_length,
    )
    gap += off_a + off_b + contact.clearance
    touch.gap = gap
    if gap >= 0.0:
        return False, 0.0
    if kind == EDGE_OF_A:
        off_slope_a = 0.0
    if kind == EDGE_OF_B:
        off_slope_b = 0.0
    arm_ax = px - position[a, 0]
    arm_ay = py - position[a, 1]
    arm_bx = px - position[b, 0]
    arm_by = py - position[b, 1]
    gradient(work[0], nx, ny, arm_ax, arm_ay, arm_bx, arm_by)
    gradient(work[1], -ny, nx, arm_ax, arm_ay, arm_bx, arm_by)
    _roll_gradients(
        pair, side, cosine, sine, direction, distance, position, a, b, acx, acy, bcx, bcy, work
    )
    if kind == EDGE_OF_A:
        _edge_gradient(work[ROLL_B], kx, ky, bcx, bcy, reach, position, a, b, 1.0)
    elif kind == EDGE_OF_B:
        _edge_gradient(work[ROLL_A], px, py, acx, acy, reach, position, a, b, -1.0)
    for i in range(6):
        work[0, i] += off_slope_a * work[ROLL_A, i]
        work[0, i] += pair.sign * off_slope_b * work[ROLL_B, i]
    curvature, slope_a, slope_b, bends = _curvature(pair, kind, roll_a, roll_b, place_a, place_b)
    touch.curvature = curvature
    bending_a, bending_slope_a, _bend_a = table_value(
        gears.data,
        pair.a_table,
        pair.a_table_count,
        pair.a_table_start,
        pair.a_table_step,
        min(place_a, pair.a_edge_roll),
    )
    at_b = min(place_b, pair.b_edge_roll) if pair.sign > 0.0 else max(place_b, pair.b_edge_roll)
    bending_b, bending_slope_b, _bend_b = table_value(
        gears.data, pair.b_table, pair.b_table_count, pair.b_table_start, pair.b_table_step, at_b
    )
    constant = contact.stiffness + bending_a + bending_b
    if kind != EDGE_OF_A:
        slope_a += bending_slope_a / contact.exponent
    if kind != EDGE_OF_B:
        slope_b += bending_slope_b / contact.exponent
    force, stiffness, energy = line_contact(
        -gap, constant, contact.exponent, contact.length, curvature
    )
    for i in range(6):
        work[PLACE, i] = (
            contact.exponent
            * (force / contact.length)
            * (slope_a * work[ROLL_A, i] + slope_b * work[ROLL_B, i])
        )
    pull = 0.5 * force
    work[PLACE, 6] = 0.5 * contact.exponent * force * force / contact.length * bends
    work[PLACE, 7] = float(ROLL_B if kind == EDGE_OF_B else ROLL_A)
    work[1, 6] = 0.0
    rate = along(work[0], velocity, a, b)
    tangential_stiffness = contact.tangential_ratio * stiffness
    force, stiffness, rate_stiffness = damped(force, stiffness, contact.damping, -rate)
    reach = pair.sign * place_b + 0.5 * gap
    if kind == EDGE_OF_B:
        reach = pair.b_edge_radius + 0.5 * gap
    gradient(
        work[2],
        -ny,
        nx,
        arm_ax - reach * nx,
        arm_ay - reach * ny,
        arm_bx - reach * nx,
        arm_by - reach * ny,
    )
    if contact.friction_form == FRICTION_ELASTIC:
        slip = moved(work[2], anchor, position, a, b)
        friction, held = hold(
            contact, memory, tangential_stiffness, slip, contact.friction * force, work
        )
        energy += held
    else:
        friction = slide(contact, along(work[2], velocity, a, b), force, work)
    for i in range(6):
        work[3, i] = force * work[0, i] + friction * work[2, i]
        work[3, i] += pull * work[PLACE, i]
    work[4, 0] = stiffness
    work[4, 1] = rate_stiffness
    work[4, 4] = bend
    work[4, 5] = force
    report(touch, force, friction, stiffness, nx, ny)
    touch.x = px - reach * nx
    touch.y = py - reach * ny
    height = nx * arm_ax + ny * arm_ay
    second_derivative(work, nx, ny, arm_ax, arm_ay, arm_bx, arm_by, height, 1.0)
    return True, energy


@kernel(internal=True)
def teeth_tangent(work, rate_factor, geometric, block):
    """contact_tangent with k (J + E)(J + E)ᵀ for k J Jᵀ, and of how E turns the part of an edge."""
    contact_tangent(work, rate_factor, geometric, block)
    edge = work[int(work[PLACE, 7])]
    for i in range(6):
        for j in range(6):
            block[i, j] += work[4, 0] * (
                work[PLACE, i] * (work[0, j] + work[PLACE, j]) + work[0, i] * work[PLACE, j]
            )
            block[i, j] -= geometric * work[PLACE, 6] * edge[i] * edge[j]


@kernel(internal=True)
def _curvature(pair, kind, roll_a, roll_b, place_a, place_b):
    """κ, slopes of ln κ by both roll lengths, second one by an edge's; that comes in gradually."""
    if kind == FLANKS:
        curvature = 1.0 / roll_a + pair.sign / roll_b
        slope_a = -1.0 / (roll_a * roll_a * curvature)
        slope_b = -pair.sign / (roll_b * roll_b * curvature)
        return curvature, slope_a, slope_b, 0.0
    of_a = kind == EDGE_OF_A
    end = pair.a_edge_roll if of_a else pair.b_edge_roll
    beyond = roll_a - end if of_a else pair.sign * (roll_b - end)
    place = place_b if of_a else place_a
    facing = pair.sign if of_a else 1.0  # of the flank that the edge touches
    own = 1.0 if of_a else pair.sign
    edge = 1.0 / (pair.a_edge_radius if of_a else pair.b_edge_radius) + facing / place
    flank = own / end + facing / place
    steep = -facing / (place * place)
    by_flank = steep
    if flank < FLATTEST * edge:  # far off the path the mate may be the flatter one
        flank = FLATTEST * edge
        by_flank = FLATTEST * steep
    squares = beyond * beyond + pair.edge_width * pair.edge_width
    share = beyond * beyond / squares
    ratio = math.log(edge / flank)
    rises = 2.0 * ratio * pair.edge_width * pair.edge_width / (squares * squares)
    grows = rises * beyond
    bends = rises * (1.0 - 4.0 * share)
    along_mate = (1.0 - share) * by_flank / flank + share * steep / edge
    curvature = flank * math.exp(share * ratio)
    if of_a:
        return curvature, grows, along_mate, bends
    return curvature, along_mate, pair.sign * grows, bends


@kernel(internal=True)
def _roll_gradients(
    pair, side, cosine, sine, direction, distance, position, a, b, acx, acy, bcx, bcy, work
):
    """∇ρ_a and ∇ρ_b of flanks on the line of action, for the coordinates of both bodies."""
    cx = pair.sign * math.cos(direction)  # from A's centre to B's
    cy = pair.sign * math.sin(direction)
    opening = cosine / (distance * sine)  # dα over the distance of the centres
    for k in range(2):
        row = work[ROLL_A + k]
        base = pair.a_base_radius if k == 0 else pair.b_base_radius
        gx = base * (opening * cx + side / distance * cy)
        gy = base * (opening * cy - side / distance * cx)
        row[0] = -gx
        row[1] = -gy
        row[2] = -((acx - position[a, 0]) * gy - (acy - position[a, 1]) * gx)
        row[3] = gx
        row[4] = gy
        row[5] = (bcx - position[b, 0]) * gy - (bcy - position[b, 1]) * gx
        row[2 + 3 * k] += side * base


@kernel(internal=True)
def _edge_gradient(row, kx, ky, cx, cy, reach, position, a, b, of_a):
    """∇t, t the length from the base circle about c to the edge's centre K on the other body.

    `of_a` is +1 where K belongs to A, -1 where it belongs to B.
    """
    gx = of_a * (kx - cx) / reach
    gy = of_a * (ky - cy) / reach
    fx, fy = (kx, ky) if of_a > 0.0 else (cx, cy)  # the point fixed to A
    row[0] = gx
    row[1] = gy
    row[2] = (fx - position[a, 0]) * gy - (fy - position[a, 1]) * gx
    fx, fy = (cx, cy) if of_a > 0.0 else (kx, ky)
    row[3] = -gx
    row[4] = -gy
    row[5] = -((fx - position[b, 0]) * gy - (fy - position[b, 1]) * gx)
