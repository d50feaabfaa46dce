"""The command `flank reproduce`: a list, a refusal, and the files of a study."""

import re

import pytest
from typer.testing import CliRunner

from flank.cli.app import app
from flank.io.tables import Table
from flank.reproduce.registry import REPRODUCTIONS, Reproduction
from flank.reproduce.study import Finding, Study

TABLE = Table("Figures", ["case", "note"], [True, False], [["one, two", "1"]])
DONE = Study("A study", "What was done.", {"figures": TABLE}, {"1": "Why."}, [Finding("So.")], {})


def call(*words):
    return CliRunner().invoke(app, ["reproduce", *words])


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """A quick study in place of the real one; what the command asked of it."""
    found = []

    def run(coarse, progress):
        found.append(coarse)
        return DONE

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Reproduction, "run", property(lambda self: run))
    return found


def test_alone_it_lists_what_can_be_reproduced():
    result = call()
    assert result.exit_code == 0
    for name, reproduction in REPRODUCTIONS.items():
        assert re.search(rf"  {name} +{re.escape(reproduction.summary)}", result.stdout)
    assert "flank reproduce reducers" in result.stdout


def test_a_wrong_name_is_refused_with_a_suggestion(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = call("reducer")
    assert result.exit_code == 2
    known = "cv-joint, hypoid, planetary, reducers, spur"
    sentence = f"'reducer' cannot be reproduced; did you mean 'reducers'? Known: {known}"
    assert result.stderr == sentence + "\n"
    assert list(tmp_path.iterdir()) == []


def test_registry_leads_to_a_function():
    for name, reproduction in REPRODUCTIONS.items():
        assert reproduction.name == name
        assert callable(reproduction.run)


def test_it_prints_and_writes(asked, tmp_path):
    result = call("reducers", "--coarse", "--out", "deep/out")
    assert result.exit_code == 0
    assert asked == [True]
    assert "1  Why." in result.stdout
    assert "Written to deep/out/: figures.csv, tables.md, report.html" in result.stdout
    written = (tmp_path / "deep" / "out" / "figures.csv").read_text(encoding="utf-8")
    assert written == 'case,note\n"one, two",Why.\n'


def test_its_folder_if_none_is_given(asked, tmp_path):
    assert call("reducers").exit_code == 0
    assert asked == [False]
    assert (tmp_path / "flank-out" / "reproduce-reducers" / "tables.md").exists()


def test_a_study_with_a_failed_computation_exits_with_1(monkeypatch, tmp_path):
    failed = Study(**{**vars(DONE), "complete": False})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Reproduction, "run", property(lambda self: lambda coarse, progress: failed))
    assert call("reducers").exit_code == 1
    page = (tmp_path / "flank-out" / "reproduce-reducers" / "report.html").read_text()
    assert "Not every computation completed" in page


def test_a_folder_that_cannot_be_written(asked, tmp_path):
    (tmp_path / "file").write_text("")
    result = call("reducers", "--out", "file")
    assert result.exit_code == 2
    assert "file cannot be written" in result.stderr
    assert asked == []
