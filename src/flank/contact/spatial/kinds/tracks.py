"""Straight tracks for balls, their section an arc or an ellipse; all of it, or one flank.

A flank (side ±1) is that part of a section where y has this sign; its ends lie on y = 0. An end is
no surface: where the flank's nearest point is an end, the gap is the distance to it and never
negative, so that the contact is open. Gaps do not jump as long as they are positive. A round bore
is a track as well, all of an arc.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from flank.contact.declare import Field
from flank.contact.spatial.kinds.simple import RADIUS
from flank.contact.spatial.surface import Place, SpatialSurface, Sphere, frame_about, spatial_row
from flank.contact.spatial.table import Distance, DistanceField
from flank.kernel import kernel

SIDES = (-1.0, 0.0, 1.0)

CLOSE = 1e-8
"""A Newton step in rad after which the next one would be below round-off."""

MOST_STEPS = 60
"""Enough to halve a quarter turn down to round-off."""


@kernel(internal=True)
def _arc_distance(contact, x, y, _z):
    """In the section (dx, dy) leads from the arc's centre to the sphere's."""
    dx = x - contact.centre[0]
    dy = y - contact.centre[1]
    centre_y = contact.centre[1]
    radius = contact.radius
    curvature = 1.0 / contact.sphere_radius - 1.0 / radius
    r = math.sqrt(dx * dx + dy * dy)
    if r == 0.0:
        return Distance(radius - contact.sphere_radius, -1.0, 0.0, 0.0, 0.0, 0.0, curvature)
    if contact.side * (centre_y * r + radius * dy) < 0.0:
        half = math.sqrt(max(radius * radius - centre_y * centre_y, 0.0))
        gap = to_end(abs(dx) - half, dy + centre_y, contact.sphere_radius)
        return Distance(gap, -dx / r, -dy / r, 0.0, 0.0, 0.0, curvature)
    gap = radius - r - contact.sphere_radius
    return Distance(gap, -dx / r, -dy / r, 0.0, -1.0 / r, 0.0, curvature)


@kernel(internal=True)
def to_end(dx, dy, sphere_radius):
    """Gap to the end of a flank."""
    return max(math.sqrt(dx * dx + dy * dy) - sphere_radius, 0.0)


@kernel(internal=True)
def _ellipse_distance(contact, x, y, _z):
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
    level_curvature = -1.0 / max(radius - depth, 1e-12 * a)
    curvature = 1.0 / sphere_radius - 1.0 / radius
    return Distance(gap, mirror_x * nx, mirror_y * ny, 0.0, level_curvature, 0.0, curvature)


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


SIDE = Field("side", "±1, the flank where y has this sign; zero: all of it")

ARC = DistanceField(
    name="arc",
    fields=(RADIUS, Field("centre", "m, x and y of the arc's centre", shape=(2,)), SIDE),
    distance=_arc_distance,
)
ELLIPSE = DistanceField(
    name="ellipse",
    fields=(Field("semi_axes", "m, along x and along y", shape=(2,)), SIDE),
    distance=_ellipse_distance,
    varies=True,
)


def ball_in_arc(
    track: Place,
    centre: ArrayLike,
    radius: float,
    side: float,
    ball: Sphere,
    surface: SpatialSurface,
) -> np.void:
    """A ball in a straight track whose section is an arc about `centre` (x, y): the flank where y
    has the sign of `side`, or all of it (zero)."""
    _refuse_side(side)
    middle = np.asarray(centre, dtype=float)
    if not radius > ball.radius:
        raise ValueError(
            f"a ball of radius {ball.radius:g} m does not fit in a track of {radius:g} m"
        )
    if side != 0 and not abs(middle[1]) < radius:
        raise ValueError(
            f"an arc of radius {radius:g} m about y = {middle[1]:g} m does not reach the bottom of "
            "its track at y = 0; make the radius larger"
        )
    return spatial_row(ARC, track, ball, surface, centre=middle, radius=radius, side=side)


def sphere_in_cylinder(
    body: int,
    origin: ArrayLike,
    axis: ArrayLike,
    radius: float,
    sphere: Sphere,
    surface: SpatialSurface,
) -> np.void:
    """A sphere in a round bore of a body along `axis`."""
    bore = Place(body, origin, frame_about(axis))
    return ball_in_arc(bore, (0.0, 0.0), radius, 0.0, sphere, surface)


def ball_in_ellipse(
    track: Place, semi_axes: ArrayLike, side: float, ball: Sphere, surface: SpatialSurface
) -> np.void:
    """A ball in a straight track whose section is an ellipse about the origin, its semi-axes along
    x and y: the flank where y has the sign of `side`, or all of it (zero)."""
    _refuse_side(side)
    given = np.asarray(semi_axes, dtype=float)
    if not (given.shape == (2,) and ball.radius < min(given)):
        raise ValueError(
            f"a ball of radius {ball.radius:g} m does not fit in an elliptic track with the "
            f"semi-axes {given} m"
        )
    return spatial_row(ELLIPSE, track, ball, surface, semi_axes=given, side=side)


def _refuse_side(side: float) -> None:
    if side not in SIDES:
        raise ValueError(f"a flank's side is 1 (y > 0), -1 (y < 0) or 0 (both), not {side!r}")
