"""What acts in a run besides teeth: accelerations, inertia torques, reactions of bearings.

Accelerations follow from the forces that the integrator balanced at each record, M a = Q - Cᵀλ.
Bearings are what holds the centre of a body at ground or at another body: joints and springs of
bodies that hang on each other like a tree. The reaction of one is what all joints and springs exert
on the bodies from there on.
"""

from typing import Any

import numpy as np

from flank.analyses.forces import FORCE_UNIT, force_unit
from flank.analyses.quantities import Declarations, Declared, Read, Values
from flank.analyses.runs import has_elastic_friction
from flank.arrays import Floats, Rows
from flank.dynamics.engine import evaluate
from flank.dynamics.model import BEAMS, CONTACTS, JOINTS, LOADS, Model
from flank.dynamics.poses import AnyModel, put_pose, state_at, workspace
from flank.dynamics.reading import SPRINGS
from flank.dynamics.spatial.tables import ALONG, DOT, POINT
from flank.dynamics.spatial.teeth import Teeth
from flank.dynamics.tables import BUSHING, FIXED, GROUND, REVOLUTE
from flank.dynamics.trajectory import AnyTrajectory, Shaft, SpatialTrajectory
from flank.machines.base import Assembly
from flank.machines.mesh_forces import force_components, mesh_parts, radial_forces

AXES = ("x", "y", "z")

DECLARED: Declarations = {
    "acceleration": Declared("Angular acceleration", "rad/s^2", over="time body"),
    "inertia_torque": Declared("Inertia torque", "N*m", over="time body"),
    "radial_force": Declared("Tooth force, radial", "N", f"{{{FORCE_UNIT}}}", "time mesh"),
    "spring_force": Declared(
        "Tooth force of the spring alone, normal", "N", f"{{{FORCE_UNIT}}}", "time mesh"
    ),
    "damper_force": Declared(
        "Tooth force of the damper alone, normal", "N", f"{{{FORCE_UNIT}}}", "time mesh"
    ),
    "force_components": Declared(
        "Tooth force on the second gear", "N", f"{{{FORCE_UNIT}}}", "time mesh axis"
    ),
    "mesh_stiffness": Declared("Stiffness of a mesh", "N/m", "N/um", "time mesh"),
    "roll_length": Declared("Roll length of the first gear at the contact", "m", "mm", "time mesh"),
    "bearing_reaction": Declared(
        "Reaction of a bearing", "N", f"{{{FORCE_UNIT}}}", "time bearing axis"
    ),
}

COORDINATES: Declarations = {
    "bearing": Declared("Bearing", over="bearing"),
    "axis": Declared("Axis", over="axis"),
}


def acting_forces(assembly: Assembly, trajectory: AnyTrajectory) -> Values:
    """Of a machine with gear meshes; accelerations where no friction remembers what was before."""
    if not assembly.meshes:
        return {}
    axes = 3 if isinstance(trajectory, SpatialTrajectory) else 2
    values: Values = {"axis": np.array(AXES[:axes], dtype=str)}
    values |= _of_meshes(assembly, trajectory)
    values |= _reactions(assembly, trajectory)
    if not has_elastic_friction(assembly.model):
        values |= _accelerations(assembly, trajectory)
    return values


def _of_meshes(assembly: Assembly, trajectory: AnyTrajectory) -> Values:
    parts = mesh_parts(assembly, trajectory)
    named = {
        "radial_force": radial_forces(assembly, trajectory),
        "force_components": force_components(assembly, trajectory),
        "spring_force": parts.spring,
        "damper_force": parts.damper,
    }
    unit = force_unit(np.nan_to_num(named["radial_force"]))
    values: Values = {
        name: Read(forces, unit) for name, forces in named.items() if np.any(np.isfinite(forces))
    }
    for name, series in (("mesh_stiffness", parts.stiffness), ("roll_length", parts.roll)):
        if np.any(np.isfinite(series)):
            values[name] = series
    return values


def _accelerations(assembly: Assembly, trajectory: AnyTrajectory) -> Values:
    """Of all bodies about their axes in the plane, of all shafts in space."""
    model = assembly.model
    if isinstance(trajectory, SpatialTrajectory):
        assert not isinstance(model, Model)
        shafts = list(assembly.shafts.values())
        turning = np.stack([_about_axis(trajectory, shaft) for shaft in shafts], axis=1)
        inertia = np.array(
            [np.array(s.axis) @ model.inertia[s.body] @ np.array(s.axis) for s in shafts]
        )
    else:
        assert isinstance(model, Model)
        inertia = model.mass[1:, 2]
        forces = _forces(model, trajectory)[:, 1:, 2]
        turning = np.divide(forces, inertia, out=np.zeros_like(forces), where=inertia > 0)
    return {"acceleration": turning, "inertia_torque": turning * inertia}


