"""Losses: two ways to them agree, closed forms are met, and what rubs is what loses."""

from dataclasses import replace

import numpy as np
import pytest

import flank
from flank.analyses import efficiency
from flank.dynamics.status import Status
from flank.errors import SpecError
from flank.geometry.tooth_sliding import sliding_share

ROUGH = {"friction.pins": 0.05, "friction.rollers": 0.02, "friction.form": "elastic"}


@pytest.mark.parametrize(
    ("preset", "changes"), [("cycloidal-drive", ROUGH), ("rv-320", {}), ("few-teeth-38", {})]
)
def test_torques_and_work_of_friction_lose_the_same(preset, changes):
    result = flank.run(flank.preset(preset, changes), "efficiency", loads=[1.0])
    assert abs(result["energy_error"]) < 1e-4
    assert result["part_torque"].values.sum() == pytest.approx(
        float(result["lost_torque"].values[-1]), rel=1e-9
    )
    assert 0.5 < result["rated_efficiency"] < 1
    assert result["part_share"].values.sum() == pytest.approx(1.0)


def test_teeth_lose_what_slides():
    """A mesh passes on all of its power but for μ H_v of it, at every load."""
    machine = flank.preset("spur-bruzzone")
    (meshed,) = machine.tooth_pairs().values()
    result = flank.run(machine, "efficiency", mesh_friction=0.06, loads=[0.5, 1.0])
    lost = 0.06 * sliding_share(meshed.pair)
    assert result["efficiency"].values == pytest.approx([1 / (1 + lost)] * 2, rel=1e-4)
    assert result["backward_efficiency"] == pytest.approx(1 - lost, rel=1e-4)
    assert list(result["part"].values) == ["teeth of pinion/wheel"]


def test_planets_lose_by_what_rolls_on_the_carrier():
    """Sun in, ring held, carrier out: the power that rolls is 1 - 1/i of all."""
    machine = flank.preset("planetary-lin-parker", {"sun_mesh.model": "spring"})
    result = flank.run(machine, "efficiency", mesh_friction=0.05, loads=[1.0], points=64)
    pairs = machine.tooth_pairs()
    lost = 0.05 * sum(sliding_share(each.pair) for each in pairs.values())
    rolling = abs(1 - 1 / machine.ratio)
    assert 1 / result["efficiency"].values[0] - 1 == pytest.approx(rolling * lost, rel=0.02)


def test_a_machine_without_friction_loses_nothing_and_says_why():
    result = flank.run(flank.preset("cycloidal-drive"), "efficiency", points=60)
    assert result["efficiency"].values == pytest.approx(1.0, abs=1e-9)
    assert abs(result["energy_error"]) < 1e-3
    assert any("Nothing rubs here" in warning for warning in result.warnings)


def test_drag_is_lost_at_every_load_and_held_against_the_output():
    machine = flank.preset("spur-bruzzone")
    result = flank.run(machine, "efficiency", input_drag="0.5 N*m", output_drag="2 N*m", points=60)
    drag = 0.5 + 2 / abs(machine.ratio)
    assert result["lost_torque"].values == pytest.approx(drag, rel=1e-3)
    assert result["running_torque"] == pytest.approx(drag, rel=1e-3)
    assert result["back_driving_torque"] == pytest.approx(drag * abs(machine.ratio), rel=2e-3)


def test_what_grows_with_speed_shows_over_speeds():
    machine = flank.preset("spur-bruzzone")
    settings = {"input_viscous_drag": "0.01 N*m*s/rad", "speeds": ["100 rpm", "1000 rpm"]}
    result = flank.run(machine, "efficiency", loads=[0.5, 1.0], points=60, **settings)
    at_speed = result["efficiency_at_speed"].values
    needed = result["input_torque"].values
    slow = 0.01 * 100 * 2 * np.pi / 60
    assert at_speed.shape == (2, 2)
    expected = result["efficiency"].values * needed / (needed + slow)
    assert at_speed[0] == pytest.approx(expected)
    assert np.all(at_speed[1] < at_speed[0])


@pytest.mark.parametrize("preset", ["bevel-pair", "hypoid-pair", "helical-in-space"])
def test_flanks_in_space_lose_what_they_do_under_load(preset):
    """As over a mesh cycle of `loaded-contact`; torques and work lose the same."""
    machine = flank.preset(preset)
    settings = {"loads": [0.5, 1.0], "points": 16, "mesh_friction": 0.05}
    result = flank.run(machine, "efficiency", **settings)
    loaded = flank.run(machine, "loaded-contact", friction=0.05, torque=machine.rated_torque)
    assert 1 - result["rated_efficiency"] == pytest.approx(1 - loaded["efficiency"], rel=0.05)
    assert abs(result["energy_error"]) < 1e-4
    assert result["part_share"].values == pytest.approx([1.0])


