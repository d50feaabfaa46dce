"""Compiled kernels on disk: found again by later runs, and never in the way of one.

Numba's own cache stops a run where its disk is full or a file of it is damaged, and where its
directory cannot be used it takes places that do not follow the sources. This one has a file for
each function and signature, with a checksum in front: what is damaged is removed and compiled
anew, what cannot be saved is compiled in every run. The files are pickles and machine code, so a
directory that somebody else could have written to is not used.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import shutil
import stat
import sys
import time
import uuid
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numba.core.compiler import CompileResult

STALE_AFTER_SECONDS = 30 * 86400
_DIGEST = hashlib.sha256
_DIGEST_SIZE = _DIGEST().digest_size


listeners: list[Callable[[], None]] = []
"""Told of every function that was compiled because no file had it."""


class KernelCache:
    """Where the dispatcher of one function looks for its compiled code."""

    def __init__(self, function: Callable[..., Any], directory: Callable[[], Path | None]) -> None:
        """`directory` is asked when something is compiled, not when it is defined."""
        self._source = _source(function)
        self._directory = directory
        module = function.__module__.rpartition(".")[2]
        self._name = f"{module}.{function.__qualname__}".replace("<", "").replace(">", "")

    @property
    def cache_path(self) -> str | None:
        directory = self._directory()
        return None if directory is None else str(directory)

    def load_overload(self, sig: Any, target_context: Any) -> CompileResult | None:
        """The compiled code of a signature; None if it has to be compiled."""
        from numba.core.compiler import CompileResult

        target_context.refresh()
        key, path = self._place(sig, target_context.codegen())
        if path is None:
            return None
        try:
            stored, payload = pickle.loads(_checked(path.read_bytes()))
            return CompileResult._rebuild(target_context, *payload) if stored == key else None
        except OSError:
            return None
        except Exception:  # whatever a damaged file leads to
            with suppress(OSError):
                path.unlink()
            return None

    def save_overload(self, sig: Any, data: CompileResult) -> None:
        """Keep compiled code for later runs, if that can be done."""
        for listener in listeners:
            listener()
        key, path = self._place(sig, data.codegen)
        if path is None or not _keepable(data):
            return
        content = _dumped((key, data._reduce()))
        aside = path.with_name(f"{path.name}.{uuid.uuid4().hex[:16]}")
        try:
            # The checksum tells a file that a crash left half on the disk: no need for fsync.
            aside.write_bytes(_DIGEST(content).digest() + content)
            os.replace(aside, path)
        except OSError as error:
            complain(f"{path.parent} cannot be written ({error.strerror})")
        finally:
            with suppress(OSError):
                aside.unlink()

    def flush(self) -> None:
        """Numba's, before it compiles anew: files are found by what they were made from."""

    def _place(self, sig: Any, codegen: Any) -> tuple[tuple[Any, ...], Path | None]:
        """What identifies the compiled code, and its file."""
        key = (sig, codegen.magic_tuple(), self._source)
        directory = self._directory()
        if directory is None:
            return key, None
        digest = _DIGEST(repr((key, sys.implementation.cache_tag)).encode()).hexdigest()[:24]
        return key, directory / f"{self._name}-{digest}.nbc"


def _checked(content: bytes) -> bytes:
    data = content[_DIGEST_SIZE:]
    if _DIGEST(data).digest() != content[:_DIGEST_SIZE]:
        raise ValueError("the file is damaged")
    return data


def _keepable(result: CompileResult) -> bool:
    """Code with addresses of this process in it is of no use to another."""
    if not result.lifted and not result.library.has_dynamic_globals:
        return True
    warnings.warn(f"{result.fndesc.qualname} holds large globals and is not cached", stacklevel=2)
    return False


def _source(function: Callable[..., Any]) -> tuple[str, int, str, str]:
    """Which function, by its file, and what it encloses: kernels of tests are in no hash."""
    code = function.__code__
    cells = tuple(cell.cell_contents for cell in function.__closure__ or ())
    enclosed = _DIGEST(_dumped(cells)).hexdigest() if cells else ""
    return code.co_qualname, code.co_firstlineno, _file_hash(code.co_filename), enclosed


def _dumped(value: Any) -> bytes:
    """Pickled as Numba does it, which knows functions."""
    from numba.core.serialize import dumps

    content: bytes = dumps(value)
    return content


def fingerprint(*kernels: Any) -> str:
    """Hash of kernels with all kernels, constants and modules that they name, and their files."""
    digest = _DIGEST()
    waiting, seen = list(kernels), set()
    while waiting:
        function = waiting.pop(0).py_func
        if function in seen:
            continue
        seen.add(function)
        digest.update(repr(_source(function)).encode())
        for name in sorted(function.__code__.co_names):
            value = function.__globals__.get(name)
            if hasattr(value, "py_func"):
                waiting.append(value)
            elif isinstance(value, ModuleType) and getattr(value, "__file__", None):
                digest.update(_file_hash(str(value.__file__)).encode())
            elif isinstance(value, (bool, int, float, str, tuple)):
                digest.update(repr((name, value)).encode())
    return digest.hexdigest()[:16]


@functools.cache
def _file_hash(name: str) -> str:
    try:
        return _DIGEST(Path(name).read_bytes()).hexdigest()
    except OSError:  # typed in, not read from a file: not to be found again
        return uuid.uuid4().hex


def usable_directory(name: str) -> Path | None:
    """The directory `name` of the cache, made if need be; None, with a word, if none can be used.

    It lies in FLANK_CACHE_DIR, else in the user's cache.
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
        complain(f"no directory can be made for them ({error})")
        return None
    if unsafe:
        complain(unsafe)
        return None
    if new:
        _remove_stale(root)
    with suppress(OSError):  # one that can only be read still serves
        os.utime(directory)
    return directory


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


def _remove_stale(root: Path) -> None:
    for other in root.glob("kernels-*"):
        with suppress(OSError):
            if time.time() - other.stat().st_mtime > STALE_AFTER_SECONDS:
                shutil.rmtree(other, ignore_errors=True)


@functools.cache
def complain(reason: str) -> None:
    """Say once why kernels are not kept."""
    print(
        f"Compiled kernels cannot be kept: {reason}; every run compiles them anew, 20 to 40 s. "
        "Name a directory of your own with FLANK_CACHE_DIR.",
        file=sys.stderr,
    )
