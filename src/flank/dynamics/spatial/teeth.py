"""Teeth of two involute gears on bodies in space: springs along their lines of action, or joints.

Gears turn about the z axes of their bodies, and x is where angles count from. Seen from gear A,
along its x, y and z axes u, v and a, gear B has the centre y, the axis b and the x axis q. In the
plane across A's axis at a height z of its face, B's axis stands at

    p = (y_1, y_2) + τ (b_1, b_2),    τ = (z - y_3)/b_3,

and there the two mesh as in the plane (`dynamics/mesh.py`), p being the line of centres, ψ the
direction of q, and both counted from u: g_s = j/2 + R (inv α - inv α0) - s φ. Helical
teeth run ahead by t = ± tan β_b with the height on either gear. Where they touch, near the pitch
point w p with w = r_a/(r_a + r_b), B's height is ζ = (w p_1 - y_1) b_1 + (w p_2 - y_2) b_2 +
(z - y_3) b_3, so that

    φ = r_b (ψ - angle) - R γ + t (z - ζ),

γ the direction of p, or of -p in a ring. For axes that stay parallel it is exact for any motion;
leaning counts to the first order, the turn of B about its own axis to the second. A height z of
zero stands for the whole face; slices at other heights tell how leaning shifts the load across it.

The gap is a function of the pose of B seen from A, so action is reaction and the frame does not
matter. It depends on eight products of vectors, s = (y, b, q_1, q_2). With X the sum of
∂g/∂s_k (u, v, a)_k over the three of each vector, gradients and second orders are those of
X·(p_B - p_A), X·b and X·q, which `pull_back.py` knows; what is left is Σ ∂²g/∂s_k∂s_l ∇s_k ∇s_lᵀ.

Angles are known up to whole turns, so φ is up to p_b times the largest common divisor of both tooth
numbers, and is taken nearest to zero.
"""

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from flank.arrays import Floats, Integers, Rows, row_type
from flank.contact.spatial.pull_back import add_dot_turning, add_gradient, add_turning
from flank.contact.tooth_pair import ToothTables
from flank.dynamics.mesh import (
    Line,
    flank_force,
    flank_law,
    is_active,
    mesh_gap,
    roll_length,
)
from flank.dynamics.scatter import add_element, add_forces, clear_rows
from flank.dynamics.spatial.quaternions import matrix_of
from flank.dynamics.spatial.rotation import add_cross, apply, dot
from flank.dynamics.tooth_store import ToothStore
from flank.kernel import KernelByType, kernel

if TYPE_CHECKING:
    from flank.dynamics.trajectory import SpatialTrajectory

SPATIAL_TEETH = row_type(
    [
        ("body_a", np.int64),
        ("body_b", np.int64),
        ("centre_a", np.float64, 3),  # of the gears, body frames
        ("centre_b", np.float64, 3),
        ("height", np.float64),  # z, m
        ("helix", np.float64),  # ± tan β_b, positive where A is right-handed
        ("period", np.float64),  # of φ, m
        ("a_base_radius", np.float64),
        ("b_base_radius", np.float64),  # negative for a ring
        ("centre_distance", np.float64),  # where the dead band is as given
        ("angle", np.float64),  # ψ where B is centred and γ zero
        ("dead_band", np.float64),
        ("flank", np.float64),  # ±1 holds this flank both ways; zero: both push
        ("stiffness", np.float64),  # N/m, or the factor of a table
        ("damping", np.float64),
        ("always_damped", np.float64),
        ("pair", np.int64),  # row of the tooth pairs, -1 for none
        ("roll_offset", np.float64),
        ("separation", np.float64),
        ("first", np.int64),  # the multiplier of a joint, -1 of a spring
        ("offset", np.float64),  # of a joint: its gap where it begins
    ]
)

Y, B_AXIS, MARK = 0, 3, 6
"""Where the three vectors begin among the eight products."""

SECOND, FIRST, GRADIENT, PLACE, VALUES, BY_PLACE, U = 8, 16, 17, 18, 19, 20, 21
LEAN, TURN, ARM_A, ARM_B, SUM = range(U + 3, U + 8)
"""Rows of the scratch: ∇s from row 0, ∂²g/∂s² from SECOND, ∂g/∂s, ∇g, ∇ρ, s, ∂ρ/∂s, the axes of A
in space, axis and mark of B, arms p_B - x_A and p_B - x_B, and X."""

SCRATCH_ROWS = SUM + 1

TOTAL, ELASTIC, GAP, ROLL = range(4)
"""Of what is read from a mesh, as in the plane."""


