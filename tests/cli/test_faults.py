"""Full disks, Ctrl-C, and folders that hold something else: nothing is lost."""

import json
import resource
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest
from commands import run_command
from typer.testing import CliRunner

import flank
from flank.analyses.registry import Analysis
from flank.analyses.result import Result
from flank.cli.app import app
from flank.presets import preset_text
from flank.reproduce.registry import REPRODUCTIONS, Reproduction
from flank.reproduce.study import Study

QUICK = ["--analysis", "load-distribution"]
DONE = Study("A study", "What was done.", {}, {}, [], {})


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def computed(monkeypatch):
    """What was computed, in place of computing: the names of analyses."""
    found = []
    result = flank.run(flank.preset("monocrank"), "load-distribution")

    def run(self, machine, settings, progress=None):
        found.append(self.name)
        return result

    monkeypatch.setattr(Analysis, "run", run)
    return found


def call(*words):
    result = CliRunner().invoke(app, list(words))
    assert not result.exception or isinstance(result.exception, SystemExit)
    return result


def content(folder):
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_run_does_not_overwrite_what_it_reads(tmp_path, computed):
    (tmp_path / "spec.yaml").write_text("# my comment\n" + preset_text("monocrank"))
    before = content(tmp_path)
    result = call("run", "spec.yaml", *QUICK, "--out", ".")
    assert result.exit_code == 2
    assert result.stderr == (
        "spec.yaml is what this run reads, and its spec would be written over it; give another "
        "folder with --out\n"
    )
    assert content(tmp_path) == before
    assert computed == []


def test_a_run_of_the_spec_in_its_folder_keeps_it(tmp_path, computed):
    """The same may be written again; with a change it is another spec."""
    assert call("run", "monocrank", *QUICK, "--out", "o").exit_code == 0
    assert call("run", "o/spec.yaml", *QUICK, "--out", "o").exit_code == 0
    changed = ["--set", "eccentricity=1.4 mm", "--out", str(tmp_path / "o")]
    assert call("run", "o/spec.yaml", *QUICK, *changed).exit_code == 2
    assert len(computed) == 2


@pytest.mark.parametrize("name", ["result.nc", "spec.yaml", "report.html", "drive.png"])
def test_files_of_the_users_refuse_a_run_before_it_computes(tmp_path, computed, name):
    (tmp_path / "o").mkdir()
    (tmp_path / "o" / name).write_text("mine")
    result = call("run", "monocrank", *QUICK, "--out", "o")
    assert result.exit_code == 2
    assert f"o is left alone: {name} there was not written by Flank" in result.stderr
    assert result.stderr.count("\n") == 1
    assert content(tmp_path) == {name: b"mine"}
    assert computed == []


@pytest.mark.parametrize("name", ["tables.md", "report.html", "angles.csv", "switching.png"])
def test_files_of_the_users_refuse_a_study(tmp_path, monkeypatch, name):
    monkeypatch.setattr(Reproduction, "run", property(lambda self: pytest.fail))
    (tmp_path / name).write_text("mine")
    result = call("reproduce", "planetary", "--out", ".")
    assert result.exit_code == 2
    assert f"{name} there was not written by Flank" in result.stderr
    assert content(tmp_path) == {name: b"mine"}


def test_a_study_replaces_an_earlier_one(tmp_path, monkeypatch):
    monkeypatch.setattr(Reproduction, "run", property(lambda self: lambda *_: DONE))
    for _ in range(2):
        assert call("reproduce", next(iter(REPRODUCTIONS)), "--out", "o").exit_code == 0
    assert set(content(tmp_path / "o")) == {"tables.md", "report.html"}


@pytest.mark.parametrize("command", [["run", "monocrank"], ["reproduce", "reducers"]])
@pytest.mark.parametrize(
    ("out", "sentence"),
    [("", "--out is empty"), (" ", "--out is empty"), ("a" * 300, "File name too long")],
)
def test_names_that_are_none(tmp_path, command, out, sentence):
    result = call(*command, "--out", out)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_machine_of_a_name_too_long(tmp_path):
    for command in ("check", "run"):
        result = call(command, "a" * 5000)
        assert result.exit_code == 2
        assert "is not a preset, and no such file exists" in result.stderr


