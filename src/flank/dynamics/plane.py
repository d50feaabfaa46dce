"""What bodies in the plane bring to the control shared with space (engine.py)."""

from flank.dynamics.beams import add_beam_inertia, heaviest_beam
from flank.dynamics.model import BEAMS, ROUND_OFF
from flank.dynamics.scatter import add_to_body, copy_rows, target_of
from flank.kernel import kernel
from flank.team import rank, team_largest, team_size

FORCE_FLOOR = 1e-7
"""N: what round-off of positions leaves in a contact as stiff as steel."""

ROUGHEST = 1e-3
"""Share of the largest force that many turns may leave unbalanced."""


@kernel(internal=True)
def weight(model, body, i):
    return model.weights[body, i]


@kernel(internal=True)
def inertia_of(model, body, i):
    return model.mass[body, i]


@kernel(internal=True)
def heaviest(model):
    largest = 0.0
    for body in range(1, model.core_count + 1):
        largest = max(largest, model.mass[body, 0])
    return max(largest, heaviest_beam(model.beams, model.counts[BEAMS]))


@kernel(internal=True)
def radius_of(model, k):
    return model.contacts[k].b_radius


@kernel(internal=True)
def constraint_residual(model, state, residuals):
    """Angles count as m here: joints of the plane have no weights of their own. An angle of many
    turns has few digits behind the point."""
    drift = 0.0
    for i in range(model.constraint_count):
        drift = max(drift, abs(residuals[i]))
    return drift, ROUND_OFF * _largest(state.position)


@kernel(internal=True)
def force_floor(model, state, largest, _stiffest):
    return FORCE_FLOOR + _force_round_off(model, state.position, largest)


@kernel(internal=True)
def _force_round_off(model, position, largest):
    """What it leaves in beams and meshes; little of the `largest` force, or bodies run away."""
    turned = model.force_floor * _largest(position)
    return max(model.force_floor, min(turned, ROUGHEST * largest))


@kernel(internal=True)
def _largest(position):
    largest = 0.0
    for body in range(1 + rank(), position.shape[0], team_size()):
        for i in range(3):
            largest = max(largest, abs(position[body, i]))
    return team_largest(largest)


@kernel(internal=True)
def least_regularization(_model, _error):
    """An unbalanced torque turns a planar body and adds nothing to its stiffness."""
    return 0.0


@kernel(internal=True)
def displace(state, body, i, change):
    state.position[body, i] += change


@kernel(internal=True)
def add_motion(model, state, work, _to_velocity, to_acceleration, largest):
    target = target_of(model, work, 0.0, 0.0)
    heavy = add_beam_inertia(model, model.beams, state.acceleration, to_acceleration, target)
    largest = max(largest, heavy)
    for body in range(1, model.mass.shape[0]):
        for i in range(3):
            inertia = model.mass[body, i] * state.acceleration[body, i]
            largest = max(largest, abs(inertia) / model.weights[body, i])
            work.force[body, i] -= inertia
            add_to_body(target, body, i, i, to_acceleration * model.mass[body, i])
    return largest, _force_round_off(model, state.position, largest)


@kernel(internal=True)
def put_masses(model, state, work):
    """Accelerations are zero: only the masses are left of `add_motion`."""
    add_motion(model, state, work, 0.0, 1.0, 0.0)


@kernel(internal=True)
def fill_moved(state, positions, _rotations, body, moved):
    for i in range(3):
        moved[i] = state.position[body, i] - positions[body, i]


@kernel(internal=True)
def keep_history(state, history):
    copy_rows(state.anchor, history)


@kernel(internal=True)
def put_history(state, history):
    copy_rows(history, state.anchor)


@kernel(internal=True)
def note_loads(model, loads):
    for k in range(model.loads.shape[0]):
        load = model.loads[k]
        loads[k, 0] = load.direction_x
        loads[k, 1] = load.direction_y
        loads[k, 2] = load.torque


@kernel(internal=True)
def put_loads(model, loads, share):
    for k in range(model.loads.shape[0]):
        load = model.loads[k]
        load.direction_x = share * loads[k, 0]
        load.direction_y = share * loads[k, 1]
        load.torque = share * loads[k, 2]
