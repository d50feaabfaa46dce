"""Settings that several analyses share: modes, lists of values, torques over time.

A torque over time is constant, or points with straight lines between them, two at the same time of
which are a jump; a file or a function becomes points (`analyses.courses`). A run is cut at jumps,
so that no step of the integrator lies across one.
"""

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
from pydantic import BeforeValidator, Field, WrapValidator
from pydantic.functional_validators import ModelWrapValidatorHandler as Handler

from flank import units
from flank.analyses.courses import described_points
from flank.analyses.loop import FIT_FROM, FIT_TO, fit_torques
from flank.arrays import Floats
from flank.dynamics.functions import Function, constant, table
from flank.errors import SpecError
from flank.machines.fields import metadata
from flank.machines.quantities import (
    Angle,
    AngularSpeed,
    NonNegativeTime,
    Quantity,
    Torque,
    WholeNumber,
    quantity,
)
from flank.machines.spec import Spec, WrittenTuple, key

FitFrom = Annotated[float, quantity("", "", minimum=0.0, maximum=0.95)]
FitTo = Annotated[float, quantity("", "", positive=True, maximum=10.0)]

LoadTorque = Annotated[
    Torque | None,
    Field(description="the output torque; the operating point's if absent", examples=["200 N*m"]),
]
PeakTorque = Annotated[
    Torque | None,
    Field(description="the peak torque; the rated one if absent", examples=["412 N*m"]),
]
InputAngle = Annotated[Angle, Field(description="the angle of the input", examples=["30 deg"])]
LockedAngle = Annotated[Angle, Field(description="where the input is locked", examples=["30 deg"])]

MOST_VALUES = 1000
_KEYS = ("from", "to", "points")


class FitSettings(Spec):
    """Over which torques K_T is read off a loop."""

    fit_from: FitFrom = key(
        "share of the rated torque where the fit of K_T begins", default=FIT_FROM
    )
    fit_to: FitTo = key(
        "share of the rated torque where it ends, or at the loop's peak if that is less",
        default=FIT_TO,
    )

    def cross_checks(self) -> Iterable[str]:
        yield from super().cross_checks()
        if self.fit_from >= self.fit_to:
            yield (
                f"fit_from is {self.fit_from:g} and fit_to {self.fit_to:g}; the fit of K_T must "
                "begin below its end, for example at 0.5 and 1"
            )

    def check_fit(self, peak: float, rated: float) -> None:
        """SpecError where a loop that small has no torque to fit to."""
        if fit_torques(self.fit_from, self.fit_to, peak, rated) is None:
            raise SpecError(
                f"torque is {peak:.4g} N*m, and K_T is read from {self.fit_from:.0%} of the rated "
                f"torque on, which is {self.fit_from * rated:.4g} N*m; use a larger torque or a "
                "smaller fit_from"
            )


class ModeSettings(Spec):
    """Settings with a mode; what the chosen one does not use may not be set and is not shown."""

    mode: str

    ONLY: ClassVar[dict[str, tuple[str, ...]]]
    """By mode, keys that it alone uses."""

    @property
    def _unused(self) -> dict[str, str]:
        """Keys that the chosen mode does not use, and the mode that does."""
        return {
            name: mode for mode, names in self.ONLY.items() if mode != self.mode for name in names
        }

    def cross_checks(self) -> Iterable[str]:
        for name, mode in self._unused.items():
            if getattr(self, name) != type(self).model_fields[name].default:
                yield f"{name} does nothing in {self.mode} mode; set mode to '{mode}'"

    def to_mapping(self, units: bool = True) -> dict[str, Any]:
        data = super().to_mapping(units)
        return {name: value for name, value in data.items() if name not in self._unused}


class StaticOrDynamic(ModeSettings):
    """Settings of what is asked in equilibria or in time."""

    mode: Literal["static", "dynamic"] = key("equilibria, or a run in time", default="static")


@dataclass(frozen=True)
class _Spread:
    """Turns what was given into a list of values measured in `unit`."""

    unit: str

    def __call__(self, given: Any) -> Any:
        if given == []:  # an empty tuple is what a setting that was left out has
            raise ValueError("nothing is given; give one value or more, or leave it out")
        if not isinstance(given, Mapping):
            return given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
        if set(given) != set(_KEYS):
            raise ValueError(
                f"a range with the keys {', '.join(map(str, given))} is given; it has from, to and "
                "points, as in {from: 0, to: 1, points: 5}"
            )
        first, last = (units.parse(given[key], self.unit) for key in ("from", "to"))
        points = WholeNumber(minimum=2, maximum=MOST_VALUES).parse(given["points"])
        return np.linspace(first, last, points).tolist()


def spread(unit: str) -> Callable[[Any], Any]:
    """Makes a list of a value, a list, or {from: , to: , points: }."""
    return _Spread(unit)


def value_list(unit: str) -> BeforeValidator:
    """Lets a tuple of quantities be written as a value, a list, or {from: , to: , points: }."""
    return BeforeValidator(_Spread(unit))


