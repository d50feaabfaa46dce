"""Tangent of the force between flanks, after `evaluate_flanks`; theory stands in `flank_forces`.

V by the pose, with forces where V is greatest, bends by what it bends with fixed forces and by what
they change: with M = 1/Φ' + B_off among sections that bear and r_i = ∂²V/∂F_i∂ξ

    V'' = ∂²V/∂ξ² + rᵀ M⁻¹ r,     r = dd - dB_off F + (Φ_e de + Φ_P dP + Φ_l dl)/Φ',

which is symmetric. Of the first, places move by z' = -R_z⁻¹ R_ξ, and what their own bending brings
goes back to the adjoint μ of the force:

    L_z z'' = μ·(R_zz z' z' + R_zξ z' + (R_zξ z')ᵀ + R_ξξ),

for which third derivatives of both flanks are needed along the normal only. Friction is no part of
a potential; its direction turns as points move, and as bodies turn under velocities in space.
"""

import math

from flank.contact.load_distribution import factor_loaded
from flank.contact.partial_contact import (
    BY_CONSTANT,
    BY_SEAT,
    BY_SPREAD,
    ENERGY,
    FORCE,
    FORCE_BY_CONSTANT,
    FORCE_BY_SPREAD,
    SPREAD_BY_CONSTANT,
    TWICE_CONSTANT,
    TWICE_SPREAD,
    find_bearing,
)
from flank.contact.spatial.flank_forces import (
    ACROSS_R,
    ALONG_V,
    ARM,
    BENT_V,
    MATE_U,
    MATE_UU,
    MATE_UV,
    MATE_V,
    MATE_VV,
    NORMAL,
    NORMAL_U,
    NORMAL_V,
    SLIP,
    TWIST,
    WIDENED,
    slip_velocity,
)
from flank.contact.spatial.flank_influence import OF_A, OF_B, influence_bends
from flank.contact.spatial.flank_laws import (
    L_U,
    L_UU,
    L_UV,
    L_V,
    L_VV,
    P_V,
    P_VV,
    P_W,
    P_WW,
    SAG,
    SAG_V,
    SAG_VV,
    SAG_W,
    SAG_WW,
    TILT,
)
from flank.contact.spatial.flank_search import (
    EDGE_RATIO,
    FRICTION,
    FRICTION_VELOCITY,
    SHIFT,
    TIP_SCALE,
    edge_relief,
    edge_third,
    solve_three,
)
from flank.contact.spatial.pull_back import cross_matrix
from flank.contact.spatial.vectors import cross, dot, turned, turned_back
from flank.geometry.spline_surface import spline_weights
from flank.kernel import kernel

OF_LENGTH, OF_TILT, OF_SAG, OF_RANGE, OF_CONSTANT, OF_FORCE, OF_ENERGY = range(7)
"""Rows of `totals`: length, tilt, bow, range e and P of a point by ξ; what these change of its
force; and what all but the length change of its energy per length."""


@kernel
def flank_tangent(mesh, position, matrix, a, b, rate_factor, geometric_factor, work, block):
    """Add the tangent -∂Q/∂q - (rate factor) ∂Q/∂q̇ to the 12 x 12 `block` of bodies a and b.

    As all elements in space it leaves out ½[t] of either body's torque, which the assembly adds;
    `geometric_factor` (0 to 1) scales all that forces which stay as they are bring.
    """
    count = work.counts[0]
    for i in range(6):
        for j in range(6):
            work.stiffness[i, j] = 0.0
    for k in range(count):
        _put_moves(k, work)
        _add_laws(mesh, k, geometric_factor, work)
    _couple(mesh, count, geometric_factor, work)
    rubbing = mesh.rubbing[FRICTION] > 0.0
    _solve_forces(rubbing, count, work)
    for i in range(6):
        for j in range(6):
            work.stiffness[i, j] -= work.elastic[i, j]
    if geometric_factor != 0.0:
        for k in range(count):
            _add_bends(mesh, k, geometric_factor, work)
    _clear_spun(work)
    if rubbing:
        for k in range(count):
            _add_slip(mesh, k, geometric_factor, work)
    _lift(position, matrix, a, b, geometric_factor, work, block)
    if rate_factor != 0.0 and rubbing:
        _add_friction_rates(mesh, position, matrix, a, b, rate_factor, work, block)


@kernel
def elastic_tangent(position, matrix, a, b, work, block):
    """Add to `block` what changing forces have in the tangent of `flank_tangent`, friction left
    out: rᵀ M⁻¹ r, symmetric and without negative directions."""
    for i in range(6):
        for j in range(6):
            work.stiffness[i, j] = -work.elastic[i, j]
    _clear_spun(work)
    _lift(position, matrix, a, b, 0.0, work, block)


