"""The mesh of two involute gears as a spring along each line of action, or as a constraint.

With c the unit vector from gear a to gear b, d their distance, t = ẑ x c, base radii r_a and r_b
(negative for a ring b), R = r_a + r_b, σ its sign, β the direction towards the mesh (c, or -c in a
ring) and the working pressure angle cos α = |R|/d, the gap on flank s = ±1 is

    g_s = j/2 + R (inv α - inv α0) - s φ,    φ = r_a θ_a + r_b (θ_b - angle) - R β,

exactly, for any motion of the centres (j: the normal backlash at the distance d0). Its gradient is
σ (sin α c + s cos α t) in x_b, the opposite in x_a, -s r_a in θ_a and -s r_b in θ_b; its second
derivative in x_b is σ (cos²α/(d sin α) c cᵀ - s cos α/d (c tᵀ + t cᵀ) + sin α/d t tᵀ). A centre
off the body's origin adds its arm to θ.

A constant spring has the force k (-g_s) - d ġ_s, never a pull unless it is told to hold one flank
both ways. A damper that acts always is one of linear models: it also pulls, and between the flanks
it acts along the line of action of the nearer one, s φ > 0. A table of tooth pairs has, at the roll
length ρ of the flank of a,

    U = min over F of c F²/2 + Σ_i k(ρ + i p_b)/2 ⟨-g_s - c F - e(ρ + i p_b)⟩²,

e the separation of a pair (reliefs, and beyond the path the gap of tip edges) and c what the gears'
bodies give way under the force of all pairs together. The force is the gradient of U, so the load
moving along the teeth keeps the energy. A map has U(ρ, -g_s) itself, of all pairs and all points
across the face (contact/mesh_map.py). Elastic bodies of the gears close the gap besides
(gear_modes.py).
"""

import math
from typing import NamedTuple

from flank.contact.mesh_map import map_energy
from flank.dynamics.gear_modes import (
    DIRECTION,
    add_modal_tangent,
    add_to_gap_row,
    fill_shapes,
    modal_rate,
)
from flank.dynamics.scatter import add_element
from flank.dynamics.tables import FLEXIBLE_MESH
from flank.geometry.uniform_table import table_value
from flank.kernel import kernel

MOST_PAIRS = 16
"""Of teeth that one flank can have in contact."""


class Line(NamedTuple):
    """Where two gears stand to each other."""

    ax: float  # arms of the gears' centres from their bodies' origins
    ay: float
    bx: float
    by: float
    cx: float
    cy: float
    distance: float
    cosine: float
    sine: float
    angle: float  # α
    involute: float  # inv α
    direction: float  # β, the turn nearest to what the gears' angles ask for
    phase: float  # φ
    exists: bool


@kernel(internal=True)
def turned_arm(angle, x, y):
    """A point of a body seen from its origin, along the axes of the plane."""
    c = math.cos(angle)
    s = math.sin(angle)
    return c * x - s * y, s * x + c * y


@kernel(internal=True)
def mesh_line(row, position):
    """The line of centres and the phase of a mesh; `row` is a spring or a joint."""
    a = row.body_a
    b = row.body_b
    ax, ay = turned_arm(position[a, 2], row.a_x, row.a_y)
    bx, by = turned_arm(position[b, 2], row.b_x, row.b_y)
    dx = position[b, 0] + bx - position[a, 0] - ax
    dy = position[b, 1] + by - position[a, 1] - ay
    distance = math.sqrt(dx * dx + dy * dy)
    radii = row.a_base_radius + row.b_base_radius
    cosine = abs(radii) / distance
    exists = cosine < 1.0  # else the base circles touch: no line of action
    cosine = min(cosine, 1.0 - 1e-15)
    angle = math.acos(cosine)
    sine = math.sqrt(1.0 - cosine * cosine)
    turned = row.a_base_radius * position[a, 2]
    turned += row.b_base_radius * (position[b, 2] - row.angle)
    outward = 1.0 if radii > 0.0 else -1.0
    direction = _nearest_turn(math.atan2(outward * dy, outward * dx), turned / radii)
    return Line(
        ax,
        ay,
        bx,
        by,
        dx / distance,
        dy / distance,
        distance,
        cosine,
        sine,
        angle,
        sine / cosine - angle,
        direction,
        turned - radii * direction,
        exists,
    )


