"""Meshes as springs, tables and constraints: exact kinematics, gradients, tangents, reading."""

import math

import numpy as np
import pytest
from beam_influence import beam_loading
from gear_models import gears, turned, two_gears

from flank.contact.mesh_map import mesh_map
from flank.contact.tooth_pair import RollTable, tooth_pair_row
from flank.dynamics.assembly import assemble
from flank.dynamics.functions import constant
from flank.dynamics.model import initial_state, workspace
from flank.dynamics.run import DynamicSettings, solve_dynamics
from flank.elasticity.material import STEEL
from flank.machines.gear_spec import MeshSpec
from flank.machines.meshed_pair import MeshedPair
from flank.machines.meshes import PlacedPair

INTERNAL = pytest.mark.parametrize("internal", [False, True])
STIFFNESS = 5e8


def meshed_builder(internal, rung, centre=(1e-4, 2e-4), damping=0.0):
    """A builder, its pair, and the number of the mesh's spring or multiplier."""
    pair = gears(internal)
    b, first, second = two_gears(pair, centre)
    meshed = MeshedPair(pair, (STEEL, STEEL), MeshSpec(), 1e3)
    radii, distance = meshed.base_radii, pair.centre_distance
    if rung == "rigid":
        return b, pair, b.tooth_joint(first.body, second.body, radii, 1, centre)
    number, flank = -1, 0
    factor = STIFFNESS
    angle = PlacedPair(b, meshed, first, second).centred_angle
    if rung == "held":
        flank = 1
    if rung == "table":
        start, end = pair.path
        rolls = np.linspace(start - 3e-3, end + 3e-3, 300)
        stiffness = 1 - 0.3 * ((rolls - 0.5 * (start + end)) / (end - start)) ** 2
        apart = 5 * (np.maximum(start - rolls, 0) ** 2 + np.maximum(rolls - end, 0) ** 2)
        step = float(rolls[1] - rolls[0])
        tables = [RollTable(float(rolls[0]), step, tuple(v.tolist())) for v in (stiffness, apart)]
        number = b.tooth_pair(tooth_pair_row(pair, first, second), pairs=(tables[0], tables[1]))
    if rung == "map":
        factor, row = 1.0, tooth_pair_row(pair, first, second)
        number = b.tooth_pair(row, mesh_map=mesh_map(beam_loading(pair), 64, 32))
    spring = b.mesh(
        first.body,
        second.body,
        factor,
        radii,
        distance,
        damping,
        angle,
        0.0,
        centre,
        flank=flank,
        pair=number,
    )
    return b, pair, spring


def poses(pair, start, count, seed=1):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        pose = turned(pair, start, rng.uniform(-5, 5), rng.choice([-1, 1]) * 60e-6)
        pose[1:, :2] += rng.normal(size=(2, 2)) * 10e-6
        yield pose


@INTERNAL
@pytest.mark.parametrize("rung", ["spring", "held", "table", "map"])
def test_force_is_the_gradient_of_the_energy(internal, rung):
    b, pair, _ = meshed_builder(internal, rung)
    model = b.build()
    state, work = initial_state(model, b.pose()), workspace(model)
    still = np.zeros_like(b.pose())

    def energy(pose):
        return assemble(model, state, pose, still, 0.0, work, 0.0, 1.0, 1.0)[0]

    loaded = 0
    for pose in poses(pair, b.pose(), 12):
        energy(pose)
        force = work.force.copy()
        largest = np.abs(force).max()
        loaded += largest > 0
        for body in (1, 2):
            for i in range(3):
                step = np.zeros_like(pose)
                step[body, i] = 2e-8
                slope = -(energy(pose + step) - energy(pose - step)) / 4e-8
                assert slope == pytest.approx(force[body, i], abs=1e-6 * largest + 1e-6)
    assert loaded > 6


@INTERNAL
@pytest.mark.parametrize(
    ("rung", "tolerance"),
    [("spring", 1e-4), ("held", 1e-4), ("table", 0.15), ("map", 0.03), ("rigid", 1e-3)],
)
def test_tangent_is_the_derivative_of_the_force(internal, rung, tolerance, tangents_of):
    """How arms of a run-out turn is left out, and how a table's roll length curves."""
    b, pair, _ = meshed_builder(internal, rung, damping=1e3 if rung != "rigid" else 0.0)
    model, rng = b.build(), np.random.default_rng(4)
    for pose in poses(pair, b.pose(), 10):
        speed = np.zeros_like(pose)
        speed[1:] = rng.normal(size=(2, 3)) * 1e-3
        multipliers = np.array([1e4]) if rung == "rigid" else None
        k, d, _, k_difference, d_difference = tangents_of(
            model, pose, speed, multipliers=multipliers, eps=1e-8
        )
        assert np.abs(k - k_difference).max() <= tolerance * np.abs(k_difference).max()
        assert np.abs(d - d_difference).max() <= 1e-4 * max(np.abs(d_difference).max(), 1.0)


