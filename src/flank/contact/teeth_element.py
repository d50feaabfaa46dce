"""Force of one pair of involute teeth, and its derivatives.

Teeth bend where they are touched, and flanks flatten: with F' the load per width

    δ = F' (P + c_a(ρ_a) + c_b(ρ_b) + Q ln κ - Q ln F'),

the law of line contact with the compliances c of both teeth in its constant. The compliance depends
on where the teeth touch, so the energy does, and the force is F (J + E/2), J the gradient of the
gap and E = Q F' ∇((c_a + c_b)/Q + ln κ): it keeps energy while the load moves along a tooth.
Where A is an elastic plate (contact/plate_element.py), its modes move the gap.
"""

import math

from flank.contact.element import (
    BY_CURVATURE,
    NORMAL,
    NUMBERS,
    SLIDING,
    STIFFNESS,
    TANGENT,
    Arms,
    add_bending,
    contact_tangent,
    friction_force,
    gradient,
    put_force,
    put_numbers,
    put_rotation_terms,
    rate_along,
    write_open_result,
    write_result,
)
from flank.contact.laws.damping import damped
from flank.contact.laws.line import line_contact
from flank.contact.plate_element import (
    Bent,
    bend_ring,
    bend_tooth,
    shape_rate,
    together,
)
from flank.contact.teeth_compliance import bending, curvature_of, measured, reliefs
from flank.contact.tooth_contact import EDGE_OF_A, EDGE_OF_B, contact_circles, find_teeth
from flank.geometry.uniform_table import floor_index
from flank.kernel import kernel

ROLL_A, ROLL_B, PLACE = range(6, 9)
"""More rows of `element`: gradients of the roll lengths, and E."""

EDGE_RATE, EDGE_ROW = 6, 7
"""Behind E in its row: how E changes with the roll of an edge, and the row of that roll."""


@kernel(internal=True)
def evaluate_teeth(
    contact, gears, memory, anchor, position, rotations, velocity, contact_result, element, shapes
):
    """Force of one slot; returns (closed, energy), fills result and `element` as element.py."""
    pair = gears.rows[contact.tooth_pair]
    a = contact.body_a
    b = contact.body_b
    side = float(contact.tooth_flank)
    ax = position[a, 0] + rotations[a, 0] * pair.a_centre_x - rotations[a, 1] * pair.a_centre_y
    ay = position[a, 1] + rotations[a, 1] * pair.a_centre_x + rotations[a, 0] * pair.a_centre_y
    bx = position[b, 0] + rotations[b, 0] * pair.b_centre_x - rotations[b, 1] * pair.b_centre_y
    by = position[b, 1] + rotations[b, 1] * pair.b_centre_x + rotations[b, 0] * pair.b_centre_y
    teeth = find_teeth(contact, pair, ax, ay, bx, by, position[a, 2], position[b, 2])
    circles = contact_circles(teeth, pair, side, ax, ay, bx, by)
    contact_result.parameter = teeth.roll_a
    contact_result.gap = 1.0
    write_open_result(contact_result)
    if not circles.touching:
        return False, 0.0
    off, off_slope_a, off_slope_b = reliefs(pair, teeth.kind, circles.place_a, circles.place_b)
    if pair.profile_count > 0:
        turned = teeth.tooth_a - position[a, 2] - pair.a_tooth_angle
        turned -= contact.tooth_roll_offset / pair.a_base_radius
        tooth = floor_index(turned / pair.a_pitch_angle + 0.5)
        removed, slope = measured(pair, gears.data, teeth.kind, side, tooth, circles.place_a)
        off += removed
        off_slope_a += slope
    bent = bent_under_tooth(contact, teeth, circles, position, rotations, gears.data, shapes)
    gap = circles.gap + off + contact.tooth_clearance + bent.moved
    contact_result.gap = gap
    if gap >= 0.0:
        return False, 0.0
    contact_gradients(teeth, circles, pair, side, ax, ay, bx, by, position, a, b, element)
    for i in range(6):
        element[NORMAL, i] += off_slope_a * element[ROLL_A, i] + off_slope_b * element[ROLL_B, i]
    if contact.plate_side != 0:
        add_bending_of_tooth(contact, bent, circles, position, rotations, element, shapes)
    force, stiffness, energy = _undamped_force(
        contact, gears.data, pair, teeth, circles, -gap, contact_result, element
    )
    flank_force = 0.5 * force
    tangential_stiffness = contact.tangential_ratio * stiffness
    rate = rate_along(element[NORMAL], velocity, a, b)
    if contact.plate_side != 0:
        rate += shape_rate(contact, velocity, shapes)
    force, stiffness, rate_stiffness = damped(
        force, stiffness, contact.damping_form, contact.damping, -rate
    )
    reach = pair.sign * circles.place_b + 0.5 * gap
    if teeth.kind == EDGE_OF_B:
        reach = pair.b_edge_radius + 0.5 * gap
    nx = circles.nx
    ny = circles.ny
    x = circles.px - reach * nx
    y = circles.py - reach * ny
    contact_result.x = x
    contact_result.y = y
    at_a = position[a]
    at_b = position[b]
    gradient(element[SLIDING], -ny, nx, x - at_a[0], y - at_a[1], x - at_b[0], y - at_b[1])
    friction, stored = friction_force(
        contact, memory, tangential_stiffness, force, anchor, position, velocity, element
    )
    put_force(force, friction, flank_force, element[PLACE], element)
    put_numbers(force, stiffness, rate_stiffness, circles.level_curvature, element[NUMBERS])
    write_result(contact_result, force, friction, stiffness, nx, ny)
    return True, energy + stored


