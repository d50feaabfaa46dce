"""Every preset becomes a unit that FMPy finds nothing wrong with and runs as Flank does."""

import numpy as np
import pytest
from units_at_work import assert_equal_runs, natively, needs_binary, unit_of, written

from flank.presets import preset_names

pytestmark = needs_binary
fmpy = pytest.importorskip("fmpy", reason="FMPy is not installed")

STEP, STEPS = 2e-5, 12


def simulate(path, steps=STEPS, step=STEP):
    return fmpy.simulate_fmu(
        str(path), stop_time=steps * step, step_size=step, output_interval=step
    )


@pytest.mark.parametrize("preset", preset_names())
def test_a_preset_runs_in_fmpy_as_natively(preset):
    from fmpy.validation import validate_fmu

    expected = natively(preset, STEPS, STEP)
    for version in (2, 3):
        path = written(preset, version, step=STEP)
        assert validate_fmu(str(path)) == []
        found = simulate(path)
        assert len(found) == STEPS + 1
        assert np.abs(found["input.angle"]).max() > 0.0
        assert_equal_runs(found, expected)


@pytest.mark.parametrize("preset", preset_names())
def test_a_preset_has_its_plain_numbers_as_parameters(preset):
    """Of stiffness and damping all have some; of friction those whose contacts have any."""
    unit = unit_of(preset, step=STEP)
    names = [variable.name for variable in unit.of_kind("parameter")]
    assert len(set(names)) == len(names)
    model = unit.calls[0].arguments[0]
    rough = model.contacts["friction_form"].any() or bool(getattr(model, "flanks", (0,))[0])
    kinds = {"stiffness": True, "damping": True, "friction": rough}
    assert {kind: any(kind in name for name in names) for kind in kinds} == kinds


@pytest.mark.parametrize("preset", ["bevel-pair", "hypoid-pair", "spiral-bevel-nasa"])
@pytest.mark.parametrize("version", [2, 3])
def test_nothing_is_wrong_with_force_modules(preset, version):
    from fmpy.validation import validate_fmu

    assert validate_fmu(str(written(preset, version, "force"))) == []


@pytest.mark.parametrize("preset", ["cycloidal-drive", "cv-joint", "planetary-lin-parker"])
def test_an_input_at_a_speed_runs_as_natively(preset):
    """The function of the angle is another one: its round-off is in the torque over h²."""
    found = simulate(written(preset, 3, drive="speed", step=STEP))
    expected = natively(preset, STEPS, STEP, drive="speed")
    torques = found["input.torque"], expected["input.torque"]
    assert np.abs(torques[0]).max() > 0.0
    assert torques[0] == pytest.approx(torques[1], rel=1e-7)
    names = ["time", "input.angle", "output.angle", "transmission_error"]
    assert_equal_runs(found[names], expected)


@pytest.mark.parametrize("version", [2, 3])
def test_turns_of_a_joint_in_space_are_counted(version):
    """Three turns, ten steps each: the angle goes on where a rotation begins anew."""
    turn = 2 * np.pi / 31.4159
    found = simulate(written("cv-joint", version, drive="speed"), steps=30, step=turn / 10)
    expected = found["input.angle"]
    assert expected[-1] == pytest.approx(6 * np.pi, rel=1e-5)
    assert np.abs(found["output.angle"] - expected).max() < 0.05


def test_both_versions_describe_the_same_variables():
    from fmpy import read_model_description

    second, third = (
        read_model_description(str(written("rv-320", version)), validate=True) for version in (2, 3)
    )
    for one, other in zip(second.modelVariables, third.modelVariables, strict=True):
        for name in ("name", "valueReference", "causality", "variability", "unit", "start"):
            assert getattr(one, name) == getattr(other, name)
    names = [variable.name for variable in second.modelVariables]
    assert names == [variable.name for variable in unit_of("rv-320").listed]
    assert {"pin.friction", "cranks.torsional_stiffness_scale", "main_bearings.damping"} < {*names}
