"""Gears with elastic bodies in the engine: gradients, tangents, momentum, energy, free motions."""

import math

import numpy as np
import pytest
from gear_models import gears, turned, two_gears
from scipy.linalg import eigh

from flank.contact.flexible_gear import GearModes, MeshShapes
from flank.contact.mesh_map import MeshMap
from flank.contact.tooth_pair import tooth_pair_row
from flank.dynamics.assembly import assemble
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.linearize import linearize, mass_matrix
from flank.dynamics.model import initial_state, workspace
from flank.dynamics.reading import spring_mesh_approaches, spring_mesh_forces
from flank.dynamics.run import DynamicSettings, solve_dynamics
from flank.elasticity.finite_elements.flank_modes import FlankModes
from flank.elasticity.material import STEEL
from flank.machines.gear_spec import MeshSpec
from flank.machines.meshed_pair import MeshedPair
from flank.machines.meshes import PlacedPair

INTERNAL = pytest.mark.parametrize("internal", [False, True])
WAVES = np.array([0, 1, 2, 3, 0, 0])
NUMBER = np.array([0, 1, 1, 2, 2, 3, 3, 4, 5])
SECOND = np.array([0, 0, 1, 0, 1, 0, 1, 0, 0])
STIFFNESS = 4e8


def made_up_modes(teeth, seed, damping=0.0):
    """Six modes, three of them pairs, that take a part of the gear's motion."""
    rng = np.random.default_rng(seed)
    coupling = rng.normal(size=(6, 2)) * [0.3, 0.006] + 1j * rng.normal(size=(6, 2)) * [0.3, 0.0]
    modes = FlankModes(
        harmonic=WAVES,
        frequency=np.array([1500.0, 2000.0, 1800.0, 2600.0, 4100.0, 5200.0]),
        amplitude=np.ones((6, 1), dtype=complex),
        other_amplitude=np.ones((6, 1), dtype=complex),
        centre=np.zeros((6, 2), dtype=complex),
        participation=coupling,
        gyroscopic=np.zeros(6),
        spin=np.zeros(6),
        roll=np.zeros(1),
        face=np.zeros(1),
        mass=1.0,
        polar_inertia=1e-3,
        transverse_inertia=1e-3,
        lever=0.1,
        teeth=teeth,
    )
    return GearModes(modes, NUMBER, SECOND, damping)


def even_map(pair):
    """A mesh that is as stiff everywhere: U = k δ²/2 as a cubic spline of 32 cells."""
    cells, deepest = 32, 0.4e-3
    knots = deepest * (np.clip(np.arange(-3, cells + 4), 0, cells) / cells) ** 2
    blossom = [
        (a * b + b * c + c * a) / 3
        for a, b, c in zip(knots[1:-3], knots[2:-2], knots[3:-1], strict=True)
    ]
    weights = 0.5 * STIFFNESS * np.array(blossom[: cells + 3])
    return MeshMap(np.tile(weights, (8, 1)), pair.path[0], 0.0, deepest)


def flexible_pair(internal, damping=0.0, seed=5):
    """A builder with two free gears, both elastic, their mesh, and its shapes."""
    pair = gears(internal)
    b, first, second = two_gears(pair)
    rng = np.random.default_rng(seed)
    places, sides = (first, second), []
    for name, place in zip(("first", "second"), places, strict=True):
        modes = made_up_modes(30, len(name), damping)
        row = b.gear_modes(name, place.body, modes)
        shapes = [0.4 * np.exp(2j * math.pi * rng.random(6))[NUMBER] for _ in range(2)]
        sides.append((row, MeshShapes(modes, *shapes)))
    number = b.tooth_pair(tooth_pair_row(pair, first, second), mesh_map=even_map(pair))
    for k, (row, shape) in enumerate(sides):
        b.mesh_modes(number, bool(k), row, shape.table(0.3, 0.1))
    meshed = MeshedPair(pair, (STEEL, STEEL), MeshSpec(), 1e3)
    angle = PlacedPair(b, meshed, first, second).centred_angle
    spring = b.mesh(
        first.body, second.body, 1.0, meshed.base_radii, pair.centre_distance, 20 * damping, angle,
        pair=number,
    )  # fmt: skip
    return b, pair, spring


def poses(b, pair, count):
    """Loaded on either flank, shifted, turned and bent."""
    rng = np.random.default_rng(2)
    for _ in range(count):
        pose = turned(pair, b.pose(), rng.uniform(-3, 3), rng.choice([-1, 1]) * 60e-6)
        pose[1:3, :2] += rng.normal(size=(2, 2)) * 10e-6
        for gear, first in ((1, 3), (2, 6)):
            rest = made_up_modes(30, 5 if gear == 1 else 6).at_rest(pose[gear])
            pose[first : first + 3] = rest + rng.normal(size=(3, 3)) * 3e-5
        yield pose


def test_the_even_map_is_a_spring():
    b, pair, spring = flexible_pair(internal=False)
    model, seen = b.build(), 0
    for pose in poses(b, pair, 6):
        depth = spring_mesh_approaches(model, np.array([spring]), pose[None])[0, 0]
        run = solve_dynamics(model, pose, 1e-9, DynamicSettings(1e-9))
        force = spring_mesh_forces(model, np.array([spring]), run)[0, 0].max()
        assert force == pytest.approx(STIFFNESS * depth, rel=1e-6)
        seen += force > 1e3
    assert seen > 3