class Teeth(NamedTuple):
    """Of a model that has gears: rows of SPATIAL_TEETH and the tables they point into."""

    rows: Rows
    gears: ToothTables


class NoTeeth(NamedTuple):
    """Of a model that has none, which then compiles nothing of them."""

    rows: int = 0


@kernel(internal=True)
def _see(mesh, position, matrix, element):
    """Fill the products s and their gradients; returns the line of centres in A's frame."""
    a = mesh.body_a
    b = mesh.body_b
    values = element[VALUES]
    for i in range(3):
        for k in range(3):
            element[U + k, i] = matrix[a, i, k]
        element[LEAN, i] = matrix[b, i, 2]
        element[TURN, i] = matrix[b, i, 0]
    apply(matrix[a], mesh.centre_a, element[SUM])
    apply(matrix[b], mesh.centre_b, element[ARM_B])
    for i in range(3):
        element[ARM_A, i] = position[b, i] + element[ARM_B, i] - position[a, i]
    for k in range(3):
        direction = element[U + k]
        between = 0.0
        for i in range(3):
            between += direction[i] * (element[ARM_A, i] - element[SUM, i])
        values[Y + k] = between
        values[B_AXIS + k] = dot(direction, element[LEAN])
        values[MARK + k] = dot(direction, element[TURN])
    for k in range(8):
        for i in range(12):
            element[k, i] = 0.0
        direction = element[U + k % 3]
        if k < B_AXIS:
            add_gradient(direction, element[ARM_A], element[ARM_B], 1.0, element[k])
        else:
            seen = element[LEAN] if k < MARK else element[TURN]
            add_cross(direction, seen, 1.0, element[k, 3:6])
            add_cross(seen, direction, 1.0, element[k, 9:12])
    return _line(mesh, values)


@kernel(internal=True)
def _line(mesh, values):
    """The line of centres at the height of the mesh, in A's frame, and the phase."""
    along = (mesh.height - values[2]) / values[5]
    px = values[0] + along * values[3]
    py = values[1] + along * values[4]
    distance = math.sqrt(px * px + py * py)
    radii = mesh.a_base_radius + mesh.b_base_radius
    outward = 1.0 if radii > 0.0 else -1.0
    cosine = abs(radii) / distance
    exists = cosine < 1.0
    cosine = min(cosine, 1.0 - 1e-15)
    sine = math.sqrt(1.0 - cosine * cosine)
    angle = math.acos(cosine)
    direction = math.atan2(outward * py, outward * px)
    share = mesh.a_base_radius / radii
    height = (share * px - values[0]) * values[3] + (share * py - values[1]) * values[4]
    height += (mesh.height - values[2]) * values[5]
    phase = mesh.b_base_radius * (math.atan2(values[7], values[6]) - mesh.angle)
    phase += mesh.helix * (mesh.height - height) - radii * direction
    phase -= mesh.period * math.floor(phase / mesh.period + 0.5)
    return Line(
        0.0, 0.0, 0.0, 0.0, px / distance, py / distance, distance, cosine, sine, angle,
        sine / cosine - angle, direction, phase, exists,
    )  # fmt: skip


@kernel(internal=True)
def _fill_first(mesh, line, side, element):
    """∂g/∂s, ∂ρ/∂s, ∇g and ∇ρ."""
    values = element[VALUES]
    first = element[FIRST]
    place = element[BY_PLACE]
    radii = mesh.a_base_radius + mesh.b_base_radius
    outward = 1.0 if radii > 0.0 else -1.0
    share = mesh.a_base_radius / radii
    along = (mesh.height - values[2]) / values[5]
    helix = side * mesh.helix
    for k in range(8):
        first[k] = 0.0
        place[k] = 0.0
    opening = line.cosine / (line.distance * line.sine)
    for i in range(2):
        c = line.cx if i == 0 else line.cy
        t = -line.cy if i == 0 else line.cx
        lean = values[B_AXIS + i]
        by_p = outward * (line.sine * c + side * line.cosine * t) + helix * share * lean
        roll = mesh.a_base_radius * (opening * c - side / line.distance * t)
        p = values[i] + along * lean
        first[i] += by_p - helix * lean
        first[2] -= by_p * lean / values[5]
        first[B_AXIS + i] += by_p * along + helix * (share * p - values[i])
        first[5] -= by_p * lean * along / values[5]
        place[i] += roll
        place[2] -= roll * lean / values[5]
        place[B_AXIS + i] += roll * along
        place[5] -= roll * lean * along / values[5]
    first[2] -= helix * values[5]
    first[5] += helix * (mesh.height - values[2])
    size = values[6] * values[6] + values[7] * values[7]
    first[6] += side * mesh.b_base_radius * values[7] / size
    first[7] -= side * mesh.b_base_radius * values[6] / size
    for i in range(12):
        gap = 0.0
        roll = 0.0
        for k in range(8):
            gap += first[k] * element[k, i]
            roll += place[k] * element[k, i]
        element[GRADIENT, i] = gap
        element[PLACE, i] = roll


