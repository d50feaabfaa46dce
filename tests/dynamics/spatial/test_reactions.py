"""Reactions of joints against closed forms; multipliers are what the joint does to A."""

import numpy as np
import pytest
from spatial_models import METHODS, rates, run, start

from flank.dynamics.functions import constant, linear, run_up
from flank.dynamics.run import solve_statics
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.quaternions import matrix_of, rotation_about

GRAVITY = 9.81


class TestPendulumPull:
    """A heavy point on a thread let go at θ₀: the thread pulls m g (3 cos θ - 2 cos θ₀)."""

    rate = 2.0
    mass, length, first = 1.5, 0.4, 1.4

    @pytest.mark.parametrize("method", METHODS)
    def test_rate(self, method):
        errors = []
        for steps in (500, 1000, 2000):
            b = SpatialBuilder(self.length)
            rotation = rotation_about((0, 1, 0), -self.first)
            at = rotation @ np.array([0, 0, -self.length])
            speck = 1e-9  # kg m²: a point
            bob = b.body("bob", self.mass, (speck, speck, speck), at, rotation)
            b.spherical(0, bob, at_b=(0, 0, self.length))
            b.force(bob, (0, 0, -GRAVITY), constant(self.mass))
            found = run(b, 0.9, 0.9 / steps, None, method, force_tolerance=1e-10)
            lean = -found.position[:, 1, 2] / self.length
            pull = self.mass * GRAVITY * (3 * lean - 2 * np.cos(self.first))
            along = np.einsum("ti,ti->t", found.multipliers, found.position[:, 1]) / self.length
            assert np.linalg.norm(found.multipliers, axis=1) == pytest.approx(
                np.abs(along), rel=1e-2, abs=0.05
            )
            errors.append(np.max(np.abs(along - pull)[100:]) / (self.mass * GRAVITY))
        assert rates(errors) == pytest.approx(self.rate, abs=0.2)
        assert errors[-1] < 1e-4


class TestUnbalancedRotor:
    """Turned at Ω about z, a rotor with the centre at e and the product of inertia I_xz loads its
    bearing by the force m e Ω² and the couple I_xz Ω², both turning with it."""

    mass, offset, speed = 2.0, 0.003, 50.0
    product = 4e-4

    def built(self, drive):
        b = SpatialBuilder(0.1)
        tensor = np.array([[2e-3, 0, -self.product], [0, 3e-3, 0], [-self.product, 0, 2.5e-3]])
        rotor = b.body("rotor", self.mass, tensor, (self.offset, 0, 0))
        first = b.revolute(0, rotor, at_b=(-self.offset, 0, 0))
        return b, first, b.rotation(0, rotor, drive)

    @pytest.mark.parametrize("method", METHODS)
    def test_force_and_couple(self, method):
        b, first, drive = self.built(linear(self.speed))
        found = run(b, 0.2, 1e-4, None, method)
        phase = self.speed * found.time
        force = self.mass * self.offset * self.speed**2
        outward = np.column_stack([np.cos(phase), np.sin(phase), 0 * phase])
        settled = slice(60, None)
        on_bearing = found.multipliers[:, first : first + 3]
        assert on_bearing[settled] == pytest.approx((force * outward)[settled], abs=1e-4 * force)
        # The condition (side of ground)·(z of B): its multiplier turns ground about side x z.
        sides = b.build().conditions[1:3]["direction_a"]
        on_bearing = sum(
            np.outer(found.multipliers[:, first + 3 + k], np.cross((0, 0, 1), sides[k]))
            for k in range(2)
        )
        couple = self.product * self.speed**2
        across = np.column_stack([-np.sin(phase), np.cos(phase), 0 * phase])
        assert on_bearing[settled] == pytest.approx((couple * across)[settled], abs=1e-4 * couple)
        assert np.max(np.abs(found.multipliers[settled, drive])) < 1e-4 * couple

    @pytest.mark.parametrize("method", METHODS)
    def test_torque_of_a_driven_shaft(self, method):
        """J α(t) while its speed rises, nothing afterwards, and the work is its energy."""
        b, _, drive = self.built(run_up(self.speed, 0.1))
        found = run(b, 0.15, 1e-4, None, method)
        inertia = 2.5e-3 + self.mass * self.offset**2
        rising = found.time < 0.1
        torque = inertia * self.speed * np.pi / 0.2 * np.sin(np.pi * found.time / 0.1) * rising
        settled = (found.time > 0.006) & (np.abs(found.time - 0.103) > 0.003)
        assert found.multipliers[settled, drive] == pytest.approx(
            torque[settled], abs=2e-4 * np.max(torque)
        )
        assert found.ledger[-1, 2] == pytest.approx(0.5 * inertia * self.speed**2, rel=1e-5)