@kernel(internal=True)
def _clear_spun(work):
    for i in range(6):
        for j in range(3):
            work.spun[i, j] = 0.0


@kernel(internal=True)
def _put_moves(k, work):
    """z by ξ: the equations of the search, moved with A."""
    rows = work.vectors[k]
    turn_u = cross(rows[ARM], rows[MATE_U])
    turn_v = cross(rows[ARM], rows[MATE_V])
    turn_n = cross(rows[ALONG_V], rows[NORMAL])
    for c in range(6):
        x = rows[MATE_U, c] if c < 3 else turn_u[c - 3]
        y = rows[MATE_V, c] if c < 3 else turn_v[c - 3]
        z = 0.0 if c < 3 else turn_n[c - 3]
        moved = solve_three(work.systems[k], -x, -y, -z)
        for i in range(3):
            work.moves[k, i, c] = moved[i]


@kernel(internal=True)
def _put_totals(mesh, k, work):
    """Fill `totals`, and what presses a point by ξ if no other did: dd and OF_FORCE over Φ'."""
    rows = work.vectors[k]
    points = work.points
    law = work.laws[k]
    energy = work.energies[k]
    total = work.totals
    section = mesh.section[work.tooth[k, 1]]
    _h, slope, bent = edge_relief(
        work.places[k, 2], mesh.mate_scale, mesh.edge_radius, mesh.edge_width
    )
    n = rows[NORMAL]
    turn_d = cross(rows[ARM], n)
    turn_s = cross(rows[ACROSS_R], n)
    by_v = mesh.thickness * dot(n, rows[TWIST])
    by_u = mesh.thickness * dot(rows[NORMAL_U], rows[ACROSS_R])
    by_w = mesh.thickness * dot(rows[NORMAL_V], rows[ACROSS_R]) + bent * section[SHIFT]
    length = points.length[k]
    own = points.compliance[k, k]
    over_spread = 1.0 / points.spread[k] if points.spread[k] > 0.0 else 0.0
    stiffness = length * energy[BY_SEAT]
    over = 1.0 / stiffness if stiffness > 0.0 else 0.0
    for c in range(6):
        v = work.moves[k, 0, c]
        u = work.moves[k, 1, c]
        w = work.moves[k, 2, c]
        tilt = by_v * v + by_u * u + by_w * w
        if c >= 3:
            tilt += mesh.thickness * turn_s[c - 3]
        sag = law[SAG_V] * v + law[SAG_W] * w
        longer = law[L_V] * v + law[L_U] * u
        constant = law[P_V] * v + law[P_W] * w + own * longer
        constant += 2.0 * length * (work.slopes_a[k, k] * v + work.slopes_b[k, k] * w)
        square = law[TILT] * tilt + WIDENED * law[SAG] * sag
        spread = over_spread * square
        force = energy[FORCE_BY_SPREAD] * spread + energy[FORCE_BY_CONSTANT] * constant
        total[OF_LENGTH, c] = longer
        total[OF_TILT, c] = tilt
        total[OF_SAG, c] = sag
        total[OF_RANGE, c] = spread
        total[OF_CONSTANT, c] = constant
        total[OF_FORCE, c] = energy[FORCE] * longer + length * force
        total[OF_ENERGY, c] = energy[BY_SPREAD] * square + energy[BY_CONSTANT] * constant
        depth = -(n[c] if c < 3 else turn_d[c - 3]) - sag
        depth -= slope * (section[EDGE_RATIO] * v + w)
        work.right[k, c] = depth + over * total[OF_FORCE, c]
    return stiffness, over


@kernel(internal=True)
def _add_laws(mesh, k, factor, work):
    """What presses a point, and how its energy bends with length, range and P at a fixed force."""
    stiffness, over = _put_totals(mesh, k, work)
    work.loads.stiffness[k] = stiffness
    if factor == 0.0:
        return
    energy = work.energies[k]
    total = work.totals
    length = work.points.length[k]
    even = length * energy[BY_SPREAD]
    for i in range(6):
        for j in range(6):
            flat = total[OF_TILT, i] * total[OF_TILT, j]
            flat += WIDENED * total[OF_SAG, i] * total[OF_SAG, j]
            spread = total[OF_RANGE, i] * total[OF_RANGE, j]
            mixed = total[OF_RANGE, i] * total[OF_CONSTANT, j]
            mixed += total[OF_RANGE, j] * total[OF_CONSTANT, i]
            value = even * (flat - spread) + length * energy[TWICE_SPREAD] * spread
            value += length * energy[SPREAD_BY_CONSTANT] * mixed
            constant = total[OF_CONSTANT, i] * total[OF_CONSTANT, j]
            value += length * energy[TWICE_CONSTANT] * constant
            value += total[OF_LENGTH, i] * total[OF_ENERGY, j]
            value += total[OF_LENGTH, j] * total[OF_ENERGY, i]
            value -= over * total[OF_FORCE, i] * total[OF_FORCE, j]
            work.stiffness[i, j] -= factor * value


