"""Forces between two bodies: balance, frames, velocities, friction; for every gap finder."""

import math

import numpy as np
import pytest

from flank.contact import Friction, Surface

AT_A = (0.013, -0.021, 0.4)
ANGLE_B = -0.9
DEPTH = 8e-6


def moving(rng):
    """Any velocities: 10 mm/s and 0.3 rad/s; ground rests."""
    velocity = rng.normal(0, 1, (3, 3)) * [0.01, 0.01, 0.3]
    velocity[0] = 0.0
    return velocity


def moments_about(force, position, point):
    """Of the forces on all bodies about a point of space."""
    arm = position[:, :2] - point
    return force[:, 2] + arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0]


@pytest.mark.parametrize("seed", range(4))
def test_forces_and_moments_vanish_in_sum(scene, finder, rough, seed):
    """With friction and damping, about any point of space: 1e-12 of what acts on one body."""
    rng = np.random.default_rng(seed)
    here = scene(finder, rough)
    at_a = rng.normal(0, 1, 3) * [0.1, 0.1, 2]
    position = here.pose(rng.uniform(), DEPTH, at_a, rng.normal())
    result = here.solve(position, moving(rng))
    size = np.abs(result.force[1, :2]).max()
    assert size > 100
    assert np.abs(result.force[:, :2].sum(axis=0)).max() < 1e-12 * size
    for point in ((0.0, 0.0), rng.normal(0, 1, 2)):
        moments = moments_about(result.force, position, point)
        assert abs(moments.sum()) < 1e-12 * size


def turned(position, velocity, angle, shift):
    """The whole scene turned about the origin, then moved."""
    c, s = math.cos(angle), math.sin(angle)
    rotation = np.array([[c, -s], [s, c]])
    position, velocity = position.copy(), velocity.copy()
    position[1:, :2] = position[1:, :2] @ rotation.T + shift
    position[1:, 2] += angle
    velocity[1:, :2] = velocity[1:, :2] @ rotation.T
    return position, velocity, rotation


def test_frame_invariance(scene, finder, rough):
    """Turned and moved as a whole, the pair feels the same forces, turned; energy the same."""
    rng = np.random.default_rng(3)
    here = scene(finder, rough)
    position, velocity = here.pose(0.37, DEPTH, AT_A, ANGLE_B), moving(rng)
    result = here.solve(position, velocity)
    for angle, shift in ((1.1, (0.0, 0.0)), (-2.5, (0.3, -0.2)), (40.0, (0.1, 0.4))):
        there_position, there_velocity, rotation = turned(position, velocity, angle, shift)
        there = here.solve(there_position, there_velocity)
        size = np.abs(result.force).max()
        tolerance = 1e-9 * size  # 1e-16 m of position is 1e-11 of the depth
        np.testing.assert_allclose(
            there.force[:, :2], result.force[:, :2] @ rotation.T, rtol=0, atol=tolerance
        )
        np.testing.assert_allclose(there.force[:, 2], result.force[:, 2], rtol=0, atol=tolerance)
        assert there.energy == pytest.approx(result.energy, rel=1e-9)
        assert there.contact_result["gap"] == pytest.approx(result.contact_result["gap"], abs=1e-15)


def test_moving_along_together_changes_nothing(scene, finder, rough):
    """A common velocity of the two bodies, turning about any point, makes no relative motion."""
    here = scene(finder, rough)
    position, velocity = here.pose(0.37, DEPTH, AT_A, ANGLE_B), moving(np.random.default_rng(1))
    still = here.solve(position, velocity).force
    common = velocity.copy()
    rate, centre = 2.0, np.array([0.02, -0.05])
    arm = position[1:, :2] - centre
    common[1:] += np.column_stack((0.3 - rate * arm[:, 1], rate * arm[:, 0], [rate, rate]))
    np.testing.assert_allclose(
        here.solve(position, common).force, still, rtol=0, atol=1e-9 * np.abs(still).max()
    )


