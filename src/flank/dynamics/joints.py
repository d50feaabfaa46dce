"""Joints as constraints c(q, t) = 0 with Lagrange multipliers, each body possibly ground.

    revolute   x_B + s_B - x_A - s_A = 0                 fixed   revolute and θ_B - θ_A = angle
    rotation   θ_B - θ_A - f(t) = 0                      gear    θ_A - ratio θ_B - angle = 0
    tooth      g_s(q) - g_s(start) = 0 of mesh.py; its reaction is the force between the teeth

A fixed joint keeps the relative angle; a rotation prescribes it (or, through RUN_UP, its speed).
Tooth joints that share a multiplier hold the sum of their gaps, and carry equal forces.
"""

from flank.dynamics.functions import function_value
from flank.dynamics.mesh import fill_gap_row, mesh_line, turn_direction, turned_arm
from flank.dynamics.model import JOINTS
from flank.dynamics.scatter import add_element, add_to_body, add_to_core, clear_rows
from flank.dynamics.tables import FIXED, GEAR, REVOLUTE, ROTATION, TOOTH
from flank.kernel import kernel
from flank.team import has_meshes, rank, team_size, wait


@kernel(internal=True)
def fill_residuals(model, position, time, out):
    """c(q, t) of all joints."""
    for i in range(out.shape[0]):
        out[i] = 0.0
    for k in range(model.counts[JOINTS]):
        joint = model.joints[k]
        a = joint.body_a
        b = joint.body_b
        first = joint.first
        turn = position[b, 2] - position[a, 2]
        if joint.kind <= FIXED:
            ax, ay, bx, by = _arms(joint, position)
            out[first] = position[b, 0] + bx - position[a, 0] - ax
            out[first + 1] = position[b, 1] + by - position[a, 1] - ay
            if joint.kind == FIXED:
                out[first + 2] = turn - joint.angle
        elif joint.kind == ROTATION:
            function = model.functions[joint.function]
            value, _rate, _second = function_value(function, model.function_data, time)
            out[first] = turn - value
        elif has_meshes() and joint.kind == TOOTH:
            out[first] += _tooth_gap(joint, position)
        else:
            out[first] = position[a, 2] - joint.ratio * position[b, 2] - joint.angle


@kernel(internal=True)
def _tooth_gap(joint, position):
    line = mesh_line(joint, position)
    radii = joint.a_base_radius + joint.b_base_radius
    return radii * line.involute - joint.offset - joint.flank * line.phase


@kernel(internal=True)
def _arms(joint, position):
    """World arms s_A and s_B of the joint's two points."""
    ax, ay = turned_arm(position[joint.body_a, 2], joint.a_x, joint.a_y)
    bx, by = turned_arm(position[joint.body_b, 2], joint.b_x, joint.b_y)
    return ax, ay, bx, by


@kernel(internal=True)
def _fill_rows(joint, position, rows):
    """∂c/∂q of one joint: rows[equation, (x_A, y_A, θ_A, x_B, y_B, θ_B)]; returns their number."""
    clear_rows(rows)
    if has_meshes() and joint.kind == TOOTH:
        line = mesh_line(joint, position)
        fill_gap_row(rows[0], line, joint.flank, joint.a_base_radius, joint.b_base_radius)
        return 1
    if joint.kind <= FIXED:
        ax, ay, bx, by = _arms(joint, position)
        rows[0, 0], rows[0, 2], rows[0, 3], rows[0, 5] = -1.0, ay, 1.0, -by
        rows[1, 1], rows[1, 2], rows[1, 4], rows[1, 5] = -1.0, -ax, 1.0, bx
        if joint.kind == REVOLUTE:
            return 2
        rows[2, 2], rows[2, 5] = -1.0, 1.0
        return 3
    if joint.kind == GEAR:
        rows[0, 2], rows[0, 5] = 1.0, -joint.ratio
        return 1
    rows[0, 2], rows[0, 5] = -1.0, 1.0
    return 1


