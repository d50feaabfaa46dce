"""The processor in place of a GPU: the text that a GPU's threads run, one thread after the other.

Arrays lie as the processor's kernels want them, each sample in one piece, so that the library has
them compiled; on a GPU samples lie side by side.
"""

from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
from numpy.lib.stride_tricks import as_strided

from flank.dynamics.continuation import new_continuation
from flank.dynamics.poses import record_of
from flank.dynamics.static_path import equilibria
from flank.dynamics.statics import SEARCHING
from flank.team import LARGEST_TEAM

ANY = 10**6
"""Samples of an array that is there once."""


def equilibria_of_library(model, state, course, first, last, *how):
    """The kernel as the library has it, which goes on by continuation and records whole states;
    what a GPU's threads read is read of these. By night it is compiled as a GPU has it."""
    *how, readings, _ = how
    record, continuation = record_of(state, len(course.times)), new_continuation(model, state)
    result = SEARCHING, first
    while result[0] == SEARCHING:
        result = equilibria(model, state, course, result[1], last, *how, record, continuation)
    for row in range(first, result[1]):
        read_in_python(readings, at_row(record, row), row)
    return result


def at_row(record, row):
    return SimpleNamespace(
        position=record.position[row], contact_results=record.contact_results[row]
    )


def read_in_python(readings, state, row):
    """What the kernel of this name reads, which Python cannot call."""
    body, reference = readings.bodies
    readings.angle[row] = state.position[body, 2] - state.position[reference, 2]
    contacts = state.contact_results
    force = contacts["normal_force"]
    readings.friction_work[row] = contacts["friction_work"].sum()
    for largest, now in (
        (readings.largest_force, force),
        (readings.largest_load, force * contacts["curvature"]),
    ):
        np.maximum(largest, now, out=largest)


class PretendedGpu:
    """Of so many bytes; `batches` are the samples of each launch."""

    largest_team = 1

    def __init__(self, size=10**9, places=5):
        self.size, self._places, self.batches, self._thread = size, places, [], 0
        array = SimpleNamespace(array=lambda shape, dtype: np.zeros(shape, dtype))
        cuda = SimpleNamespace(grid=lambda _: self._thread, local=array, shared=array)
        self.names = {"cuda": cuda, "float64": np.float64, "int64": np.int64}

    def using(self, target):
        return nullcontext()

    def places(self, team):
        return self._places

    def free_bytes(self):
        return self.size

    def zeros(self, shape, dtype, axis=0):
        """Of a place all lies together, as the library wants it; an empty array is there once."""
        rest = [length for k, length in enumerate(shape) if k != axis]
        made = np.zeros([shape[axis], *rest], dtype)
        if shape[axis] == 1:
            made = as_strided(made, [ANY, *rest], (0, *made.strides[1:]))
        return np.moveaxis(made, 0, axis)

    def sent(self, array):
        return np.array(array)

    def fetched(self, array):
        return np.array(array)

    def as_rows(self, words, rows):
        samples = np.moveaxis(words, 1, 0)
        return samples.view(rows.dtype).reshape(samples.shape[:2]).T

    def of_shape(self, shape, itemsize):
        return lambda array: array

    def compiled(self, text, names):
        exec(text, names)
        return names["walk"]

    def start(self, kernel, team, places, *arguments):
        self.batches.append(len(arguments[11]))
        for self._thread in range(places):
            kernel(*arguments)


class RecordingGpu(PretendedGpu):
    """Computes nothing: `started` is what a GPU would be given, in the order of its memory."""

    largest_team = LARGEST_TEAM

    def __init__(self, names):
        super().__init__()
        self.names, self.started = names, {}

    def zeros(self, shape, dtype, axis=0):
        return np.zeros(shape, dtype)

    def as_rows(self, words, rows):
        return words.view(rows.dtype).reshape(words.shape[:2])

    def start(self, kernel, team, places, *arguments):
        self.started[kernel.__name__] = kernel, arguments
