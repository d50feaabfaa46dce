"""Forces of springs, gear meshes and joints, read from a run that has recorded poses only.

    carried = Forces(builder, trajectory)
    carried.spring("coupling")[:, 2]     the torque that it exerts on its second body, over time

Springs and joints are put into a model alone and assembled at every recorded pose, so that what is
read is what the solvers balanced, damping included.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flank.arrays import Floats, Integers
from flank.dynamics.assembly import assemble
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import stiffness_of
from flank.dynamics.mesh import (
    fill_flexible_row,
    flank_force,
    flank_law,
    flexible_gap,
    is_active,
    mesh_line,
    roll_length,
)
from flank.dynamics.model import Model, initial_state, workspace
from flank.dynamics.tables import FLEXIBLE_MESH, MESH
from flank.dynamics.trajectory import AnyTrajectory, Trajectory
from flank.elasticity.ancf import TABLE_ROWS
from flank.errors import suggestion
from flank.kernel import kernel

JOINTS, SPRINGS = 0, 1
"""Places in Model.counts."""

TOTAL, ELASTIC, GAP, ROLL = range(4)
"""Of what is read from a mesh."""


@dataclass(frozen=True)
class Forces:
    """What the named springs, meshes and joints of a builder carry along a run of its model."""

    builder: ModelBuilder
    trajectory: Trajectory

    @cached_property
    def model(self) -> Model:
        return self.builder.build()

    def spring(self, name: str) -> Floats:
        """Force (x, y) in N and torque about its origin in N·m on the second body, (time, 3)."""
        return spring_forces(self.model, _number(self.builder.spring_names, name), self.trajectory)

    def mesh(self, name: str) -> Floats:
        """Normal forces of the teeth (time, flank) in N, flank +1 first; a pull is negative."""
        number = _number(self.builder.spring_names, name)
        if self.model.springs[number]["kind"] not in (MESH, FLEXIBLE_MESH):
            raise ValueError(f"{name!r} is a spring without teeth; read it with `spring`")
        return spring_mesh_forces(self.model, np.array([number]), self.trajectory)[:, 0]

    def joint(self, name: str) -> Floats:
        """Force (x, y) in N and torque about its origin in N·m on the second body, (time, 3)."""
        return joint_forces(self.model, _number(self.builder.joint_names, name), self.trajectory)


def _number(names: dict[str, int], name: str) -> int:
    if name not in names:
        known = f" Named are: {', '.join(names)}" if names else " None has a name: give name=..."
        raise ValueError(f"nothing is named {name!r}{suggestion(name, list(names))}{known}")
    return names[name]


def spring_forces(model: Model, spring: int, trajectory: Trajectory) -> Floats:
    """What one spring exerts on its second body (time, 3): force and torque about its origin."""
    row = model.springs[spring : spring + 1]
    part = model._replace(springs=row, counts=_only(model, SPRINGS, 1))
    return _forces_on(part, int(row[0]["body_b"]), trajectory)


def joint_forces(model: Model, multiplier: int, trajectory: Trajectory) -> Floats:
    """What a joint exerts on its second body (time, 3), by the first of its multipliers."""
    rows = model.joints[: model.counts[JOINTS]]
    rows = rows[rows["first"] == multiplier]
    part = model._replace(joints=rows, counts=_only(model, JOINTS, len(rows)))
    return _forces_on(part, int(rows[0]["body_b"]), trajectory)


def _only(model: Model, place: int, count: int) -> Integers:
    counts = np.zeros_like(model.counts)
    counts[place] = count
    return counts


def _forces_on(part: Model, body: int, trajectory: Trajectory) -> Floats:
    """Q - Cᵀλ of one body at every record."""
    state, work = initial_state(part, trajectory.position[0]), workspace(part)
    forces = np.zeros((len(trajectory.time), 3))
    for k, time in enumerate(trajectory.time):
        state.multipliers[: part.constraint_count] = trajectory.multipliers[k]
        arguments = (part, state, trajectory.position[k], trajectory.velocity[k], float(time))
        assemble(*arguments, work, 0.0, 1.0, 0.0)
        forces[k] = work.force[body]
    return forces


def spring_mesh_forces(model: Model, springs: Integers, trajectory: AnyTrajectory) -> Floats:
    """Normal forces (time, spring, flank) of some springs, flank +1 first; a pull is negative."""
    return np.asarray(spring_mesh_parts(model, springs, trajectory)[..., TOTAL])


def spring_mesh_parts(model: Model, springs: Integers, trajectory: AnyTrajectory) -> Floats:
    """The same with parts behind: the force, that of the spring alone, the gap in m, and the roll
    length at which teeth touch, up to base pitches, zero for a spring that knows none."""
    parts = np.zeros((len(trajectory.time), len(springs), 2, 4))
    _read(
        model.springs,
        np.ascontiguousarray(springs, dtype=np.int64),
        model.gears,
        model.functions,
        model.function_data,
        np.ascontiguousarray(trajectory.position),
        np.ascontiguousarray(trajectory.velocity),
        np.ascontiguousarray(trajectory.time),
        np.zeros((TABLE_ROWS, 12)),
        parts,
    )
    return parts


def spring_mesh_approaches(model: Model, springs: Integers, position: Floats) -> Floats:
    """How far flanks are pressed into each other (time, spring), in m; negative where they part."""
    approach = np.zeros((len(position), len(springs)))
    numbers = np.ascontiguousarray(springs, dtype=np.int64)
    element = np.zeros((TABLE_ROWS, 12))
    _read_approach(
        model.springs, numbers, model.gears, np.ascontiguousarray(position), element, approach
    )
    return approach


@kernel
def _read_approach(springs, numbers, gears, position, element, approach):
    for t in range(position.shape[0]):
        for k in range(numbers.shape[0]):
            spring = springs[numbers[k]]
            line = mesh_line(spring, position[t])
            gap = math.inf
            side = -1.0
            for _ in range(2):
                other = flexible_gap(spring, gears, line, side, position[t], element)
                if spring.flank == side:  # of a mesh that also pulls, either way counts
                    gap = -abs(other)
                elif spring.flank == 0.0:
                    gap = min(gap, other)
                side = 1.0
            approach[t, k] = -gap if line.exists else 0.0


@kernel
def _read(springs, numbers, gears, functions, data, position, velocity, time, element, parts):
    for t in range(position.shape[0]):
        for k in range(numbers.shape[0]):
            spring = springs[numbers[k]]
            line = mesh_line(spring, position[t])
            value, _slope, _bend = stiffness_of(spring, functions, data, position[t], time[t])
            for flank in range(2):
                side = 1.0 - 2.0 * flank
                if not line.exists or spring.flank * side < 0.0:
                    continue
                gap = flexible_gap(spring, gears, line, side, position[t], element)
                force, stiffness, _energy, _roll_force, _roll_slope, _bend = flank_law(
                    spring, value, gears, line, side, position[t, spring.body_a, 2], gap, 0.0
                )
                rate = fill_flexible_row(
                    spring, gears, line, side, position[t], velocity[t], element
                )
                parts[t, k, flank, ELASTIC] = force
                parts[t, k, flank, GAP] = gap
                if is_active(spring, stiffness, line, side):
                    parts[t, k, flank, TOTAL] = flank_force(spring, force, rate)
                if spring.pair >= 0:
                    pair = gears.rows[spring.pair]
                    turn = position[t, spring.body_a, 2]
                    parts[t, k, flank, ROLL] = roll_length(spring, pair, line, side, turn)
