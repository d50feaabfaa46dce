"""Where energy goes: powers of friction, dampers, drives and loads."""

from flank.dynamics.model import CONTACTS, JOINTS, SPRINGS
from flank.dynamics.spatial.bushings import bushing_power
from flank.dynamics.spatial.condition_rates import explicit_rates, second_rates
from flank.dynamics.spatial.meshes import mesh_power
from flank.dynamics.spatial.model import DAMPING, DRIVES, FRICTION, LOADS
from flank.kernel import kernel


@kernel(internal=True)
def fill_rates(model, time, work):
    explicit_rates(
        model.conditions,
        model.counts[JOINTS],
        model.functions,
        model.function_data,
        time,
        work.constraint,
    )


@kernel(internal=True)
def fill_second_rates(model, state, time, work):
    second_rates(
        model.conditions,
        model.counts[JOINTS],
        model.functions,
        model.function_data,
        state.position,
        state.matrix,
        state.velocity,
        time,
        work.element,
        work.constraint,
    )


@kernel(internal=True)
def close_step(model, state, time, h, work):
    """Add the step's energies and impulses: powers and multipliers as straight lines over it.

    A step of no length only notes the powers where a run begins.
    """
    for i in range(4):
        work.power[0, i] = work.power[1, i]
    fill_powers(model, state, time, work, work.power[1])
    for i in range(4):
        state.ledger[i] += 0.5 * h * (work.power[0, i] + work.power[1, i])
    for i in range(model.constraint_count):
        state.impulse[i] += 0.5 * h * (work.saved_multipliers[i] + state.multipliers[i])


@kernel(internal=True)
def fill_powers(model, state, time, work, power):
    """Powers at the state, W; contacts and loads must have been evaluated there by `assemble`.

    Joints do the work λ·∂c/∂t: their forces -Cᵀλ move with C v = -∂c/∂t.
    """
    power[FRICTION] = 0.0
    power[DAMPING] = bushing_power(
        model.bushings,
        model.counts[SPRINGS],
        state.position,
        state.matrix,
        state.velocity,
        work.element,
    )
    power[DAMPING] += mesh_power(
        model.meshes, state.position, state.matrix, state.velocity, work.element
    )
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
