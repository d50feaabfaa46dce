"""Compiled kernels are found again, and a cache that does not work never stops a run."""

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from flank.kernel import kernel
from flank.native import cache as kernel_cache
from flank.native.cache import KernelCache, usable_directory
from flank.native.compiling import cache_directory
from flank.native.sources import KERNEL_ROOMS, PACKAGE, bytes_hash


@pytest.fixture(autouse=True)
def _complaints_anew():
    kernel_cache.complain.cache_clear()


def compiled(directory, factor=2.0):
    """A small kernel with its cache in a directory, not yet compiled in this process."""

    def scaled(x):
        return factor * x

    one = kernel(scaled).dispatcher
    one._cache = KernelCache(scaled, lambda: directory)
    return one


def files(directory):
    return sorted(directory.iterdir())


def test_kernels_are_found_again_by_signature_and_by_what_they_enclose(tmp_path):
    first = compiled(tmp_path)
    assert first(3.0) == 6.0
    assert first(3) == 6.0
    assert len(files(tmp_path)) == 2
    again = compiled(tmp_path)
    assert again(3.0) == 6.0
    assert sum(again.stats.cache_hits.values()) == 1
    other = compiled(tmp_path, 5.0)
    assert other(3.0) == 15.0
    assert not other.stats.cache_hits


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: b"garbage",
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1],
        lambda content: content[:5000] + bytes([content[5000] ^ 1]) + content[5001:],
        lambda content: bytes(len(content)),
    ],
    ids=["empty", "garbage", "half", "a byte short", "a bit", "zeros"],
)
def test_a_damaged_file_is_compiled_anew(tmp_path, damage):
    compiled(tmp_path)(3.0)
    (file,) = files(tmp_path)
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    mended = compiled(tmp_path)
    assert mended(3.0) == 6.0
    assert not mended.stats.cache_hits
    assert files(tmp_path) == [file]
    last = compiled(tmp_path)
    assert last(3.0) == 6.0
    assert sum(last.stats.cache_hits.values()) == 1


def test_a_file_of_another_kernel_is_not_taken(tmp_path):
    """As if two keys had one name."""
    compiled(tmp_path, 5.0)(3.0)
    (other,) = files(tmp_path)
    content = other.read_bytes()
    other.unlink()
    compiled(tmp_path)(3.0)
    files(tmp_path)[0].write_bytes(content)
    assert compiled(tmp_path)(3.0) == 6.0


@pytest.mark.parametrize("step", ["write", "replace"])
def test_a_full_disk_does_not_stop_a_run(tmp_path, monkeypatch, capsys, step):
    def full(*_):
        raise OSError(28, "No space left on device")

    target = (Path, "write_bytes") if step == "write" else (os, "replace")
    monkeypatch.setattr(*target, full)
    for _ in range(2):
        assert compiled(tmp_path)(3.0) == 6.0
    assert files(tmp_path) == []
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"{tmp_path} cannot be written (No space left on device)" in said


def test_without_a_directory_nothing_is_kept():
    assert compiled(None)(3.0) == 6.0
    assert compiled(None).stats.cache_path is None


