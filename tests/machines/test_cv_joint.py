"""The ball joint as a model: its parts, the rigid joint's motion, and equilibria without friction
against closed forms and figures computed independently."""

import math
from dataclasses import replace

import numpy as np
import pytest

import flank
from flank.dynamics.functions import constant, function_value, linear
from flank.dynamics.packing import pack_functions
from flank.dynamics.run import solve_statics
from flank.dynamics.spatial.quaternions import matrix_of
from flank.machines.cv_joint.figures import cage_force, secondary_torque, track_force

DEGREE = math.pi / 180
STRAIGHT = {"operation.deflection": 0}


def equilibrium(changes=None, rotation=0.0):
    """Joint, assembly and the equilibrium at one rotation, from the rigid joint there."""
    joint = flank.preset("cv-joint-marter", changes)
    assembly = joint.assemble(replace(joint.drive(), angles={"outer": constant(rotation)}))
    found = solve_statics(assembly.model, assembly.start, np.zeros(1))
    assert found.complete
    return joint, assembly, found


def forces(assembly, found, rows):
    """Normal forces at the first time."""
    return found.contact_results["normal_force"][0][getattr(assembly, rows)]


def value(function, time):
    rows, data = pack_functions([function])
    return function_value(rows[0], data, time)


def test_parts_of_the_model():
    joint = flank.preset("cv-joint", {"balls.count": 6})
    assembly = joint.assemble(joint.drive())
    contacts = assembly.model.contacts
    assert assembly.body_names[:5] == ("ground", "outer race", "inner race", "housing", "cage")
    assert len(assembly.body_names) == 11
    assert assembly.tracks.shape == (6, 2, 2)
    assert assembly.windows.shape == (6, 2)
    for race, body in enumerate((assembly.outer, assembly.inner)):
        assert (contacts["body_a"][assembly.tracks[:, race]] == body).all()
    assert (contacts["body_b"][assembly.tracks] == assembly.balls[:, None, None]).all()
    assert contacts["side"][assembly.tracks[0, 0]].tolist() == [1.0, -1.0]
    assert (contacts["origin"][assembly.windows[:, 0], 2] == 8.731e-3).all()
    assert assembly.model.core_count == 4
    assert assembly.model.mass[1:5] == pytest.approx([0.85, 0.24, 1.0, 0.11])


def test_the_rigid_joint_touches_everywhere_without_force():
    """All gaps of the start are zero, at any rotation and deflection, for either section."""
    for section in ("gothic-arch", "elliptical"):
        changes = {
            "operation.torque": 0,
            "operation.deflection": "10 deg",
            "tracks.section": section,
        }
        _, assembly, found = equilibrium(changes, rotation=0.7)
        assert np.abs(found.contact_results["gap"]).max() < 1e-14
        assert np.abs(found.position[0] - assembly.start.position).max() < 1e-14


def test_ideal_motion_is_the_derivative_of_the_ideal_pose():
    """Positions of all bodies and rotations of races and cage, with everything moving at once."""
    joint = flank.preset(
        "cv-joint",
        {
            "operation.ramp": {"start": "1 deg", "duration": 0.2},
            "operation.deflection": "8 deg",
            "operation.plunge": {
                "kind": "prescribed",
                "at": "1 mm",
                "amplitude": "2 mm",
                "frequency": "3 Hz",
            },
        },
    )
    drive, time, eps = joint.drive(), 0.13, 1e-6
    before, here, after = (joint.pose_under(drive, time + s * eps) for s in (-1, 0, 1))
    velocity = (after.position - before.position) / (2 * eps)
    assert here.velocity[:, :3] == pytest.approx(velocity, abs=1e-7)
    turning = (matrix_of(after.rotation) - matrix_of(before.rotation)) / (2 * eps)
    spin = turning @ np.swapaxes(matrix_of(here.rotation), 1, 2)
    found = np.stack([spin[:, 2, 1], spin[:, 0, 2], spin[:, 1, 0]], axis=-1)
    assert here.velocity[:5, 3:] == pytest.approx(found[:5], abs=1e-6)  # balls roll besides


def test_balls_of_the_straight_joint_turn_with_it():
    joint = flank.preset("cv-joint", STRAIGHT)
    pose = joint.pose_under(joint.drive(), 0.1)
    assert pose.velocity[5:, 3:] == pytest.approx(np.tile([0, 0, joint.speed], (8, 1)), abs=1e-12)


