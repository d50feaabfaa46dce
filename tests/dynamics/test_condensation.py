"""Leaf bodies, eliminated one by one, move exactly as the same bodies in the dense core."""

import numpy as np
import pytest

from flank.contact import Disc, Friction, PowerLaw, Surface, circle_in_hole, circle_pair
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant, rise, run_up
from flank.dynamics.run import DynamicSettings, solve_dynamics, solve_statics

BALLS = 7
OUTER, INNER, BALL = 0.030, 0.020, 0.00499


def bearing(leaf, friction=0.0, drive=True):
    """A disc in a ring, balls between them, each on a soft spring of its cage (ring) and ground.

    Balls touch both core bodies, hold springs to a core body and to ground, and carry loads.
    """
    b = ModelBuilder(OUTER)
    ring = b.body("ring", 0.4, 2e-4)
    disc = b.body("disc", 0.3, 6e-5, (3e-6, -2e-6, 0.0))
    b.bushing(0, ring, 2e7, 200.0)
    b.torsion_spring(0, ring, 500.0, 0.05)
    surface = Surface(PowerLaw(4e9, 10 / 9), 0.3, Friction(friction, 1e-2))
    for k in range(BALLS):
        angle = 2 * np.pi * k / BALLS + 0.1
        x, y = 0.025 * np.cos(angle), 0.025 * np.sin(angle)
        ball = b.body(f"ball {k}", 4e-3, 4e-8, (x, y, 0.0), leaf=leaf)
        b.contact(circle_in_hole(Disc(ring, 0, 0, OUTER), Disc(ball, 0, 0, BALL), surface))
        b.contact(circle_pair(Disc(disc, 0, 0, INNER), Disc(ball, 0, 0, BALL), surface))
        b.bushing(ring, ball, 3e4, 1.0, at_a=(x, y))
        b.bushing(ball, 0, 1e3, 0.1, at_a=(1e-3, 0.0), at_b=(x + 1e-3, y))
        b.torsion_spring(disc, ball, 2.0, 1e-5)
        b.force(ball, (0.0, -1.0), constant(0.04), at=(5e-4, 0.0))
    if drive:
        b.rotation(0, disc, run_up(50.0, 2e-3))
    else:
        b.torsion_spring(0, disc, 30.0)
    b.force(disc, (0.8, -0.6), rise(900.0, 1e-3))
    return b


@pytest.mark.parametrize(
    ("friction", "tolerance"), [(0.0, 0.1), (0.1, np.inf)], ids=["halved steps", "friction"]
)
def test_trajectory(friction, tolerance):
    """Same steps, same switches, same poses to Newton's tolerance.

    With friction the steps are not halved for a switch: balls rattle, and one decision made the
    other way by round-off would end the comparison.
    """
    runs = []
    for leaf in (True, False):
        b = bearing(leaf, friction)
        settings = DynamicSettings(
            2e-6,
            force_tolerance=1e-10,
            maximum_iterations=30,
            discontinuity_tolerance=tolerance,
        )
        runs.append(solve_dynamics(b.build(), b.pose(), 1.2e-3, settings))
    condensed, dense = runs
    assert condensed.complete
    assert dense.complete
    assert condensed.counters["contact_switches"] > 0
    for name in ("steps", "rejected_steps", "contact_switches"):
        assert condensed.counters[name] == dense.counters[name]
    moved = np.max(np.abs(dense.position - dense.position[0]), axis=(0, 1))
    assert np.all(moved > [1e-6, 1e-6, 1e-3])
    difference = np.max(np.abs(condensed.position - dense.position), axis=(0, 1))
    assert np.all(difference < 1e-10 * moved)
    largest = np.max(dense.contact_results["normal_force"])
    assert condensed.contact_results["normal_force"] == pytest.approx(
        dense.contact_results["normal_force"], abs=1e-6 * largest
    )


def test_statics():
    """The same equilibria, and the disc's load is carried by ring, balls' springs and weights."""
    times = np.linspace(0.0, 1e-3, 6)
    runs = []
    for leaf in (True, False):
        b = bearing(leaf, drive=False)
        runs.append(solve_statics(b.build(), b.pose(), times))
    condensed, dense = runs
    assert condensed.complete
    assert dense.complete
    assert condensed.position[:, :, :2] == pytest.approx(dense.position[:, :, :2], abs=1e-12)
    assert condensed.position[:, :, 2] == pytest.approx(dense.position[:, :, 2], abs=1e-9)
    forces = condensed.contact_results["normal_force"][-1]
    assert np.count_nonzero(forces) >= 4
    assert forces == pytest.approx(dense.contact_results["normal_force"][-1], abs=1e-4)
    # ring to ground carries the whole load but what the balls' springs to ground take
    expected = np.array([720.0, -540.0 - BALLS * 0.04])
    balls = condensed.position[-1, 3:, :2] - bearing(True).pose()[3:, :2]
    turned = condensed.position[-1, 3:, 2]
    ends = balls + 1e-3 * np.column_stack([np.cos(turned) - 1, np.sin(turned)])
    carried = 2e7 * condensed.position[-1, 1, :2] + 1e3 * np.sum(ends, axis=0)
    assert carried == pytest.approx(expected, rel=1e-6)


def test_leaf_held_by_ground_alone():
    """A leaf without any core neighbour is its own small problem: an oscillator of ω = √(k/m)."""
    poses = []
    for leaf in (True, False):
        b = ModelBuilder(0.1)
        b.body("bystander", 1.0, 1.0)
        ball = b.body("ball", 0.5, 1e-3, (0.01, 0.0, 0.0), leaf=leaf)
        b.bushing(ball, 0, 800.0)
        settings = DynamicSettings(1e-4, spectral_radius=1.0, force_tolerance=1e-13)
        run = solve_dynamics(b.build(), b.pose(), 0.1, settings)
        poses.append(run.position)
    assert poses[0] == pytest.approx(poses[1], abs=1e-14)
    assert poses[0][-1, 2, 0] == pytest.approx(0.01 * np.cos(40.0 * 0.1), abs=1e-6)


def test_model_of_leaves_only():
    """No core body at all: the dense part is empty."""
    b = ModelBuilder(0.01)
    surface = Surface(PowerLaw(1e7, 1.0))
    for k in range(3):
        ball = b.body(f"ball {k}", 0.01, 1e-6, leaf=True)
        b.contact(circle_in_hole(Disc(0, 0, 0, 0.006), Disc(ball, 0, 0, 0.005), surface))
        b.force(ball, (np.cos(k), np.sin(k)), constant(10.0))
    run = solve_statics(b.build(), b.pose(), np.array([0.0]))
    assert run.complete
    reach = 1e-3 + 10.0 / 1e7
    expected = [(reach * np.cos(k), reach * np.sin(k)) for k in range(3)]
    assert run.position[0, 1:, :2] == pytest.approx(np.array(expected), abs=1e-12)
