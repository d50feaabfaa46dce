"""One equilibrium of a joint: how it is held, and what is looked at."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from flank.dynamics.functions import constant
from flank.dynamics.run import StaticSettings, solve_statics
from flank.dynamics.spatial.quaternions import matrix_of
from flank.dynamics.trajectory import SpatialTrajectory
from flank.machines.cv_joint.assembly import JointAssembly
from flank.machines.cv_joint.joint import CvJoint

TIGHT = StaticSettings(force_tolerance=1e-12)


def complete(found: SpatialTrajectory) -> SpatialTrajectory:
    if not found.complete:
        raise RuntimeError(found.status.sentence)
    return found


def held_at(joint: CvJoint, rotation: float) -> JointAssembly:
    """The joint with its outer race held at a rotation in rad."""
    return joint.assemble(replace(joint.drive(), angles={"outer": constant(rotation)}))


def still(assembly: JointAssembly) -> SpatialTrajectory:
    """Its equilibrium, from the rigid joint on."""
    return complete(solve_statics(assembly.model, assembly.start, np.zeros(1), settings=TIGHT))


def normal_forces(found: SpatialTrajectory) -> NDArray:
    return np.asarray(found.contact_results["normal_force"])


def cage_axis(joint: CvJoint) -> NDArray:
    """Unit vector along the cage's axis; x lies in the plane of both shafts, y across it."""
    assembly = held_at(joint, 0.0)
    return np.asarray(matrix_of(still(assembly).rotation[0, assembly.cage])[:, 2])


def cage_angle_in_plane(joint: CvJoint) -> float:
    """Between the outer race's axis and the cage's, seen across the plane of both shafts, rad."""
    axis = cage_axis(joint)
    return math.atan2(axis[0], axis[2])