@pytest.mark.parametrize("torque", [2000.0, -2000.0])
def test_balls_slide_and_drill_least(torque):
    """At the contacts that statics loads, any other spin of a ball slides and drills more."""
    joint, assembly, found = equilibrium({"operation.torque": torque}, rotation=0.4)
    drive = replace(joint.drive(), angles={"outer": linear(joint.speed, 0.4)})
    pose = joint.pose_under(drive, 0.0)
    arm = joint.contacts.hertz_arm(joint.contacts.outer_track)
    arm *= track_force(joint.spec, torque) ** (1 / 3)
    contact_results = found.contact_results[0]

    def loss(ball, spin):
        centre, velocity = pose.position[ball], pose.velocity[ball, :3]
        total = 0.0
        for race, body in enumerate((assembly.outer, assembly.inner)):
            rows = assembly.tracks[ball - assembly.balls[0], race]
            loaded = rows[contact_results["normal_force"][rows].argmax()]
            u = -contact_results["normal"][loaded]
            turning = pose.velocity[body, 3:]
            point = centre + joint.spec.ball_radius * u
            slide = velocity + np.cross(spin, point - centre) - np.cross(turning, point)
            slide -= (slide @ u) * u
            total += slide @ slide + (arm * (spin - turning) @ u) ** 2
        return total

    for ball in assembly.balls[:2]:
        spin = pose.velocity[ball, 3:]
        least = loss(ball, spin)
        for direction in np.vstack([np.eye(3), -np.eye(3)]):
            assert loss(ball, spin + 0.1 * direction) > least
        assert least < 0.5 * loss(ball, pose.velocity[assembly.cage, 3:])


def test_drive_of_the_operating_point():
    joint = flank.preset("cv-joint", {"operation.ramp": {"start": "1 deg", "duration": "0.2 s"}})
    drive = joint.drive()
    assert value(drive.angles["outer"], 1.0)[0] == pytest.approx(10 * math.pi)
    assert value(drive.torques["inner"], 1.0)[0] == -2000.0
    assert value(drive.deflection, 0.0)[0] == pytest.approx(DEGREE)
    assert value(drive.deflection, 0.1)[0] == pytest.approx(1.5 * DEGREE)
    assert value(drive.deflection, 0.3)[0] == pytest.approx(2 * DEGREE)
    assert drive.plunge == constant(0.0)
    free = flank.preset("cv-joint", {"operation.plunge": {"kind": "free", "shaft_mass": "2 kg"}})
    assembly = free.assemble(free.drive())
    assert (free.drive().plunge, assembly.plunge) == (None, -1)
    assert assembly.model.mass[assembly.inner] == pytest.approx(2.24)


@pytest.mark.parametrize(
    ("torque", "ratio", "cage"), [(2000.0, 0.9918, 1187.8), (-2000.0, 1.0101, 3516.9)]
)
def test_forces_of_the_straight_joint(torque, ratio, cage):
    """Of one flank a track, the other one lifts; the cage force depends on the torque's sign."""
    joint, assembly, found = equilibrium(STRAIGHT | {"operation.torque": torque})
    tracks = forces(assembly, found, "tracks") / track_force(joint.spec, torque)
    loaded = 1 if torque > 0 else 0
    assert tracks[:, :, loaded] == pytest.approx(ratio, abs=1e-4)
    assert (tracks[:, :, 1 - loaded] == 0).all()
    windows = forces(assembly, found, "windows")
    # Neighbours press against opposite sides.
    assert windows.max(axis=1) == pytest.approx(cage, abs=0.05)
    assert (windows > 0).sum(axis=0).tolist() == [4, 4]
    assert windows.max() == pytest.approx(cage_force(joint.spec, torque), rel=0.01)


@pytest.mark.parametrize(("stiffness", "ratio"), [("6e12 N/m^1.5", 0.992), ("3e11 N/m^1.5", 0.949)])
def test_track_force_over_its_closed_form(stiffness, ratio):
    """Soft contacts open the contact angle."""
    joint, assembly, found = equilibrium(STRAIGHT | {"contact.stiffness": stiffness})
    tracks = forces(assembly, found, "tracks")[:, :, 1]
    assert tracks / track_force(joint.spec, 2000.0) == pytest.approx(ratio, abs=6e-4)


@pytest.mark.parametrize(("torque", "cage"), [(50, 0.0), (200, 66.29), (500, 292.4)])
def test_cage_force_begins_at_a_limit_torque(torque, cage):
    """With 5 µm on each side of the balls."""
    changes = {"operation.torque": torque, "cage.window_clearance": "10 um"}
    _, assembly, found = equilibrium(STRAIGHT | changes)
    assert forces(assembly, found, "windows").max() == pytest.approx(cage, abs=0.05)


