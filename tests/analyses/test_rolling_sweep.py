"""Rolling sweeps: settings that are refused, runs that stall, and what modes of bodies keep."""

import math

import numpy as np
import pytest

import flank
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
    few = rolling.held_modes(machine(), rolling.gear_loading(machine(), 1), 12)
    monkeypatch.setattr(rolling, "held_modes", lambda *_: few)
    with pytest.raises(SpecError, match="around the pinion hold 18 that move"):
        flank.run(machine(), "rolling-sweep", modes=100, points=1)


def test_more_modes_than_there_can_be_are_refused_before_elements_are_computed(monkeypatch):
    monkeypatch.setattr(rolling, "gear_loading", None)
    few = {"pinion.teeth": 20, "pinion.tip_radius": None, "centre_distance": None}
    few |= {"pinion.body": None}
    with pytest.raises(SpecError, match="modes is 100; the pinion has at most 80, the four lowest"):
        flank.run(machine(**few), "rolling-sweep", modes=100, points=1)


def test_elastic_bearings_do_not_roll():
    with pytest.raises(SpecError, match="rolling-sweep needs gears that roll"):
        flank.run(flank.preset("gear-pair"), "rolling-sweep")
