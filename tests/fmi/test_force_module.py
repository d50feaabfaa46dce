"""The force between two gears as a unit: as the engine has it, with derivatives, in both uses."""

import dataclasses
import types

import numpy as np
import pytest
from units_at_work import needs_binary

from flank.contact.spatial import PowerLaw, SpatialSurface, Sphere, sphere_on_plane
from flank.dynamics.engine import evaluate
from flank.dynamics.poses import state_at, workspace
from flank.dynamics.spatial.builder import SpatialBuilder
from flank.dynamics.spatial.quaternions import quaternion_of_vector
from flank.dynamics.trajectory import SpatialPose
from flank.errors import SpecError
from flank.fmi.export import archive, find_binary
from flank.fmi.forces import ANSWERS, NUMBERS, force_module
from flank.machines.base import Assembly

LAW = SpatialSurface(PowerLaw(1e8, 1.5))
GIVEN, ANSWERED = 2 * len(NUMBERS), 2 * len(ANSWERS)
INPUTS = list(range(1, 1 + GIVEN))
OUTPUTS = list(range(1 + GIVEN, 1 + GIVEN + ANSWERED))


class Pair:
    """Teeth as a spring, a ball of one gear on a face of the other, and dampers between them."""

    title = "a pair in space"
    spec = types.SimpleNamespace(to_mapping=lambda: {"machine": "pair"})

    def force_element(self):
        builder = SpatialBuilder(0.05)
        pinion = builder.body("pinion", 1.0, (1e-3, 1e-3, 2e-3))
        wheel = builder.body("big wheel", 4.0, (1e-2, 1e-2, 2e-2), (0.15, 0.0, 0.0))
        lean = np.radians(20)
        with builder.part("face", "face"):
            face = Sphere(wheel, 0.01, (-0.1, 0.0, 0.005))
            builder.contact(sphere_on_plane(pinion, (0, 0, -0.005 + 2e-4), (0, 0, 1), face, LAW))
        builder.mesh(
            pinion,
            wheel,
            (20, 40),
            ((0, 0, 1), (0, 0, 1)),
            (0.05, 0.0, 0.0),
            (np.sin(lean), np.cos(lean), 0.0),
            2e8,
            backlash=1e-5,
        )
        with builder.part("damper", "damper"):
            builder.bushing(pinion, wheel, damping=(50, 60, 70), turning_damping=(1, 2, 3))
        position, rotation = builder.pose()
        pose = SpatialPose(position, rotation, np.zeros((3, 6)))
        return Assembly.of(builder, pose, {})


def inputs():
    """Off the place as built, the teeth in touch, moving."""
    draw = np.random.default_rng(2)
    given = np.zeros((2, len(NUMBERS)))
    given[1, 0] = 0.15
    given[:, :3] += draw.normal(0.0, 2e-5, (2, 3))
    turned = draw.normal(0.0, 3e-4, (2, 3))
    turned[0, 2] += 2e-3
    given[:, 3:7] = quaternion_of_vector(turned) * [[1.0], [1.7]]
    given[:, 7:] = draw.normal(0.0, 0.05, (2, 6))
    return given


def expected_forces(given):
    assembly = Pair().force_element()
    rotation = given[:, 3:7] / np.linalg.norm(given[:, 3:7], axis=1, keepdims=True)
    still = np.array([[1.0, 0.0, 0.0, 0.0]])
    pose = SpatialPose(
        np.vstack([np.zeros(3), given[:, :3]]),
        np.vstack([still, rotation]),
        np.vstack([np.zeros(6), given[:, 7:]]),
    )
    state, work = state_at(assembly.model, pose), workspace(assembly.model)
    evaluate(assembly.model, state, 0.0, work, 0.0, 1.0, 1.0)
    return work.force[1:].ravel().copy()


@pytest.fixture(scope="module", params=[2, 3])
def unit(request, tmp_path_factory):
    version = request.param
    path = tmp_path_factory.mktemp("force") / f"pair{version}.fmu"
    path.write_bytes(archive(force_module(Pair()), version, *find_binary(version), "pair"))
    return path


@pytest.fixture(params=["ModelExchange", "CoSimulation"])
def instance(request, unit):
    fmpy = pytest.importorskip("fmpy", reason="FMPy is not installed")
    description = fmpy.read_model_description(str(unit))
    folder = fmpy.extract(str(unit))
    made = fmpy.instantiate_fmu(folder, description, request.param)
    if description.fmiVersion == "2.0":
        made.setupExperiment()
    made.enterInitializationMode()
    made.exitInitializationMode()
    made.version = int(description.fmiVersion[0])
    yield made
    made.freeInstance()


def put(instance, given):
    setter = instance.setReal if instance.version == 2 else instance.setFloat64
    setter(INPUTS, np.ravel(given).tolist())


