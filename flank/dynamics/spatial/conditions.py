"""Conditions of joints: residuals c(q, t), rows C = ∂c/∂q, and what turning adds to the tangent.

With points p = x + R at and directions u = R_A d, w = R_B e along the axes of space:

    POINT  c = p_B - p_A
    DOT    c = u·w,  d = cos φ(t) d₁ + sin φ(t) d₂
    ALONG  c = u·(p_B - p_A) - f(t)

Forces are -Cᵀλ. For rotations by vectors of space, α of A and β of B, the second order of u·w is
(α·u)(α·w) - α² u·w on either diagonal (halved) and (α·β)(u·w) - (α·w)(β·u) between.
"""

import math

from flank.contact.spatial.pull_back import add_arm, add_gradient, add_turning
from flank.dynamics.functions import function_value
from flank.dynamics.spatial.rotation import add_cross, apply, dot
from flank.dynamics.spatial.scatter import add_element, clear
from flank.dynamics.spatial.tables import ALONG, DOT, POINT
from flank.kernel import kernel

U, W, ARM_A, ARM_B, BETWEEN, SIDE, FIRST_ROW = range(7)
"""Rows of the scratch of one condition: u, w, R_A at_a, R_B at_b, p_B - p_A, ∂u/∂φ, then C."""


@kernel(internal=True)
def _prepare(condition, functions, data, position, matrix, time, element):
    """Fill the scratch; returns value, rate and second rate of the condition's function."""
    a = condition.body_a
    b = condition.body_b
    value, rate, second = function_value(functions[condition.function], data, time)
    apply(matrix[a], condition.at_a, element[ARM_A])
    apply(matrix[b], condition.at_b, element[ARM_B])
    for i in range(3):
        element[BETWEEN, i] = position[b, i] + element[ARM_B, i]
        element[BETWEEN, i] -= position[a, i] + element[ARM_A, i]
    if condition.kind == DOT:
        c = math.cos(value)
        s = math.sin(value)
        for i in range(3):
            element[SIDE, 3 + i] = c * condition.direction_a[i] + s * condition.turned_a[i]
            element[SIDE, 6 + i] = c * condition.turned_a[i] - s * condition.direction_a[i]
        apply(matrix[a], element[SIDE, 3:6], element[U])
        apply(matrix[a], element[SIDE, 6:9], element[SIDE])
        apply(matrix[b], condition.direction_b, element[W])
    elif condition.kind == ALONG:
        apply(matrix[a], condition.direction_a, element[U])
    return value, rate, second


@kernel(internal=True)
def _rows(condition, element):
    """Fill rows C of a condition, twelve numbers each."""
    first = element[FIRST_ROW]
    for i in range(3):
        for j in range(12):
            element[FIRST_ROW + i, j] = 0.0
    if condition.kind == POINT:
        direction = element[W]
        for i in range(3):
            for j in range(3):
                direction[j] = 1.0 if i == j else 0.0
            add_gradient(direction, element[ARM_A], element[ARM_B], 1.0, element[FIRST_ROW + i])
    elif condition.kind == DOT:
        add_cross(element[U], element[W], 1.0, first[3:6])
        add_cross(element[W], element[U], 1.0, first[9:12])
    else:
        _arm_from_a(element)
        add_gradient(element[U], element[W], element[ARM_B], 1.0, first)


@kernel(internal=True)
def _arm_from_a(element):
    """p_B - x_A of ALONG, into the row that it does not use otherwise."""
    for i in range(3):
        element[W, i] = element[BETWEEN, i] + element[ARM_A, i]


@kernel(internal=True)
def _add_second_order(condition, multipliers, element, factor, block):
    """Add factor x λ ∂²c/∂q² to the block."""
    first = condition.first
    if condition.kind == POINT:
        force = element[U]
        for i in range(3):
            force[i] = multipliers[first + i]
        add_arm(force, element[ARM_A], -factor, 3, block)
        add_arm(force, element[ARM_B], factor, 9, block)
        return
    size = factor * multipliers[first]
    if condition.kind == ALONG:
        add_turning(element[U], element[W], element[ARM_B], size, block)
        return
    u = element[U]
    w = element[W]
    along = dot(u, w)
    add_arm(u, w, size, 3, block)
    add_arm(u, w, size, 9, block)
    for i in range(3):
        block[3 + i, 9 + i] += size * along
        block[9 + i, 3 + i] += size * along
        for j in range(3):
            block[3 + i, 9 + j] -= size * w[i] * u[j]
            block[9 + j, 3 + i] -= size * w[i] * u[j]


