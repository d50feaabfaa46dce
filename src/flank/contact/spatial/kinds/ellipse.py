"""A straight track, its section an ellipse about the origin; all of it, or one flank."""

import math

import numpy as np
from numpy.typing import ArrayLike

from flank.contact.declare import Field
from flank.contact.spatial.kinds.arc import SIDE, refuse_side, to_end
from flank.contact.spatial.surface import CENTRE, SpatialSurface, spatial_row
from flank.contact.spatial.table import Distance, DistanceField
from flank.kernel import kernel

CLOSE = 1e-8
"""A Newton step in rad after which the next one would be below round-off."""

MOST_STEPS = 60
"""Enough to halve a quarter turn down to round-off."""


@kernel(internal=True)
def _distance(contact, x, y, _z):
    """In the section, a and b the semi-axes along x and y."""
    a = contact.semi_axes[0]
    b = contact.semi_axes[1]
    sphere_radius = contact.sphere_radius
    mirror_x = 1.0 if x >= 0.0 else -1.0
    mirror_y = contact.side
    if contact.side == 0.0:
        mirror_y = 1.0 if y >= 0.0 else -1.0
    x *= mirror_x
    y *= mirror_y
    on_flank, c, s = foot_on_ellipse(x, y, a, b)
    if not on_flank:
        gap = to_end(x - a, y, sphere_radius)
        return Distance(gap, -mirror_x, 0.0, 0.0, 0.0, 0.0, 1.0 / sphere_radius)
    length = math.sqrt(b * b * c * c + a * a * s * s)
    nx = -b * c / length
    ny = -a * s / length
    depth = (x - a * c) * nx + (y - b * s) * ny
    gap = depth - sphere_radius
    if y < 0.0 and gap > 0.0:  # from the other side the flank's end may be nearer
        gap = min(gap, to_end(x - a, y, sphere_radius))
    radius = length * length * length / (a * b)
    bend = -1.0 / max(radius - depth, 1e-12 * a)
    curvature = 1.0 / sphere_radius - 1.0 / radius
    return Distance(gap, mirror_x * nx, mirror_y * ny, 0.0, bend, 0.0, curvature)


@kernel(internal=True)
def foot_on_ellipse(x, y, a, b):
    """Whether a flank has a nearest point to (x, y), x >= 0, and its cosine and sine.

    The squared distance to (a cos t, b sin t), 0 < t < π, has the derivative

        g(t) = a x sin t - b y cos t - (a² - b²) sin t cos t.

    For y >= 0 it changes sign once in the first quadrant. For y < 0, on the other side of the
    bottom, it does so only if (x, y) is inside the evolute, (ax)^⅔ + (-by)^⅔ < (a² - b²)^⅔, and
    then beyond tan³t = -by/ax. Newton's method between such bounds turns (cos t, sin t) by small
    angles without trigonometry.
    """
    ax = a * x
    by = b * y
    difference = a * a - b * b
    low_c = 1.0
    low_s = 0.0
    if by < 0.0:
        low_c = ax ** (1.0 / 3.0)
        low_s = (-by) ** (1.0 / 3.0)
        size = math.sqrt(low_c * low_c + low_s * low_s)
        if size * size * size >= difference:
            return False, 1.0, 0.0
        low_c /= size
        low_s /= size
    high_c = 0.0
    high_s = 1.0
    c, s = guess(ax, by, difference)
    for _ in range(MOST_STEPS):
        if c * low_s - s * low_c > 0.0 or s * high_c - c * high_s > 0.0:
            c, s = between(low_c, low_s, high_c, high_s)
        g = ax * s - by * c - difference * s * c
        if g < 0.0:
            low_c = c
            low_s = s
        else:
            high_c = c
            high_s = s
        rate = ax * c + by * s - difference * (c * c - s * s)
        if abs(g) >= abs(rate):  # too far for a small angle
            c, s = between(low_c, low_s, high_c, high_s)
            continue
        turn = -g / rate
        old = c
        factor = 1.0 / math.sqrt(1.0 + turn * turn)
        c = (c - s * turn) * factor
        s = (s + old * turn) * factor
        if abs(turn) < CLOSE:
            break
    return True, c, s


@kernel(internal=True)
def guess(ax, by, difference):
    """A first direction: exact on the axes and far away."""
    if difference > 0.0:
        by += math.sqrt(max(difference * difference - ax * ax, 0.0))
    else:
        ax += math.sqrt(max(difference * difference - by * by, 0.0))
    length = math.sqrt(ax * ax + by * by)
    if length == 0.0:
        return 0.0, 1.0
    return ax / length, by / length


@kernel(internal=True)
def between(low_c, low_s, high_c, high_s):
    """The direction that halves the angle."""
    c = low_c + high_c
    s = low_s + high_s
    factor = 1.0 / math.sqrt(c * c + s * s)
    return c * factor, s * factor


ELLIPSE = DistanceField(
    name="ellipse",
    fields=(Field("semi_axes", "m, along x and along y", shape=(2,)), SIDE),
    distance=_distance,
    varies=True,
)


def ball_in_ellipse(
    body_a: int,
    body_b: int,
    origin: ArrayLike,
    frame: ArrayLike,
    semi_axes: ArrayLike,
    side: float,
    sphere_radius: float,
    surface: SpatialSurface,
    arm: ArrayLike = CENTRE,
) -> np.void:
    """A ball in a straight track whose section is an ellipse about the origin, its semi-axes along
    x and y: the flank where y has the sign of `side`, or all of it (zero)."""
    refuse_side(side)
    given = np.asarray(semi_axes, dtype=float)
    if not (given.shape == (2,) and sphere_radius < min(given)):
        raise ValueError(
            f"a ball of radius {sphere_radius:g} m does not fit in an elliptic track with the "
            f"semi-axes {given} m"
        )
    return spatial_row(
        ELLIPSE,
        (body_a, body_b),
        origin,
        frame,
        sphere_radius,
        surface,
        arm,
        semi_axes=given,
        side=side,
    )
