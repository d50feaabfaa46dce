"""Bushings: springs and dampers along and about the axes of a frame on A.

Along the axes the potential is d·K d/2 of d = p_B - p_A seen from A, pulled back exactly. About
them it is Θ·K Θ/2 of the rotation vector Θ that takes A's relaxed place of B to B; with T of
rotation.py the torque on B is t = -T⁻ᵀ K Θ and A gets its opposite. The tangent of turning is
T⁻ᵀ K T⁻¹ and, between the bodies, ± [t]/2; parts of it of the order K Θ² are left out. Dampers have
a tangent by the rates alone.
"""

from flank.contact.spatial.pull_back import add_gradient, add_hessian, add_turning, cross_matrix
from flank.dynamics.scatter import clear_rows
from flank.dynamics.spatial.rotation import (
    add_cross,
    apply,
    dot,
    fill_inverse_jacobian,
    fill_turned_between,
)
from flank.dynamics.spatial.scatter import add_element, add_forces
from flank.kernel import kernel

FORCES, ARM_A, ARM_B, BETWEEN, PULL, RATE, ANGLE = range(7)
AXES, MATRIX, SCRATCH = 7, 8, 11
"""Rows of the scratch; AXES keeps three vectors in one row, MATRIX and SCRATCH have three rows."""


@kernel(internal=True)
def add_bushings(bushings, count, position, rotation, matrix, velocity, target, rate_factor, share):
    """Forces, tangent and energy of all bushings; `share` scales what turning adds."""
    energy = 0.0
    element = target.element
    block = target.block
    for k in range(count):
        bushing = bushings[k]
        a = bushing.body_a
        b = bushing.body_b
        clear_rows(block)
        for i in range(12):
            element[FORCES, i] = 0.0
        _place(bushing, position, matrix, element)
        energy += _add_along(bushing, velocity, element, block, rate_factor, share)
        energy += _add_about(bushing, rotation, velocity, element, block, rate_factor, share)
        add_forces(target, a, b, element[FORCES])
        add_element(target, a, b)
    return energy


@kernel(internal=True)
def bushing_power(bushings, count, position, matrix, velocity, element):
    """Power that the dampers take, W."""
    power = 0.0
    for k in range(count):
        bushing = bushings[k]
        _place(bushing, position, matrix, element)
        _rates(bushing, velocity, element)
        _along_axes(bushing.damping, element)
        apply(element[MATRIX : MATRIX + 3, 0:3], element[RATE, 0:3], element[PULL])
        power += dot(element[PULL], element[RATE])
        _along_axes(bushing.turning_damping, element)
        apply(element[MATRIX : MATRIX + 3, 0:3], element[RATE, 3:6], element[PULL])
        power += dot(element[PULL], element[RATE, 3:6])
    return power


@kernel(internal=True)
def _place(bushing, position, matrix, element):
    """Arms p_B - x_A and p_B - x_B, p_B - p_A, and the bushing's axes in space."""
    a = bushing.body_a
    b = bushing.body_b
    apply(matrix[b], bushing.at_b, element[ARM_B])
    apply(matrix[a], bushing.at_a, element[BETWEEN])
    for i in range(3):
        element[ARM_A, i] = position[b, i] + element[ARM_B, i] - position[a, i]
        element[BETWEEN, i] = element[ARM_A, i] - element[BETWEEN, i]
    for axis in range(3):
        apply(matrix[a], bushing.frame[axis], element[AXES, 3 * axis : 3 * axis + 3])


@kernel(internal=True)
def _rates(bushing, velocity, element):
    """Velocity of p_B seen from A, and B's angular velocity against A's, along axes of space."""
    a = bushing.body_a
    b = bushing.body_b
    for i in range(6):
        element[RATE, i] = velocity[b, i] - velocity[a, i]
    add_cross(velocity[b, 3:6], element[ARM_B], 1.0, element[RATE, 0:3])
    add_cross(velocity[a, 3:6], element[ARM_A], -1.0, element[RATE, 0:3])


@kernel(internal=True)
def _along_axes(values, element):
    """MATRIX = Σ values e eᵀ over the bushing's axes e."""
    axes = element[AXES]
    for i in range(3):
        for j in range(3):
            total = 0.0
            for axis in range(3):
                total += values[axis] * axes[3 * axis + i] * axes[3 * axis + j]
            element[MATRIX + i, j] = total


@kernel(internal=True)
def _add_along(bushing, velocity, element, block, rate_factor, share):
    hessian = element[MATRIX : MATRIX + 3, 0:3]
    scratch = element[SCRATCH : SCRATCH + 3]
    _along_axes(bushing.stiffness, element)
    apply(hessian, element[BETWEEN], element[PULL])
    energy = 0.5 * dot(element[PULL], element[BETWEEN])
    add_gradient(element[PULL], element[ARM_A], element[ARM_B], -1.0, element[FORCES])
    add_hessian(hessian, element[ARM_A], element[ARM_B], block, scratch)
    add_turning(element[PULL], element[ARM_A], element[ARM_B], share, block)
    _rates(bushing, velocity, element)
    _along_axes(bushing.damping, element)
    apply(hessian, element[RATE, 0:3], element[PULL])
    add_gradient(element[PULL], element[ARM_A], element[ARM_B], -1.0, element[FORCES])
    for i in range(3):
        for j in range(3):
            hessian[i, j] *= rate_factor
    add_hessian(hessian, element[ARM_A], element[ARM_B], block, scratch)
    return energy


@kernel(internal=True)
def _add_about(bushing, rotation, velocity, element, block, rate_factor, share):
    a = bushing.body_a
    b = bushing.body_b
    hessian = element[MATRIX : MATRIX + 3, 0:3]
    inverse = element[MATRIX : MATRIX + 3, 3:6]
    angle = element[ANGLE]
    fill_turned_between(rotation[a], bushing.relaxed, rotation[b], angle)
    fill_inverse_jacobian(angle, inverse)
    _along_axes(bushing.turning_stiffness, element)
    apply(hessian, angle, element[PULL])
    energy = 0.5 * dot(element[PULL], angle)
    for i in range(3):
        torque = 0.0
        for j in range(3):
            torque += inverse[j, i] * element[PULL, j]
        element[FORCES, 3 + i] += torque
        element[FORCES, 9 + i] -= torque
        element[ANGLE, 3 + i] = -torque
    for i in range(3):
        for j in range(3):
            half = 0.5 * share * cross_matrix(element[ANGLE, 3:6], i, j)
            block[3 + i, 9 + j] -= half
            block[9 + i, 3 + j] += half
    scratch = element[SCRATCH : SCRATCH + 3]
    for i in range(3):
        for j in range(3):
            total = 0.0
            for m in range(3):
                total += hessian[i, m] * inverse[m, j]
            scratch[i, j] = total
    for i in range(3):
        for j in range(3):
            total = 0.0
            for m in range(3):
                total += inverse[m, i] * scratch[m, j]
            _add_turning_pair(block, i, j, total)
    _along_axes(bushing.turning_damping, element)
    apply(hessian, element[RATE, 3:6], element[PULL])
    for i in range(3):
        element[FORCES, 3 + i] += element[PULL, i]
        element[FORCES, 9 + i] -= element[PULL, i]
        for j in range(3):
            _add_turning_pair(block, i, j, rate_factor * hessian[i, j])
    return energy


@kernel(internal=True)
def _add_turning_pair(block, i, j, value):
    """A number between rotations that only their difference feels."""
    block[3 + i, 3 + j] += value
    block[9 + i, 9 + j] += value
    block[3 + i, 9 + j] -= value
    block[9 + i, 3 + j] -= value
