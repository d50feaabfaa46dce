"""How points of contact share a load: elastic bodies, contact by load, no tension.

Points i press with forces F_i along levers ℓ_i while two bodies approach by δ. Everything that is
elastic elsewhere is a matrix of influence numbers C, symmetric without negative directions; where a
point itself is pressed it gives way by w_i(F_i), the law of line contact. With separations g_i

    s_i = δ ℓ_i - g_i - (C F)_i,     F_i > 0 and w_i(F_i) = s_i,   or   F_i = 0 and s_i <= 0.

These are the conditions of the least of the strictly convex

    E(F) = ½ Fᵀ C F + Σ ∫ w_i dF_i - Σ (δ ℓ_i - g_i) F_i,     F >= 0,

so there is one answer, and it is continuous in all that is given. The stored energy has the
derivative Σ ℓ_i F_i in δ.

Newton's direction (C + w') dF = s - w falls in E. A point that should come in has the chord of its
law for w', which is infinite at no load, and one whose force would turn negative leaves. A step is
taken if E falls as far as it should, halved if not. Where bodies are so soft that points hang on
each other, that may not help: then points leave one by one, at the step that brings them to zero,
and come in one by one, when all others are settled (Lawson and Hanson). E falls in any case, so no
set of loaded points comes back. From the forces of a similar load two or three steps are enough.
"""

import math
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats, Integers
from flank.contact.laws.line import line_contact
from flank.elasticity.line_contact import LEAST_W
from flank.kernel import kernel

SOLVED, STALLED = range(2)
"""How a load distribution ends. STALLED: steps used up, or what is given is not a number."""

STEPS = 400
HALVINGS = 5
LEAST_LEFT = 1e-13
"""Of a force: what is left of one that vanishes in a step."""

SETTLED = 1e-3
"""Residuals of loaded points over the depth of the one that should come in next."""

TOLERANCE = 1e-12
"""Of depths, over the largest that a point would have if nothing else gave way."""

TOTAL_TOLERANCE = 1e-11
"""Of a total that is prescribed."""

ROUND_OFF = 1e-15
"""Of the terms that a depth is the sum of."""


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

    force: Floats  # N: where a solution begins and ends
    depth: Floats  # m, w(F)
    give: Floats  # m/N, slopes of the points' laws; the chord of one that comes in
    residual: Floats  # w - s of what is loaded
    step: Floats
    trial: Floats  # forces tried
    factor: Floats  # (m, m)
    active: Integers  # numbers of loaded points


def load_work(count: int) -> LoadWork:
    """Scratch for so many points, none of them pressed."""
    return LoadWork(
        force=np.zeros(count),
        depth=np.zeros(count),
        give=np.zeros(count),
        residual=np.zeros(count),
        step=np.zeros(count),
        trial=np.zeros(count),
        factor=np.zeros((count, count)),
        active=np.zeros(count, dtype=np.int64),
    )


@kernel(internal=True)
def line_depth(force, constant, slope, length):
    """w, its slope in F, and ∫ w dF, under a force above zero; see `line_approach`."""
    load = force / length
    if slope == 0.0:
        depth = load * constant
        return depth, constant / length, 0.5 * force * depth
    w = constant / slope - math.log(load)
    if w > LEAST_W:
        work = 0.5 * force * load * slope * (w + 0.5)
        return slope * load * w, slope * (w - 1.0) / length, work
    within = math.exp(constant / slope - LEAST_W)  # the load where the law ends
    past = load - within
    work = 0.5 * within * within * (LEAST_W + 0.5) + past * (2.0 * within + 0.5 * past)
    return slope * (2.0 * within + past), slope / length, slope * length * work


@kernel
def distribute(points, count, approach, work):
    """Share of the first `count` points at an approach; returns status, total, its slope in the
    approach, and the stored energy. Begins with work.force, ends with forces and depths in work."""
    deepest = _deepest(points, count, approach)
    if not deepest < math.inf:
        return STALLED, 0.0, 0.0, 0.0
    energy, _size = _energy(points, count, approach, work.force)
    singly = False
    for _ in range(STEPS):
        loaded, error = _find_loaded(points, count, approach, singly, work)
        if error <= TOLERANCE * deepest:
            return _outcome(points, count, work)
        if error == math.inf:
            break
        fall = _newton_direction(points, loaded, work)
        accepted, energy = _advance(points, count, loaded, approach, energy, fall, singly, work)
        if singly and not accepted:
            break
        singly = singly or not accepted
    return STALLED, 0.0, 0.0, 0.0


