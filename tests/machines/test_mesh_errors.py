"""Errors of meshes and forces of single teeth, whatever the machine and the mesh model."""

from dataclasses import replace

import numpy as np
import pytest

import flank
from flank.analyses.runs import loaded_equilibrium
from flank.dynamics.functions import constant, linear
from flank.dynamics.run import solve_statics
from flank.machines.base import Drive
from flank.machines.mesh_forces import mesh_errors, mesh_forces
from flank.machines.tooth_forces import tooth_forces

PRESETS = ("gear-pair", "spur-bruzzone", "planetary-500kw", "rv-40", "few-teeth-38", "few-teeth-60")


def turned(machine, angles):
    """The ideal machine at angles of its input, as a run."""
    path, assembly = loaded_equilibrium(machine, 0.0, machine.load_torque)
    poses = np.array([machine.ideal_pose(angle) for angle in angles])
    return assembly, replace(path, position=poses, time=np.asarray(angles))


@pytest.mark.parametrize("preset", PRESETS)
def test_ideal_gears_have_no_error(preset):
    assembly, run = turned(flank.preset(preset), np.linspace(0.0, 9.0, 60))
    errors = mesh_errors(assembly, run)
    assert errors.shape == (60, len(assembly.meshes))
    assert np.abs(errors - errors[0]).max() < 1e-12


@pytest.mark.parametrize("model", ["rigid", "spring", "table", "contact"])
def test_an_error_is_what_the_first_gear_is_ahead(model):
    machine = flank.preset("spur-bruzzone", {"mesh": {"model": model}, "input_shaft": None})
    assembly, run = turned(machine, [0.0, 0.3])
    run.position[1, 1, 2] += 1e-4
    radius = machine.spec.pinion_gear.base_radius
    assert np.diff(mesh_errors(assembly, run)[:, 0]) == pytest.approx(1e-4 * radius)


@pytest.mark.parametrize("preset", ["spur-bruzzone", "gear-pair"])
@pytest.mark.parametrize("torque", [1.0, -1.0])
def test_teeth_share_the_force_of_their_mesh(preset, torque):
    """Over four pitches every tooth comes and goes; mesh models agree on who carries what."""
    shares, carried = {}, {}
    for model in ("table", "contact", "fe"):
        machine = flank.preset(preset, {"mesh": {"model": model}})
        pitch = 2 * np.pi / machine.spec.pinion.teeth
        angles = np.linspace(0.0, 4 * pitch, 65)
        load = torque * machine.load_torque
        assembly = machine.assemble(Drive.of_ends(linear(1.0), constant(load)))
        guesses = [machine.ideal_pose(angle) for angle in angles]
        run = solve_statics(assembly.model, guesses[0], angles, guesses)
        numbers, forces = tooth_forces(assembly, run, 0)
        total = mesh_forces(assembly, run)[:, 0].max(axis=1)
        assert forces.sum(axis=1) == pytest.approx(total, rel=1e-9)
        assert np.diff(numbers).tolist() == [1] * (len(numbers) - 1)
        again = forces[16:-1, :-1] if torque > 0 else forces[16:-1, 1:]
        before = forces[:-17, 1:] if torque > 0 else forces[:-17, :-1]
        assert (
            min(
                np.abs(forces[16:, 1:] - forces[:-16, :-1]).max(),
                np.abs(forces[16:, :-1] - forces[:-16, 1:]).max(),
            )
            < 0.02 * total.max()
        ), (again.shape, before.shape)
        shares[model] = forces.max() / total.max()
        carried[model] = dict(zip(numbers.tolist(), forces.T, strict=True))
    assert shares["contact"] == pytest.approx(shares["table"], rel=0.12)
    assert shares["fe"] == pytest.approx(shares["table"], rel=0.12)
    assert carried["contact"].keys() == carried["fe"].keys()
    for tooth in carried["fe"]:
        apart = carried["fe"][tooth] - carried["contact"][tooth]
        assert np.sqrt((apart**2).mean()) < 0.04 * total.max(), tooth


def test_a_spring_knows_no_teeth():
    machine = flank.preset("spur-bruzzone", {"mesh": {"model": "spring"}})
    path, assembly = loaded_equilibrium(machine, 0.0, machine.load_torque)
    assert tooth_forces(assembly, path, 0) is None
