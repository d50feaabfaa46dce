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

from flank.arrays import Floats, Integers, Rows
from flank.contact.spatial.table import SPATIAL_CONTACT_RESULT, SPATIAL_MEMORY
from flank.dynamics.elimination import Elimination
from flank.dynamics.model import state_arrays, workspace_arrays
from flank.dynamics.spatial.flanks import (
    FlankElements,
    FlankScratch,
    NoFlanks,
    flank_scratch,
)
from flank.dynamics.spatial.quaternions import matrix_of
from flank.dynamics.spatial.teeth import SCRATCH_ROWS, NoTeeth, Teeth

MAXIMUM_NEIGHBOURS = 4
"""Core bodies that one leaf may touch."""

FRICTION, DAMPING, DRIVES, LOADS = range(4)
"""Entries of the ledger: energy that friction and damping took, work that drives and loads did."""


class SpatialModel(NamedTuple):
    """Constant arrays; row 0 of every body array is ground."""

    mass: Floats  # (bodies,)
    inertia: Floats  # (bodies, 3, 3) about the centre of mass, body axes
    core_count: int  # bodies 1 .. core_count are core, the rest leaves
    constraint_count: int
    length_scale: float  # m, weighs rotations against displacements in norms
    contacts: Rows  # rows of flank.contact.spatial
    conditions: Rows  # rows of CONDITION
    bushings: Rows
    loads: Rows
    functions: Rows
    function_data: Floats
    elimination: Elimination
    leaf_neighbours: Integers  # (leaves, MAXIMUM_NEIGHBOURS) core bodies, 0 where none
    counts: Integers  # conditions, bushings, loads, contacts in use (an array is never empty)
    meshes: Rows  # rows of SPATIAL_MESH
    mesh_count: int  # of them in use
    flanks: FlankElements | NoFlanks = NoFlanks()
    teeth: Teeth | NoTeeth = NoTeeth()
    coordinates: tuple[int, ...] = (0, 1, 2, 3, 4, 5)  # of a body


class SpatialState(NamedTuple):
    """Everything that changes in time."""

    position: Floats  # (bodies, 3)
    rotation: Floats  # (bodies, 4) unit quaternions
    matrix: Floats  # (bodies, 3, 3) the same as matrices
    velocity: Floats  # (bodies, 6)
    acceleration: Floats  # (bodies, 6)
    auxiliary: Floats  # the integrator's own acceleration
    turned: Floats  # (bodies, 3) rotation vector since the step began
    multipliers: Floats
    contact_results: Rows  # rows of SPATIAL_CONTACT_RESULT
    accepted_force: Floats  # normal forces at the last accepted pose; zero where open
    ledger: Floats  # energies so far, J
    power: Floats  # entries of the ledger per second at the end of the last step
    impulse: Floats  # of every multiplier so far: what acts between records counts too
    memory: Rows  # rows of SPATIAL_MEMORY, for elastic friction


class SpatialWorkspace(NamedTuple):
    """Scratch arrays of one run."""

    force: Floats  # (bodies, 6) forces and torques about the centres of mass
    load: Floats  # (bodies, 6) those of the loads alone
    saved_load: Floats  # (bodies, 6) at the start of a step of statics
    core: Floats  # tangent of core unknowns and multipliers
    kept_core: Floats  # a copy of it, for pivots
    right: Floats
    pivots: Integers
    filled: Integers
    leaf: Floats  # (leaves, 6, 6)
    leaf_to_core: Floats  # (leaves, neighbours, 6, 6): ∂(leaf residual)/∂(core)
    core_to_leaf: Floats
    leaf_right: Floats  # (leaves, 6)
    leaf_pivots: Integers  # (leaves, 6)
    element: Floats  # (SCRATCH_ROWS, 12) scratch of one element
    block: Floats  # (12, 12)
    handed: Floats  # as in the plane
    constraint: Floats  # residuals of the conditions
    power: Floats  # entries of the ledger per second
    step: Floats  # (bodies, 6)
    multiplier_step: Floats
    saved: Floats  # (4, bodies, 6): position, velocity, acceleration, auxiliary
    saved_rotation: Floats  # (bodies, 4)
    saved_multipliers: Floats
    flanks: FlankScratch | NoFlanks


class SpatialRecord(NamedTuple):
    """What a run leaves behind, row by row in time."""

    position: Floats  # (time, body, 3)
    rotation: Floats  # (time, body, 4)
    velocity: Floats  # (time, body, 6)
    acceleration: Floats  # (time, body, 6)
    multipliers: Floats  # (time, multiplier)
    contact_results: Rows  # (time, contact)
    ledger: Floats  # (time, 4)
    impulse: Floats  # (time, multiplier)


def initial_state(
    model: SpatialModel, position: Floats, rotation: Floats, velocity: Floats | None = None
) -> SpatialState:
    """State in the given pose, at rest unless a velocity (bodies, 6) is given."""
    matrix = matrix_of(rotation)
    state = SpatialState(
        position=np.array(position, dtype=float),
        rotation=np.array(rotation, dtype=float),
        matrix=matrix,
        turned=np.zeros((len(model.mass), 3)),
        contact_results=np.zeros(len(model.contacts), dtype=SPATIAL_CONTACT_RESULT),
        ledger=np.zeros(4),
        power=np.zeros(4),
        impulse=np.zeros(max(model.constraint_count, 1)),
        memory=_memory(model.contacts, np.asarray(position), matrix),
        **state_arrays(model),
    )
    if velocity is not None:
        state.velocity[:] = velocity
    return state


def _memory(contacts: Rows, position: Floats, matrix: Floats) -> Rows:
    """What elastic friction remembers where nothing has slipped yet."""
    a, b = contacts["body_a"], contacts["body_b"]
    memory = np.zeros(len(contacts), dtype=SPATIAL_MEMORY)
    centre = position[b] + np.einsum("kij,kj->ki", matrix[b], contacts["arm"]) - position[a]
    memory["stuck_centre"] = np.einsum("kji,kj->ki", matrix[a], centre)
    memory["stuck_turn"] = np.einsum("kji,kjl->kil", matrix[a], matrix[b])
    return memory


def workspace(model: SpatialModel) -> SpatialWorkspace:
    bodies, leaves = len(model.mass), len(model.leaf_neighbours)
    return SpatialWorkspace(
        load=np.zeros((bodies, 6)),
        saved_load=np.zeros((bodies, 6)),
        leaf_pivots=np.zeros((leaves, 6), dtype=np.int64),
        element=np.zeros((SCRATCH_ROWS, 12)),
        power=np.zeros(4),
        saved_rotation=np.zeros((bodies, 4)),
        flanks=flank_scratch(model.flanks),
        **workspace_arrays(model),
    )
