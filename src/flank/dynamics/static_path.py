"""Equilibria along a path in one kernel, each looked for on the secant of the last two first; of
plane and space alike.

Loads and drives are smooth between the points of their tables. There equilibria follow each other
on a smooth curve, and Newton's method needs two or three steps from the secant where it needs five
to seven from the equilibrium before. What is extrapolated is how bodies move besides what is known
of their motion, and the reactions of joints. Where an equilibrium is not found from the secant, it
is looked for from the one before; where it is not found from there either, by continuation.

Of a path either everything is recorded, or what the figures of a loop are made of.
"""

from typing import NamedTuple

import numpy as np

from flank.arrays import Flags, Floats, Integers, Rows, row_type
from flank.dynamics.continuation import begin_continuation, go_on, is_continuing, searched_time
from flank.dynamics.engine import (
    displace,
    fill_moved,
    keep_more,
    keep_rotations,
    place,
    put_rotations,
)
from flank.dynamics.model import Model, Record
from flank.dynamics.motion import put_record
from flank.dynamics.poses import AnyState
from flank.dynamics.scatter import copy_rows
from flank.dynamics.spatial.model import SpatialRecord, SpatialState
from flank.dynamics.statics import SEARCHING, begin_search, iterate
from flank.dynamics.status import OK, TOO_MANY_ITERATIONS
from flank.kernel import KernelByType, kernel
from flank.team import rank, team_size, team_sum, wait

ITERATIONS_AT_ONCE = 2000
"""After which a path that needs continuation is left for a moment, half a second on a slow day, so
that somebody who wants to stop it can."""

SECANT = row_type(
    [
        ("known", np.int64),  # equilibria behind, as far as they count: two are enough
        ("time", np.float64),  # of the last one
    ]
)


class Passed(NamedTuple):
    """The last equilibrium of a path, and how bodies and reactions moved up to it, in a second."""

    position: Floats
    rotation: Floats  # in space
    multipliers: Floats
    position_rate: Floats  # of all coordinates
    multiplier_rate: Floats
    secant: Rows  # one row


class Course(NamedTuple):
    """Where a path goes: times, how bodies are guessed to move up to each (none at all where
    nothing is guessed), and whether a secant reaches it."""

    times: Floats
    shifts: Floats  # (time, body, coordinate), or none
    smooth: Flags


class Readings(NamedTuple):
    """What the figures of a loop are made of."""

    angle: Floats  # (time), of a body against another
    friction_work: Floats  # (time), J, of all contacts since the start
    largest_force: Floats  # (contact), N
    largest_load: Floats  # (contact), N/m: of force times curvature, which pressures follow
    bodies: Integers  # the two


def passed_at(state: AnyState) -> Passed:
    """Before the first equilibrium of a path."""
    return Passed(
        state.position.copy(),
        state.rotation.copy() if isinstance(state, SpatialState) else np.zeros((0, 4)),
        state.multipliers.copy(),
        np.zeros_like(state.velocity),
        np.zeros_like(state.multipliers),
        np.zeros(1, SECANT),
    )


def readings_of(model: Model, body: int, reference: int, times: int) -> Readings:
    contacts = len(model.contacts)
    return Readings(
        np.zeros(times),
        np.zeros(times),
        np.zeros(contacts),
        np.zeros(contacts),
        np.array([body, reference]),
    )


@kernel(internal=True)
def _read(readings, state, row):
    angle = state.position[readings.bodies[0], 2] - state.position[readings.bodies[1], 2]
    readings.angle[row] = angle
    work = 0.0
    for k in range(rank(), readings.largest_force.shape[0], team_size()):
        result = state.contact_results[k]
        force = result.normal_force
        work += result.friction_work
        readings.largest_force[k] = max(readings.largest_force[k], force)
        readings.largest_load[k] = max(readings.largest_load[k], force * result.curvature)
    readings.friction_work[row] = team_sum(work)


_note = KernelByType({Record: put_record, SpatialRecord: put_record, Readings: _read})


