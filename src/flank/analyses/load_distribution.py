"""Who touches whom, where, how hard: all contacts at one crank angle under one torque."""

import numpy as np

from flank.analyses import measured_parts, tilting
from flank.analyses.contact_states import (
    Contacts,
    running_velocity,
    state_numbers,
    state_values,
    states_over,
)
from flank.analyses.forces import (
    FORCE_UNIT,
    MESH_NAMES,
    NUMBERS,
    PEAKS,
    contact_numbers,
    force_unit,
    force_values,
    mesh_names,
    peak_values,
)
from flank.analyses.quantities import LESS, MORE, Declared, Quantities, Read, Values
from flank.analyses.result import Result, make_result
from flank.analyses.settings import InputAngle, LoadTorque
from flank.analyses.warnings import contact_warnings, load_warnings
from flank.arrays import Floats
from flank.dynamics.functions import constant, table
from flank.dynamics.model import Model
from flank.dynamics.run import Progress, solve_statics
from flank.dynamics.trajectory import AnyTrajectory, Trajectory
from flank.machines.base import Assembly, ContactGroup, Drive, Transmission
from flank.machines.mesh_forces import net_forces, tangential_forces
from flank.machines.spec import Spec

PLACES = {
    "gap": ("Gap", "m", "um"),
    "stiffness": ("Contact stiffness", "N/m", "N/um"),
    "x": ("Contact point x", "m", "mm"),
    "y": ("Contact point y", "m", "mm"),
    "z": ("Contact point z", "m", "mm"),
    "normal_x": ("Normal x", "", ""),
    "normal_y": ("Normal y", "", ""),
    "normal_z": ("Normal z", "", ""),
}
"""What is read of a contact; all but the first two where it is closed."""

QUANTITIES = Quantities(
    "load-distribution",
    {
        "torque": Declared("Output torque", "N*m"),
        "wind_up": Declared("Wind-up of the output", "rad", "arcmin", better=LESS),
        "torsional_stiffness": Declared(
            "Torsional stiffness at this load", "N*m/rad", "N*m/arcmin", better=MORE
        ),
        "loaded_{group}_count": Declared("Contacts that carry load, {group}"),
        **PEAKS,
        **states_over(),
        **{
            f"{{group}}_{name}": Declared(f"{title}, {{group}}", unit, shown, "{group}")
            for name, (title, unit, shown) in PLACES.items()
        },
        "mesh_load": Declared("Normal force", "N", f"{{{FORCE_UNIT}}}", "mesh"),
        "tangential_mesh_load": Declared("Tangential force", "N", f"{{{FORCE_UNIT}}}", "mesh"),
        **tilting.tilts_over(),
        **measured_parts.DECLARED,
    },
    NUMBERS | MESH_NAMES | tilting.COORDINATES | measured_parts.COORDINATES,
    {
        "Meshes": ("mesh", "mesh_load", "tangential_mesh_load", "axial_mesh_force"),
        **tilting.TABLE,
        **measured_parts.TABLES,
    },
)

LEAST_SHARE = 1e-6
"""Share of the largest force below which a contact carries none: round-off of loose parts."""

LEAST_FORCE = 1e-6
"""N below which a contact carries nothing but round-off."""

ANGLE_ROUND_OFF = 1e3
"""Of the largest angle: a change of angle that is round-off."""

TORQUE_STEP = 1e-3
"""Share of the torque over which the stiffness is taken."""


class LoadDistributionSettings(Spec):
    """One crank angle, one torque."""

    crank_angle: InputAngle = 0.0
    torque: LoadTorque = None
    contacts: Contacts = None


DEFAULTS = LoadDistributionSettings()


