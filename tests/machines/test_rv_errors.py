"""Every deviation reaches the model, and by the right amount where a closed form says so."""

import math

import numpy as np
import pytest

import flank
from flank.analyses import hysteresis
from flank.analyses.runs import assemble_locked, solve_both_directions
from flank.machines.rv.spec import KINDS

UNMODIFIED = {"discs.equidistant": 0, "discs.radial": 0}
NO_FRICTION = {
    "friction.pins": 0,
    "friction.turning_arm": 0,
    "friction.supports": 0,
    **UNMODIFIED,
}
SETTINGS = hysteresis.HysteresisSettings(points_per_stage=6, crank_angle=0.7)
FIRST = {name: kind.key((0,) * len(kind.over)) for name, kind in KINDS.items()}


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
def test_each_kind_moves_the_output(kind):
    size = 4e-6 if KINDS[kind].unit == "m" else np.deg2rad(60 / 3600)
    machine = reducer()
    place = f"{kind}.{FIRST[kind]}" if KINDS[kind].over else kind
    ways = []
    for each in (machine, machine.with_error(place, size)):
        assembly = assemble_locked(each, 0.7)
        runs = solve_both_directions(
            assembly, each.ideal_pose(0.7), np.array([500.0, 3000.0]), None
        )
        ways.append([run.angle(assembly.output_shaft) for run in runs])
    assert np.abs(np.subtract(*ways)).max() > 1e-9


def test_errors_of_zero_are_the_ideal_machine(ideal):
    zeros = {f"errors.{kind}": {FIRST[kind]: 0.0} for kind in KINDS}
    np.testing.assert_array_equal(loop_angles(reducer(zeros)), ideal)


def test_every_instance_is_a_parameter():
    machine = reducer()
    names = [parameter.name for parameter in machine.error_parameters()]
    cranks_and_discs = 6 * 3 + 3 * 2 + 6 * 3 + 6 * 2 + 2 * 5
    rollers = 6 * (machine.size.turning_arm.count + machine.size.support.count)
    common = 4 * 2 + 4 + 3 * 3 + 4  # carrier and its bearings, sun and its axis, planets, pins
    assert len(names) == len(set(names)) == cranks_and_discs + rollers + common + 40 * 3
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


@pytest.mark.parametrize("elements", ["inside", "bodies"])
@pytest.mark.parametrize(
    ("block", "rollers", "clearance"),
    [
        ("turning_arm", "arm_roller_radius", "turning_arm_clearance"),
        ("supports", "support_roller_radius", "support_clearance"),
    ],
)
def test_larger_rollers_take_twice_as_much_of_the_clearance(elements, block, rollers, clearance):
    form = {f"{block}.elements": elements}
    if block == "supports":
        form |= {"supports.contact_angle": 0, "supports.clearance": "4 um"}
    plain, smaller, wider = (
        loop_angles(reducer(form | given))
        for given in ({}, {f"errors.{rollers}": "-1 um"}, {f"errors.{clearance}": "2 um"})
    )
    assert np.abs(smaller - plain)[1:].max() > 1e-6
    np.testing.assert_allclose(smaller[1:], wider[1:], rtol=1e-4, atol=1e-9)


D = "5 um"


@pytest.mark.parametrize(
    "errors",
    [
        {"pin_circle_x": D, "main_bearing_x": D, "input_x": D},
        {"pin_circle_y": D, "main_bearing_y": D, "input_y": D},
        {"pin_circle_x": D, "input_x": D, "carrier_x": "-5 um"},  # the carrier stands at zero
        {"pin_circle_y": D, "input_y": D, "carrier_y": "-5 um"},
        {"pin_circle_x": D, "flank_x": D},
        {"pin_circle_y": D, "flank_y": D},
        {"sun_x": D, "input_x": "-5 um"},
        {"sun_y": D, "input_y": "-5 um"},
    ],
    ids=str,
)
def test_run_outs_that_meet_are_none(errors):
    """Axes that are off by as much as each other are a machine in another place."""
    locked = SETTINGS.with_changes({"crank_angle": 0.0})
    ideal, moved, alone = (
        hysteresis.run(reducer({f"errors.{kind}": size for kind, size in given.items()}), locked)
        for given in ({}, errors, dict(list(errors.items())[:1]))
    )
    ways = [run["loop_angle"].values for run in (ideal, moved, alone)]
    differ = [np.abs(way - ways[0])[1:].max() for way in ways]  # the first point lies in the play
    assert differ[1] < 1e-3 * differ[2]


def test_an_oval_pin_circle_is_pins_off_outward():
    angle = 2 * np.pi * np.arange(40) / 40
    for kind, wave in (("oval", np.cos(2 * angle)), ("oval_diagonal", np.sin(2 * angle))):
        listed = {str(k + 1): 3e-6 * each for k, each in enumerate(wave.tolist())}
        one_by_one = loop_angles(reducer({"errors.pin_radial": listed}))
        together = loop_angles(reducer({f"errors.pin_circle_{kind}": "3 um"}))
        np.testing.assert_allclose(together, one_by_one, atol=1e-12)


@pytest.mark.parametrize("mesh", [{}, {"first_stage.mesh.model": "contact"}])
def test_planets_turned_on_their_cranks_turn_the_output(mesh):
    """With the sun held the output turns by δ/(1 + z1/z2 + z_c)."""
    tight = mesh | {"turning_arm.clearance": "-3 um"}
    moved = loop_angles(reducer(tight | {"errors.planet_phase": "100 arcsec"}))
    shift = np.mean(moved - loop_angles(reducer(tight)))
    assert shift == pytest.approx(np.deg2rad(100 / 3600) / (1 + 1 / 3 + 39), rel=1e-3)
