"""Load continuation: reach a hard equilibrium by way of easier ones under larger loads.

A load of micronewtons against contacts as stiff as steel leaves descent no room: every contact on
the way must be met to a picometre. Under a larger load of the same direction the same contacts are
found in a few steps; taken back by tens, it leads to the equilibrium wanted, with its contacts
already known. Where no load acts there is none to raise. Elastic friction is eased too: it is
raised upon the equilibrium without it. With elastic friction the way is part of the answer, as an
equilibrium that is found by easing friction may lie on another branch; so load steps are halved
first, and only the shortest ones are eased.

What a path does between two of its times is a row of searches, each begun by what came of the one
before. `begin_continuation` and `go_on` prepare a search and return SEARCHING; who calls them makes
it. Steps that still are to be made stand on a stack, the later ones below.
"""

from typing import NamedTuple

import numpy as np

from flank.arrays import Rows
from flank.contact.table import FRICTION_ELASTIC
from flank.dynamics.easing import FullLoads, acts, ease, full_loads, note_full_loads
from flank.dynamics.engine import displace, keep_more, place
from flank.dynamics.kept_states import (
    KeptStates,
    keep_past,
    keep_pose,
    kept_states,
    put_past,
    put_pose,
)
from flank.dynamics.motion import accept
from flank.dynamics.poses import AnyModel, AnyState
from flank.dynamics.statics import SEARCHING
from flank.dynamics.status import OK
from flank.kernel import KernelByType, kernel

LARGEST_POWER = 7
"""Loads are raised at most by ten to this power."""

FRICTION_SHARES = (0.25, 0.5, 1.0)
"""By which elastic friction is raised upon the equilibrium without it."""

HALVINGS = 4
"""How often a load step is halved where its equilibrium is not found."""

OVERSHOOT = 0.01
"""Of a step: how far an equilibrium that is not found is passed, to be met from the other side. At
the edge of slip one with friction may not be found from one side, within some 1e-5 rad of a path;
from the other side contacts stick."""

RAMP = (*np.geomspace(1e-4, 0.1, 7).tolist(), *np.linspace(0.1, 1.0, 19)[1:].tolist())
"""Shares of the loads by which a first equilibrium is approached where it is not found at once."""

RETURN = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7)
"""Shares of a path's times from which the first equilibrium is come back to, where it has no load
that could be raised: later ones have, and it presses the contacts together. Without a load the
machine is loose, or pressed by its errors alone; with one it is neither."""

NOWHERE, STEP, RAISED, FRICTION, UNLOADED, LATER = range(6)
"""What a search is for: none is under way; a load step; an equilibrium under raised loads, or
without friction; under a share of friction; under a share of the ramp; at a later time."""

START, GUESS = range(2)
"""Poses that are kept: where a search began, and where a step was guessed to end."""

WAY = np.dtype(
    [
        ("stage", np.int64),  # NOWHERE, STEP, ...
        ("time", np.float64),  # whose equilibrium is looked for
        ("legs", np.int64),  # steps on the stack
        ("overshoots", np.bool_),  # whether the equilibrium may still be passed
        ("elastic", np.bool_),  # whether there is elastic friction
        ("loaded", np.bool_),  # whether any load acts at the time of the search
        ("friction", np.float64),  # share of it while loads are raised: nothing, or all
        ("power", np.int64),  # of ten, by which loads are raised in this attempt
        ("number", np.int64),  # of the power, or of the share, at hand
        ("status", np.int64),  # how the search of the load step at hand ended
        ("switched", np.int64),  # contacts, over all steps that were accepted
    ],
    align=True,  # as a GPU asks for
)

LEG = np.dtype(
    [
        ("first", np.float64),  # times
        ("last", np.float64),
        ("share", np.float64),  # of how bodies are guessed to move
        ("halvings", np.int64),  # that are left
    ],
    align=True,
)


class Continuation(NamedTuple):
    """Where continuation stands, and what it may have to go back to."""

    way: Rows  # one row
    legs: Rows  # the stack
    kept: KeptStates
    full: FullLoads


