"""What is read from a joint's run, on hand-made runs whose answers are known."""

import math
from dataclasses import replace

import numpy as np
import pytest
from joint_paths import joint, rigid_run, scattered

from flank.analyses.joint_reading import (
    EnergyBalance,
    ball_motion,
    cage_angles,
    cardan_angles,
    energy_balance,
    hertz_pressures,
    loads_on,
    races,
    rotation_vectors,
    shaft_loads,
    track_axes,
    track_contacts,
)
from flank.analyses.joint_turns import change_between
from flank.dynamics.energy import spatial_kinetic_energy, stored_energy
from flank.dynamics.model import CONTACTS
from flank.dynamics.spatial.model import DAMPING, DRIVES, FRICTION, LOADS
from flank.dynamics.spatial.quaternions import matrix_of, rotation_about
from flank.dynamics.trajectory import joined
from flank.elasticity.elliptic_contact import peak_pressure

TIMES = np.linspace(0.0, 0.2, 73)
DEFLECTED = {"operation.deflection": "6 deg"}


@pytest.fixture(scope="module")
def rigid():
    machine = joint(DEFLECTED)
    return machine, *rigid_run(machine, TIMES)


def test_balls_of_the_rigid_joint_stay_on_the_axes_of_their_tracks(rigid):
    machine, assembly, run = rigid
    place = ball_motion(assembly, run).place
    track_position = machine.geometry.places(
        machine.speed * TIMES, machine.deflection, 0.0
    ).track_position
    np.testing.assert_allclose(place[..., :2], 0.0, atol=1e-12)
    np.testing.assert_allclose(place[..., 2], track_position, atol=1e-12)


def test_velocities_and_rotations_follow_from_the_poses(rigid):
    machine, _, _ = rigid
    step = 1e-5
    assembly, run = rigid_run(machine, 0.03 + step * np.arange(-1, 2))
    motion = ball_motion(assembly, run)
    rate = (motion.place[2] - motion.place[0]) / (2 * step)
    np.testing.assert_allclose(motion.velocity[1], rate, atol=1e-8)
    turned = (motion.turned[2] - motion.turned[0]) / (2 * step)
    np.testing.assert_allclose(turned, _spin_of_matrices(assembly, run, step), atol=1e-4)


def _spin_of_matrices(assembly, run, step):
    """Angular velocity of the balls in their tracks from the change of their rotations."""
    turning = (
        track_axes(assembly, run.rotation) @ matrix_of(run.rotation[:, assembly.balls])[:, :, None]
    )
    rate = (turning[2] - turning[0]) / (2 * step) @ np.swapaxes(turning[1], -1, -2)
    return np.stack([rate[..., 2, 1], rate[..., 0, 2], rate[..., 1, 0]], axis=-1)


def test_spin_is_that_of_the_ball_less_that_of_the_race(rigid):
    _, assembly, run = rigid
    spin = ball_motion(assembly, run).spin
    axes = track_axes(assembly, run.rotation)
    for ball, race, row in ((0, 0, 3), (5, 1, 40)):
        own, other = assembly.balls[ball], races(assembly)[race]
        relative = run.velocity[row, own, 3:] - run.velocity[row, other, 3:]
        np.testing.assert_allclose(spin[row, ball, race], axes[row, ball, race] @ relative)


def test_the_cage_of_the_rigid_joint_halves_the_angle(rigid):
    machine, assembly, run = rigid
    cage = cage_angles(assembly, run)
    np.testing.assert_allclose(cage.deflection, machine.deflection, rtol=1e-12)
    np.testing.assert_allclose(cage.angle, 0.5 * machine.deflection, rtol=1e-12)
    np.testing.assert_allclose(cage.deviation, 0.0, atol=1e-12)
    tilted = run.rotation.copy()
    tilted[:, assembly.cage] = _times_quaternion((1, 0, 0), 1e-3, tilted[:, assembly.cage])
    cage = cage_angles(assembly, replace(run, rotation=tilted))
    np.testing.assert_allclose(cage.deviation, 1e-3, rtol=1e-2)


def _times_quaternion(axis, angle, quaternions):
    """Quaternions of bodies turned by `angle` about an axis of space."""
    w, v = math.cos(0.5 * angle), math.sin(0.5 * angle) * np.array(axis, dtype=float)
    scalar = w * quaternions[:, :1] - quaternions[:, 1:] @ v[:, None]
    vector = w * quaternions[:, 1:] + quaternions[:, :1] * v + np.cross(v, quaternions[:, 1:])
    return np.hstack([scalar, vector])


