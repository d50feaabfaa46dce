"""Load distributions as programs for bevel gears iterate them, beside `partial_contact`.

`deletion` is the established way (Wagner, Schumann, Schlecht 2022, Eqs. 2-4): all sections that
penetrate, contact compliances K = w(F)/F of a uniform load to begin with; solve (B + K) F = d, take
out what pulls, take K of the new forces, until they stay. What is out stays out, whatever comes.

`proportion_printed` is the same paper's new way as it is printed (Eqs. 5-14): w of the last forces
by f_ref = v/k⁺, k⁺ the contact's compliance at a light pressure; diagonal over w, here both sides
times w; penetration raised by v (1 - w)/2. As printed it has no answer for sections well out of
contact, where w = 0 gives F = 0 and F = 0 gives w = 1/2, in turns; and pulls where d lies a little
further below zero than -v/2. What is then done is counted: where forces go round in circles,
sections without a force in one of the last two steps are taken out, and where all has settled those
that pull; the others are solved anew. v counts without its sign;
with the printed tan γ of either sign w would fall as forces rise.
"""

import math

from flank.contact.load_distribution import (
    SOLVED,
    STALLED,
    factor_loaded,
    line_depth,
    solve_loaded,
)
from flank.kernel import kernel

STEPS = 60
"""Of one iteration, before it counts as going round in circles."""

CHANGE = 1e-8
"""Of the largest force: a change of forces in a step with which an iteration ends."""


@kernel(internal=True)
def _uniform_load(points, count):
    """How many sections penetrate, and a load for each to begin with: their mean penetration over
    their mean compliance."""
    touching = 0
    depth = 0.0
    soft = 0.0
    for i in range(count):
        if points.depth[i] > 0.0:
            touching += 1
            depth += points.depth[i]
            constant = points.constant[i] - points.slope[i] * math.log(1e5)  # at 100 N/mm
            soft += points.compliance[i, i] + max(constant, points.slope[i]) / points.length[i]
    return touching, depth / soft if touching > 0 else 0.0


@kernel(internal=True)
def _secant(points, i, force):
    """K = w(F)/F."""
    depth, _give, _work = line_depth(force, points.constant[i], points.slope[i], points.length[i])
    return depth / force


@kernel
def deletion(points, count, work, history):
    """Forces of the first `count` sections by deletion; returns status, steps and how many were
    taken out. Rows of `history` (steps, count) become the forces of each step, pulls among them,
    not a number for what is out; it may have no rows."""
    touching, load = _uniform_load(points, count)
    bearing = 0
    for i in range(count):
        work.force[i] = 0.0
        if points.depth[i] > 0.0:
            work.active[bearing] = i
            work.force[i] = load
            bearing += 1
    for step in range(STEPS):
        for row in range(bearing):
            i = work.active[row]
            work.give[i] = _secant(points, i, work.force[i])
            work.step[row] = points.depth[i]
        factor_loaded(points, bearing, work)
        solve_loaded(work.factor, bearing, work.step)
        _write_history(history, step, count, bearing, work)
        bearing, change, largest = _take_forces(bearing, work)
        if change <= CHANGE * largest:
            return SOLVED, step + 1, touching - bearing
        if not change < math.inf:
            break
    return STALLED, STEPS, touching - bearing


@kernel(internal=True)
def _write_history(history, step, count, bearing, work):
    if step < history.shape[0]:
        for i in range(count):
            history[step, i] = math.nan
        for row in range(bearing):
            history[step, work.active[row]] = work.step[row]


@kernel(internal=True)
def _take_forces(bearing, work):
    """Solved forces, without those that pull; returns how many bear, the largest change (∞ where
    one went out, which is a change of what is solved) and the largest force."""
    left = 0
    change = 0.0
    largest = 0.0
    out = False
    for row in range(bearing):
        i = work.active[row]
        if work.step[row] > 0.0:
            change = max(change, abs(work.step[row] - work.force[i]))
            largest = max(largest, work.step[row])
            work.force[i] = work.step[row]
            work.active[left] = i
            left += 1
        else:
            work.force[i] = 0.0
            out = True
    if out:
        change = max(change, 2.0 * CHANGE * largest)
    return left, change, largest


