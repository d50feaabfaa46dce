"""Kernels and tuples that tests put into libraries of their own."""

from typing import NamedTuple

import numpy as np

from flank.kernel import kernel

ROW = np.dtype([("body", np.int64), ("arm", np.float64, (2,)), ("weight", np.float64)])


class Inner(NamedTuple):
    numbers: np.ndarray
    scale: float


class Outer(NamedTuple):
    grid: np.ndarray
    inner: Inner
    rows: np.ndarray
    missing: None
    doubled: bool
    offset: int


def outer(doubled=True):
    rows = np.zeros(2, ROW)
    rows["body"], rows["weight"], rows["arm"][1] = (3, 4), (0.5, 0.25), (7.0, 9.0)
    inner = Inner(np.arange(4), 0.1)
    return Outer(np.arange(6.0).reshape(2, 3), inner, rows, None, doubled, 5)


@kernel(internal=True)
def twice(x):
    return 2.0 * x


@kernel
def weigh(given, row, factor, out):
    total = 0.0
    for i in range(given.grid.shape[0]):
        for j in range(given.grid.shape[1]):
            total += given.inner.scale * given.grid[i, j] * given.inner.numbers[j + i]
    if given.missing is None:
        total += row.arm[1]
    if given.doubled:
        total = twice(total)
    out[0] = given.rows[1].weight * factor
    return total, given.offset + row.body, given.doubled


@kernel
def fill(out, value):
    for i in range(out.shape[0]):
        out[i] = value


@kernel
def count(values):
    return values.shape[0]
