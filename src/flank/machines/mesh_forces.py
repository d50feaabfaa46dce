"""What the teeth of a machine's meshes carry in a run, whatever their model."""

import numpy as np

from flank.arrays import Flags, Floats
from flank.dynamics.reading import spring_mesh_approaches, spring_mesh_forces
from flank.dynamics.spatial.meshes import mesh_approach
from flank.dynamics.trajectory import AnyTrajectory, SpatialTrajectory
from flank.machines.base import Assembly, MeshPlace

FLANKS = (1, -1)
"""The order of flanks: first gear pushing while it turns counter-clockwise, then the other."""


def mesh_forces(assembly: Assembly, trajectory: AnyTrajectory) -> Floats:
    """Normal forces in the transverse plane (time, mesh, flank); a pull is negative.

    Of explicit contacts it is the sum over all pairs, whose normals differ a little at tip edges.
    """
    forces = np.zeros((len(trajectory.time), len(assembly.meshes), 2))
    for k, mesh in enumerate(assembly.meshes):
        if mesh.springs and isinstance(trajectory, SpatialTrajectory):
            for row in _spatial_rows(assembly, mesh):
                pressed, rate = mesh_approach(row, trajectory)
                force = row["stiffness"] * pressed + row["damping"] * rate
                forces[:, k] += np.maximum(np.outer(force, FLANKS), 0.0)
        elif mesh.springs:
            numbers = np.array(mesh.springs)
            read = spring_mesh_forces(assembly.planar, numbers, trajectory)
            forces[:, k] = read.sum(axis=1)
        elif mesh.contacts:
            carried = trajectory.contact_results["normal_force"][:, list(mesh.contacts)]
            half = len(mesh.contacts) // 2
            forces[:, k, 0] = carried[:, :half].sum(axis=1)
            forces[:, k, 1] = carried[:, half:].sum(axis=1)
        elif mesh.multiplier >= 0:
            flank = FLANKS.index(mesh.flank)
            forces[:, k, flank] = -trajectory.multipliers[:, mesh.multiplier]
    return forces


def _spatial_rows(assembly: Assembly, mesh: MeshPlace) -> list[np.void]:
    rows = assembly.spatial.meshes
    return [rows[number] for number in mesh.springs]


def mesh_approaches(assembly: Assembly, trajectory: AnyTrajectory) -> Floats:
    """How far teeth that are springs are pressed into each other (time, mesh), in m; else zero."""
    approaches = np.zeros((len(trajectory.time), len(assembly.meshes)))
    for k, mesh in enumerate(assembly.meshes):
        if mesh.springs and isinstance(trajectory, SpatialTrajectory):
            for row in _spatial_rows(assembly, mesh):
                pressed = np.abs(mesh_approach(row, trajectory)[0])
                approaches[:, k] = np.maximum(approaches[:, k], pressed)
        elif mesh.springs:
            springs = np.array(mesh.springs)
            read = spring_mesh_approaches(assembly.planar, springs, trajectory.position)
            approaches[:, k] = read.max(axis=1)
    return approaches


def net_forces(assembly: Assembly, trajectory: AnyTrajectory) -> Floats:
    """Normal forces (time, mesh): those of flank +1 less those of flank -1."""
    forces = mesh_forces(assembly, trajectory)
    return forces[..., 0] - forces[..., 1]


def tangential_forces(assembly: Assembly, trajectory: AnyTrajectory) -> Floats:
    """Net forces along the working circles, F_n cos α_wt."""
    cosines = np.cos([mesh.working_angle for mesh in assembly.meshes])
    return np.asarray(net_forces(assembly, trajectory) * cosines)


def separated(assembly: Assembly, trajectory: AnyTrajectory) -> Flags:
    """Where (time, mesh) neither flank touches."""
    return np.asarray((mesh_forces(assembly, trajectory) == 0.0).all(axis=2))
