"""Continuation in kernels, against a witness that recurses and copies models: the same bits."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from recursive_continuation import walk
from scipy.spatial.transform import Rotation

import flank
from flank.contact import Friction, PowerLaw
from flank.contact.spatial import SpatialSurface, Sphere, sphere_on_plane
from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant, linear, table
from flank.dynamics.run import StaticSettings, solve_statics
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.static_path import ITERATIONS_AT_ONCE
from flank.dynamics.trajectory import SpatialPose
from flank.machines.base import Drive

DRAWN = ("rv-320", "rv-paper", "few-teeth-38", "cycloidal-drive")


def drawn(preset, seed, factor):
    """A machine with errors of up to so many times their tolerance."""
    machine, generator = flank.preset(preset), np.random.default_rng(seed)
    spec, extra = machine.spec, {}
    for kind, index in spec.error_places.values():
        direction = spec.error_kinds[kind].direction
        limit = np.pi if direction else factor * spec.tolerance(kind)
        extra[kind, index] = float(generator.uniform(-limit, limit))
    return replace(machine, extra=extra)


def loaded(machine):
    """Under a torque that grows, and turns round on the way."""
    torque = machine.rated_torque
    course = [(0.0, 0.0), (0.3, torque), (0.7, -torque), (1.0, torque)]
    return machine.assemble(Drive.of_ends(constant(0.0), table(course)))


def compared(model, start, times, iterations, guesses=None):
    """The ways that were used, if kernels found what the witness found, bit for bit."""
    status, number, record, counted, ways = walk(
        model, start, times, guesses, iterations=iterations
    )
    kept = model.contacts.tobytes(), model.loads.tobytes()
    settings = StaticSettings(maximum_iterations=iterations)
    run = solve_statics(model, start, times, guesses, settings=settings)
    assert (int(run.status), len(run.time)) == (status, number)
    for name in record._fields:
        ours, theirs = getattr(run, name), getattr(record, name)[:number]
        for part in ours.dtype.names or [...]:
            ours_of, theirs_of = ours[part], theirs[part][tuple(map(slice, ours[part].shape))]
            np.testing.assert_array_equal(ours_of, theirs_of, err_msg=f"{name} {part}")
    names = ("newton_iterations", "rejected_steps", "contact_switches")
    assert tuple(run.counters[name] for name in names) == counted
    assert (model.contacts.tobytes(), model.loads.tobytes()) == kept
    return ways


def ways_of_drawn(presets, seeds):
    """With friction and without, with as many iterations as ever and with few: then the search
    fails where it would succeed, and every way is used."""
    ways = Counter()
    for preset in presets:
        for seed in seeds:
            machine = drawn(preset, seed, (3.0, 12.0)[seed % 2])
            rough = loaded(machine)
            for assembly in (rough, rough.frictionless()):
                for iterations in (9, 16):
                    times = np.linspace(0.0, 1.0, 11)
                    model, pose = assembly.planar, np.asarray(assembly.pose)
                    ways += compared(model, pose, times, iterations)
    return ways


def test_every_way_is_gone_as_the_witness_goes_it():
    """By machine after machine, up to the one that needs the way that was missing."""
    missing = {"halved", "passed by", "friction", "loads", "eased", "ramp", "later", "lost"}
    for seed in range(25):
        missing -= set(ways_of_drawn(("few-teeth-38", "rv-320"), (seed,)))
        missing -= set(first_under_load("rv-paper", seed))
        if not missing:
            break
    assert missing == set()


def first_under_load(preset, seed):
    """Without an equilibrium before."""
    machine = drawn(preset, seed, (3.0, 12.0)[seed % 2])
    drive = Drive.of_ends(constant(0.0), constant(machine.rated_torque))
    rough, ways = machine.assemble(drive), Counter()
    for assembly in (rough, rough.frictionless()):
        for iterations in (12, 16, 24):
            model, pose = assembly.planar, np.asarray(assembly.pose)
            ways += compared(model, pose, np.array([0.0, 1.0]), iterations)
    return ways


@pytest.mark.nightly
@pytest.mark.parametrize("preset", DRAWN)
def test_a_hundred_drawn_machines(preset):
    ways = ways_of_drawn((preset,), range(25))
    assert ways["halved"] > 0
    assert ways["passed by"] > 0


def test_bodies_in_space():
    """A quarter of a joint's turn: bodies turn as is guessed, or along the secant."""
    machine = flank.preset("cv-joint")
    angles = np.linspace(0.0, 0.5 * np.pi, 7)
    drive = replace(machine.drive(), angles={"outer": linear(1.0)})
    poses = [machine.pose_under(drive, angle) for angle in angles]
    model = machine.assemble(drive).spatial
    ways = Counter()
    for iterations in (6, 8, 10, 120):
        ways += compared(model, poses[0], angles, iterations, poses)
        ways += compared(model, poses[0], angles, iterations)
    assert set(ways) == {"lost", "halved", "passed by", "loads", "eased"}


def test_friction_in_space():
    """A block on a sphere, pressed on a plane and pushed to and fro along it."""
    builder, radius, turn = SpatialBuilder(0.02), 0.02, Rotation.from_rotvec((0.3, -0.5, 0.2))
    first, _, normal = turn.as_matrix().T
    block = builder.body("block", 1.0, (1e-3,) * 3, (radius - 1e-5) * normal, turn.as_matrix())
    builder.parallel(0, block, normal)
    builder.rotation(0, block, constant(0.0), normal)
    builder.force(block, -normal, table([(0.0, 1e3), (3.0, 1e6)]))
    builder.force(block, first, table([(0.0, 0.0), (1.0, 150.0), (2.0, -1e6), (3.0, 1e6)]))
    builder.bushing(0, block, (1e5, 1e5, 0.0))
    rough = Friction(0.2, form="elastic", tangential_ratio=0.8)
    surface = SpatialSurface(PowerLaw(1e8, 1.0), friction=rough)
    builder.contact(sphere_on_plane(0, (0, 0, 0), normal, Sphere(block, radius), surface))
    position, rotation = builder.pose()
    start = SpatialPose(position, rotation, np.zeros((len(position), 6)))
    ways = compared(builder.build(), start, np.linspace(0.0, 3.0, 7), 16)
    assert set(ways) == {"halved", "passed by"}


def test_a_search_that_takes_long_is_left_and_gone_on_with():
    """A torque that nothing holds, from t = 1 on, and much patience: who waits is told meanwhile,
    and nothing is lost or done twice."""
    builder, told = ModelBuilder(1.0), []
    rotor = builder.body("rotor", 1.0, 1.0, (0.0, 0.0, 0.3))
    builder.revolute(0, rotor)
    builder.torque(rotor, table([(1.0, 0.0), (2.0, 5.0)]))
    model, pose, times = builder.build(), builder.pose(), np.linspace(0.0, 3.0, 7)
    ways = compared(model, pose, times, 500)
    assert ways["passed by"] == 1
    settings = StaticSettings(maximum_iterations=500)
    run = solve_statics(model, pose, times, settings=settings, progress=told.append)
    assert len(run.time) == 3
    assert len(told) > run.counters["newton_iterations"] / (2 * ITERATIONS_AT_ONCE) > 2
    assert set(told) == {3 / 7}
