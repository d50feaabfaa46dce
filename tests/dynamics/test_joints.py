"""Joints hold to round-off and carry the forces of closed forms, whichever body is ground."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant, linear, rise, run_up, table

GRAVITY = 9.81
ORDER = pytest.mark.parametrize("ground_first", [True, False], ids=["ground-body", "body-ground"])


def turned(angle, point):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * point[0] - s * point[1], s * point[0] + c * point[1]])


def revolute_to_ground(b, body, ground_point, body_point, ground_first):
    """Add the joint; returns its first multiplier and the sign of λ in the force on the body."""
    if ground_first:
        return b.revolute(0, body, ground_point, body_point), -1.0
    return b.revolute(body, 0, body_point, ground_point), 1.0


class TestRevolute:
    pivot, arm = (0.3, -0.2), (0.1, 0.5)
    mass, inertia = 1.4, 0.15

    def pendulum(self, angle, ground_first):
        b = ModelBuilder(0.5)
        x, y = self.pivot - turned(angle, self.arm)
        body = b.body("bob", self.mass, self.inertia, (x, y, angle))
        first, sign = revolute_to_ground(b, body, self.pivot, self.arm, ground_first)
        b.force(body, (0.0, -1.0), constant(self.mass * GRAVITY))
        return b, first, sign

    @ORDER
    def test_pin_stays_closed(self, march, ground_first):
        """|x + s - pivot| stays at round-off while the pendulum tumbles over the top."""
        b, _, _ = self.pendulum(0.4, ground_first)
        velocity = np.zeros((2, 3))
        velocity[1, 2] = 50.0  # before the start takes the pivot into account
        run = march(b.build(), b.pose(), 2.0, 2000, velocity)
        assert np.ptp(run.position[:, 1, 2]) > 4 * np.pi
        for pose in run.position[:, 1]:
            gap = pose[:2] + turned(pose[2], self.arm) - self.pivot
            assert np.max(np.abs(gap)) < 1e-12

    @ORDER
    def test_tension_of_a_swinging_pendulum(self, march, ground_first):
        """Pivot force F = m (a - g) with a the pendulum's exact acceleration at its own pose.

        r = centre - pivot: θ̈ = (r x m g)/(J + m r²), a = θ̈ ẑ x r - θ̇² r.
        """
        b, first, sign = self.pendulum(1.1, ground_first)
        run = march(b.build(), b.pose(), 1.0, 2000)
        for k in (0, 700, 2000):
            pose, rate = run.position[k, 1], run.velocity[k, 1, 2]
            r = pose[:2] - np.array(self.pivot)
            about_pivot = self.inertia + self.mass * r @ r
            acceleration = -r[0] * self.mass * GRAVITY / about_pivot
            a = acceleration * np.array([-r[1], r[0]]) - rate**2 * r
            expected = self.mass * (a + np.array([0, GRAVITY]))
            force = sign * run.multipliers[k, first : first + 2]
            assert force == pytest.approx(expected, abs=1e-12 if k == 0 else 3e-5)

    @ORDER
    def test_hanging_still(self, march, ground_first):
        """At rest below the pivot the reaction is the weight, and nothing ever moves."""
        angle = np.arctan2(self.arm[0], self.arm[1])  # the centre straight below
        b, first, sign = self.pendulum(angle, ground_first)
        run = march(b.build(), b.pose(), 0.5, 50)
        assert run.position[-1] == pytest.approx(b.pose(), abs=1e-12)
        force = sign * run.multipliers[-1, first : first + 2]
        assert force == pytest.approx([0, self.mass * GRAVITY], abs=1e-8)

    def test_between_two_bodies_keeps_momentum(self, march):
        """Two hinged bars in free flight: linear and angular momentum are those of the start."""
        b = ModelBuilder(0.5)
        p = b.body("p", 1.0, 0.1)
        q = b.body("q", 2.0, 0.3, (1.0, 0.0, 0.0))
        b.revolute(p, q, (0.5, 0.1), (-0.5, 0.1))
        velocity = np.zeros((3, 3))
        velocity[1] = (0.3, 1.0, 4.0)
        run = march(b.build(), b.pose(), 1.0, 2000, velocity)
        mass = b.build().mass

        def momenta(k):
            x, v = run.position[k], run.velocity[k]
            spin = x[:, 0] * v[:, 1] - x[:, 1] * v[:, 0]
            return [*np.sum(mass * v, axis=0)[:2], np.sum(mass[:, 0] * spin + mass[:, 2] * v[:, 2])]

        assert momenta(2000)[:2] == pytest.approx(momenta(0)[:2], abs=1e-9)
        assert momenta(2000)[2] == pytest.approx(momenta(0)[2], abs=2e-5)
        assert abs(np.ptp(run.position[:, 1, 2] - run.position[:, 2, 2])) > 1.0


class TestFixed:
    @ORDER
    def test_clamped_body_stays_and_carries_force_and_moment(self, march, ground_first):
        """A cantilever under an end load: the clamp returns the force and its moment."""
        b = ModelBuilder(0.5)
        body = b.body("arm", 1.0, 0.1, (0.4, 0.1, 0.3))
        grip = tuple(turned(-0.3, (-0.4, -0.1)))  # ground's origin, seen from the body
        if ground_first:
            first, sign = b.fixed(0, body, at_b=grip, angle=0.3), -1.0
        else:
            first, sign = b.fixed(body, 0, at_a=grip, angle=-0.3), 1.0
        b.force(body, (0.6, -0.8), constant(50.0), at=(0.2, 0.05))
        run = march(b.build(), b.pose(), 0.1, 20)
        assert run.position[-1] == pytest.approx(b.pose(), abs=1e-12)
        x, y = np.array([0.4, 0.1]) + turned(0.3, (0.2, 0.05))
        moment = x * -40.0 - y * 30.0
        reaction = sign * run.multipliers[-1, first : first + 3]
        assert reaction[:2] == pytest.approx([-30.0, 40.0], rel=1e-9)
        assert reaction[2] == pytest.approx(-moment, rel=1e-9)

    def test_weld_is_one_rigid_body(self, march):
        """Two welded masses in free flight turn at constant speed about their common centre."""
        b = ModelBuilder(0.5)
        p = b.body("p", 1.0, 0.1, (0.0, 0.0, 0.0))
        q = b.body("q", 3.0, 0.2, (0.8, 0.0, 0.5))
        b.fixed(p, q, (0.8, 0.0), (0.0, 0.0), angle=0.5)
        omega, centre = 6.0, 0.6
        velocity = np.zeros((3, 3))
        velocity[1] = (0.0, -omega * centre, omega)
        velocity[2] = (0.0, omega * (0.8 - centre), omega)
        run = march(b.build(), b.pose(), 1.0, 2000, velocity)
        assert run.position[-1, 1, 2] == pytest.approx(omega, abs=2e-5)
        turn = run.position[:, 2, 2] - run.position[:, 1, 2]
        assert turn == pytest.approx(0.5, abs=1e-12)
        between = np.hypot(*(run.position[:, 2, :2] - run.position[:, 1, :2]).T)
        assert between == pytest.approx(0.8, abs=1e-12)


DRIVES = {
    "linear": (linear(3.0, 0.2), lambda t: 0.2 + 3 * t, lambda t: 0 * t),
    "run-up": (
        run_up(5.0, 0.4, 0.1),
        lambda t: 0.1 + np.where(t < 0.4, 2.5 * t - 1 / np.pi * np.sin(np.pi * t / 0.4), 5 * t - 1),
        lambda t: np.where(t < 0.4, 2.5 * np.pi / 0.4 * np.sin(np.pi * t / 0.4), 0.0),
    ),
    "table": (table([(0.0, 0.3), (1.0, 2.3)]), lambda t: 0.3 + 2 * t, lambda t: 0 * t),
}


class TestPrescribedRotation:
    inertia = 0.7

    @ORDER
    @pytest.mark.parametrize("name", DRIVES)
    def test_angle_and_torque(self, march, name, ground_first):
        """The angle is the function's; the drive's torque is J θ̈, second order in the step.

        After a kink of θ̈ (the start, the end of the run-up) the torque rings by O(h) and that dies
        out as ρⁿ (Arnold, Brüls & Cardona 2015), so some 60 steps after a kink are left out.
        """
        function, angle, second = DRIVES[name]
        sign = 1.0 if ground_first else -1.0
        b = ModelBuilder(0.5)
        body = b.body("rotor", 1.0, self.inertia, (0.0, 0.0, sign * float(angle(0.0))))
        b.revolute(0, body)
        pair = (0, body) if ground_first else (body, 0)
        first = b.rotation(*pair, function)
        run = march(b.build(), b.pose(), 0.8, 1600)
        assert set(run.statuses) == {0}
        assert run.position[:, 1, 2] == pytest.approx(sign * angle(run.time), abs=1e-12)
        torque = -run.multipliers[:, first]
        limit = 2e-5 * self.inertia * 2.5 * np.pi / 0.4
        quiet = (np.abs(run.time - 0.4) > 0.03) & (run.time > 0.03)
        assert torque[quiet] == pytest.approx(self.inertia * second(run.time)[quiet], abs=limit)

    def test_between_two_bodies(self, march):
        """A motor between two free rotors: they part as f(t), and J₁ θ₁ + J₂ θ₂ stays zero."""
        b = ModelBuilder(0.5)
        p, q = b.body("stator", 1.0, 0.3), b.body("rotor", 1.0, 0.1)
        b.revolute(0, p)
        b.revolute(0, q)
        b.rotation(p, q, run_up(8.0, 0.5))
        run = march(b.build(), b.pose(), 1.0, 500)
        turn = run.position[:, 2, 2] - run.position[:, 1, 2]
        assert turn[-1] == pytest.approx(8.0 * 0.75, abs=1e-12)
        assert 0.3 * run.position[:, 1, 2] + 0.1 * run.position[:, 2, 2] == pytest.approx(
            0, abs=1e-8
        )


class TestGear:
    """θ_a = ratio θ_b + angle: (J_b + ratio² J_a) θ̈_b = T_b + ratio T_a."""

    @given(ratio=st.floats(-40, 40).filter(lambda r: abs(r) > 0.1), offset=st.floats(-3, 3))
    @settings(max_examples=25, deadline=None)
    def test_motion_and_torques(self, march, ratio, offset):
        inertia_a, inertia_b, torque = 0.02, 1.5, 2.0
        b = ModelBuilder(0.3)
        wheel = b.body("a", 1.0, inertia_a, (0.0, 0.0, offset))
        pinion = b.body("b", 1.0, inertia_b)
        for body in (wheel, pinion):
            b.revolute(0, body)
        first = b.gear(wheel, pinion, ratio, offset)
        b.torque(pinion, constant(torque))
        run = march(b.build(), b.pose(), 1.0, 40)
        acceleration = torque / (inertia_b + ratio**2 * inertia_a)
        angle = run.position[:, 2, 2]
        assert angle == pytest.approx(0.5 * acceleration * run.time**2, rel=1e-9, abs=1e-11)
        assert run.position[:, 1, 2] == pytest.approx(ratio * angle + offset, abs=1e-11)
        reaction = run.multipliers[:, first]
        assert -reaction == pytest.approx(inertia_a * ratio * acceleration, rel=1e-6)
        assert ratio * reaction == pytest.approx(inertia_b * acceleration - torque, rel=1e-6)

    @ORDER
    def test_ground_as_one_wheel_holds_the_other(self, march, ground_first):
        """Ground has θ = 0, so the other body stands still and the joint returns its torque."""
        b = ModelBuilder(0.3)
        body = b.body("wheel", 1.0, 0.1)
        b.revolute(0, body)
        first = b.gear(0, body, 2.5) if ground_first else b.gear(body, 0, 2.5)
        b.torque(body, constant(3.0))
        run = march(b.build(), b.pose(), 0.2, 20)
        assert run.position[-1, 1, 2] == pytest.approx(0.0, abs=1e-13)
        torque = run.multipliers[-1, first] * (2.5 if ground_first else -1.0)
        assert torque == pytest.approx(-3.0, rel=1e-9)

    @pytest.mark.parametrize("turns", [1e2, 1e4, 1e5])
    def test_many_turns_later(self, march, turns):
        """An angle of many turns has few digits behind the point; the joints still close."""
        b = ModelBuilder(0.05)
        start = 2 * np.pi * turns
        fast = b.body("fast", 1.0, 1e-3, (0.0, 0.0, start))
        slow = b.body("slow", 1.0, 1e-1, (0.0, 0.0, start / 40.7))
        for body in (fast, slow):
            b.revolute(0, body)
        b.gear(fast, slow, 40.7)
        b.rotation(0, fast, linear(300.0, start))
        run = march(b.build(), b.pose(), 0.02, 200, tolerance=1e-8)
        assert set(run.statuses) == {0}
        error = run.position[:, 1, 2] - 40.7 * run.position[:, 2, 2]
        assert np.max(np.abs(error)) < 2e-15 * start


def test_gear_train_multiplies_torque(march):
    """A held motor, two stages of 3 and 4, a load at the end: the motor carries load/12."""
    b = ModelBuilder(0.3)
    shafts = [b.body(name, 1.0, 0.1) for name in ("input", "middle", "output")]
    for shaft in shafts:
        b.revolute(0, shaft)
    b.gear(shafts[0], shafts[1], -3.0)
    b.gear(shafts[1], shafts[2], -4.0)
    motor = b.rotation(0, shafts[0], linear(0.0))
    b.torque(shafts[2], rise(60.0, 0.1))
    run = march(b.build(), b.pose(), 0.2, 40)
    assert -run.multipliers[-1, motor] == pytest.approx(-60.0 / 12.0, rel=1e-9)
