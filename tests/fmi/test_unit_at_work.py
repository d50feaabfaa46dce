"""What a running unit does with steps, inputs, parameters and failures."""

import zipfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from units_at_work import Instance, machine_of, natively, needs_binary, unit_of, unpacked

import flank
from flank.analyses.runs import ideal_velocity, loaded_equilibrium
from flank.contact.laws.line import line_contact
from flank.dynamics.functions import constant, speeds
from flank.dynamics.poses import state_at
from flank.dynamics.run import settings_for, solve_dynamics
from flank.dynamics.spatial.turning import SHAFT, TURNING, read_turning
from flank.elasticity.line_contact import LineLaw
from flank.machines.base import Drive

pytestmark = needs_binary

STEP = 1e-4


def reference(unit, name):
    return [variable.name for variable in unit.listed].index(name)


def started(preset, sets=(), **settings):
    instance = Instance(unpacked(preset, **settings))
    unit = unit_of(preset, **settings)
    for name, value in dict(sets).items():
        assert instance.set(reference(unit, name), value) == 0
    assert instance.start() == 0, instance.said
    return instance


def run(instance, steps, step=STEP, first=0):
    for k in range(first, first + steps):
        assert instance.step(k * step, step) == 0, instance.said
    return np.array(instance.get(3, 4, 5, 6, 7))


def test_a_long_step_is_cut_into_equal_parts():
    """Seven halves of the exported step are four parts of seven eighths of it."""
    preset = "cycloidal-drive"
    whole, parts = started(preset), started(preset)
    assert np.abs(run(whole, 1, 3.5 * STEP) - run(parts, 4, 0.875 * STEP)).max() < 1e-12


def test_steps_too_short_to_be_taken_add_up():
    preset = "gear-pair"
    short, whole = started(preset), started(preset)
    count = 4096  # a quarter of the shortest step each
    found, expected = run(short, count, STEP / count), run(whole, 1)
    angle, speed = expected[0], machine_of(preset).input_speed
    assert angle == pytest.approx(speed * STEP, rel=1e-4)
    assert found[0] == pytest.approx(angle, rel=1e-3)


def test_a_torque_acts_from_the_step_after_it_was_set():
    changed, same = started("gear-pair"), started("gear-pair")
    run(changed, 5)
    run(same, 5)
    before = changed.get(2, 4, 6)
    assert changed.set(2, 0.0) == 0
    assert changed.get(4, 6) == before[1:]
    speed = run(changed, 5, first=5)[3] - run(same, 5, first=5)[3]
    assert abs(speed) > 1e-3 * abs(before[2])


def test_a_given_speed_is_reached_at_the_end_of_the_step():
    preset, settings = "cycloidal-drive", {"drive": "speed"}
    unit, instance = unit_of(preset, **settings), started(preset, **settings)
    assert unit.listed[1].name == "input.speed"
    start = machine_of(preset).input_speed
    given = start * np.array([1.01, 1.02, 1.0, 1.0, 0.99])
    angles = [instance.get(3)[0]]
    for k, speed in enumerate(given):
        assert instance.set(1, speed) == 0
        run(instance, 1, first=k)
        angles.append(instance.get(3)[0])
    means = 0.5 * (given + np.array([start, *given[:-1]]))
    assert np.diff(angles) == pytest.approx(means * STEP, rel=1e-12)


def test_a_reset_forgets_given_speeds():
    preset = "cycloidal-drive"
    instance = started(preset, drive="speed")
    fresh = run(instance, 3)
    instance.set(1, 1.1 * instance.get(1)[0])
    run(instance, 5, first=3)
    assert instance.call("Reset") == 0
    assert instance.start() == 0
    assert (run(instance, 3) == fresh).all()


def test_time_may_begin_anywhere():
    late, early = Instance(unpacked("gear-pair")), started("gear-pair")
    assert late.start(5.0) == 0
    for k in range(10):
        assert late.step(5.0 + k * STEP, STEP) == 0
    found, expected = np.array(late.get(0, 3, 4, 5, 6, 7)), run(early, 10)
    assert found[0] == pytest.approx(5.0 + 10 * STEP, rel=1e-12)
    assert found[1:] == pytest.approx(expected, rel=1e-8)


def test_instances_run_in_threads_of_their_own():
    torques = [0.0, 50.0, 100.0, 150.0]
    units = [started("cycloidal-drive", {"output.torque": torque}) for torque in torques]
    alone = [run(started("cycloidal-drive", {"output.torque": each}), 30) for each in torques]
    with ThreadPoolExecutor(len(units)) as pool:
        together = list(pool.map(lambda unit: run(unit, 30), units))
    assert (np.array(together) == np.array(alone)).all()
    assert len({tuple(each) for each in together}) == len(torques)


def test_a_speed_table_and_a_host_give_the_same():
    """A native run along a table of speeds, and a host that sets them one by one."""
    preset = "planetary-lin-parker"
    machine = machine_of(preset)
    given = machine.input_speed * (1 + 0.01 * np.sin(np.arange(11)))
    given[0] = machine.input_speed
    points = [(k * STEP, float(speed)) for k, speed in enumerate(given)]
    drive = Drive({"input": speeds(points)}, {"output": constant(machine.load_torque)}, True)
    assembly = machine.assemble(drive)
    pose = loaded_equilibrium(machine, 0.0, machine.load_torque)[0].last
    velocity = machine.input_speed * ideal_velocity(machine, 0.0)
    how = settings_for(assembly.model, STEP)
    expected = solve_dynamics(assembly.model, pose, 10 * STEP, how, velocity)
    instance = started(preset, drive="speed")
    for k in range(10):
        instance.set(1, given[k + 1])
        run(instance, 1, first=k)
        angle = expected.angle(assembly.output_shaft)[k + 1]
        assert instance.get(5)[0] == pytest.approx(angle, abs=1e-12)


