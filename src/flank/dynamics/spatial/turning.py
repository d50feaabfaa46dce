"""Angles and speeds of shafts in space from a state, turns counted as they go.

`SpatialTrajectory.angle` counts them along a record; here each reading goes on from the one before,
for programs that have no record (`flank.fmi`).
"""

import math

import numpy as np

from flank.arrays import row_type
from flank.kernel import kernel

SHAFT = row_type(
    [
        ("body", np.int64),
        ("reference", np.int64),
        ("axis", np.float64, 3),  # along the axes of the reference
        ("built", np.float64, 4),  # quaternion of the body in the reference where the angle is zero
    ]
)

TURNING = row_type([("angle", np.float64), ("speed", np.float64)])


@kernel
def read_turning(state, shafts, times, turning):
    """Angle and speed of every shaft after the interval between two times, at whose beginning
    `turning` holds them: of all turns the angle is on that which the speeds lead to."""
    for k in range(shafts.shape[0]):
        shaft = shafts[k]
        speed = _speed(state, shaft)
        ahead = 0.5 * (turning[k].speed + speed) * (times[1] - times[0])
        angle = _twist(state.rotation[shaft.reference], state.rotation[shaft.body], shaft)
        expected = turning[k].angle + ahead
        turns = math.floor((expected - angle) / (2.0 * math.pi) + 0.5)
        turning[k].angle = angle + 2.0 * math.pi * turns
        turning[k].speed = speed


@kernel(internal=True)
def _speed(state, shaft):
    """Of the body against the reference, along the axis as the reference has turned it."""
    speed = 0.0
    for i in range(3):
        along = 0.0
        for j in range(3):
            along += state.matrix[shaft.reference, i, j] * shaft.axis[j]
        turning = state.velocity[shaft.body, 3 + i] - state.velocity[shaft.reference, 3 + i]
        speed += along * turning
    return speed


@kernel(internal=True)
def _twist(reference, body, shaft):
    """Angle about the axis of the rotation r⁻¹ b s⁻¹, of unit quaternions r, b and s as built."""
    r, b, s = reference, body, shaft.built
    w, x, y, z = _product(r[0], -r[1], -r[2], -r[3], b[0], b[1], b[2], b[3])
    w, x, y, z = _product(w, x, y, z, s[0], -s[1], -s[2], -s[3])
    return 2.0 * math.atan2(x * shaft.axis[0] + y * shaft.axis[1] + z * shaft.axis[2], w)


@kernel(internal=True)
def _product(aw, ax, ay, az, bw, bx, by, bz):
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by + ay * bw + az * bx - ax * bz,
        aw * bz + az * bw + ax * by - ay * bx,
    )
