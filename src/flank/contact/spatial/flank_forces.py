"""Force between two gears whose flanks touch: poses and velocities in, forces and tangent out.

All teeth that can touch are searched on all sections (`flank_search`); sections with a penetration
beyond -|v|/2 are points of one load distribution (`partial_contact`), coupled by influence numbers
of both gears on the same tooth and its neighbours. The force F_i of a section acts along B's normal
at the point of greatest penetration, on A and, turned round, on B: action and reaction are equal.
Friction is Coulomb's against the sliding velocity v_t, μ F v_t/√(v_t² + v_r²).

With ξ how A moves seen from B (a shift, a small turn about A's origin), z = (v, u_B, v_B) of a
section moves by dz = -R_z⁻¹ R_ξ dξ, and with it penetration, spread, curvature, length, influence
numbers, point and normal. Of F_i = Φ_i(d_i - Σ_{j≠i} B_ij F_j; v_i, P_i, l_i)

    (1/Φ' + B_off) dF = dd - dB_off F + (Φ_v dv + Φ_P dP + Φ_l dl)/Φ',    P_i with l_i B_ii in it,

so that the tangent is exact but for friction, whose direction stays as it is when bodies move. As
all Φ are C1 and sections come in where Φ and Φ' are zero, the force is C1 in the pose.
"""

import math
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats, Integers
from flank.contact.iterated_loads import deletion, proportion_printed
from flank.contact.load_distribution import STALLED
from flank.contact.partial_contact import (
    SectionPoints,
    SectionWork,
    distribute_sections,
    section_points,
    section_work,
)
from flank.contact.spatial.flank_search import (
    ACROSS,
    ALONG,
    BOW,
    CLIMB,
    HERE,
    MATE_WIDTH,
    SHIFT,
    TIP_SCALE,
    TWISTED,
    FlankMesh,
    edge_relief,
    penetration,
    search_section,
)
from flank.contact.spatial.vectors import cross, dot, turned, turned_back
from flank.geometry.spline_surface import BY_U, BY_V, spline_weights
from flank.geometry.uniform_table import floor_index
from flank.kernel import kernel

PROPORTION, DELETION, PRINTED = range(3)
"""Ways of sharing the load."""

METHODS = {"proportion": PROPORTION, "deletion": DELETION, "proportion-printed": PRINTED}

ROUND_OFF = 1e-9
"""Of u: faces that are as long as each other end together."""

LIGHT_PRESSURE = 0.1e6
"""Pa: of the reference compliance k⁺ of printed proportions."""

(ARM, NORMAL, ALONG_V, ACROSS_R, TWIST, NORMAL_U, NORMAL_V, MATE_U, MATE_V, SLIP) = range(10)
"""Rows of what is kept of a point, all seen from B: point less A's origin, n, p_v, p_r, p_rv, n_u,
n_v, S_u, S_v, and the direction of friction times its share of the force."""

SOFT_END = 0.1
"""Of a section's width: over twice of it its length begins, and ends, to fade past B's face."""


class FlankWork(NamedTuple):
    """Answers of the last evaluation, and scratch; room for `slots` tooth pairs."""

    counts: Integers  # points that may touch, and lost searches
    tooth: Integers  # (points, 2): number of A's tooth, and section
    places: Floats  # (points, 3): v, u_B, v_B
    vectors: Floats  # (points, 10, 3)
    systems: Floats  # (points, 3, 4): equations of the search
    laws: Floats  # (points, 5): ∂ ln κ/∂v, ∂ ln κ/∂v_B, ∂l/∂v, ∂l/∂u_B, l Φ_P/Φ'
    points: SectionPoints
    loads: SectionWork
    memory: Floats  # (slots, sections): forces of the last evaluation
    base: Integers  # A's tooth of the first row of it
    origin: Floats  # (3,), A's origin seen from B
    turn: Floats  # (3, 3), A's rotation seen from B
    carried: Floats  # (3, 3), that of a tooth of A
    curve: Floats
    at: Floats
    system: Floats
    history: Floats  # (steps, points) of deletion
    moves: Floats  # (points, 3, 6): z by ξ
    right: Floats  # (points, 6): forces by ξ
    column: Floats
    wrench: Floats  # (6,) on A, seen from B, about A's origin
    stiffness: Floats  # (6, 6): wrench by ξ
    lifted: Floats  # (6, 12)


