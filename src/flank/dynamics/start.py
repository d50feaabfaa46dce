"""A consistent start: velocities that the joints allow, then accelerations and reactions."""

import numpy as np
from numpy.typing import NDArray

from flank.dynamics.assembly import assemble
from flank.dynamics.beams import mass_matrices
from flank.dynamics.joints import constraint_rate, constraint_second_rate
from flank.dynamics.model import Model, State, Workspace
from flank.dynamics.status import OK, SINGULAR


def start_consistently(model: Model, state: State, work: Workspace) -> int:
    """Make velocities and accelerations at time zero agree with joints and forces.

    Velocities change by the least motion (weighed by mass) that satisfies C v = -∂c/∂t; then
    M a + Cᵀλ = Q, C a = -Ċ v - ∂²c/∂t². Returns a status.
    """
    joints = (model.joints, model.counts[0], model.functions, model.function_data)
    core, constraints = 3 * model.core_count, model.constraint_count
    rows = np.zeros((constraints, model.mass[1:].size))
    mass = mass_matrices(model.mass, model.beams)[:, 1:, 1:]
    state.multipliers[:] = 0.0
    try:
        assemble(model, state, state.position, state.velocity, 0.0, work, 0.0, 1.0, 0.0)
        rows[:, :core] = work.core[core : core + constraints, :core]
        constraint_rate(*joints, 0.0, work.constraint)
        momentum = np.einsum("ijk,ki->ji", mass, state.velocity[1:])
        velocity, _ = _solve(mass, rows, momentum, work.constraint[:constraints])
        state.velocity[1:] = velocity
        assemble(model, state, state.position, state.velocity, 0.0, work, 0.0, 1.0, 0.0)
        constraint_second_rate(
            *joints, model.gears, state.position, state.velocity, 0.0, work.constraint
        )
        acceleration, reactions = _solve(mass, rows, work.force[1:], work.constraint[:constraints])
    except np.linalg.LinAlgError:
        return SINGULAR
    if not (np.isfinite(acceleration).all() and np.isfinite(velocity).all()):
        return SINGULAR
    state.acceleration[1:] = acceleration
    state.auxiliary[1:] = acceleration
    state.multipliers[:constraints] = reactions
    state.accepted_force[:] = state.touches["normal_force"]
    return OK


def _solve(
    mass: NDArray, rows: NDArray, force: NDArray, target: NDArray
) -> tuple[NDArray, NDArray]:
    """x and λ of M x + Cᵀλ = force, C x = target."""
    sides = np.column_stack([force.ravel(), rows.T]).reshape(*force.shape, -1)
    moved = (
        np.linalg.solve(mass, sides.transpose(1, 0, 2))
        .transpose(1, 0, 2)
        .reshape(rows.shape[1], -1)
    )
    free, response = moved[:, 0], moved[:, 1:]
    multipliers = np.linalg.solve(rows @ response, rows @ free - target)
    return (free - response @ multipliers).reshape(-1, 3), multipliers
