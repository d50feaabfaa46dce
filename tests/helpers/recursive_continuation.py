"""Continuation by recursion and copied models: a witness of what the kernels of
flank.dynamics.continuation do, and of the order in which they do it."""

from collections import Counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flank.contact.table import FRICTION_ELASTIC, FRICTION_NONE
from flank.dynamics import statics
from flank.dynamics.continuation import (
    FRICTION_SHARES,
    HALVINGS,
    LARGEST_POWER,
    OVERSHOOT,
    RAMP,
    RETURN,
)
from flank.dynamics.functions import function_value
from flank.dynamics.model import LOADS
from flank.dynamics.motion import accept_pose
from flank.dynamics.poses import AnyModel, AnyState, AnyWorkspace, record_of, state_at, workspace
from flank.dynamics.run import _course
from flank.dynamics.spatial.rotation import fill_matrix, fill_vector_between, turn
from flank.dynamics.status import OK

LOAD_FIELDS = ("direction_x", "direction_y", "force", "torque")
"""Of a row of loads, planar or spatial: what grows with the load."""

POSE = ("position", "rotation", "matrix")
"""Fields of a state that are its pose."""

HISTORY = (*POSE, "multipliers", "memory", "accepted_force", "anchor", "contact_results", "ledger")
"""What a state owes to the way it came."""


class Path(NamedTuple):
    """A model on its way from equilibrium to equilibrium, and what the search for one needs."""

    model: AnyModel
    state: AnyState
    tolerances: statics.StaticTolerances
    work: AnyWorkspace
    search: NDArray[np.void]
    span: float  # from the first time of the path to its last
    ways: Counter  # what was tried, and how often
    guessed: bool  # whether the path knows how bodies are likely to move

    def equilibrium(self, time, accepts=False):
        self.search["accepts"] = accepts
        how = self.tolerances, self.work, self.search
        return int(statics.equilibrium(self.model, self.state, float(time), *how))

    def move(self, shift):
        if self.guessed:  # else nothing moves, and rotations are not rounded once more
            move(self.state, shift)

    def restart(self, pose):
        restore(self.state, pose)
        self.state.multipliers[:] = 0.0


def walk(model, start, times, guesses=None, *, iterations=120):
    """Status, equilibria and counters of a path, and what was tried on it."""
    times = np.ascontiguousarray(times, dtype=float)
    state = state_at(model, start)
    state.velocity[:] = 0.0
    tolerances, work = statics.StaticTolerances(1e-9, iterations), workspace(model)
    search, ways = statics.new_search(), Counter()
    course, record = _course(model, times, guesses), record_of(state, len(times))
    how = tolerances, work, search, times[-1] - times[0], ways, len(course.shifts) > 0
    path = Path(model, state, *how)
    passed = rate = None
    switches = number = status = 0
    for number, time in enumerate(times):
        before = times[max(number - 1, 0)]
        shift = course.shifts[number] if len(course.shifts) else np.zeros_like(state.velocity)
        predicted = None
        if rate is not None and course.smooth[number]:
            after = time - before
            predicted = after * rate[0], after * rate[1]
        status, switched = reach_equilibrium(path, (before, time), shift, predicted)
        if status != OK:
            break
        if passed is not None and time != before:
            rate = (
                (_moved(state, passed) - shift) / (time - before),
                (state.multipliers - passed["multipliers"]) / (time - before),
            )
        passed = snapshot(state, (*POSE, "multipliers"))
        switches += switched if number > 0 else 0
        for name in record._fields:
            getattr(record, name)[number] = getattr(state, name)
        number += 1
    counted = int(search["iterations"][0]), int(search["rejected"][0]), switches
    return status, number, record, counted, ways


def snapshot(state, names):
    """Copies of those of the fields that the state has."""
    fields = {name: getattr(state, name, None) for name in names}
    return {name: values.copy() for name, values in fields.items() if values is not None}


def restore(state, fields):
    for name, values in fields.items():
        getattr(state, name)[:] = values


def move(state, shift):
    """All bodies but ground; rotations by vectors of space."""
    state.position[1:] += shift[1:, :3]
    if shift.shape[1] == 6:
        for body in range(1, len(shift)):
            turn(state.rotation[body].copy(), shift[body, 3:], state.rotation[body])
            fill_matrix(state.rotation[body], state.matrix[body])


def _moved(state, passed):
    moved = np.zeros_like(state.velocity)
    moved[:, :3] = state.position - passed["position"]
    if moved.shape[1] == 6:
        for body in range(1, len(moved)):
            fill_vector_between(passed["rotation"][body], state.rotation[body], moved[body, 3:])
    return moved


def reach_equilibrium(path, times, shift, predicted):
    """Go from the equilibrium at the first of `times` to that at the second and accept it.

    `shift` is how the pose is guessed to move, `predicted` how it and the multipliers are likely to
    besides, which is tried first. Returns a status and the number of contacts that switched.
    """
    start, none = snapshot(path.state, (*POSE, "multipliers")), (0.0, 0.0)
    for further in (none,) if predicted is None else (predicted, none):
        move(path.state, shift + further[0])
        path.state.multipliers[:] += further[1]
        tried = path.equilibrium(times[1], accepts=True)
        if tried == OK:
            return OK, int(path.search["switched"][0])
        restore(path.state, start)
    if times[0] == times[1]:
        return _reach(path, times, shift, HALVINGS, tried)
    before = snapshot(path.state, HISTORY)
    status, switches = _reach(path, times, shift, HALVINGS, tried)
    if status == OK:
        return status, switches
    path.ways["passed by"] += 1
    restore(path.state, before)
    beyond = times[1] + OVERSHOOT * (times[1] - times[0])
    beyond_leg = ((times[0], beyond), (1 + OVERSHOOT) * shift)
    back_leg = ((beyond, times[1]), -OVERSHOOT * shift)
    return _reach_all(path, (beyond_leg, back_leg), HALVINGS)


