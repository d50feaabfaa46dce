"""Elastic friction of one contact in space: stick, slip, tangent, potential, and turning along."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from spatial_contact import (
    BALL,
    NAMES,
    Answer,
    Pose,
    differences,
    field,
    memory_of,
    posed,
    seen_from_a,
    surface,
    touching_point,
)

from flank.contact import Friction
from flank.contact.spatial import PowerLaw, SpatialSurface

MU, RATIO = 0.1, 0.8
LAW = SpatialSurface(
    PowerLaw(2e9, 1.0), friction=Friction(MU, form="elastic", tangential_ratio=RATIO)
)
STICKS, SLIPS = 2e-7, 1e-4
WEIGHT = np.tile([1.0] * 3 + [1 / 0.05] * 3, 2)
"""Turning as displacements at 50 mm, about where A touches."""
WAY = np.array([0.3, -0.2, 0.5, 9.0, -12.0, 4.0, -0.6, 0.7, 0.4, 20.0, 15.0, -8.0])
"""Along which bodies came, m and rad for 1 m."""


def scene(name, slip):
    """A contact, its pose, and the pose before bodies moved by about `slip`."""
    row = surface(name, LAW)
    pose = posed(row, touching_point(name))
    return row, pose, pose.moved(-slip * WAY)


def stuck(row, pose, size):
    """Some force that the contact held in this pose, as its memory has it."""
    normal = pose.matrix[0].T @ Answer(row, pose, pose).contact_result["normal"]
    force = np.cross(normal, [0.3, -0.5, 0.9])
    return memory_of(size * force / np.linalg.norm(force), normal)


def slid(row, contact_result, pose, before):
    """P (p - p₀ - ℓ Δθ x n), seen from A, and turned into space."""
    (old_centre, old_turn), (centre, turn) = (seen_from_a(row, one) for one in (before, pose))
    turning = Rotation.from_matrix(turn @ old_turn.T).as_rotvec()
    normal = contact_result["normal"]
    reach = row["sphere_radius"] + 0.5 * contact_result["gap"]
    moved = pose.matrix[0] @ (centre - old_centre)
    moved -= reach * np.cross(pose.matrix[0] @ turning, normal)
    return moved - normal * (normal @ moved)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("slip", [STICKS, SLIPS])
def test_return_mapping(name, slip):
    """t* = t₀ - k_t s, cut to μ f; in the pose of the memory nothing but t₀ is turned."""
    row, pose, before = scene(name, slip)
    memory = stuck(row, pose, 10.0)
    contact_result = Answer(row, pose, before, memory).contact_result
    stiffness = RATIO * contact_result["stiffness"]
    trial = pose.matrix[0] @ memory["stuck_force"][0] - stiffness * slid(
        row, contact_result, pose, before
    )
    limit = MU * contact_result["normal_force"]
    size = np.linalg.norm(trial)
    assert (size > limit) == (slip == SLIPS)
    np.testing.assert_allclose(
        contact_result["friction"], trial * min(1, limit / size), rtol=0, atol=1e-9 * limit
    )
    assert contact_result["friction_power"] == 0.0


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("slip", [STICKS, SLIPS])
def test_tangent_equals_the_difference_of_forces(name, slip):
    """Left out: the turning of friction's directions and arms, μ f/r with the sphere's radius or
    that by which the normal turns, as in the plane. The halves of torques are as small."""
    row, pose, before = scene(name, slip)
    answer = Answer(row, pose, before)
    got = answer.tangent() * np.outer(WEIGHT, WEIGHT)
    contact_result = answer.contact_result

    def force(change):
        return -Answer(row, pose.moved(WEIGHT * change), before).force * WEIGHT

    expected = differences(force, 12, 2e-9)
    bare = surface(name, SpatialSurface(PowerLaw(2e9, 1.0)))
    frictionless = differences(
        lambda change: -Answer(bare, pose.moved(WEIGHT * change)).force * WEIGHT, 12, 2e-9
    )
    error = got - Answer(bare, pose).tangent() * np.outer(WEIGHT, WEIGHT)
    error -= expected - frictionless
    size = np.abs(expected - frictionless).max()
    limit = MU * contact_result["normal_force"]
    bend = np.abs(field(row, touching_point(name))[2]).max()
    assert np.abs(error).max() < 5 * limit * (1 / BALL + bend)
    if bend < 1 / BALL:
        assert np.abs(error).max() < 0.05 * size


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("slip", [STICKS, SLIPS])
def test_bare_tangent_is_symmetric_and_positive(name, slip):
    row, pose, before = scene(name, slip)
    bare = Answer(row, pose, before).tangent(geometric_factor=0.0) * np.outer(WEIGHT, WEIGHT)
    values = np.linalg.eigvalsh(bare)
    assert np.abs(bare - bare.T).max() < 1e-12 * values[-1]
    assert values[0] > -1e-9 * values[-1]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("slip", [STICKS, SLIPS])
def test_forces_and_moments_vanish_in_sum(name, slip):
    row, pose, before = scene(name, slip)
    answer = Answer(row, pose, before)
    force = answer.force.reshape(2, 6)
    moment = force[:, 3:] + np.cross(pose.position, force[:, :3])
    size = np.abs(force[:, :3]).max()
    assert np.linalg.norm(answer.contact_result["friction"]) > 10.0
    assert np.abs(force[:, :3].sum(axis=0)).max() < 1e-12 * size
    assert np.abs(moment.sum(axis=0)).max() < 1e-12 * size
    assert abs(answer.contact_result["friction"] @ answer.contact_result["normal"]) < 1e-12 * size


@pytest.mark.parametrize("slip", [STICKS, SLIPS])
def test_friction_is_minus_the_slope_of_its_potential(slip):
    """On a plane that stands still: nothing turns, and the potential is exact."""
    row, pose, before = scene("plane", slip)
    limit = MU * Answer(row, pose, pose).contact_result["normal_force"]
    memory = memory_of(limit=limit)
    friction = Answer(row, pose, before, memory).contact_result["friction"]
    normal = Answer(row, pose, before).contact_result["normal"]
    bare = surface("plane", SpatialSurface(PowerLaw(2e9, 1.0)))

    def energy(change):
        now = pose.moved(np.concatenate([np.zeros(6), change, np.zeros(3)]))
        return Answer(row, now, before, memory).energy - Answer(bare, now).energy

    slope = differences(energy, 3, 1e-9)
    slope -= normal * (normal @ slope)
    np.testing.assert_allclose(-slope, friction, rtol=0, atol=2e-3 * limit)


ROTATION = Rotation.from_rotvec([1.2, -0.7, 2.1]).as_matrix()


def turned(pose, matrix):
    """The whole scene turned about the origin of space."""
    return Pose(pose.position @ matrix.T, matrix @ pose.matrix, pose.velocity)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("slip", [STICKS, SLIPS])
def test_a_scene_that_is_turned_has_turned_forces(name, slip):
    row, pose, before = scene(name, slip)
    memory = stuck(row, pose, 10.0)
    answer = Answer(row, pose, before, memory)
    other = Answer(row, turned(pose, ROTATION), turned(before, ROTATION), memory)
    expected = (answer.force.reshape(4, 3) @ ROTATION.T).ravel()
    np.testing.assert_allclose(other.force, expected, rtol=0, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("slip", [0.0, STICKS, SLIPS])
def test_what_bodies_do_together_friction_does_not_notice(name, slip):
    """Between the two poses everything turns, about the normal as well, and moves away."""
    row, pose, before = scene(name, slip)
    memory = stuck(row, pose, 50.0)
    held = Answer(row, pose, before, memory).contact_result
    there = turned(pose, ROTATION)
    away = Pose(there.position + np.array([0.3, -0.1, 0.2]), there.matrix, there.velocity)
    contact_result = Answer(row, away, before, memory).contact_result
    np.testing.assert_allclose(
        contact_result["friction"],
        ROTATION @ held["friction"],
        atol=1e-9 * contact_result["normal_force"],
    )


def test_what_is_held_turns_with_the_normal():
    """Carried round a sphere that stands still the force stays tangential and as large; across a
    way along a great circle it keeps its direction."""
    row = surface("outside sphere", LAW)
    pose = posed(row, touching_point("outside sphere"))
    normal = pose.matrix[0].T @ Answer(row, pose, pose).contact_result["normal"]
    across = np.cross(normal, [0.3, -0.5, 0.9])
    across /= np.linalg.norm(across)
    for direction in (
        across,
        np.cross(normal, across),
        0.6 * across + 0.8 * np.cross(normal, across),
    ):
        memory = memory_of(20.0 * direction, normal)
        point = Rotation.from_rotvec(0.3 * across).apply(
            row["frame"].T @ touching_point("outside sphere")
        )
        moved = posed(row, row["frame"] @ point)
        contact_result = Answer(row, moved, moved, memory).contact_result
        local = moved.matrix[0].T @ contact_result["friction"]
        assert np.linalg.norm(local) == pytest.approx(20.0, rel=1e-8)
        assert abs(contact_result["friction"] @ contact_result["normal"]) < 1e-12
        assert local @ across == pytest.approx(20.0 * direction @ across, abs=1e-7)


def test_drilling_goes_by_its_velocity_beside_it():
    """μ F r where the sphere spins fast; friction itself knows no velocity."""
    law = SpatialSurface(
        PowerLaw(2e9, 1.0), friction=Friction(MU, 1e-3, "elastic", RATIO), drilling_length=2e-4
    )
    row = surface("plane", law)
    pose = posed(row, touching_point("plane"))
    normal = Answer(row, pose, pose).contact_result["normal"]
    fast = Pose(pose.position, pose.matrix, np.zeros((2, 6)))
    fast.velocity[1, 3:] = 200.0 * normal
    fast.velocity[1, :3] = np.cross(normal, [0.0, 0.0, 1.0])
    answer = Answer(row, fast, pose.moved(-STICKS * WAY))
    still = Answer(row, pose, pose.moved(-STICKS * WAY))
    force = answer.contact_result["normal_force"]
    radius = 2e-4 * force ** (1 / 3)
    assert answer.contact_result["drilling"] == pytest.approx(-MU * force * radius, rel=1e-12)
    assert answer.contact_result["friction_power"] == pytest.approx(
        200.0 * MU * force * radius, rel=1e-12
    )
    np.testing.assert_array_equal(
        answer.contact_result["friction"], still.contact_result["friction"]
    )
    np.testing.assert_allclose(
        answer.force - still.force,
        answer.contact_result["drilling"]
        * np.concatenate([np.zeros(3), -normal, np.zeros(3), normal]),
        atol=1e-9,
    )

    def by_rates(change):
        return -Answer(row, fast.faster(change), pose.moved(-STICKS * WAY)).force

    slow = Pose(fast.position, fast.matrix, 1e-5 * fast.velocity)
    rates = differences(lambda change: -Answer(row, slow.faster(change), slow).force, 12, 1e-4)
    answer = Answer(row, slow, slow)
    got = answer.tangent(1.0) - answer.tangent(0.0)
    np.testing.assert_allclose(got, rates, atol=1e-6 * np.abs(rates).max())
    assert np.abs(differences(by_rates, 12, 1e-4)).max() < 1e-6 * np.abs(rates).max()
