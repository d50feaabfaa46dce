"""Where two flanks penetrate: on spherical sections, the point of greatest penetration.

A carries the sections, spheres about its pitch apex (or planes across its axis), which cut its
flank along curves c_i(v) that stand still in A. All is seen from B here: a pose is A's origin X and
rotation R in B's frame, and A's tooth a with B's tooth b is that flank turned by 2πa/z_A against
B's turned by 2πb/z_B. On each section (v, u_B, v_B) solve

    (p - S)·S_u = 0,   (p - S)·S_v = 0,   n·p_v + h_A'(v) - α h_B'(v_B) = 0,     p = X + R c(v):

S is p's foot on B's flank, n the outward normal there, and the last is the condition of greatest
penetration d = -(p - S)·n - h_A - h_B. Past a tip's edge flanks go on as what they are, and h takes
away what a rounding of the radius ρ would: with y the way beyond the edge

    h = y⁴/2ρ(y² + b²),     h'' = (y⁶ + 3b²y⁴ + 6b⁴y²)/ρ(y² + b²)³,

so that over the width b the curvature grows from the flank's to 1/ρ, and all is C2. α = -dv_B/dv
of a section is taken as that of the pair as designed.

Along the contact line d changes by n·p_r for a step of the radius: at the greatest penetration v
does not matter (tan γ of Eq. 11 in Wagner, Schumann, Schlecht 2022, gear's tangent against pinion's
normal). So the spread of a section of thickness Δr is v_i = n·p_r Δr, and past B's edge h_B'(v_B)
times the change of v_B across the section besides, which is taken as that of the pair as designed.

By the implicit function theorem all of this has derivatives by the pose, with second derivatives
of the flanks only; `flank_forces` needs them for its tangent.
"""

import math
from typing import NamedTuple

from flank.arrays import Floats
from flank.contact.spatial.vectors import cross, dot
from flank.geometry.spline_surface import (
    BY_U,
    BY_UU,
    BY_UV,
    BY_V,
    BY_VV,
    POINT,
    spline_weights,
    surface_at,
)
from flank.kernel import kernel

SEARCH_STEPS = 25
SETTLED = 1e-6
"""Of v, u_B, v_B: a step of Newton after which the next one is round-off."""

LONGEST_STEP = 0.2
FARTHEST = 1.8
"""Of v, u_B and v_B: beyond, a section has no point that could touch."""

HERE, ALONG, BENT, ACROSS, TWISTED = range(5)
"""Rows of a section's curve: point, by v, by vv, by the radius, and by the radius and v."""

(
    EDGE_RATIO,
    TIP_SCALE,
    MATE_WIDTH,
    CLIMB,
    SHIFT,
    BOW,
    BOW_A,
    BOW_B,
    GROWTH_A,
    GROWTH_B,
    FOLLOW_A,
    FOLLOW_B,
) = range(12)
"""Columns of `section`: α = -dv_B/dv, m of profile for a step of v at A's tip, width in u_B, m of
profile that the contact line climbs within the section, v_B from one side of it to the other at a
fixed v; by how much the mean penetration of a section is less than that of its middle, m, on flanks
and what it is more along A's and B's edge; ln(1 + 1/ρκ) where those come in; and the relative
curvature along the section, 1/m, against which they hold the point of greatest penetration."""

MARGIN = 2e-6
"""m: of penetration, by which a section that is not looked at more closely is open."""

BULGE = 200.0
"""1/m: a curvature that no flank has."""

FRICTION, FRICTION_VELOCITY = range(2)
"""Entries of `rubbing`: Coulomb's coefficient, and m/s below which it fades out. Whoever runs a
model may change them: they are in an array."""


