"""Linear algebra of one Newton step: leaves first, then the dense core."""

import math

from flank.dynamics.elimination import solve_core
from flank.kernel import kernel


@kernel(internal=True)
def fill_right(model, work, share, scale):
    """Right-hand side of a step: unbalanced forces times `share`, then violations of the joints."""
    coordinates = work.force.shape[1]
    for body in range(1, model.mass.shape[0]):
        for i in range(coordinates):
            force = share * work.force[body, i]
            if body <= model.core_count:
                work.right[coordinates * (body - 1) + i] = force
            else:
                work.leaf_right[body - model.core_count - 1, i] = force
    for i in range(model.constraint_count):
        work.right[coordinates * model.core_count + i] = -scale * work.constraint[i]


@kernel
def invert_3(matrix):
    """Inverse of a 3 x 3 matrix in place; returns False if singular."""
    a, b, c = matrix[0, 0], matrix[0, 1], matrix[0, 2]
    d, e, f = matrix[1, 0], matrix[1, 1], matrix[1, 2]
    g, h, i = matrix[2, 0], matrix[2, 1], matrix[2, 2]
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    if determinant == 0.0:
        return False
    inverse = 1.0 / determinant
    matrix[0, 0], matrix[0, 1] = (e * i - f * h) * inverse, (c * h - b * i) * inverse
    matrix[0, 2], matrix[1, 0] = (b * f - c * e) * inverse, (f * g - d * i) * inverse
    matrix[1, 1], matrix[1, 2] = (a * i - c * g) * inverse, (c * d - a * f) * inverse
    matrix[2, 0], matrix[2, 1] = (d * h - e * g) * inverse, (b * g - a * h) * inverse
    matrix[2, 2] = (a * e - b * d) * inverse
    return True


@kernel(internal=True)
def eliminate_leaves(neighbours, leaf, leaf_to_core, core_to_leaf, leaf_right, core, right, leaves):
    """Schur complement: core -= C D⁻¹ B and right -= C D⁻¹ r for every leaf; D becomes D⁻¹."""
    for k in range(leaves):
        if not invert_3(leaf[k]):
            return False
        for p in range(neighbours.shape[1]):
            body_p = neighbours[k, p]
            if body_p == 0:
                break
            for i in range(3):
                row = 3 * (body_p - 1) + i
                for m in range(3):
                    factor = 0.0
                    for n in range(3):
                        factor += core_to_leaf[k, p, i, n] * leaf[k, n, m]
                    if factor == 0.0:
                        continue
                    right[row] -= factor * leaf_right[k, m]
                    for q in range(neighbours.shape[1]):
                        body_q = neighbours[k, q]
                        if body_q == 0:
                            break
                        for j in range(3):
                            core[row, 3 * (body_q - 1) + j] -= factor * leaf_to_core[k, q, m, j]
    return True


@kernel(internal=True)
def recover_leaves(neighbours, leaf, leaf_to_core, leaf_right, step, first_leaf, leaves):
    """Leaf steps D⁻¹ (r - B x) once the core step x is known."""
    for k in range(leaves):
        for q in range(neighbours.shape[1]):
            body = neighbours[k, q]
            if body == 0:
                break
            for i in range(3):
                for j in range(3):
                    leaf_right[k, i] -= leaf_to_core[k, q, i, j] * step[body, j]
        for i in range(3):
            total = 0.0
            for j in range(3):
                total += leaf[k, i, j] * leaf_right[k, j]
            step[first_leaf + k, i] = total


@kernel(internal=True)
def solve_step(model, work):
    """Solve the assembled system; fills work.step and work.multiplier_step.

    Returns False for a singular system and for a step that is not finite.
    """
    bodies = 3 * model.core_count
    size = bodies + model.constraint_count
    first_leaf = 1 + model.core_count
    leaves = model.mass.shape[0] - first_leaf
    core = work.core
    right = work.right
    step = work.step
    neighbours = model.leaf_neighbours
    if not eliminate_leaves(
        neighbours,
        work.leaf,
        work.leaf_to_core,
        work.core_to_leaf,
        work.leaf_right,
        core,
        right,
        leaves,
    ):
        return False
    if not solve_core(
        model.elimination, core, work.kept_core, work.pivots, work.filled, right, size
    ):
        return False
    for k in range(bodies):
        step[1 + k // 3, k % 3] = right[k]
    multiplier_step = work.multiplier_step
    for i in range(size - bodies):
        multiplier_step[i] = right[bodies + i]
    recover_leaves(
        neighbours, work.leaf, work.leaf_to_core, work.leaf_right, step, first_leaf, leaves
    )
    total = 0.0
    for body in range(1, step.shape[0]):
        for i in range(3):
            total += abs(step[body, i])
    return total < math.inf
