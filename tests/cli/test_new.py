"""`flank new PRESET --out FILE`: a whole new file, or none."""

import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from flank.cli.app import app
from flank.presets import preset_names, preset_text


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def new(*words):
    return CliRunner().invoke(app, ["new", *words])


@pytest.mark.parametrize("name", preset_names())
def test_it_writes_the_preset_in_utf_8(name, tmp_path):
    result = new(name, "--out", "my.yaml")
    assert result.exit_code == 0
    assert result.stdout == "Written to my.yaml; try it with: flank check my.yaml\n"
    assert (tmp_path / "my.yaml").read_bytes() == preset_text(name).encode("utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["my.yaml"]


def test_it_has_the_rights_of_any_new_file(tmp_path):
    new("monocrank", "--out", "my.yaml")
    (tmp_path / "other").touch()
    assert (tmp_path / "my.yaml").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_it_leaves_a_file_that_is_there(tmp_path):
    (tmp_path / "my.yaml").write_text("mine")
    result = new("monocrank", "--out", "my.yaml")
    assert result.exit_code == 2
    assert result.stderr == "my.yaml exists and is left as it is; give another name with --out\n"
    assert (tmp_path / "my.yaml").read_text() == "mine"
    (tmp_path / "link.yaml").symlink_to("nowhere")
    assert new("monocrank", "--out", "link.yaml").exit_code == 2
    assert not (tmp_path / "nowhere").exists()


def test_a_file_that_appears_meanwhile_is_left_too(tmp_path, monkeypatch):
    link = os.link

    def late(aside, path):
        Path(path).write_text("mine")
        link(aside, path)

    monkeypatch.setattr(os, "link", late)
    assert new("monocrank", "--out", "my.yaml").exit_code == 2
    assert (tmp_path / "my.yaml").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["my.yaml"]


def test_a_file_system_without_links(tmp_path, monkeypatch):
    def refuse(aside, path):
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    assert new("monocrank", "--out", "my.yaml").exit_code == 0
    assert (tmp_path / "my.yaml").read_text(encoding="utf-8") == preset_text("monocrank")
    assert new("monocrank", "--out", "my.yaml").exit_code == 2


def test_a_full_disk_leaves_nothing(tmp_path, monkeypatch):
    def refuse(file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    result = new("monocrank", "--out", "my.yaml")
    assert result.exit_code == 2
    assert "my.yaml cannot be written: No space left on device" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_places_that_are_none(tmp_path):
    (tmp_path / "file").touch()
    for place, sentence in (
        (".", ". is a folder; give the name of a file"),
        ("none/my.yaml", "there is no folder none"),
        ("file/my.yaml", "there is no folder file"),
    ):
        result = new("monocrank", "--out", place)
        assert result.exit_code == 2
        assert sentence in result.stderr
        assert result.stderr.count("\n") == 1
    assert new("monocrnk", "--out", "my.yaml").exit_code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
