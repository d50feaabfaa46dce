"""Flanks of a bevel pair as a force module: forces of the engine, exact derivatives, parameters."""

import numpy as np
import pytest
from units_at_work import Instance, needs_binary, unpacked

import flank
from flank.contact.spatial.flank_forces import PROPORTION, evaluate_flanks, flank_work
from flank.dynamics.engine import evaluate
from flank.dynamics.poses import state_at, workspace
from flank.dynamics.spatial.quaternions import matrix_of, quaternion_of
from flank.dynamics.trajectory import SpatialPose
from flank.fmi.export import archive, find_binary, make_unit
from flank.fmi.forces import ANSWERS, NUMBERS, force_module
from flank.geometry.rotations import about_z

GIVEN, ANSWERED = 2 * len(NUMBERS), 2 * len(ANSWERS)
INPUTS = list(range(1, 1 + GIVEN))
OUTPUTS = list(range(1 + GIVEN, 1 + GIVEN + ANSWERED))

UNDAMPED = {"mesh.points": 12, "damping_ratio": None}


@pytest.fixture(scope="module")
def machine():
    return flank.preset("bevel-pair", UNDAMPED)


@pytest.fixture(scope="module")
def assembly(machine):
    return machine.force_element()


@pytest.fixture(scope="module")
def pressed(machine, assembly):
    """Rows as the module is given them, the pinion turned into its mate, a little off its place."""
    pose = assembly.pose
    given = np.hstack((pose.position, pose.rotation, np.zeros((3, 6))))[1:]
    turn = matrix_of(given[0, 3:7]) @ about_z(np.array(machine.sense * 4e-3))
    given[0, 3:7] = quaternion_of(turn)
    given[0, :3] += [3e-6, -2e-6, 4e-6]
    return given


@pytest.fixture(scope="module")
def instance(machine, tmp_path_factory):
    fmpy = pytest.importorskip("fmpy", reason="FMPy is not installed")
    path = tmp_path_factory.mktemp("flanks") / "flanks.fmu"
    path.write_bytes(archive(force_module(machine), 2, *find_binary(2), "flanks"))
    description = fmpy.read_model_description(str(path))
    made = fmpy.instantiate_fmu(fmpy.extract(str(path)), description, "ModelExchange")
    made.setupExperiment()
    made.enterInitializationMode()
    made.exitInitializationMode()
    yield made
    made.freeInstance()


PARAMETERS = {
    "mesh.friction": ("1", 0.0, 0.0),
    "mesh.friction_velocity": ("m/s", 0.01, 1e-9),
    "mesh.damping": ("s", 0.0, 0.0),
    "mesh.stiffness_scale": ("1", 1.0, 0.0),
}
"""Unit, value at the start and least value."""


@pytest.fixture
def parameter(instance, machine):
    """Sets one by its name, and puts all back at the end."""
    names = [variable.name for variable in force_module(machine).listed]
    yield lambda name, value: instance.setReal([names.index(name)], [value])
    for name, (_, start, _) in PARAMETERS.items():
        instance.setReal([names.index(name)], [start])


def forces(instance, given):
    instance.setReal(INPUTS, np.ravel(given).tolist())
    return np.array(instance.getReal(OUTPUTS))


def engine_forces(assembly, given):
    still = np.zeros(3), [1.0, 0.0, 0.0, 0.0], np.zeros(6)
    rows = (given[:, :3], given[:, 3:7], given[:, 7:])
    pose = SpatialPose(*(np.vstack((first, row)) for first, row in zip(still, rows, strict=True)))
    state, work = state_at(assembly.model, pose), workspace(assembly.model)
    evaluate(assembly.model, state, 0.0, work, 0.0, 1.0, 1.0)
    return work.force[1:].ravel()


@needs_binary
def test_forces_are_those_of_the_engine(instance, assembly, pressed):
    expected = engine_forces(assembly, pressed)
    assert np.linalg.norm(expected[:3]) > 1e3
    assert forces(instance, pressed) == pytest.approx(expected, rel=1e-9)


@needs_binary
def test_forces_on_both_are_opposite(instance, pressed):
    first, second = forces(instance, pressed).reshape(2, 6)
    assert first[:3] == pytest.approx(-second[:3], rel=1e-10)
    about = first[3:] + second[3:] + np.cross(pressed[1, :3] - pressed[0, :3], second[:3])
    assert np.abs(about).max() <= 1e-10 * np.abs(first[3:]).max()


def difference(instance, given, column, size):
    """Central, at two lengths: its error falls by the fourth power."""
    slopes = []
    for step in (size, 0.5 * size):
        ends = []
        for sign in (1, -1):
            moved = given.copy()
            moved[np.unravel_index(column, given.shape)] += sign * step
            ends.append(forces(instance, moved))
        slopes.append((ends[0] - ends[1]) / (2 * step))
    return (4 * slopes[1] - slopes[0]) / 3


def assert_slopes(instance, given, columns, size):
    """Of some columns that are alike, of both bodies, against the largest of them: the length of a
    quaternion changes nothing."""
    forces(instance, given)
    jacobian = [instance.getDirectionalDerivative(OUTPUTS, [INPUTS[k]], [1.0]) for k in columns]
    for k, slope in zip(columns, np.array(jacobian), strict=True):
        error = np.abs(slope - difference(instance, given, k, size)).max()
        assert error <= 1e-6 * np.abs(jacobian).max(), k


def columns_of(first, last):
    return [k for k in range(GIVEN) if first <= k % len(NUMBERS) < last]


