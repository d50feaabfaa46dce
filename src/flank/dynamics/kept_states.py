"""Poses of a path that are kept and come back to, and what a state owes to the way it came."""

from typing import NamedTuple

import numpy as np

from flank.arrays import Floats, Rows
from flank.dynamics.engine import keep_history, keep_rotations, put_history, put_rotations
from flank.dynamics.poses import AnyState
from flank.dynamics.scatter import copy_rows
from flank.dynamics.spatial.model import SpatialState
from flank.kernel import kernel


class KeptStates(NamedTuple):
    """Poses by number, the last of which belongs to the past."""

    position: Floats  # (pose, body, 3)
    rotation: Floats  # (pose, body, 4), in space
    multipliers: Floats  # (pose, multiplier)
    memory: Rows
    contact_results: Rows
    accepted_force: Floats
    history: Floats  # what only one engine has: the anchor of friction, or the ledger


def kept_states(state: AnyState, poses: int) -> KeptStates:
    """Room for so many poses and the past."""
    in_space = isinstance(state, SpatialState)
    bodies = len(state.position)
    return KeptStates(
        np.zeros((poses + 1, bodies, 3)),
        np.zeros((poses + 1, bodies if in_space else 0, 4)),
        np.zeros((poses + 1, len(state.multipliers))),
        np.zeros_like(state.memory),
        np.zeros_like(state.contact_results),
        np.zeros_like(state.accepted_force),
        np.zeros((1, 4) if in_space else (bodies, 3)),
    )


@kernel(internal=True)
def keep_pose(state, kept, number):
    copy_rows(state.position, kept.position[number])
    keep_rotations(state, kept.rotation[number])
    for i in range(state.multipliers.shape[0]):
        kept.multipliers[number, i] = state.multipliers[i]


@kernel(internal=True)
def put_pose(state, kept, number):
    copy_rows(kept.position[number], state.position)
    put_rotations(state, kept.rotation[number])
    for i in range(state.multipliers.shape[0]):
        state.multipliers[i] = kept.multipliers[number, i]


@kernel(internal=True)
def keep_past(state, kept):
    keep_pose(state, kept, kept.position.shape[0] - 1)
    keep_history(state, kept.history)
    for k in range(state.contact_results.shape[0]):
        kept.memory[k] = state.memory[k]
        kept.contact_results[k] = state.contact_results[k]
        kept.accepted_force[k] = state.accepted_force[k]


@kernel(internal=True)
def put_past(state, kept):
    put_pose(state, kept, kept.position.shape[0] - 1)
    put_history(state, kept.history)
    for k in range(state.contact_results.shape[0]):
        state.memory[k] = kept.memory[k]
        state.contact_results[k] = kept.contact_results[k]
        state.accepted_force[k] = kept.accepted_force[k]
