"""Gears with elastic bodies in the engine: rows of modal coordinates, and how a mesh moves them.

Three coordinates z of contact/flexible_gear.py make a row of the engine, beside the row (x, y, θ)
of the gear itself. Their deflections and potential are

    e = z - p·(x, y, θ),        V = ½ ω² e²,        with the damping 2 ζ ω ė.

A mesh whose gap between rigid gears is g closes by the modes of both, and what it does follows from

    g' = g - Σ Ψ_k(ψ) e_k,        Ψ = |a| cos(n ψ + phase),        ψ = β - f θ,

β the direction towards the mesh; f is zero for coordinates of space (n = 1) and one for those that
turn with the gear. With D = Σ Ψ' e and primes for ∂/∂ψ the derivatives of Σ Ψ e are

    first    D ∇β - Σ f Ψ' e ∇θ - Σ Ψ p,      Ψ in z
    second   D ∇∇β + Σ Ψ'' e (∇β - f ∇θ)(∇β - f ∇θ)ᵀ - Σ Ψ' (∇β pᵀ + p ∇βᵀ),
             Ψ' (∇β - f ∇θ) between the bodies and z,

∇∇β = -(c tᵀ + t cᵀ)/d² in x_b - x_a. A rim that others have bent so pushes a mesh along, too.
"""

import math

from flank.dynamics.scatter import add_element, add_to_core, clear_rows
from flank.kernel import kernel

NUMBERS = 7
"""Of a coordinate in the table of a mesh: n, |a|, the phases of both flanks, p."""

SPRINGS = 5
"""Of a coordinate in the table of a row: ω², 2 ζ ω, p."""

SHAPES, SLOPES, DIRECTION = 2, 14, 26
"""Rows of the scratch table: Ψ and Ψ' of both gears, twelve a row, and ∇β."""

MOST_MODES = 144
"""That fit there, of both gears together."""


@kernel(internal=True)
def add_modes(spring, data, position, velocity, target):
    """The springs of one row of coordinates; returns their energy."""
    a = spring.body_a
    b = spring.body_b
    row = target.element[0]
    clear_rows(target.block)
    energy = 0.0
    for k in range(3):
        at = spring.pair + SPRINGS * k
        stiffness = data[at]
        damping = data[at + 1]
        deflection = position[b, k]
        rate = velocity[b, k]
        for i in range(3):
            p = data[at + 2 + i]
            deflection -= p * position[a, i]
            rate -= p * velocity[a, i]
            row[i] = -p
            row[3 + i] = 1.0 if i == k else 0.0
        force = -stiffness * deflection - damping * rate
        total = stiffness + target.rate_factor * damping
        energy += 0.5 * stiffness * deflection * deflection
        for i in range(3):
            target.force[a, i] += force * row[i]
        target.force[b, k] += force
        for i in range(6):
            for j in range(6):
                target.block[i, j] += total * row[i] * row[j]
    add_element(target, a, b)
    return energy


@kernel(internal=True)
def modes_of_gear(spring, pair, second):
    """Body, number of coordinates, first row and table of one gear."""
    if second == 0:
        return spring.body_a, pair.a_modes, pair.a_modal_row, pair.a_modal_table
    return spring.body_b, pair.b_modes, pair.b_modal_row, pair.b_modal_table


