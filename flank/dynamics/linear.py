"""Linear algebra of one Newton step: leaves first, then the dense core."""

from flank.kernel import kernel


@kernel
def factorize(matrix, pivots, size):
    """LU with partial pivoting in place; returns False for a singular matrix."""
    for column in range(size):
        best = column
        for row in range(column + 1, size):
            if abs(matrix[row, column]) > abs(matrix[best, column]):
                best = row
        pivots[column] = best
        if matrix[best, column] == 0.0:
            return False
        if best != column:
            for k in range(size):
                matrix[column, k], matrix[best, k] = matrix[best, k], matrix[column, k]
        inverse = 1.0 / matrix[column, column]
        for row in range(column + 1, size):
            factor = matrix[row, column] * inverse
            if factor != 0.0:
                matrix[row, column] = factor
                for k in range(column + 1, size):
                    matrix[row, k] -= factor * matrix[column, k]
    return True


@kernel
def substitute(matrix, pivots, right, size):
    """Solve with the factors of `factorize`; the solution replaces `right`."""
    for row in range(size):
        other = pivots[row]
        if other != row:
            right[row], right[other] = right[other], right[row]
    for row in range(size):
        for k in range(row):
            right[row] -= matrix[row, k] * right[k]
    for row in range(size - 1, -1, -1):
        for k in range(row + 1, size):
            right[row] -= matrix[row, k] * right[k]
        right[row] /= matrix[row, row]


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
def eliminate_leaves(model, work):
    """Schur complement: core -= C D⁻¹ B and right -= C D⁻¹ r for every leaf; D becomes D⁻¹."""
    leaves = model.mass.shape[0] - 1 - model.core_count
    for leaf in range(leaves):
        if not invert_3(work.leaf[leaf]):
            return False
        for p in range(model.leaf_neighbours.shape[1]):
            body_p = model.leaf_neighbours[leaf, p]
            if body_p == 0:
                break
            _eliminate_row(model, work, leaf, p, 3 * (body_p - 1))
    return True


@kernel(internal=True)
def _eliminate_row(model, work, leaf, p, row):
    inverse = work.leaf[leaf]
    for i in range(3):
        c0 = work.core_to_leaf[leaf, p, i, 0]
        c1 = work.core_to_leaf[leaf, p, i, 1]
        c2 = work.core_to_leaf[leaf, p, i, 2]
        if c0 == 0.0 and c1 == 0.0 and c2 == 0.0:
            continue
        m0 = c0 * inverse[0, 0] + c1 * inverse[1, 0] + c2 * inverse[2, 0]
        m1 = c0 * inverse[0, 1] + c1 * inverse[1, 1] + c2 * inverse[2, 1]
        m2 = c0 * inverse[0, 2] + c1 * inverse[1, 2] + c2 * inverse[2, 2]
        right = work.leaf_right[leaf]
        work.right[row + i] -= m0 * right[0] + m1 * right[1] + m2 * right[2]
        for q in range(model.leaf_neighbours.shape[1]):
            body_q = model.leaf_neighbours[leaf, q]
            if body_q == 0:
                break
            block = work.leaf_to_core[leaf, q]
            for j in range(3):
                work.core[row + i, 3 * (body_q - 1) + j] -= (
                    m0 * block[0, j] + m1 * block[1, j] + m2 * block[2, j]
                )


@kernel(internal=True)
def recover_leaves(model, work):
    """Leaf steps D⁻¹ (r - B x) once the core step is known; fills work.step for leaves."""
    leaves = model.mass.shape[0] - 1 - model.core_count
    for leaf in range(leaves):
        r0 = work.leaf_right[leaf, 0]
        r1 = work.leaf_right[leaf, 1]
        r2 = work.leaf_right[leaf, 2]
        for q in range(model.leaf_neighbours.shape[1]):
            body = model.leaf_neighbours[leaf, q]
            if body == 0:
                break
            block = work.leaf_to_core[leaf, q]
            for j in range(3):
                value = work.step[body, j]
                r0 -= block[0, j] * value
                r1 -= block[1, j] * value
                r2 -= block[2, j] * value
        inverse = work.leaf[leaf]
        body = 1 + model.core_count + leaf
        for i in range(3):
            work.step[body, i] = inverse[i, 0] * r0 + inverse[i, 1] * r1 + inverse[i, 2] * r2


@kernel(internal=True)
def solve_step(model, work):
    """Solve the assembled system; fills work.step and work.multiplier_step."""
    size = 3 * model.core_count + model.constraint_count
    if not eliminate_leaves(model, work):
        return False
    if not factorize(work.core, work.pivots, size):
        return False
    substitute(work.core, work.pivots, work.right, size)
    for body in range(1, model.core_count + 1):
        for i in range(3):
            work.step[body, i] = work.right[3 * (body - 1) + i]
    for i in range(model.constraint_count):
        work.multiplier_step[i] = work.right[3 * model.core_count + i]
    recover_leaves(model, work)
    return True