@kernel(internal=True)
def fill_gap_row(row, line, side, a_base, b_base):
    """∇g_s in the coordinates of both bodies."""
    outward = 1.0 if a_base + b_base > 0.0 else -1.0
    gx = outward * (line.sine * line.cx - side * line.cosine * line.cy)
    gy = outward * (line.sine * line.cy + side * line.cosine * line.cx)
    _fill_row(row, line, gx, gy)
    row[2] -= side * a_base
    row[5] -= side * b_base


@kernel(internal=True)
def add_mesh(spring, varying, gears, position, velocity, target):
    """Add the force of the loaded flank, or of both without backlash; returns the energy."""
    line = mesh_line(spring, position)
    if not line.exists:
        return 0.0
    energy = 0.0
    side = -1.0
    for _ in range(2):
        if spring.flank * side >= 0.0:
            energy += _add_flank(spring, varying, gears, line, side, position, velocity, target)
        side = 1.0
    return energy


@kernel(internal=True)
def mesh_gap(spring, line, side):
    """g_s."""
    radii = spring.a_base_radius + spring.b_base_radius
    reference = math.acos(abs(radii) / spring.centre_distance)
    opening = line.involute - math.tan(reference) + reference
    return 0.5 * spring.dead_band + radii * opening - side * line.phase


@kernel(internal=True)
def flank_law(spring, value, gears, line, side, turn_a, gap, geometric_factor):
    """Force, stiffness, energy, -∂U/∂ρ, ∂F/∂ρ and ∂²U/∂ρ² of a flank, undamped.

    `value` is the stiffness of the spring as it stands; a table's factor does not vary.

    `geometric_factor` zero leaves of the last two what keeps the tangent without negative
    directions.
    """
    if spring.pair >= 0:
        return _pairs_law(spring, gears, line, side, turn_a, gap, geometric_factor)
    if gap < 0.0 or spring.flank != 0.0:
        force = -value * gap
        return force, value, -0.5 * force * gap, 0.0, 0.0, 0.0
    return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0


@kernel(internal=True)
def is_active(spring, stiffness, line, side):
    """Whether a flank has a force: while its teeth touch, or by a damper that acts always."""
    return stiffness != 0.0 or (spring.always_damped != 0.0 and side * line.phase > 0.0)


@kernel(internal=True)
def flank_force(spring, force, rate):
    """Of an active flank, with damping, which never makes teeth pull unless they hold or it acts
    always."""
    damped = force - spring.damping * rate
    if damped <= 0.0 and spring.flank == 0.0 and spring.always_damped == 0.0:
        return 0.0
    return damped


@kernel(internal=True)
def roll_length(spring, pair, line, side, turn_a):
    """ρ of the flank of a, up to base pitches."""
    tooth = turn_a + pair.a_tooth_angle
    roll = pair.a_base_radius * (side * (tooth - line.direction) + pair.a_half_angle + line.angle)
    return roll + side * spring.roll_offset


@kernel(internal=True)
def flexible_gap(spring, gears, line, side, position, element):
    """g_s of gears that may have elastic bodies, whose shapes go to the scratch table."""
    gap = mesh_gap(spring, line, side)
    if spring.kind == FLEXIBLE_MESH:
        pair = gears.rows[spring.pair]
        gap -= fill_shapes(spring, pair, gears.data, line, side, position, element)
    return gap


@kernel(internal=True)
def fill_flexible_row(spring, gears, line, side, position, velocity, element):
    """∇g_s of both bodies into element[0], elastic ones included; returns the rate of the gap."""
    row = element[0]
    fill_gap_row(row, line, side, spring.a_base_radius, spring.b_base_radius)
    rate = 0.0
    if spring.kind == FLEXIBLE_MESH:
        pair = gears.rows[spring.pair]
        across = 1.0 / line.distance
        _fill_row(element[DIRECTION], line, -across * line.cy, across * line.cx)
        add_to_gap_row(spring, pair, gears.data, position, element)
        rate = modal_rate(spring, pair, velocity, element)
    for i in range(3):
        rate += row[i] * velocity[spring.body_a, i] + row[3 + i] * velocity[spring.body_b, i]
    return rate


