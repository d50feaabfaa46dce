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
from typing import Any, NamedTuple

import numpy as np

from flank.arrays import Flags, Integers
from flank.dynamics.linear import factorize, substitute
from flank.dynamics.tables import NONE_HELD
from flank.kernel import kernel
from flank.team import (
    for_teams,
    rank,
    team_any,
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
    of its row.

    What only teams of threads have, whose core is the entries of `place` and one more for all
    others, side by side (`listed`): the place of every entry before rows are swapped, and the
    products that each pivot takes off, `updates[updates[k] : updates[k + 1]]`, as three places in
    one number: that of the entry, below and beside the pivot."""

    order: Integers
    below_start: Integers
    below: Integers
    beside_start: Integers
    beside: Integers
    swapped: Integers
    places: Any = np.zeros((0, 0), np.uint32)
    updates: Integers = np.zeros(0, np.int64)


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


PLACE_BITS, ALL_BITS = 16, 0xFFFF
"""Of a place in `updates`."""


def listed(elimination: Elimination) -> Elimination:
    """With the places of entries: of pivots in their order, of `below`, of `beside`, and one where
    entries go that are always zero."""
    order, size = elimination.order, len(elimination.order)
    below_start, beside_start = elimination.below_start, elimination.beside_start
    beside_place = size + int(below_start[-1])
    nowhere = beside_place + int(beside_start[-1])
    assert nowhere < 1 << PLACE_BITS
    places = np.full((size, size), nowhere)
    rows = np.arange(size)
    for a, b in elimination.swapped:
        rows[[a, b]] = rows[[b, a]]
    spans = []
    for k, p in enumerate(order):
        under = np.arange(below_start[k], below_start[k + 1])
        aside = np.arange(beside_start[k], beside_start[k + 1])
        places[p, p] = k
        places[elimination.below[under], p] = size + under
        places[p, elimination.beside[aside]] = beside_place + aside
        spans.append((under, aside))
    updates = []
    for under, aside in spans:
        entries = places[np.ix_(elimination.below[under], elimination.beside[aside])]
        factors = (size + under)[:, None] << PLACE_BITS | (beside_place + aside)
        updates.append((entries << 2 * PLACE_BITS | factors).ravel())
    starts = size + 1 + np.cumsum([0, *map(len, updates)])
    return elimination._replace(
        places=places[rows].astype(np.uint32), updates=np.concatenate([starts, *updates])
    )


def entries_of(elimination: Elimination) -> int:
    """Of a team's core."""
    lists = elimination.below_start[-1] + elimination.beside_start[-1]
    return len(elimination.order) + int(lists) + 1


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
def _solve_packed(elimination, core, kept, pivots, filled, right, size):
    """`solve_core` by a team, whose `core` is one row of entries; `kept` has them first, row after
    row, and then, where pivots are needed, the whole matrix."""
    nowhere = core.shape[1] - 1
    rows = kept.shape[0] - size
    for row in range(rows):
        for column in range(rank(), min(size, nowhere - size * row), team_size()):
            kept[row, column] = core[0, size * row + column]
    wait()
    if _factorize_packed(elimination, core, size):
        _substitute_packed(elimination, core, right, size)
        return IN_ORDER
    whole = kept[rows:]
    for row in range(size):
        for column in range(rank(), size, team_size()):
            place = int(elimination.places[row, column])
            entry = 0.0
            if place < nowhere:
                entry = kept[place // size, place % size]
            whole[row, column] = entry
    wait()
    if not factorize(whole, pivots, filled, size):
        return NOT_SOLVED
    substitute(whole, pivots, right, size)
    return PIVOTED


@for_teams(lambda _team: _solve_packed.py_func)
def solve_core(elimination, core, kept, pivots, filled, right, size):
    """Solve core x = right, x in place of it; returns how: IN_ORDER, its factors in `core`,
    PIVOTED, its factors in `kept`, or NOT_SOLVED if the matrix is singular."""
    for i in range(size):
        for j in range(size):
            kept[i, j] = core[i, j]
    swapped = elimination.swapped
    for n in range(swapped.shape[0]):
        for j in range(size):
            core[swapped[n, 0], j] = kept[swapped[n, 1], j]
            core[swapped[n, 1], j] = kept[swapped[n, 0], j]
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
        for m in range(top, bottom):
            row = below[m]
            factor = matrix[row, p] * inverse
            if factor != 0.0:
                matrix[row, p] = factor
                for n in range(first, last):
                    matrix[row, beside[n]] -= factor * matrix[p, beside[n]]
    return True


@kernel(internal=True)
def _is_large(elimination, matrix, k, pivot):
    """Whether a pivot is not small against its row, or else its column: a joint's row has no
    stiffness in it, a reaction's column neither."""
    p = elimination.order[k]
    largest = 0.0
    for n in range(elimination.beside_start[k], elimination.beside_start[k + 1]):
        largest = max(largest, abs(matrix[p, elimination.beside[n]]))
    if abs(pivot) > SMALLEST_PIVOT * largest:
        return True
    largest = 0.0
    for n in range(elimination.below_start[k], elimination.below_start[k + 1]):
        largest = max(largest, abs(matrix[elimination.below[n], p]))
    return abs(pivot) > SMALLEST_PIVOT * largest


@kernel(internal=True)
def substitute_in_order(elimination, matrix, right, size):
    """Solve with the factors of `_factorize_in_order`; the solution replaces `right`."""
    below = elimination.below
    beside = elimination.beside
    _swap_right(elimination.swapped, right)
    for k in range(size):
        p = elimination.order[k]
        value = right[p]
        for n in range(elimination.below_start[k], elimination.below_start[k + 1]):
            right[below[n]] -= matrix[below[n], p] * value
    for k in range(size - 1, -1, -1):
        p = elimination.order[k]
        value = right[p]
        for n in range(elimination.beside_start[k], elimination.beside_start[k + 1]):
            value -= matrix[p, beside[n]] * right[beside[n]]
        right[p] = value / matrix[p, p]


@kernel(internal=True)
def _swap_right(swapped, right):
    for n in range(rank(), swapped.shape[0], team_size()):
        a = swapped[n, 0]
        b = swapped[n, 1]
        right[a], right[b] = right[b], right[a]
    wait()


@kernel(internal=True)
def _factorize_packed(elimination, core, size):
    """Factors without those of pivots in them, and pivots inverted; False where one is too small,
    which is looked at in the end: what comes after such a pivot is of no use anyway."""
    updates = elimination.updates
    for k in range(size):
        inverse = 1.0 / core[0, k]
        for n in range(updates[k] + rank(), updates[k + 1], team_size()):
            update = updates[n]
            factor = core[0, (update >> PLACE_BITS) & ALL_BITS] * inverse
            core[0, update >> (2 * PLACE_BITS)] -= factor * core[0, update & ALL_BITS]
        wait()
    small = False
    for k in range(rank(), size, team_size()):
        pivot = core[0, k]
        if not _stands_out(elimination, core, k, pivot, size):
            small = True
    if team_any(small):
        return False
    for k in range(rank(), size, team_size()):
        core[0, k] = 1.0 / core[0, k]
    wait()
    return True


@kernel(internal=True)
def _stands_out(elimination, core, k, pivot, size):
    """`_is_large` of one row of entries."""
    beside_place = size + elimination.below_start[size]
    largest = 0.0
    for n in range(elimination.beside_start[k], elimination.beside_start[k + 1]):
        largest = max(largest, abs(core[0, beside_place + n]))
    if abs(pivot) > SMALLEST_PIVOT * largest:
        return True
    largest = 0.0
    for n in range(elimination.below_start[k], elimination.below_start[k + 1]):
        largest = max(largest, abs(core[0, size + n]))
    return abs(pivot) > SMALLEST_PIVOT * largest


@kernel(internal=True)
def _substitute_packed(elimination, core, right, size):
    below_start = elimination.below_start
    beside_start = elimination.beside_start
    beside_place = size + below_start[size]
    _swap_right(elimination.swapped, right)
    for k in range(size):
        value = right[elimination.order[k]] * core[0, k]
        for n in range(below_start[k] + rank(), below_start[k + 1], team_size()):
            right[elimination.below[n]] -= core[0, size + n] * value
        wait()
    for k in range(size - 1, -1, -1):
        p = elimination.order[k]
        value = 0.0
        for n in range(beside_start[k] + rank(), beside_start[k + 1], team_size()):
            value += core[0, beside_place + n] * right[elimination.beside[n]]
        total = team_sum(value)
        if rank() == 0:
            right[p] = (right[p] - total) * core[0, k]
        wait()
