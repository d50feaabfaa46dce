"""One contact between two planar bodies: gap, force, and their derivatives.

The gap is a distance field fixed in A, read at the point p of B. With a = p - x_A, s = p - x_B,
n the field's normal, t = ẑ x n its tangent and κ its bend, the gap's gradient in the coordinates
(x_A, y_A, θ_A, x_B, y_B, θ_B) and its second derivative are

    J  = (-n, -a x n, n, s x n) + (t·p̂)(ψ - ψ_A)          p̂ = p seen from the shape's origin
    Jt = (-t, -a x t, t, s x t)
    H  = κ Jt Jtᵀ + w ψᵀ + ψ wᵀ - (n·p̂) ψ ψᵀ + (n·(a - p̂)) at θ_A θ_A - (n·s) at θ_B θ_B
    w  = (-t, -n·(a - p̂), t, n·s)

exactly, for every finder. ψ is how the field turns with the bodies: ψ = ψ_A = (0, 0, 1, 0, 0, 0)
where it is fixed in A, and (0, 0, σ, 0, 0, 1 - σ) for a needle, which turns with its cage. The
solver never learns which finder it was. Where a law knows the curvature (Hertz and foundation on a
flank), energy changes along the flank at equal depth: Q has -∂U/∂κ dκ/ds Jt besides F J, and the
tangent ∂F/∂κ dκ/ds (J Jtᵀ + Jt Jᵀ); how dκ/ds itself changes is left out of it.
"""

import math

from flank.contact.friction import friction_potential, return_mapping, sliding_share
from flank.contact.gaps import circle_inside, circle_on_curve, circle_outside, needle
from flank.contact.laws import by_curvature, damped, elastic
from flank.contact.nearest import curvature_slope
from flank.contact.polyline import circle_on_polyline, overlap
from flank.contact.table import (
    CIRCLE_INSIDE,
    CIRCLE_OUTSIDE,
    CURVE_POLYLINE,
    CURVE_SMOOTH,
    FRICTION_ELASTIC,
    FRICTION_NONE,
    LAW_FOUNDATION,
    LAW_POWER,
    NEEDLE,
)
from flank.kernel import kernel


@kernel(internal=True)
def circle_in_shape_frame(contact, position, turns):
    """Centre of B's circle: arm from B, arm from A, and its place in the frame of A's shape."""
    a = contact.body_a
    b = contact.body_b
    sx = turns[b, 0] * contact.b_x - turns[b, 1] * contact.b_y
    sy = turns[b, 1] * contact.b_x + turns[b, 0] * contact.b_y
    ax = position[b, 0] + sx - position[a, 0]
    ay = position[b, 1] + sy - position[a, 1]
    px = turns[a, 0] * ax + turns[a, 1] * ay - contact.a_x
    py = -turns[a, 1] * ax + turns[a, 0] * ay - contact.a_y
    return sx, sy, ax, ay, px, py


@kernel(internal=True)
def surely_open_by(contact, memory, position, turns):
    """Lower bound of a contact's gap from its last search; positive if it needs no new one.

    A distance field is 1-Lipschitz: the gap has shrunk at most by what the circle has moved.
    """
    if memory.known == 0 or memory.gap <= 0.0:
        return 0.0
    _sx, _sy, _ax, _ay, px, py = circle_in_shape_frame(contact, position, turns)
    dx = px - memory.point_x
    dy = py - memory.point_y
    return memory.gap - math.sqrt(dx * dx + dy * dy)


@kernel(internal=True)
def find_gap(contact, curves, data, memory, px, py, turn_a, turn_b):
    """Gap of one contact with p in the frame of A's shape; a search updates the memory."""
    if contact.finder == CIRCLE_INSIDE:
        return circle_inside(px, py, contact.a_radius, contact.b_radius)
    if contact.finder == CIRCLE_OUTSIDE:
        return circle_outside(px, py, contact.a_radius, contact.b_radius)
    if contact.finder == CURVE_SMOOTH or contact.finder == CURVE_POLYLINE:
        curve = curves[contact.curve]
        if contact.finder == CURVE_SMOOTH:
            found = circle_on_curve(
                curve, data, px, py, contact.b_radius, contact.reach, memory.known, memory.parameter
            )
        else:
            found = circle_on_polyline(
                curve, data, px, py, contact.b_radius, memory.known, memory.parameter
            )
        memory.known = 1
        memory.point_x = px
        memory.point_y = py
        memory.gap = found[0]
        memory.parameter = found[5]
        return found
    share = contact.needle_share_a
    direction = contact.needle_angle - (1.0 - share) * (turn_a - turn_b)
    return needle(px, py, direction, contact.clearance)


