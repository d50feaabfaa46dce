"""Elimination in an order that follows from which bodies touch: few entries are ever filled.

Most bodies of a machine touch few others, so the tangent is sparse, always in the same places. The
order is that of least degree (each time the unknown with the fewest neighbours left), bodies before
the multipliers of joints, whose diagonal is zero until then. Pivots are taken as they come; one
that is small against its row ends the attempt, and LU with pivoting (`linear.factorize`) does it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from flank.arrays import Flags, Integers
from flank.dynamics.linear import factorize, substitute
from flank.kernel import kernel
from flank.team import (
    column_rank,
    columns,
    rank,
    row_rank,
    rows,
    team_largest,
    team_size,
    team_sum,
    wait,
)

SMALLEST_PIVOT = 1e-8
"""Of the largest entry in its row: what a pivot must have, or half of the digits are gone."""


NOT_SOLVED, IN_ORDER, PIVOTED = range(3)
"""How `solve_core` went."""


class Elimination(NamedTuple):
    """Unknowns in their order; later[start[k] : start[k + 1]] are those after the k-th that its row
    and column have entries at."""

    order: Integers
    start: Integers
    later: Integers


class Joined(NamedTuple):
    """A joint: its first multiplier, how many it has, and the bodies it holds."""

    first: int
    equations: int
    bodies: tuple[int, ...]


def elimination_of(
    coordinates: int,
    core_count: int,
    constraint_count: int,
    touching: Iterable[tuple[int, ...]],
    joints: Iterable[Joined],
) -> Elimination:
    """The order for core bodies of so many coordinates each; body 0 and leaves are left out.

    `touching` are bodies between which contacts, springs, beams and leaves make entries.
    """
    bodies = coordinates * core_count
    filled = np.eye(max(bodies + constraint_count, 1), dtype=bool)

    def unknowns(numbers: Iterable[int]) -> Integers:
        core = sorted({int(number) for number in numbers if 0 < number <= core_count})
        first = coordinates * (np.array(core, np.int64) - 1)
        return (first[:, None] + np.arange(coordinates)).ravel()

    for numbers in {*touching, *((body,) for body in range(1, core_count + 1))}:
        places = unknowns(numbers)
        filled[np.ix_(places, places)] = True
    for joint in joints:
        rows = bodies + joint.first + np.arange(joint.equations)
        places = unknowns(joint.bodies)
        filled[np.ix_(rows, places)] = filled[np.ix_(places, rows)] = True
        filled[np.ix_(places, places)] = True  # by the turning of its reactions
    return _least_degree(filled.tobytes(), len(filled), bodies)


def touching(
    neighbours: Integers, pairs: Iterable[np.void], beams: Iterable[np.void] = ()
) -> set[tuple[int, ...]]:
    """Bodies that meet in a row with two of them, in a beam, or at a leaf."""
    met = {(int(row["body_a"]), int(row["body_b"])) for row in pairs}
    met |= {tuple(beam["rows"].tolist()) for beam in beams}
    return met | {tuple(row.tolist()) for row in neighbours}


def joined(rows: Iterable[np.void], equations: Sequence[int]) -> list[Joined]:
    """Joints out of their rows, by how many equations each kind has."""
    return [
        Joined(int(row["first"]), equations[row["kind"]], (int(row["body_a"]), int(row["body_b"])))
        for row in rows
    ]


@functools.lru_cache(maxsize=64)
def _least_degree(pattern: bytes, size: int, bodies: int) -> Elimination:
    """Machines that differ by their errors alone have one pattern of entries."""
    filled: Flags = np.frombuffer(bytearray(pattern), dtype=bool).reshape(size, size)
    left = np.ones(size, dtype=bool)
    order: list[int] = []
    later: list[Integers] = [np.zeros(0, np.int64)]
    for _ in range(size):
        candidates = np.flatnonzero(left[:bodies] if left[:bodies].any() else left)
        degrees = np.count_nonzero(filled[candidates] & left, axis=1)
        chosen = int(candidates[np.argmin(degrees)])
        left[chosen] = False
        neighbours = np.flatnonzero(filled[chosen] & left)
        filled[np.ix_(neighbours, neighbours)] = True
        order.append(chosen)
        later.append(neighbours)
    start = np.cumsum([len(places) for places in later])
    return Elimination(np.array(order), start, np.concatenate([*later, [0]]).astype(np.int64))


@kernel(internal=True)
def solve_core(elimination, core, kept, pivots, filled, right, size):
    """Solve core x = right, x in place of it; returns how: IN_ORDER, its factors in `core`,
    PIVOTED, its factors in `kept`, or NOT_SOLVED if the matrix is singular."""
    for i in range(size):
        for j in range(rank(), size, team_size()):
            kept[i, j] = core[i, j]
    wait()
    if _factorize_in_order(elimination, core, size):
        substitute_in_order(elimination, core, right, size)
        return IN_ORDER
    if not factorize(kept, pivots, filled, size):
        return NOT_SOLVED
    substitute(kept, pivots, right, size)
    return PIVOTED


@kernel(internal=True)
def _factorize_in_order(elimination, matrix, size):
    """LU in place over the places that can be filled; False where a pivot is too small."""
    later = elimination.later
    for k in range(size):
        p = elimination.order[k]
        first = elimination.start[k]
        last = elimination.start[k + 1]
        pivot = matrix[p, p]
        largest = 0.0
        for n in range(first + rank(), last, team_size()):
            largest = max(largest, abs(matrix[p, later[n]]))
        if abs(pivot) <= SMALLEST_PIVOT * team_largest(largest) or pivot == 0.0:
            return False
        inverse = 1.0 / pivot
        for m in range(first + row_rank(), last, rows()):
            row = later[m]
            factor = matrix[row, p] * inverse
            if factor != 0.0:
                if team_size() == 1:
                    matrix[row, p] = factor
                for n in range(first + column_rank(), last, columns()):
                    matrix[row, later[n]] -= factor * matrix[p, later[n]]
        wait()
        if team_size() > 1:
            for m in range(first + rank(), last, team_size()):
                matrix[later[m], p] *= inverse
            wait()
    return True


@kernel(internal=True)
def substitute_in_order(elimination, matrix, right, size):
    """Solve with the factors of `_factorize_in_order`; the solution replaces `right`."""
    later = elimination.later
    for k in range(size):
        p = elimination.order[k]
        value = right[p]
        for n in range(elimination.start[k] + rank(), elimination.start[k + 1], team_size()):
            right[later[n]] -= matrix[later[n], p] * value
        wait()
    for k in range(size - 1, -1, -1):
        p = elimination.order[k]
        value = right[p] if rank() == 0 else 0.0
        for n in range(elimination.start[k] + rank(), elimination.start[k + 1], team_size()):
            value -= matrix[p, later[n]] * right[later[n]]
        right[p] = team_sum(value) / matrix[p, p]
        wait()