def test_deflected_joint():
    """Cage angle, secondary torque on both shafts, and their balance."""
    joint, assembly, found = equilibrium(rotation=0.2)
    axis = matrix_of(found.rotation[0, assembly.cage])[:, 2]
    assert math.degrees(math.atan2(axis[0], axis[2])) == pytest.approx(1.0085, abs=1e-4)
    contact_results = found.contact_results[0][assembly.tracks]
    force = -contact_results["normal_force"][..., None] * contact_results["normal"]
    torque = np.cross(contact_results["point"], force).sum(axis=(0, 2))
    outer, inner = torque
    assert outer == pytest.approx(-inner, abs=1e-4)
    assert outer[2] == pytest.approx(-2000.0, abs=1e-3)
    assert math.hypot(*outer[:2]) == pytest.approx(34.911, abs=1e-3)
    assert math.hypot(*outer[:2]) == pytest.approx(
        secondary_torque(2000.0, joint.deflection), rel=1e-4
    )
    assert found.torque(assembly.input_shaft)[0] == pytest.approx(2000.0, abs=1e-5)


def test_axial_force_has_the_orders_of_the_joint():
    """After a pitch the joint is its own mirror image: orders 4, 12, ... and no others."""
    joint = flank.preset("cv-joint-marter")
    drive = replace(joint.drive(), angles={"outer": linear(1.0)})
    assembly = joint.assemble(drive)
    times = np.arange(32) / 32 * math.pi / 2
    guesses = [joint.pose_under(drive, time) for time in times]
    found = solve_statics(assembly.model, assembly.start, times, guesses=guesses)
    assert found.complete
    order = np.abs(np.fft.rfft(found.multipliers[:, assembly.plunge])) * 2 / 32
    assert order[1] == pytest.approx(2.404, abs=1e-3)  # the fourth of a turn
    assert order[3] == pytest.approx(3.33e-6, rel=0.05)
    assert max(order[0], order[2], order[4]) < 1e-7


def test_six_balls_have_no_axial_force():
    """Half a turn and a pitch are two double pitches: the force is its own opposite."""
    for rotation in (0.1, 0.5):
        _, assembly, found = equilibrium({"balls.count": 6}, rotation)
        assert abs(found.multipliers[0, assembly.plunge]) < 1e-7


def test_a_joint_seen_in_a_mirror():
    """In the plane of both shafts: skew, torque and rotation change sign, inclinations stay."""
    rotation = 0.3
    _, assembly, found = equilibrium({"operation.deflection": "5 deg"}, rotation)
    mirrored = {
        "operation.deflection": "5 deg",
        "operation.torque": "-2000 N*m",
        "outer.skew": "-8 deg",
    }
    _, other, image = equilibrium(mirrored, -rotation)
    balls = -np.arange(8) % 8
    tracks, windows = forces(assembly, found, "tracks"), forces(assembly, found, "windows")
    assert forces(other, image, "tracks")[balls][:, :, ::-1] == pytest.approx(tracks, rel=1e-6)
    assert forces(other, image, "windows")[balls] == pytest.approx(windows, rel=1e-6, abs=1e-4)
    seen = image.position[0, other.balls][balls] * [1, -1, 1]
    assert seen == pytest.approx(found.position[0, assembly.balls], abs=1e-12)


def test_guides_hold_a_cage_with_offset_windows():
    """Windows off the cage's middle shift it until its inner face meets the inner race."""
    free = {"cage.window_offset": "100 um"}
    guided = free | {"cage.inner_guide": {"radius": "27 mm", "clearance": "60 um"}}
    _, assembly, found = equilibrium(STRAIGHT | free)
    assert found.position[0, assembly.cage, 2] == pytest.approx(-100e-6, abs=1e-9)
    _, assembly, found = equilibrium(STRAIGHT | guided)
    assert -100e-6 < found.position[0, assembly.cage, 2] < -60e-6
    (guide,) = assembly.guides
    windows = forces(assembly, found, "windows").sum(axis=0)
    assert found.contact_results["normal_force"][0, guide] == pytest.approx(
        abs(windows[0] - windows[1])
    )
    assert found.contact_results["gap"][0, guide] < 0


def test_a_bore_centres_the_cage():
    """Pushed aside by nothing, a cage guided in the outer race stays in its middle."""
    changes = {"cage.outer_guide": {"radius": "32.5 mm", "clearance": "50 um"}}
    _, assembly, found = equilibrium(changes)
    (guide,) = assembly.guides
    assert found.contact_results["gap"][0, guide] == pytest.approx(50e-6, abs=5e-6)
