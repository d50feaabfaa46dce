"""Loaded flanks in space: closed forms, differences, other methods, other sections."""

import numpy as np
import pytest
from involute_flanks import FACE, MODULE, PRESSURE_ANGLE, spur_pair
from loaded_flanks import TOOTH_LENGTH, VIRTUAL, Rigid, Stand, bevel_mesh, bevel_pair

from flank.contact.spatial.flank_forces import DELETION, PRINTED, PROPORTION
from flank.contact.spatial.flank_sections import FlankLoading, flank_mesh
from flank.contact.spatial.flank_tangent import flank_tangent
from flank.dynamics.spatial.quaternions import matrix_of
from flank.elasticity.elliptic_contact import (
    EllipticContact,
    contact_approach,
    peak_pressure,
    semi_axes,
)
from flank.elasticity.line_contact import DeepBody, line_law, line_load
from flank.elasticity.material import STEEL, contact_modulus
from flank.elasticity.tooth_plate import ToothPlate

PRESS = 6.975e-4
"""rad of the gear: about 323 N m on the pinion."""


def stand(sections=40, carrier=0, method=PROPORTION, friction=0.0):
    return Stand(bevel_pair(), bevel_mesh(sections, carrier, friction), carrier, method)


def turned(matrix, body, vector):
    """Matrices with one body turned by a small vector of space."""
    angle = np.linalg.norm(vector)
    axis = np.sin(angle / 2) * vector / angle if angle else np.zeros(3)
    rotated = matrix.copy()
    rotated[body] = matrix_of(np.array([np.cos(angle / 2), *axis])) @ matrix[body]
    return rotated


def somewhere(rig, angle=0.13, press=6e-4):
    """Poses that are nothing special: all of it turned and shifted in space, and misaligned."""
    position, matrix = rig.poses(angle, press)
    position[0] += [2e-5, -1e-5, 3e-5]
    matrix = turned(matrix, 0, np.array([1e-4, 2e-4, 0.0]))
    turn = matrix_of(np.array([0.8, 0.2, -0.4, 0.4]))
    return position @ turn.T + [0.1, 0.2, -0.3], np.ascontiguousarray(turn @ matrix)


MOVING = np.array([[0.04, -0.02, 0.05, 2.0, -3.0, 1.0], [-0.03, 0.06, 0.01, -1.0, 2.0, 3.0]])
"""m/s and rad/s of both gears, in space."""