def _reach_all(path, legs, halvings):
    """One leg after the other, up to the first that fails."""
    status, switches = OK, 0
    for times, shift in legs:
        status, switched = _reach(path, times, shift, halvings)
        switches += switched
        if status != OK:
            break
    return status, switches


def _reach(path, times, shift, halvings, tried=OK):
    """The same in one go. Where a step fails, one half of it is accepted before the other is tried;
    `tried` is how the search ended that has been made already, if it failed.

    With elastic friction the way is part of the answer: an equilibrium that is found by easing
    friction may lie on another branch, so only the shortest steps are eased.
    """
    start = snapshot(path.state, (*POSE, "multipliers"))
    status = tried
    if status == OK:
        path.move(shift)
        status = path.equilibrium(times[1], accepts=True)
        if status == OK:
            return status, int(path.search["switched"][0])
        restore(path.state, start)
    path.move(shift)
    guess = snapshot(path.state, POSE)
    can_be_halved = halvings > 0 and times[0] != times[1]
    halves_first = can_be_halved and _has_elastic_friction(path.model)
    if not halves_first and _eased(path, guess, times[1]) == OK:
        path.ways["eased"] += 1
        return OK, accept_pose(path.model, path.state)
    if times[0] == times[1]:
        return _first_of_path(path, guess, times[1])
    if halvings == 0:
        return status, 0
    path.ways["halved"] += 1
    restore(path.state, start)
    middle = 0.5 * (times[0] + times[1])
    halves = (((times[0], middle), 0.5 * shift), ((middle, times[1]), 0.5 * shift))
    return _reach_all(path, halves, halvings - 1)


def _first_of_path(path, guess, time):
    before = snapshot(path.state, HISTORY)
    path.restart(guess)
    if _acts(path.model, time):
        status, switches = _from_unloaded(path, time)
        if status == OK:
            path.ways["ramp"] += 1
            return status, switches
        restore(path.state, before)
        path.restart(guess)
    status, switches = _from_later(path, time)
    path.ways["later" if status == OK else "lost"] += 1
    return status, switches


def _from_later(path, time):
    """The first equilibrium of a path on the way back from later times, none of which is accepted.
    Without a load the machine is loose, or pressed by its errors alone; with one it is neither."""
    for share in RETURN:
        start = snapshot(path.state, POSE)
        if path.equilibrium(time + share * path.span) != OK:
            path.restart(start)
    status = path.equilibrium(time, accepts=True)
    return status, int(path.search["switched"][0]) if status == OK else 0


def _from_unloaded(path, time):
    """The first equilibrium of a path by way of growing loads, each accepted as a step of it."""
    status, switches = OK, 0
    for share in RAMP:
        part = path._replace(model=_with_loads(path.model, share))
        status = part.equilibrium(time, accepts=True)
        if status != OK:
            break
        switches += int(path.search["switched"][0])
    return status, switches


def find_equilibrium(path, time):
    """Equilibrium downhill of the state's pose, by continuation where it is not found at once.

    No pose on the way is accepted: friction counts its slip from the last equilibrium throughout.
    """
    start = snapshot(path.state, POSE)
    first = path.equilibrium(time)
    if first == OK or not _acts(path.model, time):
        return first
    return first if _eased(path, start, time) != OK else OK


def _eased(path, start, time):
    """The same by continuation alone, from the pose that the search had started in."""
    model = path.model
    if _has_elastic_friction(model):
        path.restart(start)
        frictionless = path._replace(model=_with_friction(model, 0.0))
        status = find_equilibrium(frictionless, time)
        raised = [_with_friction(model, share) for share in FRICTION_SHARES]
        if status == OK and _follow(path, raised, time) == OK:
            path.ways["friction"] += 1
            return OK
    powers = LARGEST_POWER if _acts(model, time) else 1  # nothing raised is the same once more
    for power in range(1, powers + 1):
        path.restart(start)
        eased = [_with_loads(model, 10.0**lower) for lower in range(power, -1, -1)]
        status = _follow(path, eased, time)
        if status == OK:
            path.ways["loads"] += 1
            break
    return status


def _follow(path, models, time):
    """Equilibria of one model after the other, each from that of the one before."""
    status = OK
    for model in models:
        status = path._replace(model=model).equilibrium(time)
        if status != OK:
            break
    return status


def _acts(model, time):
    """Whether any load does."""
    functions = model.functions[model.loads["function"][: model.counts[LOADS]]]
    return any(function_value(each, model.function_data, float(time))[0] for each in functions)


def _has_elastic_friction(model):
    return bool(np.any(_is_elastic(model)))


def _is_elastic(model):
    return np.asarray(model.contacts["friction_form"] == FRICTION_ELASTIC)


def _with_friction(model, share):
    """The model with a share of its elastic friction; none at all is no friction."""
    contacts = model.contacts.copy()
    elastic = _is_elastic(model)
    contacts["friction"][elastic] *= share
    contacts["friction_form"][elastic] = FRICTION_ELASTIC if share > 0.0 else FRICTION_NONE
    return model._replace(contacts=contacts)


def _with_loads(model, factor):
    loads = model.loads.copy()
    for name in set(LOAD_FIELDS).intersection(loads.dtype.names or ()):
        loads[name] *= factor
    return model._replace(loads=np.ascontiguousarray(loads))