class FlankMesh(NamedTuple):
    """Two flanks and what they are made of, for kernels; `flank_sections` fills it."""

    curves: Floats  # (teeth, sections, nodes, 6): B-splines over v of c and ∂c/∂r, in A's frame
    mate: Floats  # (teeth, nodes, nodes, 3): B's flank, of `SplineSurface`; here and above of one
    # tooth for all of them, or of every tooth, turned back to the first
    starts: Floats  # (sections, angles, 3): v, u_B, v_B of the pair as designed
    tables: Floats  # (sections, nodes, 3): B-splines over v of `flank_laws`
    influence_a: Floats  # (teeth, teeth away, sections, nodes, sections, nodes) in m/N
    influence_b: Floats
    section: Floats  # (sections, 12): EDGE_RATIO ... FOLLOW_B
    outward: float  # sign of S_u x S_v out of B
    thickness: float  # m, Δr
    first_angle: float  # of `starts`, of A's tooth
    angle_step: float
    table_start: float  # v of the first node of `tables`
    table_step: float
    mate_scale: float  # m of profile for a step of v at B's tip
    edge_radius: float  # m, ρ
    edge_width: float  # m, b
    contact_width: float  # m, half width of a contact, over which an edge's curvature comes in
    constant: float  # 1/Pa, of the law of line contact without the curvature
    slope: float  # 1/Pa
    rubbing: Floats  # (2,): FRICTION, FRICTION_VELOCITY
    teeth_a: int
    teeth_b: int
    sense: int
    reference_a: float  # rad, direction of B's axis seen from A where A has not turned
    reference_b: float
    middle_a: float  # m along the axis, to which B looks
    middle_b: float
    phase: float  # z_B φ_B - sense z_A φ_A of contact


@kernel(internal=True)
def edge_relief(v, scale, radius, width):
    """h and its first two derivatives by v, past the tip's edge at v = 1."""
    y = (v - 1.0) * scale
    if y <= 0.0:
        return 0.0, 0.0, 0.0
    y2 = y * y
    b2 = width * width
    q = y2 + b2
    h = 0.5 * y2 * y2 / (radius * q)
    first = y * y2 * (y2 + 2.0 * b2) / (radius * q * q)
    second = y2 * (y2 * y2 + 3.0 * b2 * y2 + 6.0 * b2 * b2) / (radius * q * q * q)
    return h, scale * first, scale * scale * second


@kernel(internal=True)
def edge_third(v, scale, radius, width):
    """The third derivative of h by v."""
    y = (v - 1.0) * scale
    if y <= 0.0:
        return 0.0
    b2 = width * width
    q = y * y + b2
    return scale * scale * scale * 12.0 * b2 * b2 * y * (b2 - y * y) / (radius * q * q * q * q)


@kernel(internal=True)
def place_curve(mesh, tooth, i, v, origin, turn, out):
    """Section i of A's tooth at v, its derivatives by v and the radius, seen from B."""
    cells = mesh.curves.shape[2] - 3
    scale = 0.5 * cells
    j, w, d, dd = spline_weights((v + 1.0) * scale, cells)
    c0 = mesh.curves[tooth, i, j]
    c1 = mesh.curves[tooth, i, j + 1]
    c2 = mesh.curves[tooth, i, j + 2]
    c3 = mesh.curves[tooth, i, j + 3]
    for row in range(3):
        p = s = b = r = t = 0.0
        for k in range(3):
            m = turn[row, k]
            p += m * (w[0] * c0[k] + w[1] * c1[k] + w[2] * c2[k] + w[3] * c3[k])
            s += m * (d[0] * c0[k] + d[1] * c1[k] + d[2] * c2[k] + d[3] * c3[k])
            b += m * (dd[0] * c0[k] + dd[1] * c1[k] + dd[2] * c2[k] + dd[3] * c3[k])
            k += 3
            r += m * (w[0] * c0[k] + w[1] * c1[k] + w[2] * c2[k] + w[3] * c3[k])
            t += m * (d[0] * c0[k] + d[1] * c1[k] + d[2] * c2[k] + d[3] * c3[k])
        out[HERE, row] = origin[row] + p
        out[ALONG, row] = scale * s
        out[BENT, row] = scale * scale * b
        out[ACROSS, row] = r
        out[TWISTED, row] = scale * t


@kernel(internal=True)
def place_mate(mesh, tooth, u, v, cosine, sine, out):
    """The flank of B's tooth at (u, v), turned about z."""
    surface_at(mesh.mate[tooth], u, v, out)
    for row in range(6):
        x = out[row, 0]
        y = out[row, 1]
        out[row, 0] = cosine * x - sine * y
        out[row, 1] = sine * x + cosine * y


