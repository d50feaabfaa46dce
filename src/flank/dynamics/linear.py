"""Linear algebra of one Newton step: leaves first, then the dense core (motion.solve_step)."""

from typing import Any

from flank.kernel import kernel
from flank.team import (
    column_rank,
    columns,
    for_teams,
    rank,
    row_rank,
    rows,
    team_any,
    team_largest,
    team_size,
    wait,
)


def _place_in_row(places: Any, row: int, column: int) -> Any:
    return 0, int(places[row, column])


@for_teams(lambda _team: _place_in_row)
def place_of(places: Any, row: int, column: int) -> Any:
    """Where the core has an entry: a team has but those that can be filled, in one row."""
    return row, column


@kernel(internal=True)
def factorize(matrix, pivots, filled, size):
    """LU with partial pivoting in place; returns False for a singular matrix.

    `filled` is scratch for the columns where a pivot's row has entries: most bodies of a machine
    touch few others, so a row is short and only its entries are carried along.
    """
    alone = team_size() == 1
    for column in range(size):
        best = _largest_of_column(matrix, column, size)
        pivots[column] = best
        if matrix[best, column] == 0.0:
            return False
        if best != column:
            for k in range(rank(), size, team_size()):
                matrix[column, k], matrix[best, k] = matrix[best, k], matrix[column, k]
            wait()
        entries = 0
        if alone:
            for k in range(column + 1, size):
                if matrix[column, k] != 0.0:
                    filled[entries] = k
                    entries += 1
        # else a plain loop, which the processor runs wide, or a team
        short = alone and 3 * entries < size - column
        inverse = 1.0 / matrix[column, column]
        for row in range(column + 1, size):
            factor = matrix[row, column] * inverse
            if factor != 0.0:
                if alone:
                    matrix[row, column] = factor
                if short:
                    for i in range(entries):
                        matrix[row, filled[i]] -= factor * matrix[column, filled[i]]
                else:
                    for k in range(column + 1 + rank(), size, team_size()):
                        matrix[row, k] -= factor * matrix[column, k]
        if not alone:
            wait()
            for row in range(column + 1 + rank(), size, team_size()):
                matrix[row, column] *= inverse
            wait()
    return True


@kernel(internal=True)
def _largest_of_column(matrix, column, size):
    """The first row of those with the largest entry, from the diagonal on."""
    best = column + rank()
    largest = -1.0
    for row in range(column + rank(), size, team_size()):
        if abs(matrix[row, column]) > largest:
            best = row
            largest = abs(matrix[row, column])
    if team_size() > 1:
        best = -team_largest(-best if largest == team_largest(largest) else -size)
    return best


@kernel(internal=True)
def substitute(matrix, pivots, right, size):
    """Solve with the factors of `factorize`; the solution replaces `right`."""
    if rank() == 0:
        for row in range(size):
            other = pivots[row]
            if other != row:
                right[row], right[other] = right[other], right[row]
    wait()
    if team_size() > 1:
        _substitute_by_columns(matrix, right, size)
        return
    for row in range(size):
        for k in range(row):
            right[row] -= matrix[row, k] * right[k]
    for row in range(size - 1, -1, -1):
        for k in range(row + 1, size):
            right[row] -= matrix[row, k] * right[k]
        right[row] /= matrix[row, row]


@kernel(internal=True)
def _substitute_by_columns(matrix, right, size):
    """The same by a team: what is known of one unknown is taken off all others."""
    for k in range(size):
        for row in range(k + 1 + rank(), size, team_size()):
            right[row] -= matrix[row, k] * right[k]
        wait()
    for k in range(size - 1, -1, -1):
        value = right[k] / matrix[k, k]
        wait()
        for row in range(rank(), k, team_size()):
            right[row] -= matrix[row, k] * value
        right[k] = value
        wait()


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
    """Schur complement: core -= C D⁻¹ B and right -= C D⁻¹ r for every leaf; D becomes D⁻¹ and C
    becomes C D⁻¹.

    False for a singular D.
    """
    neighbours = model.leaf_neighbours
    leaves = model.mass.shape[0] - 1 - model.core_count
    singular = False
    for k in range(rank(), leaves, team_size()):
        if not invert_3(work.leaf[k]):
            singular = True
    if team_any(singular):
        return False
    wait()
    for k in range(leaves):
        for n in range(rank(), 3 * neighbours.shape[1], team_size()):
            if neighbours[k, n // 3] != 0:
                _times_inverse(work.core_to_leaf[k, n // 3, n % 3], work.leaf[k])
    wait()
    for k in range(leaves):
        for p in range(neighbours.shape[1]):
            if neighbours[k, p] == 0:
                break
            _take_leaf_off(model, work, k, p)
        wait()
    return True


@kernel(internal=True)
def _times_inverse(row, inverse):
    a, b, c = row[0], row[1], row[2]
    for m in range(3):
        row[m] = a * inverse[0, m] + b * inverse[1, m] + c * inverse[2, m]


@kernel(internal=True)
def _take_leaf_off(model, work, k, p):
    """What a leaf gives to the rows of one of its neighbours."""
    neighbours = model.leaf_neighbours
    body = neighbours[k, p]
    factors = work.core_to_leaf[k, p]
    for i in range(row_rank(), 3, rows()):
        row = 3 * (body - 1) + i
        for q in range(neighbours.shape[1]):
            other = neighbours[k, q]
            if other == 0:
                break
            for j in range(column_rank(), 3, columns()):
                column = 3 * (other - 1) + j
                at = place_of(model.elimination.places, row, column)
                for m in range(3):
                    work.core[at] -= factors[i, m] * work.leaf_to_core[k, q, m, j]
        if column_rank() == 0:
            for m in range(3):
                work.right[row] -= factors[i, m] * work.leaf_right[k, m]


@kernel(internal=True)
def substitute_planar_leaves(model, work):
    """right -= C D⁻¹ r for every leaf, by what `eliminate_planar_leaves` has left of C."""
    neighbours = model.leaf_neighbours
    for k in range(model.mass.shape[0] - 1 - model.core_count):
        for p in range(neighbours.shape[1]):
            body = neighbours[k, p]
            if body == 0:
                break
            for i in range(3):
                for m in range(3):
                    factor = work.core_to_leaf[k, p, i, m]
                    work.right[3 * (body - 1) + i] -= factor * work.leaf_right[k, m]


@kernel(internal=True)
def recover_planar_leaves(model, work):
    """Leaf steps D⁻¹ (r - B x) once the core step x is known."""
    neighbours = model.leaf_neighbours
    leaf_right = work.leaf_right
    for k in range(rank(), model.mass.shape[0] - 1 - model.core_count, team_size()):
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
