"""Where forces and the block of two bodies go: core, leaf, or between them; of plane and space.

Blocks of planar bodies are 3 x 3, of spatial ones 6 x 6. The number of a body's coordinates is the
length of a tuple, so that kernels are compiled with it and their loops are unrolled.
"""

from typing import NamedTuple

from flank.arrays import Floats, Integers
from flank.dynamics.kept_tangent import tangent_arrays
from flank.kernel import kernel


class Target(NamedTuple):
    """What an element adds to, and by what factors. Whole models and workspaces are slow to pass
    and to compile."""

    coordinates: tuple[int, ...]  # of a body
    core_count: int
    neighbours: Integers
    core: Floats
    leaf: Floats
    leaf_to_core: Floats
    core_to_leaf: Floats
    force: Floats
    element: Floats
    block: Floats
    rate_factor: float  # of what velocities add to the tangent
    geometric_factor: float  # of what the turning of forces adds to it


@kernel(internal=True)
def target_of(model, work, rate_factor, geometric_factor):
    core, leaf, leaf_to_core, core_to_leaf = tangent_arrays(work)
    return Target(
        model.coordinates,
        model.core_count,
        model.leaf_neighbours,
        core,
        leaf,
        leaf_to_core,
        core_to_leaf,
        work.force,
        work.element,
        work.block,
        rate_factor,
        geometric_factor,
    )


@kernel(internal=True)
def add_forces(target, body_a, body_b, values):
    """Add the generalized forces of an element to its bodies."""
    size = len(target.coordinates)
    for i in range(size):
        target.force[body_a, i] += values[i]
        target.force[body_b, i] += values[size + i]


@kernel(internal=True)
def add_element(target, body_a, body_b):
    """Add the target.block of an element between any two bodies."""
    size = len(target.coordinates)
    for row in range(2):
        row_body = body_a if row == 0 else body_b
        for column in range(2):
            column_body = body_a if column == 0 else body_b
            if row_body != 0 and column_body != 0:
                _add(target, row_body, column_body, size * row, size * column)


@kernel(internal=True)
def _add(target, row_body, column_body, i0, j0):
    size = len(target.coordinates)
    core = target.core_count
    block = target.block
    if row_body <= core and column_body <= core:
        row = size * (row_body - 1)
        column = size * (column_body - 1)
        for i in range(size):
            for j in range(size):
                target.core[row + i, column + j] += block[i0 + i, j0 + j]
        return
    if row_body > core and column_body > core:
        into = target.leaf[row_body - core - 1]
    elif row_body > core:
        leaf = row_body - core - 1
        into = target.leaf_to_core[leaf, _slot_of(target.neighbours, leaf, column_body)]
    else:
        leaf = column_body - core - 1
        into = target.core_to_leaf[leaf, _slot_of(target.neighbours, leaf, row_body)]
    for i in range(size):
        for j in range(size):
            into[i, j] += block[i0 + i, j0 + j]


@kernel(internal=True)
def _slot_of(neighbours, leaf, body):
    """Which of a leaf's neighbours a core body is."""
    slot = 0
    while neighbours[leaf, slot] != body:
        slot += 1
    return slot


@kernel(internal=True)
def add_to_body(target, body, i, j, value):
    """Add one number to the diagonal block of a body."""
    if body <= target.core_count:
        first = len(target.coordinates) * (body - 1)
        target.core[first + i, first + j] += value
    else:
        target.leaf[body - target.core_count - 1, i, j] += value


@kernel(internal=True)
def clear_tangent(target, unknowns):
    """Blocks of leaves, and of the core the first `unknowns`, behind which those of joints are."""
    size = len(target.coordinates)
    for i in range(unknowns):
        for j in range(unknowns):
            target.core[i, j] = 0.0
    for leaf in range(target.leaf.shape[0]):
        for i in range(size):
            for j in range(size):
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
