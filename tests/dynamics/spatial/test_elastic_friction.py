"""Elastic friction in space: a block pushed to and fro, a rolling ball, circles, energy, memory."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from spatial_models import METHODS, kinetic_energy, run, stored_energy

from flank.contact import Disc, Friction, PowerLaw, Surface, circle_on_curve
from flank.contact.spatial import SpatialSurface, Sphere, sphere_on_plane
from flank.dynamics import statics
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant, table
from flank.dynamics.linearize import linearize
from flank.dynamics.motion import accept_pose
from flank.dynamics.run import DynamicSettings, StaticSettings, solve_dynamics, solve_statics
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.model import FRICTION, initial_state, workspace
from flank.dynamics.spatial.quaternions import matrix_of
from flank.dynamics.trajectory import SpatialPose
from flank.geometry.polyline import Polyline

BALL, STIFFNESS, RATIO, MU, LOAD = 0.02, 1e8, 0.8, 0.2, 1000.0
DEPTH = LOAD / STIFFNESS
LIMIT, TANGENTIAL = MU * LOAD, RATIO * STIFFNESS
ELASTIC = LIMIT / TANGENTIAL
LARGEST = 4 * ELASTIC
ROUGH = Friction(MU, form="elastic", tangential_ratio=RATIO)
LAW = SpatialSurface(PowerLaw(STIFFNESS, 1.0), friction=ROUGH)
UPRIGHT = np.eye(3)
TO_AND_FRO = [(0.0, 0.0), (1.0, LARGEST), (3.0, -LARGEST), (5.0, LARGEST)]


def start_of(b):
    position, rotation = b.pose()
    return SpatialPose(position, rotation, np.zeros((len(position), 6)))


def block(x, y, turn=UPRIGHT):
    """A block on one sphere, pressed on a plane and moved along it; all of it turned anyhow, the
    path along the plane's axes."""
    b = SpatialBuilder(BALL)
    first, second, normal = turn.T
    centre = (BALL - DEPTH) * normal
    one = b.body("block", 1.0, (1e-3,) * 3, centre, turn)
    b.along(0, one, first, x)
    b.along(0, one, second, y)
    b.parallel(0, one, normal)
    b.rotation(0, one, constant(0.0), normal)
    b.force(one, -normal, constant(LOAD))
    b.contact(sphere_on_plane(0, (0, 0, 0), normal, Sphere(one, BALL), LAW))
    return b


def loop(x, y, times, turn=UPRIGHT):
    b = block(table(x), table(y), turn)
    found = solve_statics(b.build(), start_of(b), times)
    assert found.complete
    return found


def bristle(slip):
    """The closed form on TO_AND_FRO: virgin branch, then ±μN less twice the elastic swing."""
    back = np.argmax(slip)
    forth = back + np.argmin(slip[back:])
    force = np.minimum(TANGENTIAL * slip, LIMIT)
    force[back:] = np.maximum(LIMIT - TANGENTIAL * (slip[back] - slip[back:]), -LIMIT)
    force[forth:] = np.minimum(TANGENTIAL * (slip[forth:] - slip[forth]) - LIMIT, LIMIT)
    return force


REST = [(0.0, 0.0), (5.0, 0.0)]


def test_stick_slip_loop_is_the_closed_form():
    """Slope k_t, plateau μN, and the loop's area is what slip took: 4 μN (s - μN/k_t) a cycle."""
    times = np.linspace(0.0, 5.0, 201)
    found = loop(TO_AND_FRO, REST, times)
    contact_result, slip = found.contact_results[:, 0], found.position[:, 1, 0]
    np.testing.assert_allclose(-contact_result["friction"][:, 0], bristle(slip), atol=1e-7 * LIMIT)
    assert np.abs(contact_result["friction"][:, 1:]).max() < 1e-9 * LIMIT
    closed = times >= 1.0
    lost = contact_result["friction_work"][closed][-1] - contact_result["friction_work"][closed][0]
    area = abs(np.trapezoid(contact_result["friction"][closed, 0], slip[closed]))
    expected = 4 * LIMIT * (LARGEST - ELASTIC)
    assert lost == pytest.approx(expected, rel=1e-9)
    assert area == pytest.approx(expected, rel=1e-3)
    np.testing.assert_allclose(
        found.ledger[:, FRICTION], contact_result["friction_work"], rtol=1e-12
    )


