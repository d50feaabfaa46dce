"""Rolling sweeps: settings that are refused, runs that stall, and what modes of bodies keep."""

import math

import numpy as np
import pytest

import flank
from flank.analyses.rolled_pair import mesh_period, pair_of
from flank.analyses.rolling_sweep import RollingSweepSettings
from flank.dynamics.rolling import STALLED
from flank.errors import SpecError
from flank.machines.gear_pair import rolling

SHORT = {
    "lowest": 2000 * math.pi / 30,
    "highest": 2600 * math.pi / 30,
    "duration": 0.4,
    "points": 1,
}


def machine(**changes):
    return flank.preset("spur-bruzzone", {"mesh.model": "fe", **changes})


def rms(result):
    return result.data["mesh_error_rms"].values[:, :, 0]


def test_it_is_the_continuous_sweep_of_the_same_mesh():
    """The rung fe in the engine, and contact solved for in every step."""
    rolled = flank.run(machine(), "rolling-sweep", direction="up", **SHORT)
    settings = {key: value for key, value in SHORT.items() if key != "points"}
    swept = flank.run(
        machine(**{"mesh.slices": 1}), "speed-sweep", mode="continuous", direction="up", **settings
    )
    speeds = rolled["speed"].values[2:-2]
    expected = np.interp(speeds, swept["speed"].values, rms(swept)[0])
    np.testing.assert_allclose(rms(rolled)[0][2:-2], expected, rtol=0.01)


def test_shafts_do_not_ring_where_a_direction_begins():
    """What one direction begins with, the other ends with, where the speeds have one state."""
    swept = flank.run(machine(), "rolling-sweep", **SHORT)
    up, down = swept["error_rms"].values
    np.testing.assert_allclose(up[[0, 1, -2, -1]], down[[0, 1, -2, -1]], rtol=0.03)
    place = np.unravel_index(np.argmax(swept["error_rms"].values), (2, len(up)))[1]
    assert swept["largest_error_speed"] == swept["speed"].values[place]


def test_half_the_step_changes_little():
    coarse, fine = (
        flank.run(machine(), "rolling-sweep", direction="up", steps_per_period=steps, **SHORT)
        for steps in (120, 240)
    )
    np.testing.assert_allclose(rms(coarse), rms(fine), rtol=0.01)


def test_modes_of_bodies_keep_the_static_answer():
    pair, elastic = (machine().rolling_pair(64, 1, modes, 0.01) for modes in (0, 12))
    first, second = pair.at_rest(2000.0), elastic.at_rest(2000.0)
    assert elastic.modes.error @ second.position == pytest.approx(
        pair.modes.error @ first.position, rel=2e-3
    )
    np.testing.assert_allclose(second.force, first.force, atol=0.01 * first.force.max())
    assert len(elastic.modes.frequency) == len(pair.modes.frequency) + 2 * 12


def test_a_run_that_stalls_says_so(monkeypatch):
    monkeypatch.setattr("flank.dynamics.rolling_mesh.roll", lambda *_: (STALLED, 0))
    result = flank.run(machine(), "rolling-sweep", **SHORT)
    assert not result.complete
    assert result.outcome == "Stopped where the points in mesh found no balance."
    assert flank.summary(result)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"lowest": 0.0}, "no teeth pass"),
        ({"lowest": 300.0, "highest": 200.0}, "lowest is not below highest"),
        ({"duration": 1e-3}, "use at least"),
        ({"duration": 1e7}, "use at most"),
        ({"modes": 24, "steps_per_period": 16, "points": 1}, "fewer modes"),
        ({"modes": 12, "body_damping": 1.0, "points": 1}, "times its critical damping"),
    ],
)
def test_what_cannot_be_swept_is_refused(settings, words):
    with pytest.raises(SpecError, match=words):
        flank.run(machine(), "rolling-sweep", **settings)


def test_shafts_that_creep_are_refused():
    with pytest.raises(SpecError, match="only modes that swing are rolled"):
        flank.run(machine(**{"input_shaft.damping": 200}), "rolling-sweep", points=1)


def test_modes_that_the_elements_do_not_have_are_refused(monkeypatch):
    """With the modes of a dozen in place of those of a hundred."""
    few = rolling.held_modes(machine(), 1, 12)
    monkeypatch.setattr(rolling, "held_modes", lambda *_: few)
    with pytest.raises(SpecError, match="around the pinion hold 18 that move"):
        flank.run(machine(), "rolling-sweep", modes=100, points=1)


def test_more_modes_than_there_can_be_are_refused_before_elements_are_computed(monkeypatch):
    monkeypatch.setattr(rolling, "gear_loading", None)
    few = {"pinion.teeth": 20, "pinion.tip_radius": None, "centre_distance": None}
    few |= {"pinion.body": None}
    with pytest.raises(SpecError, match="modes is 100; the pinion has at most 80, the four lowest"):
        flank.run(machine(**few), "rolling-sweep", modes=100, points=1)


