"""Kernels chosen by the type of a named tuple: when compiled, from Python, and in the cache."""

import os
import subprocess
import sys

SOURCE = """
from typing import NamedTuple

import numpy as np
from numba.core import event

from flank.kernel import KernelByType, kernel


class Line(NamedTuple):
    values: np.ndarray


class Grid(NamedTuple):
    values: np.ndarray
    offset: float


@kernel
def of_line(line, factor):
    return factor * line.values[0]


@kernel
def of_grid(grid, factor):
    return factor * grid.values[0, 0] + grid.offset


measure = KernelByType({Line: of_line, Grid: of_grid})


@kernel
def total(shape, count):
    result = 0.0
    for k in range(count):
        result += measure(shape, float(k))
    return result


line, grid = Line(np.full(2, 3.0)), Grid(np.full((2, 2), 5.0), 0.5)
with event.install_recorder("numba:compile") as recorder:
    print(total(line, 3), total(grid, 3))
print(len(recorder.buffer))
print(measure(line, 2.0), measure(grid, 2.0))
"""


def test_a_second_process_compiles_nothing(tmp_path):
    (tmp_path / "shapes.py").write_text(SOURCE)
    environment = os.environ | {"FLANK_CACHE_DIR": str(tmp_path / "cache")}
    outputs = [
        subprocess.run(
            [sys.executable, "-c", "import shapes"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for _ in range(2)
    ]
    for values in outputs:
        assert [float(v) for v in values[:2]] == [9.0, 16.5]
        assert [float(v) for v in values[3:]] == [6.0, 10.5]
    assert int(outputs[0][2]) > 0
    assert int(outputs[1][2]) == 0
