"""Turns of a ball joint: equilibria against closed forms, runs in time against both."""

import math
from functools import partial

import numpy as np
import pytest
from joint_paths import joint

import flank
from flank.analyses import joint_turns
from flank.dynamics.run import StaticSettings, solve_statics
from flank.errors import SpecError

SMOOTH = {"contact.friction": None}


def named_orders(result):
    return dict(zip(result["named_order"].values, result["named_order_force"].values, strict=True))


@pytest.fixture(scope="module")
def static():
    return flank.run(flank.preset("cv-joint-marter"), mode="static", points_per_turn=48)


@pytest.fixture(scope="module")
def running():
    return flank.run(joint(), points_per_turn=72)


def test_equilibria_have_the_closed_forms_of_the_stiff_joint(static):
    assert static.complete
    assert static.analysis == "joint-turns"
    torque = 2000 * math.tan(math.radians(1))
    for race in ("outer", "inner"):
        assert static[f"secondary_torque_{race}"] == pytest.approx(torque, rel=1e-3)
    in_plane = static["secondary_torque"].isel(direction=0).values
    np.testing.assert_allclose(in_plane, -torque, rtol=1e-6)
    assert static["cage_angle_ratio"] == pytest.approx(1.0, abs=0.015)
    np.testing.assert_allclose(static["shaft_torque"], [[-2000, 2000]] * 49, rtol=1e-6)


def test_axial_force_holds_odd_multiples_of_half_the_balls_only(static):
    orders = named_orders(static)
    assert orders[4] > 1
    for order in (1, 2, 8, 16):
        assert orders[order] < 1e-4 * orders[4]
    assert static["axial_force_order"] == orders[4]


def test_a_static_turn_knows_no_motion_and_says_so(static):
    for name in ("ball_velocity", "rolling", "friction_work", "efficiency", "energy_amount"):
        assert name not in static.dataset
    assert any("no part in equilibria" in warning for warning in static.warnings)
    assert "most_turns" not in static.settings
    smooth = flank.run(joint(SMOOTH), mode="static", points_per_turn=16)
    assert smooth.warnings == []


def test_slow_turns_without_friction_equal_the_static_ones():
    slow = joint(SMOOTH | {"operation.speed": "10 rpm"})
    moving = flank.run(slow, points_per_turn=48)
    still = flank.run(slow, mode="static", points_per_turn=48)
    force = still["track_force"].values
    difference = np.abs(moving["track_force"].values - force).max()
    assert difference < 1e-3 * force.max()
    np.testing.assert_allclose(moving["cage_angle"], still["cage_angle"], rtol=1e-3)


def test_a_running_joint_repeats_and_keeps_its_energy(running):
    assert running.complete
    assert running["repeat_change"] < 0.01
    assert abs(running["energy_remainder"]) < 0.005
    amounts = dict(zip(running["energy"].values, running["energy_amount"].values, strict=True))
    given, taken = amounts["work of the drive"], amounts["work on the load"]
    assert taken == pytest.approx(2000 * 2 * math.pi, rel=1e-3)
    assert running["efficiency"] == pytest.approx(taken / given)
    lost = amounts["friction"] + amounts["contact damping"]
    assert given - taken == pytest.approx(lost, rel=1e-3)
    assert running["loss"] == pytest.approx(lost / 0.2)
    assert running["friction_work"].values[-1] == pytest.approx(amounts["friction"], rel=1e-9)


def test_friction_keeps_within_the_bounds_of_gross_sliding(running):
    """T tan(β/2) ± 2 μ T/(π sin α), and at most (4/π) μ T Ω tan(β/2)/sin α of loss."""
    sine = math.sin(math.radians(45))
    half, bound = 2000 * math.tan(math.radians(1)), 2 * 0.03 * 2000 / (math.pi * sine)
    for race in ("outer", "inner"):
        in_plane = abs(running["secondary_torque"].sel(race=race).values[:, 0])
        assert np.all(in_plane < half + bound)
    assert running["secondary_torque_inner"] > half > running["secondary_torque_outer"]
    most = 4 / math.pi * 0.03 * 2000 * 10 * math.pi * math.tan(math.radians(1)) / sine
    assert 0.25 * most < running["loss"] < most


def test_balls_are_alike_from_one_pair_to_the_next(running):
    """Ball k does a quarter turn later what ball k + 2, ahead of it, does now."""
    force = running["track_force"].values[:-1]
    quarter = len(force) // 4
    later = np.roll(force[:, 0], -quarter, axis=0)
    assert np.abs(later - force[:, 2]).max() < 0.01 * force.max()


def test_curves_have_names_dimensions_and_units(running):
    assert running["track_force"].dims == ("angle", "ball", "race", "flank")
    assert running["window_force"].dims == ("angle", "ball", "side")
    assert running["ball_place"].dims == ("angle", "ball", "race", "axis")
    assert running["secondary_torque"].dims == ("angle", "race", "direction")
    assert running["angle"].size == 73
    assert running["angle"].values[-1] == pytest.approx(2 * math.pi)
    assert running["time"].values[-1] == pytest.approx(0.2)
    assert running["track_pressure"].attrs["shown_unit"] == "MPa"
    assert running["peak_track_force"] >= running["track_force"].values.max()