def flank_work(mesh: FlankMesh, history: int = 0) -> FlankWork:
    """Scratch for one pair; `history` steps of deletion are kept."""
    sections = len(mesh.starts)
    window = mesh.angle_step * mesh.starts.shape[1]
    slots = math.ceil(window * mesh.teeth_a / (2 * math.pi)) + 1
    room = slots * sections
    return FlankWork(
        counts=np.zeros(2, dtype=np.int64),
        tooth=np.zeros((room, 2), dtype=np.int64),
        places=np.zeros((room, 3)),
        vectors=np.zeros((room, 10, 3)),
        systems=np.zeros((room, 3, 4)),
        laws=np.zeros((room, 5)),
        points=section_points(room),
        loads=section_work(room),
        memory=np.zeros((slots, sections)),
        base=np.zeros(1, dtype=np.int64),
        origin=np.zeros(3),
        turn=np.zeros((3, 3)),
        carried=np.zeros((3, 3)),
        curve=np.zeros((5, 3)),
        at=np.zeros((6, 3)),
        system=np.zeros((3, 4)),
        history=np.zeros((history, room)),
        moves=np.zeros((room, 3, 6)),
        right=np.zeros((room, 6)),
        column=np.zeros(room),
        wrench=np.zeros(6),
        stiffness=np.zeros((6, 6)),
        lifted=np.zeros((6, 12)),
    )


@kernel
def evaluate_flanks(mesh, method, position, matrix, velocity, a, b, work, force):
    """Forces and torques of body a, which carries A, and b into `force` (12), about their centres.

    position (bodies, 3), matrix (bodies, 3, 3), velocity (bodies, 6); frames of bodies are those of
    gears. Returns status and the power that friction takes.
    """
    _see_from_mate(position, matrix, a, b, work)
    _gather(mesh, method, work)
    status = _share(mesh, method, work)
    _remember(work)
    power = _add_up(mesh, velocity, matrix[b], a, b, position, work)
    _write_forces(matrix[b], position, a, b, work, force)
    return status, power


@kernel(internal=True)
def _see_from_mate(position, matrix, a, b, work):
    """X and R of A in B's frame."""
    at_b = matrix[b]
    away = turned_back(
        at_b,
        position[a, 0] - position[b, 0],
        position[a, 1] - position[b, 1],
        position[a, 2] - position[b, 2],
    )
    for i in range(3):
        work.origin[i] = away[i]
        for j in range(3):
            value = 0.0
            for k in range(3):
                value += at_b[k, i] * matrix[a, k, j]
            work.turn[i, j] = value


@kernel(internal=True)
def _gear_angles(mesh, work):
    """How far A and B have turned, from where each sees the other's axis."""
    turn = work.turn
    x = work.origin
    seen = turned_back(turn, -x[0], -x[1], mesh.middle_b - x[2])
    angle_a = mesh.reference_a - math.atan2(seen[1], seen[0])
    y = x[1] + turn[1, 2] * mesh.middle_a
    angle_b = mesh.reference_b - math.atan2(y, x[0] + turn[0, 2] * mesh.middle_a)
    return angle_a, angle_b


@kernel(internal=True)
def _gather(mesh, method, work):
    """Points of all tooth pairs that may touch."""
    angle_a, angle_b = _gear_angles(mesh, work)
    pitch_a = 2.0 * math.pi / mesh.teeth_a
    pitch_b = 2.0 * math.pi / mesh.teeth_b
    phase = mesh.teeth_b * angle_b - mesh.sense * mesh.teeth_a * angle_a - mesh.phase
    whole = math.floor(phase / (2.0 * math.pi) + 0.5)
    tooth = -floor_index((angle_a - mesh.first_angle) / pitch_a)
    last = mesh.first_angle + mesh.angle_step * (mesh.starts.shape[1] - 1)
    _shift_memory(work, tooth)
    work.counts[0] = 0
    work.counts[1] = 0
    while angle_a + pitch_a * tooth < last:
        mate = mesh.sense * tooth - whole
        angle = angle_a + pitch_a * tooth
        _gather_tooth(mesh, method, tooth, angle, pitch_a, mate * pitch_b, work)
        tooth += 1


@kernel(internal=True)
def _shift_memory(work, base):
    """Forces go with their teeth when another is the first."""
    shift = base - work.base[0]
    work.base[0] = base
    if shift == 0:
        return
    slots = work.memory.shape[0]
    for order in range(slots):
        slot = order if shift > 0 else slots - 1 - order
        source = slot + shift
        for i in range(work.memory.shape[1]):
            kept = 0 <= source < slots
            work.memory[slot, i] = work.memory[source, i] if kept else 0.0