@kernel
def distribute_total(points, count, total, approach, work):
    """The same with the total Σ ℓ F prescribed, `approach` where to begin; returns status,
    approach, slope and energy. Newton's steps between bounds that close in on the answer."""
    first, touch = _first_touch(points, count)
    if not (total > 0.0 and first >= 0):
        return STALLED, approach, 0.0, 0.0
    low = touch
    high = math.inf
    alone = _alone(points, first, total)
    if not touch < approach < math.inf:
        approach = touch + alone
    for _ in range(STEPS):
        status, carried, slope, energy = distribute(points, count, approach, work)
        if status != SOLVED:
            return status, approach, 0.0, 0.0
        if carried < total:
            low = approach
        else:
            high = approach
        following = approach + (total - carried) / slope if slope > 0.0 else math.inf
        if not low < following < high:
            following = 0.5 * (low + high) if high < math.inf else 2.0 * low - touch + alone
        resolved = ROUND_OFF * max(abs(approach), abs(touch))
        if abs(carried - total) <= TOTAL_TOLERANCE * total or abs(following - approach) <= resolved:
            return SOLVED, approach, slope, energy
        approach = following
    return STALLED, approach, 0.0, 0.0


@kernel(internal=True)
def _deepest(points, count, approach):
    """Largest depth of a point if nothing else gave way."""
    deepest = 0.0
    for i in range(count):
        reach = approach * points.lever[i] - points.gap[i]
        if not abs(reach) < math.inf:
            return math.inf
        deepest = max(deepest, reach)
    return deepest


@kernel(internal=True)
def _first_touch(points, count):
    """The point that touches first, and at which approach; none has a negative number."""
    first = -1
    touch = math.inf
    for i in range(count):
        if points.lever[i] > 0.0 and points.gap[i] / points.lever[i] < touch:
            first = i
            touch = points.gap[i] / points.lever[i]
    return first, touch


@kernel(internal=True)
def _alone(points, i, total):
    """Approach beyond its touch if one point carried the total alone."""
    lever = points.lever[i]
    load = total / (lever * points.length[i])
    own = points.constant[i] + points.length[i] * points.compliance[i, i]
    if points.slope[i] > 0.0 and load > 0.0:
        own = max(own - points.slope[i] * math.log(load), 2.0 * points.slope[i])
    return load * own / lever


@kernel(internal=True)
def _energy(points, count, approach, force):
    """E, and the size of its terms."""
    energy = 0.0
    size = 0.0
    for i in range(count):
        if force[i] > 0.0:
            _depth, _give, spent = line_depth(
                force[i], points.constant[i], points.slope[i], points.length[i]
            )
            give = 0.0
            largest = 0.0
            for j in range(count):
                give += points.compliance[i, j] * force[j]
                largest = max(largest, abs(points.compliance[i, j] * force[j]))
            reach = approach * points.lever[i] - points.gap[i]
            energy += spent + force[i] * (0.5 * give - reach)
            size += spent + force[i] * (largest + abs(reach))
    return energy, size


@kernel(internal=True)
def _seat(points, count, approach, i, force):
    """s of a point, how deep it would be with all forces as they are, and the size of its terms."""
    seat = approach * points.lever[i] - points.gap[i]
    size = abs(approach * points.lever[i]) + abs(points.gap[i])
    for j in range(count):
        give = points.compliance[i, j] * force[j]
        seat -= give
        size += abs(give)
    return seat, size


