"""Contact pattern, loaded contact and forced roll: published and closed-form figures."""

import numpy as np
import pytest

import flank
from flank.errors import SpecError

ARC_SECOND = np.radians(1 / 3600)


def test_the_published_pair_rolls_as_the_reference_says():
    machine = flank.preset("spiral-bevel-nasa")
    result = flank.run(machine, "contact-pattern", positions=48, misalignment=0)
    assert result["surface_peak_to_peak"] / ARC_SECOND == pytest.approx(7.57, abs=0.05)
    # the path runs up the wheel's tooth at 0.55 of its face while the pinion turns backwards
    face, height = result["path_face"].values, result["path_height"].values
    inside = result["on_edge"].values == 0
    assert face[inside].min() > 0.47
    assert face[inside].max() < 0.58
    assert np.ptp(height[inside]) > 0.4
    assert "moved_error" not in result.dataset


def test_a_conjugate_pair_has_no_error_and_no_ease_off():
    machine = flank.preset("bevel-pair", {"ease_off": None})
    result = flank.run(machine, "contact-pattern", positions=16, misalignment=0)
    assert np.nanmax(np.abs(result["ease_off"].values)) < 0.2e-6
    assert result["peak_to_peak"] / ARC_SECOND < 0.3
    assert result["pattern_area"] > 0.8


def test_misalignments_move_the_pattern_both_ways():
    result = flank.run(flank.preset("hypoid-pair"), "contact-pattern", positions=24)
    names = list(result["mounting"].values)
    face = dict(zip(names, result["moved_face"].values, strict=True))
    here = face["as mounted"]
    assert face["E +0.1 mm"] < here < face["E -0.1 mm"]
    assert face["G -0.1 mm"] < here < face["G +0.1 mm"]


def test_teeth_carry_what_the_torque_asks_and_more_points_change_little():
    machine = flank.preset("hypoid-pair")
    coarse, fine = (
        flank.run(machine, "loaded-contact", positions=6, points=points) for points in (20, 40)
    )
    torque = machine.load_torque
    assert coarse["input_torque"].values == pytest.approx(
        abs(torque / machine.ratio), rel=2e-3
    )  # but for the slope of the transmission error
    assert fine["mean_error"] == pytest.approx(coarse["mean_error"], rel=5e-3)
    assert fine["largest_pressure"] == pytest.approx(coarse["largest_pressure"], rel=0.03)
    assert fine["tooth_share"].values.sum(axis=1) == pytest.approx(1.0)


def test_friction_takes_its_share_and_no_more():
    machine = flank.preset("hypoid-pair")
    smooth, rough = (
        flank.run(machine, "loaded-contact", positions=6, points=16, friction=friction)
        for friction in (0.0, 0.05)
    )
    assert "efficiency" not in smooth.dataset
    gained = rough["input_torque"].values.mean() / smooth["input_torque"].values.mean()
    assert 1 / gained == pytest.approx(rough["efficiency"], abs=2e-3)
    assert 0.97 < rough["efficiency"] < 0.995


def test_spur_teeth_answer_as_their_mesh_stiffness_does():
    """One mesh, asked by two analyses."""
    machine = flank.preset("spur-bruzzone")
    torque = machine.rated_torque
    loaded = flank.run(machine, "loaded-contact", torque=torque, positions=16)
    stiffness = flank.run(machine, "mesh-stiffness", loads=[1.0], points=16)
    radius = machine.output_base_radius
    error = stiffness["error"].values[0, 0] / radius
    assert loaded["transmission_error"].values == pytest.approx(error, rel=1e-9)


def test_tips_of_both_gears_count_as_tips():
    """The published pair's pinion carries on its tips; off them it is pressed as its middle is."""
    result = flank.run(flank.preset("spiral-bevel-nasa"), "loaded-contact", positions=24)
    assert result["largest_pressure"] > 5e9
    assert result["pressure_inside"] < 2.2e9


def test_strips_of_involute_teeth_know_one_method_and_feel_friction():
    machine = flank.preset("spur-bruzzone")
    with pytest.raises(SpecError, match="'deletion' alone; leave method out"):
        flank.run(machine, "loaded-contact", method="proportion")
    smooth, rough = (
        flank.run(machine, "loaded-contact", positions=6, friction=friction)
        for friction in (0.0, 0.05)
    )
    gained = rough["input_torque"].values.mean() / smooth["input_torque"].values.mean()
    assert 1 / gained == pytest.approx(rough["efficiency"], rel=1e-9)


def test_methods_meet_and_the_smooth_one_has_no_jumps():
    machine = flank.preset("hypoid-pair")
    cases = [{"method": "deletion", "points": 24}, {"method": "proportion", "points": 24}]
    result = flank.run(machine, "forced-roll", steps=120, cases=cases)
    mean = result["mean_torque"].values
    assert mean[1] == pytest.approx(mean[0], rel=0.02)
    assert result["typical_jump"].values[1] < 0.4 * result["typical_jump"].values[0]
    assert np.all(result["least_force"].values >= 0)
    assert result["way_difference"].values == pytest.approx(0.0, abs=1e-6)


def test_printed_proportions_say_when_they_circle_or_pull():
    machine = flank.preset("hypoid-pair")
    cases = [{"method": method, "points": 24} for method in ("proportion", "proportion-printed")]
    rolled = flank.run(machine, "forced-roll", steps=16, cases=cases)
    (warning,) = rolled.warnings
    assert warning.startswith("The method proportion-printed, 24 went round in circles at ")
    loaded = flank.run(
        machine, "loaded-contact", positions=4, points=24, method="proportion-printed"
    )
    assert any("points pulled at" in warning for warning in loaded.warnings)


def test_a_torque_of_nothing_is_refused():
    machine = flank.preset("hypoid-pair")
    for analysis in ("loaded-contact", "forced-roll"):
        with pytest.raises(SpecError, match="torque"):
            flank.run(machine, analysis, torque=0)
    with pytest.raises(SpecError, match="a whole number from 8 to 200"):
        flank.run(machine, "loaded-contact", points=7)


def test_a_pattern_of_teeth_that_differ_says_that_it_is_of_their_mean():
    deviations = ["0 um", "20 um", "0 um", *["0 um"] * 9]
    machine = flank.preset("bevel-pair", {"pinion.pitch_deviations": deviations})
    (warning,) = flank.run(machine, "contact-pattern", positions=16, misalignment=0).warnings
    assert warning.startswith("Teeth of this pair differ")
    assert "transmission-error" in warning
