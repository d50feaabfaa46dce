"""Load continuation: reach a hard equilibrium by way of easier ones under larger loads.

A load of micronewtons against contacts as stiff as steel leaves descent no room: every contact on
the way must be met to a picometre. Under a larger load of the same direction the same contacts are
found in a few steps; taken back by tens, it leads to the equilibrium wanted, with its contacts
already known. Elastic friction is eased too: it is raised upon the equilibrium without it.
"""

import numpy as np
from numpy.typing import NDArray

from flank.contact.table import FRICTION_ELASTIC, FRICTION_NONE
from flank.dynamics import statics
from flank.dynamics.accept import accept_pose
from flank.dynamics.model import Model, State, Workspace
from flank.dynamics.status import OK

LARGEST_POWER = 7
"""Loads are raised at most by ten to this power."""


FRICTION_SHARES = (0.25, 0.5, 1.0)
"""By which elastic friction is raised upon the equilibrium without it."""


HALVINGS = 4
"""How often a load step is halved where its equilibrium is not found."""


OVERSHOOT = 0.01
"""Of a step: how far an equilibrium that is not found is passed, to be met from the other side."""


RAMP = (*np.geomspace(1e-4, 0.1, 7).tolist(), *np.linspace(0.1, 1.0, 19)[1:].tolist())
"""Shares of the loads by which a first equilibrium is approached where it is not found at once."""


def reach_equilibrium(
    model: Model,
    state: State,
    times: tuple[float, float],
    shift: NDArray,
    settings: statics.StaticTolerances,
    work: Workspace,
    counters: NDArray,
) -> tuple[int, int]:
    """Go from the equilibrium at the first of `times` to that at the second and accept it.

    `shift` is how the pose is guessed to move. At the edge of slip an equilibrium with friction may
    not be found from one side, within some 1e-5 rad of a path: it is then passed, and met from the
    other side, where contacts stick. Returns a status and the number of contacts that switched.
    """
    if times[0] == times[1] or not _rubs(model):
        return _reach(model, state, times, shift, settings, work, counters, HALVINGS)
    before = [held.copy() for held in _history(state)]
    status, switches = _reach(model, state, times, shift, settings, work, counters, HALVINGS)
    if status == OK:
        return status, switches
    for held, values in zip(_history(state), before, strict=True):
        held[:] = values
    beyond = times[1] + OVERSHOOT * (times[1] - times[0])
    legs = ((times[0], beyond, 1 + OVERSHOOT), (beyond, times[1], -OVERSHOOT))
    switches = 0
    for first, last, part in legs:
        status, switched = _reach(
            model, state, (first, last), part * shift, settings, work, counters, HALVINGS
        )
        switches += switched
        if status != OK:
            break
    return status, switches


def _history(state: State) -> tuple[NDArray, ...]:
    """What a state owes to the way it came."""
    return state.position, state.multipliers, state.memory, state.accepted_force, state.anchor


def _reach(
    model: Model,
    state: State,
    times: tuple[float, float],
    shift: NDArray,
    settings: statics.StaticTolerances,
    work: Workspace,
    counters: NDArray,
    halvings: int,
) -> tuple[int, int]:
    """The same in one go. Where a step fails, one half of it is accepted before the other is tried.

    With elastic friction the way is part of the answer: an equilibrium that is found by easing
    friction may lie on another branch, so only the shortest steps are eased.
    """
    start, multipliers = state.position.copy(), state.multipliers.copy()
    state.position[1:] += shift[1:]
    can_be_halved = halvings > 0 and times[0] != times[1]
    find = statics.equilibrium if can_be_halved and _rubs(model) else find_equilibrium
    status = find(model, state, times[1], settings, work, counters)
    if status == OK:
        return status, _accept(model, state)
    if times[0] == times[1]:
        _restart(state, start + shift)
        return _from_unloaded(model, state, times[1], settings, work, counters)
    if halvings == 0:
        return status, 0
    state.position[:], state.multipliers[:] = start, multipliers
    middle = 0.5 * (times[0] + times[1])
    switches = 0
    for half in ((times[0], middle), (middle, times[1])):
        status, switched = _reach(
            model, state, half, 0.5 * shift, settings, work, counters, halvings - 1
        )
        switches += switched
        if status != OK:
            break
    return status, switches


def _from_unloaded(
    model: Model,
    state: State,
    time: float,
    settings: statics.StaticTolerances,
    work: Workspace,
    counters: NDArray,
) -> tuple[int, int]:
    """The first equilibrium of a path by way of growing loads, each accepted as a step of it."""
    status, switches = OK, 0
    for share in RAMP:
        part = _with_loads(model, share)
        status = statics.equilibrium(part, state, time, settings, work, counters)
        if status != OK:
            break
        switches += _accept(model, state)
    return status, switches


def _accept(model: Model, state: State) -> int:
    return accept_pose(
        model.contacts,
        int(model.counts[3]),
        state.memory,
        state.touches,
        state.accepted_force,
        state.position,
        state.anchor,
    )


def find_equilibrium(
    model: Model,
    state: State,
    time: float,
    settings: statics.StaticTolerances,
    work: Workspace,
    counters: NDArray,
) -> int:
    """Equilibrium downhill of the state's pose, by continuation where it is not found at once.

    No pose on the way is accepted: friction counts its slip from the last equilibrium throughout.
    """
    start = state.position.copy()
    first = statics.equilibrium(model, state, time, settings, work, counters)
    if first == OK:
        return first
    if _rubs(model):
        _restart(state, start)
        bare = _with_friction(model, 0.0)
        status = find_equilibrium(bare, state, time, settings, work, counters)
        raised = [_with_friction(model, share) for share in FRICTION_SHARES]
        if status == OK and _follow(raised, state, time, settings, work, counters) == OK:
            return OK
    for power in range(1, LARGEST_POWER + 1):
        _restart(state, start)
        eased = [_with_loads(model, 10.0**lower) for lower in range(power, -1, -1)]
        if _follow(eased, state, time, settings, work, counters) == OK:
            return OK
    return first


def _follow(
    models: list[Model],
    state: State,
    time: float,
    settings: statics.StaticTolerances,
    work: Workspace,
    counters: NDArray,
) -> int:
    """Equilibria of one model after the other, each from that of the one before."""
    status = OK
    for model in models:
        status = statics.equilibrium(model, state, time, settings, work, counters)
        if status != OK:
            break
    return status


def _restart(state: State, start: NDArray) -> None:
    state.position[:] = start
    state.multipliers[:] = 0.0


def _rubs(model: Model) -> bool:
    return bool(np.any(_is_elastic(model)))


def _is_elastic(model: Model) -> NDArray:
    return model.contacts["friction_form"] == FRICTION_ELASTIC


def _with_friction(model: Model, share: float) -> Model:
    """The model with a share of its elastic friction; none at all is no friction."""
    contacts = model.contacts.copy()
    elastic = _is_elastic(model)
    contacts["friction"][elastic] *= share
    contacts["friction_form"][elastic] = FRICTION_ELASTIC if share > 0.0 else FRICTION_NONE
    return model._replace(contacts=contacts)


def _with_loads(model: Model, factor: float) -> Model:
    loads = model.loads.copy()
    for name in ("direction_x", "direction_y", "torque"):
        loads[name] *= factor
    return model._replace(loads=np.ascontiguousarray(loads))
