"""The heavy symmetric top on a ball joint, against closed forms and quadrature.

With A the moment about the point, C about the axis, the tilt θ from the vertical and the spin ω₃
(Landau & Lifshitz, Mechanics, §35; Goldstein, §5.7)

    steady precession   A Ω² cos θ - C ω₃ Ω + m g l = 0
    integrals           E,  L_z,  L₃ = C ω₃
    nutation            A² u̇² = (2 A (E' - m g l u))(1 - u²) - (L_z - L₃ u)²,   u = cos θ,
                        E' = E - L₃²/(2C)
"""

import numpy as np
import pytest
from scipy.integrate import quad
from spatial_models import METHODS, angular_momentum, kinetic_energy, rates, run

from flank.dynamics.functions import constant
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.quaternions import matrix_of, rotation_about

MASS, LENGTH, GRAVITY = 0.8, 0.12, 9.81
EQUATORIAL, POLAR = 2e-3, 1.2e-3
ABOUT_POINT = EQUATORIAL + MASS * LENGTH**2
WEIGHT_ARM = MASS * GRAVITY * LENGTH
UP = np.array([0.0, 0.0, 1.0])


def top(tilt, spin):
    """Builder and velocity of a top with the angular velocity `spin` along the axes of space."""
    rotation = rotation_about((0, 1, 0), tilt)
    centre = LENGTH * rotation[:, 2]
    b = SpatialBuilder(LENGTH)
    body = b.body("top", MASS, (EQUATORIAL, EQUATORIAL, POLAR), centre, rotation)
    b.spherical(0, body, at_b=(0, 0, -LENGTH))
    b.force(body, (0, 0, -GRAVITY), constant(MASS))
    return b, np.concatenate([np.cross(spin, centre), spin])[None]


def steady(tilt, own_spin):
    """The slow precession and the angular velocity of a top that turns ω₃ about its axis."""
    half = POLAR * own_spin / (2 * ABOUT_POINT * np.cos(tilt))
    precession = half - np.sqrt(half**2 - WEIGHT_ARM / (ABOUT_POINT * np.cos(tilt)))
    axis = rotation_about((0, 1, 0), tilt)[:, 2]
    return precession, precession * UP + (own_spin - precession * np.cos(tilt)) * axis


class TestSteadyPrecession:
    rate = 2.0
    tilt, own_spin = 0.6, 200.0

    @pytest.mark.parametrize("method", METHODS)
    def test_rate(self, method):
        """After a quarter turn of the precession the axis is a quarter turn further; the point
        carries the weight and the centrifugal force -m Ω² l sin θ, horizontal and inward."""
        precession, spin = steady(self.tilt, self.own_spin)
        duration = np.pi / 2 / precession
        radius = LENGTH * np.sin(self.tilt)
        centre = np.array([0.0, radius, LENGTH * np.cos(self.tilt)])
        on_body = MASS * np.array([0.0, -(precession**2) * radius, GRAVITY])
        errors = []
        for steps in (1600, 3200, 6400):
            b, velocity = top(self.tilt, spin)
            found = run(b, duration, duration / steps, velocity, method, force_tolerance=1e-11)
            errors.append(
                [
                    np.linalg.norm(found.position[-1, 1] - centre) / LENGTH,
                    np.linalg.norm(found.multipliers[-1] + on_body) / (MASS * GRAVITY),
                ]
            )
        assert rates(errors) == pytest.approx(self.rate, abs=0.15)
        assert np.max(errors[-1]) < 3e-3

    @pytest.mark.parametrize("method", METHODS)
    def test_point_stays(self, method):
        _, spin = steady(self.tilt, self.own_spin)
        b, velocity = top(self.tilt, spin)
        found = run(b, 1.0, 1e-3, velocity, method)
        ends = found.position[:, 1] - LENGTH * matrix_of(found.rotation[:, 1])[:, :, 2]
        assert np.max(np.abs(ends)) < 1e-12 * LENGTH


class TestNutation:
    """Let go with the axis at rest, or with a precession of its own, the top nods between two
    tilts; the time from one to the other is a quadrature over u."""

    tilt, own_spin = 0.5, 120.0

    def integrals(self, precession):
        lean = np.cos(self.tilt)
        axial = POLAR * self.own_spin
        vertical = ABOUT_POINT * precession * (1 - lean**2) + axial * lean
        energy = 0.5 * ABOUT_POINT * precession**2 * (1 - lean**2) + WEIGHT_ARM * lean
        return energy, vertical, axial

    def other_tilt(self, precession):
        """The cubic f(u) = A² u̇² has the root cos θ₀ and one more in (-1, 1)."""
        energy, vertical, axial = self.integrals(precession)
        a = 2 * ABOUT_POINT
        cubic = [
            a * WEIGHT_ARM,
            -a * energy - axial**2,
            -a * WEIGHT_ARM + 2 * vertical * axial,
            a * energy - vertical**2,
        ]
        roots = np.sort(np.roots(cubic).real)
        low, high = roots[:2]
        assert min(abs(low - np.cos(self.tilt)), abs(high - np.cos(self.tilt))) < 1e-9
        middle, half = (low + high) / 2, (high - low) / 2

        def slope(phase):  # u = middle + half cos(phase) takes the roots out of the integrand
            u = middle + half * np.cos(phase)
            return 1 / np.sqrt(cubic[0] * (roots[2] - u))

        time = ABOUT_POINT * quad(slope, 0, np.pi, epsabs=1e-14)[0]
        return (low if high > np.cos(self.tilt) - 1e-9 else high), time

    def start(self, precession):
        axis = rotation_about((0, 1, 0), self.tilt)[:, 2]
        spin = precession * UP + (self.own_spin - precession * np.cos(self.tilt)) * axis
        return top(self.tilt, spin)

    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize("precession", [0.0, 4.0, -3.0, 15.0])
    def test_turning_point(self, method, precession):
        lean, duration = self.other_tilt(precession)
        errors = []
        for steps in (800, 1600, 3200):
            b, velocity = self.start(precession)
            found = run(b, duration, duration / steps, velocity, method, force_tolerance=1e-11)
            errors.append(abs(found.position[-1, 1, 2] / LENGTH - lean))
        swing = abs(lean - np.cos(self.tilt))
        assert swing > 0.02
        # At the turning point an error of time counts by its square only: the error of the tilt
        # is that of the integrals.
        assert rates(errors) == pytest.approx(2.0, abs=0.3)
        assert errors[-1] < 1e-3 * swing

    @pytest.mark.parametrize("method", METHODS)
    def test_integrals_of_motion(self, method):
        kept = []
        for steps in (2000, 4000):
            b, velocity = self.start(4.0)
            found = run(b, 1.0, 1.0 / steps, velocity, method, records=100)
            model = b.build()
            energy = kinetic_energy(model, found) + MASS * GRAVITY * found.position[:, 1, 2]
            momentum = angular_momentum(model, found)  # the point is the origin
            axis = matrix_of(found.rotation[:, 1])[:, :, 2]
            integrals = (energy, momentum[:, 2], np.sum(momentum * axis, axis=1))
            kept.append([np.max(np.abs(values / values[0] - 1)) for values in integrals])
        assert np.all(rates(kept) > 1.7)
        assert np.max(kept[1]) < 2e-4
