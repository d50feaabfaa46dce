"""The mesh of two external involute gears as a spring along each line of action.

With c the unit vector from gear a to gear b, d their distance, β its direction, t = ẑ x c, base
radii r_a, r_b and the working pressure angle cos α = (r_a + r_b)/d, the gap on flank s = ±1 is

    g_s = j/2 + (r_a + r_b)(inv α - inv α0) - s [r_a θ_a + r_b (θ_b - angle) - (r_a + r_b) β],

exactly, for any motion of the centres (j: the normal backlash at the distance d0). Its gradient is
(∓) in x_b: sin α c + s cos α t, in x_a the opposite, -s r_a in θ_a and -s r_b in θ_b; its second
derivative in x_b is cos²α/(d sin α) c cᵀ - s cos α/d (c tᵀ + t cᵀ) + sin α/d t tᵀ. The force is
k (-g_s) - d ġ_s, never a pull.
"""

import math

from flank.dynamics.scatter import add_element
from flank.kernel import kernel


@kernel(internal=True)
def add_mesh(spring, position, velocity, target, rate_factor, geometric):
    """Add the force of the loaded flank, or of both without backlash; returns the energy."""
    a = spring.body_a
    b = spring.body_b
    dx = position[b, 0] - position[a, 0]
    dy = position[b, 1] - position[a, 1]
    distance = math.sqrt(dx * dx + dy * dy)
    cx = dx / distance
    cy = dy / distance
    radii = spring.a_base_radius + spring.b_base_radius
    cosine = radii / distance
    if cosine >= 1.0:  # the base circles touch: no line of action
        return 0.0
    sine = math.sqrt(1.0 - cosine * cosine)
    reference = math.acos(radii / spring.centre_distance)
    opening = math.tan(math.acos(cosine)) - math.acos(cosine) - math.tan(reference) + reference
    phase = (
        spring.a_base_radius * position[a, 2]
        + spring.b_base_radius * (position[b, 2] - spring.angle)
        - radii * _nearest_turn(math.atan2(dy, dx), _direction(spring, position, a, b, radii))
    )
    energy = 0.0
    side = -1.0
    for _ in range(2):
        gap = 0.5 * spring.dead_band + radii * opening - side * phase
        if gap < 0.0:
            row = target.element[0]
            row[3] = sine * cx - side * cosine * cy
            row[4] = sine * cy + side * cosine * cx
            row[0] = -row[3]
            row[1] = -row[4]
            row[2] = -side * spring.a_base_radius
            row[5] = -side * spring.b_base_radius
            rate = 0.0
            for i in range(3):
                rate += row[i] * velocity[a, i] + row[3 + i] * velocity[b, i]
            force = -spring.stiffness * gap - spring.damping * rate
            if force > 0.0:
                for i in range(3):
                    target.force[a, i] += force * row[i]
                    target.force[b, i] += force * row[3 + i]
                total = spring.stiffness + rate_factor * spring.damping
                _fill_block(target, row, total)
                turning = geometric * force / distance
                _turn_direction(target, turning, cx, cy, sine, side * cosine)
                add_element(target, a, b)
                energy += 0.5 * spring.stiffness * gap * gap
        side = 1.0
    return energy


@kernel(internal=True)
def _direction(spring, position, a, b, radii):
    """The direction of the centre line that the gears' angles ask for."""
    turned = spring.a_base_radius * position[a, 2]
    return (turned + spring.b_base_radius * (position[b, 2] - spring.angle)) / radii


@kernel(internal=True)
def _nearest_turn(angle, near):
    """`angle` plus whole turns, as close to `near` as can be."""
    turn = 2.0 * math.pi
    return angle + turn * math.floor((near - angle) / turn + 0.5)


@kernel(internal=True)
def _fill_block(target, row, stiffness):
    for i in range(6):
        for j in range(6):
            target.block[i, j] = stiffness * row[i] * row[j]


@kernel(internal=True)
def _turn_direction(target, scale, cx, cy, sine, cosine):
    """Subtract force x second derivative of the gap; `cosine` carries the flank's sign."""
    along = cosine * cosine / sine
    xx = along * cx * cx + 2.0 * cosine * cx * cy + sine * cy * cy
    xy = along * cx * cy - cosine * (cx * cx - cy * cy) - sine * cx * cy
    yy = along * cy * cy - 2.0 * cosine * cx * cy + sine * cx * cx
    for row in range(2):
        for column in range(2):
            sign = -scale if row == column else scale
            target.block[3 * row, 3 * column] += sign * xx
            target.block[3 * row, 3 * column + 1] += sign * xy
            target.block[3 * row + 1, 3 * column] += sign * xy
            target.block[3 * row + 1, 3 * column + 1] += sign * yy
