"""Energies along a run: what moves, and what springs, beams and closed contacts store."""

import numpy as np

from flank.arrays import Floats
from flank.dynamics.assembly import assemble
from flank.dynamics.beams import mass_matrices
from flank.dynamics.model import Model, initial_state, workspace
from flank.dynamics.spatial.meshes import mesh_approach
from flank.dynamics.spatial.model import SpatialModel
from flank.dynamics.spatial.quaternions import inverse, matrix_of, product
from flank.dynamics.trajectory import AnyTrajectory, SpatialTrajectory, Trajectory

BUSHINGS, LOADS, CONTACTS = 1, 2, 3
"""Places in the counts of a model."""


def energies(model: Model | SpatialModel, trajectory: AnyTrajectory) -> tuple[Floats, Floats]:
    """Kinetic and stored energy at every record, in J."""
    if isinstance(model, Model):
        assert isinstance(trajectory, Trajectory)
        return kinetic_energy(model, trajectory.velocity), stored_energy(model, trajectory)
    assert isinstance(trajectory, SpatialTrajectory)
    return spatial_kinetic_energy(model, trajectory), spatial_stored_energy(model, trajectory)


def kinetic_energy(model: Model, velocity: Floats) -> Floats:
    """½ vᵀ M v at every time of velocities (time, body, 3), in J."""
    mass = mass_matrices(model.mass, model.beams)
    return np.asarray(0.5 * np.einsum("tbi,ibc,tci->t", velocity, mass, velocity))


def stored_energy(model: Model, trajectory: Trajectory) -> Floats:
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


def spatial_kinetic_energy(model: SpatialModel, trajectory: SpatialTrajectory) -> Floats:
    """½ m v² + ½ ωᵀ R I Rᵀ ω of all bodies, J over time."""
    linear, turning = trajectory.velocity[..., :3], trajectory.velocity[..., 3:]
    own = np.einsum("tbji,tbj->tbi", matrix_of(trajectory.rotation), turning)
    moving = model.mass * np.einsum("tbi,tbi->tb", linear, linear)
    spinning = np.einsum("tbi,bij,tbj->tb", own, model.inertia, own)
    return np.asarray(0.5 * (moving + spinning)[:, 1:].sum(axis=1))


def spatial_stored_energy(model: SpatialModel, trajectory: SpatialTrajectory) -> Floats:
    """K δ^(n+1)/(n+1) of all contacts, and what bushings and meshes store, J over time."""
    contacts = model.contacts[: model.counts[CONTACTS]]
    pressed = np.maximum(-trajectory.touches["gap"], 0.0)
    power = contacts["exponent"] + 1
    stored = (contacts["stiffness"] * pressed**power / power).sum(axis=1)
    for bushing in model.bushings[: model.counts[BUSHINGS]]:
        stored = stored + _bushing_energy(bushing, trajectory)
    for mesh in () if model.meshes is None else model.meshes:
        stored = stored + 0.5 * mesh["stiffness"] * mesh_approach(mesh, trajectory)[0] ** 2
    return np.asarray(stored)


def _bushing_energy(bushing: np.void, trajectory: SpatialTrajectory) -> Floats:
    """½ d·K d along the axes of its frame on A and ½ Θ·K Θ about them."""
    a, b = int(bushing["body_a"]), int(bushing["body_b"])
    of_a, of_b = trajectory.rotation[:, a], trajectory.rotation[:, b]
    between = trajectory.position[:, b] + matrix_of(of_b) @ bushing["at_b"]
    between = between - trajectory.position[:, a] - matrix_of(of_a) @ bushing["at_a"]
    apart = np.einsum("tji,tj->ti", matrix_of(of_a), between) @ bushing["frame"].T
    turned = product(product(inverse(of_a), of_b), inverse(bushing["relaxed"]))
    sine = np.linalg.norm(turned[:, 1:], axis=1)
    angle = 2 * np.arctan2(sine, turned[:, 0])
    angle = np.where(angle > np.pi, angle - 2 * np.pi, angle)
    share = np.divide(angle, sine, out=np.full_like(sine, 2.0), where=sine > 0)
    about = (share[:, None] * turned[:, 1:]) @ bushing["frame"].T
    return np.asarray(
        0.5 * (apart**2 @ bushing["stiffness"] + about**2 @ bushing["turning_stiffness"])
    )
