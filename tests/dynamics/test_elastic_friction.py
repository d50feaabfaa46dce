"""A shoe on a drum that turns to and fro: stick, slip, loops, and when the solvers commit."""

import numpy as np
import pytest
from consistent_start import start_consistently

from flank.contact import Disc, Friction, PowerLaw, Surface, circle_pair
from flank.dynamics import march, statics
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant, table
from flank.dynamics.model import initial_state, workspace
from flank.dynamics.poses import record_of
from flank.dynamics.run import DynamicSettings, march_settings, solve_dynamics, solve_statics

RADIUS, SHOE, ARM = 0.1, 0.02, 0.3
LOAD, STIFFNESS, RATIO, MU = 1000.0, 1e8, 0.8, 0.05
DEPTH = LOAD / STIFFNESS
LIMIT, TANGENTIAL = MU * LOAD, RATIO * STIFFNESS
LEVER = RADIUS - DEPTH / 2  # where the shoe touches
LARGEST = 4 * LIMIT / TANGENTIAL / LEVER  # rad, four times what sticks


def shoe_on_drum(path, damping=0.0):
    """The drum's angle is given; the shoe hangs on an arm whose pivot is level with the contact,
    so that friction does not change its load."""
    b = ModelBuilder(RADIUS)
    drum = b.body("drum", 1.0, 1e-2)
    b.revolute(0, drum)
    b.rotation(0, drum, table(path))
    shoe = b.body("shoe", 1.0, 1e-2, pose=(0.0, RADIUS + SHOE - DEPTH, 0.0))
    pivot = SHOE - DEPTH / 2
    b.revolute(0, shoe, at_a=(ARM, LEVER), at_b=(ARM, -pivot))
    b.force(shoe, (0.0, -1.0), constant(LOAD))
    friction = Friction(MU, form="elastic", tangential_ratio=RATIO)
    surface = Surface(PowerLaw(STIFFNESS, 1.0), damping, friction)
    b.contact(circle_pair(Disc(drum, 0, 0, RADIUS), Disc(shoe, 0, 0, SHOE), surface))
    return b


TO_AND_FRO = [(0.0, 0.0), (1.0, LARGEST), (3.0, -LARGEST), (5.0, LARGEST)]


def loop(steps_a_second, path=TO_AND_FRO):
    b = shoe_on_drum(path)
    times = np.linspace(0.0, path[-1][0], round(path[-1][0] * steps_a_second) + 1)
    run = solve_statics(b.build(), b.pose(), times)
    assert run.complete
    return times, run.position[:, 1, 2] * LEVER, run.contact_results[:, 0]


def bristle(slip):
    """The closed form on TO_AND_FRO: virgin branch, then ±μN less twice the elastic swing."""
    back = np.argmax(slip)
    forth = back + np.argmin(slip[back:])
    force = np.minimum(TANGENTIAL * slip, LIMIT)
    force[back:] = np.maximum(LIMIT - TANGENTIAL * (slip[back] - slip[back:]), -LIMIT)
    force[forth:] = np.minimum(TANGENTIAL * (slip[forth:] - slip[forth]) - LIMIT, LIMIT)
    return force


def test_stick_slip_loop_is_the_closed_form():
    """Slope k_t, plateau μN. The drum is A: a drum that turns on drags the shoe against t."""
    _, slip, contact_result = loop(40)
    assert contact_result["normal_force"] == pytest.approx(LOAD, rel=1e-5)
    assert np.abs(contact_result["friction_force"]).max() == pytest.approx(LIMIT, rel=1e-5)
    signed = contact_result["friction_force"] * np.sign(
        contact_result["friction_force"][1] * slip[1]
    )
    assert signed == pytest.approx(bristle(slip), abs=1e-3 * LIMIT)


def test_loop_area_is_the_work_of_friction():
    """4 μN (s_max - μN/k_t) a cycle, by the slip as by the area of the loop."""
    times, slip, contact_result = loop(200)
    expected = 4 * LIMIT * (LARGEST * LEVER - LIMIT / TANGENTIAL)
    closed = times >= 1.0
    work = contact_result["friction_work"][closed]
    assert work[-1] - work[0] == pytest.approx(expected, rel=1e-4)
    area = abs(np.trapezoid(contact_result["friction_force"][closed], slip[closed]))
    assert area == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize("steps", [1, 3, 10])
def test_load_steps_do_not_matter_where_slip_is_monotone(steps):
    """Force and work at the corners, with as few as one step from corner to corner."""
    _, _, coarse = loop(steps)
    _, _, fine = loop(2 * steps)
    for name, size in (("friction_force", LIMIT), ("friction_work", LIMIT * LARGEST * LEVER)):
        for corner in (1, 3, 5):
            difference = coarse[name][corner * steps] - fine[name][2 * corner * steps]
            assert abs(difference) < 1e-6 * size


