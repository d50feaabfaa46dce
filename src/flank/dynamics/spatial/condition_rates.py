"""Rates of the conditions of joints: ∂c/∂t, and d²c/dt² without accelerations."""

from flank.dynamics.functions import function_value
from flank.dynamics.spatial.conditions import (
    ARM_A,
    ARM_B,
    BETWEEN,
    FIRST_ROW,
    SIDE,
    U,
    W,
    prepare,
)
from flank.dynamics.spatial.rotation import add_cross, dot
from flank.dynamics.spatial.tables import ALONG, ANGLE, POINT
from flank.kernel import kernel


@kernel(internal=True)
def explicit_rates(conditions, count, functions, data, time, out):
    """∂c/∂t of every equation."""
    for k in range(count):
        condition = conditions[k]
        _value, rate, _second = function_value(functions[condition.function], data, time)
        first = condition.first
        if condition.kind == POINT:
            for i in range(3):
                out[first + i] = 0.0
        elif condition.kind == ALONG:
            out[first] = -rate
        else:
            out[first] = rate if condition.kind == ANGLE else 0.0


@kernel(internal=True)
def second_rates(
    conditions, count, functions, data, position, matrix, velocity, time, element, out
):
    """d²c/dt² of every equation without the accelerations: Ċ v + ∂(Cv)/∂t + ∂²c/∂t²."""
    for k in range(count):
        condition = conditions[k]
        _value, rate, second = prepare(condition, functions, data, position, matrix, time, element)
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
        if condition.kind == POINT or condition.kind == ALONG:
            # The acceleration of p_B - p_A by turning alone.
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