def test_planets_in_space_lose_as_in_the_plane():
    """Of the power that rolls against the carrier both meshes take their μ H_v."""
    machine = flank.preset("planetary-grc")
    settings = {"loads": [1.0], "points": 64, "mesh_friction": 0.05}
    result = flank.run(machine, "efficiency", **settings)
    pairs = machine.tooth_pairs()
    lost = 0.05 * sum(sliding_share(each.pair) for each in pairs.values())
    rolling = 1 - machine.ratio  # carrier in, sun out
    assert 1 / result["efficiency"].values[0] - 1 == pytest.approx(rolling * lost, rel=0.02)
    assert abs(result["energy_error"]) < 1e-4


def test_rolling_resistance_takes_its_share_of_what_shafts_carry():
    machine = flank.preset("spur-bruzzone")
    settings = {"loads": [0.5, 1.0], "points": 60, "input_rolling": 0.01, "output_rolling": 0.02}
    result = flank.run(machine, "efficiency", **settings)
    assert result["efficiency"].values == pytest.approx([1 / 1.03] * 2, rel=1e-4)
    assert list(result["part"].values) == ["rolling of the input", "rolling of the output"]
    assert result["part_share"].values == pytest.approx([1 / 3, 2 / 3], rel=1e-3)


def test_oil_at_the_output_counts_by_the_ratio_twice():
    machine = flank.preset("gear-pair", {"mesh.model": "spring", "mesh.slices": None})
    more = {"loads": [1.0], "points": 60, "speeds": ["500 rpm"]}
    out, put = (
        flank.run(machine, "efficiency", **more, **{name: value})["efficiency_at_speed"].values
        for name, value in (
            ("output_viscous_drag", 1.0),
            ("input_viscous_drag", 1.0 / machine.ratio**2),
        )
    )
    assert out == pytest.approx(put, rel=1e-12)
    assert np.all(out < 1)


def test_a_drive_that_rubs_too_much_locks_itself():
    changes = {"friction.pins": 0.9, "friction.rollers": 0.9, "friction.form": "elastic"}
    result = flank.run(flank.preset("cycloidal-drive", changes), "efficiency", points=120)
    assert result["backward_efficiency"] < 0
    assert "back_driving_torque" not in result.dataset
    assert any("locks itself" in warning for warning in result.warnings)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"loads": []}, "loads is empty"),
        ({"loads": [-0.5]}, "loads"),
        ({"input_drag": "-1 N*m"}, "input_drag"),
        ({"mesh_friction": "5 N"}, "mesh_friction"),
    ],
)
def test_what_cannot_be_is_refused(settings, sentence):
    with pytest.raises(SpecError, match=sentence):
        flank.run(flank.preset("spur-bruzzone"), "efficiency", **settings)


def test_an_equilibrium_that_is_not_found_leaves_the_torque_unknown(monkeypatch):
    """Under a thousandth of the rated torque, where the search for it begins."""
    machine, solve = flank.preset("spur-bruzzone"), efficiency.solve_static

    def fails_lightly(asked, over):
        path, assembly = solve(asked, over)
        light = abs(over.torque) < 2e-3 * asked.rated_torque
        return (replace(path, status=Status.SINGULAR) if light else path), assembly

    monkeypatch.setattr(efficiency, "solve_static", fails_lightly)
    result = flank.run(machine, "efficiency", loads=[1.0], points=60, input_drag="0.5 N*m")
    assert result.complete
    assert np.isnan(result["back_driving_torque"])
    told = "No number was found for: Torque that drives the output backwards."
    assert told in result.warnings


@pytest.fixture(scope="module")
def joint():
    return flank.run(flank.preset("cv-joint"), "efficiency", loads=[1.0], input_drag="4 N*m")


def test_a_joint_loses_what_its_contacts_rub(joint):
    """At its operating torque, from the energy of whole turns, as joint-turns has it."""
    turns = flank.run(flank.preset("cv-joint"), "joint-turns")
    torque = float(joint["torque"])
    lost = float(joint["lost_torque"].values[0])
    assert torque == pytest.approx(2000.0)
    assert (lost - 4.0) / torque == pytest.approx(1 - float(turns["efficiency"]), rel=0.05)
    assert abs(joint["energy_error"]) < 5e-3
    assert joint["efficiency"].values == pytest.approx([torque / (torque + lost)])
    assert joint["part_torque"].values.sum() == pytest.approx(lost, rel=1e-9)
    assert {"tracks", "cage windows", "drag of the input"} <= set(joint["part"].values)
    assert joint.data["torque"].attrs["long_name"] == "Output torque, operating"


def test_drag_holds_a_joint_against_small_torques(joint):
    """4 N·m of drag and what then rubs."""
    assert 4.0 < float(joint["back_driving_torque"]) < 4.1
    assert 4.0 < float(joint["running_torque"]) < float(joint["starting_torque"])
    assert 0.99 < float(joint["backward_efficiency"]) < 1


def test_a_joint_without_teeth_is_told_so():
    with pytest.raises(SpecError, match="mesh_friction does nothing here, a joint has no teeth"):
        flank.run(flank.preset("cv-joint"), "efficiency", mesh_friction=0.05)
