"""Torques over time as a setting: constant, or points with straight lines between them.

Two points at the same time are a jump. A run is cut at jumps, so that no step of the integrator
lies across one.
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator, Field

from flank.dynamics.functions import Function, constant, table
from flank.machines.quantities import NonNegativeTime, Torque
from flank.machines.spec import Spec


class TorquePoint(Spec):
    """A torque at a time."""

    time: NonNegativeTime = Field(description="the time", examples=["2 s"])
    torque: Torque = Field(description="the torque", examples=["-4 N*m"])


def _points(value: Any) -> Any:
    """`-4 N*m` and `[[0 s, -4 N*m], [2 s, 0]]` alike."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        return [{"time": 0.0, "torque": value}]
    return [
        {"time": point[0], "torque": point[1]}
        if isinstance(point, Sequence) and not isinstance(point, str) and len(point) == 2
        else point
        for point in value
    ]


Course = Annotated[tuple[TorquePoint, ...], BeforeValidator(_points)]
Courses = Mapping[str, Sequence[TorquePoint]]


def course_problems(courses: Courses) -> Iterable[str]:
    """Sentences about points out of order, each beginning with the shaft's name."""
    for name, points in courses.items():
        times = [point.time for point in points]
        if not times:
            yield f"torques.{name} has no points; give a torque, or leave it out"
        if any(a > b for a, b in itertools.pairwise(times)):
            yield f"torques.{name}: its times must not fall; two equal times are a jump"
        if any(a == b == c for a, b, c in zip(times, times[1:], times[2:], strict=False)):
            yield f"torques.{name}: three points have one time; a jump needs two"


def jumps(courses: Courses, duration: float) -> list[float]:
    """Times inside the run at which some torque jumps."""
    found = {
        a.time
        for points in courses.values()
        for a, b in itertools.pairwise(points)
        if a.time == b.time and a.torque != b.torque
    }
    return sorted(time for time in found if 0 < time < duration)


def piece(points: Sequence[TorquePoint], first: float, last: float) -> Function:
    """The torque between two times without jumps between them, time counted from the first."""
    times = [point.time for point in points]
    values = [point.torque for point in points]
    inner = [(t - first, y) for t, y in zip(times, values, strict=True) if first < t < last]
    ends = (0.0, value_after(points, first)), (last - first, _value_before(points, last))
    course = [ends[0], *inner, ends[1]]
    if all(value == course[0][1] for _, value in course):
        return constant(course[0][1])
    return table(course)


def value_after(points: Sequence[TorquePoint], time: float) -> float:
    """The torque just after a time."""
    later = next((k for k, point in enumerate(points) if point.time > time), len(points))
    return _between(points, later, time)


def _value_before(points: Sequence[TorquePoint], time: float) -> float:
    """The torque just before a time."""
    later = next((k for k, point in enumerate(points) if point.time >= time), len(points))
    return _between(points, later, time)


def _between(points: Sequence[TorquePoint], later: int, time: float) -> float:
    """Linear between the points before and at number `later`, constant outside."""
    if later in (0, len(points)):
        return points[min(later, len(points) - 1)].torque
    a, b = points[later - 1], points[later]
    return float(np.interp(time, (a.time, b.time), (a.torque, b.torque)))
