"""Speed sweep: resonance where the natural frequency is, contact loss only with separation."""

import numpy as np
import pytest

import flank
from flank.analyses import sweep_reading
from flank.errors import SpecError

DAMPED = {"model": "table", "damping": "1e5 N*s/m"}
STIFF = {"sun_mesh": DAMPED, "ring_mesh": DAMPED}


def sweep(changes=None, **settings):
    asked = {"speeds": 9, "settling_periods": 40, "periods": 8, "direction": "up"} | settings
    return flank.run(flank.preset("planetary-500kw", changes), "speed-sweep", **asked)


def test_the_third_harmonic_meets_the_torsional_mode():
    """Sequential planets leave a torque of harmonic 3, which is at the locked mode of 38 Hz."""
    machine = flank.preset("planetary-500kw")
    mode = flank.run(machine, "natural-frequencies")["lowest_frequency"]
    speed = 2 * np.pi * mode / 3 / machine.orders["mesh"]
    result = sweep(STIFF, lowest=0.7 * speed, highest=1.3 * speed, settling_periods=120)
    assert result.complete
    assert result["resonance_speed"] == pytest.approx(speed, rel=0.09)
    error = result["error_rms"].values[0]
    assert error.max() > 2.5 * error[[0, -1]].max()


def test_mean_forces_carry_the_torque_at_every_speed():
    result = sweep(speeds=3, direction="both")
    assert list(result["direction"].values) == ["up", "down"]
    sun = np.abs(result["force_mean"].values[..., :3]).sum(axis=-1)
    assert sun == pytest.approx(28090 / 0.0939693, rel=0.02)
    assert result["contact_loss"].values.max() == 0.0
    assert result["mesh_frequency"].values == pytest.approx(
        91 * result["speed"].values / (2 * np.pi)
    )


def test_light_load_and_fast_running_part_the_teeth():
    """In small steps from below: teeth that stay together have a motion of their own, too, which
    ends at a resonance."""
    light = {"operation.torque": "200 N*m"}
    result = sweep(light, lowest="100 rpm", highest="140 rpm", speeds=5, settling_periods=20)
    assert result["largest_contact_loss"] > 0.05


def test_unsettled_speeds_are_told():
    early = sweep(speeds=2, settling_periods=1, periods=12)
    assert any("use more settling_periods" in warning for warning in early.warnings)
    late = sweep(STIFF, speeds=2, lowest="20 rpm", highest="21 rpm", settling_periods=600)
    assert not any("settling_periods" in warning for warning in late.warnings)


def test_refused():
    with pytest.raises(SpecError, match="lowest is not below highest"):
        sweep(lowest=3.0, highest=2.0)


def test_speeds_that_no_teeth_survive_are_left_out(monkeypatch):
    """With a lower bound: the first speed stays below it, the resonance does not."""
    monkeypatch.setattr(sweep_reading, "LARGEST_FORCE_RATIO", 1.6)
    result = sweep(lowest="27 rpm", highest="160 rpm", speeds=4, settling_periods=20)
    left_out = np.isnan(result["error_rms"].values[0])
    assert 0 < left_out.sum() < 4
    assert np.isfinite(result["largest_error"])
    assert any("are left out" in warning for warning in result.warnings)
