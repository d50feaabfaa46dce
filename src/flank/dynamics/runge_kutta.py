"""Motion in time by the classical Runge-Kutta method of order four, explicit, in equal steps.

Accelerations follow from forces at four places of a step. With joints the index is reduced: at
every place M a + Cᵀλ = Q and C a = -(d²c/dt² without accelerations), which is Eq. 3 of Jørgensen,
Pedersen and Sørensen (2014); what the step leaves open of the joints, in positions and velocities,
is closed at its end by the least motion, weighed by mass.

No system with a stiffness is solved, and so no step is stable that is longer than 2.83 over the
highest natural frequency (2.79 over the fastest rate of decay): `stability.longest_stable_step`.
"""

from flank.dynamics.consistent import fill_momenta
from flank.dynamics.engine import (
    assemble,
    constraint_residual,
    fill_rates,
    fill_second_rates,
    put_masses,
)
from flank.dynamics.march import CLOSED, ITERATIONS, STEPS, SWITCHES, pushed_through
from flank.dynamics.motion import accept, fill_right, keep, put_record, solve_step
from flank.dynamics.scatter import clear_rows, clear_tangent, target_of
from flank.dynamics.status import OK, PUSHED_THROUGH, UNSTABLE
from flank.kernel import kernel

POSITIONS, VELOCITIES, ACCELERATIONS = range(3)
"""What `_solve_for` solves for."""

MOST_CLOSINGS = 6
"""Steps by which positions are brought back into joints; one is enough for short time steps."""

LARGEST_SPEED = 1e9
"""m/s, rad/s: whatever moves faster is not moving."""


@kernel
def march_explicitly(model, state, times, stride, longest, work, sums, counters, record):
    """Integrate over `times` in steps of at most `longest`, recording every `stride` intervals.

    The state has the accelerations of its pose, and has them when it is left. `sums` (2, bodies, 3)
    is scratch. Returns (status, number of intervals done).
    """
    for k in range(times.shape[0] - 1):
        interval = times[k + 1] - times[k]
        count = max(1, int(interval / longest + 1.0 - 1e-9))
        h = interval / count
        for n in range(count):
            status = _step(model, state, times[k] + n * h, h, work, sums, counters)
            if status == OK and pushed_through(model, state):
                status = PUSHED_THROUGH
            if status != OK:
                return status, k
            counters[SWITCHES] += accept(model, state)
            counters[STEPS] += 1
        if (k + 1) % stride == 0:
            put_record(record, state, (k + 1) // stride - 1)
    return OK, times.shape[0] - 1


@kernel(internal=True)
def _step(model, state, time, h, work, sums, counters):
    keep(state, work)
    clear_rows(sums[0])
    clear_rows(sums[1])
    for stage in range(4):
        weight = 1.0 if stage == 0 or stage == 3 else 2.0
        share = h if stage == 2 else 0.5 * h  # from here to the next stage
        for body in range(1, state.velocity.shape[0]):
            for i in range(3):
                velocity = state.velocity[body, i]
                acceleration = state.acceleration[body, i]
                sums[0, body, i] += weight * velocity
                sums[1, body, i] += weight * acceleration
                state.position[body, i] = work.saved[0, body, i] + share * velocity
                state.velocity[body, i] = work.saved[1, body, i] + share * acceleration
        if stage < 3 and not _solve_for(ACCELERATIONS, model, state, time + share, work, counters):
            return UNSTABLE
    for body in range(1, state.velocity.shape[0]):
        for i in range(3):
            state.position[body, i] = work.saved[0, body, i] + h * sums[0, body, i] / 6.0
            state.velocity[body, i] = work.saved[1, body, i] + h * sums[1, body, i] / 6.0
    return _close(model, state, time + h, work, counters)


@kernel(internal=True)
def _close(model, state, time, work, counters):
    """End of a step: joints closed, accelerations and reactions of forces."""
    for _ in range(MOST_CLOSINGS if model.constraint_count > 0 else 0):
        if not _solve_for(POSITIONS, model, state, time, work, counters):
            return UNSTABLE
        drift, rounded = constraint_residual(model, state, work.constraint)  # before the step
        if drift <= CLOSED * model.length_scale + rounded:
            break
    if model.constraint_count > 0 and not _solve_for(
        VELOCITIES, model, state, time, work, counters
    ):
        return UNSTABLE
    return OK if _solve_for(ACCELERATIONS, model, state, time, work, counters) else UNSTABLE


@kernel(internal=True)
def _solve_for(what, model, state, time, work, counters):
    """Positions or velocities that joints allow, nearest to those of the state; or accelerations
    and multipliers. False for what is not finite."""
    counters[ITERATIONS] += 1
    for i in range(state.multipliers.shape[0]):
        state.multipliers[i] = 0.0
    clear_rows(state.acceleration)
    assemble(model, state, time, work, 0.0, 1.0, 0.0)
    clear_tangent(target_of(model, work, 0.0, 0.0), 3 * model.core_count)
    put_masses(model, state, work)
    if what == POSITIONS:
        clear_rows(work.force)
    elif what == VELOCITIES:
        fill_momenta(model, state, work)
        fill_rates(model, time, work)
    else:
        fill_second_rates(model, state, time, work)
    fill_right(model, work, 1.0, 1.0)
    if not solve_step(model, work):
        return False
    for body in range(1, state.velocity.shape[0]):
        for i in range(3):
            step = work.step[body, i]
            if what == POSITIONS:
                state.position[body, i] += step
            elif what == VELOCITIES:
                state.velocity[body, i] = step
            else:
                state.acceleration[body, i] = step
            if not abs(state.velocity[body, i]) < LARGEST_SPEED:
                return False
    if what == ACCELERATIONS:
        for i in range(model.constraint_count):
            state.multipliers[i] = work.multiplier_step[i]
    return True
