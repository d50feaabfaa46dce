"""One contact between two planar bodies: gap, force, and their derivatives.

The gap is a distance field fixed in A, read at the point p of B. With a = p - x_A, s = p - x_B,
n the field's normal, t = ẑ x n its tangent and κ its level curvature, the gap's gradient in the
coordinates (x_A, y_A, θ_A, x_B, y_B, θ_B) and its second derivative are

    J  = (-n, -a x n, n, s x n) + (t·p̂)(ψ - ψ_A)          p̂ = p seen from the shape's origin
    Jt = (-t, -a x t, t, s x t)
    H  = κ Jt Jtᵀ + w ψᵀ + ψ wᵀ - (n·p̂) ψ ψᵀ + (n·(a - p̂)) at θ_A θ_A - (n·s) at θ_B θ_B
    w  = (-t, -n·(a - p̂), t, n·s)

exactly, for every kind. ψ is how the field turns with the bodies: ψ = ψ_A = (0, 0, 1, 0, 0, 0)
where it is fixed in A, and (0, 0, σ, 0, 0, 1 - σ) for a needle, which turns with its cage. The
solver never learns which kind it was. Where a law knows the curvature (Hertz and foundation on a
flank), energy changes along the flank at equal depth: Q has -∂U/∂κ dκ/ds Jt besides F J, and the
tangent ∂F/∂κ dκ/ds (J Jtᵀ + Jt Jᵀ); how dκ/ds itself changes is left out of it.
"""

import math
from typing import NamedTuple

from flank.contact.dispatch import (
    by_curvature,
    curvature_slope,
    elastic,
    find_gap,
    least_gap,
    over_area,
    overlap,
)
from flank.contact.friction import friction_by_speed, friction_potential, return_mapping
from flank.contact.laws.damping import damped
from flank.contact.plate_element import (
    PLATE_A,
    Bent,
    bend,
    bend_at_pin,
    groove_displacement,
    moved_by,
    plate_reach,
    press_groove,
    shape_rate,
    together,
    turn_slopes,
)
from flank.contact.table import FRICTION_ELASTIC, FRICTION_NONE
from flank.kernel import kernel

NORMAL, TANGENT, SLIDING, FORCE, NUMBERS, TURNING = range(6)
"""Rows of `element`: J, Jt, the tangent where friction acts, generalized force, numbers, w."""

STIFFNESS, RATE, FRICTION_BY_RATE, FRICTION_BY_FORCE, FRICTION_BY_SLIP, LEVEL_CURVATURE = range(6)
"""Numbers: how the normal force follows depth and depth rate, and friction the sliding velocity,
the normal force and the slip; the field's level curvature κ."""

NORMAL_FORCE, BY_CURVATURE, ON_A, ON_B, HEIGHT, SHARE_A = range(6, 12)
"""More numbers: f; ∂F/∂κ dκ/ds; what H has at θ_A θ_A and θ_B θ_B; n·p̂; ψ at θ_A."""


class Arms(NamedTuple):
    """Where the centre of B's circle is."""

    sx: float  # from B, in space
    sy: float
    ax: float  # from A, in space
    ay: float
    px: float  # in the frame of A's shape
    py: float


@kernel(internal=True)
def circle_in_shape_frame(contact, position, rotations):
    """Arms of the centre of B's circle."""
    a = contact.body_a
    b = contact.body_b
    sx = rotations[b, 0] * contact.b_x - rotations[b, 1] * contact.b_y
    sy = rotations[b, 1] * contact.b_x + rotations[b, 0] * contact.b_y
    ax = position[b, 0] + sx - position[a, 0]
    ay = position[b, 1] + sy - position[a, 1]
    px = rotations[a, 0] * ax + rotations[a, 1] * ay - contact.a_x
    py = -rotations[a, 1] * ax + rotations[a, 0] * ay - contact.a_y
    return Arms(sx, sy, ax, ay, px, py)


@kernel(internal=True)
def surely_open_by(contact, memory, position, rotations):
    """Lower bound of a contact's gap from its last search; positive if it needs no new one.

    A distance field is 1-Lipschitz: the gap has shrunk at most by what the circle has moved.
    """
    if memory.known == 0 or memory.gap <= 0.0:
        return 0.0
    arms = circle_in_shape_frame(contact, position, rotations)
    dx = arms.px - memory.point_x
    dy = arms.py - memory.point_y
    return memory.gap - math.sqrt(dx * dx + dy * dy)


