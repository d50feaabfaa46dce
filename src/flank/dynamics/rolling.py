"""Two gears that roll on each other, elastic bodies and all, millions of steps at a time.

All that is linear (gears with their bodies, shafts, inertias) is a set of modes of the structure
without its mesh, with unit modal masses and in the frame that turns with each gear:

    q̈_k + 2 σ_k q̇_k + ω_k² q_k = -Σ_p φ_pk F_p - e_k F_d + g_k F_0,   F_d = c ẋ,  x = Σ_k e_k q_k.

The mesh is what couples them. Its points p stand at N places of a base pitch, which the steps
reach in turn, so all that is known of a place is a row of tables. A point approaches by
s_p = Σ_k φ_pk q_k and presses with F_p >= 0 along the line of action, where

    s_p - gap_p = Σ_r C_pr F_r + w_p(F_p)   if F_p > 0,   s_p - gap_p <= Σ_r C_pr F_r   if not:

C is what modes that are left out give way statically, w the law of line contact. In a step h forces
are the mean of both ends; modes then move exactly,

    q' = a_11 q + a_12 q̇ + b_1 f,   q̇' = a_21 q + a_22 q̇ + b_2 f,

so the work of a spring along the line of action is its energy, whatever the step (steps in which
contact is lost or regained apart), and no step is too long to be stable. The forces of the new end
are the answer of a small system whose compliance is C + ½ Σ_k b_1k φ_k φ_kᵀ, less what the damper
F_d = c (x' - x)/h between the gears takes over.

Where the gears have gone back through half of their backlash, points of the other flanks are looked
at too. They are points like all others: of shapes with the opposite sign, and with the backlash in
their gaps.

At the end of a base pitch every pair of teeth takes the place of the one before it. Modes that go
round the gear in n waves turn by n pitches against the numbers of teeth: a change of names, which
moves nothing. Teeth that differ have gaps of their own in every cycle, those of the first gear
again after as many cycles as it has teeth, those of the second after as many as that has.

In the frame that turns with a gear, Coriolis' force turns the velocities of both modes of a pair by
an angle that every step has alike, whatever the speed, which takes no energy; what the square of
the speed adds to ω² counts in a_11 to b_2.
"""

import math
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats, Integers
from flank.contact.load_distribution import factorize, solve_loaded
from flank.kernel import kernel

ROLLED, STALLED = range(2)
"""How rolling ends. STALLED: the points of a step found no balance."""

NEWTON_STEPS = 40
TOLERANCE = 1e-11
"""Of approaches, over the deepest that a point would be without forces."""

ENTRY_LOAD = 1e4
"""N/m: the load for which the compliance of a point is guessed when it comes in."""

NEAR = 0.1
"""Of the deepest seat: points that are further away than this are not looked at. Forces elsewhere
push a point away, or pull it in by far less."""

SHRINK = 0.1
"""What is left of a force that a step would make negative."""

FIGURES = ("mean", "square", "smallest_force", "largest_force", "apart", "losses")
"""Of every cycle: mean of the transmission error and of its square, smallest and largest total
force, share of steps in which nothing touches, how often contact was lost."""

READ = 3
"""Columns of a record before the forces."""

MEAN, SQUARE, SMALLEST, LARGEST, APART, LOSSES = range(len(FIGURES))


class RollingMesh(NamedTuple):
    """The mesh at N places of a base pitch; K modes, at most M points at a place, `slots` in all.

    A slot is a pair of teeth and a part of the face, pairs in the order of their numbers, those of
    the other flanks after all `front_slots`.
    """

    slot: Integers  # (N, M) of every point
    points: Integers  # (N,) how many of the flanks that drive
    other_points: Integers  # (N,) and how many of the other flanks, which come after them
    compliance: Floats  # m/N, (N, M, M), of all that is not a mode
    gap: Floats  # m, (N, M)
    constant: Floats  # 1/Pa, (N, M), of the points' laws w = F'(P - Q ln F')
    slope: Floats  # 1/Pa, (N, M)
    length: Floats  # m, (N, M)
    shape: Floats  # (N, M, K), φ
    first_deviation: Floats  # m, (cycle, N, M), added to gaps in turn; no cycle if teeth are alike
    second_deviation: Floats
    across: int  # points across the face
    front_slots: int
    slots: int
    half_back: float  # m, the approach below which the other flanks are looked at


