"""Where forces and the block of two bodies go: core, leaf, or between them; of plane and space.

Blocks of planar bodies are 3 x 3, of spatial ones 6 x 6. The number of a body's coordinates is the
length of a tuple, so that kernels are compiled with it and their loops are unrolled.
"""

from typing import Any, NamedTuple

from flank.arrays import Floats, Integers
from flank.dynamics.kept_tangent import tangent_arrays
from flank.dynamics.linear import place_of
from flank.kernel import kernel
from flank.team import (
    first_of,
    rank,
    team_flags,
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
    places: Any  # of entries in a team's core
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
        model.elimination.places,
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
def add_to_core(target, row, column, value):
    i, j = place_of(target.places, row, column)
    target.core[i, j] += value


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
    as many members at a time as there are rows to write them in, those with the same bodies as
    one, summed in the order of members."""
    width = 2 * len(target.coordinates)
    handed = target.handed
    having = team_flags(has)
    if having == 0:
        return
    bodies = (body_a << 32) | body_b
    at_a_time = handed.shape[0]
    for first in range(0, team_size(), at_a_time):
        mine = rank() - first
        if has and mine >= 0 and mine < at_a_time:
            for j in range(width):
                handed[mine, j] = values[j]
                for i in range(width):
                    handed[mine, width + width * i + j] = target.block[i, j]
        wait()
        left = (having >> first) & ((1 << at_a_time) - 1)
        while left != 0:
            pair = team_told(bodies, first + first_of(left))
            alike = (team_flags(has and bodies == pair) >> first) & left
            _add_handed(target, alike, pair >> 32, pair & 0xFFFFFFFF)
            left ^= alike
        wait()


@kernel(internal=True)
def _add_handed(target, members, body_a, body_b):
    """The sum of some members' forces and blocks: each entry by one of the team, so that none is
    added to by two at once. Of a body with itself all is in the first part."""
    size = len(target.coordinates)
    width = 2 * size
    handed = target.handed
    for n in range(rank(), width * (1 + width), team_size()):
        row, column = n, 0
        if n >= width:
            row = (n - width) // width
            column = n - width - width * row
        if body_a == body_b and (row >= size or column >= size):
            continue
        total = 0.0
        left = members
        while left != 0:
            total += handed[first_of(left), n]
            left &= left - 1
        row_body = body_a
        if row >= size:
            row_body = body_b
            row -= size
        if n < width:
            target.force[row_body, row] += total
            continue
        column_body = body_a
        if column >= size:
            column_body = body_b
            column -= size
        if row_body != 0 and column_body != 0:
            _add_entry(target, row_body, column_body, row, column, total)
    wait()


@kernel(internal=True)
def _add_entry(target, row_body, column_body, i, j, value):
    size = len(target.coordinates)
    core = target.core_count
    if row_body <= core and column_body <= core:
        row = size * (row_body - 1) + i
        add_to_core(target, row, size * (column_body - 1) + j, value)
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
                at = place_of(target.places, row + i, column + j)
                target.core[at] += block[i0 + i, j0 + j]
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
        at = place_of(target.places, first + i, first + j)
        target.core[at] += value
    else:
        target.leaf[body - target.core_count - 1, i, j] += value


@kernel(internal=True)
def clear_tangent(target, unknowns):
    """Blocks of leaves, and of the core the first `unknowns`, behind which those of joints are."""
    size = len(target.coordinates)
    if team_size() > 1:
        for n in range(rank(), target.core.shape[1], team_size()):
            target.core[0, n] = 0.0
    else:
        for i in range(unknowns):
            for j in range(unknowns):
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
