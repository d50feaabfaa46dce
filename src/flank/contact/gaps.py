"""Gap finders, each a signed distance field of A's shape read at the centre of B's circle.

A finder works in the frame of the shape and returns

    gap, n_x, n_y, bend, curvature, parameter

the signed gap, the unit normal out of A, `bend` (the field's second derivative along the tangent,
1/m: its Hessian is bend t tᵀ), the relative curvature 1/ρ for the force law, and the parameter of
the foot point (the warm start of the next search).
"""

import math

from flank.contact.nearest import TANGENT_TOLERANCE, descend, search_samples
from flank.kernel import kernel

SAMPLES_PER_STEP = 4.0
"""A local search moves at most this many coarse samples in one step."""


@kernel
def circle_outside(px, py, a_radius, b_radius):
    """Circle B outside circle A: gap = |p| - (R_A + R_B)."""
    distance = math.sqrt(px * px + py * py)
    if distance == 0.0:
        return -(a_radius + b_radius), 1.0, 0.0, 0.0, 1.0 / a_radius + 1.0 / b_radius, 0.0
    curvature = 1.0 / a_radius + 1.0 / b_radius
    gap = distance - a_radius - b_radius
    return gap, px / distance, py / distance, 1.0 / distance, curvature, math.atan2(py, px)


@kernel
def circle_inside(px, py, a_radius, b_radius):
    """Circle B inside the hole A: gap = (R_A - R_B) - |p|."""
    distance = math.sqrt(px * px + py * py)
    curvature = 1.0 / b_radius - 1.0 / a_radius
    if distance == 0.0:
        return a_radius - b_radius, 1.0, 0.0, 0.0, curvature, 0.0
    gap = a_radius - b_radius - distance
    return gap, -px / distance, -py / distance, -1.0 / distance, curvature, math.atan2(py, px)


@kernel
def needle(px, py, direction, clearance):
    """A rolling element that rests at `direction` between race A (inside) and race B (outside).

    p is the centre of race B seen from that of race A: gap = c + n · p.
    """
    nx = math.cos(direction)
    ny = math.sin(direction)
    return clearance + nx * px + ny * py, nx, ny, 0.0, 1.0, direction


@kernel
def local_search(curve, data, px, py, farthest, start):
    """What `descend` finds from `start`, and whether it is the nearest point of the whole curve.

    Short steps keep to the flank on which they begin, so that a foot point nearby is found without
    a look at all samples.
    """
    largest_step = SAMPLES_PER_STEP * curve.period / curve.sample_count
    found = descend(curve, data, px, py, start, largest_step)
    return found, abs(found[5]) <= TANGENT_TOLERANCE and 0.0 < found[1] < farthest


@kernel
def circle_on_curve(curve, data, px, py, b_radius, reach, known, start):
    """Circle B against a smooth curve: local search from the last foot point, else a global one.

    A foot point whose gap is below `reach` is the nearest of the whole curve; one above it may
    be of the wrong flank, and the samples are searched; so they are when the local search gave up.
    """
    if known == 0:
        found = search_samples(curve, data, px, py)
    else:
        found, nearest = local_search(curve, data, px, py, b_radius + reach, start)
        if not nearest:
            found = search_samples(curve, data, px, py)
    u, distance, tx, ty, curvature, _leftover = found
    stretch = 1.0 + curvature * distance
    bend = curvature / stretch if stretch > 0.0 else 0.0  # zero: p is the centre of curvature
    return distance - b_radius, ty, -tx, bend, curvature + 1.0 / b_radius, u % curve.period