def test_ground_may_be_either_body(scene, finder, rough):
    """The same contact with A or B as ground: the other body feels the same force."""
    rng = np.random.default_rng(5)
    both = scene(finder, rough)
    place, turn_b, speed = 0.21, 0.0, rng.normal(0, 1, 3) * [0.01, 0.01, 0.3]
    # A is ground
    position = both.pose(place, DEPTH, (0.0, 0.0, 0.0), 0.8)
    free = both.solve(position, np.array([[0, 0, 0], [0, 0, 0], speed]))
    grounded = both.swapped_to(0, 1)
    position = grounded.pose(place, DEPTH, (0.0, 0.0, 0.0), 0.8)
    result = grounded.solve(position, np.array([[0, 0, 0], speed]))
    np.testing.assert_allclose(result.force[1], free.force[2], rtol=1e-12)
    np.testing.assert_allclose(result.force[0], free.force[1], rtol=1e-12)
    np.testing.assert_allclose(result.tangent, free.tangent[3:, 3:], rtol=1e-12)
    # B is ground: put A where B's frame is the inertial one
    at_a = both.pose(place, DEPTH, (0.0, 0.0, 0.5), turn_b)
    shift = at_a[2, :2].copy()
    at_a[1:, :2] -= shift
    free = both.solve(at_a, np.array([[0, 0, 0], speed, [0, 0, 0]]))
    grounded = both.swapped_to(1, 0)
    position = np.array([[0.0, 0.0, 0.0], at_a[1]])
    result = grounded.solve(position, np.array([[0, 0, 0], speed]))
    np.testing.assert_allclose(result.force[1], free.force[1], rtol=1e-9)
    np.testing.assert_allclose(result.tangent, free.tangent[:3, :3], rtol=1e-9, atol=1e-3)


@pytest.mark.parametrize("damping", [20.0, 200.0])
def test_turning_and_travelling_surfaces_damp_alike(scene, finder, stiff, damping):
    """A turns at ω, or travels with the velocity ω ẑ x a that its field has at p: same force."""
    here = scene(finder, Surface(stiff, damping))
    position = here.pose(0.41, DEPTH, AT_A, ANGLE_B)
    rest = here.solve(position).contact_result["normal_force"]
    row = here.row
    centre = position[2, :2] + _rotate(position[2, 2], row["b_x"], row["b_y"])
    arm = centre - position[1, :2]
    for rate in (0.2, -0.2):
        turning, travelling = np.zeros((3, 3)), np.zeros((3, 3))
        turning[1, 2] = rate
        if finder == "needle":  # its field turns with the cage: B has to turn along
            turning[2, 2] = rate
            own = _rotate(position[2, 2], row["b_x"], row["b_y"])
            turning[2, :2] = rate * own[1], -rate * own[0]  # the race's centre stays
        travelling[1, :2] = -rate * arm[1], rate * arm[0]
        by_turning = here.solve(position, turning).contact_result["normal_force"]
        by_travelling = here.solve(position, travelling).contact_result["normal_force"]
        assert by_turning == pytest.approx(by_travelling, rel=1e-12)
        if "circle" not in finder:  # which turn about their own centres
            assert abs(by_turning - rest) > 1e-4 * rest


def _rotate(angle, x, y):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([c * x - s * y, s * x + c * y])


def test_damping_force_follows_the_rate_of_the_gap(scene, finder, stiff):
    """f = F(δ)(1 - d ġ) with ġ from two poses a microsecond apart."""
    damping = 30.0
    here = scene(finder, Surface(stiff, damping))
    position = here.pose(0.63, DEPTH, AT_A, ANGLE_B)
    velocity = moving(np.random.default_rng(8))
    elastic = here.solve(position).contact_result["normal_force"]
    h = 1e-6
    later, sooner = (here.solve(position + s * h * velocity).contact_result["gap"] for s in (1, -1))
    rate = (later - sooner) / (2 * h)
    force = here.solve(position, velocity).contact_result["normal_force"]
    assert abs(rate) > 1e-4
    assert force == pytest.approx(elastic * max(0.0, 1 - damping * rate), rel=1e-7)


SLIDING = ["outside", "inside", "cycloid", "spline", "circle outline", "circle bore", "polyline"]


