"""`contacts: full`: what results hold of every contact, what they cost, and what is refused."""

import numpy as np
import pytest

import flank
from flank.analyses import contact_states
from flank.errors import SpecError

SHORT = {"duration": 2e-3, "step": 5e-5, "points": 20}
STATES = ("force", "gap", "gap_rate", "sliding_speed", "friction", "x", "y", "pressure")


def test_time_response_tells_all_of_every_contact():
    machine = flank.preset("few-teeth-60")
    result = flank.run(machine, "time-response", contacts="full", **SHORT)
    for group in ("tooth", "turning_arm", "support"):
        shapes = {result.data[f"{group}_{name}"].shape for name in STATES}
        assert len(shapes) == 1
    assert result.data["tooth_gap"].dims == ("time", "disc", "flank", "slot")
    assert result.data["tooth_first_roll"].attrs["units"] == "m"
    assert "turning_arm_first_tooth" not in result.data
    closed = result.data["tooth_force"].values > 0
    assert (result.data["tooth_gap"].values[closed] < 0).all()
    plain = flank.run(machine, "time-response", **SHORT)
    assert not [name for name in plain.data.data_vars if name.endswith("_gap_rate")]
    assert "contacts" not in plain.settings
    for name, variable in plain.data.data_vars.items():
        np.testing.assert_array_equal(variable.values, result.data[name].values)


def test_rates_of_a_gap_are_its_course():
    """The integral of the rates is the change of the gap, over a run in time."""
    settings = {"duration": 4e-3, "step": 2e-5, "points": 200, "drive": "speed"}
    result = flank.run(
        flank.preset("cycloidal-drive"), "time-response", contacts="full", **settings
    )
    time, gap, rate = (result.data[name].values for name in ("time", "pin_gap", "pin_gap_rate"))
    passed = np.diff(time)[:, None, None] * 0.5 * (rate[1:] + rate[:-1])
    change = gap[-1] - gap[0]
    np.testing.assert_allclose(passed.sum(axis=0), change, atol=2e-3 * np.abs(change).max())


def test_static_paths_slide_at_the_operating_speed_and_loops_have_no_rates():
    machine = flank.preset("cycloidal-drive")
    error = flank.run(machine, "transmission-error", contacts="full", points_per_turn=8)
    load = flank.run(machine, "load-distribution", contacts="full")
    np.testing.assert_allclose(
        error.data["pin_sliding_speed"].values[0], load.data["pin_sliding_speed"].values, rtol=1e-3
    )
    rolled = machine.input_speed * machine.spec.eccentricity * machine.spec.pins.count
    assert 0 < np.abs(load.data["pin_sliding_speed"].values).max() < rolled
    loop = flank.run(machine, "hysteresis", contacts="full", points_per_stage=5)
    assert "pin_gap_rate" not in loop.data
    assert loop.data["pin_gap"].dims == ("point", "disc", "pin")
    slow = {"mode": "dynamic", "stage_duration": 0.02, "step": 1e-4, "contacts": "full"}
    dynamic = flank.run(machine, "hysteresis", **slow)
    assert dynamic.data["pin_gap_rate"].dims == ("point", "disc", "pin")


def test_joints_in_space_and_teeth_of_gear_pairs_tell_theirs():
    joint = flank.run(flank.preset("cv-joint"), "load-distribution", contacts="full")
    assert np.isfinite(joint.data["track_sliding_speed"].values).all()
    assert joint.data["track_z"].shape == joint.data["track_force"].shape
    explicit = flank.preset("gear-pair", {"mesh.model": "contact"})
    pair = flank.run(explicit, "time-response", contacts="full", duration=1e-3, step=1e-5)
    assert pair.data["tooth_force"].dims == ("time", "flank_index", "slice", "tooth_pair")
    total = pair.data["tooth_force"].values.sum(axis=(1, 2, 3))
    np.testing.assert_allclose(total, np.abs(pair.data["mesh_force"].values[:, 0]), rtol=1e-12)


def test_more_than_fits_is_refused_before_the_run(monkeypatch):
    monkeypatch.setattr(contact_states, "MOST_NUMBERS", 10_000)
    machine = flank.preset("cycloidal-drive")
    for analysis in ("time-response", "transmission-error", "hysteresis"):
        with pytest.raises(SpecError, match="there is room for 8 points"):
            flank.run(machine, analysis, contacts="full")
    with pytest.raises(SpecError, match="Choices: 'full'"):
        flank.run(machine, "time-response", contacts="every")
