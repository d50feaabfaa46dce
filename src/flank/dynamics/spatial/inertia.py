"""Inertia of spatial bodies: J α + ω x J ω with J = R J₀ Rᵀ, and its derivatives.

When the body turns by a vector a of space J changes by [a] J - J [a], so

    ∂/∂a = J [α] - [Jα] + [ω] (J [ω] - [Jω]),      ∂/∂ω = [ω] J - [Jω]        (gyroscopic).
"""

from flank.dynamics.spatial.rotation import add_cross, apply
from flank.dynamics.spatial.scatter import add_to_body
from flank.kernel import kernel

TENSOR, MOMENTUM, THRUST, PRODUCT, OTHER = 0, 3, 4, 5, 8
"""Rows of the scratch: J, Jω, Jα, a product, another."""


@kernel(internal=True)
def fill_tensor(matrix, inertia, element):
    """J = R J₀ Rᵀ into the scratch."""
    for i in range(3):
        for j in range(3):
            total = 0.0
            for m in range(3):
                total += matrix[i, m] * inertia[m, j]
            element[PRODUCT + i, j] = total
    for i in range(3):
        for j in range(3):
            total = 0.0
            for m in range(3):
                total += element[PRODUCT + i, m] * matrix[j, m]
            element[TENSOR + i, j] = total


@kernel(internal=True)
def fill_torque(matrix, inertia, spin, angular_acceleration, element, out):
    """out = J α + ω x J ω; leaves J, Jω and Jα in the scratch."""
    fill_tensor(matrix, inertia, element)
    tensor = element[TENSOR : TENSOR + 3, 0:3]
    apply(tensor, spin, element[MOMENTUM])
    apply(tensor, angular_acceleration, element[THRUST])
    for i in range(3):
        out[i] = element[THRUST, i]
    add_cross(spin, element[MOMENTUM], 1.0, out)


@kernel(internal=True)
def add_turned_inertia(target, body, spin, angular_acceleration, element):
    """Add ∂/∂a to the tangent of a body; the scratch is that of fill_torque."""
    _tensor_times_cross(element, angular_acceleration, element[THRUST], PRODUCT)
    for i in range(3):
        for j in range(3):
            add_to_body(target, body, 3 + i, 3 + j, element[PRODUCT + i, j])
    _tensor_times_cross(element, spin, element[MOMENTUM], PRODUCT)
    for j in range(3):
        for i in range(3):
            element[OTHER, i] = element[PRODUCT + i, j]
            element[OTHER + 1, i] = 0.0
        add_cross(spin, element[OTHER], 1.0, element[OTHER + 1])
        for i in range(3):
            add_to_body(target, body, 3 + i, 3 + j, element[OTHER + 1, i])


@kernel(internal=True)
def add_inertia(target, body, spin, element, to_velocity, to_acceleration):
    """Add to_acceleration J + to_velocity ([ω] J - [Jω]); the scratch is that of fill_torque."""
    momentum = element[MOMENTUM]
    for j in range(3):
        column = element[OTHER]
        out = element[OTHER + 1]
        for i in range(3):
            column[i] = element[TENSOR + i, j]
            out[i] = 0.0
        add_cross(spin, column, 1.0, out)
        for i in range(3):
            element[OTHER + 2, i] = 1.0 if i == j else 0.0
        add_cross(momentum, element[OTHER + 2], -1.0, out)
        for i in range(3):
            value = to_acceleration * element[TENSOR + i, j] + to_velocity * out[i]
            add_to_body(target, body, 3 + i, 3 + j, value)


@kernel(internal=True)
def _tensor_times_cross(element, vector, image, first):
    """Rows from `first` = J [v] - [w], w = `image`."""
    x = vector[0]
    y = vector[1]
    z = vector[2]
    for i in range(3):
        row = element[TENSOR + i]
        element[first + i, 0] = row[1] * z - row[2] * y
        element[first + i, 1] = row[2] * x - row[0] * z
        element[first + i, 2] = row[0] * y - row[1] * x
    element[first, 1] += image[2]
    element[first + 1, 0] -= image[2]
    element[first, 2] -= image[1]
    element[first + 2, 0] += image[1]
    element[first + 1, 2] += image[0]
    element[first + 2, 1] -= image[0]
