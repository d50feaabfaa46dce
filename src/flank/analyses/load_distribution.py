"""Who touches whom, where, how hard: all contacts at one crank angle under one torque."""

import numpy as np
from pydantic import Field

from flank.analyses.contacts import (
    force_quantities,
    group_arrays,
    index_coordinates,
    peak_quantities,
)
from flank.analyses.load_warnings import load_warnings
from flank.analyses.mesh_quantities import MESH_LOADS, mesh_load_quantities, mesh_names
from flank.analyses.result import Quantity, Result, make_result
from flank.analyses.warnings import contact_warnings
from flank.dynamics.functions import constant, table
from flank.dynamics.run import Progress, solve_statics
from flank.dynamics.trajectory import Trajectory
from flank.machines.base import Assembly, Reducer
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
    machine: Reducer,
    settings: LoadDistributionSettings = DEFAULTS,
    progress: Progress | None = None,
) -> Result:
    """Equilibrium at one crank angle, and the torsional stiffness there."""
    torque = machine.load_torque if settings.torque is None else settings.torque
    load = table([(0.0, torque * (1 - TORQUE_STEP)), (1.0, torque)])  # friction slips forward
    assembly = machine.assemble(constant(settings.crank_angle), load)
    start = machine.ideal_pose(settings.crank_angle)
    model = assembly.model._replace(screened=False)  # gaps of open contacts are asked for too
    trajectory = solve_statics(model, start, np.array([0.0, 1.0]), progress=progress)
    quantities: dict[str, Quantity] = {}
    if trajectory.complete:
        ideal = machine.ideal_pose(settings.crank_angle)[assembly.output_body, 2]
        turned = trajectory.position[:, assembly.output_body, 2] - ideal
        quantities = _summary(torque, turned, trajectory, assembly)
        quantities |= force_quantities(trajectory.touches[-1:], assembly.groups, ())
        quantities |= _places(trajectory, assembly)
        quantities |= mesh_load_quantities(assembly, trajectory.since(1))
    warnings = contact_warnings(assembly, trajectory, static=True)
    warnings += load_warnings(machine, assembly, torque, trajectory)
    coordinates = index_coordinates(assembly.groups) | mesh_names(assembly)
    tables = MESH_LOADS if "mesh_load" in quantities else {}
    return make_result(
        NAME, machine, settings, trajectory.since(1), quantities, coordinates, warnings, tables
    )


def _summary(
    torque: float, turned: np.ndarray, trajectory: Trajectory, assembly: Assembly
) -> dict[str, Quantity]:
    change = turned[1] - turned[0]
    loaded = trajectory.touches[-1:]
    found = {
        "torque": Quantity((), torque, "N*m", "N*m", "Output torque"),
        "wind_up": Quantity((), turned[1], "rad", "arcmin", "Wind-up of the output"),
    }
    # inside the clearance, or of rigid parts, there is no stiffness to speak of
    if abs(change) > LAST_DIGITS * np.spacing(np.abs(trajectory.position[..., 2]).max()):
        found["torsional_stiffness"] = Quantity(
            (),
            torque * TORQUE_STEP / change,
            "N*m/rad",
            "N*m/arcmin",
            "Torsional stiffness at this load",
        )
    for group in assembly.groups:
        force = group_arrays(loaded, group, "normal_force")
        closed = int(np.sum(force > max(NOTHING * force.max(), ROUND_OFF)))
        title = f"Contacts that carry load, {group.title}"
        found[f"loaded_{group.name}_count"] = Quantity((), closed, "", "", title)
    return found | peak_quantities(loaded, assembly.groups)


def _places(trajectory: Trajectory, assembly: Assembly) -> dict[str, Quantity]:
    """Gap, stiffness and contact point of every contact; points only where it is closed."""
    found: dict[str, Quantity] = {}
    loaded = trajectory.touches[-1:]
    for group in assembly.groups:
        closed = group_arrays(loaded, group, "normal_force")[0] > 0

        def field(name: str, group=group) -> np.ndarray:
            return group_arrays(loaded, group, name)[0]

        columns = {
            "gap": (field("gap"), "m", "um", "Gap"),
            "stiffness": (field("stiffness"), "N/m", "N/um", "Contact stiffness"),
            "x": (np.where(closed, field("x"), np.nan), "m", "mm", "Contact point x"),
            "y": (np.where(closed, field("y"), np.nan), "m", "mm", "Contact point y"),
            "normal_x": (np.where(closed, field("normal_x"), np.nan), "", "", "Normal x"),
            "normal_y": (np.where(closed, field("normal_y"), np.nan), "", "", "Normal y"),
        }
        for name, (values, unit, shown, title) in columns.items():
            title = f"{title}, {group.title}"
            found[f"{group.name}_{name}"] = Quantity(group.dimensions, values, unit, shown, title)
    return found
