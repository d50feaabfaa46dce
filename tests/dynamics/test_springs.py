"""Springs: dead bands, damping, action and reaction, and tangents that match differences."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flank.dynamics.assembly import assemble
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant
from flank.dynamics.model import initial_state, workspace

coordinate = st.floats(-2, 2)
poses = st.lists(coordinate, min_size=6, max_size=6)


def rows(values):
    """Two bodies' numbers below a row of ground."""
    return np.vstack([np.zeros(3), np.reshape(values, (2, 3))])


def forces(b, position, velocity):
    """Energy and the forces on bodies 1 and 2."""
    model = b.build()
    state, work = initial_state(model, position), workspace(model)
    energy, _ = assemble(model, state, position, velocity, 0.0, work, 0.0, 1.0, 1.0)
    return energy, work.force[1:].copy()


def pair():
    b = ModelBuilder(0.7)
    return b, b.body("a", 1.0, 1.0), b.body("b", 1.0, 1.0)


def bushing_pair(stiffness=30.0, damping=4.0):
    b, p, q = pair()
    b.bushing(p, q, stiffness, damping, (0.3, -0.1), (-0.2, 0.4))
    return b


class TestBushing:
    @given(position=poses, velocity=poses)
    @settings(max_examples=50, deadline=None)
    def test_action_is_reaction_with_moments(self, position, velocity):
        """Forces and moments about any point cancel, damping included, however far it stretches."""
        q, v = rows(position), rows(velocity)
        _, force = forces(bushing_pair(), q, v)
        moments = q[1:, 0] * force[:, 1] - q[1:, 1] * force[:, 0] + force[:, 2]
        assert np.sum(force[:, :2], axis=0) == pytest.approx(0, abs=1e-11)
        assert np.sum(moments) == pytest.approx(0, abs=1e-10)

    @given(position=poses, speed=poses, about=st.tuples(coordinate, coordinate))
    @settings(max_examples=30, deadline=None)
    def test_rigid_motion_of_both_bodies_is_not_damped(self, position, speed, about):
        """A common translation and rotation about any point stretches nothing."""
        q = rows(position)
        omega = speed[2]
        arm = q[1:, :2] - np.array(about)
        v = np.zeros((3, 3))
        v[1:] = np.column_stack(
            [speed[0] - omega * arm[:, 1], speed[1] + omega * arm[:, 0], [omega, omega]]
        )
        _, moving = forces(bushing_pair(), q, v)
        _, resting = forces(bushing_pair(), q, np.zeros((3, 3)))
        assert moving == pytest.approx(resting, abs=1e-10)

    @given(position=poses)
    @settings(max_examples=40, deadline=None)
    def test_stiffness_is_the_derivative_of_the_force(self, tangents_of, position):
        q = rows(position)
        k, _, _, numerical, _ = tangents_of(bushing_pair().build(), q, np.zeros((3, 3)))
        assert k == pytest.approx(numerical, abs=3e-7)
        assert k == pytest.approx(k.T, abs=1e-11)

    @given(position=poses, velocity=poses)
    @settings(max_examples=30, deadline=None)
    def test_damping_is_the_derivative_by_velocity(self, tangents_of, position, velocity):
        q, v = rows(position), rows(velocity)
        _, d, _, _, numerical = tangents_of(bushing_pair().build(), q, v)
        assert d == pytest.approx(numerical, abs=1e-7)
        assert np.min(np.linalg.eigvalsh(d)) > -1e-10

    @given(position=poses)
    @settings(max_examples=30, deadline=None)
    def test_force_is_the_slope_of_the_energy(self, position):
        """½ k u², and Q = -∂E/∂q."""
        b, q, eps = bushing_pair(), rows(position), 1e-6
        _, force = forces(b, q, np.zeros((3, 3)))
        for body in (1, 2):
            for i in range(3):
                change = np.zeros((3, 3))
                change[body, i] = eps
                up, down = (forces(b, q + s * change, np.zeros((3, 3)))[0] for s in (1, -1))
                assert force[body - 1, i] == pytest.approx(-(up - down) / (2 * eps), abs=1e-6)

    def test_to_ground_either_way_round(self):
        """-k u - d u̇ on the body, whichever end is written first.

        It acts at the end on B, so a body written first also feels the damper's lever u.
        """
        position, velocity = np.zeros((2, 3)), np.zeros((2, 3))
        position[1], velocity[1] = (0.02, -0.01, 0.0), (0.5, 0.25, 0.0)
        for first in (True, False):
            b = ModelBuilder(1.0)
            body = b.body("mass", 1.0, 1.0)
            b.bushing(*((0, body) if first else (body, 0)), 100.0, 4.0)
            _, force = forces(b, position, velocity)
            moment = 0.0 if first else -0.01 * -4.0  # -u x f
            assert force[0] == pytest.approx([-2.0 - 2.0, 1.0 - 1.0, moment], abs=1e-14)


