"""What bodies in space bring to the control shared with the plane (dynamics/engine.py): poses that
turn, loads without a potential, records of rotations and energies."""

from flank.dynamics.scatter import copy_rows
from flank.dynamics.spatial.rotation import fill_matrix, turn
from flank.kernel import kernel


@kernel(internal=True)
def weight(model, _body, i):
    return 1.0 if i < 3 else model.length_scale


@kernel(internal=True)
def radius_of(model, k):
    return model.contacts[k].sphere_radius


@kernel(internal=True)
def least_regularization(model, error):
    """What nothing holds turns with the unbalanced torques, whose stiffness may be negative."""
    return error / model.length_scale


@kernel(internal=True)
def load_work(_model, work):
    """Loads that follow a body have no potential; as straight lines over the step."""
    total = 0.0
    for body in range(1, work.step.shape[0]):
        for i in range(6):
            total += 0.5 * (work.load[body, i] + work.saved_load[body, i]) * work.step[body, i]
    return total


@kernel(internal=True)
def displace(state, body, i, change):
    """Rotations are collected in `turned`, a vector of space since the pose that was kept."""
    if i < 3:
        state.position[body, i] += change
    else:
        state.turned[body, i - 3] += change


@kernel(internal=True)
def place(state, work):
    """Rotations that `turned` makes of those kept."""
    for body in range(1, state.rotation.shape[0]):
        turn(work.saved_rotation[body], state.turned[body], state.rotation[body])
        fill_matrix(state.rotation[body], state.matrix[body])


@kernel(internal=True)
def keep_more(state, work):
    copy_rows(state.rotation, work.saved_rotation)
    copy_rows(work.load, work.saved_load)
    for body in range(state.turned.shape[0]):
        for i in range(3):
            state.turned[body, i] = 0.0


@kernel(internal=True)
def go_back_more(state, work):
    copy_rows(work.saved_rotation, state.rotation)
    for body in range(state.rotation.shape[0]):
        fill_matrix(state.rotation[body], state.matrix[body])


@kernel(internal=True)
def put_more(state, record, row):
    copy_rows(state.rotation, record.rotation[row])
    copy_rows(state.acceleration, record.acceleration[row])
    for i in range(record.impulse.shape[1]):
        record.impulse[row, i] = state.impulse[i]
    for i in range(record.ledger.shape[1]):
        record.ledger[row, i] = state.ledger[i]
