"""The one decorator that turns a plain function into a compiled kernel.

A kernel takes scalars and preallocated arrays, allocates nothing, raises nothing and returns a
status; so the same source compiles for the CPU here and for a GPU through numba-cuda, which
accepts these dispatchers as device functions.

A cached caller does not notice that a callee in another file changed. The cache directory
therefore carries a hash of all kernel sources, and nobody ever runs a stale kernel.
"""

import functools
import hashlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import config, types
from numba.core.registry import cpu_target
from numba.extending import typeof_impl

from flank.kernel_cache import KernelCache, usable_directory

Function = TypeVar("Function", bound=Callable[..., Any])

KERNEL_ROOMS = ("geometry", "elasticity", "contact", "dynamics")

if config.CPU_NAME is None:  # else the user chose, by NUMBA_CPU_NAME
    # One target for all machines, so that two of them run the same instructions.
    config.CPU_NAME, config.CPU_FEATURES = "generic", ""


def kernel(function: Function | None = None, *, internal: bool = False) -> Any:
    """Compile a function with Numba, cached on disk under a name that follows the sources.

    `@kernel(internal=True)` marks what only other kernels call: it gets no Python entry, whose
    unpacking of a whole model would cost more compile time than the function itself.
    """
    if function is None:
        return functools.partial(kernel, internal=internal)
    compiled = numba.njit(
        error_model="numpy",
        nogil=True,  # runs of one process go on side by side in its threads
        no_cfunc_wrapper=True,
        no_cpython_wrapper=internal,
        _nrt=False,  # nothing is allocated, so no reference is counted
    )(function)
    if compiled is not function:  # as it is where Numba is told to compile nothing
        compiled._cache = KernelCache(function, cache_directory)
    return compiled


class KernelByType:
    """Several kernels under one name: which is called follows from the type of the first argument.

    The types are named tuples. A kernel that calls this one is compiled for each of them with a
    direct call of the kernel that fits, so the choice costs nothing at run time; from Python the
    same choice is made at the call. To Numba this is a compiled function like any other: it asks
    for what stands below. (`numba.extending.overload` would do too, by a function in between
    that is compiled, with all that it calls, once more.)
    """

    is_compiling = False
    """Numba: whether this is a call from within, as of a function that calls itself; never."""

    def __init__(self, kernels: Mapping[type, Any]) -> None:
        self._kernels = dict(kernels)

    def __call__(self, first: Any, *others: Any) -> Any:
        return self._kernels[type(first)](first, *others)

    def get_call_template(self, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        """Numba: how a call with arguments of these types is typed."""
        return self._kernels[args[0].instance_class].get_call_template(args, kws)

    def get_overload(self, sig: tuple[Any, ...]) -> Any:
        """Numba: the compiled code for arguments of these types."""
        return self._kernels[sig[0].instance_class].get_overload(sig)


@typeof_impl.register(KernelByType)  # type: ignore[untyped-decorator]
def _type_of_kernel_by_type(value: Any, _context: Any) -> types.Dispatcher:
    return types.Dispatcher(value)


def kernel_target() -> str:
    """What kernels are compiled for: platform, processor, and features beyond its own if any."""
    triple, processor, features = cpu_target.target_context.codegen().magic_tuple()
    return " ".join(filter(None, (triple, processor, features)))


def sources_hash() -> str:
    """Hash of every source file that can hold a kernel, and of the compiler's version."""
    package = Path(__file__).parent
    digest = hashlib.sha256(numba.__version__.encode())
    files = [Path(__file__), package / "kernel_cache.py"]
    for room in KERNEL_ROOMS:
        files += sorted((package / room).rglob("*.py"))
    for file in files:
        digest.update(str(file.relative_to(package)).encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


# Of the sources as they are imported, not as they are when something is compiled.
SOURCES_HASH = sources_hash()


@functools.cache
def cache_directory() -> Path | None:
    """Where compiled kernels live; None where there is no place that can be trusted."""
    return usable_directory(f"kernels-{SOURCES_HASH}")
