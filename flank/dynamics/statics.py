"""Equilibrium by Newton on the analytic tangent, inside a trust region.

Without contact (a body inside its clearance) the tangent is singular and the load has nowhere to
go. The step is therefore taken with a small diagonal σ D added to K and is cut to a trust radius:
a free body travels along its load, in steps that double, until it touches; then K takes over and
σ is negligible. A step counts if it lowers the residual or the potential

    Π(q, λ) = energy of contacts and springs - work of dead loads + λ·c(q),

else the radius shrinks and σ grows, which also turns a step away from an unstable equilibrium.
"""

from flank.dynamics.assembly import assemble, force_size
from flank.dynamics.joints import constraint_residuals
from flank.dynamics.linear import solve_step
from flank.dynamics.scatter import add_diagonal, copy_rows
from flank.dynamics.status import OK, SINGULAR, TOO_MANY_ITERATIONS
from flank.kernel import kernel

SOLVES, ITERATIONS, REJECTED, SWITCHES = range(4)
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


@kernel(internal=True)
def equilibrium(model, state, time, settings, work, counters):
    """Find the equilibrium nearest downhill of the state's pose at `time`; returns a status.

    settings: relative force tolerance, largest number of iterations.
    """
    counters[SOLVES] += 1
    radius = FIRST_RADIUS * model.length_scale
    regularization = 0.0
    energy, largest, error, drift = _evaluate(model, state, time, work)
    for _ in range(int(settings[1])):
        if error <= settings[0] * largest + FORCE_FLOOR and drift <= DRIFT:
            return OK
        counters[ITERATIONS] += 1
        potential = energy + _joint_work(model, state, work)
        stiffest = _scale_joints(model, work)
        floor = SMALLEST_REGULARIZATION * stiffest
        _regularize(model, work, max(regularization, floor))
        _fill_right(model, work, stiffest)
        length = 0.0
        accepted = False
        solved = solve_step(model, work)
        if solved:
            length = _cut_step(model, work, radius, drift)
            _move(model, state, work, stiffest)
            old_error, old_drift = error, drift
            energy, largest, error, drift = _evaluate(model, state, time, work)
            closing = old_drift > OPEN_JOINT and drift < 0.5 * old_drift
            lower = energy + _joint_work(model, state, work) < potential
            accepted = closing or lower or error < 0.9 * old_error
        if accepted:
            radius = max(radius, min(2.0 * length, 4.0 * radius))
            regularization = 0.1 * regularization if regularization > 10.0 * floor else 0.0
            continue
        counters[REJECTED] += 1
        regularization = max(4.0 * regularization, 100.0 * floor)
        if regularization > 1e6 * stiffest:
            return SINGULAR
        if solved:
            radius = 0.25 * length
            _move_back(model, state, work)
        energy, largest, error, drift = _evaluate(model, state, time, work)
    return TOO_MANY_ITERATIONS


@kernel
def equilibria(model, state, times, guesses, settings, work, counters, positions, touches):
    """Equilibria along `times`, each started from the last one moved as the guesses move.

    Returns (status, number of equilibria found); what was found is recorded.
    """
    for k in range(times.shape[0]):
        if k > 0:
            for body in range(1, model.mass.shape[0]):
                for i in range(3):
                    state.position[body, i] += guesses[k, body, i] - guesses[k - 1, body, i]
        status = equilibrium(model, state, times[k], settings, work, counters)
        if status != OK:
            return status, k
        copy_rows(state.position, positions[k])
        for c in range(touches.shape[1]):
            touches[k, c] = state.touches[c]
            closed = state.touches[c].normal_force > 0.0
            if k > 0 and closed != (state.accepted_force[c] > 0.0):
                counters[SWITCHES] += 1
            state.accepted_force[c] = state.touches[c].normal_force
    return OK, times.shape[0]


@kernel(internal=True)
def _evaluate(model, state, time, work):
    """Forces and tangent at the state's pose; returns (energy, largest force, error, drift).

    Error is the largest unbalanced force, drift the largest violation of a joint.
    """
    energy, largest = assemble(model, state, state.position, state.velocity, time, work, 0.0, 1.0)
    error = 0.0
    for body in range(1, model.mass.shape[0]):
        error = max(error, force_size(model, work.force, body))
    constraint_residuals(model, state.position, time, work.constraint)
    drift = 0.0
    for i in range(model.constraint_count):
        drift = max(drift, abs(work.constraint[i]))
    return energy, largest, error, drift


@kernel(internal=True)
def _joint_work(model, state, work):
    total = 0.0
    for i in range(model.constraint_count):
        total += state.multipliers[i] * work.constraint[i]
    return total


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
    work.block[0, 0] = 1.0
    work.block[0, 1] = 1.0
    work.block[0, 2] = model.length_scale**2
    for body in range(1, model.mass.shape[0]):
        add_diagonal(model, work, body, work.block[0], amount)


@kernel(internal=True)
def _fill_right(model, work, scale):
    for body in range(1, model.mass.shape[0]):
        for i in range(3):
            if body <= model.core_count:
                work.right[3 * (body - 1) + i] = work.force[body, i]
            else:
                work.leaf_right[body - model.core_count - 1, i] = work.force[body, i]
    for i in range(model.constraint_count):
        work.right[3 * model.core_count + i] = -scale * work.constraint[i]


@kernel(internal=True)
def _cut_step(model, work, radius, drift):
    """Shorten a step beyond the trust radius and return its length.

    While joints are still open the step closes them and is left whole.
    """
    length = 0.0
    for body in range(1, model.mass.shape[0]):
        turned = abs(work.step[body, 2]) * model.length_scale
        length = max(length, abs(work.step[body, 0]), abs(work.step[body, 1]), turned)
    if length > radius and drift < OPEN_JOINT:
        factor = radius / length
        for body in range(1, model.mass.shape[0]):
            for i in range(3):
                work.step[body, i] *= factor
        length = radius
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