ERROR, BRAKE, BLOW = 0, 1, 2
"""Rows of approaches: the transmission error; that of the flanks which drive, which the damper
brakes, where it is another one as centres move; what an impulse gives every mode where it acts on
both gears as if they were rigid, on the flanks that drive and on the others. One row, two or four:
a field of its own for each would cost two fifths of a step."""


class Modes(NamedTuple):
    """The structure without its mesh, K modes of unit mass."""

    frequency: Floats  # rad/s, ω; zero where it moves freely
    decay: Floats  # 1/s, σ
    approaches: Floats  # (row, K) of both gears (m) by a unit of each, rows as below
    output: Floats  # angle of the output (rad) of a unit of each
    load: Floats  # g: share of the load along the line of action
    partner: Integers  # the other one of a pair that goes round a gear; itself if it has none
    cosine: Floats  # by which a pair turns at the end of a base pitch
    sine: Floats
    coriolis: Floats  # rad, by which a pair's velocities turn in a base pitch; nothing if left out
    spin: Floats  # what the square of the speed adds to ω², times the square of a period
    damping: float  # N·s/m, c between the gears along the line of action

    @property
    def error(self) -> Floats:
        """The transmission error of a unit of each mode."""
        return np.asarray(self.approaches[ERROR])


class RollingState(NamedTuple):
    """Where it stands at the end of a cycle; goes on as if it had never stopped."""

    position: Floats  # (K,) q
    velocity: Floats  # (K,)
    modal_force: Floats  # (K,) -Σ φ F
    force: Floats  # N, (slots,)
    cycle: Integers  # (1,) how many were rolled through


class RollingWork(NamedTuple):
    """Scratch."""

    a_11: Floats  # (K,) and so on: how a mode moves in a step
    a_12: Floats
    a_21: Floats
    a_22: Floats
    b_1: Floats
    b_2: Floats
    free: Floats  # (K,) where a mode would be without the new forces
    seats: Floats  # (M,) how deep a point would be without them
    near: Integers  # (M,) points that are looked at; of these are
    seat: Floats  # (M,) seats,
    share: Floats  # (M,) approach under a unit force of the damper,
    compliance: Floats  # (M, M)
    factor: Floats  # (M, M)
    force: Floats  # (M,)
    step: Floats  # (M,)
    active: Integers  # (M,) numbers of those that are loaded
    turned: Floats  # (K,) of any use
    cosine: Floats  # (K,) by which Coriolis' force turns velocities in a step
    sine: Floats  # (K,)
    gap: Floats  # m, (N, M) of a cycle, where teeth differ


def rolling_state(modes: Modes, mesh: RollingMesh) -> RollingState:
    """At rest, unloaded."""
    count = len(modes.frequency)
    none = np.zeros(count), np.zeros(count), np.zeros(count)
    return RollingState(*none, np.zeros(mesh.slots), np.zeros(1, dtype=np.int64))


def rolling_work(modes: Modes, mesh: RollingMesh) -> RollingWork:
    count, most = len(modes.frequency), mesh.gap.shape[1]
    by_mode = {name: np.zeros(count) for name in ("a_11", "a_12", "a_21", "a_22", "b_1", "b_2")}
    return RollingWork(
        **by_mode,
        free=np.zeros(count),
        seats=np.zeros(most),
        near=np.zeros(most, dtype=np.int64),
        seat=np.zeros(most),
        share=np.zeros(most),
        compliance=np.zeros((most, most)),
        factor=np.zeros((most, most)),
        force=np.zeros(most),
        step=np.zeros(most),
        active=np.zeros(most, dtype=np.int64),
        turned=np.zeros(count),
        cosine=np.zeros(count),
        sine=np.zeros(count),
        gap=mesh.gap.copy(),
    )