def _about_axis(trajectory: SpatialTrajectory, shaft: Shaft) -> Floats:
    """The shafts of gears stand on ground."""
    return np.asarray(trajectory.acceleration[:, shaft.body, 3:] @ np.array(shaft.axis))


def _reactions(assembly: Assembly, trajectory: AnyTrajectory) -> Values:
    held = _supports(assembly.model)
    if held is None:
        return {}
    part, parents = held
    axes = 3 if isinstance(trajectory, SpatialTrajectory) else 2
    forces = _forces(part, trajectory)[:, :, :axes]
    total = forces.copy()
    for body in sorted(parents, reverse=True, key=lambda body: _depth(body, parents)):
        total[:, parents[body]] += total[:, body]
    bodies = sorted(parents)
    names = assembly.body_names
    titles = [
        names[body] if parents[body] == GROUND else f"{names[body]} on the {names[parents[body]]}"
        for body in bodies
    ]
    return {
        "bearing": np.array(titles, dtype=str),
        "bearing_reaction": Read(total[:, bodies], force_unit(total[:, bodies])),
    }


def _depth(body: int, parents: dict[int, int]) -> int:
    depth = 0
    while body in parents:
        body, depth = parents[body], depth + 1
    return depth


def _supports(model: AnyModel) -> tuple[AnyModel, dict[int, int]] | None:
    """The model with nothing but what holds centres, and who holds whom; none if not a tree."""
    joints, springs = _rows_that_hold(model)
    parents: dict[int, int] = {}
    for row in (*joints, *springs):
        a, b = int(row["body_a"]), int(row["body_b"])
        if parents.setdefault(b, a) != a or b == GROUND:
            return None
    if not parents or model.counts[CONTACTS] or any(_cyclic(body, parents) for body in parents):
        return None
    counts = model.counts.copy()
    counts[[CONTACTS, LOADS, BEAMS]] = 0
    counts[JOINTS], counts[SPRINGS] = len(joints), len(springs)
    if isinstance(model, Model):
        return model._replace(joints=joints, springs=springs, counts=counts), parents
    teeth = model.teeth
    if isinstance(teeth, Teeth):  # rows without force: another type would be compiled anew
        idle = teeth.rows.copy()
        idle["stiffness"], idle["damping"], idle["first"], idle["pair"] = 0.0, 0.0, -1, -1
        teeth = teeth._replace(rows=idle)
    held: dict[str, Any] = {"conditions": joints, "bushings": springs, "teeth": teeth}
    return model._replace(counts=counts, mesh_count=0, **held), parents


def _cyclic(body: int, parents: dict[int, int]) -> bool:
    seen = {body}
    while (body := parents.get(body, GROUND)) != GROUND:
        if body in seen:
            return True
        seen.add(body)
    return False


def _rows_that_hold(model: AnyModel) -> tuple[Rows, Rows]:
    if isinstance(model, Model):
        joints, springs = model.joints[: model.counts[JOINTS]], model.springs
        springs = springs[: model.counts[SPRINGS]]
        return joints[np.isin(joints["kind"], (REVOLUTE, FIXED))], springs[
            springs["kind"] == BUSHING
        ]
    conditions = model.conditions[: model.counts[JOINTS]]
    bushings = model.bushings[: model.counts[SPRINGS]]
    radial = np.any(bushings["stiffness"] > 0, axis=1)
    return conditions[np.isin(conditions["kind"], (POINT, DOT, ALONG))], bushings[radial]


def _forces(model: AnyModel, trajectory: AnyTrajectory) -> Floats:
    """Q - Cᵀλ of all bodies at every record."""
    state, work = state_at(model, trajectory.pose(0)), workspace(model)
    forces = np.zeros((len(trajectory.time), *work.force.shape))
    for k, time in enumerate(trajectory.time):
        put_pose(state, trajectory.pose(k))
        state.velocity[:] = trajectory.velocity[k]
        state.multipliers[: trajectory.multipliers.shape[1]] = trajectory.multipliers[k]
        evaluate(model, state, float(time), work, 0.0, 1.0, 0.0)
        forces[k] = work.force
    return forces
