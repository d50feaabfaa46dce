"""A state is all that a run goes on from: copied into another one it continues to the byte."""

import pickle

import numpy as np
import pytest
from spatial_models import start

from flank.contact import Disc, Friction, PowerLaw, Surface, circle_in_hole
from flank.contact.spatial import SpatialSurface, Sphere, sphere_on_plane
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant, harmonic
from flank.dynamics.march import march
from flank.dynamics.poses import record_of, state_at, workspace
from flank.dynamics.run import ContinuedRun, DynamicSettings, march_settings, solve_dynamics
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.tables import GROUND

ROUGH = Friction(0.2, form="elastic", tangential_ratio=0.8)
STEP, STEPS = 1e-4, 100


def planar():
    """A disc thrown about in a hole that rubs, on a damped spring, with a driven one beside."""
    b = ModelBuilder(length_scale=0.05)
    driven = b.body("driven", 1.0, 1e-3)
    disc = b.body("disc", 0.5, 2e-4, leaf=True)
    b.revolute(GROUND, driven)
    b.rotation(GROUND, driven, harmonic(0.3, 40.0))
    b.bushing(driven, disc, 1e4, 5.0, at_a=(0.01, 0.0))
    b.force(disc, (0.6, -0.8), constant(200.0))
    surface = Surface(PowerLaw(1e8), damping=0.3, friction=ROUGH)
    hole, pin = Disc(GROUND, 0.0, 0.0, 0.0505), Disc(disc, 0.0, 0.0, 0.05)
    b.contact(circle_in_hole(hole, pin, surface))
    return b.build(), b.pose()


def spatial():
    """A ball that rolls and hops on a plane, tied to a driven body by a damped bushing."""
    b = SpatialBuilder(0.02)
    driven = b.body("driven", 1.0, (1e-3, 2e-3, 3e-3), (0.1, 0.0, 0.02))
    ball = b.body("ball", 0.3, (5e-5,) * 3, (0.0, 0.0, 0.0201), leaf=True)
    b.revolute(GROUND, driven, at_a=(0.1, 0.0, 0.02))
    b.rotation(GROUND, driven, harmonic(0.3, 40.0))
    b.bushing(driven, ball, (2e3,) * 3, (1.0,) * 3, (2.0,) * 3, (1e-3,) * 3, at_a=(-0.1, 0.0, 0.0))
    b.force(ball, (0.0, 0.0, -1.0), constant(100.0))
    surface = SpatialSurface(PowerLaw(1e8), damping=0.3, friction=ROUGH)
    b.contact(sphere_on_plane(GROUND, (0, 0, 0), (0, 0, 1), Sphere(ball, 0.02), surface))
    return b.build(), start(b)


def copied(state):
    return type(state)(*(None if field is None else field.copy() for field in state))


@pytest.mark.parametrize("machine", [planar, spatial])
@pytest.mark.parametrize("method", ["generalized-alpha", "trapezoid"])
def test_a_copied_state_continues_to_the_byte(machine, method):
    model, pose = machine()
    asked = DynamicSettings(STEP, method=method, error_tolerance=1e-6)
    settings = march_settings(model, asked, STEP)
    times = np.linspace(0.0, STEPS * STEP, STEPS + 1)
    counters = np.zeros(4, dtype=np.int64)

    def go_on(state, step, first, last, work):
        interval = times[first : last + 1]
        rows = record_of(state, max(last - first, 1))
        status, _ = march(model, state, interval, 1, settings, step, work, counters, rows)
        assert status == 0

    through, work, step = state_at(model, pose), workspace(model), np.array([STEP, 0.0])
    go_on(through, step, 0, 0, work)
    halted, step_halted = copied(through), step.copy()
    go_on(through, step, 0, STEPS, work)
    go_on(halted, step_halted, 0, STEPS // 2, workspace(model))
    continued = copied(halted)
    go_on(continued, step_halted, STEPS // 2, STEPS, workspace(model))
    assert np.any(continued.contact_results["friction_work"] > 0.0)
    assert not np.array_equal(continued.position, halted.position)
    for name in through._fields:
        field = getattr(through, name)
        if field is not None:
            assert getattr(continued, name).tobytes() == field.tobytes(), name


@pytest.mark.parametrize("machine", [planar, spatial])
def test_a_run_that_was_kept_goes_on_to_the_byte(machine):
    """In pieces of other steps, too, with what contacts and integrator remember."""
    model, pose = machine()
    first, then = DynamicSettings(STEP), DynamicSettings(0.6 * STEP)
    through, halted = ContinuedRun(model, pose), ContinuedRun(model, pose)
    for run in (through, halted):
        run.advance(40 * STEP, first, stride=4)
    kept = pickle.loads(pickle.dumps(halted))
    pieces = [run.advance(30 * STEP, then) for run in (through, kept)]
    assert pieces[0].complete
    assert pieces[0].time[0] == pytest.approx(40 * STEP)
    for name in pieces[0].FIELDS:
        assert getattr(pieces[1], name).tobytes() == getattr(pieces[0], name).tobytes(), name


def test_pieces_of_one_step_are_one_run():
    model, pose = planar()
    settings = DynamicSettings(STEP)
    whole = solve_dynamics(model, pose, 60 * STEP, settings)
    run = ContinuedRun(model, pose)
    parts = [run.advance(n * STEP, settings) for n in (20, 40)]
    assert parts[1].position[-1] == pytest.approx(whole.position[-1], rel=1e-9, abs=1e-12)
    assert parts[1].time[-1] == pytest.approx(60 * STEP)