@pytest.mark.parametrize("steps", [1, 3])
def test_steps_do_not_matter_where_slip_is_monotone(steps):
    coarse, fine = (
        loop(TO_AND_FRO, REST, np.linspace(0.0, 5.0, 5 * n + 1)).contact_results[::n, 0]
        for n in (steps, 2 * steps)
    )
    for name, size in (("friction", LIMIT), ("friction_work", LIMIT * LARGEST)):
        np.testing.assert_allclose(coarse[name], fine[name], atol=1e-7 * size)


TURN = Rotation.from_rotvec([0.9, -1.3, 0.4]).as_matrix()


def circle(turns=1.5, steps=60, radius=LARGEST):
    """Times and a path round a circle that starts at rest."""
    times = np.linspace(0.0, turns, round(steps * turns) + 1)
    x = radius * (np.cos(2 * np.pi * times) - 1)
    y = radius * np.sin(2 * np.pi * times)
    return times, np.column_stack([x, y])


def test_round_a_circle_friction_follows():
    """The return mapping in NumPy, step by step; in space turned anyhow the answer is turned."""
    times, path = circle()
    force = np.zeros(2)
    expected = [force]
    for step in np.diff(path, axis=0):
        trial = force - TANGENTIAL * step
        force = trial * min(1.0, LIMIT / np.linalg.norm(trial))
        expected.append(force)
    expected = np.array(expected)
    x, y = ([*zip(times, column, strict=True)] for column in path.T)
    for turn in (UPRIGHT, TURN):
        found = loop(x, y, times, turn)
        along_plane = found.contact_results["friction"][:, 0] @ turn
        np.testing.assert_allclose(along_plane[:, :2], expected, atol=1e-7 * LIMIT)
        assert np.abs(along_plane[:, 2]).max() < 1e-9 * LIMIT
    steady = expected[30:]
    velocity = np.gradient(path, axis=0)[30:]
    angle = np.sum(steady * velocity, axis=1) / LIMIT / np.linalg.norm(velocity, axis=1)
    assert np.all(angle < -0.95)  # against the motion, but for the lag of the elastic part


SPRING = 1e6
PUSH = table([(0.0, 0.0), (1.0, 500.0), (3.0, -500.0), (5.0, 500.0)])
PLANAR = Surface(PowerLaw(STIFFNESS, 1.0), 0.0, ROUGH)


def flat(b, body, lower, upper, disc):
    """A box on a body, along whose sides a disc goes."""
    corners = np.array([[-0.5, lower], [0.5, lower], [0.5, upper], [-0.5, upper]])
    shape = Polyline(corners)
    b.contact(circle_on_curve(body, b.curve(shape), shape, disc, PLANAR, None))


def pushed_in_the_plane():
    """A disc that does not turn, pressed on a floor and pushed against a spring and friction."""
    b = ModelBuilder(BALL)
    one = b.body("block", 1.0, 1e-3, pose=(0.0, BALL - DEPTH, 0.0))
    b.rotation(0, one, constant(0.0))
    b.bushing(0, one, SPRING, at_a=(0.0, BALL - DEPTH))
    b.force(one, (0.0, -1.0), constant(LOAD))
    b.force(one, (1.0, 0.0), PUSH)
    flat(b, 0, -0.1, 0.0, Disc(one, 0.0, 0.0, BALL))
    return b.build(), b.pose()


def pushed_in_space():
    b = SpatialBuilder(BALL)
    one = b.body("block", 1.0, (1e-3,) * 3, (0.0, BALL - DEPTH, 0.0))
    b.rotation(0, one, constant(0.0))
    b.parallel(0, one)
    b.bushing(0, one, (SPRING,) * 3, at_a=(0.0, BALL - DEPTH, 0.0))
    b.force(one, (0, -1, 0), constant(LOAD))
    b.force(one, (1, 0, 0), PUSH)
    b.contact(sphere_on_plane(0, (0, 0, 0), (0, 1, 0), Sphere(one, BALL), LAW))
    return b.build(), start_of(b)


