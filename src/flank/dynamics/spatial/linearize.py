"""A model of spatial bodies linearised at an equilibrium, as `dynamics/linearize.py` does it in the
plane: K x + Cᵀμ = f, C x = g, rows of six, rotations by vectors of space.

Friction by sliding velocity has no part at rest. A contact that carries no more than round-off
counts as open.
"""

import numpy as np
from numpy.typing import NDArray

from flank.arrays import Floats
from flank.dynamics.linearize import (
    CONTACTS,
    LEANING,
    Linearization,
    dense_constraints,
    dense_tangent,
    reactions,
    refuse_unbalanced,
)
from flank.dynamics.spatial.assembly import assemble
from flank.dynamics.spatial.model import (
    SpatialModel,
    SpatialState,
    SpatialWorkspace,
    initial_state,
    workspace,
)
from flank.dynamics.spatial.motion import fill_matrices
from flank.dynamics.trajectory import SpatialPose
from flank.kernel import kernel


def linearize_spatial(model: SpatialModel, pose: SpatialPose, time: float = 0.0) -> Linearization:
    """The tangent at an equilibrium, reactions from the balance; ValueError if it is none."""
    state, work = initial_state(model, pose.position, pose.rotation), workspace(model)
    fill_matrices(state)
    largest = _assemble(model, state, time, work)
    force = state.touches["normal_force"][: model.counts[CONTACTS]]
    closed = np.flatnonzero(force > LEANING * (0.1 + largest))
    constraints = dense_constraints(model, work)
    state.multipliers[: model.constraint_count] = reactions(constraints, work.force)
    _assemble(*_with(model, state, closed), time, work)
    length = model.length_scale
    weights = np.tile([1.0, 1.0, 1.0, length**2, length**2, length**2], len(model.mass) - 1)
    refuse_unbalanced(work.force, weights, largest)
    return Linearization(state, time, closed, dense_tangent(model, work), constraints, weights)


def spatial_mass_matrix(model: SpatialModel, matrix: Floats) -> Floats:
    """M over the rows of K, of bodies turned by matrices (bodies, 3, 3)."""
    size = 6 * (len(model.mass) - 1)
    found = np.zeros((size, size))
    for body in range(1, len(model.mass)):
        first = 6 * (body - 1)
        linear, turning = slice(first, first + 3), slice(first + 3, first + 6)
        found[linear, linear] = model.mass[body] * np.eye(3)
        found[turning, turning] = matrix[body] @ model.inertia[body] @ matrix[body].T
    return found


def _with(
    model: SpatialModel, state: SpatialState, closed: NDArray[np.intp]
) -> tuple[SpatialModel, SpatialState]:
    """Model and state with some contacts only; tables are never empty."""
    counts = model.counts.copy()
    counts[CONTACTS] = len(closed)
    rows = closed if len(closed) else np.array([0])
    model = model._replace(contacts=model.contacts[rows], counts=counts)
    return model, state._replace(touches=state.touches[rows])


def _assemble(
    model: SpatialModel, state: SpatialState, time: float, work: SpatialWorkspace
) -> float:
    """Fill `work` at rest; returns the largest single force."""
    return float(_assembled(model, state, float(time), work, 0.0, 1.0, 1.0))


@kernel
def _assembled(model, state, time, work, rate_factor, scale, geometric):
    """An entry from Python to what the solvers use."""
    _energy, largest = assemble(model, state, time, work, rate_factor, scale, geometric)
    return largest
