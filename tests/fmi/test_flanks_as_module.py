"""Flanks of a bevel pair as a force module: forces of the engine, exact derivatives."""

import numpy as np
import pytest
from units_at_work import needs_binary

import flank
from flank.dynamics.engine import evaluate
from flank.dynamics.poses import state_at, workspace
from flank.dynamics.spatial.quaternions import matrix_of, quaternion_of
from flank.dynamics.trajectory import SpatialPose
from flank.fmi.export import archive, find_binary
from flank.fmi.forces import ANSWERS, NUMBERS, force_module
from flank.geometry.rotations import about_z

GIVEN, ANSWERED = 2 * len(NUMBERS), 2 * len(ANSWERS)
INPUTS = list(range(1, 1 + GIVEN))
OUTPUTS = list(range(1 + GIVEN, 1 + GIVEN + ANSWERED))


@pytest.fixture(scope="module")
def machine():
    return flank.preset("bevel-pair", {"mesh.points": 12})


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


def forces(instance, given):
    instance.setReal(INPUTS, np.ravel(given).tolist())
    return np.array(instance.getReal(OUTPUTS))


@needs_binary
def test_forces_are_those_of_the_engine(instance, assembly, pressed):
    still = np.zeros(3), [1.0, 0.0, 0.0, 0.0], np.zeros(6)
    rows = (pressed[:, :3], pressed[:, 3:7], pressed[:, 7:])
    pose = SpatialPose(*(np.vstack((first, row)) for first, row in zip(still, rows, strict=True)))
    state, work = state_at(assembly.model, pose), workspace(assembly.model)
    evaluate(assembly.model, state, 0.0, work, 0.0, 1.0, 1.0)
    expected = work.force[1:].ravel()
    assert np.linalg.norm(expected[:3]) > 1e3
    assert forces(instance, pressed) == pytest.approx(expected, rel=1e-9)


@needs_binary
def test_forces_on_both_are_opposite(instance, pressed):
    first, second = forces(instance, pressed).reshape(2, 6)
    assert first[:3] == pytest.approx(-second[:3], rel=1e-10)
    about = first[3:] + second[3:] + np.cross(pressed[1, :3] - pressed[0, :3], second[:3])
    assert np.abs(about).max() <= 1e-10 * np.abs(first[3:]).max()


@needs_binary
def test_derivatives_are_those_of_differences(instance, pressed):
    forces(instance, pressed)
    step = 1e-8
    for column in range(7):  # of the pinion's pose
        slope = np.array(instance.getDirectionalDerivative(OUTPUTS, [INPUTS[column]], [1.0]))
        ends = []
        for sign in (1, -1):
            moved = pressed.copy()
            moved[0, column] += sign * step
            ends.append(forces(instance, moved))
        difference = (ends[0] - ends[1]) / (2 * step)
        forces(instance, pressed)
        assert np.abs(slope - difference).max() <= 1e-5 * np.abs(slope).max(), column
