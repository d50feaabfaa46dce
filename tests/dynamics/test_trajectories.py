"""Runs of plane and space answer the same questions."""

import numpy as np
import pytest
from joint_paths import joint, rigid_run

from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import DynamicSettings, solve_dynamics
from flank.dynamics.tables import GROUND
from flank.dynamics.trajectory import SpatialPose, joined, rates_between

TURN = 2 * np.pi


def wheel(angle=None, torque=None):
    builder = ModelBuilder(0.1)
    body = builder.body("wheel", 1.0, 0.5)
    builder.revolute(GROUND, body)
    shaft = builder.shaft(body, angle, torque)
    return shaft, solve_dynamics(
        builder.build(), builder.pose(), 1.0, DynamicSettings(0.01), stride=10
    )


def test_a_planar_shaft_under_a_torque_and_at_an_angle():
    shaft, run = wheel(torque=constant(3.0))
    assert run.speed(shaft) == pytest.approx(6.0 * run.time, rel=1e-6, abs=1e-9)
    assert run.angle(shaft, near=100.0) == pytest.approx(3.0 * run.time**2, rel=1e-3, abs=1e-4)
    assert run.torque(shaft) == pytest.approx(3.0)
    shaft, run = wheel(angle=linear(2.0))
    assert run.angle(shaft) == pytest.approx(2.0 * run.time)
    assert run.torque(shaft) == pytest.approx(0.0, abs=1e-6)
    free, run = wheel()
    assert run.torque(free) == pytest.approx(0.0)


def test_what_holds_an_angle_is_a_torque_in_the_positive_sense():
    builder = ModelBuilder(0.1)
    body = builder.body("wheel", 1.0, 0.5)
    builder.revolute(GROUND, body)
    builder.torque(body, constant(-4.0))
    shaft = builder.shaft(body, constant(0.0))
    run = solve_dynamics(builder.build(), builder.pose(), 0.1, DynamicSettings(0.01))
    assert run.torque(shaft) == pytest.approx(4.0)


@pytest.mark.parametrize("interval", [0.01, 0.31, 1.7])
def test_turns_in_space_are_counted_however_far_records_are_apart(interval):
    machine = joint()
    times = 0.4 + interval * np.arange(12)
    assembly, run = rigid_run(machine, times)
    angle = machine.speed * times
    for shaft in (assembly.input_shaft, assembly.output_shaft):
        found = run.angle(shaft, near=angle[0])
        assert found == pytest.approx(angle, abs=1e-9)
        assert np.abs(run.angle(shaft)[0]) <= np.pi + 1e-9
        assert run.speed(shaft) == pytest.approx(machine.speed, rel=1e-3)
    assert run.since(5).angle(assembly.input_shaft, near=angle[5])[0] == pytest.approx(angle[5])


def test_a_pose_to_go_on_from():
    assembly, run = rigid_run(joint(), np.linspace(0.0, 0.1, 5))
    assert isinstance(run.last, SpatialPose)
    assert run.pose(2).rotation.tolist() == run.rotation[2].tolist()
    ahead, here, behind = (
        joint().pose_under(joint().drive(), 0.05 + step) for step in (1e-6, 0.0, -1e-6)
    )
    rates = rates_between(behind, ahead, 2e-6)
    core = slice(1, assembly.cage + 1)
    assert rates[core] == pytest.approx(here.velocity[core], abs=1e-5)


def test_joined_runs_go_on_counting():
    _, run = rigid_run(joint(), np.linspace(0.0, 0.1, 5))
    run.ledger[:] = np.arange(5)[:, None]
    whole = joined([run, run.since(1), run.since(1)], [run])
    assert whole.ledger[:, 0].tolist() == list(range(13))
    assert whole.counters == run.counters
    assert len(whole.time) == 13
