"""Compiled kernels on disk: found again by later runs, and never in the way of one.

Numba's own cache stops a run where its disk is full or a file of it is damaged, and where its
directory cannot be used it takes places that do not follow the sources. This one has a file for
each function and signature (`cache_files`): what is damaged is removed and compiled anew, what
cannot be saved is compiled in every run. The files are pickles and machine code.
"""

from __future__ import annotations

import functools
import pickle
import sys
import uuid
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from flank.cache_files import (
    DIGEST,
    CacheUnusable,
    cache_directory,
    read_checked,
    write_checked,
)

if TYPE_CHECKING:
    from numba.core.compiler import CompileResult


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
            stored, payload = pickle.loads(read_checked(path))
            return CompileResult._rebuild(target_context, *payload) if stored == key else None
        except OSError:
            return None
        except Exception:  # whatever a damaged file leads to
            with suppress(OSError):
                path.unlink()
            return None

    def save_overload(self, sig: Any, data: CompileResult) -> None:
        """Keep compiled code for later runs, if that can be done."""
        key, path = self._place(sig, data.codegen)
        if path is None or not _keepable(data):
            return
        try:
            write_checked(path, _dumped((key, data._reduce())))
        except CacheUnusable as reason:
            complain(str(reason))

    def flush(self) -> None:
        """Numba's, before it compiles anew: files are found by what they were made from."""

    def _place(self, sig: Any, codegen: Any) -> tuple[tuple[Any, ...], Path | None]:
        """What identifies the compiled code, and its file."""
        key = (sig, codegen.magic_tuple(), self._source)
        directory = self._directory()
        if directory is None:
            return key, None
        digest = DIGEST(repr((key, sys.implementation.cache_tag)).encode()).hexdigest()[:24]
        return key, directory / f"{self._name}-{digest}.nbc"


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
    enclosed = DIGEST(_dumped(cells)).hexdigest() if cells else ""
    return code.co_qualname, code.co_firstlineno, _file_hash(code.co_filename), enclosed


def _dumped(value: Any) -> bytes:
    """Pickled as Numba does it, which knows functions."""
    from numba.core.serialize import dumps

    content: bytes = dumps(value)
    return content


def fingerprint(*kernels: Any) -> str:
    """Hash of kernels with all kernels, constants and modules that they name, and their files."""
    digest = DIGEST()
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
        return DIGEST(Path(name).read_bytes()).hexdigest()
    except OSError:  # typed in, not read from a file: not to be found again
        return uuid.uuid4().hex


def usable_directory(name: str) -> Path | None:
    """The directory `name` of the cache, made if need be; None, with a word, if there is none."""
    try:
        return cache_directory(name)
    except CacheUnusable as reason:
        complain(str(reason))
        return None


@functools.cache
def complain(reason: str) -> None:
    """Say once why kernels are not kept."""
    print(
        f"Compiled kernels cannot be kept: {reason}; every run compiles them anew, 20 to 40 s. "
        "Name a directory of your own with FLANK_CACHE_DIR.",
        file=sys.stderr,
    )
