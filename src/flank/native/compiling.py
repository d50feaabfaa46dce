"""Numba's side: kernels that no library holds, compiled here and kept in the user's cache.

A cached caller does not notice that a callee in another file changed. The cache directory
therefore carries a hash of all kernel sources, and nobody ever runs a stale kernel.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core import config
from numba.core.registry import cpu_target

from flank.native.cache import KernelCache, usable_directory
from flank.native.sources import BYTES_HASH

if config.CPU_NAME is None:  # else the user chose, by NUMBA_CPU_NAME
    # One target for all machines, so that two of them run the same instructions.
    config.CPU_NAME, config.CPU_FEATURES = "generic", ""


OPTIONS: dict[str, Any] = {
    "error_model": "numpy",
    "nogil": True,  # runs of one process go on side by side in its threads
    "no_cfunc_wrapper": True,
    "_nrt": False,  # nothing is allocated, so no reference is counted
}
"""For all kernels, and for what calls them in a library."""


def compiled(function: Callable[..., Any], internal: bool) -> Any:
    """Numba's dispatcher of a function, with a cache on disk."""
    made = numba.njit(no_cpython_wrapper=internal, **OPTIONS)(function)
    if made is not function:  # as it is where Numba is told to compile nothing
        made._cache = KernelCache(function, cache_directory)
    return made


def device_function(function: Callable[..., Any]) -> Any:
    """numba-cuda's dispatcher of a function that kernels of a GPU call."""
    from numba.cuda.dispatcher import CUDADispatcher

    return CUDADispatcher(function, {"device": True, "debug": False, "opt": True})


def kernel_target() -> str:
    """What kernels are compiled for: platform, processor, and features beyond its own if any."""
    triple, processor, features = cpu_target.target_context.codegen().magic_tuple()
    return " ".join(filter(None, (triple, processor, features)))


@functools.cache
def cache_directory() -> Path | None:
    """Where compiled kernels live; None where there is no place that can be trusted."""
    return usable_directory(f"kernels-{BYTES_HASH}-numba-{numba.__version__}")