def test_rotations_go_round_as_often_as_they_like():
    angles = np.linspace(0.0, 15.0, 200)
    about_x = np.array([rotation_about((1, 0, 0), angle) for angle in angles])
    np.testing.assert_allclose(cardan_angles(about_x)[:, 0], angles, atol=1e-9)
    axis = np.array([1.0, -2.0, 2.0]) / 3
    found = rotation_vectors(np.array([rotation_about(axis, a) for a in (0.0, 1e-9, 1.0, 3.0)]))
    expected = np.outer([0.0, 1e-9, 1.0, 3.0], axis)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-18)


@pytest.mark.parametrize("angle", [40.0, 55.0])
def test_rolling_and_sliding_make_up_the_motion_along_the_track(rigid, angle):
    """With normals at a contact angle the sliding that contacts report splits as defined."""
    _, assembly, run = rigid
    run = _touching_at(assembly, run, math.radians(angle))
    found, motion = track_contacts(assembly, run), ball_motion(assembly, run)
    np.testing.assert_allclose(found.angle, math.radians(angle), rtol=1e-12)
    whole = found.rolling + found.sliding_along
    np.testing.assert_allclose(whole, motion.velocity[..., None, 2] + 0 * whole, atol=1e-12)
    contact_results = run.contact_results[:, assembly.tracks]
    size = np.linalg.norm(contact_results["sliding"], axis=-1)
    np.testing.assert_allclose(np.hypot(found.sliding_along, found.sliding_across), size, rtol=1e-9)
    np.testing.assert_allclose(found.drilling, contact_results["spin"])


def test_a_rolling_ball_does_not_slide(rigid):
    """The ball turns about the direction across track and normal, as fast as it goes along."""
    _, assembly, run = rigid
    run = _touching_at(assembly, run, math.radians(45))
    axes = track_axes(assembly, run.rotation)
    ball, race, flank = 2, 0, 1
    own = assembly.tracks[ball, race, flank]
    normal = run.contact_results["normal"][:, own]
    track_position, radius = axes[:, ball, race, 2], assembly.model.contacts["sphere_radius"][own]
    speed = ball_motion(assembly, run).velocity[:, ball, race, 2]
    velocity = run.velocity.copy()
    body, base = assembly.balls[ball], races(assembly)[race]
    velocity[:, body, 3:] = velocity[:, base, 3:]
    velocity[:, body, 3:] += speed[:, None] / radius * np.cross(normal, track_position)
    run = _touching_at(assembly, replace(run, velocity=velocity), math.radians(45))
    found = track_contacts(assembly, run)
    np.testing.assert_allclose(found.sliding_along[:, ball, race, flank], 0.0, atol=1e-12)
    np.testing.assert_allclose(found.rolling[:, ball, race, flank], speed, atol=1e-12)
    np.testing.assert_allclose(found.drilling[:, ball, race, flank], 0.0, atol=1e-12)


def _touching_at(assembly, run, angle):
    """Every flank touched at one angle, sliding and spin as the bodies move."""
    contact_results = run.contact_results.copy()
    axes = track_axes(assembly, run.rotation)
    for (ball, race, flank), own in np.ndenumerate(assembly.tracks):
        side = (1, -1)[flank]
        x, y = axes[:, ball, race, 0], axes[:, ball, race, 1]
        normal = -(math.cos(angle) * x + side * math.sin(angle) * y)
        body, base = assembly.balls[ball], races(assembly)[race]
        radius = assembly.model.contacts["sphere_radius"][own]
        arm = run.position[:, body] - radius * normal - run.position[:, base]
        rolls = np.cross(run.velocity[:, body, 3:], -radius * normal)
        carried = run.velocity[:, base, :3] + np.cross(run.velocity[:, base, 3:], arm)
        sliding = run.velocity[:, body, :3] + rolls - carried
        sliding -= np.einsum("ti,ti->t", sliding, normal)[:, None] * normal
        relative = run.velocity[:, body, 3:] - run.velocity[:, base, 3:]
        contact_results["normal"][:, own], contact_results["normal_force"][:, own] = normal, 1.0
        contact_results["sliding"][:, own] = sliding
        contact_results["spin"][:, own] = np.einsum("ti,ti->t", relative, normal)
    return replace(run, contact_results=contact_results)