@kernel(internal=True)
def evaluate_contact(contact, curves, data, memory, anchor, position, turns, velocity, touch, work):
    """Force of one contact; returns (closed, energy) and fills `touch` and `work`.

    `turns` holds cosine and sine of every body's angle, `anchor` the last accepted pose.
    `work` rows: 0 J, 1 Jt of the distance field, 2 tangent where friction acts, 3 generalized
    force, 5 w and the shares of ψ at θ_A and θ_B, and scalars in row 4: stiffness, rate stiffness,
    friction slope by rate and by force, bend, normal force, then what H has on its diagonal; last
    of row 3 n·p̂ and friction slope by slip, of row 1 how force follows the flank's curvature.
    """
    a = contact.body_a
    b = contact.body_b
    sx, sy, ax, ay, px, py = circle_in_shape_frame(contact, position, turns)
    gap, lx, ly, bend, curvature, parameter = find_gap(
        contact, curves, data, memory, px, py, position[a, 2], position[b, 2]
    )
    touch.gap = gap
    touch.parameter = parameter
    touch.curvature = curvature
    if gap >= 0.0:
        touch.normal_force = 0.0
        touch.friction_force = 0.0
        touch.stiffness = 0.0
        return False, 0.0
    nx = turns[a, 0] * lx - turns[a, 1] * ly
    ny = turns[a, 1] * lx + turns[a, 0] * ly
    gradient(work[0], nx, ny, ax, ay, sx, sy)
    gradient(work[1], -ny, nx, ax, ay, sx, sy)
    share_a = contact.needle_share_a if contact.finder == NEEDLE else 1.0
    cage_arm = (1.0 - share_a) * (lx * py - ly * px)
    work[0, 2] -= cage_arm
    work[0, 5] += cage_arm
    rate = along(work[0], velocity, a, b)
    force, stiffness, energy = elastic(contact, -gap, curvature)
    if contact.law == LAW_FOUNDATION and contact.finder == CURVE_POLYLINE:
        area, width, moment = overlap(
            curves[contact.curve], data, px, py, contact.b_radius, parameter
        )
        force = contact.stiffness * area
        stiffness = contact.stiffness * width
        energy = contact.stiffness * moment
    pull = 0.0  # along the flank, to where the same depth stores less
    work[1, 6] = 0.0
    if contact.finder == CURVE_SMOOTH and contact.law != LAW_POWER:
        by_energy, by_force = by_curvature(contact, force, stiffness, energy, curvature)
        flank = curvature - 1.0 / contact.b_radius
        slope = curvature_slope(curves[contact.curve], data, parameter)
        slope /= 1.0 + flank * (gap + contact.b_radius)
        pull = -by_energy * slope
        work[1, 6] = by_force * slope
    tangential_stiffness = contact.tangential_ratio * stiffness
    force, stiffness, rate_stiffness = damped(force, stiffness, contact.damping, -rate)
    reach = contact.b_radius + 0.5 * gap
    rubbing = reach
    if contact.finder == NEEDLE:  # B is a bore around the needle, which resists at the inner race
        reach = -contact.b_radius
        rubbing = -contact.a_radius
    gradient(
        work[2], -ny, nx, ax - rubbing * nx, ay - rubbing * ny, sx - rubbing * nx, sy - rubbing * ny
    )
    if contact.friction_form == FRICTION_ELASTIC:
        slip = moved(work[2], anchor, position, a, b)
        limit = contact.friction * force
        friction, held = hold(contact, memory, tangential_stiffness, slip, limit, work)
        energy += held
    else:
        friction = slide(contact, along(work[2], velocity, a, b), force, work)
    for i in range(6):
        work[3, i] = force * work[0, i] + friction * work[2, i] + pull * work[1, i]
    work[4, 0] = stiffness
    work[4, 1] = rate_stiffness
    work[4, 4] = bend
    work[4, 5] = force
    report(touch, force, friction, stiffness, nx, ny)
    touch.x = position[b, 0] + sx - reach * nx
    touch.y = position[b, 1] + sy - reach * ny
    second_derivative(work, nx, ny, ax, ay, sx, sy, lx * px + ly * py, share_a)
    return True, energy


@kernel(internal=True)
def slide(contact, sliding, force, work):
    """Friction of a law that goes by the sliding velocity, and its slopes into `work`."""
    share = 0.0
    share_slope = 0.0
    if contact.friction_form != FRICTION_NONE:
        share, share_slope = sliding_share(
            contact.friction_form, sliding, contact.friction_velocity
        )
    work[4, 2] = contact.friction * force * share_slope
    work[4, 3] = -contact.friction * share
    work[3, 7] = 0.0
    return -contact.friction * force * share


