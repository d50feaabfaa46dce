"""What the place of a point says of its law: curvature, depth, length and bow, C2 over the place.

Curvature κ across the contact line, the depth of both bodies below it and the length of a section's
line are those of the pair as designed where it touches at v, kept as tables. In the law of line
contact, δ = F'(P - Q ln F'), all but the length are summands of

    P = P₀ + Q [ln κ + τ + γ_A e_A + γ_B e_B],

τ what the depths make of it, e how far a section's curvature is that of a tip's edge, of radius ρ,
and γ = ln(1 + 1/ρκ) with the flanks' curvature where that edge comes in. The length fades where a
section leaves B's face, l = l(v) s(u_B). Across its section penetration is a parabola: in the mean
it is less than in the middle by the bow, which is greater along an edge than along a flank,

    b = b_flank + b_A e_A + b_B e_B.

**Edges.** The point of greatest penetration stops within micrometres of an edge, the pressure of a
contact of half width w only over that width. Let x be how far past the edge flanks would touch if
they went on, y + h'(y)/κ, which goes on evenly as bodies move: e = x²/(x² + w²) is the share of an
edge's curvature, and w atan(x/w), whose slope is 1 - e, how far past the edge the middle of the
pressure is. Both are means over what the contact line climbs within the section. Tables and
influence numbers are read at the middle of the pressure.

`POINT_LAW` columns hold all this with first and second derivatives; the potential of flanks needs
the first for forces and the second for the tangent.
"""

import math

from flank.contact.spatial.flank_search import (
    BOW,
    BOW_A,
    BOW_B,
    CLIMB,
    FOLLOW_A,
    FOLLOW_B,
    GROWTH_A,
    GROWTH_B,
    MATE_WIDTH,
    TIP_SCALE,
    edge_relief,
    edge_third,
)
from flank.geometry.spline_surface import spline_weights
from flank.kernel import kernel

CURVATURE, DEPTH, LENGTH = range(3)
"""Tables over v: ln κ, τ, and the length of the section in m."""

(
    LOG_CURVATURE,
    P_V,
    P_W,
    P_VV,
    P_WW,
    L_V,
    L_U,
    L_VV,
    L_UV,
    L_UU,
    SAG,
    SAG_V,
    SAG_W,
    SAG_VV,
    SAG_WW,
    TILT,
) = range(16)
"""Of a point: ln κ with edges; derivatives of P by v and w = v_B; of the length by v and u_B; the
bow and its derivatives; and the spread n·p_r Δr of the penetration by its slope alone, m."""

POINT_LAW = 16

ROUND_OFF = 1e-9
"""Of u: faces that are as long as each other end together."""

SOFT_END = 0.1
"""Of a section's width: over twice of it its length begins, and ends, to fade past B's face."""

LEAST_SHARE = 1e-6
"""Of a section's length that is left where it has left a face: laws per length stay finite."""


@kernel(internal=True)
def put_law(mesh, i, k, work):
    """Fill `laws`, `middles`, constant, slope and length of a point of section i."""
    section = mesh.section[i]
    law = work.laws[k]
    tip = section[TIP_SCALE]
    a = _edge(mesh, work.places[k, 0], tip, section[CLIMB], section[FOLLOW_A])
    b = _edge(mesh, work.places[k, 2], mesh.mate_scale, section[CLIMB], section[FOLLOW_B])
    for entry in range(3):
        work.middles[k, 0, entry] = a[3 + entry]
        work.middles[k, 1, entry] = b[3 + entry]
    curvature, by_v, by_vv = _read(mesh, i, CURVATURE, a[3], a[4], a[5])
    depth, depth_v, depth_vv = _read(mesh, i, DEPTH, a[3], a[4], a[5])
    growth_a = section[GROWTH_A]
    growth_b = section[GROWTH_B]
    law[LOG_CURVATURE] = curvature + growth_a * a[0] + growth_b * b[0]
    work.points.constant[k] = mesh.constant + mesh.slope * (law[LOG_CURVATURE] + depth)
    work.points.slope[k] = mesh.slope
    law[P_V] = mesh.slope * (by_v + depth_v + growth_a * a[1])
    law[P_W] = mesh.slope * growth_b * b[1]
    law[P_VV] = mesh.slope * (by_vv + depth_vv + growth_a * a[2])
    law[P_WW] = mesh.slope * growth_b * b[2]
    law[SAG] = section[BOW] + section[BOW_A] * a[0] + section[BOW_B] * b[0]
    law[SAG_V] = section[BOW_A] * a[1]
    law[SAG_W] = section[BOW_B] * b[1]
    law[SAG_VV] = section[BOW_A] * a[2]
    law[SAG_WW] = section[BOW_B] * b[2]
    _put_length(mesh, i, k, work)