@kernel(internal=True)
def add_joints(model, state, target, scale):
    """Add -Cᵀλ to the forces, and to the tangent scale C, scale Cᵀ and the turning of Cᵀλ."""
    core = 3 * target.core_count
    rows = target.block
    for k in range(model.counts[JOINTS]):
        joint = model.joints[k]
        equations = _fill_rows(joint, state.position, rows)
        for n in range(rank(), 6, team_size()):
            body = joint.body_a if n < 3 else joint.body_b
            if body == 0:
                continue
            i = n % 3
            column = 3 * (body - 1) + i
            for e in range(equations):
                number = joint.first + e
                value = rows[e, n]
                target.force[body, i] -= state.multipliers[number] * value
                add_to_core(target, core + number, column, scale * value)
                add_to_core(target, column, core + number, scale * value)
        if rank() == 0:
            if joint.kind <= FIXED:
                _add_turning(joint, state.multipliers, state.position, target)
            elif has_meshes() and joint.kind == TOOTH:
                _add_tooth_turning(joint, state.multipliers, state.position, target)
        wait()


@kernel(internal=True)
def _add_turning(joint, multipliers, position, target):
    """∂(Cᵀλ)/∂θ of the arms: +λ·s_A on θ_A, -λ·s_B on θ_B."""
    ax, ay, bx, by = _arms(joint, position)
    lx = target.geometric_factor * multipliers[joint.first]
    ly = target.geometric_factor * multipliers[joint.first + 1]
    if joint.body_a > 0:
        add_to_body(target, joint.body_a, 2, 2, lx * ax + ly * ay)
    if joint.body_b > 0:
        add_to_body(target, joint.body_b, 2, 2, -(lx * bx + ly * by))


@kernel(internal=True)
def _add_tooth_turning(joint, multipliers, position, target):
    """λ ∂²g/∂q²."""
    outward = 1.0 if joint.a_base_radius + joint.b_base_radius > 0.0 else -1.0
    line = mesh_line(joint, position)
    clear_rows(target.block)
    force = target.geometric_factor * multipliers[joint.first]
    turn_direction(target.block, outward * force / line.distance, line, joint.flank)
    add_element(target, joint.body_a, joint.body_b)


@kernel(internal=True)
def fill_rates(model, time, work):
    """∂c/∂t of every equation."""
    out = work.constraint
    for i in range(out.shape[0]):
        out[i] = 0.0
    for k in range(model.counts[JOINTS]):
        joint = model.joints[k]
        if joint.kind == ROTATION:
            function = model.functions[joint.function]
            _value, rate, _second = function_value(function, model.function_data, time)
            out[joint.first] = -rate


@kernel(internal=True)
def fill_second_rates(model, state, time, work):
    """d²c/dt² without accelerations: the centripetal terms of the arms and f''."""
    out = work.constraint
    velocity = state.velocity
    for i in range(out.shape[0]):
        out[i] = 0.0
    for k in range(model.counts[JOINTS]):
        joint = model.joints[k]
        first = joint.first
        if joint.kind <= FIXED:
            ax, ay, bx, by = _arms(joint, state.position)
            wa = velocity[joint.body_a, 2] ** 2
            wb = velocity[joint.body_b, 2] ** 2
            out[first] = wa * ax - wb * bx
            out[first + 1] = wa * ay - wb * by
        elif joint.kind == ROTATION:
            function = model.functions[joint.function]
            _value, _rate, second = function_value(function, model.function_data, time)
            out[first] = -second
        elif joint.kind == TOOTH:
            out[first] += _tooth_second_rate(joint, state.position, velocity)


@kernel(internal=True)
def _tooth_second_rate(joint, position, velocity):
    """vᵀ(∂²g/∂q²)v of a mesh about its centres."""
    line = mesh_line(joint, position)
    outward = 1.0 if joint.a_base_radius + joint.b_base_radius > 0.0 else -1.0
    a = joint.body_a
    b = joint.body_b
    vx = velocity[b, 0] - line.by * velocity[b, 2] - velocity[a, 0] + line.ay * velocity[a, 2]
    vy = velocity[b, 1] + line.bx * velocity[b, 2] - velocity[a, 1] - line.ax * velocity[a, 2]
    along = line.cx * vx + line.cy * vy
    across = line.cx * vy - line.cy * vx
    cosine = joint.flank * line.cosine
    second = cosine * cosine / line.sine * along * along
    second -= 2.0 * cosine * along * across
    second += line.sine * across * across
    return outward / line.distance * second