class TestCantilever:
    """A bracket in a wall: force m g and moment m g l, by statics and by dynamics at rest."""

    mass, arm = 1.2, np.array([0.3, 0.1, -0.05])
    rotation = rotation_about((1, -2, 0.5), 0.8)

    def built(self):
        b = SpatialBuilder(0.1)
        body = b.body("bracket", self.mass, (1e-3, 2e-3, 2e-3), self.arm, self.rotation)
        first = b.fixed(0, body, at_b=-self.rotation.T @ self.arm)
        b.force(body, (0, 0, -GRAVITY), constant(self.mass))
        return b, first

    def wall(self, b, first, multipliers):
        """Force and moment on the wall, from rows of the conditions of the welded joint."""
        rows = b.build().conditions
        seen = self.rotation  # B's directions in space, ground's axes being those of space
        moment = np.zeros(3)
        for row in rows[1:]:
            w = seen @ row["direction_b"]
            moment -= multipliers[row["first"]] * np.cross(row["direction_a"], w)
        return multipliers[first : first + 3], moment

    def expected(self):
        weight = np.array([0, 0, -self.mass * GRAVITY])
        return weight, np.cross(self.arm, weight)

    @pytest.mark.parametrize("method", [*METHODS, "statics"])
    def test_wall(self, method):
        b, first = self.built()
        if method == "statics":
            found = solve_statics(b.build(), start(b), np.zeros(1))
        else:
            found = run(b, 0.01, 1e-3, None, method)
        force, moment = self.wall(b, first, found.multipliers[-1])
        assert force == pytest.approx(self.expected()[0], abs=1e-8)
        assert moment == pytest.approx(self.expected()[1], abs=1e-8)
        assert matrix_of(found.rotation[-1, 1]) == pytest.approx(self.rotation, abs=1e-12)


class TestConicalPendulum:
    """A bar on a ball joint that goes round at the angle θ, its spin along z only: with the moments
    J, J, C about the joint Ω² (J - C) cos θ = m g l."""

    @pytest.mark.parametrize("method", METHODS)
    def test_pull(self, method):
        mass, length, lean = 0.5, 0.3, 0.7
        equatorial, polar = 2e-3, 5e-4
        about = equatorial + mass * length**2
        speed = np.sqrt(mass * GRAVITY * length / ((about - polar) * np.cos(lean)))
        rotation = rotation_about((0, 1, 0), -lean)
        at = rotation @ np.array([0, 0, -length])
        spin = np.array([0, 0, speed])
        b = SpatialBuilder(length)
        bob = b.body("bar", mass, (equatorial, equatorial, polar), at, rotation)
        b.spherical(0, bob, at_b=(0, 0, length))
        b.force(bob, (0, 0, -GRAVITY), constant(mass))
        period = 2 * np.pi / speed
        velocity = np.concatenate([np.cross(spin, at), spin])[None]
        found = run(b, period, period / 2000, velocity, method)
        assert found.position[:, 1, 2] == pytest.approx(-length * np.cos(lean), abs=1e-6)
        assert found.position[-1, 1] == pytest.approx(at, abs=2e-5 * length)
        settled = slice(60, None)
        assert found.multipliers[settled, 2] == pytest.approx(-mass * GRAVITY, rel=1e-5)
        outward = np.linalg.norm(found.multipliers[settled, :2], axis=1)
        assert outward == pytest.approx(mass * speed**2 * length * np.sin(lean), rel=1e-4)
