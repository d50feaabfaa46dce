"""Functions of time or of an angle as data: what is typed, drawn or swept is one row for kernels.

    CONSTANT  y = offset
    LINEAR    y = offset + scale t
    RUN_UP    y = offset + scale ∫σ dt   (an angle whose speed rises smoothly to `scale`)
    RISE      y = offset + scale σ(t)    (a load that rises smoothly by `scale`)
    HARMONIC  y = offset + scale sin(2π t/T)
    TABLE     linear between points, constant outside or with a period T; its slope at a point is
              that to the right
    SPEEDS    y = offset + ∫v dt         (an angle whose speed v is linear between points)

with σ(t) = (1 - cos(π t/T))/2 up to T and one after it.

A stiffness may be such a function, of time or of the angle φ of a body. With the potential
U = k(φ) W(q) of a spring the body then feels the torque -k' W besides, so that energy is kept.
"""

import itertools
import math
from dataclasses import dataclass, field

from flank.dynamics.tables import CONSTANT, HARMONIC, LINEAR, RISE, RUN_UP, SPEEDS, TABLE
from flank.kernel import kernel


@dataclass(frozen=True)
class Function:
    """One function of time; make it with the constructors below."""

    kind: int
    offset: float = 0.0
    scale: float = 0.0
    duration: float = 0.0
    points: tuple[tuple[float, float], ...] = field(default=())

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the largest value, at any time."""
        if self.kind == TABLE:
            values = [value for _, value in self.points]
            return min(values), max(values)
        if self.kind == HARMONIC:
            return self.offset - abs(self.scale), self.offset + abs(self.scale)
        if self.scale == 0.0 or self.kind == CONSTANT:
            return self.offset, self.offset
        if self.kind == RISE:
            return min(self.offset, self.offset + self.scale), max(
                self.offset, self.offset + self.scale
            )
        return -math.inf, math.inf


@dataclass(frozen=True)
class VaryingStiffness:
    """A stiffness as a function of time, or of the angle of a body; `body` -1 means time."""

    function: Function
    body: int = -1


def over_time(function: Function) -> VaryingStiffness:
    """A stiffness in N/m or N·m/rad that follows time in s."""
    return VaryingStiffness(function)


def over_angle(function: Function, body: int) -> VaryingStiffness:
    """A stiffness in N/m or N·m/rad that follows the angle, in rad, of a body the spring is at."""
    return VaryingStiffness(function, body)


def constant(value: float) -> Function:
    """The same value at any time."""
    return Function(CONSTANT, offset=value)


def linear(rate: float, start: float = 0.0) -> Function:
    """A value that grows by `rate` in every second, from `start` at time zero."""
    return Function(LINEAR, offset=start, scale=rate)


def run_up(speed: float, duration: float, start: float = 0.0) -> Function:
    """An angle whose speed rises smoothly from zero to `speed` within `duration`."""
    return Function(RUN_UP, offset=start, scale=speed, duration=duration)


def rise(value: float, duration: float, start: float = 0.0) -> Function:
    """A value that is reached smoothly from `start` within `duration`."""
    return Function(RISE, offset=start, scale=value - start, duration=duration)


def harmonic(amplitude: float, frequency: float, middle: float = 0.0) -> Function:
    """A value that swings about `middle`, through it and rising at time zero; frequency in Hz.

    Over an angle the frequency is in cycles per radian: n a turn are n/2π.
    """
    if not frequency > 0:
        raise ValueError(f"a harmonic needs a positive frequency, not {frequency:.6g} Hz")
    return Function(HARMONIC, offset=middle, scale=amplitude, duration=1 / frequency)


def speeds(points: list[tuple[float, float]], start: float = 0.0) -> Function:
    """An angle, `start` at the first of (time, speed) points in rising time, whose speed is linear
    between them and constant outside."""
    return Function(SPEEDS, offset=start, points=_rising(points))


def _rising(points: list[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    times = [t for t, _ in points]
    if len(points) < 2 or not all(a < b for a, b in itertools.pairwise(times)):
        raise ValueError("a table needs at least two points in rising time")
    return tuple((float(t), float(y)) for t, y in points)


def table(points: list[tuple[float, float]], period: float = 0.0) -> Function:
    """Linear between (time, value) points in rising time; constant outside, or with a period.

    With a period the points are those of one, and the last leads back to the value of the first.
    """
    pairs = _rising(points)
    if period != 0.0:
        first, last = pairs[0][0], pairs[-1][0]
        if not last < first + period < math.inf:
            raise ValueError(
                f"points of a table with the period {period:.6g} must lie in one period; "
                f"these reach over {last - first:.6g}, and the first comes again by itself"
            )
        pairs = (*pairs, (first + float(period), pairs[0][1]))
    return Function(TABLE, duration=float(period), points=pairs)


@kernel(internal=True)
def stiffness_of(spring, functions, data, position, time):
    """Stiffness of a spring, and its two derivatives by the angle it follows, zero over time."""
    if spring.function < 0:
        return spring.stiffness, 0.0, 0.0
    if spring.follows < 0:
        value, _rate, _second = function_value(functions[spring.function], data, time)
        return value, 0.0, 0.0
    return function_value(functions[spring.function], data, position[spring.follows, 2])


@kernel
def function_value(function, data, time):
    """Value, first and second derivative at `time`."""
    if function.kind == CONSTANT:
        return function.offset, 0.0, 0.0
    if function.kind == LINEAR:
        return function.offset + function.scale * time, function.scale, 0.0
    if function.kind == TABLE:
        return _table_value(function, data, time)
    if function.kind == HARMONIC:
        turning = 2 * math.pi / function.duration
        swing = function.scale * math.sin(turning * time)
        speed = function.scale * turning * math.cos(turning * time)
        return function.offset + swing, speed, -turning * turning * swing
    if function.kind == SPEEDS:
        return _turned(function, data, time)
    rate = math.pi / function.duration if function.duration > 0.0 else 0.0
    if function.duration <= 0.0 or time >= function.duration:
        if function.kind == RISE:
            return function.offset + function.scale, 0.0, 0.0
        travelled = function.scale * (time - 0.5 * function.duration)
        return function.offset + travelled, function.scale, 0.0
    elapsed = max(time, 0.0)
    share = 0.5 - 0.5 * math.cos(rate * elapsed)
    slope = 0.5 * rate * math.sin(rate * elapsed)
    if function.kind == RISE:
        second = 0.5 * rate * rate * math.cos(rate * elapsed)
        return (
            function.offset + function.scale * share,
            function.scale * slope,
            function.scale * second,
        )
    integral = 0.5 * elapsed - 0.5 * math.sin(rate * elapsed) / rate
    return (
        function.offset + function.scale * integral,
        function.scale * share,
        function.scale * slope,
    )


@kernel(internal=True)
def _table_value(function, data, time):
    first = function.data_start
    last = first + 2 * (function.count - 1)
    if function.duration > 0.0:
        time -= function.duration * math.floor((time - data[first]) / function.duration)
    if time < data[first]:
        return data[first + 1], 0.0, 0.0
    if time >= data[last]:
        return data[last + 1], 0.0, 0.0
    low = 0
    high = function.count - 1
    while high - low > 1:
        middle = (low + high) // 2
        if data[first + 2 * middle] <= time:
            low = middle
        else:
            high = middle
    t0 = data[first + 2 * low]
    y0 = data[first + 2 * low + 1]
    slope = (data[first + 2 * low + 3] - y0) / (data[first + 2 * low + 2] - t0)
    return y0 + slope * (time - t0), slope, 0.0


@kernel(internal=True)
def _turned(function, data, time):
    """The angle that speeds lead to, from the first point on, with speed and acceleration."""
    first = function.data_start
    angle = function.offset
    t0 = data[first]
    v0 = data[first + 1]
    if time < t0:
        return angle + v0 * (time - t0), v0, 0.0
    for k in range(1, function.count):
        t1 = data[first + 2 * k]
        v1 = data[first + 2 * k + 1]
        if time < t1:
            slope = (v1 - v0) / (t1 - t0)
            past = time - t0
            return angle + past * (v0 + 0.5 * slope * past), v0 + slope * past, slope
        angle += 0.5 * (v0 + v1) * (t1 - t0)
        t0 = t1
        v0 = v1
    return angle + v0 * (time - t0), v0, 0.0
