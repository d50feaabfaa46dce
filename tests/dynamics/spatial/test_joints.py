"""Joints move as their closed forms say."""

import numpy as np
import pytest
from scipy.special import ellipj, ellipk
from spatial_models import METHODS, rates, run

from flank.dynamics.functions import constant, function_value, linear, rise, run_up
from flank.dynamics.packing import pack_functions
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.quaternions import matrix_of, rotation_about

UP = np.array([0.0, 0.0, 1.0])
TENSOR = np.array([[2.0, 0.3, -0.2], [0.3, 2.6, 0.4], [-0.2, 0.4, 3.1]]) * 1e-3
GRAVITY = 9.81
SETTLED = {"generalized-alpha": 60, "trapezoid": 0}
"""Records until accelerations and reactions are of second order: generalized-alpha starts with an
error of the first, which falls by its spectral radius a step (Arnold, Brüls, Cardona 2015)."""


def turned_about(axis, rotation, first):
    """Angle about an axis of space from one rotation matrix to others."""
    turned = rotation @ first.T
    side = np.cross(axis, [0.3, 0.5, 0.8])
    side /= np.linalg.norm(side)
    image = turned @ side
    return np.unwrap(np.arctan2(image @ np.cross(axis, side), image @ side))


class TestRevolute:
    """A body of any shape on an oblique axis n swings like a plane pendulum: about the axis acts
    gravity's part perpendicular to it, J = n·Jn + m d² (Landau & Lifshitz, §11)."""

    rate = 2.0
    mass, arm = 0.7, np.array([0.11, -0.05, 0.08])  # from the axis to the centre, space
    axis = np.array([0.6, 0.0, 0.8])
    rotation = rotation_about((1, 2, 3), 0.9)
    duration = 1.2

    def built(self):
        b = SpatialBuilder(0.1)
        body = b.body("pendulum", self.mass, TENSOR, self.arm, self.rotation)
        b.revolute(0, body, self.axis, at_b=-self.rotation.T @ self.arm)
        b.force(body, (0, 0, -GRAVITY), constant(self.mass))
        return b

    def exact(self, t):
        """Released at rest at the angle θ₀ from where it hangs: the angle turned since."""
        across = self.arm - (self.arm @ self.axis) * self.axis
        # gravity's part perpendicular to the axis, over g
        pull = -UP + (UP @ self.axis) * self.axis
        own = self.axis @ (self.rotation @ TENSOR @ self.rotation.T) @ self.axis
        moment = self.mass * GRAVITY * np.linalg.norm(pull) * np.linalg.norm(across)
        omega = np.sqrt(moment / (own + self.mass * across @ across))
        start = np.arctan2(self.axis @ np.cross(pull, across), pull @ across)
        k = np.sin(abs(start) / 2)
        sn, *_ = ellipj(omega * t + ellipk(k**2), k**2)
        return np.sign(start) * 2 * np.arcsin(k * sn) - start

    @pytest.mark.parametrize("method", METHODS)
    def test_rate(self, method):
        errors = []
        for steps in (300, 600, 1200):
            b = self.built()
            found = run(b, self.duration, self.duration / steps, None, method)
            angle = turned_about(self.axis, matrix_of(found.rotation[:, 1]), self.rotation)
            errors.append(np.max(np.abs(angle - self.exact(found.time))))
        assert rates(errors) == pytest.approx(self.rate, abs=0.15)
        assert errors[-1] < 1e-4

    def test_axis_stays(self):
        found = run(self.built(), 1.0, 2e-3)
        seen = np.einsum("tij,j->ti", matrix_of(found.rotation[:, 1]), self.rotation.T @ self.axis)
        assert seen == pytest.approx(np.broadcast_to(self.axis, seen.shape), abs=1e-12)


