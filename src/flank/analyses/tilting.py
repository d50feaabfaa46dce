"""How the parts of a machine in space tilt and shift along its axis, for results.

A tilt has two parts, about the radius and about the tangent: of planets about those of their pins,
of central members about those of the first pin, as the carrier has them. Results of machines of the
plane hold none of it.
"""

import numpy as np

from flank.analyses.forces import FORCE_UNIT, force_unit
from flank.analyses.quantities import Declarations, Declared, Read, Values
from flank.arrays import Floats
from flank.dynamics.trajectory import AnyTrajectory
from flank.machines.base import Assembly, HasTilts, Machine, Tilts
from flank.machines.mesh_forces import axial_forces

TITLES = {
    "tilt_about_radius": ("Tilt about the radius", "rad", "arcsec"),
    "tilt_about_tangent": ("Tilt about the tangent", "rad", "arcsec"),
    "axial_shift": ("Axial shift", "m", "um"),
}

COORDINATES: Declarations = {"member": Declared("Member", over="member")}

TABLE = {"Members in space": ("member", *TITLES)}
"""Of results at one pose."""


def tilts_over(over: str = "") -> Declarations:
    """Tilts, shifts and axial tooth forces along a leading dimension."""
    return {
        **{
            name: Declared(title, unit, shown, f"{over} member".strip())
            for name, (title, unit, shown) in TITLES.items()
        },
        "axial_mesh_force": Declared(
            "Tooth force, axial",
            "N",
            f"{{{FORCE_UNIT}}}",
            f"{over} mesh".strip(),
        ),
    }


def tilt_values(
    machine: Machine, assembly: Assembly, trajectory: AnyTrajectory, last: bool = False
) -> Values:
    """At every record, or at the last."""
    records = -1 if last else slice(None)
    values: Values = {}
    axial = axial_forces(assembly, trajectory)
    if axial is not None:
        values["axial_mesh_force"] = Read(axial[records], force_unit(np.nan_to_num(axial)))
    tilts = read_tilts(machine, assembly, trajectory)
    if tilts is None:
        return values
    read = (tilts.about_radius, tilts.about_tangent, tilts.shift)
    values |= {name: each[records] for name, each in zip(TITLES, read, strict=True)}
    return values | {"member": np.array(tilts.bodies, dtype=str)}


def read_tilts(machine: Machine, assembly: Assembly, trajectory: AnyTrajectory) -> Tilts | None:
    """None of a machine of the plane."""
    return machine.tilts(assembly, trajectory) if isinstance(machine, HasTilts) else None


def planet_tilts(
    machine: Machine, assembly: Assembly, trajectory: AnyTrajectory, count: int
) -> Floats | None:
    """Sizes of the tilts of the planets (time, planet), which are the last of the bodies."""
    tilts = read_tilts(machine, assembly, trajectory)
    if tilts is None:
        return None
    return np.hypot(tilts.about_radius, tilts.about_tangent)[:, -count:]