@needs_binary
def test_derivatives_by_the_pose_are_those_of_differences(instance, pressed, parameter):
    """Over ways so short that hardly a section enters or leaves on them: forces are C1 only."""
    parameter("mesh.stiffness_scale", 1.3)
    for columns in (columns_of(0, 3), columns_of(3, 7)):
        assert_slopes(instance, pressed, columns, 1e-8)


@needs_binary
@pytest.mark.parametrize(("name", "value"), [("mesh.friction", 0.08), ("mesh.damping", 2e-6)])
def test_derivatives_by_velocities_are_those_of_differences(
    instance, pressed, parameter, name, value
):
    """With one of them: how friction of what damps changes is no part of the engine's tangent."""
    parameter(name, value)
    moving = pressed.copy()
    moving[:, 7:] = np.random.default_rng(5).normal(0.0, 0.2, (2, 6))
    for columns in (columns_of(7, 10), columns_of(10, 13)):
        assert_slopes(instance, moving, columns, 1e-4)


@needs_binary
def test_outputs_stay_when_derivatives_are_read(instance, pressed):
    before = forces(instance, pressed)
    instance.getDirectionalDerivative(OUTPUTS, [INPUTS[0]], [1.0])
    assert (np.array(instance.getReal(OUTPUTS)) == before).all()


@needs_binary
def test_a_quaternion_of_no_length_is_refused_and_leaves_no_trace(instance, pressed):
    before = forces(instance, pressed)
    lost = pressed.copy()
    lost[1, 3:7] = 0.0
    with pytest.raises(Exception, match="failed with status 2"):
        forces(instance, lost)
    assert forces(instance, pressed) == pytest.approx(before, rel=1e-9)


@pytest.mark.parametrize("contents", ["force", "block"])
def test_plain_numbers_of_flanks_are_parameters(machine, contents):
    found = {
        variable.name: (variable.unit, variable.start, variable.minimum)
        for variable in make_unit(machine, contents, {}).of_kind("parameter")
        if variable.name.startswith("mesh.")
    }
    assert found == PARAMETERS


@needs_binary
def test_forces_go_with_the_stiffness(instance, pressed, parameter):
    before = forces(instance, pressed)
    parameter("mesh.stiffness_scale", 1.7)
    assert forces(instance, pressed) == pytest.approx(1.7 * before, rel=1e-9)
    parameter("mesh.stiffness_scale", 0.0)
    assert (forces(instance, pressed) == 0.0).all()


def test_a_factor_of_the_stiffness_is_that_of_the_moduli(assembly, pressed):
    """Influence numbers and the law of line contact of gears that are s times as stiff."""
    s, element = 1.7, assembly.spatial.flanks.elements[0]
    mesh = element.mesh
    stiffer = mesh._replace(
        influence_a=mesh.influence_a / s,
        influence_b=mesh.influence_b / s,
        constant=(mesh.constant + mesh.slope * np.log(s)) / s,
        slope=mesh.slope / s,
    )
    force, matrix = np.zeros((2, 12)), np.ascontiguousarray(matrix_of(pressed[:, 3:7]))
    position, still = np.ascontiguousarray(pressed[:, :3]), np.zeros((2, 6))
    for each, found in zip((mesh, stiffer), force, strict=True):
        evaluate_flanks(each, PROPORTION, position, matrix, still, 0, 1, flank_work(each), found)
    assert np.abs(force[0]).max() > 100.0
    assert force[1] == pytest.approx(s * force[0], rel=1e-9)


@needs_binary
@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"mesh.friction": 0.08}, ["mesh.friction"]),
        ({"mesh.friction": 0.08, "mesh.friction_velocity": 0.05}, list(PARAMETERS)[:2]),
        ({"mesh.damping": 500.0}, ["mesh.damping"]),
    ],
)
def test_parameters_do_what_the_spec_does(instance, pressed, parameter, settings, names):
    """A module of a pair that has these numbers, and one in which they are set."""
    other = flank.preset("bevel-pair", {**UNDAMPED, **settings})
    variables = {each.name: each for each in force_module(other).variables}
    moving = pressed.copy()
    moving[:, 7:] = np.random.default_rng(6).normal(0.0, 0.2, (2, 6))
    before = forces(instance, moving)
    for name in names:
        parameter(name, variables[name].start)
    expected = engine_forces(other.force_element(), moving)
    found = forces(instance, moving)
    assert found == pytest.approx(expected, rel=1e-9)
    assert np.abs(found - before).max() > 1e-4 * np.abs(before).max()


@needs_binary
@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("mesh.friction", -0.1, "cannot be -0.1; give a finite number that is not negative."),
        ("mesh.friction_velocity", 0.0, "cannot be 0; give a finite number of at least 1e-09."),
        ("mesh.damping", np.inf, "cannot be inf; give a finite number that is not negative."),
        ("mesh.stiffness_scale", np.nan, "nan; give a finite number that is not negative."),
    ],
)
def test_numbers_out_of_range_are_refused_with_a_sentence(machine, name, value, sentence):
    unit = Instance(unpacked("bevel-pair", contents="force"))
    number = [variable.name for variable in force_module(machine).listed].index(name)
    before = unit.get(number)
    assert unit.set(number, value) == 3
    assert unit.said[-1].endswith(sentence)
    assert unit.get(number) == before
    assert unit.set(number, 0.5) == 0
    assert unit.start() == 0
    assert unit.set(number, value) == 3
    assert unit.get(number) == [0.5]
    unit.free()