class TestUniversal:
    """A cross joint whose shafts include β turns its output by cos β/(1 - sin² β cos² φ) of the
    input's speed, φ counted from where the input's pin lies in the plane of the shafts."""

    bend, speed, polar, load = 0.5, 30.0, 3e-3, 4.0

    def built(self):
        out = rotation_about((0, 1, 0), self.bend)
        b = SpatialBuilder(0.1)
        first = b.body("input", 1.0, (2e-3, 2e-3, 1e-3))
        second = b.body("output", 1.0, (4e-3, 4e-3, self.polar), rotation=out)
        b.revolute(0, first)
        drive = b.rotation(0, first, linear(self.speed))
        b.universal(first, second, (1, 0, 0), (0, 1, 0))
        b.parallel(0, second, out[:, 2])
        b.torque(second, (0, 0, -1), constant(self.load), reference=second)
        return b, drive, out

    def ratio(self, phase):
        return np.cos(self.bend) / (1 - np.sin(self.bend) ** 2 * np.cos(phase) ** 2)

    def ratio_slope(self, phase):
        lean = np.sin(self.bend) ** 2
        return -(self.ratio(phase) ** 2) * lean * np.sin(2 * phase) / np.cos(self.bend)

    @pytest.mark.parametrize("method", METHODS)
    def test_speed_and_torque(self, method):
        b, drive, out = self.built()
        found = run(b, 0.25, 1e-4, None, method)  # more than a turn
        phase = self.speed * found.time
        speed = found.velocity[:, 2, 3:] @ out[:, 2]
        assert speed / self.speed == pytest.approx(self.ratio(phase), abs=2e-5)
        angle = turned_about(out[:, 2], matrix_of(found.rotation[:, 2]), out)
        exact = np.unwrap(np.arctan2(np.sin(phase) / np.cos(self.bend), np.cos(phase)))
        assert angle == pytest.approx(exact, abs=1e-11)  # no freedom is left: exact at any step
        inertia = self.polar * self.speed**2 * self.ratio_slope(phase)
        torque = (self.load + inertia) * self.ratio(phase)
        settled = slice(SETTLED[method], None)
        assert found.multipliers[settled, drive] == pytest.approx(torque[settled], rel=2e-5)

    def test_starts_at_the_closed_form(self):
        """Given no velocity, the start has that of the joint, and its accelerations."""
        b, drive, out = self.built()
        found = run(b, 1e-3, 1e-3)
        assert found.velocity[0, 2, 3:] == pytest.approx(
            self.speed / np.cos(self.bend) * out[:, 2], abs=1e-12
        )
        assert found.acceleration[0, 2, 3:] == pytest.approx(0, abs=1e-9)
        assert found.multipliers[0, drive] == pytest.approx(self.load / np.cos(self.bend))


class TestCylindrical:
    """On an oblique shaft a nut falls and spins up by itself: both methods are exact for constant
    accelerations."""

    axis = np.array([0.0, 0.6, 0.8])

    @pytest.mark.parametrize("method", METHODS)
    def test_falls_and_spins(self, method):
        b = SpatialBuilder(0.1)
        nut = b.body("nut", 2.0, (3e-3, 3e-3, 5e-3), (0.1, 0.2, 0.3), np.eye(3))
        b.cylindrical(0, nut, self.axis, at_a=(0.1, 0.2, 0.3))
        b.force(nut, (0, 0, -GRAVITY), constant(2.0))
        b.torque(nut, 0.01 * self.axis, constant(1.0))
        found = run(b, 1.0, 0.01, None, method)
        t = found.time
        fallen = np.outer(-GRAVITY * 0.8 * t**2 / 2, self.axis)
        assert found.position[:, 1] - (0.1, 0.2, 0.3) == pytest.approx(fallen, abs=1e-10)
        about = self.axis @ np.diag((3e-3, 3e-3, 5e-3)) @ self.axis
        angle = turned_about(self.axis, matrix_of(found.rotation[:, 1]), np.eye(3))
        assert angle == pytest.approx(0.01 / about * t**2 / 2, abs=1e-10)


class TestFixed:
    def test_two_bodies_are_one(self):
        """Two bars of a bent pendulum, welded, against the body that they make."""
        second = rotation_about((1, 1, 0), 0.7)
        places = np.array([[0.1, 0.0, 0.0], [0.25, 0.1, 0.05]])
        masses = np.array([0.4, 0.6])
        tensors = np.array([TENSOR, second @ (0.5 * TENSOR) @ second.T])
        centre = masses @ places / 1.0
        welded = sum(
            tensor + mass * (np.eye(3) * (d @ d) - np.outer(d, d))
            for tensor, mass, d in zip(tensors, masses, places - centre, strict=True)
        )
        whole = SpatialBuilder(0.1)
        body = whole.body("whole", 1.0, welded, centre)
        whole.spherical(0, body, at_b=-centre)
        whole.force(body, (0, 0, -GRAVITY), constant(1.0))
        parts = SpatialBuilder(0.1)
        bars = [
            parts.body("first", 0.4, TENSOR, places[0]),
            parts.body("second", 0.6, 0.5 * TENSOR, places[1], second),
        ]
        parts.spherical(0, bars[0], at_b=-places[0])
        parts.fixed(
            *bars, at_a=(0.05, 0, 0), at_b=second.T @ (places[0] + (0.05, 0, 0) - places[1])
        )
        for bar, mass in zip(bars, masses, strict=True):
            parts.force(bar, (0, 0, -GRAVITY), constant(mass))
        apart = []
        for step in (1e-3, 5e-4):
            one, two = (run(b, 0.8, step) for b in (whole, parts))
            middle = masses @ two.position[-1, 1:]
            turned = matrix_of(two.rotation[-1, 1]) - matrix_of(one.rotation[-1, 1])
            apart.append([np.max(np.abs(middle - one.position[-1, 1])), np.max(np.abs(turned))])
        assert rates(apart) == pytest.approx(2.0, abs=0.1)
        assert np.max(apart) < 1e-4

    @pytest.mark.parametrize("method", METHODS)
    def test_holds_still(self, method):
        b = SpatialBuilder(0.1)
        body = b.body("bracket", 1.0, TENSOR, (0.2, 0, 0), rotation_about((1, 2, 3), 0.5))
        b.fixed(0, body, at_a=(0.2, 0, 0))
        b.torque(body, (1, 2, 3), linear(5.0))
        found = run(b, 0.1, 1e-3, None, method)
        assert np.max(np.abs(found.position[:, 1] - (0.2, 0, 0))) < 1e-12
        assert np.max(np.abs(found.rotation[:, 1] - found.rotation[0, 1])) < 1e-12


