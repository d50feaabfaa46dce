"""Tangent of the force between flanks, after `evaluate_flanks`; theory stands in `flank_forces`."""

import math

from flank.contact.load_distribution import factor_loaded, solve_loaded
from flank.contact.partial_contact import find_bearing, section_constant, section_force
from flank.contact.spatial.flank_forces import (
    ACROSS_R,
    ALONG_V,
    ARM,
    MATE_U,
    MATE_V,
    NORMAL,
    NORMAL_U,
    NORMAL_V,
    SLIP,
    TWIST,
    influence_number,
)
from flank.contact.spatial.flank_search import (
    FRICTION,
    FRICTION_VELOCITY,
    SHIFT,
    TIP_SCALE,
    edge_relief,
    solve_three,
)
from flank.contact.spatial.pull_back import cross_matrix
from flank.contact.spatial.vectors import cross, dot, turned
from flank.kernel import kernel


@kernel
def flank_tangent(mesh, position, matrix, a, b, rate_factor, geometric_factor, work, block):
    """Add the tangent -∂Q/∂q - (rate factor) ∂Q/∂q̇ to the 12 x 12 `block` of bodies a and b.

    As all elements in space it leaves out ½[t] of either body's torque, which the assembly adds;
    `geometric_factor` (0 to 1) scales what turning normals and moving points bring.
    """
    count = work.counts[0]
    for k in range(count):
        _put_moves(k, work)
        _put_right(mesh, k, work)
    _couple(mesh, count, work)
    _solve_forces(count, work)
    add_stiffness(count, geometric_factor, work)
    lift(position, matrix, a, b, geometric_factor, work, block)
    if rate_factor != 0.0 and mesh.rubbing[FRICTION] > 0.0:
        _add_friction_rates(mesh, position, matrix, a, b, rate_factor, work, block)


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
def _put_right(mesh, k, work):
    """dd and what spread, curvature and length change of a point's force, all over Φ'."""
    rows = work.vectors[k]
    points = work.points
    section = work.tooth[k, 1]
    constant = section_constant(points, k)
    force, by_seat, by_spread, by_constant = section_force(
        work.loads.seat[k], points.spread[k], constant, points.slope[k], points.length[k]
    )
    work.loads.stiffness[k] = by_seat
    over = 1.0 / by_seat if by_seat > 0.0 else 0.0
    work.laws[k, 4] = over * by_constant * points.length[k]
    _h, slope_a, _b = edge_relief(
        work.places[k, 0], mesh.section[section, TIP_SCALE], mesh.edge_radius, mesh.edge_width
    )
    _h, slope_b, bent_b = edge_relief(
        work.places[k, 2], mesh.mate_scale, mesh.edge_radius, mesh.edge_width
    )
    n = rows[NORMAL]
    lean = dot(n, rows[ALONG_V]) + slope_a
    turn_d = cross(rows[ARM], n)
    turn_s = cross(rows[ACROSS_R], n)
    by_u = dot(rows[NORMAL_U], rows[ACROSS_R])
    by_v = dot(rows[NORMAL_V], rows[ACROSS_R])
    by_own = dot(n, rows[TWIST])
    own = points.compliance[k, k]
    for c in range(6):
        dv = work.moves[k, 0, c]
        du_b = work.moves[k, 1, c]
        dv_b = work.moves[k, 2, c]
        depth = -(n[c] if c < 3 else turn_d[c - 3]) - lean * dv - slope_b * dv_b
        spread = by_own * dv + by_u * du_b + by_v * dv_b
        if c >= 3:
            spread += turn_s[c - 3]
        length = work.laws[k, 2] * dv + work.laws[k, 3] * du_b
        change = points.slope[k] * (work.laws[k, 0] * dv + work.laws[k, 1] * dv_b) + own * length
        spread = mesh.thickness * spread + bent_b * mesh.section[section, SHIFT] * dv_b
        more = by_spread * spread + by_constant * change
        more += force / points.length[k] * length
        work.right[k, c] = depth + over * more


