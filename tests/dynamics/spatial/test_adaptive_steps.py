"""Steps that follow the estimated error, and Newton where fixed-point iteration diverges."""

import numpy as np
import pytest
from spatial_models import METHODS, kinetic_energy, run, start, stored_energy

from flank.contact.spatial import PowerLaw, SpatialSurface, Sphere, sphere_on_plane
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import DynamicSettings, solve_dynamics
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.status import Status
from flank.dynamics.trajectory import SpatialPose

MOMENTS = (1e-3, 1e-3, 1e-3)


class TestEstimate:
    """A body pushed by a force that rises steadily has a constant third derivative j: what a step
    makes of its position is wrong by κ h³ j, κ = |β + (α_m - α_f)/2 - 1/6|."""

    mass, slope, step = 2.0, 60.0, 0.01

    def run(self, method, rho, **settings):
        b = SpatialBuilder(0.1)
        body = b.body("sledge", self.mass, MOMENTS)
        b.force(body, (1, 0, 0), linear(self.slope))
        settings = {"force_tolerance": 1e-12, "spectral_radius": rho, **settings}
        return run(b, 50 * self.step, self.step, None, method, **settings)

    def local_error(self, found):
        """Of the last step, given where it began and how fast."""
        h, j = self.step, self.slope / self.mass
        before, after = found.position[-2:, 1, 0]
        exact = before + h * found.velocity[-2, 1, 0] + j * (found.time[-2] * h**2 / 2 + h**3 / 6)
        return abs(after - exact)

    @pytest.mark.parametrize(
        ("method", "rho", "kappa"),
        [
            ("trapezoid", 0.8, 1 / 12),
            ("generalized-alpha", 1.0, 1 / 12),
            ("generalized-alpha", 0.8, 7 / 81),
            ("generalized-alpha", 0.0, 1 / 3),
        ],
    )
    def test_constant(self, method, rho, kappa):
        expected = kappa * self.step**3 * self.slope / self.mass
        assert self.local_error(self.run(method, rho)) == pytest.approx(expected, rel=1e-6)
        enough = self.run(method, rho, error_tolerance=1.001 * expected)
        assert enough.counters["rejected_steps"] == 0
        less = self.run(method, rho, error_tolerance=0.999 * expected)
        assert less.counters["rejected_steps"] > 0


class TestTolerance:
    """A thousandth of the tolerance makes steps a tenth as long, and the error of the end, that of
    all steps together, a hundredth."""

    @pytest.mark.parametrize("method", METHODS)
    def test_error_and_steps_follow(self, method):
        """On a stiff bushing and a soft one at once; exact: two oscillators."""
        mass, stiffness = 1.5, np.array([2000.0, 100.0, 700.0])
        omega = np.sqrt(stiffness / mass)
        errors, steps = [], []
        for tolerance in (1e-5, 1e-8):
            b = SpatialBuilder(0.1)
            body = b.body("block", mass, MOMENTS)
            b.bushing(0, body, stiffness)
            velocity = np.array([[0.5, 0.3, -0.4, 0, 0, 0]])
            found = run(
                b,
                2.0,
                0.5,
                velocity,
                method,
                records=4,
                error_tolerance=tolerance,
                shortest_step=1e-7,
            )
            exact = velocity[0, :3] / omega * np.sin(omega * 2.0)
            errors.append(np.max(np.abs(found.position[-1, 1] - exact)))
            steps.append(found.counters["steps"])
        assert steps[1] / steps[0] == pytest.approx(10, rel=0.25)
        assert errors[0] / errors[1] == pytest.approx(100, rel=0.5)
        assert errors[1] < 1e-4

    @pytest.mark.parametrize("method", METHODS)
    def test_turning_counts_at_the_length_scale(self, method):
        """The same tumbling body needs as many steps when both length and tolerance are doubled."""
        counts = []
        for scale in (0.1, 0.2):
            b = SpatialBuilder(scale)
            b.body("block", 1.0, (1e-3, 2e-3, 2.6e-3))
            velocity = np.array([[0, 0, 0, 1.0, 8.0, 2.0]])
            found = run(
                b, 2.0, 0.1, velocity, method, records=1, error_tolerance=1e-5 * scale / 0.1
            )
            counts.append(found.counters["steps"])
        assert counts[0] == counts[1]
        assert counts[0] > 100


