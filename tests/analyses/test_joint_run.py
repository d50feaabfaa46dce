"""Runs of a ball joint while torque, speed, deflection and plunge change."""

import functools
import math

import numpy as np
import pytest

import flank
from flank.errors import SpecError

ONE_FRICTION = {
    "contact.friction.static": None,
    "contact.friction.static_velocity": None,
    "contact.friction.sliding": 0.03,
}
TRANSIENTS = {
    "run-up": {
        "speed": {"function": "rise", "to": "300 rpm", "duration": "0.15 s"},
        "torque": {"function": "rise", "from": "200 N*m", "to": "2000 N*m", "duration": "0.15 s"},
        "duration": "0.2 s",
    },
    "reversal": {
        "torque": [["0 s", "2000 N*m"], ["0.05 s", "2000 N*m"], ["0.1 s", "-1000 N*m"]],
        "duration": "0.15 s",
    },
    "jump": {"torque": [["0 s", 2000], ["0.05 s", 2000], ["0.05 s", 500]], "duration": "0.08 s"},
    "steering": {
        "deflection": [["0 s", "2 deg"], ["0.05 s", "2 deg"], ["0.15 s", "5 deg"]],
        "duration": "0.2 s",
    },
    "plunge": {
        "plunge": {"function": "sine", "amplitude": "0.3 mm", "frequency": 10, "duration": 0.1},
        "duration": "0.1 s",
    },
}


def joint(changes=None):
    return flank.preset("cv-joint-marter", ONE_FRICTION | (changes or {}))


@functools.cache
def transient(name):
    return flank.run(joint(), "joint-run", points=100, **TRANSIENTS[name])


@pytest.mark.parametrize("name", TRANSIENTS)
def test_energy_balances_in_every_transient_run(name):
    result = transient(name)
    assert result.complete, result.outcome
    assert abs(result["energy_remainder"]) < 0.005
    assert len(result["time"]) == 101
    assert result["time"].values[-1] == pytest.approx(float(TRANSIENTS[name]["duration"][:-1]))


def test_what_is_prescribed_is_what_happens():
    result = transient("run-up")
    assert result["speed"].values[[0, -1]] == pytest.approx([0.0, 10 * math.pi])
    assert result["output_speed"].values[-1] == pytest.approx(10 * math.pi, rel=1e-3)
    assert result["turned"].values[-1] == pytest.approx(10 * math.pi * 0.125, rel=1e-4)
    assert 360 * result["turns"] == pytest.approx(225, rel=1e-4)
    steered = np.degrees(transient("steering")["deflection"].values)
    assert steered[[0, 25, 75, 100]] == pytest.approx([2, 2, 5, 5], abs=1e-6)
    assert (np.diff(steered) > -1e-9).all()
    place = transient("plunge")["axial_place"].values
    assert place[25] == pytest.approx(0.3e-3, rel=1e-3)


def test_a_reversed_torque_changes_the_flanks():
    force = transient("reversal")["track_force"].values.mean(axis=(1, 2))
    assert force[10].argmax() != force[-1].argmax()
    assert transient("reversal")["torque"].values[-1] == -1000


def test_a_jump_of_the_torque_is_met_by_a_cut():
    result = transient("jump")
    before, after = (result["torque"].values[result["time"].values < t].tolist() for t in (0.05, 1))
    assert set(before) == {2000.0}
    assert after[-1] == 500.0
    carried = result["shaft_torque"].values[:, 1]
    assert carried[-1] == pytest.approx(500, rel=0.02)


def test_a_slow_ramp_of_the_deflection_is_the_steady_map():
    """A turn amid a ramp by a tenth of a degree a turn, beside the periodic turn at its angle."""
    ramp = [[0, "1.9 deg"], [0.1, "1.9 deg"], [0.5, "2.1 deg"], [0.6, "2.1 deg"]]
    result = flank.run(joint(), "joint-run", duration=0.6, deflection=ramp, points=216)
    steady = flank.run(joint(), points_per_turn=72)
    turn = slice(72, 144)  # 72 records, the deflection 2 deg in their middle
    tracks = result["track_force"].values[turn]
    secondary = np.linalg.norm(result["secondary_torque"].values[turn].mean(axis=0), axis=-1)
    work = result["friction_work"].values
    found = {
        "mean_track_force": tracks.mean(axis=0).max(axis=-1).mean(),
        "secondary_torque_outer": secondary[0],
        "secondary_torque_inner": secondary[1],
        "loss": (work[144] - work[72]) / 0.2,
    }
    for name, value in found.items():
        assert value == pytest.approx(steady[name], rel=0.01), name


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"speed": [[0, "1 rpm"], [0, "2 rpm"]]}, "its times must rise; a speed cannot jump"),
        ({"deflection": [[1, "1 deg"], [0, "2 deg"]]}, "a deflection cannot jump"),
        ({"torque": [[1, 1], [0, 2]]}, "its times must not fall"),
        ({"deflection": [[0, "1 deg"], [1, "30 deg"]]}, "the largest of the run: operation.defl"),
        ({"plunge": {"file": "nowhere.csv"}}, "plunge: nowhere.csv does not exist"),
        ({"method": "trapezoid", "spectral_radius": 0.5}, "spectral_radius does nothing"),
        (
            {"duration": "1e9 s"},
            r"duration: 1e\+09 s would take .* steps of .*; 1e\+08 are allowed",
        ),
    ],
)
def test_wrong_courses_are_refused(options, sentence):
    with pytest.raises(SpecError, match=sentence):
        flank.run(joint(), "joint-run", **options)


def test_steps_that_pass_over_points_are_told():
    sawtooth = [[k * 2e-5, 2000 + k % 2] for k in range(200)]
    result = flank.run(joint(), "joint-run", torque=sawtooth, duration="4 ms", points=20)
    assert any("which pass over them" in warning for warning in result.warnings)
    wave = {"function": "sine", "amplitude": 1, "mean": 2000, "frequency": 250, "duration": 0.004}
    result = flank.run(joint(), "joint-run", torque=wave, duration="4 ms", points=20)
    assert result.warnings == []


def test_a_file_that_ends_before_the_run_is_told(tmp_path):
    path = tmp_path / "steering.csv"
    path.write_text("time [s], deflection [deg]\n0, 2\n0.01, 2.1\n")
    result = flank.run(
        joint(), "joint-run", duration=0.02, points=20, deflection={"file": str(path)}
    )
    assert any("The file of the deflection covers 0 to 0.01 s" in text for text in result.warnings)
