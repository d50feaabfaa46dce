"""The load distribution against quadratic programs, its own conditions, and closed forms."""

import numpy as np
import pytest
from loaded_teeth import LAW, approach_of, least_squares_forces, random_points

from flank.contact.load_distribution import (
    SOLVED,
    STALLED,
    LoadPoints,
    distribute,
    distribute_total,
    load_work,
)


@pytest.mark.parametrize("count", [1, 2, 5, 12, 40])
@pytest.mark.parametrize("seed", range(4))
def test_straight_laws_give_the_bounded_least_squares_solution(seed, count):
    points = random_points(seed, count, 0.0)
    approach = 10e-6
    work = load_work(count)
    status, total, _, energy = distribute(points, count, approach, work)
    assert status == SOLVED
    expected = least_squares_forces(points, approach)
    give = points.compliance @ expected + points.constant * expected / points.length
    np.testing.assert_allclose(work.force, expected, rtol=1e-7, atol=1e-8 * expected.max())
    assert total == pytest.approx(points.lever @ expected, rel=1e-8)
    assert energy == pytest.approx(0.5 * expected @ give, rel=1e-8)


@pytest.mark.parametrize("rank", [None, 3])
@pytest.mark.parametrize("seed", range(6))
def test_contacts_by_load_meet_their_conditions(seed, rank):
    """Also where the bodies are rigid against most patterns of forces."""
    count, approach = 25, 8e-6
    points, work = random_points(seed, count, rank=rank), load_work(25)
    status, _, _, _ = distribute(points, count, approach, work)
    assert status == SOLVED
    forces = work.force
    seat = approach * points.lever - points.gap - points.compliance @ forces
    assert forces.min() >= 0
    assert 3 < (forces > 0).sum() < count
    assert np.abs(seat - approach_of(points, forces))[forces > 0].max() < 1e-15
    assert seat[forces == 0].max() <= 1e-15


def test_a_warm_start_and_a_cold_one_end_in_the_same_place():
    points = random_points(3, 30)
    cold, warm = load_work(30), load_work(30)
    warm.force[:] = np.random.default_rng(0).uniform(0, 3e3, 30)
    for approach in (1e-6, 20e-6, 4e-6):
        cold.force[:] = 0.0
        expected = distribute(points, 30, approach, cold)
        np.testing.assert_allclose(distribute(points, 30, approach, warm), expected, rtol=1e-9)
        np.testing.assert_allclose(warm.force, cold.force, atol=1e-9 * cold.force.max())


def test_total_rises_with_the_approach_at_the_slope_that_is_returned():
    points, work = random_points(7, 20), load_work(20)
    approaches = np.linspace(-6e-6, 30e-6, 200)
    answers = np.array([distribute(points, 20, d, work) for d in approaches])
    assert np.all(answers[:, 0] == SOLVED)
    assert np.all(np.diff(answers[:, 1]) >= 0)
    for approach in (3e-6, 12e-6, 25e-6):
        step = 1e-10
        low, high = (distribute(points, 20, approach + s, work) for s in (-step, step))
        middle = distribute(points, 20, approach, work)
        assert (high[1] - low[1]) / (2 * step) == pytest.approx(middle[2], rel=1e-4)
        assert (high[3] - low[3]) / (2 * step) == pytest.approx(middle[1], rel=1e-6)


@pytest.mark.parametrize("total", [0.1, 50.0, 5e3, 1e5])
def test_a_prescribed_total_is_carried(total):
    points, work = random_points(11, 20), load_work(20)
    status, approach, slope, _ = distribute_total(points, 20, total, np.nan, work)
    assert status == SOLVED
    assert slope > 0
    assert points.lever @ work.force == pytest.approx(total, rel=1e-9)
    again = load_work(20)
    assert distribute(points, 20, approach, again)[1] == pytest.approx(total, rel=1e-9)


@pytest.mark.parametrize("slope", [0.0, LAW.slope])
def test_soft_and_stiff_bodies_are_solved_alike(slope):
    """From nearly rigid ones to those on which all points hang on each other, far apart or not."""
    rng = np.random.default_rng(0)
    for seed in range(150):
        count = int(rng.integers(1, 40))
        points = random_points(seed, count, slope, int(rng.integers(1, count + 1)))
        points = points._replace(
            compliance=points.compliance * 10.0 ** rng.uniform(-6, 4),
            gap=points.gap * 10.0 ** rng.uniform(-3, 3),
        )
        work = load_work(count)
        assert distribute(points, count, 10.0 ** rng.uniform(-8, -3), work)[0] == SOLVED
        total = 10.0 ** rng.uniform(0, 5)
        assert distribute_total(points, count, total, np.nan, work)[0] == SOLVED
        assert points.lever @ work.force == pytest.approx(total, rel=1e-5)


def test_one_point_is_the_law_of_line_contact():
    points, work = random_points(1, 1), load_work(1)
    force = 400.0
    status, approach, _, _ = distribute_total(points, 1, force, np.nan, work)
    carried = force / points.lever[0]
    give = float(approach_of(points, np.array([carried]))[0]) + points.compliance[0, 0] * carried
    assert status == SOLVED
    assert approach * points.lever[0] - points.gap[0] == pytest.approx(give, rel=1e-9)


def test_only_the_first_points_count():
    points, work = random_points(5, 8), load_work(8)
    few = LoadPoints(points.compliance[:3, :3].copy(), *(row[:3].copy() for row in points[1:]))
    small = load_work(3)
    np.testing.assert_allclose(
        distribute(points, 3, 15e-6, work), distribute(few, 3, 15e-6, small), rtol=1e-12
    )
    assert not work.force[3:].any()


def test_no_number_is_told_and_not_solved():
    points, work = random_points(2, 4), load_work(4)
    assert distribute(points, 4, np.nan, work)[0] == STALLED
    points.compliance[1, 2] = points.compliance[2, 1] = np.nan
    assert distribute(points, 4, 20e-6, work)[0] == STALLED
    assert distribute_total(points, 4, -5.0, 0.0, work)[0] == STALLED
