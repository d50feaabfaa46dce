"""Generalized-alpha for constrained multibody systems (Chung & Hulbert 1993; Arnold & Brüls 2007).

With the auxiliary acceleration A and the spectral radius ρ at infinite frequency

    (1 - α_m) A₁ + α_m A₀ = (1 - α_f) a₁ + α_f a₀
    q₁ = q₀ + h v₀ + h² [(1/2 - β) A₀ + β A₁],    v₁ = v₀ + h [(1 - γ) A₀ + γ A₁]
    α_m = (2ρ - 1)/(ρ + 1),  α_f = ρ/(ρ + 1),  γ = 1/2 + α_f - α_m,  β = (γ + 1/2)²/4

and M a₁ = Q(q₁, v₁, t₁) - Cᵀλ₁, c(q₁, t₁) = 0 at the end of the step, solved by Newton on the
analytic tangent, rebuilt in every iteration, so a contact that opens or closes inside a step is
in it.

After a converged step the force of contacts that switched is the discontinuity error
(arXiv 2604.02387, Eq. 24); a step where it exceeds its share of the largest force is halved, and
steps grow back afterwards. So is a step whose error is large against the penetration, or impacts
without damping gain energy. Joints ring after a change of step (their reactions alternate and die
out by ρ): light parts that rattle are better tied by springs.
"""

import math
from typing import NamedTuple

from flank.dynamics.accept import accept_pose
from flank.dynamics.assembly import assemble, force_size
from flank.dynamics.beams import add_beam_inertia, heaviest_beam
from flank.dynamics.joints import constraint_residuals, force_round_off, joint_round_off
from flank.dynamics.linear import solve_step
from flank.dynamics.scatter import add_diagonal, copy_rows, target_of
from flank.dynamics.status import NO_CONVERGENCE, OK, PUSHED_THROUGH, SINGULAR
from flank.kernel import kernel

STEPS, ITERATIONS, REJECTED, SWITCHES = range(4)
"""Entries of the counters."""

DEEPEST = 0.1
"""Penetration over the circle's radius beyond which a step is not believed."""

GROW_AFTER = 4
"""Accepted steps before a halved step is doubled again."""


class AlphaSettings(NamedTuple):
    """What the integrator goes by; see run.DynamicSettings."""

    spectral_radius: float
    force_tolerance: float
    maximum_iterations: int
    discontinuity_tolerance: float
    error_tolerance: float
    smallest_step: float  # where Newton fails
    smallest_accurate_step: float  # where a step is merely rough


@kernel
def integrate(model, state, times, stride, settings, step, work, counters, record):
    """March over `times`, recording pose, motion and contacts every `stride` intervals.

    An interval is one step unless it must be halved; `step` holds the step in use and how many
    were accepted since it last changed, kept between calls.

    Returns (status, number of intervals done).
    """
    smallest = settings.smallest_step
    for k in range(times.shape[0] - 1):
        time = times[k]
        while times[k + 1] - time > 0.5 * smallest:
            h = min(step[0], times[k + 1] - time)
            if times[k + 1] - time - h < 0.5 * smallest:
                h = times[k + 1] - time
            _save(state, work)
            status = _try_step(model, state, time, h, settings, work, counters)
            if status == OK and _pushed_through(model, state):
                status = PUSHED_THROUGH
            rough = status == OK and (
                _discontinuity(model, state) > settings.discontinuity_tolerance
                or _step_error(model, state, work, h, settings.error_tolerance)
                > settings.error_tolerance
            )
            stuck = status != OK and h > 1.5 * smallest
            if stuck or (rough and h > 1.5 * settings.smallest_accurate_step):
                _restore(state, work)
                counters[REJECTED] += 1
                step[0] = 0.5 * h
                step[1] = 0.0
                continue
            if status != OK:
                _restore(state, work)
                return status, k
            counters[SWITCHES] += accept_pose(
                model.contacts,
                model.counts[3],
                state.memory,
                state.touches,
                state.accepted_force,
                state.position,
                state.anchor,
            )
            counters[STEPS] += 1
            time += h
            step[1] += 1.0
            if step[1] >= GROW_AFTER:
                step[0] = min(2.0 * step[0], times[k + 1] - times[k])
                step[1] = 0.0
        if (k + 1) % stride == 0:
            row = (k + 1) // stride - 1
            copy_rows(state.position, record.position[row])
            copy_rows(state.velocity, record.velocity[row])
            for i in range(record.multipliers.shape[1]):
                record.multipliers[row, i] = state.multipliers[i]
            for c in range(record.touches.shape[1]):
                record.touches[row, c] = state.touches[c]
    return OK, times.shape[0] - 1