@kernel(internal=True)
def fill_shapes(spring, pair, data, line, side, position, element):
    """Ψ and Ψ' of all coordinates into the scratch table; returns Σ Ψ e."""
    moved = 0.0
    number = 0
    for gear in range(2):
        body, count, row, table = modes_of_gear(spring, pair, gear)
        for k in range(count):
            at = table + NUMBERS * k
            waves = data[at]
            angle = waves * line.direction + (data[at + 2] if side > 0.0 else data[at + 3])
            if waves != 1.0:
                angle -= waves * position[body, 2]
            shape = data[at + 1] * math.cos(angle)
            element[SHAPES + number // 12, number % 12] = shape
            slope = -waves * data[at + 1] * math.sin(angle)
            element[SLOPES + number // 12, number % 12] = slope
            moved += shape * _deflection(data, at, position, body, row, k)
            number += 1
    return moved


@kernel(internal=True)
def _deflection(data, at, position, body, row, k):
    """e; of velocities its rate."""
    value = position[row + k // 3, k % 3]
    for i in range(3):
        value -= data[at + 4 + i] * position[body, i]
    return value


@kernel(internal=True)
def add_to_gap_row(spring, pair, data, position, element):
    """Take ∇(Σ Ψ e) off ∇g in the coordinates of both bodies, element[0]; ∇β is in DIRECTION."""
    row = element[0]
    number = 0
    for gear in range(2):
        body, count, first, table = modes_of_gear(spring, pair, gear)
        for k in range(count):
            at = table + NUMBERS * k
            shape = element[SHAPES + number // 12, number % 12]
            slope = element[SLOPES + number // 12, number % 12]
            slope *= _deflection(data, at, position, body, first, k)
            for i in range(6):
                row[i] -= slope * element[DIRECTION, i]
            if data[at] != 1.0:
                row[3 * gear + 2] += slope
            for i in range(3):
                row[3 * gear + i] += shape * data[at + 4 + i]
            number += 1


@kernel(internal=True)
def modal_rate(spring, pair, velocity, element):
    """What moving coordinates add to the rate of the gap."""
    rate = 0.0
    number = 0
    for gear in range(2):
        _body, count, row, _table = modes_of_gear(spring, pair, gear)
        for k in range(count):
            shape = element[SHAPES + number // 12, number % 12]
            rate -= shape * velocity[row + k // 3, k % 3]
            number += 1
    return rate


@kernel(internal=True)
def add_modal_tangent(spring, pair, data, position, line, force, total, roll_slope, target):
    """All that coordinates add to forces and tangent; what belongs to both bodies alone goes to
    target.block. The gap's row and place are in target.element[0] and [1]."""
    element = target.element
    turning = target.geometric_factor * force
    number = 0
    bent = 0.0
    for gear in range(2):
        body, count, first, table = modes_of_gear(spring, pair, gear)
        for k in range(count):
            at = table + NUMBERS * k
            shape = element[SHAPES + number // 12, number % 12]
            slope = element[SLOPES + number // 12, number % 12]
            follows = 0.0 if data[at] == 1.0 else 1.0
            deflection = _deflection(data, at, position, body, first, k)
            bent += slope * deflection
            row = first + k // 3
            target.force[row, k % 3] -= force * shape
            column = 3 * (row - 1) + k % 3
            for side in range(2):
                other = spring.body_a if side == 0 else spring.body_b
                for i in range(3):
                    value = element[DIRECTION, 3 * side + i]
                    if side == gear and i == 2:
                        value -= follows
                    value *= turning * slope
                    value -= total * shape * element[0, 3 * side + i]
                    value += roll_slope * shape * element[1, 3 * side + i]
                    if other > 0:
                        add_to_core(target, column, 3 * (other - 1) + i, value)
                        add_to_core(target, 3 * (other - 1) + i, column, value)
            _add_turning(
                target.block,
                element[DIRECTION],
                data,
                at,
                3 * gear,
                -turning * data[at] * data[at] * shape * deflection,
                turning * slope,
                follows,
            )
            _add_between(spring, pair, total * shape, column, element, target)
            number += 1
    _add_curved(target.block, turning * bent / (line.distance * line.distance), line)


@kernel(internal=True)
def _add_turning(block, direction, data, at, place, second, slope, follows):
    """Σ Ψ'' e (∇β - f ∇θ)(∇β - f ∇θ)ᵀ - Σ Ψ' (∇β pᵀ + p ∇βᵀ) of one coordinate."""
    theta = place + 2
    for i in range(6):
        along = direction[i]
        if i == theta:
            along -= follows
        for j in range(6):
            other = direction[j]
            if j == theta:
                other -= follows
            block[i, j] += second * along * other
        for j in range(3):
            value = slope * direction[i] * data[at + 4 + j]
            block[i, place + j] -= value
            block[place + j, i] -= value


@kernel(internal=True)
def _add_between(spring, pair, scale, column, element, target):
    """Of one coordinate with all of both gears."""
    number = 0
    for gear in range(2):
        _body, count, first, _table = modes_of_gear(spring, pair, gear)
        for k in range(count):
            row = 3 * (first + k // 3 - 1) + k % 3
            shape = element[SHAPES + number // 12, number % 12]
            add_to_core(target, row, column, scale * shape)
            number += 1


@kernel(internal=True)
def _add_curved(block, scale, line):
    """Scale d² ∇∇β."""
    cx = line.cx
    cy = line.cy
    xx = 2.0 * cx * cy
    xy = cy * cy - cx * cx
    for row in range(2):
        for column in range(2):
            sign = scale if row == column else -scale
            block[3 * row, 3 * column] += sign * xx
            block[3 * row, 3 * column + 1] += sign * xy
            block[3 * row + 1, 3 * column] += sign * xy
            block[3 * row + 1, 3 * column + 1] -= sign * xx
