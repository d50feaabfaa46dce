"""The library of compiled kernels that a wheel carries, or that `make native` has built.

Two files lie beside this one: machine code with a C interface, and an index that says which
function serves which kernel and types, and what it was built from. A library of other sources, of
another platform or of another way of calling is not used, with a sentence that says so; kernels are
then compiled by Numba. It is called through ctypes, which lets other threads run meanwhile.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import json
import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from flank.native import sources
from flank.native.arguments import flat

INTERFACE = 1
"""How functions are called: it rises with every change of what `Entry` writes or reads."""

RESULTS = 8
"""Words at the front of a call's row, where a function leaves what it returns."""

FOLDER = Path(__file__).parent / "built"
INDEX = "index.json"


class Entry:
    """One compiled function: a row of words in, results at its front."""

    def __init__(self, function: Any, results: str) -> None:
        """`results` has a letter for each: f, i or b; and a bracket in front of several."""
        self._function = function
        self._many = results.startswith("(")
        self._letters = results.lstrip("(")

    def __call__(self, numbers: list[Any]) -> Any:
        row = flat([_NO_RESULTS, *numbers])
        status, error = ctypes.c_int64(), ctypes.c_void_p()
        self._function(ctypes.byref(status), ctypes.byref(error), row.ctypes.data)
        values = [_READ[letter](row[k]) for k, letter in enumerate(self._letters)]
        if self._many:
            return tuple(values)
        return values[0] if values else None


_NO_RESULTS = np.zeros(RESULTS, np.int64)

_READ: dict[str, Callable[[np.int64], Any]] = {
    "f": lambda word: float(word.view(np.float64)),
    "i": int,
    "b": bool,
}


def key_of(kernel: str, types: str) -> str:
    """By what the index names a function: the kernel's name, and the types it is called with."""
    return f"{kernel}|{types}"


def find_entry(kernel: str, types: str) -> Entry | None:
    """The compiled function of a kernel for arguments of these types; None if there is none."""
    entries = library()
    entry = entries.get(key_of(kernel, types))
    if entry is None and entries and kernel.startswith(PACKAGE):
        _tell_once()
    return entry


PACKAGE = f"{__name__.partition('.')[0]}."


@functools.cache
def _tell_once() -> None:
    print(
        "The library of kernels does not know this kind of model; what it lacks is compiled now, "
        "and kept for later runs.",
        file=sys.stderr,
    )


@functools.cache
def library() -> dict[str, Entry]:
    """All functions of the library by kernel and types; empty where it cannot be used, or is not to
    be (FLANK_NATIVE=0)."""
    if os.environ.get("FLANK_NATIVE") == "0":
        return {}
    try:
        return opened(FOLDER)
    except Unusable as reason:
        print(f"The library of kernels is not used: {reason}.", file=sys.stderr)
        return {}


class Unusable(Exception):
    """Why a library is not used; a clause without a full stop."""


def opened(folder: Path) -> dict[str, Entry]:
    """The functions of the library in a folder; none where there is none."""
    if not (folder / INDEX).exists():
        return {}
    try:
        index = json.loads((folder / INDEX).read_text())
        file, functions = folder / index["file"], index["functions"]
        _check(index, file)
        code = ctypes.CDLL(str(file))
        return {
            key: Entry(_bound(code, symbol), results)
            for key, (symbol, results) in functions.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise Unusable(f"{folder} is damaged ({error}); `make native` builds it anew") from None


def _bound(code: ctypes.CDLL, symbol: str) -> Any:
    function = getattr(code, symbol)
    function.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
    function.restype = ctypes.c_int
    return function


def _check(index: dict[str, Any], file: Path) -> None:
    here = {"interface": INTERFACE, "platform": platform_name()}
    for what, expected in here.items():
        if index[what] != expected:
            raise Unusable(
                f"it was built for the {what} {index[what]}, this is {expected}; kernels are "
                "compiled as they are needed"
            )
    if hashlib.sha256(file.read_bytes()).hexdigest() != index["digest"]:
        raise Unusable(f"{file.name} is damaged; kernels are compiled as they are needed")
    if index["bytes"] != sources.BYTES_HASH and index["syntax"] != sources.syntax_hash():
        raise Unusable(
            "sources of kernels were edited since it was built; kernels are compiled as they are "
            "needed, and `make native` builds it anew"
        )


@functools.cache
def built_for() -> str:
    """What the library in use was compiled for; empty if none is used."""
    if not library():
        return ""
    target: str = json.loads((FOLDER / INDEX).read_text())["target"]
    return target


def platform_name() -> str:
    return f"{sys.platform}-{platform.machine()}".lower()
