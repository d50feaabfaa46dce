"""Motion of spatial bodies in time: generalized-alpha on a Lie group, and the trapezoidal rule.

Arnold and Brüls (2007), Brüls, Cardona and Arnold (2012), here with velocities along the axes of
space: the increment

    Δ = h v₀ + h² [(1/2 - β) A₀ + β A₁],    v₁ = v₀ + h [(1 - γ) A₀ + γ A₁]
    (1 - α_m) A₁ + α_m A₀ = (1 - α_f) a₁ + α_f a₀

moves positions by its first three numbers and turns R₁ = exp(Δ) R₀ by the others, so a rotation
stays one. At the end of the step M a₁ + ω x Jω = Q - Cᵀλ and c = 0 hold, by Newton on the tangent;
∂/∂Δ is ∂/∂q times T(Δ) of rotation.py. α_m = α_f = 0, γ = 1/2, β = 1/4 is the trapezoidal rule,
Δ = h (v₀ + v₁)/2.

The error of a step is estimated by |β + (α_m - α_f)/2 - 1/6| h² |a₁ - a₀|, what the increment lacks
of h³/6 times the rate of acceleration, A being a at (α_m - α_f) h later; steps follow it by its
third root.
"""

import math
from typing import NamedTuple

from flank.dynamics.linear import fill_right
from flank.dynamics.scatter import copy_rows, target_of
from flank.dynamics.spatial.assembly import assemble, force_size
from flank.dynamics.spatial.consistent import make_consistent
from flank.dynamics.spatial.inertia import THRUST, add_inertia, add_turned_inertia, fill_torque
from flank.dynamics.spatial.ledger import fill_powers
from flank.dynamics.spatial.linear import solve_step
from flank.dynamics.spatial.motion import go_back, keep, place
from flank.dynamics.spatial.openings import CLOSED, ROUND_OFF, opening
from flank.dynamics.spatial.rotation import fill_jacobian
from flank.dynamics.spatial.scatter import add_to_body
from flank.dynamics.status import NO_CONVERGENCE, OK, PUSHED_THROUGH, SINGULAR
from flank.kernel import kernel

STEPS, ITERATIONS, REJECTED = range(3)
"""Entries of the counters."""

DEEPEST = 0.1
"""Penetration over the sphere's radius beyond which a step is not believed."""

GROW_AFTER = 8
"""Accepted steps before one that was shortened grows again."""


class MarchSettings(NamedTuple):
    """What the integrator goes by; see run.SpatialDynamicSettings."""

    alpha_m: float
    alpha_f: float
    gamma: float
    beta: float
    projects: bool  # ends a step consistently
    rubs: bool  # some contact has friction
    force_tolerance: float
    maximum_iterations: int
    error_tolerance: float
    longest_step: float
    shortest_step: float


@kernel
def march(model, state, times, settings, step, work, counters, record):
    """Integrate over `times`, recording at each; `step` holds the step in use between calls, and
    how many were accepted since one was not.

    Returns (status, number of intervals done).
    """
    for k in range(times.shape[0] - 1):
        time = times[k]
        while times[k + 1] - time > 1e-9 * (times[k + 1] - times[k]):
            left = times[k + 1] - time
            h = left / math.ceil(left / step[0] - 1e-9)
            keep(state, work)
            status = _try_step(model, state, time, h, settings, work, counters)
            if status == OK and _pushed_through(model, state):
                status = PUSHED_THROUGH
            error = 0.0
            if status == OK:
                error = _step_error(model, state, settings, work, h)
            longer = h > 1.001 * settings.shortest_step
            if status != OK or (error > settings.error_tolerance and longer):
                go_back(state, work)
                if not longer:
                    return status, k
                counters[REJECTED] += 1
                shorter = 0.5 * h if status != OK else _next_step(settings, h, error)
                step[0] = max(min(shorter, 0.7 * h), settings.shortest_step)
                step[1] = 0.0
                continue
            if settings.projects and model.constraint_count > 0:
                status = make_consistent(model, state, time + h, work)
                if status != OK:
                    go_back(state, work)
                    return status, k
            _close_step(model, state, time + h, h, work)
            counters[STEPS] += 1
            time += h
            step[1] += 1.0
            following = _next_step(settings, h, error)
            if following > h:  # a step cut by the end of an interval says nothing against longer
                following = max(following, step[0]) if step[1] >= GROW_AFTER else step[0]
            step[0] = min(following, settings.longest_step)
        _put(state, record, k)
    return OK, times.shape[0] - 1


