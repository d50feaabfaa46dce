"""Poses in kernels, whichever engine they are of: solve for a step, keep, move, go back."""

import math

from flank.dynamics.elimination import NOT_SOLVED, solve_core
from flank.dynamics.engine import (
    displace,
    eliminate_leaves,
    go_back_more,
    keep_memory,
    keep_more,
    place,
    put_more,
    recover_leaves,
    weight,
)
from flank.dynamics.model import CONTACTS
from flank.dynamics.scatter import copy_rows
from flank.kernel import kernel
from flank.team import rank, team_largest, team_size, team_sum, wait


@kernel(internal=True)
def unbalanced_force(model, work):
    """Largest unbalanced force, torques at their weight; ∞ for nonsense."""
    error = 0.0
    total = 0.0
    for body in range(1 + rank(), work.force.shape[0], team_size()):
        for i in range(work.force.shape[1]):
            size = abs(work.force[body, i]) / weight(model, body, i)
            error = max(error, size)
            total += size  # max would pass over what is not a number
    error = team_largest(error)
    return error if team_sum(total) < math.inf else math.inf


@kernel(internal=True)
def fill_right(model, work, share, scale):
    """Right-hand side of a step: unbalanced forces times `share`, then violations of the joints."""
    coordinates = len(model.coordinates)
    for body in range(1 + rank(), model.mass.shape[0], team_size()):
        for i in range(coordinates):
            force = share * work.force[body, i]
            if body <= model.core_count:
                work.right[coordinates * (body - 1) + i] = force
            else:
                work.leaf_right[body - model.core_count - 1, i] = force
    for i in range(rank(), model.constraint_count, team_size()):
        work.right[coordinates * model.core_count + i] = -scale * work.constraint[i]
    wait()


@kernel(internal=True)
def solve_step(model, work):
    """Solve the assembled system; fills work.step and work.multiplier_step.

    Returns False for a singular system and for a step that is not finite.
    """
    return eliminate(model, work) != NOT_SOLVED and spread_step(model, work)


@kernel(internal=True)
def eliminate(model, work):
    """Solve for the core's unknowns, in place of work.right; returns what `solve_core` does."""
    size = len(model.coordinates) * model.core_count + model.constraint_count
    if not eliminate_leaves(model, work):
        return NOT_SOLVED
    return solve_core(
        model.elimination, work.core, work.kept_core, work.pivots, work.filled, work.right, size
    )


@kernel(internal=True)
def spread_step(model, work):
    """work.step and work.multiplier_step out of the core's unknowns; False if not finite."""
    coordinates = len(model.coordinates)
    unknowns = coordinates * model.core_count
    right = work.right
    total = 0.0
    for k in range(rank(), unknowns, team_size()):
        work.step[1 + k // coordinates, k % coordinates] = right[k]
    for i in range(rank(), model.constraint_count, team_size()):
        work.multiplier_step[i] = right[unknowns + i]
        total += abs(right[unknowns + i])
    wait()
    recover_leaves(model, work)
    wait()
    for body in range(1 + rank(), work.step.shape[0], team_size()):
        for i in range(coordinates):
            total += abs(work.step[body, i])
    return team_sum(total) < math.inf


@kernel(internal=True)
def keep(state, work):
    """Keep everything a step changes; rotations are counted from here."""
    for body in range(rank(), state.position.shape[0], team_size()):
        for i in range(3):
            work.saved[0, body, i] = state.position[body, i]
    copy_rows(state.velocity, work.saved[1])
    copy_rows(state.acceleration, work.saved[2])
    copy_rows(state.auxiliary, work.saved[3])
    for i in range(rank(), state.multipliers.shape[0], team_size()):
        work.saved_multipliers[i] = state.multipliers[i]
    keep_more(state, work)


@kernel(internal=True)
def go_back(state, work):
    """Back to where `keep` was called; what friction remembers has not changed since."""
    for body in range(rank(), state.position.shape[0], team_size()):
        for i in range(3):
            state.position[body, i] = work.saved[0, body, i]
    copy_rows(work.saved[1], state.velocity)
    copy_rows(work.saved[2], state.acceleration)
    copy_rows(work.saved[3], state.auxiliary)
    for i in range(rank(), state.multipliers.shape[0], team_size()):
        state.multipliers[i] = work.saved_multipliers[i]
    go_back_more(state, work)
    wait()


@kernel(internal=True)
def take_step(model, state, work, scale):
    """Move by work.step, keeping the pose before it; reactions change by `scale` times theirs."""
    keep(state, work)
    wait()
    for body in range(1 + rank(), work.step.shape[0], team_size()):
        for i in range(work.step.shape[1]):
            displace(state, body, i, work.step[body, i])
    place(state, work)
    for i in range(rank(), model.constraint_count, team_size()):
        state.multipliers[i] += scale * work.multiplier_step[i]
    wait()


@kernel
def accept_pose(model, state):
    """`accept` with an entry from Python, which unpacks all of a model: none for every step."""
    return accept(model, state)


@kernel(internal=True)
def accept(model, state):
    """Make the pose just evaluated the one the next step counts from; returns contacts switched.

    Solvers call it once for every equilibrium or time step they keep, never on the way to one.
    """
    keep_memory(model, state, state.memory)
    switched = 0
    for k in range(rank(), model.counts[CONTACTS], team_size()):
        new = state.contact_results[k].normal_force
        if (new > 0.0) != (state.accepted_force[k] > 0.0):
            switched += 1
        state.accepted_force[k] = new
    wait()
    return team_sum(switched)


@kernel(internal=True)
def put_record(record, state, row):
    """Record a state."""
    copy_rows(state.position, record.position[row])
    copy_rows(state.velocity, record.velocity[row])
    for i in range(record.multipliers.shape[1]):
        record.multipliers[row, i] = state.multipliers[i]
    for c in range(record.contact_results.shape[1]):
        record.contact_results[row, c] = state.contact_results[c]
    put_more(state, record, row)
