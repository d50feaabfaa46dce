"""How points of contact share a load: elastic bodies, contact by load, no tension.

Points i press with forces F_i along levers ℓ_i while two bodies approach by δ. Everything that is
elastic elsewhere is a matrix of influence numbers C, symmetric without negative directions; where a
point itself is pressed it gives way by w_i(F_i), the law of line contact. With separations g_i

    s_i = δ ℓ_i - g_i - (C F)_i,     F_i > 0 and w_i(F_i) = s_i,   or   F_i = 0 and s_i <= 0.

These are the conditions of the least of the strictly convex

    E(F) = ½ Fᵀ C F + Σ ∫ w_i dF_i - Σ (δ ℓ_i - g_i) F_i,     F >= 0,

so there is one answer, and it is continuous in all that is given. The stored energy has the
derivative Σ ℓ_i F_i in δ.

Newton's method runs in the depths u_i = w_i(F_i), in which the law is nearly straight (its slope in
F is infinite at no load). A point that should come in has the chord of its law for a slope. The
direction (C + 1/k) dF = -(u - s) falls in E; a step is taken if E falls as far as it should, halved
if not, and if a few halvings do not help all points are set one after the other, each where E is
least for it. E falls in any case, so no set of loaded points comes back. Where the points pressed
before are still in `depth`, two or three steps are enough.
"""

import math
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats, Integers
from flank.contact.laws.line import line_contact
from flank.kernel import kernel

SOLVED, STALLED = range(2)
"""How a load distribution ends. STALLED: steps used up, or what is given is not a number."""

STEPS = 80
HALVINGS = 5
TOLERANCE = 1e-12
"""Of depths, over the largest that a point would have if nothing else gave way."""

TOTAL_TOLERANCE = 1e-11
"""Of a total that is prescribed."""


class LoadPoints(NamedTuple):
    """What is given of m points, for kernels: the law of a point is w = F'(P - Q ln F'), F' the
    force over its length; a law without Q is straight."""

    compliance: Floats  # m/N, (m, m)
    gap: Floats  # m, g
    lever: Floats  # ℓ
    constant: Floats  # 1/Pa, P with all that is known of curvature
    slope: Floats  # 1/Pa, Q
    length: Floats  # m


class LoadWork(NamedTuple):
    """Answers, and scratch."""

    depth: Floats  # m, u: where a solution begins and ends
    force: Floats  # N
    stiffness: Floats  # N/m, of the points' laws; the chord of one that comes in
    residual: Floats  # u - s of what is loaded
    step: Floats
    trial: Floats  # depths tried
    trial_force: Floats
    factor: Floats  # (m, m)
    active: Integers  # numbers of loaded points


def load_work(count: int) -> LoadWork:
    """Scratch for so many points, none of them pressed."""
    return LoadWork(
        depth=np.zeros(count),
        force=np.zeros(count),
        stiffness=np.zeros(count),
        residual=np.zeros(count),
        step=np.zeros(count),
        trial=np.zeros(count),
        trial_force=np.zeros(count),
        factor=np.zeros((count, count)),
        active=np.zeros(count, dtype=np.int64),
    )


@kernel(internal=True)
def pressed(depth, constant, slope, length):
    """Force, stiffness and energy of a point at a depth."""
    if not depth > 0.0:
        return 0.0, 0.0, 0.0
    if slope == 0.0:
        stiffness = length / constant
        return stiffness * depth, stiffness, 0.5 * stiffness * depth * depth
    flat = 1.0
    return line_contact(depth, constant, slope, length, flat)


@kernel
def distribute(points, count, approach, work):
    """Share of the first `count` points at an approach; returns status, total, its slope in the
    approach, and the stored energy. Begins with work.depth, ends with depths and forces in work."""
    scale = _largest_reach(points, count, approach)
    if not scale < math.inf:
        return STALLED, 0.0, 0.0, 0.0
    energy = _press(points, count, approach, work.depth, work.force)
    for _ in range(STEPS):
        loaded, error = _find_loaded(points, count, approach, work)
        if error <= TOLERANCE * scale:
            return _outcome(points, count, work)
        if error == math.inf:
            break
        fall = _newton_direction(points, loaded, work)
        energy = _advance(points, count, loaded, approach, energy, fall, work)
    return STALLED, 0.0, 0.0, 0.0


