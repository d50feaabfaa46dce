"""A body loose in its clearance finds its seat: depth by the law's inverse, along the load."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flank.contact import Disc, PowerLaw, Surface, circle_in_hole, circle_pair
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import solve_statics
from flank.elasticity.line_contact import LineLaw

HOLE, RADIUS = 0.0201, 0.020
CLEARANCE = HOLE - RADIUS
RELATIVE_RADIUS = 1 / (1 / RADIUS - 1 / HOLE)
LINE = LineLaw(constant=8e-11, slope=2.9e-12, length=0.02)


def journal(law, load, angle, pose=(0.0, 0.0, 0.0)):
    b = ModelBuilder(RADIUS)
    body = b.body("journal", 1.0, 1e-3, pose)
    b.contact(circle_in_hole(Disc(0, 0, 0, HOLE), Disc(body, 0, 0, RADIUS), Surface(law)))
    b.force(body, (np.cos(angle), np.sin(angle)), load)
    return b


@given(
    force=st.floats(1.0, 2e4),
    angle=st.floats(-np.pi, np.pi),
    share=st.floats(0.0, 0.99),
    where=st.floats(-np.pi, np.pi),
)
@settings(max_examples=60, deadline=None)
def test_depth_is_the_inverse_of_the_power_law(force, angle, share, where):
    """|x| = clearance + (F/K)^(1/n), along the force, from any pose without contact.

    A light force against a stiff wall may take the way over larger loads, hence the budget.
    """
    law = PowerLaw(5e9, 10 / 9)
    x, y = share * CLEARANCE * np.cos(where), share * CLEARANCE * np.sin(where)
    b = journal(law, constant(force), angle, (x, y, 0.0))
    run = solve_statics(b.build(), b.pose(), np.array([0.0]))
    assert run.complete
    reach = CLEARANCE + (force / 5e9) ** 0.9
    expected = np.array([reach * np.cos(angle), reach * np.sin(angle)])
    assert run.position[0, 1, :2] == pytest.approx(expected, abs=1e-11)
    assert run.position[0, 1, 2] == 0.0
    assert run.contact_results["normal_force"][0, 0] == pytest.approx(force, rel=1e-7, abs=1e-6)
    assert run.counters["newton_iterations"] <= 300


@given(force=st.floats(10.0, 2e4))
@settings(max_examples=20, deadline=None)
def test_depth_is_the_inverse_of_the_line_law(force):
    """δ = F' (P - Q ln F') as the law itself states it."""
    b = journal(LINE, constant(force), 1.0)
    run = solve_statics(b.build(), b.pose(), np.array([0.0]))
    reach = CLEARANCE + LINE.approach(force, RELATIVE_RADIUS)
    assert run.complete
    assert np.hypot(*run.position[0, 1, :2]) == pytest.approx(reach, abs=1e-12)
    assert np.arctan2(run.position[0, 1, 1], run.position[0, 1, 0]) == pytest.approx(1.0, abs=1e-7)


@pytest.mark.parametrize("distance", [2 * CLEARANCE, 5e-3, RADIUS, 10 * RADIUS])
@pytest.mark.parametrize("where", [0.0, 2.0, np.pi])
def test_start_deep_in_the_wall(distance, where):
    """A pose far beyond the wall comes back to the same seat, even from the wrong side."""
    b = journal(LINE, constant(500.0), 0.0)
    pose = b.pose()
    pose[1, :2] = distance * np.cos(where), distance * np.sin(where)
    run = solve_statics(b.build(), pose, np.array([0.0]))
    assert run.complete
    reach = CLEARANCE + LINE.approach(500.0, RELATIVE_RADIUS)
    assert run.position[0, 1, :2] == pytest.approx([reach, 0.0], abs=1e-10)


def test_load_steps_are_cheap_and_turning_loads_are_followed():
    """Along a path each equilibrium starts at the last: some Newton iterations apiece."""
    law = PowerLaw(5e9, 10 / 9)
    b = journal(law, linear(1000.0), 0.3)
    times = np.linspace(0.1, 3.0, 30)
    run = solve_statics(b.build(), b.pose(), times)
    assert run.complete
    assert run.counters["equilibria"] == 30
    reach = CLEARANCE + (1000.0 * times / 5e9) ** 0.9
    assert np.hypot(*run.position[:, 1, :2].T) == pytest.approx(reach, abs=1e-11)
    assert run.counters["newton_iterations"] <= 4 * 30
    assert run.counters["contact_switches"] == 0


def test_nest_of_two_clearances():
    """A ring in a hole and a journal in the ring, both loose: depths add, both bodies travel."""
    law = PowerLaw(2e9, 1.0)
    b = ModelBuilder(RADIUS)
    ring = b.body("ring", 1.0, 1e-3)
    journal_ = b.body("journal", 1.0, 1e-3)
    b.contact(circle_in_hole(Disc(0, 0, 0, 0.0302), Disc(ring, 0, 0, 0.030), Surface(law)))
    b.contact(circle_in_hole(Disc(ring, 0, 0, HOLE), Disc(journal_, 0, 0, RADIUS), Surface(law)))
    b.force(journal_, (0.6, 0.8), constant(4000.0))
    run = solve_statics(b.build(), b.pose(), np.array([0.0]))
    assert run.complete
    first, second = 2e-4 + 2e-6, CLEARANCE + 2e-6
    assert run.position[0, 1, :2] == pytest.approx(first * np.array([0.6, 0.8]), abs=1e-11)
    total = first + second
    assert run.position[0, 2, :2] == pytest.approx(total * np.array([0.6, 0.8]), abs=1e-11)


def test_ball_settles_between_two_circles():
    """A disc pressed into the valley of two fixed circles: each carries W/(2 cos α)."""
    law = PowerLaw(1e9, 1.0)
    b = ModelBuilder(0.02)
    disc = b.body("disc", 1.0, 1e-3, (4e-3, 0.05, 0.0))
    for x in (-0.025, 0.025):
        b.contact(circle_pair(Disc(0, x, 0, 0.02), Disc(disc, 0, 0, 0.02), Surface(law)))
    b.force(disc, (0.0, -1.0), constant(1000.0))
    run = solve_statics(b.build(), b.pose(), np.array([0.0]))
    assert run.complete
    assert run.position[0, 1, 0] == pytest.approx(0.0, abs=1e-11)
    height = run.position[0, 1, 1]
    cosine = height / np.hypot(height, 0.025)
    assert run.contact_results["normal_force"][0] == pytest.approx(1000.0 / (2 * cosine), rel=1e-8)


def test_unloaded_body_stays_where_it_is():
    b = journal(LINE, constant(0.0), 0.0, (3e-5, -2e-5, 0.4))
    run = solve_statics(b.build(), b.pose(), np.array([0.0]))
    assert run.complete
    assert np.array_equal(run.position[0], b.pose())
