"""Where forces and the block of two bodies go: core, leaf, or between them; of plane and space.

Blocks of planar bodies are 3 x 3, of spatial ones 6 x 6. The number of a body's coordinates is the
length of a tuple, so that kernels are compiled with it and their loops are unrolled.
"""

from typing import NamedTuple

from flank.arrays import Floats, Integers
from flank.dynamics.kept_tangent import tangent_arrays
from flank.kernel import kernel
from flank.team import (
    column_rank,
    columns,
    rank,
    row_rank,
    rows,
    team_any,
    team_size,
    team_told,
    wait,
)


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
    handed: Floats
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
        work.handed,
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
def hand_in(target, values, has, body_a, body_b):
    """Add what each of a team `has` of forces, in `values`, and of target.block to its two bodies:
    one member after the other, those with the same bodies as one."""
    width = 2 * len(target.coordinates)
    handed = target.handed
    members = handed.shape[0]
    if not team_any(has):
        return
    mine = handed[rank()]
    wait()
    bodies = -1
    if has:
        bodies = (body_a << 32) | body_b
        for j in range(width):
            mine[j] = values[j]
            for i in range(width):
                mine[width + width * i + j] = target.block[i, j]
    wait()
    pair = -1  # none yet
    begun = 0  # member with the sum of those that have this pair
    for member in range(members + 1):
        following = -1
        if member < members:
            following = team_told(bodies, member)
            if following < 0:
                continue
        if following == pair:
            for n in range(rank(), handed.shape[1], team_size()):
                handed[begun, n] += handed[member, n]
            continue
        if pair >= 0:
            wait()
            _add_handed(target, handed[begun], pair >> 32, pair & 0xFFFFFFFF)
        pair = following
        begun = member


@kernel(internal=True)
def _add_handed(target, numbers, body_a, body_b):
    """Of an element's forces and block, what is this member's to add."""
    size = len(target.coordinates)
    width = 2 * size
    for j in range(rank(), width, team_size()):
        if j < size:
            target.force[body_a, j] += numbers[j]
        else:
            target.force[body_b, j - size] += numbers[j]
    for i in range(row_rank(), width, rows()):
        for j in range(column_rank(), width, columns()):
            row_body, row = (body_a, i) if i < size else (body_b, i - size)
            column_body, column = (body_a, j) if j < size else (body_b, j - size)
            if row_body != 0 and column_body != 0:
                value = numbers[width + width * i + j]
                _add_entry(target, row_body, column_body, row, column, value)
    wait()


@kernel(internal=True)
def _add_entry(target, row_body, column_body, i, j, value):
    size = len(target.coordinates)
    core = target.core_count
    if row_body <= core and column_body <= core:
        target.core[size * (row_body - 1) + i, size * (column_body - 1) + j] += value
    elif row_body > core and column_body > core:
        target.leaf[row_body - core - 1, i, j] += value
    elif row_body > core:
        leaf = row_body - core - 1
        slot = _slot_of(target.neighbours, leaf, column_body)
        target.leaf_to_core[leaf, slot, i, j] += value
    else:
        leaf = column_body - core - 1
        slot = _slot_of(target.neighbours, leaf, row_body)
        target.core_to_leaf[leaf, slot, i, j] += value


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
        for j in range(rank(), unknowns, team_size()):
            target.core[i, j] = 0.0
    for leaf in range(rank(), target.leaf.shape[0], team_size()):
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
def clear_shared_rows(rows):
    """Each of a team clears its share."""
    for i in range(rank(), rows.shape[0], team_size()):
        for j in range(rows.shape[1]):
            rows[i, j] = 0.0


@kernel(internal=True)
def copy_rows(source, target):
    """Each of a team copies its share."""
    for i in range(rank(), source.shape[0], team_size()):
        for j in range(source.shape[1]):
            target[i, j] = source[i, j]
