"""Every deviation reaches the model, and by the right amount where a closed form says so."""

import math

import numpy as np
import pytest

import flank
from flank.analyses import hysteresis
from flank.machines.rv.spec import KINDS

UNMODIFIED = {"discs.equidistant": 0, "discs.radial": 0}
NO_FRICTION = {
    "friction.pins": 0,
    "friction.turning_arm": 0,
    "friction.supports": 0,
    **UNMODIFIED,
}
SETTINGS = hysteresis.HysteresisSettings(points_per_stage=6, crank_angle=0.7)
FIRST = {name: "/".join("1" for _ in kind.over) for name, kind in KINDS.items()}


def reducer(changes=None):
    return flank.preset("rv-320", NO_FRICTION | (changes or {}))


def loop_angles(machine):
    return hysteresis.run(machine, SETTINGS)["loop_angle"].values


def backlash(machine):
    settings = SETTINGS.with_changes({"torque": 1.0})
    return float(hysteresis.run(machine, settings)["backlash"])


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


def test_every_instance_is_a_parameter():
    machine = reducer()
    names = [parameter.name for parameter in machine.error_parameters()]
    assert len(names) == len(set(names)) == 6 * 3 + 3 * 2 + 6 * 3 + 6 * 2 + 40 * 3 + 2 * 3
    changed = machine.with_error("hole_radial.2/3", 3e-6).with_error("hole_radial.2/3", 1e-6)
    assert changed.errors["hole_radial"][1, 2] == pytest.approx(4e-6)
    assert not np.any(machine.errors["hole_radial"])


@pytest.mark.parametrize("elements", ["inside", "bodies"])
def test_eccentric_and_hole_radius_are_clearance(elements):
    """A smaller eccentric, a larger hole and more clearance are the same play."""
    form = {"turning_arm.elements": elements}
    wider = backlash(reducer(form | {"turning_arm.clearance": "8 um"}))
    for changes in (
        {"errors.crank_pin_radius": "-3 um"},
        {"errors.hole_radius": "3 um"},
        {"errors.turning_arm_clearance": "3 um"},
    ):
        assert backlash(reducer(form | changes)) == pytest.approx(wider, rel=1e-6)


def test_clearance_moves_backlash_by_the_closed_form():
    """dBL/dc = 2/R_c within what the rolling of the discs takes away."""
    step = backlash(reducer({"errors.turning_arm_clearance": "2 um"})) - backlash(reducer())
    assert step == pytest.approx(2 * 2e-6 / 63e-3, rel=0.05)


@pytest.mark.parametrize(("kind", "factor"), [("equidistant", 1.0), ("radial", None)])
def test_modification_errors_move_backlash_by_the_closed_form(kind, factor):
    """2 (Δr + ΔR √(1 - K1²))/(e z_c), over 1 + (1 + z1/z2)/z_c as the cranks follow the sun."""
    tight = {"turning_arm.clearance": 0, "supports.clearance": 0}
    found = backlash(reducer(tight | {f"errors.{kind}": "10 um"}))
    factor = factor or math.sqrt(1 - (2.2 * 40 / 119.5) ** 2)
    closed = 2 * 10e-6 * factor / (2.2e-3 * 39) / (1 + (4 / 3) / 39)
    assert found == pytest.approx(closed, rel=5e-3)


def test_all_holes_shifted_along_are_a_turn_of_the_output():
    """Holes off by d along their circle turn the carrier by d/R_c but for the discs' rolling."""
    tight = {"turning_arm.clearance": "-3 um"}
    moved = loop_angles(reducer(tight | {"errors.hole_tangential": "4 um"}))
    shift = np.mean(moved - loop_angles(reducer(tight)))
    assert shift == pytest.approx(4e-6 / 63e-3, rel=0.05)


def test_all_pins_shifted_along_turn_everything():
    """Pins off by d along their circle turn discs and output by d/R, less what the sun holds."""
    tight = {"turning_arm.clearance": "-3 um"}
    moved = loop_angles(reducer(tight | {"errors.pin_tangential": "10 um"}))
    shift = np.mean(moved - loop_angles(reducer(tight)))
    # θ_s - θ_ring = i (θ_o - θ_ring): with the sun held the output turns by (1 - 1/i) of the ring
    assert shift == pytest.approx(10e-6 / 119.5e-3 * (1 - 1 / 121), rel=2e-3)
