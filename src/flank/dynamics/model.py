"""Model and state: what kernels read, and what they change.

A Model is constant arrays: topology and parameters. A State is positions, velocities,
accelerations, the contacts' memory and the last accepted pose. A Workspace is scratch, so that
kernels allocate nothing.

Bodies are ordered: ground, core bodies, leaves. A leaf (a pin in its groove, a needle) is joined to
core bodies by contacts and springs only, so its 3 x 3 block is eliminated on its own and the cost
of a step grows linearly with the number of leaves.

A core body may also be one row of a beam's node: its position (x, y, z) or its slope r'. Such a row
is three coordinates like those of a body; its mass is that of the beams at it.
"""

from typing import Any, NamedTuple

import numpy as np

from flank.arrays import Floats, Integers, Rows
from flank.contact.plate_element import COLUMNS, SHAPE_ROWS
from flank.contact.table import CONTACT_RESULT, MEMORY
from flank.contact.tooth_pair import ToothTables
from flank.dynamics.elimination import Elimination
from flank.elasticity.ancf import TABLE_ROWS

MAXIMUM_NEIGHBOURS = 3
"""Core bodies that one leaf may touch."""

ROUND_OFF = 1e-15
"""Of coordinates, relative: some units in the last place."""

JOINTS, SPRINGS, LOADS, CONTACTS, BEAMS = range(5)
"""Places in Model.counts."""


class Model(NamedTuple):
    """Constant arrays; row 0 of every body array is ground."""

    mass: Floats  # (bodies, 3): m, m, J; zero for the rows of beams
    weights: Floats  # (bodies, 3): coordinate times weight is a displacement in m
    core_count: int  # bodies 1 .. core_count are core, the rest leaves
    constraint_count: int
    length_scale: float  # m, weighs angles against displacements in norms
    force_floor: float  # N: what round-off of coordinates up to one leaves in beams and meshes
    contacts: Rows  # rows of CONTACT
    curves: Rows
    curve_data: Floats
    joints: Rows
    springs: Rows
    loads: Rows
    beams: Rows
    gears: ToothTables  # of all teeth but those of constant springs
    functions: Rows
    function_data: Floats
    elimination: Elimination
    leaf_neighbours: Integers  # (leaves, MAXIMUM_NEIGHBOURS) core bodies, 0 where none
    counts: Integers  # joints, springs, loads, contacts, beams in use (an array is never empty)
    screened: bool  # skip contacts that are surely open still
    coordinates: tuple[int, ...] = (0, 1, 2)  # of a body


class State(NamedTuple):
    """Everything that changes in time."""

    position: Floats  # (bodies, 3): x, y, angle; a beam's rows: x, y, z or r'
    velocity: Floats
    acceleration: Floats
    auxiliary: Floats  # the integrator's own acceleration
    multipliers: Floats
    memory: Rows  # rows of MEMORY
    contact_results: Rows  # rows of CONTACT_RESULT
    anchor: Floats  # the last accepted pose, from which elastic friction counts its slip
    accepted_force: Floats  # normal forces at the last accepted pose; zero where open


class Record(NamedTuple):
    """What a run leaves behind, row by row in time."""

    position: Floats  # (time, body, 3)
    velocity: Floats
    multipliers: Floats  # (time, multiplier)
    contact_results: Rows  # (time, contact)


class Workspace(NamedTuple):
    """Scratch arrays of one run."""

    force: Floats  # (bodies, 3) applied generalized forces Q
    rotations: Floats  # (bodies, 2) cosine and sine of the angles
    core: Floats  # tangent of core unknowns and multipliers
    kept_core: Floats  # a copy of it, for pivots
    right: Floats
    pivots: Integers
    filled: Integers  # columns of one row that hold entries
    leaf: Floats  # (leaves, 3, 3)
    leaf_to_core: Floats  # (leaves, neighbours, 3, 3): ∂(leaf residual)/∂(core)
    core_to_leaf: Floats
    leaf_right: Floats  # (leaves, 3)
    element: Floats  # vectors of one contact, or the table of one beam (elasticity/ancf.py)
    shapes: Floats  # of the modes of one contact's elastic plate
    block: Floats  # (6, 6)
    handed: Floats  # of threads that are a team: each one's forces and block of an element
    constraint: Floats  # residuals of the constraints
    step: Floats  # (bodies, 3)
    multiplier_step: Floats
    saved: Floats  # (4, bodies, 3)
    saved_multipliers: Floats


def initial_state(model: Model, position: Floats) -> State:
    """State at rest in the given pose."""
    return State(
        position=np.array(position, dtype=float),
        memory=np.zeros(len(model.contacts), dtype=MEMORY),
        contact_results=np.zeros(len(model.contacts), dtype=CONTACT_RESULT),
        anchor=np.array(position, dtype=float),
        **state_arrays(model),
    )


def state_arrays(model: Any) -> dict[str, Any]:
    """What states of planar and of spatial models have in common, at rest."""
    rates = (len(model.mass), len(model.coordinates))
    return {
        "velocity": np.zeros(rates),
        "acceleration": np.zeros(rates),
        "auxiliary": np.zeros(rates),
        "multipliers": np.zeros(max(model.constraint_count, 1)),
        "accepted_force": np.zeros(len(model.contacts)),
    }


def workspace(model: Model) -> Workspace:
    return Workspace(
        rotations=np.zeros((len(model.mass), 2)),
        element=np.zeros((TABLE_ROWS, 12)),
        shapes=np.zeros((SHAPE_ROWS, COLUMNS)),
        **workspace_arrays(model),
    )


def workspace_arrays(model: Any) -> dict[str, Any]:
    """What workspaces of planar and of spatial models have in common."""
    bodies, size = len(model.mass), len(model.coordinates)
    constraints = max(model.constraint_count, 1)
    unknowns = max(size * model.core_count + model.constraint_count, 1)
    leaves, neighbours = model.leaf_neighbours.shape
    return {
        "force": np.zeros((bodies, size)),
        "core": np.zeros((unknowns, unknowns)),
        "kept_core": np.zeros((unknowns, unknowns)),
        "right": np.zeros(unknowns),
        "pivots": np.zeros(unknowns, dtype=np.int64),
        "filled": np.zeros(max(unknowns, size), dtype=np.int64),
        "leaf": np.zeros((leaves, size, size)),
        "leaf_to_core": np.zeros((leaves, neighbours, size, size)),
        "core_to_leaf": np.zeros((leaves, neighbours, size, size)),
        "leaf_right": np.zeros((leaves, size)),
        "block": np.zeros((2 * size, 2 * size)),
        "handed": np.zeros((1, 2 * size * (1 + 2 * size))),
        "constraint": np.zeros(constraints),
        "step": np.zeros((bodies, size)),
        "multiplier_step": np.zeros(constraints),
        "saved": np.zeros((4, bodies, size)),
        "saved_multipliers": np.zeros(constraints),
    }