def compare(plane, space, contacts):
    """Forces and poses of two runs to 1e-9; friction along t = ẑ x n in the plane."""
    assert plane.complete
    assert space.complete
    matrix = matrix_of(space.rotation)
    turned = np.unwrap(np.arctan2(matrix[..., 1, 0], matrix[..., 0, 0]), axis=0)
    scale = np.abs(plane.position[:, 1:]).max()
    np.testing.assert_allclose(
        space.position[..., :2], plane.position[..., :2], atol=1e-9 * scale, rtol=0
    )
    np.testing.assert_allclose(turned, plane.position[..., 2], atol=1e-9, rtol=0)
    assert np.abs(space.position[..., 2]).max() < 1e-12
    for k in range(contacts):
        flat_touch, contact_result = plane.contact_results[:, k], space.contact_results[:, k]
        tangent = np.column_stack([-flat_touch["normal_y"], flat_touch["normal_x"]])
        friction = np.sum(tangent * contact_result["friction"][:, :2], axis=1)
        expected = flat_touch["friction_force"]
        np.testing.assert_allclose(friction, expected, atol=1e-9 * LIMIT, rtol=0)
        np.testing.assert_allclose(
            contact_result["friction_work"],
            flat_touch["friction_work"],
            atol=1e-9 * LIMIT * ELASTIC,
        )
        normal = flat_touch["normal_force"]
        np.testing.assert_allclose(contact_result["normal_force"], normal, atol=1e-9 * LOAD)


TIGHT = StaticSettings(force_tolerance=1e-12)


def test_a_sliding_block_is_that_of_the_plane():
    times = np.linspace(0.0, 5.0, 81)
    plane, space = (
        solve_statics(model, pose, times, settings=TIGHT)
        for model, pose in (pushed_in_the_plane(), pushed_in_space())
    )
    compare(plane, space, 1)
    friction = plane.contact_results["friction_force"][:, 0]
    assert np.sum(np.abs(friction) > 0.999 * LIMIT) > 10
    assert np.sum(np.abs(friction) < 0.9 * LIMIT) > 10


PLATE_SPRING = 2e4
DRIVE = [(0.0, 0.0), (1.0, 600.0), (2.0, -300.0)]
ASIDE = [(0.0, 0.0), (0.5, 60.0), (2.0, -60.0)]
HEIGHT = 2 * (BALL - DEPTH)
PLATE = HEIGHT + 0.05


def rolling_in_the_plane():
    """A disc between a floor and a plate that is pressed on it and pushed along against a spring;
    a small force on the disc is held by friction at both."""
    b = ModelBuilder(BALL)
    plate = b.body("plate", 1.0, 1e-3, pose=(0.0, PLATE, 0.0))
    ball = b.body("ball", 0.3, 5e-5, pose=(0.0, BALL - DEPTH, 0.0))
    b.rotation(0, plate, constant(0.0))
    b.bushing(0, plate, PLATE_SPRING, at_a=(0.0, PLATE))
    b.force(plate, (0.0, -1.0), constant(LOAD))
    b.force(plate, (1.0, 0.0), table(DRIVE))
    b.force(ball, (1.0, 0.0), table(ASIDE))
    flat(b, 0, -0.1, 0.0, Disc(ball, 0.0, 0.0, BALL))
    flat(b, plate, -0.05, 0.05, Disc(ball, 0.0, 0.0, BALL))
    return b.build(), b.pose()


def rolling_in_space(turn=UPRIGHT, across=((0.0, 0.0), (2.0, 0.0))):
    """The same, floor and plate planes, all of it turned anyhow; the plate may be pushed across."""
    b = SpatialBuilder(BALL)
    x, y, z = turn.T
    plate = b.body("plate", 1.0, (1e-3,) * 3, PLATE * y, turn)
    ball = b.body("ball", 0.3, (5e-5,) * 3, (BALL - DEPTH) * y, turn)
    b.rotation(0, plate, constant(0.0), z)
    b.parallel(0, plate, z)
    b.bushing(0, plate, (PLATE_SPRING,) * 3, at_a=PLATE * y)
    b.force(plate, -y, constant(LOAD))
    b.force(plate, x, table(DRIVE))
    b.force(plate, z, table(across))
    b.force(ball, x, table(ASIDE))
    b.contact(sphere_on_plane(0, (0, 0, 0), y, Sphere(ball, BALL), LAW))
    b.contact(sphere_on_plane(plate, (0, -0.05, 0), (0, -1, 0), Sphere(ball, BALL), LAW))
    return b.build(), start_of(b)


ROLLING_TIMES = np.linspace(0.0, 2.0, 41)


