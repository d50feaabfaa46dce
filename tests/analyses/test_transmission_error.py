"""Whose turns are counted, the machine's own orders, and an input that is free."""

import numpy as np
import pytest

import flank
from flank.analyses import transmission_error
from flank.analyses.orders import evenly_over_angle, folding_warnings, lines_of_named_orders
from flank.errors import SpecError
from flank.machines.registry import MACHINES

SMOOTH = {"friction.pins": 0, "friction.turning_arm": 0, "friction.supports": 0}


def run(machine, **settings):
    return flank.run(machine, "transmission-error", **settings)


def test_every_reducer_is_looked_at_here():
    assert set(MACHINES) - {"cv-joint"} == {
        "bevel-pair",
        "cycloidal-drive",
        "few-teeth-reducer",
        "gear-pair",
        "hypoid-pair",
        "planetary-gearbox",
        "rv-reducer",
        "spatial-gear-pair",
    }


@pytest.mark.parametrize(
    ("preset", "shaft", "per_input"),
    [
        ("rv-320", "crank", 39 / 121),
        ("rv-320", "output", 1 / 121),
        ("monocrank", "output", 1 / 13),
        ("few-teeth-60", "crank", 1.0),
        ("few-teeth-60", "output", 1 / 30),
        ("few-teeth-38", "crank", 19 / 41),
        ("gear-pair", "output", 25 / 77),
        ("bevel-pair", "output", 12 / 37),
        ("hypoid-pair", "output", 13 / 42),
        ("helical-in-space", "output", 25 / 77),
    ],
)
def test_turns_of_a_shaft(preset, shaft, per_input):
    """One turn of a shaft is 2π over its order of input angle, and its line has its order."""
    result = run(flank.preset(preset), turns_of=shaft, points_per_turn=12)
    angle = result["crank_angle"].values
    assert (angle[1] - angle[0]) * 12 == pytest.approx(2 * np.pi / per_input)
    assert result["shaft_angle"].values[6] == pytest.approx(np.pi)
    assert result["order"].values[1] == pytest.approx(per_input)


def test_a_shaft_that_the_machine_does_not_have():
    with pytest.raises(SpecError, match="no shaft 'crank'; it has input, output"):
        run(flank.preset("cycloidal-drive"), turns_of="crank")
    with pytest.raises(SpecError, match="turns_of"):
        run(flank.preset("cycloidal-drive"), turns_of="sun")


def test_named_orders_are_those_of_the_spectrum():
    result = run(flank.preset("cycloidal-drive"), points_per_turn=180)
    names = result["named_order"].values.tolist()
    assert names == ["input", "disc pair", "roller", "pin"]
    amplitudes = dict(zip(names, result["named_order_amplitude"].values, strict=True))
    assert amplitudes["pin"] == result["amplitude"].values[40]
    assert result["amplitude"].values.argmax() == 40
    assert "Named orders" in flank.summary(result)


def test_a_line_belongs_to_the_nearest_order():
    """Over one turn of the crank the planet's order cannot be told from the crank's."""
    named = {"output": 1 / 39, "crank": 1.0, "planet": 40 / 39, "input": 121 / 39, "pin": 40.0}
    lines = lines_of_named_orders(named, np.arange(30.0))
    assert lines == {"crank": 1}


def test_even_angles_from_uneven_ones():
    angles = np.linspace(0, 2 * np.pi, 200, endpoint=False)
    angles = angles + 0.01 * np.sin(angles)
    even, turns = evenly_over_angle(angles, np.sin(angles))
    assert turns == pytest.approx(1.0, rel=1e-3)
    assert even == pytest.approx(np.sin(np.linspace(angles[0], angles[-1], 200)), abs=1e-3)
    assert evenly_over_angle(angles[::-1], angles)[1] == 0.0


@pytest.mark.parametrize("law", ["hertz", "palmgren"])
def test_a_free_input_keeps_speed_and_error(law):
    """Balanced torques without friction: as the machine that is driven at its speed."""
    drive = flank.preset("cycloidal-drive", {"contact.law": law})
    settings = {"mode": "dynamic", "points_per_turn": 480}
    driven, free = (run(drive, drive=kind, **settings) for kind in ("speed", "torque"))
    assert free["mean_input_speed"] == pytest.approx(drive.input_speed, rel=1e-3)
    assert free["mean_error"] == pytest.approx(driven["mean_error"], rel=0.01)
    assert free["peak_to_peak"] == pytest.approx(driven["peak_to_peak"], rel=0.2)
    pin = [float(r["named_order_amplitude"][-1]) for r in (driven, free)]
    assert pin[1] == pytest.approx(pin[0], rel=0.1)
    assert free.warnings == []