@kernel(internal=True)
def _couple(mesh, count, factor, work):
    """What changing influence numbers take off what presses points, and how they bend."""
    for k in range(count):
        for gear in range(2):
            work.bends[k, gear] = 0.0
            for c in range(6):
                work.swept[k, gear, c] = 0.0
        for c in range(6):
            work.right[k, c] -= work.carried_by[k, 0] * work.moves[k, 0, c]
            work.right[k, c] -= work.carried_by[k, 1] * work.moves[k, 2, c]
    for m in range(count):
        load = work.loads.force[m]
        if load <= 0.0:
            continue
        for k in range(count):
            if k != m:
                of_a = load * work.slopes_a[m, k]
                of_b = load * work.slopes_b[m, k]
                for c in range(6):
                    change = of_a * work.moves[m, 0, c] + of_b * work.moves[m, 2, c]
                    work.right[k, c] -= change
        if factor != 0.0:
            for k in range(m):
                if work.loads.force[k] > 0.0:
                    _bend_pair(mesh.influence_a, 1, OF_A, k, m, work)
                    _bend_pair(mesh.influence_b, mesh.sense, OF_B, k, m, work)


@kernel(internal=True)
def _bend_pair(table, sense, gear, k, m, work):
    by_k, by_m, both = influence_bends(table, sense, gear, k, m, work)
    load_k = work.loads.force[k]
    load_m = work.loads.force[m]
    work.bends[k, gear] += by_k * load_m
    work.bends[m, gear] += by_m * load_k
    of_k = both * load_k
    of_m = both * load_m
    for c in range(6):
        work.swept[k, gear, c] += of_m * work.moves[m, 2 * gear, c]
        work.swept[m, gear, c] += of_k * work.moves[k, 2 * gear, c]


@kernel(internal=True)
def _solve_forces(wanted, count, work):
    """rᵀ M⁻¹ r into `elastic`; right sides become forces by ξ if those are wanted."""
    bearing = find_bearing(work.points, count, work.loads)
    factor_loaded(work.points, bearing, work.loads)
    factor = work.loads.factor
    for row in range(bearing):
        i = work.loads.active[row]
        for c in range(6):
            value = work.right[i, c]
            for k in range(row):
                value -= factor[row, k] * work.right[work.loads.active[k], c]
            work.right[i, c] = value / factor[row, row]
    for i in range(6):
        for j in range(i + 1):
            value = 0.0
            for row in range(bearing):
                at = work.loads.active[row]
                value += work.right[at, i] * work.right[at, j]
            work.elastic[i, j] = value
            work.elastic[j, i] = value
    if wanted:
        _forces_by_pose(bearing, count, work)


@kernel(internal=True)
def _forces_by_pose(bearing, count, work):
    factor = work.loads.factor
    active = work.loads.active
    for c in range(6):
        for row in range(bearing):
            work.column[row] = work.right[active[row], c]
        for k in range(count):
            work.right[k, c] = 0.0
        for back in range(bearing):
            row = bearing - 1 - back
            value = work.column[row]
            for k in range(row + 1, bearing):
                value -= factor[k, row] * work.column[k]
            work.column[row] = value / factor[row, row]
            work.right[active[row], c] = work.column[row]