@kernel(internal=True)
def bent_under_tooth(contact, teeth, circles, position, rotations, table, shapes):
    """What the modes of an elastic plate do to the gap of one of its teeth, and of a ring to that
    of B's."""
    if contact.plate_side == 0:
        return Bent(0.0, 0.0, 0.0, 0.0)
    a = contact.body_a
    angle = teeth.tooth_a - position[a, 2]
    nx = rotations[a, 0] * circles.nx + rotations[a, 1] * circles.ny
    ny = rotations[a, 0] * circles.ny - rotations[a, 1] * circles.nx
    curvature = circles.level_curvature
    bent = bend_tooth(contact, angle, nx, ny, curvature, position, table, shapes)
    if contact.ring_rows == 0:
        return bent
    place = teeth.tooth_b - position[contact.body_b, 2]
    turned = position[contact.body_b, 2] - position[a, 2]
    ring = bend_ring(contact, place, turned, nx, ny, curvature, position, table, shapes)
    return together(bent, ring)


@kernel(internal=True)
def add_bending_of_tooth(contact, bent, circles, position, rotations, element, shapes):
    """∇w to J, and the slopes of all modes into the inertial frame."""
    a = contact.body_a
    b = contact.body_b
    arms = Arms(
        circles.px - position[b, 0],
        circles.py - position[b, 1],
        circles.px - position[a, 0],
        circles.py - position[a, 1],
        0.0,
        0.0,
    )
    add_bending(contact, bent, rotations, arms, element, shapes)


@kernel(internal=True)
def teeth_tangent(element, rate_factor, geometric_factor, block):
    """contact_tangent with k (J + E)(J + E)ᵀ for k J Jᵀ, and of how E turns the part of an edge."""
    contact_tangent(element, rate_factor, geometric_factor, block)
    place = element[PLACE]
    edge = element[int(place[EDGE_ROW])]
    stiffness = element[NUMBERS, STIFFNESS]
    for i in range(6):
        for j in range(6):
            block[i, j] += stiffness * (
                place[i] * (element[NORMAL, j] + place[j]) + element[NORMAL, i] * place[j]
            )
            block[i, j] -= geometric_factor * place[EDGE_RATE] * edge[i] * edge[j]


