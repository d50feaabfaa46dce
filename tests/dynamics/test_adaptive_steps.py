"""A contact that closes inside a step: the step is halved, grows back, and results converge."""

from dataclasses import replace

import numpy as np
import pytest
from consistent_start import start_consistently

from flank.contact import Disc, PowerLaw, Surface, circle_in_hole
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import linear
from flank.dynamics.march import march
from flank.dynamics.model import initial_state, workspace
from flank.dynamics.poses import record_of
from flank.dynamics.run import DynamicSettings, march_settings, solve_dynamics
from flank.dynamics.status import Status

MASS, CLEARANCE, SPEED = 0.05, 2e-3, 1.5
STIFFNESS = 1e7


def thrown_ball(damping=0.2):
    b = ModelBuilder(0.01)
    ball = b.body("ball", MASS, 1e-6)
    surface = Surface(PowerLaw(STIFFNESS, 1.0), damping)
    b.contact(circle_in_hole(Disc(0, 0, 0, 0.012), Disc(ball, 0, 0, 0.010), surface))
    velocity = np.zeros((2, 3))
    velocity[1, 0] = SPEED
    return b, velocity


def run_ball(step, duration=4e-3, damping=0.2, **settings):
    b, velocity = thrown_ball(damping)
    return solve_dynamics(
        b.build(), b.pose(), duration, DynamicSettings(step, **settings), velocity
    )


def test_hard_impact_at_a_large_step_is_halved():
    """Contact lasts π √(m/K) = 0.22 ms; a step of 0.1 ms meets it with smaller ones."""
    run = run_ball(1e-4)
    assert run.complete
    assert run.counters["rejected_steps"] > 0
    assert run.counters["steps"] > 40
    assert run.counters["contact_switches"] == 2  # closed once, opened once
    assert run.time == pytest.approx(np.linspace(0, 4e-3, 41))


def test_step_grows_back_after_the_impact():
    """Long after the impact one interval is one step again: more time costs no more than that."""
    short, long = run_ball(1e-5, 1.7e-3), run_ball(1e-5, 2.5e-3)
    assert short.counters["rejected_steps"] == long.counters["rejected_steps"] > 0
    assert long.counters["steps"] - short.counters["steps"] == 80
    assert run_ball(1e-5, 1e-3).counters["steps"] == 100  # before the impact


def test_infinite_tolerance_never_halves_for_a_switch():
    run = run_ball(1e-5, discontinuity_tolerance=np.inf)
    assert run.complete
    assert run.counters["rejected_steps"] == 0
    assert run.counters["steps"] == 400
    assert run.counters["contact_switches"] == 2


@pytest.mark.parametrize("halvings", [0, 1, 4])
def test_halvings_limit_the_smallest_step(halvings):
    """A lone contact always exceeds its share, so every switch goes down to the smallest step."""
    run = run_ball(1e-5, halvings=halvings)
    assert run.complete
    assert run.counters["rejected_steps"] <= 2 * halvings
    assert (run.counters["rejected_steps"] > 0) == (halvings > 0)


def test_switched_force_is_resolved():
    """Halving meets the closing contact at a force near zero, and so loses less at large steps."""
    only = {"penetration_tolerance": np.inf}
    fine = run_ball(1e-7, 3e-3, discontinuity_tolerance=np.inf, **only).position[-1, 1, 0]
    halved = run_ball(4e-5, 3e-3, **only).position[-1, 1, 0]
    plain = run_ball(4e-5, 3e-3, discontinuity_tolerance=np.inf, **only).position[-1, 1, 0]
    assert abs(halved - fine) < 0.5 * abs(plain - fine)


def test_result_converges_with_the_step():
    """The pose after one linear impact, against the closed form of half a period of contact.

    Without damping: touch at CLEARANCE/v, leave π √(m/K) later with -v.
    """
    contact_result = CLEARANCE / SPEED
    leave = contact_result + np.pi * np.sqrt(MASS / STIFFNESS)
    exact = CLEARANCE - SPEED * (3e-3 - leave)
    errors = [
        abs(run_ball(h, 3e-3, 0.0, spectral_radius=0.9).position[-1, 1, 0] - exact)
        for h in (2e-5, 5e-6, 1.25e-6)
    ]
    assert errors[2] < errors[1] < errors[0]
    assert errors[2] < 0.05 * errors[0]
    assert errors[2] < 1e-4 * CLEARANCE


def test_counters_agree_with_the_record():
    """Every accepted step costs at least one iteration; switches seen are those recorded."""
    run = run_ball(1e-5)
    closed = run.contact_results["normal_force"][:, 0] > 0
    assert run.counters["contact_switches"] == np.count_nonzero(closed[1:] != closed[:-1])
    assert run.counters["steps"] >= len(run.time) - 1
    attempts = run.counters["steps"] + run.counters["rejected_steps"]
    assert attempts <= run.counters["newton_iterations"] <= 6 * attempts
    assert set(run.counters) == {"steps", "newton_iterations", "rejected_steps", "contact_switches"}


def crank_and_rod():
    b = ModelBuilder(0.2)
    crank = b.body("crank", 1.0, 0.01, (0.1, 0.0, 0.0))
    rod = b.body("rod", 1.0, 0.01, (0.2, -0.2, -np.pi / 2))
    b.revolute(0, crank, at_b=(-0.1, 0.0))
    b.revolute(crank, rod, (0.1, 0.0), (-0.2, 0.0))
    b.rotation(0, crank, linear(40.0))
    return b


def test_step_without_convergence_is_halved_too():
    """Four Newton iterations do not do for a large step of a fast crank, but do for a small one.

    Even where switches never halve a step; without halvings the run ends.
    """
    b = crank_and_rod()
    fine = solve_dynamics(b.build(), b.pose(), 0.1, DynamicSettings(1e-5), stride=1000)
    few = DynamicSettings(
        1e-2, maximum_iterations=4, discontinuity_tolerance=np.inf, force_tolerance=1e-9
    )
    run = solve_dynamics(b.build(), b.pose(), 0.1, few)
    assert run.complete
    assert run.counters["rejected_steps"] > 0
    assert run.position[-1, 1] == pytest.approx(fine.position[-1, 1], abs=1e-10)
    none = DynamicSettings(
        1e-2, maximum_iterations=4, halvings=0, rescue_halvings=0, force_tolerance=1e-9
    )
    failed = solve_dynamics(b.build(), b.pose(), 0.1, none)
    assert failed.status is Status.NO_CONVERGENCE


def test_failed_step_leaves_no_trace():
    """Pose, motion and reactions are those before the attempt, to the bit."""
    b = crank_and_rod()
    model = b.build()
    state, work = initial_state(model, b.pose()), workspace(model)
    start_consistently(model, state, 0.0, work)
    fields = ("position", "velocity", "acceleration", "auxiliary", "multipliers")
    before = {name: getattr(state, name).copy() for name in fields}
    asked = DynamicSettings(1e-2, force_tolerance=1e-9, maximum_iterations=2, rescue_halvings=0)
    status, done = march(
        model,
        state,
        np.array([0.0, 1e-2]),
        1,
        march_settings(model, replace(asked, halvings=0), 1e-2),
        np.array([1e-2, 0.0]),
        work,
        np.zeros(4, dtype=np.int64),
        record_of(state, 1),
    )
    assert (Status(status), done) == (Status.NO_CONVERGENCE, 0)
    assert np.any(before["multipliers"] != 0)
    for name in fields:
        assert np.array_equal(getattr(state, name), before[name]), name