def read(instance):
    getter = instance.getReal if instance.version == 2 else instance.getFloat64
    return np.array(getter(OUTPUTS))


@needs_binary
def test_nothing_is_wrong_with_it(unit):
    pytest.importorskip("fmpy", reason="FMPy is not installed")
    from fmpy.validation import validate_fmu

    assert validate_fmu(str(unit)) == []


@needs_binary
def test_forces_are_those_of_the_engine(instance):
    put(instance, inputs())
    expected = expected_forces(inputs())
    assert np.abs(expected).min() > 1e-6
    assert (read(instance) == expected).all()


@needs_binary
def test_forces_on_both_are_opposite(instance):
    """Torques about one point are so, too, but for the teeth, whose line of action stands still."""
    given = inputs()
    put(instance, given)
    setter = instance.setReal if instance.version == 2 else instance.setFloat64
    names = [variable.name for variable in force_module(Pair()).listed]
    setter([names.index("mesh.stiffness")], [0.0])
    first, second = read(instance).reshape(2, 6)
    assert np.abs(first[:3] + second[:3]).max() <= 1e-10 * np.abs(first[:3]).max()
    arm = given[1, :3] - given[0, :3]
    about = first[3:] + second[3:] + np.cross(arm, second[:3])
    assert np.abs(about).max() <= 1e-10 * np.abs(first[3:]).max()


def difference(instance, given, column, size):
    """Central, at two lengths: its error falls by the fourth power."""
    slopes = []
    for step in (size, 0.5 * size):
        ends = []
        for sign in (1, -1):
            moved = given.copy()
            moved[np.unravel_index(column, given.shape)] += sign * step
            put(instance, moved)
            ends.append(read(instance))
        slopes.append((ends[0] - ends[1]) / (2 * step))
    return (4 * slopes[1] - slopes[0]) / 3


def jacobian_of(instance, given):
    put(instance, given)
    columns = [instance.getDirectionalDerivative(OUTPUTS, [k], [1.0]) for k in INPUTS]
    return np.array(columns).T


@needs_binary
@pytest.mark.parametrize("moving", [False, True])
def test_derivatives_are_those_of_differences(instance, moving):
    """By pose at rest, by velocities in motion: how turning changes what damps is no part of the
    engine's tangent."""
    given = inputs()
    given[:, 7:] *= moving
    jacobian = jacobian_of(instance, given)
    for k in range(GIVEN):
        if (k % len(NUMBERS) >= 7) == moving:
            slope = difference(instance, given, k, 1e-4 if moving else 1e-6)
            error = np.abs(slope - jacobian[:, k]).max()
            assert error <= 2e-6 * np.abs(jacobian[:, k]).max(), k


@needs_binary
def test_derivatives_in_many_directions_are_sums(instance):
    jacobian = jacobian_of(instance, inputs())
    seed = np.random.default_rng(3).normal(size=GIVEN)
    sums = instance.getDirectionalDerivative(OUTPUTS, INPUTS, seed.tolist())
    assert np.array(sums) == pytest.approx(jacobian @ seed, rel=1e-9)
    if instance.version == 3:
        back = np.random.default_rng(4).normal(size=ANSWERED)
        sums = instance.getAdjointDerivative(OUTPUTS, INPUTS, back.tolist(), GIVEN)
        assert np.array(sums) == pytest.approx(back @ jacobian, rel=1e-9)


@needs_binary
def test_a_quaternion_of_no_length_is_refused_and_leaves_no_trace(instance):
    given = inputs()
    given[0, 3:7] = 0.0
    put(instance, given)
    with pytest.raises(Exception, match="failed with status 2"):
        read(instance)
    put(instance, inputs())
    assert (read(instance) == expected_forces(inputs())).all()


@needs_binary
def test_parameters_of_a_module_change_its_forces(instance):
    names = [variable.name for variable in force_module(Pair()).listed]
    put(instance, inputs())
    before = read(instance)
    setter = instance.setReal if instance.version == 2 else instance.setFloat64
    setter([names.index("mesh.stiffness")], [4e8])
    assert np.abs(read(instance) - before).max() > 0.5 * np.abs(before).max()


def test_a_machine_in_the_plane_has_no_force_module():
    import flank

    with pytest.raises(SpecError, match="'Helical gear pair, 25/77 teeth' has none; write it as"):
        force_module(flank.preset("gear-pair"))


class Remembering(Pair):
    def force_element(self):
        assembly = super().force_element()
        contacts = assembly.model.contacts.copy()
        contacts["friction_form"] = 3
        return dataclasses.replace(assembly, model=assembly.model._replace(contacts=contacts))


def test_elastic_friction_is_refused():
    with pytest.raises(SpecError, match="elastic friction, which remembers"):
        force_module(Remembering())