@kernel(internal=True)
def _find_loaded(points, count, approach, singly, work):
    """Points that are loaded or should be, with residuals and slopes; returns how many, and the
    largest residual beyond round-off. `singly` lets one come in at a time."""
    loaded = 0
    error = 0.0
    unsettled = 0.0
    next_in = -1
    for i in range(count):
        seat, size = _seat(points, count, approach, i, work.force)
        work.depth[i] = 0.0
        if work.force[i] > 0.0:
            work.depth[i], work.give[i], _spent = line_depth(
                work.force[i], points.constant[i], points.slope[i], points.length[i]
            )
        elif seat <= 0.0:
            continue
        work.residual[i] = work.depth[i] - seat
        off = abs(work.residual[i]) - ROUND_OFF * size
        error = max(error, off) if off < math.inf else math.inf
        if work.force[i] > 0.0:
            unsettled = max(unsettled, off)
        else:
            work.give[i] = _chord(points, i, seat)
            if singly:
                if next_in < 0 or seat > -work.residual[next_in]:
                    next_in = i
                continue
        work.active[loaded] = i
        loaded += 1
    if next_in >= 0 and unsettled <= -SETTLED * work.residual[next_in]:
        work.active[loaded] = next_in
        loaded += 1
    return loaded, error


@kernel(internal=True)
def _chord(points, i, seat):
    """w/F of a point that comes in and bears its seat alone: its compliance adds to the constant
    of its law."""
    own = points.compliance[i, i]
    constant = points.constant[i] + points.length[i] * own
    force = seat * points.length[i] / constant
    if points.slope[i] > 0.0:
        flat = 1.0
        force, _slope, _stored = line_contact(
            seat, constant, points.slope[i], points.length[i], flat
        )
    depth, _give, _spent = line_depth(force, points.constant[i], points.slope[i], points.length[i])
    return depth / force


@kernel(internal=True)
def _newton_direction(points, loaded, work):
    """Steps of forces in work.step; returns how fast E falls along them."""
    for row in range(loaded):
        work.step[row] = -work.residual[work.active[row]]
    factor_loaded(points, loaded, work)
    solve_loaded(work.factor, loaded, work.step)
    fall = 0.0
    for row in range(loaded):
        fall += work.residual[work.active[row]] * work.step[row]
    return fall


@kernel(internal=True)
def factor_loaded(points, loaded, work):
    """Cholesky's factor of C + w' among loaded points, in the lower triangle."""
    factor = work.factor
    for row in range(loaded):
        i = work.active[row]
        for column in range(row + 1):
            value = points.compliance[i, work.active[column]]
            if column == row:
                value += work.give[i]
            for k in range(column):
                value -= factor[row, k] * factor[column, k]
            if column == row:
                factor[row, row] = math.sqrt(max(value, 1e-300))
            else:
                factor[row, column] = value / factor[column, column]


@kernel(internal=True)
def solve_loaded(factor, loaded, values):
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
def _advance(points, count, loaded, approach, energy, fall, singly, work):
    """Take as much of the step as lets E fall; returns whether there is such, and E."""
    share = _way_to_zero(loaded, work) if singly else 1.0
    for i in range(count):
        work.trial[i] = 0.0
    for _ in range(HALVINGS):
        for row in range(loaded):
            i = work.active[row]
            reached = work.force[i] + share * work.step[row]
            work.trial[i] = reached if reached > LEAST_LEFT * work.force[i] else 0.0
        lower, size = _energy(points, count, approach, work.trial)
        if lower <= energy + 1e-3 * share * fall + ROUND_OFF * size:
            for i in range(count):
                work.force[i] = work.trial[i]
            return True, lower
        share *= 0.5
    return False, energy


@kernel(internal=True)
def _way_to_zero(loaded, work):
    """Share of the step at which the first force vanishes, one at most."""
    share = 1.0
    for row in range(loaded):
        force = work.force[work.active[row]]
        if force > 0.0 and force + work.step[row] < 0.0:
            share = min(share, -force / work.step[row])
    return share


@kernel(internal=True)
def _outcome(points, count, work):
    """Total, its slope by the approach, and the stored energy, where all is settled."""
    total = 0.0
    energy = 0.0
    loaded = 0
    for i in range(count):
        force = work.force[i]
        if force > 0.0:
            depth, work.give[i], spent = line_depth(
                force, points.constant[i], points.slope[i], points.length[i]
            )
            give = 0.0
            for j in range(count):
                give += points.compliance[i, j] * work.force[j]
            energy += force * (depth + 0.5 * give) - spent
            total += points.lever[i] * force
            work.active[loaded] = i
            work.step[loaded] = points.lever[i]
            loaded += 1
    factor_loaded(points, loaded, work)
    solve_loaded(work.factor, loaded, work.step)
    slope = 0.0
    for row in range(loaded):
        slope += points.lever[work.active[row]] * work.step[row]
    return SOLVED, total, slope, energy
