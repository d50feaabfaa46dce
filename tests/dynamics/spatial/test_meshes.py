"""Teeth in space: forces are gradients of an energy, their tangent, turns that go on for ever."""

import numpy as np
import pytest
from spatial_models import assembled, differences, moved, start

from flank.dynamics.energy import stored_energy
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import solve_statics
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.quaternions import rotation_about
from flank.dynamics.tables import GROUND
from flank.dynamics.trajectory import SpatialPose

TEETH = (17, 34)
AXES = ((0, 0, 1), (1, 0, 0))
POINT = np.array([0.034, 0.0, 0.017])
STIFFNESS = 2e8


def gears(turned=(0.0, 0.0), **mesh):
    """Axes z and x through the origin's plane; radii 17 and 34 mm about them."""
    b = SpatialBuilder(0.05)
    centres = (0.017, 0.0, 0.0), (0.034 - 0.02, 0.0, 0.017 + 0.034)
    for name, centre, axis, angle in zip("ab", centres, AXES, turned, strict=True):
        b.body(name, 1.0, (1e-3, 2e-3, 3e-3), centre, rotation_about(axis, angle))
    b.mesh(1, 2, TEETH, AXES, POINT, (0, 1, 0), STIFFNESS, **mesh)
    return b


@pytest.mark.parametrize("turned", [(0.0, 0.0), (0.7, -2.1), (3.1, 2.9)])
@pytest.mark.parametrize("backlash", [0.0, 2e-5])
def test_forces_are_the_gradient_and_the_tangent_is_theirs(turned, backlash):
    b = gears(turned, damping=50.0, backlash=backlash)
    model = b.build()
    change = np.random.default_rng(2).normal(size=(2, 6)) * np.array([1e-4] * 3 + [2e-2] * 3)
    pose = moved(start(b), change)
    here = assembled(model, pose)
    assert here.energy > 0
    gradient = differences(
        lambda step: np.array([assembled(model, moved(pose, step)).energy]), 12, 1e-7
    )
    force = here.force[1:].ravel()
    assert force == pytest.approx(-gradient[0], rel=1e-5, abs=1e-6 * np.abs(force).max())
    by_difference = -differences(
        lambda step: assembled(model, moved(pose, step)).force[1:].ravel(), 12, 1e-7
    )
    scale = np.abs(by_difference).max()
    assert here.tangent == pytest.approx(by_difference, abs=1e-6 * scale)


def test_the_force_acts_along_the_line_at_the_point():
    b = gears()
    turn = np.zeros((2, 6))
    turn[0, 5] = 1e-6  # gear a ahead: it pushes b along the line
    found = assembled(b.build(), moved(start(b), turn)).force
    force = STIFFNESS * 1e-6 * 0.017
    for body, sign in ((1, -1.0), (2, 1.0)):
        pushed = sign * force * np.array([0.0, 1.0, 0.0])
        assert found[body, :3] == pytest.approx(pushed, rel=1e-9, abs=1e-9)
        arm = POINT - start(b).position[body]
        assert found[body, 3:] == pytest.approx(np.cross(arm, pushed), rel=1e-5, abs=1e-9)


def test_a_tooth_on_all_is_as_before():
    first = assembled(gears().build(), start(gears()))
    pitch = np.zeros((2, 6))
    pitch[0, 5] = 2 * np.pi / TEETH[0]
    second = assembled(gears().build(), moved(start(gears()), pitch))
    assert np.abs(second.force).max() < 1e-6 * STIFFNESS * 1e-3
    assert first.energy == pytest.approx(second.energy, abs=1e-12)


def test_gears_turn_many_times_by_their_ratio():
    b = gears()
    for body, axis in zip((1, 2), AXES, strict=True):
        b.revolute(GROUND, body, axis, at_a=start(b).position[body])
    shafts = [
        b.shaft(1, AXES[0], angle=linear(1.0)),
        b.shaft(2, AXES[1], torque=constant(5.0)),
    ]
    model, times = b.build(), np.linspace(0.0, 20.0, 400)
    found = solve_statics(model, start(b), times, _guesses(b, times))
    assert found.complete
    sign = np.sign(found.angle(shafts[1])[-1])
    assert found.angle(shafts[0]) == pytest.approx(times, abs=1e-9)
    wind_up = 5.0 / (STIFFNESS * 0.034**2)
    assert found.angle(shafts[1]) - sign * times / 2 == pytest.approx(wind_up, rel=1e-6)
    assert found.torque(shafts[1]) == pytest.approx(5.0)
    assert found.torque(shafts[0]) == pytest.approx(-sign * 2.5, rel=1e-6)
    assert stored_energy(model, found) == pytest.approx(0.5 * 5.0 * wind_up, rel=1e-6)


def _guesses(b, times):
    sign = -1.0 if np.cross(POINT - start(b).position[2], (0, 1, 0))[0] < 0 else 1.0
    poses = []
    for time in times:
        change = np.zeros((2, 6))
        change[0, 3:] = time * np.array(AXES[0])
        change[1, 3:] = sign * time / 2 * np.array(AXES[1])
        poses.append(moved(start(b), change))
    assert all(isinstance(pose, SpatialPose) for pose in poses)
    return poses


def test_a_point_off_the_pitch_cones_is_refused():
    b = SpatialBuilder(0.05)
    for name, centre in (("a", (0.017, 0.0, 0.0)), ("b", (0.0, 0.0, 0.06))):
        b.body(name, 1.0, (1e-3, 2e-3, 3e-3), centre)
    with pytest.raises(ValueError, match=r"the base pitches of the gears, .* differ; give a pitch"):
        b.mesh(1, 2, TEETH, AXES, POINT, (0, 1, 0), STIFFNESS)
