"""Definitions of stiffness, lost motion and backlash on loops whose answers are known."""

from dataclasses import replace

import numpy as np
import pytest

import flank
from flank.analyses.hysteresis import HysteresisSettings, static_times
from flank.analyses.loop import STAGES, Loop, shortest_quasi_static_stage
from flank.errors import SpecError

RATED, STIFFNESS = 100.0, 5e4


def loop(clearance=0.0, half_width=0.0, points=60):
    """A linear spring behind a clearance, with a friction loop of constant half-width."""
    time = static_times(HysteresisSettings(points_per_stage=points))
    torque = np.interp(time, np.arange(6), [0, *(end for _, end in STAGES)]) * RATED
    stage = np.clip(np.ceil(time - 1e-9).astype(int) - 1, 0, 4)
    rising = np.isin(stage, (0, 3, 4))
    side = np.sign(torque)
    side[torque == 0] = np.where(stage[torque == 0] <= 1, 1, -1)
    angle = torque / STIFFNESS + 0.5 * clearance * side + np.where(rising, -1, 1) * half_width
    return Loop(torque, angle, stage, RATED)


def test_linear_spring():
    plain = loop()
    assert plain.stiffness() == pytest.approx(STIFFNESS, rel=1e-12)
    assert plain.backlash() == pytest.approx(0.0, abs=1e-15)
    assert plain.lost_motion() == pytest.approx(0.06 * RATED / STIFFNESS, rel=1e-12)


def test_clearance_is_backlash_and_enters_lost_motion_once():
    """BL = b and LM = b + 0.06 T_r/K."""
    b = 3e-4
    slack = loop(clearance=b)
    assert slack.backlash() == pytest.approx(b, rel=1e-12)
    assert slack.lost_motion() == pytest.approx(b + 0.06 * RATED / STIFFNESS, rel=1e-12)
    assert slack.stiffness() == pytest.approx(STIFFNESS, rel=1e-12)


def test_friction_widens_backlash_and_not_lost_motion():
    """A half-width h adds 2h to BL and nothing to LM; so BL > LM proves friction."""
    b, h = 3e-4, 2e-4
    rough = loop(clearance=b, half_width=h)
    assert rough.backlash() == pytest.approx(b + 2 * h, rel=1e-12)
    assert rough.lost_motion() == pytest.approx(b + 0.06 * RATED / STIFFNESS, rel=1e-12)


def test_an_offset_moves_the_loop_and_nothing_that_is_read_off_it():
    """About the mean of both crossings of zero torque; what is centred has none left."""
    slack = loop(clearance=3e-4, half_width=1e-4)
    assert slack.offset() == pytest.approx(0.0, abs=1e-18)
    moved = replace(slack, angle=slack.angle + 7e-5)
    assert moved.offset() == pytest.approx(7e-5, rel=1e-12)
    centred = moved.centred()
    assert centred.offset() == pytest.approx(0.0, abs=1e-18)
    assert centred.angle == pytest.approx(slack.angle, abs=1e-17)
    for figure in ("stiffness", "lost_motion", "backlash", "area"):
        assert getattr(moved, figure)() == pytest.approx(getattr(slack, figure)(), rel=1e-10)


def test_both_sides_have_a_stiffness_of_their_own():
    """A spring that is a quarter softer for negative torque."""
    plain = loop(clearance=3e-4)
    softer = np.where(plain.torque < 0, plain.torque / STIFFNESS / 3, 0.0)
    uneven = replace(plain, angle=plain.angle + softer)
    assert uneven.stiffness_of(1) == pytest.approx(STIFFNESS, rel=1e-12)
    assert uneven.stiffness_of(-1) == pytest.approx(0.75 * STIFFNESS, rel=1e-12)
    assert uneven.stiffness() == pytest.approx(0.875 * STIFFNESS, rel=1e-12)


