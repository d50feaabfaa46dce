"""Conditions of joints: residuals c(q, t), rows C = ∂c/∂q, what turning adds to the tangent, and
the rates ∂c/∂t and d²c/dt² without accelerations.

With points p = x + R at and directions u = R_A d, w = R_B e along the axes of space:

    POINT  c = p_B - p_A
    DOT    c = u·w
    ALONG  c = u·(p_B - p_A) - f(t)
    ANGLE  c = atan2(u·w, s·w),  d = cos φ(t) d₁ + sin φ(t) d₂,  s = ∂u/∂φ
    TEETH  c = the gap of a flank less that where it begins (teeth.py)

Forces are -Cᵀλ. For rotations by vectors of space, α of A and β of B, the second order of u·w is
(α·u)(α·w) - α² u·w on either diagonal (halved) and (α·β)(u·w) - (α·w)(β·u) between.

ANGLE is the angle itself and not its sine, which is zero half a turn off as well. Its rows are
those of DOT with û = ((s·w) u - (u·w) s)/((u·w)² + (s·w)²) for u. So is its second order where it
is closed and other joints keep s along w; its second rate too, with ŝ = ((s·w) s + (u·w) u)/(...).
"""

import math

from flank.contact.spatial.pull_back import add_arm, add_dot_turning, add_gradient, add_turning
from flank.dynamics.functions import function_value
from flank.dynamics.model import JOINTS
from flank.dynamics.scatter import add_element, clear_rows
from flank.dynamics.spatial.rotation import add_cross, apply, dot
from flank.dynamics.spatial.tables import ALONG, ANGLE, DOT, POINT, TEETH
from flank.dynamics.spatial.teeth import join_teeth, teeth_second_rates
from flank.kernel import kernel

U, W, ARM_A, ARM_B, BETWEEN, SIDE, FIRST_ROW = range(7)
"""Rows of the scratch of one condition: u, w, R_A at_a, R_B at_b, p_B - p_A, s, then C."""


@kernel(internal=True)
def _prepare(condition, functions, data, position, matrix, time, element):
    """Fill the scratch; returns value, rate and second rate of the condition's function, of ANGLE
    the residual for the value."""
    a = condition.body_a
    b = condition.body_b
    value, rate, second = function_value(functions[condition.function], data, time)
    apply(matrix[a], condition.at_a, element[ARM_A])
    apply(matrix[b], condition.at_b, element[ARM_B])
    for i in range(3):
        element[BETWEEN, i] = position[b, i] + element[ARM_B, i]
        element[BETWEEN, i] -= position[a, i] + element[ARM_A, i]
    if condition.kind != POINT:
        apply(matrix[a], condition.direction_a, element[U])
        for i in range(3):
            element[SIDE, i] = 0.0
    if condition.kind == DOT or condition.kind == ANGLE:
        apply(matrix[b], condition.direction_b, element[W])
    if condition.kind == ANGLE:
        apply(matrix[a], condition.turned_a, element[SIDE])
        value = _turn_directions(value, element)
    return value, rate, second


@kernel(internal=True)
def _turn_directions(angle, element):
    """Turn u and s by the angle, make û and ŝ of them; returns the residual of ANGLE."""
    u = element[U]
    side = element[SIDE]
    w = element[W]
    c = math.cos(angle)
    s = math.sin(angle)
    for i in range(3):
        old = u[i]
        u[i] = c * old + s * side[i]
        side[i] = c * side[i] - s * old
    across = dot(u, w)
    along = dot(side, w)
    scale = 1.0 / (across * across + along * along)
    for i in range(3):
        old = u[i]
        u[i] = scale * (along * old - across * side[i])
        side[i] = scale * (along * side[i] + across * old)
    return math.atan2(across, along)


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
    elif condition.kind == ALONG:
        _arm_from_a(element)
        add_gradient(element[U], element[W], element[ARM_B], 1.0, first)
    else:
        add_cross(element[U], element[W], 1.0, first[3:6])
        add_cross(element[W], element[U], 1.0, first[9:12])


@kernel(internal=True)
def _arm_from_a(element):
    """p_B - x_A of ALONG, into the row that it does not use otherwise."""
    for i in range(3):
        element[W, i] = element[BETWEEN, i] + element[ARM_A, i]


@kernel(internal=True)
def _add_second_order(condition, multipliers, target):
    """Add λ ∂²c/∂q² to the block."""
    element = target.element
    block = target.block
    factor = target.geometric_factor
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
    add_dot_turning(element[U], element[W], size, block)


