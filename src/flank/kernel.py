"""The one decorator that turns a plain function into a compiled kernel.

A kernel takes scalars and preallocated arrays, allocates nothing, raises nothing and returns a
status; so the same source serves a library built beforehand (`flank.native`), Numba here, and a
GPU through numba-cuda.

A kernel called from Python looks for itself in the library first, by its name and the types of its
arguments. Numba is imported where that does not hold it: kernels of one's own, types that no
machine of ours has, sources that were edited since the library was built.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

from flank.native.arguments import described
from flank.native.library import Entry, built_for, find_entry

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class ForGpu:
    """How kernels are compiled for a GPU: `team` threads work on one sample together
    (`flank.team`), and of what is `absent` in a model nothing is compiled."""

    team: int = 1
    absent: frozenset[str] = frozenset()


_FOR_GPU: ContextVar[ForGpu | None] = ContextVar("kernels are compiled for a GPU", default=None)


@contextmanager
def compiling_for_gpu(target: ForGpu) -> Iterator[None]:
    """Inside, kernels that a caller names are functions of a GPU to Numba: numba-cuda compiles."""
    token = _FOR_GPU.set(target)
    try:
        yield
    finally:
        _FOR_GPU.reset(token)


def gpu_target() -> ForGpu | None:
    """None where kernels are compiled for the processor."""
    return _FOR_GPU.get()


def kernel(function: Function | None = None, *, internal: bool = False) -> Any:
    """A compiled function. `@kernel(internal=True)` marks what only other kernels call: Numba then
    makes no Python entry, whose unpacking of a whole model would cost more compile time than the
    function itself."""
    if function is None:
        return functools.partial(kernel, internal=internal)
    return Kernel(function, internal)


class Kernel:
    """A function as the library has it, or as Numba compiles it."""

    recorded: dict[tuple[Kernel, str], tuple[Any, ...]] | None = None
    """Where a builder of libraries has each kernel's calls put, by the types of their arguments."""

    def __init__(self, function: Callable[..., Any], internal: bool) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self.internal = internal
        self._entries: dict[str, Entry | None] = {}
        self._device_functions: dict[ForGpu, Any] = {}

    @property
    def name(self) -> str:
        return f"{self.py_func.__module__}.{self.py_func.__qualname__}"

    def __call__(self, *arguments: Any) -> Any:
        if self.internal:  # it has no entry from Python, and is seldom called from there
            return self.py_func(*arguments)
        types, pieces = described(arguments)
        try:
            entry = self._entries[types]
        except KeyError:
            entry = self._entries[types] = find_entry(self.name, types)
        if entry is not None:
            return entry(pieces)
        if Kernel.recorded is not None:
            Kernel.recorded.setdefault((self, types), arguments)
        return self.dispatcher(*arguments)

    @functools.cached_property
    def dispatcher(self) -> Any:
        """The function in Numba's hands."""
        from flank.native.compiling import compiled

        return compiled(self.py_func, self.internal)

    def device_source(self, target: ForGpu) -> Callable[..., Any]:
        """What is compiled for a GPU; the same for all."""
        return self.py_func

    def _device_function(self, target: ForGpu) -> Any:
        if target not in self._device_functions:
            from flank.native.compiling import device_function

            self._device_functions[target] = device_function(self.device_source(target))
        return self._device_functions[target]

    @property
    def target_dispatcher(self) -> Any:
        """The function in the hands of Numba's compiler that asks."""
        target = gpu_target()
        return self.dispatcher if target is None else self._device_function(target)

    @property
    def _numba_type_(self) -> Any:
        """Numba asks for it where a kernel names this one."""
        from numba.core import types

        return types.Dispatcher(self.target_dispatcher)


class ChosenKernel:
    """A kernel that is chosen by the type of the first argument, when its caller is compiled.

    So the choice costs nothing at run time. To Numba this is a compiled function like any other: it
    asks for what stands below. (`numba.extending.overload` would do too, by a function in between
    that is compiled, with all that it calls, once more.)
    """

    is_compiling = False
    """Numba: whether this is a call from within, as of a function that calls itself; never."""

    def chosen(self, first: Any) -> Kernel:
        """The kernel for a first argument of this Numba type."""
        raise NotImplementedError

    def get_call_template(self, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        """Numba: how a call with arguments of these types is typed."""
        return self.chosen(args[0]).target_dispatcher.get_call_template(args, kws)

    def get_overload(self, sig: tuple[Any, ...]) -> Any:
        """Numba: the compiled code for arguments of these types."""
        return self.chosen(sig[0]).target_dispatcher.get_overload(sig)

    @property
    def _numba_type_(self) -> Any:
        from numba.core import types

        return types.Dispatcher(self)


class KernelByType(ChosenKernel):
    """Several kernels under one name, one for each type of named tuple; Python chooses likewise."""

    def __init__(self, kernels: Mapping[type, Kernel], otherwise: Kernel | None = None) -> None:
        """`otherwise` serves all types that are not named."""
        self._kernels = dict(kernels)
        self._otherwise = otherwise

    def __call__(self, first: Any, *others: Any) -> Any:
        return self._of(type(first))(first, *others)

    def chosen(self, first: Any) -> Kernel:
        return self._of(first.instance_class)

    def _of(self, kind: type) -> Kernel:
        return (
            self._kernels[kind]
            if self._otherwise is None
            else self._kernels.get(kind, self._otherwise)
        )


def kernel_target() -> str:
    """What kernels are compiled for: platform, processor, and features beyond its own if any."""
    target = built_for()
    if target:
        return target
    from flank.native import compiling

    return compiling.kernel_target()
