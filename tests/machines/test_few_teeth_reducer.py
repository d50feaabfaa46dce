"""The few-teeth reducer: conjugate teeth, balance, closed forms of its forces and its play."""

import math

import numpy as np
import pytest

import flank
from flank.analyses import hysteresis, load_distribution
from flank.analyses.hysteresis import five_stages
from flank.dynamics.assembly import assemble
from flank.dynamics.functions import constant
from flank.dynamics.model import initial_state, workspace
from flank.dynamics.run import solve_statics
from flank.machines.base import Drive
from flank.machines.mesh_forces import mesh_forces

ARCMIN = math.pi / 180 / 60
NO_FRICTION = {"friction.teeth": 0, "friction.turning_arm": 0, "friction.supports": 0}
RIGID = {"cranks.shaft": "rigid", "discs.body": "rigid", "carrier.body": "rigid"}
TIGHT = {"turning_arm.clearance": 0, "supports.clearance": 0}
COARSE = hysteresis.HysteresisSettings(points_per_stage=8)
PRESETS = ("few-teeth-60", "few-teeth-38")
RUNGS = ("contact", "table", "spring", "rigid")


def reducer(changes=None, name="few-teeth-60"):
    return flank.preset(name, NO_FRICTION | (changes or {}))


def loop(machine, **changes):
    return hysteresis.run(machine, COARSE.with_changes(changes) if changes else COARSE)


def static_path(machine, torques, input_angle=0.0):
    peak = max(map(abs, torques))
    assembly = machine.assemble(Drive.of_ends(constant(input_angle), five_stages(peak, 1.0)))
    # stage 1 rises to +peak, stage 3 falls to -peak
    times = [t / peak if t >= 0 else 2 - t / peak for t in torques]
    run = solve_statics(assembly.model, machine.ideal_pose(input_angle), np.array(times))
    assert run.complete
    return assembly, run


def teeth(assembly, run, at=0):
    group = next(iter(assembly.groups.values()))
    return run.contact_results[at][group.contacts]


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("angle", [0.0, 1.3, 40.0])
def test_ideal_machine_touches_without_force(name, angle):
    """Every roller and every tooth on the path just touches in the ideal pose without clearance."""
    machine = reducer(TIGHT, name)
    assembly = machine.assemble(Drive.of_ends(constant(angle), constant(0.0)))
    state = initial_state(assembly.model, machine.ideal_pose(angle))
    work = workspace(assembly.model)
    assemble(assembly.model, state, state.position, state.velocity, 0.0, work, 0.0, 1.0, 1.0)
    group = next(iter(assembly.groups.values()))
    contact_results = state.contact_results[group.contacts]
    pair = machine.spec.pair
    start, end = pair.path
    on_path = (contact_results["parameter"] > start) & (contact_results["parameter"] < end)
    assert (on_path.sum(axis=2) >= 1).all()  # a contact ratio above one
    assert np.abs(contact_results["gap"][on_path]).max() < 1e-11
    assert contact_results["gap"].min() > -1e-11
    assert np.abs(state.contact_results["gap"][group.contacts.size :]).max() < 1e-11
    assert np.abs(work.force).max() < 1.0  # N or N·m, of contacts pressed by round-off


@pytest.mark.parametrize("name", PRESETS)
def test_unloaded_it_turns_evenly(name):
    """Conjugate teeth without errors: no transmission error but what a hair of load bends."""
    machine = reducer(TIGHT | RIGID, name)
    torque = 1e-6 * machine.rated_torque
    output = machine.layout.flange[-1]
    turned = []
    for angle in np.linspace(0.0, 2 * math.pi / machine.mesh_orders["tooth"], 7):
        assembly = machine.assemble(Drive.of_ends(constant(angle), constant(torque)))
        run = solve_statics(assembly.model, machine.ideal_pose(angle), np.array([0.0]))
        assert run.complete
        turned.append(run.position[0, output, 2] - angle / machine.ratio)
    assert max(turned) - min(turned) < 1e-9


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_runs(name):
    machine = flank.preset(name)
    result = loop(machine)
    assert result.complete
    stiffness = float(result["torsional_stiffness"]) * ARCMIN
    assert 0.05 < stiffness / machine.rated_torque < 2.0


