"""Velocities that the joints allow, then accelerations and reactions that go with them.

Velocities change by the least motion, weighed by mass, to C v = -∂c/∂t; then M a + Cᵀλ = Q and
C a = -(d²c/dt² without accelerations). A run starts so, and the trapezoidal rule, which lets
reactions of joints alternate from step to step, ends each of its steps so.
"""

import math

from flank.dynamics.linear import factorize, invert_3, substitute
from flank.dynamics.scatter import copy_rows
from flank.dynamics.spatial.assembly import assemble
from flank.dynamics.spatial.condition_rates import explicit_rates, second_rates
from flank.dynamics.spatial.inertia import MOMENTUM, TENSOR, fill_tensor, fill_torque
from flank.dynamics.spatial.openings import OPEN, opening
from flank.dynamics.spatial.rotation import apply
from flank.dynamics.status import OK, OPEN_JOINT, SINGULAR
from flank.kernel import kernel


@kernel
def make_consistent(model, state, time, work):
    """Returns a status; fills velocity, acceleration, auxiliary and multipliers.

    A joint that is open stays so: closing it within a step would throw its bodies.
    """
    for i in range(state.multipliers.shape[0]):
        state.multipliers[i] = 0.0
    first_pass = 0 if model.constraint_count > 0 else 1
    for which in range(first_pass, 2):  # one place that calls `assemble` compiles faster than two
        assemble(model, state, time, work, 0.0, 1.0, 0.0)
        open_by, _rounded = opening(model, state, work.constraint)
        if open_by > OPEN:
            return OPEN_JOINT
        _put_masses(model, state, work)
        if which == 0:
            _fill_momenta(model, state, time, work)
        elif not _fill_forces(model, state, time, work):
            return SINGULAR
        if not _solve_core(model, work):
            return SINGULAR
        for k in range(6 * model.core_count):
            if which == 0:
                state.velocity[1 + k // 6, k % 6] = work.right[k]
            else:
                state.acceleration[1 + k // 6, k % 6] = work.right[k]
    for i in range(model.constraint_count):
        state.multipliers[i] = work.right[6 * model.core_count + i]
    copy_rows(state.acceleration, state.auxiliary)
    total = 0.0
    for body in range(1, state.velocity.shape[0]):
        for i in range(6):
            total += abs(state.acceleration[body, i]) + abs(state.velocity[body, i])
    return OK if total < math.inf else SINGULAR


@kernel(internal=True)
def _fill_momenta(model, state, time, work):
    """Right-hand side of the velocities, M v, and the rates that the joints ask for."""
    for body in range(1, model.core_count + 1):
        first = 6 * (body - 1)
        fill_tensor(state.matrix[body], model.inertia[body], work.element)
        apply(
            work.element[TENSOR : TENSOR + 3, 0:3],
            state.velocity[body, 3:6],
            work.element[MOMENTUM],
        )
        for i in range(3):
            work.right[first + i] = model.mass[body] * state.velocity[body, i]
            work.right[first + 3 + i] = work.element[MOMENTUM, i]
    explicit_rates(
        model.conditions,
        model.counts[0],
        model.functions,
        model.function_data,
        time,
        work.constraint,
    )


@kernel(internal=True)
def _fill_forces(model, state, time, work):
    """Right-hand side of the accelerations, Q - ω x Jω; those of leaves are found at once."""
    torque = work.element[15]
    for body in range(1, model.mass.shape[0]):
        for i in range(3):
            torque[3 + i] = 0.0
        spin = state.velocity[body, 3:6]
        fill_torque(
            state.matrix[body], model.inertia[body], spin, torque[3:6], work.element, torque[0:3]
        )
        for i in range(3):
            work.force[body, 3 + i] -= torque[i]
        if body <= model.core_count:
            for i in range(6):
                work.right[6 * (body - 1) + i] = work.force[body, i]
        else:
            tensor = work.element[TENSOR : TENSOR + 3, 0:3]
            if not invert_3(tensor):
                return False
            apply(tensor, work.force[body, 3:6], state.acceleration[body, 3:6])
            for i in range(3):
                state.acceleration[body, i] = work.force[body, i] / model.mass[body]
    second_rates(
        model.conditions,
        model.counts[0],
        model.functions,
        model.function_data,
        state.position,
        state.matrix,
        state.velocity,
        time,
        work.element,
        work.constraint,
    )
    return True


@kernel(internal=True)
def _put_masses(model, state, work):
    """The tangent becomes (M, Cᵀ; C, 0)."""
    unknowns = 6 * model.core_count
    for i in range(unknowns):
        for j in range(unknowns):
            work.core[i, j] = 0.0
    for body in range(1, model.core_count + 1):
        first = 6 * (body - 1)
        fill_tensor(state.matrix[body], model.inertia[body], work.element)
        for i in range(3):
            work.core[first + i, first + i] = model.mass[body]
            for j in range(3):
                work.core[first + 3 + i, first + 3 + j] = work.element[TENSOR + i, j]


@kernel(internal=True)
def _solve_core(model, work):
    """Solve with work.right for the bodies and minus work.constraint for the joints."""
    unknowns = 6 * model.core_count
    size = unknowns + model.constraint_count
    for i in range(model.constraint_count):
        work.right[unknowns + i] = -work.constraint[i]
    if size > 0 and not factorize(work.core, work.pivots, work.filled, size):
        return False
    substitute(work.core, work.pivots, work.right, size)
    return True
