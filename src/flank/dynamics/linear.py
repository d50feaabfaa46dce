"""Linear algebra of one Newton step: leaves first, then the dense core (motion.solve_step)."""

from flank.kernel import kernel


@kernel(internal=True)
def factorize(matrix, pivots, filled, size):
    """LU with partial pivoting in place; returns False for a singular matrix.

    `filled` is scratch for the columns where a pivot's row has entries: most bodies of a machine
    touch few others, so a row is short and only its entries are carried along.
    """
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
        entries = 0
        for k in range(column + 1, size):
            if matrix[column, k] != 0.0:
                filled[entries] = k
                entries += 1
        short = 3 * entries < size - column  # else a plain loop, which the processor runs wide
        inverse = 1.0 / matrix[column, column]
        for row in range(column + 1, size):
            factor = matrix[row, column] * inverse
            if factor != 0.0:
                matrix[row, column] = factor
                if short:
                    for i in range(entries):
                        matrix[row, filled[i]] -= factor * matrix[column, filled[i]]
                else:
                    for k in range(column + 1, size):
                        matrix[row, k] -= factor * matrix[column, k]
    return True


@kernel(internal=True)
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


@kernel(internal=True)
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
def eliminate_planar_leaves(model, work):
    """Schur complement: core -= C D⁻¹ B and right -= C D⁻¹ r for every leaf; D becomes D⁻¹.

    False for a singular D.
    """
    neighbours = model.leaf_neighbours
    leaf = work.leaf
    for k in range(model.mass.shape[0] - 1 - model.core_count):
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
                        factor += work.core_to_leaf[k, p, i, n] * leaf[k, n, m]
                    if factor == 0.0:
                        continue
                    work.right[row] -= factor * work.leaf_right[k, m]
                    for q in range(neighbours.shape[1]):
                        body_q = neighbours[k, q]
                        if body_q == 0:
                            break
                        column = 3 * (body_q - 1)
                        for j in range(3):
                            product = factor * work.leaf_to_core[k, q, m, j]
                            work.core[row, column + j] -= product
    return True


@kernel(internal=True)
def substitute_planar_leaves(model, work):
    """right -= C D⁻¹ r for every leaf, by what `eliminate_planar_leaves` has left of D."""
    neighbours = model.leaf_neighbours
    for k in range(model.mass.shape[0] - 1 - model.core_count):
        for m in range(3):
            moved = 0.0
            for n in range(3):
                moved += work.leaf[k, m, n] * work.leaf_right[k, n]
            for p in range(neighbours.shape[1]):
                body = neighbours[k, p]
                if body == 0:
                    break
                for i in range(3):
                    work.right[3 * (body - 1) + i] -= work.core_to_leaf[k, p, i, m] * moved


@kernel(internal=True)
def recover_planar_leaves(model, work):
    """Leaf steps D⁻¹ (r - B x) once the core step x is known."""
    neighbours = model.leaf_neighbours
    leaf_right = work.leaf_right
    for k in range(model.mass.shape[0] - 1 - model.core_count):
        for q in range(neighbours.shape[1]):
            body = neighbours[k, q]
            if body == 0:
                break
            for i in range(3):
                for j in range(3):
                    leaf_right[k, i] -= work.leaf_to_core[k, q, i, j] * work.step[body, j]
        for i in range(3):
            total = 0.0
            for j in range(3):
                total += work.leaf[k, i, j] * leaf_right[k, j]
            work.step[1 + model.core_count + k, i] = total


@kernel(internal=True)
def _solve_block(factors, pivots, block):
    """Replace a 6 x 6 block B by D⁻¹ B, D given by its factors."""
    for row in range(6):
        other = pivots[row]
        if other != row:
            for j in range(6):
                block[row, j], block[other, j] = block[other, j], block[row, j]
    for row in range(6):
        for k in range(row):
            factor = factors[row, k]
            if factor != 0.0:
                for j in range(6):
                    block[row, j] -= factor * block[k, j]
    for row in range(5, -1, -1):
        for k in range(row + 1, 6):
            factor = factors[row, k]
            if factor != 0.0:
                for j in range(6):
                    block[row, j] -= factor * block[k, j]
        inverse = 1.0 / factors[row, row]
        for j in range(6):
            block[row, j] *= inverse


@kernel(internal=True)
def _eliminate_leaf(neighbours, factors, pivots, filled, to_core, from_core, forces, core, right):
    """Schur complement of one leaf; B becomes D⁻¹ B and r becomes D⁻¹ r."""
    size = factors.shape[0]  # a literal would compile a copy of its own
    if not factorize(factors, pivots, filled, size):
        return False
    substitute(factors, pivots, forces, size)
    for q in range(neighbours.shape[0]):
        if neighbours[q] == 0:
            break
        _solve_block(factors, pivots, to_core[q])
    for p in range(neighbours.shape[0]):
        if neighbours[p] == 0:
            break
        for i in range(6):
            row = 6 * (neighbours[p] - 1) + i
            for m in range(6):
                factor = from_core[p, i, m]
                if factor == 0.0:
                    continue
                right[row] -= factor * forces[m]
                for q in range(neighbours.shape[0]):
                    if neighbours[q] == 0:
                        break
                    column = 6 * (neighbours[q] - 1)
                    for j in range(6):
                        core[row, column + j] -= factor * to_core[q, m, j]
    return True


@kernel(internal=True)
def eliminate_spatial_leaves(model, work):
    """The same of 6 x 6 blocks by LU: B becomes D⁻¹ B and r becomes D⁻¹ r."""
    for k in range(model.mass.shape[0] - 1 - model.core_count):
        if not _eliminate_leaf(
            model.leaf_neighbours[k],
            work.leaf[k],
            work.leaf_pivots[k],
            work.filled,
            work.leaf_to_core[k],
            work.core_to_leaf[k],
            work.leaf_right[k],
            work.core,
            work.right,
        ):
            return False
    return True


@kernel(internal=True)
def recover_spatial_leaves(model, work):
    neighbours = model.leaf_neighbours
    for k in range(model.mass.shape[0] - 1 - model.core_count):
        for i in range(6):
            value = work.leaf_right[k, i]
            for q in range(neighbours.shape[1]):
                body = neighbours[k, q]
                if body == 0:
                    break
                for j in range(6):
                    value -= work.leaf_to_core[k, q, i, j] * work.step[body, j]
            work.step[1 + model.core_count + k, i] = value
