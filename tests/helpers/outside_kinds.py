"""A contact kind and a force law as somebody outside the package would write and register them."""

import math
from dataclasses import dataclass

from flank.contact import (
    KINDS,
    LAWS,
    ContactKind,
    Disc,
    Field,
    ForceLaw,
    Gap,
    Surface,
    contact_row,
)
from flank.kernel import kernel


@kernel(internal=True)
def _above(contact, curves, data, memory, px, py, turn_a, turn_b):
    """Circle B above the straight edge of A through the shape's origin, n perpendicular to it."""
    nx = -math.sin(contact.edge_angle)
    ny = math.cos(contact.edge_angle)
    along = px * ny - py * nx
    return Gap(nx * px + ny * py - contact.b_radius, nx, ny, 0.0, 1.0 / contact.b_radius, along)


EDGE = KINDS.add(
    ContactKind(name="straight edge", fields=(Field("edge_angle", "rad"),), gap=_above)
)


def circle_on_edge(body, x, y, angle, circle: Disc, surface: Surface):
    """A circle on the left of the line through (x, y) of a body that points to `angle`."""
    return contact_row(EDGE, Disc(body, x, y, 0.0), circle, surface, edge_angle=angle)


@dataclass(frozen=True)
class CubicLaw:
    """F = `linear` δ + `cubic` δ³."""

    linear: float
    cubic: float


@kernel(internal=True)
def _force(contact, depth, curvature):
    square = depth * depth
    return (
        contact.hardening_linear * depth + contact.hardening_cubic * depth * square,
        contact.hardening_linear + 3.0 * contact.hardening_cubic * square,
        0.5 * contact.hardening_linear * square + 0.25 * contact.hardening_cubic * square * square,
    )


HARDENING = LAWS.add(
    ForceLaw(
        name="hardening",
        fields=(Field("linear", "N/m"), Field("cubic", "N/m³")),
        parameters=CubicLaw,
        force=_force,
    )
)