@kernel(internal=True)
def _fill_second(mesh, line, side, element):
    """∂²g/∂s²."""
    values = element[VALUES]
    radii = mesh.a_base_radius + mesh.b_base_radius
    outward = 1.0 if radii > 0.0 else -1.0
    share = mesh.a_base_radius / radii
    b3 = values[5]
    along = (mesh.height - values[2]) / b3
    helix = side * mesh.helix
    for k in range(8):
        for m in range(8):
            element[SECOND + k, m] = 0.0
    sine = line.sine
    cosine = side * line.cosine
    scale = outward / line.distance
    for i in range(2):
        for j in range(2):
            ci = line.cx if i == 0 else line.cy
            cj = line.cx if j == 0 else line.cy
            ti = -line.cy if i == 0 else line.cx
            tj = -line.cy if j == 0 else line.cx
            bent = cosine * cosine / sine * ci * cj - cosine * (ci * tj + ti * cj) + sine * ti * tj
            _add_outer(element, scale * bent, i, j, values, along)
    for i in range(2):
        c = line.cx if i == 0 else line.cy
        t = -line.cy if i == 0 else line.cx
        lean = values[B_AXIS + i]
        by_p = outward * (sine * c + cosine * t) + helix * share * lean
        _put(element, B_AXIS + i, 2, -by_p / b3)
        _put(element, B_AXIS + i, 5, -by_p * along / b3)
        _put(element, 2, 5, by_p * lean / (b3 * b3))
        element[SECOND + 5, 5] += 2.0 * by_p * lean * along / (b3 * b3)
        _put(element, i, B_AXIS + i, helix * (share - 1.0))  # ∂b/∂s ∂p/∂s, and that of ζ itself
        element[SECOND + B_AXIS + i, B_AXIS + i] += 2.0 * helix * share * along
        _put(element, B_AXIS + i, 2, -helix * share * lean / b3)
        _put(element, B_AXIS + i, 5, -helix * share * lean * along / b3)
    _put(element, 2, 5, -helix)
    square = (values[6] * values[6] + values[7] * values[7]) ** 2
    turned = -side * mesh.b_base_radius / square
    element[SECOND + 6, 6] += turned * 2.0 * values[6] * values[7]
    element[SECOND + 7, 7] -= turned * 2.0 * values[6] * values[7]
    _put(element, 6, 7, turned * (values[7] * values[7] - values[6] * values[6]))


@kernel(internal=True)
def _put(element, k, m, value):
    element[SECOND + k, m] += value
    element[SECOND + m, k] += value


@kernel(internal=True)
def _add_outer(element, factor, i, j, values, along):
    """factor ∂p_i/∂s ∂p_j/∂sᵀ; p_i depends on y_i, y_3, b_i and b_3."""
    b3 = values[5]
    for m in range(4):
        row = (i, 2, B_AXIS + i, 5)[m]
        lean = values[B_AXIS + i]
        left = (1.0, -lean / b3, along, -lean * along / b3)[m]
        for n in range(4):
            column = (j, 2, B_AXIS + j, 5)[n]
            other = values[B_AXIS + j]
            right = (1.0, -other / b3, along, -other * along / b3)[n]
            element[SECOND + row, column] += factor * left * right


@kernel(internal=True)
def _add_second_order(factor, element, block):
    """Add factor ∂²g/∂q² to the block, after `_fill_second`."""
    for k in range(8):
        for m in range(8):
            size = factor * element[SECOND + k, m]
            if size == 0.0:
                continue
            for i in range(12):
                left = size * element[k, i]
                if left != 0.0:
                    for j in range(12):
                        block[i, j] += left * element[m, j]
    total = element[SUM]
    _sum_axes(element, Y, 3, total)
    add_turning(total, element[ARM_A], element[ARM_B], factor, block)
    _sum_axes(element, B_AXIS, 3, total)
    add_dot_turning(total, element[LEAN], factor, block)
    _sum_axes(element, MARK, 2, total)
    add_dot_turning(total, element[TURN], factor, block)


@kernel(internal=True)
def _sum_axes(element, start, count, out):
    """X of one vector."""
    for i in range(3):
        out[i] = 0.0
        for k in range(count):
            out[i] += element[FIRST, start + k] * element[U + k, i]


