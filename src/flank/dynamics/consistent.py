"""Consistent motion: velocities that joints allow, then accelerations and reactions of forces.

Velocities change by the least motion, weighed by mass, to C v = -∂c/∂t; then M a + Cᵀλ = Q and
C a = -(d²c/dt² without accelerations). A run starts so, and the trapezoidal rule, which lets
reactions of joints alternate from step to step, ends each of its steps so.
"""

from flank.dynamics.engine import (
    assemble,
    close_step,
    constraint_residual,
    fill_rates,
    fill_second_rates,
    put_masses,
)
from flank.dynamics.model import CONTACTS
from flank.dynamics.motion import fill_right, solve_step
from flank.dynamics.scatter import clear_tangent, copy_rows, target_of
from flank.dynamics.status import OK, OPEN_JOINT, SINGULAR
from flank.kernel import kernel

OPEN = 1e-9
"""m: a joint open by more is not closed by a step in time."""


@kernel(internal=True)
def note_start(model, state, time, work):
    """Powers and contact forces of the state that a run starts from, made consistent before."""
    close_step(model, state, time, 0.0, work)
    for k in range(model.counts[CONTACTS]):
        state.accepted_force[k] = state.contact_results[k].normal_force


@kernel(internal=True)
def make_consistent(model, state, time, work):
    """Returns a status; fills velocity, acceleration, auxiliary and multipliers.

    A joint that is open stays so: closing it within a step would throw its bodies.
    """
    for i in range(state.multipliers.shape[0]):
        state.multipliers[i] = 0.0
    for body in range(state.acceleration.shape[0]):
        for i in range(state.acceleration.shape[1]):
            state.acceleration[body, i] = 0.0
    first_pass = 0 if model.constraint_count > 0 else 1
    for which in range(first_pass, 2):  # one place that calls `assemble` compiles faster than two
        assemble(model, state, time, work, 0.0, 1.0, 0.0)
        residual, _rounded = constraint_residual(model, state, work.constraint)
        if residual > OPEN:
            return OPEN_JOINT
        # The tangent becomes (0, Cᵀ; C, 0), without blocks between leaves and others.
        clear_tangent(target_of(model, work, 0.0, 0.0), work.step.shape[1] * model.core_count)
        put_masses(model, state, work)
        if which == 0:
            fill_momenta(model, state, work)
            fill_rates(model, time, work)
        else:
            fill_second_rates(model, state, time, work)
        fill_right(model, work, 1.0, 1.0)
        if not solve_step(model, work):
            return SINGULAR
        for body in range(1, work.step.shape[0]):
            for i in range(work.step.shape[1]):
                if which == 0:
                    state.velocity[body, i] = work.step[body, i]
                else:
                    state.acceleration[body, i] = work.step[body, i]
    for i in range(model.constraint_count):
        state.multipliers[i] = work.multiplier_step[i]
    copy_rows(state.acceleration, state.auxiliary)
    return OK


@kernel(internal=True)
def fill_momenta(model, state, work):
    """work.force = M v."""
    coordinates = work.step.shape[1]
    for body in range(1, work.step.shape[0]):
        for i in range(coordinates):
            total = 0.0
            if body <= model.core_count:
                row = coordinates * (body - 1) + i
                for k in range(coordinates * model.core_count):
                    velocity = state.velocity[1 + k // coordinates, k % coordinates]
                    total += work.core[row, k] * velocity
            else:
                for j in range(coordinates):
                    total += work.leaf[body - model.core_count - 1, i, j] * state.velocity[body, j]
            work.force[body, i] = total