@pytest.mark.parametrize(("carrier", "friction"), [(0, 0.0), (1, 0.0), (0, 0.08)])
def test_action_is_reaction_and_the_tangent_that_of_differences(carrier, friction):
    """Edges touch, and points come in, at this pose. Without friction the tangent is that of a
    potential: symmetric."""
    rig = stand(20, carrier, friction=friction)
    position, matrix = somewhere(rig, 0.1, 7e-4)
    rig.evaluate(position, matrix, MOVING)
    force = rig.force.copy()
    a, b = rig.bodies
    assert rig.work.places[: rig.work.counts[0], ::2].max() > 1.0
    assert np.abs(force[:3] + force[6:9]).max() <= 1e-10 * np.abs(force).max()
    about = sum(
        force[k + 3 : k + 6] + np.cross(position[body], force[k : k + 3])
        for k, body in ((0, a), (6, b))
    )
    assert np.abs(about).max() <= 1e-10 * np.abs(force).max()
    block = np.zeros((12, 12))
    flank_tangent(rig.mesh, position, matrix, a, b, 0.0, 1.0, rig.work, block)
    uneven = np.abs(block - block.T).max() / np.abs(block).max()
    assert (uneven > 1e-6) if friction else (uneven < 1e-12)
    for first in (3, 9):  # as the assembly does for all elements
        block[first : first + 3, first : first + 3] += 0.5 * np.cross(
            force[first : first + 3], np.eye(3), axisb=0, axisc=0
        )
    slopes = np.zeros((12, 12))
    for j in range(12):
        step, body = (1e-8, 3e-7)[j % 6 // 3], (a, b)[j // 6]
        for weight, times in ((8, 1), (-8, -1), (-1, 2), (1, -2)):
            move = times * step * np.eye(3)[j % 3]
            shifted, rotated = position.copy(), matrix
            if j % 6 < 3:
                shifted[body] += move
            else:
                rotated = turned(matrix, body, move)
            rig.evaluate(shifted, rotated, MOVING)
            slopes[:, j] -= weight * rig.force / (12 * step)
    sizes = np.sqrt(np.outer(np.abs(slopes).max(axis=1), np.abs(slopes).max(axis=0)))
    assert (np.abs(block - slopes) / sizes).max() < 1e-6


def test_the_stiffness_has_no_jumps_as_points_come_in():
    """From the first touch on, in steps of 5 nm of the flanks."""
    rig = stand(20)
    presses = 1.5e-4 + 6.5e-8 * np.arange(2000)
    found = []
    for press in presses:
        position, matrix = rig.poses(0.05, press)
        rig.evaluate(position, matrix)
        block = np.zeros((12, 12))
        flank_tangent(rig.mesh, position, matrix, 0, 1, 0.0, 1.0, rig.work, block)
        axis = matrix[1][:, 2]
        found.append((axis @ block[9:, 9:] @ axis, (rig.forces > 0).sum()))
    stiffness, loaded = np.array(found).T
    assert np.ptp(loaded) >= 2
    assert np.abs(np.diff(stiffness)).max() < 1e-3 * stiffness.mean()


def test_one_pitch_at_a_load_few_sections_and_many_points():
    """The published experiment, exact ratio: mean torque, jumps of its slope, both directions."""
    angles = np.linspace(0.0, bevel_pair().pitch, 1001)
    few, old = stand(40), stand(40, method=DELETION)
    torques = np.array([[rig.torque(angle, PRESS) for angle in angles] for rig in (few, old)])
    jumps = np.abs(np.diff(torques, 2, axis=1)).max(axis=1)
    assert abs(torques[0]).mean() == pytest.approx(323, rel=0.05)
    assert jumps[0] < jumps[1] / 5
    back = [few.torque(angle, PRESS) for angle in angles[::-40]]
    np.testing.assert_allclose(back, torques[0, ::-40], rtol=1e-9)
    many = stand(200, method=DELETION)
    some = slice(None, -1, 40)
    expected = np.mean([many.torque(angle, PRESS) for angle in angles[some]])
    assert torques[0, some].mean() == pytest.approx(expected, rel=2e-3)


def test_methods_meet_as_sections_grow_and_no_force_pulls():
    apart = []
    for sections in (20, 40, 80):
        torques = []
        for method in (PROPORTION, DELETION, PRINTED):
            rig = stand(sections, method=method)
            torques.append(np.mean([rig.torque(a, PRESS) for a in np.linspace(0, 0.5, 12)]))
            assert rig.forces.min() >= 0
        apart.append(np.ptp(torques) / abs(np.mean(torques)))
    assert apart[0] > apart[1] > apart[2]
    assert apart[2] < 1e-3


def test_sections_about_either_apex_carry_the_same():
    rigs = [stand(40, carrier) for carrier in (0, 1)]
    torques = [[rig.torque(a, PRESS) for a in np.linspace(0, 0.5, 12)] for rig in rigs]
    np.testing.assert_allclose(torques[1], torques[0], rtol=1e-2)


def test_two_pairs_of_teeth_share_and_a_whole_revolution_later_all_is_as_before():
    rig = stand(40)
    once = rig.torque(0.1, PRESS)
    teeth = set(rig.work.tooth[: rig.work.counts[0], 0][rig.forces > 0])
    assert len(teeth) >= 2
    for revolutions in (1, -2):
        assert rig.torque(0.1 + 2 * np.pi * revolutions, PRESS) == pytest.approx(once, rel=1e-8)
    assert rig.torque(0.1 + bevel_pair().pitch, PRESS) == pytest.approx(once, rel=1e-8)


def test_friction_takes_the_power_that_it_says():
    position, matrix = stand(20).poses(0.1, PRESS)
    velocity = np.zeros((2, 6))
    velocity[0, 3:] = 10.0 * matrix[0][:, 2]
    velocity[1, 3:] = 10.0 * bevel_pair().ratio * matrix[1][:, 2]
    powers = []
    for friction in (0.0, 0.08):
        rig = stand(20, friction=friction)
        _, lost = rig.evaluate(position, matrix, velocity)
        powers.append((rig.force.reshape(2, 6) * velocity).sum())
        normal = rig.forces.sum()
    assert lost > 0
    assert powers[0] - powers[1] == pytest.approx(lost, rel=1e-9)
    assert lost < 0.08 * normal * 1.0  # m/s: teeth slide more slowly than this


def test_friction_by_velocities_is_that_of_differences():
    rig = stand(20, friction=0.08)
    position, matrix = rig.poses(0.1, PRESS)
    velocity = np.zeros((2, 6))
    velocity[0, 3:] = 0.5 * matrix[0][:, 2] + [0.01, 0.02, -0.03]
    rig.evaluate(position, matrix, velocity)
    blocks = np.zeros((2, 12, 12))
    for rate_factor, block in enumerate(blocks):
        flank_tangent(rig.mesh, position, matrix, 0, 1, float(rate_factor), 1.0, rig.work, block)
    slopes = np.zeros((12, 12))
    for j in range(12):
        for sign in (1, -1):
            moved = velocity.copy()
            moved[j // 6, j % 6] += sign * 1e-6
            rig.evaluate(position, matrix, moved)
            slopes[:, j] -= sign * rig.force / 2e-6
    np.testing.assert_allclose(blocks[1] - blocks[0], slopes, atol=1e-5 * np.abs(slopes).max())


def test_over_a_pitch_nothing_is_won_or_lost_without_friction():
    """To what a sum over so many positions misses of points that come in."""
    rig, work = stand(40), []
    angles = np.linspace(0, bevel_pair().pitch, 480, endpoint=False)
    for angle in angles:
        first = rig.torque(angle, PRESS)
        _, matrix = rig.poses(angle, PRESS)
        second = rig.force[9:] @ matrix[1][:, 2]
        work.append(first + bevel_pair().ratio * second)
    assert abs(np.mean(work)) < 1e-6 * 330


def involute_stand(crowning, depth, sections):
    pair = spur_pair(crowning=crowning)
    bodies = (Rigid(depth), Rigid(depth))
    loading = FlankLoading(pair, bodies, (STEEL, STEEL), sections=sections, apex=None)
    return Stand(pair, flank_mesh(loading)), pair


def curvature_at(pair, v):
    """1/ρ₁ + 1/ρ₂ of the involutes at the start, from the helper's roll angles."""
    radius = 0.5 * pair.teeth[0] * MODULE * np.cos(PRESSURE_ANGLE)
    outer = np.sqrt((0.5 * pair.teeth[0] * MODULE + MODULE) ** 2 / radius**2 - 1)
    inner = 0.35 * np.tan(PRESSURE_ANGLE)
    first = radius * (inner + 0.5 * (outer - inner) * (v + 1))
    both = 0.5 * sum(pair.teeth) * MODULE * np.sin(PRESSURE_ANGLE)
    return 1 / first + 1 / (both - first)


def test_flanks_without_crowning_are_a_line_contact():
    rig, pair = involute_stand(0.0, 3e-3, 40)
    position, matrix = rig.poses(pair.start[0], 3e-4)
    rig.evaluate(position, matrix)
    law = line_law(DeepBody(3e-3, STEEL), DeepBody(3e-3, STEEL), 1.0)
    depth, v = rig.work.points.depth[0], rig.work.places[0, 0]
    constant = law.constant + law.slope * np.log(curvature_at(pair, v))
    expected = FACE * float(line_load(np.array(depth), np.array(constant), law.slope))
    assert rig.forces.sum() == pytest.approx(expected, rel=1e-6)
    assert np.linalg.norm(rig.force[:3]) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("crowning", [2e-6, 40e-6, 250e-6])
def test_crowned_cylinders_press_as_hertz_says(crowning):
    """Half spaces; ellipses from 1:180 to 1:10. Sections know no neighbours, so a line contact
    stands for an ellipse with the depth 2 a e^(ν/2(1-ν)) at which both have the same load in the
    middle. Approach and greatest pressure of Hertz under the same force are within a tenth."""
    pair = spur_pair(crowning=crowning)
    across = curvature_at(pair, pair.start[2])
    modulus = contact_modulus(STEEL, STEEL)
    contact = EllipticContact(2 * crowning / (0.5 * FACE) ** 2, across, modulus)
    approach = contact_approach(contact, 200.0)
    axes = semi_axes(contact, 200.0)
    assert max(axes) / min(axes) > 10
    rig, pair = involute_stand(crowning, 2 * max(axes) * np.exp(0.3 / 1.4), 200)
    lever = 0.5 * pair.teeth[1] * MODULE * np.cos(PRESSURE_ANGLE)
    rig.evaluate(*rig.poses(pair.start[0], approach / lever))
    total = rig.forces.sum()
    line = rig.forces / rig.work.points.length[: len(rig.forces)]
    pressure = np.sqrt(line.max() * modulus * across / np.pi)
    assert contact_approach(contact, total) == pytest.approx(approach, rel=0.1)
    assert pressure == pytest.approx(peak_pressure(contact, total), rel=0.1)


def test_bad_sections_are_refused():
    plates = [ToothPlate(gear, STEEL, TOOTH_LENGTH) for gear in VIRTUAL]
    with pytest.raises(ValueError, match="give 8 points per flank or more"):
        FlankLoading(bevel_pair(), (plates[0], plates[1]), (STEEL, STEEL), sections=7)
    with pytest.raises(ValueError, match="a rounding above zero"):
        FlankLoading(bevel_pair(), (plates[0], plates[1]), (STEEL, STEEL), edge_radius=0.0)