def run(
    machine: Transmission,
    settings: LoadDistributionSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """Equilibrium at one crank angle, and the torsional stiffness there."""
    torque = machine.load_torque if settings.torque is None else settings.torque
    load = table([(0.0, torque * (1 - TORQUE_STEP)), (1.0, torque)])  # friction slips forward
    assembly = machine.assemble(Drive.of_ends(constant(settings.crank_angle), load))
    start = machine.ideal_pose(settings.crank_angle)
    model = assembly.model
    if isinstance(model, Model):
        model = model._replace(screened=False)  # gaps of open contacts are shown too
    trajectory = solve_statics(model, start, np.array([0.0, 1.0]), progress=progress)
    values: Values = {}
    if trajectory.complete:
        values = _summary(machine, settings.crank_angle, torque, trajectory, assembly)
        values |= force_values(assembly, trajectory, last=True)
        values |= _places(trajectory, assembly)
        values |= _mesh_loads(assembly, trajectory.since(1))
        values |= tilting.tilt_values(machine, assembly, trajectory, last=True)
    warnings = contact_warnings(assembly, trajectory, static=True)
    warnings += load_warnings(machine, assembly, torque, trajectory)
    values |= contact_numbers(assembly) | mesh_names(assembly)
    values |= measured_parts.measured_values(machine)
    if settings.contacts == "full" and trajectory.complete:
        running = running_velocity(machine, np.array([settings.crank_angle]))
        values |= state_values(assembly, trajectory.since(1), running, last=True)
        values |= state_numbers(assembly)
    return make_result(QUANTITIES, machine, settings, trajectory.since(1), values, warnings)


def _summary(
    machine: Transmission,
    crank_angle: float,
    torque: float,
    trajectory: AnyTrajectory,
    assembly: Assembly,
) -> Values:
    ideal = crank_angle / machine.ratio
    angle = trajectory.angle(assembly.output_shaft, near=ideal)
    change, loaded = angle[1] - angle[0], trajectory.since(1)
    values: Values = {"torque": torque, "wind_up": angle[1] - ideal}
    # inside the clearance, or of rigid parts, there is no stiffness to speak of
    if abs(change) > ANGLE_ROUND_OFF * np.spacing(trajectory.largest_angle):
        values["torsional_stiffness"] = torque * TORQUE_STEP / change
    for group in assembly.groups.values():
        force = loaded.force(group)
        closed = int(np.sum(force > max(LEAST_SHARE * force.max(), LEAST_FORCE)))
        values[f"loaded_{group.name}_count"] = Read(closed, group=group)
    return values | peak_values(assembly, loaded)


def _places(trajectory: AnyTrajectory, assembly: Assembly) -> Values:
    """Gap, stiffness and contact point of every contact; points only where it is closed."""
    values: Values = {}
    for group in assembly.groups.values():
        closed = trajectory.force(group)[-1] > 0
        for name, reading in _readings(trajectory, group).items():
            if name not in ("gap", "stiffness"):
                reading = np.where(closed, reading, np.nan)
            values[f"{group.name}_{name}"] = Read(reading, group=group)
    return values


def _mesh_loads(assembly: Assembly, trajectory: AnyTrajectory) -> Values:
    """Net forces of all meshes at the first pose of a run."""
    if not assembly.meshes:
        return {}
    normal, tangential = (
        forces(assembly, trajectory)[0] for forces in (net_forces, tangential_forces)
    )
    unit = force_unit(normal)
    return {"mesh_load": Read(normal, unit), "tangential_mesh_load": Read(tangential, unit)}


def _readings(trajectory: AnyTrajectory, group: ContactGroup) -> dict[str, Floats]:
    """The last record of what contacts report; in space points and normals are vectors."""
    if isinstance(trajectory, Trajectory):
        planar = (name for name in PLACES if not name.endswith("z"))
        return {name: trajectory.reading(group, name)[-1] for name in planar}
    readings = {name: trajectory.reading(group, name)[-1] for name in ("gap", "stiffness")}
    for field, names in (("point", "xyz"), ("normal", ("normal_x", "normal_y", "normal_z"))):
        vectors = trajectory.reading(group, field)[-1]
        readings |= {name: vectors[..., k] for k, name in enumerate(names)}
    return readings
