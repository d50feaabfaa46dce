"""Modes of gears as a result: whose they are, the speeds that meet them, files and pictures."""

import math

import numpy as np
import pytest

import flank
from flank.analyses.gear_modes import MOVES, held_gears, kind_of
from flank.elasticity.finite_elements.mode_shapes import mode_shapes
from flank.elasticity.finite_elements.sector_mesh import GearBody
from flank.errors import SpecError
from flank.plots import figures


def modes(preset="spur-bruzzone", changes=None, **settings):
    return flank.run(flank.preset(preset, changes), "gear-modes", **{"count": 4} | settings)


@pytest.mark.parametrize(
    ("preset", "names"),
    [
        ("gear-pair", ["pinion", "wheel"]),
        ("planetary-500kw", ["sun", "planet", "ring"]),
        ("few-teeth-38", ["sun", "planet", "disc", "ring"]),
        ("few-teeth-60", ["disc", "ring"]),
        ("rv-40", ["sun", "planet"]),
    ],
)
def test_every_different_gear_comes_once(preset, names):
    assert list(held_gears(flank.preset(preset))) == names


def test_teeth_mesh_as_often_as_the_machine_says():
    planetary, few = flank.preset("planetary-500kw"), flank.preset("few-teeth-38")
    orders = {gear.mesh_order for gear in held_gears(planetary).values()}
    assert orders == {planetary.orders["mesh"]}
    gears = held_gears(few)
    passing = few.spec.first_stage.sun_teeth * (1 - 1 / few.ratio)  # planets go round, too
    assert gears["sun"].mesh_order == gears["planet"].mesh_order == pytest.approx(passing)
    assert gears["disc"].mesh_order == gears["ring"].mesh_order == few.orders["tooth"]


def test_the_rows_are_the_modes_of_the_elements():
    result = modes("gear-pair")
    meshed = flank.preset("gear-pair").meshed
    for gear, body, name in (
        (meshed.pair.first, meshed.bodies[0], "pinion"),
        (meshed.pair.second, meshed.bodies[1], "wheel"),
    ):
        held = body or GearBody(meshed.pair.face_width, gear.held_radius)
        direct = mode_shapes(gear, held, meshed.materials[0], 4)
        rows = result["mode_gear"].values == name
        assert result["mode"].values[rows].tolist() == [f"{name} {k}" for k in (1, 2, 3, 4)]
        # teeth are elastic in hundredths of a module
        np.testing.assert_allclose(result["frequency"].values[rows], direct.frequency, rtol=1e-3)
        np.testing.assert_array_equal(result["waves"].values[rows], direct.harmonic)
        np.testing.assert_array_equal(result["times"].values[rows], direct.times)
    np.testing.assert_allclose(result["energy_share"].values.sum(axis=1), 1.0)
    assert result["lowest_frequency"] == result["frequency"].values.min()


def test_pairs_are_counted_twice_and_waves_say_so():
    result = modes()
    np.testing.assert_array_equal(result["times"].values, 1 + (result["waves"].values > 0))


def test_waves_pass_the_mesh_at_the_mesh_frequency():
    """Seen from the mesh, past which a gear turns f_m/z times a second, a mode of n waves swings
    n of these turns faster or slower; both are met by f_m at one speed each."""
    machine = flank.preset("gear-pair")
    result = modes("gear-pair")
    gears = held_gears(machine)
    row = {label: k for k, label in enumerate(result["mode"].values)}
    amplitudes = result["flank_amplitude"].values
    labels = result["met_mode"].values
    assert set(labels) == {label for label, k in row.items() if amplitudes[k] >= MOVES}
    for k, label in enumerate(labels):
        held, waves = gears[label.split()[0]], result["waves"].values[row[label]]
        for name, sign in (("speed_backward", -1), ("speed_forward", 1)):
            mesh = held.mesh_order * result[name].values[k] / (2 * math.pi)
            swings = result["frequency"].values[row[label]] + sign * waves * mesh / held.gear.teeth
            assert swings == pytest.approx(mesh)
    nearest = result["speed_ratio"].values * machine.input_speed
    assert result["nearest_speed"] in nearest
    assert np.all(np.abs(nearest / machine.input_speed - 1) > 1)


