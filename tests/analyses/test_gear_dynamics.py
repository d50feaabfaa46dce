"""Vibration of a gear pair by first principles: homogeneity, slow sweeps, steps, two states."""

import math

import numpy as np
import pytest

import flank
from flank.analyses.continuous_sweep import Excited, SteadySweep
from flank.errors import SpecError

HELD = {"input_shaft": None}
"""The pinion at its angle: the stiffness follows time alone."""

NO_EDGES = {"mesh.tip_edge_contact": False}


def spur(**changes):
    return flank.preset("spur-bruzzone", changes)


def sweep(machine, **settings):
    return flank.run(machine, "speed-sweep", **settings)


def dwell(machine, **settings):
    short = {"approach_periods": 300, "settling_periods": 80, "periods": 16}
    return flank.run(machine, "speed-dwell", **(short | settings))


def test_vibration_is_proportional_to_torque_where_stiffness_is():
    """m ẍ + c ẋ + k(t) x = F, contact loss included, is homogeneous: x/F does not know F."""
    machine = spur(**HELD, **NO_EDGES, damping_ratio="4 percent")
    asked = {"lowest": "1500 rpm", "highest": "2300 rpm", "speeds": 9, "settling_periods": 80}
    one, other = (sweep(machine, torque=torque, periods=8, **asked) for torque in (100.0, 170.0))
    shapes = [r["mesh_error_rms"].values / r["torque"] for r in (one, other)]
    assert shapes[1] == pytest.approx(shapes[0], rel=1e-6)
    assert one["largest_contact_loss"] > 0.3
    assert one["band_count"] == 1
    for name in ("jump_up", "jump_down"):
        assert other[name].values == pytest.approx(one[name].values, rel=1e-6)


def test_with_tip_edges_it_is_not():
    machine = spur(**HELD)
    asked = {"lowest": "1500 rpm", "highest": "1600 rpm", "speeds": 2, "direction": "up"}
    one, other = (sweep(machine, torque=torque, **asked) for torque in (75.0, 300.0))
    shapes = [r["mesh_error_rms"].values / r["torque"] for r in (one, other)]
    assert np.abs(shapes[1] / shapes[0] - 1).max() > 0.05


def test_a_slow_sweep_equals_a_dwell():
    machine = spur(**HELD)
    slow = sweep(machine, mode="continuous", lowest="1950 rpm", highest="2050 rpm", duration="1 s")
    at = int(np.argmin(np.abs(slow["speed"].values - 2000 * math.pi / 30)))
    held = dwell(machine, speed=float(slow["speed"].values[at]))
    assert held["state_count"] == 1
    expected = held["worst_mesh_error"].values[0]
    assert slow["mesh_error_rms"].values[:, at, 0] == pytest.approx(expected, rel=2e-3)


def test_half_the_step_changes_little():
    asked = {"mode": "continuous", "lowest": "1800 rpm", "highest": "2400 rpm", "direction": "up"}
    coarse, fine = (
        sweep(spur(), duration="0.15 s", steps_per_period=steps, **asked) for steps in (96, 192)
    )
    errors = [result["mesh_error_rms"].values for result in (coarse, fine)]
    assert errors[1] == pytest.approx(errors[0], rel=0.01)


def test_a_sweep_up_and_down_has_the_same_windows():
    machine = spur()
    excited = Excited.of(machine, 150.0, 400.0, None)
    up = SteadySweep.fitting(machine, 150.0, (100.0, 400.0), 0.5, 10, 5, excited, 0.8)
    down = up.reversed
    assert down.speeds[::-1] == pytest.approx(up.speeds, rel=1e-12)
    assert up.duration == pytest.approx(0.5, rel=0.05)
    assert np.all(np.diff(up.speeds) > 0)
    turned = (up.edges[-1] - up.edges[0]) * 0.5 * (up.first + up.last)
    assert turned == pytest.approx(up.windows * 10 * 2 * math.pi / 50, rel=1e-12)
    assert excited.steps(20.0) > excited.steps(400.0) == 96
    given = Excited(machine, excited.highest, 115)
    assert given.records(400.0) == (58, 2)


