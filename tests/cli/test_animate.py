"""`flank animate`: pictures that move, from a run, a mode or a result."""

import math
import shutil

import numpy as np
import pytest
from commands import run_command
from PIL import Image

import flank
from flank.drawing.alike import repeats
from flank.io.results import write_result
from flank.plots import moving


def run(*words):
    ended = run_command(list(words))
    assert ended.status == 0, ended.stderr
    return ended.stdout


def refused(*words):
    ended = run_command(list(words))
    assert ended.status == 2
    return ended.stderr


def frames_of(path):
    with Image.open(path) as picture:
        frames = []
        for k in range(picture.n_frames):
            picture.seek(k)
            frames.append(np.asarray(picture.convert("L"), dtype=int))
        return frames, picture.info


def test_a_turn_of_a_drive_goes_round_for_ever(tmp_path):
    out = tmp_path / "drive.gif"
    said = run("animate", "monocrank", "--frames", "8", "--out", str(out))
    frames, told = frames_of(out)
    assert len(frames) == 8
    assert told["loop"] == 0
    assert frames[0].max() == 255
    assert all(np.abs(one - frames[0]).max() > 50 for one in frames[1:])
    assert "8 pictures" in said
    run("animate", "monocrank", "--frames", "4", "--out", str(out))  # its own file
    assert len(frames_of(out)[0]) == 4


def test_a_joint_is_shown_in_few_pictures_too(tmp_path):
    """Fewer than the points of a turn that its analysis allows."""
    out = tmp_path / "joint.gif"
    run("animate", "cv-joint", "--frames", "4", "--out", str(out))
    assert len(frames_of(out)[0]) == 4


def test_a_mode_swings_back_to_where_it_began(tmp_path):
    out = tmp_path / "mode.gif"
    run("animate", "planetary-lin-parker", "--mode", "2", "--frames", "8", "--out", str(out))
    frames, _ = frames_of(out)
    assert np.abs(frames[4] - frames[0]).max() > 50
    assert np.array_equal(frames[1], frames[7])


def test_a_result_is_shown_as_it_was_saved(tmp_path):
    result = flank.run(flank.preset("cv-joint"), "joint-turns", mode="static", points_per_turn=24)
    write_result(result, tmp_path / "result.nc")
    run("animate", str(tmp_path / "result.nc"), "--frames", "3", "--out", str(tmp_path / "j.gif"))
    assert len(frames_of(tmp_path / "j.gif")[0]) == 3


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--out", "x.png"], "neither .gif nor .mp4"),
        (["--out", "x.gif", "--frames", "1"], "--frames is 1; give 2 to 720"),
        (["--out", "x.gif", "--turns", "0"], "--turns is 0"),
        (["--out", "x.gif", "--rate", "99"], "--rate is 99"),
        (["--out", "none/x.gif"], "there is no folder none"),
        (["--out", "x.gif", "--mode", "77"], "no mode 77"),
    ],
)
def test_what_cannot_be_written_is_refused(tmp_path, monkeypatch, words, sentence):
    monkeypatch.chdir(tmp_path)
    assert sentence in refused("animate", "monocrank", *words)
    assert list(tmp_path.iterdir()) == []


def test_a_file_of_the_users_is_left_alone(tmp_path):
    mine = tmp_path / "mine.gif"
    mine.write_bytes(b"mine")
    assert "not a GIF that Flank wrote" in refused("animate", "monocrank", "--out", str(mine))
    assert mine.read_bytes() == b"mine"


def test_a_film_says_that_it_needs_ffmpeg(tmp_path, monkeypatch):
    monkeypatch.setattr(moving.shutil, "which", lambda _: None)
    said = refused("animate", "monocrank", "--out", str(tmp_path / "x.mp4"))
    assert "needs the program ffmpeg" in said


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="no ffmpeg on this machine")
def test_a_film_has_all_pictures(tmp_path):
    out = tmp_path / "drive.mp4"
    run("animate", "monocrank", "--frames", "6", "--out", str(out))
    assert out.read_bytes()[4:8] == b"ftyp"


@pytest.mark.parametrize(
    ("preset", "turns", "same"),
    [
        ("cycloidal-drive", 1, False),
        ("cycloidal-drive", 39, True),
        ("planetary-500kw", 1, True),
        ("planetary-500kw", 0.37, False),
        ("gear-pair", 1, True),
    ],
)
def test_a_machine_looks_the_same_when_its_parts_are_alike(preset, turns, same):
    assert repeats(flank.preset(preset), 2 * math.pi * turns) is same


def test_the_width_in_pixels_can_be_chosen(tmp_path):
    run("animate", "monocrank", "--frames", "3", "--width", "240", "--out", str(tmp_path / "m.gif"))
    with Image.open(tmp_path / "m.gif") as picture:
        assert picture.width == 240
    sentence = refused("animate", "monocrank", "--width", "20", "--out", str(tmp_path / "n.gif"))
    assert "--width is 20; give 120 to 4000 pixels" in sentence