@kernel
def roll(mesh, modes, state, periods, loads, restitution, figures, record, work):
    """Roll through as many base pitches as there are periods (s), under loads in N, those of all
    steps (cycle, place) or one of each cycle (cycle, 1).

    Starts at place 0 and ends there. `restitution` below zero lets points come back into contact as
    elastic bodies do; from zero to one, an impulse turns the approach back where all contact was
    lost. `figures` (cycle, 6) are FIGURES; the last cycles, as many as `record` (cycle, place,
    3 + slots) has, are written down: transmission error, its velocity, angle of the output, forces
    by slot. Returns the status and the cycles done.
    """
    places = mesh.points.shape[0]
    cycles = periods.shape[0]
    kept = record.shape[0]
    apart = _total(state.force, mesh.slots) == 0.0
    gap = mesh.gap
    differing = mesh.first_deviation.shape[0] > 0
    if differing:
        _deviate(mesh, state.cycle[0], work)
        gap = work.gap
    turning = modes.coriolis.shape[0] > 0
    if turning:
        _turn_of_a_step(modes, places, work)
    for cycle in range(cycles):
        step = periods[cycle] / places
        _propagators(modes, step, periods[cycle], work)
        sums = (0.0, 0.0)
        smallest = math.inf
        largest = 0.0
        without = 0
        losses = 0
        for place in range(1, places + 1):
            at = place
            if place == places:
                _hand_over(mesh, modes, state, work)
                at = 0
                if differing:
                    _deviate(mesh, state.cycle[0], work)
            if turning:
                _turn_velocities(modes, state, work)
            load = loads[cycle, place - 1] if loads.shape[1] > 1 else loads[cycle, 0]
            error, total, status = _step(
                mesh, gap, modes, state, at, step, load, restitution, apart, work
            )
            if status != ROLLED:
                return STALLED, cycle
            if total > 0.0:
                apart = False
            else:
                without += 1
                if not apart:
                    losses += 1
                apart = True
            sums = (sums[0] + error, sums[1] + error * error)
            smallest = min(smallest, total)
            largest = max(largest, total)
            if cycle >= cycles - kept:
                _write(record[cycle - cycles + kept, place - 1], modes, state, error, mesh.slots)
        figures[cycle, MEAN] = sums[0] / places
        figures[cycle, SQUARE] = sums[1] / places
        figures[cycle, SMALLEST] = smallest
        figures[cycle, LARGEST] = largest
        figures[cycle, APART] = without / places
        figures[cycle, LOSSES] = losses
    return ROLLED, cycles


@kernel(internal=True)
def _total(values, count):
    total = 0.0
    for i in range(count):
        total += values[i]
    return total


@kernel(internal=True)
def _deviate(mesh, cycle, work):
    """Gaps of a cycle whose teeth are those that are in mesh now."""
    first = mesh.first_deviation[cycle % mesh.first_deviation.shape[0]]
    second = mesh.second_deviation[cycle % mesh.second_deviation.shape[0]]
    for place in range(mesh.points.shape[0]):
        for p in range(mesh.points[place] + mesh.other_points[place]):
            work.gap[place, p] = mesh.gap[place, p] + first[place, p] + second[place, p]


@kernel(internal=True)
def _turn_of_a_step(modes, places, work):
    for k in range(modes.frequency.shape[0]):
        work.cosine[k] = math.cos(modes.coriolis[k] / places)
        work.sine[k] = math.sin(modes.coriolis[k] / places)