def test_forces_balance_on_every_body_at_every_load():
    machine = reducer()
    torques = [100.0, 750.0, 1500.0, -200.0, -1500.0]
    assembly, run = static_path(machine, torques)
    for torque, time, pose in zip(torques, run.time, run.position, strict=True):
        state, work = initial_state(assembly.model, pose), workspace(assembly.model)
        assemble(assembly.model, state, state.position, state.velocity, time, work, 0.0, 1.0, 1.0)
        loose = work.force.copy()
        cranks = [machine.layout.input_body, *map(int, machine.layout.driven_end)]
        # what the input gives to the cranks passes joints: their sum is the input's torque
        given = loose[cranks, 2].sum()
        loose[cranks, 2] = 0.0
        loose[0] = 0.0
        assert np.abs(loose).max() < 1e-4 * abs(torque)
        # T/i but for the energy that another place of the rollers would store
        assert given == pytest.approx(torque / machine.ratio, rel=1e-2)
        assert work.force[0, 2] == pytest.approx(torque - given, rel=1e-5)  # ring and bearings


@pytest.mark.parametrize("name", PRESETS)
def test_teeth_press_along_the_line_of_action(name):
    """The resultant of a disc's teeth leans by α' against the crank's normal, F = T/(n r_b2)."""
    machine = reducer(TIGHT | RIGID, name)
    torque = 0.05 * machine.rated_torque
    assembly, run = static_path(machine, [torque])
    contact_results, pair = teeth(assembly, run), machine.spec.pair
    expected = torque * (1 - 1 / machine.ratio) / (2 * pair.second.base_radius)
    for j, phase in enumerate(machine.layout.phases):
        force = contact_results["normal_force"][j].ravel()
        fx = force @ contact_results["normal_x"][j].ravel()
        fy = force @ contact_results["normal_y"][j].ravel()
        along = fx * math.cos(phase) + fy * math.sin(phase)
        across = fy * math.cos(phase) - fx * math.sin(phase)
        assert math.hypot(fx, fy) == pytest.approx(expected, rel=0.01)
        lean = math.atan2(abs(along), abs(across))
        assert lean == pytest.approx(pair.working_angle, abs=0.01)


def test_perfect_discs_share_the_load():
    machine = reducer(TIGHT | RIGID)
    assembly, run = static_path(machine, [1500.0])
    one, two = teeth(assembly, run)["normal_force"].sum(axis=(1, 2))
    assert one == pytest.approx(two, rel=1e-3)
    expected = 1500.0 * (1 + 1 / 30) / machine.spec.pair.second.base_radius
    assert one + two == pytest.approx(expected, rel=0.01)


def test_pairs_beyond_the_path_carry_load():
    """A contact ratio of 1.2 and curvatures so alike that edges touch besides."""
    machine = reducer()
    light, heavy = (
        (teeth(*static_path(machine, [torque]))["normal_force"] > 0).sum()
        for torque in (15.0, 1500.0)
    )
    assert light <= 4
    assert heavy >= 6


def test_pairs_keep_their_slots_while_the_discs_go_round():
    """Just before and just after a disc passes the negative x axis, and a turn later."""
    machine = reducer()
    before, after = (
        load_distribution.run(
            machine, load_distribution.LoadDistributionSettings(crank_angle=math.pi + small)
        )["tooth_force"].values
        for small in (-1e-7, 1e-7)
    )
    np.testing.assert_allclose(before, after, atol=0.1)


def test_the_loop_closes():
    """Friction apart, what is loaded and unloaded comes back to where it was."""
    result = loop(reducer())
    torque, angle = result["loop_torque"].values, result["loop_angle"].values
    stage = result["loop_stage"].values
    top = 1500 * np.linspace(0.2, 0.8, 4)
    rising = np.interp(top, torque[stage == 4], angle[stage == 4])
    falling = np.interp(top, torque[stage == 1][::-1], angle[stage == 1][::-1])
    np.testing.assert_allclose(rising, falling, rtol=2e-3)
    with_friction = loop(flank.preset("few-teeth-60"))
    assert with_friction.complete
    assert float(with_friction["backlash"]) > float(result["backlash"])


