"""Normal force laws: penetration and its rate in, force and both derivatives out.

Each elastic law returns force F, stiffness dF/dδ and stored energy ∫F dδ. Hunt-Crossley damping

    f = F(δ) max(0, 1 + d δ̇)

gives no force at zero penetration and no tension at separation.
"""

import math

from flank.contact.table import LAW_HERTZ, LAW_POWER
from flank.elasticity.line_contact import DEEPEST
from flank.kernel import kernel


@kernel
def line_contact(depth, constant, slope, length, curvature):
    """Inverse of δ = F' (P - Q ln F'), P = constant + Q ln(1/ρ).

    With w = P/Q - ln F' the law reads w e^{-w} = δ e^{-P/Q}/Q; Newton on its logarithm,
    ln w - w = ln z, reaches round-off in three steps from w = L + ln L, L = -ln z.
    """
    p_over_q = constant / slope + math.log(curvature)
    log_z = math.log(depth / slope) - p_over_q
    deepest = math.log(DEEPEST) - DEEPEST
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


@kernel
def power(depth, stiffness, exponent):
    """F = K δ^n."""
    scale = stiffness * depth ** (exponent - 1.0)
    return scale * depth, exponent * scale, scale * depth * depth / (exponent + 1.0)


@kernel
def foundation(depth, stiffness, curvature):
    """Elastic foundation along the flank, F = k ∫(δ - s²/2ρ) ds = (4/3) k √(2ρ) δ^(3/2).

    k in N/m² (force per penetration and arc length): the limit of the area integral on a polyline.
    """
    scale = 4.0 / 3.0 * stiffness * math.sqrt(2.0 / curvature)
    root = math.sqrt(depth)
    return scale * depth * root, 1.5 * scale * root, 0.4 * scale * depth * depth * root


@kernel(internal=True)
def elastic(contact, depth, curvature):
    """Force, stiffness and energy of one contact at the penetration `depth` > 0."""
    if contact.law == LAW_HERTZ:
        return line_contact(
            depth, contact.stiffness, contact.exponent, contact.length, max(curvature, 1e-9)
        )
    if contact.law == LAW_POWER:
        return power(depth, contact.stiffness, contact.exponent)
    return foundation(depth, contact.stiffness, max(curvature, 1e-9))


@kernel(internal=True)
def by_curvature(contact, force, stiffness, energy, curvature):
    """∂U/∂κ and ∂F/∂κ of one contact at the same depth, κ the relative curvature.

    Hertz: δ = F' (C + Q ln κ - Q ln F') gives -Q l F'²/(2κ) and -k Q F'/κ. Foundation: U and F go
    with κ^(-1/2). The power law knows no curvature.
    """
    if contact.law == LAW_HERTZ:
        load = force / contact.length
        share = contact.exponent * load / curvature
        return -0.5 * share * force, -share * stiffness
    if contact.law == LAW_POWER:
        return 0.0, 0.0
    return -0.5 * energy / curvature, -0.5 * force / curvature


@kernel
def damped(force, stiffness, damping, depth_rate):
    """Hunt-Crossley: force, its derivative by depth and by depth rate."""
    factor = 1.0 + damping * depth_rate
    if factor <= 0.0:
        return 0.0, 0.0, 0.0
    return force * factor, stiffness * factor, force * damping
