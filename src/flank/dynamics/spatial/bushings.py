"""Bushings: springs and dampers along and about the axes of a frame on A.

Along the axes the potential is d·K d/2 of d = p_B - p_A seen from A, pulled back exactly. About
them it is Θ·K Θ/2 of the rotation vector Θ that takes A's relaxed place of B to B; with T of
rotation.py the torque on B is t = -T⁻ᵀ K Θ and A gets its opposite. The tangent of turning is
T⁻ᵀ K T⁻¹ and, between the bodies, ± [t]/2; parts of it of the order K Θ² are left out. Dampers have
a tangent by the rates alone.
"""

from flank.contact.spatial.pull_back import add_gradient, add_hessian, add_turning, cross_matrix
from flank.dynamics.model import SPRINGS
from flank.dynamics.scatter import add_element, add_forces, clear_rows
from flank.dynamics.spatial.rotation import (
    add_cross,
    apply,
    dot,
    fill_inverse_jacobian,
    fill_turned_between,
)
from flank.kernel import kernel

FORCES, ARM_A, ARM_B, BETWEEN, GRADIENT, RATE, ANGLE = range(7)
AXES, MATRIX, SCRATCH = 7, 8, 11
"""Rows of the scratch; AXES keeps three vectors in one row, MATRIX and SCRATCH have three rows."""


@kernel(internal=True)
def add_bushings(model, state, target):
    """Forces, tangent and energy of all bushings."""
    energy = 0.0
    element = target.element
    for k in range(model.counts[SPRINGS]):
        bushing = model.bushings[k]
        clear_rows(target.block)
        for i in range(12):
            element[FORCES, i] = 0.0
        _place(bushing, state.position, state.matrix, element)
        energy += _add_along(bushing, state.velocity, target)
        energy += _add_about(bushing, state.rotation, target)
        add_forces(target, bushing.body_a, bushing.body_b, element[FORCES])
        add_element(target, bushing.body_a, bushing.body_b)
    return energy


@kernel(internal=True)
def bushing_power(model, state, element):
    """Power that the dampers take, W."""
    power = 0.0
    for k in range(model.counts[SPRINGS]):
        bushing = model.bushings[k]
        _place(bushing, state.position, state.matrix, element)
        _rates(bushing, state.velocity, element)
        _along_axes(bushing.damping, element)
        apply(element[MATRIX : MATRIX + 3, 0:3], element[RATE, 0:3], element[GRADIENT])
        power += dot(element[GRADIENT], element[RATE])
        _along_axes(bushing.turning_damping, element)
        apply(element[MATRIX : MATRIX + 3, 0:3], element[RATE, 3:6], element[GRADIENT])
        power += dot(element[GRADIENT], element[RATE, 3:6])
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
def _add_along(bushing, velocity, target):
    element = target.element
    block = target.block
    hessian = element[MATRIX : MATRIX + 3, 0:3]
    scratch = element[SCRATCH : SCRATCH + 3]
    _along_axes(bushing.stiffness, element)
    apply(hessian, element[BETWEEN], element[GRADIENT])
    energy = 0.5 * dot(element[GRADIENT], element[BETWEEN])
    add_gradient(element[GRADIENT], element[ARM_A], element[ARM_B], -1.0, element[FORCES])
    add_hessian(hessian, element[ARM_A], element[ARM_B], block, scratch)
    add_turning(element[GRADIENT], element[ARM_A], element[ARM_B], target.geometric_factor, block)
    _rates(bushing, velocity, element)
    _along_axes(bushing.damping, element)
    apply(hessian, element[RATE, 0:3], element[GRADIENT])
    add_gradient(element[GRADIENT], element[ARM_A], element[ARM_B], -1.0, element[FORCES])
    for i in range(3):
        for j in range(3):
            hessian[i, j] *= target.rate_factor
    add_hessian(hessian, element[ARM_A], element[ARM_B], block, scratch)
    return energy


@kernel(internal=True)
def _add_about(bushing, rotation, target):
    """After `_add_along`, which has filled axes and rates."""
    element = target.element
    block = target.block
    hessian = element[MATRIX : MATRIX + 3, 0:3]
    inverse = element[MATRIX : MATRIX + 3, 3:6]
    angle = element[ANGLE]
    fill_turned_between(rotation[bushing.body_a], bushing.relaxed, rotation[bushing.body_b], angle)
    fill_inverse_jacobian(angle, inverse)
    _along_axes(bushing.turning_stiffness, element)
    apply(hessian, angle, element[GRADIENT])
    energy = 0.5 * dot(element[GRADIENT], angle)
    for i in range(3):
        torque = 0.0
        for j in range(3):
            torque += inverse[j, i] * element[GRADIENT, j]
        element[FORCES, 3 + i] += torque
        element[FORCES, 9 + i] -= torque
        element[ANGLE, 3 + i] = -torque
    for i in range(3):
        for j in range(3):
            half = 0.5 * target.geometric_factor * cross_matrix(element[ANGLE, 3:6], i, j)
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
    apply(hessian, element[RATE, 3:6], element[GRADIENT])
    for i in range(3):
        element[FORCES, 3 + i] += element[GRADIENT, i]
        element[FORCES, 9 + i] -= element[GRADIENT, i]
        for j in range(3):
            _add_turning_pair(block, i, j, target.rate_factor * hessian[i, j])
    return energy


@kernel(internal=True)
def _add_turning_pair(block, i, j, value):
    """A number between rotations that only their difference feels."""
    block[3 + i, 3 + j] += value
    block[9 + i, 9 + j] += value
    block[3 + i, 9 + j] -= value
    block[9 + i, 3 + j] -= value
