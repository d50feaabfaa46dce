"""Files appear whole or not at all."""

import errno
import os
import stat
import subprocess
import sys

import pytest

from flank.io.files import writable, write_file


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("content", ["text, ümlaut\n", b"\x00\xff"])
def test_a_file_is_written_and_replaced(tmp_path, content):
    path = tmp_path / "a"
    for one in ("before", content):
        write_file(path, one)
    assert path.read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert names(tmp_path) == ["a"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("fault", [OSError(errno.ENOSPC, "No space left"), KeyboardInterrupt()])
def test_whatever_fails_the_earlier_file_stays(tmp_path, monkeypatch, step, fault):
    def fail(*_):
        raise fault

    write_file(tmp_path / "a", "before")
    monkeypatch.setattr(os, step, fail)
    for name in ("a", "new"):
        with pytest.raises(type(fault)):
            write_file(tmp_path / name, "after")
    assert names(tmp_path) == ["a"]
    assert (tmp_path / "a").read_text() == "before"


def test_a_file_too_large_for_the_system(tmp_path):
    """The signal that comes with it does not end the process."""
    script = (
        "import resource, sys\nfrom flank.io.files import write_file\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try:\n    write_file(sys.argv[1], b'x' * 100_000)\n"
        "except OSError as error:\n    print(error.errno)\n"
    )
    write_file(tmp_path / "a", "before")
    command = [sys.executable, "-c", script, str(tmp_path / "a")]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout == f"{errno.EFBIG}\n"
    assert names(tmp_path) == ["a"]
    assert (tmp_path / "a").read_text() == "before"


def test_modes_links_and_what_is_not_a_file(tmp_path):
    path = tmp_path / "a"
    write_file(path, "before")
    assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0o066 & ~_umask()
    path.chmod(0o600)
    (tmp_path / "link").symlink_to("a")
    write_file(tmp_path / "link", "after")
    assert path.read_text() == "after"
    assert (tmp_path / "link").is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name in ("folder", "pipe"):
        with pytest.raises(OSError, match="not a plain file"):
            write_file(tmp_path / name, "x")


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_texts_that_no_file_can_hold(tmp_path):
    write_file(tmp_path / "a", "a\0b\ud800c\ud83d\ude00")
    assert (tmp_path / "a").read_text(encoding="utf-8") == "a\ufffdb\ufffdc\U0001f600"
    for text in ("", "plain", "é\U0001f600\u2028\n"):
        assert writable(text) == text
