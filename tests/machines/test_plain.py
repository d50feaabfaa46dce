"""A plain model as a machine: analyses give what closed forms say of two gears."""

import math

import numpy as np
import pytest

import flank
from flank.analyses.registry import ANALYSES
from flank.engine import GROUND, ModelBuilder, Outline, harmonic, over_angle, plain_machine
from flank.errors import SpecError

TORQUE, RADII, CENTRE = 12.0, (0.04, 0.06), 0.11
MEAN, SWING, TEETH = 1e8, 2e7, 20
INERTIAS = (4e-4, 2e-3)
FITTING = {
    "transmission-error",
    "load-distribution",
    "natural-frequencies",
    "campbell",
    "time-response",
}


def gears(**more):
    builder = ModelBuilder(0.05)
    pinion = builder.body("pinion", 0.5, INERTIAS[0])
    wheel = builder.body("wheel", 1.0, INERTIAS[1], (CENTRE, 0.0, 0.0))
    builder.revolute(GROUND, pinion)
    builder.revolute(GROUND, wheel, (CENTRE, 0.0))
    stiffness = harmonic(SWING, TEETH / (2 * math.pi), middle=MEAN)
    with builder.part("teeth", "teeth"):
        builder.mesh(pinion, wheel, over_angle(stiffness, pinion), RADII, CENTRE, name="teeth")
    ends = {"input": "pinion", "output": "wheel", "ratio": -1.5}
    torques = {"load_torque": TORQUE, "input_speed": 100.0}
    return plain_machine(builder, **ends, **torques, orders={"mesh": TEETH}, **more)


OF_MESHES = ("speed-sweep", "speed-dwell", "impact-test")


def test_what_fits_it():
    assert {name for name, one in ANALYSES.items() if one.fits(gears())} == FITTING
    rated = {name for name, one in ANALYSES.items() if one.fits(gears(rated_torque=TORQUE))}
    assert rated == FITTING | {"hysteresis", "stiffness-split", "efficiency", *OF_MESHES}


def test_transmission_error_is_that_of_the_stiffness():
    """The wheel gives way by F/(k r) with F = T/r."""
    result = flank.run(gears(), "transmission-error", points_per_turn=160)
    assert result.complete
    give = TORQUE / RADII[1] ** 2
    expected = give / (MEAN - SWING) - give / (MEAN + SWING)
    assert result["peak_to_peak"] == pytest.approx(expected, rel=1e-5)


def test_the_wheel_swings_on_the_teeth():
    result = flank.run(gears(), "natural-frequencies")
    expected = math.sqrt(MEAN * RADII[1] ** 2 / INERTIAS[1]) / (2 * math.pi)
    assert result["frequency"].values[0] == pytest.approx(expected, rel=1e-3)


@pytest.mark.parametrize(
    ("analysis", "settings"),
    [
        ("load-distribution", {}),
        ("time-response", {"duration": 2e-3, "step": 2e-5, "points": 10}),
    ],
)
def test_other_analyses_end_well(analysis, settings, tmp_path):
    result = flank.run(gears(), analysis, **settings)
    assert result.complete
    flank.save(result, tmp_path / "out")
    assert flank.read(tmp_path / "out").analysis == analysis


def test_outlines_that_are_given_are_drawn(tmp_path):
    angles = np.linspace(0.0, 2 * np.pi, 60, endpoint=False)
    circle = np.column_stack((np.cos(angles), np.sin(angles)))
    outlines = [Outline(name, k + 1, RADII[k] * circle, "body") for k, name in enumerate("ab")]
    result = flank.run(gears(outlines=outlines), "load-distribution")
    assert [one.name for one in result.drawing.outlines] == ["a", "b"]
    flank.save(result, tmp_path / "out")
    assert list((tmp_path / "out").glob("*.png"))


def test_the_builder_stays_as_it_was():
    machine = gears()
    before = machine.builder.build()
    flank.run(machine, "load-distribution")
    after = machine.builder.build()
    assert np.array_equal(before.counts, after.counts)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"input": "pinoin"}, "'pinoin' is not a body of the model; did you mean 'pinion'"),
        ({"ratio": 0.0}, "a ratio of 0 is none"),
        ({"speed_ratios": {"idler": 2.0}}, "'idler' is not a body"),
    ],
)
def test_what_cannot_be_a_machine(change, sentence):
    builder = gears().builder
    with pytest.raises(SpecError, match=sentence):
        plain_machine(builder, **{"input": "pinion", "output": "wheel", "ratio": -1.5} | change)
