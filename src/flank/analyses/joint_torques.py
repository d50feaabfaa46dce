"""What a joint does to its shafts: secondary torque and axial force.

A race's torque about the joint's centre, the point where the shafts' axes meet, has a part along
the race's own axis and one square to it, the secondary torque. In the frictionless joint it lies in
the plane of the shafts and is T tan(β/2) (Orain 1979).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flank.analyses.joint_contacts import loads_on
from flank.analyses.joint_kinematics import races
from flank.dynamics.spatial.quaternions import matrix_of
from flank.dynamics.tables import GROUND
from flank.dynamics.trajectory import SpatialTrajectory
from flank.machines.cv_joint.assembly import INNER, JointAssembly


@dataclass(frozen=True)
class ShaftLoads:
    """Of all contact forces on a race, over time: torques (time, race) along its own axis and
    square to it (time, race, 2), in the plane of the shafts and normal to it; the force along the
    inner race's axis, in time the mean since the record before, and the race's place on it."""

    torque: NDArray
    secondary: NDArray
    axial_force: NDArray
    axial_place: NDArray


def shaft_loads(assembly: JointAssembly, trajectory: SpatialTrajectory) -> ShaftLoads:
    """Torques and forces along and square to the shafts, which lie in the plane y = 0."""
    loads = [loads_on(assembly, trajectory, body) for body in races(assembly)]
    shafts = matrix_of(trajectory.rotation[:, [GROUND, assembly.housing]])
    torque = np.stack([one.torque for one in loads], axis=1)
    own = np.einsum("trij,tri->trj", shafts, torque)
    along = shafts[:, INNER, :, 2]
    return ShaftLoads(
        torque=own[..., 2],
        secondary=own[..., :2],
        axial_force=_mean_axial_force(assembly, trajectory, along)
        if np.any(trajectory.velocity)
        else np.einsum("ti,ti->t", along, loads[INNER].force),
        axial_place=np.einsum("ti,ti->t", along, trajectory.position[:, assembly.inner]),
    )


def _mean_axial_force(
    assembly: JointAssembly, trajectory: SpatialTrajectory, along: NDArray
) -> NDArray:
    """Of the contacts on the inner race between records, from its momentum and what holds it.

    Balls that slip do so for microseconds: forces at the records would be a matter of luck. The
    first record has the force of the last, for turns that repeat.
    """
    mass = assembly.model.mass[assembly.inner]
    gained = mass * np.einsum("ti,ti->t", along, trajectory.velocity[:, assembly.inner, :3])
    if assembly.plunge >= 0:
        gained = gained + trajectory.impulse[:, assembly.plunge]
    force = np.diff(gained) / np.diff(trajectory.time)
    return np.concatenate([force[-1:], force])