@pytest.mark.parametrize("modes", [101, 190])
def test_one_point_of_a_spur_gear_moves_with_half_of_its_modes(monkeypatch, modes):
    monkeypatch.setattr(rolling, "elastic_modes", None)
    with pytest.raises(SpecError, match=r"200 in all, half are symmetric .* ask for at most 100"):
        flank.run(machine(), "rolling-sweep", modes=modes, points=1)


def test_too_few_steps_are_refused_before_teeth_are_loaded(monkeypatch):
    monkeypatch.setattr(rolling, "gear_loading", None)
    with pytest.raises(SpecError, match="need at least 1"):
        flank.run(machine(), "rolling-sweep", modes=24, steps_per_period=64, points=1)


def test_steps_are_as_many_as_the_fastest_mode_needs():
    lowest = SHORT["lowest"]
    settings = RollingSweepSettings(modes=24, points=1)
    pair = pair_of(machine(), settings, 0.4 * lowest)
    swings = pair.modes.frequency.max() / (2 * math.pi) * mesh_period(machine(), 0.4 * lowest)
    assert pair.places == math.ceil(2 * swings) > 120
    assert pair_of(machine(), RollingSweepSettings(points=1), lowest).places == 120


FLEXIBLE = {"pinion.flexible": True, "pinion.modes": 6, "mesh.slices": 1}


def test_flexible_bodies_have_the_damping_of_their_spec():
    body = machine(**FLEXIBLE, **{"pinion.modal_damping": "7 percent"})
    asked = {"speed": SHORT["lowest"], "points": 1}
    for given, expected in ((None, 0.07), (0.02, 0.02)):
        settings = RollingSweepSettings(body_damping=given, points=1)
        modes = pair_of(body, settings, asked["speed"]).modes
        assert modes.decay[-1] / modes.frequency[-1] == pytest.approx(expected)


def test_flexible_bodies_may_feel_that_they_turn():
    settings = RollingSweepSettings(rotating_frame=True, points=1)
    modes = pair_of(machine(**FLEXIBLE), settings, SHORT["lowest"]).modes
    assert np.abs(modes.coriolis).max() > 1e-3


@pytest.mark.parametrize("option", [{"body_damping": 0.02}, {"rotating_frame": True}])
def test_settings_of_modes_do_nothing_without_any(option):
    with pytest.raises(SpecError, match=f"{next(iter(option))} does nothing without modes"):
        flank.run(machine(), "rolling-sweep", **option)


def test_gears_lighter_than_their_modes_are_refused():
    light = machine(**{"wheel.added_inertia": None, "wheel.inertia": "1e-4 kg*m^2"})
    with pytest.raises(SpecError, match=r"wheel.inertia is 0.0001 .* leave it out"):
        flank.run(light, "rolling-sweep", modes=24, points=1)


def test_what_teeth_do_not_bear_is_told():
    result = flank.run(machine(), "rolling-sweep", torque=5000.0, direction="up", **SHORT)
    told = " ".join(result.warnings)
    assert "33.33 times the rated torque" in told
    assert "are pressed" in told


def on_bearings(**changes):
    sprung = {"kind": "bearing", "stiffness": 1e8, "damping": 2000}
    return machine(**{f"{name}.support": sprung for name in ("pinion", "wheel")}, **changes)


def test_gears_on_bearings_swing_as_those_of_the_engine():
    """Through the resonance of the centres, where both gears move and turn."""
    pair = on_bearings(**{"mesh.slices": 1, "mesh.tip_edge_contact": False})
    speeds = {"lowest": "780 rpm", "highest": "960 rpm", "duration": "0.6 s", "direction": "up"}
    rolled = flank.run(pair, "rolling-sweep", points=1, **speeds)
    swept = flank.run(pair, "speed-sweep", mode="continuous", **speeds)
    at = rolled["speed"].values[2:-2]
    expected = np.interp(at, swept["speed"].values, rms(swept)[0])
    np.testing.assert_allclose(rms(rolled)[0][2:-2], expected, rtol=0.01)


def test_the_everyday_pair_rolls():
    short = {"lowest": "1400 rpm", "highest": "1500 rpm", "duration": "0.3 s", "points": 1}
    result = flank.run(flank.preset("gear-pair"), "rolling-sweep", direction="up", **short)
    assert result.complete
    assert not result.warnings


def test_where_an_impulse_acts_needs_one():
    with pytest.raises(SpecError, match="restitution_acts_on does nothing without a restitution"):
        machine(restitution_acts_on="gears")


def test_rigid_gears_are_turned_back_alike_wherever_the_impulse_acts():
    settings = {"damping_ratio": "3 percent", "mesh.tip_edge_contact": False, "restitution": 0.56}
    speeds = SHORT | {"lowest": "2700 rpm", "highest": "3400 rpm", "direction": "down"}
    point, gears = (
        flank.run(machine(**settings, restitution_acts_on=where), "rolling-sweep", **speeds)
        for where in ("point", "gears")
    )
    assert point["largest_contact_loss"] > 0.1
    np.testing.assert_allclose(rms(gears)[0], rms(point)[0], rtol=1e-6)
