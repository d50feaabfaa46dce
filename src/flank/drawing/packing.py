"""Arrays as JSON: little-endian numbers in base64, with their shape.

    {"type": "float32", "shape": [n, 2], "data": "..."}

Whole numbers in equal steps take less room: the value is `offset + step * number`.
"""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

Packed = dict[str, Any]

STEPS = 65534
"""Between the least and the largest value of an array in 16 bits; the number after them is nan."""


def exact(values: ArrayLike) -> Packed:
    """Single precision."""
    return _packed(np.asarray(values, dtype="<f4"))


def numbers(values: ArrayLike) -> Packed:
    """Whole numbers from zero."""
    array = np.asarray(values)
    return _packed(array.astype("<u2" if array.max(initial=0) < 2**16 else "<u4"))


def stepped(values: ArrayLike) -> Packed:
    """In 16 bits, to 1/131068 of the range of the values."""
    array = np.asarray(values, dtype=float)
    known = array[np.isfinite(array)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    step = (high - low) / STEPS or 1.0
    steps = np.where(np.isfinite(array), np.round((np.nan_to_num(array) - low) / step), STEPS + 1)
    return _packed(steps.astype("<u2")) | {"offset": low, "step": step}


def unpacked(packed: Packed) -> Any:
    """The array again, as the browser reads it."""
    types = {"float32": "<f4", "uint16": "<u2", "uint32": "<u4"}
    raw = np.frombuffer(base64.b64decode(packed["data"]), types[packed["type"]])
    array = raw.reshape(packed["shape"])
    if "step" not in packed:
        return array
    values = packed["offset"] + packed["step"] * array
    return np.where(array == STEPS + 1, np.nan, values)


def _packed(array: Any) -> Packed:
    return {
        "type": array.dtype.newbyteorder("=").name,
        "shape": list(array.shape),
        "data": base64.b64encode(array.tobytes()).decode("ascii"),
    }
