"""Poses of spatial bodies in kernels: place, keep, go back."""

from flank.dynamics.scatter import copy_rows
from flank.dynamics.spatial.rotation import fill_matrix, turn
from flank.kernel import kernel


@kernel
def fill_matrices(state):
    """Matrices of the state's quaternions."""
    for body in range(state.rotation.shape[0]):
        fill_matrix(state.rotation[body], state.matrix[body])


@kernel(internal=True)
def place(state, work):
    """Rotations that `turned` makes of those kept."""
    for body in range(1, state.rotation.shape[0]):
        turn(work.saved_rotation[body], state.turned[body], state.rotation[body])
        fill_matrix(state.rotation[body], state.matrix[body])


@kernel(internal=True)
def keep(state, work):
    """Keep everything a step changes, and count rotations from here."""
    _copy_positions(state.position, work.saved[0])
    copy_rows(state.velocity, work.saved[1])
    copy_rows(state.acceleration, work.saved[2])
    copy_rows(state.auxiliary, work.saved[3])
    copy_rows(state.rotation, work.saved_rotation)
    for i in range(state.multipliers.shape[0]):
        work.saved_multipliers[i] = state.multipliers[i]


@kernel(internal=True)
def go_back(state, work):
    """Back to where `keep` was called."""
    _copy_positions(work.saved[0], state.position)
    copy_rows(work.saved[1], state.velocity)
    copy_rows(work.saved[2], state.acceleration)
    copy_rows(work.saved[3], state.auxiliary)
    copy_rows(work.saved_rotation, state.rotation)
    fill_matrices(state)
    for i in range(state.multipliers.shape[0]):
        state.multipliers[i] = work.saved_multipliers[i]


@kernel(internal=True)
def _copy_positions(source, target):
    for body in range(source.shape[0]):
        for i in range(3):
            target[body, i] = source[body, i]
