"""Rotations in kernels: unit quaternions (w, x, y, z), matrices, vectors and their Jacobians.

A rotation vector v of space turns R into exp(v) R. Close to v,

    exp(v + dv) = exp(T(v) dv) exp(v),   T = 1 + (1 - cos θ)/θ² [v] + (θ - sin θ)/θ³ [v]²,

θ = |v|, [v] the matrix of v x; T⁻¹ = 1 - [v]/2 + (1/θ² - (1 + cos θ)/(2 θ sin θ)) [v]².
"""

import math

from flank.kernel import kernel

SMALL = 1e-4
"""rad: below it coefficients are taken from their series, whose next term is under round-off."""


@kernel(internal=True)
def turn(quaternion, vector, out):
    """out = exp(vector) quaternion, of unit length."""
    angle = math.sqrt(vector[0] ** 2 + vector[1] ** 2 + vector[2] ** 2)
    half = 0.5 * angle
    share = math.sin(half) / angle if angle > SMALL else 0.5 - angle * angle / 48.0
    w = math.cos(half)
    x = share * vector[0]
    y = share * vector[1]
    z = share * vector[2]
    a = quaternion[0]
    b = quaternion[1]
    c = quaternion[2]
    d = quaternion[3]
    new_w = w * a - x * b - y * c - z * d
    new_x = w * b + x * a + y * d - z * c
    new_y = w * c - x * d + y * a + z * b
    new_z = w * d + x * c - y * b + z * a
    scale = 1.0 / math.sqrt(new_w**2 + new_x**2 + new_y**2 + new_z**2)
    out[0] = scale * new_w
    out[1] = scale * new_x
    out[2] = scale * new_y
    out[3] = scale * new_z


@kernel(internal=True)
def fill_matrix(quaternion, matrix):
    """Rotation matrix of a unit quaternion."""
    w = quaternion[0]
    x = quaternion[1]
    y = quaternion[2]
    z = quaternion[3]
    matrix[0, 0] = 1.0 - 2.0 * (y * y + z * z)
    matrix[0, 1] = 2.0 * (x * y - w * z)
    matrix[0, 2] = 2.0 * (x * z + w * y)
    matrix[1, 0] = 2.0 * (x * y + w * z)
    matrix[1, 1] = 1.0 - 2.0 * (x * x + z * z)
    matrix[1, 2] = 2.0 * (y * z - w * x)
    matrix[2, 0] = 2.0 * (x * z - w * y)
    matrix[2, 1] = 2.0 * (y * z + w * x)
    matrix[2, 2] = 1.0 - 2.0 * (x * x + y * y)


@kernel(internal=True)
def fill_jacobian(vector, matrix):
    """T(v)."""
    square = vector[0] ** 2 + vector[1] ** 2 + vector[2] ** 2
    angle = math.sqrt(square)
    if angle > SMALL:
        first = 2.0 * (math.sin(0.5 * angle) / angle) ** 2
        second = (angle - math.sin(angle)) / (angle * square)
    else:
        first = 0.5 - square / 24.0
        second = 1.0 / 6.0 - square / 120.0
    _fill_polynomial(vector, first, second, matrix)


@kernel(internal=True)
def fill_inverse_jacobian(vector, matrix):
    """T⁻¹(v), for rotations below half a turn."""
    square = vector[0] ** 2 + vector[1] ** 2 + vector[2] ** 2
    angle = math.sqrt(square)
    if angle > 0.01:
        second = (1.0 - 0.5 * angle / math.tan(0.5 * angle)) / square
    else:  # the difference would lose digits
        second = 1.0 / 12.0 + square / 720.0
    _fill_polynomial(vector, -0.5, second, matrix)


@kernel(internal=True)
def _fill_polynomial(vector, first, second, matrix):
    """matrix = 1 + first [v] + second [v]², [v]² = v vᵀ - |v|²."""
    x = vector[0]
    y = vector[1]
    z = vector[2]
    diagonal = 1.0 - second * (x * x + y * y + z * z)
    matrix[0, 0] = diagonal + second * x * x
    matrix[1, 1] = diagonal + second * y * y
    matrix[2, 2] = diagonal + second * z * z
    matrix[0, 1] = second * x * y - first * z
    matrix[1, 0] = second * x * y + first * z
    matrix[0, 2] = second * x * z + first * y
    matrix[2, 0] = second * x * z - first * y
    matrix[1, 2] = second * y * z - first * x
    matrix[2, 1] = second * y * z + first * x


@kernel(internal=True)
def fill_turned_between(from_a, relaxed, to_b, vector):
    """Rotation vector of space that takes R_A R_relaxed to R_B, all as quaternions."""
    w = from_a[0] * relaxed[0] - from_a[1] * relaxed[1] - from_a[2] * relaxed[2]
    w -= from_a[3] * relaxed[3]
    x = from_a[0] * relaxed[1] + from_a[1] * relaxed[0] + from_a[2] * relaxed[3]
    x -= from_a[3] * relaxed[2]
    y = from_a[0] * relaxed[2] - from_a[1] * relaxed[3] + from_a[2] * relaxed[0]
    y += from_a[3] * relaxed[1]
    z = from_a[0] * relaxed[3] + from_a[1] * relaxed[2] - from_a[2] * relaxed[1]
    z += from_a[3] * relaxed[0]
    _fill_vector(w, x, y, z, to_b, vector)


@kernel(internal=True)
def fill_vector_between(start, end, vector):
    """Rotation vector of space that takes one quaternion to another."""
    _fill_vector(start[0], start[1], start[2], start[3], end, vector)


@kernel(internal=True)
def _fill_vector(w, x, y, z, to_b, vector):
    """From the quaternion (w, x, y, z)."""
    a = to_b[0]
    b = to_b[1]
    c = to_b[2]
    d = to_b[3]
    real = a * w + b * x + c * y + d * z  # of q_B times the conjugate of (w, x, y, z)
    i = -a * x + b * w - c * z + d * y
    j = -a * y + b * z + c * w - d * x
    k = -a * z - b * y + c * x + d * w
    size = math.sqrt(i * i + j * j + k * k)
    if real < 0.0:
        real = -real
        i = -i
        j = -j
        k = -k
    factor = 2.0 * math.atan2(size, real) / size if size > 1e-8 else 2.0 / real
    vector[0] = factor * i
    vector[1] = factor * j
    vector[2] = factor * k


@kernel(internal=True)
def apply(matrix, vector, out):
    """out = matrix vector, three numbers; out must not be the vector."""
    for i in range(3):
        out[i] = matrix[i, 0] * vector[0] + matrix[i, 1] * vector[1] + matrix[i, 2] * vector[2]


@kernel(internal=True)
def add_cross(u, v, factor, out):
    """out += factor u x v."""
    out[0] += factor * (u[1] * v[2] - u[2] * v[1])
    out[1] += factor * (u[2] * v[0] - u[0] * v[2])
    out[2] += factor * (u[0] * v[1] - u[1] * v[0])


@kernel(internal=True)
def dot(u, v):
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
