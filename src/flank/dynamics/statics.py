"""Equilibrium by Newton on the analytic tangent, inside a trust region.

Without contact (a body inside its clearance) the tangent is singular and the load has nowhere to
go. The step is therefore taken with a small diagonal σ D added to K and is cut to a trust radius:
a free body travels along its load, in steps that double, until it touches; then K takes over and
σ is negligible. An open joint is closed by a whole step, without the loads where these would run
away with it. A step counts if it lowers the residual or the potential

    Π(q, λ) = energy of contacts and springs - work of dead loads + λ·c(q),

else the radius shrinks. Elastic friction adds what it stores and dissipates at the limits it had
where the step began: no potential knows limits that follow the normal force. What the turning of
forces and these limits add to K can be negative; where it makes a step useless or uphill, the step
is taken without it, which is downhill for certain.
"""

import math
from typing import NamedTuple

from flank.dynamics.accept import freeze_limits
from flank.dynamics.assembly import assemble, force_size
from flank.dynamics.descent import cut_step, gain, joint_work
from flank.dynamics.joints import constraint_residuals, force_round_off, joint_round_off
from flank.dynamics.linear import fill_right, solve_step
from flank.dynamics.scatter import add_diagonal, copy_rows, target_of
from flank.dynamics.status import OK, SINGULAR, TOO_MANY_ITERATIONS
from flank.kernel import kernel

ITERATIONS, REJECTED = range(2)
"""Entries of the counters."""

FIRST_RADIUS = 1e-3
"""Trust radius at the start of a solve, in length scales of the model."""

SMALLEST_REGULARIZATION = 1e-9
"""σ relative to the stiffest diagonal; it bends Newton's direction, never the equilibrium."""

DRIFT = 1e-13
"""m or rad: a joint counts as closed."""

OPEN_JOINT = 1e-9
"""m or rad: above it a step first closes the joints and may raise the potential."""

FORCE_FLOOR = 1e-7
"""N: what round-off of positions leaves in a contact as stiff as steel."""


PATIENCE = 12
"""Steps that may leave the residual as it is while friction slips, before one is shortened."""


class StaticTolerances(NamedTuple):
    """What the search goes by; see run.StaticSettings."""

    force_tolerance: float
    maximum_iterations: int


@kernel
def equilibrium(model, state, time, settings, work, counters):
    """Find the equilibrium downhill of the state's pose at `time`; returns a status."""
    radius = FIRST_RADIUS * model.length_scale
    regularization = 0.0
    stiffest = 1.0
    geometric = 1.0
    bare = False  # the step on trial was taken without the turning of forces
    pull = 1.0  # zero for a step that closes joints and leaves the loads alone
    length = 0.0  # of the step on trial; zero when the pose stands
    old_error, old_drift, old_potential = math.inf, math.inf, math.inf
    least_error = math.inf
    slipping = False  # whether elastic friction slips in the pose that stands
    stalled = 0  # steps that slipped and brought no smaller residual
    for _ in range(settings.maximum_iterations):
        energy, largest = assemble(
            model, state, state.position, state.velocity, time, work, 0.0, 1.0, geometric
        )
        error, drift = _residual(model, state.position, time, work)
        closed = drift <= DRIFT + joint_round_off(state.position)
        floor = FORCE_FLOOR + force_round_off(model, state.position, largest)
        if closed and error <= settings.force_tolerance * largest + floor and error < math.inf:
            return OK
        potential = energy + joint_work(model, state, work)
        closing = old_drift > OPEN_JOINT and drift < 0.5 * old_drift
        failed = not (closing or potential < old_potential or error < 0.9 * old_error)
        if slipping and error > 0.9 * least_error:
            stalled += 1
        if stalled > PATIENCE:  # two sides of a slip that reverses, each downhill of the other
            failed = True
            stalled = 0
        if length > 0.0 and failed:
            _move_back(model, state, work)
            radius = 0.25 * length
        else:
            if length > 0.0:
                radius = max(radius, min(2.0 * length, 4.0 * radius))
                regularization *= 0.1
            frozen, slipping = freeze_limits(
                model.contacts, model.counts[3], state.memory, state.touches
            )
            potential += frozen
            least_error = min(error, least_error)
            old_error, old_drift, old_potential = error, drift, potential
            counters[ITERATIONS] += 1
            stiffest = _scale_joints(model, work)
            _regularize(model, work, max(regularization, SMALLEST_REGULARIZATION * stiffest))
            fill_right(model, work, pull, stiffest)
            bare = geometric == 0.0
            solved = solve_step(model, work)
            length = _step_length(model, work)
            if drift > OPEN_JOINT:
                runaway = pull > 0.0 and length > max(radius, drift)
                failed = not solved or runaway
            else:
                runaway = False
                idle = length <= DRIFT + joint_round_off(state.position)
                failed = not solved or (gain(work) <= 0.0 and not idle)
            if not failed:
                if drift <= OPEN_JOINT and length > radius:
                    cut_step(work, radius / length)
                    length = radius
                _move(model, state, work, pull * stiffest)
                geometric = 1.0
            pull = 0.0 if runaway else 1.0
        if failed:
            counters[REJECTED] += 1
            if bare:
                least = 100.0 * SMALLEST_REGULARIZATION * stiffest
                regularization = max(10.0 * regularization, least)
            if regularization > 1e6 * stiffest:
                return SINGULAR
            geometric = 0.0
            length = 0.0
    return TOO_MANY_ITERATIONS