@kernel(internal=True)
def _mate_thirds(mesh, k, work):
    """n·S_uuu, n·S_uuv, n·S_uvv, n·S_vvv at a point."""
    mate = mesh.sense * work.tooth[k, 0] - work.base[1]
    table = mesh.mate[mate % mesh.mate.shape[0]]
    n = work.vectors[k, NORMAL]
    cosine = math.cos(work.angles[k, 1])
    sine = math.sin(work.angles[k, 1])
    x = cosine * n[0] + sine * n[1]
    y = cosine * n[1] - sine * n[0]
    cells_u = table.shape[0] - 3
    cells_v = table.shape[1] - 3
    scale_u = 0.5 * cells_u
    scale_v = 0.5 * cells_v
    i, wu, du, ddu = spline_weights((work.places[k, 1] + 1.0) * scale_u, cells_u)
    j, wv, dv, ddv = spline_weights((work.places[k, 2] + 1.0) * scale_v, cells_v)
    third = (-1.0, 3.0, -3.0, 1.0)
    uuu = uuv = uvv = vvv = 0.0
    for r in range(4):
        value = slope = bent = last = 0.0
        for s in range(4):
            row = table[i + r, j + s]
            along = x * row[0] + y * row[1] + n[2] * row[2]
            value += wv[s] * along
            slope += dv[s] * along
            bent += ddv[s] * along
            last += third[s] * along
        uuu += third[r] * value
        uuv += ddu[r] * slope
        uvv += du[r] * bent
        vvv += wu[r] * last
    return (
        scale_u * scale_u * scale_u * uuu,
        scale_u * scale_u * scale_v * uuv,
        scale_u * scale_v * scale_v * uvv,
        scale_v * scale_v * scale_v * vvv,
    )


@kernel(internal=True)
def _curve_thirds(mesh, k, work):
    """n·p_vvv and n·p_rvv at a point."""
    n = work.vectors[k, NORMAL]
    seen = turned_back(work.turn, n[0], n[1], n[2])
    cosine = math.cos(work.angles[k, 0])
    sine = math.sin(work.angles[k, 0])
    x = cosine * seen[0] + sine * seen[1]
    y = cosine * seen[1] - sine * seen[0]
    cells = mesh.curves.shape[2] - 3
    curves = mesh.curves[work.tooth[k, 0] % mesh.curves.shape[0], work.tooth[k, 1]]
    scale = 0.5 * cells
    j, _w, _d, bends = spline_weights((work.places[k, 0] + 1.0) * scale, cells)
    third = (-1.0, 3.0, -3.0, 1.0)
    here = across = 0.0
    for s in range(4):
        row = curves[j + s]
        here += third[s] * (x * row[0] + y * row[1] + seen[2] * row[2])
        across += bends[s] * (x * row[3] + y * row[4] + seen[2] * row[5])
    return scale * scale * scale * here, scale * scale * across


@kernel(internal=True)
def _normal_bends(rows, thirds, x):
    """n_uu·x, n_uv·x and n_vv·x: from n·S_u = n·S_v = 0, n·n = 1, derived twice."""
    s_u = rows[MATE_U]
    s_v = rows[MATE_V]
    n_u = rows[NORMAL_U]
    n_v = rows[NORMAL_V]
    e = dot(s_u, s_u)
    f = dot(s_u, s_v)
    g = dot(s_v, s_v)
    over = 1.0 / (e * g - f * f)
    first = dot(x, s_u)
    second = dot(x, s_v)
    a = over * (g * first - f * second)
    b = over * (e * second - f * first)
    c = dot(x, rows[NORMAL])
    uu = a * (2.0 * dot(n_u, rows[MATE_UU]) + thirds[0])
    uu += b * (2.0 * dot(n_u, rows[MATE_UV]) + thirds[1]) + c * dot(n_u, n_u)
    uv = a * (dot(n_u, rows[MATE_UV]) + dot(n_v, rows[MATE_UU]) + thirds[1])
    uv += b * (dot(n_u, rows[MATE_VV]) + dot(n_v, rows[MATE_UV]) + thirds[2]) + c * dot(n_u, n_v)
    vv = a * (2.0 * dot(n_v, rows[MATE_UV]) + thirds[2])
    vv += b * (2.0 * dot(n_v, rows[MATE_VV]) + thirds[3]) + c * dot(n_v, n_v)
    return -uu, -uv, -vv