@kernel(internal=True)
def _turn_velocities(modes, state, work):
    """By Coriolis' force in a step."""
    for k in range(modes.frequency.shape[0]):
        other = state.velocity[modes.partner[k]]
        work.turned[k] = work.cosine[k] * state.velocity[k] + work.sine[k] * other
    for k in range(modes.frequency.shape[0]):
        state.velocity[k] = work.turned[k]


@kernel(internal=True)
def _propagators(modes, step, period, work):
    """Exact motion of every mode under a force that is constant over a step."""
    for k in range(modes.frequency.shape[0]):
        omega = modes.frequency[k]
        if modes.coriolis.shape[0] > 0:
            omega = math.sqrt(max(omega * omega + modes.spin[k] / (period * period), 0.0))
        sigma = modes.decay[k]
        if omega > 0.0:
            damped = math.sqrt(omega * omega - sigma * sigma)
            fade = math.exp(-sigma * step)
            cosine = fade * math.cos(damped * step)
            sine = fade * math.sin(damped * step) / damped
            work.a_11[k] = cosine + sigma * sine
            work.a_12[k] = sine
            work.a_21[k] = -omega * omega * sine
            work.a_22[k] = cosine - sigma * sine
            work.b_1[k] = (1.0 - work.a_11[k]) / (omega * omega)
            work.b_2[k] = sine
        else:
            rate = 2.0 * sigma
            lost = -math.expm1(-rate * step)
            reach = lost / rate if rate > 0.0 else step
            work.a_11[k] = 1.0
            work.a_12[k] = reach
            work.a_21[k] = 0.0
            work.a_22[k] = 1.0 - lost
            work.b_1[k] = (step - reach) / rate if rate * step > 1e-6 else 0.5 * step * step
            work.b_2[k] = reach


@kernel(internal=True)
def _hand_over(mesh, modes, state, work):
    """Give every pair of teeth the number of the one before it."""
    for values in (state.position, state.velocity, state.modal_force):
        for k in range(modes.frequency.shape[0]):
            other = values[modes.partner[k]]
            work.turned[k] = modes.cosine[k] * values[k] + modes.sine[k] * other
        for k in range(modes.frequency.shape[0]):
            values[k] = work.turned[k]
    for slot in range(mesh.slots):
        later = slot + mesh.across
        end = mesh.front_slots if slot < mesh.front_slots else mesh.slots
        state.force[slot] = state.force[later] if later < end else 0.0
    state.cycle[0] += 1


@kernel(internal=True)
def _step(mesh, gap, modes, state, at, step, load, restitution, apart, work):
    """One step to the place `at`; returns transmission error, total force and status."""
    _move_freely(modes, state, load, work)
    row = BRAKE if modes.approaches.shape[0] > 1 else ERROR
    brake = modes.approaches[row]
    reached = _dot(modes.approaches[ERROR], work.free)
    moved = reached if row == ERROR else _dot(brake, work.free)
    moved -= _dot(brake, state.position)
    yields = _weighted(brake, brake, work.b_1)
    damper = modes.damping / (step + modes.damping * yields)
    points = mesh.points[at]
    if reached < mesh.half_back:
        points += mesh.other_points[at]
    near = _gather(mesh, gap, brake, state, at, points, damper, moved, work)
    hits = near > 0 and apart and restitution >= 0.0
    if hits and _rebound(mesh, modes, state, at, points, load, restitution, work):
        near = 0
        moved = _dot(brake, work.free) - _dot(brake, state.position)
    if near > 0 and not _press(mesh, at, near, work):
        return 0.0, 0.0, STALLED
    for c in range(near):
        moved -= 0.5 * work.share[c] * work.force[c]
    total = _move(mesh, modes, brake, state, at, near, load, damper * moved, work)
    return _dot(modes.approaches[ERROR], state.position), total, ROLLED