class TestBouncingBall:
    """Long steps in flight, short ones while it touches, long ones again."""

    radius, mass, stiffness, speed = 0.02, 0.3, 1e8, 1.0

    def built(self):
        b = SpatialBuilder(self.radius)
        inertia = np.full(3, 0.4 * self.mass * self.radius**2)
        ball = b.body("ball", self.mass, inertia, (0, 0, 0.05), leaf=True)
        law = SpatialSurface(PowerLaw(self.stiffness))
        b.contact(sphere_on_plane(0, (0, 0, 0), (0, 0, 1), Sphere(ball, self.radius), law))
        return b

    @pytest.mark.parametrize("method", METHODS)
    def test_steps(self, method):
        """Flight is straight: nothing limits its steps. The contact takes Hertz's time
        2.94 δ/v, δ = (5 m v²/(4 K))^(2/5)."""
        b = self.built()
        model, pose = b.build(), start(b, np.array([[0, 0, -self.speed, 0, 0, 0]]))
        depth = (1.25 * self.mass * self.speed**2 / self.stiffness) ** 0.4
        touching = 2.9432 * depth / self.speed
        settings = DynamicSettings(
            step=5e-3, method=method, error_tolerance=1e-4 * depth, shortest_step=1e-9
        )
        before = 0.029 / self.speed
        pieces = []
        for duration in (before, 0.001 + touching + 0.001, before):
            found = solve_dynamics(model, pose, duration, settings, records=1)
            assert found.complete
            pieces.append(found.counters["steps"])
            pose = found.last
        assert pieces[0] == pieces[2] == 6
        assert 20 < pieces[1] < 200
        assert pose.velocity[1, 2] == pytest.approx(self.speed, rel=2e-3)
        # up again as long as down: the contact took its time and no more
        height = 0.02 + 0.029 + 0.002 + touching - 0.001 - touching
        assert pose.position[1, 2] == pytest.approx(height, abs=2e-2 * touching)

    @pytest.mark.parametrize("method", METHODS)
    def test_energy_follows_the_tolerance(self, method):
        lost = []
        depth = (1.25 * self.mass * self.speed**2 / self.stiffness) ** 0.4
        for tolerance in (1e-3, 1e-5):
            b = self.built()
            velocity = np.array([[0, 0, -self.speed, 0, 0, 0]])
            found = run(
                b,
                0.08,
                1e-3,
                velocity,
                method,
                records=1,
                error_tolerance=tolerance * depth,
                shortest_step=1e-10,
            )
            lost.append(abs(found.velocity[-1, 1, 2] / self.speed - 1))
        assert lost[1] < 0.2 * lost[0] + 1e-6
        assert lost[1] < 2e-3

    def test_shortest_step_ends_the_search(self):
        """Steps that may not shrink are taken as they are; one that jumps into the plane is not."""
        b = self.built()
        velocity = np.array([[0, 0, -40.0, 0, 0, 0]])
        found = solve_dynamics(
            b.build(),
            start(b, velocity),
            0.01,
            DynamicSettings(step=1e-3, shortest_step=1e-3),
        )
        assert found.status is Status.PUSHED_THROUGH
        assert 0 < len(found.time) < 11


