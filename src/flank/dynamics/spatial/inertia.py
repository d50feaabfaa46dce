"""Inertia of spatial bodies: J α + ω x J ω with J = R J₀ Rᵀ, and its derivatives.

When the body turns by a vector a of space J changes by [a] J - J [a], so

    ∂/∂a = J [α] - [Jα] + [ω] (J [ω] - [Jω]),      ∂/∂ω = [ω] J - [Jω]        (gyroscopic).
"""

from flank.dynamics.model import ROUND_OFF
from flank.dynamics.scatter import add_to_body, target_of
from flank.dynamics.spatial.rotation import add_cross, apply, fill_jacobian
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


@kernel(internal=True)
def add_motion(model, state, work, to_velocity, to_acceleration, largest):
    """Inertia in forces and tangent, whose columns become those of the increment Δ; returns the
    largest force, and the force that moves masses by the round-off of their positions."""
    target = target_of(model, work, 0.0, 0.0)
    element = work.element
    torque = element[15]
    round_off = 0.0
    for body in range(1, model.mass.shape[0]):
        spin = state.velocity[body, 3:6]
        turning = state.acceleration[body, 3:6]
        mass = model.mass[body]
        fill_torque(state.matrix[body], model.inertia[body], spin, turning, element, torque)
        for i in range(3):
            inertia = mass * state.acceleration[body, i]
            work.force[body, i] -= inertia
            work.force[body, 3 + i] -= torque[i]
            largest = max(largest, abs(inertia), abs(element[THRUST, i]) / model.length_scale)
            round_off = max(round_off, ROUND_OFF * mass * abs(state.position[body, i]))
        add_turned_inertia(target, body, spin, turning, element)
        _turn_columns(model, work, body, state.turned[body], element[12:15, 0:3])
        add_inertia(target, body, spin, element, to_velocity, to_acceleration)
        for i in range(3):
            add_to_body(target, body, i, i, mass * to_acceleration)
    return largest, round_off * to_acceleration


@kernel(internal=True)
def _turn_columns(model, work, body, turned, jacobian):
    """Multiply the columns of a body's rotation by T(Δ)."""
    core_count = model.core_count
    fill_jacobian(turned, jacobian)
    if body <= core_count:
        _multiply(work.core, 6 * (body - 1) + 3, jacobian)
        for leaf in range(model.mass.shape[0] - 1 - core_count):
            for slot in range(model.leaf_neighbours.shape[1]):
                if model.leaf_neighbours[leaf, slot] == body:
                    _multiply(work.leaf_to_core[leaf, slot], 3, jacobian)
        return
    leaf = body - core_count - 1
    _multiply(work.leaf[leaf], 3, jacobian)
    for slot in range(model.leaf_neighbours.shape[1]):
        if model.leaf_neighbours[leaf, slot] != 0:
            _multiply(work.core_to_leaf[leaf, slot], 3, jacobian)


@kernel(internal=True)
def _multiply(matrix, first, jacobian):
    """Three columns times a 3 x 3 matrix, in place."""
    for row in range(matrix.shape[0]):
        x = matrix[row, first]
        y = matrix[row, first + 1]
        z = matrix[row, first + 2]
        if x != 0.0 or y != 0.0 or z != 0.0:
            for j in range(3):
                matrix[row, first + j] = (
                    x * jacobian[0, j] + y * jacobian[1, j] + z * jacobian[2, j]
                )


@kernel(internal=True)
def put_masses(model, state, work):
    """Masses and tensors J on the diagonal; ω x Jω off the forces."""
    target = target_of(model, work, 0.0, 0.0)
    torque = work.element[15]
    for body in range(1, model.mass.shape[0]):
        spin = state.velocity[body, 3:6]
        turning = state.acceleration[body, 3:6]  # zero
        fill_torque(state.matrix[body], model.inertia[body], spin, turning, work.element, torque)
        for i in range(3):
            work.force[body, 3 + i] -= torque[i]
            add_to_body(target, body, i, i, model.mass[body])
            for j in range(3):
                add_to_body(target, body, 3 + i, 3 + j, work.element[TENSOR + i, j])


@kernel(internal=True)
def inertia_of(model, body, i):
    """Moments about the body's own axes: their size is what is asked for."""
    return model.mass[body] if i < 3 else model.inertia[body, i - 3, i - 3]


@kernel(internal=True)
def heaviest(model):
    largest = 0.0
    for body in range(1, model.core_count + 1):
        largest = max(largest, model.mass[body])
    return largest