@kernel(internal=True)
def _couple(mesh, count, work):
    """What changing influence numbers take off: -Σ dB_kj F_j, and of its own point P's part."""
    back = work.base[1]
    for k in range(count):
        for m in range(count):
            _value, of_a = influence_number(mesh.influence_a, 1, 0, k, m, 0, work)
            _value, of_b = influence_number(mesh.influence_b, mesh.sense, back, k, m, 2, work)
            if m == k:
                weight = 2.0 * work.laws[k, 4]
                for c in range(6):
                    change = of_a * work.moves[k, 0, c] + of_b * work.moves[k, 2, c]
                    work.right[k, c] += weight * change
                continue
            for c in range(6):
                change = of_a * work.moves[k, 0, c] + of_b * work.moves[k, 2, c]
                work.right[k, c] -= change * work.loads.force[m]
                work.right[m, c] -= change * work.loads.force[k]


@kernel(internal=True)
def _solve_forces(count, work):
    """Right sides become forces by ξ."""
    bearing = find_bearing(work.points, count, work.loads)
    factor_loaded(work.points, bearing, work.loads)
    for c in range(6):
        for row in range(bearing):
            work.column[row] = work.right[work.loads.active[row], c]
        solve_loaded(work.loads.factor, bearing, work.column)
        for k in range(count):
            work.right[k, c] = 0.0
        for row in range(bearing):
            work.right[work.loads.active[row], c] = work.column[row]


@kernel(internal=True)
def add_stiffness(count, geometric_factor, work):
    """Wrench on A by ξ, seen from B."""
    for i in range(6):
        for j in range(6):
            work.stiffness[i, j] = 0.0
    for k in range(count):
        rows = work.vectors[k]
        n = rows[NORMAL]
        arm = rows[ARM]
        load = geometric_factor * work.loads.force[k]
        pushed = (n[0] + rows[SLIP, 0], n[1] + rows[SLIP, 1], n[2] + rows[SLIP, 2])
        torque = cross(arm, pushed)
        for c in range(6):
            change = work.right[k, c]
            dv = work.moves[k, 0, c]
            du_b = work.moves[k, 1, c]
            dv_b = work.moves[k, 2, c]
            bent = (
                rows[NORMAL_U, 0] * du_b + rows[NORMAL_V, 0] * dv_b,
                rows[NORMAL_U, 1] * du_b + rows[NORMAL_V, 1] * dv_b,
                rows[NORMAL_U, 2] * du_b + rows[NORMAL_V, 2] * dv_b,
            )
            x = rows[ALONG_V, 0] * dv
            y = rows[ALONG_V, 1] * dv
            z = rows[ALONG_V, 2] * dv
            if c == 3:  # the arm turns with A
                y -= arm[2]
                z += arm[1]
            elif c == 4:
                x += arm[2]
                z -= arm[0]
            elif c == 5:
                x -= arm[1]
                y += arm[0]
            moved = cross((x, y, z), pushed)
            swung = cross(arm, bent)
            for i in range(3):
                work.stiffness[i, c] += change * pushed[i] + load * bent[i]
                work.stiffness[3 + i, c] += change * torque[i] + load * (moved[i] + swung[i])


@kernel(internal=True)
def lift(position, matrix, a, b, geometric_factor, work, block):
    """From ξ to the coordinates of both bodies, in space: with a = x_A - x_B, f and t on A

    δξ = (δx_A - δx_B + a x β, α - β),  δf_A = K δξ + β x f,  δf_B = -δf_A,
    δt_B = -δt_A - δa x f - a x δf_A.
    """
    at_b = matrix[b]
    rotated = work.lifted
    _rotate_blocks(at_b, work.stiffness)
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
    """R K Rᵀ of all four 3 x 3 blocks, in place."""
    for j in range(6):
        for first in (0, 3):
            x, y, z = turned(
                turn, stiffness[first, j], stiffness[first + 1, j], stiffness[first + 2, j]
            )
            stiffness[first, j] = x
            stiffness[first + 1, j] = y
            stiffness[first + 2, j] = z
    for i in range(6):
        for first in (0, 3):
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