@kernel
def distribute_total(points, count, total, approach, work):
    """The same with the total Σ ℓ F prescribed, `approach` where to begin; returns status,
    approach, slope and energy. Newton's steps between bounds that close in on the answer."""
    touch = _first_touch(points, count)
    if not (total >= 0.0 and touch < math.inf):
        return STALLED, approach, 0.0, 0.0
    low = touch
    high = math.inf
    if not touch < approach < math.inf:
        approach = touch + _alone(points, count, touch, total)
    for _ in range(STEPS):
        status, carried, slope, energy = distribute(points, count, approach, work)
        if status != SOLVED:
            return status, approach, 0.0, 0.0
        if abs(carried - total) <= TOTAL_TOLERANCE * total:
            return SOLVED, approach, slope, energy
        if carried < total:
            low = approach
        else:
            high = approach
        following = approach + (total - carried) / slope if slope > 0.0 else math.inf
        if not low < following < high:
            following = 0.5 * (low + high)
            if high == math.inf:
                following = 2.0 * low - touch + _alone(points, count, touch, total)
        if following == approach:  # the bounds have met in the last digit
            return SOLVED, approach, slope, energy
        approach = following
    return STALLED, approach, 0.0, 0.0


@kernel(internal=True)
def _largest_reach(points, count, approach):
    largest = 0.0
    for i in range(count):
        reach = abs(approach * points.lever[i]) + abs(points.gap[i])
        if not reach < math.inf:
            return math.inf
        largest = max(largest, reach)
    return largest


@kernel(internal=True)
def _first_touch(points, count):
    """Least approach at which a point touches."""
    touch = math.inf
    for i in range(count):
        if points.lever[i] > 0.0:
            touch = min(touch, points.gap[i] / points.lever[i])
    return touch


@kernel(internal=True)
def _alone(points, count, touch, total):
    """Approach beyond the first touch if the point that touches first carried the total alone."""
    for i in range(count):
        lever = points.lever[i]
        if lever > 0.0 and points.gap[i] <= touch * lever:
            load = total / (lever * points.length[i])
            own = points.constant[i] + points.length[i] * points.compliance[i, i]
            if points.slope[i] > 0.0 and load > 0.0:
                own = max(own - points.slope[i] * math.log(load), 2.0 * points.slope[i])
            return load * own / lever
    return 0.0


@kernel(internal=True)
def _press(points, count, approach, depth, force):
    """Forces at given depths; returns E."""
    energy = 0.0
    for i in range(count):
        force[i], _stiffness, stored = pressed(
            depth[i], points.constant[i], points.slope[i], points.length[i]
        )
        reach = approach * points.lever[i] - points.gap[i]
        energy += force[i] * (max(depth[i], 0.0) - reach) - stored
    for i in range(count):
        if force[i] > 0.0:
            give = 0.0
            for j in range(count):
                give += points.compliance[i, j] * force[j]
            energy += 0.5 * force[i] * give
    return energy


@kernel(internal=True)
def _seat(points, count, approach, i, force):
    """s of a point: how deep it would be with all forces as they are."""
    seat = approach * points.lever[i] - points.gap[i]
    for j in range(count):
        seat -= points.compliance[i, j] * force[j]
    return seat


@kernel(internal=True)
def _find_loaded(points, count, approach, work):
    """Points that are loaded or should be, with residuals and slopes; returns how many, and the
    largest residual."""
    loaded = 0
    error = 0.0
    for i in range(count):
        seat = _seat(points, count, approach, i, work.force)
        depth = work.depth[i]
        if not depth > 0.0 and seat <= 0.0:
            work.depth[i] = 0.0
            continue
        law = (points.constant[i], points.slope[i], points.length[i])
        if depth > 0.0:
            _force, work.stiffness[i], _stored = pressed(depth, *law)
        else:
            work.depth[i] = 0.0
            depth = 0.0
            alone = _own_depth(points, i, seat)
            force, _stiffness, _stored = pressed(alone, *law)
            work.stiffness[i] = force / alone
        work.residual[i] = depth - seat
        work.active[loaded] = i
        loaded += 1
        off = abs(depth - seat)
        error = max(error, off) if off < math.inf else math.inf
    return loaded, error