class NoContinuation(NamedTuple):
    """For paths that end at the first equilibrium that is not found from the one before."""


def new_continuation(model: AnyModel, state: AnyState) -> Continuation:
    """One for all of a path. Loads and friction are eased in the rows of the model itself, which
    nobody else may use meanwhile."""
    return Continuation(
        np.zeros(1, WAY), np.zeros(HALVINGS + 2, LEG), kept_states(state, 2), full_loads(model)
    )


@kernel(internal=True)
def _is_under_way(continuation):
    return continuation.way[0].stage != NOWHERE


@kernel(internal=True)
def _is_never(_continuation):
    return False


@kernel(internal=True)
def _time_of_way(continuation, time):
    way = continuation.way[0]
    return time if way.stage == NOWHERE else way.time


@kernel(internal=True)
def _time_of_path(_continuation, time):
    return time


@kernel(internal=True)
def _begin(continuation, model, state, course, number, work, search, status):
    way = continuation.way[0]
    first = course.times[max(number - 1, 0)]
    last = course.times[number]
    note_full_loads(model, continuation.full)
    way.elastic = _has_elastic_friction(model)
    way.switched = 0
    way.status = status
    way.overshoots = first != last
    if way.overshoots:
        keep_past(state, continuation.kept)
    way.legs = 0
    _push(continuation, first, last, 1.0, HALVINGS)
    keep_pose(state, continuation.kept, START)
    return _guess(continuation, model, state, course, number, work, search)


@kernel(internal=True)
def _give_up(_continuation, _model, _state, _course, _number, _work, _search, status):
    return status


@kernel(internal=True)
def _go_on(continuation, model, state, course, number, work, search, status):
    stage = continuation.way[0].stage
    found = status == OK
    if stage == STEP:
        return _after_step(continuation, model, state, course, number, work, search, status)
    if stage == RAISED:
        return _after_raised(continuation, model, state, course, number, work, search, found)
    if stage == FRICTION:
        return _after_friction(continuation, model, state, course, number, work, search, found)
    if stage == UNLOADED:
        return _after_unloaded(continuation, model, state, course, number, work, search, found)
    return _after_later(continuation, model, state, course, number, work, search, status)


is_continuing = KernelByType({Continuation: _is_under_way, NoContinuation: _is_never})
"""(continuation): whether the next search is one of continuation's."""

searched_time = KernelByType({Continuation: _time_of_way, NoContinuation: _time_of_path})
"""(continuation, time of the path): the time of the equilibrium that is looked for."""

begin_continuation = KernelByType({Continuation: _begin, NoContinuation: _give_up})
"""(continuation, model, state, course, number, work, search, status): begin to go from the
equilibrium that was accepted last to the time of this number, after a search from there has ended
with a status. Returns SEARCHING; or the status where there is no continuation."""

go_on = KernelByType({Continuation: _go_on, NoContinuation: _give_up})
"""The same after every search: SEARCHING if another one is prepared, OK if the equilibrium is
accepted (`search.switched` then counts the contacts of all that were on the way), or why it is not
found."""


@kernel(internal=True)
def _search(continuation, search, stage, time, accepts):
    continuation.way[0].stage = stage
    continuation.way[0].time = time
    search.accepts = accepts
    return SEARCHING


@kernel(internal=True)
def _push(continuation, first, last, share, halvings):
    way = continuation.way[0]
    leg = continuation.legs[way.legs]
    leg.first = first
    leg.last = last
    leg.share = share
    leg.halvings = halvings
    way.legs += 1


@kernel(internal=True)
def _leg_of(continuation):
    """The step at hand."""
    return continuation.legs[continuation.way[0].legs - 1]


@kernel(internal=True)
def _move(state, course, number, share, work):
    """By a share of how bodies are guessed to move."""
    if course.shifts.shape[0] != course.times.shape[0]:
        return
    keep_more(state, work)
    for body in range(1, state.position.shape[0]):
        for i in range(course.shifts.shape[2]):
            displace(state, body, i, share * course.shifts[number, body, i])
    place(state, work)


