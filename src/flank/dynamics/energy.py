"""Energies along a run: what moves, and what springs, beams and closed contacts store."""

import numpy as np

from flank.arrays import Floats
from flank.dynamics.beams import mass_matrices
from flank.dynamics.engine import evaluate
from flank.dynamics.model import BEAMS, LOADS, Model
from flank.dynamics.poses import AnyModel, put_pose, state_at, workspace
from flank.dynamics.spatial.model import SpatialModel
from flank.dynamics.spatial.quaternions import matrix_of
from flank.dynamics.trajectory import AnyTrajectory, SpatialTrajectory


def energies(model: AnyModel, trajectory: AnyTrajectory) -> tuple[Floats, Floats]:
    """Kinetic and stored energy at every record, in J."""
    if isinstance(model, Model):
        kinetic = kinetic_energy(model, trajectory.velocity)
    else:
        assert isinstance(trajectory, SpatialTrajectory)
        kinetic = spatial_kinetic_energy(model, trajectory)
    return kinetic, stored_energy(model, trajectory)


def kinetic_energy(model: Model, velocity: Floats) -> Floats:
    """½ vᵀ M v at every time of velocities (time, body, 3), in J."""
    mass = mass_matrices(model.mass, model.beams[: model.counts[BEAMS]])
    return np.asarray(0.5 * np.einsum("tbi,ibc,tci->t", velocity, mass, velocity))


def stored_energy(model: AnyModel, trajectory: AnyTrajectory) -> Floats:
    """Of all that is elastic at every pose of a run, in J; loads are left out, and what elastic
    friction holds, which no pose tells."""
    counts = model.counts.copy()
    counts[LOADS] = 0
    model = model._replace(counts=counts)
    if isinstance(model, Model):
        model = model._replace(screened=False)
    state = state_at(model, trajectory.pose(0), np.zeros_like(trajectory.velocity[0]))
    work = workspace(model)
    stored = np.zeros(len(trajectory.time))
    for k, time in enumerate(trajectory.time):
        put_pose(state, trajectory.pose(k))
        stored[k] = evaluate(model, state, float(time), work, 0.0, 1.0, 0.0)[0]
    return stored


def spatial_kinetic_energy(model: SpatialModel, trajectory: SpatialTrajectory) -> Floats:
    """½ m v² + ½ ωᵀ R I Rᵀ ω of all bodies, J over time."""
    linear, turning = trajectory.velocity[..., :3], trajectory.velocity[..., 3:]
    spin = np.einsum("tbji,tbj->tbi", matrix_of(trajectory.rotation), turning)
    moving = model.mass * np.einsum("tbi,tbi->tb", linear, linear)
    spinning = np.einsum("tbi,bij,tbj->tb", spin, model.inertia, spin)
    return np.asarray(0.5 * (moving + spinning)[:, 1:].sum(axis=1))