@kernel(internal=True)
def _try_step(model, state, time, h, settings, work, counters):
    rho = settings.spectral_radius
    alpha_m = (2.0 * rho - 1.0) / (rho + 1.0)
    alpha_f = rho / (rho + 1.0)
    gamma = 0.5 + alpha_f - alpha_m
    beta = 0.25 * (gamma + 0.5) ** 2
    to_velocity = gamma / (beta * h)
    to_acceleration = (1.0 - alpha_m) / ((1.0 - alpha_f) * beta * h * h)
    _predict(state, h, alpha_m, alpha_f, beta, gamma)
    scale = _constraint_scale(model, to_acceleration)
    target = target_of(model, work)
    size = 3 * model.core_count
    for _ in range(settings.maximum_iterations):
        counters[ITERATIONS] += 1
        _energy, largest = assemble(
            model, state, state.position, state.velocity, time + h, work, to_velocity, scale, 1.0
        )
        constraint_residuals(
            model.joints,
            model.counts[0],
            model.gears,
            model.functions,
            model.function_data,
            state.position,
            time + h,
            work.constraint,
        )
        error = 0.0
        heaviest = add_beam_inertia(
            model.beams,
            model.counts[4],
            model.weights,
            state.acceleration,
            to_acceleration,
            work.force,
            work.core,
        )
        largest = max(largest, heaviest)
        for body in range(1, model.mass.shape[0]):
            for i in range(3):
                inertia = model.mass[body, i] * state.acceleration[body, i]
                largest = max(largest, abs(inertia) / model.weights[body, i])
                work.force[body, i] -= inertia
                _put_right(model, work, body, i, work.force[body, i])
            error = max(error, force_size(model.weights, work.force, body))
        drift = 0.0
        for i in range(model.constraint_count):
            work.right[size + i] = -scale * work.constraint[i]
            drift = max(drift, abs(work.constraint[i]))
        closed = drift <= 1e-12 * model.length_scale + joint_round_off(state.position)
        enough = settings.force_tolerance * (largest + 1e-9)
        enough += force_round_off(model, state.position, largest)
        if closed and error <= enough and error < math.inf:
            return OK
        for body in range(1, model.mass.shape[0]):
            add_diagonal(target, body, model.mass[body], to_acceleration)
        if not solve_step(model, work):
            return SINGULAR
        _correct(model, state, work, beta * h * h, to_velocity, to_acceleration, scale)
    return NO_CONVERGENCE


@kernel(internal=True)
def _predict(state, h, alpha_m, alpha_f, beta, gamma):
    """Start of Newton: the same acceleration a₁ = a₀."""
    for body in range(1, state.position.shape[0]):
        for i in range(3):
            old = state.auxiliary[body, i]
            a = state.acceleration[body, i]
            new = ((1.0 - alpha_f) * a + alpha_f * a - alpha_m * old) / (1.0 - alpha_m)
            state.position[body, i] += h * state.velocity[body, i] + h * h * (
                (0.5 - beta) * old + beta * new
            )
            state.velocity[body, i] += h * ((1.0 - gamma) * old + gamma * new)
            state.auxiliary[body, i] = new


@kernel(internal=True)
def _correct(model, state, work, to_auxiliary, to_velocity, to_acceleration, scale):
    for body in range(1, state.position.shape[0]):
        for i in range(3):
            change = work.step[body, i]
            state.position[body, i] += change
            state.velocity[body, i] += to_velocity * change
            state.acceleration[body, i] += to_acceleration * change
            state.auxiliary[body, i] += change / to_auxiliary
    for i in range(model.constraint_count):
        state.multipliers[i] += scale * work.multiplier_step[i]


@kernel(internal=True)
def _constraint_scale(model, to_acceleration):
    """Brings the rows of the joints to the size of the inertial rows."""
    heaviest = 0.0
    for body in range(1, model.core_count + 1):
        heaviest = max(heaviest, model.mass[body, 0])
    heaviest = max(heaviest, heaviest_beam(model.beams, model.counts[4]))
    return max(heaviest * to_acceleration, 1.0)


@kernel(internal=True)
def _discontinuity(model, state):
    """Largest change of force of a contact that switched, over the largest contact force."""
    largest = 0.0
    jump = 0.0
    for k in range(model.counts[3]):
        new = state.touches[k].normal_force
        old = state.accepted_force[k]
        largest = max(largest, new, old)
        if (new > 0.0) != (old > 0.0):
            jump = max(jump, abs(new - old))
    return jump / largest if largest > 0.0 else 0.0


@kernel(internal=True)
def _step_error(model, state, work, h, negligible):
    """Estimated error of the positions in this step over the deepest penetration.

    The scheme's leading error is h² (β - 1/6) times the change of acceleration, about h²/8. It is
    small where contacts carry a steady load, however stiff, and large in an impact. A body whose
    inertia is a `negligible` share of the largest contact force may rattle: it moves nobody.
    """
    deepest = 0.0
    largest = 0.0
    for k in range(model.counts[3]):
        if state.touches[k].normal_force > 0.0:
            deepest = max(deepest, -state.touches[k].gap)
            largest = max(largest, state.touches[k].normal_force)
    if deepest == 0.0:
        return 0.0
    change = 0.0
    for body in range(1, state.position.shape[0]):
        for i in range(3):
            size = abs(state.acceleration[body, i] - work.saved[2, body, i])
            inertia = size * model.mass[body, i] / model.weights[body, i]
            if inertia > negligible * largest:
                change = max(change, size * model.weights[body, i])
    return 0.125 * h * h * change / deepest


@kernel(internal=True)
def _pushed_through(model, state):
    """Whether a contact is deeper than a tenth of its circle: a step that jumped into a body."""
    for k in range(model.counts[3]):
        if state.touches[k].gap < -DEEPEST * model.contacts[k].b_radius:
            return True
    return False


@kernel(internal=True)
def _save(state, work):
    copy_rows(state.position, work.saved[0])
    copy_rows(state.velocity, work.saved[1])
    copy_rows(state.acceleration, work.saved[2])
    copy_rows(state.auxiliary, work.saved[3])
    for i in range(state.multipliers.shape[0]):
        work.saved_multipliers[i] = state.multipliers[i]


@kernel(internal=True)
def _restore(state, work):
    """Back to before the step; what friction remembers has not changed, no pose being accepted."""
    copy_rows(work.saved[0], state.position)
    copy_rows(work.saved[1], state.velocity)
    copy_rows(work.saved[2], state.acceleration)
    copy_rows(work.saved[3], state.auxiliary)
    for i in range(state.multipliers.shape[0]):
        state.multipliers[i] = work.saved_multipliers[i]


@kernel(internal=True)
def _put_right(model, work, body, i, value):
    if body <= model.core_count:
        work.right[3 * (body - 1) + i] = value
    else:
        work.leaf_right[body - model.core_count - 1, i] = value
