"""At which times of a path the next equilibrium is looked for on the secant of the last two; why
it is looked for there stands in static_path.py."""

import numpy as np

from flank.arrays import Flags, Floats
from flank.dynamics.poses import AnyModel
from flank.dynamics.tables import RISE, RUN_UP, SPEEDS, TABLE

LONGEST = 2.0
"""Times the step before: further a secant is not trusted."""

AT_A_POINT = 1e-9
"""Of a step: a time that close to the point of a table is the point."""


def bends(model: AnyModel, first: float, last: float) -> Floats:
    """Times between two at which some function of the model is not smooth, and some more: functions
    of an angle count as if they were of time."""
    points: list[Floats] = [np.zeros(0)]
    for function in model.functions:
        if function["kind"] in (RISE, RUN_UP):
            points.append(np.array([0.0, function["duration"]]))
        if function["kind"] in (TABLE, SPEEDS):
            data = model.function_data[function["data_start"] :][: 2 * function["count"] : 2]
            period = function["duration"]
            begins = np.zeros(1)
            if period > 0.0:
                turns = np.floor((np.array([first, last]) - data[0]) / period)
                begins = period * np.arange(turns[0], turns[1] + 1)
            points.append((begins[:, None] + data).ravel())
    return np.unique(np.concatenate(points))


def smooth_steps(times: Floats, points: Floats) -> Flags:
    """Whether all is smooth from two times before each one up to it; not at the first two."""
    smooth = np.zeros(len(times), dtype=bool)
    for number in range(2, len(times)):
        first, middle, last = times[number - 2 : number + 1]
        margin = AT_A_POINT * min(middle - first, last - middle)
        inside = (points > first + margin) & (points < last - margin)
        near = last - middle <= LONGEST * (middle - first)
        smooth[number] = near and margin > 0.0 and not np.any(inside)
    return smooth