@kernel(internal=True)
def _undamped_force(contact, data, pair, teeth, circles, depth, contact_result, element):
    """Force, stiffness and energy at a depth, without damping; E into `element`."""
    curvature, slope_a, slope_b, edge_rate = curvature_of(
        pair, teeth.kind, teeth.roll_a, teeth.roll_b, circles.place_a, circles.place_b
    )
    contact_result.curvature = curvature
    compliance, compliance_slope_a, compliance_slope_b = bending(
        pair, data, teeth.kind, circles.place_a, circles.place_b
    )
    slope = contact.line_slope
    force, stiffness, energy = line_contact(
        depth, contact.line_constant + compliance, slope, contact.line_length, curvature
    )
    load = force / contact.line_length
    slope_a = load * (slope * slope_a + compliance_slope_a)
    slope_b = load * (slope * slope_b + compliance_slope_b)
    for i in range(6):
        element[PLACE, i] = slope_a * element[ROLL_A, i] + slope_b * element[ROLL_B, i]
    element[PLACE, EDGE_RATE] = 0.5 * slope * load * force * edge_rate
    element[PLACE, EDGE_ROW] = float(ROLL_B if teeth.kind == EDGE_OF_B else ROLL_A)
    element[NUMBERS, BY_CURVATURE] = 0.0
    return force, stiffness, energy


@kernel(internal=True)
def contact_gradients(teeth, circles, pair, side, ax, ay, bx, by, position, a, b, element):
    """J, Jt and what H needs, as element.py has them; gradients of both roll lengths."""
    arm_ax = circles.px - position[a, 0]
    arm_ay = circles.py - position[a, 1]
    arm_bx = circles.px - position[b, 0]
    arm_by = circles.py - position[b, 1]
    gradient(element[NORMAL], circles.nx, circles.ny, arm_ax, arm_ay, arm_bx, arm_by)
    gradient(element[TANGENT], -circles.ny, circles.nx, arm_ax, arm_ay, arm_bx, arm_by)
    height = circles.nx * arm_ax + circles.ny * arm_ay
    put_rotation_terms(element, circles.nx, circles.ny, arm_ax, arm_ay, arm_bx, arm_by, height, 1.0)
    _roll_gradients(teeth, pair, side, position, a, b, ax, ay, bx, by, element)
    if teeth.kind == EDGE_OF_A:
        _edge_gradient(
            element[ROLL_B], circles.kx, circles.ky, bx, by, circles.reach, position, a, b, 1.0
        )
        for i in range(6):
            element[ROLL_B, i] -= pair.sign * element[NORMAL, i]
    elif teeth.kind == EDGE_OF_B:
        _edge_gradient(
            element[ROLL_A], circles.px, circles.py, ax, ay, circles.reach, position, a, b, -1.0
        )
        for i in range(6):
            element[ROLL_A, i] -= element[NORMAL, i]


@kernel(internal=True)
def _roll_gradients(teeth, pair, side, position, a, b, ax, ay, bx, by, element):
    """∇ρ_a and ∇ρ_b of flanks on the line of action, for the coordinates of both bodies."""
    cx = pair.sign * math.cos(teeth.direction)  # from A's centre to B's
    cy = pair.sign * math.sin(teeth.direction)
    opening = teeth.cosine / (teeth.distance * teeth.sine)  # dα over the distance of the centres
    for k in range(2):
        row = element[ROLL_A + k]
        base = pair.a_base_radius if k == 0 else pair.b_base_radius
        gx = base * (opening * cx + side / teeth.distance * cy)
        gy = base * (opening * cy - side / teeth.distance * cx)
        row[0] = -gx
        row[1] = -gy
        row[2] = -((ax - position[a, 0]) * gy - (ay - position[a, 1]) * gx)
        row[3] = gx
        row[4] = gy
        row[5] = (bx - position[b, 0]) * gy - (by - position[b, 1]) * gx
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
