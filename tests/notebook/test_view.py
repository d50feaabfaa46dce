"""Views of notebooks: what they hold, and what stands in their place."""

import builtins

import numpy as np
import pytest

import flank
from flank.analyses.drawing import MOST_TURNED, drawing_turning
from flank.drawing.packing import unpacked
from flank.presets import preset_names


@pytest.fixture
def no_anywidget(monkeypatch):
    """As where it is not installed."""
    known = builtins.__import__

    def refuse(name, *rest, **more):
        if name.split(".")[0] == "anywidget" or name == "flank.notebook.widget":
            raise ModuleNotFoundError("No module named 'anywidget'", name="anywidget")
        return known(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)


def test_a_machine_turns_by_its_ideal_poses():
    drive = flank.preset("monocrank")
    view = drive.view(turns=0.5)
    poses = unpacked(view.document["mechanism"]["poses"])
    angles = np.radians(unpacked(view.document["mechanism"]["frames"]["values"]))
    assert view.frames == len(poses) == len(angles)
    assert angles[-1] == pytest.approx(np.pi)
    drawing = drawing_turning(drive, np.pi, view.frames)
    for frame in (0, 17, view.frames - 1):
        expected = drive.ideal_pose(float(angles[frame]))[drawing.bodies]
        assert poses[frame] == pytest.approx(expected, abs=1e-6)


def test_bodies_in_space_turn_little_from_frame_to_frame():
    drawing = drawing_turning(flank.preset("bevel-pair"), 200.0, 2)
    cosines = np.abs(np.sum(drawing.poses[1:, :, 3:] * drawing.poses[:-1, :, 3:], axis=-1))
    assert 2 * np.arccos(cosines.clip(0, 1)).max() <= MOST_TURNED * 1.001


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_has_a_view_that_turns(name):
    document = flank.preset(name).view().document
    poses = unpacked(document["mechanism"]["poses"])
    assert len(poses) > 2
    assert np.ptp(poses, axis=0).max() > 0.1


def test_a_result_plays_its_own_poses_with_its_curves():
    result = flank.run(flank.preset("monocrank"), "transmission-error", points_per_turn=24, draws=0)
    view = result.view(playing=True)
    assert view.playing
    assert view.frames == len(result.drawing.time)
    assert [curve["name"] for curve in view.document["curves"]]
    view.frame = 1e6
    assert view.frame == view.frames - 1
    view.show(flank.preset("single-disc"))
    assert view.document["title"].startswith("Single-disc")
    assert not view.document["curves"]
    assert view.frame <= view.frames - 1


def test_pages_without_widgets_show_the_still_picture():
    data, _ = flank.preset("monocrank").view()._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/html"].count("<svg") == 1


def test_without_anywidget_there_is_a_still_picture_that_says_how_to_get_more(no_anywidget):
    still = flank.preset("monocrank").view()
    assert "<svg" in still._repr_html_()
    assert "pip install 'flank[notebook]'" in still._repr_html_()
    assert "pip install 'flank[notebook]'" in repr(still)
    still.show(flank.preset("cv-joint"))
    assert still._repr_html_().count("<svg") > 1