@kernel(internal=True)
def mate_normal(outward, at):
    """Outward unit normal, and its derivatives by u and v (Weingarten)."""
    s_u = (at[BY_U, 0], at[BY_U, 1], at[BY_U, 2])
    s_v = (at[BY_V, 0], at[BY_V, 1], at[BY_V, 2])
    raw = cross(s_u, s_v)
    e = dot(s_u, s_u)
    f = dot(s_u, s_v)
    g = dot(s_v, s_v)
    determinant = e * g - f * f
    scale = outward / math.sqrt(determinant)
    n = (scale * raw[0], scale * raw[1], scale * raw[2])
    uu = uv = vv = 0.0
    for c in range(3):
        uu += n[c] * at[BY_UU, c]
        uv += n[c] * at[BY_UV, c]
        vv += n[c] * at[BY_VV, c]
    a = (f * uv - g * uu) / determinant
    b = (f * uu - e * uv) / determinant
    c = (f * vv - g * uv) / determinant
    d = (f * uv - e * vv) / determinant
    by_u = (a * s_u[0] + b * s_v[0], a * s_u[1] + b * s_v[1], a * s_u[2] + b * s_v[2])
    by_v = (c * s_u[0] + d * s_v[0], c * s_u[1] + d * s_v[1], c * s_u[2] + d * s_v[2])
    return n, by_u, by_v


@kernel(internal=True)
def section_equations(mesh, i, v, v_b, curve, at, normal, by_u, by_v, system):
    """Residuals of one section in column 3 of `system` (3, 4), their derivatives by (v, u_B, v_B)
    in the others."""
    away = (
        curve[HERE, 0] - at[POINT, 0],
        curve[HERE, 1] - at[POINT, 1],
        curve[HERE, 2] - at[POINT, 2],
    )
    along = curve[ALONG]
    s_u = at[BY_U]
    s_v = at[BY_V]
    uv = dot(away, at[BY_UV]) - dot(s_u, s_v)
    system[0, 0] = dot(along, s_u)
    system[0, 1] = dot(away, at[BY_UU]) - dot(s_u, s_u)
    system[0, 2] = uv
    system[0, 3] = dot(away, s_u)
    system[1, 0] = dot(along, s_v)
    system[1, 1] = uv
    system[1, 2] = dot(away, at[BY_VV]) - dot(s_v, s_v)
    system[1, 3] = dot(away, s_v)
    rounding = mesh.section[i]
    _h, own, own_bent = edge_relief(v, rounding[TIP_SCALE], mesh.edge_radius, mesh.edge_width)
    _h, other, other_bent = edge_relief(v_b, mesh.mate_scale, mesh.edge_radius, mesh.edge_width)
    system[2, 0] = dot(normal, curve[BENT]) + own_bent
    system[2, 1] = dot(by_u, along)
    system[2, 2] = dot(by_v, along) - rounding[EDGE_RATIO] * other_bent
    system[2, 3] = dot(normal, along) + own - rounding[EDGE_RATIO] * other


@kernel(internal=True)
def solve_three(system, x, y, z):
    """The first three columns of `system` times what is returned is (x, y, z)."""
    a = system[0]
    b = system[1]
    c = system[2]
    m00 = b[1] * c[2] - b[2] * c[1]
    m01 = b[2] * c[0] - b[0] * c[2]
    m02 = b[0] * c[1] - b[1] * c[0]
    scale = 1.0 / (a[0] * m00 + a[1] * m01 + a[2] * m02)
    first = x * m00 + y * (a[2] * c[1] - a[1] * c[2]) + z * (a[1] * b[2] - a[2] * b[1])
    second = x * m01 + y * (a[0] * c[2] - a[2] * c[0]) + z * (a[2] * b[0] - a[0] * b[2])
    third = x * m02 + y * (a[1] * c[0] - a[0] * c[1]) + z * (a[0] * b[1] - a[1] * b[0])
    return scale * first, scale * second, scale * third


@kernel(internal=True)
def solve_transposed(system, x, y, z):
    """The same with the first three columns of `system` for rows."""
    a = system[0]
    b = system[1]
    c = system[2]
    m00 = b[1] * c[2] - b[2] * c[1]
    m01 = b[2] * c[0] - b[0] * c[2]
    m02 = b[0] * c[1] - b[1] * c[0]
    scale = 1.0 / (a[0] * m00 + a[1] * m01 + a[2] * m02)
    first = x * m00 + y * m01 + z * m02
    second = x * (a[2] * c[1] - a[1] * c[2]) + y * (a[0] * c[2] - a[2] * c[0])
    second += z * (a[1] * c[0] - a[0] * c[1])
    third = x * (a[1] * b[2] - a[2] * b[1]) + y * (a[2] * b[0] - a[0] * b[2])
    third += z * (a[0] * b[1] - a[1] * b[0])
    return scale * first, scale * second, scale * third


