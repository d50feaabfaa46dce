"""The machine's parts reach the model, and by the right amount where a closed form says so."""

import math

import numpy as np
import pytest

from flank.analyses import hysteresis, load_distribution, transmission_error
from flank.dynamics.functions import constant
from flank.dynamics.run import DynamicSettings, solve_dynamics, solve_statics
from flank.errors import SpecError
from flank.geometry.curve import equal_arc_length_points
from flank.machines.base import Drive

COARSE = hysteresis.HysteresisSettings(points_per_stage=5, torque=1.0)
ARM = 1.3e-3 * 39
SHORT = transmission_error.TransmissionErrorSettings(points_per_turn=80)


def backlash(machine):
    return hysteresis.run(machine, COARSE)["backlash"]


def turned(pose, angle, shift):
    """Every body, ground included, turned about the origin and moved."""
    c, s = math.cos(angle), math.sin(angle)
    new = pose.copy()
    new[:, 0] = c * pose[:, 0] - s * pose[:, 1] + shift[0]
    new[:, 1] = s * pose[:, 0] + c * pose[:, 1] + shift[1]
    new[:, 2] += angle
    return new


def test_frame_invariance(stage):
    """The whole drive turned and moved carries the same forces."""
    machine = stage()
    assembly = machine.assemble(Drive.of_ends(constant(0.3), constant(100.0)))
    pose = machine.ideal_pose(0.3)
    still = solve_statics(assembly.model, pose, np.array([0.0]))
    moved = solve_statics(assembly.model, turned(pose, 1.1, (0.2, -0.4)), np.array([0.0]))
    forces = still.contact_results["normal_force"]
    assert forces.max() > 100
    np.testing.assert_allclose(moved.contact_results["normal_force"], forces, rtol=0, atol=1e-5)


def test_error_repeats_with_the_pin_pitch(stage):
    """Turning the ring by one pitch changes nothing: only orders k z_p can appear."""
    settings = transmission_error.TransmissionErrorSettings(points_per_turn=400)
    result = transmission_error.run(stage(), settings)
    amplitude = result["amplitude"].values
    at_pins = np.arange(len(amplitude)) % 40 == 0
    assert amplitude[at_pins][1:].max() > 1e-9
    assert amplitude[~at_pins].max() < 1e-12


@pytest.mark.parametrize(
    ("errors", "closed"),
    [
        ("pin_radius", 2 * 10e-6 / ARM),
        ("pin_radial", 2 * 10e-6 * math.sqrt(1 - 0.8125**2) / ARM),
    ],
)
def test_the_same_error_on_all_pins_is_a_modification(stage, errors, closed):
    """Pins smaller by 10 µm, or 10 µm farther out, give the backlash of Δr or ΔR = 10 µm."""
    sign = -1 if errors == "pin_radius" else 1
    changes = {"discs.equidistant": None, f"errors.{errors}": sign * 10e-6}
    assert backlash(stage(changes)) == pytest.approx(closed, rel=7e-3)


def test_tangential_errors_turn_the_output(stage):
    """A ring turned by s/R turns the disc by s/R · z_p/z_c at a fixed crank."""
    s = 10e-6
    straight = transmission_error.run(stage(), SHORT)["mean_error"]
    changes = {"errors.pin_tangential": s}
    shifted = transmission_error.run(stage(changes), SHORT)["mean_error"]
    assert shifted - straight == pytest.approx(s / 64e-3 * 40 / 39, rel=2e-3)


@pytest.mark.parametrize("key", ["pin_radius", "pin_radial", "pin_tangential"])
def test_one_wrong_pin_moves_the_transmission_error(stage, key):
    straight = transmission_error.run(stage(), SHORT)["transmission_error"].values
    wrong = transmission_error.run(stage({f"errors.{key}": {8: 5e-6}}), SHORT)
    assert np.abs(wrong["transmission_error"].values - straight).max() > 1e-7


def test_rolling_pins_are_a_second_spring_in_series(stage):
    """Pin in a groove of nearly its own size: half the mesh stiffness, k/2 (e z_c)² z_p/4.

    The series holds for the radial load on a groove; the clearance of 0.1 µm costs the rest.
    """
    unmodified = {"discs.equidistant": None}
    rolling = {
        **unmodified,
        "pins.mounting": "rolling",
        "pins.groove_radius": 3e-3 + 1e-7,
        "friction.grooves": 0,
    }
    fixed = load_distribution.run(stage(unmodified))["torsional_stiffness"]
    series = load_distribution.run(stage(rolling))["torsional_stiffness"]
    assert series == pytest.approx(fixed / 2, rel=0.02)


def test_stiff_needles_without_clearance_are_a_rigid_eccentric(stage):
    needles = {"count": 20, "radius": "2.5 mm", "length": "10 mm", "clearance": 0}
    changes = {"eccentric": {"bearing": "needles", "needles": needles}}
    rigid = load_distribution.run(stage())["wind_up"]
    soft = load_distribution.run(stage(changes))["wind_up"]
    stiff = load_distribution.run(stage({**changes, "contact.stiffness": "3e11 N/m"}))["wind_up"]
    stiff_rigid = load_distribution.run(stage({"contact.stiffness": "3e11 N/m"}))["wind_up"]
    assert soft > 1.01 * rigid
    assert stiff == pytest.approx(stiff_rigid, rel=1e-3)