def test_a_step_that_fails_is_discarded_and_leaves_no_trace():
    preset = "cycloidal-drive"
    disturbed, undisturbed = started(preset), started(preset)
    run(disturbed, 3)
    before = disturbed.get(1, 3, 4, 5, 6, 7)
    assert disturbed.set(1, 1e15) == 0
    assert disturbed.step(3 * STEP, STEP) == 2
    assert disturbed.said[-1].startswith("Nothing is done at 0.0003 s: ")
    assert disturbed.get(3, 4, 5, 6, 7) == before[1:]
    assert disturbed.set(1, before[0]) == 0
    assert (run(disturbed, 3, first=3) == run(undisturbed, 6)).all()


def test_parameters_do_what_the_spec_does(tmp_path):
    """Friction set in the unit, and the unit of a joint with that friction: a run begins in the
    equilibrium without friction, so that both are the same."""
    changes = {"contact.friction.sliding": 0.02, "contact.friction.static": 0.07}
    path = flank.export_fmu(flank.preset("cv-joint", changes), tmp_path / "unit.fmu")
    with zipfile.ZipFile(path) as zipped:
        zipped.extractall(tmp_path)
    other = Instance(tmp_path)
    assert other.start() == 0
    sets = {"track.friction": 0.02, "window.friction": 0.02}
    sets |= {"track.static_friction": 0.07, "window.static_friction": 0.07}
    found = run(started("cv-joint", sets), 10)
    assert (found == run(other, 10)).all()
    assert not (found == run(started("cv-joint"), 10)).all()


def test_damping_of_a_bearing_is_a_parameter():
    unit = unit_of("gear-pair")
    names = {variable.name: variable for variable in unit.variables}
    bearing = names["pinion_bearing.damping"]
    assert (bearing.start, bearing.unit, bearing.minimum) == (600.0, "N.s/m", 0.0)
    assert names["mesh.mesh_stiffness_scale"].start == 1.0
    assert names["input_shaft.torsional_stiffness"].start == 1.0e5
    instance = started("gear-pair")
    number = reference(unit, "pinion_bearing.damping")
    assert instance.set(number, -1.0) == 3
    assert "not negative" in instance.said[-1]
    assert instance.get(number) == [600.0]


def test_a_scale_of_stiffness_changes_all_springs_of_a_part():
    stiff = started("gear-pair", {"input_shaft.torsional_stiffness": 1e6})
    assert not (run(stiff, 20) == run(started("gear-pair"), 20)).all()


def test_stiffness_of_contacts_by_materials_is_a_factor():
    """The law of line contact goes with the length, as with the moduli of both bodies."""
    law, (stiff, stiffer) = LineLaw(6e-11, 3e-12, 0.02), (1.0, 1.7)
    moduli = law.constant + law.slope * np.log(stiffer), law.slope
    for depth in (1e-7, 5e-6, 4e-5):
        scaled = line_contact(depth, law.constant, law.slope, stiffer * law.length, 200.0)
        made = line_contact(depth, *(each / stiffer for each in moduli), law.length, 200.0)
        assert scaled == pytest.approx(made, rel=1e-12)
    sets = {"pin.contact_stiffness_scale": stiff, "roller.contact_stiffness_scale": stiff}
    same = run(started("cycloidal-drive"), 5)
    assert (run(started("cycloidal-drive", sets), 5) == same).all()
    sets["pin.contact_stiffness_scale"] = stiffer
    assert not (run(started("cycloidal-drive", sets), 5) == same).all()
    refused = started("cycloidal-drive")
    number = reference(unit_of("cycloidal-drive"), "pin.contact_stiffness_scale")
    assert refused.set(number, 0.0) == 3
    assert refused.said[-1].endswith("cannot be 0; give a finite number of at least 1e-06.")


def test_logging_tells_steps_if_it_is_asked_to():
    instance = started("gear-pair")
    run(instance, 1)
    assert instance.said == []
    assert instance.call("SetDebugLogging", 1, 0, None) == 0
    run(instance, 1, first=1)
    assert instance.said == ["0.0002 s: 1 steps were taken, 0 taken again shorter."]


def test_what_a_unit_does_not_offer_is_refused_with_a_sentence():
    instance = started("gear-pair")
    for name in ("CancelStep", "EnterEventMode", "EnterContinuousTimeMode"):
        assert instance.call(name) == 3
    assert [text.partition(":")[0] for text in instance.said] == [
        "fmi2CancelStep",
        "fmi2EnterEventMode",
        "fmi2EnterContinuousTimeMode",
    ]
    exchange = Instance(unpacked("gear-pair"), kind=0)
    assert not exchange.made
    assert "co-simulation" in exchange.said[0]


def test_readings_of_shafts_in_space_are_those_of_a_trajectory():
    preset = "cv-joint"
    expected = natively(preset, 8)
    machine = machine_of(preset)
    assembly = machine.assemble(Drive(in_time=True))
    pose = machine.ideal_pose(0.3)
    state = state_at(assembly.model, pose)
    shafts, turning = np.zeros(1, SHAFT), np.zeros(1, TURNING)
    shaft = assembly.input_shaft
    shafts["body"], shafts["reference"] = shaft.body, shaft.reference
    shafts["axis"], shafts["built"] = shaft.axis, shaft.built
    turning["angle"] = 4 * np.pi
    read_turning(state, shafts, np.zeros(2), turning)
    assert turning["angle"][0] == pytest.approx(4 * np.pi + 0.3, abs=1e-12)
    assert turning["speed"][0] == pytest.approx(1.0, abs=1e-12)
    assert expected["input.angle"][-1] > 0.0
