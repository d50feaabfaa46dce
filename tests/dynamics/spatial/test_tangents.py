"""The assembled tangent against differences of the assembled forces.

Exact by positions for joints, for bushings along their axes, for forces with arms and for contacts
without friction; exact by rates for dampers. TestLeftOut says what is missing.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from spatial_models import METHODS, assembled, differences, moved, newton_system, start

from flank.contact.spatial import (
    Place,
    PowerLaw,
    SpatialSurface,
    Sphere,
    ball_in_arc,
    sphere_in_cylinder,
    sphere_in_sphere,
    sphere_on_plane,
    sphere_on_sphere,
)
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import DynamicSettings
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.trajectory import SpatialPose

TIME = 0.4
FRAME = Rotation.random(random_state=3).as_matrix()
POINTS = ((0.1, 0.2, 0.05), (0.03, -0.2, 0.1))
LAW = SpatialSurface(PowerLaw(1e5))


def springs(b):
    b.bushing(1, 2, (100, 200, 300), at_a=POINTS[0], at_b=POINTS[1], frame=FRAME)
    b.bushing(0, 1, (300, 50, 100), at_a=POINTS[1])


def dampers(b):
    b.bushing(1, 2, damping=(1, 2, 3), turning_damping=(4, 5, 6), frame=FRAME, at_b=POINTS[0])
    b.bushing(2, 0, damping=(3, 2, 3), turning_damping=(1, 5, 2), at_a=POINTS[0])


def joints(b):
    b.spherical(1, 2, *POINTS)
    b.universal(0, 1, (1, 2, 3), (1, 0, 1), at_b=POINTS[0])
    b.along(2, 1, (1, -1, 1), linear(0.3), *POINTS)


def forces(b):
    b.force(1, (3, -2, 1), linear(2.0, 1.0), at=POINTS[0])
    b.torque(2, (1, 2, -4), constant(1.0))


def contacts(b):
    """All fields, pushed in deeply enough that a move of the differences changes little."""
    b.contact(sphere_on_plane(1, (0.1, 0.1, 0.1), (1, 2, 2), Sphere(2, 1.0, POINTS[0]), LAW))
    b.contact(sphere_on_sphere(Sphere(1, 0.5, (0.1, 0.1, 0.1)), Sphere(2, 0.4, POINTS[1]), LAW))
    b.contact(sphere_in_sphere(Sphere(2, 0.35, (0.1, 0.0, 0.1)), Sphere(1, 0.2, POINTS[0]), LAW))
    b.contact(sphere_in_cylinder(0, (0.2, 0.2, 0.2), (2, 1, 2), 0.3, Sphere(2, 0.2), LAW))
    b.contact(ball_in_arc(Place(1, (0, 0, 0), FRAME), (0.0, 0.05), 0.3, 0, Sphere(0, 0.2), LAW))


PARTS = [springs, dampers, joints, forces, contacts]


def built(*parts):
    first, second = Rotation.random(2, random_state=8).as_matrix()
    b = SpatialBuilder(0.1)
    b.body("a", 1.0, (1e-2, 2e-2, 2.5e-2), (0.1, 0.2, 0.3), first)
    b.body("b", 1.5, (1e-2, 1.5e-2, 2e-2), (0.3, 0.1, -0.2), second)
    for part in parts:
        part(b)
    rng = np.random.default_rng(2)
    pose = moved(start(b, rng.normal(size=(2, 6))), 0.1 * rng.normal(size=(2, 6)))
    return b.build(), pose, rng.normal(size=b.build().constraint_count)


def at_rest(pose):
    return SpatialPose(pose.position, pose.rotation, np.zeros_like(pose.velocity))


def stiffness(model, pose, multipliers):
    """-∂Q/∂q by differences."""
    return -differences(
        lambda change: assembled(model, moved(pose, change), TIME, multipliers).force[1:].ravel(),
        12,
        1e-6,
    )


@pytest.mark.parametrize(
    "parts", [*((part,) for part in PARTS), PARTS], ids=lambda parts: parts[-1].__name__
)
def test_by_positions(parts):
    model, pose, multipliers = built(*parts)
    pose = at_rest(pose)
    expected = stiffness(model, pose, multipliers)
    found = assembled(model, pose, TIME, multipliers)
    assert found.tangent == pytest.approx(expected, abs=3e-9 * max(np.max(np.abs(expected)), 1.0))
    assert np.all(found.contact_results["gap"] < 0)


@pytest.mark.parametrize("part", [dampers, springs])
def test_by_rates(part):
    model, pose, _ = built(part)
    factor = 37.0

    def force(change):
        velocity = np.vstack([np.zeros(6), change.reshape(-1, 6)]) + pose.velocity
        return assembled(model, SpatialPose(pose.position, pose.rotation, velocity)).force[1:]

    expected = -factor * differences(lambda change: force(change).ravel(), 12, 1e-3)
    by_positions = assembled(model, pose).tangent
    found = assembled(model, pose, rate_factor=factor).tangent - by_positions
    assert found == pytest.approx(expected, abs=1e-8)


def test_without_turning_the_stiffness_is_positive():
    model, pose, _ = built(springs, contacts)
    found = assembled(model, at_rest(pose), TIME, geometric_factor=0.0).tangent
    assert found == pytest.approx(found.T, abs=1e-9 * np.max(found))
    assert np.linalg.eigvalsh(found)[0] > -1e-9 * np.max(found)


@pytest.mark.parametrize("method", METHODS)
def test_of_a_time_step(method):
    """All of it and inertia, in a step that turns bodies by half a radian: the increment's own
    coordinates, gyroscopic torques and turning inertia are in Newton's matrix."""
    model, pose, multipliers = built(springs, joints, forces, contacts)
    rng = np.random.default_rng(5)
    velocity = np.vstack([np.zeros(6), rng.normal(size=(2, 6)) * ([1] * 3 + [5] * 3)])
    pose = SpatialPose(pose.position, pose.rotation, velocity)
    acceleration = rng.normal(size=(2, 6)) * ([10] * 3 + [50] * 3)
    step = (model, pose, acceleration, multipliers, 0.05)
    settings = DynamicSettings(step=0.05, method=method)
    change = 0.02 * rng.normal(size=12)
    _, matrix = newton_system(*step, settings, change)
    expected = -differences(lambda more: newton_system(*step, settings, change + more)[0], 12, 1e-6)
    assert np.max(np.abs(velocity[1:, 3:])) * 0.05 > 0.4
    assert matrix == pytest.approx(expected, abs=1e-8 * np.max(np.abs(expected)))


class TestLeftOut:
    """Parts of the tangent that are not there, and how large they are."""

    @pytest.mark.parametrize("twist", [0.02, 0.04, 0.08])
    def test_turning_springs_to_the_second_order(self, twist):
        b = SpatialBuilder(0.1)
        b.body("a", 1.0, (1.0, 1.0, 1.0))
        b.body("b", 1.0, (1.0, 1.0, 1.0), rotation=FRAME)
        b.bushing(1, 2, turning_stiffness=(100, 200, 300), frame=FRAME.T)
        change = np.zeros((2, 6))
        change[1, 3:] = twist * np.array([2 / 3, -1 / 3, 2 / 3])
        pose = moved(start(b), change)
        lack = assembled(b.build(), pose).tangent - stiffness(b.build(), pose, None)
        assert np.max(np.abs(lack)) < 300 * twist**2 / 3

    def test_that_loads_follow_a_body(self):
        model, pose, _ = built(lambda b: b.torque(1, (1, 2, -4), constant(1.0), reference=2))
        assert np.all(assembled(model, pose, TIME).tangent == 0)
        assert np.max(np.abs(stiffness(model, pose, None))) == pytest.approx(4, rel=0.5)
