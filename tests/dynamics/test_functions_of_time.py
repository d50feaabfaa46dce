"""Functions of time: values in closed form, derivatives against differences, refusals."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from flank.dynamics.builder import ModelBuilder
from flank.dynamics.functions import (
    constant,
    function_value,
    harmonic,
    linear,
    rise,
    run_up,
    speeds,
    table,
)

numbers = st.floats(-50, 50)
durations = st.floats(0.1, 5)
times = st.floats(-1, 10)
compiling = settings(deadline=None)  # the first call may compile


def evaluate(function, time):
    b = ModelBuilder(1.0)
    b.body("body", 1.0, 1.0)
    b.function(constant(99.0))  # so that the data of the second does not start at zero
    b.function(table([(0.0, 5.0), (1.0, 6.0)]))
    row = b.function(function)
    model = b.build()
    return function_value(model.functions[row], model.function_data, time)


@given(value=numbers, rate=numbers, time=times)
@compiling
def test_constant_and_linear(value, rate, time):
    assert evaluate(constant(value), time) == (value, 0.0, 0.0)
    assert evaluate(linear(rate, value), time) == (value + rate * time, rate, 0.0)


@given(speed=numbers, duration=durations, start=numbers)
@compiling
def test_run_up_ends_at_speed_half_a_duration_late(speed, duration, start):
    """∫σ dt over the rise is T/2; afterwards the angle grows with the full speed."""
    assert evaluate(run_up(speed, duration, start), 0.0) == (start, 0.0, 0.0)
    at_end = evaluate(run_up(speed, duration, start), duration)
    assert at_end == pytest.approx((start + 0.5 * speed * duration, speed, 0.0), abs=1e-12)
    later = evaluate(run_up(speed, duration, start), duration + 2.0)
    assert later[0] - at_end[0] == pytest.approx(2.0 * speed, abs=1e-11)


@given(value=numbers, duration=durations, share=st.floats(0, 1))
@compiling
def test_rise_is_a_raised_cosine(value, duration, share):
    expected = value * (1 - np.cos(np.pi * share)) / 2
    assert evaluate(rise(value, duration), share * duration)[0] == pytest.approx(
        expected, abs=1e-12
    )
    assert evaluate(rise(value, duration), duration + 1.0) == (value, 0.0, 0.0)


@pytest.mark.parametrize("function", [run_up(7.0, 0.0, 1.0), rise(7.0, 0.0)])
def test_without_duration_the_rise_is_immediate(function):
    value, rate, _ = evaluate(function, 2.0)
    assert (value, rate) in [(15.0, 7.0), (7.0, 0.0)]


@given(value=numbers, start=numbers, duration=durations)
@compiling
def test_rise_from_another_value(value, start, duration):
    assert evaluate(rise(value, duration, start), 0.0) == (start, 0.0, pytest.approx(
        0.5 * (value - start) * (np.pi / duration) ** 2
    ))  # fmt: skip
    middle = evaluate(rise(value, duration, start), 0.5 * duration)[0]
    assert middle == pytest.approx(0.5 * (value + start), abs=1e-12)
    assert evaluate(rise(value, duration, start), duration)[0] == pytest.approx(value, abs=1e-12)


@given(amplitude=numbers, frequency=st.floats(0.1, 30), middle=numbers, time=times)
@compiling
def test_harmonic_swings_about_its_middle(amplitude, frequency, middle, time):
    angle, turning = 2 * np.pi * frequency * time, 2 * np.pi * frequency
    value, rate, second = evaluate(harmonic(amplitude, frequency, middle), time)
    assert value == pytest.approx(middle + amplitude * np.sin(angle), abs=1e-9)
    assert rate == pytest.approx(turning * amplitude * np.cos(angle), abs=1e-7)
    assert second == pytest.approx(-(turning**2) * amplitude * np.sin(angle), abs=1e-4)


@pytest.mark.parametrize("frequency", [0.0, -3.0, float("nan")])
def test_harmonic_needs_a_frequency(frequency):
    with pytest.raises(ValueError, match="positive frequency"):
        harmonic(1.0, frequency)


@given(duration=durations, time=st.floats(0.01, 8), kind=st.sampled_from([run_up, rise]))
@compiling
def test_derivatives_match_differences(duration, time, kind):
    eps = 1e-5
    assume(abs(time - duration) > 2 * eps and time > 2 * eps)
    function = kind(3.0, duration)
    before, here, after = (evaluate(function, time + s * eps) for s in (-1, 0, 1))
    assert here[1] == pytest.approx((after[0] - before[0]) / (2 * eps), abs=2e-6)
    assert here[2] == pytest.approx((after[1] - before[1]) / (2 * eps), abs=1e-4)


@given(
    st.lists(st.tuples(st.floats(0.01, 3), numbers), min_size=2, max_size=9),
    st.floats(-5, 5),
    st.floats(-0.2, 1.2),
)
@compiling
def test_table_is_numpys_interpolation(steps, start, share):
    knots = start + np.cumsum([gap for gap, _ in steps])
    values = np.array([value for _, value in steps])
    time = knots[0] + share * (knots[-1] - knots[0])
    value, rate, second = evaluate(table(list(zip(knots, values, strict=True))), time)
    assert value == pytest.approx(np.interp(time, knots, values), abs=1e-11)
    assert second == 0.0
    if not knots[0] <= time < knots[-1]:
        assert rate == 0.0
    else:
        k = np.searchsorted(knots, time, side="right") - 1
        assert rate == pytest.approx(np.diff(values)[k] / np.diff(knots)[k], rel=1e-12)


def test_table_moves_off_at_its_first_point():
    """The slope at a point is the one to its right: a drive that starts there has its speed."""
    ramp = table([(0.0, 1.0), (2.0, 5.0)])
    assert evaluate(ramp, 0.0) == (1.0, 2.0, 0.0)
    assert evaluate(ramp, 2.0) == (5.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "points",
    [
        [],
        [(0.0, 1.0)],
        [(0.0, 1.0), (0.0, 2.0)],
        [(1.0, 1.0), (0.0, 2.0)],
        [(0.0, 1.0), (float("nan"), 2.0), (2.0, 1.0)],
    ],
    ids=["empty", "one", "twice", "falling", "nan"],
)
def test_table_out_of_order_is_refused(points):
    with pytest.raises(ValueError, match="at least two points in rising time"):
        table(points)


def test_speeds_are_integrated_between_points_and_go_on_outside():
    angle = speeds([(1.0, 2.0), (3.0, 6.0), (4.0, 6.0)], start=0.5)
    for time, expected in (
        (0.0, (0.5 - 2.0, 2.0, 0.0)),
        (1.0, (0.5, 2.0, 2.0)),
        (2.0, (0.5 + 3.0, 4.0, 2.0)),
        (3.0, (0.5 + 8.0, 6.0, 0.0)),
        (6.0, (0.5 + 26.0, 6.0, 0.0)),
    ):
        assert evaluate(angle, time) == pytest.approx(expected)
    with pytest.raises(ValueError, match="two points in rising time"):
        speeds([(1.0, 2.0), (1.0, 3.0)])
