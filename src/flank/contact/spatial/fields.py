"""Distance fields: the gap of a sphere at a point of a surface's frame, its normal and its bends.

A field returns gap, n (towards the sphere) and the two bends. With t₁ = `tangent(n)` and
t₂ = n x t₁ the gap's gradient is n and its Hessian bend₁ t₁t₁ᵀ + bend₂ t₂t₂ᵀ. Of a wall with the
radius of curvature ρ around a sphere whose centre is D away from it the bend is -1/(ρ - D).

A flank (side ±1) is that part of a section where y has this sign; its ends lie on y = 0. An end is
no surface: where the flank's nearest point is an end, the gap is the distance to it and never
negative, so that the contact is open. Gaps do not jump as long as they are positive.
"""

import math

from flank.contact.spatial.table import ARC, ELLIPSE, INSIDE_SPHERE, PLANE
from flank.kernel import kernel

CLOSE = 1e-8
"""A Newton step in rad after which the next one would be below round-off."""

MOST_STEPS = 60
"""Enough to halve a quarter turn down to round-off."""


@kernel(internal=True)
def distance_field(contact, x, y, z):
    """Gap, normal (3) and bends (2) of one contact, its sphere's centre in the surface's frame."""
    if contact.field == PLANE:
        return x - contact.sphere_radius, 1.0, 0.0, 0.0, 0.0, 0.0
    if contact.field == ARC:
        gap, nx, ny, bend = arc(
            x - contact.centre[0],
            y - contact.centre[1],
            contact.centre[1],
            contact.radius,
            contact.side,
            contact.sphere_radius,
        )
        return gap, nx, ny, 0.0, bend, 0.0
    if contact.field == ELLIPSE:
        gap, nx, ny, bend = ellipse(
            x, y, contact.semi_axes[0], contact.semi_axes[1], contact.side, contact.sphere_radius
        )
        return gap, nx, ny, 0.0, bend, 0.0
    sense = -1.0 if contact.field == INSIDE_SPHERE else 1.0
    r = math.sqrt(x * x + y * y + z * z)
    gap = sense * (r - contact.radius) - contact.sphere_radius
    if r == 0.0:
        return gap, 1.0, 0.0, 0.0, 0.0, 0.0
    turn = sense / r
    return gap, turn * x, turn * y, turn * z, turn, turn


@kernel(internal=True)
def tangent(nx, ny, nz):
    """A direction square to n; across the track where n is, so that n x t is along it."""
    if nx * nx + ny * ny > 0.25:
        factor = 1.0 / math.sqrt(nx * nx + ny * ny)
        return -ny * factor, nx * factor, 0.0
    factor = 1.0 / math.sqrt(ny * ny + nz * nz)
    return 0.0, -nz * factor, ny * factor


@kernel(internal=True)
def arc(dx, dy, centre_y, radius, side, sphere_radius):
    """Gap, normal and bend in the section; (dx, dy) leads from the arc's centre to the sphere's."""
    r = math.sqrt(dx * dx + dy * dy)
    if r == 0.0:
        return radius - sphere_radius, -1.0, 0.0, 0.0
    if side * (centre_y * r + radius * dy) < 0.0:
        half = math.sqrt(max(radius * radius - centre_y * centre_y, 0.0))
        gap = to_end(abs(dx) - half, dy + centre_y, sphere_radius)
        return gap, -dx / r, -dy / r, 0.0
    return radius - r - sphere_radius, -dx / r, -dy / r, -1.0 / r


@kernel(internal=True)
def ellipse(x, y, a, b, side, sphere_radius):
    """Gap, normal and bend in the section, a and b the semi-axes along x and y."""
    mirror_x = 1.0 if x >= 0.0 else -1.0
    mirror_y = side
    if side == 0.0:
        mirror_y = 1.0 if y >= 0.0 else -1.0
    x *= mirror_x
    y *= mirror_y
    on_flank, c, s = foot_on_ellipse(x, y, a, b)
    if not on_flank:
        return to_end(x - a, y, sphere_radius), -mirror_x, 0.0, 0.0
    length = math.sqrt(b * b * c * c + a * a * s * s)
    nx = -b * c / length
    ny = -a * s / length
    depth = (x - a * c) * nx + (y - b * s) * ny
    gap = depth - sphere_radius
    if y < 0.0 and gap > 0.0:  # from the other side the flank's end may be nearer
        gap = min(gap, to_end(x - a, y, sphere_radius))
    bend = -1.0 / max(length * length * length / (a * b) - depth, 1e-12 * a)
    return gap, mirror_x * nx, mirror_y * ny, bend


@kernel(internal=True)
def to_end(dx, dy, sphere_radius):
    """Gap to the end of a flank."""
    return max(math.sqrt(dx * dx + dy * dy) - sphere_radius, 0.0)


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
