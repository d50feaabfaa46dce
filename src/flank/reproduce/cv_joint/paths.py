"""Equilibria of the frictionless joint along a path: Figs. 7 and 8."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flank.analyses.joint_kinematics import cage_stand
from flank.dynamics.functions import constant, linear
from flank.dynamics.spatial.run import solve_statics
from flank.machines.cv_joint.assembly import JointDrive
from flank.machines.cv_joint.joint import CvJoint


@dataclass(frozen=True)
class CagePath:
    """Angles in rad while the deflection grows: of the shafts, and of the cage to the outer
    race."""

    deflection: NDArray
    cage: NDArray
    complete: bool

    def ratio(self) -> NDArray:
        """Cage angle over half the deflection, from the second point on."""
        return 2 * self.cage[1:] / self.deflection[1:]


@dataclass(frozen=True)
class ForcePath:
    """Means over balls in N while the torque grows: the loaded flanks of the outer race, the ones
    opposite, and the cage on a ball."""

    torque: NDArray
    loaded: NDArray
    counter: NDArray
    cage: NDArray
    complete: bool


def cage_path(joint: CvJoint, torque: float, deflections: NDArray) -> CagePath:
    """The joint does not turn; the deflection begins at zero."""
    drive = JointDrive(
        {"outer": constant(0.0)},
        {"inner": constant(-torque)},
        deflection=linear(1.0),
        plunge=constant(0.0),
    )
    poses = [joint.pose_under(drive, angle) for angle in deflections]
    assembly = joint.assemble(drive)
    found = solve_statics(assembly.spatial, poses[0], deflections, poses)
    stand = cage_stand(assembly, found)
    return CagePath(stand.deflection, stand.angle, found.complete)


def force_path(joint: CvJoint, torques: NDArray, sense: int) -> ForcePath:
    """The straight joint; `sense` is the sign of the torque."""
    drive = JointDrive(
        {"outer": constant(0.0)},
        {"inner": linear(-float(sense))},
        deflection=constant(0.0),
        plunge=constant(0.0),
    )
    assembly = joint.assemble(drive)
    found = solve_statics(assembly.spatial, assembly.start, torques)
    force = found.touches["normal_force"]
    tracks = np.sort(force[:, assembly.tracks[:, 0]], axis=-1).mean(axis=1)
    cage = force[:, assembly.windows].max(axis=-1).mean(axis=1)
    return ForcePath(found.time, tracks[:, 1], tracks[:, 0], cage, found.complete)
