"""Vectors of three numbers, as tuples."""

from flank.kernel import kernel


@kernel(internal=True)
def turned(matrix, x, y, z):
    """Matrix times vector."""
    return (
        matrix[0, 0] * x + matrix[0, 1] * y + matrix[0, 2] * z,
        matrix[1, 0] * x + matrix[1, 1] * y + matrix[1, 2] * z,
        matrix[2, 0] * x + matrix[2, 1] * y + matrix[2, 2] * z,
    )


@kernel(internal=True)
def turned_back(matrix, x, y, z):
    """Transposed matrix times vector."""
    return (
        matrix[0, 0] * x + matrix[1, 0] * y + matrix[2, 0] * z,
        matrix[0, 1] * x + matrix[1, 1] * y + matrix[2, 1] * z,
        matrix[0, 2] * x + matrix[1, 2] * y + matrix[2, 2] * z,
    )


@kernel(internal=True)
def cross(u, v):
    """u x v."""
    return (
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    )


@kernel(internal=True)
def dot(u, v):
    """u · v."""
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
