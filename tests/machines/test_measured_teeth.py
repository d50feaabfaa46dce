"""Discs of few-teeth reducers from measured points are the discs that were measured."""

import math
from dataclasses import replace

import numpy as np
import pytest

import flank
from flank.analyses import hysteresis, transmission_error
from flank.errors import SpecError
from flank.geometry.tooth_outline import gear_outline

COARSE = hysteresis.HysteresisSettings(points_per_stage=8)
FRICTIONLESS = {"friction.teeth": 0, "friction.turning_arm": 0, "friction.supports": 0}


def reducer(changes=None):
    return flank.preset("few-teeth-38", FRICTIONLESS | (changes or {}))


@pytest.fixture
def points(tmp_path):
    """Files of some 4,000 points of a disc, with changes of its gear and its place."""

    def write(shift=(0.0, 0.0), turned=0.0, **changes):
        gear = replace(reducer().spec.pair.first, **changes)
        line = np.array(gear_outline(gear, 12)).T[:-1] @ [1, 1j]
        line = line * np.exp(1j * turned) + complex(*shift)
        np.savetxt(tmp_path / "disc.csv", np.column_stack((line.real, line.imag)), fmt="%.17g")
        return str(tmp_path / "disc.csv")

    return write


def measured(path):
    return {"discs.profile": "measured", "discs.points_file": path}


def test_measured_teeth_are_the_analytic_ones(points):
    """K_T within 0.1 %, backlash within 0.2 µm at the ring's reference circle; exactly where the
    disc is the nominal one, whose tips and compliance the measured one keeps."""
    exact = hysteresis.run(reducer({"discs.thickness_deviation": "-20 um"}), COARSE)
    found = hysteresis.run(reducer(measured(points(thickness_deviation=-20e-6))), COARSE)
    nominal = hysteresis.run(reducer(), COARSE)
    assert found["torsional_stiffness"] == pytest.approx(exact["torsional_stiffness"], rel=1e-3)
    radius = reducer().spec.pair.second.reference_radius
    assert abs(found["backlash"] - exact["backlash"]) * radius < 0.2e-6
    same = hysteresis.run(reducer(measured(points())), COARSE)
    assert same["torsional_stiffness"] == pytest.approx(nominal["torsional_stiffness"], rel=1e-9)
    assert (exact["backlash"] - nominal["backlash"]) * radius > 10e-6


@pytest.mark.parametrize(
    ("moved", "errors", "share"),
    [
        ({"turned": 5e-5}, {"errors.angular": 5e-5}, 0.005),
        (
            {"shift": (8e-6, -5e-6)},
            {"errors.toothing_x": {1: 8e-6}, "errors.toothing_y": {1: -5e-6}},
            0.1,
        ),
    ],
    ids=["turned", "run-out"],
)
def test_points_hold_turn_and_run_out(points, moved, errors, share):
    """With one disc, whose holes are not turned on it. What is left of a run-out is that tips and
    their edges stay where the nominal gear has them."""
    one = {"discs.count": 1, "rated_torque": 50.0, "operation.torque": 50.0}
    settings = transmission_error.TransmissionErrorSettings(points_per_turn=8)

    def error(changes):
        return transmission_error.run(reducer(one | changes), settings)["transmission_error"].values

    kept = measured(points(**moved)) | {"discs.points_fit": "none"}
    found, exact, straight = error(kept), error(errors), error({})
    moves = np.abs(exact - straight).max()
    assert moves > 5 * math.pi / 180 / 3600
    np.testing.assert_allclose(found, exact, rtol=0, atol=share * moves)


def test_a_measured_disc_is_drawn_by_its_points(points):
    machine = reducer(measured(points()))
    assert machine.findings() == ()
    gear = machine.spec.pair.first
    radii = np.hypot(*machine.flank_points(0).T)
    assert radii.max() == pytest.approx(gear.tip_radius, abs=1e-6)
    assert radii.min() == pytest.approx(gear.root_radius, abs=1e-6)


def test_thick_teeth_are_a_doubt(points):
    (finding,) = reducer(measured(points(thickness_deviation=10e-6))).findings()
    assert (finding.code, finding.severity) == ("negative-backlash", "warning")
    assert finding.value == pytest.approx(-10e-6 * math.cos(math.radians(20)), rel=1e-3)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"discs.profile": "polyline"}, "discs.profile 'polyline' is for flanks among pins"),
        (
            measured("a.csv") | {"discs.thickness_deviation": "-3 um"},
            "discs.thickness_deviation does nothing with a measured profile",
        ),
        (
            measured("a.csv") | {"errors.toothing_x": "3 um"},
            "errors.toothing_x does nothing with a measured profile",
        ),
        (
            measured("a.csv") | {"mesh": {"model": "table"}, "friction.teeth": 0},
            "discs.profile 'measured' needs mesh.model 'contact'",
        ),
    ],
)
def test_what_does_nothing_or_cannot_be_is_refused(changes, sentence):
    with pytest.raises(SpecError) as error:
        reducer(changes)
    assert sentence in str(error.value)