def test_needle_clearance_adds_backlash(stage):
    needles = {"count": 20, "radius": "2.5 mm", "length": "10 mm", "clearance": "5 um"}
    changes = {"eccentric": {"bearing": "needles", "needles": needles}}
    tight = {**changes, "eccentric": {"bearing": "needles", "needles": {**needles, "clearance": 0}}}
    assert backlash(stage(changes)) > backlash(stage(tight)) + 1e-5


def test_measured_profile_equals_the_smooth_one(stage, tmp_path):
    machine = stage()
    path = tmp_path / "points.csv"
    np.savetxt(path, equal_arc_length_points(machine.profile, 20000), fmt="%.17g", delimiter=",")
    changes = {
        "discs.equidistant": None,
        "discs.profile": "measured",
        "discs.points_file": str(path),
    }
    smooth = transmission_error.run(machine, SHORT)["transmission_error"].values
    measured = transmission_error.run(stage(changes), SHORT)["transmission_error"].values
    np.testing.assert_allclose(measured, smooth, rtol=0, atol=2e-9)


def test_polyline_converges_to_the_smooth_profile(stage):
    """Four times the segments, a sixteenth of the error: second order.

    Below some 400 segments a lobe the feet of all pins fall into few segments and the rate is not
    yet seen.
    """
    settings = transmission_error.TransmissionErrorSettings(points_per_turn=97)
    smooth = transmission_error.run(stage(), settings)["transmission_error"].values
    errors = []
    for segments in (800, 3200):
        changes = {"discs.profile": "polyline", "discs.segments_per_lobe": segments}
        broken = transmission_error.run(stage(changes), settings)["transmission_error"].values
        errors.append(np.sqrt(np.mean((broken - smooth) ** 2)))
    assert 12 < errors[0] / errors[1] < 20


def test_two_discs_share_the_load(stage):
    """Half a turn apart, with rollers: each disc carries half the torque on average."""
    rollers = {"count": 8, "circle_radius": "40 mm", "radius": "5 mm"}
    changes = {"discs.count": 2, "output.kind": "rollers", "output.rollers": rollers}
    result = transmission_error.run(stage(changes), SHORT)
    work = (result["pin_force"].values).sum(axis=2).mean(axis=0)
    assert work[0] == pytest.approx(work[1], rel=1e-3)
    one = transmission_error.run(stage(), SHORT)["pin_force"].values.sum(axis=2).mean()
    assert work.sum() == pytest.approx(one, rel=0.05)


def test_friction_turns_a_rolling_pin(stage):
    changes = {
        "pins.mounting": "rolling",
        "pins.groove_radius": "3.005 mm",
        "contact.damping": 1.0,
        "friction.pins": 0.05,
        "friction.grooves": 0.05,
    }
    settings = transmission_error.TransmissionErrorSettings(mode="dynamic", points_per_turn=200)
    result = transmission_error.run(stage(changes), settings)
    assert result.complete
    machine = stage(changes)
    assembly = machine.assemble(Drive.of_ends(constant(0.0), constant(50.0)))
    run = solve_dynamics(assembly.model, machine.ideal_pose(0.0), 2e-3, DynamicSettings(1e-5))
    assert np.abs(run.position[-1, 3:, 2]).max() > 1e-6


def test_screened_run_equals_unscreened(stage):
    """Within what the foot point's tolerance leaves in a force (1e-10 of it) over 100 steps."""
    machine = stage()
    assembly = machine.assemble(Drive.of_ends(constant(0.0), constant(80.0)))
    runs = []
    for screened in (True, False):
        model = assembly.model._replace(screened=screened)
        runs.append(solve_dynamics(model, assembly.pose, 2e-3, DynamicSettings(2e-5)))
    np.testing.assert_allclose(runs[0].position, runs[1].position, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("changes", "fragment"),
    [
        ({"pins.radius": "4.7 mm"}, "pins.radius: a pin of radius 4.71 mm undercuts the flank"),
        ({"discs.equidistant": "-60 um"}, "discs.equidistant: profile and pins interfere by 60 um"),
        ({"eccentricity": "1.7 mm"}, "eccentricity is 1.7 mm"),
        (
            {"discs.equidistant": None, "discs.profile": "measured", "discs.points_file": "no.csv"},
            "discs.points_file: no.csv does not exist",
        ),
    ],
)
def test_impossible_geometry_is_refused_in_a_sentence(stage, changes, fragment):
    with pytest.raises(SpecError) as error:
        load_distribution.run(stage(changes))
    assert fragment in str(error.value)


def test_small_interference_is_a_finding_not_a_refusal(stage):
    found = stage({"discs.equidistant": "-5 um"}).findings()
    assert [f.code for f in found] == ["negative-clearance"]
    assert found[0].severity == "warning"
    assert found[0].value == pytest.approx(-5e-6)