@kernel(internal=True)
def _rate(mesh, velocity, element):
    rate = 0.0
    for i in range(6):
        rate += element[GRADIENT, i] * velocity[mesh.body_a, i]
        rate += element[GRADIENT, 6 + i] * velocity[mesh.body_b, i]
    return rate


@kernel(internal=True)
def _add_flank(mesh, gears, line, side, state, target):
    """One flank of a spring; returns its energy."""
    element = target.element
    block = target.block
    gap = mesh_gap(mesh, line, side)
    elastic, stiffness, energy, roll_force, roll_slope, roll_stiffness = flank_law(
        mesh, mesh.stiffness, gears, line, side, 0.0, gap, target.geometric_factor
    )
    if not is_active(mesh, stiffness, line, side):
        return 0.0
    _fill_first(mesh, line, side, element)
    force = flank_force(mesh, elastic, _rate(mesh, state.velocity, element))
    if force == 0.0 and mesh.flank == 0.0:
        return energy
    total = stiffness + target.rate_factor * mesh.damping
    row = element[GRADIENT]
    place = element[PLACE]
    for i in range(12):
        for j in range(12):
            block[i, j] = total * row[i] * row[j]
            block[i, j] -= roll_slope * (row[i] * place[j] + place[i] * row[j])
            block[i, j] += roll_stiffness * place[i] * place[j]
    if target.geometric_factor != 0.0:
        _fill_second(mesh, line, side, element)
        _add_second_order(-target.geometric_factor * force, element, block)
    for i in range(12):
        row[i] = force * row[i] + roll_force * place[i]
    add_forces(target, mesh.body_a, mesh.body_b, row)
    add_element(target, mesh.body_a, mesh.body_b)
    return energy


@kernel(internal=True)
def _add_none(_teeth, _state, _target):
    return 0.0


@kernel(internal=True)
def _add_some(teeth, state, target):
    """Forces, tangent and energy of all springs."""
    energy = 0.0
    for k in range(teeth.rows.shape[0]):
        mesh = teeth.rows[k]
        if mesh.first >= 0:
            continue
        line = _see(mesh, state.position, state.matrix, target.element)
        side = -1.0
        for _ in range(2):
            if line.exists and mesh.flank * side >= 0.0:
                energy += _add_flank(mesh, teeth.gears, line, side, state, target)
            side = 1.0
    return energy


add_teeth = KernelByType({NoTeeth: _add_none, Teeth: _add_some})
"""(teeth, state, target): add all springs; returns the stored energy."""


@kernel(internal=True)
def _join_none(_teeth, _state, _target, _residuals, _scale):
    return 0.0


@kernel(internal=True)
def _join_some(teeth, state, target, residuals, scale):
    """Residuals g - g_0, forces -λ ∇g, rows and columns of the tangent."""
    element = target.element
    unknowns = 6 * target.core_count
    for k in range(teeth.rows.shape[0]):
        mesh = teeth.rows[k]
        if mesh.first < 0:
            continue
        line = _see(mesh, state.position, state.matrix, element)
        _fill_first(mesh, line, mesh.flank, element)
        residuals[mesh.first] += mesh_gap(mesh, line, mesh.flank) - mesh.offset
        multiplier = state.multipliers[mesh.first]
        for side in range(2):
            body = mesh.body_a if side == 0 else mesh.body_b
            for i in range(6):
                entry = element[GRADIENT, 6 * side + i]
                target.force[body, i] -= multiplier * entry
                if body > 0:
                    place = 6 * (body - 1) + i
                    target.core[unknowns + mesh.first, place] += scale * entry
                    target.core[place, unknowns + mesh.first] += scale * entry
        if target.geometric_factor != 0.0:
            clear_rows(target.block)
            _fill_second(mesh, line, mesh.flank, element)
            _add_second_order(target.geometric_factor * multiplier, element, target.block)
            add_element(target, mesh.body_a, mesh.body_b)
    return 0.0


join_teeth = KernelByType({NoTeeth: _join_none, Teeth: _join_some})
"""(teeth, state, target, residuals, scale): add all joints; those that share a multiplier keep the
sum of their gaps."""


@kernel(internal=True)
def _no_second_rates(_teeth, _state, _work):
    return 0.0


