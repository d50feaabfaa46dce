"""Bushings: forces are gradients of an energy, frequencies and decay as their closed forms."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from spatial_models import (
    METHODS,
    assembled,
    differences,
    kinetic_energy,
    moved,
    rates,
    run,
    start,
    stored_energy,
)

from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.quaternions import matrix_of, rotation_about

FRAME = Rotation.random(random_state=3).as_matrix()


def pair(**bushing):
    first, second = Rotation.random(2, random_state=8).as_matrix()
    b = SpatialBuilder(0.1)
    b.body("a", 1.0, (1e-2, 2e-2, 2.5e-2), (0.1, 0.2, 0.3), first)
    b.body("b", 1.5, (1e-2, 1.5e-2, 2e-2), (0.3, 0.1, -0.2), second)
    b.bushing(1, 2, **bushing)
    return b


KINDS = {
    "along": {"stiffness": (100, 200, 300), "at_a": (0.1, 0, 0.2), "at_b": (0.2, 0.1, 0)},
    "about": {"turning_stiffness": (10, 20, 40)},
}


class TestEnergy:
    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("size", [0.01, 0.3, 0.8])
    def test_forces_are_its_gradient(self, kind, size):
        """Far from where it is relaxed, too: 0.8 stands for turns of up to two radians."""
        b = pair(frame=FRAME, **KINDS[kind])
        model = b.build()
        pose = moved(start(b), size * np.random.default_rng(4).normal(size=(2, 6)))
        gradient = differences(
            lambda change: np.array([assembled(model, moved(pose, change)).energy]), 12, 1e-6
        )
        force = assembled(model, pose).force[1:].ravel()
        assert force == pytest.approx(-gradient[0], abs=1e-8 * max(np.max(np.abs(force)), 1.0))
        assert np.max(np.abs(force)) > 0

    @pytest.mark.parametrize("kind", KINDS)
    def test_pair_pushes_nothing_else(self, kind):
        """No net force, and no net moment about any point."""
        b = pair(frame=FRAME, damping=(1, 2, 3), turning_damping=(0.1, 0.2, 0.3), **KINDS[kind])
        rng = np.random.default_rng(4)
        pose = moved(start(b, rng.normal(size=(2, 6))), 0.3 * rng.normal(size=(2, 6)))
        force = assembled(b.build(), pose).force[1:]
        moment = np.cross(pose.position[1:], force[:, :3]) + force[:, 3:]
        assert np.sum(force[:, :3], axis=0) == pytest.approx(0, abs=1e-12)
        assert np.sum(moment, axis=0) == pytest.approx(0, abs=1e-12)

    def test_relaxed_in_turning_as_built(self):
        b = pair(turning_stiffness=(10, 20, 40), frame=FRAME)
        assert np.max(np.abs(assembled(b.build(), start(b)).force)) < 1e-13

    @pytest.mark.parametrize("angle", [0.3, 2.0, 3.0, -2.5])
    def test_twist_about_an_axis(self, angle):
        """k θ up to half a turn."""
        b = SpatialBuilder(0.1)
        b.body("disc", 1.0, (1e-3, 1e-3, 1e-3))
        b.bushing(0, 1, turning_stiffness=(10, 20, 40), frame=FRAME)
        change = np.zeros(6)
        change[3:] = angle * FRAME[1]
        found = assembled(b.build(), moved(start(b), change))
        assert found.force[1, 3:] == pytest.approx(-20 * angle * FRAME[1], abs=1e-11)
        assert found.energy == pytest.approx(10 * angle**2)


class TestFrequencies:
    """A body on a bushing through its centre swings along and about each axis by itself:
    ω² = k/m, and ω² = k_t/J where the axes are those of its inertia."""

    mass, moments = 2.0, np.array([2e-3, 3e-3, 4e-3])
    stiffness, turning = np.array([800.0, 1800.0, 3200.0]), np.array([5.0, 12.0, 25.0])

    def run(self, axis, turning, steps, method, **damping):
        """Let go from a small displacement along (or about) an axis of the bushing."""
        b = SpatialBuilder(0.1)
        body = b.body("block", self.mass, self.moments, rotation=FRAME.T)
        b.bushing(0, body, self.stiffness, self.turning, frame=FRAME, **damping)
        velocity = np.zeros((1, 6))
        velocity[0, 3 * turning : 3 * turning + 3] = 0.1 * FRAME[axis]
        omega = self.omega(axis, turning)
        return b, run(b, 2 * np.pi / omega, 2 * np.pi / omega / steps, velocity, method)

    def omega(self, axis, turning):
        if turning:
            return np.sqrt(self.turning[axis] / self.moments[axis])
        return np.sqrt(self.stiffness[axis] / self.mass)

    def travel(self, found, axis, turning):
        if turning:
            turned = matrix_of(found.rotation[:, 1]) @ FRAME
            return Rotation.from_matrix(turned).as_rotvec() @ FRAME[axis]
        return found.position[:, 1] @ FRAME[axis]

    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize("turning", [0, 1])
    @pytest.mark.parametrize("axis", [0, 1, 2])
    def test_rate(self, method, axis, turning):
        omega = self.omega(axis, turning)
        errors = []
        for steps in (100, 200, 400):
            _, found = self.run(axis, turning, steps, method)
            exact = 0.1 / omega * np.sin(omega * found.time)
            error = self.travel(found, axis, turning) - exact
            errors.append(np.max(np.abs(error)) * omega / 0.1)
        assert rates(errors) == pytest.approx(2.0, abs=0.1)
        assert errors[-1] < 1e-3

    @pytest.mark.parametrize("turning", [0, 1])
    def test_decay(self, turning):
        """δ = d/(2m), ω² = k/m - δ²; the dampers take what is lost."""
        axis, ratio = 1, 0.1
        own = self.omega(axis, turning)
        size = (self.mass, self.moments[axis])[turning]
        name = ("damping", "turning_damping")[turning]
        b, found = self.run(
            axis, turning, 800, "trapezoid", **{name: np.full(3, 2 * ratio * own * size)}
        )
        decay, omega = ratio * own, own * np.sqrt(1 - ratio**2)
        exact = 0.1 / omega * np.exp(-decay * found.time) * np.sin(omega * found.time)
        assert self.travel(found, axis, turning) == pytest.approx(exact, abs=1e-4 * 0.1 / omega)
        energy = kinetic_energy(b.build(), found) + stored_energy(b.build(), found)
        assert energy + found.ledger[:, 1] == pytest.approx(energy[0], rel=1e-4)
        assert energy[-1] < 0.4 * energy[0]

    def test_offset_bushing_couples(self):
        """Held off its centre the block swings with the eigenvalues of the 2 x 2 problem
        k (1, l; l, l² + k_t/k) against (m, J)."""
        arm, stiff, turn = 0.05, 1000.0, 8.0
        b = SpatialBuilder(0.1)
        body = b.body("block", self.mass, (3e-3, 3e-3, 3e-3), (0.0, 0.0, arm))
        b.bushing(0, body, (stiff, stiff, stiff), (turn, turn, turn), at_b=(0, 0, -arm))
        k = np.array([[stiff, -stiff * arm], [-stiff * arm, stiff * arm**2 + turn]])
        squares, shapes = np.linalg.eig(np.diag([1 / self.mass, 1 / 3e-3]) @ k)
        for square, shape in zip(squares, shapes.T, strict=True):
            shape = 1e-6 * shape / shape[0]
            velocity = np.zeros((1, 6))
            velocity[0, 0], velocity[0, 4] = shape * np.sqrt(square)
            period = 2 * np.pi / np.sqrt(square)
            found = run(b, period, period / 800, velocity, "trapezoid", force_tolerance=1e-12)
            exact = shape[0] * np.sin(np.sqrt(square) * found.time)
            assert found.position[:, 1, 0] == pytest.approx(exact, abs=2e-4 * shape[0])
            assert found.position[:, 1, 1] == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("method", METHODS)
def test_large_swings_keep_their_energy(method):
    """A block thrown hard in a soft bushing turns far over; energy comes back to 1e-3."""
    b = SpatialBuilder(0.1)
    body = b.body("block", 2.0, (2e-3, 3e-3, 4e-3), rotation=rotation_about((1, 2, 3), 0.4))
    b.bushing(0, body, (80, 180, 320), (0.5, 1.2, 2.5), frame=FRAME, at_b=(0.03, 0.0, 0.02))
    velocity = np.array([[0.5, -0.3, 0.2, 20.0, -9.0, 12.0]])
    lost = []
    for steps in (2000, 4000):
        found = run(b, 1.0, 1.0 / steps, velocity, method, records=100)
        energy = kinetic_energy(b.build(), found) + stored_energy(b.build(), found)
        lost.append(np.max(np.abs(energy / energy[0] - 1)))
    turned = Rotation.from_quat(found.rotation[:, 1], scalar_first=True)
    assert np.max((turned * turned[0].inv()).magnitude()) > 1.0
    assert rates(lost) == pytest.approx(2.0, abs=0.3)
    assert lost[1] < 1e-3