@kernel(internal=True)
def _equations_bent(mesh, k, thirds, along_third, work):
    """μ·R_zz of a point: vv, vu, vw, uu, uw, ww, with w = v_B."""
    rows = work.vectors[k]
    mu = work.adjoint[k]
    s_u = rows[MATE_U]
    s_v = rows[MATE_V]
    section = mesh.section[work.tooth[k, 1]]
    radius = mesh.edge_radius
    width = mesh.edge_width
    own, _s, _b = edge_relief(work.places[k, 0], section[TIP_SCALE], radius, width)
    other, _s, _b = edge_relief(work.places[k, 2], mesh.mate_scale, radius, width)
    own_third = edge_third(work.places[k, 0], section[TIP_SCALE], radius, width)
    other_third = edge_third(work.places[k, 2], mesh.mate_scale, radius, width)
    away = -(work.points.depth[k] + work.laws[k, SAG] + own + other)  # p - S, along n
    uu, uw, ww = _normal_bends(rows, thirds, rows[ALONG_V])
    u_uv = dot(s_u, rows[MATE_UV])
    v_uv = dot(s_v, rows[MATE_UV])
    v_uu = dot(s_v, rows[MATE_UU])
    u_vv = dot(s_u, rows[MATE_VV])
    vv = mu[0] * dot(s_u, rows[BENT_V]) + mu[1] * dot(s_v, rows[BENT_V])
    vu = mu[0] * dot(rows[ALONG_V], rows[MATE_UU]) + mu[1] * dot(rows[ALONG_V], rows[MATE_UV])
    vw = mu[0] * dot(rows[ALONG_V], rows[MATE_UV]) + mu[1] * dot(rows[ALONG_V], rows[MATE_VV])
    first = away * thirds[0] - 3.0 * dot(s_u, rows[MATE_UU])
    second = away * thirds[1] - 2.0 * u_uv - v_uu
    third = away * thirds[2] - 2.0 * v_uv - u_vv
    last = away * thirds[3] - 3.0 * dot(s_v, rows[MATE_VV])
    return (
        vv + mu[2] * (along_third + own_third),
        vu + mu[2] * dot(rows[NORMAL_U], rows[BENT_V]),
        vw + mu[2] * dot(rows[NORMAL_V], rows[BENT_V]),
        mu[0] * first + mu[1] * second + mu[2] * uu,
        mu[0] * second + mu[1] * third + mu[2] * uw,
        mu[0] * third + mu[1] * last + mu[2] * (ww - section[EDGE_RATIO] * other_third),
    )


@kernel(internal=True)
def _laws_bent(mesh, k, work):
    """Second derivatives by the place of what a point has of V, each summand's weight fixed: vv,
    vu, vw, uu, uw, ww without that of the tilt."""
    law = work.laws[k]
    energy = work.energies[k]
    points = work.points
    load = work.loads.force[k]
    length = points.length[k]
    of_sag = length * energy[BY_SPREAD] * WIDENED * law[SAG] - load
    of_constant = length * energy[BY_CONSTANT]
    of_length = energy[ENERGY] + of_constant * points.compliance[k, k]
    a_k, a_m, a_both = influence_bends(mesh.influence_a, 1, OF_A, k, k, work)
    b_k, b_m, b_both = influence_bends(mesh.influence_b, mesh.sense, OF_B, k, k, work)
    own_a = 2.0 * work.slopes_a[k, k]
    own_b = 2.0 * work.slopes_b[k, k]
    vv = law[P_VV] + length * (a_k + a_m + 2.0 * a_both) + 2.0 * own_a * law[L_V]
    ww = law[P_WW] + length * (b_k + b_m + 2.0 * b_both)
    return (
        of_sag * law[SAG_VV] + of_length * law[L_VV] + of_constant * vv - load * work.bends[k, 0],
        of_length * law[L_UV] + of_constant * own_a * law[L_U],
        of_constant * own_b * law[L_V],
        of_length * law[L_UU],
        of_constant * own_b * law[L_U],
        of_sag * law[SAG_WW] + of_constant * ww - load * work.bends[k, 1],
    )


@kernel(internal=True)
def _add_bends(mesh, k, factor, work):
    """What V bends by as a point moves under a fixed force."""
    load = work.loads.force[k]
    if load <= 0.0 and work.energies[k, ENERGY] == 0.0:
        return
    rows = work.vectors[k]
    thirds = _mate_thirds(mesh, k, work)
    along_third, across_third = _curve_thirds(mesh, k, work)
    equations = _equations_bent(mesh, k, thirds, along_third, work)
    laws = _laws_bent(mesh, k, work)
    tilt = work.points.length[k] * work.energies[k, BY_SPREAD] * work.laws[k, TILT]
    thick = tilt * mesh.thickness
    uu, uw, ww = _normal_bends(rows, thirds, rows[ACROSS_R])
    shift = mesh.section[work.tooth[k, 1], SHIFT]
    third = edge_third(work.places[k, 2], mesh.mate_scale, mesh.edge_radius, mesh.edge_width)
    _h, _s, bent = edge_relief(
        work.places[k, 2], mesh.mate_scale, mesh.edge_radius, mesh.edge_width
    )
    vv = equations[0] + laws[0] + thick * across_third
    vu = equations[1] + laws[1] + thick * dot(rows[NORMAL_U], rows[TWIST])
    vw = equations[2] + laws[2] + thick * dot(rows[NORMAL_V], rows[TWIST])
    uu = equations[3] + laws[3] + thick * uu
    uw = equations[4] + laws[4] + thick * uw
    ww = equations[5] + laws[5] + thick * ww + tilt * third * shift
    edge = load * bent
    along_edge = mesh.section[work.tooth[k, 1], EDGE_RATIO] * edge
    _put_mixed(k, thick, work)
    mixed = work.totals
    for j in range(6):
        v = work.moves[k, 0, j]
        u = work.moves[k, 1, j]
        w = work.moves[k, 2, j]
        by_v = vv * v + vu * u + (vw - along_edge) * w + mixed[0, j]
        by_v -= load * work.swept[k, 0, j]
        by_u = vu * v + uu * u + uw * w + mixed[1, j]
        by_w = vw * v + uw * u + (ww - edge) * w + mixed[2, j] - load * work.swept[k, 1, j]
        for i in range(6):
            value = work.moves[k, 0, i] * by_v + work.moves[k, 1, i] * by_u
            value += work.moves[k, 2, i] * by_w
            value += (mixed[0, i] - load * mixed[3, i]) * v
            value += (mixed[1, i] - load * mixed[4, i]) * u
            value += (mixed[2, i] - load * mixed[5, i]) * w
            work.stiffness[i, j] -= factor * value
    _add_turned(k, thick, factor, work)


