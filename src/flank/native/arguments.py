"""Arguments of a kernel as numbers in a row, and their types as a word.

An array becomes its address and shape, a record its address, a number itself; a named tuple becomes
its members. What is None, and what type each array has, stands in the word only: it chooses the
compiled function.
"""

from __future__ import annotations

import functools
import hashlib
import threading
from typing import Any

import numpy as np

from flank.arrays import Integers

MOST_KEPT, LARGEST_KEPT = 32, 1 << 22
"""Named tuples whose numbers are remembered, and bytes of the arrays in the largest of them.
Models, states and scratch arrays are small and come with every call; records of a long run are not
held."""

UNKNOWN = "?"
"""In a word: an argument that no library serves. Numba will say what it makes of it."""

_kept: dict[int, tuple[tuple[Any, ...], str, Integers]] = {}
_keeping = threading.Lock()


def described(arguments: tuple[Any, ...]) -> tuple[str, list[Any]]:
    """The types in a word, and the numbers: int, float, or an array of several."""
    words: list[str] = []
    numbers: list[Any] = []
    for value in arguments:
        _add(value, words, numbers)
    return ",".join(words), numbers


def _add(value: Any, words: list[str], numbers: list[Any]) -> None:
    kind = type(value)
    if kind is float or kind is np.float64:
        words.append("f")
        numbers.append(float(value))
    elif kind is bool or kind is np.bool_:
        words.append("b")
        numbers.append(int(value))
    elif isinstance(value, (int, np.integer)):
        words.append("i")
        numbers.append(int(value))
    elif kind is np.ndarray:
        words.append(_array_word(value))
        numbers.append(value.ctypes.data)
        numbers.extend(value.shape)
    elif value is None:
        words.append("n")
    elif isinstance(value, np.void):
        words.append("r" + dtype_word(value.dtype))
        numbers.append(np.asarray(value).ctypes.data)
    elif isinstance(value, tuple):
        word, row = _tuple(value)
        words.append(word)
        numbers.append(row)
    else:
        words.append(f"{UNKNOWN}{kind.__name__}")


def _tuple(value: tuple[Any, ...]) -> tuple[str, Integers]:
    kept = _kept.get(id(value))
    if kept is not None and kept[0] is value:
        return kept[1], kept[2]
    words: list[str] = []
    numbers: list[Any] = []
    for member in value:
        _add(member, words, numbers)
    word = f"{type(value).__name__}({','.join(words)})"
    row = flat(numbers)
    if _size(value) < LARGEST_KEPT:
        with _keeping:
            if len(_kept) >= MOST_KEPT:
                del _kept[next(iter(_kept))]
            _kept[id(value)] = (value, word, row)
    return word, row


def _size(value: tuple[Any, ...]) -> int:
    return sum(getattr(member, "nbytes", 0) for member in value)


def flat(numbers: list[Any]) -> Integers:
    """All numbers as 64-bit words; a float keeps its bits."""
    row = np.empty(sum(n.size if isinstance(n, np.ndarray) else 1 for n in numbers), np.int64)
    place = 0
    for number in numbers:
        if isinstance(number, np.ndarray):
            row[place : place + number.size] = number
            place += number.size
        else:
            (row.view(np.float64) if isinstance(number, float) else row)[place] = number
            place += 1
    return row


def _array_word(value: Any) -> str:
    usable = value.flags.c_contiguous and value.flags.writeable and value.flags.aligned
    return f"{dtype_word(value.dtype)}{value.ndim}{'' if usable else UNKNOWN}"


_dtype_words: dict[int, tuple[np.dtype[Any], str]] = {}


def dtype_word(dtype: np.dtype[Any]) -> str:
    """A short name of a type of entries, equal for equal layouts; found by the object, as the hash
    of a structured type takes longer than a whole call."""
    known = _dtype_words.get(id(dtype))
    if known is None or known[0] is not dtype:
        known = _dtype_words[id(dtype)] = (dtype, _layout(dtype))
    return known[1]


@functools.lru_cache(maxsize=1024)
def _layout(dtype: np.dtype[Any]) -> str:
    if dtype.subdtype is not None:
        inner, shape = dtype.subdtype
        return f"{dtype_word(inner)}{shape}"
    if dtype.fields is None:
        return dtype.str
    layout = [(name, dtype_word(inner), offset) for name, (inner, offset, *_) in _fields(dtype)]
    return hashlib.sha256(repr((layout, dtype.itemsize)).encode()).hexdigest()[:12]


def _fields(dtype: np.dtype[Any]) -> list[tuple[str, Any]]:
    return list((dtype.fields or {}).items())
