"""What bodies in space bring to the control shared with the plane (dynamics/engine.py): poses that
turn, loads without a potential, records of rotations, powers, and how far joints are open."""

from flank.dynamics.model import CONTACTS, JOINTS, ROUND_OFF
from flank.dynamics.scatter import copy_rows
from flank.dynamics.spatial.bushings import bushing_power
from flank.dynamics.spatial.conditions import fill_rates
from flank.dynamics.spatial.flanks import flank_powers
from flank.dynamics.spatial.meshes import mesh_power
from flank.dynamics.spatial.model import DAMPING, DRIVES, FRICTION, LOADS
from flank.dynamics.spatial.rotation import fill_matrix, fill_vector_between, turn
from flank.dynamics.spatial.tables import ALONG, POINT, TEETH
from flank.dynamics.spatial.teeth import teeth_power
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
    put_rotations(state, work.saved_rotation)


@kernel(internal=True)
def keep_rotations(state, rotations):
    copy_rows(state.rotation, rotations)


@kernel(internal=True)
def put_rotations(state, rotations):
    copy_rows(rotations, state.rotation)
    for body in range(state.rotation.shape[0]):
        fill_matrix(state.rotation[body], state.matrix[body])


@kernel(internal=True)
def fill_moved(state, positions, rotations, body, moved):
    for i in range(3):
        moved[i] = state.position[body, i] - positions[body, i]
    fill_vector_between(rotations[body], state.rotation[body], moved[3:])


@kernel(internal=True)
def keep_history(state, history):
    for i in range(history.shape[1]):
        history[0, i] = state.ledger[i]


@kernel(internal=True)
def put_history(state, history):
    for i in range(history.shape[1]):
        state.ledger[i] = history[0, i]


@kernel(internal=True)
def note_loads(model, loads):
    for k in range(model.loads.shape[0]):
        load = model.loads[k]
        for i in range(3):
            loads[k, i] = load.force[i]
            loads[k, 3 + i] = load.torque[i]


@kernel(internal=True)
def put_loads(model, loads, share):
    for k in range(model.loads.shape[0]):
        load = model.loads[k]
        for i in range(3):
            load.force[i] = share * loads[k, i]
            load.torque[i] = share * loads[k, 3 + i]


@kernel(internal=True)
def put_more(state, record, row):
    copy_rows(state.rotation, record.rotation[row])
    copy_rows(state.acceleration, record.acceleration[row])
    for i in range(record.impulse.shape[1]):
        record.impulse[row, i] = state.impulse[i]
    for i in range(record.ledger.shape[1]):
        record.ledger[row, i] = state.ledger[i]


@kernel(internal=True)
def constraint_residual(model, state, residuals):
    """Largest violation of a joint, angles at the length scale, and round-off of positions, in m.

    No joint can be closed better than positions are rounded, far from the origin of space.
    """
    return _largest(model, residuals, model.length_scale), _round_off(model, state)


@kernel(internal=True)
def force_floor(model, state, _largest_force, stiffest):
    """Force that the round-off of positions makes in the stiffest part, N."""
    return _round_off(model, state) * stiffest


@kernel(internal=True)
def _round_off(model, state):
    """Of positions and of points on bodies, m."""
    reach = model.length_scale
    for body in range(1, state.position.shape[0]):
        for i in range(3):
            reach = max(reach, abs(state.position[body, i]))
    return ROUND_OFF * reach


@kernel(internal=True)
def largest_reaction(model, multipliers):
    """Largest multiplier as a force, torques over the length scale."""
    return _largest(model, multipliers, 1.0 / model.length_scale)


@kernel(internal=True)
def _largest(model, values, weight):
    """Largest value of an equation, those of angles times `weight`."""
    largest = 0.0
    for k in range(model.counts[JOINTS]):
        condition = model.conditions[k]
        first = condition.first
        if condition.kind == POINT:
            for i in range(3):
                largest = max(largest, abs(values[first + i]))
        elif condition.kind == ALONG or condition.kind == TEETH:
            largest = max(largest, abs(values[first]))
        else:
            largest = max(largest, weight * abs(values[first]))
    return largest


@kernel(internal=True)
def close_step(model, state, time, h, work):
    """Add the step's energies and impulses: powers and multipliers as straight lines over it.

    A step of no length only notes the powers where a run begins.
    """
    power = work.power
    _fill_powers(model, state, time, work, power)
    for i in range(4):
        state.ledger[i] += 0.5 * h * (state.power[i] + power[i])
        state.power[i] = power[i]
    for i in range(model.constraint_count):
        state.impulse[i] += 0.5 * h * (work.saved_multipliers[i] + state.multipliers[i])


@kernel(internal=True)
def _fill_powers(model, state, time, work, power):
    """Powers at the state, W; contacts and loads must have been evaluated there by `assemble`.

    Joints do the work λ·∂c/∂t: their forces -Cᵀλ move with C v = -∂c/∂t.
    """
    power[FRICTION] = 0.0
    power[DAMPING] = bushing_power(model, state, work.element)
    power[DAMPING] += mesh_power(model, state, work.element)
    power[DAMPING] += teeth_power(model.teeth, state, work.element)
    rubbed, damped = flank_powers(work.flanks)
    power[FRICTION] += rubbed
    power[DAMPING] += damped
    for k in range(model.counts[CONTACTS]):
        power[FRICTION] += state.contact_results[k].friction_power
        power[DAMPING] += state.contact_results[k].damping_power
    fill_rates(model, time, work)
    power[DRIVES] = 0.0
    for i in range(model.constraint_count):
        power[DRIVES] += state.multipliers[i] * work.constraint[i]
    power[LOADS] = 0.0
    for body in range(1, state.velocity.shape[0]):
        for i in range(6):
            power[LOADS] += work.load[body, i] * state.velocity[body, i]
