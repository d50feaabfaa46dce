"""The gearboxes of the paper: that of Table 1 with any number of planets, on any mesh."""

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from flank import api
from flank.analyses.result import Result
from flank.machines.planetary.gearbox import PlanetaryGearbox

PRESET, STAGE = "planetary-paper", "planetary-500kw"


def gearbox(name: str, changes: Mapping[str, Any]) -> PlanetaryGearbox:
    machine = api.preset(name, changes)
    assert isinstance(machine, PlanetaryGearbox)
    return machine


def planets(count: int) -> dict[str, Any]:
    """The gearbox of Table 1; with one planet the carrier is a bar about its end, I + m (a/2)²."""
    changes: dict[str, Any] = {"planets.count": count}
    if count == 1:
        machine = gearbox(PRESET, {})
        mass, inertia = machine.masses.carrier
        changes["carrier.inertia"] = inertia + mass * (0.5 * machine.spec.carrier_radius) ** 2
    return changes


def springs(stiffness: float, damping: float = 0.0) -> dict[str, Any]:
    """Springs that also pull, as the paper has them on every mesh."""
    return meshes(
        {"model": "spring", "stiffness": stiffness, "damping": damping, "separation": False}
    )


def meshes(form: dict[str, Any]) -> dict[str, Any]:
    return {"sun_mesh": form, "ring_mesh": form}


RIGID = meshes({"model": "rigid"})
FIRST_ONLY = RIGID | {"rigid_sharing": "first"}
"""The paper's rigid model: the first planet alone meshes with both sun and ring."""


def by_mesh(result: Result, name: str) -> dict[str, NDArray]:
    return {str(mesh): result[name].sel(mesh=mesh).values for mesh in result["mesh"].values}