def test_a_rolling_ball_is_that_of_the_plane():
    plane, space = (
        solve_statics(model, pose, ROLLING_TIMES, settings=TIGHT)
        for model, pose in (rolling_in_the_plane(), rolling_in_space())
    )
    compare(plane, space, 2)
    lever = BALL - 0.5 * DEPTH
    way = space.position[:, 1, 0]
    assert np.abs(way).max() > BALL
    assert space.position[:, 2, 0] == pytest.approx(0.5 * way, abs=2 * ELASTIC)
    assert plane.position[:, 2, 2] == pytest.approx(-0.5 * way / lever, abs=2 * ELASTIC / lever)
    assert np.abs(space.contact_results["friction"]).max() > 20.0
    assert np.all(space.contact_results["friction_work"] == 0.0)


def test_a_ball_rolls_in_two_directions_at_once():
    """The plate goes round: at every step the ball goes half as far, turning about the axis square
    to that. Turned anyhow in space, the machine gives the same."""
    across = [(0.0, 0.0), (0.5, 400.0), (2.0, -500.0)]
    here, there = (
        solve_statics(model, pose, ROLLING_TIMES, settings=TIGHT)
        for model, pose in (rolling_in_space(UPRIGHT, across), rolling_in_space(TURN, across))
    )
    assert here.complete
    assert there.complete
    assert np.abs(here.position[:, 1, 2]).max() > BALL
    np.testing.assert_allclose(there.position @ TURN, here.position, atol=1e-9 * BALL)
    friction = there.contact_results["friction"] @ TURN
    np.testing.assert_allclose(friction, here.contact_results["friction"], atol=1e-8 * LIMIT)
    turned = Rotation.identity()
    for step in np.diff(here.position[:, 1], axis=0):
        axis = np.cross([0.0, 1.0, 0.0], step)
        turned = Rotation.from_rotvec(0.5 * axis / (BALL - 0.5 * DEPTH)) * turned
    error = turned.as_matrix().T @ matrix_of(here.rotation[-1, 2])
    assert Rotation.from_matrix(error).magnitude() < 4 * ELASTIC / BALL


class TestBowlingBall:
    """Thrown without spin it slides, then rolls at 5/7 of its speed: friction takes m v²/7."""

    mass, radius, friction, speed = 3.0, 0.1, 0.2, 2.0

    def built(self):
        b = SpatialBuilder(self.radius)
        law = SpatialSurface(PowerLaw(1e9), friction=Friction(self.friction, form="elastic"))
        depth = (self.mass * 9.81 / 1e9) ** (2 / 3)
        inertia = np.full(3, 0.4 * self.mass * self.radius**2)
        ball = b.body("ball", self.mass, inertia, (0, 0, self.radius - depth), leaf=True)
        b.contact(sphere_on_plane(0, (0, 0, 0), (0, 0, 1), Sphere(ball, self.radius), law))
        b.force(ball, (0, 0, -9.81), constant(self.mass))
        return b

    @pytest.mark.parametrize("method", METHODS)
    def test_slides_and_rolls(self, method):
        velocity = np.array([[0.6 * self.speed, 0.8 * self.speed, 0, 0, 0, 0]])
        rolls = 2 * self.speed / (7 * self.friction * 9.81)
        found = run(self.built(), 1.5 * rolls, 2e-4, velocity, method)
        assert found.complete
        lost = self.mass * self.speed**2 / 7
        assert found.ledger[-1, FRICTION] == pytest.approx(lost, rel=1e-3)
        assert found.ledger[-1, FRICTION] == pytest.approx(
            found.contact_results["friction_work"][-1, 0]
        )
        mean = found.velocity[found.time > 1.2 * rolls, 1].mean(axis=0)
        assert mean[:2] == pytest.approx(5 / 7 * velocity[0, :2], rel=1e-3)
        model = self.built().build()
        energy = kinetic_energy(model, found) + stored_energy(model, found)
        contact_result = found.contact_results[:, 0]
        stiffness = ROUGH_STEEL.tangential_ratio * contact_result["stiffness"]
        energy += np.sum(contact_result["friction"] ** 2, axis=1) / (2 * stiffness)
        balance = energy - energy[0] - found.ledger @ np.array([-1.0, -1.0, 1.0, 1.0])
        assert np.abs(balance).max() < 1e-3 * lost


