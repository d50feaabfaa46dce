"""The files of a folder appear together, or it stays as it was."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from flank.io import folders
from flank.io.folders import filled_together, locked

SET = ("one", "two", "three")


def fill(folder, text, names=SET, obsolete=tuple):
    with filled_together(folder, obsolete) as stage:
        for name in names:
            (stage / name).write_text(text)


def content(folder):
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_a_folder_appears_whole_and_its_files_are_replaced(tmp_path):
    folder = tmp_path / "deep" / "a"
    with filled_together(folder) as stage:
        (stage / "one").write_text("first")
        assert not folder.exists()
    assert content(folder) == {"one": "first"}
    (folder / "mine").write_text("mine")
    fill(folder, "second", obsolete=lambda: ["mine too", "gone"])
    (folder / "gone").write_text("earlier")
    fill(folder, "third", ("one",), lambda: ["gone", "two"])
    assert content(folder) == {"one": "third", "three": "second", "mine": "mine"}
    assert [path.name for path in tmp_path.iterdir()] == ["deep"]


@pytest.mark.parametrize("fault", [OSError(28, "full"), KeyboardInterrupt(), ValueError()])
@pytest.mark.parametrize("there", [True, False])
def test_if_preparing_fails_nothing_happened(tmp_path, fault, there):
    if there:
        fill(tmp_path / "a", "before")

    def fail():
        with filled_together(tmp_path / "a") as stage:
            (stage / "one").write_text("after")
            raise fault

    with pytest.raises(type(fault)):
        fail()
    if there:
        assert content(tmp_path / "a") == dict.fromkeys(SET, "before")
    assert [path.name for path in tmp_path.iterdir()] == ["a"] * there


@pytest.mark.parametrize("failing", range(1, 7))
def test_moves_are_taken_back_if_one_fails(tmp_path, monkeypatch, failing):
    """Three files of before go away, three come; the last to fail is the sixth move."""
    folder = tmp_path / "a"
    fill(folder, "before")
    rename, calls = os.rename, []

    def sometimes(source, target):
        calls.extend([source] * (source.name in SET))
        if len(calls) == failing and source.name in SET:
            raise OSError(13, "the file is open elsewhere")
        rename(source, target)

    monkeypatch.setattr(os, "rename", sometimes)
    with pytest.raises(OSError, match="open elsewhere"):
        fill(folder, "after")
    assert content(folder) == dict.fromkeys(SET, "before")


def test_a_folder_in_the_place_of_a_file_is_left_alone(tmp_path):
    (tmp_path / "a" / "two").mkdir(parents=True)
    (tmp_path / "a" / "two" / "mine").write_text("mine")
    with pytest.raises(IsADirectoryError):
        fill(tmp_path / "a", "after")
    assert (tmp_path / "a" / "two" / "mine").read_text() == "mine"
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["two"]


def test_ctrl_c_waits_until_all_files_are_in(tmp_path, monkeypatch):
    fill(tmp_path / "a", "before")
    rename = os.rename

    def interrupted(source, target):
        rename(source, target)
        if target.name == "two":
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(os, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        fill(tmp_path / "a", "after")
    assert content(tmp_path / "a") == dict.fromkeys(SET, "after")


WRITE_OFTEN = """
import sys
from pathlib import Path
from flank.io import folders
folder, text, names, other, locks = sys.argv[1:]
if locks == "False":
    folders.fcntl = None
for _ in range(40):
    with folders.filled_together(Path(folder), lambda: [other]) as stage:
        for name in names.split():
            (stage / name).write_text(text)
"""


@pytest.mark.parametrize("locks", [True, False])
def test_two_writers_leave_the_files_of_one(tmp_path, locks):
    """Also where a system has no locks of folders."""
    folder = tmp_path / "a"
    sides = {"left": ("one two", "three"), "right": ("two three", "one")}
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITE_OFTEN, folder, side, *words, str(locks)])
        for side, words in sides.items()
    ]
    assert [writer.wait() for writer in writers] == [0, 0]
    found = content(folder)
    side = found["two"]
    assert found == dict.fromkeys(sides[side][0].split(), side)
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_writer_waits_for_another_and_not_for_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(folders, "LONGEST_WAIT", 0.2)
    fill(tmp_path, "before")
    with locked(tmp_path), pytest.raises(OSError, match="another run is writing there"):
        fill(tmp_path, "after")
    assert content(tmp_path) == dict.fromkeys(SET, "before")
    monkeypatch.setattr(folders, "LONGEST_WAIT", 20.0)
    with locked(tmp_path):
        waiting = threading.Thread(target=fill, args=(tmp_path, "after"))
        waiting.start()
        time.sleep(0.1)
        assert (tmp_path / "one").read_text() == "before"
    waiting.join()
    assert content(tmp_path) == dict.fromkeys(SET, "after")


@pytest.mark.parametrize("there", [True, False])
def test_a_writer_that_is_killed_leaves_the_folder_alone(tmp_path, there):
    """What it had prepared is removed by the next, which leaves a living one's alone."""
    folder = tmp_path / "a"
    if there:
        fill(folder, "before")
    script = (
        "import sys, time\nfrom pathlib import Path\nfrom flank.io.folders import filled_together\n"
        "with filled_together(Path(sys.argv[1])) as stage:\n"
        "    (stage / 'one').write_text('half')\n    print('ready', flush=True)\n"
        "    time.sleep(60)\n"
    )
    command = [sys.executable, "-c", script, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout.readline() == "ready\n"
        with filled_together(folder) as stage:
            assert len(list(stage.parent.glob(".flank-*"))) == 2
            writer.kill()
            writer.wait()
            (stage / "one").write_text("after")
    left = dict.fromkeys(SET, "before") if there else {}
    assert {p.name: p.read_text() for p in folder.glob("[!.]*")} == left | {"one": "after"}
    place = folder if there else tmp_path
    assert len(list(place.glob(".flank-writing-*"))) == 1
    with filled_together(tmp_path / "b" if not there else folder):
        assert len(list(place.glob(".flank-writing-*"))) == 1
    assert list(place.glob(".flank-*")) == []
