"""Values on a uniform grid, read with a continuous slope."""

import math

from flank.kernel import kernel


@kernel(internal=True)
def table_value(data, first, count, origin, step, x):
    """Value, slope and second derivative at x of `count` values from data[first].

    Cubics with the chords of neighbours as slopes, but level beside a flat piece, which so stays
    flat and is not undershot: a separation is never below zero. Constant beyond both ends.
    """
    place = (x - origin) / step
    if place <= 0.0:
        return data[first], 0.0, 0.0
    if place >= count - 1.0:
        return data[first + count - 1], 0.0, 0.0
    cell = math.floor(place)
    t = place - cell
    k = first + cell
    left = data[k]
    right = data[k + 1]
    before = data[k - 1] if cell > 0 else 2.0 * left - right
    after = data[k + 2] if cell < count - 2 else 2.0 * right - left
    rise = right - left
    m0 = 0.0 if rise == 0.0 or before == left else 0.5 * (right - before)
    m1 = 0.0 if rise == 0.0 or after == right else 0.5 * (after - left)
    c2 = 3.0 * rise - 2.0 * m0 - m1
    c3 = m0 + m1 - 2.0 * rise
    return (
        left + t * (m0 + t * (c2 + t * c3)),
        (m0 + t * (2.0 * c2 + 3.0 * t * c3)) / step,
        (2.0 * c2 + 6.0 * t * c3) / (step * step),
    )
