"""States of contacts along a run: what was recorded, closed forms, and rates by differences."""

from dataclasses import replace

import numpy as np
import pytest

import flank
from flank.analyses.runs import ideal_velocity
from flank.contact.friction import sliding_share
from flank.contact.table import FRICTION_SMOOTH
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import settings_for, solve_dynamics, solve_statics
from flank.dynamics.trajectory import Trajectory
from flank.engine import (
    GROUND,
    STEEL,
    ContactStates,
    Cylinder,
    Disc,
    Friction,
    ModelBuilder,
    PowerLaw,
    SpatialBuilder,
    SpatialPose,
    SpatialSurface,
    Sphere,
    Surface,
    circle_pair,
    line_law,
    sphere_on_plane,
)
from flank.machines.base import Drive


def short_run(name, speed=10.0):
    machine = flank.preset(name)
    drive = Drive.of_ends(linear(speed), constant(0.5 * machine.load_torque), in_time=True)
    assembly = machine.assemble(drive)
    motion = speed * ideal_velocity(machine, 0.0)
    settings = settings_for(assembly.model, 5e-5)
    pose = machine.ideal_pose(0.0)
    return assembly, solve_dynamics(assembly.model, pose, 1e-3, settings, motion, stride=1)


@pytest.mark.parametrize("name", ["cycloidal-drive", "few-teeth-60", "rv-320"])
def test_closed_contacts_are_where_the_run_recorded_them(name):
    assembly, run = short_run(name)
    states = ContactStates(assembly.model, run)
    for group in assembly.groups.values():
        rows, closed = states.of(group), run.force(group) > 0
        assert closed.any()
        for field, axis in (("x", 0), ("y", 1)):
            ours, recorded = rows["point"][..., axis], run.reading(group, field)
            np.testing.assert_allclose(ours[closed], recorded[closed], atol=1e-13)
        gaps = run.reading(group, "gap")
        np.testing.assert_allclose(rows["gap"][closed], gaps[closed], atol=1e-15)
        open_ones = rows["gap"][~closed & np.isfinite(rows["gap"])]
        assert open_ones.min(initial=0.0) >= -1e-15
        np.testing.assert_array_equal(states.pressure(group), run.pressure(group))


@pytest.mark.parametrize("name", ["cycloidal-drive", "few-teeth-60", "rv-320"])
def test_rates_of_all_gaps_are_their_differences(name):
    """Open and closed, pins, teeth, rollers in their cages: the pose moved along the velocities."""
    assembly, run = short_run(name)
    step, row = 1e-7, 15
    motion = run.velocity[row]
    moved = np.stack([run.position[row] + share * step * motion for share in (-1, 0, 1)])
    three = replace(
        run.since(row), position=moved, velocity=np.stack([motion] * 3), time=np.zeros(3)
    )
    three = replace(three, contact_results=run.contact_results[row : row + 3])
    states = ContactStates(assembly.model, three)
    for group in assembly.groups.values():
        rows = states.of(group)
        differences = (rows["gap"][2] - rows["gap"][0]) / (2 * step)
        there = np.isfinite(differences)
        size = np.abs(rows["gap_rate"][1][there]).max()
        np.testing.assert_allclose(
            rows["gap_rate"][1][there], differences[there], atol=1e-5 * size + 1e-8
        )


def test_two_rolling_circles_slide_by_their_surface_speeds():
    """A disc pressed on another that turns: v_t = ω_1 r_1 + ω_2 r_2, friction against it."""
    cylinder = Cylinder(0.02, STEEL)
    law = line_law(cylinder, cylinder, 0.01)
    builder = ModelBuilder(length_scale=0.02)
    first = builder.body("first", mass=0.1, inertia=2e-5, pose=(0.0, 0.0, 0.0))
    second = builder.body("second", mass=0.1, inertia=2e-5, pose=(0.04 - 5e-6, 0.0, 0.0))
    for body, place in ((first, (0.0, 0.0)), (second, (0.04 - 5e-6, 0.0))):
        builder.revolute(GROUND, body, at_a=place)
    surface = Surface(law, 0.0, Friction(0.1, form="smooth", velocity=1e-3))
    builder.contact(circle_pair(Disc(first, 0, 0, 0.02), Disc(second, 0, 0, 0.02), surface))
    motion = np.zeros((3, 3))
    motion[first, 2], motion[second, 2] = 3.0, -1.0
    model = builder.build()
    run = solve_dynamics(model, builder.pose(), 1e-6, settings_for(model, 1e-6), motion, stride=1)
    row = ContactStates(model, run).contacts(np.array([0]))[0, 0]
    speed = -(3.0 - 1.0) * 0.02  # of the second over the first along t = ẑ x n, n along x
    assert row["sliding_speed"] == pytest.approx(speed, rel=2e-4)
    share = sliding_share(FRICTION_SMOOTH, row["sliding_speed"], 1e-3)[0]
    assert row["friction_force"] == pytest.approx(-0.1 * row["normal_force"] * share, rel=1e-9)
    assert row["gap"] == pytest.approx(-5e-6, rel=1e-9)
    assert row["gap_rate"] == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(row["normal"], [1.0, 0.0, 0.0], atol=1e-15)