@kernel(internal=True)
def _move_freely(modes, state, load, work):
    """Where modes would be at the end of a step without the new forces."""
    for k in range(modes.frequency.shape[0]):
        known = 0.5 * state.modal_force[k] + modes.load[k] * load
        work.free[k] = (
            work.a_11[k] * state.position[k]
            + work.a_12[k] * state.velocity[k]
            + work.b_1[k] * known
        )


@kernel(internal=True)
def _gather(mesh, gap, brake, state, at, points, damper, moved, work):
    """Seats of points, and of those that are near: the compliance among them, and forces to begin
    with. Returns how many are near, none if no point is pressed. The damper's force is `damper`
    times how far the gears would move, less what forces of points take off that."""
    shape = mesh.shape[at]
    deepest = 0.0
    for p in range(points):
        work.share[p] = _weighted(shape[p], brake, work.b_1)
        work.seats[p] = _dot(shape[p], work.free) - gap[at, p] - work.share[p] * damper * moved
        deepest = max(deepest, work.seats[p])
    near = 0
    if deepest > 0.0:
        for p in range(points):
            if work.seats[p] > -NEAR * deepest:
                work.near[near] = p
                work.seat[near] = work.seats[p]
                work.share[near] = work.share[p]
                work.force[near] = state.force[mesh.slot[at, p]]
                near += 1
    for c in range(near):
        p = work.near[c]
        for d in range(c + 1):
            r = work.near[d]
            share = _weighted(shape[p], shape[r], work.b_1)
            share -= damper * work.share[c] * work.share[d]
            work.compliance[c, d] = mesh.compliance[at, p, r] + 0.5 * share
            work.compliance[d, c] = work.compliance[c, d]
    return near


@kernel(internal=True)
def _dot(first, second):
    """With four sums, which the processor forms side by side."""
    count = first.shape[0]
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    whole = count - count % 4
    for k in range(0, whole, 4):
        a += first[k] * second[k]
        b += first[k + 1] * second[k + 1]
        c += first[k + 2] * second[k + 2]
        d += first[k + 3] * second[k + 3]
    for k in range(whole, count):
        a += first[k] * second[k]
    return (a + b) + (c + d)


@kernel(internal=True)
def _weighted(first, second, weight):
    count = first.shape[0]
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    whole = count - count % 4
    for k in range(0, whole, 4):
        a += first[k] * second[k] * weight[k]
        b += first[k + 1] * second[k + 1] * weight[k + 1]
        c += first[k + 2] * second[k + 2] * weight[k + 2]
        d += first[k + 3] * second[k + 3] * weight[k + 3]
    for k in range(whole, count):
        a += first[k] * second[k] * weight[k]
    return (a + b) + (c + d)


@kernel(internal=True)
def _rebound(mesh, modes, state, at, points, load, restitution, work):
    """Turn the approach back at the deepest point, by an impulse on all modes, or that of gears as
    if they were rigid; False where it comes no faster than it becomes faster in a step: then it
    rests there, or would bounce for ever."""
    deepest = 0
    for p in range(points):
        if work.seats[p] > work.seats[deepest]:
            deepest = p
    if modes.approaches.shape[0] > BLOW:
        blow = modes.approaches[BLOW if deepest < mesh.points[at] else BLOW + 1]
        return _turn_back(blow, modes, state, load, restitution, work)
    return _turn_back(mesh.shape[at, deepest], modes, state, load, restitution, work)


@kernel(internal=True)
def _turn_back(shape, modes, state, load, restitution, work):
    """The speed of an approach by an impulse along it."""
    speed = _dot(shape, state.velocity)
    gained = -speed
    for k in range(shape.shape[0]):
        known = 0.5 * state.modal_force[k] + modes.load[k] * load
        gained += shape[k] * (
            work.a_21[k] * state.position[k]
            + work.a_22[k] * state.velocity[k]
            + work.b_2[k] * known
        )
    if speed <= gained:
        return False
    impulse = (1.0 + restitution) * speed / _dot(shape, shape)
    for k in range(shape.shape[0]):
        state.velocity[k] -= impulse * shape[k]
    _move_freely(modes, state, load, work)
    return True


