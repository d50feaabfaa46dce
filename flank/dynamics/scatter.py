"""Where a block of two bodies goes in the tangent: core, leaf, or between them."""

from flank.kernel import kernel


@kernel(internal=True)
def add_element(model, work, body_a, body_b):
    """Add the 6 x 6 work.block of an element between any two bodies."""
    for row in range(2):
        for column in range(2):
            row_body = body_a if row == 0 else body_b
            column_body = body_a if column == 0 else body_b
            _add(model, work, row_body, column_body, 3 * row, 3 * column)


@kernel(internal=True)
def _add(model, work, row_body, column_body, i0, j0):
    if row_body == 0 or column_body == 0:
        return
    core = model.core_count
    if row_body <= core and column_body <= core:
        row = 3 * (row_body - 1)
        column = 3 * (column_body - 1)
        for i in range(3):
            for j in range(3):
                work.core[row + i, column + j] += work.block[i0 + i, j0 + j]
        return
    if row_body > core and column_body > core:
        target = work.leaf[row_body - core - 1]
    elif row_body > core:
        leaf = row_body - core - 1
        target = work.leaf_to_core[leaf, _slot(model, leaf, column_body)]
    else:
        leaf = column_body - core - 1
        target = work.core_to_leaf[leaf, _slot(model, leaf, row_body)]
    for i in range(3):
        for j in range(3):
            target[i, j] += work.block[i0 + i, j0 + j]


@kernel(internal=True)
def _slot(model, leaf, body):
    slot = 0
    while model.leaf_neighbours[leaf, slot] != body:
        slot += 1
    return slot


@kernel(internal=True)
def add_diagonal(model, work, body, values, factor):
    """Add factor x values (three numbers) to the diagonal block of a body."""
    for i in range(3):
        if body <= model.core_count:
            k = 3 * (body - 1) + i
            work.core[k, k] += factor * values[i]
        else:
            work.leaf[body - model.core_count - 1, i, i] += factor * values[i]


@kernel(internal=True)
def clear_tangent(work):
    size = work.core.shape[0]
    for i in range(size):
        for j in range(size):
            work.core[i, j] = 0.0
    for leaf in range(work.leaf.shape[0]):
        for i in range(3):
            for j in range(3):
                work.leaf[leaf, i, j] = 0.0
                for slot in range(work.leaf_to_core.shape[1]):
                    work.leaf_to_core[leaf, slot, i, j] = 0.0
                    work.core_to_leaf[leaf, slot, i, j] = 0.0


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