@kernel(internal=True)
def _own_depth(points, i, seat):
    """u of u + C_ii F(u) = seat: the compliance of a point adds to the constant of its law."""
    own = points.compliance[i, i]
    force, _stiffness, _stored = pressed(
        seat, points.constant[i] + points.length[i] * own, points.slope[i], points.length[i]
    )
    return max(seat - own * force, 1e-12 * seat)


@kernel(internal=True)
def _newton_direction(points, loaded, work):
    """Steps of depths in work.step; returns how fast E falls along them."""
    for row in range(loaded):
        work.step[row] = -work.residual[work.active[row]]
    _factor(points, loaded, work)
    _solve(work.factor, loaded, work.step)
    fall = 0.0
    for row in range(loaded):
        i = work.active[row]
        fall += work.residual[i] * work.step[row]
        work.step[row] /= work.stiffness[i]
    return fall


@kernel(internal=True)
def _factor(points, loaded, work):
    """Cholesky's factor of C + 1/k among loaded points, in the lower triangle."""
    factor = work.factor
    for row in range(loaded):
        i = work.active[row]
        for column in range(row + 1):
            value = points.compliance[i, work.active[column]]
            if column == row:
                value += 1.0 / work.stiffness[i]
            for k in range(column):
                value -= factor[row, k] * factor[column, k]
            if column == row:
                factor[row, row] = math.sqrt(max(value, 1e-300))
            else:
                factor[row, column] = value / factor[column, column]


@kernel(internal=True)
def _solve(factor, loaded, values):
    for row in range(loaded):
        value = values[row]
        for k in range(row):
            value -= factor[row, k] * values[k]
        values[row] = value / factor[row, row]
    for back in range(loaded):
        row = loaded - 1 - back
        value = values[row]
        for k in range(row + 1, loaded):
            value -= factor[k, row] * values[k]
        values[row] = value / factor[row, row]


@kernel(internal=True)
def _advance(points, count, loaded, approach, energy, fall, work):
    """Take as much of the step as lets E fall, or set points one by one; returns the new E."""
    share = 1.0
    for i in range(count):
        work.trial[i] = 0.0
    for _ in range(HALVINGS):
        for row in range(loaded):
            i = work.active[row]
            work.trial[i] = max(work.depth[i] + share * work.step[row], 0.0)
        reached = _press(points, count, approach, work.trial, work.trial_force)
        if reached <= energy + 1e-3 * share * fall + 1e-13 * abs(energy):
            for i in range(count):
                work.depth[i] = work.trial[i]
                work.force[i] = work.trial_force[i]
            return reached
        share *= 0.5
    for i in range(count):
        seat = _seat(points, count, approach, i, work.force)
        seat += points.compliance[i, i] * work.force[i]
        work.depth[i] = _own_depth(points, i, seat) if seat > 0.0 else 0.0
        work.force[i], _stiffness, _stored = pressed(
            work.depth[i], points.constant[i], points.slope[i], points.length[i]
        )
    return _press(points, count, approach, work.depth, work.force)


@kernel(internal=True)
def _outcome(points, count, work):
    """Total, its slope by the approach, and the stored energy, where all is settled."""
    total = 0.0
    energy = 0.0
    loaded = 0
    for i in range(count):
        if work.force[i] > 0.0:
            law = (points.constant[i], points.slope[i], points.length[i])
            _force, work.stiffness[i], stored = pressed(work.depth[i], *law)
            give = 0.0
            for j in range(count):
                give += points.compliance[i, j] * work.force[j]
            energy += stored + 0.5 * work.force[i] * give
            total += points.lever[i] * work.force[i]
            work.active[loaded] = i
            work.step[loaded] = points.lever[i]
            loaded += 1
    _factor(points, loaded, work)
    _solve(work.factor, loaded, work.step)
    slope = 0.0
    for row in range(loaded):
        slope += points.lever[work.active[row]] * work.step[row]
    return SOLVED, total, slope, energy