@kernel(internal=True)
def _put(state, record, row):
    copy_rows(state.position, record.position[row])
    copy_rows(state.rotation, record.rotation[row])
    copy_rows(state.velocity, record.velocity[row])
    copy_rows(state.acceleration, record.acceleration[row])
    for i in range(record.multipliers.shape[1]):
        record.multipliers[row, i] = state.multipliers[i]
        record.impulse[row, i] = state.impulse[i]
    for c in range(record.touches.shape[1]):
        record.touches[row, c] = state.touches[c]
    for i in range(record.ledger.shape[1]):
        record.ledger[row, i] = state.ledger[i]


@kernel(internal=True)
def _next_step(settings, h, error):
    """The step whose error would be the tolerance, with a margin, at most doubled."""
    if error <= 0.1 * settings.error_tolerance:
        return 2.0 * h
    return max(0.9 * (settings.error_tolerance / error) ** (1.0 / 3.0), 0.2) * h


@kernel(internal=True)
def _close_step(model, state, time, h, work):
    """Add the step's energies and impulses: powers and multipliers as straight lines over it."""
    for i in range(4):
        work.power[0, i] = work.power[1, i]
    fill_powers(model, state, time, work, work.power[1])
    for i in range(4):
        state.ledger[i] += 0.5 * h * (work.power[0, i] + work.power[1, i])
    for i in range(model.constraint_count):
        state.impulse[i] += 0.5 * h * (work.saved_multipliers[i] + state.multipliers[i])


@kernel(internal=True)
def _try_step(model, state, time, h, settings, work, counters):
    to_velocity = settings.gamma / (settings.beta * h)
    to_acceleration = (1.0 - settings.alpha_m) / ((1.0 - settings.alpha_f) * settings.beta * h * h)
    _predict(state, h, settings)
    place(state, work)
    scale = _constraint_scale(model, to_acceleration)
    to_auxiliary = 1.0 / (settings.beta * h * h)
    exact = 1.0  # share of what may be negative in the tangent
    last = 1.0  # the same of the last step
    stepped = False  # whether the state is one on trial
    old_error = math.inf
    for _ in range(settings.maximum_iterations):
        counters[ITERATIONS] += 1
        _energy, largest = assemble(model, state, time + h, work, to_velocity, scale, exact)
        error, largest, round_off = _add_motion(
            model, state, work, to_velocity, to_acceleration, largest
        )
        fill_right(model, work, 1.0, scale)
        drift, rounded = opening(model, state, work.constraint)
        closed = drift <= CLOSED * model.length_scale + rounded
        enough = settings.force_tolerance * (largest + 1e-9) + round_off * to_acceleration
        if closed and error <= enough and error < math.inf:
            return OK
        if settings.rubs and stepped and last > 0.0 and not error < max(old_error, enough):
            # Newton oversteps friction that changes its sign. Back, and again with a tangent
            # closer to the viscosity of the same force, which does not (Kačanov's iteration).
            _correct(model, state, work, to_auxiliary, to_velocity, to_acceleration, -scale, -1.0)
            exact = 0.75 if last == 1.0 else 0.0
            stepped = False
        else:
            old_error = error
            last = exact
            exact = 1.0
            if not solve_step(model, work):
                return SINGULAR
            _correct(model, state, work, to_auxiliary, to_velocity, to_acceleration, scale, 1.0)
            stepped = True
        place(state, work)
    return NO_CONVERGENCE


@kernel(internal=True)
def _predict(state, h, settings):
    """Start of Newton: the same acceleration a₁ = a₀."""
    for body in range(1, state.position.shape[0]):
        for i in range(6):
            old = state.auxiliary[body, i]
            new = (state.acceleration[body, i] - settings.alpha_m * old) / (1.0 - settings.alpha_m)
            change = h * state.velocity[body, i] + h * h * (
                (0.5 - settings.beta) * old + settings.beta * new
            )
            if i < 3:
                state.position[body, i] += change
            else:
                state.turned[body, i - 3] = change
            state.velocity[body, i] += h * ((1.0 - settings.gamma) * old + settings.gamma * new)
            state.auxiliary[body, i] = new