@kernel(internal=True)
def _gather_tooth(mesh, method, tooth, angle, pitch_a, angle_b, work):
    cosine = math.cos(pitch_a * tooth)
    sine = math.sin(pitch_a * tooth)
    for row in range(3):
        x = work.turn[row, 0]
        y = work.turn[row, 1]
        work.carried[row, 0] = cosine * x + sine * y
        work.carried[row, 1] = cosine * y - sine * x
        work.carried[row, 2] = work.turn[row, 2]
    cosine = math.cos(angle_b)
    sine = math.sin(angle_b)
    along = (angle - mesh.first_angle) / mesh.angle_step
    row = min(max(floor_index(along), 0), mesh.starts.shape[1] - 2)
    share = along - row
    for i in range(mesh.starts.shape[0]):
        low = mesh.starts[i, row]
        high = mesh.starts[i, row + 1]
        if not abs(low[0] + high[0]) < math.inf:
            continue
        k = work.counts[0]
        place = work.places[k]
        for c in range(3):
            place[c] = low[c] + share * (high[c] - low[c])
        settled, normal, by_u, by_v = search_section(
            mesh,
            i,
            place,
            work.origin,
            work.carried,
            cosine,
            sine,
            work.curve,
            work.at,
            work.system,
        )
        if not settled:
            work.counts[1] += 1
            continue
        depth = penetration(mesh, i, place, work.curve, work.at, normal)
        if method == PROPORTION:  # all of a section counts, not only its middle
            depth -= mesh.section[i, BOW]
        _h, slope, _b = edge_relief(place[2], mesh.mate_scale, mesh.edge_radius, mesh.edge_width)
        spread = mesh.thickness * dot(normal, work.curve[ACROSS]) + slope * mesh.section[i, SHIFT]
        if depth + 0.5 * abs(spread) > 0.0:
            work.points.depth[k] = depth
            work.points.spread[k] = spread
            work.tooth[k, 0] = tooth
            work.tooth[k, 1] = i
            _keep_point(k, normal, by_u, by_v, work)
            _put_law(mesh, i, k, work)
            work.counts[0] += 1


@kernel(internal=True)
def _keep_point(k, normal, by_u, by_v, work):
    rows = work.vectors[k]
    for c in range(3):
        rows[ARM, c] = work.curve[HERE, c] - work.origin[c]
        rows[NORMAL, c] = normal[c]
        rows[ALONG_V, c] = work.curve[ALONG, c]
        rows[ACROSS_R, c] = work.curve[ACROSS, c]
        rows[TWIST, c] = work.curve[TWISTED, c]
        rows[NORMAL_U, c] = by_u[c]
        rows[NORMAL_V, c] = by_v[c]
        rows[MATE_U, c] = work.at[BY_U, c]
        rows[MATE_V, c] = work.at[BY_V, c]
        for j in range(3):
            work.systems[k, c, j] = work.system[c, j]


@kernel(internal=True)
def _read(mesh, i, table, v):
    """Value and slope of one of a section's tables over v; beyond its ends it stays."""
    cells = mesh.tables.shape[1] - 3
    x = (v - mesh.table_start) / mesh.table_step
    inside = 0.0 < x < cells
    cell, weights, slopes, _bent = spline_weights(min(max(x, 0.0), 1.0 * cells), cells)
    value = 0.0
    slope = 0.0
    for k in range(4):
        value += weights[k] * mesh.tables[i, cell + k, table]
        slope += slopes[k] * mesh.tables[i, cell + k, table]
    return value, slope / mesh.table_step if inside else 0.0


@kernel(internal=True)
def _share_on_mate(x):
    """Share of a section on B's face, one from x = 1 on, and its slope, which is continuous."""
    soft = SOFT_END
    if x >= 1.0:
        return 1.0, 0.0
    if x > 1.0 - 2.0 * soft:
        return 1.0 - (1.0 - x) * (1.0 - x) / (4.0 * soft), (1.0 - x) / (2.0 * soft)
    x += soft
    if x >= soft:
        return x, 1.0
    if x <= -soft:
        return 0.0, 0.0
    return (x + soft) * (x + soft) / (4.0 * soft), (x + soft) / (2.0 * soft)


