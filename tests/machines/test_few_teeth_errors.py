"""Every deviation of a few-teeth reducer reaches the model, by the right amount in closed form."""

import math

import numpy as np
import pytest

import flank
from flank.analyses import hysteresis
from flank.errors import SpecError
from flank.machines.crank_reducer.spec import STAGE_KINDS
from flank.machines.few_teeth.spec import KINDS as ALL_KINDS

NO_FRICTION = {"friction.teeth": 0, "friction.turning_arm": 0, "friction.supports": 0}
RIGID = {"cranks.shaft": "rigid", "discs.body": "rigid", "carrier.body": "rigid"}
TIGHT = {"turning_arm.clearance": "-3 um", "supports.clearance": "-3 um"}
SETTINGS = hysteresis.HysteresisSettings(points_per_stage=6, crank_angle=0.7)
KINDS = {name: kind for name, kind in ALL_KINDS.items() if name not in STAGE_KINDS}
FIRST = {name: kind.key((0,) * len(kind.over)) for name, kind in KINDS.items()}


def reducer(changes=None):
    return flank.preset("few-teeth-60", NO_FRICTION | (changes or {}))


def loop_angles(machine, settings=SETTINGS):
    result = hysteresis.run(machine, settings)
    assert result.complete
    return result["loop_angle"].values


@pytest.fixture(scope="module")
def ideal():
    return loop_angles(reducer())


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_moves_the_loop(kind, ideal):
    size = "4 um" if KINDS[kind].unit == "m" else "60 arcsec"
    moved = loop_angles(reducer({f"errors.{kind}": {FIRST[kind]: size}}))
    assert np.abs(moved - ideal).max() > 1e-9


def test_errors_of_zero_are_the_ideal_machine(ideal):
    zeros = {f"errors.{kind}": {FIRST[kind]: 0.0} for kind in KINDS}
    np.testing.assert_array_equal(loop_angles(reducer(zeros)), ideal)


def test_with_error_is_the_error_of_the_spec(ideal):
    listed = loop_angles(reducer({"errors.tooth_thickness": {"2": "-4 um"}}))
    changed = reducer().with_error("tooth_thickness.2", -4e-6)
    np.testing.assert_array_equal(loop_angles(changed), listed)
    assert np.abs(listed - ideal).max() > 1e-7


def test_teeth_turned_on_all_discs_turn_the_output():
    """All teeth turned by φ turn discs and carrier by -φ, the cranks being held by the input."""
    moved = loop_angles(reducer(TIGHT | {"errors.angular": "60 arcsec"}))
    shift = np.mean(moved - loop_angles(reducer(TIGHT)))
    assert shift == pytest.approx(-math.radians(60 / 3600), rel=2e-3)


def test_all_holes_shifted_along_are_a_turn_of_the_output():
    """Holes off by d along their circle turn the carrier by d/R_c, discs held by the teeth."""
    moved = loop_angles(reducer(TIGHT | {"errors.hole_tangential": "4 um"}))
    shift = np.mean(moved - loop_angles(reducer(TIGHT)))
    assert shift == pytest.approx(4e-6 / 63e-3, rel=0.02)


def test_a_ring_off_its_axis_acts_on_both_flanks_alike():
    """A ring moved towards one disc's mesh opens it there; across the crank it turns the disc.

    Of one disc on stiff cranks, moved by d across: along the line of action d cos α', and the disc
    turns by that over r_b1.
    """
    one = RIGID | TIGHT | {"discs.count": 1}
    settings = hysteresis.HysteresisSettings(points_per_stage=6, torque=3.0)
    moved = loop_angles(reducer(one | {"errors.ring_y": "5 um"}), settings)
    shift = np.mean(moved - loop_angles(reducer(one), settings))
    pair = reducer().spec.pair
    closed = 5e-6 * math.cos(pair.working_angle) / pair.first.base_radius
    assert abs(shift) == pytest.approx(closed, rel=0.02)


def test_run_out_of_one_disc_is_a_wave_of_one_period_of_the_crank():
    """Teeth off the disc's axis by d swing along the line of action by d, once a crank turn.

    Thin teeth have room for it; tight ones would press on both flanks.
    """
    loose = {"discs.count": 1, "discs.thickness_deviation": "-60 um"}
    machine = reducer(RIGID | TIGHT | loose | {"errors.toothing_x": "5 um"})
    result = flank.run(machine, "transmission-error", points_per_turn=62, torque=10.0)
    error = result["transmission_error"].values
    pair = machine.spec.pair
    amplitude = 2 * np.abs(np.fft.rfft(error))[1:6] / len(error)
    assert amplitude[0] == pytest.approx(5e-6 / pair.first.base_radius, rel=0.02)
    assert amplitude[1:].max() < 0.05 * amplitude[0]


def test_run_out_that_takes_all_backlash_is_found():
    """Disc and ring off their axes by δ press teeth in by 2 δ sin α_wt along the line of action."""
    thin = {"discs.thickness_deviation": "-40 um"}
    plain = flank.preset("few-teeth-60", thin)
    assert plain.findings() == ()
    pair = plain.pair(0)
    room = pair.normal_backlash / (2 * math.sin(pair.working_angle))
    for share, count in ((0.9, 0), (1.1, 1)):
        off = {"errors.toothing_x": {"1": share * room / 2}, "errors.ring_y": share * room / 2}
        found = flank.preset("few-teeth-60", thin | off).findings()
        assert [finding.code for finding in found] == ["negative-backlash"] * count


def test_gears_of_a_first_stage_err_only_where_there_is_one():
    with pytest.raises(SpecError, match="does nothing without a first stage"):
        reducer({"errors.sun_x": "3 um"})
    assert not set(STAGE_KINDS) & set(reducer().errors)


def test_seats_sun_and_ring_that_are_off_alike_are_a_machine_elsewhere(ideal):
    moved = {f"errors.{kind}_{way}": "5 um" for kind in ("ring", "main_bearing") for way in "xy"}
    moved = loop_angles(reducer(moved))
    np.testing.assert_allclose(moved[1:], ideal[1:], atol=1e-9)