def test_a_free_rv_reducer_turns_on():
    """Its output opposes the load in the other sense; the input's torque follows."""
    machine = flank.preset("rv-320", SMOOTH)
    free = run(machine, mode="dynamic", drive="torque", points_per_turn=90)
    assert free["mean_input_speed"] == pytest.approx(machine.input_speed, rel=0.01)
    assert free["mean_error"] < 0


def test_a_free_input_without_torque_is_warned_of():
    drive = flank.preset("cycloidal-drive")
    result = run(drive, mode="dynamic", drive="torque", input_torque=0.0, points_per_turn=90)
    assert any("give the input_torque that keeps its speed" in w for w in result.warnings)
    assert "amplitude" not in result.dataset


@pytest.mark.parametrize(
    ("settings", "fragment"),
    [
        ({"drive": "torque"}, "drive does nothing in static mode"),
        ({"mode": "dynamic", "input_torque": "5 N*m"}, "set drive to 'torque'"),
        ({"mode": "dynamic", "drive": "force"}, "drive"),
    ],
)
def test_bad_drives_are_refused(settings, fragment):
    with pytest.raises(SpecError, match=fragment):
        run(flank.preset("cycloidal-drive"), **settings)


def test_static_friction_has_developed_where_the_range_begins():
    """Elastic friction is none at the first pose; what it takes to develop is not the machine's."""
    unmodified = {"discs.equidistant": 0, "discs.radial": 0}
    result = run(flank.preset("rv-320", unmodified), points_per_turn=90)
    error = result["transmission_error"].values
    assert abs(error[1] - error[0]) < 0.1 * result["peak_to_peak"]


def test_a_range_that_holds_all_periods_is_advised():
    gearbox = flank.preset("planetary-lin-parker", {"errors.planet_eccentricity": {"1": "20 um"}})
    (warning,) = run(gearbox, points_per_turn=240).warnings
    assert warning.endswith("Use turns_of: input, turns: 3.")
    assert run(gearbox, points_per_turn=240, turns=3).warnings == []


def test_folded_spectra_are_warned_of():
    orders = np.arange(101.0)
    amplitudes = np.zeros(101)
    amplitudes[[10, 90]] = 1e-6, 3e-7
    (warning,) = folding_warnings(orders, amplitudes)
    assert "highest order, 100" in warning
    amplitudes[90] = 1e-7
    assert folding_warnings(orders, amplitudes) == []
    assert folding_warnings(orders, 1e-12 * np.ones(101)) == []


def test_teeth_set_the_points_where_nobody_does():
    """32 for each tooth that passes; machines without gears keep 720."""
    for preset, shaft, points in (
        ("planetary-500kw", "input", 32 * 91),
        ("planetary-500kw", "output", 720),
        ("few-teeth-60", "input", 32 * 62),
        ("few-teeth-60", "output", 6000),
        ("cycloidal-drive", "input", 720),
    ):
        machine = flank.preset(preset)
        order = machine.orders[shaft]
        assert transmission_error.default_points(machine, order) == points


def test_an_rv_reducer_is_shown_within_tolerance_beside_itself():
    machine = flank.preset("rv-320")
    few = {"points_per_turn": 24, "turns_of": "crank"}
    result = flank.run(machine, "transmission-error", **few)
    sizes = result.data["drawn_peak_to_peak"].values
    assert list(result.data["draw"].values) == [1, 2, 3]
    assert result["drawn_largest"] == pytest.approx(sizes.max())
    assert sizes.min() > 3 * result["peak_to_peak"]
    second = flank.run(flank.preset("rv-320", {"errors.seed": 2}), "transmission-error", **few)
    assert second["peak_to_peak"] == pytest.approx(sizes[1], rel=1e-6)
    assert "draw" not in second.data  # it is drawn itself
    none = flank.run(machine, "transmission-error", draws=0, **few)
    assert "drawn_error" not in none.data
