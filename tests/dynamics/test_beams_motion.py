"""Beams in time: what is conserved, to the integrator's second order, and what is not lost."""

import math

import numpy as np
import pytest
from consistent_start import start_consistently

from flank.dynamics.beams import mass_matrices
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.flexible import add_ring, add_shaft
from flank.dynamics.functions import constant
from flank.dynamics.model import initial_state, workspace
from flank.dynamics.run import DynamicSettings, solve_dynamics
from flank.elasticity.section import Section

RATE = 2.0
SECTION, LENGTH = Section(2e3, 2.0, 0.7), 1.5


def momenta(model, position, velocity):
    """Linear and angular momentum, (time, 3) each; only positions have a part in the linear one."""
    mass = mass_matrices(model.mass, model.beams)[0]
    impulse = np.einsum("ij,tjc->tic", mass, velocity)
    return impulse[:, 1::2].sum(axis=1), np.cross(position, impulse).sum(axis=1)


class TestFreeFlight:
    """A straight beam thrown in space: it flies, tumbles about two axes and bends."""

    duration = 0.4

    def run(self, march, steps):
        b = ModelBuilder(LENGTH)
        nodes = add_shaft(b, "beam", (0, 0, 0), (LENGTH, 0, 0), 4, SECTION)
        pose = b.pose()
        velocity = np.zeros_like(pose)
        spin, throw = np.array([0.0, 2.0, 6.0]), np.array([1.0, -2.0, 0.5])
        for node in nodes:
            s = pose[node.position, 0]
            velocity[node.position] = np.cross(spin, (s, 0, 0)) + throw
            velocity[node.slope] = np.cross(spin, (1, 0, 0))
            velocity[node.position, 1] += s * s  # bends
            velocity[node.slope, 1] += 2 * s
        model = b.build()
        history = march(model, pose, self.duration, steps, velocity, rho=1.0)
        assert set(history.statuses) == {0}
        linear, angular = momenta(model, history.position, history.velocity)
        return linear, angular, history.energy(model)

    def test_conserved(self, march):
        """Linear momentum to round-off, angular momentum and energy with second order."""
        drifts = []
        for steps in (200, 400, 800):
            linear, angular, energy = self.run(march, steps)
            assert linear == pytest.approx(np.broadcast_to(linear[0], linear.shape), rel=1e-8)
            turn = np.max(np.linalg.norm(angular - angular[0], axis=1)) / np.linalg.norm(angular[0])
            drifts.append([turn, np.max(np.abs(energy / energy[0] - 1))])
        drifts = np.array(drifts)
        assert np.log2(drifts[:-1] / drifts[1:]) == pytest.approx(RATE, abs=0.3)
        assert np.all(drifts[-1] < 1e-3)


def test_rate_of_a_bending_vibration(march):
    """A pinned beam released from a sine: x(t) follows its own first mode with second order."""
    elements, errors = 4, []
    amplitude = 1e-6
    for steps in (50, 100, 200):
        b = ModelBuilder(LENGTH)
        nodes = add_shaft(b, "beam", (0, 0, 0), (0, 0, LENGTH), elements, SECTION)
        b.revolute(0, nodes[0].position)
        b.revolute(0, nodes[-1].position)
        pose = b.pose()
        for node in nodes:
            s = pose[node.position, 2] * math.pi / LENGTH
            pose[node.position, 0] = amplitude * math.sin(s)
            pose[node.slope, 0] = amplitude * math.cos(s) * math.pi / LENGTH
        stiffness = SECTION.bending_stiffness / SECTION.mass_per_length
        period = 2 * math.pi / ((math.pi / LENGTH) ** 2 * math.sqrt(stiffness))
        run = march(b.build(), pose, 1.25 * period, steps, rho=1.0)
        errors.append(run.position[-1, nodes[elements // 2].position, 0] / amplitude)
    differences = np.abs(np.diff(errors))
    assert math.log2(differences[0] / differences[1]) == pytest.approx(RATE, abs=0.2)
    assert abs(errors[-1]) < 5e-3  # a quarter past the period it goes through zero


def test_a_swinging_beam_loses_no_energy(march):
    """A soft beam on a pin, heavy, falling from the horizontal; with damping at high frequency."""
    b = ModelBuilder(LENGTH)
    nodes = add_shaft(b, "beam", (0, 0, 0), (LENGTH, 0, 0), 4, SECTION)
    b.revolute(0, nodes[0].position)
    weight = SECTION.mass_per_length * 9.81 * LENGTH / 4
    for k, node in enumerate(nodes):
        b.force(node.position, (0.0, -1.0), constant(weight * (0.5 if k in (0, 4) else 1.0)))
    model = b.build()
    run = march(model, b.pose(), 3.0, 1500, rho=0.9)
    assert set(run.statuses) == {0}
    tip = run.position[:, nodes[-1].position]
    assert tip[:, 1].min() < -0.9 * LENGTH
    assert np.max(np.abs(tip[:, 0])) < 1.1 * LENGTH
    energy = run.energy(model)
    swing = weight * 4 * LENGTH / 2
    assert np.all(energy <= energy[0] + 1e-3 * swing)
    assert energy[-1] > energy[0] - 0.02 * swing


def test_a_spinning_ring_stays_round_and_grows():
    """½(λ² - 1) = ρA (ωR)²/EA of the hoop, without bending; it neither drifts nor tilts."""
    radius, speed = 0.5, 40.0
    section = Section(1e5, 5.0, 0.7)
    b = ModelBuilder(radius)
    nodes = add_ring(b, "ring", (0.0, 0.0), radius, 16, section)
    pose = b.pose()
    hoop = section.mass_per_length * (speed * radius) ** 2 / section.axial_stiffness
    grown = math.sqrt(1 + 2 * hoop)
    rows = np.array([list(node) for node in nodes]).ravel()
    pose[rows] *= grown
    velocity = np.zeros_like(pose)
    velocity[rows, 0], velocity[rows, 1] = -speed * pose[rows, 1], speed * pose[rows, 0]
    settings = DynamicSettings(step=1e-3, spectral_radius=0.9)
    run = solve_dynamics(b.build(), pose, 0.3, settings, velocity)
    assert run.complete
    centres = [node.position for node in nodes]
    radii = np.linalg.norm(run.position[:, centres, :2], axis=2)
    assert radii == pytest.approx(radius * grown, rel=1e-5)
    assert np.all(run.position[:, 1:, 2] == 0.0)


def test_a_consistent_start_shares_the_load_by_the_consistent_mass():
    """M a = Q with M of all rows, and a body tied to a node moves with it."""
    b = ModelBuilder(LENGTH)
    nodes = add_shaft(b, "beam", (0, 0, 0), (LENGTH, 0, 0), 2, SECTION)
    wheel = b.body("wheel", 3.0, 1.0, (LENGTH, 0.0, 0.0))
    b.revolute(nodes[-1].position, wheel)
    b.force(wheel, (0.0, 1.0), constant(5.0))
    model = b.build()
    state, work = initial_state(model, b.pose()), workspace(model)
    assert start_consistently(model, state, 0.0, work) == 0
    mass = mass_matrices(model.mass, model.beams)
    force = mass[1] @ state.acceleration[:, 1]
    assert np.sum(force[[n.position for n in nodes]]) + force[wheel] == pytest.approx(5.0)
    lever = b.pose()[:, 0].copy()
    lever[wheel] = LENGTH
    assert lever @ force == pytest.approx(5.0 * LENGTH)
    tip = nodes[-1].position
    assert state.acceleration[tip, 1] == pytest.approx(state.acceleration[wheel, 1])
