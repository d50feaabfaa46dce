"""The secant of a path of equilibria: where it leads, and where it is not trusted."""

import numpy as np
import pytest

from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant, harmonic, linear, rise, table
from flank.dynamics.predictor import bends, smooth_steps
from flank.dynamics.run import solve_statics


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


def test_a_straight_path_is_foreseen(monkeypatch):
    """A spring under a load that grows evenly: from the third time on there is nothing to solve."""
    builder = ModelBuilder(length_scale=0.1)
    mass = builder.body("mass", mass=1.0, inertia=1e-3)
    builder.bushing(0, mass, 1e6)
    builder.force(mass, (1.0, 0.0), linear(1e3))
    times = np.linspace(1.0, 2.0, 31)
    foreseen = solve_statics(builder.build(), builder.pose(), times)
    nowhere = np.zeros(len(times), dtype=bool)
    monkeypatch.setattr("flank.dynamics.run.smooth_steps", lambda *_: nowhere)
    looked_for = solve_statics(builder.build(), builder.pose(), times)
    for run in (foreseen, looked_for):
        assert run.position[:, mass, 0] == pytest.approx(1e-3 * times)
    assert looked_for.counters["newton_iterations"] >= len(times)
    assert foreseen.counters["newton_iterations"] < len(times) / 2
