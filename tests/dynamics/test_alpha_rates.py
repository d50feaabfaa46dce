"""Generalized-alpha converges with second order in positions, velocities and multipliers.

Declared rate: 2 for all of them (Arnold & Brüls 2007, Multibody Syst. Dyn. 18, 185), measured by
halving the step twice.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant, linear


def rates(errors):
    """Observed order between successive halvings, one row per halving."""
    errors = np.array(errors)
    return np.log2(errors[:-1] / errors[1:])


class TestOscillator:
    """m ẍ + d ẋ + k x = 0: x = e^{-δt} (x₀ cos ω t + (v₀ + δ x₀)/ω sin ω t)."""

    rate = 2.0
    mass, stiffness, damping = 2.0, 50.0, 0.6
    x0, v0, duration = 0.3, -1.1, 1.7

    def exact(self, t):
        delta = self.damping / (2 * self.mass)
        omega = np.sqrt(self.stiffness / self.mass - delta**2)
        slope = (self.v0 + delta * self.x0) / omega
        c, s, decay = np.cos(omega * t), np.sin(omega * t), np.exp(-delta * t)
        x = decay * (self.x0 * c + slope * s)
        return x, -delta * x + decay * omega * (slope * c - self.x0 * s)

    @pytest.mark.parametrize("rho", [0.0, 0.5, 0.8, 1.0])
    @pytest.mark.parametrize("coordinate", [0, 1, 2])
    def test_rate(self, march, rho, coordinate):
        errors = []
        for steps in (800, 1600, 3200):
            b = ModelBuilder(1.0)
            pose = np.zeros(3)
            pose[coordinate] = self.x0
            body = b.body("mass", self.mass, self.mass, tuple(pose))
            if coordinate < 2:
                b.bushing(0, body, self.stiffness, self.damping)
            else:
                b.torsion_spring(body, 0, self.stiffness, self.damping)
            velocity = np.zeros((2, 3))
            velocity[1, coordinate] = self.v0
            run = march(b.build(), b.pose(), self.duration, steps, velocity, rho)
            x, v = self.exact(self.duration)
            errors.append(
                [
                    abs(run.position[-1, 1, coordinate] - x),
                    abs(run.velocity[-1, 1, coordinate] - v),
                ]
            )
        assert rates(errors) == pytest.approx(self.rate, abs=0.06)
        assert np.max(errors[-1]) < 1e-4


class TestPendulum:
    """Released at rest from θ₀: θ = 2 asin(k cd(ω₀ t, k²)), k = sin(θ₀/2), ω₀² = m g l/(J + m l²).

    (Landau & Lifshitz, Mechanics, §11.) The pivot carries -λ = m (a - g). ρ = 1 is left out: it
    does not damp the noise of the constraint tolerance in multipliers.
    """

    rate = 2.0
    mass, inertia, length, gravity = 1.5, 0.2, 0.6, 9.81
    amplitude, duration = 2.2, 2.0

    def exact(self, t):
        pivot_inertia = self.inertia + self.mass * self.length**2
        omega = np.sqrt(self.mass * self.gravity * self.length / pivot_inertia)
        k = np.sin(self.amplitude / 2)
        sn, cn, dn, _ = ellipj(omega * t + ellipk(k**2), k**2)
        angle = 2 * np.arcsin(k * sn)
        rate = 2 * k * omega * cn  # θ̇ = 2 k ω cn dn / √(1 - k² sn²) = 2 k ω cn
        acceleration = -(omega**2) * np.sin(angle)
        radial = np.array([np.sin(angle), -np.cos(angle)])
        along = np.array([np.cos(angle), np.sin(angle)])
        a = self.length * (acceleration * along - rate**2 * radial)
        assert dn > 0
        return angle, rate, -self.mass * (a + np.array([0, self.gravity]))

    @pytest.mark.parametrize("rho", [0.0, 0.5, 0.8, 0.95])
    def test_rate(self, march, rho):
        errors = []
        for steps in (1600, 3200, 6400):
            b = ModelBuilder(self.length)
            theta = self.amplitude
            x, y = self.length * np.sin(theta), -self.length * np.cos(theta)
            body = b.body("bob", self.mass, self.inertia, (x, y, theta))
            b.revolute(0, body, at_b=(0.0, self.length))
            b.force(body, (0.0, -self.gravity), constant(self.mass))
            run = march(b.build(), b.pose(), self.duration, steps, rho=rho)
            assert set(run.statuses) == {0}
            angle, rate, reaction = self.exact(self.duration)
            errors.append(
                [
                    abs(run.position[-1, 1, 2] - angle),
                    abs(run.velocity[-1, 1, 2] - rate),
                    np.linalg.norm(run.multipliers[-1] - reaction) / self.mass,
                ]
            )
        assert rates(errors) == pytest.approx(self.rate, abs=0.1)
        assert np.max(errors[-1]) < 1e-3


class TestDrivenCrankAndPendulum:
    """A pendulum hung on the pin of a crank of radius R turned at constant speed Ω.

    With p = R (cos Ωt, sin Ωt): (J + m l²) θ̈ = -m l (g sin θ + p̈·(cos θ, sin θ)); the pin carries
    F = m (a - g) and the drive the torque T = p x F. Reference: that equation by DOP853 to 1e-12.
    """

    rate = 2.0
    radius, speed = 0.25, 7.0
    mass, inertia, length, gravity = 0.8, 0.03, 0.4, 9.81
    duration, start = 1.0, 0.7

    def slopes(self, t, y):
        pin = (
            -(self.speed**2)
            * self.radius
            * np.array([np.cos(self.speed * t), np.sin(self.speed * t)])
        )
        push = self.gravity * np.sin(y[0]) + pin @ [np.cos(y[0]), np.sin(y[0])]
        return y[1], -self.mass * self.length * push / (self.inertia + self.mass * self.length**2)

    def exact(self):
        start = (self.start, 0.0)
        found = solve_ivp(
            self.slopes, (0, self.duration), start, method="DOP853", rtol=1e-12, atol=1e-13
        )
        angle, rate = found.y[:, -1]
        acceleration = self.slopes(self.duration, (angle, rate))[1]
        phase = self.speed * self.duration
        pin = self.radius * np.array([np.cos(phase), np.sin(phase)])
        along = np.array([np.cos(angle), np.sin(angle)])
        radial = np.array([np.sin(angle), -np.cos(angle)])
        a = -(self.speed**2) * pin + self.length * (acceleration * along - rate**2 * radial)
        force = self.mass * (a + np.array([0, self.gravity]))
        return angle, rate, force, pin[0] * force[1] - pin[1] * force[0]

    def test_rate(self, march):
        angle, rate, force, torque = self.exact()
        errors = []
        for steps in (500, 1000, 2000):
            b = ModelBuilder(self.length)
            x = self.radius + self.length * np.sin(self.start)
            crank = b.body("crank", 1.0, 0.1)
            bob = b.body(
                "bob", self.mass, self.inertia, (x, -self.length * np.cos(self.start), self.start)
            )
            b.revolute(0, crank)
            pin = b.revolute(crank, bob, (self.radius, 0.0), (0.0, self.length))
            drive = b.rotation(0, crank, linear(self.speed))
            b.force(bob, (0.0, -1.0), constant(self.mass * self.gravity))
            velocity = np.zeros((3, 3))
            velocity[1, 2] = self.speed
            velocity[2, 1] = self.radius * self.speed  # the pin's, without turning
            run = march(b.build(), b.pose(), self.duration, steps, velocity)
            assert set(run.statuses) == {0}
            errors.append(
                [
                    abs(run.position[-1, 2, 2] - angle),
                    abs(run.velocity[-1, 2, 2] - rate),
                    np.linalg.norm(-run.multipliers[-1, pin : pin + 2] - force),
                    abs(-run.multipliers[-1, drive] - torque),
                ]
            )
        assert rates(errors) == pytest.approx(self.rate, abs=0.1)
        assert np.max(errors[-1]) < 1e-4


class TestDrivenFourBar:
    """A four-bar linkage turned at constant speed Ω: its drive torque is dT/dt / Ω (power).

    No degree of freedom is left, so poses are exact to the constraint tolerance, and velocities
    and multipliers converge. The loop is closed by the intersection of two circles.
    """

    rate = 2.0
    frame, crank, coupler, rocker = 1.0, 0.3, 0.9, 0.8
    speed, start, duration = 5.0, 0.4, 1.3
    masses, inertias = (0.7, 1.1, 0.9), (0.02, 0.09, 0.06)

    def poses(self, t):
        """Angles and centres of the three bars; analytic, so a complex step differentiates it."""
        phase = self.start + self.speed * t
        px, py = self.crank * np.cos(phase), self.crank * np.sin(phase)
        dx, dy = self.frame - px, -py
        square = dx * dx + dy * dy
        along = (self.coupler**2 - self.rocker**2 + square) / (2 * square)
        across = np.sqrt(self.coupler**2 / square - along**2)
        qx, qy = px + along * dx - across * dy, py + along * dy + across * dx
        beta = -1j * np.log((qx - px) / self.coupler + 1j * (qy - py) / self.coupler)
        psi = -1j * np.log((qx - self.frame) / self.rocker + 1j * qy / self.rocker)
        return (
            (px / 2, py / 2, phase),
            ((px + qx) / 2, (py + qy) / 2, beta),
            ((self.frame + qx) / 2, qy / 2, psi),
        )

    def real_poses(self, t):
        return np.real(np.array(self.poses(t), dtype=complex))

    def velocities(self, t, eps=1e-4):
        """Sixth-order central difference, error 1e-14 relative to the motion."""
        weights = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))
        return sum(
            w * (self.real_poses(t + n * eps) - self.real_poses(t - n * eps)) / eps
            for n, w in weights
        )

    def kinetic(self, t):
        mass = np.array([(m, m, j) for m, j in zip(self.masses, self.inertias, strict=True)])
        return 0.5 * np.sum(mass * self.velocities(t) ** 2)

    def torque(self, t, eps=2e-3):
        weights = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))
        slope = sum(
            w * (self.kinetic(t + n * eps) - self.kinetic(t - n * eps)) / eps for n, w in weights
        )
        return slope / self.speed

    def build(self):
        b = ModelBuilder(self.frame)
        names = ("crank", "coupler", "rocker")
        bars = [
            b.body(name, m, j, tuple(pose))
            for name, m, j, pose in zip(
                names, self.masses, self.inertias, self.real_poses(0.0), strict=True
            )
        ]
        b.revolute(0, bars[0], at_b=(-self.crank / 2, 0.0))
        b.revolute(bars[0], bars[1], (self.crank / 2, 0.0), (-self.coupler / 2, 0.0))
        b.revolute(bars[2], bars[1], (self.rocker / 2, 0.0), (self.coupler / 2, 0.0))
        b.revolute(bars[2], 0, (-self.rocker / 2, 0.0), (self.frame, 0.0))
        drive = b.rotation(0, bars[0], linear(self.speed, self.start))
        return b, drive

    def test_rate(self, march):
        b, drive = self.build()
        velocity = np.vstack([np.zeros(3), self.velocities(0.0)])
        errors = []
        for steps in (400, 800, 1600):
            run = march(b.build(), b.pose(), self.duration, steps, velocity)
            assert set(run.statuses) == {0}
            exact = np.array([self.real_poses(t) for t in run.time])
            assert np.max(np.abs(run.position[:, 1:] - exact)) < 1e-11
            errors.append(
                [
                    np.max(np.abs(run.velocity[-1, 1:] - self.velocities(self.duration))),
                    abs(-run.multipliers[-1, drive] - self.torque(self.duration)),
                ]
            )
        assert rates(errors) == pytest.approx(self.rate, abs=0.1)
        assert np.max(errors[-1]) < 1e-5

    def test_start_finds_the_velocities_of_the_linkage(self, march):
        """Zero degrees of freedom: whatever velocities are given, the drive settles them all."""
        b, _ = self.build()
        run = march(b.build(), b.pose(), 1e-3, 1)
        assert run.velocity[0, 1:] == pytest.approx(self.velocities(0.0), abs=1e-9)
