"""Equilibrium of spatial bodies by Newton on the analytic tangent, inside a trust region.

As in the plane (dynamics/statics.py): a small diagonal σ is added to K, so that what nothing holds
stays where it is; a step is cut to a trust radius and counts if it lowers the potential or the
residual, else the radius shrinks. The potential changes by that of contacts and bushings, by λ·c,
and by minus the work of the loads along the step, which need not have a potential. Where the
turning of forces makes a step useless or uphill, it is taken without. Open joints
are closed first, by the least stiffness and whatever the forces, or a step could go any way.
"""

import math
from typing import NamedTuple

from flank.dynamics.descent import cut_step, gain, joint_work
from flank.dynamics.linear import fill_right
from flank.dynamics.scatter import copy_rows, target_of
from flank.dynamics.spatial.assembly import assemble, force_size
from flank.dynamics.spatial.linear import solve_step
from flank.dynamics.spatial.motion import go_back, keep, place
from flank.dynamics.spatial.openings import CLOSED, OPEN, ROUND_OFF, opening
from flank.dynamics.spatial.scatter import add_to_body
from flank.dynamics.status import OK, SINGULAR, TOO_MANY_ITERATIONS
from flank.kernel import kernel

ITERATIONS, REJECTED = range(2)
"""Entries of the counters."""

FIRST_RADIUS = 1e-3
"""Trust radius at the start of a solve, in length scales of the model."""

SMALLEST_REGULARIZATION = 1e-9
"""σ relative to the stiffest diagonal; it bends Newton's direction, never the equilibrium."""


class SpatialStaticTolerances(NamedTuple):
    """What the search goes by; see run.SpatialStaticSettings."""

    force_tolerance: float
    maximum_iterations: int


@kernel
def equilibrium(model, state, time, settings, work, counters):
    """Find the equilibrium downhill of the state's pose at `time`; returns a status."""
    radius = FIRST_RADIUS * model.length_scale
    regularization = 0.0
    stiffest = 1.0
    geometric = 1.0
    closing = False  # whether a step closes joints
    share = 1.0  # of such a step
    length = 0.0  # of the step on trial; zero when the pose stands
    old_error, old_drift, old_potential = math.inf, math.inf, math.inf
    for _ in range(settings.maximum_iterations):
        energy, largest = assemble(model, state, time, work, 0.0, 1.0, geometric)
        error = _residual(model, work)
        drift, rounded = opening(model, state, work.constraint)
        rounded += ROUND_OFF * model.length_scale
        enough = settings.force_tolerance * largest + rounded * stiffest
        closed = drift <= CLOSED * model.length_scale + rounded
        if closed and error <= enough and error < math.inf:
            return OK
        potential = energy + joint_work(model, state, work)
        if length > 0.0:
            potential -= _work_of_loads(work)
        if closing:
            good = drift < (1.0 - 0.1 * share) * old_drift
        else:
            good = potential < old_potential or error < 0.9 * old_error
        if length > 0.0 and not good:
            go_back(state, work)
            counters[REJECTED] += 1
            if closing:
                share *= 0.25
            else:
                radius = 0.25 * length
            geometric = 1.0
            length = 0.0
            old_potential = math.inf  # counted anew with the pose that stands
            continue
        if length > 0.0:
            if closing:
                share = min(2.0 * share, 1.0)
            else:
                radius = max(radius, min(2.0 * length, 4.0 * radius))
            regularization *= 0.1
        closing = drift > OPEN
        if closing and geometric > 0.0:
            geometric = 0.0
            length = 0.0
            continue
        old_error, old_drift = error, drift
        old_potential = energy + joint_work(model, state, work)
        counters[ITERATIONS] += 1
        stiffest = _scale_joints(model, work)
        # What nothing holds turns with the unbalanced torques: σ must outweigh these.
        least = max(SMALLEST_REGULARIZATION * stiffest, error / model.length_scale)
        _regularize(model, work, max(regularization, least))
        fill_right(model, work, 0.0 if closing else 1.0, stiffest)
        solved = solve_step(model, work)
        length = _step_length(model, work)
        moves = length > 10.0 * drift + CLOSED * model.length_scale
        uphill = not closing and moves and gain(work) <= 0.0
        if not solved or uphill:
            counters[REJECTED] += 1
            if geometric == 0.0:
                regularization = max(10.0 * regularization, 100.0 * least)
            if regularization > 1e6 * stiffest:
                return SINGULAR
            geometric = 0.0
            length = 0.0
            continue
        cut = share if closing else radius / max(length, radius)
        if cut < 1.0:
            cut_step(work, cut)
            length *= cut
        copy_rows(work.load, work.saved_load)
        _move(model, state, work, stiffest)
        geometric = 1.0
    return TOO_MANY_ITERATIONS


@kernel(internal=True)
def _residual(model, work):
    """Largest unbalanced force."""
    error = 0.0
    for body in range(1, model.mass.shape[0]):
        error = max(error, force_size(work.force[body], model.length_scale))
    return error


@kernel(internal=True)
def _work_of_loads(work):
    """Along the step just taken, loads as straight lines over it."""
    total = 0.0
    for body in range(1, work.step.shape[0]):
        for i in range(6):
            total += 0.5 * (work.load[body, i] + work.saved_load[body, i]) * work.step[body, i]
    return total


@kernel(internal=True)
def _scale_joints(model, work):
    """Bring the rows of the joints to the size of the stiffest diagonal, which is returned."""
    size = 6 * model.core_count
    stiffest = 1.0
    for i in range(size):
        if i % 6 < 3:
            stiffest = max(stiffest, abs(work.core[i, i]))
    for leaf in range(model.mass.shape[0] - 1 - model.core_count):
        for i in range(3):
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
        for i in range(6):
            weight = 1.0 if i < 3 else model.length_scale**2
            add_to_body(target, body, i, i, amount * weight)


@kernel(internal=True)
def _step_length(model, work):
    """Largest displacement of the step, rotations at the length scale."""
    length = 0.0
    for body in range(1, work.step.shape[0]):
        for i in range(6):
            size = abs(work.step[body, i])
            length = max(length, size if i < 3 else size * model.length_scale)
    return length


@kernel(internal=True)
def _move(model, state, work, scale):
    """Take the step, keeping the pose before it."""
    keep(state, work)
    for body in range(1, work.step.shape[0]):
        for i in range(3):
            state.position[body, i] += work.step[body, i]
            state.turned[body, i] = work.step[body, 3 + i]
    place(state, work)
    for i in range(model.constraint_count):
        state.multipliers[i] += scale * work.multiplier_step[i]
