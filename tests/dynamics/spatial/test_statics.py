"""Equilibria against closed forms, and against what damped motion comes to."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation
from spatial_models import METHODS, assembled, run, start

from flank.contact.spatial import (
    PowerLaw,
    SpatialSurface,
    Sphere,
    StickFriction,
    sphere_in_cylinder,
    sphere_in_sphere,
    sphere_on_plane,
)
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import (
    DynamicSettings,
    StaticSettings,
    solve_dynamics,
    solve_statics,
)
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.quaternions import matrix_of, rotation_about
from flank.dynamics.status import Status
from flank.dynamics.trajectory import SpatialPose

GRAVITY = 9.81


def at_rest(b, times=(0.0,), **settings):
    """Equilibria of what is built; they must be found."""
    found = solve_statics(b.build(), start(b), np.array(times), settings=StaticSettings(**settings))
    assert found.complete, found.status.sentence
    return found


def lean_about(axis, rotation):
    """Angle of a rotation that is about this axis of space only."""
    vector = Rotation.from_matrix(rotation).as_rotvec()
    assert vector == pytest.approx((vector @ axis) * np.asarray(axis), abs=1e-9)
    return vector @ axis


class TestPendulumOnASpring:
    """A bar on a ball joint with a turning spring k, its arm l raised to the horizontal: it sinks
    by θ about y, k θ = m g l cos θ."""

    mass, arm = 0.8, 0.25

    @pytest.mark.parametrize("stiffness", [0.5, 2.0, 20.0, 500.0])
    def test_sinks(self, stiffness):
        b = SpatialBuilder(0.1)
        bar = b.body("bar", self.mass, (1e-3, 1e-3, 1e-3), (self.arm, 0, 0))
        b.spherical(0, bar, at_b=(-self.arm, 0, 0))
        b.bushing(0, bar, turning_stiffness=np.full(3, stiffness))
        b.force(bar, (0, 0, -GRAVITY), constant(self.mass))
        found = at_rest(b)
        weight = self.mass * GRAVITY
        exact = brentq(lambda t: stiffness * t - weight * self.arm * np.cos(t), 0, np.pi / 2)
        lean = lean_about((0, 1, 0), matrix_of(found.rotation[0, 1]))
        assert lean == pytest.approx(exact, abs=1e-9)
        assert found.multipliers[0] == pytest.approx([0, 0, -weight], abs=1e-6)

    def test_hangs_from_upright(self):
        """Nearly upright, without a spring, it falls all the way round to hang."""
        b = SpatialBuilder(0.1)
        rotation = rotation_about((0, 1, 0), 0.02)
        bar = b.body("bar", self.mass, (1e-3, 1e-3, 1e-3), rotation @ (0, 0, self.arm), rotation)
        b.spherical(0, bar, at_b=(0, 0, -self.arm))
        b.force(bar, (0, 0, -GRAVITY), constant(self.mass))
        found = at_rest(b)
        assert found.position[0, 1] == pytest.approx([0, 0, -self.arm], abs=1e-8)


class TestBallInAVee:
    """A ball on two planes: the normal forces balance the weight, N = K δ^(3/2)."""

    radius, mass, stiffness = 0.02, 0.26, 3e9

    def built(self, normals, law=None, leaf=True):
        b = SpatialBuilder(self.radius)
        law = SpatialSurface(PowerLaw(self.stiffness)) if law is None else law
        inertia = np.full(3, 0.4 * self.mass * self.radius**2)
        ball = b.body("ball", self.mass, inertia, (0, 0.0, 0.1), leaf=leaf)
        for normal in normals:
            b.contact(sphere_on_plane(0, (0, 0, 0), normal, Sphere(ball, self.radius), law))
        b.force(ball, (0, 0, -GRAVITY), constant(self.mass))
        return b

    @pytest.mark.parametrize("leaf", [True, False])
    @pytest.mark.parametrize("angles", [(0.8, 0.8), (0.3, 1.2), (1.0, 0.4)])
    def test_forces_and_depth(self, angles, leaf):
        """Dropped from above, the ball travels down through the clearance until both planes
        carry it."""
        normals = np.array(
            [[0, s * np.sin(a), np.cos(a)] for s, a in zip((1, -1), angles, strict=True)]
        )
        found = at_rest(self.built(normals, leaf=leaf))
        weight = np.array([self.mass * GRAVITY, 0.0])
        forces = np.linalg.solve([normals[:, 2], normals[:, 1]], weight)
        contact_results = found.contact_results[0]
        assert contact_results["normal_force"] == pytest.approx(forces, rel=1e-8)
        assert contact_results["gap"] == pytest.approx(
            -((forces / self.stiffness) ** (2 / 3)), rel=1e-8
        )
        centre = np.linalg.solve(normals[:, 1:], self.radius + contact_results["gap"])
        assert found.position[0, 1, 1:] == pytest.approx(centre, abs=1e-12)
        assert found.position[0, 1, 0] == pytest.approx(0, abs=1e-12)  # nothing pushes along

    def test_friction_by_velocity_does_not_act(self):
        normals = [(0, 0.6, 0.8), (0, -0.6, 0.8)]
        rough = SpatialSurface(
            PowerLaw(self.stiffness), friction=StickFriction(0.3, 0.4, 0.1, 0.001)
        )
        smooth = at_rest(self.built(normals)).contact_results[0]
        found = at_rest(self.built(normals, rough)).contact_results[0]
        assert found["normal_force"] == pytest.approx(smooth["normal_force"], rel=1e-9)
        assert np.all(found["friction"] == 0)

    def test_a_light_ball_is_as_exact(self):
        """The tolerance follows the forces at hand: a speck of a microgramme."""
        b = SpatialBuilder(1e-4)
        speck = b.body("speck", 1e-9, np.full(3, 1e-18), (0, 0, 2e-4), leaf=True)
        b.contact(
            sphere_on_plane(
                0, (0, 0, 0), (0, 0, 1), Sphere(speck, 1e-4), SpatialSurface(PowerLaw(1e6))
            )
        )
        b.force(speck, (0, 0, -GRAVITY), constant(1e-9))
        assert at_rest(b).contact_results[0, 0]["normal_force"] == pytest.approx(9.81e-9, rel=1e-6)


class TestFollowers:
    """Loads that turn with a body have no potential."""

    stiffness, arm = 3.0, 0.2

    def bar(self, reference):
        b = SpatialBuilder(0.1)
        bar = b.body("bar", 0.5, (1e-3, 1e-3, 1e-3), (self.arm, 0, 0))
        b.spherical(0, bar, at_b=(-self.arm, 0, 0))
        b.bushing(0, bar, turning_stiffness=np.full(3, self.stiffness))
        b.force(bar, (0, 0, -1), linear(1.0), reference=reference * bar)
        return b

    @pytest.mark.parametrize("force", [1.0, 10.0, 25.0])
    def test_force_square_to_a_bar(self, force):
        """k θ = F l, to the 95° of the largest force; a dead force reaches k θ = F l cos θ."""
        found = at_rest(self.bar(1), np.linspace(0, force, 6))
        lean = lean_about((0, 1, 0), matrix_of(found.rotation[-1, 1]))
        assert lean == pytest.approx(force * self.arm / self.stiffness, abs=1e-8)
        dead = at_rest(self.bar(0), (0.0, force))
        lean = lean_about((0, 1, 0), matrix_of(dead.rotation[-1, 1]))
        assert self.stiffness * lean == pytest.approx(force * self.arm * np.cos(lean), abs=1e-8)

    def test_torque_that_a_housing_turns(self):
        """A disc in an isotropic spring leans about the axis of its drive, wherever that is."""
        b = SpatialBuilder(0.1)
        housing = b.body("housing", 1.0, (1e-3, 1e-3, 1e-3))
        disc = b.body("disc", 1.0, (1e-3, 1e-3, 1e-3))
        b.revolute(0, housing, (0, 1, 0))
        b.rotation(0, housing, linear(1.0), (0, 1, 0))
        b.spherical(0, disc)
        b.bushing(0, disc, turning_stiffness=np.full(3, 5.0))
        b.torque(disc, (0, 0, 2.0), constant(1.0), reference=housing)
        times = np.linspace(0, 3.0, 5)
        found = at_rest(b, times)
        vectors = Rotation.from_quat(found.rotation[:, 2], scalar_first=True).as_rotvec()
        axis = np.column_stack([np.sin(times), 0 * times, np.cos(times)])
        assert vectors == pytest.approx(0.4 * axis, abs=1e-8)


class TestClearance:
    def test_shaft_lies_on_the_bottom_of_its_bores(self):
        """Two spheres of a shaft in two bores with play: the weight is shared by the lever."""
        b = SpatialBuilder(0.02)
        shaft = b.body("shaft", 1.5, (1e-3, 1e-3, 1e-4), (0, 0, 0.03))
        law = SpatialSurface(PowerLaw(1e9))
        for z in (0.0, 0.1):
            arm = (0, 0, z - 0.03)
            b.contact(
                sphere_in_cylinder(0, (0, 0, z), (0, 0, 1), 0.0101, Sphere(shaft, 0.01, arm), law)
            )
        b.along(0, shaft, (0, 0, 1), constant(0.03))
        b.force(shaft, (0.6 * GRAVITY, 0.8 * GRAVITY, 0), constant(1.5))
        contact_results = at_rest(b).contact_results[0]
        weight = 1.5 * GRAVITY
        assert contact_results["normal_force"] == pytest.approx(
            [0.7 * weight, 0.3 * weight], rel=1e-6
        )
        assert contact_results["normal"] == pytest.approx(
            np.full((2, 3), (-0.6, -0.8, 0)), abs=1e-6
        )

    def test_what_nothing_moves_stays(self):
        b = SpatialBuilder(0.02)
        ball = b.body("ball", 1.0, (1e-4, 1e-4, 1e-4), (1e-4, 0, 0))
        b.contact(
            sphere_in_sphere(Sphere(0, 0.0105), Sphere(ball, 0.01), SpatialSurface(PowerLaw(1e9)))
        )
        found = at_rest(b)
        assert found.position[0, 1] == pytest.approx([1e-4, 0, 0], abs=1e-15)

    def test_a_load_that_nothing_carries(self):
        b = SpatialBuilder(0.02)
        ball = b.body("ball", 1.0, (1e-4, 1e-4, 1e-4))
        b.force(ball, (0, 0, -GRAVITY), constant(1.0))
        found = solve_statics(b.build(), start(b), np.zeros(1))
        assert found.status in (Status.SINGULAR, Status.TOO_MANY_ITERATIONS)
        assert len(found.time) == 0


class TestPath:
    """A path of a drive, with and without knowing how bodies move along it."""

    def built(self):
        b = SpatialBuilder(0.05)
        crank = b.body("crank", 0.5, (1e-4, 1e-4, 1e-4))
        bob = b.body("bob", 0.2, (1e-5, 1e-5, 1e-5), (0.1, 0, -0.05))
        b.revolute(0, crank, (0, 1, 0))
        b.rotation(0, crank, linear(1.0), (0, 1, 0))
        b.spherical(crank, bob, (0.1, 0, 0), (0, 0, 0.05))
        b.bushing(0, bob, turning_stiffness=(1e-3,) * 3)
        b.force(bob, (0, 0, -GRAVITY), constant(0.2))
        return b

    def test_guesses_do_not_change_the_answer(self):
        b = self.built()
        times = np.linspace(0, 4.0, 9)
        plain = at_rest(b, times)
        guesses = []
        for time in times:
            turn = rotation_about((0, 1, 0), time)
            pose = start(b)
            position, rotation = pose.position.copy(), pose.rotation.copy()
            position[2] = turn @ (0.1, 0, 0) - (0, 0, 0.05)
            rotation[1] = Rotation.from_matrix(turn).as_quat(scalar_first=True)
            guesses.append(SpatialPose(position, rotation, pose.velocity))
        guided = solve_statics(b.build(), start(b), times, guesses)
        assert guided.complete
        assert guided.position == pytest.approx(plain.position, abs=1e-9)
        newton = [found.counters["newton_iterations"] for found in (guided, plain)]
        assert newton[0] < newton[1]
        pin = plain.position[:, 2] + 0.05 * matrix_of(plain.rotation[:, 2])[:, :, 2]
        around = np.column_stack([np.cos(times), 0 * times, -np.sin(times)])
        assert pin == pytest.approx(0.1 * around, abs=1e-11)


class TestStaticLimit:
    """Damped motion comes to rest where statics says, by both methods."""

    def built(self):
        b = SpatialBuilder(0.05)
        arm = b.body("arm", 0.6, (1e-3, 2e-3, 2e-3), (0.1, 0, 0))
        ball = b.body("ball", 0.1, (1e-5, 1e-5, 1e-5), (0.15, 0.0, 0.0301), leaf=True)
        b.spherical(0, arm, at_b=(-0.1, 0, 0))
        b.bushing(0, arm, (30, 20, 40), (5, 6, 7), (3, 3, 3), (0.1, 0.1, 0.1), at_a=(0.2, 0, 0.1))
        law = SpatialSurface(PowerLaw(1e7), damping=0.5)
        for normal in ((0, 0.6, 0.8), (0, -0.6, 0.8)):
            b.contact(sphere_on_plane(arm, (0.05, 0, 0.0051), normal, Sphere(ball, 0.02), law))
        b.bushing(
            arm,
            ball,
            (50, 50, 50),
            damping=(4, 4, 4),
            turning_damping=(1e-4,) * 3,
            at_a=(0.05, 0, 0.03),
        )
        b.force(arm, (0, 0, -GRAVITY), constant(0.6))
        b.force(ball, (0, 0, -GRAVITY), constant(0.1))
        return b

    @pytest.mark.parametrize("method", METHODS)
    def test_comes_to_rest(self, method):
        b = self.built()
        expected = at_rest(b, force_tolerance=1e-11)
        assert np.all(expected.contact_results[0]["normal_force"] > 0)
        found = run(b, 4.0, 5e-4, None, method, records=10)
        assert np.max(np.abs(found.velocity[-1])) < 1e-8
        assert found.position[-1, 1:] == pytest.approx(expected.position[0, 1:], abs=1e-9)
        turned = matrix_of(found.rotation[-1, 1]) - matrix_of(expected.rotation[0, 1])
        assert turned == pytest.approx(0, abs=1e-9)
        assert found.multipliers[-1] == pytest.approx(expected.multipliers[0], abs=1e-5)
        forces = (run.contact_results[-1]["normal_force"] for run in (found, expected))
        assert next(forces) == pytest.approx(next(forces), rel=1e-5)

    def test_an_equilibrium_stays_one(self):
        b = self.built()
        still = at_rest(b, force_tolerance=1e-11).last
        found = solve_dynamics(b.build(), still, 0.05, DynamicSettings(step=1e-3))
        assert found.complete
        assert np.max(np.abs(found.position - still.position)) < 1e-10
        force = assembled(b.build(), still, 0.0, found.multipliers[0]).force[1:]
        assert force == pytest.approx(0, abs=1e-8)