@kernel(internal=True)
def _put_mixed(k, thick, work):
    """Derivatives by place and ξ in `totals`: of μ·R and the tilt, then of n·p."""
    rows = work.vectors[k]
    mu = work.adjoint[k]
    n = rows[NORMAL]
    arm = rows[ARM]
    mixed = work.totals
    bent = cross(rows[BENT_V], n)
    twist = cross(rows[TWIST], n)
    turn_u = cross(rows[ALONG_V], rows[MATE_U])
    turn_v = cross(rows[ALONG_V], rows[MATE_V])
    pressed = cross(rows[ALONG_V], n)
    for c in range(3):
        mixed[0, c] = 0.0
        mixed[0, 3 + c] = mu[0] * turn_u[c] + mu[1] * turn_v[c] + mu[2] * bent[c]
        mixed[0, 3 + c] += thick * twist[c]
        mixed[3, c] = 0.0
        mixed[3, 3 + c] = pressed[c]
    for s in range(2):
        by = rows[NORMAL_U + s]
        lean = (
            mu[0] * rows[MATE_UU + s, 0] + mu[1] * rows[MATE_UV + s, 0],
            mu[0] * rows[MATE_UU + s, 1] + mu[1] * rows[MATE_UV + s, 1],
            mu[0] * rows[MATE_UU + s, 2] + mu[1] * rows[MATE_UV + s, 2],
        )
        turned_lean = cross(arm, lean)
        along = cross(rows[ALONG_V], by)
        across = cross(rows[ACROSS_R], by)
        turned_by = cross(arm, by)
        for c in range(3):
            mixed[1 + s, c] = lean[c]
            mixed[1 + s, 3 + c] = turned_lean[c] + mu[2] * along[c] + thick * across[c]
            mixed[4 + s, c] = by[c]
            mixed[4 + s, 3 + c] = turned_by[c]


@kernel(internal=True)
def _add_turned(k, thick, factor, work):
    """(e_j x a) x b of arms and directions as A turns."""
    rows = work.vectors[k]
    mu = work.adjoint[k]
    n = rows[NORMAL]
    arm = rows[ARM]
    load = work.loads.force[k]
    pulled = (
        mu[0] * rows[MATE_U, 0] + mu[1] * rows[MATE_V, 0] - load * n[0],
        mu[0] * rows[MATE_U, 1] + mu[1] * rows[MATE_V, 1] - load * n[1],
        mu[0] * rows[MATE_U, 2] + mu[1] * rows[MATE_V, 2] - load * n[2],
    )
    along = (
        mu[2] * rows[ALONG_V, 0] + thick * rows[ACROSS_R, 0],
        mu[2] * rows[ALONG_V, 1] + thick * rows[ACROSS_R, 1],
        mu[2] * rows[ALONG_V, 2] + thick * rows[ACROSS_R, 2],
    )
    whole = dot(arm, pulled) + dot(along, n)
    for i in range(3):
        for j in range(3):
            value = arm[i] * pulled[j] + along[i] * n[j]
            if i == j:
                value -= whole
            work.stiffness[3 + i, 3 + j] -= factor * value