def test_open_contacts_have_no_angle(rigid):
    _, assembly, run = rigid
    found = track_contacts(assembly, run)
    assert np.isnan(found.angle).all()
    assert np.isnan(found.rolling).all()


def test_contact_forces_on_all_bodies_cancel(rigid):
    _, assembly, run = rigid
    run = replace(run, contact_results=scattered(run))
    bodies = range(len(assembly.model.mass))
    loads = [loads_on(assembly, run, body) for body in bodies]
    assert np.abs(loads[assembly.outer].force).max() > 1
    np.testing.assert_allclose(sum(one.force for one in loads), 0.0, atol=1e-12)
    np.testing.assert_allclose(sum(one.torque for one in loads), 0.0, atol=1e-12)


def test_loads_are_those_of_the_contacts_one_by_one(rigid):
    _, assembly, run = rigid
    contact_results = scattered(run)
    own = assembly.tracks[3, 1, 0]
    single = np.zeros_like(contact_results)
    single[:, own] = contact_results[:, own]
    found = loads_on(assembly, replace(run, contact_results=single), assembly.inner)
    one = single[5, own]
    force = one["normal_force"] * one["normal"] + one["friction"]
    np.testing.assert_allclose(found.force[5], -force)
    torque = np.cross(one["point"], force) + one["drilling"] * one["normal"]
    np.testing.assert_allclose(found.torque[5], -torque)


def test_a_torque_along_the_middle_has_the_known_secondary_torque(rigid):
    """Couples of drilling torques alone: T about each axis, T tan(β/2) perpendicular to it."""
    machine, assembly, run = rigid
    contact_results, torque = run.contact_results.copy(), 700.0
    half = 0.5 * machine.deflection
    middle = np.array([math.sin(half), 0.0, math.cos(half)])
    contact_results["normal"] = middle
    amount = torque / math.cos(half) / len(assembly.balls)
    contact_results["drilling"][:, assembly.tracks[:, 0, 0]] = amount
    contact_results["drilling"][:, assembly.tracks[:, 1, 0]] = -amount
    loads = shaft_loads(assembly, replace(run, contact_results=contact_results))
    np.testing.assert_allclose(loads.torque, [[-torque, torque]] * len(TIMES), rtol=1e-12)
    in_plane = -torque * math.tan(half)
    np.testing.assert_allclose(loads.secondary[..., 0], in_plane, rtol=1e-12)
    np.testing.assert_allclose(loads.secondary[..., 1], 0.0, atol=1e-9)


def test_axial_force_and_place_are_along_the_inner_axis():
    machine = joint(DEFLECTED | {"operation.plunge.at": "2 mm"})
    assembly, run = rigid_run(machine, TIMES[:5])
    contact_results = run.contact_results.copy()
    axis = np.array([math.sin(machine.deflection), 0.0, math.cos(machine.deflection)])
    contact_results["normal"][:, assembly.tracks[0, 1, 0]] = axis
    contact_results["normal_force"][:, assembly.tracks[0, 1, 0]] = 30.0
    at_rest = replace(run, contact_results=contact_results, velocity=np.zeros_like(run.velocity))
    loads = shaft_loads(assembly, at_rest)
    np.testing.assert_allclose(loads.axial_force, -30.0)
    np.testing.assert_allclose(loads.axial_place, 2e-3)


def test_axial_force_in_time_is_the_mean_since_the_record_before():
    """What holds the race takes 30 N more each interval; its own momentum grows by 5 N."""
    machine = joint(DEFLECTED)
    assembly, run = rigid_run(machine, TIMES[:5])
    axis = np.array([math.sin(machine.deflection), 0.0, math.cos(machine.deflection)])
    impulse, velocity = run.impulse.copy(), run.velocity.copy()
    impulse[:, assembly.plunge] = 15.0 * run.time**2
    mass = assembly.model.mass[assembly.inner]
    velocity[:, assembly.inner, :3] = (5.0 / mass * run.time)[:, None] * axis
    loads = shaft_loads(assembly, replace(run, impulse=impulse, velocity=velocity))
    middles = 0.5 * (run.time[1:] + run.time[:-1])
    np.testing.assert_allclose(loads.axial_force[1:], 30.0 * middles + 5.0, rtol=1e-12)
    assert loads.axial_force[0] == loads.axial_force[-1]


def test_pressures_follow_the_cube_root_of_the_force():
    contact = joint().contacts.outer_track
    found = hertz_pressures(np.array([0.0, 1.0, 12e3]), contact)
    expected = [peak_pressure(contact, force) for force in (0.0, 1.0, 12e3)]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert found[2] == pytest.approx(2.75e9, rel=5e-3)  # computed independently


