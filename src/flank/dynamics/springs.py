"""Bushings, torsional springs with a dead band, and gear meshes, linear otherwise.

bushing   force on B  -k u - d u̇,  u = x_B + s_B - x_A - s_A
torsion   torque on B -k (φ - clip(φ, ±band/2)) - d φ̇ outside the band,  φ = θ_B - θ_A - angle
guide     force on B  -k (d·u) d - d u̇, d a direction that turns with A
mesh      see mesh.py; modes of gears in it see gear_modes.py
coupled   see coupled.py

Each has the potential k W(q). Where k follows an angle, mesh.add_variation adds what its slope
does.
"""

import math

from flank.dynamics.coupled import FORCES, PARTS, add_coupled, bodies_of_part, fill_coupled
from flank.dynamics.functions import stiffness_of
from flank.dynamics.gear_modes import add_modes
from flank.dynamics.mesh import add_mesh, add_variation
from flank.dynamics.model import SPRINGS
from flank.dynamics.scatter import add_element, add_forces, clear_rows, hand_in
from flank.dynamics.tables import BUSHING, COUPLED, GUIDE, MODES, TORSION
from flank.kernel import kernel
from flank.team import for_teams, has_coupled, has_meshes, rank, team_any, team_size, wait


@kernel(internal=True)
def _add_by_team(model, state, rotations, time, target):
    """`add_springs` by a team: all that its members can compute beside each other."""
    energy = 0.0
    count = model.counts[SPRINGS]
    forces = target.element[FORCES]
    for first in range(0, count, team_size()):
        spring = model.springs[min(first + rank(), count - 1)]
        in_turn = _waits_its_turn(spring)
        own = first + rank() < count and not in_turn
        coupled = has_coupled() and spring.kind == COUPLED
        for part in range(PARTS if has_coupled() and team_any(own and coupled) else 1):
            acts = own and (coupled or part == 0)
            if acts and coupled:
                pose = (state.position, rotations, state.velocity)
                energy += fill_coupled(part, spring, model.gears.data, *pose, target)
            elif acts:
                acts, stored = _between_two(model, spring, state, rotations, time, target)
                energy += stored
            a, b = bodies_of_part(part, spring)
            hand_in(target, forces, acts, a, b)
        if has_meshes() and team_any(in_turn):
            if rank() == 0:
                last = min(first + team_size(), count)
                energy += _add_some(model, state, rotations, first, last, True, time, target)
            wait()
    return energy


@for_teams(lambda _team: _add_by_team.py_func)
def add_springs(model, state, rotations, time, target):
    """Add all springs to forces and tangent; returns their stored energy."""
    count = model.counts[SPRINGS]
    return _add_some(model, state, rotations, 0, count, False, time, target)


@kernel(internal=True)
def _waits_its_turn(spring):
    """Whether a spring adds to more than the forces and the blocks of pairs of bodies."""
    if spring.kind == COUPLED:
        return False
    simple = spring.kind == BUSHING or spring.kind == GUIDE or spring.kind == TORSION
    return spring.follows >= 0 or not simple


@kernel(internal=True)
def _between_two(model, spring, state, rotations, time, target):
    """Whether a bushing, guide or torsion spring acts, and its energy; its forces and its block are
    in the target's scratch."""
    varying = stiffness_of(spring, model.functions, model.function_data, state.position, time)
    if spring.kind == TORSION:
        return _torsion(spring, varying, state, target)
    return _bushing(spring, varying, state, rotations, target)


