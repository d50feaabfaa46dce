"""Where energy goes: work of drives and loads, losses of friction and dampers."""

import numpy as np
import pytest
from scipy.optimize import brentq
from spatial_machine import shaken_tray
from spatial_models import METHODS, kinetic_energy, rates, run, stored_energy

from flank.contact.spatial import PowerLaw, SpatialSurface, Sphere, StickFriction, sphere_on_plane
from flank.dynamics.functions import constant, linear, rise
from flank.dynamics.run import DynamicSettings, solve_dynamics
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.model import DAMPING, DRIVES, FRICTION, LOADS
from flank.dynamics.trajectory import SpatialPose

GRAVITY = 9.81


def balance(model, found):
    """What the ledger does not explain of the energy, at every record, J."""
    energy = kinetic_energy(model, found) + stored_energy(model, found)
    ledger = found.ledger
    income = ledger[:, DRIVES] + ledger[:, LOADS] - ledger[:, FRICTION] - ledger[:, DAMPING]
    return energy - energy[0] - income


class TestBowlingBall:
    """Thrown without spin a ball slides, then rolls at 5/7 of its speed from t = 2 v/(7 μ g) on;
    friction takes m v²/7."""

    mass, radius, friction, speed = 3.0, 0.1, 0.2, 2.0

    def built(self, drilling=0.0):
        b = SpatialBuilder(self.radius)
        law = SpatialSurface(
            PowerLaw(1e9),
            friction=StickFriction(self.friction, self.friction, 0.1, 1e-3),
            drilling_length=drilling,
        )
        depth = (self.mass * GRAVITY / 1e9) ** (2 / 3)
        inertia = np.full(3, 0.4 * self.mass * self.radius**2)
        ball = b.body("ball", self.mass, inertia, (0, 0, self.radius - depth), leaf=True)
        b.contact(sphere_on_plane(0, (0, 0, 0), (0, 0, 1), Sphere(ball, self.radius), law))
        b.force(ball, (0, 0, -GRAVITY), constant(self.mass))
        return b

    @pytest.mark.parametrize("method", METHODS)
    def test_slides_and_rolls(self, method):
        velocity = np.array([[0.6 * self.speed, 0.8 * self.speed, 0, 0, 0, 0]])
        rolls = 2 * self.speed / (7 * self.friction * GRAVITY)
        found = run(self.built(), 2 * rolls, 1e-3, velocity, method)
        assert found.velocity[-1, 1, :2] == pytest.approx(5 / 7 * velocity[0, :2], rel=2e-4)
        spin = 5 / 7 * self.speed / self.radius * np.array([-0.8, 0.6, 0])
        assert found.velocity[-1, 1, 3:] == pytest.approx(spin, abs=2e-3 * np.linalg.norm(spin))
        sliding = found.time < 0.95 * rolls
        speed = np.linalg.norm(found.velocity[:, 1, :2], axis=1)
        exact = self.speed - self.friction * GRAVITY * found.time
        assert speed[sliding] == pytest.approx(exact[sliding], rel=1e-4)
        lost = self.mass * self.speed**2 / 7
        assert found.ledger[-1, FRICTION] == pytest.approx(lost, rel=1e-3)
        assert np.max(np.abs(balance(self.built().build(), found))) < 1e-3 * lost
        assert found.contact_results["friction_power"][-1, 0] < 1e-6 * lost / rolls

    @pytest.mark.parametrize("method", METHODS)
    def test_drills(self, method):
        """Spun about the normal it slows by μ F r/J, r = ρ F^(1/3); friction takes its energy."""
        length, spin = 1e-3, 20.0
        b = self.built(length)
        weight = self.mass * GRAVITY
        slope = self.friction * weight * length * weight ** (1 / 3)
        slope /= 0.4 * self.mass * self.radius**2
        velocity = np.array([[0, 0, 0, 0, 0, spin]])
        found = run(b, 0.8 * spin / slope, 1e-2, velocity, method)
        assert found.velocity[:, 1, 5] == pytest.approx(spin - slope * found.time, abs=1e-3 * spin)
        assert found.velocity[:, 1, :2] == pytest.approx(0, abs=1e-9)
        energy = kinetic_energy(b.build(), found)
        assert found.ledger[-1, FRICTION] == pytest.approx(energy[0] - energy[-1], rel=1e-3)


class TestImpact:
    """Hunt-Crossley damping takes what the ball does not come back with."""

    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize("damping", [0.2, 2.0])
    def test_loss(self, method, damping):
        b = SpatialBuilder(0.02)
        ball = b.body("ball", 0.3, (1e-4, 1e-4, 1e-4), (0, 0, 0.021))
        law = SpatialSurface(PowerLaw(1e8), damping=damping)
        b.contact(sphere_on_plane(0, (0, 0, 0), (0, 0, 1), Sphere(ball, 0.02), law))
        velocity = np.array([[0, 0, -1.0, 0, 0, 0]])
        found = run(b, 6e-3, 2e-6, velocity, method, records=10)
        back = found.velocity[-1, 1, 2]
        assert 0.1 < back < 0.95
        lost = 0.15 * (1 - back**2)
        assert found.ledger[-1, DAMPING] == pytest.approx(lost, rel=1e-3)
        assert back == pytest.approx(self.restitution(damping), rel=1e-4)

    def restitution(self, damping):
        """From v dv/(1 + d v) = -(K/m) δ^n dδ, there and back: with g(v) = d v - ln(1 + d v) the
        ball that comes with the speed one leaves with e, g(-e) = g(1), whatever n and K."""

        def spent(v):
            return damping * v - np.log1p(damping * v)

        return brentq(lambda e: spent(-e) - spent(1.0), 1e-6, min(1.0, (1 - 1e-12) / damping))