@kernel(internal=True)
def _edge_share(mesh, v, scale, climb, curvature):
    """How far a section's curvature is an edge's; derivatives of it by v and by ln κ of the flank.

    x is how far past the edge the flanks would touch if they went on, y + h'(y)/κ: on the rounding
    itself a contact hardly moves. A contact of half width w that far past has the share
    x²/(x² + w²), which is ∂/∂x of x - w atan(x/w); within a section x is spread over what the
    contact line climbs there, of which the mean is taken.
    """
    y = (v - 1.0) * scale
    if y <= -0.5 * climb:
        return 0.0, 0.0, 0.0
    _h, slope, bent = edge_relief(v, scale, mesh.edge_radius, mesh.edge_width)
    past = slope / (scale * curvature)
    high, share_high = _past_edge(y + past + 0.5 * climb, mesh.contact_width)
    low, share_low = _past_edge(y + past - 0.5 * climb, mesh.contact_width)
    by_x = (share_high - share_low) / climb
    return (high - low) / climb, by_x * (scale + bent / (scale * curvature)), -by_x * past


@kernel(internal=True)
def _past_edge(x, width):
    """x - w atan(x/w) and its slope, zero before the edge."""
    if x <= 0.0:
        return 0.0, 0.0
    return x - width * math.atan(x / width), x * x / (x * x + width * width)


@kernel(internal=True)
def _put_law(mesh, i, k, work):
    """Law of a point: its constant by the curvature, its length, and how they change."""
    v = work.places[k, 0]
    u_b = work.places[k, 1]
    section = mesh.section[i]
    log_curvature, log_slope = _read(mesh, i, 0, v)
    flank = math.exp(log_curvature)
    share_a, by_a, log_a = _edge_share(mesh, v, section[TIP_SCALE], section[CLIMB], flank)
    share_b, by_b, log_b = _edge_share(
        mesh, work.places[k, 2], mesh.mate_scale, section[CLIMB], flank
    )
    sharper = 1.0 / (mesh.edge_radius * flank)
    growth = math.log(1.0 + sharper)
    by_log = 1.0 + growth * (log_a + log_b) - (share_a + share_b) * sharper / (1.0 + sharper)
    work.laws[k, 0] = log_slope * by_log + growth * by_a
    work.laws[k, 1] = growth * by_b
    log_curvature += growth * (share_a + share_b)
    work.points.constant[k] = mesh.constant + mesh.slope * log_curvature
    work.points.slope[k] = mesh.slope
    length, by_v = _read(mesh, i, 1, v)
    share, by_end = _share_on_mate(0.5 + (1.0 + ROUND_OFF - abs(u_b)) / section[MATE_WIDTH])
    share = max(share, 1e-6)
    work.points.length[k] = length * share
    work.laws[k, 2] = by_v * share
    outward = 1.0 if u_b > 0.0 else -1.0
    work.laws[k, 3] = -length * by_end * outward / section[MATE_WIDTH]


@kernel(internal=True)
def influence_number(table, sense, k, m, column, work):
    """Influence number between two points on one gear, v in `column` of places, and its derivative
    by v of the first."""
    away = sense * (work.tooth[k, 0] - work.tooth[m, 0])
    if abs(away) >= table.shape[0]:
        return 0.0, 0.0
    cells = table.shape[2] - 3
    p, w, d, _dd = spline_weights(0.5 * cells * (work.places[k, column] + 1.0), cells)
    q, x, _d, _dd = spline_weights(0.5 * cells * (work.places[m, column] + 1.0), cells)
    i = work.tooth[k, 1]
    j = work.tooth[m, 1]
    value = 0.0
    slope = 0.0
    if away >= 0:
        for r in range(4):
            row = table[away, i, p + r, j]
            read = x[0] * row[q] + x[1] * row[q + 1] + x[2] * row[q + 2] + x[3] * row[q + 3]
            value += w[r] * read
            slope += d[r] * read
    else:
        for r in range(4):
            row = table[-away, j, q + r, i]
            value += x[r] * (
                w[0] * row[p] + w[1] * row[p + 1] + w[2] * row[p + 2] + w[3] * row[p + 3]
            )
            slope += x[r] * (
                d[0] * row[p] + d[1] * row[p + 1] + d[2] * row[p + 2] + d[3] * row[p + 3]
            )
    return value, 0.5 * cells * slope