class TestFixedPointIteration:
    """The published iteration of the trapezoidal rule, y ← y₀ + s/2 (f(y₀) + f(y)), converges only
    for s L/2 < 1, L the Lipschitz constant of f; for a mass on a contact that is s ω/2 with
    ω² = (dF/dδ)/m (Marter, Daniel, Duvigneau, Woschke 2020, their Eq. 7). Newton needs no such
    bound."""

    mass, stiffness, load, radius = 0.02, 6e12, 10e3, 0.01

    @property
    def depth(self):
        return (self.load / self.stiffness) ** (2 / 3)

    @property
    def omega(self):
        return np.sqrt(1.5 * self.stiffness * np.sqrt(self.depth) / self.mass)

    def slopes(self, y):
        """y = (depth, its rate) of a mass pressed on the contact by the load."""
        return np.array([y[1], (self.load - self.stiffness * max(y[0], 0.0) ** 1.5) / self.mass])

    def fixed_point(self, y0, step, count=60):
        """The last change, over the first, and where the iteration is."""
        y, first = y0 + step * self.slopes(y0), None
        scale = np.array([1.0, 1.0 / self.omega])  # both in m
        for _ in range(count):
            new = y0 + step / 2 * (self.slopes(y0) + self.slopes(y))
            change = np.linalg.norm((new - y) * scale)
            first = change if first is None else first
            y = new
            if not change < 1e6 * self.depth:
                break
        return change / first, y

    def newton(self, y0, step):
        b = SpatialBuilder(self.radius)
        ball = b.body("ball", self.mass, (1e-6, 1e-6, 1e-6), (0, 0, self.radius - y0[0]))
        law = SpatialSurface(PowerLaw(self.stiffness))
        b.contact(sphere_on_plane(0, (0, 0, 0), (0, 0, 1), Sphere(ball, self.radius), law))
        b.force(ball, (0, 0, -1), constant(self.load))
        velocity = np.array([[0, 0, -y0[1], 0, 0, 0]])
        found = run(b, step, step, velocity, "trapezoid", force_tolerance=1e-12)
        assert found.counters["steps"] == 1
        assert found.counters["rejected_steps"] == 0
        return np.array([self.radius - found.position[-1, 1, 2], -found.velocity[-1, 1, 2]])

    @pytest.mark.parametrize("size", [0.3, 0.8, 1.3, 3.0, 10.0, 30.0])
    def test_step(self, size):
        """`size` is s ω/2; at a few kN on steel of 6e12 N/m^1.5 one is reached at 3 µs."""
        step = 2 * size / self.omega
        y0 = np.array([1.02 * self.depth, 0.0])
        ratio, settled = self.fixed_point(y0, step)
        y1 = self.newton(y0, step)
        lack = y1 - y0 - step / 2 * (self.slopes(y0) + self.slopes(y1))
        assert lack[0] == pytest.approx(0, abs=1e-9 * self.depth)
        assert lack[1] == pytest.approx(0, abs=1e-7 * self.depth * self.omega)
        if size < 1:
            assert ratio < 1e-4
            assert y1 == pytest.approx(settled, rel=1e-5, abs=1e-9 * self.depth * self.omega)
        else:
            assert ratio > 1.0
            assert np.linalg.norm(settled - y1) > np.linalg.norm(y1 - y0)

    def test_where_the_bound_lies(self):
        assert 2 / self.omega == pytest.approx(3e-6, rel=0.2)

    def test_newton_follows_the_motion(self):
        """Ten steps of the size 3 hold the energy of the mass; the rule damps nothing."""
        b = SpatialBuilder(self.radius)
        ball = b.body("ball", self.mass, (1e-6,) * 3, (0, 0, self.radius - 1.02 * self.depth))
        law = SpatialSurface(PowerLaw(self.stiffness))
        b.contact(sphere_on_plane(0, (0, 0, 0), (0, 0, 1), Sphere(ball, self.radius), law))
        b.force(ball, (0, 0, -1), constant(self.load))
        step = 6 / self.omega
        found = run(b, 10 * step, step, None, "trapezoid")
        energy = kinetic_energy(b.build(), found) + stored_energy(b.build(), found)
        energy += self.load * found.position[:, 1, 2]
        swing = 0.5 * self.mass * (0.02 * self.depth * self.omega) ** 2
        assert np.max(np.abs(energy - energy[0])) < 0.1 * swing


def test_record_times_do_not_depend_on_steps():
    """Intervals are cut into equal steps, so records lie where they are asked for."""
    b = SpatialBuilder(0.1)
    body = b.body("block", 1.0, MOMENTS)
    b.bushing(0, body, (100, 100, 100))
    pose = start(b, np.array([[1.0, 0, 0, 0, 0, 0]]))
    found = solve_dynamics(
        b.build(), pose, 0.7, DynamicSettings(step=0.03, error_tolerance=1e-6), records=7
    )
    assert found.time == pytest.approx(np.linspace(0, 0.7, 8))
    assert found.position[:, 1, 0] == pytest.approx(0.1 * np.sin(10 * found.time), abs=1e-3)
    again = solve_dynamics(
        b.build(),
        SpatialPose(*(getattr(found.last, name) for name in ("position", "rotation", "velocity"))),
        0.1,
        DynamicSettings(step=0.03, error_tolerance=1e-6),
    )
    assert again.complete