def test_area_is_width_times_span():
    """Loop area 2h x torque span = 4 h T_max."""
    h = 2e-4
    assert loop(half_width=h, points=400).area() == pytest.approx(4 * h * RATED, rel=5e-3)


def test_quasi_static_limit():
    """b = T/(6 J) t³/t_seg at 3 % of the torque."""
    inertia, band = 0.02, 3e-4
    stage = shortest_quasi_static_stage(inertia, band, RATED)
    crossing = (6 * inertia * band * stage / RATED) ** (1 / 3)
    assert crossing == pytest.approx(0.03 * stage, rel=1e-12)


def test_stiffness_is_of_the_rated_torque_whatever_the_peak():
    machine = flank.preset("monocrank")
    rated = machine.rated_torque
    shares = (1.0, 1.5, 0.8)
    at_rated, larger, smaller = (
        flank.run(machine, "hysteresis", torque=share * rated) for share in shares
    )
    assert larger["torsional_stiffness"] == pytest.approx(at_rated["torsional_stiffness"], rel=1e-3)
    for result, share in zip((at_rated, larger, smaller), shares, strict=True):
        assert result["fit_begin"] == pytest.approx(0.5 * rated)
        assert result["fit_end"] == pytest.approx(min(share, 1.0) * rated)


def test_a_loop_too_small_for_stiffness_says_so():
    result = flank.run(flank.preset("monocrank"), "hysteresis", torque="8 N*m")
    assert "torsional_stiffness" not in result.data
    assert "fit_begin" not in result.data
    assert any("smaller fit_from" in warning for warning in result.warnings)
    read = flank.run(flank.preset("monocrank"), "hysteresis", torque="8 N*m", fit_from=0.001)
    assert read["torsional_stiffness"] > 0


def test_a_fit_that_ends_before_it_begins_is_refused():
    with pytest.raises(SpecError, match="begin below its end"):
        flank.run(flank.preset("monocrank"), "hysteresis", fit_from=0.5, fit_to=0.4)


@pytest.mark.parametrize("analysis", ["sensitivity", "stiffness-split"])
def test_a_torque_below_the_fit_is_refused(analysis):
    with pytest.raises(SpecError, match="smaller fit_from"):
        flank.run(flank.preset("monocrank"), analysis, torque="8 N*m")


def braced(half_width, sticking, points=400):
    """A spring beside a contact that sticks and slips at a force of bracing, none of the torque's:
    T = K θ + f, f sticking by k_t within ± h."""
    time = static_times(HysteresisSettings(points_per_stage=points))
    torque = np.interp(time, np.arange(6), [0, *(end for _, end in STAGES)]) * RATED
    angle, slider = np.zeros(len(time)), 0.0
    for k, wanted in enumerate(torque):
        turned = (wanted + sticking * slider) / (STIFFNESS + sticking)
        if abs(held := sticking * (turned - slider)) > half_width:
            turned = (wanted - np.sign(held) * half_width) / STIFFNESS
            slider = turned - np.sign(held) * half_width / sticking
        angle[k] = turned
    stage = np.clip(np.ceil(time - 1e-9).astype(int) - 1, 0, 4)
    return Loop(torque, angle, stage, RATED)


def test_friction_under_bracing_is_backlash_and_stiffness_without_play():
    """Why errors raise K_T and backlash exceeds lost motion: no play is in this model."""
    h = 0.05 * RATED
    plain, rough = braced(1e-9, STIFFNESS), braced(h, STIFFNESS)
    assert plain.backlash() < 1e-9 < plain.lost_motion()
    assert rough.backlash() == pytest.approx(2 * h / STIFFNESS, rel=1e-6)
    assert rough.lost_motion() == pytest.approx(plain.lost_motion(), rel=1e-6)
    assert rough.backlash() > rough.lost_motion()
    assert 1.01 * plain.stiffness() < rough.stiffness() < 1.5 * plain.stiffness()
