"""Contact forces and Hertz pressures of a trajectory, group by group."""

import math

import numpy as np
from numpy.typing import NDArray

from flank.analyses.result import Quantity
from flank.machines.base import ContactGroup


def group_arrays(touches: NDArray, group: ContactGroup, field: str) -> NDArray:
    """One field of a group's contacts, shaped (time, *group.shape)."""
    part = touches[field][:, group.first : group.first + group.count]
    return part.reshape(len(touches), *group.shape)


def hertz_pressure(touches: NDArray, group: ContactGroup) -> NDArray:
    """p0 = √(F' E*/(π ρ)) in Pa, equal to 2 F'/(π b)."""
    load = group_arrays(touches, group, "normal_force") / group.length
    curvature = group.curvature or group_arrays(touches, group, "curvature")
    return np.sqrt(np.maximum(load * group.modulus * curvature, 0.0) / math.pi)


def force_quantities(
    touches: NDArray, groups: tuple[ContactGroup, ...], over: tuple[str, ...]
) -> dict[str, Quantity]:
    """Force and pressure of every group along the leading dimension `over` (or none)."""
    found: dict[str, Quantity] = {}
    for group in groups:
        dimensions = over + group.dimensions
        force = group_arrays(touches, group, "normal_force")
        pressure = hertz_pressure(touches, group) if group.length else None
        if not over:
            force = force[0]
            pressure = None if pressure is None else pressure[0]
        title = f"Force on {group.title}"
        found[f"{group.name}_force"] = Quantity(dimensions, force, "N", "N", title)
        if pressure is not None:
            title = f"Hertz pressure on {group.title}"
            found[f"{group.name}_pressure"] = Quantity(dimensions, pressure, "Pa", "MPa", title)
    return found


def peak_quantities(touches: NDArray, groups: tuple[ContactGroup, ...]) -> dict[str, Quantity]:
    """Largest force and pressure of every group over the whole trajectory."""
    found: dict[str, Quantity] = {}
    for group in groups:
        if len(touches) == 0:
            break
        largest = group_arrays(touches, group, "normal_force").max()
        title = f"Largest force, {group.title}"
        found[f"largest_{group.name}_force"] = Quantity((), largest, "N", "N", title)
        if group.length:
            largest = hertz_pressure(touches, group).max()
            title = f"Largest Hertz pressure, {group.title}"
            found[f"largest_{group.name}_pressure"] = Quantity((), largest, "Pa", "MPa", title)
    return found


def index_coordinates(groups: tuple[ContactGroup, ...]) -> dict[str, Quantity]:
    """Numbers from 0 for every dimension of every group."""
    found: dict[str, Quantity] = {}
    for group in groups:
        for name, size in zip(group.dimensions, group.shape, strict=True):
            title = f"{name} number"
            found[name] = Quantity((name,), np.arange(size), "", "", title)
    return found
