"""Analyses on the presets: definitions, static against dynamic, failure as data."""

import dataclasses
import json

import numpy as np
import pytest
from daily import daily

import flank
from flank.analyses import hysteresis, load_distribution, transmission_error
from flank.analyses.registry import ANALYSES, find_analysis
from flank.contact import Friction, needle_between
from flank.dynamics.run import StaticSettings, solve_statics
from flank.errors import SpecError
from flank.io.spec_files import read_spec_text
from flank.machines.base import Drive
from flank.machines.crank_reducer import bearings
from flank.machines.registry import MACHINES, machine_from_mapping
from flank.presets import preset_names, preset_text


def preset(name, changes=None):
    return machine_from_mapping(read_spec_text(preset_text(name)), changes)


@pytest.mark.parametrize("name", daily(preset_names()))
@pytest.mark.parametrize("analysis", ANALYSES)
def test_every_preset_answers_every_question(name, analysis):
    entry = find_analysis(analysis)
    options = {
        "transmission-error": {"points_per_turn": 24},
        "hysteresis": {"points_per_stage": 8},
        "load-distribution": {},
        "stiffness-split": {"points": 3},
        "efficiency": {"loads": [1.0], "points": 8},
        "natural-frequencies": {},
        "sensitivity": {"points": 8},
        "time-response": {"duration": "0.2 ms", "step": "5 us"},
        "load-sharing": {"points": 4, "error_points": 2},
        "mesh-phasing": {},
        "speed-sweep": {"speeds": 2, "settling_periods": 2, "periods": 2},
        "speed-dwell": {"approach_periods": 2, "settling_periods": 2, "periods": 8},
        "impact-test": {"positions": 2, "swings": 3},
        "mesh-stiffness": {"loads": [0.5], "points": 16},
        "gear-modes": {"count": 2},
        "rolling-sweep": {"duration": "0.1 s", "periods": 4, "settling_periods": 20, "points": 1},
        "rolling-run": {"duration": "0.02 s", "points": 1},
        "rolling-dwell": {"approach_periods": 20, "settling_periods": 20, "points": 1},
        "contact-pattern": {"positions": 16, "misalignment": 0},
        "loaded-contact": {"positions": 4, "points": 9},
        "forced-roll": {"steps": 16, "cases": [{"points": 9}]},
        "joint-turns": {"mode": "static", "points_per_turn": 16},
        "joint-map": {"mode": "static", "points_per_turn": 16, "angles": "1 deg"},
        "joint-resonance": {},
        "joint-run": {"duration": "0.02 s", "points": 20},
    }
    machine, settings = preset(name), entry.settings.from_mapping(options[analysis])
    if not entry.fits(machine):
        with pytest.raises(SpecError, match=f"{analysis} needs .*; what fits it: "):
            entry.run(machine, settings)
        return
    result = entry.run(machine, settings)
    assert result.complete, result.outcome
    assert result.outcome == "Completed."
    assert all(np.isfinite(figure.value) for figure in result.figures())
    assert result.spec["machine"] in MACHINES


def test_static_equals_slow_dynamic():
    """Slow ramps, and damping enough that the output does not bounce, give the static loop."""
    machine = preset("cycloidal-drive")
    static = hysteresis.run(machine)
    slow = hysteresis.HysteresisSettings(mode="dynamic", stage_duration=0.5)
    dynamic = hysteresis.run(machine, slow)
    for name in ("torsional_stiffness", "lost_motion", "backlash"):
        assert dynamic[name] == pytest.approx(static[name], rel=5e-3), name
    assert dynamic.warnings == []


def test_a_fast_ramp_is_warned_of():
    machine = preset("cycloidal-drive")
    fast = hysteresis.HysteresisSettings(mode="dynamic", stage_duration=0.01)
    warnings = hysteresis.run(machine, fast).warnings
    assert any("too fast to be quasi-static" in w for w in warnings)


def test_a_bouncing_output_is_warned_of():
    machine = preset("cycloidal-drive", {"contact.damping": "0.2 s/m"})
    settings = hysteresis.HysteresisSettings(mode="dynamic", stage_duration=0.2)
    warnings = hysteresis.run(machine, settings).warnings
    assert any("still swings" in w for w in warnings)


def test_lost_motion_and_backlash_do_not_depend_on_the_load_steps():
    machine = preset("cycloidal-drive")
    coarse, fine = (
        hysteresis.run(machine, hysteresis.HysteresisSettings(points_per_stage=n)) for n in (25, 50)
    )
    for name in ("lost_motion", "backlash", "torsional_stiffness"):
        assert fine[name] == pytest.approx(coarse[name], rel=2e-3), name