def test_kinetic_energy_is_that_of_the_bodies(rigid):
    machine, assembly, run = rigid
    masses, speed = machine.masses, machine.speed
    found = spatial_kinetic_energy(assembly.model, run)
    whole = 0.0
    for body in range(1, len(assembly.model.mass)):
        turning = matrix_of(run.rotation[7, body])
        inertia = turning @ assembly.model.inertia[body] @ turning.T
        v, w = run.velocity[7, body, :3], run.velocity[7, body, 3:]
        whole += 0.5 * assembly.model.mass[body] * v @ v + 0.5 * w @ inertia @ w
    assert found[7] == pytest.approx(whole, rel=1e-12)
    spinning = (masses.outer.inertia[2] + masses.inner.inertia[2]) * speed**2 / 2
    assert found[7] > spinning


def test_contact_energy_is_the_integral_of_the_force(rigid):
    """A ball that is pushed along the cage's axis into the side of its window."""
    machine, assembly, run = rigid
    own, depth = assembly.windows[0, 0], 20e-6
    row = assembly.model.contacts[own : own + 1]
    counts = assembly.model.counts.copy()
    counts[CONTACTS] = 1
    alone = assembly.model._replace(contacts=row, counts=counts)
    position = run.position[:2].copy()
    clearance = machine.spec.window_half_width - machine.spec.ball_radius
    track_position = matrix_of(run.rotation[1, assembly.cage])[:, 2]
    position[1, assembly.balls[0]] += (clearance + depth) * track_position
    pushed = replace(run, time=run.time[:2], position=position, rotation=run.rotation[[0, 1]])
    found = stored_energy(alone, pushed)
    depths = np.linspace(0, depth, 20001)
    force = row["power_stiffness"] * depths ** row["power_exponent"]
    assert found == pytest.approx([0.0, np.trapezoid(force, depths)], rel=1e-6)


def test_the_balance_of_energy_is_read_from_the_ledger(rigid):
    _, assembly, run = rigid
    ledger = run.ledger.copy()
    ledger[:, FRICTION] = 2.0 * TIMES
    ledger[:, DAMPING] = 1.0 * TIMES
    ledger[:, DRIVES] = 100.0 * TIMES
    ledger[:, LOADS] = -96.0 * TIMES
    balance = energy_balance(assembly.model, replace(run, ledger=ledger))
    assert balance.input == pytest.approx(20.0)
    assert balance.output == pytest.approx(19.2)
    assert balance.remainder == pytest.approx(0.2 - balance.kept)
    assert balance.efficiency == pytest.approx(0.96)
    assert balance.duration == pytest.approx(0.2)


def test_efficiency_counts_from_the_side_that_drives():
    coasting = EnergyBalance(
        input=-96.0, output=-100.0, friction=4.0, damping=0.0, kept=0.0, duration=1.0
    )
    assert coasting.efficiency == pytest.approx(0.96)
    assert coasting.remainder == pytest.approx(0.0)
    stuck = EnergyBalance(input=5.0, output=-1.0, friction=6.0, damping=0.0, kept=0.0, duration=1.0)
    assert math.isnan(stuck.efficiency)


def test_change_is_told_over_the_largest_force(rigid):
    _, assembly, run = rigid
    before, after = run.contact_results[:3].copy(), run.contact_results[:3].copy()
    after["normal_force"][:, assembly.tracks[0, 0, 0]] = 1000.0
    before["normal_force"][:, assembly.tracks[0, 0, 0]] = [1000.0, 990.0, 1000.0]
    assert change_between(assembly, before, after) == pytest.approx(0.01)
    assert math.isnan(change_between(assembly, run.contact_results, run.contact_results))


def test_runs_in_a_row_join_without_doubling_their_ends(rigid):
    _, _, run = rigid
    ledger = np.outer(TIMES, [1.0, 2.0, 3.0, 4.0])
    first = replace(run, ledger=ledger)
    second = replace(run, ledger=ledger, time=run.time + TIMES[-1])
    whole = joined([first, second.since(1)], [first, second, second])
    np.testing.assert_allclose(np.diff(whole.time), TIMES[1])
    np.testing.assert_allclose(whole.ledger, np.outer(whole.time, [1.0, 2.0, 3.0, 4.0]))
    assert len(whole.position) == 2 * len(TIMES) - 1
    assert whole.counters == {"steps": 3}
