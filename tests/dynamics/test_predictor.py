"""The secant of a path of equilibria: where it leads, and where it is not trusted."""

import numpy as np
import pytest

from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant, harmonic, rise, table
from flank.dynamics.predictor import Secant, bends, smooth_steps


def model_with(*functions):
    """A body that a force follows a function, for each of them."""
    builder = ModelBuilder(length_scale=0.1)
    for k, function in enumerate(functions):
        body = builder.body(f"mass {k}", mass=1.0, inertia=1e-3)
        builder.force(body, (1.0, 0.0), function)
    return builder.build()


def test_functions_bend_at_the_points_of_their_tables():
    model = model_with(table([(0.0, 1.0), (2.0, 3.0), (5.0, 0.0)]), rise(1.0, 1.5), constant(2.0))
    assert bends(model, 0.0, 5.0).tolist() == [0.0, 1.5, 2.0, 5.0]
    assert bends(model_with(harmonic(1.0, 2.0)), 0.0, 5.0).tolist() == []


def test_tables_with_a_period_bend_in_each():
    model = model_with(table([(0.5, 1.0), (1.0, 3.0)], period=2.0))
    points = bends(model, 3.0, 6.0)
    assert {2.5, 3.0, 4.5, 5.0, 6.5} <= set(points.tolist())


@pytest.mark.parametrize(
    ("times", "points", "smooth"),
    [
        ([0.0, 1.0, 2.0, 3.0], [], [False, False, True, True]),
        ([0.0, 1.0, 2.0, 3.0], [1.0], [False, False, False, True]),
        ([0.0, 1.0, 2.0, 3.0], [0.0, 3.0], [False, False, True, True]),
        ([0.0, 1.0, 3.5, 6.0], [], [False, False, False, True]),
        ([0.0, 0.0, 1.0], [], [False, False, False]),
    ],
    ids=["smooth", "a corner inside", "corners at the ends", "a long step", "twice the same time"],
)
def test_a_secant_goes_over_no_corner_and_not_far(times, points, smooth):
    assert smooth_steps(np.array(times), np.array(points)).tolist() == smooth


def test_a_straight_path_is_foreseen():
    times = np.array([0.0, 1.0, 1.5])
    secant = Secant(model_with(constant(1.0)), times)
    pose, known = np.zeros((2, 3)), np.full((2, 3), 0.25)
    secant.add(0.0, pose, np.array([1.0]), known)
    assert secant.step(1, 1.0) is None
    secant.add(1.0, pose + 0.75, np.array([3.0]), known)
    step = secant.step(2, 1.5)
    assert step.shift == pytest.approx(0.25)  # what was guessed is no part of it
    assert step.multipliers == pytest.approx(1.0)
