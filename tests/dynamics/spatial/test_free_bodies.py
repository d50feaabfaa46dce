"""Bodies that nothing holds, against closed solutions of Euler's equations.

Declared rate: 2 for both methods, in rotation and angular velocity (Brüls, Cardona, Arnold 2012,
Mech. Mach. Theory 48, 121), measured by halving the step twice.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from scipy.special import ellipj, ellipk
from spatial_models import METHODS, angular_momentum, kinetic_energy, rates, run

from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.quaternions import matrix_of, rotation_about


def thrown(inertia, spin, rotation=None, velocity=(0.3, -0.2, 0.5)):
    """A builder with one free body, and its velocity; `spin` along axes of space."""
    b = SpatialBuilder(0.1)
    b.body("thrown", 1.3, inertia, (0.1, 0.2, 0.3), np.eye(3) if rotation is None else rotation)
    return b, np.concatenate([velocity, spin])[None]


def angle_between(first, second):
    """Of two rotation matrices."""
    return Rotation.from_matrix(first @ second.T).magnitude()


class TestSymmetricTop:
    """Moments A, A, C: the body turns about its momentum L by |L|/A, and against that about its
    own axis by (1 - C/A) ω₃ (Landau & Lifshitz, Mechanics, §33)."""

    rate = 2.0
    equatorial, polar = 2e-3, 3.2e-3
    duration = 1.5
    spin = np.array([3.0, -1.0, 9.0])
    rotation = rotation_about((1, 2, 0.5), 0.8)

    def exact(self, t):
        axis = self.rotation[:, 2]
        along = self.spin @ axis
        momentum = self.equatorial * self.spin + (self.polar - self.equatorial) * along * axis
        size = np.linalg.norm(momentum)
        turned = rotation_about(momentum, size / self.equatorial * t)
        own = rotation_about(axis, (1 - self.polar / self.equatorial) * along * t)
        return turned @ own @ self.rotation, turned @ self.spin

    def run(self, steps, method, **settings):
        inertia = (self.equatorial, self.equatorial, self.polar)
        b, velocity = thrown(inertia, self.spin, self.rotation)
        step = self.duration / steps
        return b.build(), run(b, self.duration, step, velocity, method, **settings)

    @pytest.mark.parametrize("method", METHODS)
    def test_rate(self, method):
        errors = []
        rotation, spin = self.exact(self.duration)
        for steps in (400, 800, 1600):
            _, found = self.run(steps, method, force_tolerance=1e-12)
            errors.append(
                [
                    angle_between(matrix_of(found.rotation[-1, 1]), rotation),
                    np.linalg.norm(found.velocity[-1, 1, 3:] - spin) / np.linalg.norm(spin),
                ]
            )
        assert rates(errors) == pytest.approx(self.rate, abs=0.1)
        assert np.max(errors[-1]) < 1e-4

    @pytest.mark.parametrize("method", METHODS)
    def test_centre_moves_straight(self, method):
        _, found = self.run(50, method)
        straight = np.array([0.1, 0.2, 0.3]) + np.outer(found.time, (0.3, -0.2, 0.5))
        assert found.position[:, 1] == pytest.approx(straight, abs=1e-13)

    @pytest.mark.parametrize("rho", [0.0, 0.5, 1.0])
    def test_rate_at_any_spectral_radius(self, rho):
        errors = []
        for steps in (800, 1600, 3200):
            _, found = self.run(steps, "generalized-alpha", spectral_radius=rho)
            errors.append(
                angle_between(matrix_of(found.rotation[-1, 1]), self.exact(self.duration)[0])
            )
        assert rates(errors) == pytest.approx(self.rate, abs=0.1)


class TestAsymmetricBody:
    """Moments A < B < C. With 2T and L² the angular velocity along body axes is, for L² > 2TB,

        ω = (p cn τ, q sn τ, r dn τ),  τ = Ω t,

    and with the first and third exchanged for L² < 2TB (Landau & Lifshitz, Mechanics, §37).
    """

    rate = 2.0
    moments = np.array([1e-3, 2e-3, 2.6e-3])

    def body_spin(self, start, t):
        """From ω = (p, 0, r) at t = 0, turning mainly about the third axis or the first."""
        a, b, c = self.moments
        p, _, r = start
        if c * (c - b) * r * r > a * (b - a) * p * p:
            omega = r * np.sqrt((c - b) * (c - a) / (a * b))
            q = p * np.sqrt(a * (c - a) / (b * (c - b)))
            square = (p / r) ** 2 * a * (b - a) / (c * (c - b))
            sn, cn, dn, _ = ellipj(omega * t, square)
            return np.array([p * cn, q * sn, r * dn]), ellipk(square) * 4 / omega
        omega = p * np.sqrt((b - a) * (c - a) / (b * c))
        q = r * np.sqrt(c * (c - a) / (b * (b - a)))
        square = (r / p) ** 2 * c * (c - b) / (a * (b - a))
        sn, cn, dn, _ = ellipj(omega * t, square)
        return np.array([p * dn, q * sn, r * cn]), ellipk(square) * 4 / omega

    def spins(self, found):
        return np.einsum("tji,tj->ti", matrix_of(found.rotation[:, 1]), found.velocity[:, 1, 3:])

    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize("start", [(2.0, 0.0, 7.0), (9.0, 0.0, 2.0)])
    def test_rate_over_a_period(self, method, start):
        _, period = self.body_spin(start, 0.0)
        errors = []
        for steps in (400, 800, 1600):
            b, velocity = thrown(self.moments, start)
            found = run(b, period, period / steps, velocity, method, force_tolerance=1e-12)
            exact = np.array([self.body_spin(start, t)[0] for t in found.time])
            errors.append(np.max(np.abs(self.spins(found) - exact)))
        assert rates(errors) == pytest.approx(self.rate, abs=0.15)
        assert errors[-1] < 2e-3 * np.linalg.norm(start)

    @pytest.mark.parametrize("method", METHODS)
    def test_flip_about_the_middle_axis(self, method):
        """Spun about the middle axis with the least disturbance the body turns over in half a
        period of the elliptic functions, and over again (Dzhanibekov)."""
        start = (0.02, 0.0, 0.02 * np.sqrt(1e-3 * 1e-3 / (2.6e-3 * 0.6e-3)) * 1.0001)
        _, period = self.body_spin(start, 0.0)
        quarter, _ = self.body_spin(start, period / 4)
        b, velocity = thrown(self.moments, quarter)  # begins where the middle spin is largest
        steps = 3000
        found = run(b, period, period / steps, velocity, method)
        exact = np.array([self.body_spin(start, t + period / 4)[0] for t in found.time])
        spins = self.spins(found)
        assert spins[steps // 2, 1] == pytest.approx(-spins[0, 1], rel=1e-3)
        assert np.max(np.abs(spins - exact)) < 0.03 * abs(quarter[1])

    @pytest.mark.parametrize("method", METHODS)
    def test_energy_and_momentum_are_kept(self, method):
        """Neither method keeps them to round-off: the error falls with the square of the step, and
        does not grow over a hundred turns."""
        lost = []
        for steps in (3000, 6000):
            b, velocity = thrown(self.moments, (2.0, 0.1, 7.0), velocity=(0.0, 0.0, 0.0))
            found = run(b, 90.0, 90.0 / steps, velocity, method, records=300)
            model = b.build()
            energy = kinetic_energy(model, found)
            momentum = angular_momentum(model, found)
            drift = np.linalg.norm(momentum - momentum[0], axis=1) / np.linalg.norm(momentum[0])
            for error in (np.abs(energy / energy[0] - 1), drift):
                assert np.max(error[150:]) < 1.1 * np.max(error[:150])
                lost.append(np.max(error))
        assert rates([lost[:2], lost[2:]]) == pytest.approx(self.rate, abs=0.1)
        assert max(lost[2:]) < 2e-3


@pytest.mark.parametrize("method", METHODS)
def test_rotation_stays_a_rotation_over_many_turns(method):
    b, velocity = thrown((1e-3, 2e-3, 2.6e-3), (1.0, 60.0, 3.0))
    found = run(b, 20.0, 2e-3, velocity, method, records=500)  # some 190 turns, 10000 steps
    matrix = matrix_of(found.rotation[:, 1])
    product = np.einsum("tji,tjk->tik", matrix, matrix)
    assert np.max(np.abs(product - np.eye(3))) < 1e-12
    assert np.max(np.abs(np.linalg.det(matrix) - 1)) < 1e-12