@kernel(internal=True)
def passed_over_by(contact, position, rotations):
    """What a pre-screen from outside says that the gap is not below; positive passes it over."""
    arms = circle_in_shape_frame(contact, position, rotations)
    turn_a = position[contact.body_a, 2]
    return least_gap(contact, arms.px, arms.py, turn_a, position[contact.body_b, 2])


@kernel(internal=True)
def evaluate_contact(
    contact,
    curves,
    data,
    table,
    memory,
    anchor,
    position,
    rotations,
    velocity,
    contact_result,
    element,
    shapes,
):
    """Force of one contact; returns (closed, energy) and fills `contact_result` and `element`.

    `rotations` holds cosine and sine of every body's angle, `anchor` the last accepted pose,
    `table` the shapes of elastic plates, which are put into `shapes` as the contact has them.
    """
    a = contact.body_a
    b = contact.body_b
    arms = circle_in_shape_frame(contact, position, rotations)
    if contact.ring_side == PLATE_A:
        arms = seen_from_groove(contact, arms, position, table, shapes)
    gap = find_gap(contact, curves, data, memory, arms.px, arms.py, position[a, 2], position[b, 2])
    bent = bent_by_modes(contact, gap, arms, position, table, shapes)
    gap = moved_by(gap, bent.moved)
    contact_result.gap = gap.size
    contact_result.parameter = gap.parameter
    contact_result.curvature = gap.curvature
    if gap.size >= 0.0:
        write_open_result(contact_result)
        return False, 0.0
    nx = rotations[a, 0] * gap.normal_x - rotations[a, 1] * gap.normal_y
    ny = rotations[a, 1] * gap.normal_x + rotations[a, 0] * gap.normal_y
    gradient(element[NORMAL], nx, ny, arms.ax, arms.ay, arms.sx, arms.sy)
    gradient(element[TANGENT], -ny, nx, arms.ax, arms.ay, arms.sx, arms.sy)
    cage_arm = (1.0 - contact.share_a) * (gap.normal_x * arms.py - gap.normal_y * arms.px)
    element[NORMAL, 2] -= cage_arm
    element[NORMAL, 5] += cage_arm
    if contact.plate_side != 0:
        if contact.ring_side == PLATE_A:
            press_groove(contact, gap, shapes)
        add_bending(contact, bent, rotations, arms, element, shapes)
    force, stiffness, energy, flank_force = undamped_force(
        contact, curves, data, gap, arms, bent.moved, element[NUMBERS]
    )
    tangential_stiffness = contact.tangential_ratio * stiffness
    rate = rate_along(element[NORMAL], velocity, a, b)
    if contact.plate_side != 0:
        rate += shape_rate(contact, velocity, shapes)
    force, stiffness, rate_stiffness = damped(
        force, stiffness, contact.damping_form, contact.damping, -rate
    )
    reach = contact.b_radius + 0.5 * gap.size
    friction_reach = reach
    if contact.rolls:  # B is a bore around the needle, which resists at the inner race
        reach = -contact.b_radius
        friction_reach = -contact.a_radius
    if contact.on_node:  # nothing may turn it
        friction_reach = 0.0
    x = friction_reach * nx
    y = friction_reach * ny
    gradient(element[SLIDING], -ny, nx, arms.ax - x, arms.ay - y, arms.sx - x, arms.sy - y)
    friction, stored = friction_force(
        contact, memory, tangential_stiffness, force, anchor, position, velocity, element
    )
    put_force(force, friction, flank_force, element[TANGENT], element)
    put_numbers(force, stiffness, rate_stiffness, gap.level_curvature, element[NUMBERS])
    height = gap.normal_x * arms.px + gap.normal_y * arms.py
    put_rotation_terms(element, nx, ny, arms.ax, arms.ay, arms.sx, arms.sy, height, contact.share_a)
    write_result(contact_result, force, friction, stiffness, nx, ny)
    contact_result.x = position[b, 0] + arms.sx - reach * nx
    contact_result.y = position[b, 1] + arms.sy - reach * ny
    return True, energy + stored


@kernel(internal=True)
def seen_from_groove(contact, arms, position, table, shapes):
    """Arms of a pin's circle as its groove sees it, which an elastic ring carries along."""
    ux, uy = groove_displacement(contact, position, table, shapes)
    return Arms(arms.sx, arms.sy, arms.ax, arms.ay, arms.px - ux, arms.py - uy)


