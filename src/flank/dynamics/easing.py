"""Shares of loads and of elastic friction in a model's own rows, and back to all of them."""

from typing import NamedTuple

import numpy as np

from flank.arrays import Flags, Floats
from flank.contact.table import FRICTION_ELASTIC, FRICTION_NONE
from flank.dynamics.engine import note_loads, put_loads
from flank.dynamics.functions import function_value
from flank.dynamics.model import LOADS
from flank.dynamics.poses import AnyModel
from flank.kernel import kernel

NUMBERS_OF_LOAD = 6
"""That grow with it, in space; in the plane there are three."""


class FullLoads(NamedTuple):
    """What the model has."""

    loads: Floats  # (load, NUMBERS_OF_LOAD): forces and torques
    friction: Floats  # (contact): coefficients
    elastic: Flags  # (contact): whose friction is eased


def full_loads(model: AnyModel) -> FullLoads:
    """Room for them."""
    contacts = len(model.contacts)
    return FullLoads(
        np.zeros((len(model.loads), NUMBERS_OF_LOAD)),
        np.zeros(contacts),
        np.zeros(contacts, dtype=bool),
    )


@kernel(internal=True)
def note_full_loads(model, full):
    """Before anything is eased."""
    note_loads(model, full.loads)
    for k in range(model.contacts.shape[0]):
        full.friction[k] = model.contacts[k].friction
        full.elastic[k] = model.contacts[k].friction_form == FRICTION_ELASTIC


@kernel(internal=True)
def acts(model, time):
    """Whether any load does."""
    for k in range(model.counts[LOADS]):
        function = model.functions[model.loads[k].function]
        value, _rate, _second = function_value(function, model.function_data, time)
        if value != 0.0:
            return True
    return False


@kernel(internal=True)
def ease(model, full, loads, friction):
    """Shares of the loads and of elastic friction; none of it at all is no friction."""
    put_loads(model, full.loads, loads)
    for k in range(model.contacts.shape[0]):
        if full.elastic[k]:
            contact = model.contacts[k]
            contact.friction = friction * full.friction[k]
            contact.friction_form = FRICTION_ELASTIC if friction > 0.0 else FRICTION_NONE
