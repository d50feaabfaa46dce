"""Forces and tangent of the whole model at one pose: contacts, springs, beams, loads, joints.

The residual is r = M a - Q(q, v, t) + Cᵀλ; the tangent holds K + rate_factor D and, for joints,
scale C. work.force ends as Q - Cᵀλ.
"""

import math

from flank.contact.element import FORCE, contact_tangent, evaluate_contact, surely_open_by
from flank.contact.registry import TEETH_NUMBER
from flank.contact.teeth_element import evaluate_teeth, teeth_tangent
from flank.dynamics.beams import add_beams
from flank.dynamics.functions import function_value
from flank.dynamics.joints import add_joints, constraint_residuals
from flank.dynamics.model import BEAMS, CONTACTS, JOINTS, LOADS, SPRINGS
from flank.dynamics.scatter import (
    add_diagonal,
    add_element,
    clear_rows,
    clear_tangent,
    copy_rows,
    target_of,
)
from flank.dynamics.springs import add_springs
from flank.kernel import kernel


@kernel
def assemble_state(model, state, time, work, rate_factor, scale, geometric_factor):
    """Fill work.force, work.constraint and the tangent; returns (energy, largest single force).

    `geometric_factor` is one for the whole tangent; zero leaves out what the turning of forces
    adds, so that the tangent of contacts, springs and joints has no negative directions.
    The energy is that of contacts, springs, beams and dead loads, with that of elastic friction:
    the potential statics descends.
    """
    position = state.position
    velocity = state.velocity
    target = target_of(model, work)
    clear_rows(work.force)
    clear_tangent(target)
    for body in range(position.shape[0]):
        work.rotations[body, 0] = math.cos(position[body, 2])
        work.rotations[body, 1] = math.sin(position[body, 2])
    energy, largest = _add_contacts(
        model.contacts,
        model.counts[CONTACTS],
        model.screened,
        model.curves,
        model.curve_data,
        model.gears,
        state.memory,
        state.contact_results,
        state.anchor,
        position,
        work.rotations,
        velocity,
        target,
        rate_factor,
        geometric_factor,
    )
    energy += add_springs(
        model.springs,
        model.counts[SPRINGS],
        model.meshes,
        model.gears,
        model.functions,
        model.function_data,
        position,
        velocity,
        time,
        target,
        rate_factor,
        geometric_factor,
    )
    stored, strongest = add_beams(
        model.beams,
        model.counts[BEAMS],
        model.weights,
        position,
        geometric_factor,
        work.element,
        work.force,
        work.core,
    )
    energy += stored
    largest = max(largest, strongest)
    energy += _add_loads(
        model.loads,
        model.counts[LOADS],
        model.functions,
        model.function_data,
        position,
        time,
        target,
        geometric_factor,
    )
    for body in range(1, work.force.shape[0]):
        largest = max(largest, force_size(model.weights, work.force, body))
    add_joints(
        model.joints,
        model.counts[JOINTS],
        model.gears,
        state.multipliers,
        position,
        target,
        scale,
        geometric_factor,
    )
    constraint_residuals(
        model.joints,
        model.counts[JOINTS],
        model.gears,
        model.functions,
        model.function_data,
        position,
        time,
        work.constraint,
    )
    for i in range(model.constraint_count):
        largest = max(largest, abs(state.multipliers[i]))
    return energy, largest


@kernel
def assemble(model, state, position, velocity, time, work, rate_factor, scale, geometric_factor):
    """The same from Python: of a state that is put into a pose and a motion."""
    copy_rows(position, state.position)
    copy_rows(velocity, state.velocity)
    return assemble_state(model, state, time, work, rate_factor, scale, geometric_factor)


@kernel(internal=True)
def force_size(weights, force, body):
    """Largest entry of one body's force, torques as forces at their weight; ∞ for nonsense."""
    x = abs(force[body, 0]) / weights[body, 0]
    y = abs(force[body, 1]) / weights[body, 1]
    turning = abs(force[body, 2]) / weights[body, 2]
    if not x + y + turning < math.inf:
        return math.inf  # max would pass over what is not a number
    return max(x, y, turning)


@kernel(internal=True)
def _add_contacts(
    contacts,
    count,
    screened,
    curves,
    data,
    gears,
    memories,
    contact_results,
    anchor,
    position,
    rotations,
    velocity,
    target,
    rate_factor,
    geometric_factor,
):
    """Forces and tangent of all contacts; returns (energy, largest normal force)."""
    energy = 0.0
    largest = 0.0
    element = target.element
    pending_a = -1  # contacts of one pair of bodies follow each other: their blocks go out as one
    pending_b = -1
    for k in range(count):
        contact = contacts[k]
        memory = memories[k]
        contact_result = contact_results[k]
        if screened:
            open_by = surely_open_by(contact, memory, position, rotations)
            if open_by > 0.0:
                contact_result.gap = (
                    open_by  # its force is zero since the search that found it open
                )
                continue
        teeth = False
        if gears is not None:
            teeth = contact.kind == TEETH_NUMBER
            if teeth:
                closed, stored = evaluate_teeth(
                    contact,
                    gears,
                    memory,
                    anchor,
                    position,
                    rotations,
                    velocity,
                    contact_result,
                    element,
                )
        if not teeth:
            closed, stored = evaluate_contact(
                contact,
                curves,
                data,
                memory,
                anchor,
                position,
                rotations,
                velocity,
                contact_result,
                element,
            )
        if not closed:
            continue
        energy += stored
        a = contact.body_a
        b = contact.body_b
        for i in range(3):
            target.force[a, i] += element[FORCE, i]
            target.force[b, i] += element[FORCE, 3 + i]
        largest = max(largest, contact_result.normal_force)
        if a != pending_a or b != pending_b:
            if pending_a >= 0:
                add_element(target, pending_a, pending_b)
            clear_rows(target.block)
            pending_a = a
            pending_b = b
        if teeth:
            teeth_tangent(element, rate_factor, geometric_factor, target.block)
        else:
            contact_tangent(element, rate_factor, geometric_factor, target.block)
    if pending_a >= 0:
        add_element(target, pending_a, pending_b)
    return energy, largest


@kernel(internal=True)
def _add_loads(loads, count, functions, data, position, time, target, geometric_factor):
    energy = 0.0
    for k in range(count):
        load = loads[k]
        value, _rate, _second = function_value(functions[load.function], data, time)
        body = load.body
        c = math.cos(position[body, 2])
        s = math.sin(position[body, 2])
        ax = c * load.x - s * load.y
        ay = s * load.x + c * load.y
        fx = value * load.direction_x
        fy = value * load.direction_y
        target.force[body, 0] += fx
        target.force[body, 1] += fy
        target.force[body, 2] += ax * fy - ay * fx + value * load.torque
        energy -= fx * (position[body, 0] + ax) + fy * (position[body, 1] + ay)
        energy -= value * load.torque * position[body, 2]
        if body > 0 and (fx != 0.0 or fy != 0.0):  # the arm turns, the force does not
            turning = target.block[0]
            turning[0] = 0.0
            turning[1] = 0.0
            turning[2] = ax * fx + ay * fy
            add_diagonal(target, body, turning, geometric_factor)
    return energy