@kernel(internal=True)
def _add_some(model, state, rotations, first, last, waiting, time, target):
    """Add springs, or those of them that wait their turn; returns the energy.

    A loop within, and not a function of one spring: to hand a whole model on costs more than a
    spring."""
    energy = 0.0
    position = state.position
    velocity = state.velocity
    for k in range(first, last):
        spring = model.springs[k]
        if waiting and not _waits_its_turn(spring):
            continue
        if spring.kind == BUSHING or spring.kind == GUIDE or spring.kind == TORSION:
            acts, stored = _between_two(model, spring, state, rotations, time, target)
            energy += stored
            if acts:
                add_forces(target, spring.body_a, spring.body_b, target.element[FORCES])
                add_element(target, spring.body_a, spring.body_b)
        elif spring.kind == COUPLED:
            data = model.gears.data
            energy += add_coupled(spring, data, position, rotations, velocity, target)
        elif spring.kind == MODES:
            energy += add_modes(spring, model.gears.data, position, velocity, target)
        else:
            varying = stiffness_of(spring, model.functions, model.function_data, position, time)
            energy += add_mesh(spring, varying, model.gears, position, velocity, target)
    return energy


@kernel(internal=True)
def _bushing(spring, varying, state, rotations, target):
    """Whether it acts, always, and its energy; forces and block are in the target's scratch."""
    position = state.position
    velocity = state.velocity
    a = spring.body_a
    b = spring.body_b
    ax = rotations[a, 0] * spring.a_x - rotations[a, 1] * spring.a_y
    ay = rotations[a, 1] * spring.a_x + rotations[a, 0] * spring.a_y
    bx = rotations[b, 0] * spring.b_x - rotations[b, 1] * spring.b_y
    by = rotations[b, 1] * spring.b_x + rotations[b, 0] * spring.b_y
    ux = position[b, 0] + bx - position[a, 0] - ax
    uy = position[b, 1] + by - position[a, 1] - ay
    # both forces act at the spring's end on B, so that action and reaction share one line
    ax += ux
    ay += uy
    vx = velocity[b, 0] - by * velocity[b, 2] - velocity[a, 0] + ay * velocity[a, 2]
    vy = velocity[b, 1] + bx * velocity[b, 2] - velocity[a, 1] - ax * velocity[a, 2]
    value = varying[0]
    stiffness = value if spring.kind == BUSHING else 0.0
    fx = -stiffness * ux - spring.damping * vx
    fy = -stiffness * uy - spring.damping * vy
    stretch_x = ux
    stretch_y = uy
    gx = 0.0
    gy = 0.0
    if spring.kind == GUIDE:
        gx = math.cos(position[a, 2] + spring.angle)
        gy = math.sin(position[a, 2] + spring.angle)
        along = gx * ux + gy * uy
        stretch_x = along * gx
        stretch_y = along * gy
        fx -= value * stretch_x
        fy -= value * stretch_y
    forces = target.element[FORCES]
    forces[0], forces[1], forces[2] = -fx, -fy, -(ax * fy - ay * fx)
    forces[3], forces[4], forces[5] = fx, fy, bx * fy - by * fx
    total = stiffness + target.rate_factor * spring.damping
    _bushing_tangent(target.block, ax, ay, bx, by, total)
    if spring.kind == GUIDE or spring.follows >= 0:
        _fill_stretch_rows(target.element, ax, ay, bx, by)
    if spring.kind == GUIDE:
        _add_guide(target, value, gx, gy)
    else:
        _add_turning(target, bx, by, target.geometric_factor * fx, target.geometric_factor * fy)
        _add_turning_of_a(target, ax, ay, bx, by, target.geometric_factor * value, ux, uy)
    potential = 0.5 * (stretch_x * stretch_x + stretch_y * stretch_y)
    if spring.follows >= 0:
        rows = target.element
        for i in range(6):
            rows[0, i] = stretch_x * rows[0, i] + stretch_y * rows[1, i]
        add_variation(spring, target, potential, 1.0, varying)
    return True, value * potential


@kernel(internal=True)
def _fill_stretch_rows(rows, ax, ay, bx, by):
    """∂u/∂q."""
    for i in range(6):
        rows[0, i] = 0.0
        rows[1, i] = 0.0
    rows[0, 0], rows[0, 2], rows[0, 3], rows[0, 5] = -1.0, ay, 1.0, -by
    rows[1, 1], rows[1, 2], rows[1, 4], rows[1, 5] = -1.0, -ax, 1.0, bx


