"""Values on a uniform grid, read with a continuous slope."""

import math

from flank.kernel import kernel

STEEPEST = 3.0
"""A cubic between rising values rises throughout if no slope is more than this many chords."""


@kernel(internal=True)
def floor_index(x):
    """The largest whole number that is not above x, as an integer: `math.floor` is one on a
    processor only, and a float on a GPU, where it cannot be an index."""
    return int(math.floor(x))  # noqa: RUF046


@kernel(internal=True)
def table_value(data, first, count, origin, step, x):
    """Value, slope and second derivative at x of `count` values from data[first].

    Cubics with the mean chord of neighbours as slopes, held back where chords change so much that
    the cubic would undershoot: a separation that is zero on the path is never below zero. Constant
    beyond both ends.
    """
    place = (x - origin) / step
    if place <= 0.0:
        return data[first], 0.0, 0.0
    if place >= count - 1.0:
        return data[first + count - 1], 0.0, 0.0
    cell = floor_index(place)
    t = place - cell
    k = first + cell
    left = data[k]
    rise = data[k + 1] - left
    m0 = _slope(left - data[k - 1], rise) if cell > 0 else rise
    m1 = _slope(rise, data[k + 2] - data[k + 1]) if cell < count - 2 else rise
    c2 = 3.0 * rise - 2.0 * m0 - m1
    c3 = m0 + m1 - 2.0 * rise
    return (
        left + t * (m0 + t * (c2 + t * c3)),
        (m0 + t * (2.0 * c2 + 3.0 * t * c3)) / step,
        (2.0 * c2 + 6.0 * t * c3) / (step * step),
    )


@kernel(internal=True)
def _slope(before, after):
    """At a node between two chords."""
    mean = 0.5 * (before + after)
    if before * after < 0.0:
        return mean
    most = STEEPEST * min(abs(before), abs(after))
    return min(max(mean, -most), most)
