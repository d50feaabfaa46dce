"""Forces are those of the energy, the same in every frame, and have the tangent that is given."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from spatial_contact import BALL, NAMES, Answer, Pose, differences, posed, surface, touching_point

from flank.contact import FoundationLaw, Friction
from flank.contact.spatial import PowerLaw, SpatialSurface, StickFriction
from flank.elasticity.line_contact import Cylinder, line_approach, line_law
from flank.elasticity.material import STEEL

ELASTIC = SpatialSurface(PowerLaw(3e10))
STICK = StickFriction(sliding=0.03, static=0.05, static_velocity=0.1, stick_velocity=1e-3)
VELOCITY = np.array([[0.02, -0.03, 0.01, 0.4, -0.2, 0.7], [0.015, -0.01, 0.02, -0.9, 0.3, 1.2]])


def cross_matrix(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def relative_error(found, expected):
    return np.abs(found - expected).max() / np.abs(expected).max()


LINE = line_law(Cylinder(9e-3, STEEL), Cylinder(3.5e-3, STEEL), 0.01)
LAWS = {
    "power": ELASTIC,
    "line": SpatialSurface(LINE),
    "foundation": SpatialSurface(FoundationLaw(1e13)),
}
PAIRS = [(name, law) for law in LAWS for name in NAMES if law == "power" or name != "ellipse"]


@pytest.mark.parametrize(("name", "law"), PAIRS)
def test_forces_are_minus_the_gradient_of_the_energy(name, law):
    row = surface(name, LAWS[law])
    pose = posed(row, touching_point(name))
    slope = differences(lambda q: Answer(row, pose.moved(q)).energy, 12, 1e-7)
    assert relative_error(Answer(row, pose).force, -slope) < 1e-5


@pytest.mark.parametrize(("name", "law"), PAIRS)
def test_tangent_by_positions(name, law):
    """Rotations do not commute: the derivative of Q is the symmetric tangent and half of [τ]."""
    row = surface(name, LAWS[law])
    pose = posed(row, touching_point(name))
    answer = Answer(row, pose)
    step = 2.5e-9  # in the arc, whose centre is 0.2 mm away, longer ones bend too much
    expected = -differences(lambda q: Answer(row, pose.moved(q)).force, 12, step)
    tangent = answer.tangent()
    for first in (3, 9):
        torque = answer.force[first : first + 3]
        tangent[first : first + 3, first : first + 3] += 0.5 * cross_matrix(torque)
    assert relative_error(tangent, expected) < 1e-7
    turning = np.ix_(range(3, 6), range(3, 6))  # much smaller than the rest: judged on its own
    assert relative_error(tangent[turning], expected[turning]) < 1e-6


@pytest.mark.parametrize("name", NAMES)
def test_geometric_share_scales_what_does_not_come_from_the_stiffness(name):
    row = surface(name, ELASTIC)
    answer = Answer(row, posed(row, touching_point(name)))
    stiff, half, whole = (answer.tangent(geometric_factor=share) for share in (0.0, 0.5, 1.0))
    np.testing.assert_allclose(half, 0.5 * (stiff + whole), rtol=1e-12, atol=1e-6)
    normal = answer.force / answer.contact_result["normal_force"]
    np.testing.assert_allclose(
        stiff, answer.contact_result["stiffness"] * np.outer(normal, normal), atol=1
    )
    assert np.abs(whole - stiff).max() > 1e3


@pytest.mark.parametrize(
    "law",
    [
        SpatialSurface(PowerLaw(3e10), damping=2.0),
        SpatialSurface(PowerLaw(3e10), damping=2.0, friction=STICK),
        SpatialSurface(PowerLaw(3e10), friction=STICK, drilling_length=2e-4),
        SpatialSurface(PowerLaw(3e10), friction=Friction(0.1, 5e-3, "smooth")),
        SpatialSurface(PowerLaw(3e10), friction=Friction(0.1, 5.0, "linear")),
    ],
    ids=["damping", "damping and friction", "drilling", "smooth", "linear"],
)
@pytest.mark.parametrize("speed", [0.0, 0.01, 1.0])
@pytest.mark.parametrize("name", NAMES)
def test_tangent_by_rates(name, law, speed):
    row = surface(name, law)
    pose = posed(row, touching_point(name), speed * VELOCITY)
    answer = Answer(row, pose)
    step = 1e-9 if speed == 0 else 1e-6
    expected = -differences(lambda q: Answer(row, pose.faster(q)).force, 12, step)
    found = (answer.tangent(rate_factor=100.0) - answer.tangent()) / 100.0
    assert relative_error(found, expected) < 1e-5


def test_friction_follows_the_normal_force_in_the_tangent():
    """On a plane without turning, a displacement changes forces by the normal force alone."""
    row = surface("plane", SpatialSurface(PowerLaw(3e10), friction=STICK))
    velocity = VELOCITY * (1, 1, 1, 0, 0, 0)
    pose = posed(row, touching_point("plane"), velocity)
    expected = -differences(lambda q: Answer(row, pose.moved(q)).force, 12, 1e-8)
    found = Answer(row, pose).tangent()
    moved = np.ix_([0, 1, 2, 6, 7, 8], [0, 1, 2, 6, 7, 8])
    assert relative_error(found[moved], expected[moved]) < 1e-8
    assert np.abs(found - found.T).max() > 0.01 * np.abs(found).max()


RUBBING = SpatialSurface(PowerLaw(3e10), damping=1.0, friction=STICK, drilling_length=2e-4)


@pytest.mark.parametrize("name", NAMES)
def test_forces_turn_with_the_bodies(name):
    row = surface(name, RUBBING)
    pose = posed(row, touching_point(name), VELOCITY)
    turn = Rotation.from_rotvec([2.0, -1.0, 0.5]).as_matrix()
    velocity = (VELOCITY.reshape(4, 3) @ turn.T).reshape(2, 6)
    moved = Pose(pose.position @ turn.T + (1.0, -2.0, 0.5), turn @ pose.matrix, velocity)
    here, there = Answer(row, pose), Answer(row, moved)
    expected = (here.force.reshape(4, 3) @ turn.T).ravel()
    assert relative_error(there.force, expected) < 1e-9
    turns = np.kron(np.eye(4), turn)
    expected_tangent = turns @ here.tangent(50.0) @ turns.T
    assert relative_error(there.tangent(50.0), expected_tangent) < 1e-9
    assert there.energy == pytest.approx(here.energy, rel=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_a_rigid_motion_of_both_bodies_changes_no_force(name):
    row = surface(name, RUBBING)
    pose = posed(row, touching_point(name), VELOCITY)
    spin = np.array([3.0, -2.0, 5.0])
    carrying = np.cross(spin, pose.position) + np.array([0.5, 1.0, -2.0])
    common = np.concatenate([carrying, [spin, spin]], axis=1)
    carried = pose.faster(common.ravel())
    assert relative_error(Answer(row, carried).force, Answer(row, pose).force) < 1e-12


@pytest.mark.parametrize("name", NAMES)
def test_action_equals_reaction(name):
    row = surface(name, RUBBING)
    pose = posed(row, touching_point(name), VELOCITY)
    answer = Answer(row, pose)
    on_a, about_a, on_b, about_b = answer.force.reshape(4, 3)
    np.testing.assert_allclose(on_a, -on_b, rtol=1e-13)
    point = np.array([0.7, -0.4, 0.2])
    moment_a = about_a + np.cross(pose.position[0] - point, on_a)
    moment_b = about_b + np.cross(pose.position[1] - point, on_b)
    np.testing.assert_allclose(moment_a, -moment_b, rtol=1e-10)


@pytest.mark.parametrize("name", NAMES)
def test_reported_parts_add_up_to_the_force(name):
    row = surface(name, RUBBING)
    pose = posed(row, touching_point(name), VELOCITY)
    answer = Answer(row, pose)
    contact_result = answer.contact_result
    force = contact_result["normal_force"] * contact_result["normal"] + contact_result["friction"]
    np.testing.assert_allclose(answer.force[6:9], force, rtol=1e-12)
    arm = contact_result["point"] - pose.position[1]
    torque = np.cross(arm, force) + contact_result["drilling"] * contact_result["normal"]
    np.testing.assert_allclose(answer.force[9:], torque, rtol=1e-9)
    relative = [
        pose.velocity[k, :3]
        + np.cross(pose.velocity[k, 3:], contact_result["point"] - pose.position[k])
        for k in range(2)
    ]
    sliding = relative[1] - relative[0]
    sliding -= sliding @ contact_result["normal"] * contact_result["normal"]
    np.testing.assert_allclose(contact_result["sliding"], sliding, atol=1e-14)
    spin = (pose.velocity[1, 3:] - pose.velocity[0, 3:]) @ contact_result["normal"]
    assert contact_result["spin"] == pytest.approx(spin, rel=1e-12)


def test_an_open_contact_reports_its_gap_and_nothing_else():
    row = surface("plane", RUBBING)
    lifted = touching_point("plane") + np.array([5e-5, 0.0, 0.0])
    answer = Answer(row, posed(row, lifted, VELOCITY))
    assert not answer.closed
    assert answer.energy == 0.0
    assert answer.contact_result["gap"] == pytest.approx(1e-5)
    assert not any(
        np.any(answer.contact_result[name]) for name in answer.contact_result.dtype.names[1:]
    )


def test_the_force_is_that_of_the_law_at_the_curvature_of_the_section():
    """A ball of 8.731 mm in a bore: 1/ρ = 1/r - 1/R; on a plane 1/r; on a sphere 1/r + 1/R."""
    curvatures = {
        "plane": 1 / BALL,
        "cylinder": 1 / BALL - 1 / (1.02 * BALL),
        "outside sphere": 1 / BALL + 1 / 35e-3,
    }
    for name, curvature in curvatures.items():
        row = surface(name, LAWS["line"])
        contact_result = Answer(row, posed(row, touching_point(name))).contact_result
        constant = LINE.constant + LINE.slope * np.log(curvature)
        depth = line_approach(contact_result["normal_force"] / LINE.length, constant, LINE.slope)
        assert depth == pytest.approx(-contact_result["gap"], rel=1e-9)


def test_what_space_does_not_have_is_refused():
    with pytest.raises(ValueError, match="'line' knows the curvature, which changes"):
        surface("ellipse", LAWS["line"])
    with pytest.raises(ValueError, match="no force law is given by 3; use one of LineLaw"):
        surface("plane", SpatialSurface(3))
