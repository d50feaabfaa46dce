"""Forces and Hertz pressures of a run: contacts group by group, and teeth mesh by mesh."""

from collections.abc import Iterator

import numpy as np

from flank.analyses.quantities import LESS, Declarations, Declared, Read, Values
from flank.arrays import Floats
from flank.dynamics.model import Model
from flank.dynamics.trajectory import AnyTrajectory
from flank.machines.base import Assembly, ContactGroup
from flank.machines.carried import carrier_names
from flank.machines.mesh_forces import net_forces, separated, tangential_forces

LARGE = 1e4
"""N from which forces are shown in kN."""

FORCE_UNIT = "N or kN"
"""The word that stands for the unit in which people read a force."""

PEAKS: Declarations = {
    "largest_{group}_force": Declared("Largest force, {group}", "N", better=LESS),
    "largest_{group}_pressure": Declared(
        "Largest Hertz pressure, {group}", "Pa", "MPa", better=LESS
    ),
}


def group_forces(over: str = "") -> Declarations:
    """Of every group, along a leading dimension."""
    over = f"{over} {{group}}"
    return {
        "{group}_force": Declared("Force on {group}", "N", over=over),
        "{group}_pressure": Declared("Hertz pressure on {group}", "Pa", "MPa", over),
    }


def force_values(assembly: Assembly, trajectory: AnyTrajectory, last: bool = False) -> Values:
    """Force and pressure of every group at every record, or at the last."""
    records = -1 if last else slice(None)
    return {
        name: Read(values[records], group=group)
        for name, values, group in _of_groups(assembly, trajectory)
    }


def peak_values(assembly: Assembly, trajectory: AnyTrajectory) -> Values:
    """Largest force and pressure of every group over the whole trajectory."""
    if not len(trajectory.time):
        return {}
    return {
        f"largest_{name}": Read(values.max(), group=group)
        for name, values, group in _of_groups(assembly, trajectory)
    }


def _of_groups(
    assembly: Assembly, trajectory: AnyTrajectory
) -> Iterator[tuple[str, Floats, ContactGroup]]:
    for group in assembly.groups.values():
        yield f"{group.name}_force", trajectory.force(group), group
        if group.pressure is not None:
            yield f"{group.name}_pressure", trajectory.pressure(group), group


NUMBERS: Declarations = {"{dimension}": Declared("{dimension} number", over="{dimension}")}
"""Of the contacts along the dimensions of their groups, from 1."""


def contact_numbers(assembly: Assembly) -> Values:
    return {
        name: Read(np.arange(1, size + 1), {"dimension": name})
        for group in assembly.groups.values()
        for name, size in zip(group.dimensions, group.shape, strict=True)
    }


MESH_NAMES: Declarations = {"mesh": Declared("Mesh", over="mesh")}


def mesh_names(assembly: Assembly) -> Values:
    """The coordinate along which meshes stand, or discs among pins; none where there are none."""
    names = np.array(carrier_names(assembly), dtype=str)
    return {"mesh": names} if len(names) else {}


def force_unit(forces: Floats) -> dict[str, str]:
    """The word for the unit in which people read forces of this size."""
    return {FORCE_UNIT: "kN" if np.abs(forces).max(initial=0.0) >= LARGE else "N"}


def normal_words(assembly: Assembly) -> str:
    """Of helical gears in the plane: normal to the flank in space teeth carry F/cos β_b."""
    planar = isinstance(assembly.model, Model)
    pairs = [mesh.pair for mesh in assembly.meshes if planar and mesh.pair is not None]
    oblique = any(pair.first.base_helix_angle for pair in pairs)
    return "normal in the transverse plane" if oblique else "normal"


def mesh_forces_over(over: str) -> Declarations:
    """Forces of all meshes along a dimension, the mean of each, and when it carries none."""

    def force(title: str, over: str) -> Declared:
        return Declared(title, "N", f"{{{FORCE_UNIT}}}", over)

    return {
        "largest_mesh_force": force("Largest tooth force, {normal}", ""),
        "mesh_force": force("Tooth force, {normal}", f"{over} mesh"),
        "tangential_force": force("Tooth force, tangential", f"{over} mesh"),
        "mean_mesh_force": force("Mean force, {normal}", "mesh"),
        "mean_tangential_force": force("Mean force, tangential", "mesh"),
        "contact_loss": Declared("Share of time without contact", "", "percent", "mesh"),
    }


MESH_TABLE = {"Meshes": ("mesh", "mean_mesh_force", "mean_tangential_force", "contact_loss")}
"""The table of a result that has mesh_force_values."""


def mesh_force_values(assembly: Assembly, trajectory: AnyTrajectory) -> Values:
    """Net forces of all meshes, their means, and the share of time without contact."""
    if not assembly.meshes:
        return {}
    normal, tangential = (
        forces(assembly, trajectory) for forces in (net_forces, tangential_forces)
    )
    unit = force_unit(normal) | {"normal": normal_words(assembly)}
    return {
        "largest_mesh_force": Read(np.abs(normal).max(), unit),
        "mesh_force": Read(normal, unit),
        "tangential_force": Read(tangential, unit),
        "mean_mesh_force": Read(normal.mean(axis=0), unit),
        "mean_tangential_force": Read(tangential.mean(axis=0), unit),
        "contact_loss": separated(assembly, trajectory).mean(axis=0),
    }