def test_velocities_may_be_given_for_a_path_of_equilibria():
    """Teeth of a pair at the ideal speed slide by Δω times the way from the pitch point."""
    machine = flank.preset("few-teeth-60")
    assembly = machine.assemble(Drive.of_ends(constant(0.0), constant(machine.load_torque)))
    path = solve_statics(assembly.model, machine.ideal_pose(0.0), np.zeros(1))
    group = assembly.groups["tooth"]
    still = ContactStates(assembly.model, path).of(group)
    assert np.nanmax(np.abs(still["sliding_speed"])) == 0.0
    motion = machine.input_speed * ideal_velocity(machine, 0.0)
    rows = ContactStates(assembly.model, path, motion[None]).of(group)
    contact = assembly.model.contacts[group.contacts[0, 0, 0]]
    pair = assembly.model.gears.rows[contact["tooth_pair"]]
    turning = motion[contact["body_a"], 2] - motion[contact["body_b"], 2]
    at_pitch = pair["a_base_radius"] * np.tan(machine.pair(0).working_angle)
    between = (pair["b_base_radius"] - pair["a_base_radius"]) * np.tan(
        machine.pair(0).working_angle
    )
    apart = rows["second_parameter"][0, 0] - rows["parameter"][0, 0]
    on_line = np.abs(apart - between) < 0.02 * between  # not at a tip's edge
    closed = (rows["normal_force"][0, 0] > 0) & on_line
    assert closed.any()
    away = rows["parameter"][0, 0][closed] - at_pitch
    expected = np.abs(turning * away)
    np.testing.assert_allclose(np.abs(rows["sliding_speed"][0, 0][closed]), expected, rtol=0.02)


def test_teeth_that_meet_keep_their_numbers_together():
    """As one tooth moves on, so does its mate; numbers stay within the counts of teeth."""
    assembly, run = short_run("few-teeth-60")
    rows = ContactStates(assembly.model, run).of(assembly.groups["tooth"])
    closed = rows["normal_force"] > 0
    first, second = rows["first_tooth"][closed], rows["second_tooth"][closed]
    assert set(np.unique(first)) <= set(range(60))
    assert set(np.unique(second)) <= set(range(62))


def test_sphere_on_a_plane_in_space():
    builder = SpatialBuilder(length_scale=0.01)
    ball = builder.body("ball", 0.1, np.eye(3) * 4e-6, position=(0.0, 0.0, 0.0101))
    law = PowerLaw(1e9, 1.5)
    builder.contact(
        sphere_on_plane(GROUND, (0, 0, 0), (0, 0, 1), Sphere(ball, 0.01), SpatialSurface(law))
    )
    model = builder.build()
    motion = np.zeros((2, 6))
    motion[ball] = (0.3, 0.4, -0.2, 0.0, 0.0, 5.0)
    pose = SpatialPose(*builder.pose(), motion)
    run = solve_dynamics(model, pose, 1e-6, settings_for(model, 1e-6), stride=1)
    row = ContactStates(model, run).contacts(np.array([0]))[0, 0]
    assert row["gap"] == pytest.approx(1e-4)
    assert abs(row["gap_rate"]) == pytest.approx(0.2)
    assert row["sliding_speed"] == pytest.approx(0.5)
    assert row["normal_force"] == 0.0


def test_trajectory_without_records_has_no_states():
    assembly, run = short_run("cycloidal-drive")
    assert isinstance(run, Trajectory)
    rows = ContactStates(assembly.model, run.since(len(run.time))).of(assembly.groups["pin"])
    assert rows.shape == (0, 2, 40)