@INTERNAL
def test_gap_is_that_of_the_geometry(internal):
    """The spring's gap on both flanks equals GearPair.gap of the nearest teeth."""
    pair = gears(internal, thickness_deviation=-40e-6)
    b, first, second = two_gears(pair)
    meshed = MeshedPair(pair, (STEEL, STEEL), MeshSpec(), 1e3)
    angle = PlacedPair(b, meshed, first, second).centred_angle
    spring = b.mesh(
        first.body,
        second.body,
        1.0,
        meshed.base_radii,
        pair.centre_distance,
        0.0,
        angle,
        pair.normal_backlash,
    )
    assert spring == 0
    model = b.build()
    state, work = initial_state(model, b.pose()), workspace(model)
    deep = pair.normal_backlash
    for closer in (0.8 * deep, -0.7 * deep):
        pose = turned(pair, b.pose(), 0.37, closer)
        still = np.zeros_like(pose)
        energy, _ = assemble(model, state, pose, still, 0.0, work, 0.0, 1.0, 1.0)
        flank = 1 if closer > 0 else -1
        teeth = [pose[i, 2] + place.tooth_angle for i, place in ((1, first), (2, second))]
        gap = pair.gap(flank, *teeth)
        gap = math.remainder(gap - 0.5 * deep, pair.base_pitch) + 0.5 * deep
        assert gap < 0
        assert energy == pytest.approx(0.5 * gap**2, rel=1e-9)


@INTERNAL
def test_rigid_teeth_turn_as_the_tooth_numbers_say_and_carry_the_torque(internal):
    """About fixed centres the ratio is exact and the force is torque over base radius."""
    pair = gears(internal)
    b, first, second = two_gears(pair)
    b.revolute(0, first.body)
    b.revolute(0, second.body, b.placed(second.body, (0.0, 0.0)))
    radii = (pair.first.base_radius, pair.sign * pair.second.base_radius)
    multiplier = b.tooth_joint(first.body, second.body, radii, 1)
    b.torque(first.body, constant(3.0))
    run = solve_dynamics(b.build(), b.pose(), 0.02, DynamicSettings(1e-4))
    assert run.complete
    turns = run.position[-1, :, 2]
    assert turns[1] / turns[2] == pytest.approx(pair.signed_ratio, rel=1e-9)
    inertia = 1e-3 * (1 + 1 / pair.signed_ratio**2)
    assert turns[1] == pytest.approx(0.5 * 3.0 / inertia * 0.02**2, rel=1e-6)
    expected = 1e-3 * 3.0 / inertia / pair.signed_ratio / pair.second.base_radius
    assert -run.multipliers[-1, multiplier] == pytest.approx(abs(expected), rel=1e-6)


def test_rigid_meshes_that_share_a_multiplier_carry_the_same_force():
    """A pinion between two wheels: three gears, two meshes, one degree of freedom left to each."""
    pair = gears(False)
    b, first, second = two_gears(pair)
    third = b.body("third", 1.0, 1e-3, (-pair.centre_distance, 0.0, 0.0))
    for body in (first.body, second.body, third):
        b.revolute(0, body, b.placed(body, (0.0, 0.0)))
    radii = (pair.first.base_radius, pair.second.base_radius)
    multiplier = b.tooth_joint(first.body, second.body, radii, 1)
    assert b.tooth_joint(first.body, third, radii, 1, shared=multiplier) == multiplier
    b.torque(first.body, constant(3.0))
    model = b.build()
    run = solve_dynamics(model, b.pose(), 0.01, DynamicSettings(1e-4))
    assert run.complete
    assert run.position[-1, 2, 2] == pytest.approx(run.position[-1, 3, 2], rel=1e-9)
    ratio = pair.signed_ratio
    inertia = 1e-3 * (1 + 2 / ratio**2)
    assert run.position[-1, 1, 2] == pytest.approx(0.5 * 3.0 / inertia * 0.01**2, rel=1e-6)