@kernel(internal=True)
def _bushing_tangent(block, ax, ay, bx, by, total):
    """total (∂u/∂q)ᵀ(∂u/∂q), entry by entry: most are the stiffness itself, or zero."""
    for i in range(2):
        block[i, i] = block[3 + i, 3 + i] = total
        block[i, 3 + i] = block[3 + i, i] = -total
        block[i, 1 - i] = block[3 + i, 4 - i] = 0.0
        block[i, 4 - i] = block[4 - i, i] = 0.0
    block[0, 2] = block[2, 0] = -total * ay
    block[1, 2] = block[2, 1] = total * ax
    block[3, 2] = block[2, 3] = total * ay
    block[4, 2] = block[2, 4] = -total * ax
    block[0, 5] = block[5, 0] = total * by
    block[1, 5] = block[5, 1] = -total * bx
    block[3, 5] = block[5, 3] = -total * by
    block[4, 5] = block[5, 4] = total * bx
    block[2, 2] = total * (ay * ay + ax * ax)
    block[5, 5] = total * (by * by + bx * bx)
    block[2, 5] = block[5, 2] = -total * (ay * by + ax * bx)


@kernel(internal=True)
def _add_guide(target, stiffness, gx, gy):
    """Stiffness along the guide; what its turning adds (force over arm) is far smaller."""
    rows = target.element
    for i in range(6):
        rows[2, i] = gx * rows[0, i] + gy * rows[1, i]
    for i in range(6):
        for j in range(6):
            target.block[i, j] += stiffness * rows[2, i] * rows[2, j]


@kernel(internal=True)
def _add_turning(target, bx, by, fx, fy):
    """Turning of the arms: the moment of B's force about B, and of the shared point about A."""
    target.block[5, 5] += fx * bx + fy * by
    target.block[2, 0] -= fy
    target.block[2, 1] += fx
    target.block[2, 3] += fy
    target.block[2, 4] -= fx
    target.block[2, 5] -= fx * bx + fy * by


@kernel(internal=True)
def _add_turning_of_a(target, ax, ay, bx, by, stiffness, ux, uy):
    """Column of θ_A: the stretch follows A's own point, its arm shorter than a by u."""
    tx = -stiffness * uy
    ty = stiffness * ux
    target.block[0, 2] -= tx
    target.block[1, 2] -= ty
    target.block[2, 2] -= ax * ty - ay * tx
    target.block[3, 2] += tx
    target.block[4, 2] += ty
    target.block[5, 2] += bx * ty - by * tx


@kernel(internal=True)
def _torsion(spring, varying, state, target):
    """Whether it acts, and its energy; forces and block are in the target's scratch."""
    position = state.position
    velocity = state.velocity
    a = spring.body_a
    b = spring.body_b
    turn = position[b, 2] - position[a, 2] - spring.angle
    half = 0.5 * spring.dead_band
    over = turn - min(max(turn, -half), half)
    if over == 0.0 and half > 0.0:
        return False, 0.0
    value = varying[0]
    torque = -value * over - spring.damping * (velocity[b, 2] - velocity[a, 2])
    forces = target.element[FORCES]
    for i in range(6):
        forces[i] = 0.0
    forces[2], forces[5] = -torque, torque
    total = value + target.rate_factor * spring.damping
    clear_rows(target.block)
    target.block[2, 2] = total
    target.block[5, 5] = total
    target.block[2, 5] = -total
    target.block[5, 2] = -total
    potential = 0.5 * over * over
    if spring.follows >= 0:
        row = target.element[0]
        for i in range(6):
            row[i] = 0.0
        row[2], row[5] = -1.0, 1.0
        add_variation(spring, target, potential, over, varying)
    return True, value * potential
