"""Load continuation: reach a hard equilibrium by way of easier ones under larger loads.

A load of micronewtons against contacts as stiff as steel leaves descent no room: every contact on
the way must be met to a picometre. Under a larger load of the same direction the same contacts are
found in a few steps; taken back by tens, it leads to the equilibrium wanted, with its contacts
already known.
"""

import numpy as np
from numpy.typing import NDArray

from flank.dynamics import statics
from flank.dynamics.model import Model, State, Workspace
from flank.dynamics.status import OK

LARGEST_POWER = 7
"""Loads are raised at most by ten to this power."""


def find_equilibrium(
    model: Model,
    state: State,
    time: float,
    settings: statics.StaticTolerances,
    work: Workspace,
    counters: NDArray,
) -> int:
    """Equilibrium downhill of the state's pose, by continuation where it is not found at once."""
    start = state.position.copy()
    first = statics.equilibrium(model, state, time, settings, work, counters)
    if first == OK:
        return first
    for power in range(1, LARGEST_POWER + 1):
        state.position[:] = start
        state.multipliers[:] = 0.0
        for lower in range(power, -1, -1):
            eased = _with_loads(model, 10.0**lower)
            status = statics.equilibrium(eased, state, time, settings, work, counters)
            if status != OK:
                break
        else:
            return status
    return first


def _with_loads(model: Model, factor: float) -> Model:
    loads = model.loads.copy()
    for name in ("direction_x", "direction_y", "torque"):
        loads[name] *= factor
    return model._replace(loads=np.ascontiguousarray(loads))