class TestPrescribed:
    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize("drive", [run_up(20.0, 0.4), rise(1.5, 0.4), linear(7.0, 0.0)])
    def test_rotation_follows_its_function(self, method, drive):
        """A flywheel off its axis: pose, velocity and acceleration at every record."""
        axis = np.array([2.0, -1.0, 2.0]) / 3
        rotation = rotation_about((1, 0, 1), 0.4)
        arm = np.array([0.1, 0.05, -0.02])
        b = SpatialBuilder(0.1)
        wheel = b.body("wheel", 1.0, TENSOR, arm, rotation)
        b.revolute(0, wheel, axis, at_b=-rotation.T @ arm)
        b.rotation(0, wheel, drive, axis)
        found = run(b, 0.3, 5e-4, None, method)
        angle, speed, acceleration = function_of(drive, found.time)
        exact = np.array([rotation_about(axis, a) for a in angle])
        assert matrix_of(found.rotation[:, 1]) == pytest.approx(exact @ rotation, abs=1e-11)
        assert found.position[:, 1] == pytest.approx(exact @ arm, abs=1e-11)
        largest = np.max(np.abs(speed))
        assert found.velocity[:, 1, 3:] == pytest.approx(np.outer(speed, axis), abs=1e-4 * largest)
        bent = np.outer(acceleration, axis)
        centripetal = np.cross(np.outer(speed, axis), np.cross(np.outer(speed, axis), exact @ arm))
        moved = np.cross(bent, exact @ arm) + centripetal
        scale = np.max(np.linalg.norm(moved, axis=1))
        settled = slice(SETTLED[method], None)
        error = np.linalg.norm(found.acceleration[:, 1, :3] - moved, axis=1)
        assert np.max(error[settled]) < 2e-4 * scale
        assert error[0] < 1e-12 * scale

    def test_velocities_give_way_to_joints(self):
        """By the least motion, weighed by mass: a rod hit at a point between, then let swing."""
        b = SpatialBuilder(0.1)
        rod = b.body("rod", 3.0, (1e-4, 1e-2, 1e-2), (0.1, 0, 0))
        b.spherical(0, rod, at_b=(-0.1, 0, 0))
        found = run(b, 1e-4, 1e-4, np.array([[0, 2.0, 0, 0, 0, 0]]))
        spin = 3.0 * 0.1 * 2.0 / (1e-2 + 3.0 * 0.1**2)  # momentum about the joint is kept
        assert found.velocity[0, 1] == pytest.approx([0, 0.1 * spin, 0, 0, 0, spin], abs=1e-12)

    @pytest.mark.parametrize("method", METHODS)
    def test_along_lifts(self, method):
        """A slide pushed up an oblique guide by f(t): the push is m (f̈ + g·e)."""
        direction = np.array([0.6, 0.0, 0.8])
        b = SpatialBuilder(0.1)
        slide = b.body("slide", 2.0, TENSOR, rotation=rotation_about((0, 0, 1), 0.3))
        b.cylindrical(0, slide, direction)
        b.rotation(0, slide, constant(0.0), direction)
        push = b.along(0, slide, direction, rise(0.2, 0.5))
        b.force(slide, (0, 0, -GRAVITY), constant(2.0))
        found = run(b, 0.4, 1e-3, None, method)
        travel, speed, acceleration = function_of(rise(0.2, 0.5), found.time)
        assert found.position[:, 1] == pytest.approx(np.outer(travel, direction), abs=1e-12)
        assert found.velocity[:, 1, :3] == pytest.approx(np.outer(speed, direction), abs=1e-4)
        force = 2.0 * (acceleration + GRAVITY * 0.8)
        settled = slice(SETTLED[method], None)
        assert -found.multipliers[settled, push] == pytest.approx(force[settled], abs=1e-3)
        assert -found.multipliers[0, push] == pytest.approx(force[0], abs=1e-11)


def function_of(drive, time):
    """Value, rate and second rate by the kernel that models use; tested on its own."""
    rows, data = pack_functions([drive])
    return np.array([function_value(rows[0], data, t) for t in time]).T
