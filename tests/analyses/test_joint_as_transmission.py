"""A ball joint asked as every transmission is: its inner race is the output, the ratio is one."""

import numpy as np
import pytest

import flank


def test_it_is_a_constant_velocity_joint():
    """Without friction the transmission error is the wind-up, at every angle the same."""
    result = flank.run(flank.preset("cv-joint"), "transmission-error", points_per_turn=32)
    assert result.complete
    assert result["peak_to_peak"] < 1e-4 * abs(result["mean_error"])
    loaded = flank.run(flank.preset("cv-joint"), "load-distribution")
    assert result["mean_error"] == pytest.approx(loaded["wind_up"], rel=1e-4)
    assert any("no part in a static run" in warning for warning in result.warnings)


def test_its_contacts_are_those_of_its_turns():
    machine = flank.preset("cv-joint")
    loaded = flank.run(machine, "load-distribution")
    turned = flank.run(machine, "joint-turns", mode="static", points_per_turn=16)
    for name in ("track_force", "track_pressure"):
        by_race = loaded[name].transpose("ball", "race", "flank").values
        assert by_race == pytest.approx(turned[name].values[0], rel=1e-6, abs=1e-3)
    assert loaded["window_force"].values == pytest.approx(
        turned["window_force"].values[0], abs=0.01
    )
    force = loaded["track_force"].values
    assert (~np.isnan(loaded["track_z"].values) == (force > 0)).all()


def test_its_modes_leave_out_what_nothing_resists():
    machine = flank.preset("cv-joint", {"operation.deflection": 0})
    result = flank.run(machine, "natural-frequencies", count=100)
    assert result.complete
    balls = machine.spec.balls.count
    assert result["free_count"] == 3 * balls + 3  # balls spin; the cage turns and shifts sideways
    assert result["unstable_count"] == 0
    assert result["mode_shape"].sizes["coordinate"] == 6


def test_torques_act_on_either_race():
    machine = flank.preset("cv-joint", {"contact.friction": None})
    settings = {"duration": 2e-3, "step": 5e-5, "points": 20, "initial_speed": 0}
    result = flank.run(machine, "time-response", torques={"outer": 10, "inner": -10}, **settings)
    assert result.complete
    assert result["final_input_speed"] == pytest.approx(0.0, abs=0.5)
    assert set(result["body"].values) == {"outer race", "inner race"}
    with pytest.raises(flank.errors.SpecError, match=r"torques\.ring: no torque can act there"):
        flank.run(machine, "time-response", torques={"ring": 1})