def test_a_machine_at_rest_has_speeds_but_no_ratio_to_them():
    result = modes(changes={"operation.input_speed": "0 rpm"})
    assert "speed_ratio" not in result.data
    assert "nearest_speed" not in result.data
    assert len(result["speed_forward"]) > 0


def test_a_bore_that_turns():
    locked, turning = modes(), modes(bore="turning")
    torsion = [each["kind"].values == "torsion" for each in (locked, turning)]
    assert torsion[0].sum() == 2
    assert not torsion[1].any()  # it is above the lowest four then
    waves = [each["frequency"].values[each["waves"].values > 0][:2] for each in (locked, turning)]
    np.testing.assert_allclose(*waves, rtol=1e-8)


@pytest.mark.parametrize(
    ("waves", "energy", "kind"),
    [
        (2, (0.2, 0.2, 0.6), "out of plane"),
        (0, (0.1, 0.8, 0.1), "torsion"),
        (0, (0.8, 0.1, 0.1), "radial"),
        (1, (0.1, 0.8, 0.1), "in plane"),
    ],
)
def test_kinds(waves, energy, kind):
    assert kind_of(waves, energy) == kind


@pytest.mark.parametrize("preset", ["gear-pair", "planetary-500kw"])
def test_results_come_back_equal(preset, tmp_path):
    """Also where gears have fronts of different sizes."""
    result = modes(preset)
    again = flank.read(flank.save(result, tmp_path))
    assert set(again.data.data_vars) == set(result.data.data_vars)
    for name in [*result.data.data_vars, *result.dataset.coords]:
        np.testing.assert_array_equal(again.dataset[name].values, result.dataset[name].values)
    for name in ("gear-modes", "mode-shapes"):
        assert figures(again)[name].png() == figures(result)[name].png()


def test_the_front_is_drawn_with_all_teeth():
    """Of a disc in the plane: outlines of gear and bore, at rest and displaced."""
    result = modes()
    picture = figures(result)["mode-shapes"]
    titles = [axes.get_title(loc="center") for axes in picture.axes]
    row = int(np.flatnonzero(result["kind"].values == "torsion")[0])
    axes = picture.axes[row]
    assert titles[row].startswith("torsion, n = 0")
    _, *lines = axes.collections
    rest, moved = (np.array(each.get_segments()) for each in lines)
    assert rest.shape == moved.shape
    assert len(rest) % 50 == 0
    ends = np.concatenate((rest[:, 0], rest[:, 1])).round(9)
    assert np.all(np.unique(ends, axis=0, return_counts=True)[1] == 2)  # closed, no cut in it
    radii = np.hypot(*rest.reshape(-1, 2).T)
    assert radii.min() == pytest.approx(30.6e-3)
    assert radii.max() == pytest.approx(78e-3, rel=1e-3)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"count": 500}, "count: .*500"),
        ({"count": 0}, "count: .*0"),
        ({"bore": "free"}, "bore: .*locked.*turning"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings, sentence):
    with pytest.raises(SpecError, match=sentence):
        modes(**settings)


def test_a_body_that_cannot_be_meshed_is_refused_by_its_name(monkeypatch):
    machine = flank.preset("spur-bruzzone")
    monkeypatch.setattr("flank.analyses.gear_modes.held_radius", lambda gear: 72e-3)
    with pytest.raises(SpecError, match="the pinion as finite elements: the bore of radius 72 mm"):
        flank.run(machine, "gear-modes")


def test_machines_without_involute_teeth_are_refused():
    with pytest.raises(SpecError, match="gear-modes needs involute teeth"):
        flank.run(flank.preset("cycloidal-drive"), "gear-modes")
