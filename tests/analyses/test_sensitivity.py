"""Derivatives by manufacturing errors, against known ones and against complete runs."""

import functools

import numpy as np
import pytest

import flank
from flank.analyses import sensitivity
from flank.analyses.loop import FIT_POINTS, fitted_stiffness, fitted_stiffness_gradient
from flank.analyses.runs import (
    assemble_locked,
    assemble_turning,
    solve_along_crank,
    solve_both_directions,
)
from flank.analyses.sensitivity import (
    MEASURES,
    SensitivitySettings,
    angle_derivatives,
    stations,
)
from flank.errors import SpecError

SETTINGS = SensitivitySettings(crank_angle=0.3, points=12)


def test_an_angle_that_turns_the_output_moves_nothing_else(chain_with_errors):
    """dθ/dp = 1 at every load: no change of stiffness, lost motion, backlash, or TE's shape."""
    result = sensitivity.run(chain_with_errors())
    curve = result["transmission_error_curve"].values / 1e-3
    assert curve == pytest.approx(1.0, rel=1e-5)
    scale = {"torsional_stiffness": 1.5e4, "lost_motion": 1e-3, "backlash": 1e-3}
    for name in MEASURES:
        change = result[f"{name}_per_tolerance"].values
        assert np.abs(change).max() < 1e-4 * scale.get(name, 1e-3), name


def test_machines_without_errors_are_refused(chain):
    with pytest.raises(SpecError, match="manufacturing errors"):
        flank.run(chain(), "sensitivity")


def test_zero_torques_are_refused():
    drive = flank.preset("monocrank")
    with pytest.raises(SpecError, match="load_torque is zero"):
        flank.run(drive, "sensitivity", load_torque=0)
    with pytest.raises(SpecError, match="torque is zero"):
        flank.run(drive, "sensitivity", torque=0)


def test_gradient_of_the_fitted_slope():
    random = np.random.default_rng(1)
    angle, torque = np.sort(random.random(9)), np.linspace(1.0, 2.0, 9)
    gradient = fitted_stiffness_gradient(torque, angle)
    for k, unit in enumerate(np.eye(9)):
        up, down = (fitted_stiffness(torque, angle + s * 1e-6 * unit) for s in (1, -1))
        assert gradient[k] == pytest.approx((up - down) / 2e-6, rel=1e-5, abs=1e-8)
    assert fitted_stiffness(torque, angle) == pytest.approx(np.polyfit(angle, torque, 1)[0])


def figures(machine):
    """K_T, LM, BL and the course of TE, from complete runs."""
    base = assemble_locked(machine, SETTINGS.crank_angle)
    torques = sensitivity._torques(SETTINGS, machine.rated_torque, machine.rated_torque)
    pose = machine.ideal_pose(SETTINGS.crank_angle)
    sides = solve_both_directions(base, pose, torques, None)
    upper, lower = (side.angle(base.output_shaft) for side in sides)
    fit = slice(-2 - FIT_POINTS, -2)
    slopes = [
        fitted_stiffness(s.time[fit], a[fit]) for s, a in zip(sides, (upper, lower), strict=True)
    ]
    loaded = assemble_turning(machine, machine.load_torque)
    turn = solve_along_crank(machine, loaded, np.arange(12) * (2 * np.pi / 12))
    values = (np.mean(slopes), upper[-2] - lower[-2], upper[-1] - lower[-1])
    return np.array(values), turn.angle(base.output_shaft)


def run_again(machine, name, step):
    up, turn_up = figures(machine.with_error(name, step))
    down, turn_down = figures(machine.with_error(name, -step))
    return (up - down) / (2 * step), (turn_up - turn_down) / (2 * step)


@functools.cache
def answer(preset, law):
    machine = flank.preset(preset, {"contact.law": law})
    return machine, sensitivity.run(machine, SETTINGS)


def derivatives(result, name):
    place = list(result["parameter"].values).index(name)
    tolerance = float(result["parameter_tolerance"][place])
    values = [
        float(result[f"{measure}_per_tolerance"][place]) / tolerance
        for measure in ("torsional_stiffness", "lost_motion", "backlash")
    ]
    return np.array(values), result["transmission_error_curve"].values[place] / tolerance


# pin 14 is the pin of the printed drive that carries at all torques
SMOOTH_CASES = ["equidistant.1", "radial.1", "pin_radial.14", "eccentric_phase.1"]


@pytest.mark.parametrize("law", ["palmgren", "hertz"])
@pytest.mark.parametrize("name", SMOOTH_CASES)
def test_derivatives_are_those_of_complete_runs(name, law):
    """With a law that knows no curvature, and with one that does."""
    machine, result = answer("monocrank", law)
    found, found_turn = derivatives(result, name)
    wanted, wanted_turn = run_again(machine, name, 1e-8)
    assert found == pytest.approx(wanted, rel=5e-3)
    assert found_turn == pytest.approx(wanted_turn, abs=2e-3 * np.abs(wanted_turn).max())


@pytest.mark.parametrize("name", ["eccentricity.1", "hole_tangential.1/1", "roller_radius.3"])
def test_where_rollers_hand_over_at_light_torques(name):
    """Rollers without play all but touch: light torques find others in contact after 10 nm."""
    machine, result = answer("monocrank", "hertz")
    found, found_turn = derivatives(result, name)
    wanted, wanted_turn = run_again(machine, name, 1e-8)
    assert found[0] == pytest.approx(wanted[0], rel=5e-3)
    assert found_turn == pytest.approx(wanted_turn, abs=2e-3 * np.abs(wanted_turn).max())