@kernel(internal=True)
def hold(contact, memory, stiffness, slip, limit, work):
    """Elastic friction and its potential; slopes into `work`, what accepting needs into memory."""
    work[4, 2] = 0.0
    work[4, 3] = 0.0
    work[3, 7] = 0.0
    if limit == 0.0:  # damping has taken the whole force: as good as open
        return 0.0, 0.0
    friction, trial = return_mapping(memory.stuck_force, stiffness, slip, limit)
    memory.trial_force = trial
    memory.tangential_stiffness = stiffness
    sticks = friction == trial
    work[4, 3] = 0.0 if sticks else math.copysign(contact.friction, trial)
    work[3, 7] = stiffness if sticks else 0.0
    return friction, friction_potential(trial, stiffness, memory.frozen_limit)


@kernel(internal=True)
def report(touch, force, friction, stiffness, nx, ny):
    touch.normal_force = force
    touch.friction_force = friction
    touch.stiffness = stiffness
    touch.normal_x = nx
    touch.normal_y = ny


@kernel(internal=True)
def contact_tangent(work, rate_factor, geometric, block):
    """Add -∂Q/∂q - rate_factor ∂Q/∂v of the contact just evaluated to `block`.

    ∂Q/∂q = -k J Jᵀ + f H with the friction that follows the normal force, or -k_t where friction
    holds; the turning of the friction's own direction is left out (μ f over a body's size against f
    over a flank's radius), as is how k_t grows with the load.
    `geometric` is one for the whole tangent; zero leaves out f H and that friction follows the
    normal force, which leaves it symmetric and positive.
    """
    stiffness = work[4, 0] + work[4, 1] * rate_factor
    friction_slope = work[3, 7] + work[4, 2] * rate_factor
    friction_by_force = work[4, 3] * geometric
    by_curvature = work[1, 6] * geometric
    force = work[4, 5] * geometric
    bend = work[4, 4]
    for i in range(6):
        normal = work[0, i] + friction_by_force * work[2, i]
        for j in range(6):
            block[i, j] += (
                stiffness * normal * work[0, j]
                + friction_slope * work[2, i] * work[2, j]
                - force * bend * work[1, i] * work[1, j]
                - by_curvature * (work[0, i] * work[1, j] + work[1, i] * work[0, j])
            )
    for k in range(2):  # rows and columns of θ_A and θ_B
        share = force * work[5, 6 + k]
        for j in range(6):
            block[2 + 3 * k, j] -= share * work[5, j]
            block[j, 2 + 3 * k] -= share * work[5, j]
        block[2 + 3 * k, 2] += share * work[5, 6] * work[3, 6]
        block[2 + 3 * k, 5] += share * work[5, 7] * work[3, 6]
        block[2 + 3 * k, 2 + 3 * k] -= force * work[4, 6 + k]


@kernel(internal=True)
def second_derivative(work, nx, ny, ax, ay, sx, sy, height, share_a):
    """What H holds besides κ: w and ψ in row 5, its diagonal in row 4, `height` n·p̂ in row 3."""
    on_a = nx * ax + ny * ay - height
    on_b = nx * sx + ny * sy
    work[5, 0] = ny
    work[5, 1] = -nx
    work[5, 2] = -on_a
    work[5, 3] = -ny
    work[5, 4] = nx
    work[5, 5] = on_b
    work[5, 6] = share_a
    work[5, 7] = 1.0 - share_a
    work[4, 6] = on_a
    work[4, 7] = -on_b
    work[3, 6] = height


@kernel(internal=True)
def gradient(row, dx, dy, ax, ay, sx, sy):
    """Generalized direction of a unit pull along d at the arms a and s, A against B."""
    row[0] = -dx
    row[1] = -dy
    row[2] = -(ax * dy - ay * dx)
    row[3] = dx
    row[4] = dy
    row[5] = sx * dy - sy * dx


@kernel(internal=True)
def along(row, velocity, a, b):
    total = 0.0
    for i in range(3):
        total += row[i] * velocity[a, i] + row[3 + i] * velocity[b, i]
    return total


@kernel(internal=True)
def moved(row, before, now, a, b):
    total = 0.0
    for i in range(3):
        total += row[i] * (now[a, i] - before[a, i]) + row[3 + i] * (now[b, i] - before[b, i])
    return total