@kernel(internal=True)
def _second_rates(teeth, state, work):
    """Add d²g/dt² without accelerations: the second order along the motion."""
    element = work.element
    for k in range(teeth.rows.shape[0]):
        mesh = teeth.rows[k]
        if mesh.first < 0:
            continue
        line = _see(mesh, state.position, state.matrix, element)
        _fill_first(mesh, line, mesh.flank, element)
        _fill_second(mesh, line, mesh.flank, element)
        clear_rows(work.block)
        _add_second_order(1.0, element, work.block)
        for i in range(12):
            body = mesh.body_a if i < 6 else mesh.body_b
            for j in range(12):
                other = mesh.body_a if j < 6 else mesh.body_b
                product = state.velocity[body, i % 6] * state.velocity[other, j % 6]
                work.constraint[mesh.first] += work.block[i, j] * product
    return 0.0


teeth_second_rates = KernelByType({NoTeeth: _no_second_rates, Teeth: _second_rates})
"""(teeth, state, work): add to work.constraint what joints of teeth have there."""


@kernel(internal=True)
def _no_power(_teeth, _state, _element):
    return 0.0


@kernel(internal=True)
def _some_power(teeth, state, element):
    """Power that the dampers take, W."""
    power = 0.0
    for k in range(teeth.rows.shape[0]):
        mesh = teeth.rows[k]
        if mesh.first >= 0 or mesh.damping == 0.0:
            continue
        line = _see(mesh, state.position, state.matrix, element)
        for flank in range(2):
            side = 1.0 - 2.0 * flank
            if not line.exists or mesh.flank * side < 0.0:
                continue
            gap = mesh_gap(mesh, line, side)
            elastic, stiffness, _energy, _force, _slope, _bend = flank_law(
                mesh, mesh.stiffness, teeth.gears, line, side, 0.0, gap, 0.0
            )
            if is_active(mesh, stiffness, line, side):
                _fill_first(mesh, line, side, element)
                rate = _rate(mesh, state.velocity, element)
                power += (elastic - flank_force(mesh, elastic, rate)) * rate
    return power


teeth_power = KernelByType({NoTeeth: _no_power, Teeth: _some_power})
"""(teeth, state, element): power that dampers of teeth take, W."""


@kernel
def _read_teeth(rows, numbers, gears, position, matrix, velocity, element, parts):
    for t in range(position.shape[0]):
        for k in range(numbers.shape[0]):
            mesh = rows[numbers[k]]
            line = _see(mesh, position[t], matrix[t], element)
            for flank in range(2):
                side = 1.0 - 2.0 * flank
                if not line.exists or mesh.flank * side < 0.0:
                    continue
                gap = mesh_gap(mesh, line, side)
                elastic, stiffness, _energy, _force, _slope, _bend = flank_law(
                    mesh, mesh.stiffness, gears, line, side, 0.0, gap, 0.0
                )
                _fill_first(mesh, line, side, element)
                parts[t, k, flank, ELASTIC] = elastic
                parts[t, k, flank, GAP] = gap
                if is_active(mesh, stiffness, line, side):
                    rate = _rate(mesh, velocity[t], element)
                    parts[t, k, flank, TOTAL] = flank_force(mesh, elastic, rate)
                if mesh.pair >= 0:
                    pair = gears.rows[mesh.pair]
                    parts[t, k, flank, ROLL] = roll_length(mesh, pair, line, side, 0.0)


def read_teeth(teeth: Teeth, numbers: Integers, trajectory: "SpatialTrajectory") -> Floats:
    """Of rows of springs over time (time, row, flank, part), flank +1 first: the force, that of the
    spring alone, the gap in m, and the roll length at which teeth touch, up to base pitches."""
    return _parts(teeth, numbers, trajectory.position, trajectory.rotation, trajectory.velocity)


def teeth_gaps(row: np.void, position: Floats, rotation: Floats) -> tuple[float, float]:
    """Of both flanks in one pose, the row being that of a spring or of a joint not yet made."""
    teeth = Teeth(np.array([row]), ToothStore().packed())
    velocity = np.zeros((1, len(position), 6))
    parts = _parts(teeth, np.zeros(1, np.int64), position[None], rotation[None], velocity)
    return float(parts[0, 0, 0, GAP]), float(parts[0, 0, 1, GAP])


def _parts(
    teeth: Teeth, numbers: Integers, position: Floats, rotation: Floats, velocity: Floats
) -> Floats:
    parts = np.zeros((len(position), len(numbers), 2, 4))
    _read_teeth(
        teeth.rows,
        np.ascontiguousarray(numbers, dtype=np.int64),
        teeth.gears,
        np.ascontiguousarray(position),
        np.ascontiguousarray(matrix_of(rotation)),
        np.ascontiguousarray(velocity),
        np.zeros((SCRATCH_ROWS, 12)),
        parts,
    )
    return parts
