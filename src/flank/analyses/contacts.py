"""Contact forces and Hertz pressures of a trajectory, group by group."""

import numpy as np

from flank.analyses.result import Quantity
from flank.dynamics.trajectory import AnyTrajectory
from flank.machines.base import Assembly


def force_quantities(
    assembly: Assembly, trajectory: AnyTrajectory, over: tuple[str, ...] = ()
) -> dict[str, Quantity]:
    """Force and pressure of every group along the leading dimension `over`; at the last record if
    there is none."""
    found: dict[str, Quantity] = {}
    records = slice(None) if over else -1
    for group in assembly.groups.values():
        dimensions, force = over + group.dimensions, trajectory.force(group)[records]
        title = f"Force on {group.title}"
        found[f"{group.name}_force"] = Quantity(dimensions, force, "N", "N", title)
        if group.pressure is not None:
            pressure, title = (
                trajectory.pressure(group)[records],
                f"Hertz pressure on {group.title}",
            )
            found[f"{group.name}_pressure"] = Quantity(dimensions, pressure, "Pa", "MPa", title)
    return found


def peak_quantities(assembly: Assembly, trajectory: AnyTrajectory) -> dict[str, Quantity]:
    """Largest force and pressure of every group over the whole trajectory."""
    found: dict[str, Quantity] = {}
    for group in assembly.groups.values() if len(trajectory.time) else ():
        title, largest = f"Largest force, {group.title}", trajectory.force(group).max()
        found[f"largest_{group.name}_force"] = Quantity((), largest, "N", "N", title)
        if group.pressure is not None:
            title, largest = (
                f"Largest Hertz pressure, {group.title}",
                trajectory.pressure(group).max(),
            )
            found[f"largest_{group.name}_pressure"] = Quantity((), largest, "Pa", "MPa", title)
    return found


def index_coordinates(assembly: Assembly) -> dict[str, Quantity]:
    """Numbers from 0 for every dimension of every group."""
    return {
        name: Quantity((name,), np.arange(size), "", "", f"{name} number")
        for group in assembly.groups.values()
        for name, size in zip(group.dimensions, group.shape, strict=True)
    }
