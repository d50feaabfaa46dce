"""Directories and files of the cache on disk: the user's own, whole or not there at all.

It lies in FLANK_CACHE_DIR, else in XDG_CACHE_HOME/flank, else in ~/.cache/flank. Files have a
checksum in front, by which a damaged one is known. A directory that somebody else could have
written to is not used.
"""

import hashlib
import os
import shutil
import stat
import time
import uuid
from contextlib import suppress
from pathlib import Path

STALE_AFTER_SECONDS = 30 * 86400
DIGEST = hashlib.sha256
_DIGEST_SIZE = DIGEST().digest_size


class CacheUnusable(Exception):
    """Why nothing can be kept, as the words after a colon."""


def cache_directory(name: str) -> Path:
    """The directory `name` of the cache, made if need be; CacheUnusable if none can be used.

    Where it is new, others of its kind (the word before the first dash) that nobody used for a
    month are removed.
    """
    try:
        root = _cache_root()
        directory = root / name
        os.makedirs(root, mode=0o700, exist_ok=True)
        new = not directory.exists()
        directory.mkdir(mode=0o700, exist_ok=True)
        unsafe = _unsafe(directory) or _unsafe_above(root)
    # RuntimeError: a home that nobody knows; ValueError: a NUL in a path.
    except (OSError, RuntimeError, ValueError) as error:
        raise CacheUnusable(f"no directory can be made for them ({error})") from None
    if unsafe:
        raise CacheUnusable(unsafe)
    if new:
        _remove_stale(root, f"{name.partition('-')[0]}-*")
    with suppress(OSError):  # one that can only be read still serves
        os.utime(directory)
    return directory


def read_checked(path: Path) -> bytes:
    """The content of a file; ValueError if it is damaged, OSError if there is none."""
    stored = path.read_bytes()
    content = stored[_DIGEST_SIZE:]
    if DIGEST(content).digest() != stored[:_DIGEST_SIZE]:
        raise ValueError("the file is damaged")
    return content


def write_checked(path: Path, content: bytes) -> None:
    """A file that appears whole or not at all; CacheUnusable if it cannot be written."""
    aside = path.with_name(f"{path.name}.{uuid.uuid4().hex[:16]}")
    try:
        # The checksum tells a file that a crash left half on the disk: no need for fsync.
        aside.write_bytes(DIGEST(content).digest() + content)
        os.replace(aside, path)
    except OSError as error:
        raise CacheUnusable(f"{path.parent} cannot be written ({error.strerror})") from None
    finally:
        with suppress(OSError):
            aside.unlink()


def _cache_root() -> Path:
    chosen = os.environ.get("FLANK_CACHE_DIR")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "flank"


def _unsafe(directory: Path) -> str:
    """Why what lies in a directory may be somebody else's work; empty if it cannot be."""
    if not hasattr(os, "geteuid"):  # no owners and modes of this kind
        return ""
    status = directory.lstat()
    if not stat.S_ISDIR(status.st_mode):
        return f"{directory} is a link"
    if status.st_uid != os.geteuid():
        return f"{directory} belongs to another user"
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return f"others may write in {directory}, remove it"
    return ""


def _unsafe_above(root: Path) -> str:
    """Where everybody may write in the directory above, another can be put in the place of ours.

    A group may: it is often the user's own.
    """
    mode = root.stat().st_mode
    shared = mode & stat.S_IWOTH and not mode & stat.S_ISVTX
    return f"others may write in {root}" if shared and hasattr(os, "geteuid") else ""


def _remove_stale(root: Path, pattern: str) -> None:
    for other in root.glob(pattern):
        with suppress(OSError):
            if time.time() - other.stat().st_mtime > STALE_AFTER_SECONDS:
                shutil.rmtree(other, ignore_errors=True)
