"""What the teeth of a machine's meshes carry in a run, whatever the rung of their model."""

import numpy as np
from numpy.typing import NDArray

from flank.dynamics.reading import spring_mesh_approaches, spring_mesh_forces
from flank.dynamics.trajectory import Trajectory
from flank.machines.base import Assembly

FLANKS = (1, -1)
"""The order of flanks: first gear pushing while it turns counter-clockwise, then the other."""


def mesh_forces(assembly: Assembly, trajectory: Trajectory) -> NDArray:
    """Normal forces in the transverse plane (time, mesh, flank); a pull is negative.

    Of explicit contacts it is the sum over all pairs, whose normals differ a little at tip edges.
    """
    forces = np.zeros((len(trajectory.time), len(assembly.meshes), 2))
    for k, mesh in enumerate(assembly.meshes):
        if mesh.springs:
            numbers = np.array(mesh.springs)
            read = spring_mesh_forces(assembly.model, numbers, trajectory)
            forces[:, k] = read.sum(axis=1)
        elif mesh.contacts:
            carried = trajectory.touches["normal_force"][:, list(mesh.contacts)]
            half = len(mesh.contacts) // 2
            forces[:, k, 0] = carried[:, :half].sum(axis=1)
            forces[:, k, 1] = carried[:, half:].sum(axis=1)
        elif mesh.multiplier >= 0:
            flank = FLANKS.index(mesh.flank)
            forces[:, k, flank] = -trajectory.multipliers[:, mesh.multiplier]
    return forces


def mesh_approaches(assembly: Assembly, trajectory: Trajectory) -> NDArray:
    """How far teeth that are springs are pressed into each other (time, mesh), in m; else zero."""
    found = np.zeros((len(trajectory.time), len(assembly.meshes)))
    for k, mesh in enumerate(assembly.meshes):
        if mesh.springs:
            read = spring_mesh_approaches(
                assembly.model, np.array(mesh.springs), trajectory.position
            )
            found[:, k] = read.max(axis=1)
    return found