@kernel
def equilibria(
    model,
    state,
    course,
    first,
    last,
    tolerances,
    work,
    searches,
    passed,
    record,
    continuation,
):
    """Equilibria at times `first` to `last` - 1 of the course, accepted and recorded each.

    Returns a status, the number of the time that it is of (`last` if all are there), and how many
    contacts switched after the first time of the course. The status is SEARCHING where the kernel
    shall be called again, from that number on. It is one loop over the iterations of all searches:
    threads of a GPU that go together need not be at the same time of their courses.
    """
    search = searches[0]
    switched = 0
    number = first
    iterations = 0  # of the search at hand
    spent = 0
    along_secant = False
    tried_secant = False
    while number < last:
        continues = is_continuing(continuation)
        if iterations == 0:
            if not continues:
                along_secant = (
                    course.smooth[number] and passed.secant[0].known == 2 and not tried_secant
                )
                _move(state, course, number, passed, along_secant, work)
                search.accepts = True
            begin_search(model, search)
        time = searched_time(continuation, course.times[number])
        status = iterate(model, state, time, tolerances, work, search)
        iterations += 1
        if status == SEARCHING and iterations < tolerances.maximum_iterations:
            continue
        spent += iterations
        iterations = 0
        if status == SEARCHING:
            status = TOO_MANY_ITERATIONS
        if continues:
            status = go_on(continuation, model, state, course, number, work, search, status)
        elif status != OK:
            _go_back(state, passed)
            tried_secant = along_secant
            if tried_secant:
                continue
            status = begin_continuation(
                continuation, model, state, course, number, work, search, status
            )
        if status == SEARCHING and spent < ITERATIONS_AT_ONCE:
            continue
        if status != OK:
            return status, number, switched
        tried_secant = False
        _pass(state, course, number, passed)
        _note(record, state, number)
        if number > 0:
            switched += search.switched
        number += 1
    return OK, last, switched


@kernel(internal=True)
def _move(state, course, number, passed, predicted, work):
    """As is guessed, and along the secant if that is to be tried."""
    after = course.times[number] - passed.secant[0].time
    keep_more(state, work)
    for body in range(1 + rank(), state.position.shape[0], team_size()):
        for i in range(passed.position_rate.shape[1]):
            shift = 0.0
            if course.shifts.shape[0] == course.times.shape[0]:
                shift = course.shifts[number, body, i]
            if predicted:
                shift += after * passed.position_rate[body, i]
            displace(state, body, i, shift)
    place(state, work)
    if predicted:
        for i in range(rank(), state.multipliers.shape[0], team_size()):
            state.multipliers[i] += after * passed.multiplier_rate[i]
    wait()


@kernel(internal=True)
def _go_back(state, passed):
    copy_rows(passed.position, state.position)
    put_rotations(state, passed.rotation)
    for i in range(rank(), state.multipliers.shape[0], team_size()):
        state.multipliers[i] = passed.multipliers[i]
    wait()


@kernel(internal=True)
def _pass(state, course, number, passed):
    """Let the state be the last equilibrium of the path."""
    secant = passed.secant[0]
    interval = course.times[number] - secant.time
    known = secant.known
    if known > 0 and interval != 0.0:
        for body in range(1 + rank(), state.position.shape[0], team_size()):
            rates = passed.position_rate[body]
            fill_moved(state, passed.position, passed.rotation, body, rates)
            for i in range(rates.shape[0]):
                if course.shifts.shape[0] == course.times.shape[0]:
                    rates[i] -= course.shifts[number, body, i]
                rates[i] /= interval
        for i in range(rank(), state.multipliers.shape[0], team_size()):
            change = state.multipliers[i] - passed.multipliers[i]
            passed.multiplier_rate[i] = change / interval
        known = 2
    elif known == 0:
        known = 1
    wait()
    copy_rows(state.position, passed.position)
    keep_rotations(state, passed.rotation)
    for i in range(rank(), state.multipliers.shape[0], team_size()):
        passed.multipliers[i] = state.multipliers[i]
    wait()
    if rank() == 0:
        secant.known = known
        secant.time = course.times[number]
    wait()
