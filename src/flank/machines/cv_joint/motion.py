"""Where the bodies of a rigid joint without clearance stand and how they move.

The cage halves the angle between the races and turns with them. Balls turn as nearly rolling as
they can: each touches one flank of its outer and one of its inner track, at the directions u from
its centre. Of its angular velocity ω

    Σ |v + R ω x u - v_race|² + r² ((ω - ω_race) · u)²

is least over both contacts, sliding and drilling with the arm r at which drilling friction acts:
the contacts lie nearly opposite each other, so that sliding alone leaves the spin about their line
open.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flank.dynamics.functions import constant
from flank.dynamics.packing import value_at
from flank.dynamics.spatial.quaternions import quaternion_of
from flank.dynamics.trajectory import SpatialPose
from flank.geometry.ball_joint import INNER, OUTER, about_y, about_z
from flank.machines.cv_joint.assembly import JointDrive
from flank.machines.cv_joint.figures import track_force

if TYPE_CHECKING:
    from flank.machines.cv_joint.joint import CvJoint

UP = np.array([0.0, 0.0, 1.0])
LEANING = np.array([0.0, 1.0, 0.0])

SMALLEST_ARM = 0.01
"""Of drilling, over the ball's radius: where nothing presses, spin still follows the races."""


class Placed(NamedTuple):
    """One body: position, rotation matrix, velocity (3), angular velocity (3)."""

    position: NDArray
    matrix: NDArray
    velocity: NDArray
    spin: NDArray


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


def rolling_spins(
    joint: CvJoint,
    races: tuple[Placed, Placed],
    centres: NDArray,
    velocities: NDArray,
    torque: float,
) -> NDArray:
    """(ball, 3) angular velocities in space; `torque` says which flanks carry."""
    directions = [
        contact_directions(joint, race, torque) @ placed.matrix.T
        for race, placed in zip((OUTER, INNER), races, strict=True)
    ]
    radius, arm = joint.spec.ball_radius, _drilling_arm(joint, torque)
    spins = np.zeros_like(centres)
    for k, (centre, velocity) in enumerate(zip(centres, velocities, strict=True)):
        rows, right = [], []
        for placed, towards in zip(races, directions, strict=True):
            u = towards[k]
            point = centre + radius * u - placed.position
            rows += [-radius * _cross_matrix(u), arm * u[None]]
            right += [placed.velocity + np.cross(placed.spin, point) - velocity]
            right += [arm * np.atleast_1d(placed.spin @ u)]
        spins[k] = np.linalg.lstsq(np.vstack(rows), np.concatenate(right), rcond=None)[0]
    return spins


def contact_directions(joint: CvJoint, race: int, torque: float) -> NDArray:
    """(ball, 3) from the centres to the contacts that carry a torque, in the race's axes: of both
    races at the contact angle from the bottom, where y has the other sign than the torque."""
    angle, side = joint.spec.tracks.contact_angle, -math.copysign(1.0, torque)
    frames = joint.geometry.frames(race)
    return math.cos(angle) * frames[:, 0] + side * math.sin(angle) * frames[:, 1]


def _drilling_arm(joint: CvJoint, torque: float) -> float:
    length = joint.contacts.hertz_arm(joint.contacts.outer_track)
    arm = length * track_force(joint.spec, torque) ** (1 / 3)
    return max(arm, SMALLEST_ARM * joint.spec.ball_radius)


def _cross_matrix(v: NDArray) -> NDArray:
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
