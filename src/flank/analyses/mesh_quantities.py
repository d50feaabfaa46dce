"""Tooth forces of a run: net, tangential, and whether teeth touch at all."""

import numpy as np
from numpy.typing import NDArray

from flank.analyses.result import Quantity
from flank.dynamics.trajectory import AnyTrajectory
from flank.machines.base import Assembly
from flank.machines.mesh_forces import net_forces, parted, tangential_forces

LARGE = 1e4
"""N from which forces are shown in kN."""


def mesh_force_quantities(
    assembly: Assembly, trajectory: AnyTrajectory, over: str
) -> dict[str, Quantity]:
    """Net forces of all meshes along a dimension, the mean of each, and when it carries none."""
    if not assembly.meshes:
        return {}
    normal, along = (forces(assembly, trajectory) for forces in (net_forces, tangential_forces))
    apart = parted(assembly, trajectory).mean(axis=0)
    unit, largest = force_unit(normal), np.abs(normal).max()

    def force(dimensions: tuple[str, ...], values: NDArray, title: str) -> Quantity:
        return Quantity(dimensions, values, "N", unit, title)

    return {
        "largest_mesh_force": force((), largest, "Largest tooth force, normal"),
        "mesh_force": force((over, "mesh"), normal, "Tooth force, normal"),
        "tangential_force": force((over, "mesh"), along, "Tooth force, tangential"),
        "mean_mesh_force": force(("mesh",), normal.mean(axis=0), "Mean normal force"),
        "mean_tangential_force": force(("mesh",), along.mean(axis=0), "Mean tangential force"),
        "contact_loss": Quantity(("mesh",), apart, "", "percent", "Share of time without contact"),
    }


def force_unit(forces: NDArray) -> str:
    """The unit in which people read forces of this size."""
    return "kN" if np.abs(forces).max(initial=0.0) >= LARGE else "N"


MESH_TABLE = {"Meshes": ("mesh", "mean_mesh_force", "mean_tangential_force", "contact_loss")}
"""The table of a result that mesh_force_quantities fills."""


def mesh_load_quantities(assembly: Assembly, trajectory: AnyTrajectory) -> dict[str, Quantity]:
    """Net forces of all meshes at the first pose of a run."""
    if not assembly.meshes:
        return {}
    over = ("mesh",)
    normal, along = (forces(assembly, trajectory)[0] for forces in (net_forces, tangential_forces))
    return {
        "mesh_load": Quantity(over, normal, "N", force_unit(normal), "Normal force"),
        "tangential_mesh_load": Quantity(over, along, "N", force_unit(normal), "Tangential force"),
    }


MESH_LOADS = {"Meshes": ("mesh", "mesh_load", "tangential_mesh_load")}
"""The table of a result that mesh_load_quantities fills."""


def mesh_names(assembly: Assembly) -> dict[str, Quantity]:
    """The coordinate along which the meshes stand; none where there are no meshes."""
    if not assembly.meshes:
        return {}
    names = np.array([mesh.name for mesh in assembly.meshes], dtype=str)
    return {"mesh": Quantity(("mesh",), names, "", "", "Mesh")}