@contextmanager
def disk_with(room):
    """No file of this process may grow beyond `room` bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize(("room", "folder"), [(0, "o"), (40_000, "o"), (40_000, "new/o")])
def test_a_full_disk_leaves_the_earlier_run(tmp_path, room, folder):
    """Of 40 kB some files fit, and others do not."""
    assert call("run", "monocrank", *QUICK, "--out", "o").exit_code == 0
    before = content(tmp_path)
    with disk_with(room):
        ended = run_command(["run", "monocrank", *QUICK, "--out", folder])
    sentence = f"{folder} cannot be written: File too large; give another folder with --out\n"
    assert ended == (2, "", sentence)
    assert content(tmp_path) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["o"]


SLOW = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a job in the background ignores
from flank.analyses.registry import Analysis
def slow(*_):
    print("computing", flush=True)
    time.sleep(60)
Analysis.run = slow
from flank.cli.app import main
main()
"""


def test_ctrl_c_says_that_nothing_was_written(tmp_path):
    command = [sys.executable, "-c", SLOW, "run", "monocrank", "--out", "o"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, **pipes) as process:
        assert process.stdout.readline() == "computing\n"
        process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert out == ""
    assert said.startswith("Stopped after ")
    assert said.endswith(" s; nothing was written.\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("line", ["run monocrank --out o", "reproduce reducers --out o"])
def test_ctrl_c_of_runs_and_studies(tmp_path, monkeypatch, line):
    def slow(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Analysis, "run", slow)
    monkeypatch.setattr(Reproduction, "run", slow)
    status, out, said = run_command(line)
    assert (status, out) == (130, "")
    assert said.startswith("Stopped after ")
    assert said.endswith(" s; nothing was written.\n")
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_while_preparing_says_what_is_kept(tmp_path, computed, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    words = ["run", "monocrank", *QUICK, "--out", "o"]
    assert call(*words).exit_code == 0
    before = content(tmp_path)
    monkeypatch.setattr("flank.report.writers.page", stop)
    result = call(*words)
    assert result.exit_code == 130
    kept = "nothing was written, the files of an earlier run in o are untouched.\n"
    assert result.stderr.endswith(kept)
    assert content(tmp_path) == before
    monkeypatch.undo()


def test_ctrl_c_after_writing_says_where_the_files_are(computed, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("flank.report.text.summary_text", stop)
    result = call("run", "monocrank", *QUICK, "--out", "o")
    assert result.exit_code == 130
    assert result.stderr.endswith(" s; its files are in o.\n")


@pytest.mark.parametrize("text", ["a\0b", "\ud800", "\x1b[31m"])
def test_any_title_can_be_written(tmp_path, text):
    result = flank.run(flank.preset("monocrank"), "load-distribution")
    spec = result.spec | {"title": text, "source": text, "assumptions": [text]}
    changed = result.dataset.assign_attrs(title=text, spec=json.dumps(spec), outcome=text)
    flank.save(Result.from_xarray(changed), tmp_path / "o")
    assert flank.read(tmp_path / "o").spec["source"] == text


def test_a_map_stops_at_once(monkeypatch):
    """Points that are under way do not run to their end."""
    from flank.analyses import joint_map

    def point(machine, settings, place, progress=None):
        for _ in range(600 if progress else 0):
            time.sleep(0.05)
            progress(0.0)
        return joint_map.Point()

    def stop(share):
        if share > 0.2:
            raise KeyboardInterrupt

    def told(jobs):
        time.sleep(0.2)
        yield jobs[0]

    monkeypatch.setattr(joint_map, "run_point", point)
    monkeypatch.setattr(joint_map, "as_completed", told)
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        joint_map._run_all(None, joint_map.DEFAULTS, [(float(k),) for k in range(8)], stop)
    assert time.monotonic() - started < 5.0


def test_a_map_uses_the_cores_it_may(monkeypatch):
    from flank.blas import usable_cores

    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 3, 5}, raising=False)
    assert usable_cores() == 3
    monkeypatch.delattr("os.sched_getaffinity")
    assert usable_cores() >= 1
