"""Cores that Flank computes on, and BLAS on one thread while it does.

A sum split over threads is rounded in another order, so with BLAS's own threads the last digits of
a result depend on how many there are. Our matrices are small and gain nothing from them.
"""

import os

from threadpoolctl import threadpool_info, threadpool_limits


def usable_cores() -> int:
    """Cores that this process may use, which can be fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def one_blas_thread() -> threadpool_limits:
    """Every BLAS that is loaded now on one thread inside `with`, as before after it."""
    return threadpool_limits(1, user_api="blas")


def blas_in_use() -> list[dict[str, str | int]]:
    """Name, version, code path and threads of every BLAS that is loaded."""
    return [
        {
            "name": str(library["internal_api"]),
            "version": str(library["version"]),
            "architecture": str(library.get("architecture", "")),
            "threads": int(library["num_threads"]),
        }
        for library in threadpool_info()
        if library["user_api"] == "blas"
    ]