@kernel(internal=True)
def _certainly_open(mesh, i, place, curve, at, normal, system, steps):
    """By the penetration that a section has before its point is found, the way there, and how far
    flanks and edges can bulge on that way."""
    section = mesh.section[i]
    _h, own, _b = edge_relief(place[0], section[TIP_SCALE], mesh.edge_radius, mesh.edge_width)
    _h, other, _b = edge_relief(place[2], mesh.mate_scale, mesh.edge_radius, mesh.edge_width)
    reach = penetration(mesh, i, place, curve, at, normal) + MARGIN
    reach += 0.5 * abs(mesh.thickness * dot(normal, curve[ACROSS])) + abs(other * section[SHIFT])
    reach += 4.0 * (abs(section[BOW]) + abs(section[BOW_A]) + abs(section[BOW_B]))
    way = steps[0] * steps[0] * dot(curve[ALONG], curve[ALONG])
    way += steps[1] * steps[1] * dot(at[BY_U], at[BY_U])
    way += steps[2] * steps[2] * dot(at[BY_V], at[BY_V])
    reach += 3.0 * (BULGE + 1.0 / mesh.edge_radius) * way
    slide = abs(system[2, 3]) + abs(own) + abs(section[EDGE_RATIO] * other)
    return reach + abs(slide * steps[0]) + abs(other * steps[2]) < 0.0


@kernel(internal=True)
def search_section(mesh, teeth, i, place, origin, turn, cosine, sine, every, curve, at, system):
    """The point of greatest penetration of section i of a tooth pair, from and into `place`;
    returns whether there is one and B's normal with its derivatives, and leaves curve, flank and
    equations as there. One that is open for certain is looked for only if `every` one is."""
    final = False
    normal = by_u = by_v = (0.0, 0.0, 0.0)
    for _ in range(SEARCH_STEPS):
        place_curve(mesh, teeth[0], i, place[0], origin, turn, curve)
        place_mate(mesh, teeth[1], place[1], place[2], cosine, sine, at)
        normal, by_u, by_v = mate_normal(mesh.outward, at)
        section_equations(mesh, i, place[0], place[2], curve, at, normal, by_u, by_v, system)
        if final:
            return True, normal, by_u, by_v
        steps = solve_three(system, -system[0, 3], -system[1, 3], -system[2, 3])
        longest = max(abs(steps[0]), abs(steps[1]), abs(steps[2]))
        if not every and _certainly_open(mesh, i, place, curve, at, normal, system, steps):
            break
        share = LONGEST_STEP / longest if longest > LONGEST_STEP else 1.0
        for k in range(3):
            place[k] += share * steps[k]
        final = longest < SETTLED
        if not (abs(place[0]) < FARTHEST and abs(place[1]) < FARTHEST and abs(place[2]) < FARTHEST):
            break
    return False, normal, by_u, by_v


@kernel(internal=True)
def penetration(mesh, i, place, curve, at, normal):
    """d of a section whose point has been found."""
    depth = 0.0
    for c in range(3):
        depth -= normal[c] * (curve[HERE, c] - at[POINT, c])
    own, _s, _b = edge_relief(
        place[0], mesh.section[i, TIP_SCALE], mesh.edge_radius, mesh.edge_width
    )
    other, _s, _b = edge_relief(place[2], mesh.mate_scale, mesh.edge_radius, mesh.edge_width)
    return depth - own - other


@kernel
def settle_sections(mesh, origin, turn, places, curve, at, system):
    """Points of greatest penetration of tooth 0 with tooth 0 on all sections, from and into places
    (sections, 4), and d; not a number where a section has none."""
    for i in range(places.shape[0]):
        settled, normal, _u, _v = search_section(
            mesh, (0, 0), i, places[i], origin, turn, 1.0, 0.0, True, curve, at, system
        )
        places[i, 3] = penetration(mesh, i, places[i], curve, at, normal) if settled else math.nan
