"""Joints as constraints c(q, t) = 0 with Lagrange multipliers, each body possibly ground.

    revolute   x_B + s_B - x_A - s_A = 0                 fixed   revolute and θ_B - θ_A = angle
    rotation   θ_B - θ_A - f(t) = 0                      gear    θ_A - ratio θ_B - angle = 0
    tooth      g_s(q) - g_s(start) = 0 of mesh.py; its reaction is the force between the teeth

A fixed joint keeps the relative angle; a rotation prescribes it (or, through RUN_UP, its speed).
Tooth joints that share a multiplier hold the sum of their gaps, and carry equal forces.
"""

import math

from flank.dynamics.functions import function_value
from flank.dynamics.mesh import fill_gap_row, mesh_line, turn_direction
from flank.dynamics.scatter import add_element, clear_rows
from flank.dynamics.tables import FIXED, GEAR, REVOLUTE, ROTATION, TOOTH
from flank.kernel import kernel

ROUND_OFF = 1e-15
"""Of a constraint, relative to the largest coordinate in it: some units in the last place."""

ROUGHEST = 1e-3
"""Share of the largest force that many turns may leave unbalanced."""


@kernel(internal=True)
def constraint_residuals(joints, count, gears, functions, data, position, time, out):
    """c(q, t) of all joints."""
    for i in range(out.shape[0]):
        out[i] = 0.0
    for k in range(count):
        joint = joints[k]
        a = joint.body_a
        b = joint.body_b
        first = joint.first
        turn = position[b, 2] - position[a, 2]
        if joint.kind == REVOLUTE or joint.kind == FIXED:
            ax, ay, bx, by = joint_arms(joint, position)
            out[first] = position[b, 0] + bx - position[a, 0] - ax
            out[first + 1] = position[b, 1] + by - position[a, 1] - ay
            if joint.kind == FIXED:
                out[first + 2] = turn - joint.angle
        elif joint.kind == ROTATION:
            value, _rate, _second = function_value(functions[joint.function], data, time)
            out[first] = turn - value
        elif joint.kind == TOOTH:
            if gears is not None:
                out[first] += _tooth_gap(joint, position)
        else:
            out[first] = position[a, 2] - joint.ratio * position[b, 2] - joint.angle


@kernel(internal=True)
def _tooth_gap(joint, position):
    line = mesh_line(joint, position)
    radii = joint.a_base_radius + joint.b_base_radius
    return radii * line.involute - joint.offset - joint.flank * line.phase


@kernel(internal=True)
def joint_round_off(position):
    """What round-off leaves in c(q, t): an angle of many turns has few digits behind the point."""
    return ROUND_OFF * _largest(position)


@kernel(internal=True)
def force_round_off(model, position, largest):
    """What it leaves in beams and meshes; little of the `largest` force, or bodies run away."""
    turned = model.force_floor * _largest(position)
    return max(model.force_floor, min(turned, ROUGHEST * largest))


@kernel(internal=True)
def _largest(position):
    largest = 0.0
    for body in range(1, position.shape[0]):
        for i in range(3):
            largest = max(largest, abs(position[body, i]))
    return largest


@kernel(internal=True)
def joint_arms(joint, position):
    """World arms s_A and s_B of the joint's two points."""
    cos_a = math.cos(position[joint.body_a, 2])
    sin_a = math.sin(position[joint.body_a, 2])
    cos_b = math.cos(position[joint.body_b, 2])
    sin_b = math.sin(position[joint.body_b, 2])
    return (
        cos_a * joint.a_x - sin_a * joint.a_y,
        sin_a * joint.a_x + cos_a * joint.a_y,
        cos_b * joint.b_x - sin_b * joint.b_y,
        sin_b * joint.b_x + cos_b * joint.b_y,
    )


