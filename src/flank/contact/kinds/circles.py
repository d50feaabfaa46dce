"""Two circles: outside each other, or one in the hole of the other."""

import math

import numpy as np

from flank.contact.declare import ContactKind, Gap
from flank.contact.surface import Disc, Surface, contact_row
from flank.kernel import kernel


@kernel(internal=True)
def _outside(contact, _curves, _data, _memory, px, py, _turn_a, _turn_b):
    """Circle B outside circle A: gap = |p| - (R_A + R_B)."""
    distance = math.sqrt(px * px + py * py)
    curvature = 1.0 / contact.a_radius + 1.0 / contact.b_radius
    gap = distance - contact.a_radius - contact.b_radius
    if distance == 0.0:
        return Gap(gap, 1.0, 0.0, 0.0, curvature, 0.0)
    return Gap(gap, px / distance, py / distance, 1.0 / distance, curvature, math.atan2(py, px))


@kernel(internal=True)
def _inside(contact, _curves, _data, _memory, px, py, _turn_a, _turn_b):
    """Circle B inside the hole A: gap = (R_A - R_B) - |p|."""
    distance = math.sqrt(px * px + py * py)
    curvature = 1.0 / contact.b_radius - 1.0 / contact.a_radius
    gap = contact.a_radius - contact.b_radius - distance
    if distance == 0.0:
        return Gap(gap, 1.0, 0.0, 0.0, curvature, 0.0)
    return Gap(gap, -px / distance, -py / distance, -1.0 / distance, curvature, math.atan2(py, px))


CIRCLE_OUTSIDE = ContactKind(name="circle outside", gap=_outside)
CIRCLE_INSIDE = ContactKind(name="circle inside", gap=_inside)


def circle_pair(a: Disc, b: Disc, surface: Surface) -> np.void:
    """Two circles outside each other."""
    return contact_row(CIRCLE_OUTSIDE, a, b, surface)


def circle_in_hole(hole: Disc, circle: Disc, surface: Surface) -> np.void:
    """A circle inside a round hole."""
    if circle.radius >= hole.radius:
        raise ValueError(
            f"a circle of radius {circle.radius:g} m does not fit in a hole of {hole.radius:g} m"
        )
    return contact_row(CIRCLE_INSIDE, hole, circle, surface)