@kernel(internal=True)
def add_conditions(model, state, time, target, residuals, scale):
    """Residuals; forces -Cᵀλ; rows and columns of the tangent, times `scale`."""
    element = target.element
    force = target.force
    core = target.core
    multipliers = state.multipliers
    unknowns = 6 * target.core_count
    functions = (model.functions, model.function_data)
    pose = (state.position, state.matrix)
    for k in range(model.counts[JOINTS]):
        condition = model.conditions[k]
        if condition.kind == TEETH:
            residuals[condition.first] = 0.0
            continue
        value, _rate, _second = _prepare(condition, *functions, *pose, time, element)
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
        clear_rows(target.block)
        _add_second_order(condition, multipliers, target)
        add_element(target, condition.body_a, condition.body_b)
    join_teeth(model.teeth, state, target, residuals, scale)


@kernel(internal=True)
def _put_residual(condition, value, element, residuals):
    first = condition.first
    if condition.kind == POINT:
        for i in range(3):
            residuals[first + i] = element[BETWEEN, i]
    elif condition.kind == DOT:
        residuals[first] = dot(element[U], element[W])
    elif condition.kind == ANGLE:
        residuals[first] = value
    else:
        residuals[first] = dot(element[U], element[BETWEEN]) - value


@kernel(internal=True)
def fill_rates(model, time, work):
    """∂c/∂t of every equation."""
    out = work.constraint
    for k in range(model.counts[JOINTS]):
        condition = model.conditions[k]
        function = model.functions[condition.function]
        _value, rate, _second = function_value(function, model.function_data, time)
        first = condition.first
        if condition.kind == POINT:
            for i in range(3):
                out[first + i] = 0.0
        elif condition.kind == ALONG:
            out[first] = -rate
        else:
            out[first] = rate if condition.kind == ANGLE else 0.0


@kernel(internal=True)
def fill_second_rates(model, state, time, work):
    """d²c/dt² of every equation without the accelerations: Ċ v + ∂(Cv)/∂t + ∂²c/∂t²."""
    element = work.element
    out = work.constraint
    velocity = state.velocity
    functions = (model.functions, model.function_data)
    pose = (state.position, state.matrix)
    for k in range(model.counts[JOINTS]):
        condition = model.conditions[k]
        if condition.kind == TEETH:
            out[condition.first] = 0.0
            continue
        _value, rate, second = _prepare(condition, *functions, *pose, time, element)
        a = condition.body_a
        b = condition.body_b
        first = condition.first
        spin_a = velocity[a, 3:6]
        spin_b = velocity[b, 3:6]
        turning = element[FIRST_ROW]
        relative = element[FIRST_ROW + 1]
        centripetal = element[FIRST_ROW + 2]
        for i in range(3):
            turning[i] = 0.0
            centripetal[i] = 0.0
            relative[i] = velocity[b, i] - velocity[a, i]
        if condition.kind == POINT or condition.kind == ALONG:
            # The acceleration of p_B - p_A by turning alone.
            _add_centripetal(spin_b, element[ARM_B], 1.0, turning, centripetal)
            _add_centripetal(spin_a, element[ARM_A], -1.0, turning, centripetal)
        if condition.kind == POINT:
            for i in range(3):
                out[first + i] = centripetal[i]
        elif condition.kind == ALONG:
            add_cross(spin_b, element[ARM_B], 1.0, relative)
            add_cross(spin_a, element[ARM_A], -1.0, relative)
            total = dot(element[U], centripetal) - second
            for i in range(3):
                centripetal[i] = 0.0
            _add_centripetal(spin_a, element[U], 1.0, turning, centripetal)
            out[first] = total + dot(centripetal, element[BETWEEN]) + 2.0 * dot(turning, relative)
        else:
            out[first] = _second_rate_of_dot(spin_a, spin_b, rate, second, element)
    teeth_second_rates(model.teeth, state, work)


@kernel(internal=True)
def _add_centripetal(spin, arm, factor, turning, out):
    """out += factor ω x (ω x arm); leaves ω x arm in `turned`."""
    for i in range(3):
        turning[i] = 0.0
    add_cross(spin, arm, 1.0, turning)
    add_cross(spin, turning, factor, out)


@kernel(internal=True)
def _second_rate_of_dot(spin_a, spin_b, rate, second, element):
    """ü·w + 2 u̇·ẇ + u·ẅ with u̇ = ω_A x u + φ̇ ∂u/∂φ."""
    u = element[U]
    w = element[W]
    side = element[SIDE]
    u_rate = element[FIRST_ROW]
    w_rate = element[FIRST_ROW + 1]
    centripetal = element[FIRST_ROW + 2]
    for i in range(3):
        centripetal[i] = second * side[i] - rate * rate * u[i]
    _add_centripetal(spin_a, u, 1.0, u_rate, centripetal)
    add_cross(spin_a, side, 2.0 * rate, centripetal)
    for i in range(3):
        u_rate[i] += rate * side[i]
    total = dot(centripetal, w)
    for i in range(3):
        centripetal[i] = 0.0
    _add_centripetal(spin_b, w, 1.0, w_rate, centripetal)
    return total + 2.0 * dot(u_rate, w_rate) + dot(u, centripetal)