def test_symmetric_machine_gives_a_symmetric_loop():
    result = hysteresis.run(preset("cycloidal-drive"))
    torque, angle = result["loop_torque"].values, result["loop_angle"].values
    assert angle[np.argmax(torque)] == pytest.approx(-angle[np.argmin(torque)], rel=2e-3)


def test_slow_running_equals_static_transmission_error():
    machine = preset("cycloidal-drive", {"operation.input_speed": "20 rpm"})
    static = transmission_error.run(
        machine, transmission_error.TransmissionErrorSettings(points_per_turn=200)
    )
    settings = transmission_error.TransmissionErrorSettings(mode="dynamic", points_per_turn=200)
    dynamic = transmission_error.run(machine, settings)
    difference = dynamic["transmission_error"].values - static["transmission_error"].values
    assert np.abs(difference).max() < 0.02 * static["peak_to_peak"]


def test_spectrum_of_a_known_curve():
    """Two sines over three turns: amplitudes and orders come back exactly."""
    angle = np.linspace(0, 6 * np.pi, 600, endpoint=False)
    curve = 5.0 + 2.0 * np.sin(angle) + 0.5 * np.cos(4 * angle + 0.3)
    orders, amplitudes = transmission_error.spectrum(curve, 3)
    found = {round(o, 9): a for o, a in zip(orders, amplitudes, strict=True) if a > 1e-9}
    assert found == pytest.approx({1.0: 2.0, 4.0: 0.5})


def test_range_and_start_angle():
    settings = transmission_error.TransmissionErrorSettings(
        points_per_turn=40, turns=2, start_angle="90 deg"
    )
    result = transmission_error.run(preset("monocrank"), settings)
    angle = result["crank_angle"].values
    assert len(angle) == 80
    assert angle[0] == pytest.approx(np.pi / 2)
    assert angle[1] - angle[0] == pytest.approx(2 * np.pi / 40)


def test_load_distribution_balances_the_torque():
    result = load_distribution.run(preset("cycloidal-drive"))
    force = result["roller_force"].values
    arm_x, arm_y = result["roller_x"].values, result["roller_y"].values
    normal_x, normal_y = result["roller_normal_x"].values, result["roller_normal_y"].values
    torque = np.nansum(force * (arm_x * normal_y - arm_y * normal_x))
    assert abs(torque) == pytest.approx(result["torque"], rel=1e-6)


def test_a_failing_run_keeps_what_it_has_and_says_why():
    machine = preset("cycloidal-drive")
    from flank.dynamics.functions import constant, linear

    assembly = machine.assemble(Drive.of_ends(linear(1.0), constant(200.0)))
    settings = StaticSettings(maximum_iterations=3)
    times = np.linspace(0, 1, 5)
    trajectory = solve_statics(assembly.model, machine.ideal_pose(0.0), times, settings=settings)
    assert not trajectory.complete
    assert len(trajectory.time) < 5
    assert "No equilibrium was found" in trajectory.status.sentence


@pytest.mark.parametrize(
    ("analysis", "options", "fragment"),
    [
        ("hysteresis", {"mode": "slow"}, "mode"),
        ("hysteresis", {"step": "1 ms"}, "step does nothing in static mode"),
        ("hysteresis", {"mode": "dynamic", "step": "10 ms"}, "a hundredth of stage_duration"),
        ("hysteresis", {"fit_from": 1}, "fit_from"),
        ("transmission-error", {"turns": 10**9}, "turns"),
        ("transmission-error", {"turns": 10**4, "points_per_turn": 10**4}, "more than 2,000,000"),
        ("transmission-error", {"points_per_turn": 3}, "points_per_turn"),
        ("transmission-error", {"settling_turns": 2}, "settling_turns does nothing in static mode"),
        ("load-distribution", {"torque": "3 mm"}, "torque"),
        ("stiffness-split", {"fit_from": 0}, "fit_from"),
        ("stiffness-split", {"points": 2}, "points"),
        ("natural-frequencies", {"input": "lose"}, "did you mean"),
        ("natural-frequencies", {"count": 0}, "count"),
        ("sensitivity", {"difference": "backward"}, "difference"),
    ],
)
def test_bad_settings_are_refused(analysis, options, fragment):
    with pytest.raises(SpecError) as error:
        find_analysis(analysis).settings.from_mapping(options)
    assert fragment in str(error.value)


def test_unknown_analysis_names_the_nearest():
    with pytest.raises(SpecError, match="did you mean 'hysteresis'"):
        find_analysis("hysterisis")


def test_result_tells_its_story():
    result = load_distribution.run(preset("single-disc"))
    attributes = result.dataset.attrs
    assert attributes["flank_version"] == flank.__version__
    assert json.loads(attributes["counters"])["equilibria"] == 2
    assert any("interfere by 6.4 um" in w for w in result.warnings)
    assert dataclasses.is_dataclass(result)


