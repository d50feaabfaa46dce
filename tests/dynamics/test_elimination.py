"""Elimination in the order of topology solves what LU with pivots does, and hands over to it."""

import numpy as np
import pytest
from daily import DAILY

import flank
from flank.dynamics import elimination
from flank.dynamics.elimination import Joined, elimination_of
from flank.dynamics.engine import evaluate
from flank.dynamics.functions import constant
from flank.dynamics.poses import state_at, workspace
from flank.kernel import kernel
from flank.machines.base import Drive


@kernel
def in_order(order, matrix, size):
    return elimination._factorize_in_order(order, matrix, size)


@kernel
def solve_core(order, matrix, kept, pivots, filled, right, size):
    return elimination.solve_core(order, matrix, kept, pivots, filled, right, size)


def solve(order, matrix, right):
    """The solution, and whether no pivots were needed."""
    size = len(right)
    scratch = np.zeros(size, dtype=np.int64)
    x = right.copy()
    plain = in_order(order, matrix.copy(), size)
    assert solve_core(order, matrix.copy(), np.zeros_like(matrix), scratch, scratch.copy(), x, size)
    return x, plain


def chain(count):
    """Bodies of two coordinates in a row, each with the next; the last is held by a joint."""
    pairs = [(body, body + 1) for body in range(1, count)]
    return elimination_of(2, count, 1, pairs, [Joined(0, 1, (count, 0))])


def matrix_of(order, diagonal, seed=1):
    """A matrix with entries where the order has them."""
    random = np.random.default_rng(seed)
    size = len(order.order)
    matrix = np.zeros((size, size))
    for k, row in enumerate(order.order):
        columns = order.later[order.start[k] : order.start[k + 1]]
        matrix[row, columns] = random.normal(size=len(columns))
        matrix[columns, row] = random.normal(size=len(columns))
        matrix[row, row] = diagonal
    return matrix, random.normal(size=size)


def test_a_chain_fills_nothing():
    order = chain(20)
    widths = np.diff(order.start)
    assert sorted(order.order) == list(range(41))
    assert order.order[-1] == 40  # the joint comes last
    assert widths.max() <= 4  # a body's other coordinate, its neighbour, and the joint


@pytest.mark.parametrize("diagonal", [10.0, 1.0])
def test_the_solution_is_that_of_a_dense_solver(diagonal):
    order = chain(12)
    matrix, right = matrix_of(order, diagonal)
    x, _ = solve(order, matrix, right)
    assert x == pytest.approx(np.linalg.solve(matrix, right), rel=1e-9, abs=1e-9)


def test_a_system_that_needs_pivots_gets_them():
    """A body of no stiffness whose joint alone holds it: a zero pivot, and then one of 1e-12."""
    order = elimination_of(1, 2, 1, [(1, 2)], [Joined(0, 1, (1, 2))])
    for tiny in (0.0, 1e-12):
        matrix = np.array([[tiny, 1.0, 1.0], [1.0, 2.0, -1.0], [1.0, -1.0, 0.0]])
        right = np.array([1.0, 2.0, 3.0])
        x, plain = solve(order, matrix, right)
        assert not plain
        assert x == pytest.approx(np.linalg.solve(matrix, right), rel=1e-12)


def test_a_singular_system_is_told():
    order = elimination_of(1, 2, 0, [(1, 2)], [])
    scratch = np.zeros(2, dtype=np.int64)
    ones = np.ones((2, 2))
    assert not solve_core(order, ones, ones.copy(), scratch, scratch.copy(), np.ones(2), 2)


@pytest.mark.parametrize("name", DAILY)
def test_all_entries_of_a_machine_have_their_place(name):
    """What lay outside of the order would be left out without a word."""
    drive = Drive.of_ends(constant(0.1), constant(10.0))
    assembly = flank.preset(name).assemble(drive)
    model = assembly.model
    state, work = state_at(model, assembly.pose), workspace(model)
    state.multipliers[:] = 1.0
    evaluate(model, state, 0.0, work, 1.0, 1.0, 1.0)
    places = model.elimination
    allowed = np.eye(len(work.core), dtype=bool)
    for k, row in enumerate(places.order):
        columns = places.later[places.start[k] : places.start[k + 1]]
        allowed[row, columns] = allowed[columns, row] = True
    assert not np.any((work.core != 0.0) & ~allowed)