@kernel(internal=True)
def _put_length(mesh, i, k, work):
    width = mesh.section[i, MATE_WIDTH]
    law = work.laws[k]
    u_b = work.places[k, 1]
    middle = work.middles[k, 0]
    length, by_v, by_vv = _read(mesh, i, LENGTH, middle[0], middle[1], middle[2])
    share, slope, bent = _share_on_mate(0.5 + (1.0 + ROUND_OFF - abs(u_b)) / width)
    share = LEAST_SHARE + (1.0 - LEAST_SHARE) * share
    slope *= (1.0 - LEAST_SHARE) / (-width if u_b > 0.0 else width)
    work.points.length[k] = length * share
    law[L_V] = by_v * share
    law[L_U] = length * slope
    law[L_VV] = by_vv * share
    law[L_UV] = by_v * slope
    law[L_UU] = length * bent * (1.0 - LEAST_SHARE) / (width * width)


@kernel(internal=True)
def _read(mesh, i, table, v, by_v, by_vv):
    """One of a section's tables at the middle of the pressure, which has these derivatives by v,
    and its own by v; the tables end level, and beyond their ends stay."""
    cells = mesh.tables.shape[1] - 3
    x = min(max((v - mesh.table_start) / mesh.table_step, 0.0), 1.0 * cells)
    cell, weights, slopes, bends = spline_weights(x, cells)
    value = slope = bent = 0.0
    for k in range(4):
        coefficient = mesh.tables[i, cell + k, table]
        value += weights[k] * coefficient
        slope += slopes[k] * coefficient
        bent += bends[k] * coefficient
    slope /= mesh.table_step
    bent /= mesh.table_step * mesh.table_step
    return value, slope * by_v, bent * by_v * by_v + slope * by_vv


@kernel(internal=True)
def _share_on_mate(x):
    """Share of a section on B's face, one from x = 1 on, and its first two derivatives, which are
    continuous: the slope goes from one to zero as 3t² - 2t³."""
    soft = 2.0 * SOFT_END
    if x >= 1.0:
        return 1.0, 0.0, 0.0
    t = (1.0 - x) / soft
    if t < 1.0:
        return 1.0 - soft * t * t * t * (1.0 - 0.5 * t), t * t * (3.0 - 2.0 * t), _ramp(t, -soft)
    t = (x + soft) / soft
    if t <= 0.0:
        return 0.0, 0.0, 0.0
    if t < 1.0:
        return soft * t * t * t * (1.0 - 0.5 * t), t * t * (3.0 - 2.0 * t), _ramp(t, soft)
    return x + SOFT_END, 1.0, 0.0


@kernel(internal=True)
def _ramp(t, soft):
    return 6.0 * t * (1.0 - t) / soft


@kernel(internal=True)
def _edge(mesh, v, scale, climb, follow):
    """e with its first two derivatives by v, then v of the middle of the pressure with its own;
    `follow` is the curvature against which an edge holds a contact back."""
    y = (v - 1.0) * scale
    if y <= -0.5 * climb:
        return 0.0, 0.0, 0.0, v, 1.0, 0.0
    _h, slope, bent = edge_relief(v, scale, mesh.edge_radius, mesh.edge_width)
    third = edge_third(v, scale, mesh.edge_radius, mesh.edge_width)
    over = 1.0 / (scale * follow)
    x = y + over * slope
    by_v = scale + over * bent
    by_vv = over * third
    high = _past_edge(x + 0.5 * climb, mesh.contact_width)
    low = _past_edge(x - 0.5 * climb, mesh.contact_width)
    per = 1.0 / climb
    share = per * (high[0] - low[0])
    by_x = per * (high[1] - low[1])
    by_xx = per * (high[2] - low[2])
    middle = per * (high[3] - low[3])
    return (
        share,
        by_x * by_v,
        by_xx * by_v * by_v + by_x * by_vv,
        1.0 + middle / scale,
        (1.0 - share) * by_v / scale,
        ((1.0 - share) * by_vv - by_x * by_v * by_v) / scale,
    )


@kernel(internal=True)
def _past_edge(x, width):
    """∫ e dx, e, de/dx, and the integral of where the middle of the pressure is, at x."""
    if x <= 0.0:
        return 0.0, 0.0, 0.0, 0.5 * x * x
    q = x * x + width * width
    angle = math.atan(x / width)
    middle = width * x * angle - 0.5 * width * width * math.log(q / (width * width))
    return x - width * angle, x * x / q, 2.0 * x * width * width / (q * q), middle
