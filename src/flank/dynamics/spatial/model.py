"""Model and state of spatial bodies: what kernels read, and what they change.

Body 0 is ground. A body has the position x of its centre of mass and a rotation R from its own
axes to those of space, kept as a unit quaternion (w, x, y, z) and as a matrix. Velocities are
those of the centre and the angular velocity, along the axes of space; rotations change by vectors
of space, R → exp(α) R. A body has six coordinates, and blocks of the tangent are 6 x 6.

Bodies are ordered: ground, core bodies, leaves. A leaf (a ball) is joined to core bodies by
contacts and bushings only; its block is eliminated on its own.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flank.contact.spatial.table import SPATIAL_MEMORY, SPATIAL_TOUCH
from flank.contact.table import FRICTION_ELASTIC
from flank.dynamics.spatial.quaternions import matrix_of

MAXIMUM_NEIGHBOURS = 4
"""Core bodies that one leaf may touch."""

FRICTION, DAMPING, DRIVES, LOADS = range(4)
"""Entries of the ledger: energy that friction and damping took, work that drives and loads did."""


class SpatialModel(NamedTuple):
    """Constant arrays; row 0 of every body array is ground."""

    mass: NDArray  # (bodies,)
    inertia: NDArray  # (bodies, 3, 3) about the centre of mass, body axes
    core_count: int  # bodies 1 .. core_count are core, the rest leaves
    constraint_count: int
    length_scale: float  # m, weighs rotations against displacements in norms
    contacts: NDArray  # rows of flank.contact.spatial
    conditions: NDArray  # rows of CONDITION
    bushings: NDArray
    loads: NDArray
    functions: NDArray
    function_data: NDArray
    leaf_neighbours: NDArray  # (leaves, MAXIMUM_NEIGHBOURS) core bodies, 0 where none
    counts: NDArray  # conditions, bushings, loads, contacts in use (an array is never empty)
    meshes: NDArray | None = None  # rows of SPATIAL_MESH; none of models without gears


class SpatialState(NamedTuple):
    """Everything that changes in time."""

    position: NDArray  # (bodies, 3)
    rotation: NDArray  # (bodies, 4) unit quaternions
    matrix: NDArray  # (bodies, 3, 3) the same as matrices
    velocity: NDArray  # (bodies, 6)
    acceleration: NDArray  # (bodies, 6)
    auxiliary: NDArray  # the integrator's own acceleration
    turned: NDArray  # (bodies, 3) rotation vector since the step began
    multipliers: NDArray
    touches: NDArray  # rows of SPATIAL_TOUCH
    accepted_force: NDArray  # normal forces at the last accepted pose; zero where open
    ledger: NDArray  # energies so far, J
    impulse: NDArray  # of every multiplier so far: what acts between records counts too
    memory: NDArray | None  # rows of SPATIAL_MEMORY; None without elastic friction: kernels are
    # then compiled without it


class SpatialWorkspace(NamedTuple):
    """Scratch arrays of one run."""

    force: NDArray  # (bodies, 6) forces and torques about the centres of mass
    load: NDArray  # (bodies, 6) those of the loads alone
    saved_load: NDArray  # (bodies, 6) at the start of a step of statics
    core: NDArray  # tangent of core unknowns and multipliers
    right: NDArray
    pivots: NDArray
    filled: NDArray
    leaf: NDArray  # (leaves, 6, 6)
    leaf_to_core: NDArray  # (leaves, neighbours, 6, 6): ∂(leaf residual)/∂(core)
    core_to_leaf: NDArray
    leaf_right: NDArray  # (leaves, 6)
    leaf_pivots: NDArray  # (leaves, 6)
    element: NDArray  # (ELEMENT_ROWS, 12) scratch of one element
    block: NDArray  # (12, 12)
    constraint: NDArray  # residuals of the conditions
    power: NDArray  # entries of the ledger per second, now and at the start of the step: (2, 4)
    step: NDArray  # (bodies, 6)
    multiplier_step: NDArray
    saved: NDArray  # (4, bodies, 6): position, velocity, acceleration, auxiliary
    saved_rotation: NDArray  # (bodies, 4)
    saved_multipliers: NDArray


ELEMENT_ROWS = 16


class SpatialRecord(NamedTuple):
    """What a run leaves behind, row by row in time."""

    position: NDArray  # (time, body, 3)
    rotation: NDArray  # (time, body, 4)
    velocity: NDArray  # (time, body, 6)
    acceleration: NDArray  # (time, body, 6)
    multipliers: NDArray  # (time, multiplier)
    touches: NDArray  # (time, contact)
    ledger: NDArray  # (time, 4)
    impulse: NDArray  # (time, multiplier)


def initial_state(
    model: SpatialModel, position: NDArray, rotation: NDArray, velocity: NDArray | None = None
) -> SpatialState:
    """State in the given pose, at rest unless a velocity (bodies, 6) is given."""
    bodies = len(model.mass)
    state = SpatialState(
        position=np.array(position, dtype=float),
        rotation=np.array(rotation, dtype=float),
        matrix=matrix_of(np.asarray(rotation)),
        velocity=np.zeros((bodies, 6)),
        acceleration=np.zeros((bodies, 6)),
        auxiliary=np.zeros((bodies, 6)),
        turned=np.zeros((bodies, 3)),
        multipliers=np.zeros(max(model.constraint_count, 1)),
        touches=np.zeros(len(model.contacts), dtype=SPATIAL_TOUCH),
        accepted_force=np.zeros(len(model.contacts)),
        ledger=np.zeros(4),
        impulse=np.zeros(max(model.constraint_count, 1)),
        memory=_memory(model.contacts, np.asarray(position), matrix_of(np.asarray(rotation))),
    )
    if velocity is not None:
        state.velocity[:] = velocity
    return state


def _memory(contacts: NDArray, position: NDArray, matrix: NDArray) -> NDArray | None:
    """What elastic friction remembers where nothing has slipped yet; None without any."""
    if not np.any(contacts["friction_form"] == FRICTION_ELASTIC):
        return None
    a, b = contacts["body_a"], contacts["body_b"]
    memory = np.zeros(len(contacts), dtype=SPATIAL_MEMORY)
    centre = position[b] + np.einsum("kij,kj->ki", matrix[b], contacts["arm"]) - position[a]
    memory["stuck_centre"] = np.einsum("kji,kj->ki", matrix[a], centre)
    memory["stuck_turn"] = np.einsum("kji,kjl->kil", matrix[a], matrix[b])
    return memory


def workspace(model: SpatialModel) -> SpatialWorkspace:
    bodies = len(model.mass)
    unknowns = max(6 * model.core_count + model.constraint_count, 1)
    leaves = max(bodies - 1 - model.core_count, 1)
    constraints = max(model.constraint_count, 1)
    return SpatialWorkspace(
        force=np.zeros((bodies, 6)),
        load=np.zeros((bodies, 6)),
        saved_load=np.zeros((bodies, 6)),
        core=np.zeros((unknowns, unknowns)),
        right=np.zeros(unknowns),
        pivots=np.zeros(unknowns, dtype=np.int64),
        filled=np.zeros(max(unknowns, 6), dtype=np.int64),
        leaf=np.zeros((leaves, 6, 6)),
        leaf_to_core=np.zeros((leaves, MAXIMUM_NEIGHBOURS, 6, 6)),
        core_to_leaf=np.zeros((leaves, MAXIMUM_NEIGHBOURS, 6, 6)),
        leaf_right=np.zeros((leaves, 6)),
        leaf_pivots=np.zeros((leaves, 6), dtype=np.int64),
        element=np.zeros((ELEMENT_ROWS, 12)),
        block=np.zeros((12, 12)),
        constraint=np.zeros(constraints),
        power=np.zeros((2, 4)),
        step=np.zeros((bodies, 6)),
        multiplier_step=np.zeros(constraints),
        saved=np.zeros((4, bodies, 6)),
        saved_rotation=np.zeros((bodies, 4)),
        saved_multipliers=np.zeros(constraints),
    )