@kernel(internal=True)
def bent_by_modes(contact, gap, arms, position, table, shapes):
    """What the modes of an elastic plate do to the gap; nothing where they cannot close it."""
    if contact.plate_side == 0 or contact.ring_side == PLATE_A:
        return Bent(0.0, 0.0, 0.0, 0.0)
    if gap.size > 0.0:
        reach = plate_reach(contact, position, table)
        if gap.size >= reach:
            return Bent(-reach, 0.0, 0.0, 0.0)
    bent = bend(contact, gap, arms.px, arms.py, position, table, shapes)
    if contact.ring_rows == 0:
        return bent
    return together(bent, bend_at_pin(contact, gap, position, table, shapes))


@kernel(internal=True)
def add_bending(contact, bent, rotations, arms, element, shapes):
    """∇w to J, and the slopes of all modes into the inertial frame."""
    if contact.plate_side != PLATE_A:
        element[NORMAL, 2] += contact.share_a * bent.along_x
        element[NORMAL, 5] -= contact.share_a * bent.along_x
        return
    cosine = rotations[contact.body_a, 0]
    sine = rotations[contact.body_a, 1]
    x = cosine * bent.along_x - sine * bent.along_y
    y = sine * bent.along_x + cosine * bent.along_y
    gradient(element[FORCE], x, y, arms.ax, arms.ay, arms.sx, arms.sy)
    for i in range(6):
        element[NORMAL, i] += element[FORCE, i]
    element[NORMAL, 2] -= bent.turning
    element[NORMAL, 5] += bent.turning
    turn_slopes(contact, cosine, sine, shapes)


@kernel(internal=True)
def undamped_force(contact, curves, data, gap, arms, moved, numbers):
    """Force, stiffness and energy without damping, and the force along the flank to where the
    same depth stores less; modes have `moved` A out of the way."""
    if contact.over_area:
        px = arms.px + moved * gap.normal_x
        py = arms.py + moved * gap.normal_y
        area, width, moment = overlap(contact, curves, data, px, py, gap.parameter)
        force, stiffness, energy = over_area(contact, area, width, moment)
    else:
        force, stiffness, energy = elastic(contact, -gap.size, gap.curvature)
    flank_force = 0.0
    numbers[BY_CURVATURE] = 0.0
    if contact.follows_flank:
        by_energy, by_force = by_curvature(contact, force, stiffness, energy, gap.curvature)
        rigid = gap.size - moved  # where the foot point is
        slope = curvature_slope(contact, curves, data, rigid, gap.curvature, gap.parameter)
        flank_force = -by_energy * slope
        numbers[BY_CURVATURE] = by_force * slope
    return force, stiffness, energy, flank_force


@kernel(internal=True)
def friction_force(contact, memory, stiffness, force, anchor, position, velocity, element):
    """Friction along the row SLIDING and its potential, `stiffness` the tangential one."""
    a = contact.body_a
    b = contact.body_b
    numbers = element[NUMBERS]
    numbers[FRICTION_BY_RATE] = 0.0
    numbers[FRICTION_BY_FORCE] = 0.0
    numbers[FRICTION_BY_SLIP] = 0.0
    if contact.friction_form == FRICTION_NONE:
        return 0.0, 0.0
    if contact.friction_form == FRICTION_ELASTIC:
        slip = displacement_along(element[SLIDING], anchor, position, a, b)
        return elastic_friction(contact, memory, stiffness, slip, contact.friction * force, numbers)
    sliding = rate_along(element[SLIDING], velocity, a, b)
    secant, slope = friction_by_speed(contact, abs(sliding))
    numbers[FRICTION_BY_RATE] = force * slope
    numbers[FRICTION_BY_FORCE] = -secant * sliding
    return -force * secant * sliding, 0.0


@kernel(internal=True)
def elastic_friction(contact, memory, stiffness, slip, limit, numbers):
    """Elastic friction and its potential; what accepting needs goes into memory."""
    if limit == 0.0:  # damping has taken the whole force: as good as open
        return 0.0, 0.0
    friction, trial = return_mapping(memory.stuck_force, stiffness, slip, limit)
    memory.trial_force = trial
    memory.tangential_stiffness = stiffness
    if friction == trial:
        numbers[FRICTION_BY_SLIP] = stiffness
    else:
        numbers[FRICTION_BY_FORCE] = math.copysign(contact.friction, trial)
    return friction, friction_potential(trial, stiffness, memory.frozen_limit)


@kernel(internal=True)
def put_force(force, friction, flank_force, flank_row, element):
    """The generalized force."""
    for i in range(6):
        element[FORCE, i] = (
            force * element[NORMAL, i] + friction * element[SLIDING, i] + flank_force * flank_row[i]
        )