@kernel(internal=True)
def _add_slip(mesh, k, factor, work):
    """Friction of a point by ξ, and as all is turned and velocities are not."""
    load = work.loads.force[k]
    if load <= 0.0:
        return
    rows = work.vectors[k]
    arm = rows[ARM]
    slip = rows[SLIP]
    spin_a = work.motion[1]
    spin_b = work.motion[2]
    torque = cross(arm, slip)
    for j in range(6):
        v = work.moves[k, 0, j]
        u = work.moves[k, 1, j]
        w = work.moves[k, 2, j]
        axis = (1.0 * (j % 3 == 0), 1.0 * (j % 3 == 1), 1.0 * (j % 3 == 2))
        moved = (rows[ALONG_V, 0] * v, rows[ALONG_V, 1] * v, rows[ALONG_V, 2] * v)
        if j >= 3:
            swung = cross(axis, arm)
            moved = (moved[0] + swung[0], moved[1] + swung[1], moved[2] + swung[2])
        on_b = moved
        if j < 3:
            on_b = (moved[0] + axis[0], moved[1] + axis[1], moved[2] + axis[2])
        first = cross(spin_a, moved)
        second = cross(spin_b, on_b)
        bent = (
            rows[NORMAL_U, 0] * u + rows[NORMAL_V, 0] * w,
            rows[NORMAL_U, 1] * u + rows[NORMAL_V, 1] * w,
            rows[NORMAL_U, 2] * u + rows[NORMAL_V, 2] * w,
        )
        faster = (first[0] - second[0], first[1] - second[1], first[2] - second[2])
        change = _slip_change(mesh, k, faster, bent, work)
        about = cross(arm, change)
        shifted = cross(moved, slip)
        for i in range(3):
            work.stiffness[i, j] += work.right[k, j] * slip[i] + factor * load * change[i]
            work.stiffness[3 + i, j] += work.right[k, j] * torque[i]
            work.stiffness[3 + i, j] += factor * load * (about[i] + shifted[i])
    _add_spun(mesh, k, factor * load, work)


@kernel(internal=True)
def _slip_change(mesh, k, faster, bent, work):
    """Change of the direction of friction with the sliding velocity and the normal."""
    rows = work.vectors[k]
    n = rows[NORMAL]
    v = slip_velocity(work.motion[0], work.motion[1], work.motion[2], work.origin, rows[ARM])
    along = dot(v, n)
    slow = mesh.rubbing[FRICTION_VELOCITY]
    square = max(dot(v, v) - along * along, 0.0) + slow * slow
    share = mesh.rubbing[FRICTION] / math.sqrt(square)
    more = dot(faster, n) + dot(v, bent)
    growth = (dot(v, faster) - along * more) / square
    return (
        -share * (faster[0] - more * n[0] - along * bent[0] - growth * (v[0] - along * n[0])),
        -share * (faster[1] - more * n[1] - along * bent[1] - growth * (v[1] - along * n[1])),
        -share * (faster[2] - more * n[2] - along * bent[2] - growth * (v[2] - along * n[2])),
    )


@kernel(internal=True)
def _add_spun(mesh, k, load, work):
    """Seen from B velocities of space turn back as both bodies are turned."""
    arm = work.vectors[k, ARM]
    motion = work.motion
    still = (0.0, 0.0, 0.0)
    for j in range(3):
        axis = (1.0 * (j == 0), 1.0 * (j == 1), 1.0 * (j == 2))
        linear = cross(motion[0], axis)
        spin_a = cross(motion[1], axis)
        spin_b = cross(motion[2], axis)
        faster = slip_velocity(linear, spin_a, spin_b, work.origin, arm)
        change = _slip_change(mesh, k, faster, still, work)
        about = cross(arm, change)
        for i in range(3):
            work.spun[i, j] += load * change[i]
            work.spun[3 + i, j] += load * about[i]