@kernel(internal=True)
def add_conditions(
    conditions,
    count,
    functions,
    data,
    multipliers,
    position,
    matrix,
    time,
    target,
    residuals,
    scale,
    geometric,
):
    """Residuals; forces -Cᵀλ; rows and columns of the tangent, times `scale`."""
    element = target.element
    force = target.force
    core = target.core
    unknowns = 6 * target.core_count
    for k in range(count):
        condition = conditions[k]
        value, _rate, _second = _prepare(
            condition, functions, data, position, matrix, time, element
        )
        _put_residual(condition, value, element, residuals)
        _rows(condition, element)
        equations = 3 if condition.kind == POINT else 1
        for e in range(equations):
            number = condition.first + e
            row = element[FIRST_ROW + e]
            for side in range(2):
                body = condition.body_a if side == 0 else condition.body_b
                for i in range(6):
                    entry = row[6 * side + i]
                    force[body, i] -= multipliers[number] * entry
                    if body > 0:
                        core[unknowns + number, 6 * (body - 1) + i] += scale * entry
                        core[6 * (body - 1) + i, unknowns + number] += scale * entry
        clear(target.block)
        _add_second_order(condition, multipliers, element, geometric, target.block)
        add_element(target, condition.body_a, condition.body_b)


@kernel(internal=True)
def _put_residual(condition, value, element, residuals):
    first = condition.first
    if condition.kind == POINT:
        for i in range(3):
            residuals[first + i] = element[BETWEEN, i]
    elif condition.kind == DOT:
        residuals[first] = dot(element[U], element[W])
    else:
        residuals[first] = dot(element[U], element[BETWEEN]) - value


@kernel(internal=True)
def explicit_rates(conditions, count, functions, data, position, matrix, time, element, out):
    """∂c/∂t of every equation."""
    for k in range(count):
        condition = conditions[k]
        _value, rate, _second = _prepare(
            condition, functions, data, position, matrix, time, element
        )
        first = condition.first
        if condition.kind == POINT:
            for i in range(3):
                out[first + i] = 0.0
        elif condition.kind == DOT:
            out[first] = rate * dot(element[SIDE], element[W])
        else:
            out[first] = -rate


@kernel(internal=True)
def second_rates(
    conditions, count, functions, data, position, matrix, velocity, time, element, out
):
    """d²c/dt² of every equation without the accelerations: Ċ v + ∂(Cv)/∂t + ∂²c/∂t²."""
    for k in range(count):
        condition = conditions[k]
        _value, rate, second = _prepare(condition, functions, data, position, matrix, time, element)
        a = condition.body_a
        b = condition.body_b
        first = condition.first
        spin_a = velocity[a, 3:6]
        spin_b = velocity[b, 3:6]
        turned = element[FIRST_ROW]
        moved = element[FIRST_ROW + 1]
        bent = element[FIRST_ROW + 2]
        for i in range(3):
            turned[i] = 0.0
            bent[i] = 0.0
            moved[i] = velocity[b, i] - velocity[a, i]
        if condition.kind != DOT:  # acceleration of p_B - p_A by turning alone
            _add_centripetal(spin_b, element[ARM_B], 1.0, turned, bent)
            _add_centripetal(spin_a, element[ARM_A], -1.0, turned, bent)
        if condition.kind == POINT:
            for i in range(3):
                out[first + i] = bent[i]
        elif condition.kind == ALONG:
            add_cross(spin_b, element[ARM_B], 1.0, moved)
            add_cross(spin_a, element[ARM_A], -1.0, moved)
            total = dot(element[U], bent) - second
            for i in range(3):
                bent[i] = 0.0
            _add_centripetal(spin_a, element[U], 1.0, turned, bent)
            out[first] = total + dot(bent, element[BETWEEN]) + 2.0 * dot(turned, moved)
        else:
            out[first] = _second_rate_of_dot(spin_a, spin_b, rate, second, element)


@kernel(internal=True)
def _add_centripetal(spin, arm, factor, turned, out):
    """out += factor ω x (ω x arm); leaves ω x arm in `turned`."""
    for i in range(3):
        turned[i] = 0.0
    add_cross(spin, arm, 1.0, turned)
    add_cross(spin, turned, factor, out)


@kernel(internal=True)
def _second_rate_of_dot(spin_a, spin_b, rate, second, element):
    """ü·w + 2 u̇·ẇ + u·ẅ with u̇ = ω_A x u + φ̇ ∂u/∂φ."""
    u = element[U]
    w = element[W]
    side = element[SIDE]
    u_rate = element[FIRST_ROW]
    w_rate = element[FIRST_ROW + 1]
    bent = element[FIRST_ROW + 2]
    for i in range(3):
        bent[i] = second * side[i] - rate * rate * u[i]
    _add_centripetal(spin_a, u, 1.0, u_rate, bent)
    add_cross(spin_a, side, 2.0 * rate, bent)
    for i in range(3):
        u_rate[i] += rate * side[i]
    total = dot(bent, w)
    for i in range(3):
        bent[i] = 0.0
    _add_centripetal(spin_b, w, 1.0, w_rate, bent)
    return total + 2.0 * dot(u_rate, w_rate) + dot(u, bent)