def test_a_free_inner_race_moves_and_its_force_is_mass_times_acceleration():
    free = {"operation.plunge.kind": "free", "operation.plunge.shaft_mass": "2.5 kg"}
    result = flank.run(joint(free | SMOOTH), most_turns=3, points_per_turn=48)
    assert result.complete
    place, force = result["axial_place_amplitude"].values, result["axial_force_amplitude"].values
    assert place[4] > 0
    assert force[4] == pytest.approx(2.74 * (4 * 10 * math.pi) ** 2 * place[4], rel=1e-9)
    held = flank.run(joint(SMOOTH), most_turns=2, points_per_turn=48)
    assert "axial_place_amplitude" not in held.dataset


def test_balls_slide_less_than_they_roll_but_where_they_slip(running):
    rolling = np.nanmedian(np.abs(running["rolling"]))
    assert 0 < running["median_sliding"] < rolling < running["largest_sliding"]


def test_a_ramp_of_the_deflection_comes_before_the_turns():
    ramp = {"operation.ramp": {"start": "0 deg", "duration": "0.3 s"}}
    result = flank.run(joint(SMOOTH | ramp), most_turns=2, points_per_turn=24)
    assert result["turns_run"] == 4
    np.testing.assert_allclose(result["deflection"], math.radians(2), rtol=1e-9)


def test_a_run_that_breaks_off_shows_what_it_has(monkeypatch):
    """Steps that are too long and may not be shortened."""
    monkeypatch.setattr(joint_turns, "SHORTEST", 1.0)
    result = flank.run(joint(), step="0.2 ms", error_tolerance="1 mm", points_per_turn=36)
    assert not result.complete
    assert "Newton's iteration did not converge" in result.outcome
    assert result.figures() == []
    assert "mean_track_force" not in result.dataset


def test_a_load_that_cannot_be_carried_is_told():
    result = flank.run(joint({"operation.speed": "1e7 rpm"}), points_per_turn=16)
    assert not result.complete
    assert "pushed in by more than a tenth" in result.outcome
    assert result.figures() == []


def test_a_start_that_is_not_found_is_told(monkeypatch):
    failed = StaticSettings(maximum_iterations=1)
    monkeypatch.setattr(joint_turns, "solve_statics", partial(solve_statics, settings=failed))
    for mode in ("static", "dynamic"):
        result = flank.run(joint(), mode=mode)
        assert not result.complete
        assert "No equilibrium was found" in result.outcome
        assert result.figures() == []


def test_equilibria_say_that_they_hold_the_plunge():
    free = joint(SMOOTH | {"operation.plunge.kind": "free"})
    (warning,) = flank.run(free, mode="static", points_per_turn=16).warnings
    assert warning.startswith("Equilibria hold the inner race")


@pytest.mark.parametrize(
    ("frequency", "remedy"), [("5 Hz", "more most_turns"), ("7 Hz", "1.4 times")]
)
def test_a_plunge_out_of_step_with_the_turns_is_told(frequency, remedy):
    plunge = {"kind": "prescribed", "amplitude": "0.1 mm", "frequency": frequency}
    swinging = joint(SMOOTH | {"operation.plunge": plunge})
    result = flank.run(swinging, most_turns=2, points_per_turn=16, repeat_tolerance=1e-12)
    assert any(remedy in warning for warning in result.warnings)


def test_a_turn_that_does_not_repeat_is_told():
    result = flank.run(joint(), most_turns=2, points_per_turn=16, repeat_tolerance=1e-9)
    assert any("changes track forces by" in warning for warning in result.warnings)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"mode": "static", "turns": 2}, "turns does nothing in static mode"),
        ({"turns": 8}, "run at least one turn more"),
        ({"method": "euler"}, "method"),
        ({"method": "trapezoid", "spectral_radius": 0.5}, "spectral_radius does nothing"),
        ({"points_per_turn": 4}, "points_per_turn"),
        ({"error_tolerance": 0}, "error_tolerance"),
    ],
)
def test_wrong_settings_are_refused(options, sentence):
    with pytest.raises(SpecError, match=sentence):
        flank.run(joint(), **options)


def test_a_joint_at_rest_has_no_turns_in_time():
    with pytest.raises(SpecError, match="a joint at rest has no turn"):
        flank.run(joint({"operation.speed": 0}))


def test_a_cage_that_floats_is_told():
    loose = joint({"cage.window_clearance": "2 mm", "operation.torque": 20})
    found = flank.run(loose, mode="static", points_per_turn=16)
    assert any("which floats" in text for text in found.warnings)
    assert not any(
        "which floats" in text
        for text in flank.run(joint(), mode="static", points_per_turn=16).warnings
    )
