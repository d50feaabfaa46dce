"""Folders whose files appear together: prepared in a hidden folder near by, then moved in.

A system moves one file at a time, so the moves are made under a lock, with Ctrl-C held back, and
are taken back where one of them fails. Two writers of a folder therefore leave the files of one of
them, and a writer that is killed while it prepares leaves the folder alone; what it had prepared
is removed by the next.
"""

from __future__ import annotations

import errno
import os
import shutil
import signal
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from flank.io.files import sync_directory

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

STAGE = ".flank-writing-"
LOCK_FILE = ".flank-lock"
LONGEST_WAIT = 30.0
"""s, longer than moving a few files can take."""
ABANDONED_AFTER = 86400.0
"""s, where nothing but its age tells that the writer of a hidden folder is gone."""


@contextmanager
def filled_together(folder: Path, obsolete: Callable[[], Iterable[str]] = tuple) -> Iterator[Path]:
    """A hidden folder to write into; at the end its files go to `folder` together.

    If `folder` is there, `obsolete` is asked just before that for names that go away; it may raise
    to refuse the move. Whatever fails, `folder` is as it was before.
    """
    stage, lock = _make_stage(_nearest(folder))
    try:
        yield stage
        if not _becomes(stage, folder):
            _move_in(stage, folder, obsolete)
    finally:
        with uninterrupted():
            shutil.rmtree(stage, ignore_errors=True)
            if lock is not None:
                os.close(lock)


def _nearest(folder: Path) -> Path:
    """The folder itself, or what is there of its path: on the same file system."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder


def _make_stage(place: Path) -> tuple[Path, int | None]:
    """A hidden folder in a place, and the lock that tells others that its writer lives."""
    for other in place.glob(f"{STAGE}*"):
        if _abandoned(other):
            shutil.rmtree(other, ignore_errors=True)
    name = uuid.uuid4().hex
    stage = place / f".flank-new-{name}"  # not the name of a stage as long as it is not locked
    stage.mkdir()
    try:
        lock = _lock(stage)
    except OSError:
        lock = None
    return stage.rename(place / f"{STAGE}{name}"), lock


def _abandoned(stage: Path) -> bool:
    try:
        os.close(_lock(stage))
        return True
    except BlockingIOError:
        return False
    except OSError:
        with suppress(OSError):
            return time.time() - stage.stat().st_mtime > ABANDONED_AFTER
        return False


def _becomes(stage: Path, folder: Path) -> bool:
    """Whether there was no folder, so that all of it could appear at once."""
    if folder.exists():
        return False
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        stage.rename(folder)
    except OSError:
        if folder.is_dir():  # another writer was quicker
            return False
        raise
    sync_directory(folder.parent)
    return True


def _move_in(stage: Path, folder: Path, obsolete: Callable[[], Iterable[str]]) -> None:
    names = sorted(path.name for path in stage.iterdir())
    earlier = stage / "earlier"
    earlier.mkdir()
    with locked(folder), uninterrupted():
        gone = [name for name in {*names, *obsolete()} if os.path.lexists(folder / name)]
        for name in gone:
            _keep_mode(folder / name, stage / name)
        _move_all(
            [(folder / name, earlier / name) for name in gone]
            + [(stage / name, folder / name) for name in names]
        )
    sync_directory(folder)


def _keep_mode(old: Path, new: Path) -> None:
    """An earlier file that only its owner may read stays so."""
    if old.is_dir() and not old.is_symlink():
        raise IsADirectoryError(errno.EISDIR, f"{old.name} is a folder there")
    with suppress(OSError):
        shutil.copymode(old, new)


def _move_all(moves: list[tuple[Path, Path]]) -> None:
    """Make all moves, or none."""
    done: list[tuple[Path, Path]] = []
    try:
        for source, target in moves:
            os.rename(source, target)
            done.append((source, target))
    except BaseException:
        for source, target in reversed(done):
            os.rename(target, source)
        raise


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """One writer at a time moves files into a folder."""
    deadline = time.monotonic() + LONGEST_WAIT
    while (release := _take(folder)) is None:
        if time.monotonic() > deadline:
            raise OSError(errno.EBUSY, "another run is writing there")
        time.sleep(0.01)
    try:
        yield
    finally:
        release()


def _take(folder: Path) -> Callable[[], None] | None:
    """The lock of a folder, as a function that lets it go; None while another has it."""
    try:
        handle = _lock(folder)
        return lambda: os.close(handle)
    except BlockingIOError:
        return None
    except OSError:  # not on this system, or not on this file system
        return _take_lock_file(folder / LOCK_FILE)


def _take_lock_file(path: Path) -> Callable[[], None] | None:
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
        return path.unlink
    except FileExistsError:
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > LONGEST_WAIT:  # of a writer that was killed
                path.unlink()
        return None


def _lock(folder: Path) -> int:
    """A locked handle of a folder; BlockingIOError if another has it, else OSError if none can."""
    if fcntl is None:
        raise OSError(errno.ENOTSUP, "no locks of folders")
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(handle)
        raise
    return handle


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold Ctrl-C back until the block is through; only the main thread hears it."""
    earlier = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or earlier is None:
        yield
        return
    heard: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, earlier)
    if heard:
        signal.raise_signal(signal.SIGINT)