def test_a_shaking_guess_changes_nothing():
    """Slip counts from the last equilibrium, wherever the search starts."""
    b = shoe_on_drum(TO_AND_FRO)
    times = np.linspace(0.0, 5.0, 26)
    guesses = np.broadcast_to(b.pose(), (26, 3, 3)).copy()
    guesses[:, 1:] += np.random.default_rng(1).normal(0, 1, (26, 2, 3)) * [1e-7, 1e-7, 3e-5]
    model = b.build()
    plain, shaken = (solve_statics(model, b.pose(), times, g) for g in (None, guesses))
    assert shaken.complete
    for name in ("friction_force", "friction_work"):
        size = np.abs(plain.contact_results[name]).max()
        np.testing.assert_allclose(
            shaken.contact_results[name], plain.contact_results[name], atol=1e-6 * size
        )


def test_slow_dynamics_walks_the_static_loop():
    b = shoe_on_drum([(0.2 * t, angle) for t, angle in TO_AND_FRO], damping=1.0)
    run = solve_dynamics(b.build(), b.pose(), 1.0, DynamicSettings(1e-3), stride=5)
    assert run.complete
    _, _, static = loop(40)
    dynamic = run.contact_results[:, 0]
    for name, size in (("friction_force", LIMIT), ("friction_work", LIMIT * LARGEST * LEVER)):
        np.testing.assert_allclose(dynamic[name], static[name], atol=2e-3 * size)


def test_unloading_lets_go_and_loses_what_was_stored():
    """Held by half its limit, the shoe is lifted: f follows the falling limit to zero, and all of
    f²/2k is lost, by many steps of unloading or at one stroke."""
    held = 0.5 * LIMIT
    angle = held / TANGENTIAL / LEVER
    for steps in (2, 40):
        b = shoe_on_drum([(0.0, 0.0), (1.0, angle), (2.0, angle)])
        b.force(2, (0.0, 1.0), table([(0.0, 0.0), (1.0, 0.0), (2.0, LOAD + 1.0)]))
        b.bushing(0, 2, 1e3, at_a=(0.0, RADIUS + SHOE))
        run = solve_statics(b.build(), b.pose(), np.linspace(0.0, 2.0, 2 * steps + 1))
        assert run.complete
        contact_result = run.contact_results[:, 0]
        assert abs(contact_result["friction_force"][steps]) == pytest.approx(held, rel=1e-3)
        assert contact_result["friction_work"][steps] == 0.0
        assert contact_result["friction_force"][-1] == contact_result["normal_force"][-1] == 0.0
        stored = held**2 / (2 * TANGENTIAL)
        assert contact_result["friction_work"][-1] == pytest.approx(stored, rel=2e-3)


def test_a_rejected_step_does_not_commit():
    """Newton is given one iteration and fails: anchor, stuck force and work stay as they were."""
    b = shoe_on_drum([(0.0, 0.0), (1.0, 50 * LARGEST)])
    model = b.build()
    state, work = initial_state(model, b.pose()), workspace(model)
    assert start_consistently(model, state, 0.0, work) == 0
    times, record = np.linspace(0.0, 1e-2, 11), record_of(state, 10)
    counters = np.zeros(4, dtype=np.int64)

    def integrate(iterations):
        asked = DynamicSettings(
            1e-3,
            force_tolerance=1e-10,
            maximum_iterations=iterations,
            penetration_tolerance=np.inf,
            shortest_step=1e-4,
        )
        settings = march_settings(model, asked, 1e-3)
        step = np.array([1e-3, 0.0])
        return march.march(model, state, times, 1, settings, step, work, counters, record)

    status, _ = integrate(1)
    assert status != 0
    assert counters[march.REJECTED] > 0
    np.testing.assert_array_equal(state.anchor, b.pose())
    np.testing.assert_array_equal(state.position, b.pose())
    assert state.memory["stuck_force"][0] == state.contact_results["friction_work"][0] == 0.0
    status, _ = integrate(20)
    assert status == 0
    np.testing.assert_array_equal(state.anchor, state.position)
    assert abs(state.memory["stuck_force"][0]) == pytest.approx(LIMIT, rel=1e-2)
    assert state.contact_results["friction_work"][0] > 0.0


def test_the_search_for_an_equilibrium_commits_nothing():
    b = shoe_on_drum(TO_AND_FRO)
    model = b.build()
    state, work = initial_state(model, b.pose()), workspace(model)
    settings = statics.StaticTolerances(1e-9, 120)
    assert statics.equilibrium(model, state, 1.0, settings, work, statics.new_search()) == 0
    assert abs(state.contact_results["friction_force"][0]) == pytest.approx(LIMIT, rel=1e-5)
    np.testing.assert_array_equal(state.anchor, b.pose())
    assert state.memory["stuck_force"][0] == state.contact_results["friction_work"][0] == 0.0
