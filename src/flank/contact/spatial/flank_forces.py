"""Force between two gears whose flanks touch: poses and velocities in, forces and tangent out.

All teeth that can touch are searched on all sections (`flank_search`); sections with a penetration
beyond -|v|/2 are points of one load distribution (`partial_contact`), coupled by influence numbers
of both gears on the same tooth and its neighbours. The force F_i of a section acts along B's normal
at the point of greatest penetration, on A and, turned round, on B: action and reaction are equal.
Friction is Coulomb's against the sliding velocity v_t, μ F v_t/√(v_t² + v_r²).

Without friction all of it comes of one potential, the stored energy

    V = max over F of Σ d_i F_i - Σ Ψ*_i(F_i; e_i, P_i, l_i) - ½ Σ_{i≠j} F_i B_ij F_j,

Ψ* the complementary energy of a section, over F from zero up. As F is where it is greatest, V by
the pose is that with fixed forces: besides F ∂d it has what the bodies' stores change by as a load
moves over them, in all that depends on its place z = (v, u_B, v_B). With L_z the derivative of
what a point has of V by its place, and R(z, ξ) = 0 the equations of the search, ξ how A moves seen
from B,

    ∂V/∂ξ = Σ -F_i n_i·∂p_i + e_ξ Ψ_e + μ·R_ξ,      R_zᵀ μ = -L_z:

one system of three equations for a point gives forces along both tangents of B's flank and two
couples. The penetration of a section is taken as even between its ends, with the mean and the mean
square of the parabola that it is: less than in the middle by the bow b, the range e² = v² + 48b²/5.

V is C2 in all that it depends on, and where a section comes in Φ and Φ' are zero; places are C1 in
the pose. So the force is C1 but for places that pass nodes of a flank's spline, whose third
derivatives jump.
"""

import math
from typing import NamedTuple

import numpy as np

from flank.arrays import Floats, Integers
from flank.contact.iterated_loads import deletion, proportion_printed
from flank.contact.load_distribution import STALLED
from flank.contact.partial_contact import (
    BY_CONSTANT,
    BY_SPREAD,
    ENERGY,
    FORCE_BY_SPREAD,
    SPREAD_BY_CONSTANT,
    TWICE_SPREAD,
    SectionPoints,
    SectionWork,
    distribute_sections,
    section_constant,
    section_energy,
    section_points,
    section_work,
)
from flank.contact.spatial.flank_influence import OF_A, OF_B, add_influence, put_weights
from flank.contact.spatial.flank_laws import (
    L_U,
    L_V,
    LOG_CURVATURE,
    P_V,
    P_W,
    POINT_LAW,
    SAG,
    SAG_V,
    SAG_W,
    SAG_WW,
    TILT,
    put_law,
)
from flank.contact.spatial.flank_search import (
    ACROSS,
    ALONG,
    BENT,
    EDGE_RATIO,
    FRICTION,
    FRICTION_VELOCITY,
    HERE,
    SHIFT,
    TWISTED,
    FlankMesh,
    edge_relief,
    penetration,
    search_section,
    solve_transposed,
)
from flank.contact.spatial.vectors import cross, dot, turned, turned_back
from flank.geometry.spline_surface import BY_U, BY_UU, BY_UV, BY_V, BY_VV
from flank.geometry.uniform_table import floor_index
from flank.kernel import kernel

PROPORTION, DELETION, PRINTED = range(3)
"""Ways of sharing the load."""

METHODS = {"proportion": PROPORTION, "deletion": DELETION, "proportion-printed": PRINTED}

LIGHT_PRESSURE = 0.1e6
"""Pa: of the reference compliance k⁺ of printed proportions."""

(
    ARM,
    NORMAL,
    ALONG_V,
    ACROSS_R,
    TWIST,
    NORMAL_U,
    NORMAL_V,
    MATE_U,
    MATE_V,
    BENT_V,
    MATE_UU,
    MATE_UV,
    MATE_VV,
    SLIP,
) = range(14)
"""Rows of what is kept of a point, all seen from B: point less A's origin, n, p_v, p_r, p_rv, n_u,
n_v, S_u, S_v, p_vv, S_uu, S_uv, S_vv, and the direction of friction times its share of the
force."""

WIDENED = 9.6
"""e² = v² + 9.6 b²: mean squares of v x - 12 b (x² - 1/12) over |x| < 1/2, and of e x."""


