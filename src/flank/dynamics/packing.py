"""Rows and functions of a builder as arrays that kernels read."""

from typing import Any

import numpy as np

from flank.arrays import Floats, Integers, Rows
from flank.dynamics.functions import Function, function_value
from flank.dynamics.model import MAXIMUM_NEIGHBOURS
from flank.dynamics.tables import FUNCTION, GROUND


def rows_of(rows: list[np.void], dtype: np.dtype[Any]) -> Rows:
    """Array of rows; one empty row if there are none, so that kernels always have an array."""
    table = np.zeros(max(len(rows), 1), dtype=dtype)
    for i, row in enumerate(rows):
        if row.dtype != dtype:
            raise ValueError(
                "a contact was made before a contact kind or force law was registered; "
                "register first, then make contacts and build their model"
            )
        table[i] = row
    return table


def leaf_neighbours(
    names: list[str], core_count: int, rows: list[np.void], most: int = MAXIMUM_NEIGHBOURS
) -> Integers:
    """Core bodies that each leaf touches by contacts and springs, at most `most`."""
    leaves = len(names) - 1 - core_count
    table = np.zeros((max(leaves, 1), most), dtype=np.int64)
    for row in rows:
        low, high = sorted((int(row["body_a"]), int(row["body_b"])))
        if high <= core_count or low == GROUND:
            continue
        known = table[high - core_count - 1]
        if low in known:
            continue
        free = np.flatnonzero(known == 0)
        if len(free) == 0:
            raise ValueError(f"{names[high]!r} touches more than {most} core bodies")
        known[free[0]] = low
    return table


def pack_functions(functions: list[Function]) -> tuple[Rows, Floats]:
    table = np.zeros(max(len(functions), 1), dtype=FUNCTION)
    data = [0.0]
    for row, function in zip(table, functions, strict=False):
        row["kind"], row["offset"] = function.kind, function.offset
        row["scale"], row["duration"] = function.scale, function.duration
        row["data_start"], row["count"] = len(data), len(function.points)
        data += [number for point in function.points for number in point]
    return table, np.array(data)


def value_at(function: Function, time: float) -> tuple[float, float]:
    """Value and rate of a function of time."""
    rows, data = pack_functions([function])
    value, rate, _ = function_value(rows[0], data, time)
    return float(value), float(rate)
