"""Loads that no tooth carries, torques that mean little, angles without digits: all are told."""

import math

import numpy as np
import pytest

import flank
from flank.analyses.load_distribution import DEFAULTS
from flank.analyses.quantities import Declared, Quantities
from flank.analyses.result import Ending, make_result
from flank.analyses.warnings import OVERLOAD, least_torque
from flank.dynamics.functions import constant
from flank.elasticity.material import contact_modulus
from flank.errors import SpecError
from flank.machines.base import Drive
from flank.strength.flank_pressure import contact_ratio_factor


def gearbox(rung, preset="planetary-500kw"):
    return flank.preset(preset, {"sun_mesh.model": rung, "ring_mesh.model": rung})


def load(machine, times):
    return flank.run(machine, "load-distribution", torque=times * machine.rated_torque)


def has(result, part):
    return any(part in warning for warning in result.warnings)


@pytest.mark.parametrize("rung", ["rigid", "spring", "table", "contact"])
def test_teeth_of_every_rung_are_overloaded_by_the_same_torque(rung):
    """At 40 times the rated torque, not at the rated one; at 5 times only edges are."""
    machine = gearbox(rung)
    assert has(load(machine, 40), "even hardened steel yields")
    assert load(machine, 1).warnings == []
    assert has(load(machine, OVERLOAD), "hardened steel") == (rung == "contact")


@pytest.mark.parametrize("rung", ["spring", "table"])
def test_teeth_pressed_through_each_other(rung):
    assert has(load(gearbox(rung), 1000), "no tooth bends by more than 500 um")


def test_a_hundred_times_the_rated_torque_on_soft_teeth():
    result = flank.run(flank.preset("planetary-paper"), "load-distribution", torque="66.67 N*m")
    assert result["wind_up"] > 1
    assert has(result, "pressed 473 mm into each other")
    assert has(result, "100 times the rated torque")


def test_runs_in_time_tell_it_too():
    machine = gearbox("table")
    torque = 200 * machine.load_torque
    result = flank.run(
        machine,
        "time-response",
        duration=2e-4,
        step=2e-5,
        drive="speed",
        torques={"output": torque},
    )
    assert has(result, "even hardened steel yields")
    assert has(result, "200 times the rated torque")


def test_nominal_pressure_is_that_of_the_norm():
    """ISO 6336-2 for spur gears: Z_H Z_E Z_ε √(F_t/(d1 b) (u + 1)/u), d1 on the pitch circle."""
    meshed = flank.preset("planetary-500kw").sun_pair(0)
    pair, force = meshed.pair, 1e5
    ratio = pair.second.teeth / pair.first.teeth
    diameter = 2 * pair.working_radii[0]
    alpha = pair.working_angle
    tangential = force * math.cos(alpha)
    zone = math.sqrt(2 / (math.cos(alpha) * math.sin(alpha)))  # Z_H on the working circle
    elastic = math.sqrt(contact_modulus(*meshed.materials) / math.pi)  # Z_E
    share = math.sqrt((4 - pair.contact_ratio) / 3)
    stress = zone * elastic * share
    stress *= math.sqrt(tangential / (diameter * pair.face_width) * (ratio + 1) / ratio)
    assert math.sqrt(force * meshed.limits.pressure_factor) == pytest.approx(stress)
    assert contact_ratio_factor(pair.contact_ratio, pair.overlap_ratio) == pytest.approx(share**2)


def test_a_torque_that_counts_as_none():
    drive = flank.preset("cycloidal-drive")
    least = least_torque(drive.assemble(Drive.of_ends(constant(0.0), constant(0.0))).model)
    tiny, small = (
        flank.run(drive, "load-distribution", torque=torque) for torque in (1e-9, 2 * least)
    )
    assert has(tiny, "hardly told from none")
    assert small.warnings == []
    assert small["wind_up"] != 0


def test_no_torque_leaves_the_output_anywhere_in_its_backlash():
    loose = flank.run(flank.preset("cycloidal-drive"), "load-distribution", torque=0.0)
    assert has(loose, "anywhere within the backlash")
    held = flank.run(flank.preset("planetary-lin-parker"), "load-distribution", torque=0.0)
    assert held.warnings == []  # its meshes also pull


def test_without_a_torque_friction_may_hold_what_gives_way_without_it():
    machine = flank.preset("rv-generic", {"discs.count": 3})
    result = flank.run(machine, "transmission-error", torque=0.0, points_per_turn=24)
    assert result.complete


def test_steps_that_do_not_resolve_pins():
    """The distance of points is the step; 240 a turn are six in the period of a pin."""
    drive = flank.preset("cycloidal-drive")
    coarse, fine = (
        flank.run(drive, mode="dynamic", points_per_turn=points, step="5 ms")
        for points in (240, 480)
    )
    assert has(coarse, "does not resolve the pin order")
    assert fine.warnings == []


@pytest.mark.parametrize("angle", ["1e15 deg", "-1e6 deg", 7e3])
def test_angles_without_digits_are_refused(angle):
    with pytest.raises(SpecError, match="a thousand turns"):
        flank.run(flank.preset("cycloidal-drive"), "hysteresis", crank_angle=angle)


def test_a_failure_far_away_says_so():
    far = flank.run(
        flank.preset("planetary-lin-parker"),
        "hysteresis",
        crank_angle="300000 deg",
        points_per_stage=5,
    )
    near = flank.run(flank.preset("planetary-lin-parker"), "hysteresis", points_per_stage=5)
    assert far.complete or has(far, "833.3 turns from where it began")
    assert near.warnings == []


def test_a_figure_that_is_no_number_is_named():
    machine = flank.preset("cycloidal-drive")
    declared = {
        "lost": Declared("Lost motion", "rad", "arcmin"),
        "found": Declared("Backlash", "rad", "arcmin"),
        "places": Declared("Places of open contacts", "m", "mm", "k"),
    }
    values = {"lost": np.nan, "found": 1.0, "places": np.array([np.nan])}
    table, done = Quantities("load-distribution", declared), Ending("Completed.", True, {})
    result = make_result(table, machine, DEFAULTS, done, values)
    assert result.warnings == ["No number was found for: Lost motion."]