class FlankWork(NamedTuple):
    """Answers of the last evaluation, and scratch; room for `slots` tooth pairs."""

    counts: Integers  # (3,) points that may touch; printed proportions: circled, pulled
    tooth: Integers  # (points, 2): number of A's tooth, and section
    places: Floats  # (points, 3): v, u_B, v_B
    angles: Floats  # (points, 2): by which the teeth of A and B are turned from the first
    vectors: Floats  # (points, 14, 3)
    systems: Floats  # (points, 3, 4): equations of the search
    laws: Floats  # (points, 16): of `flank_laws`
    middles: Floats  # (points, 2, 3): v of the middle of the pressure on A and B, by v twice
    cells: Integers  # (points, 2): of influence tables of A and B
    weights: Floats  # (points, 2, 3, 4): of their splines
    slopes_a: Floats  # (points, points): influence numbers of A by v of the first
    slopes_b: Floats
    energies: Floats  # (points, 10): of `section_energy`, per length
    carried_by: Floats  # (points, 2): Σ ∂B_ij/∂v_i F_j of all others, of A and B
    adjoint: Floats  # (points, 3): μ
    points: SectionPoints
    loads: SectionWork
    memory: Floats  # (slots, sections): forces of the last evaluation
    base: Integers  # (2,): A's tooth of the first row of it; how far B's tooth numbers are back
    origin: Floats  # (3,), A's origin seen from B
    turn: Floats  # (3, 3), A's rotation seen from B
    carried: Floats  # (3, 3), that of a tooth of A
    curve: Floats
    at: Floats
    system: Floats
    history: Floats  # (steps, points) of deletion
    moves: Floats  # (points, 3, 6): z by ξ
    right: Floats  # (points, 6): what presses points by ξ, then forces by it
    bends: Floats  # (points, 2): Σ ∂²B_ij/∂v_i² F_j of all others, of A and B
    swept: Floats  # (points, 2, 6): Σ ∂²B_ij/∂v_i∂v_j F_j dv_j by ξ
    totals: Floats  # (7, 6): of one point, by ξ
    column: Floats
    motion: Floats  # (3, 3): velocity of A less B's, spins of A and B, seen from B
    wrench: Floats  # (6,) on A, seen from B, about A's origin
    stiffness: Floats  # (6, 6): wrench by ξ
    elastic: Floats  # (6, 6): of it, less its sign, what changing forces bring
    spun: Floats  # (6, 3): wrench as all is turned and velocities are not
    lifted: Floats  # (6, 12)


def flank_work(mesh: FlankMesh, history: int = 0) -> FlankWork:
    """Scratch for one pair; `history` steps of deletion are kept."""
    sections = len(mesh.starts)
    window = mesh.angle_step * mesh.starts.shape[1]
    slots = math.ceil(window * mesh.teeth_a / (2 * math.pi)) + 1
    room = slots * sections
    return FlankWork(
        counts=np.zeros(3, dtype=np.int64),
        tooth=np.zeros((room, 2), dtype=np.int64),
        places=np.zeros((room, 3)),
        angles=np.zeros((room, 2)),
        vectors=np.zeros((room, 14, 3)),
        systems=np.zeros((room, 3, 4)),
        laws=np.zeros((room, POINT_LAW)),
        middles=np.zeros((room, 2, 3)),
        cells=np.zeros((room, 2), dtype=np.int64),
        weights=np.zeros((room, 2, 3, 4)),
        slopes_a=np.zeros((room, room)),
        slopes_b=np.zeros((room, room)),
        energies=np.zeros((room, 10)),
        carried_by=np.zeros((room, 2)),
        adjoint=np.zeros((room, 3)),
        points=section_points(room),
        loads=section_work(room),
        memory=np.zeros((slots, sections)),
        base=np.zeros(2, dtype=np.int64),
        origin=np.zeros(3),
        turn=np.zeros((3, 3)),
        carried=np.zeros((3, 3)),
        curve=np.zeros((5, 3)),
        at=np.zeros((6, 3)),
        system=np.zeros((3, 4)),
        history=np.zeros((history, room)),
        moves=np.zeros((room, 3, 6)),
        right=np.zeros((room, 6)),
        bends=np.zeros((room, 2)),
        swept=np.zeros((room, 2, 6)),
        totals=np.zeros((7, 6)),
        column=np.zeros(room),
        motion=np.zeros((3, 3)),
        wrench=np.zeros(6),
        stiffness=np.zeros((6, 6)),
        elastic=np.zeros((6, 6)),
        spun=np.zeros((6, 3)),
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
    for i in range(6):
        work.wrench[i] = 0.0
    _put_energies(method, work)
    for k in range(work.counts[0]):
        _add_point(mesh, k, work)
    power = 0.0
    if mesh.rubbing[FRICTION] > 0.0:
        power = _add_friction(mesh, velocity, matrix[b], a, b, work)
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
    work.base[1] = whole
    tooth = -floor_index((angle_a - mesh.first_angle) / pitch_a)
    last = mesh.first_angle + mesh.angle_step * (mesh.starts.shape[1] - 1)
    _shift_memory(work, tooth)
    work.counts[0] = 0
    while angle_a + pitch_a * tooth < last:
        mate = mesh.sense * tooth - whole
        angle = angle_a + pitch_a * tooth
        _gather_tooth(mesh, method, tooth, angle, pitch_a, mate, mate * pitch_b, work)
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
def _gather_tooth(mesh, method, tooth, angle, pitch_a, mate, angle_b, work):
    teeth = (tooth % mesh.curves.shape[0], mate % mesh.mate.shape[0])
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
            teeth,
            i,
            place,
            work.origin,
            work.carried,
            cosine,
            sine,
            False,
            work.curve,
            work.at,
            work.system,
        )
        if not settled:
            continue
        put_law(mesh, i, k, work)
        depth = penetration(mesh, i, place, work.curve, work.at, normal)
        _h, slope, _b = edge_relief(place[2], mesh.mate_scale, mesh.edge_radius, mesh.edge_width)
        tilt = mesh.thickness * dot(normal, work.curve[ACROSS]) + slope * mesh.section[i, SHIFT]
        spread = abs(tilt)
        if method == PROPORTION:  # all of a section counts, not only its middle
            sag = work.laws[k, SAG]
            depth -= sag
            spread = math.sqrt(tilt * tilt + WIDENED * sag * sag)
        else:
            for entry in range(SAG, SAG_WW + 1):
                work.laws[k, entry] = 0.0
        if depth + 0.5 * spread > 0.0:
            work.points.depth[k] = depth
            work.points.spread[k] = spread
            work.laws[k, TILT] = tilt
            work.tooth[k, 0] = tooth
            work.tooth[k, 1] = i
            work.angles[k, 0] = pitch_a * tooth
            work.angles[k, 1] = angle_b
            _keep_point(k, normal, by_u, by_v, work)
            put_weights(mesh, k, work)
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
        rows[BENT_V, c] = work.curve[BENT, c]
        rows[MATE_UU, c] = work.at[BY_UU, c]
        rows[MATE_UV, c] = work.at[BY_UV, c]
        rows[MATE_VV, c] = work.at[BY_VV, c]
        rows[SLIP, c] = 0.0
        for j in range(3):
            work.systems[k, c, j] = work.system[c, j]


