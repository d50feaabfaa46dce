"""Angles and speeds of shafts in space from a state, turns counted as they go.

`SpatialTrajectory.angle` counts them along a record; here each reading goes on from the one before,
for programs that have no record (`flank.fmi`).
"""

import math

import numpy as np

from flank.kernel import kernel

SHAFT = np.dtype(
    [
        ("body", np.int64),
        ("reference", np.int64),
        ("axis", np.float64, 3),  # along the axes of the reference
        ("built", np.float64, 4),  # quaternion of the body in the reference where the angle is zero
    ]
)

TURNING = np.dtype([("angle", np.float64), ("speed", np.float64)])


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
    w, x, y, z = _times_inverse(
        reference[0] * body[0]
        + reference[1] * body[1]
        + reference[2] * body[2]
        + reference[3] * body[3],
        reference[0] * body[1]
        - reference[1] * body[0]
        - reference[2] * body[3]
        + reference[3] * body[2],
        reference[0] * body[2]
        - reference[2] * body[0]
        - reference[3] * body[1]
        + reference[1] * body[3],
        reference[0] * body[3]
        - reference[3] * body[0]
        - reference[1] * body[2]
        + reference[2] * body[1],
        shaft.built,
    )
    return 2.0 * math.atan2(x * shaft.axis[0] + y * shaft.axis[1] + z * shaft.axis[2], w)


@kernel(internal=True)
def _times_inverse(w, x, y, z, s):
    return (
        w * s[0] + x * s[1] + y * s[2] + z * s[3],
        x * s[0] - w * s[1] - y * s[3] + z * s[2],
        y * s[0] - w * s[2] - z * s[1] + x * s[3],
        z * s[0] - w * s[3] - x * s[2] + y * s[1],
    )
