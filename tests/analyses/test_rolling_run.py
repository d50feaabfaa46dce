"""Rolling runs against the engine, through their backlash and back; what is refused."""

import numpy as np
import pytest

import flank
from flank.dynamics.rolling import STALLED
from flank.errors import SpecError
from flank.machines.gear_pair.rolling import gear_loading

REVERSED = [[0, 60], [0.004, 60], [0.006, -60], [0.01, -60], [0.01, 60]]


def machine(**changes):
    return flank.preset("spur-bruzzone", {"mesh.model": "fe", "mesh.slices": 1, **changes})


def test_a_torque_that_turns_round_is_that_of_the_engine():
    """Nothing damps the mesh; the shaft is stiff, by whose twist teeth of the engine stand back."""
    tight = {f"{name}.thickness_deviation": "-5 um" for name in ("pinion", "wheel")}
    shaft = {"input_shaft.stiffness": 1e6, "input_shaft.damping": 20}
    pair = machine(damping_ratio=None, **tight, **shaft)
    run = {"duration": "14 ms", "speed": "1500 rpm", "torque": REVERSED}
    rolled = flank.run(pair, "rolling-run", steps_per_period=240, kept=100_000, points=1, **run)
    engine = flank.run(
        pair,
        "time-response",
        drive="speed",
        initial_speed="1500 rpm",
        start_angle=gear_loading(pair, 1).turned(0.0),
        duration="14 ms",
        step="2 us",
        torques={"output": REVERSED},
        points=100_000,
        spectral_radius=1.0,
    )
    time = np.linspace(0.1e-3, 13.9e-3, 2000)

    def at(result, values):
        return np.interp(time, result["time"].values, values)

    force = at(rolled, rolled["mesh_force"].values)
    expected = at(engine, engine["mesh_force"].values[:, 0])
    assert force.min() < -1500
    assert (force - expected).std() < 0.01 * np.ptp(expected)
    error = at(rolled, rolled["output_error"].values)
    apart = error - at(engine, engine["transmission_error"].values)
    assert apart.std() < 0.005 * np.ptp(error)
    half = 0.5 * pair.meshed.pair.normal_backlash / pair.output_base_radius
    assert -apart.mean() == pytest.approx(half, rel=0.02)
    assert rolled["flank_changes"] == 2


def test_a_speed_that_rises_takes_torque():
    """The wheel's inertia, and nothing else, is on the mesh."""
    pair = machine()
    steady = {"points": 1, "torque": 0, "duration": "60 ms"}
    speed = [[0, 200.0], [0.06, 260.0]]
    rolled = flank.run(pair, "rolling-run", speed=speed, **steady)
    force = rolled["mesh_force"].values[2000:].mean()
    expected = pair.driven_inertia * 1000.0 / pair.output_base_radius
    assert force == pytest.approx(expected, rel=0.01)
    assert rolled["input_speed"].values[-1] == pytest.approx(260.0, rel=0.01)


def test_a_long_run_is_rolled_in_pieces(monkeypatch):
    settings = {"points": 1, "duration": "20 ms", "torque": [[0, 50], [0.02, 150]]}
    whole = flank.run(machine(), "rolling-run", **settings)
    monkeypatch.setattr("flank.analyses.rolling_run.CYCLES", 7)
    pieces = flank.run(machine(), "rolling-run", **settings)
    np.testing.assert_array_equal(whole["mesh_force"].values, pieces["mesh_force"].values)


def test_a_run_that_stalls_says_so(monkeypatch):
    monkeypatch.setattr("flank.dynamics.rolling_mesh.roll", lambda *_: (STALLED, 0))
    result = flank.run(machine(), "rolling-run", points=1)
    assert not result.complete
    assert result.outcome == "Stopped where the points in mesh found no balance."


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"speed": [[0, 100], [1, 0]]}, "one direction only"),
        ({"speed": [[1, 100], [1, 200]]}, "a speed cannot jump"),
        ({"torque": [[1, 100], [0, 200]]}, "its times must not fall"),
        ({"duration": 1e8}, "use at most"),
        ({"rotating_frame": True}, "does nothing without modes"),
    ],
)
def test_what_cannot_be_run_is_refused(settings, words):
    with pytest.raises(SpecError, match=words):
        flank.run(machine(), "rolling-run", **settings)