def test_little_damping_makes_two_states_and_parts_the_teeth_twice():
    """Near f_n/2 contact is lost twice in a mesh period, below f_n once; with 8 percent never."""
    machine = spur(damping_ratio="3 percent")
    near_half = dwell(machine, speed="1560 rpm", highest="1680 rpm")
    assert near_half["state_count"] == 2
    assert list(near_half["branch"].values) == ["up", "down"]
    assert near_half["worst_loss_count"].values == pytest.approx([0, 2])
    assert near_half["repeats_after"].values.tolist() == [1, 1]
    below = dwell(machine, speed="2880 rpm", highest="3500 rpm", lowest="2500 rpm")
    assert below["worst_loss_count"].values == pytest.approx([0, 1])
    assert 0.3 < below["worst_contact_loss"].values[1] < 0.6
    lines = below["amplitude"].values[1]
    assert below["order"].values[np.argmax(lines)] == 1
    calm = dwell(spur(), speed="2880 rpm", highest="3500 rpm", lowest="2500 rpm")
    assert calm["state_count"] == 1
    assert calm["worst_contact_loss"].values.max() == 0


@pytest.mark.parametrize(
    ("changes", "states"),
    [
        ({}, 1),
        ({"damping_ratio": "5 percent"}, 1),
        (NO_EDGES, 1),
        (NO_EDGES | {"damping_ratio": "5 percent"}, 2),
    ],
)
def test_less_damping_or_no_tip_edges_alone_make_no_second_state(changes, states):
    """At 2200 Hz; both together do."""
    result = dwell(spur(**changes), speed="2640 rpm", highest="3400 rpm", lowest="2200 rpm")
    assert result["state_count"] == states
    assert (result["worst_contact_loss"].values.max() > 0) == (states == 2)


def test_losses_are_told_one_by_one_and_teeth_add_up():
    result = dwell(spur(damping_ratio="3 percent"), speed="2880 rpm", highest="3500 rpm")
    period = 1 / result["mesh_frequency"]
    begins, lasts = result["loss_begin"].values, result["loss_duration"].values
    assert set(result["loss_branch"].values) == {"down"}
    assert np.diff(begins) == pytest.approx(period, rel=0.03)
    share = result["contact_loss"].values[1, 0]
    assert lasts[1:-1] / period == pytest.approx(share, abs=0.02)
    teeth, mesh = result["tooth_force"].values, result["mesh_force"].values[..., 0]
    assert teeth.sum(axis=2) == pytest.approx(mesh[:, -teeth.shape[1] :], abs=1e-6)
    assert result["mesh_error"].values.std(axis=1)[:, 0] == pytest.approx(
        result["mesh_error_rms"].values[:, 0], rel=1e-3
    )


def test_a_dwell_that_has_not_settled_says_so():
    early = dwell(spur(), speed="2700 rpm", approach_periods=1, settling_periods=1, periods=8)
    assert any("reached upwards does not repeat after 8 mesh" in w for w in early.warnings)
    assert early["repeats_after"].values[0] == 0


@pytest.mark.parametrize(
    ("analysis", "settings", "sentence"),
    [
        ("speed-sweep", {"lowest": "-100 rpm"}, "no teeth pass where a sweep goes through zero"),
        ("speed-sweep", {"duration": "1 s"}, "duration does nothing in steps mode; set mode to"),
        ("speed-sweep", {"mode": "continuous", "speeds": 5}, "speeds does nothing in continuous"),
        ("speed-sweep", {"mode": "continuous", "duration": "1 ms"}, "mesh periods pass; use at"),
        ("speed-sweep", {"mode": "continuous", "duration": "1e7 s"}, "steps; use at most"),
        (
            "speed-sweep",
            {"mode": "continuous", "steps_per_period": 32},
            "swings of the natural frequency of 27.* Hz, which need at least",
        ),
        ("speed-dwell", {"speed": "0 rpm"}, "no teeth pass where a sweep goes through zero"),
        ("speed-dwell", {"speed": "900 rpm", "lowest": "1000 rpm"}, "must lie between lowest"),
        (
            "speed-sweep",
            {"steps_per_period": 16, "lowest": "100 rpm"},
            "which need at least 52. steps; leave it out to have as many as are needed",
        ),
        ("speed-dwell", {"steps_per_period": 16}, "leave it out to have as many as are needed"),
        ("impact-test", {"torque": 0}, "teeth must be loaded to swing"),
        ("impact-test", {"pulse": "150 percent"}, "pulse: '150 percent' is given"),
    ],
)
def test_refused_before_anything_is_computed(analysis, settings, sentence):
    with pytest.raises(SpecError, match=sentence):
        flank.run(spur(), analysis, **settings)


def test_rigid_teeth_do_not_swing():
    with pytest.raises(SpecError, match="the mesh pinion/wheel is rigid, so its teeth do not"):
        flank.run(spur(**{"mesh.model": "rigid"}), "impact-test")