@kernel(internal=True)
def _begin_leg(continuation, state, course, number, work, search):
    leg = _leg_of(continuation)
    keep_pose(state, continuation.kept, START)
    _move(state, course, number, leg.share, work)
    return _search(continuation, search, STEP, leg.last, True)


@kernel(internal=True)
def _after_step(continuation, model, state, course, number, work, search, status):
    way = continuation.way[0]
    if status == OK:
        way.switched += search.switched
        return _after_leg(continuation, state, course, number, work, search)
    way.status = status
    put_pose(state, continuation.kept, START)
    return _guess(continuation, model, state, course, number, work, search)


@kernel(internal=True)
def _guess(continuation, model, state, course, number, work, search):
    """After a step that was not found from where it starts."""
    way = continuation.way[0]
    leg = _leg_of(continuation)
    _move(state, course, number, leg.share, work)
    keep_pose(state, continuation.kept, GUESS)
    if way.elastic and leg.halvings > 0 and leg.first != leg.last:
        return _halve(continuation, state, course, number, work, search)
    if way.elastic:
        return _raise_loads(continuation, model, state, search, 0, 0.0)
    return _raise_loads(continuation, model, state, search, 1, 1.0)


@kernel(internal=True)
def _halve(continuation, state, course, number, work, search):
    """One half of a step is accepted before the other is tried."""
    put_pose(state, continuation.kept, START)
    leg = _leg_of(continuation)
    first = leg.first
    last = leg.last
    share = 0.5 * leg.share
    halvings = leg.halvings - 1
    middle = 0.5 * (first + last)
    continuation.way[0].legs -= 1
    _push(continuation, middle, last, share, halvings)
    _push(continuation, first, middle, share, halvings)
    return _begin_leg(continuation, state, course, number, work, search)


@kernel(internal=True)
def _after_leg(continuation, state, course, number, work, search):
    way = continuation.way[0]
    way.legs -= 1
    if way.legs > 0:
        return _begin_leg(continuation, state, course, number, work, search)
    way.stage = NOWHERE
    search.switched = way.switched
    return OK


@kernel(internal=True)
def _raise_loads(continuation, model, state, search, power, friction):
    """Look for the equilibrium under loads raised by a power of ten, from the guess."""
    way = continuation.way[0]
    _restart(continuation, state)
    way.friction = friction
    way.power = power
    way.number = power
    time = _leg_of(continuation).last
    way.loaded = acts(model, time)
    ease(model, continuation.full, 10.0**power, friction)
    return _search(continuation, search, RAISED, time, False)


@kernel(internal=True)
def _after_raised(continuation, model, state, course, number, work, search, found):
    """Take the load back by tens; where that fails, begin with a larger one."""
    way = continuation.way[0]
    if found and way.number > 0:
        way.number -= 1
        ease(model, continuation.full, 10.0**way.number, way.friction)
        return SEARCHING
    if found and way.friction > 0.0:
        return _after_easing(continuation, model, state, course, number, work, search)
    if found:
        way.number = 0
        ease(model, continuation.full, 1.0, FRICTION_SHARES[0])
        return _search(continuation, search, FRICTION, way.time, False)
    if way.loaded and way.power < LARGEST_POWER:  # without a load it would be the same search
        return _raise_loads(continuation, model, state, search, way.power + 1, way.friction)
    if way.friction == 0.0:
        return _raise_loads(continuation, model, state, search, 1, 1.0)
    return _not_eased(continuation, model, state, course, number, work, search)


@kernel(internal=True)
def _after_friction(continuation, model, state, course, number, work, search, found):
    way = continuation.way[0]
    if not found:
        return _raise_loads(continuation, model, state, search, 1, 1.0)
    way.number += 1
    if way.number == len(FRICTION_SHARES):
        return _after_easing(continuation, model, state, course, number, work, search)
    ease(model, continuation.full, 1.0, FRICTION_SHARES[way.number])
    return SEARCHING


