"""What builders of planar and of spatial models share: bodies and functions by their numbers,
refusals, and their rows as arrays that kernels read."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from flank.arrays import Floats, Integers, Rows
from flank.dynamics.elimination import elimination_of, joined, touching
from flank.dynamics.functions import Function, function_value
from flank.dynamics.grouping import Grouping
from flank.dynamics.tables import FUNCTION, GROUND


class Topology(NamedTuple):
    """What an engine's bodies and joints are like: coordinates of a body, which of them each
    equation of a kind of joint holds, and rows that two bodies meet in besides contacts and
    springs."""

    coordinates: int
    held: tuple[tuple[int, ...], ...]
    others: Sequence[np.void] = ()


class RowsBuilder(Grouping):
    """Numbers bodies, functions and equations of joints; a leaf touches at most
    `maximum_neighbours` core bodies."""

    def __init__(self, length_scale: float, maximum_neighbours: int) -> None:
        super().__init__()
        self.length_scale = length_scale
        self.names = ["ground"]
        self._maximum_neighbours = maximum_neighbours
        self._core_count = 0
        self._equations = 0
        self._functions: list[Function] = []
        self._joints: list[np.void] = []
        self._loads: list[np.void] = []

    def function(self, function: Function) -> int:
        """Add a function of time; returns its number."""
        self._functions.append(function)
        return len(self._functions) - 1

    def _add_name(self, name: str, leaf: bool) -> int:
        """The number of a new body."""
        if not leaf:
            if self._core_count != len(self.names) - 1:
                raise ValueError(f"body {name!r} must be added before the leaf bodies")
            self._core_count += 1
        self.names.append(name)
        return len(self.names) - 1

    def _add_joint(self, row: np.void, equations: int) -> int:
        """Returns its first multiplier."""
        self._joints.append(row)
        self._equations += equations
        return int(row["first"])

    def _tables(
        self, contact: np.dtype[Any], load: np.dtype[Any], topology: Topology
    ) -> dict[str, Any]:
        """Fields of the models of both kinds."""
        functions, function_data = pack_functions(self._functions)
        neighbours = self._leaf_neighbours()
        met = [*self._contacts, *self._springs, *topology.others]
        tables = (self._joints, self._springs, self._loads, self._contacts, self._beams)
        return {
            "core_count": self._core_count,
            "constraint_count": self._equations,
            "length_scale": self.length_scale,
            "contacts": rows_of(self._contacts, contact),
            "loads": rows_of(self._loads, load),
            "functions": functions,
            "function_data": function_data,
            "elimination": elimination_of(
                topology.coordinates,
                self._core_count,
                self._equations,
                touching(neighbours, met, self._beams),
                joined(self._joints, topology.held),
            ),
            "leaf_neighbours": neighbours,
            "counts": np.array([len(rows) for rows in tables]),
        }

    def _leaf_neighbours(self) -> Integers:
        """Core bodies that each leaf touches by contacts and springs."""
        core, most = self._core_count, self._maximum_neighbours
        leaves = len(self.names) - 1 - core
        table = np.zeros((max(leaves, 1), most), dtype=np.int64)
        for row in (*self._contacts, *self._springs):
            low, high = sorted((int(row["body_a"]), int(row["body_b"])))
            if high <= core or low == GROUND:
                continue
            known = table[high - core - 1]
            if low in known:
                continue
            free = np.flatnonzero(known == 0)
            if len(free) == 0:
                raise ValueError(f"{self.names[high]!r} touches more than {most} core bodies")
            known[free[0]] = low
        return table

    def _refuse_unknown(self, *bodies: int) -> None:
        for body in bodies:
            if not 0 <= body < len(self.names):
                raise ValueError(f"there is no body number {body}; add bodies first")

    def _refuse_leaf_pair(self, a: int, b: int) -> None:
        self._refuse_unknown(a, b)
        if min(a, b) > self._core_count:
            raise ValueError("two leaf bodies cannot touch each other; make one a core body")

    def _refuse_leaf(self, a: int, b: int, carried: str = "a joint") -> None:
        if max(a, b) > self._core_count:
            raise ValueError(f"a leaf body cannot carry {carried}; add it as a core body")


def new_row(dtype: np.dtype[Any], **values: ArrayLike) -> np.void:
    """A row with these fields, the others zero."""
    row: np.void = np.zeros(1, dtype=dtype)[0]
    for name, value in values.items():
        row[name] = value
    return row


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
