"""Who touches whom, where, how hard: all contacts at one crank angle under one torque."""

import numpy as np
from pydantic import Field

from flank.analyses.contacts import force_quantities, index_coordinates, peak_quantities
from flank.analyses.load_warnings import load_warnings
from flank.analyses.mesh_quantities import MESH_LOADS, mesh_load_quantities, mesh_names
from flank.analyses.result import Quantity, Result, make_result
from flank.analyses.warnings import contact_warnings
from flank.arrays import Floats
from flank.dynamics.functions import constant, table
from flank.dynamics.model import Model
from flank.dynamics.run import Progress
from flank.dynamics.solve import solve_statics
from flank.dynamics.trajectory import AnyTrajectory, Trajectory
from flank.machines.base import Assembly, ContactGroup, Drive, Transmission
from flank.machines.quantities import Angle, Torque
from flank.machines.spec import Spec

NAME = "load-distribution"
TITLE = "Load distribution"

NOTHING = 1e-6
"""Share of the largest force below which a contact carries none: round-off of loose parts."""

ROUND_OFF = 1e-6
"""N below which a contact carries nothing but round-off."""

LAST_DIGITS = 1e3
"""Of the largest angle: a change of angle that is round-off."""

TORQUE_STEP = 1e-3
"""Share of the torque over which the stiffness is taken."""


class LoadDistributionSettings(Spec):
    """One crank angle, one torque."""

    crank_angle: Angle = Field(
        default=0.0, description="the angle of the input", examples=["30 deg"]
    )
    torque: Torque | None = Field(
        default=None,
        description="the output torque; the operating point's if absent",
        examples=["200 N*m"],
    )


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
        model = model._replace(screened=False)  # gaps of open contacts are asked for too
    trajectory = solve_statics(model, start, np.array([0.0, 1.0]), progress=progress)
    quantities: dict[str, Quantity] = {}
    if trajectory.complete:
        quantities = _summary(machine, settings.crank_angle, torque, trajectory, assembly)
        quantities |= force_quantities(assembly, trajectory)
        quantities |= _places(trajectory, assembly)
        quantities |= mesh_load_quantities(assembly, trajectory.since(1))
    warnings = contact_warnings(assembly, trajectory, static=True)
    warnings += load_warnings(machine, assembly, torque, trajectory)
    coordinates = index_coordinates(assembly) | mesh_names(assembly)
    tables = MESH_LOADS if "mesh_load" in quantities else {}
    return make_result(
        NAME, machine, settings, trajectory, quantities, coordinates, warnings, tables
    )


def _summary(
    machine: Transmission,
    crank_angle: float,
    torque: float,
    trajectory: AnyTrajectory,
    assembly: Assembly,
) -> dict[str, Quantity]:
    ideal = crank_angle / machine.ratio
    angle = trajectory.angle(assembly.output_shaft, near=ideal)
    change, loaded = angle[1] - angle[0], trajectory.since(1)
    found = {
        "torque": Quantity((), torque, "N*m", "N*m", "Output torque"),
        "wind_up": Quantity((), angle[1] - ideal, "rad", "arcmin", "Wind-up of the output"),
    }
    # inside the clearance, or of rigid parts, there is no stiffness to speak of
    if abs(change) > LAST_DIGITS * np.spacing(trajectory.largest_angle):
        found["torsional_stiffness"] = Quantity(
            (),
            torque * TORQUE_STEP / change,
            "N*m/rad",
            "N*m/arcmin",
            "Torsional stiffness at this load",
        )
    for group in assembly.groups.values():
        force = loaded.force(group)
        closed = int(np.sum(force > max(NOTHING * force.max(), ROUND_OFF)))
        title = f"Contacts that carry load, {group.title}"
        found[f"loaded_{group.name}_count"] = Quantity((), closed, "", "", title)
    return found | peak_quantities(assembly, loaded)


PLACES = {
    "gap": ("m", "um", "Gap"),
    "stiffness": ("N/m", "N/um", "Contact stiffness"),
    "x": ("m", "mm", "Contact point x"),
    "y": ("m", "mm", "Contact point y"),
    "z": ("m", "mm", "Contact point z"),
    "normal_x": ("", "", "Normal x"),
    "normal_y": ("", "", "Normal y"),
    "normal_z": ("", "", "Normal z"),
}
"""What is told of a contact: units and title; all but the first two where it is closed."""


def _places(trajectory: AnyTrajectory, assembly: Assembly) -> dict[str, Quantity]:
    """Gap, stiffness and contact point of every contact; points only where it is closed."""
    found: dict[str, Quantity] = {}
    for group in assembly.groups.values():
        closed = trajectory.force(group)[-1] > 0
        for name, values in _readings(trajectory, group).items():
            unit, shown, title = PLACES[name]
            if name not in ("gap", "stiffness"):
                values = np.where(closed, values, np.nan)
            title = f"{title}, {group.title}"
            found[f"{group.name}_{name}"] = Quantity(group.dimensions, values, unit, shown, title)
    return found


def _readings(trajectory: AnyTrajectory, group: ContactGroup) -> dict[str, Floats]:
    """The last record of what contacts report; in space points and normals are vectors."""
    if isinstance(trajectory, Trajectory):
        planar = (name for name in PLACES if not name.endswith("z"))
        return {name: trajectory.reading(group, name)[-1] for name in planar}
    found = {name: trajectory.reading(group, name)[-1] for name in ("gap", "stiffness")}
    for field, names in (("point", "xyz"), ("normal", ("normal_x", "normal_y", "normal_z"))):
        vectors = trajectory.reading(group, field)[-1]
        found |= {name: vectors[..., k] for k, name in enumerate(names)}
    return found