ROUGH_STEEL = Friction(0.2, form="elastic")


def test_slow_dynamics_walks_the_static_loop():
    quick = [(0.2 * t, value) for t, value in TO_AND_FRO]
    rest = [(0.0, 0.0), (1.0, 0.0)]
    b = block(table(quick), table(rest))
    found = solve_dynamics(b.build(), start_of(b), 1.0, DynamicSettings(1e-3), stride=5)
    assert found.complete
    static = loop(TO_AND_FRO, REST, np.linspace(0.0, 5.0, 201))
    for name, size in (("friction", LIMIT), ("friction_work", LIMIT * LARGEST)):
        np.testing.assert_allclose(
            found.contact_results[name][:, 0], static.contact_results[name][:, 0], atol=2e-3 * size
        )


def test_unloading_lets_go_and_loses_what_was_stored():
    """Held by half its limit the block is lifted: all of f²/2k_t is lost."""
    held = 0.5 * LIMIT
    path = [(0.0, 0.0), (1.0, held / TANGENTIAL), (2.0, held / TANGENTIAL)]
    for steps in (2, 40):
        b = block(table(path), table([(0.0, 0.0), (2.0, 0.0)]))
        b.force(1, (0, 0, 1), table([(0.0, 0.0), (1.0, 0.0), (2.0, LOAD + 1.0)]))
        b.bushing(0, 1, (0.0, 0.0, 1e3), at_a=(0, 0, BALL))
        found = solve_statics(b.build(), start_of(b), np.linspace(0.0, 2.0, 2 * steps + 1))
        assert found.complete
        contact_result = found.contact_results[:, 0]
        assert np.linalg.norm(contact_result["friction"][steps]) == pytest.approx(held, rel=1e-3)
        assert contact_result["friction_work"][steps] == 0.0
        assert contact_result["normal_force"][-1] == 0.0
        assert np.all(contact_result["friction"][-1] == 0.0)
        stored = held**2 / (2 * TANGENTIAL)
        assert contact_result["friction_work"][-1] == pytest.approx(stored, rel=2e-3)


def test_the_search_for_an_equilibrium_commits_nothing():
    b = block(table(TO_AND_FRO), table(REST))
    model, start = b.build(), start_of(b)
    state = initial_state(model, start.position, start.rotation)
    before = {name: getattr(state, name).copy() for name in ("memory", "ledger")}
    how = statics.StaticTolerances(1e-9, 120), workspace(model), statics.new_search()
    assert statics.equilibrium(model, state, 1.0, *how) == 0
    assert np.linalg.norm(state.contact_results["friction"][0]) == pytest.approx(LIMIT, rel=1e-6)
    for name in ("stuck_force", "stuck_normal", "stuck_centre", "stuck_turn"):
        np.testing.assert_array_equal(state.memory[name], before["memory"][name])
    assert state.contact_results["friction_work"][0] == 0.0
    np.testing.assert_array_equal(state.ledger, before["ledger"])


def test_linearized_a_contact_holds_by_its_tangential_stiffness():
    b = SpatialBuilder(BALL)
    one = b.body("block", 1.0, (1e-3,) * 3, (0, 0, BALL - DEPTH))
    b.parallel(0, one)
    b.rotation(0, one, constant(0.0))
    b.force(one, (0, 0, -1), constant(LOAD))
    b.contact(sphere_on_plane(0, (0, 0, 0), (0, 0, 1), Sphere(one, BALL), LAW))
    stiffness = linearize(b.build(), start_of(b)).stiffness
    assert np.diag(stiffness)[:3] == pytest.approx([TANGENTIAL, TANGENTIAL, STIFFNESS], rel=1e-9)


def test_other_friction_remembers_nothing():
    b = SpatialBuilder(BALL)
    one = b.body("block", 1.0, (1e-3,) * 3, (0, 0, BALL))
    law = SpatialSurface(PowerLaw(STIFFNESS, 1.0), friction=Friction(MU))
    b.contact(sphere_on_plane(0, (0, 0, 0), (0, 0, 1), Sphere(one, BALL), law))
    b.force(one, (1.0, 0.0, -1.0), constant(50.0))
    model, start = b.build(), start_of(b)
    state = initial_state(model, start.position, start.rotation)
    before = state.memory.tobytes()
    accept_pose(model, state)
    assert state.memory.tobytes() == before