@kernel(internal=True)
def joint_rows(joint, gears, position, rows):
    """∂c/∂q of one joint: rows[equation, (x_A, y_A, θ_A, x_B, y_B, θ_B)]; returns their number."""
    clear_rows(rows)
    if joint.kind == TOOTH:
        if gears is not None:
            line = mesh_line(joint, position)
            fill_gap_row(rows[0], line, joint.flank, joint.a_base_radius, joint.b_base_radius)
        return 1
    if joint.kind == REVOLUTE or joint.kind == FIXED:
        ax, ay, bx, by = joint_arms(joint, position)
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
def add_joints(joints, count, gears, multipliers, position, target, scale, geometric_factor):
    """Add -Cᵀλ to the forces, and to the tangent scale C, scale Cᵀ and the turning of Cᵀλ."""
    core = 3 * target.core_count
    for k in range(count):
        joint = joints[k]
        rows = target.block
        equations = joint_rows(joint, gears, position, rows)
        for e in range(equations):
            multiplier = multipliers[joint.first + e]
            for side in range(2):
                body = joint.body_a if side == 0 else joint.body_b
                if body == 0:
                    continue
                for i in range(3):
                    value = rows[e, 3 * side + i]
                    target.force[body, i] -= multiplier * value
                    column = 3 * (body - 1) + i
                    target.core[core + joint.first + e, column] += scale * value
                    target.core[column, core + joint.first + e] += scale * value
        if joint.kind <= FIXED:
            _add_turning(joint, multipliers, position, target, geometric_factor)
        if gears is not None and joint.kind == TOOTH:
            outward = 1.0 if joint.a_base_radius + joint.b_base_radius > 0.0 else -1.0
            line = mesh_line(joint, position)
            clear_rows(target.block)
            scaled = outward * geometric_factor * multipliers[joint.first] / line.distance
            turn_direction(target.block, scaled, line, joint.flank)
            add_element(target, joint.body_a, joint.body_b)


@kernel(internal=True)
def _add_turning(joint, multipliers, position, target, geometric_factor):
    """∂(Cᵀλ)/∂θ of the arms: +λ·s_A on θ_A, -λ·s_B on θ_B."""
    ax, ay, bx, by = joint_arms(joint, position)
    lx = geometric_factor * multipliers[joint.first]
    ly = geometric_factor * multipliers[joint.first + 1]
    if joint.body_a > 0:
        k = 3 * (joint.body_a - 1) + 2
        target.core[k, k] += lx * ax + ly * ay
    if joint.body_b > 0:
        k = 3 * (joint.body_b - 1) + 2
        target.core[k, k] -= lx * bx + ly * by


@kernel(internal=True)
def constraint_rate(joints, count, functions, data, time, out):
    """-∂c/∂t: what C v must equal."""
    for k in range(count):
        joint = joints[k]
        for e in range(3 if joint.kind == FIXED else (2 if joint.kind == REVOLUTE else 1)):
            out[joint.first + e] = 0.0
        if joint.kind == ROTATION:
            _value, rate, _second = function_value(functions[joint.function], data, time)
            out[joint.first] = rate


@kernel(internal=True)
def constraint_second_rate(joints, count, functions, data, gears, position, velocity, time, out):
    """What C a must equal: the centripetal terms of the arms and f''."""
    for k in range(count):
        joint = joints[k]
        first = joint.first
        if joint.kind == REVOLUTE or joint.kind == FIXED:
            ax, ay, bx, by = joint_arms(joint, position)
            wa = velocity[joint.body_a, 2] ** 2
            wb = velocity[joint.body_b, 2] ** 2
            out[first] = wb * bx - wa * ax
            out[first + 1] = wb * by - wa * ay
            if joint.kind == FIXED:
                out[first + 2] = 0.0
        elif joint.kind == ROTATION:
            _value, _rate, second = function_value(functions[joint.function], data, time)
            out[first] = second
        else:
            out[first] = 0.0
    if gears is not None:
        for k in range(count):
            if joints[k].kind == TOOTH:
                out[joints[k].first] -= _tooth_second_rate(joints[k], position, velocity)


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
    return (
        outward
        / line.distance
        * (
            cosine * cosine / line.sine * along * along
            - 2.0 * cosine * along * across
            + line.sine * across * across
        )
    )
