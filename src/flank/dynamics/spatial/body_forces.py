"""Forces between bodies in space whose motion is given from outside, and their derivatives.

A program that moves the bodies itself (`flank.fmi.forces`) gives a row for each: position of its
centre of mass, rotation as a quaternion of any length, velocity and angular velocity, all along the
axes of space. What acts on it comes back, and how that changes with every number of the rows.
Derivatives by velocities follow from two tangents, with the rate factors zero and one.
"""

import math

from flank.dynamics.spatial.rotation import fill_matrix
from flank.kernel import kernel

GIVEN = 13
"""Numbers of a body: position 3, quaternion 4, velocity 3, angular velocity 3."""

QUATERNION, VELOCITY = 3, 7
"""Where these begin."""


@kernel
def place_bodies(given, state):
    """Put bodies, all but ground, where they are given."""
    for k in range(given.shape[0]):
        length = _length(given[k])
        for i in range(3):
            state.position[k + 1, i] = given[k, i]
        for i in range(4):
            state.rotation[k + 1, i] = given[k, QUATERNION + i] / length
        fill_matrix(state.rotation[k + 1], state.matrix[k + 1])
        for i in range(6):
            state.velocity[k + 1, i] = given[k, VELOCITY + i]


@kernel
def read_forces(state, force, core, forces, stiffness):
    """Forces and torques on the bodies, none that is a number on one whose rotation is none; the
    tangent is kept as it is without rates."""
    for k in range(forces.shape[0]):
        turned = 0.0
        for i in range(4):
            turned += state.rotation[k + 1, i] * state.rotation[k + 1, i]
        for i in range(6):
            forces[k, i] = force[k + 1, i] if turned > 0.5 else math.nan
    for i in range(stiffness.shape[0]):
        for j in range(stiffness.shape[1]):
            stiffness[i, j] = core[i, j]


@kernel
def read_derivatives(given, core, stiffness, jacobian):
    """Derivatives of forces and torques, a row for each and a column for every number given; `core`
    is the tangent with the rate factor one."""
    for row in range(jacobian.shape[0]):
        for k in range(given.shape[0]):
            first = GIVEN * k
            for i in range(3):
                jacobian[row, first + i] = -stiffness[row, 6 * k + i]
            for i in range(6):
                damping = core[row, 6 * k + i] - stiffness[row, 6 * k + i]
                jacobian[row, first + VELOCITY + i] = -damping
            _fill_by_quaternion(given[k], stiffness[row, 6 * k + 3 :], jacobian[row, first:])


@kernel(internal=True)
def _fill_by_quaternion(given, stiffness, entries):
    """A change dq of a quaternion turns by the vector 2 (dq q⁻¹) of space, its real part apart."""
    length = _length(given)
    factor = 2.0 / (length * length)
    w = given[QUATERNION]
    x = given[QUATERNION + 1]
    y = given[QUATERNION + 2]
    z = given[QUATERNION + 3]
    a, b, c = stiffness[0], stiffness[1], stiffness[2]
    entries[QUATERNION] = factor * (a * x + b * y + c * z)
    entries[QUATERNION + 1] = -factor * (a * w + b * z - c * y)
    entries[QUATERNION + 2] = -factor * (b * w + c * x - a * z)
    entries[QUATERNION + 3] = -factor * (c * w + a * y - b * x)


@kernel(internal=True)
def _length(given):
    total = 0.0
    for i in range(4):
        total += given[QUATERNION + i] * given[QUATERNION + i]
    return math.sqrt(total)
