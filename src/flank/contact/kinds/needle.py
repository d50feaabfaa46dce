"""A rolling element that is solved inside its bearing and turns with the cage."""

import math

import numpy as np

from flank.contact.declare import ContactKind, Field, Gap
from flank.contact.surface import FRICTIONLESS, Damping, Disc, Friction, Surface, contact_row
from flank.kernel import kernel


@kernel(internal=True)
def _gap(contact, _curves, _data, _memory, px, py, turn_a, turn_b):
    """A rolling element between race A (inside) and race B (outside): gap = c + n · p.

    p is the centre of race B seen from that of race A; n turns with the cage.
    """
    direction = contact.needle_angle - (1.0 - contact.share_a) * (turn_a - turn_b)
    nx = math.cos(direction)
    ny = math.sin(direction)
    return Gap(contact.needle_clearance + nx * px + ny * py, nx, ny, 0.0, 1.0, direction)


NEEDLE = ContactKind(
    name="needle",
    fields=(
        Field("needle_angle", "rad, at the pose of zero angles"),
        Field("needle_clearance", "m, radial, between its races"),
    ),
    gap=_gap,
    rolls=True,
)


def needle_between(
    inner: Disc,
    outer: Disc,
    angle: float,
    clearance: float,
    law: object,
    damping: float | Damping,
    friction: Friction = FRICTIONLESS,
) -> np.void:
    """A rolling element solved inside its bearing: it sits at `angle` and turns with the cage.

    Rolling without slip, the cage turns by (r_i θ_i + r_o θ_o)/(r_i + r_o). Friction is its rolling
    resistance, reduced to the inner race: the races hold each other there by up to μ f.
    """
    if friction.coefficient > 0 and friction.form != "elastic":
        raise ValueError(
            f"a needle rolls, and friction of the form {friction.form!r} goes by sliding velocity; "
            "use the form 'elastic' for its rolling resistance"
        )
    return contact_row(
        NEEDLE,
        inner,
        outer,
        Surface(law, damping, friction),
        needle_angle=angle,
        needle_clearance=clearance,
        share_a=inner.radius / (inner.radius + outer.radius),
    )
