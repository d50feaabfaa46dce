"""Poses of a model from Python, whichever engine it is of: arrays (bodies, 3) in the plane,
`SpatialPose` in space. What lies between two of them is an array of coordinates in both."""

from typing import Any

import numpy as np

from flank.arrays import Floats
from flank.dynamics import model as planar
from flank.dynamics.model import Model, Record, State, Workspace
from flank.dynamics.spatial import model as spatial
from flank.dynamics.spatial.model import (
    SpatialModel,
    SpatialRecord,
    SpatialState,
    SpatialWorkspace,
)
from flank.dynamics.spatial.quaternions import (
    inverse,
    matrix_of,
    product,
    vector_of,
)
from flank.dynamics.trajectory import Pose, SpatialPose

AnyModel = Model | SpatialModel
AnyState = State | SpatialState
AnyWorkspace = Workspace | SpatialWorkspace
AnyRecord = Record | SpatialRecord


def state_at(model: AnyModel, start: Pose, velocity: Floats | None = None) -> AnyState:
    """A state in a pose; at rest, or as a spatial pose moves, unless a velocity is given."""
    state: AnyState
    if isinstance(model, SpatialModel):
        if not isinstance(start, SpatialPose):
            raise TypeError("a model of spatial bodies starts from a SpatialPose; give it one")
        state = spatial.initial_state(model, start.position, start.rotation, start.velocity)
    else:
        if isinstance(start, SpatialPose):
            raise TypeError("a planar model starts from an array (bodies, 3): x, y and angle")
        state = planar.initial_state(model, start)
    if velocity is not None:
        state.velocity[:] = velocity
    return state


def put_pose(state: AnyState, pose: Pose) -> None:
    """Put the bodies of a state where a pose has them."""
    if isinstance(state, SpatialState):
        assert isinstance(pose, SpatialPose)
        state.position[:], state.rotation[:] = pose.position, pose.rotation
        state.matrix[:] = matrix_of(pose.rotation)
    else:
        assert not isinstance(pose, SpatialPose)
        state.position[:] = pose


def workspace(model: AnyModel) -> AnyWorkspace:
    if isinstance(model, SpatialModel):
        return spatial.workspace(model)
    return planar.workspace(model)


def record_of(state: AnyState, rows: int) -> AnyRecord:
    """Room for `rows` records of a run."""
    kind = SpatialRecord if isinstance(state, SpatialState) else Record
    fields = [getattr(state, name) for name in kind._fields]
    return kind(*(np.zeros((rows, *field.shape), dtype=field.dtype) for field in fields))


def rows_of_record(record: AnyRecord, first: int, last: int) -> AnyRecord:
    tables: list[Any] = [field[first:last] for field in record]
    return type(record)(*tables)


def put(record: AnyRecord, row: int, state: AnyState) -> None:
    """Record a state; statics leaves velocities at zero."""
    for name in record._fields:
        getattr(record, name)[row] = getattr(state, name)


def shift_between(before: Pose, after: Pose) -> Floats:
    """How every coordinate moves from one pose to another; rotations by vectors of space."""
    if isinstance(before, SpatialPose) and isinstance(after, SpatialPose):
        turned = vector_of(product(after.rotation, inverse(before.rotation)))
        return np.hstack([after.position - before.position, turned])
    difference: Floats = np.asarray(after) - np.asarray(before)
    return difference
