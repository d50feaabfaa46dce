"""Teeth of involute gears on bodies in space: forces are those of a potential, action is reaction,
the frame does not matter, joints are the limit of stiff springs, and in its plane it is the plane's
mesh."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from flank.dynamics.builder import ModelBuilder
from flank.dynamics.engine import evaluate
from flank.dynamics.functions import constant
from flank.dynamics.poses import state_at, workspace
from flank.dynamics.run import solve_statics
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.quaternions import matrix_of, quaternion_of
from flank.dynamics.spatial.teeth import Teeth, read_teeth
from flank.dynamics.tables import GROUND
from flank.dynamics.trajectory import SpatialPose


def about_axis(axis, angle):
    return Rotation.from_rotvec(np.array(axis) / np.linalg.norm(axis) * angle).as_matrix()


EXTERNAL, INTERNAL = (0.09, 0.18), (0.18, -0.47)
HELIX = 0.25
TURNED = about_axis((0.3, -0.5, 0.8), 0.9)
OFFSET = np.array([0.1, 0.2, 0.3])
UPRIGHT, ORIGIN = np.eye(3), np.zeros(3)


def two_gears(radii, frame=UPRIGHT, offset=ORIGIN, height=0.01, **spring):
    """Two bodies that lean against each other, their gears off their centres of mass."""
    builder = SpatialBuilder(0.1)
    distance = abs(sum(radii)) / np.cos(0.4)
    lean = about_axis((1.0, -1.5, 0.0), 0.02)
    between = distance * np.array([np.cos(0.2), np.sin(0.2), 0.01])
    turned = [frame @ about_axis((0.0, 0.0, 1.0), x) for x in (0.3, 0.9)]
    first = builder.body("a", 1.0, (1, 1, 1), offset, turned[0])
    second = builder.body("b", 1.0, (1, 1, 1), offset + frame @ between, turned[1] @ lean)
    arms = {"at_a": (0.001, 0.002, 0.003), "at_b": (0.002, -0.001, 0.001)}
    more = {"angle": 0.4, "helix": HELIX, "height": height, "flank": 1} | arms | spring
    builder.teeth(first, second, 1e6, radii, distance, 1e3, **more)
    return builder


def at_pose(builder, geometric=1.0):
    """Energy, forces (12,) and tangent at a pose moved by twelve numbers."""
    model = builder.build()
    position, rotation = builder.pose()
    work = workspace(model)

    def moved(by):
        x, q = position.copy(), rotation.copy()
        for body in (1, 2):
            shift, turn = by[6 * body - 6 : 6 * body - 3], by[6 * body - 3 : 6 * body]
            x[body] += shift
            angle = np.linalg.norm(turn)
            if angle > 0:
                matrix = about_axis(turn, angle) @ matrix_of(q[body])
                q[body] = quaternion_of(matrix)
        state = state_at(model, SpatialPose(x, q, np.zeros((3, 6))))
        energy, _ = evaluate(model, state, 0.0, work, 0.0, 1.0, geometric)
        return energy, work.force[1:].ravel().copy(), work.core[:12, :12].copy()

    return moved


@pytest.mark.parametrize("radii", [EXTERNAL, INTERNAL])
def test_forces_and_tangent_are_derivatives_of_the_energy(radii):
    moved, step = at_pose(two_gears(radii)), 1e-6
    _, force, tangent = moved(np.zeros(12))
    by_energy, by_force = np.zeros(12), np.zeros((12, 12))
    for k, direction in enumerate(np.eye(12)):
        ahead, behind = moved(step * direction), moved(-step * direction)
        by_energy[k] = -(ahead[0] - behind[0]) / (2 * step)
        by_force[:, k] = -(ahead[1] - behind[1]) / (2 * step)
    assert np.abs(by_energy - force).max() < 1e-7 * np.abs(force).max()
    assert np.abs(by_force - tangent).max() < 1e-7 * np.abs(tangent).max()


@pytest.mark.parametrize("radii", [EXTERNAL, INTERNAL])
def test_action_is_reaction(radii):
    builder = two_gears(radii, TURNED, OFFSET)
    _, force, _ = at_pose(builder)(np.zeros(12))
    position = builder.pose()[0]
    moment = force[3:6] + force[9:] + np.cross(position[1], force[:3])
    moment += np.cross(position[2], force[6:9])
    assert abs(force[2]) > 0.01 * np.abs(force).max()
    assert np.abs(force[:3] + force[6:9]).max() < 1e-10 * np.abs(force).max()
    assert np.abs(moment).max() < 1e-10 * np.abs(force).max()


@pytest.mark.parametrize("radii", [EXTERNAL, INTERNAL])
def test_the_frame_does_not_matter(radii):
    still, turned = two_gears(radii), two_gears(radii, TURNED, OFFSET)
    energy, force, _ = at_pose(still)(np.zeros(12))
    other, elsewhere, _ = at_pose(turned)(np.zeros(12))
    assert other == pytest.approx(energy, rel=1e-10)
    rotated = (force.reshape(4, 3) @ TURNED.T).ravel()
    assert np.abs(elsewhere - rotated).max() < 1e-10 * np.abs(force).max()


@pytest.mark.parametrize("radii", [EXTERNAL, INTERNAL])
def test_in_its_plane_it_is_the_mesh_of_the_plane(radii):
    distance, angles = abs(sum(radii)) / np.cos(0.4), (0.3, 0.9)
    centre = distance * np.array([np.cos(0.2), np.sin(0.2)])
    flat, space = ModelBuilder(0.1), SpatialBuilder(0.1)
    for name, turn, at in zip("ab", angles, ((0.0, 0.0), centre), strict=True):
        flat.body(name, 1.0, 1.0, (*at, turn))
        matrix = about_axis((0.0, 0.0, 1.0), turn)
        space.body(name, 1.0, (1, 1, 1), (*at, 0.0), matrix)
    flat.mesh(1, 2, 1e6, radii, distance, angle=0.4, flank=-1)
    space.teeth(1, 2, 1e6, radii, distance, 1e3, angle=0.4, flank=-1)
    model = flat.build()
    work = workspace(model)
    evaluate(model, state_at(model, flat.pose()), 0.0, work, 0.0, 1.0, 1.0)
    _, force, _ = at_pose(space)(np.zeros(12))
    assert force.reshape(2, 6)[:, [0, 1, 5]] == pytest.approx(work.force[1:], rel=1e-12, abs=1e-9)


def geared(joint, stiffness=0.0, axis=UPRIGHT[2]):
    """A driven and a loaded helical gear on rigid axes: joints keep them, teeth carry the load."""
    frame = UPRIGHT if axis[2] == 1 else TURNED
    builder = SpatialBuilder(0.1)
    distance = sum(EXTERNAL) / np.cos(0.4)
    for name, at in (("a", np.zeros(3)), ("b", frame @ np.array([distance, 0.0, 0.0]))):
        builder.body(name, 1.0, (1e-2, 1e-2, 1e-2), at, frame)
    builder.revolute(GROUND, 1, axis)
    builder.revolute(GROUND, 2, axis, at_a=frame @ np.array([distance, 0.0, 0.0]))
    builder.rotation(GROUND, 1, constant(0.0), axis)
    builder.torque(2, axis, constant(18.0))
    if joint:
        builder.tooth_joint(1, 2, EXTERNAL, 1e3, -1, helix=HELIX)
    else:
        builder.teeth(1, 2, stiffness, EXTERNAL, distance, 1e3, helix=HELIX, flank=-1)
    pose = SpatialPose(*builder.pose(), np.zeros((3, 6)))
    return builder, solve_statics(builder.build(), pose, np.array([0.0]))


def test_springs_tend_to_the_joint_as_they_stiffen():
    _, held = geared(joint=True)
    assert held.complete
    turns = []
    for stiffness in (1e6, 1e8, 1e10):
        builder, soft = geared(joint=False, stiffness=stiffness)
        teeth = builder.build().teeth
        assert isinstance(teeth, Teeth)
        carried = read_teeth(teeth, np.array([0]), soft)[0, 0, :, 0].sum()
        assert abs(carried) == pytest.approx(100.0, rel=1e-9)  # torque over base radius
        turns.append(np.linalg.norm(soft.rotation[-1, 2] - held.rotation[-1, 2]))
    assert turns[0] / turns[1] == pytest.approx(100, rel=1e-3)
    assert turns[1] / turns[2] == pytest.approx(100, rel=1e-3)
    axial = held.multipliers[-1]
    assert abs(axial[-1]) == pytest.approx(100.0, rel=1e-9)


def test_a_joint_carries_the_axial_force_of_its_helix_in_any_frame():
    for axis in (np.array([0.0, 0.0, 1.0]), TURNED @ np.array([0.0, 0.0, 1.0])):
        _, held = geared(joint=True, axis=axis)
        reaction = held.multipliers[-1, :3]  # of the first gear's centre
        assert abs(reaction @ axis) == pytest.approx(100.0 * HELIX, rel=1e-9)
