"""What a thread of a GPU does with a sample once its machine is made: a path of equilibria, or a
run in time.

A walk is what all samples are told, with the Python text of one sample, in which

    model, state, work, passed     are those of the sample's place
    told, reading                  are the walk itself, and where the sample is read

and which leaves a `result` whose first number is a status.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from flank.arrays import Floats, Rows
from flank.dynamics.continuation import NoContinuation
from flank.dynamics.march import MarchSettings, march
from flank.dynamics.model import Model, Record
from flank.dynamics.poses import record_of, state_at
from flank.dynamics.static_path import Course, equilibria
from flank.dynamics.static_path import _read as read
from flank.dynamics.statics import StaticTolerances, new_search
from flank.dynamics.status import OK


class Walk(Protocol):
    """Arrays and numbers that the text finds in `told`, besides what this names."""

    @property
    def rows(self) -> int:
        """Times at which a sample is read."""

    @property
    def alone(self) -> bool:
        """Whether a thread goes by itself, as the kernels of its text share nothing out."""

    @property
    def before(self) -> str:
        """Text before the first sample."""

    @property
    def text(self) -> str:
        """Of one sample."""

    @property
    def names(self) -> Mapping[str, Any]:
        """That the text needs."""


class AlongEquilibria(NamedTuple):
    """A static path, without continuation."""

    course: Course
    tolerances: StaticTolerances
    not_begun: Rows  # a search, one row

    @property
    def rows(self) -> int:
        return len(self.course.times)

    @property
    def alone(self) -> bool:
        return False

    @property
    def before(self) -> str:
        return "searches = cuda.local.array(1, search_type)"

    @property
    def text(self) -> str:
        return """searches[0] = told.not_begun[0]
        result = equilibria(
            model, state, told.course, 0, told.course.times.shape[0], told.tolerances, work,
            searches, passed, reading, NoContinuation()
        )"""

    @property
    def names(self) -> Mapping[str, Any]:
        search = self.not_begun.dtype
        return {
            "equilibria": equilibria,
            "NoContinuation": NoContinuation,
            "search_type": search,
        }


def along_equilibria(course: Course, tolerances: StaticTolerances) -> AlongEquilibria:
    return AlongEquilibria(course, tolerances, new_search())


class InTime(NamedTuple):
    """A run in time, from rest, read every `stride` intervals of its times."""

    times: Floats
    stride: int
    first_step: float  # s
    settings: MarchSettings
    nowhere: Record  # what whole states would be recorded in; nothing is

    @property
    def rows(self) -> int:
        return (len(self.times) - 1) // self.stride + 1

    @property
    def alone(self) -> bool:
        return True

    @property
    def before(self) -> str:
        return """step = cuda.local.array(2, float64)
    counters = cuda.local.array(4, int64)"""

    @property
    def text(self) -> str:
        return """step[0] = told.first_step
        step[1] = 0.0
        for k in range(4):
            counters[k] = 0
        result = march(
            model, state, told.times[:1], told.stride + 1, told.settings, step, work, counters,
            told.nowhere
        )
        row = 0
        while result[0] == OK:
            read(reading, state, row)
            first = row * told.stride
            if first + 1 >= told.times.shape[0]:
                break
            result = march(
                model, state, told.times[first : first + told.stride + 1], told.stride + 1,
                told.settings, step, work, counters, told.nowhere
            )
            row += 1"""

    @property
    def names(self) -> Mapping[str, Any]:
        return {"march": march, "read": read, "OK": int(OK)}


def in_time(
    model: Model, start: Floats, times: Floats, stride: int, settings: MarchSettings
) -> InTime:
    first_step = min(settings.longest_step, float(times[-1]) / (len(times) - 1))
    nowhere = record_of(state_at(model, start), 1)
    assert isinstance(nowhere, Record)
    return InTime(times, stride, first_step, settings, nowhere)
