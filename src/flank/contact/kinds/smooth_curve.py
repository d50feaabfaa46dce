"""A circle against a smooth closed curve: nearest point by Newton's method (`nearest`)."""

import numpy as np

from flank.contact.declare import ContactKind, Field, Gap
from flank.contact.kinds.polyline import CURVE, POLYLINE, remember
from flank.contact.nearest import TANGENT_TOLERANCE, descend, search_samples
from flank.contact.surface import Disc, Surface, contact_row
from flank.geometry.curve import Shape, curvature_slope, reach
from flank.geometry.polyline import Polyline
from flank.kernel import kernel

SAMPLES_PER_STEP = 4.0
"""A local search moves at most this many coarse samples in one step."""


@kernel(internal=True)
def local_search(curve, data, px, py, farthest, start):
    """What `descend` finds from `start`, and whether it is the nearest point of the whole curve.

    Short steps keep to the flank on which they begin, so that a foot point nearby is found without
    a look at all samples.
    """
    largest_step = SAMPLES_PER_STEP * curve.period / curve.sample_count
    foot = descend(curve, data, px, py, start, largest_step)
    return foot, abs(foot.leftover) <= TANGENT_TOLERANCE and 0.0 < foot.distance < farthest


@kernel(internal=True)
def _gap(contact, curves, data, memory, px, py, _turn_a, _turn_b):
    """Circle B against a smooth curve: local search from the last foot point, else a global one.

    A foot point whose gap is below `reach` is the nearest of the whole curve; one above it may
    be of the wrong flank, and the samples are searched; so they are when the local search gave up.
    """
    curve = curves[contact.curve]
    b_radius = contact.b_radius
    if memory.known == 0:
        foot = search_samples(curve, data, px, py)
    else:
        farthest = b_radius + contact.reach
        foot, nearest = local_search(curve, data, px, py, farthest, memory.parameter)
        if not nearest:
            foot = search_samples(curve, data, px, py)
    stretch = 1.0 + foot.curvature * foot.distance
    level_curvature = (
        foot.curvature / stretch if stretch > 0.0 else 0.0
    )  # p is the centre of curvature
    gap = Gap(
        foot.distance - b_radius,
        foot.tangent_y,
        -foot.tangent_x,
        level_curvature,
        foot.curvature + 1.0 / b_radius,
        foot.parameter % curve.period,
    )
    remember(memory, px, py, gap)
    return gap


@kernel(internal=True)
def _curvature_slope(contact, curves, data, gap, curvature, parameter):
    """dκ/ds, s the way of the circle's centre along the curve."""
    flank = curvature - 1.0 / contact.b_radius
    slope = curvature_slope(curves[contact.curve], data, parameter)
    return slope / (1.0 + flank * (gap + contact.b_radius))


SMOOTH_CURVE = ContactKind(
    name="smooth curve",
    fields=(CURVE, Field("reach", "m, below this gap a foot point is the nearest one for sure")),
    gap=_gap,
    curvature_slope=_curvature_slope,
)


def circle_on_curve(
    body: int,
    curve: int,
    shape: Shape,
    circle: Disc,
    surface: Surface,
    shape_reach: float | None = None,
    place: tuple[float, float] = (0.0, 0.0),
) -> np.void:
    """A circle against curve number `curve` of the model, whose origin lies at `place` on `body`.

    `shape_reach` is geometry.curve.reach of the shape and the circle, if it is known already.
    """
    origin = Disc(body, *place, 0.0)
    if isinstance(shape, Polyline):
        return contact_row(POLYLINE, origin, circle, surface, curve=curve)
    known = reach(shape, circle.radius) if shape_reach is None else shape_reach
    return contact_row(SMOOTH_CURVE, origin, circle, surface, curve=curve, reach=known)
