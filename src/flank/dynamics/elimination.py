"""Elimination in an order that follows from which bodies touch: few entries are ever filled.

Most bodies of a machine touch few others, so the tangent is sparse, always in the same places. The
order is that of least fill: each time the pivot with the fewest places in row times column.

    K   Cᵀ | q       a joint's row of C has ±1 at a coordinate that it holds; these two rows change
    C   0  | λ       places, so that both have it on the diagonal: the coordinate follows from the
                     joint, its reaction from the body, and a shaft needs no stiffness of its own

Multipliers that hold no coordinate of their own come last, when they have a diagonal. Pivots are
taken as they come; one that is small against its row and its column ends the attempt, and LU with
pivoting (`linear.factorize`) does it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from flank.arrays import Flags, Integers
from flank.dynamics.linear import factorize, substitute
from flank.dynamics.tables import NONE_HELD
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
"""Of the largest entry in its row or column: what a pivot must have in one of them, or half of the
digits are gone."""


NOT_SOLVED, IN_ORDER, PIVOTED = range(3)
"""How `solve_core` went."""


class Elimination(NamedTuple):
    """Unknowns in their order. After pairs of rows are `swapped`, the k-th pivot has entries in
    rows below[below_start[k] : below_start[k + 1]] of its column and, likewise, in columns `beside`
    of its row."""

    order: Integers
    below_start: Integers
    below: Integers
    beside_start: Integers
    beside: Integers
    swapped: Integers


class Joined(NamedTuple):
    """A joint: its first multiplier, the coordinate that each of its equations holds (NONE_HELD if
    none), and the bodies it joins."""

    first: int
    held: tuple[int, ...]
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
    holds = np.zeros((constraint_count, bodies), dtype=bool)
    for joint in joints:
        equations = bodies + joint.first + np.arange(len(joint.held))
        places = unknowns(joint.bodies)
        filled[np.ix_(equations, places)] = filled[np.ix_(places, equations)] = True
        filled[np.ix_(places, places)] = True  # by the turning of its reactions
        for equation, coordinate in enumerate(joint.held, joint.first):
            holds[equation, places[coordinate::coordinates]] = coordinate != NONE_HELD
    return _least_fill(filled.tobytes(), holds.tobytes(), holds.shape)


def touching(
    neighbours: Integers, pairs: Iterable[np.void], beams: Iterable[np.void] = ()
) -> set[tuple[int, ...]]:
    """Bodies that meet in a row with two of them, in a beam, or at a leaf."""
    met = {(int(row["body_a"]), int(row["body_b"])) for row in pairs}
    met |= {tuple(beam["rows"].tolist()) for beam in beams}
    return met | {tuple(row.tolist()) for row in neighbours}


def joined(rows: Iterable[np.void], held: Sequence[tuple[int, ...]]) -> list[Joined]:
    """Joints out of their rows, by what the equations of each kind hold."""
    return [
        Joined(int(row["first"]), held[row["kind"]], (int(row["body_a"]), int(row["body_b"])))
        for row in rows
    ]


@functools.lru_cache(maxsize=64)
def _least_fill(pattern: bytes, holding: bytes, shape: tuple[int, int]) -> Elimination:
    """Machines that differ by their errors alone have one pattern of entries."""
    constraints, bodies = shape
    holds: Flags = np.frombuffer(holding, dtype=bool).reshape(shape)
    size = math.isqrt(len(pattern))
    filled: Flags = np.frombuffer(bytearray(pattern), dtype=bool).reshape(size, size)
    chosen = matched(holds)
    swapped = np.array([(q, bodies + c) for c, q in enumerate(chosen) if q >= 0] or [(0, 0)])
    filled[swapped.ravel()] = filled[swapped[:, ::-1].ravel()]
    late = np.zeros(size, dtype=bool)
    late[bodies : bodies + constraints] = chosen < 0
    return _in_order(filled, late, swapped.astype(np.int64))


def _in_order(filled: Flags, late: Flags, swapped: Integers) -> Elimination:
    """Fills `filled`; `late` are unknowns that come after all others."""
    left = np.ones(len(filled), dtype=bool)
    order: list[int] = []
    below: list[Integers] = []
    beside: list[Integers] = []
    for _ in range(len(filled)):
        candidates = np.flatnonzero(left & ~late if (left & ~late).any() else left)
        in_row = np.count_nonzero(filled[candidates] & left, axis=1) - 1
        in_column = np.count_nonzero(filled[:, candidates] & left[:, None], axis=0) - 1
        chosen = int(candidates[np.argmin(in_row * in_column)])
        left[chosen] = False
        below.append(np.flatnonzero(filled[:, chosen] & left))
        beside.append(np.flatnonzero(filled[chosen] & left))
        filled[np.ix_(below[-1], beside[-1])] = True
        order.append(chosen)
    return Elimination(np.array(order), *_put_together(below), *_put_together(beside), swapped)


def _put_together(lists: Sequence[Integers]) -> tuple[Integers, Integers]:
    """Where each list starts in all of them one after the other; never an empty array."""
    start = np.cumsum([0, *map(len, lists)])
    return start, np.concatenate([*lists, [0]]).astype(np.int64)


def matched(holds: Flags) -> Integers:
    """A coordinate of its own for as many equations as can be, -1 for the others: by augmenting
    paths (Kuhn), each equation taking the first coordinate that is free."""
    held_by: Integers = np.full(holds.shape[1], -1)

    def takes(equation: int, seen: set[int]) -> bool:
        wanted = [int(q) for q in np.flatnonzero(holds[equation]) if q not in seen]
        for q in sorted(wanted, key=lambda q: held_by[q] >= 0):
            if q in seen:
                continue
            seen.add(q)
            if held_by[q] < 0 or takes(int(held_by[q]), seen):
                held_by[q] = equation
                return True
        return False

    for equation in range(holds.shape[0]):
        takes(equation, set())
    chosen: Integers = np.full(holds.shape[0], -1)
    held = np.flatnonzero(held_by >= 0)
    chosen[held_by[held]] = held
    return chosen


@kernel(internal=True)
def solve_core(elimination, core, kept, pivots, filled, right, size):
    """Solve core x = right, x in place of it; returns how: IN_ORDER, its factors in `core`,
    PIVOTED, its factors in `kept`, or NOT_SOLVED if the matrix is singular."""
    for i in range(size):
        for j in range(rank(), size, team_size()):
            kept[i, j] = core[i, j]
    wait()
    swapped = elimination.swapped
    for n in range(swapped.shape[0]):
        for j in range(rank(), size, team_size()):
            core[swapped[n, 0], j] = kept[swapped[n, 1], j]
            core[swapped[n, 1], j] = kept[swapped[n, 0], j]
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
    below = elimination.below
    beside = elimination.beside
    for k in range(size):
        p = elimination.order[k]
        top = elimination.below_start[k]
        bottom = elimination.below_start[k + 1]
        first = elimination.beside_start[k]
        last = elimination.beside_start[k + 1]
        pivot = matrix[p, p]
        if not _is_large(elimination, matrix, k, pivot):
            return False
        inverse = 1.0 / pivot
        for m in range(top + row_rank(), bottom, rows()):
            row = below[m]
            factor = matrix[row, p] * inverse
            if factor != 0.0:
                if team_size() == 1:
                    matrix[row, p] = factor
                for n in range(first + column_rank(), last, columns()):
                    matrix[row, beside[n]] -= factor * matrix[p, beside[n]]
        wait()
        if team_size() > 1:
            for m in range(top + rank(), bottom, team_size()):
                matrix[below[m], p] *= inverse
            wait()
    return True


@kernel(internal=True)
def _is_large(elimination, matrix, k, pivot):
    """Whether a pivot is not small against its row, or else its column: a joint's row has no
    stiffness in it, a reaction's column neither."""
    p = elimination.order[k]
    largest = 0.0
    for n in range(
        elimination.beside_start[k] + rank(), elimination.beside_start[k + 1], team_size()
    ):
        largest = max(largest, abs(matrix[p, elimination.beside[n]]))
    if abs(pivot) > SMALLEST_PIVOT * team_largest(largest):
        return True
    largest = 0.0
    for n in range(
        elimination.below_start[k] + rank(), elimination.below_start[k + 1], team_size()
    ):
        largest = max(largest, abs(matrix[elimination.below[n], p]))
    return abs(pivot) > SMALLEST_PIVOT * team_largest(largest)


@kernel(internal=True)
def substitute_in_order(elimination, matrix, right, size):
    """Solve with the factors of `_factorize_in_order`; the solution replaces `right`."""
    below = elimination.below
    beside = elimination.beside
    swapped = elimination.swapped
    for n in range(rank(), swapped.shape[0], team_size()):
        a = swapped[n, 0]
        b = swapped[n, 1]
        right[a], right[b] = right[b], right[a]
    wait()
    for k in range(size):
        p = elimination.order[k]
        value = right[p]
        for n in range(
            elimination.below_start[k] + rank(), elimination.below_start[k + 1], team_size()
        ):
            right[below[n]] -= matrix[below[n], p] * value
        wait()
    for k in range(size - 1, -1, -1):
        p = elimination.order[k]
        value = right[p] if rank() == 0 else 0.0
        for n in range(
            elimination.beside_start[k] + rank(), elimination.beside_start[k + 1], team_size()
        ):
            value -= matrix[p, beside[n]] * right[beside[n]]
        right[p] = team_sum(value) / matrix[p, p]
        wait()
