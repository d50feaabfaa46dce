"""The one decorator that turns a plain function into a compiled kernel.

A kernel takes scalars and preallocated arrays, allocates nothing, raises nothing and returns a
status; so the same source compiles for the CPU here and for a GPU through numba-cuda, which
accepts these dispatchers as device functions.

A cached caller does not notice that a callee in another file changed. The cache directory
therefore carries a hash of all kernel sources, and nobody ever runs a stale kernel.
"""

import functools
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numba
from numba.core import config
from numba.core.registry import cpu_target

Function = TypeVar("Function", bound=Callable)

KERNEL_ROOMS = ("geometry", "elasticity", "contact", "dynamics")
STALE_AFTER_SECONDS = 30 * 86400

if config.CPU_NAME is None:  # else the user chose, by NUMBA_CPU_NAME
    # One target for all machines, so that two of them run the same instructions.
    config.CPU_NAME, config.CPU_FEATURES = "generic", ""


def kernel(function: Function | None = None, *, internal: bool = False):
    """Compile a function with Numba, cached on disk under a name that follows the sources.

    `@kernel(internal=True)` marks what only other kernels call: it gets no Python entry, whose
    unpacking of a whole model would cost more compile time than the function itself.
    """
    if function is None:
        return functools.partial(kernel, internal=internal)
    users_directory = config.CACHE_DIR
    config.CACHE_DIR = str(cache_directory())
    try:
        return numba.njit(
            cache=True,
            error_model="numpy",
            nogil=True,  # runs of one process go on side by side in its threads
            no_cfunc_wrapper=True,
            no_cpython_wrapper=internal,
        )(function)
    finally:
        config.CACHE_DIR = users_directory


def kernel_target() -> str:
    """What kernels are compiled for: platform, processor, and features beyond its own if any."""
    triple, processor, features = cpu_target.target_context.codegen().magic_tuple()
    return " ".join(filter(None, (triple, processor, features)))


@functools.cache
def sources_hash() -> str:
    """Hash of every source file that can hold a kernel, and of the compiler's version."""
    package = Path(__file__).parent
    digest = hashlib.sha256(numba.__version__.encode())
    files = [Path(__file__)]
    for room in KERNEL_ROOMS:
        files += sorted((package / room).rglob("*.py"))
    for file in files:
        digest.update(str(file.relative_to(package)).encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


_directory: Path | None = None


def cache_directory() -> Path:
    """Where compiled kernels live: FLANK_CACHE_DIR, else the user's cache, else a temporary."""
    global _directory
    if _directory is None:
        _directory = _prepare(_cache_root() / f"kernels-{sources_hash()}")
    return _directory


def _cache_root() -> Path:
    chosen = os.environ.get("FLANK_CACHE_DIR")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "flank"


def _prepare(directory: Path) -> Path:
    try:
        if not directory.exists():
            directory.mkdir(parents=True)
            _remove_stale(directory.parent)
        else:
            os.utime(directory)
    except OSError:  # a read-only home: compile anew each time rather than not run
        return Path(tempfile.mkdtemp(prefix="flank-kernels-"))
    return directory


def _remove_stale(root: Path) -> None:
    for other in root.glob("kernels-*"):
        if time.time() - other.stat().st_mtime > STALE_AFTER_SECONDS:
            shutil.rmtree(other, ignore_errors=True)
