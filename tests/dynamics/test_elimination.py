"""Elimination in the order of topology solves what LU with pivots does, and hands over to it."""

import numpy as np
import pytest
from daily import DAILY
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

import flank
from flank.dynamics import elimination
from flank.dynamics.elimination import Joined, elimination_of, matched
from flank.dynamics.engine import evaluate
from flank.dynamics.functions import constant
from flank.dynamics.poses import state_at, workspace
from flank.dynamics.tables import NONE_HELD
from flank.kernel import kernel
from flank.machines.base import Drive


@kernel
def solve_core(order, matrix, kept, pivots, filled, right, size):
    return elimination.solve_core(order, matrix, kept, pivots, filled, right, size)


def solve(order, matrix, right):
    """The solution, and whether no pivots were needed."""
    size = len(right)
    scratch = np.zeros(size, dtype=np.int64)
    x, kept = right.copy(), np.zeros_like(matrix)
    how = solve_core(order, matrix.copy(), kept, scratch, scratch.copy(), x, size)
    assert how != elimination.NOT_SOLVED
    return x, how == elimination.IN_ORDER


def chain(count, held=0):
    """Bodies of two coordinates in a row, each with the next; a joint holds one of the last's."""
    pairs = [(body, body + 1) for body in range(1, count)]
    return elimination_of(2, count, 1, pairs, [Joined(0, (held,), (count, 0))])


def matrix_of(order, diagonal, seed=1):
    """A matrix with entries where the order has them."""
    random = np.random.default_rng(seed)
    size = len(order.order)
    matrix = np.zeros((size, size))
    for k, pivot in enumerate(order.order):
        columns, rows = beside(order, k), below(order, k)
        matrix[pivot, columns] = random.normal(size=len(columns))
        matrix[rows, pivot] = random.normal(size=len(rows))
        matrix[pivot, pivot] = diagonal
    for one, other in order.swapped:
        matrix[[one, other]] = matrix[[other, one]]
    return matrix, random.normal(size=size)


def below(order, k):
    return order.below[order.below_start[k] : order.below_start[k + 1]]


def beside(order, k):
    return order.beside[order.beside_start[k] : order.beside_start[k + 1]]


def test_a_chain_fills_nothing():
    for held in (0, NONE_HELD):
        order = chain(20, held)
        assert sorted(order.order) == list(range(41))
        widths = np.diff([order.below_start, order.beside_start])
        assert widths.max() <= 4  # a body's other coordinate, its neighbour, and the joint


def test_a_joint_gives_its_coordinate_and_takes_its_reaction():
    order = chain(20)
    assert order.swapped.tolist() == [[38, 40]]
    free = chain(20, NONE_HELD)
    assert free.order[-1] == 40  # a joint without a coordinate of its own comes last
    assert (free.swapped[:, 0] == free.swapped[:, 1]).all()


def test_each_joint_gets_a_coordinate_of_its_own():
    """Two on one body and one between it and the next: only so all three have one."""
    joints = [Joined(0, (0,), (1, 2)), Joined(1, (0,), (1, 0)), Joined(2, (1,), (1, 0))]
    order = elimination_of(2, 2, 3, [(1, 2)], joints)
    assert sorted(order.swapped.tolist()) == [[0, 5], [1, 6], [2, 4]]
    twice = elimination_of(1, 1, 2, [], [Joined(0, (0,), (1, 0)), Joined(1, (0,), (1, 0))])
    assert len(twice.swapped) == 1


def test_a_body_without_stiffness_needs_no_pivots():
    """What its joint does not hold is held by a stiffness far from the joint's one."""
    order = elimination_of(2, 1, 1, [], [Joined(0, (0,), (1, 0))])
    for stiffness in (0.0, 1e-12, 1e12):
        matrix = np.array([[stiffness, 2.0, 1.0], [2.0, 1e9, 0.3], [1.0, 0.3, 0.0]])
        right = np.array([1.0, 2.0, 3.0])
        x, plain = solve(order, matrix, right)
        assert plain
        assert x == pytest.approx(np.linalg.solve(matrix, right), rel=1e-12)


@pytest.mark.parametrize("diagonal", [10.0, 1.0])
def test_the_solution_is_that_of_a_dense_solver(diagonal):
    order = chain(12)
    matrix, right = matrix_of(order, diagonal)
    x, _ = solve(order, matrix, right)
    assert x == pytest.approx(np.linalg.solve(matrix, right), rel=1e-9, abs=1e-9)


def test_a_system_that_needs_pivots_gets_them():
    """A body of no stiffness whose joint may not hold it: a zero pivot, and then one of 1e-12."""
    order = elimination_of(1, 2, 1, [(1, 2)], [Joined(0, (NONE_HELD,), (1, 2))])
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
    for k, pivot in enumerate(places.order):
        allowed[pivot, beside(places, k)] = allowed[below(places, k), pivot] = True
    for one, other in places.swapped:
        allowed[[one, other]] = allowed[[other, one]]
    assert not np.any((work.core != 0.0) & ~allowed)


def test_as_many_equations_as_can_be_have_a_coordinate_of_their_own():
    """As many as SciPy matches, each with one that it holds."""
    draw = np.random.default_rng(0)
    for _ in range(300):
        shape = int(draw.integers(1, 12)), int(draw.integers(1, 14))
        holds = draw.random(shape) < draw.uniform(0.05, 0.5)
        chosen = matched(holds)
        reference = maximum_bipartite_matching(csr_array(holds), perm_type="column")
        rows = np.flatnonzero(chosen >= 0)
        assert len(rows) == np.count_nonzero(reference >= 0)
        assert holds[rows, chosen[rows]].all()
        assert len(set(chosen[rows])) == len(rows)