@kernel(internal=True)
def _move(mesh, modes, brake, state, at, near, load, damping, work):
    """Modes to the end of the step under the mean of both forces and that of the damper; returns
    the total force."""
    for k in range(modes.frequency.shape[0]):
        work.turned[k] = 0.0
    for c in range(near):
        if work.force[c] > 0.0:
            shape = mesh.shape[at, work.near[c]]
            for k in range(modes.frequency.shape[0]):
                work.turned[k] -= shape[k] * work.force[c]
    for k in range(modes.frequency.shape[0]):
        old = state.modal_force[k]
        new = work.turned[k]
        braked = brake[k] * damping
        mean = 0.5 * (old + new) + modes.load[k] * load - braked
        position = state.position[k]
        velocity = state.velocity[k]
        state.position[k] = work.free[k] + work.b_1[k] * (0.5 * new - braked)
        state.velocity[k] = work.a_21[k] * position + work.a_22[k] * velocity + work.b_2[k] * mean
        state.modal_force[k] = new
    for slot in range(mesh.slots):
        state.force[slot] = 0.0
    total = 0.0
    for c in range(near):
        state.force[mesh.slot[at, work.near[c]]] = work.force[c]
        total += work.force[c]
    return total


@kernel(internal=True)
def _press(mesh, at, near, work):
    """Forces of all near points in work.force, Newton's method from those that are there: the law
    is concave in the force, so it closes in from below. False if it does not."""
    scale = 0.0
    for c in range(near):
        scale = max(scale, work.seat[c])
    for _ in range(NEWTON_STEPS):
        loaded, error = _residuals(mesh, at, near, work)
        if error <= TOLERANCE * scale:
            return True
        if not factorize(work.factor, loaded):
            return False
        solve_loaded(work.factor, loaded, work.step)
        for row in range(loaded):
            c = work.active[row]
            following = work.force[c] + work.step[row]
            work.force[c] = following if following > 0.0 else SHRINK * work.force[c]
    return False


@kernel(internal=True)
def _residuals(mesh, at, near, work):
    """Loaded points, residuals in work.step and the system's matrix in work.factor; returns how
    many, and the largest residual. What is pressed without a force gets one, what has a force
    without being pressed loses it."""
    loaded = 0
    error = 0.0
    for c in range(near):
        give = 0.0
        for r in range(near):
            give += work.compliance[c, r] * work.force[r]
        rest = work.seat[c] - give
        own = work.compliance[c, c] * work.force[c]
        if rest + own <= 0.0:  # nothing presses it, with its own force taken off
            if work.force[c] > 0.0:
                work.force[c] = 0.0
                error = max(error, own)
            continue
        p = work.near[c]
        length = mesh.length[at, p]
        constant = mesh.constant[at, p]
        slope = mesh.slope[at, p]
        if not work.force[c] > 0.0:
            guess = (constant - slope * math.log(ENTRY_LOAD)) / length
            work.force[c] = rest / (work.compliance[c, c] + guess)
            rest -= work.compliance[c, c] * work.force[c]
        load = work.force[c] / length
        log_load = slope * math.log(load) if slope > 0.0 else 0.0
        residual = rest - load * (constant - log_load)
        work.step[loaded] = residual
        work.active[loaded] = c
        for row in range(loaded):
            work.factor[loaded, row] = work.compliance[c, work.active[row]]
        work.factor[loaded, loaded] = work.compliance[c, c] + (constant - slope - log_load) / length
        loaded += 1
        error = max(error, abs(residual))
    return loaded, error


@kernel(internal=True)
def _write(row, modes, state, error, slots):
    row[0] = error
    row[1] = _dot(modes.approaches[ERROR], state.velocity)
    row[2] = _dot(modes.output, state.position)
    for slot in range(slots):
        row[READ + slot] = state.force[slot]