def test_the_directory_is_the_users_alone(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("FLANK_CACHE_DIR", str(tmp_path / "deep" / "cache"))
    before = os.umask(0)
    try:
        found = usable_directory("kernels-1")
    finally:
        os.umask(before)
    assert found == tmp_path / "deep" / "cache" / "kernels-1"
    for path in (found, found.parent):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert usable_directory("kernels-1") == found
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("mode", [0o720, 0o702, 0o777])
def test_a_directory_that_others_can_write_is_refused(tmp_path, monkeypatch, capsys, mode):
    monkeypatch.setenv("FLANK_CACHE_DIR", str(tmp_path))
    usable_directory("kernels-1").chmod(mode)
    assert usable_directory("kernels-1") is None
    assert "others may write in" in capsys.readouterr().err


@pytest.mark.parametrize(("mode", "taken"), [(0o777, False), (0o1777, True), (0o775, True)])
def test_a_place_where_others_could_put_theirs_is_refused(
    tmp_path, monkeypatch, capsys, mode, taken
):
    """A sticky one, as /tmp is, keeps our directory ours."""
    monkeypatch.setenv("FLANK_CACHE_DIR", str(tmp_path / "shared"))
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(mode)
    assert (usable_directory("kernels-1") is not None) is taken
    assert ("others may write in" in capsys.readouterr().err) is not taken


def test_a_foreign_directory_or_a_link_is_refused(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("FLANK_CACHE_DIR", str(tmp_path))
    (tmp_path / "kernels-2").symlink_to(usable_directory("kernels-1"))
    assert usable_directory("kernels-2") is None
    assert "is a link" in capsys.readouterr().err
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    assert usable_directory("kernels-1") is None
    said = capsys.readouterr().err
    assert "belongs to another user; every run compiles them anew" in said
    assert said.count("\n") == 1


def test_no_home_and_no_place(tmp_path, monkeypatch, capsys):
    def unknown(cls):
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("FLANK_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", classmethod(unknown))
    assert usable_directory("kernels-1") is None
    assert "Could not determine home directory" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("FLANK_CACHE_DIR", str(tmp_path / "file"))
    assert usable_directory("kernels-1") is None


TINY = """
import os, sys
import numba
from flank.kernel import kernel
numba.njit(lambda x: x + 1.0)(1.0)  # imports all that it needs, which another user may not read
if len(sys.argv) > 1:
    os.setuid(int(sys.argv[1]))
from numba.core import config
config.CACHE_DIR = sys.argv[-1]  # where Numba itself would go
def twice(x):
    return 2.0 * x
made = kernel(twice)
print(made(3.0), sum(made.dispatcher.stats.cache_hits.values()))
"""


@pytest.fixture
def open_folder():
    """A folder that other users can read, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_as_an_unknown_user_with_a_cache_that_can_only_be_read(open_folder):
    cache, script = open_folder / "cache", open_folder / "tiny.py"
    cache.mkdir()
    os.chown(cache, 54321, 54321)
    script.write_text(TINY)

    def run(**environment):
        places = ("HOME", "XDG_CACHE_HOME", "FLANK_CACHE_DIR")
        kept = {name: value for name, value in os.environ.items() if name not in places}
        command = [sys.executable, str(script), "54321"]
        return subprocess.run(
            command, capture_output=True, text=True, env=kept | environment, check=True
        )

    nowhere = run()
    assert nowhere.stdout == "6.0 0\n"
    assert "Could not determine home directory" in nowhere.stderr
    environment = {"FLANK_CACHE_DIR": str(cache)}
    assert run(**environment).stdout == "6.0 0\n"
    (directory,) = files(cache)
    directory.chmod(0o500)
    cache.chmod(0o500)
    readable = run(**environment)
    assert (readable.stdout, readable.stderr) == ("6.0 1\n", "")
    script.write_text(TINY.replace("2.0 * x", "x + x"))
    full = run(**environment)
    assert full.stdout == "6.0 0\n"
    assert "cannot be written (Permission denied)" in full.stderr
    assert len(files(directory)) == 1


def test_a_cache_on_a_disk_that_takes_no_more(tmp_path):
    script = "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n" + TINY
    (tmp_path / "tiny.py").write_text(script)
    environment = os.environ | {"FLANK_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, str(tmp_path / "tiny.py")]
    found = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert found.stdout == "6.0 0\n"
    assert found.stderr.count("\n") == 1
    assert [path for path in (tmp_path / "cache").rglob("*") if path.is_file()] == []


@pytest.mark.parametrize(
    "source", ["kernel.py", "native/cache.py", *(f"{room}/__init__.py" for room in KERNEL_ROOMS)]
)
def test_the_directory_follows_all_sources(monkeypatch, source):
    before = bytes_hash()
    changed, read = PACKAGE / source, Path.read_bytes
    monkeypatch.setattr(
        Path, "read_bytes", lambda path: read(path) + (b"# changed" if path == changed else b"")
    )
    assert bytes_hash() != before
    assert before in str(cache_directory() or before)
