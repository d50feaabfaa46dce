"""Hertz's law of line contact, the inverse of elasticity/line_contact.py."""

import math

from flank.contact.declare import Field, ForceLaw
from flank.elasticity.line_contact import LEAST_W, Cylinder, DeepBody, LineLaw, line_law
from flank.kernel import kernel

FLATTEST = 1e-9
"""1/m: least relative curvature of a law that knows it."""


@kernel
def line_contact(depth, constant, slope, length, curvature):
    """Inverse of δ = F' (P - Q ln F'), P = constant + Q ln(1/ρ).

    With w = P/Q - ln F' the law reads w e^{-w} = δ e^{-P/Q}/Q; Newton on its logarithm,
    ln w - w = ln z, reaches round-off in three steps from w = L + ln L, L = -ln z.
    """
    p_over_q = constant / slope + math.log(curvature)
    log_z = math.log(depth / slope) - p_over_q
    deepest = math.log(LEAST_W) - LEAST_W
    beyond = 1.0
    if log_z > deepest:
        beyond = math.exp(log_z - deepest)
        log_z = deepest
    w = -log_z + math.log(-log_z)
    for _ in range(4):
        w -= (math.log(w) - w - log_z) / (1.0 / w - 1.0)
    inner = depth / beyond
    load = inner / (slope * w)
    stiffness = length / (slope * (w - 1.0))
    energy = 0.5 * length * load * load * slope * (w - 0.5)
    force = length * load
    extra = depth - inner
    energy += extra * (force + 0.5 * stiffness * extra)
    return force + stiffness * extra, stiffness, energy


@kernel(internal=True)
def _force(contact, depth, curvature):
    return line_contact(
        depth,
        contact.line_constant,
        contact.line_slope,
        contact.line_length,
        max(curvature, FLATTEST),
    )


@kernel(internal=True)
def _by_curvature(contact, force, stiffness, energy, curvature):
    """δ = F' (C + Q ln κ - Q ln F') gives ∂U/∂κ = -Q l F'²/(2κ) and ∂F/∂κ = -k Q F'/κ."""
    load = force / contact.line_length
    share = contact.line_slope * load / curvature
    return -0.5 * share * force, -share * stiffness


def hertz(
    first: Cylinder | DeepBody, second: Cylinder | DeepBody, length: float, *_: object
) -> LineLaw:
    """The law that specs call hertz, of two bodies that touch along `length`."""
    return line_law(first, second, length)


LINE = ForceLaw(
    name="line",
    fields=(
        Field("constant", "1/Pa, P without the relative radius"),
        Field("slope", "1/Pa, Q"),
        Field("length", "m"),
    ),
    parameters=LineLaw,
    force=_force,
    by_curvature=_by_curvature,
)
