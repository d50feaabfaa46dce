"""Equilibria along a path in one kernel, each looked for on the secant of the last two first.

Loads and drives are smooth between the points of their tables. There equilibria follow each other
on a smooth curve, and Newton's method needs two or three steps from the secant where it needs five
to seven from the equilibrium before. What is extrapolated is how bodies move besides what is known
of their motion, and the reactions of joints. Where an equilibrium is not found from the secant, it
is looked for from the one before; where it is not found from there either, the kernel returns, for
continuation to go on.

Of a path either everything is recorded, or what the figures of a loop are made of.
"""

from typing import NamedTuple

import numpy as np

from flank.arrays import Flags, Floats, Integers, Rows
from flank.dynamics.model import Model, Record, State
from flank.dynamics.motion import put_record
from flank.dynamics.scatter import copy_rows
from flank.dynamics.statics import SEARCHING, begin_search, iterate
from flank.dynamics.status import OK, SINGULAR, TOO_MANY_ITERATIONS
from flank.kernel import KernelByType, kernel

SECANT = np.dtype(
    [
        ("known", np.int64),  # equilibria behind, as far as they count: two are enough
        ("time", np.float64),  # of the last one
    ],
    align=True,
)


class Passed(NamedTuple):
    """The last equilibrium of a path, and how bodies and reactions moved up to it, in a second."""

    position: Floats
    multipliers: Floats
    position_rate: Floats
    multiplier_rate: Floats
    secant: Rows  # one row


class Course(NamedTuple):
    """Where a path goes: times, how bodies are guessed to move up to each (none at all where
    nothing is guessed), and whether a secant reaches it."""

    times: Floats
    shifts: Floats  # (time, body, 3), or none
    smooth: Flags


class Readings(NamedTuple):
    """What the figures of a loop are made of."""

    angle: Floats  # (time), of a body against another
    friction_work: Floats  # (time), J, of all contacts since the start
    largest_force: Floats  # (contact), N
    largest_load: Floats  # (contact), N/m: of force times curvature, which pressures follow
    bodies: Integers  # the two


def passed_at(state: State) -> Passed:
    """Before the first equilibrium of a path."""
    return Passed(
        state.position.copy(),
        state.multipliers.copy(),
        np.zeros_like(state.position),
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
    for k in range(readings.largest_force.shape[0]):
        result = state.contact_results[k]
        force = result.normal_force
        work += result.friction_work
        readings.largest_force[k] = max(readings.largest_force[k], force)
        readings.largest_load[k] = max(readings.largest_load[k], force * result.curvature)
    readings.friction_work[row] = work


_note = KernelByType({Record: put_record, Readings: _read})


@kernel
def equilibria(model, state, course, first, last, tolerances, work, searches, passed, record):
    """Equilibria at times `first` to `last` - 1 of the course, accepted and recorded each.

    Returns a status, the number of the time that it is of (`last` if all are there), and how many
    contacts switched after the first time of the course. Where an equilibrium is not found, bodies
    stand in the one before. It is one loop over the iterations of all searches: threads of a GPU
    that go together need not be at the same time of their courses.
    """
    search = searches[0]
    search.accepts = True
    switched = 0
    number = first
    iterations = 0  # of the search at hand
    along_secant = False
    tried_secant = False
    while number < last:
        if iterations == 0:
            along_secant = (
                course.smooth[number] and passed.secant[0].known == 2 and not tried_secant
            )
            _move(state, course, number, passed, along_secant)
            begin_search(model, search)
        status = iterate(model, state, course.times[number], tolerances, work, search)
        iterations += 1
        if status == SEARCHING and iterations < tolerances.maximum_iterations:
            continue
        iterations = 0
        tried_secant = status != OK and along_secant
        if status == OK:
            pass_equilibrium(state, course, number, passed)
            _note(record, state, number)
            if number > 0:
                switched += search.switched
            number += 1
            continue
        copy_rows(passed.position, state.position)
        for i in range(state.multipliers.shape[0]):
            state.multipliers[i] = passed.multipliers[i]
        if not tried_secant:
            return SINGULAR if status == SINGULAR else TOO_MANY_ITERATIONS, number, switched
    return OK, last, switched


@kernel(internal=True)
def _move(state, course, number, passed, predicted):
    """As is guessed, and along the secant if that is to be tried."""
    after = course.times[number] - passed.secant[0].time
    for body in range(1, state.position.shape[0]):
        for i in range(3):
            shift = 0.0
            if course.shifts.shape[0] == course.times.shape[0]:
                shift = course.shifts[number, body, i]
            if predicted:
                shift += after * passed.position_rate[body, i]
            state.position[body, i] += shift
    if predicted:
        for i in range(state.multipliers.shape[0]):
            state.multipliers[i] += after * passed.multiplier_rate[i]


@kernel
def pass_equilibrium(state, course, number, passed):
    """Let the state be the last equilibrium of the path."""
    secant = passed.secant[0]
    interval = course.times[number] - secant.time
    if secant.known > 0 and interval != 0.0:
        for body in range(1, state.position.shape[0]):
            for i in range(3):
                moved = state.position[body, i] - passed.position[body, i]
                if course.shifts.shape[0] == course.times.shape[0]:
                    moved -= course.shifts[number, body, i]
                passed.position_rate[body, i] = moved / interval
        for i in range(state.multipliers.shape[0]):
            change = state.multipliers[i] - passed.multipliers[i]
            passed.multiplier_rate[i] = change / interval
        secant.known = 2
    elif secant.known == 0:
        secant.known = 1
    secant.time = course.times[number]
    copy_rows(state.position, passed.position)
    for i in range(state.multipliers.shape[0]):
        passed.multipliers[i] = state.multipliers[i]
