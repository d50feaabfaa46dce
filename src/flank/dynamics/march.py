"""Motion in time by Newton on the analytic tangent, with steps that retreat and grow.

Generalized-alpha for constrained multibody systems (Arnold and Brüls 2007), in space on the Lie
group of rotations (Brüls, Cardona and Arnold 2012) with velocities along the axes of space: an
increment Δ moves positions and turns R₁ = exp(Δ) R₀, so a rotation stays one. At the end of a step
M a₁ + ω x Jω = Q(q₁, v₁, t₁) - Cᵀλ₁ and c(q₁, t₁) = 0 hold; the tangent is rebuilt in every
iteration, so a contact that opens or closes inside a step is in it.

A step is taken again, shorter, where Newton fails, where contacts that switched carry too much
(arXiv 2604.02387, Eq. 24), and where its estimated error is too large, in m or against the
penetration (else impacts without damping gain energy). Joints ring after a change of step (their
reactions alternate and die out by ρ): light parts that rattle are better tied by springs.
"""

import math
from typing import NamedTuple

from flank.dynamics.consistent import make_consistent, note_start
from flank.dynamics.engine import (
    add_motion,
    assemble,
    close_step,
    constraint_residual,
    displace,
    heaviest,
    inertia_of,
    place,
    radius_of,
    weight,
)
from flank.dynamics.kept_tangent import begin_step, stale
from flank.dynamics.model import CONTACTS
from flank.dynamics.motion import (
    accept,
    fill_right,
    go_back,
    keep,
    put_record,
    unbalanced_force,
)
from flank.dynamics.newton_step import newton_step
from flank.dynamics.schemes import Scheme, error_coefficient, rates_of
from flank.dynamics.status import NO_CONVERGENCE, OK, PUSHED_THROUGH, SINGULAR
from flank.kernel import kernel

STEPS, ITERATIONS, REJECTED, SWITCHES = range(4)
"""Entries of the counters."""

CLOSED = 1e-12
"""Violation over the length scale with which a joint counts as closed."""

LARGEST_DEPTH = 0.1
"""Penetration over the radius of circle or sphere beyond which a step is not believed."""


class MarchSettings(NamedTuple):
    """What the march goes by; see run.DynamicSettings."""

    scheme: Scheme
    force_tolerance: float
    maximum_iterations: int
    discontinuity_tolerance: float
    penetration_tolerance: float
    error_tolerance: float  # m
    longest_step: float
    shortest_step: float  # where Newton fails
    shortest_accurate_step: float  # where a step is merely rough
    grow_after: int  # steps accepted before one that was shortened grows again
    follows_error: bool  # steps by the third root of their error; else by halves
    eases_friction: bool  # Newton may retreat to a tangent of viscous friction


