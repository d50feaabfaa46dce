"""Contacts in words: what a machine says, turned into one row of the contact table."""

import math
from dataclasses import dataclass

import numpy as np

from flank.contact.table import (
    CIRCLE_INSIDE,
    CIRCLE_OUTSIDE,
    CONTACT,
    CURVE_POLYLINE,
    CURVE_SMOOTH,
    FRICTION_ELASTIC,
    FRICTION_LINEAR,
    FRICTION_NONE,
    FRICTION_SMOOTH,
    LAW_FOUNDATION,
    LAW_HERTZ,
    LAW_POWER,
    NEEDLE,
    ROUND,
    TEETH,
)
from flank.elasticity.line_contact import LineLaw
from flank.elasticity.material import STEEL, tangential_ratio
from flank.geometry.curve import Polyline, Shape, reach

STEEL_RATIO = tangential_ratio(STEEL, STEEL)
"""Tangential over normal stiffness where nobody says otherwise."""

FRICTION_FORMS = {
    "smooth": FRICTION_SMOOTH,
    "linear": FRICTION_LINEAR,
    "elastic": FRICTION_ELASTIC,
}


@dataclass(frozen=True)
class PowerLaw:
    """F = `stiffness` δ^`exponent`, stiffness in N/m^exponent: Palmgren's, or a user's penalty."""

    stiffness: float
    exponent: float


@dataclass(frozen=True)
class FoundationLaw:
    """Elastic foundation along the flank, `stiffness` in N/m² (per penetration and arc length)."""

    stiffness: float


Law = LineLaw | PowerLaw | FoundationLaw


@dataclass(frozen=True)
class Friction:
    """Coulomb friction with `coefficient`.

    The forms `smooth` and `linear` are regularised below the sliding `velocity` in m/s; `elastic`
    holds by `tangential_ratio` times the normal stiffness and knows no rate.
    """

    coefficient: float = 0.0
    velocity: float = 1e-3
    form: str = "smooth"
    tangential_ratio: float = STEEL_RATIO


FRICTIONLESS = Friction()


@dataclass(frozen=True)
class Surface:
    """How a contact answers: force law, Hunt-Crossley damping in s/m, friction."""

    law: Law
    damping: float = 0.0
    friction: Friction = FRICTIONLESS


@dataclass(frozen=True)
class Disc:
    """A circle on a body: centre in the body's frame, radius."""

    body: int
    x: float
    y: float
    radius: float


def circle_pair(a: Disc, b: Disc, surface: Surface) -> np.void:
    """Two circles outside each other."""
    return _row(CIRCLE_OUTSIDE, a, b, surface)


def circle_in_hole(hole: Disc, circle: Disc, surface: Surface) -> np.void:
    """A circle inside a round hole."""
    if circle.radius >= hole.radius:
        raise ValueError(
            f"a circle of radius {circle.radius:g} m does not fit in a hole of {hole.radius:g} m"
        )
    return _row(CIRCLE_INSIDE, hole, circle, surface)


def circle_on_curve(
    body: int, curve: int, shape: Shape, circle: Disc, surface: Surface, shape_reach: float | None
) -> np.void:
    """A circle against curve number `curve` of the model, which lies at the origin of `body`.

    `shape_reach` is geometry.curve.reach of the shape and the circle, if it is known already.
    """
    polyline = isinstance(shape, Polyline)
    row = _row(
        CURVE_POLYLINE if polyline else CURVE_SMOOTH, Disc(body, 0.0, 0.0, 0.0), circle, surface
    )
    row["curve"] = curve
    row["reach"] = reach(shape, circle.radius) if shape_reach is None else shape_reach
    return row


def needle_between(
    inner: Disc,
    outer: Disc,
    angle: float,
    clearance: float,
    law: Law,
    damping: float,
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
    row = _row(NEEDLE, inner, outer, Surface(law, damping, friction))
    row["needle_angle"] = angle
    row["needle_share_a"] = inner.radius / (inner.radius + outer.radius)
    row["clearance"] = clearance
    return row


def teeth(
    pair: int,
    bodies: tuple[int, int],
    flank: int,
    slot: tuple[int, int],
    surface: Surface,
    depth: float,
    slice_at: tuple[float, float] = (0.0, 0.0),
) -> np.void:
    """The teeth in one slot of a mesh, on one flank; `pair` is a row made by builder.tooth_pair.

    `slot` is its number and how many there are; `depth` about how deep teeth may go, as their
    module; `slice_at` is how far a slice across the face is ahead in roll length, and what is
    taken off its flanks.
    """
    if not isinstance(surface.law, LineLaw):
        raise ValueError("teeth touch along lines; give them a line law")
    first, second = (Disc(body, 0.0, 0.0, depth) for body in bodies)
    row = _row(TEETH, first, second, surface)
    row["curve"], row["flank"] = pair, flank
    row["slot"], row["slots"] = slot
    row["roll_offset"], row["clearance"] = slice_at
    return row


def _row(finder: int, a: Disc, b: Disc, surface: Surface) -> np.void:
    row = np.zeros(1, dtype=CONTACT)[0]
    row["finder"], row["curve"] = finder, ROUND
    row["body_a"], row["a_x"], row["a_y"], row["a_radius"] = a.body, a.x, a.y, a.radius
    row["body_b"], row["b_x"], row["b_y"], row["b_radius"] = b.body, b.x, b.y, b.radius
    row["reach"] = math.inf
    row["damping"] = surface.damping
    law = surface.law
    if isinstance(law, LineLaw):
        row["law"], row["stiffness"] = LAW_HERTZ, law.constant
        row["exponent"], row["length"] = law.slope, law.length
    elif isinstance(law, PowerLaw):
        row["law"], row["stiffness"], row["exponent"] = LAW_POWER, law.stiffness, law.exponent
    else:
        row["law"], row["stiffness"] = LAW_FOUNDATION, law.stiffness
    friction = surface.friction
    row["friction_form"] = FRICTION_NONE
    if friction.coefficient > 0:
        row["friction_form"] = FRICTION_FORMS[friction.form]
        row["friction"] = friction.coefficient
        row["friction_velocity"] = friction.velocity
        row["tangential_ratio"] = friction.tangential_ratio
    return row
