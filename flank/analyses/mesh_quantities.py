"""Tooth forces of a run as quantities: normal and tangential, mesh by mesh."""

import numpy as np

from flank.analyses.result import Quantity
from flank.dynamics.run import Trajectory
from flank.machines.base import Assembly
from flank.machines.mesh_forces import mesh_forces


def mesh_names(assembly: Assembly) -> dict[str, Quantity]:
    """The coordinate along which the meshes stand; none where there are no meshes."""
    if not assembly.meshes:
        return {}
    names = np.array([place.name for place in assembly.meshes], dtype=str)
    return {"mesh": Quantity(("mesh",), names, "", "", "Mesh")}
