"""Linear algebra of one Newton step of spatial bodies: leaves first, then the dense core."""

import math

from flank.dynamics.elimination import factorize, solve_core, substitute
from flank.kernel import kernel


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
def _eliminate_leaf(neighbours, factors, pivots, filled, to_core, from_core, rest, core, right):
    """Schur complement of one leaf; B becomes D⁻¹ B and r becomes D⁻¹ r."""
    size = factors.shape[0]  # a literal would compile a copy of its own
    if not factorize(factors, pivots, filled, size):
        return False
    substitute(factors, pivots, rest, size)
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
                right[row] -= factor * rest[m]
                for q in range(neighbours.shape[0]):
                    if neighbours[q] == 0:
                        break
                    column = 6 * (neighbours[q] - 1)
                    for j in range(6):
                        core[row, column + j] -= factor * to_core[q, m, j]
    return True


@kernel(internal=True)
def solve_step(model, work):
    """Solve the assembled system; fills work.step and work.multiplier_step.

    Returns False for a singular system and for a step that is not finite.
    """
    core_count = model.core_count
    unknowns = 6 * core_count
    size = unknowns + model.constraint_count
    leaves = model.mass.shape[0] - 1 - core_count
    neighbours = model.leaf_neighbours
    right = work.right
    step = work.step
    for k in range(leaves):
        if not _eliminate_leaf(
            neighbours[k],
            work.leaf[k],
            work.leaf_pivots[k],
            work.filled,
            work.leaf_to_core[k],
            work.core_to_leaf[k],
            work.leaf_right[k],
            work.core,
            right,
        ):
            return False
    if not solve_core(
        model.elimination, work.core, work.kept_core, work.pivots, work.filled, right, size
    ):
        return False
    total = 0.0
    for k in range(unknowns):
        step[1 + k // 6, k % 6] = right[k]
        total += abs(right[k])
    for i in range(model.constraint_count):
        work.multiplier_step[i] = right[unknowns + i]
        total += abs(right[unknowns + i])
    for k in range(leaves):
        for i in range(6):
            value = work.leaf_right[k, i]
            for q in range(neighbours.shape[1]):
                body = neighbours[k, q]
                if body == 0:
                    break
                for j in range(6):
                    value -= work.leaf_to_core[k, q, i, j] * step[body, j]
            step[1 + core_count + k, i] = value
            total += abs(value)
    return total < math.inf
