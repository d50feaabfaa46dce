"""Tooth forces of a run: net, tangential, and whether teeth touch at all."""

import numpy as np
from numpy.typing import NDArray

from flank.analyses.result import Quantity
from flank.dynamics.run import Trajectory
from flank.machines.base import Assembly
from flank.machines.mesh_forces import mesh_forces


def net_forces(assembly: Assembly, trajectory: Trajectory) -> NDArray:
    """Normal forces (time, mesh): those of flank +1 less those of flank -1."""
    forces = mesh_forces(assembly, trajectory)
    return forces[..., 0] - forces[..., 1]


def tangential_forces(assembly: Assembly, trajectory: Trajectory) -> NDArray:
    """Net forces along the working circles, F_n cos α_wt."""
    cosines = np.cos([mesh.working_angle for mesh in assembly.meshes])
    return net_forces(assembly, trajectory) * cosines


def parted(assembly: Assembly, trajectory: Trajectory) -> NDArray:
    """Where (time, mesh) neither flank touches."""
    return np.all(mesh_forces(assembly, trajectory) == 0.0, axis=2)


def mesh_force_quantities(
    assembly: Assembly, trajectory: Trajectory, over: str
) -> dict[str, Quantity]:
    """Net forces of all meshes along a dimension, with the mean and largest of each kind."""
    if not assembly.meshes:
        return {}
    normal = net_forces(assembly, trajectory)
    dimensions = (over, "mesh")
    return {
        "largest_mesh_force": Quantity(
            (), np.abs(normal).max(), "N", "N", "Largest tooth force, normal"
        ),
        "mesh_force": Quantity(dimensions, normal, "N", "N", "Tooth force, normal"),
        "tangential_force": Quantity(
            dimensions, tangential_forces(assembly, trajectory), "N", "N", "Tooth force, tangential"
        ),
        "mean_mesh_force": Quantity(("mesh",), normal.mean(axis=0), "N", "N", "Mean normal force"),
        "mean_tangential_force": Quantity(
            ("mesh",),
            tangential_forces(assembly, trajectory).mean(axis=0),
            "N",
            "N",
            "Mean tangential force",
        ),
        "contact_loss": Quantity(
            ("mesh",),
            parted(assembly, trajectory).mean(axis=0),
            "",
            "percent",
            "Share of time without contact",
        ),
    }


MESH_TABLE = {"Meshes": ("mesh", "mean_mesh_force", "mean_tangential_force", "contact_loss")}
"""The table of a result that mesh_force_quantities fills."""


def mesh_load_quantities(assembly: Assembly, trajectory: Trajectory) -> dict[str, Quantity]:
    """Net forces of all meshes at the first pose of a run."""
    if not assembly.meshes:
        return {}
    over = ("mesh",)
    normal, along = (forces(assembly, trajectory)[0] for forces in (net_forces, tangential_forces))
    return {
        "mesh_load": Quantity(over, normal, "N", "N", "Normal force"),
        "tangential_mesh_load": Quantity(over, along, "N", "N", "Tangential force"),
    }


MESH_LOADS = {"Meshes": ("mesh", "mesh_load", "tangential_mesh_load")}
"""The table of a result that mesh_load_quantities fills."""


def mesh_names(assembly: Assembly) -> dict[str, Quantity]:
    """The coordinate along which the meshes stand; none where there are no meshes."""
    if not assembly.meshes:
        return {}
    names = np.array([mesh.name for mesh in assembly.meshes], dtype=str)
    return {"mesh": Quantity(("mesh",), names, "", "", "Mesh")}