@kernel(internal=True)
def _lift(position, matrix, a, b, geometric_factor, work, block):
    """From ξ to the coordinates of both bodies, in space: with a = x_A - x_B, f and t on A

    δξ = (δx_A - δx_B + a x β, α - β),  δf_A = K δξ + β x f,  δf_B = -δf_A,
    δt_B = -δt_A - δa x f - a x δf_A,

    and of velocities that stay in space as both turn by β.
    """
    at_b = matrix[b]
    rotated = work.lifted
    _rotate_blocks(at_b, work.stiffness)
    _rotate_blocks(at_b, work.spun)
    away = (
        position[a, 0] - position[b, 0],
        position[a, 1] - position[b, 1],
        position[a, 2] - position[b, 2],
    )
    w = work.wrench
    force = turned(at_b, w[0], w[1], w[2])
    torque = turned(at_b, w[3], w[4], w[5])
    for i in range(6):
        k = work.stiffness[i]
        for j in range(3):
            rotated[i, j] = k[j]
            rotated[i, 3 + j] = k[3 + j]
            rotated[i, 6 + j] = -k[j]
            swept = -k[3 + j]
            for c in range(3):
                swept += k[c] * cross_matrix(away, c, j)
            vector = force if i < 3 else torque
            swept += work.spun[i, j]
            rotated[i, 9 + j] = swept - geometric_factor * cross_matrix(vector, i % 3, j)
    about = cross(away, force)
    of_b = (-torque[0] - about[0], -torque[1] - about[1], -torque[2] - about[2])
    for i in range(3):
        for j in range(12):
            block[i, j] -= rotated[i, j]
            block[3 + i, j] -= rotated[3 + i, j]
            block[6 + i, j] += rotated[i, j]
            value = rotated[3 + i, j]
            for c in range(3):
                value += cross_matrix(away, i, c) * rotated[c, j]
            block[9 + i, j] += value
        for j in range(3):
            swing = geometric_factor * cross_matrix(force, i, j)
            block[9 + i, j] -= swing
            block[9 + i, 6 + j] += swing
            block[3 + i, 3 + j] -= 0.5 * geometric_factor * cross_matrix(torque, i, j)
            block[9 + i, 9 + j] -= 0.5 * geometric_factor * cross_matrix(of_b, i, j)


@kernel(internal=True)
def _rotate_blocks(turn, stiffness):
    """R K Rᵀ of all 3 x 3 blocks, in place."""
    columns = stiffness.shape[1]
    for j in range(columns):
        for first in (0, 3):
            x, y, z = turned(
                turn, stiffness[first, j], stiffness[first + 1, j], stiffness[first + 2, j]
            )
            stiffness[first, j] = x
            stiffness[first + 1, j] = y
            stiffness[first + 2, j] = z
    for i in range(6):
        for first in range(0, columns, 3):
            row = stiffness[i]
            x, y, z = turned(turn, row[first], row[first + 1], row[first + 2])
            row[first] = x
            row[first + 1] = y
            row[first + 2] = z


@kernel(internal=True)
def _add_friction_rates(mesh, position, matrix, a, b, rate_factor, work, block):
    """Friction by velocities: -F μ/w (1 - n nᵀ - v_t v_tᵀ/w²) at each point, w² = v_t² + v_r²."""
    at_b = matrix[b]
    friction = mesh.rubbing[FRICTION]
    for k in range(work.counts[0]):
        load = work.loads.force[k]
        if load <= 0.0:
            continue
        rows = work.vectors[k]
        n = turned(at_b, rows[NORMAL, 0], rows[NORMAL, 1], rows[NORMAL, 2])
        slip = turned(at_b, rows[SLIP, 0], rows[SLIP, 1], rows[SLIP, 2])
        arm = turned(at_b, rows[ARM, 0], rows[ARM, 1], rows[ARM, 2])
        other = (
            arm[0] + position[a, 0] - position[b, 0],
            arm[1] + position[a, 1] - position[b, 1],
            arm[2] + position[a, 2] - position[b, 2],
        )
        square = dot(slip, slip) / (friction * friction)  # v_t²/w²
        slow = math.sqrt(max(1.0 - square, 1e-12))  # v_r/w
        share = rate_factor * load * friction * slow / mesh.rubbing[FRICTION_VELOCITY]
        for i in range(3):
            for j in range(3):
                entry = -n[i] * n[j] - slip[i] * slip[j] / (friction * friction)
                if i == j:
                    entry += 1.0
                _add_point_entry(share * entry, i, j, arm, other, block)


@kernel(internal=True)
def _add_point_entry(value, i, j, arm, other, block):
    """value at (i, j) of a matrix that turns relative velocity of A's point into force against it,
    pulled back to both bodies."""
    row = (i, _next(i), _next(_next(i)))
    column = (j, _next(j), _next(_next(j)))
    for p in range(6):
        at_row, weight_row = _lever(p, row, arm, other)
        for q in range(6):
            at_column, weight_column = _lever(q, column, arm, other)
            block[at_row, at_column] += value * weight_row * weight_column


@kernel(internal=True)
def _next(i):
    return i + 1 if i < 2 else 0


@kernel(internal=True)
def _lever(p, axes, arm, other):
    """Coordinate number p of the six that move a point along axes[0], and by how much: A's shift
    and two turns, then B's with the opposite sign; (ω x r)_i = ω_j r_k - ω_k r_j."""
    i, j, k = axes
    if p == 0:
        return i, 1.0
    if p == 1:
        return 3 + j, arm[k]
    if p == 2:
        return 3 + k, -arm[j]
    if p == 3:
        return 6 + i, -1.0
    if p == 4:
        return 9 + j, -other[k]
    return 9 + k, other[j]