def test_symmetric_machine_has_a_symmetric_loop():
    """At crank angle 0 a mirror turns the machine into itself and the torque around."""
    result = loop(reducer())
    torque, angle = result["loop_torque"].values, result["loop_angle"].values
    stage = result["loop_stage"].values
    rising = np.interp(1500 * np.linspace(0.05, 1, 9), torque[stage == 4], angle[stage == 4])
    falling = np.interp(1500 * np.linspace(0.05, 1, 9), -torque[stage == 2], -angle[stage == 2])
    np.testing.assert_allclose(rising, falling, rtol=2e-3)


@pytest.mark.parametrize(
    ("kind", "thinner"), [("tooth_thickness", "disc"), ("ring_thickness", "ring")]
)
def test_thinner_teeth_are_backlash(kind, thinner):
    """s less at the reference circle is a gap s cos α less; the disc turns by it over r_b1.

    As the disc turns by θ about its centre, its cranks held, the carrier turns by θ, too.
    """
    found = float(
        loop(reducer(TIGHT | RIGID | {f"errors.{kind}": "-20 um"}), torque=0.5)["backlash"]
    )
    pair = reducer().spec.pair
    gear = pair.first if thinner == "disc" else pair.second
    closed = 20e-6 * gear.base_radius / gear.reference_radius / pair.first.base_radius
    assert found == pytest.approx(closed, rel=0.02)


def test_an_eccentricity_below_the_tight_one_is_backlash():
    changes = {"eccentricity": "2.69 mm", "first_stage": None}
    machine = reducer(TIGHT | RIGID | changes, "few-teeth-38")
    pair = machine.spec.pair
    assert pair.normal_backlash > 1e-5
    found = float(loop(machine, torque=0.5)["backlash"])
    assert found == pytest.approx(pair.normal_backlash / pair.first.base_radius, rel=0.02)


@pytest.mark.parametrize("model", RUNGS)
def test_all_rungs_carry_the_same_force(model):
    """The mean of the teeth's force over a tooth pitch follows from balance on every rung."""
    machine = reducer({"mesh.model": model})
    expected = 750.0 * (1 - 1 / machine.ratio) / machine.spec.pair.second.base_radius
    for angle in np.linspace(0.0, 2 * math.pi / machine.mesh_orders["tooth"], 4)[:-1]:
        assembly, run = static_path(machine, [750.0], angle)
        force = mesh_forces(assembly, run)[0]
        assert force[:, 0].sum() == pytest.approx(expected, rel=0.01)


def test_a_coupling_is_a_spring_with_play():
    """A torsional stiffness k for each crank is n k at the input, and i² that at the output."""
    stiff = loop(reducer(RIGID))
    soft = loop(reducer(RIGID | {"coupling.stiffness": "2e4 N*m/rad"}))
    more = 1 / float(soft["torsional_stiffness"]) - 1 / float(stiff["torsional_stiffness"])
    assert more == pytest.approx(1 / (30**2 * 3 * 2e4), rel=0.05)
    loose = {"coupling.stiffness": "1e7 N*m/rad", "coupling.backlash": "0.2 deg"}
    play = float(loop(reducer(RIGID | TIGHT | loose), torque=5.0)["backlash"])
    assert play == pytest.approx(math.radians(0.2) / 30, rel=0.02)


@pytest.mark.parametrize(
    "changes",
    [
        {"discs.count": 1},
        {"discs.count": 3},
        {"discs.teeth": 59},
        {"turning_arm.elements": "bodies"},
        {"cranks.shaft": "ancf"},
        {"discs.hole_wall": "ancf"},
        {"contact.law": "palmgren"},
        {
            "first_stage.sun_teeth": 18,
            "first_stage.planet_teeth": 54,
            "first_stage.module": "1.75 mm",
        },
        {"discs.tip_relief.amount": "10 um", "discs.tip_relief.length": "3 mm"},
        {"discs.crowning": "5 um"},
    ],
)
def test_variants_run(changes):
    result = load_distribution.run(reducer(changes))
    assert result.complete
    assert 200 < float(result["torsional_stiffness"]) * ARCMIN < 3000


@pytest.mark.nightly
def test_in_time_it_is_the_static_loop():
    machine = flank.preset("few-teeth-38")
    static, moving = (flank.run(machine, "hysteresis", mode=mode) for mode in ("static", "dynamic"))
    assert moving.complete
    for name, share in (("torsional_stiffness", 1e-3), ("backlash", 0.02), ("lost_motion", 0.02)):
        assert float(moving[name]) == pytest.approx(float(static[name]), rel=share)