@kernel
def proportion_printed(points, count, reference_load, work):
    """Forces by the printed proportions, `reference_load` the load per length (N/m) of k⁺; returns
    status, steps, how many sections went round in circles and how many pulled."""
    circling = 0
    pulling = 0
    steps = 0
    _touching, load = _uniform_load(points, count)
    bearing = count
    for i in range(count):
        work.active[i] = i
        work.force[i] = load
    for _ in range(count + 1):
        settled, taken = _iterate_printed(points, bearing, reference_load, work)
        steps += taken
        if not settled:
            bearing, out = _drop(bearing, work, False)
            circling += out
            if out == 0:
                return STALLED, steps, circling, pulling
            continue
        bearing, out = _drop(bearing, work, True)
        pulling += out
        if out == 0:
            return SOLVED, steps, circling, pulling
    return STALLED, steps, circling, pulling


@kernel(internal=True)
def _iterate_printed(points, bearing, reference_load, work):
    """The printed iteration among sections that are left; the lesser of the last two forces of each
    stays in work.residual."""
    for step in range(STEPS):
        for row in range(bearing):
            _put_printed_row(points, row, bearing, reference_load, work)
        _eliminate(work.factor, bearing, work.step)
        change = 0.0
        largest = 0.0
        for row in range(bearing):
            i = work.active[row]
            change = max(change, abs(work.step[row] - work.force[i]))
            largest = max(largest, abs(work.step[row]))
            work.residual[i] = min(work.step[row], work.force[i])
            work.force[i] = work.step[row]
        if change <= CHANGE * largest:
            return True, step + 1
    return False, STEPS


@kernel(internal=True)
def _put_printed_row(points, row, bearing, reference_load, work):
    """Eqs. 7, 8, 10, 13 and 14 of one section."""
    i = work.active[row]
    spread = abs(points.spread[i])
    light = _secant(points, i, reference_load * points.length[i])
    reference = spread / light
    share = 1.0
    if work.force[i] <= -reference:
        share = 0.0
    elif work.force[i] < reference:
        share = 0.5 + 0.5 * work.force[i] / reference
    own = _secant(points, i, work.force[i]) if work.force[i] > 0.0 else light
    for column in range(bearing):
        work.factor[row, column] = share * points.compliance[i, work.active[column]]
    work.factor[row, row] = points.compliance[i, i] + own
    work.step[row] = share * (points.depth[i] + 0.5 * spread * (1.0 - share))


@kernel(internal=True)
def _drop(bearing, work, settled):
    """Take out what pulls, or did in one of the last two steps of an iteration that has not
    settled; how many are left and were taken out."""
    left = 0
    for row in range(bearing):
        i = work.active[row]
        if (work.force[i] if settled else work.residual[i]) > 0.0:
            work.active[left] = i
            left += 1
        else:
            work.force[i] = 0.0
    return left, bearing - left


@kernel(internal=True)
def _eliminate(matrix, size, values):
    """Solve a system whose matrix is not symmetric, with pivots by row; all is written over."""
    for column in range(size):
        best = column
        for row in range(column + 1, size):
            if abs(matrix[row, column]) > abs(matrix[best, column]):
                best = row
        if best != column:
            for k in range(column, size):
                matrix[column, k], matrix[best, k] = matrix[best, k], matrix[column, k]
            values[column], values[best] = values[best], values[column]
        for row in range(column + 1, size):
            factor = matrix[row, column] / matrix[column, column]
            if factor != 0.0:
                for k in range(column + 1, size):
                    matrix[row, k] -= factor * matrix[column, k]
                values[row] -= factor * values[column]
    for back in range(size):
        row = size - 1 - back
        value = values[row]
        for k in range(row + 1, size):
            value -= matrix[row, k] * values[k]
        values[row] = value / matrix[row, row]
