"""Equilibrium of spatial bodies by Newton on the analytic tangent, inside a trust region.

As in the plane (dynamics/statics.py): a small diagonal σ is added to K, so that what nothing holds
stays where it is; a step is cut to a trust radius and counts if it lowers the potential or the
residual, else the radius shrinks. The potential changes by that of contacts and bushings, by λ·c,
and by minus the work of the loads along the step, which need not have a potential. Where the
turning of forces makes a step useless or uphill, it is taken without.
"""

import math
from typing import NamedTuple

from flank.dynamics.spatial.assembly import assemble, force_size
from flank.dynamics.spatial.linear import solve_step
from flank.dynamics.spatial.motion import go_back, keep, place
from flank.dynamics.spatial.scatter import add_to_body, copy, target_of
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
    length = 0.0  # of the step on trial; zero when the pose stands
    old_error, old_drift, old_potential = math.inf, math.inf, math.inf
    for _ in range(settings.maximum_iterations):
        energy, largest = assemble(model, state, time, work, 0.0, 1.0, geometric)
        error, drift = _residual(model, work)
        enough = settings.force_tolerance * largest + FORCE_FLOOR
        if drift <= DRIFT and error <= enough and error < math.inf:
            return OK
        potential = energy + _joint_work(model, state, work)
        if length > 0.0:
            potential -= _work_of_loads(work)
        closing = old_drift > OPEN_JOINT and drift < 0.5 * old_drift
        good = closing or potential < old_potential or error < 0.9 * old_error
        if length > 0.0 and not good:
            go_back(state, work)
            counters[REJECTED] += 1
            radius = 0.25 * length
            geometric = 1.0
            length = 0.0
            old_potential = math.inf  # counted anew with the pose that stands
            continue
        if length > 0.0:
            radius = max(radius, min(2.0 * length, 4.0 * radius))
            regularization *= 0.1
        old_error, old_drift = error, drift
        old_potential = energy + _joint_work(model, state, work)
        counters[ITERATIONS] += 1
        stiffest = _scale_joints(model, work)
        # What nothing holds turns with the unbalanced torques: σ must outweigh these.
        least = max(SMALLEST_REGULARIZATION * stiffest, error / model.length_scale)
        _regularize(model, work, max(regularization, least))
        _fill_right(model, work, stiffest)
        solved = solve_step(model, work)
        length = _step_length(model, work)
        uphill = drift <= OPEN_JOINT and length > DRIFT and _gain(work) <= 0.0
        if not solved or uphill:
            counters[REJECTED] += 1
            if geometric == 0.0:
                regularization = max(10.0 * regularization, 100.0 * least)
            if regularization > 1e6 * stiffest:
                return SINGULAR
            geometric = 0.0
            length = 0.0
            continue
        if drift <= OPEN_JOINT and length > radius:
            _cut_step(work, radius / length)
            length = radius
        copy(work.load, work.saved_load)
        _move(model, state, work, stiffest)
        geometric = 1.0
    return TOO_MANY_ITERATIONS


@kernel(internal=True)
def _residual(model, work):
    """Largest unbalanced force and largest violation of a joint."""
    error = 0.0
    for body in range(1, model.mass.shape[0]):
        error = max(error, force_size(work.force[body], model.length_scale))
    drift = 0.0
    for i in range(model.constraint_count):
        drift = max(drift, abs(work.constraint[i]))
    return error, drift


@kernel(internal=True)
def _joint_work(model, state, work):
    total = 0.0
    for i in range(model.constraint_count):
        total += state.multipliers[i] * work.constraint[i]
    return total


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
def _fill_right(model, work, scale):
    for body in range(1, model.mass.shape[0]):
        for i in range(6):
            if body <= model.core_count:
                work.right[6 * (body - 1) + i] = work.force[body, i]
            else:
                work.leaf_right[body - model.core_count - 1, i] = work.force[body, i]
    for i in range(model.constraint_count):
        work.right[6 * model.core_count + i] = -scale * work.constraint[i]


@kernel(internal=True)
def _gain(work):
    """Work of the unbalanced forces along the step: what the potential falls by at first."""
    total = 0.0
    for body in range(1, work.step.shape[0]):
        for i in range(6):
            total += work.force[body, i] * work.step[body, i]
    return total


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
def _cut_step(work, factor):
    """Shorten the motion; the joints' reactions are known at once and are not shortened."""
    for body in range(1, work.step.shape[0]):
        for i in range(6):
            work.step[body, i] *= factor


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
