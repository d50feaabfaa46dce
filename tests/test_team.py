"""What a team of threads computes is what one thread computes; no GPU is needed for that."""

from types import SimpleNamespace

import numpy as np
import pytest
from pretended_team import PretendedTeam

from flank.dynamics.elimination import (
    IN_ORDER,
    PIVOTED,
    Joined,
    elimination_of,
    entries_of,
    listed,
    solve_core,
)
from flank.dynamics.linear import eliminate_planar_leaves, recover_planar_leaves
from flank.dynamics.scatter import Target, hand_in
from flank.dynamics.tables import NONE_HELD

MEMBERS = 4
BODIES, CONSTRAINTS, LEAVES = 5, 2, 3
SIZE = 3 * BODIES + CONSTRAINTS


@pytest.fixture
def members(monkeypatch):
    return PretendedTeam(monkeypatch, MEMBERS)


def system(held):
    """K and C of bodies in a row, the first and the last held by joints; without `held` nothing
    else holds the first, so that its pivots are too small to be taken as they come."""
    generator = np.random.default_rng(3)
    matrix = np.zeros((SIZE, SIZE))
    for a in range(0 if held else 1, BODIES - 1):
        places = np.arange(3 * a, 3 * a + 6)
        part = generator.normal(size=(6, 6))
        matrix[np.ix_(places, places)] += part @ part.T
    matrix[[0, 1], [0, 1]] += 0.0 if held else 1e-12
    matrix[2, 2] += 1.0
    for e in range(2):
        matrix[3 * BODIES + e, e] = matrix[e, 3 * BODIES + e] = 1.0
    return matrix, generator.normal(size=SIZE)


