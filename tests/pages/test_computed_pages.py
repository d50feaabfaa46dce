"""Pages that are written when the site is built: presets, tutorials, machines that move."""

import json
import re
from pathlib import Path

import pytest
from commands import run_command

import flank
from flank.analyses.registry import ANALYSES
from flank.machines.registry import MACHINES
from flank.presets import preset_names, preset_text

ROOT = Path(__file__).parents[2]
TUTORIALS = sorted((ROOT / "pages" / "tutorials").glob("*.md"))


@pytest.fixture(scope="module")
def presets(script):
    return script("presets")


@pytest.fixture(scope="module")
def moving(script):
    return script("moving")


@pytest.fixture(scope="module")
def tutorials(script):
    return script("tutorials")


def test_the_page_of_a_preset_says_what_the_check_says(presets):
    machine = flank.preset("cycloidal-drive")
    page = presets.page("cycloidal-drive", machine)
    verdict = flank.check(machine)
    assert f"**{verdict.light.capitalize()}" in page
    assert sum(line.count(" | ") == 2 for line in page.splitlines()) > 40  # figures
    assert preset_text("cycloidal-drive").strip() in page
    for analysis in ANALYSES.values():
        assert (f"[`{analysis.name}`]" in page) == analysis.fits(machine), analysis.name


def test_a_finding_stands_with_its_way_out(presets):
    machine = flank.preset("cycloidal-drive", {"pins.radius": "2 mm"})
    page = presets.page("cycloidal-drive", machine)
    findings = flank.check(machine).findings
    assert findings
    for each in findings:
        assert f"| `{each.code}` ({each.severity}) |" in page


@pytest.mark.parametrize("name", preset_names())
def test_every_preset_says_what_it_is_before_what_is_said_of_all(presets, name):
    assert presets.about(name).endswith(".")
    assert "its own unit" not in presets.about(name)


def test_the_gallery_has_every_machine_once(presets):
    assert set(presets.KINDS) == set(MACHINES)
    names = ["cv-joint", "cycloidal-drive", "monocrank"]
    page = presets.gallery({name: flank.preset(name) for name in names})
    shown = re.findall(r"\.\./moving/(.+)\.png", page)
    assert sorted(shown) == names
    assert shown[-1] == "cv-joint"
    for _, theory in presets.KINDS.values():
        assert (ROOT / "docs" / "theory" / f"{theory}.md").exists()


def test_a_document_that_moves_is_small_and_has_a_still_picture(moving, tmp_path, monkeypatch):
    monkeypatch.setattr(moving, "FOLDER", tmp_path)
    moving.write("monocrank", flank.preset("monocrank"))
    moving.write_module()
    document = json.loads((tmp_path / "monocrank.json").read_text("utf-8"))
    assert document["mechanism"]["frames"]["count"] == moving.FRAMES
    assert document["curves"] == []
    assert (tmp_path / "monocrank.json").stat().st_size < 150_000
    assert (tmp_path / "monocrank.png").read_bytes().startswith(b"\x89PNG")
    assert "flank.drawing" in (tmp_path / "drawing.js").read_text("utf-8")
    look = (tmp_path / "drawing.css").read_text("utf-8")
    assert moving.SITE_IS_DARK in look
    assert moving.DARK not in look


def test_the_front_page_moves():
    index = (ROOT / "docs" / "index.md").read_text("utf-8")
    (name,) = re.findall(r"\]\(moving/(.+)\.png\)", index)
    assert name in preset_names()


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: path.stem)
def test_what_a_tutorial_shows_is_written_by_a_command_before_it(tutorials, path):
    text = path.read_text("utf-8")
    assert len(tutorials.commands(text)) >= 3
    assert text.count("<!-- output") == len(tutorials.STEP.findall(text))
    for picture in tutorials.PICTURE.finditer(text):
        folder = picture["file"].partition("/")[0]
        before = tutorials.commands(text[: picture.start()])
        assert any(f" {folder}" in command for command in before), picture["file"]


@pytest.mark.parametrize(
    "path",
    [
        path if path.stem == "resonance" else pytest.param(path, marks=pytest.mark.nightly)
        for path in TUTORIALS
    ],
    ids=lambda path: path.stem,
)
def test_commands_of_a_tutorial_run_one_after_the_other(tutorials, path, tmp_path, monkeypatch):
    """The quickest by day; the docs build runs all."""
    monkeypatch.chdir(tmp_path)
    text = path.read_text("utf-8")
    for command in tutorials.commands(text):
        program, _, words = command.partition(" ")
        if program == "cat":
            assert (tmp_path / words).exists()
            continue
        ended = run_command(words)
        assert ended.status == 0 or words.startswith("check"), (command, ended.stderr)
    for picture in tutorials.PICTURE.finditer(text):
        assert (tmp_path / picture["file"]).exists()


def test_outputs_and_pictures_come_in_their_places(tutorials, tmp_path):
    (tmp_path / "a.txt").write_text("one\ntwo\nthree\n", "utf-8")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "b.png").write_bytes(b"picture")
    text = "```sh\ncat a.txt\n```\n\n<!-- output: 2 lines -->\n\n![What](out/b.png)\n"
    page, pictures = tutorials.page("name", text, tmp_path)
    assert (
        page == "```sh\ncat a.txt\n```\n\n```text\none\ntwo\n...\n```\n\n![What](name-out-b.png)\n"
    )
    assert pictures == {"name-out-b.png": b"picture"}


def test_a_command_that_fails_ends_the_page(tutorials, tmp_path):
    with pytest.raises(SystemExit, match="nothing-like-this"):
        tutorials.page("name", "```sh\nflank check nothing-like-this\n```\n", tmp_path)