@kernel(internal=True)
def _correct(model, state, work, to_auxiliary, to_velocity, to_acceleration, scale, factor):
    """Take the step of Newton, or take it back with minus signs of scale and factor."""
    for body in range(1, state.position.shape[0]):
        for i in range(6):
            change = factor * work.step[body, i]
            if i < 3:
                state.position[body, i] += change
            else:
                state.turned[body, i - 3] += change
            state.velocity[body, i] += to_velocity * change
            state.acceleration[body, i] += to_acceleration * change
            state.auxiliary[body, i] += to_auxiliary * change
    for i in range(model.constraint_count):
        state.multipliers[i] += scale * work.multiplier_step[i]


@kernel(internal=True)
def _add_motion(model, state, work, to_velocity, to_acceleration, largest):
    """Inertia in residual and tangent; returns its error, the largest force, and the round-off of
    positions times their masses."""
    target = target_of(model, work)
    element = work.element
    torque = element[15]
    error = 0.0
    round_off = 0.0
    for body in range(1, model.mass.shape[0]):
        spin = state.velocity[body, 3:6]
        turning = state.acceleration[body, 3:6]
        mass = model.mass[body]
        fill_torque(state.matrix[body], model.inertia[body], spin, turning, element, torque)
        for i in range(3):
            inertia = mass * state.acceleration[body, i]
            work.force[body, i] -= inertia
            work.force[body, 3 + i] -= torque[i]
            largest = max(largest, abs(inertia), abs(element[THRUST, i]) / model.length_scale)
            round_off = max(round_off, ROUND_OFF * mass * abs(state.position[body, i]))
        error = max(error, force_size(work.force[body], model.length_scale))
        add_turned_inertia(target, body, spin, turning, element)
        _turn_columns(model, work, body, state.turned[body], element[12:15, 0:3])
        add_inertia(target, body, spin, element, to_velocity, to_acceleration)
        for i in range(3):
            add_to_body(target, body, i, i, mass * to_acceleration)
    return error, largest, round_off


@kernel(internal=True)
def _turn_columns(model, work, body, turned, jacobian):
    """Multiply the columns of a body's rotation by T(Δ)."""
    core_count = model.core_count
    fill_jacobian(turned, jacobian)
    if body <= core_count:
        _multiply(work.core, 6 * (body - 1) + 3, jacobian, 6 * core_count + model.constraint_count)
        for leaf in range(model.mass.shape[0] - 1 - core_count):
            for slot in range(model.leaf_neighbours.shape[1]):
                if model.leaf_neighbours[leaf, slot] == body:
                    _multiply(work.leaf_to_core[leaf, slot], 3, jacobian, 6)
        return
    leaf = body - core_count - 1
    _multiply(work.leaf[leaf], 3, jacobian, 6)
    for slot in range(model.leaf_neighbours.shape[1]):
        if model.leaf_neighbours[leaf, slot] != 0:
            _multiply(work.core_to_leaf[leaf, slot], 3, jacobian, 6)


@kernel(internal=True)
def _multiply(matrix, first, jacobian, rows):
    """Three columns times a 3 x 3 matrix, in place."""
    for row in range(rows):
        x = matrix[row, first]
        y = matrix[row, first + 1]
        z = matrix[row, first + 2]
        if x != 0.0 or y != 0.0 or z != 0.0:
            for j in range(3):
                matrix[row, first + j] = (
                    x * jacobian[0, j] + y * jacobian[1, j] + z * jacobian[2, j]
                )


@kernel(internal=True)
def _constraint_scale(model, to_acceleration):
    """Brings the rows of the joints to the size of the inertial rows."""
    heaviest = 0.0
    for body in range(1, model.core_count + 1):
        heaviest = max(heaviest, model.mass[body])
    return max(heaviest * to_acceleration, 1.0)


@kernel(internal=True)
def _step_error(model, state, settings, work, h):
    """Estimated error of positions in this step, rotations at the length scale, in m."""
    change = 0.0
    for body in range(1, state.position.shape[0]):
        for i in range(6):
            size = abs(state.acceleration[body, i] - work.saved[2, body, i])
            change = max(change, size if i < 3 else size * model.length_scale)
    late = 0.5 * (settings.alpha_m - settings.alpha_f)
    return abs(settings.beta + late - 1.0 / 6.0) * h * h * change


@kernel(internal=True)
def _pushed_through(model, state):
    """Whether a contact is deeper than a tenth of its sphere: a step that jumped into a body."""
    for k in range(model.counts[3]):
        if state.touches[k].gap < -DEEPEST * model.contacts[k].sphere_radius:
            return True
    return False