@kernel(internal=True)
def _residual(model, position, time, work):
    """Largest unbalanced force and largest violation of a joint."""
    error = 0.0
    for body in range(1, model.mass.shape[0]):
        error = max(error, force_size(model.weights, work.force, body))
    constraint_residuals(
        model.joints,
        model.counts[0],
        model.gears,
        model.functions,
        model.function_data,
        position,
        time,
        work.constraint,
    )
    drift = 0.0
    for i in range(model.constraint_count):
        drift = max(drift, abs(work.constraint[i]))
    return error, drift


@kernel(internal=True)
def _scale_joints(model, work):
    """Bring the rows of the joints to the size of the stiffest diagonal, which is returned."""
    size = 3 * model.core_count
    stiffest = 1.0
    for i in range(size):
        stiffest = max(stiffest, abs(work.core[i, i]))
    for leaf in range(model.mass.shape[0] - 1 - model.core_count):
        for i in range(2):
            stiffest = max(stiffest, abs(work.leaf[leaf, i, i]))
    for e in range(model.constraint_count):
        for i in range(size):
            work.core[size + e, i] *= stiffest
            work.core[i, size + e] *= stiffest
    return stiffest


@kernel(internal=True)
def _regularize(model, work, amount):
    target = target_of(model, work)
    for body in range(1, model.mass.shape[0]):
        for i in range(3):
            work.block[0, i] = model.weights[body, i] ** 2
        add_diagonal(target, body, work.block[0], amount)


@kernel(internal=True)
def _step_length(model, work):
    """Largest displacement of the step, turning as a displacement at its weight."""
    length = 0.0
    for body in range(1, model.mass.shape[0]):
        for i in range(3):
            length = max(length, abs(work.step[body, i]) * model.weights[body, i])
    return length


@kernel(internal=True)
def _move(model, state, work, scale):
    """Take the step, keeping the pose before it."""
    copy_rows(state.position, work.saved[0])
    for body in range(1, model.mass.shape[0]):
        for i in range(3):
            state.position[body, i] += work.step[body, i]
    for i in range(model.constraint_count):
        work.multiplier_step[i] *= scale
        state.multipliers[i] += work.multiplier_step[i]


@kernel(internal=True)
def _move_back(model, state, work):
    copy_rows(work.saved[0], state.position)
    for i in range(model.constraint_count):
        state.multipliers[i] -= work.multiplier_step[i]
