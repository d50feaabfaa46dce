"""What cannot be in equilibrium says so in a sentence and keeps the equilibria found before."""

import numpy as np
import pytest

from flank.contact import Disc, PowerLaw, Surface, circle_pair
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant, linear, table
from flank.dynamics.run import StaticSettings, solve_statics
from flank.dynamics.status import Status


def test_free_body_under_a_force_has_no_equilibrium():
    b = ModelBuilder(1.0)
    body = b.body("drifter", 1.0, 1.0)
    b.force(body, (1.0, 0.0), constant(5.0))
    run = solve_statics(b.build(), b.pose(), np.array([0.0]))
    assert not run.complete
    assert run.status is Status.TOO_MANY_ITERATIONS
    assert "No equilibrium was found" in run.status.sentence
    assert len(run.time) == len(run.position) == len(run.contact_results) == 0
    assert run.counters["equilibria"] == 0


def test_equilibria_before_the_failure_are_kept():
    """A torque without a spring to hold it starts at t = 1; until then the rotor may rest."""
    b = ModelBuilder(1.0)
    rotor = b.body("rotor", 1.0, 1.0, (0.0, 0.0, 0.3))
    b.revolute(0, rotor)
    b.torque(rotor, table([(1.0, 0.0), (2.0, 5.0)]))
    told = []
    times = np.linspace(0.0, 3.0, 7)
    run = solve_statics(b.build(), b.pose(), times, progress=told.append)
    assert run.status is not Status.OK
    assert run.time == pytest.approx([0.0, 0.5, 1.0])
    assert run.position.shape == (3, 2, 3)
    assert run.position[-1, 1, 2] == 0.3
    assert told == pytest.approx([3 / 7] * len(told))  # the kernel came so far at once


def test_body_pushed_out_of_its_only_contact():
    """A disc pressed on another off its axis slips off and is gone: no equilibrium, no hang."""
    b = ModelBuilder(0.01)
    disc = b.body("disc", 1.0, 1e-4, (1e-3, 0.021, 0.0))
    surface = Surface(PowerLaw(1e8, 1.0))
    b.contact(circle_pair(Disc(0, 0, 0, 0.01), Disc(disc, 0, 0, 0.01), surface))
    b.force(disc, (0.0, -1.0), constant(100.0))
    run = solve_statics(b.build(), b.pose(), np.array([0.0]))
    assert run.status is not Status.OK
    assert len(run.status.sentence) > 30


def test_body_held_twice():
    """Two drives that contradict each other cannot both be met."""
    b = ModelBuilder(1.0)
    body = b.body("rotor", 1.0, 1.0)
    b.revolute(0, body)
    b.rotation(0, body, linear(1.0))
    b.rotation(0, body, linear(2.0))
    run = solve_statics(b.build(), b.pose(), np.array([0.0, 1.0]))
    assert run.status is not Status.OK


def test_nonsense_load_is_not_an_equilibrium():
    b = ModelBuilder(1.0)
    body = b.body("body", 1.0, 1.0)
    b.bushing(0, body, 10.0)
    b.force(body, (1.0, 0.0), constant(float("nan")))
    run = solve_statics(b.build(), b.pose(), np.array([0.0]))
    assert run.status is not Status.OK
    assert len(run.position) == 0


def test_iterations_allowed_are_the_limit():
    b = ModelBuilder(0.1)
    body = b.body("body", 1.0, 1.0)
    b.bushing(0, body, 10.0)
    b.force(body, (1.0, 0.0), constant(100.0))
    few = solve_statics(
        b.build(), b.pose(), np.array([0.0]), settings=StaticSettings(maximum_iterations=3)
    )
    assert few.status is Status.TOO_MANY_ITERATIONS
    enough = solve_statics(b.build(), b.pose(), np.array([0.0]))
    assert enough.complete
    assert enough.position[0, 1, 0] == pytest.approx(10.0, rel=1e-8)


def test_every_failure_has_a_sentence_with_a_remedy():
    assert Status.OK.sentence == "Completed."
    for status in Status:
        assert status.sentence.endswith(".")
        if status is not Status.OK:
            assert ":" in status.sentence