class TorquePoint(Spec):
    """A torque at a time."""

    time: NonNegativeTime = key("the time", "2 s")
    torque: Torque = key("the torque", "-4 N*m")


class SpeedPoint(Spec):
    """A speed at a time."""

    time: NonNegativeTime = key("the time", "2 s")
    speed: AngularSpeed = key("the speed", "1500 rpm")


@dataclass(frozen=True)
class _Points:
    """Takes `-4 N*m`, `[[0 s, -4 N*m], [2 s, 0]]`, a file and a function alike."""

    point: type[Spec]

    def __call__(self, value: Any, handler: Handler[tuple[Spec, ...]]) -> tuple[Spec, ...]:
        time, name = self.point.model_fields
        if isinstance(value, Mapping):
            measure = metadata(self.point.model_fields[name], Quantity)
            assert measure is not None
            pairs = described_points(value, measure)
            points = handler([{time: t, name: y} for t, y in pairs])
            return WrittenTuple(points, dict(value))
        if not isinstance(value, Sequence) or isinstance(value, str):
            return handler([{time: 0.0, name: value}])
        return handler(
            [
                {time: point[0], name: point[1]}
                if isinstance(point, Sequence) and not isinstance(point, str) and len(point) == 2
                else point
                for point in value
            ]
        )


def points_of(point: type[Spec]) -> WrapValidator:
    """Lets a tuple of points, each a time and a quantity, be written as a value, as pairs, as a
    file or as a function."""
    return WrapValidator(_Points(point))


TorqueCurve = Annotated[tuple[TorquePoint, ...], points_of(TorquePoint)]
SpeedCurve = Annotated[tuple[SpeedPoint, ...], points_of(SpeedPoint)]
TorqueCurves = Mapping[str, Sequence[TorquePoint]]


def torque_curve_problems(curves: TorqueCurves) -> Iterable[str]:
    """Sentences about points out of order, each beginning with the shaft's name."""
    for name, points in curves.items():
        yield from curve_problems(f"torques.{name}", points)


def curve_problems(name: str, points: Sequence[TorquePoint]) -> Iterable[str]:
    """Sentences about points of one torque out of order."""
    times = [point.time for point in points]
    if not times:
        yield f"{name} has no points; give a torque, or leave it out"
    if any(a > b for a, b in itertools.pairwise(times)):
        yield f"{name}: its times must not fall; two equal times are a jump"
    if any(a == b == c for a, b, c in zip(times, times[1:], times[2:], strict=False)):
        yield f"{name}: three points have one time; a jump needs two"


def too_many_steps(duration: float, step: float, most: float) -> Iterable[str]:
    """A sentence if a run would take more steps than anyone waits for."""
    if duration / step > most:
        yield (
            f"duration: {duration:.4g} s would take {duration / step:.2g} steps of {step:.3g} s; "
            f"{most:.0e} are allowed, so use at most {most * step:.3g} s, or a longer step"
        )


def jumps(curves: TorqueCurves, duration: float) -> list[float]:
    """Times inside the run at which some torque jumps."""
    times = {
        a.time
        for points in curves.values()
        for a, b in itertools.pairwise(points)
        if a.time == b.time and a.torque != b.torque
    }
    return sorted(time for time in times if 0 < time < duration)


def torque_between(points: Sequence[TorquePoint], first: float, last: float) -> Function:
    """The torque between two times without jumps between them, time counted from the first."""
    times = [point.time for point in points]
    values = [point.torque for point in points]
    inner = [(t - first, y) for t, y in zip(times, values, strict=True) if first < t < last]
    ends = (0.0, value_after(points, first)), (last - first, _value_before(points, last))
    curve = [ends[0], *inner, ends[1]]
    if all(value == curve[0][1] for _, value in curve):
        return constant(curve[0][1])
    return table(curve)


def torques_at(points: Sequence[TorquePoint], times: Floats) -> Floats:
    """At many times; just after a jump, where one is met."""
    marks, values = (
        np.array([getattr(point, name) for point in points]) for name in ("time", "torque")
    )
    later = np.searchsorted(marks, times, side="right")
    a, b = np.clip(later - 1, 0, None), np.clip(later, None, len(marks) - 1)
    length = np.where(marks[b] > marks[a], marks[b] - marks[a], 1.0)
    share = np.clip((times - marks[a]) / length, 0.0, 1.0)
    return np.asarray(values[a] + (values[b] - values[a]) * np.where(a == b, 0.0, share))


def value_after(points: Sequence[TorquePoint], time: float) -> float:
    """The torque just after a time."""
    return _between(points, bisect_right(points, time, key=lambda point: point.time), time)


def _value_before(points: Sequence[TorquePoint], time: float) -> float:
    """The torque just before a time."""
    return _between(points, bisect_left(points, time, key=lambda point: point.time), time)


def _between(points: Sequence[TorquePoint], later: int, time: float) -> float:
    """Linear between the points before and at number `later`, constant outside."""
    if later in (0, len(points)):
        return points[min(later, len(points) - 1)].torque
    a, b = points[later - 1], points[later]
    return float(np.interp(time, (a.time, b.time), (a.torque, b.torque)))