@kernel
def march(model, state, times, stride, settings, step, work, counters, record):
    """Integrate over `times`, recording every `stride` intervals.

    `step` holds the step in use and how many were accepted since it last changed, kept between
    calls. Returns (status, number of intervals done). Where there is one time only, the state is
    made one that a run can start from.
    """
    if times.shape[0] == 1:  # here: a kernel of its own would be compiled for seconds
        status = make_consistent(model, state, times[0], work)
        note_start(model, state, times[0], work)
        return status, 0
    for k in range(times.shape[0] - 1):
        time = times[k]
        while times[k + 1] - time > 0.5 * settings.shortest_step:
            h = _length(settings, step[0], times[k + 1] - time)
            keep(state, work)
            status = _try_step(model, state, time, h, settings, work, counters)
            if status == OK and pushed_through(model, state):
                status = PUSHED_THROUGH
            error = 0.0
            rough = False
            if status == OK:
                error = _position_error(model, state, settings, work, h)
                rough = error > settings.error_tolerance or _contacts_rough(
                    model, state, settings, work, h
                )
            shortest = settings.shortest_accurate_step if rough else settings.shortest_step
            if (status != OK or rough) and h > 1.001 * shortest:
                go_back(state, work)
                counters[REJECTED] += 1
                step[0] = max(_shorter(settings, h, error), shortest)
                step[1] = 0.0
                continue
            if status == OK and settings.scheme.projects and model.constraint_count > 0:
                begin_step(work, 0.0)
                status = make_consistent(model, state, time + h, work)
            if status != OK:
                go_back(state, work)
                return status, k
            close_step(model, state, time + h, h, work)
            counters[SWITCHES] += accept(model, state)
            counters[STEPS] += 1
            time += h
            step[1] += 1.0
            _grow(settings, step, h, error)
        if (k + 1) % stride == 0:
            put_record(record, state, (k + 1) // stride - 1)
    return OK, times.shape[0] - 1


@kernel(internal=True)
def _length(settings, step, remaining):
    """Of the next step: equal parts of what is left, or halves of halves and what is left."""
    if settings.follows_error:
        return remaining / math.ceil(remaining / step - 1e-9)
    return remaining if remaining - step < 0.5 * settings.shortest_step else step


@kernel(internal=True)
def _shorter(settings, h, error):
    """A contact that switches has no order: its step, and one where Newton fails, is halved."""
    if error > settings.error_tolerance:
        return min(_fitting(settings, h, error), 0.7 * h)
    return 0.5 * h


@kernel(internal=True)
def _grow(settings, step, h, error):
    """The next step, after one that was accepted."""
    grows = step[1] >= settings.grow_after
    if settings.follows_error:
        following = _fitting(settings, h, error)
        if following > h:  # a step cut by the end of an interval says nothing against longer
            following = max(following, step[0]) if grows else step[0]
        step[0] = min(following, settings.longest_step)
    elif grows:
        step[0] = min(2.0 * step[0], settings.longest_step)
        step[1] = 0.0


@kernel(internal=True)
def _fitting(settings, h, error):
    """The step whose error would be the tolerance, with a margin, at most doubled."""
    if error <= 0.1 * settings.error_tolerance:
        return 2.0 * h
    return max(0.9 * (settings.error_tolerance / error) ** (1.0 / 3.0), 0.2) * h


@kernel(internal=True)
def _try_step(model, state, time, h, settings, work, counters):
    rates = rates_of(settings.scheme, h)
    begin_step(work, h)
    predict(state, h, settings.scheme)
    place(state, work)
    scale = max(heaviest(model) * rates.to_acceleration, 1.0)  # joints as large as inertia
    exact = 1.0  # share of what may be negative in the tangent
    last = 1.0  # the same of the last step
    stepped = False  # whether the state is one on trial
    old_error = math.inf
    for _ in range(settings.maximum_iterations):
        counters[ITERATIONS] += 1
        _energy, largest = assemble(model, state, time + h, work, rates.to_velocity, scale, exact)
        largest, round_off = add_motion(
            model, state, work, rates.to_velocity, rates.to_acceleration, largest
        )
        error = unbalanced_force(model, work)
        drift, rounded = constraint_residual(model, state, work.constraint)
        enough = settings.force_tolerance * (largest + 1e-9) + round_off
        closed = drift <= CLOSED * model.length_scale + rounded
        if closed and error <= enough and error < math.inf:
            return OK
        if stale(work, model, state, error, old_error):
            continue
        worse = stepped and not error < max(old_error, enough)
        if settings.eases_friction and worse and last > 0.0:
            # Newton oversteps friction that changes its sign. Back, and again with a tangent
            # closer to the viscosity of the same force, which does not (Kačanov's iteration).
            correct(model, state, work, rates, -scale, -1.0)
            exact = 0.75 if last == 1.0 else 0.0
            stepped = False
        else:
            old_error = error
            last = exact
            exact = 1.0
            fill_right(model, work, 1.0, scale)
            if not newton_step(work, model, h):
                return SINGULAR
            correct(model, state, work, rates, scale, 1.0)
            stepped = True
        place(state, work)
    return NO_CONVERGENCE


@kernel(internal=True)
def predict(state, h, scheme):
    """Start of Newton: the same acceleration a₁ = a₀."""
    for body in range(1, state.velocity.shape[0]):
        for i in range(state.velocity.shape[1]):
            old = state.auxiliary[body, i]
            new = (state.acceleration[body, i] - scheme.alpha_m * old) / (1.0 - scheme.alpha_m)
            mean = (0.5 - scheme.beta) * old + scheme.beta * new
            displace(state, body, i, h * state.velocity[body, i] + h * h * mean)
            state.velocity[body, i] += h * ((1.0 - scheme.gamma) * old + scheme.gamma * new)
            state.auxiliary[body, i] = new


@kernel(internal=True)
def correct(model, state, work, rates, scale, factor):
    """Take the step of Newton, or take it back with minus signs of scale and factor."""
    for body in range(1, state.velocity.shape[0]):
        for i in range(state.velocity.shape[1]):
            change = factor * work.step[body, i]
            displace(state, body, i, change)
            state.velocity[body, i] += rates.to_velocity * change
            state.acceleration[body, i] += rates.to_acceleration * change
            state.auxiliary[body, i] += rates.to_auxiliary * change
    for i in range(model.constraint_count):
        state.multipliers[i] += scale * work.multiplier_step[i]


@kernel(internal=True)
def _position_error(model, state, settings, work, h):
    """Estimated error of positions in this step, rotations at their weight, in m."""
    if settings.error_tolerance == math.inf:
        return 0.0
    change = 0.0
    for body in range(1, state.velocity.shape[0]):
        for i in range(state.velocity.shape[1]):
            size = abs(state.acceleration[body, i] - work.saved[2, body, i])
            change = max(change, size * weight(model, body, i))
    return error_coefficient(settings.scheme) * h * h * change


@kernel(internal=True)
def _contacts_rough(model, state, settings, work, h):
    """Whether what contacts do within the step is too much for it."""
    if _discontinuity(model, state) > settings.discontinuity_tolerance:
        return True
    tolerance = settings.penetration_tolerance
    return tolerance < math.inf and _penetration_error(model, state, work, h, tolerance) > tolerance


@kernel(internal=True)
def _discontinuity(model, state):
    """Largest change of force of a contact that switched, over the largest contact force."""
    largest = 0.0
    jump = 0.0
    for k in range(model.counts[CONTACTS]):
        new = state.contact_results[k].normal_force
        old = state.accepted_force[k]
        largest = max(largest, new, old)
        if (new > 0.0) != (old > 0.0):
            jump = max(jump, abs(new - old))
    return jump / largest if largest > 0.0 else 0.0


@kernel(internal=True)
def _penetration_error(model, state, work, h, negligible):
    """Estimated error of the positions in this step over the deepest penetration.

    The scheme's leading error is h² (β - 1/6) times the change of acceleration, about h²/8. It is
    small where contacts carry a steady load, however stiff, and large in an impact. A body whose
    inertia is a `negligible` share of the largest contact force may rattle: it moves nobody.
    """
    deepest = 0.0
    largest = 0.0
    for k in range(model.counts[CONTACTS]):
        if state.contact_results[k].normal_force > 0.0:
            deepest = max(deepest, -state.contact_results[k].gap)
            largest = max(largest, state.contact_results[k].normal_force)
    if deepest == 0.0:
        return 0.0
    change = 0.0
    for body in range(1, state.velocity.shape[0]):
        for i in range(state.velocity.shape[1]):
            size = abs(state.acceleration[body, i] - work.saved[2, body, i])
            inertia = size * inertia_of(model, body, i) / weight(model, body, i)
            if inertia > negligible * largest:
                change = max(change, size * weight(model, body, i))
    return 0.125 * h * h * change / deepest


@kernel(internal=True)
def pushed_through(model, state):
    """Whether a contact is deeper than a tenth of its radius: a step that jumped into a body."""
    for k in range(model.counts[CONTACTS]):
        if state.contact_results[k].gap < -LARGEST_DEPTH * radius_of(model, k):
            return True
    return False
