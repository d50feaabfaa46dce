"""What bodies in the plane bring to the control shared with space (engine.py)."""

from flank.dynamics.beams import add_beam_inertia, heaviest_beam
from flank.dynamics.joints import (
    constraint_rate,
    constraint_second_rate,
    force_round_off,
    joint_round_off,
)
from flank.dynamics.model import BEAMS, JOINTS
from flank.dynamics.scatter import add_diagonal, target_of
from flank.kernel import kernel

FORCE_FLOOR = 1e-7
"""N: what round-off of positions leaves in a contact as stiff as steel."""


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
    """Angles count as m here: joints of the plane have no weights of their own."""
    drift = 0.0
    for i in range(model.constraint_count):
        drift = max(drift, abs(residuals[i]))
    return drift, joint_round_off(state.position)


@kernel(internal=True)
def force_floor(model, state, largest, _stiffest):
    return FORCE_FLOOR + force_round_off(model, state.position, largest)


@kernel(internal=True)
def least_regularization(_model, _error):
    """An unbalanced torque turns a planar body and adds nothing to its stiffness."""
    return 0.0


@kernel(internal=True)
def displace(state, body, i, change):
    state.position[body, i] += change


@kernel(internal=True)
def add_motion(model, state, work, _to_velocity, to_acceleration, largest):
    target = target_of(model, work)
    heavy = add_beam_inertia(
        model.beams,
        model.counts[BEAMS],
        model.weights,
        state.acceleration,
        to_acceleration,
        work.force,
        work.core,
    )
    largest = max(largest, heavy)
    for body in range(1, model.mass.shape[0]):
        for i in range(3):
            inertia = model.mass[body, i] * state.acceleration[body, i]
            largest = max(largest, abs(inertia) / model.weights[body, i])
            work.force[body, i] -= inertia
        add_diagonal(target, body, model.mass[body], to_acceleration)
    return largest, force_round_off(model, state.position, largest)


@kernel(internal=True)
def put_masses(model, state, work):
    """Accelerations are zero: only the masses are left of `add_motion`."""
    add_motion(model, state, work, 0.0, 1.0, 0.0)


@kernel(internal=True)
def fill_rates(model, time, work):
    constraint_rate(
        model.joints,
        model.counts[JOINTS],
        model.functions,
        model.function_data,
        time,
        work.constraint,
    )
    _change_signs(work.constraint)


@kernel(internal=True)
def fill_second_rates(model, state, time, work):
    constraint_second_rate(
        model.joints,
        model.counts[JOINTS],
        model.functions,
        model.function_data,
        model.gears,
        state.position,
        state.velocity,
        time,
        work.constraint,
    )
    _change_signs(work.constraint)


@kernel(internal=True)
def _change_signs(values):
    for i in range(values.shape[0]):
        values[i] = -values[i]
