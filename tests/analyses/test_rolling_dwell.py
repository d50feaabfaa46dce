"""Rolling dwells: against the engine and a slow sweep, two states, teeth, and what is refused."""

import numpy as np
import pytest

import flank
from flank.analyses.rolled_pair import line_load
from flank.analyses.rolling_dwell import Dwelled
from flank.dynamics.rolling import READ, STALLED
from flank.errors import SpecError


def machine(**changes):
    return flank.preset("spur-bruzzone", {"mesh.model": "fe", "mesh.slices": 1, **changes})


def dwell(pair, **settings):
    return flank.run(pair, "rolling-dwell", **({"points": 1} | settings))


JUMPING = {"damping_ratio": "5 percent", "mesh.tip_edge_contact": False}


@pytest.fixture(scope="module")
def jumping():
    return dwell(machine(**JUMPING), speed="2880 rpm")


def test_two_branches_are_two_states(jumping):
    assert jumping["state_count"] == 2
    assert jumping["worst_mesh_error"].values[1] > 2 * jumping["worst_mesh_error"].values[0]
    np.testing.assert_array_equal(jumping["worst_loss_count"].values, [0, 1])
    np.testing.assert_array_equal(jumping["repeats_after"].values, [1, 1])


def test_teeth_carry_the_mesh_force_between_them(jumping):
    force = jumping["mesh_force"].values[:, -jumping.data.sizes["tooth_time"] :, 0]
    teeth = jumping["tooth_force"].values
    np.testing.assert_allclose(teeth.sum(axis=2), force, rtol=1e-12)
    assert (teeth > 0).sum(axis=2).max() == 2
    begins = np.argmax(teeth[0] > 0, axis=0)
    assert np.all(np.diff(begins) >= 0)


def test_losses_are_told_with_their_intervals(jumping):
    share = jumping["worst_contact_loss"].values[1]
    assert list(jumping["loss_branch"].values) == ["down"] * 4
    assert jumping["loss_share"].values == pytest.approx(share)
    begins = jumping["loss_begin"].values
    assert np.diff(begins) == pytest.approx(1 / jumping["mesh_frequency"])


def test_the_rate_is_that_of_the_error(jumping):
    error, rate = (jumping[name].values[0, :, 0] for name in ("mesh_error", "mesh_error_rate"))
    time = jumping["time"].values
    step = np.gradient(error, time)
    assert (rate - step)[1:-1].std() < 0.02 * rate.std()


def test_it_is_what_a_sweep_of_the_engine_comes_to():
    rolled = dwell(machine(), speed="2000 rpm", branch="up")
    speeds = {"lowest": "2000 rpm", "highest": "2001 rpm", "speeds": 2, "direction": "up"}
    swept = flank.run(machine(), "speed-sweep", settling_periods=300, **speeds)
    for name in ("mesh_error_rms", "contact_loss"):
        assert rolled[name].values[0, 0] == pytest.approx(swept[name].values[0, 0, 0], rel=0.01)
    order = rolled["order"].values == 1
    expected = swept["order_amplitude"].values[0, 0][swept["order"].values == 1]
    assert rolled["amplitude"].values[0, order] == pytest.approx(expected, rel=0.01)


def test_a_reversed_load_is_carried_by_the_other_flanks():
    result = dwell(machine(), speed="2000 rpm", branch="up", torque=-150.0)
    assert result["mesh_force"].values.mean() == pytest.approx(
        150.0 / machine().output_base_radius, rel=1e-3
    )
    assert result["tooth_force"].values.max() > 1000


@pytest.mark.parametrize("internal", [False, True])
def test_what_holds_a_wheel_back_presses_the_flanks_that_drive(internal):
    inside = {"wheel.internal": True, "wheel.teeth": 90, "wheel.tip_radius": None}
    inside |= {"wheel.body": {"rim_thickness": "15 mm"}, "centre_distance": None}
    pair = flank.preset("spur-bruzzone", inside if internal else {})
    load = 150.0 / pair.output_base_radius
    assert line_load(pair, pair.load_torque, 0.0) == pytest.approx(load)
    assert line_load(pair, pair.load_torque, 100.0) > load


def test_points_across_the_face_are_those_of_one_tooth():
    """Slots (period, place, slot) of two pairs and three points; the last step is handed over."""
    slots = np.arange(2 * 2 * 6, dtype=float).reshape(2, 2, 6)
    record = np.concatenate((np.zeros((2, 2, READ)), slots), axis=2)
    forces = Dwelled(record, pairs=2, across=3).forces
    sums = slots.reshape(2, 2, 2, 3).sum(axis=3)
    np.testing.assert_array_equal(forces[0], [*sums[0, 0], 0, 0])
    np.testing.assert_array_equal(forces[1], [0, *sums[0, 1], 0])
    np.testing.assert_array_equal(forces[2], [0, *sums[1, 0], 0])
    np.testing.assert_array_equal(forces[3], [0, 0, *sums[1, 1]])


def test_a_run_that_stalls_says_so(monkeypatch):
    monkeypatch.setattr("flank.dynamics.rolling_mesh.roll", lambda *_: (STALLED, 0))
    result = dwell(machine())
    assert not result.complete
    assert result.outcome == "Stopped where the points in mesh found no balance."
    assert flank.summary(result)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"speed": "0 rpm"}, "no teeth pass"),
        ({"speed": "900 rpm", "lowest": "1000 rpm"}, "must lie between lowest"),
        ({"modes": 24, "steps_per_period": 16}, "fewer modes"),
        ({"body_damping": 0.1}, "does nothing without modes"),
    ],
)
def test_what_cannot_be_dwelled_at_is_refused(settings, words):
    with pytest.raises(SpecError, match=words):
        dwell(machine(), **settings)
