"""How far joints are open, and what they carry."""

from flank.dynamics.model import JOINTS
from flank.dynamics.spatial.tables import ALONG, POINT
from flank.kernel import kernel

ROUND_OFF = 1e-15
"""Of coordinates, over their size."""


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
        elif condition.kind == ALONG:
            largest = max(largest, abs(values[first]))
        else:
            largest = max(largest, weight * abs(values[first]))
    return largest
