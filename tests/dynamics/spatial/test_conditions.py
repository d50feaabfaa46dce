"""Conditions of joints: rows, rates and second rates against differences of the residuals.

Bodies are moved off the joints at random, so nothing vanishes by symmetry; only what holds where
a joint is closed is asked of closed joints.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from spatial_models import assembled, condition_rates, differences, moved, start

from flank.dynamics.functions import rise
from flank.dynamics.run import solve_statics
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.quaternions import matrix_of
from flank.dynamics.trajectory import SpatialPose

TIME = 0.3
DRIVE = rise(1.1, 1.0)  # value, rate and second rate differ from zero


def pair(seed=5):
    first, second = Rotation.random(2, random_state=seed).as_matrix()
    b = SpatialBuilder(0.1)
    b.body("a", 1.0, (1e-2, 2e-2, 2.5e-2), (0.1, 0.2, 0.3), first)
    b.body("b", 1.5, (1e-2, 1.5e-2, 2e-2), (0.3, 0.1, -0.2), second)
    return b


def spherical(b, first, second):
    b.spherical(first, second, (0.1, 0.2, 0.05), (0.03, -0.2, 0.1))


def universal(b, first, second):
    b.universal(first, second, (1, 2, 3), (0.3, -0.2, 1), (0.1, 0, 0), (0, 0.1, 0))


def revolute(b, first, second):
    b.revolute(first, second, (1, -2, 3), (0.1, 0, 0.2), (0, 0.1, 0.3))


def cylindrical(b, first, second):
    b.cylindrical(first, second, (1, -2, 3), (0.1, 0, 0.2), (0, 0.1, 0.3))


def fixed(b, first, second):
    b.fixed(first, second, (0.1, 0.02, -0.05), (0.3, 0.1, 0.2))


def along(b, first, second):
    b.along(first, second, (1, 2, -1), DRIVE, (0.1, 0, 0.2), (0, 0.1, 0.3))


def driven(b, first, second):
    b.revolute(first, second, (1, -2, 3), (0.1, 0, 0.2), (0, 0.1, 0.3))
    b.rotation(first, second, DRIVE, (1, -2, 3))


def on_a_shaft(b, first, second):
    """Turned and pushed along a cylindrical joint."""
    b.cylindrical(first, second, (1, -2, 3), (0.1, 0, 0.2), (0, 0.1, 0.3))
    b.rotation(first, second, DRIVE, (1, -2, 3))
    b.along(first, second, (1, -2, 3), DRIVE, (0.1, 0, 0.2), (0, 0.1, 0.3))


JOINTS = [spherical, universal, revolute, cylindrical, fixed, along, driven, on_a_shaft]
EQUATIONS = dict(zip(JOINTS, (3, 4, 5, 4, 6, 1, 6, 6), strict=True))


@pytest.fixture(params=JOINTS, ids=lambda joint: joint.__name__)
def joint(request):
    return request.param


@pytest.fixture(params=[(1, 2), (2, 1), (0, 1), (1, 0)], ids=str)
def model(request, joint):
    b = pair()
    joint(b, *request.param)
    assert b.build().constraint_count == EQUATIONS[joint]
    rng = np.random.default_rng(7)
    pose = moved(start(b, rng.normal(size=(2, 6))), 0.3 * rng.normal(size=(2, 6)))
    return b.build(), pose


def closed(model, pose):
    """The nearest pose that the joints allow, velocities that they allow too."""
    held = solve_statics(model, pose, np.array([TIME])).last
    rows = assembled(model, held, TIME).rows[: model.constraint_count]
    explicit, _ = condition_rates(model, held, TIME)
    free = pose.velocity[1:].ravel()
    change = np.linalg.lstsq(rows, rows @ free + explicit, rcond=None)[0]
    velocity = np.vstack([np.zeros(6), (free - change).reshape(-1, 6)])
    return SpatialPose(held.position, held.rotation, velocity)


def later(pose, dt):
    """Where bodies are that keep their velocities, each turning about a fixed axis of space."""
    return moved(pose, dt * pose.velocity[1:])


def test_rows_are_the_gradient(model):
    system, pose = model
    expected = differences(
        lambda change: assembled(system, moved(pose, change), TIME).residual, 12, 1e-6
    )
    assert assembled(system, pose, TIME).rows == pytest.approx(expected, abs=1e-8)


def test_explicit_rates(model):
    system, pose = model
    explicit, _ = condition_rates(system, pose, TIME)
    step = 1e-5
    after, before = (assembled(system, pose, TIME + s).residual for s in (step, -step))
    assert explicit == pytest.approx((after - before) / (2 * step), abs=1e-8)


def test_second_rates_of_closed_joints(model):
    """d²c/dt² of bodies that move without acceleration."""
    system, pose = model
    pose = closed(system, pose)
    step = 1e-4
    before, now, after = (
        assembled(system, later(pose, s), TIME + s).residual for s in (-step, 0.0, step)
    )
    assert now == pytest.approx(0, abs=1e-12)
    assert (after - before) / (2 * step) == pytest.approx(0, abs=1e-6)  # velocities are allowed
    _, second = condition_rates(system, pose, TIME)
    assert second == pytest.approx((after - 2 * now + before) / step**2, abs=2e-5, rel=1e-6)


def test_joint_is_closed_from_afar(model):
    """Statics closes joints that are open by decimetres and a third of a turn."""
    system, pose = model
    held = solve_statics(system, pose, np.array([TIME]))
    assert held.complete
    assert np.max(np.abs(assembled(system, held.last, TIME).residual)) < 1e-12


@pytest.mark.parametrize("angle", [1.0, 1.6, 2.5, 3.1, np.pi, 3.3, 4.0, 6.0, -2.0])
def test_prescribed_rotation_is_not_half_a_turn_off(angle):
    """The sine of the angle would be zero there as well."""
    b = pair()
    axis = np.array([1.0, -2.0, 3.0]) / np.sqrt(14)
    b.revolute(0, 1, axis, at_a=(0.1, 0.2, 0.3))
    b.rotation(0, 1, rise(angle, 1.0), axis)
    pose = start(b)
    found = solve_statics(b.build(), pose, np.array([0.0, 2.0]))
    assert found.complete
    turned = matrix_of(found.rotation[1, 1]) @ matrix_of(pose.rotation[1]).T
    expected = Rotation.from_rotvec(angle * axis).as_matrix()
    assert turned == pytest.approx(expected, abs=1e-11)