def test_undeveloped_friction_is_warned_of():
    """Regularised friction of slow contacts is a viscous remnant, not Coulomb's."""
    rough = {"friction.pins": 0.1, "friction.rollers": 0.1}
    settings = hysteresis.HysteresisSettings(mode="dynamic", stage_duration=0.2)
    slow = hysteresis.run(preset("cycloidal-drive", rough), settings)
    assert any("friction reaches" in w for w in slow.warnings)
    static = hysteresis.run(preset("cycloidal-drive", rough))
    assert any("no part in a static run" in w for w in static.warnings)


def test_developed_friction_widens_the_loop():
    """With a regularization far below the sliding velocity the loop encloses friction work."""
    rough = {
        "friction.pins": 0.1,
        "friction.rollers": 0.1,
        "friction.regularization_velocity": "0.001 mm/s",
    }
    settings = hysteresis.HysteresisSettings(mode="dynamic", stage_duration=0.2)
    smooth = hysteresis.run(preset("cycloidal-drive"), settings)
    wide = hysteresis.run(preset("cycloidal-drive", rough), settings)
    assert wide["loop_work"] > 3 * smooth["loop_work"]


ELASTIC = {"friction.pins": 0.05, "friction.rollers": 0.05, "friction.form": "elastic"}


def test_a_static_loop_encloses_the_work_of_elastic_friction():
    """What the torque puts into the loop is what slip takes out, contact by contact."""
    result = hysteresis.run(preset("cycloidal-drive", ELASTIC))
    assert result["friction_work"] == pytest.approx(result["loop_work"], rel=1e-2)
    smooth = hysteresis.run(preset("cycloidal-drive"))
    assert result["loop_work"] > 1000 * smooth["loop_work"]
    assert "friction_work" not in smooth.dataset
    assert not any("riction" in w for w in result.warnings)
    assert result["torsional_stiffness"] > smooth["torsional_stiffness"]


NEEDLES = {"count": 24, "radius": "2.5 mm", "length": "9 mm", "clearance": "5 um"}


@pytest.mark.parametrize(
    ("coefficient", "rolling", "angle", "points"),
    [
        (0.01, 0.0, "0 deg", 50),
        (0.1, 0.0, "37 deg", 50),
        (0.05, 0.0, "24 deg", 30),  # a load step near zero torque must be halved
        (0.05, 0.05, "0 deg", 50),  # Newton goes to and fro over a slip that reverses
        (0.1, 0.1, "54 deg", 30),
    ],
)
def test_elastic_friction_converges_through_needles_and_reversals(
    monkeypatch, coefficient, rolling, angle, points
):
    """Five bodies held by contacts alone, loose at every zero of the torque."""
    friction = Friction(rolling, form="elastic")
    monkeypatch.setattr(
        bearings, "needle_between", lambda *given: needle_between(*given[:-1], friction)
    )
    rough = {
        "friction.pins": coefficient,
        "friction.rollers": coefficient,
        "friction.form": "elastic",
        "eccentric.bearing": "needles",
        "eccentric.needles": NEEDLES,
    }
    settings = hysteresis.HysteresisSettings(crank_angle=angle, points_per_stage=points)
    result = hysteresis.run(preset("cycloidal-drive", rough), settings)
    assert result["friction_work"] == pytest.approx(result["loop_work"], rel=1e-2)


def test_elastic_friction_of_a_slow_dynamic_loop_is_not_warned_of():
    settings = hysteresis.HysteresisSettings(mode="dynamic", stage_duration=0.05)
    result = hysteresis.run(preset("cycloidal-drive", ELASTIC), settings)
    assert result["friction_work"] > 0
    assert not any("friction reaches" in w for w in result.warnings)


def test_warnings_of_what_not_to_rely_on():
    drive = preset("cycloidal-drive")
    coarse = transmission_error.TransmissionErrorSettings(points_per_turn=8)
    assert any("do not resolve" in w for w in transmission_error.run(drive, coarse).warnings)
    heavy = load_distribution.LoadDistributionSettings(torque="1e5 N*m")
    assert any("ISO 76" in w for w in load_distribution.run(drive, heavy).warnings)
    free = load_distribution.run(drive, load_distribution.LoadDistributionSettings(torque=0.0))
    assert "torsional_stiffness" not in free.dataset
    light = hysteresis.run(drive, hysteresis.HysteresisSettings(torque="5 N*m"))
    assert "lost_motion" not in light.dataset
    assert any("lost motion is not defined" in w for w in light.warnings)
    with pytest.raises(SpecError, match="torque is zero"):
        hysteresis.run(drive, hysteresis.HysteresisSettings(torque=0.0))


def test_changes_are_told_in_the_spec():
    assumptions = preset("cycloidal-drive", {"friction.pins": 0.1}).spec.assumptions
    assert assumptions[-1].endswith("friction.pins 0.1.")