@INTERNAL
def test_forces_are_the_gradient_of_the_energy_and_tangents_theirs(internal):
    b, pair, _ = flexible_pair(internal)
    model = b.build()
    state, work = initial_state(model, b.pose()), workspace(model)
    still, count = np.zeros_like(b.pose()), 3 * model.core_count
    weights = model.weights[1:].ravel()

    def at(pose):
        energy, _ = assemble(model, state, pose, still, 0.0, work, 0.0, 1.0, 1.0)
        return energy, work.force[1:].ravel().copy(), work.core[:count, :count].copy()

    for pose in poses(b, pair, 6):
        _, force, tangent = at(pose)
        for k in range(count):
            step = np.zeros_like(pose)
            step[1 + k // 3, k % 3] = 1e-7 / weights[k]
            (ahead, before), scale = [at(pose + step), at(pose - step)], 2e-7 / weights[k]
            slope = -(ahead[0] - before[0]) / scale
            assert slope == pytest.approx(force[k], abs=1e-6 * np.abs(force / weights).max())
            column = -(ahead[1] - before[1]) / scale / weights
            off = np.abs(column - tangent[:, k] / weights)
            assert off.max() < 1e-6 * np.abs(tangent[:, k] / weights).max() + 1e-2


@INTERNAL
def test_moving_all_of_it_does_no_work(internal):
    """Momentum and angular momentum: modes with one wave are masses of space, at n = 0 inertias."""
    b, pair, _ = flexible_pair(internal)
    model = b.build()
    state, work = initial_state(model, b.pose()), workspace(model)
    coupling = [made_up_modes(30, seed).coupling for seed in (5, 6)]
    for pose in poses(b, pair, 6):
        assemble(model, state, pose, np.zeros_like(pose), 0.0, work, 0.0, 1.0, 1.0)
        largest = np.abs(work.force[:3, :2]).max()
        for axis in (0, 1):
            moved = np.zeros_like(pose)
            moved[1:3, axis] = 1.0
            moved[3:] = np.concatenate([p[:, axis] for p in coupling]).reshape(-1, 3)
            assert abs(np.sum(work.force * moved)) < 1e-9 * largest
        turn = np.zeros_like(pose)
        turn[1:3] = np.column_stack((-pose[1:3, 1], pose[1:3, 0], np.ones(2)))
        turn[3:] = np.concatenate([p[:, 2] for p in coupling]).reshape(-1, 3)
        for first in (3, 6):  # the pair of one wave is x - iy of space
            shape = pose[first, 1] - 1j * pose[first, 2]
            turned_shape = -1j * shape
            turn[first, 1:] = turned_shape.real, -turned_shape.imag
        assert abs(np.sum(work.force * turn)) < 1e-9 * largest


def test_energy_stays_while_gears_rattle():
    b, pair, spring = flexible_pair(internal=False)
    for body in (1, 2):
        b.revolute(0, body, b.placed(body, (0.0, 0.0)))
    model = b.build()
    pose = turned(pair, b.pose(), 0.0, 40e-6)
    for gear, first in ((1, 3), (2, 6)):
        pose[first : first + 3] = made_up_modes(30, 4 + gear).at_rest(pose[gear])
    run = solve_dynamics(model, pose, 4e-3, DynamicSettings(2e-7, "trapezoid"), stride=200)
    assert run.complete
    force = spring_mesh_forces(model, np.array([spring]), run)[:, 0]
    assert (force.sum(axis=1) == 0).any()
    assert (force[:, 0] > 0).any()
    state, work = initial_state(model, pose), workspace(model)
    total = []
    for place, speed in zip(run.position, run.velocity, strict=True):
        stored = assemble(model, state, place, speed, 0.0, work, 0.0, 1.0, 1.0)[0]
        total.append(stored + 0.5 * np.sum(model.mass * speed**2))
    assert np.ptp(total) < 1e-3 * total[0]


def test_free_motions_are_those_of_coupled_masses():
    """A gear that turns and shifts freely: [J p; p 1] with the modes' stiffness."""
    b = ModelBuilder(0.1)
    body = b.body("gear", 3.0, 2e-3)
    modes = made_up_modes(30, 8)
    b.gear_modes("gear", body, modes)
    model = b.build()
    at = linearize(model, b.pose())
    frequencies = eigh(at.stiffness, mass_matrix(model), eigvals_only=True)
    mass, stiffness = np.eye(12), np.zeros((12, 12))
    mass[:3, :3] = np.diag([3.0, 3.0, 2e-3])
    mass[:3, 3:], mass[3:, :3] = modes.coupling.T, modes.coupling
    stiffness[3:, 3:] = np.diag(modes.frequency**2)
    expected = eigh(stiffness, mass, eigvals_only=True)
    assert frequencies[3:] == pytest.approx(expected[3:], rel=1e-9)
    assert np.abs(frequencies[:3]).max() < 1e-6 * expected[3]


def test_what_modes_cannot_do_is_refused():
    b = ModelBuilder(0.1)
    light = b.body("light", 1e-3, 1e-7)
    with pytest.raises(ValueError, match="move more than its mass and inertia"):
        b.gear_modes("light", light, made_up_modes(30, 8))
    leaf = b.body("leaf", 3.0, 2e-3, leaf=True)
    with pytest.raises(ValueError, match="a leaf body cannot carry modes"):
        b.gear_modes("leaf", leaf, made_up_modes(30, 8))