@pytest.mark.parametrize("name", SLIDING)
@pytest.mark.parametrize("form", ["smooth", "linear"])
def test_friction_turns_both_bodies(scene, stiff, name, form):
    """B spins at ω: friction μF at the contact point, against the motion of its surface there,
    gives each body its arm times the force."""
    friction = Friction(0.12, 1e-3, form)
    here = scene(name, Surface(stiff, 0.0, friction))
    smooth = scene(name, Surface(stiff))
    position = here.pose(0.29, DEPTH, AT_A, ANGLE_B)
    velocity = np.zeros((3, 3))
    velocity[2, 2] = 25.0
    result, plain = here.solve(position, velocity), smooth.solve(position, velocity)
    contact_result = result.contact_result
    extra = result.force - plain.force
    point = np.array([contact_result["x"], contact_result["y"]])
    normal = np.array([contact_result["normal_x"], contact_result["normal_y"]])
    tangent = np.array([-normal[1], normal[0]])
    arm = point - position[2, :2]
    surface = 25.0 * (arm[0] * tangent[1] - arm[1] * tangent[0])
    share = surface / math.hypot(surface, 1e-3) if form == "smooth" else math.copysign(1, surface)
    pull = -0.12 * contact_result["normal_force"] * share
    assert contact_result["friction_force"] == pytest.approx(pull, rel=1e-6)
    for body, sign in ((1, -1), (2, 1)):
        lever = point - position[body, :2]
        torque = sign * pull * (lever[0] * tangent[1] - lever[1] * tangent[0])
        np.testing.assert_allclose(extra[body, :2], sign * pull * tangent, rtol=1e-6, atol=1e-6)
        assert extra[body, 2] == pytest.approx(torque, rel=1e-6)
        assert abs(torque) > 1e-3


@pytest.mark.parametrize("name", SLIDING)
def test_friction_takes_energy(scene, rough, name):
    """The power of friction is negative for any velocities, and bounded by μ F |v|."""
    here, plain = scene(name, rough), scene(name, Surface(rough.law, rough.damping))
    rng = np.random.default_rng(4)
    position = here.pose(0.77, DEPTH, AT_A, ANGLE_B)
    for _ in range(20):
        velocity = moving(rng)
        with_it, without = here.solve(position, velocity), plain.solve(position, velocity)
        power = np.sum((with_it.force - without.force) * velocity)
        assert power < 0
        contact_result = with_it.contact_result
        assert abs(contact_result["friction_force"]) <= 0.1 * contact_result["normal_force"] * (
            1 + 1e-12
        )


@pytest.mark.parametrize("name", SLIDING)
def test_contact_point_lies_between_the_surfaces(scene, stiff, name):
    """Half the penetration below either surface: r - δ/2 from the circle's centre."""
    here = scene(name, Surface(stiff))
    position = here.pose(0.53, DEPTH, AT_A, ANGLE_B)
    contact_result = here.solve(position).contact_result
    own = _rotate(position[2, 2], here.row["b_x"], here.row["b_y"])
    centre = position[2, :2] + own
    away = centre - [contact_result["x"], contact_result["y"]]
    assert np.hypot(*away) == pytest.approx(here.row["b_radius"] - DEPTH / 2, rel=1e-9)
    assert away @ [contact_result["normal_x"], contact_result["normal_y"]] == pytest.approx(
        np.hypot(*away)
    )
    assert contact_result["gap"] == pytest.approx(-DEPTH, abs=1e-8 if name == "polyline" else 1e-15)


def test_open_contacts_are_silent(scene, finder, rough):
    here = scene(finder, rough)
    position = here.pose(0.37, -1e-6, AT_A, ANGLE_B)
    result = here.solve(position, moving(np.random.default_rng(0)))
    assert result.contact_result["gap"] == pytest.approx(1e-6, rel=1e-2)
    assert (
        result.contact_result["normal_force"]
        == result.contact_result["friction_force"]
        == result.energy
        == 0.0
    )
    assert not result.force.any()
    assert not result.tangent.any()
