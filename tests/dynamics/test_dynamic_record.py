"""What solve_dynamics records: strides, durations, progress, and what a failure leaves."""

import numpy as np
import pytest

from flank.contact import Disc, PowerLaw, Surface, circle_in_hole
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant, table
from flank.dynamics.run import DynamicSettings, solve_dynamics
from flank.dynamics.status import Status


def oscillator():
    b = ModelBuilder(0.1)
    body = b.body("mass", 2.0, 0.1, (0.01, 0.0, 0.0))
    b.bushing(0, body, 200.0, 0.5)
    return b


def rattling_ball():
    """Impacts, so that steps are halved and grow back across the pieces of a run."""
    b = ModelBuilder(0.01)
    ball = b.body("ball", 0.05, 1e-6, (3e-4, -5e-4, 0.0))
    surface = Surface(PowerLaw(1e7, 1.0), 0.1)
    b.contact(circle_in_hole(Disc(0, 0, 0, 0.012), Disc(ball, 0, 0, 0.010), surface))
    velocity = np.zeros((2, 3))
    velocity[1] = 1.2, 0.7, 0.0
    return b, velocity


@pytest.mark.parametrize("stride", [1, 4, 25])
def test_stride_keeps_every_nth_step(stride):
    b = oscillator()
    full = solve_dynamics(b.build(), b.pose(), 0.1, DynamicSettings(1e-3))
    run = solve_dynamics(b.build(), b.pose(), 0.1, DynamicSettings(1e-3), stride=stride)
    assert len(full.time) == 101
    assert np.array_equal(run.time, full.time[::stride])
    assert np.array_equal(run.position, full.position[::stride])
    assert run.counters == full.counters
    assert np.array_equal(run.position[0], b.pose())


@pytest.mark.parametrize(
    ("duration", "step", "stride", "records"),
    [
        (0.1, 1e-3, 1, 100),
        (0.1, 3e-3, 1, 33),
        (0.1, 1e-3, 30, 3),
        (1e-4, 1e-3, 1, 1),
        (1, 1e-2, 500, 1),
    ],
)
def test_duration_is_met_exactly(duration, step, stride, records):
    """The step bends, the duration does not: times are even and end at the duration."""
    b = oscillator()
    run = solve_dynamics(b.build(), b.pose(), duration, DynamicSettings(step), stride=stride)
    assert run.complete
    assert run.time == pytest.approx(np.linspace(0, duration, records + 1))
    assert run.time[-1] == duration
    assert run.position.shape == (records + 1, 2, 3)
    assert run.counters["steps"] == records * stride


@pytest.mark.parametrize(("duration", "stride"), [(1e-4, 1), (1e-3, 1000)])
def test_short_runs_without_halvings_do_move(duration, stride):
    """A step much smaller than the one asked for is still a step: x = ½ a t²."""
    b = ModelBuilder(1.0)
    body = b.body("mass", 1.0, 1.0)
    b.force(body, (1.0, 0.0), constant(2.0))
    settings = DynamicSettings(1e-2, halvings=0)
    run = solve_dynamics(b.build(), b.pose(), duration, settings, stride=stride)
    assert run.counters["steps"] == stride
    assert run.position[-1, 1, 0] == pytest.approx(duration**2, rel=1e-9)


def test_no_contacts_record_no_touches():
    b = oscillator()
    run = solve_dynamics(b.build(), b.pose(), 0.01, DynamicSettings(1e-3))
    assert run.contact_results.shape == (11, 0)


def test_touches_belong_to_the_recorded_pose():
    """Force and gap of the record obey the law at the recorded pose (linear, undamped part)."""
    b, velocity = rattling_ball()
    run = solve_dynamics(b.build(), b.pose(), 0.01, DynamicSettings(1e-5), velocity)
    gap = 0.002 - np.hypot(*run.position[:, 1, :2].T)
    touching = run.contact_results["normal_force"][:, 0] > 0
    assert np.count_nonzero(touching) > 20
    assert run.contact_results["gap"][:, 0] == pytest.approx(gap, abs=1e-15)
    assert np.all(gap[touching] < 0)


@pytest.mark.parametrize("records", [1, 7, 50, 73, 400])
def test_progress_rises_to_one(records):
    b = oscillator()
    told = []
    settings = DynamicSettings(1e-3)
    solve_dynamics(b.build(), b.pose(), records * 1e-3, settings, progress=told.append)
    assert told[-1] == 1.0
    assert np.all(np.diff([0.0, *told]) > 0)
    assert len(told) == min(records, 50)


def test_watching_changes_nothing():
    """With progress the run is done in pieces; steps, poses and counters are the same bits."""
    b, velocity = rattling_ball()
    settings = DynamicSettings(2e-5)
    alone = solve_dynamics(b.build(), b.pose(), 0.02, settings, velocity)
    watched = solve_dynamics(b.build(), b.pose(), 0.02, settings, velocity, progress=lambda _: None)
    assert alone.counters["rejected_steps"] > 20
    assert alone.counters == watched.counters
    assert np.array_equal(alone.position, watched.position)
    assert np.array_equal(alone.contact_results, watched.contact_results)


def test_repeated_run_is_the_same_and_leaves_the_start_alone():
    b, velocity = rattling_ball()
    model, start = b.build(), b.pose()
    before = start.copy()
    runs = [solve_dynamics(model, start, 5e-3, DynamicSettings(2e-5), velocity) for _ in range(2)]
    assert np.array_equal(runs[0].position, runs[1].position)
    assert np.array_equal(start, before)


@pytest.mark.parametrize("progress", [None, lambda share: None])
def test_failing_run_keeps_what_it_has(progress):
    """A load that becomes nonsense after t = 0.05 ends the run; the record before it stands."""
    b = ModelBuilder(0.1)
    body = b.body("mass", 2.0, 0.1)
    b.force(body, (1.0, 0.0), table([(0.0, 1.0), (0.0505, 1.0), (0.0506, float("nan"))]))
    run = solve_dynamics(
        b.build(), b.pose(), 0.1, DynamicSettings(1e-3), stride=2, progress=progress
    )
    assert not run.complete
    assert run.status is not Status.OK
    assert len(run.status.sentence) > 30
    assert run.time == pytest.approx(np.arange(0, 0.0501, 2e-3))
    assert len(run.position) == len(run.contact_results) == len(run.time)
    assert run.position[:, 1, 0] == pytest.approx(0.25 * run.time**2, abs=1e-12)


def test_impossible_start_records_the_start_alone():
    b = ModelBuilder(0.1)
    body = b.body("mass", 2.0, 0.1)
    b.fixed(0, body)
    b.revolute(0, body)
    run = solve_dynamics(b.build(), b.pose(), 0.1, DynamicSettings(1e-3))
    assert run.status is Status.SINGULAR
    assert run.time.tolist() == [0.0]
    assert run.position.shape == (1, 2, 3)