def test_a_pin_of_the_steel_drive():
    machine, result = answer("cycloidal-drive", "hertz")
    loaded = int(np.argmax(np.abs(result["torsional_stiffness_per_tolerance"].values[:40])))
    found, found_turn = derivatives(result, f"pin_radius.{loaded + 1}")
    wanted, wanted_turn = run_again(machine, f"pin_radius.{loaded + 1}", 1e-9)
    assert found[0] == pytest.approx(wanted[0], rel=1e-2)
    assert found_turn == pytest.approx(wanted_turn, abs=2e-3 * np.abs(wanted_turn).max())


def test_turning_the_flanks_turns_the_disc():
    """dTE/dp = -1 where the disc is the output, at every crank angle."""
    result = sensitivity.run(flank.preset("single-disc"), SensitivitySettings(points=8))
    _, turn = derivatives(result, "angular.1")
    assert turn == pytest.approx(-1.0, rel=1e-4)


def test_forward_and_central_differences_agree():
    _, forward = answer("monocrank", "hertz")
    machine = flank.preset("monocrank")
    settings = SETTINGS.with_changes({"difference": "central"})
    central = sensitivity.run(machine, settings)
    for name in MEASURES:
        a, b = (r[f"{name}_per_step"].values for r in (forward, central))
        assert a == pytest.approx(b, abs=2e-3 * np.abs(b).max()), name


def test_kinds_are_roots_of_sums_of_squares():
    machine, result = answer("monocrank", "hertz")
    kinds = result["parameter_kind"].values
    for name in MEASURES:
        each = result[f"{name}_per_tolerance"].values
        for kind, total in zip(
            result["kind"].values, result[f"{name}_of_kind"].values, strict=True
        ):
            assert total == pytest.approx(np.sqrt(np.sum(each[kinds == kind] ** 2)))
        assert result[f"{name}_of_all"] == pytest.approx(np.sqrt(np.sum(each**2)))
    assert result["kind_count"].values.sum() == len(kinds) == len(machine.error_parameters())
    assert any("not those of a drawing" in w for w in result.warnings)


def test_only_the_kinds_that_are_asked_for():
    drive = flank.preset("cycloidal-drive")
    some = flank.run(drive, "sensitivity", kinds=["radial", "equidistant"], points=8)
    every = flank.run(drive, "sensitivity", points=8)
    assert set(some["parameter_kind"].values) == {"radial", "equidistant"}
    for name in some["parameter"].values:
        for one, same in zip(derivatives(some, name), derivatives(every, name), strict=True):
            np.testing.assert_array_equal(one, same)
    with pytest.raises(SpecError, match="did you mean 'radial'"):
        flank.run(drive, "sensitivity", kinds=["radiall"])


def test_nominal_figures_are_the_loops():
    machine, result = answer("cycloidal-drive", "hertz")
    loop = flank.run(machine, "hysteresis", crank_angle=SETTINGS.crank_angle)
    assert result["torsional_stiffness"] == pytest.approx(loop["torsional_stiffness"], rel=2e-4)
    assert result["lost_motion"] == pytest.approx(loop["lost_motion"], rel=1e-4)
    assert result["backlash"] == pytest.approx(loop["backlash"], rel=1e-3)


@pytest.mark.parametrize(
    ("preset", "name"),
    [
        ("rv-320", "turning_arm_clearance.1/1"),
        ("rv-320", "eccentricity.2/1"),
        ("rv-320", "hole_tangential.1/2"),
        ("rv-320", "crank_radial.3"),
        ("rv-320", "pin_circle_x"),
        ("rv-320", "pin_circle_oval_diagonal"),
        ("rv-320", "flank_y.2"),
        ("rv-320", "carrier_x.1"),
        ("rv-320", "main_bearing_y.2"),
        ("rv-320", "sun_x"),
        ("rv-320", "input_y"),
        ("rv-320", "planet_y.2"),
        ("rv-320", "planet_phase.3"),
        ("rv-320", "arm_roller_radius.1/2/4"),
        ("rv-320", "support_roller_radius.2/1/5"),
        ("few-teeth-60", "eccentricity.2/1"),
        ("few-teeth-60", "tooth_thickness.1"),
        ("few-teeth-60", "ring_thickness"),
        ("few-teeth-60", "toothing_x.2"),
        ("few-teeth-60", "ring_y"),
        ("few-teeth-60", "angular.1"),
    ],
)
def test_derivatives_of_reducers_with_cranks(preset, name):
    """Against complete re-runs, without friction, at the torque where the fit ends."""
    machine = flank.preset(preset)
    torques = np.array([0.66, 1.0]) * machine.rated_torque
    output = machine.layout.flange[1]
    step = 2e-9  # a contact opens within 20 nm of the second torque

    def angles(each):
        return np.concatenate(
            [
                run.position[:, output, 2]
                for run in solve_both_directions(
                    assemble_locked(each, 0.3), each.ideal_pose(0.3), torques, None
                )
            ]
        )

    rerun = (angles(machine.with_error(name, step)) - angles(machine.with_error(name, -step))) / (
        2 * step
    )
    base = assemble_locked(machine, 0.3)
    runs = solve_both_directions(base, machine.ideal_pose(0.3), torques, None)
    path = [station for run in runs for station in stations(base, run)]
    changed = assemble_locked(machine.with_error(name, 1e-12), 0.3).model
    found = angle_derivatives(path, 1e-12, changed)
    np.testing.assert_allclose(found, rerun, rtol=1e-2, atol=2e-3 * np.abs(rerun).max())
