"""Foot point of a circle on a smooth closed curve: the root of one scalar equation.

    f(u) = (p - c(u)) · t(u) = 0,    f'(u) = -|c'| (1 + κ d),    d = (p - c) · n

Newton on f converges in two or three steps from the last parameter, and diverges from a poor one:
the pin-centre curve of a cycloid turns within 0.1 mm at its valleys. The sign of f always tells
downhill, so the root is kept in a bracket and every step that leaves it is halved.
"""

import math
from typing import NamedTuple

from flank.geometry.curve import curve_point
from flank.kernel import kernel

TANGENT_TOLERANCE = 1e-13
"""Leftover f in m: some units in the last place of a coordinate, so that forces which follow the
curvature at the foot point are smooth functions of the pose."""

MAXIMUM_ITERATIONS = 60


class Foot(NamedTuple):
    """The nearest point of a curve."""

    parameter: float
    distance: float  # of p, signed
    tangent_x: float
    tangent_y: float
    curvature: float
    leftover: float  # f, above TANGENT_TOLERANCE where the search did not get there


@kernel(internal=True)
def descend(curve, data, px, py, start, largest_step):
    """Nearest point that lies downhill of `start`, if it is not too far to be reached."""
    u = start
    low = -math.inf
    high = math.inf
    for _ in range(MAXIMUM_ITERATIONS):
        x, y, tx, ty, speed, curvature = curve_point(curve, data, u)
        offset = (px - x) * tx + (py - y) * ty
        across = (px - x) * ty - (py - y) * tx
        slope = speed * (1.0 + curvature * across)
        if abs(offset) < TANGENT_TOLERANCE and slope > 0.0:  # slope < 0: the top between two feet
            break
        downhill = 1.0
        if offset >= 0.0:
            low = u
        else:
            high = u
            downhill = -1.0
        step = downhill * largest_step
        if slope > 0.0 and abs(offset) < largest_step * slope:
            step = offset / slope
        if not low < u + step < high:
            step = 0.5 * (low + high) - u
        if u + step == u:
            break
        u += step
    distance = (px - x) * ty - (py - y) * tx
    stretch = 1.0 + curvature * distance
    # the foot point is still the offset away: turn the normal towards it
    turn = curvature * offset / stretch if stretch > 0.0 else 0.0
    return Foot(
        u, distance + 0.5 * turn * offset, tx - turn * ty, ty + turn * tx, curvature, offset
    )


@kernel(internal=True)
def search_samples(curve, data, px, py):
    """Nearest point of the whole curve, from its coarse samples.

    Distance along a curve is 1-Lipschitz in arc length, so a basin whose best sample is farther
    than the best of all by a sample spacing cannot hold the nearest point; the others are tried.
    """
    count = curve.sample_count
    first = curve.sample_start
    best_sample = math.inf
    for i in range(count):
        dx = data[first + 3 * i + 1] - px
        dy = data[first + 3 * i + 2] - py
        best_sample = min(best_sample, dx * dx + dy * dy)
    limit = (math.sqrt(best_sample) + curve.sample_spacing) ** 2
    best = Foot(0.0, math.inf, 1.0, 0.0, 0.0, 0.0)
    step = curve.period / count
    previous = _squared_distance(data, first + 3 * (count - 1), px, py)
    here = _squared_distance(data, first, px, py)
    for i in range(count):
        following = _squared_distance(data, first + 3 * ((i + 1) % count), px, py)
        if here <= limit and here <= previous and here <= following:
            foot = descend(curve, data, px, py, data[first + 3 * i], step)
            if abs(foot.distance) < abs(best.distance):
                best = foot
        previous = here
        here = following
    return best


@kernel(internal=True)
def _squared_distance(data, i, px, py):
    dx = data[i + 1] - px
    dy = data[i + 2] - py
    return dx * dx + dy * dy