@kernel(internal=True)
def _share(mesh, method, work):
    """Forces of all points."""
    count = work.counts[0]
    for k in range(count):
        for m in range(k + 1):
            of_a, _slope = influence_number(mesh.influence_a, 1, k, m, 0, work)
            of_b, _slope = influence_number(mesh.influence_b, mesh.sense, k, m, 2, work)
            work.points.compliance[k, m] = of_a + of_b
            work.points.compliance[m, k] = of_a + of_b
        slot = work.tooth[k, 0] - work.base[0]
        work.loads.force[k] = work.memory[slot, work.tooth[k, 1]]
    if method == DELETION:
        status, _steps, _out = deletion(work.points, count, work.loads, work.history)
        return status
    if method == PRINTED:
        light = _light_load(mesh, work)
        status, _steps, _circling, _pulling = proportion_printed(
            work.points, count, light, work.loads
        )
        return status
    status, _steps = distribute_sections(work.points, count, work.loads)
    if status == STALLED:
        for k in range(count):
            work.loads.force[k] = 0.0
    return status


@kernel(internal=True)
def _light_load(mesh, work):
    """Load per length at which Hertz's greatest pressure is light: F' = π p² ρ/E*, Q = 1/π E*, at
    the mean curvature."""
    curvature = 0.0
    for k in range(work.counts[0]):
        curvature += math.exp((work.points.constant[k] - mesh.constant) / mesh.slope)
    mean = curvature / max(work.counts[0], 1)
    return math.pi * math.pi * mesh.slope * LIGHT_PRESSURE * LIGHT_PRESSURE / max(mean, 1e-3)


@kernel(internal=True)
def _remember(work):
    for slot in range(work.memory.shape[0]):
        for i in range(work.memory.shape[1]):
            work.memory[slot, i] = 0.0
    for k in range(work.counts[0]):
        work.memory[work.tooth[k, 0] - work.base[0], work.tooth[k, 1]] = work.loads.force[k]


@kernel(internal=True)
def _add_up(mesh, velocity, at_b, a, b, position, work):
    """Wrench on A about its origin, seen from B; returns the power of friction."""
    for i in range(6):
        work.wrench[i] = 0.0
    power = 0.0
    va = velocity[a]
    vb = velocity[b]
    linear = turned_back(at_b, va[0] - vb[0], va[1] - vb[1], va[2] - vb[2])
    spin_a = turned_back(at_b, va[3], va[4], va[5])
    spin_b = turned_back(at_b, vb[3], vb[4], vb[5])
    for k in range(work.counts[0]):
        rows = work.vectors[k]
        n = rows[NORMAL]
        arm = rows[ARM]
        load = work.loads.force[k]
        for c in range(3):
            rows[SLIP, c] = 0.0
        if mesh.friction > 0.0:
            power += load * _put_slip(mesh, linear, spin_a, spin_b, work.origin, rows)
        push = (
            load * (n[0] + rows[SLIP, 0]),
            load * (n[1] + rows[SLIP, 1]),
            load * (n[2] + rows[SLIP, 2]),
        )
        torque = cross(arm, push)
        for c in range(3):
            work.wrench[c] += push[c]
            work.wrench[3 + c] += torque[c]
    return power


@kernel(internal=True)
def _put_slip(mesh, linear, spin_a, spin_b, origin, rows):
    """Direction of friction on A per unit of the normal force; returns the power per unit of it."""
    arm = rows[ARM]
    n = rows[NORMAL]
    of_a = cross(spin_a, arm)
    of_b = cross(spin_b, (arm[0] + origin[0], arm[1] + origin[1], arm[2] + origin[2]))
    v = (
        linear[0] + of_a[0] - of_b[0],
        linear[1] + of_a[1] - of_b[1],
        linear[2] + of_a[2] - of_b[2],
    )
    along = dot(v, n)
    square = dot(v, v) - along * along
    share = mesh.friction / math.sqrt(max(square, 0.0) + mesh.friction_velocity**2)
    for c in range(3):
        rows[SLIP, c] = -share * (v[c] - along * n[c])
    return share * max(square, 0.0)


@kernel(internal=True)
def _write_forces(at_b, position, a, b, work, force):
    """Forces and torques on both bodies, in space."""
    w = work.wrench
    f = turned(at_b, w[0], w[1], w[2])
    t = turned(at_b, w[3], w[4], w[5])
    arm = (
        position[a, 0] - position[b, 0],
        position[a, 1] - position[b, 1],
        position[a, 2] - position[b, 2],
    )
    about = cross(arm, f)
    for c in range(3):
        force[c] = f[c]
        force[3 + c] = t[c]
        force[6 + c] = -f[c]
        force[9 + c] = -t[c] - about[c]