class TestLoads:
    @pytest.mark.parametrize("method", METHODS)
    def test_torque_over_turns(self, method):
        """T φ, by the torque that turns with the body as well."""
        b = SpatialBuilder(0.1)
        axis = np.array([2.0, -1.0, 2.0]) / 3
        wheel = b.body("wheel", 1.0, (2e-3, 2e-3, 2e-3))
        b.revolute(0, wheel, axis)
        b.torque(wheel, 0.05 * axis, constant(1.0))
        b.torque(wheel, 0.03 * axis, constant(1.0), reference=wheel)
        found = run(b, 2.0, 0.01, None, method)
        angle = 0.08 / 2e-3 * found.time**2 / 2
        assert found.ledger[:, LOADS] == pytest.approx(0.08 * angle, abs=1e-9)
        assert np.max(np.abs(balance(b.build(), found))) < 1e-9
        assert np.all(found.ledger[:, [FRICTION, DAMPING, DRIVES]] == 0)

    @pytest.mark.parametrize("method", METHODS)
    def test_lifting_against_gravity(self, method):
        """A drive lifts by h: it does the work m g h that gravity takes."""
        b = SpatialBuilder(0.1)
        lift = b.body("lift", 2.0, (1e-3, 1e-3, 1e-3))
        b.cylindrical(0, lift)
        b.rotation(0, lift, constant(0.0))
        b.along(0, lift, (0, 0, 1), rise(0.5, 1.0))
        b.force(lift, (0, 0, -GRAVITY), constant(2.0), at=(0.1, 0.2, 0.0))
        found = run(b, 1.2, 1e-3, None, method)
        work = 2.0 * GRAVITY * 0.5
        assert found.ledger[-1] == pytest.approx([0, 0, work, -work], abs=1e-5 * work)


class TestWholeMachine:
    """Drives, loads, dampers, friction and Hunt-Crossley together; rattling contacts."""

    @pytest.mark.parametrize("method", METHODS)
    def test_balance(self, method):
        missing, found = [], None
        for step in (1e-4, 2.5e-5):
            b = shaken_tray()
            found = run(b, 0.06, step, None, method, records=60)
            missing.append(np.max(np.abs(balance(b.build(), found))))
        turned_over = np.max(np.abs(found.ledger[-1]))
        assert np.all(found.ledger[-1, [FRICTION, DAMPING]] > 1e-4 * turned_over)
        assert missing[1] < 5e-4 * turned_over
        assert missing[1] < 0.3 * missing[0]

    @pytest.mark.parametrize("method", METHODS)
    def test_losses_only_grow(self, method):
        found = run(shaken_tray(), 0.06, 1e-4, None, method)
        assert np.min(np.diff(found.ledger[:, FRICTION])) >= 0
        assert np.min(found.contact_results["friction_power"]) >= 0


def test_second_order():
    """The balance of a smooth motion falls with the square of the step."""
    missing = []
    for steps in (500, 1000, 2000):
        b = SpatialBuilder(0.1)
        block = b.body("block", 2.0, (2e-3, 3e-3, 4e-3))
        b.bushing(0, block, (80, 180, 320), (0.5, 1.2, 2.5), (2, 3, 1), (3e-3, 2e-3, 4e-3))
        b.torque(block, (0.1, 0.2, 0.3), rise(1.0, 0.5), reference=block)
        velocity = np.array([[0.5, -0.3, 0.2, 10.0, -9.0, 12.0]])
        found = run(b, 1.0, 1.0 / steps, velocity, records=10)
        missing.append(np.max(np.abs(balance(b.build(), found))))
    assert rates(missing) == pytest.approx(2.0, abs=0.2)


@pytest.mark.parametrize("method", METHODS)
def test_impulse_is_the_sum_of_what_a_joint_carries(method):
    """A fixed body under a force that rises steadily: ∫ slope t dt, however seldom it is asked."""
    slope, duration = 60.0, 0.5
    b = SpatialBuilder(0.1)
    body = b.body("weight", 2.0, (1e-3, 1e-3, 1e-3))
    first = b.fixed(0, body)
    b.force(body, (1, 0, 0), linear(slope))
    found = solve_dynamics(
        b.build(),
        SpatialPose(*b.pose(), np.zeros((2, 6))),
        duration,
        DynamicSettings(1e-2, method=method),
        records=4,
    )
    assert found.complete
    expected = 0.5 * slope * found.time**2
    assert found.impulse[:, first] == pytest.approx(expected, rel=1e-6, abs=1e-9)
    assert np.abs(found.impulse[:, first + 1 :]).max() < 1e-9