@pytest.mark.parametrize(("held", "how"), [(True, IN_ORDER), (False, PIVOTED)])
def test_a_team_solves_what_one_solves(members, held, how):
    matrix, right = system(held)
    pairs = {(a, a + 1) for a in range(1, BODIES)}
    order = elimination_of(
        3, BODIES, CONSTRAINTS, pairs, [Joined(0, (NONE_HELD, NONE_HELD), (0, 1))]
    )
    order = listed(order)
    entries = entries_of(order)
    core, kept = np.zeros((1, entries)), np.zeros((-(-entries // SIZE) + SIZE, SIZE))
    np.add.at(core[0], order.places, matrix)
    assert core[0, -1] == 0.0  # what has no place is zero
    pivots, filled = np.zeros(SIZE, np.int64), np.zeros(SIZE, np.int64)
    solution = right.copy()
    told = members.call(
        solve_core.of_team(MEMBERS), lambda _: (order, core, kept, pivots, filled, solution, SIZE)
    )
    assert told == [how] * MEMBERS
    np.testing.assert_allclose(solution, np.linalg.solve(matrix, right), rtol=1e-9)


def test_a_team_eliminates_leaves(members):
    """The step of all is that of the whole system solved at once."""
    generator = np.random.default_rng(4)
    neighbours = np.array([[1, 2, 0], [2, 4, 5], [3, 0, 0]])
    rows = 3 * (BODIES + LEAVES)
    whole = 10.0 * np.eye(rows)
    work = SimpleNamespace(
        core=np.zeros((1, (3 * BODIES) ** 2)),
        leaf=np.zeros((LEAVES, 3, 3)),
        leaf_to_core=np.zeros((LEAVES, 3, 3, 3)),
        core_to_leaf=np.zeros((LEAVES, 3, 3, 3)),
        right=generator.normal(size=3 * BODIES),
        leaf_right=generator.normal(size=(LEAVES, 3)),
        step=np.zeros((1 + BODIES + LEAVES, 3)),
    )
    for k, touched in enumerate(neighbours):
        own = slice(3 * (BODIES + k), 3 * (BODIES + k + 1))
        work.leaf[k] = whole[own, own] = 10.0 * np.eye(3) + generator.normal(size=(3, 3))
        for slot, body in enumerate(touched):
            if body:
                other = slice(3 * (body - 1), 3 * body)
                work.leaf_to_core[k, slot] = whole[own, other] = generator.normal(size=(3, 3))
                work.core_to_leaf[k, slot] = whole[other, own] = generator.normal(size=(3, 3))
    work.core[0] = whole[: 3 * BODIES, : 3 * BODIES].ravel()
    expected = np.linalg.solve(whole, np.concatenate([work.right, work.leaf_right.ravel()]))
    places = np.arange((3 * BODIES) ** 2).reshape(3 * BODIES, 3 * BODIES)
    model = SimpleNamespace(
        leaf_neighbours=neighbours,
        mass=np.zeros((1 + BODIES + LEAVES, 3)),
        core_count=BODIES,
        elimination=SimpleNamespace(places=places),
    )
    assert all(members.call(eliminate_planar_leaves.py_func, lambda _: (model, work)))
    core_step = np.linalg.solve(work.core.reshape(places.shape), work.right)
    np.testing.assert_allclose(core_step, expected[: 3 * BODIES], rtol=1e-10)
    work.step[1 : 1 + BODIES] = core_step.reshape(-1, 3)
    members.call(recover_planar_leaves.py_func, lambda _: (model, work))
    np.testing.assert_allclose(work.step[1:].ravel(), expected, rtol=1e-10)


def test_an_element_between_a_body_and_itself_is_added_once(members):
    """In the first part of its block; the others are passed over, since they would be added to the
    same entries at once."""
    target = Target(
        coordinates=(0, 1, 2),
        core_count=1,
        neighbours=np.zeros((0, 1), np.int64),
        places=np.arange(9).reshape(3, 3),
        core=np.zeros((1, 10)),
        leaf=np.zeros((0, 3, 3)),
        leaf_to_core=np.zeros((0, 1, 3, 3)),
        core_to_leaf=np.zeros((0, 1, 3, 3)),
        force=np.zeros((2, 3)),
        element=np.zeros((1, 12)),
        block=np.arange(36.0).reshape(6, 6),
        handed=np.full((MEMBERS, 42), np.nan),
        rate_factor=0.0,
        geometric_factor=1.0,
    )
    values = np.array([1.0, 2.0, 3.0, 7.0, 7.0, 7.0])
    members.call(hand_in.py_func, lambda number: (target, values, number == 2, 1, 1))
    assert target.force[1].tolist() == [1.0, 2.0, 3.0]
    assert target.core[0, :9].tolist() == target.block[:3, :3].ravel().tolist()


def test_elements_are_handed_in_one_after_the_other(members):
    """Of the same pair of bodies and of others, of leaves and of ground; one member has nothing."""
    generator = np.random.default_rng(5)
    pairs = [(1, 2), (1, 2), (0, 3), (2, 3)]
    blocks = generator.normal(size=(MEMBERS, 6, 6))
    forces = generator.normal(size=(MEMBERS, 6))
    shared = {
        "core": np.zeros((1, 36)),
        "places": np.arange(36).reshape(6, 6),
        "leaf": np.zeros((1, 3, 3)),
        "leaf_to_core": np.zeros((1, 3, 3, 3)),
        "core_to_leaf": np.zeros((1, 3, 3, 3)),
        "force": np.zeros((4, 3)),
        "handed": np.zeros((MEMBERS // 2, 42)),
    }

    def of_member(number):
        target = Target(
            coordinates=(0, 1, 2),
            core_count=2,
            neighbours=np.array([[2, 1, 0]]),
            element=np.zeros((1, 12)),
            block=blocks[number].copy(),
            rate_factor=0.0,
            geometric_factor=1.0,
            **shared,
        )
        return target, forces[number].copy(), number != 1, *pairs[number]

    members.call(hand_in.py_func, of_member)
    whole, total = np.zeros((12, 12)), np.zeros((4, 3))
    for number, (a, b) in enumerate(pairs):
        if number == 1:
            continue
        places = np.r_[3 * a : 3 * a + 3, 3 * b : 3 * b + 3]
        whole[np.ix_(places, places)] += blocks[number]
        total.ravel()[places] += forces[number]
    np.testing.assert_allclose(shared["force"], total)
    np.testing.assert_allclose(shared["core"].reshape(6, 6), whole[3:9, 3:9])
    np.testing.assert_allclose(shared["leaf"][0], whole[9:, 9:])
    np.testing.assert_allclose(shared["leaf_to_core"][0, 0], whole[9:, 6:9])
    np.testing.assert_allclose(shared["core_to_leaf"][0, 0], whole[6:9, 9:])
    assert not shared["leaf_to_core"][0, 1:].any()
