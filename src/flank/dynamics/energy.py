"""Energies along a run: what moves, and what springs, beams and closed contacts store."""

import numpy as np
from numpy.typing import NDArray

from flank.dynamics.assembly import assemble
from flank.dynamics.beams import mass_matrices
from flank.dynamics.model import Model, initial_state, workspace
from flank.dynamics.trajectory import Trajectory

LOADS = 2
"""Place in Model.counts."""


def kinetic_energy(model: Model, velocity: NDArray) -> NDArray:
    """½ vᵀ M v at every time of velocities (time, body, 3), in J."""
    mass = mass_matrices(model.mass, model.beams)
    return 0.5 * np.einsum("tbi,ibc,tci->t", velocity, mass, velocity)


def stored_energy(model: Model, trajectory: Trajectory) -> NDArray:
    """Of all that is elastic at every pose of a run, in J; loads are left out."""
    counts = model.counts.copy()
    counts[LOADS] = 0
    unloaded = model._replace(counts=counts, screened=False)
    state, work = initial_state(model, trajectory.position[0]), workspace(model)
    found = np.zeros(len(trajectory.time))
    for k, (time, pose) in enumerate(zip(trajectory.time, trajectory.position, strict=True)):
        state.position[:] = pose
        arguments = (unloaded, state, state.position, state.velocity, float(time), work)
        found[k] = assemble(*arguments, 0.0, 1.0, 0.0)[0]
    return found
