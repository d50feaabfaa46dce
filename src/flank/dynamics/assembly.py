"""Forces and tangent of the whole model at one pose: contacts, springs, beams, loads, joints.

The residual is r = M a - Q(q, v, t) + Cᵀλ; the tangent holds K + rate_factor D and, for joints,
scale C. work.force ends as Q - Cᵀλ.
"""

import math

from flank.contact.element import (
    FORCE,
    contact_tangent,
    evaluate_contact,
    passed_over_by,
    surely_open_by,
    write_open_result,
)
from flank.contact.plate_element import plate_reach
from flank.contact.registry import TEETH_NUMBER
from flank.contact.teeth_element import evaluate_teeth, teeth_tangent
from flank.dynamics.beams import add_beams
from flank.dynamics.functions import function_value
from flank.dynamics.joints import add_joints, fill_residuals
from flank.dynamics.kept_tangent import wants_tangent
from flank.dynamics.mesh import turned_arm
from flank.dynamics.model import CONTACTS, LOADS
from flank.dynamics.plate_contacts import add_plate_forces, add_plate_tangent, flush_plate
from flank.dynamics.scatter import (
    add_element,
    add_forces,
    add_to_body,
    clear_rows,
    clear_shared_rows,
    clear_tangent,
    copy_rows,
    hand_in,
    target_of,
)
from flank.dynamics.springs import add_springs
from flank.kernel import kernel
from flank.team import (
    has_beams,
    has_plates,
    has_teeth,
    rank,
    team_largest,
    team_size,
    team_sum,
    wait,
)


@kernel(internal=True)
def assemble_state(model, state, time, work, rate_factor, scale, geometric_factor):
    """Fill work.force, work.constraint and the tangent; returns (energy, largest single force).

    `geometric_factor` is one for the whole tangent; zero leaves out what the turning of forces
    adds, so that the tangent of contacts, springs and joints has no negative directions.
    The energy is that of contacts, springs, beams and dead loads, with that of elastic friction:
    the potential statics descends.
    """
    target = target_of(model, work, rate_factor, geometric_factor)
    clear_shared_rows(work.force)
    clear_tangent(target, work.core.shape[0])
    for body in range(rank(), state.position.shape[0], team_size()):
        work.rotations[body, 0] = math.cos(state.position[body, 2])
        work.rotations[body, 1] = math.sin(state.position[body, 2])
    wait()
    energy, largest = _add_contacts(
        model, state, work.rotations, work.shapes, target, wants_tangent(work)
    )
    energy += add_springs(model, state, work.rotations, time, target)
    if rank() == 0:
        if has_beams():
            stored, strongest = add_beams(model, model.beams, state.position, target)
            energy += stored
            largest = max(largest, strongest)
        energy += _add_loads(model, state.position, time, target)
    wait()
    for body in range(1 + rank(), work.force.shape[0], team_size()):
        largest = max(largest, force_size(model.weights, work.force, body))
    wait()
    add_joints(model, state, target, scale)
    if rank() == 0:
        fill_residuals(model, state.position, time, work.constraint)
    for i in range(model.constraint_count):
        largest = max(largest, abs(state.multipliers[i]))
    wait()
    return team_sum(energy), team_largest(largest)


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
def _add_contacts(model, state, rotations, shapes, target, with_tangent):
    """Forces and tangent of all contacts; returns (energy, largest normal force)."""
    energy = 0.0
    largest = 0.0
    element = target.element
    block = target.block
    # Contacts of one pair of bodies follow each other: their blocks go out as one.
    a = model.contacts[0].body_a
    b = model.contacts[0].body_b
    clear_rows(block)
    last_on_plate = -1
    count = model.counts[CONTACTS]
    for first in range(0, count, team_size()):
        k = min(first + rank(), count - 1)
        contact = model.contacts[k]
        closed = False
        if first + rank() < count:
            closed, stored = _evaluate(model, state, rotations, k, element, shapes)
            energy += stored
        if closed:
            largest = max(largest, state.contact_results[k].normal_force)
        if team_size() > 1:  # none of its contacts is on a plate
            clear_rows(block)
            if closed:
                _add_tangent(contact, element, target, block)
            hand_in(target, element[FORCE], closed, contact.body_a, contact.body_b)
            continue
        if not closed:
            continue
        add_forces(target, contact.body_a, contact.body_b, element[FORCE])
        on_plate = has_plates() and contact.plate_side != 0
        if on_plate:
            add_plate_forces(contact, element, shapes, target)
        if not with_tangent:
            continue
        if contact.body_a != a or contact.body_b != b:
            add_element(target, a, b)
            clear_rows(block)
            a = contact.body_a
            b = contact.body_b
            if last_on_plate >= 0:
                flush_plate(model.contacts[last_on_plate], shapes, target)
                last_on_plate = -1
        if on_plate:
            add_plate_tangent(contact, element, shapes, state.position, rotations, target)
            last_on_plate = k
        _add_tangent(contact, element, target, block)
    if team_size() == 1:
        add_element(target, a, b)
    if last_on_plate >= 0:
        flush_plate(model.contacts[last_on_plate], shapes, target)
    return energy, largest


@kernel(internal=True)
def _evaluate(model, state, rotations, k, element, shapes):
    """Whether a contact is closed, and its energy; what forces and tangent need is in `element`."""
    contact = model.contacts[k]
    memory = state.memory[k]
    contact_result = state.contact_results[k]
    if model.screened:
        open_by = surely_open_by(contact, memory, state.position, rotations)
        if has_plates() and contact.plate_side != 0 and open_by > 0.0:
            open_by -= plate_reach(contact, state.position, model.gears.data)
        if open_by > 0.0:  # its force is zero since the search that found it open
            contact_result.gap = open_by
            return False, 0.0
        open_by = passed_over_by(contact, state.position, rotations)
        if open_by > 0.0:
            contact_result.gap = open_by
            write_open_result(contact_result)
            return False, 0.0
    pose = (state.anchor, state.position, rotations, state.velocity)
    if has_teeth() and contact.kind == TEETH_NUMBER:
        return evaluate_teeth(contact, model.gears, memory, *pose, contact_result, element, shapes)
    return evaluate_contact(
        contact,
        model.curves,
        model.curve_data,
        model.gears.data,
        memory,
        *pose,
        contact_result,
        element,
        shapes,
    )


@kernel(internal=True)
def _add_tangent(contact, element, target, block):
    if has_teeth() and contact.kind == TEETH_NUMBER:
        teeth_tangent(element, target.rate_factor, target.geometric_factor, block)
    else:
        contact_tangent(element, target.rate_factor, target.geometric_factor, block)


@kernel(internal=True)
def _add_loads(model, position, time, target):
    """Forces, torques and the turning of their arms; returns the potential of dead loads."""
    energy = 0.0
    for k in range(model.counts[LOADS]):
        load = model.loads[k]
        function = model.functions[load.function]
        value, _rate, _second = function_value(function, model.function_data, time)
        body = load.body
        ax, ay = turned_arm(position[body, 2], load.x, load.y)
        fx = value * load.direction_x
        fy = value * load.direction_y
        target.force[body, 0] += fx
        target.force[body, 1] += fy
        target.force[body, 2] += ax * fy - ay * fx + value * load.torque
        energy -= fx * (position[body, 0] + ax) + fy * (position[body, 1] + ay)
        energy -= value * load.torque * position[body, 2]
        if body > 0 and (fx != 0.0 or fy != 0.0):  # the arm turns, the force does not
            add_to_body(target, body, 2, 2, target.geometric_factor * (ax * fx + ay * fy))
    return energy