@kernel(internal=True)
def _add_flank(spring, varying, gears, line, side, position, velocity, target):
    geometric_factor = target.geometric_factor
    gap = flexible_gap(spring, gears, line, side, position, target.element)
    a = spring.body_a
    b = spring.body_b
    elastic, stiffness, energy, roll_force, roll_slope, roll_stiffness = flank_law(
        spring, varying[0], gears, line, side, position[a, 2], gap, geometric_factor
    )
    if not is_active(spring, stiffness, line, side):
        return 0.0
    row = target.element[0]
    rate = fill_flexible_row(spring, gears, line, side, position, velocity, target.element)
    force = flank_force(spring, elastic, rate)
    if force == 0.0 and spring.flank == 0.0:
        return energy
    total = stiffness + target.rate_factor * spring.damping
    for i in range(6):
        for j in range(6):
            target.block[i, j] = total * row[i] * row[j]
    for i in range(3):
        target.force[a, i] += force * row[i]
        target.force[b, i] += force * row[3 + i]
    if spring.pair >= 0:
        _add_place(spring, line, side, target, roll_force, roll_slope, roll_stiffness)
    outward = 1.0 if spring.a_base_radius + spring.b_base_radius > 0.0 else -1.0
    turn_direction(target.block, -outward * geometric_factor * force / line.distance, line, side)
    if spring.kind == FLEXIBLE_MESH:
        add_modal_tangent(
            spring, gears.rows[spring.pair], gears.data, position, line, force, total,
            roll_slope, target,
        )  # fmt: skip
    if spring.follows >= 0:
        add_variation(spring, target, 0.5 * gap * gap, gap, varying)
    add_element(target, a, b)
    return energy


@kernel(internal=True)
def add_variation(spring, target, potential, scale, varying):
    """What a stiffness k(φ) that follows an angle adds for the potential k W: the torque -k' W and
    its tangent k' (∇W eᵀ + e ∇Wᵀ) + k'' W e eᵀ, e the angle; ∇W is `scale` target.element[0].
    `varying` is k, k' and k''."""
    _stiffness, slope, second = varying
    place = 2 if spring.follows == spring.body_a else 5
    row = target.element[0]
    block = target.block
    target.force[spring.follows, 2] -= slope * potential
    factor = target.geometric_factor * slope * scale
    for i in range(6):
        block[i, place] += factor * row[i]
        block[place, i] += factor * row[i]
    block[place, place] += target.geometric_factor * second * potential


@kernel(internal=True)
def _add_place(spring, line, side, target, roll_force, roll_slope, roll_stiffness):
    """What the energy's change along the teeth adds to force and tangent."""
    row = target.element[0]
    place = target.element[1]
    base = spring.a_base_radius
    opening = line.cosine / (line.distance * line.sine)
    _fill_row(
        place,
        line,
        base * (opening * line.cx + side / line.distance * line.cy),
        base * (opening * line.cy - side / line.distance * line.cx),
    )
    place[2] += side * base
    for i in range(3):
        target.force[spring.body_a, i] += roll_force * place[i]
        target.force[spring.body_b, i] += roll_force * place[3 + i]
    for i in range(6):
        for j in range(6):
            target.block[i, j] -= roll_slope * (row[i] * place[j] + place[i] * row[j])
            target.block[i, j] += roll_stiffness * place[i] * place[j]


@kernel(internal=True)
def _pairs_law(spring, gears, line, side, turn_a, gap, geometric_factor):
    """Sum over the pairs of teeth whose roll length lies in the table."""
    pair = gears.rows[spring.pair]
    roll = roll_length(spring, pair, line, side, turn_a)
    if pair.map_positions > 0:
        reach = -gap - spring.separation - pair.map_touch
        return _map_law(spring, pair, gears.data, roll, reach, geometric_factor)
    roll += pair.base_pitch * math.ceil((pair.pair_start - roll) / pair.base_pitch)
    reach = -gap - spring.separation
    if reach <= 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    common = pair.pair_common / spring.stiffness
    depth = reach
    for _ in range(MOST_PAIRS):  # pairs leave one by one as the bodies give way
        load, stiffness, _energy, _roll_force, _roll_slope, _roll_stiffness = _press_pairs(
            spring.stiffness, pair, gears.data, roll, depth, 0.0
        )
        less = reach - common * (load + stiffness * (reach - depth)) / (1.0 + common * stiffness)
        if less >= depth * (1.0 - 1e-14):
            break
        depth = less
    force, stiffness, energy, roll_force, roll_slope, roll_stiffness = _press_pairs(
        spring.stiffness, pair, gears.data, roll, depth, geometric_factor
    )
    shares = 1.0 + common * stiffness
    energy += 0.5 * common * force * force
    roll_stiffness -= common * roll_slope * roll_slope / shares
    return force, stiffness / shares, energy, roll_force, roll_slope / shares, roll_stiffness


