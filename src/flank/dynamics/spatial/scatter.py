"""Where the block of two spatial bodies goes in the tangent: core, leaf, or between them."""

from flank.dynamics.scatter import clear_rows, slot_of
from flank.kernel import kernel


@kernel(internal=True)
def add_forces(target, body_a, body_b, values):
    """Add twelve generalized forces of an element to its bodies."""
    for i in range(6):
        target.force[body_a, i] += values[i]
        target.force[body_b, i] += values[6 + i]


@kernel(internal=True)
def add_element(target, body_a, body_b):
    """Add the 12 x 12 target.block of an element between two bodies."""
    for row in range(2):
        row_body = body_a if row == 0 else body_b
        for column in range(2):
            column_body = body_a if column == 0 else body_b
            if row_body != 0 and column_body != 0:
                _add(target, row_body, column_body, 6 * row, 6 * column)


@kernel(internal=True)
def _add(target, row_body, column_body, i0, j0):
    core = target.core_count
    block = target.block
    if row_body <= core and column_body <= core:
        row = 6 * (row_body - 1)
        column = 6 * (column_body - 1)
        for i in range(6):
            for j in range(6):
                target.core[row + i, column + j] += block[i0 + i, j0 + j]
        return
    if row_body > core and column_body > core:
        into = target.leaf[row_body - core - 1]
    elif row_body > core:
        leaf = row_body - core - 1
        into = target.leaf_to_core[leaf, slot_of(target.neighbours, leaf, column_body)]
    else:
        leaf = column_body - core - 1
        into = target.core_to_leaf[leaf, slot_of(target.neighbours, leaf, row_body)]
    for i in range(6):
        for j in range(6):
            into[i, j] += block[i0 + i, j0 + j]


@kernel(internal=True)
def add_to_body(target, body, i, j, value):
    """Add one number to the diagonal block of a body."""
    if body <= target.core_count:
        first = 6 * (body - 1)
        target.core[first + i, first + j] += value
    else:
        target.leaf[body - target.core_count - 1, i, j] += value


@kernel(internal=True)
def clear_tangent(target):
    clear_rows(target.core)
    for leaf in range(target.leaf.shape[0]):
        clear_rows(target.leaf[leaf])
        for slot in range(target.neighbours.shape[1]):
            clear_rows(target.leaf_to_core[leaf, slot])
            clear_rows(target.core_to_leaf[leaf, slot])
