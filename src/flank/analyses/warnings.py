"""Sentences about results that are right as computed and wrong to rely on."""

import math

import numpy as np

from flank.analyses.largest import first_largest
from flank.contact.table import FRICTION_ELASTIC, FRICTION_LINEAR, FRICTION_SMOOTH
from flank.dynamics.model import Model
from flank.dynamics.spatial.model import SpatialModel
from flank.dynamics.trajectory import AnyTrajectory
from flank.geometry.pair_checks import shown
from flank.machines.base import Assembly
from flank.machines.mesh_forces import mesh_approaches, mesh_forces

LARGEST_PRESSURE = 4e9
"""Pa. ISO 76: the static limit of roller bearings of hardened steel."""

DEVELOPED = 0.5
"""Share of μ f that friction should reach at the contacts that carry load."""


VELOCITY_FORMS = (FRICTION_SMOOTH, FRICTION_LINEAR)
"""Friction that is there only where surfaces slide."""


def has_elastic_friction(model: Model | SpatialModel) -> bool:
    if isinstance(model, SpatialModel):
        return False
    forms = model.contacts["friction_form"][: model.counts[3]]
    return bool(np.any(forms == FRICTION_ELASTIC))


def has_velocity_friction(model: Model) -> bool:
    contacts = model.contacts[: model.counts[3]]
    return bool(np.any(np.isin(contacts["friction_form"], VELOCITY_FORMS)))


def contact_warnings(assembly: Assembly, run: AnyTrajectory, static: bool) -> list[str]:
    """What a run's contacts and gear meshes say against relying on it."""
    return [
        *_friction_warnings(assembly, run, static),
        *_pressure_warnings(assembly, run),
        *_mesh_warnings(assembly, run),
    ]


def _friction_warnings(assembly: Assembly, run: AnyTrajectory, static: bool) -> list[str]:
    """That friction is left out, has no part in statics, or is hardly there.

    Elastic friction asks for no velocity and gives no cause for the latter two; nor does friction
    in space, which sticks, for the last.
    """
    model, touches = assembly.model, run.touches
    if assembly.friction_left_out:
        return ["Friction is left out: this analysis looks at the frictionless machine."]
    contacts = model.contacts[: model.counts[3]]
    if isinstance(model, SpatialModel):
        rough = contacts["static_friction"] > 0
    else:
        rough = np.isin(contacts["friction_form"], VELOCITY_FORMS)
    if not rough.any() or (isinstance(model, SpatialModel) and not static):
        return []
    if static:
        which = "Friction of some contacts" if has_elastic_friction(model) else "Friction"
        return [
            f"{which} acts through sliding velocity and has no part in a static run; "
            "set mode to 'dynamic' to see it."
        ]
    if len(touches) == 0:  # it failed before its first record
        return []
    limit = contacts["friction"] * touches["normal_force"]
    loaded = rough & (touches["normal_force"] > 0.1 * touches["normal_force"].max())
    if not loaded.any():
        return []
    share = float(np.mean(np.abs(touches["friction_force"][loaded]) / limit[loaded]))
    if share >= DEVELOPED:
        return []
    return [
        f"Contacts slide so slowly that friction reaches {share:.1%} of its limit on average: "
        "use a smaller friction.regularization_velocity or faster motion."
    ]


def _pressure_warnings(assembly: Assembly, run: AnyTrajectory) -> list[str]:
    """That a contact carries more than any steel does."""
    found = []
    for group in assembly.groups.values() if len(run.time) else ():
        if group.pressure is None:
            continue
        pressure = run.pressure(group).max()
        if pressure > LARGEST_PRESSURE:
            found.append(_too_high(pressure, group.title))
    return found


def _too_high(pressure: float, where: str, nominal: str = "") -> str:
    return (
        f"The {nominal}Hertz pressure on {where} reaches {pressure / 1e6:.0f} MPa; "
        "even hardened steel yields above 4000 MPa (ISO 76)."
    )


def _mesh_warnings(assembly: Assembly, run: AnyTrajectory) -> list[str]:
    """That teeth which are springs or constraints carry, or bend by, what no tooth does."""
    meshes = [mesh.limits for mesh in assembly.meshes]
    if len(run.time) == 0 or all(limits is None for limits in meshes):
        return []
    forces = np.abs(mesh_forces(assembly, run)).max(axis=(0, 2))
    bent = mesh_approaches(assembly, run).max(axis=0)
    pressures = [
        math.sqrt(force * limits.pressure_factor) if limits else 0.0
        for force, limits in zip(forces, meshes, strict=True)
    ]
    depths = [
        depth / limits.deepest if limits else 0.0
        for depth, limits in zip(bent, meshes, strict=True)
    ]
    found, worst, deepest = [], int(first_largest(pressures)), int(first_largest(depths))
    if pressures[worst] > LARGEST_PRESSURE:
        where = f"the teeth of {assembly.meshes[worst].name}"
        found.append(_too_high(pressures[worst], where, "nominal "))
    if depths[deepest] > 1:
        name, limits = assembly.meshes[deepest].name, meshes[deepest]
        assert limits is not None
        found.append(
            f"The teeth of {name} are pressed {shown(bent[deepest])} into each other; no tooth "
            f"bends by more than {shown(limits.deepest)}: check the load and the stiffness of the "
            "mesh."
        )
    return found
