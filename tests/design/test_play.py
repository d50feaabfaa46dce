"""The play of drawn drives by a formula of first order is that of real loops."""

import numpy as np
import pytest

import flank
from flank.design.play import Clearances, DrivePlay, drawn

SMALL = {
    "pins.count": 12,
    "pins.radius": "4 mm",
    "eccentricity": "3 mm",
    "discs.equidistant": "40 um",
    "discs.radial": "0 um",
    "output.rollers.hole_radius": "8.04 mm",
    "rated_torque": "50 N*m",
}
OPEN = Clearances(40e-6, 0.0, 40e-6)


@pytest.fixture(scope="module")
def spec():
    return flank.preset("cycloidal-drive", SMALL).spec


def least_backlash(errors, cranks):
    """Of loops under a hundredth of the torque, over crank angles."""
    machine = flank.preset("cycloidal-drive", {**SMALL, "errors": errors})
    loops = (
        flank.run(machine, "hysteresis", torque=0.2, crank_angle=float(angle), points_per_stage=10)
        for angle in cranks
    )
    return min(float(loop["backlash"]) for loop in loops)


def test_without_errors_it_is_the_backlash_of_the_drawing(spec):
    none = {kind: np.zeros_like(values) for kind, values in drawn(spec, 1, 0).items()}
    of = DrivePlay(spec, none)
    assert of.play(OPEN)[0] == pytest.approx(least_backlash({}, of.cranks), rel=2e-3)


def with_errors(spec, scale):
    """Drawn errors, larger by a factor: the play by the formula, and that of loops."""
    values = {kind: scale * each for kind, each in drawn(spec, 1, 4).items()}
    of = DrivePlay(spec, values)
    errors = {
        name: {spec.error_kinds[name].key(at): float(v) for at, v in np.ndenumerate(each[0])}
        for name, each in values.items()
    }
    return of.play(OPEN)[0], least_backlash(errors, of.cranks)


def test_a_drawn_drive_has_the_least_backlash_of_its_loops(spec):
    play, backlash = with_errors(spec, 1.0)
    assert play == pytest.approx(backlash, rel=0.01)


def test_a_drive_of_negative_play_has_no_backlash_left(spec):
    play, backlash = with_errors(spec, 3.0)
    assert play < 0
    assert backlash == 0


def test_least_clearances_leave_the_tightest_draw_just_free(spec):
    of = DrivePlay(spec, drawn(spec, 20, 0))
    least = of.least_clearances(200e-6)
    assert of.play(least).min() >= 0
    assert of.play(least.times(0.9)).min() < 0
    assert of.least_clearances(2e-6) is None  # less than what parts deviate


def test_draws_are_the_same_again_and_others_by_another_seed(spec):
    first, same, other = drawn(spec, 5, 1), drawn(spec, 5, 1), drawn(spec, 5, 2)
    assert all(np.array_equal(first[kind], same[kind]) for kind in first)
    assert not np.array_equal(first["pin_radial"], other["pin_radial"])
    assert np.abs(first["pin_radial"]).max() <= spec.tolerance("pin_radial")