class TestTorsion:
    stiffness, damping, angle, band = 40.0, 3.0, 0.25, 0.1

    def build(self):
        b, p, q = pair()
        b.torsion_spring(p, q, self.stiffness, self.damping, self.angle, self.band)
        return b

    @given(turn=st.floats(-1, 1), rate=st.floats(-5, 5), base=st.floats(-3, 3))
    @settings(max_examples=60, deadline=None)
    def test_free_inside_linear_outside(self, turn, rate, base):
        """T = -k (φ -/+ band/2) - d φ̇ outside ±band/2, nothing inside; and minus that on A."""
        position, velocity = np.zeros((3, 3)), np.zeros((3, 3))
        position[1:, 2] = base, base + self.angle + turn
        velocity[1:, 2] = 1.0, 1.0 + rate
        energy, force = forces(self.build(), position, velocity)
        over = np.sign(turn) * max(abs(turn) - self.band / 2, 0.0)
        if abs(abs(turn) - self.band / 2) < 1e-12:
            return  # which side of the edge is round-off
        torque = -self.stiffness * over - (self.damping * rate if over != 0 else 0.0)
        assert force[1, 2] == pytest.approx(torque, abs=1e-11)
        assert force[0, 2] == -force[1, 2]
        assert np.all(force[:, :2] == 0)
        assert energy == pytest.approx(0.5 * self.stiffness * over**2, abs=1e-12)

    @pytest.mark.parametrize("turn", [-0.3, -0.06, 0.0, 0.04, 0.06, 0.8])
    def test_tangent_is_the_derivative(self, tangents_of, turn):
        q = np.zeros((3, 3))
        q[2, 2] = self.angle + turn
        k, d, _, stiffness, damping = tangents_of(self.build().build(), q, np.zeros((3, 3)))
        assert k == pytest.approx(stiffness, abs=1e-7)
        assert d == pytest.approx(damping, abs=1e-7)
        assert np.any(k) == (abs(turn) > self.band / 2)

    def test_without_band_damps_through_zero(self):
        b, p, q = pair()
        b.torsion_spring(p, q, self.stiffness, self.damping)
        velocity = np.zeros((3, 3))
        velocity[2, 2] = 2.0
        _, force = forces(b, np.zeros((3, 3)), velocity)
        assert force[:, 2] == pytest.approx([6.0, -6.0], abs=1e-14)


def test_whole_tangent_of_joints_springs_and_loads(tangents_of):
    """Joints' rows C and the turning of Cᵀλ, of a load's arm and of springs, all at once."""
    rng = np.random.default_rng(7)
    for _ in range(5):
        b = ModelBuilder(0.5)
        bodies = [b.body(name, 1.0, 1.0) for name in "abc"]
        b.revolute(bodies[0], bodies[1], (0.2, 0.1), (-0.3, 0.2))
        b.fixed(bodies[2], 0, (0.4, 0.3), (0.1, 0.0), 0.2)
        b.gear(bodies[0], bodies[2], 3.0)
        b.bushing(bodies[1], bodies[2], 20.0, 1.0, (0.1, 0.2), (0.2, 0.3))
        b.torsion_spring(bodies[0], bodies[1], 5.0, angle=0.3, dead_band=0.01)
        b.force(bodies[1], (0.6, 0.8), constant(12.0), at=(0.3, -0.4))
        q = np.vstack([np.zeros(3), rng.uniform(-1, 1, (3, 3))])
        multipliers = rng.uniform(-10, 10, 6)
        k, _, rows_of_c, numerical, _ = tangents_of(
            b.build(), q, np.zeros((4, 3)), multipliers=multipliers
        )
        assert k == pytest.approx(numerical, abs=1e-6)
        # C from the force: Q(λ) - Q(0) = -Cᵀλ, one multiplier at a time
        model = b.build()
        state, work = initial_state(model, q), workspace(model)

        def force(values, model=model, state=state, work=work, q=q):
            state.multipliers[:] = values
            assemble(model, state, q, state.velocity, 0.0, work, 0.0, 1.0, 1.0)
            return work.force[1:].ravel().copy()

        for e, unit in enumerate(np.eye(6)):
            assert rows_of_c[e] == pytest.approx(force(np.zeros(6)) - force(unit), abs=1e-12)


def test_plain_tangent_has_no_negative_directions():
    """Without the turning of forces (geometric = 0) springs and loads are positive semidefinite."""
    rng = np.random.default_rng(3)
    b = bushing_pair()
    b.torsion_spring(1, 2, 8.0, dead_band=0.2)
    b.force(2, (0.0, 1.0), constant(100.0), at=(0.5, 0.5))
    model = b.build()
    state, work = initial_state(model, b.pose()), workspace(model)
    for _ in range(20):
        q = np.vstack([np.zeros(3), rng.uniform(-2, 2, (2, 3))])
        assemble(model, state, q, state.velocity, 0.0, work, 0.0, 1.0, 0.0)
        assert np.min(np.linalg.eigvalsh(work.core)) > -1e-10


def test_clearance_coupling_lets_the_output_wait(march):
    """Inside the dead band nothing pulls: a thrown rotor keeps its speed until it crosses it."""
    b = ModelBuilder(1.0)
    rotor = b.body("rotor", 1.0, 0.5)
    b.torsion_spring(0, rotor, 200.0, dead_band=0.4)
    velocity = np.zeros((2, 3))
    velocity[1, 2] = 2.0
    run = march(b.build(), b.pose(), 0.5, 5000, velocity)
    inside = run.time < 0.0999
    assert run.position[inside, 1, 2] == pytest.approx(2.0 * run.time[inside], abs=1e-12)
    # outside: half a period of ω = 20 at amplitude 2/20 beyond the edge
    assert np.max(run.position[:, 1, 2]) == pytest.approx(0.2 + 0.1, rel=1e-5)
    back = run.velocity[np.argmax(run.time > 0.1 + np.pi / 20 + 0.01), 1, 2]
    assert back == pytest.approx(-2.0, rel=1e-4)
