"""Load continuation: reach a hard equilibrium by way of easier ones under larger loads.

A load of micronewtons against contacts as stiff as steel leaves descent no room: every contact on
the way must be met to a picometre. Under a larger load of the same direction the same contacts are
found in a few steps; taken back by tens, it leads to the equilibrium wanted, with its contacts
already known. Elastic friction is eased too: it is raised upon the equilibrium without it.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flank.contact.table import FRICTION_ELASTIC, FRICTION_NONE
from flank.dynamics import statics
from flank.dynamics.motion import accept_pose
from flank.dynamics.poses import (
    HISTORY,
    POSE,
    AnyModel,
    AnyState,
    AnyWorkspace,
    Snapshot,
    move,
    restore,
    snapshot,
)
from flank.dynamics.predictor import Step
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


RETURN = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7)
"""Shares of a path's times from which the first equilibrium is come back to, where it has no load
that could be raised: later ones have, and it presses the contacts together."""


LOAD_FIELDS = ("direction_x", "direction_y", "force", "torque")
"""Of a row of loads, planar or spatial: what grows with the load."""


class Path(NamedTuple):
    """A model on its way from equilibrium to equilibrium, and what the search for one needs."""

    model: AnyModel
    state: AnyState
    tolerances: statics.StaticTolerances
    work: AnyWorkspace
    search: NDArray[np.void]
    span: float = 0.0  # from the first time of the path to its last

    def equilibrium(self, time: float, accepts: bool = False) -> int:
        """Downhill of the state's pose, accepted if that is asked; returns a status."""
        self.search["accepts"] = accepts
        return int(
            statics.equilibrium(
                self.model, self.state, float(time), self.tolerances, self.work, self.search
            )
        )

    def restart(self, pose: Snapshot) -> None:
        restore(self.state, pose)
        self.state.multipliers[:] = 0.0


def reach_equilibrium(
    path: Path,
    times: tuple[float, float],
    shift: NDArray[np.float64],
    predicted: Step | None = None,
    tried: int = OK,
) -> tuple[int, int]:
    """Go from the equilibrium at the first of `times` to that at the second and accept it.

    `shift` is how the pose is guessed to move, `predicted` how it and the multipliers are likely to
    besides, which is tried first; `tried` is how the search from the guess ended, if it failed.
    At the edge of slip an equilibrium with friction may not be found from one side, within some
    1e-5 rad of a path: it is then passed, and met from the other side, where contacts stick.
    Returns a status and the number of contacts that switched.
    """
    if predicted is not None:
        start = snapshot(path.state, (*POSE, "multipliers"))
        move(path.state, shift + predicted.shift)
        path.state.multipliers[:] += predicted.multipliers
        if path.equilibrium(times[1], accepts=True) == OK:
            return OK, int(path.search["switched"][0])
        restore(path.state, start)
    if times[0] == times[1]:
        return _reach(path, times, shift, HALVINGS, tried)
    before = snapshot(path.state, HISTORY)
    status, switches = _reach(path, times, shift, HALVINGS, tried)
    if status == OK:
        return status, switches
    restore(path.state, before)
    beyond = times[1] + OVERSHOOT * (times[1] - times[0])
    beyond_leg = ((times[0], beyond), (1 + OVERSHOOT) * shift)
    back_leg = ((beyond, times[1]), -OVERSHOOT * shift)
    return _reach_all(path, (beyond_leg, back_leg), HALVINGS)


def _reach_all(
    path: Path,
    legs: Iterable[tuple[tuple[float, float], NDArray[np.float64]]],
    halvings: int,
) -> tuple[int, int]:
    """One leg after the other, up to the first that fails."""
    status, switches = OK, 0
    for times, shift in legs:
        status, switched = _reach(path, times, shift, halvings)
        switches += switched
        if status != OK:
            break
    return status, switches


