"""Where energy goes: powers of friction, dampers, drives and loads."""

from flank.dynamics.spatial.bushings import bushing_power
from flank.dynamics.spatial.condition_rates import explicit_rates
from flank.dynamics.spatial.meshes import mesh_power
from flank.dynamics.spatial.model import DAMPING, DRIVES, FRICTION, LOADS
from flank.kernel import kernel


@kernel
def fill_powers(model, state, time, work, power):
    """Powers at the state, W; contacts and loads must have been evaluated there by `assemble`.

    Joints do the work λ·∂c/∂t: their forces -Cᵀλ move with C v = -∂c/∂t.
    """
    power[FRICTION] = 0.0
    power[DAMPING] = bushing_power(
        model.bushings,
        model.counts[1],
        state.position,
        state.matrix,
        state.velocity,
        work.element,
    )
    power[DAMPING] += mesh_power(
        model.meshes, state.position, state.matrix, state.velocity, work.element
    )
    for k in range(model.counts[3]):
        power[FRICTION] += state.touches[k].friction_power
        power[DAMPING] += state.touches[k].damping_power
    explicit_rates(
        model.conditions,
        model.counts[0],
        model.functions,
        model.function_data,
        time,
        work.constraint,
    )
    power[DRIVES] = 0.0
    for i in range(model.constraint_count):
        power[DRIVES] += state.multipliers[i] * work.constraint[i]
    power[LOADS] = 0.0
    for body in range(1, state.velocity.shape[0]):
        for i in range(6):
            power[LOADS] += work.load[body, i] * state.velocity[body, i]