@kernel(internal=True)
def _map_law(spring, pair, data, roll, reach, geometric_factor):
    """The whole mesh. Without the geometric factor the tangent in δ and ρ has rank one, k along
    the direction in which the force changes."""
    if reach <= 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    energy, force, stiffness, by_roll, force_by_roll, by_roll_twice = map_energy(
        pair, data, roll, reach
    )
    factor = spring.stiffness
    bent = force_by_roll * force_by_roll / stiffness if stiffness > 0.0 else 0.0
    bent += geometric_factor * (by_roll_twice - bent)
    return (
        factor * force,
        factor * stiffness,
        factor * energy,
        -factor * by_roll,
        factor * force_by_roll,
        factor * bent,
    )


@kernel(internal=True)
def _press_pairs(factor, pair, data, roll, reach, geometric_factor):
    """The pairs from `roll` on, all pressed by the same `reach`."""
    first = pair.pair_table
    count = pair.pair_count
    end = pair.pair_start + pair.pair_step * (count - 1)
    force = 0.0
    stiffness = 0.0
    energy = 0.0
    roll_force = 0.0
    roll_slope = 0.0
    roll_stiffness = 0.0
    while roll < end:
        separation, separation_slope, separation_second = table_value(
            data, first + count, count, pair.pair_start, pair.pair_step, roll
        )
        depth = reach - separation
        if depth > 0.0:
            k, k_slope, k_second = table_value(
                data, first, count, pair.pair_start, pair.pair_step, roll
            )
            k *= factor
            k_slope *= factor
            k_second *= factor
            force += k * depth
            stiffness += k
            energy += 0.5 * k * depth * depth
            relief = k * separation_slope
            roll_force += depth * (relief - 0.5 * k_slope * depth)
            roll_slope += geometric_factor * k_slope * depth - relief
            turning = 0.5 * k_second * depth - k * separation_second
            turning -= 2.0 * k_slope * separation_slope
            roll_stiffness += relief * separation_slope + geometric_factor * depth * turning
        roll += pair.base_pitch
    return force, stiffness, energy, roll_force, roll_slope, roll_stiffness


@kernel(internal=True)
def _fill_row(row, line, gx, gy):
    """A gradient g in b's centre, the opposite in a's, with the arms of both."""
    row[0] = -gx
    row[1] = -gy
    row[2] = line.ay * gx - line.ax * gy
    row[3] = gx
    row[4] = gy
    row[5] = line.bx * gy - line.by * gx


@kernel(internal=True)
def _nearest_turn(angle, near):
    """`angle` plus whole turns, as close to `near` as can be."""
    turn = 2.0 * math.pi
    return angle + turn * math.floor((near - angle) / turn + 0.5)


@kernel(internal=True)
def turn_direction(block, scale, line, side):
    """Add scale x (second derivative of the gap) x distance/σ; arms' own turning is left out."""
    cx = line.cx
    cy = line.cy
    sine = line.sine
    cosine = side * line.cosine
    along = cosine * cosine / sine
    xx = along * cx * cx + 2.0 * cosine * cx * cy + sine * cy * cy
    xy = along * cx * cy - cosine * (cx * cx - cy * cy) - sine * cx * cy
    yy = along * cy * cy - 2.0 * cosine * cx * cy + sine * cx * cx
    for row in range(2):
        for column in range(2):
            sign = scale if row == column else -scale
            block[3 * row, 3 * column] += sign * xx
            block[3 * row, 3 * column + 1] += sign * xy
            block[3 * row + 1, 3 * column] += sign * xy
            block[3 * row + 1, 3 * column + 1] += sign * yy