@kernel(internal=True)
def put_numbers(force, stiffness, rate_stiffness, level_curvature, numbers):
    """What the tangent needs of the normal force."""
    numbers[STIFFNESS] = stiffness
    numbers[RATE] = rate_stiffness
    numbers[LEVEL_CURVATURE] = level_curvature
    numbers[NORMAL_FORCE] = force


@kernel(internal=True)
def put_rotation_terms(element, nx, ny, ax, ay, sx, sy, height, share_a):
    """What H holds besides κ: w, its diagonal, `height` n·p̂ and ψ."""
    on_a = nx * ax + ny * ay - height
    on_b = nx * sx + ny * sy
    row = element[TURNING]
    row[0] = ny
    row[1] = -nx
    row[2] = -on_a
    row[3] = -ny
    row[4] = nx
    row[5] = on_b
    numbers = element[NUMBERS]
    numbers[ON_A] = on_a
    numbers[ON_B] = -on_b
    numbers[HEIGHT] = height
    numbers[SHARE_A] = share_a


@kernel(internal=True)
def write_result(contact_result, force, friction, stiffness, nx, ny):
    contact_result.normal_force = force
    contact_result.friction_force = friction
    contact_result.stiffness = stiffness
    contact_result.normal_x = nx
    contact_result.normal_y = ny


@kernel(internal=True)
def write_open_result(contact_result):
    contact_result.normal_force = 0.0
    contact_result.friction_force = 0.0
    contact_result.stiffness = 0.0


@kernel(internal=True)
def contact_tangent(element, rate_factor, geometric_factor, block):
    """Add -∂Q/∂q - rate_factor ∂Q/∂v of the contact just evaluated to `block`.

    ∂Q/∂q = -k J Jᵀ + f H with the friction that follows the normal force, or -k_t where friction
    holds; the turning of the friction's own direction is left out (μ f over a body's size against f
    over a flank's radius), as is how k_t grows with the load.
    `geometric_factor` is one for the whole tangent; zero leaves out f H and that friction follows
    the normal force, which leaves it symmetric and positive.
    """
    numbers = element[NUMBERS]
    stiffness = numbers[STIFFNESS] + numbers[RATE] * rate_factor
    friction_slope = numbers[FRICTION_BY_SLIP] + numbers[FRICTION_BY_RATE] * rate_factor
    friction_by_force = numbers[FRICTION_BY_FORCE] * geometric_factor
    by_curvature = numbers[BY_CURVATURE] * geometric_factor
    force = numbers[NORMAL_FORCE] * geometric_factor
    level_curvature = numbers[LEVEL_CURVATURE]
    for i in range(6):
        normal = element[NORMAL, i] + friction_by_force * element[SLIDING, i]
        for j in range(6):
            block[i, j] += (
                stiffness * normal * element[NORMAL, j]
                + friction_slope * element[SLIDING, i] * element[SLIDING, j]
                - force * level_curvature * element[TANGENT, i] * element[TANGENT, j]
                - by_curvature
                * (
                    element[NORMAL, i] * element[TANGENT, j]
                    + element[TANGENT, i] * element[NORMAL, j]
                )
            )
    share_a = numbers[SHARE_A]
    share_b = 1.0 - share_a
    for k in range(2):  # rows and columns of θ_A and θ_B
        turning = 2 + 3 * k
        share = force * (share_a if k == 0 else share_b)
        for j in range(6):
            block[turning, j] -= share * element[TURNING, j]
            block[j, turning] -= share * element[TURNING, j]
        block[turning, 2] += share * share_a * numbers[HEIGHT]
        block[turning, 5] += share * share_b * numbers[HEIGHT]
        block[turning, turning] -= force * numbers[ON_A + k]


@kernel(internal=True)
def gradient(row, dx, dy, ax, ay, sx, sy):
    """Generalized direction of a unit force along d at the arms a and s, A against B."""
    row[0] = -dx
    row[1] = -dy
    row[2] = -(ax * dy - ay * dx)
    row[3] = dx
    row[4] = dy
    row[5] = sx * dy - sy * dx


@kernel(internal=True)
def rate_along(row, velocity, a, b):
    total = 0.0
    for i in range(3):
        total += row[i] * velocity[a, i] + row[3 + i] * velocity[b, i]
    return total


@kernel(internal=True)
def displacement_along(row, before, now, a, b):
    total = 0.0
    for i in range(3):
        total += row[i] * (now[a, i] - before[a, i]) + row[3 + i] * (now[b, i] - before[b, i])
    return total