@kernel(internal=True)
def _after_easing(continuation, model, state, course, number, work, search):
    """No pose on the way was accepted: friction counts its slip from the equilibrium before."""
    continuation.way[0].switched += accept(model, state)
    return _after_leg(continuation, state, course, number, work, search)


@kernel(internal=True)
def _not_eased(continuation, model, state, course, number, work, search):
    """After all attempts at a step in one go."""
    ease(model, continuation.full, 1.0, 1.0)
    leg = _leg_of(continuation)
    if leg.first == leg.last:
        keep_past(state, continuation.kept)
        _restart(continuation, state)
        if not continuation.way[0].loaded:
            return _come_back(continuation, state, course, search, 0)
        return _load_by_shares(continuation, model, search, 0)
    if leg.halvings > 0:
        return _halve(continuation, state, course, number, work, search)
    return _pass_by(continuation, state, course, number, work, search)


@kernel(internal=True)
def _load_by_shares(continuation, model, search, number):
    """The first equilibrium of a path by way of growing loads, each accepted as a step of it."""
    continuation.way[0].number = number
    ease(model, continuation.full, RAMP[number], 1.0)
    return _search(continuation, search, UNLOADED, _leg_of(continuation).last, True)


@kernel(internal=True)
def _after_unloaded(continuation, model, state, course, number, work, search, found):
    way = continuation.way[0]
    if not found:
        ease(model, continuation.full, 1.0, 1.0)
        put_past(state, continuation.kept)
        _restart(continuation, state)
        return _come_back(continuation, state, course, search, 0)
    way.switched += search.switched
    if way.number + 1 < len(RAMP):
        return _load_by_shares(continuation, model, search, way.number + 1)
    return _after_leg(continuation, state, course, number, work, search)


@kernel(internal=True)
def _come_back(continuation, state, course, search, number):
    """The first equilibrium of a path from later times, none of which is accepted."""
    continuation.way[0].number = number
    time = _leg_of(continuation).last
    if number == len(RETURN):
        return _search(continuation, search, LATER, time, True)
    keep_pose(state, continuation.kept, START)
    span = course.times[course.times.shape[0] - 1] - course.times[0]
    return _search(continuation, search, LATER, time + RETURN[number] * span, False)


@kernel(internal=True)
def _after_later(continuation, model, state, course, number, work, search, status):
    way = continuation.way[0]
    if way.number < len(RETURN):
        if status != OK:
            put_pose(state, continuation.kept, START)
            _forget_reactions(state)
        return _come_back(continuation, state, course, search, way.number + 1)
    if status == OK:
        way.switched += search.switched
        return _after_leg(continuation, state, course, number, work, search)
    way.status = status
    return _pass_by(continuation, state, course, number, work, search)


@kernel(internal=True)
def _pass_by(continuation, state, course, number, work, search):
    """Once from the beginning, by an equilibrium beyond; else there is no way."""
    way = continuation.way[0]
    if not way.overshoots:
        way.stage = NOWHERE
        return way.status
    way.overshoots = False
    put_past(state, continuation.kept)
    first = course.times[max(number - 1, 0)]
    last = course.times[number]
    beyond = last + OVERSHOOT * (last - first)
    way.legs = 0
    way.switched = 0
    _push(continuation, beyond, last, -OVERSHOOT, HALVINGS)
    _push(continuation, first, beyond, 1 + OVERSHOOT, HALVINGS)
    return _begin_leg(continuation, state, course, number, work, search)


@kernel(internal=True)
def _restart(continuation, state):
    """From the guess, without what joints carried."""
    put_pose(state, continuation.kept, GUESS)
    _forget_reactions(state)


@kernel(internal=True)
def _forget_reactions(state):
    for i in range(state.multipliers.shape[0]):
        state.multipliers[i] = 0.0


@kernel(internal=True)
def _has_elastic_friction(model):
    elastic = False
    for k in range(model.contacts.shape[0]):
        elastic = elastic or model.contacts[k].friction_form == FRICTION_ELASTIC
    return elastic
