"""Where the bodies of a rigid joint without clearance stand and how they move.

The cage halves the angle between the races and turns with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flank.dynamics.functions import constant
from flank.dynamics.packing import value_at
from flank.dynamics.spatial.quaternions import quaternion_of
from flank.dynamics.trajectory import SpatialPose
from flank.geometry.ball_joint import about_y, about_z
from flank.machines.cv_joint.assembly import JointDrive
from flank.machines.cv_joint.rolling import Placed, rolling_spins

if TYPE_CHECKING:
    from flank.machines.cv_joint.joint import CvJoint

UP = np.array([0.0, 0.0, 1.0])
LEANING = np.array([0.0, 1.0, 0.0])


def pose_under(joint: CvJoint, drive: JointDrive, time: float) -> SpatialPose:
    """Ground, outer race, inner race, housing, cage, balls; a free inner race where it begins, a
    free outer race at the angle zero."""
    begins, still = constant(joint.spec.operation.plunge.at), constant(0.0)
    given = (drive.angles.get("outer", still), drive.deflection, drive.plunge or begins)
    place, rate = zip(*(value_at(function, time) for function in given), strict=True)
    centre = np.zeros(3)
    ground = Placed(centre, np.eye(3), centre, centre)
    turning = rate[0] * UP
    outer = Placed(centre, about_z(place[0]), centre, turning)
    inner = _leaning(place, rate, 1.0)
    housing = Placed(centre, about_y(place[1]), centre, rate[1] * LEANING)
    cage = _leaning(place, rate, 0.5)
    centres = joint.geometry.places(*place).centre
    velocities = joint.geometry.velocities(place, rate)
    torque = -value_at(drive.torques.get("inner", still), time)[0]
    spins = rolling_spins(joint, (outer, inner), centres, velocities, torque)
    core = (ground, outer, inner, housing, cage)
    rotations = [quaternion_of(body.matrix) for body in core]
    return SpatialPose(
        position=np.vstack([*(body.position for body in core), centres]),
        rotation=np.array([*rotations, *[rotations[-1]] * len(centres)]),  # balls as the cage
        velocity=np.hstack(
            [
                np.vstack([*(body.velocity for body in core), velocities]),
                np.vstack([*(body.spin for body in core), spins]),
            ]
        ),
    )


def _leaning(place, rate, share: float) -> Placed:
    """A body that leans by a share of the deflection and has gone that share of the plunge along
    the inner axis."""
    (rotation, deflection, plunge), (speed, lean_rate, slide_rate) = place, rate
    axis, sideways = about_y(deflection)[:, 2], about_y(deflection)[:, 0]
    leaning = about_y(share * deflection)
    return Placed(
        share * plunge * axis,
        leaning @ about_z(rotation),
        share * (slide_rate * axis + plunge * lean_rate * sideways),
        share * lean_rate * LEANING + speed * leaning[:, 2],
    )
