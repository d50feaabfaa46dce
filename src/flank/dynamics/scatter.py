"""Where a block of two bodies goes in the tangent: core, leaf, or between them."""

from typing import NamedTuple

from flank.arrays import Floats
from flank.kernel import kernel


class Target(NamedTuple):
    """What an element adds to. Whole models and workspaces are slow to pass and to compile.

    Blocks of planar bodies are 3 x 3, of spatial ones 6 x 6 (spatial/scatter.py).
    """

    core_count: int
    neighbours: Floats
    core: Floats
    leaf: Floats
    leaf_to_core: Floats
    core_to_leaf: Floats
    force: Floats
    element: Floats
    block: Floats


@kernel(internal=True)
def target_of(model, work):
    return Target(
        model.core_count,
        model.leaf_neighbours,
        work.core,
        work.leaf,
        work.leaf_to_core,
        work.core_to_leaf,
        work.force,
        work.element,
        work.block,
    )


@kernel(internal=True)
def add_element(target, body_a, body_b):
    """Add the 6 x 6 target.block of an element between any two bodies."""
    for row in range(2):
        for column in range(2):
            row_body = body_a if row == 0 else body_b
            column_body = body_a if column == 0 else body_b
            _add(target, row_body, column_body, 3 * row, 3 * column)


@kernel(internal=True)
def _add(target, row_body, column_body, i0, j0):
    if row_body == 0 or column_body == 0:
        return
    core = target.core_count
    if row_body <= core and column_body <= core:
        row = 3 * (row_body - 1)
        column = 3 * (column_body - 1)
        for i in range(3):
            for j in range(3):
                target.core[row + i, column + j] += target.block[i0 + i, j0 + j]
        return
    if row_body > core and column_body > core:
        into = target.leaf[row_body - core - 1]
    elif row_body > core:
        leaf = row_body - core - 1
        into = target.leaf_to_core[leaf, slot_of(target.neighbours, leaf, column_body)]
    else:
        leaf = column_body - core - 1
        into = target.core_to_leaf[leaf, slot_of(target.neighbours, leaf, row_body)]
    for i in range(3):
        for j in range(3):
            into[i, j] += target.block[i0 + i, j0 + j]


@kernel(internal=True)
def slot_of(neighbours, leaf, body):
    """Which of a leaf's neighbours a core body is."""
    slot = 0
    while neighbours[leaf, slot] != body:
        slot += 1
    return slot


@kernel(internal=True)
def add_diagonal(target, body, values, factor):
    """Add factor x values (three numbers) to the diagonal block of a body."""
    for i in range(3):
        if body <= target.core_count:
            k = 3 * (body - 1) + i
            target.core[k, k] += factor * values[i]
        else:
            target.leaf[body - target.core_count - 1, i, i] += factor * values[i]


@kernel(internal=True)
def add_to_diagonal(model, work, body, i, value):
    """Add a number to the diagonal of one coordinate, whatever number of them a body has."""
    if body <= model.core_count:
        k = work.step.shape[1] * (body - 1) + i
        work.core[k, k] += value
    else:
        work.leaf[body - model.core_count - 1, i, i] += value


@kernel(internal=True)
def clear_tangent(target):
    size = target.core.shape[0]
    for i in range(size):
        for j in range(size):
            target.core[i, j] = 0.0
    for leaf in range(target.leaf.shape[0]):
        for i in range(3):
            for j in range(3):
                target.leaf[leaf, i, j] = 0.0
                for slot in range(target.leaf_to_core.shape[1]):
                    target.leaf_to_core[leaf, slot, i, j] = 0.0
                    target.core_to_leaf[leaf, slot, i, j] = 0.0


@kernel(internal=True)
def clear_rows(rows):
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            rows[i, j] = 0.0


@kernel(internal=True)
def copy_rows(source, target):
    for i in range(source.shape[0]):
        for j in range(source.shape[1]):
            target[i, j] = source[i, j]
