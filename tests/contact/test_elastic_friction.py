"""Elastic friction of one contact: return mapping, tangent, balance, limit, needles."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flank.contact import Disc, Friction, PowerLaw, Surface, needle_between
from flank.contact.friction import dissipated, friction_potential, return_mapping
from flank.dynamics.assembly import assemble
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.model import initial_state, workspace
from flank.dynamics.motion import accept_pose
from flank.elasticity.material import STEEL, Material, tangential_ratio

MU = 0.1
ROUGH = Friction(MU, form="elastic")
AT_A, ANGLE_B, DEPTH = (0.01, -0.02, 0.4), -0.9, 50e-6
LENGTH = 0.05
WEIGHT = np.array([1, 1, 1 / LENGTH, 1, 1, 1 / LENGTH])
forces = st.floats(-1e3, 1e3)
stiffnesses = st.floats(1e5, 1e9)
limits = st.floats(1.0, 1e3)
slips = st.floats(-1e-3, 1e-3)


def surface(exponent=1.0):
    return Surface(PowerLaw(2e9, exponent), 0.0, ROUGH)


def solve(here, anchor, position, stuck_force=0.0, geometric_factor=1.0):
    """Force (weighed), tangent (weighed) and state of a scene that came from `anchor`."""
    state, work = initial_state(here.model, anchor), workspace(here.model)
    state.memory["stuck_force"] = stuck_force
    assemble(here.model, state, position, np.zeros((3, 3)), 0.0, work, 0.0, 1.0, geometric_factor)
    tangent = work.core * np.outer(WEIGHT, WEIGHT)
    return work.force.copy(), tangent, state


def came_from(position, slip):
    """The pose before B slid over A by about `slip` along every direction."""
    anchor = position.copy()
    anchor[2] -= np.array([0.6, -0.7, 20.0]) * slip
    return anchor


def test_ratio_of_stiffnesses_is_mindlins():
    assert tangential_ratio(STEEL, STEEL) == pytest.approx(1.4 / 1.7, rel=1e-14)
    assert Friction().tangential_ratio == pytest.approx(1.4 / 1.7, rel=1e-14)
    rigid = Material(1e30, 0.2, 1.0)
    assert tangential_ratio(rigid, STEEL) == pytest.approx(1.4 / 1.7, rel=1e-12)


@given(forces, stiffnesses, slips, limits)
def test_return_mapping(stuck, stiffness, slip, limit):
    force, trial = return_mapping(stuck, stiffness, slip, limit)
    assert trial == pytest.approx(stuck - stiffness * slip)
    assert force == np.clip(trial, -limit, limit)


@given(forces, stiffnesses, slips, limits)
def test_force_is_minus_the_slope_of_the_potential(stuck, stiffness, slip, limit):
    h = 1e-3 * limit / stiffness
    up, down = (
        friction_potential(stuck - stiffness * (slip + s * h), stiffness, limit) for s in (1, -1)
    )
    force, _ = return_mapping(stuck, stiffness, slip, limit)
    size = limit + abs(friction_potential(stuck - stiffness * slip, stiffness, limit)) / h * 1e-12
    assert -(up - down) / (2 * h) == pytest.approx(force, abs=2e-3 * size)


@given(st.floats(-1, 1), stiffnesses, slips, limits, limits)
def test_dissipated_work_is_that_of_many_small_steps(share, stiffness, slip, old_limit, limit):
    """Slip and limit grow along straight lines: the sum over 2000 parts of the way, and never
    negative. The parts resolve the corner to |f| Δs/2000."""
    stuck = share * old_limit
    force, trial = return_mapping(stuck, stiffness, slip, limit)
    work = dissipated(stuck, trial, force, stiffness, old_limit)
    parts, now, total = 2000, stuck, 0.0
    for bound in np.linspace(old_limit, limit, parts + 1)[1:]:
        new, trial = return_mapping(now, stiffness, slip / parts, bound)
        total += 0.5 * (new + np.clip(now, -bound, bound)) * (trial - new) / stiffness
        now = new
    size = max(old_limit, limit) * (abs(slip) + abs(limit - old_limit) / stiffness)
    assert work >= 0
    assert work == pytest.approx(total, abs=3e-3 * size)


@pytest.mark.parametrize("exponent", [1.0, 10 / 9])
def test_stick_stiffness_is_a_share_of_the_normal_one(scene, finder, exponent):
    """A slip far below the limit meets k_t = ratio k_n, whatever was held before."""
    here = scene(finder, surface(exponent))
    position = here.pose(0.52, DEPTH, AT_A, ANGLE_B)
    anchor = came_from(position, 1e-8)
    _, _, state = solve(here, anchor, position, stuck_force=12.0)
    contact_result, memory = state.contact_results[0], state.memory[0]
    assert memory["tangential_stiffness"] == pytest.approx(1.4 / 1.7 * contact_result["stiffness"])
    normal = np.array([contact_result["normal_x"], contact_result["normal_y"]])
    tangent = np.array([-normal[1], normal[0]])
    point = np.array([contact_result["x"], contact_result["y"]])
    if finder == "needle":  # the inner race instead of the bore
        point -= (here.row["b_radius"] - here.row["a_radius"]) * normal
    moved, arm = position[2] - anchor[2], point - position[2, :2]
    slip = tangent @ (moved[:2] + moved[2] * np.array([-arm[1], arm[0]]))
    expected = 12.0 - memory["tangential_stiffness"] * slip
    assert abs(slip) > 1e-9
    assert contact_result["friction_force"] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("slip", [1e-7, -1e-7, 1e-4, -1e-4])
def test_tangent_equals_the_difference_of_forces(scene, finder, slip):
    """Left out: the turning of the friction's direction and arm, μ f/r, as for every friction."""
    here = scene(finder, surface())
    position = here.pose(0.52, DEPTH, AT_A, ANGLE_B)
    anchor = came_from(position, slip)
    _, got, state = solve(here, anchor, position)
    contact_result = state.contact_results[0]
    saturated = abs(contact_result["friction_force"]) == MU * contact_result["normal_force"]
    assert saturated == (abs(slip) > 1e-6)
    columns = []
    for k in range(6):
        shift = np.zeros((3, 3))
        shift[1 + k // 3, k % 3] = 2e-9 * WEIGHT[k]
        up, down = (solve(here, anchor, position + s * shift)[0] for s in (1, -1))
        columns.append((up - down)[1:].ravel() * WEIGHT / 4e-9)
    expected = -np.array(columns).T
    error, size = np.abs(got - expected).max(), np.abs(expected).max()
    assert error < 3 * MU * contact_result["normal_force"] / here.row["b_radius"]
    assert error < 5e-3 * size
    friction_part = np.abs(expected - expected.T).max() if saturated else np.abs(expected).max()
    assert error < 0.1 * friction_part


@pytest.mark.parametrize("slip", [1e-7, 1e-4])
def test_without_the_turning_of_forces_the_tangent_is_positive(scene, finder, slip):
    here = scene(finder, surface())
    position = here.pose(0.52, DEPTH, AT_A, ANGLE_B)
    _, bare, _ = solve(here, came_from(position, slip), position, geometric_factor=0.0)
    values = np.linalg.eigvalsh(bare)
    assert np.abs(bare - bare.T).max() < 1e-14 * values[-1]
    assert values[0] > -1e-9 * values[-1]


@pytest.mark.parametrize("slip", [1e-7, 1e-4])
def test_forces_and_moments_vanish_in_sum(scene, finder, slip):
    here = scene(finder, surface())
    position = here.pose(0.52, DEPTH, AT_A, ANGLE_B)
    force, _, state = solve(here, came_from(position, slip), position)
    size = np.abs(force[1, :2]).max()
    assert abs(state.contact_results["friction_force"][0]) > 10.0
    assert np.abs(force[:, :2].sum(axis=0)).max() < 1e-12 * size
    moment = force[:, 2] + position[:, 0] * force[:, 1] - position[:, 1] * force[:, 0]
    assert abs(moment.sum()) < 1e-12 * size


def test_never_beyond_the_limit_and_never_gaining(scene, finder):
    """A random walk of poses, in and out of contact: |f| <= μ N and work that only grows."""
    here = scene(finder, Surface(PowerLaw(2e9, 10 / 9), 0.0, ROUGH))
    rng = np.random.default_rng(5)
    start = here.pose(0.3, 5e-6, AT_A, ANGLE_B)
    state, work = initial_state(here.model, start), workspace(here.model)
    lost, closed, stuck = [0.0], 0, 0
    for _ in range(300):
        state.position[2] = start[2] + rng.normal(0, 1, 3) * [4e-6, 4e-6, 1e-4]
        assemble(here.model, state, state.position, state.velocity, 0.0, work, 0.0, 1.0, 1.0)
        contact_result = state.contact_results[0].copy()
        limit = MU * contact_result["normal_force"]
        assert abs(contact_result["friction_force"]) <= limit
        accept_pose(here.model, state)
        assert state.memory["stuck_force"][0] == contact_result["friction_force"]
        closed += contact_result["normal_force"] > 0
        stuck += abs(contact_result["friction_force"]) < limit
        lost.append(state.contact_results["friction_work"][0])
    assert np.all(np.diff(lost) >= 0)
    assert lost[-1] > 1e-4
    assert 50 < closed < 290
    assert stuck > 5


def test_velocity_plays_no_part(scene, finder):
    here = scene(finder, surface())
    position = here.pose(0.52, DEPTH, AT_A, ANGLE_B)
    anchor = came_from(position, 1e-7)
    state, work = initial_state(here.model, anchor), workspace(here.model)
    results = []
    for speed, rate_factor in ((0.0, 0.0), (3.0, 1e4)):
        velocity = np.full((3, 3), speed) * [[0.0], [1.0], [-1.0]]
        assemble(here.model, state, position, velocity, 0.0, work, rate_factor, 1.0, 1.0)
        results.append(np.concatenate((work.force.ravel(), work.core.ravel())))
    np.testing.assert_array_equal(*results)


INNER, OUTER, COUNT = 13e-3, 18e-3, 16


def bearing(friction):
    builder = ModelBuilder(0.02)
    builder.body("crank", 1.0, 1e-3)
    builder.body("disc", 1.0, 1e-3)
    inner, outer = Disc(1, 0.0, 0.0, INNER), Disc(2, 0.0, 0.0, OUTER)
    law = PowerLaw(5e8, 10 / 9)
    for k in range(COUNT):
        angle = 2 * math.pi * k / COUNT
        builder.contact(needle_between(inner, outer, angle, -3e-6, law, 0.0, friction))
    return builder


@pytest.mark.parametrize("turn", [1e-2, -1e-2])
def test_rolling_resistance_of_a_needle_bearing(turn):
    """Σ μ N r_i against the turning, on either race; nothing across."""
    builder = bearing(Friction(0.004, form="elastic"))
    model = builder.build()
    state, work = initial_state(model, builder.pose()), workspace(model)
    state.position[2, 2] = turn
    assemble(model, state, state.position, state.velocity, 0.0, work, 0.0, 1.0, 1.0)
    load = state.contact_results["normal_force"].sum()
    assert load > 100
    expected = -math.copysign(0.004 * load * INNER, turn)
    assert work.force[2, 2] == pytest.approx(expected, rel=1e-12)
    assert work.force[1, 2] == pytest.approx(-expected, rel=1e-12)
    assert np.abs(work.force[:, :2]).max() < 1e-9 * load


@pytest.mark.parametrize("form", ["smooth", "linear"])
def test_a_needle_refuses_friction_by_velocity(form):
    with pytest.raises(ValueError, match="use the form 'elastic'"):
        bearing(Friction(0.1, form=form))