def _reach(
    path: Path,
    times: tuple[float, float],
    shift: NDArray[np.float64],
    halvings: int,
    tried: int = OK,
) -> tuple[int, int]:
    """The same in one go. Where a step fails, one half of it is accepted before the other is tried.

    With elastic friction the way is part of the answer: an equilibrium that is found by easing
    friction may lie on another branch, so only the shortest steps are eased.
    """
    start = snapshot(path.state, (*POSE, "multipliers"))
    status = tried
    if status == OK:
        move(path.state, shift)
        status = path.equilibrium(times[1], accepts=True)
        if status == OK:
            return status, int(path.search["switched"][0])
        restore(path.state, start)
    move(path.state, shift)
    guess = snapshot(path.state, POSE)
    can_be_halved = halvings > 0 and times[0] != times[1]
    halves_first = can_be_halved and _has_elastic_friction(path.model)
    if not halves_first and _eased(path, guess, times[1]) == OK:
        return OK, accept_pose(path.model, path.state)
    if times[0] == times[1]:
        return _first_of_path(path, guess, times[1])
    if halvings == 0:
        return status, 0
    restore(path.state, start)
    middle = 0.5 * (times[0] + times[1])
    halves = (((times[0], middle), 0.5 * shift), ((middle, times[1]), 0.5 * shift))
    return _reach_all(path, halves, halvings - 1)


def _first_of_path(path: Path, guess: Snapshot, time: float) -> tuple[int, int]:
    before = snapshot(path.state, HISTORY)
    path.restart(guess)
    status, switches = _from_unloaded(path, time)
    if status != OK:
        restore(path.state, before)
        path.restart(guess)
        status, switches = _from_later(path, time)
    return status, switches


def _from_later(path: Path, time: float) -> tuple[int, int]:
    """The first equilibrium of a path on the way back from later times, none of which is accepted.
    Without a load the machine is loose, or pressed by its errors alone; with one it is neither."""
    for share in RETURN:
        start = snapshot(path.state, POSE)
        if path.equilibrium(time + share * path.span) != OK:
            path.restart(start)
    status = path.equilibrium(time, accepts=True)
    return status, int(path.search["switched"][0]) if status == OK else 0


def _from_unloaded(path: Path, time: float) -> tuple[int, int]:
    """The first equilibrium of a path by way of growing loads, each accepted as a step of it."""
    status, switches = OK, 0
    for share in RAMP:
        part = path._replace(model=_with_loads(path.model, share))
        status = part.equilibrium(time, accepts=True)
        if status != OK:
            break
        switches += int(path.search["switched"][0])
    return status, switches


def find_equilibrium(path: Path, time: float) -> int:
    """Equilibrium downhill of the state's pose, by continuation where it is not found at once.

    No pose on the way is accepted: friction counts its slip from the last equilibrium throughout.
    """
    start = snapshot(path.state, POSE)
    first = path.equilibrium(time)
    return first if first == OK or _eased(path, start, time) != OK else OK


def _eased(path: Path, start: Snapshot, time: float) -> int:
    """The same by continuation alone, from the pose that the search had started in."""
    model = path.model
    if _has_elastic_friction(model):
        path.restart(start)
        frictionless = path._replace(model=_with_friction(model, 0.0))
        status = find_equilibrium(frictionless, time)
        raised = [_with_friction(model, share) for share in FRICTION_SHARES]
        if status == OK and _follow(path, raised, time) == OK:
            return OK
    for power in range(1, LARGEST_POWER + 1):
        path.restart(start)
        eased = [_with_loads(model, 10.0**lower) for lower in range(power, -1, -1)]
        status = _follow(path, eased, time)
        if status == OK:
            break
    return status


def _follow(path: Path, models: list[AnyModel], time: float) -> int:
    """Equilibria of one model after the other, each from that of the one before."""
    status = OK
    for model in models:
        status = path._replace(model=model).equilibrium(time)
        if status != OK:
            break
    return status


def _has_elastic_friction(model: AnyModel) -> bool:
    return bool(np.any(_is_elastic(model)))


def _is_elastic(model: AnyModel) -> NDArray[np.bool_]:
    return np.asarray(model.contacts["friction_form"] == FRICTION_ELASTIC)


def _with_friction(model: AnyModel, share: float) -> AnyModel:
    """The model with a share of its elastic friction; none at all is no friction."""
    contacts = model.contacts.copy()
    elastic = _is_elastic(model)
    contacts["friction"][elastic] *= share
    contacts["friction_form"][elastic] = FRICTION_ELASTIC if share > 0.0 else FRICTION_NONE
    return model._replace(contacts=contacts)


def _with_loads(model: AnyModel, factor: float) -> AnyModel:
    loads = model.loads.copy()
    for name in set(LOAD_FIELDS).intersection(loads.dtype.names or ()):
        loads[name] *= factor
    return model._replace(loads=np.ascontiguousarray(loads))