@kernel(internal=True)
def _share(mesh, method, work):
    """Forces of all points."""
    count = work.counts[0]
    for k in range(count):
        for m in range(k + 1):
            give = add_influence(mesh.influence_a, 1, OF_A, k, m, work.slopes_a, work)
            give += add_influence(mesh.influence_b, mesh.sense, OF_B, k, m, work.slopes_b, work)
            work.points.compliance[k, m] = give
            work.points.compliance[m, k] = give
        slot = work.tooth[k, 0] - work.base[0]
        work.loads.force[k] = work.memory[slot, work.tooth[k, 1]]
    if method == DELETION:
        status, _steps, _out = deletion(work.points, count, work.loads, work.history)
        return status
    if method == PRINTED:
        light = _light_load(mesh, work)
        status, _steps, work.counts[1], work.counts[2] = proportion_printed(
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
        curvature += math.exp(work.laws[k, LOG_CURVATURE])
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
def _put_energies(method, work):
    """Energy of each point and what others press it by, with all derivatives; points of methods
    that know no sections are pressed as a whole."""
    count = work.counts[0]
    points = work.points
    force = work.loads.force
    for k in range(count):
        of_a = 0.0
        of_b = 0.0
        give = 0.0
        for m in range(count):
            if m != k:
                of_a += work.slopes_a[k, m] * force[m]
                of_b += work.slopes_b[k, m] * force[m]
                give += points.compliance[k, m] * force[m]
        work.carried_by[k, 0] = of_a
        work.carried_by[k, 1] = of_b
        spread = points.spread[k]
        if method != PROPORTION:
            work.loads.seat[k] = points.depth[k] - give if force[k] > 0.0 else 0.0
            spread = 0.0
        section_energy(
            work.loads.seat[k],
            spread,
            section_constant(points, k),
            points.slope[k],
            work.energies[k],
        )
        if method != PROPORTION:
            for entry in (BY_SPREAD, FORCE_BY_SPREAD, TWICE_SPREAD, SPREAD_BY_CONSTANT):
                work.energies[k, entry] = 0.0


@kernel(internal=True)
def place_slopes(mesh, k, work):
    """What a point has of V, by its place (v, u_B, v_B) at a fixed pose and fixed forces."""
    points = work.points
    law = work.laws[k]
    rows = work.vectors[k]
    energy = work.energies[k]
    force = work.loads.force[k]
    length = points.length[k]
    shift = mesh.section[work.tooth[k, 1], SHIFT]
    _h, slope, bent = edge_relief(
        work.places[k, 2], mesh.mate_scale, mesh.edge_radius, mesh.edge_width
    )
    of_tilt = length * energy[BY_SPREAD] * law[TILT]
    of_sag = length * energy[BY_SPREAD] * WIDENED * law[SAG] - force
    of_constant = length * energy[BY_CONSTANT]
    of_length = energy[ENERGY] + of_constant * points.compliance[k, k]
    own_a = 2.0 * of_constant * length * work.slopes_a[k, k] - force * work.carried_by[k, 0]
    own_b = 2.0 * of_constant * length * work.slopes_b[k, k] - force * work.carried_by[k, 1]
    thick = of_tilt * mesh.thickness
    normal = rows[NORMAL]
    across = rows[ACROSS_R]
    ratio = mesh.section[work.tooth[k, 1], EDGE_RATIO]
    return (
        -force * ratio * slope
        + of_sag * law[SAG_V]
        + of_constant * law[P_V]
        + of_length * law[L_V]
        + own_a
        + thick * dot(normal, rows[TWIST]),
        of_length * law[L_U] + thick * dot(rows[NORMAL_U], across),
        -force * slope
        + of_sag * law[SAG_W]
        + of_constant * law[P_W]
        + own_b
        + thick * dot(rows[NORMAL_V], across)
        + of_tilt * bent * shift,
    )


@kernel(internal=True)
def _add_point(mesh, k, work):
    """-∂V/∂ξ of a point to the wrench on A about its origin, seen from B."""
    rows = work.vectors[k]
    n = rows[NORMAL]
    arm = rows[ARM]
    load = work.loads.force[k]
    along = place_slopes(mesh, k, work)
    mu = solve_transposed(work.systems[k], -along[0], -along[1], -along[2])
    thick = work.points.length[k] * work.energies[k, BY_SPREAD] * work.laws[k, TILT]
    thick *= mesh.thickness
    couple = cross(
        (
            mu[2] * rows[ALONG_V, 0] + thick * rows[ACROSS_R, 0],
            mu[2] * rows[ALONG_V, 1] + thick * rows[ACROSS_R, 1],
            mu[2] * rows[ALONG_V, 2] + thick * rows[ACROSS_R, 2],
        ),
        n,
    )
    push = (
        load * n[0] - mu[0] * rows[MATE_U, 0] - mu[1] * rows[MATE_V, 0],
        load * n[1] - mu[0] * rows[MATE_U, 1] - mu[1] * rows[MATE_V, 1],
        load * n[2] - mu[0] * rows[MATE_U, 2] - mu[1] * rows[MATE_V, 2],
    )
    torque = cross(arm, push)
    for c in range(3):
        work.adjoint[k, c] = mu[c]
        work.wrench[c] += push[c]
        work.wrench[3 + c] += torque[c] - couple[c]


@kernel(internal=True)
def _add_friction(mesh, velocity, at_b, a, b, work):
    """Friction of all points to the wrench; returns its power."""
    va = velocity[a]
    vb = velocity[b]
    linear = turned_back(at_b, va[0] - vb[0], va[1] - vb[1], va[2] - vb[2])
    spin_a = turned_back(at_b, va[3], va[4], va[5])
    spin_b = turned_back(at_b, vb[3], vb[4], vb[5])
    for c in range(3):
        work.motion[0, c] = linear[c]
        work.motion[1, c] = spin_a[c]
        work.motion[2, c] = spin_b[c]
    power = 0.0
    for k in range(work.counts[0]):
        rows = work.vectors[k]
        load = work.loads.force[k]
        power += load * _put_slip(mesh, linear, spin_a, spin_b, work.origin, rows)
        push = (load * rows[SLIP, 0], load * rows[SLIP, 1], load * rows[SLIP, 2])
        torque = cross(rows[ARM], push)
        for c in range(3):
            work.wrench[c] += push[c]
            work.wrench[3 + c] += torque[c]
    return power


@kernel(internal=True)
def slip_velocity(linear, spin_a, spin_b, origin, arm):
    """Of A's point against B's."""
    of_a = cross(spin_a, arm)
    of_b = cross(spin_b, (arm[0] + origin[0], arm[1] + origin[1], arm[2] + origin[2]))
    return (
        linear[0] + of_a[0] - of_b[0],
        linear[1] + of_a[1] - of_b[1],
        linear[2] + of_a[2] - of_b[2],
    )


@kernel(internal=True)
def _put_slip(mesh, linear, spin_a, spin_b, origin, rows):
    """Direction of friction on A per unit of the normal force; returns the power per unit of it."""
    n = rows[NORMAL]
    v = slip_velocity(linear, spin_a, spin_b, origin, rows[ARM])
    along = dot(v, n)
    square = dot(v, v) - along * along
    slow = mesh.rubbing[FRICTION_VELOCITY]
    share = mesh.rubbing[FRICTION] / math.sqrt(max(square, 0.0) + slow * slow)
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
