"""Assembly of spatial bodies: forces and tangent of contacts, bushings, loads and joints.

The tangent is that of -Q by rotation vectors of space, -∂Q/∂q - (rate factor) ∂Q/∂q̇; inertia is
added by the integrator.
"""

import math

from flank.contact.spatial.element import contact_tangent, evaluate_contact
from flank.contact.spatial.friction import FORCE
from flank.dynamics.functions import function_value
from flank.dynamics.model import CONTACTS, JOINTS, LOADS, SPRINGS
from flank.dynamics.scatter import clear_rows, target_of
from flank.dynamics.spatial.bushings import add_bushings
from flank.dynamics.spatial.conditions import add_conditions
from flank.dynamics.spatial.meshes import add_meshes
from flank.dynamics.spatial.residuals import largest_reaction
from flank.dynamics.spatial.rotation import add_cross, apply, dot
from flank.dynamics.spatial.scatter import add_element, add_forces, add_to_body, clear_tangent
from flank.kernel import kernel


@kernel(internal=True)
def assemble(model, state, time, work, rate_factor, scale, geometric_factor):
    """Fill work.force, work.load, work.constraint and the tangent; returns (energy, largest force).

    `scale` multiplies rows and columns of the joints. `geometric_factor` scales what the turning of
    forces adds to the tangent; without it the stiffness has no negative directions. The energy is
    that of contacts, bushings and meshes, with that of elastic friction.
    """
    target = target_of(model, work)
    clear_rows(work.force)
    clear_tangent(target)
    energy, largest = _add_contacts(
        model.contacts,
        model.counts[CONTACTS],
        state.position,
        state.matrix,
        state.velocity,
        state.contact_results,
        state.memory,
        target,
        rate_factor,
        geometric_factor,
    )
    energy += add_bushings(
        model.bushings,
        model.counts[SPRINGS],
        state.position,
        state.rotation,
        state.matrix,
        state.velocity,
        target,
        rate_factor,
        geometric_factor,
    )
    energy += add_meshes(
        model.meshes,
        state.position,
        state.matrix,
        state.velocity,
        target,
        rate_factor,
        geometric_factor,
    )
    _fill_loads(
        model.loads,
        model.counts[LOADS],
        model.functions,
        model.function_data,
        state.matrix,
        time,
        work.load,
        work.element,
    )
    _add_load_arms(model, state, time, target, geometric_factor)
    for body in range(1, work.force.shape[0]):  # before the sum, which is zero at rest
        largest = max(largest, force_size(work.force[body], model.length_scale))
        largest = max(largest, force_size(work.load[body], model.length_scale))
        for i in range(6):
            work.force[body, i] += work.load[body, i]
    add_conditions(
        model.conditions,
        model.counts[JOINTS],
        model.functions,
        model.function_data,
        state.multipliers,
        state.position,
        state.matrix,
        time,
        target,
        work.constraint,
        scale,
        geometric_factor,
    )
    _add_half_torques(work, target, geometric_factor)
    return energy, max(largest, largest_reaction(model, state.multipliers))


@kernel(internal=True)
def _add_half_torques(work, target, geometric_factor):
    """Elements add the Hessian of their potential in rotation vectors. A torque t of a potential
    changes besides by -t x α/2, because rotations do not commute; loads have their own tangent."""
    for body in range(1, work.force.shape[0]):
        x = 0.5 * geometric_factor * (work.force[body, 3] - work.load[body, 3])
        y = 0.5 * geometric_factor * (work.force[body, 4] - work.load[body, 4])
        z = 0.5 * geometric_factor * (work.force[body, 5] - work.load[body, 5])
        add_to_body(target, body, 3, 4, -z)
        add_to_body(target, body, 4, 3, z)
        add_to_body(target, body, 3, 5, y)
        add_to_body(target, body, 5, 3, -y)
        add_to_body(target, body, 4, 5, -x)
        add_to_body(target, body, 5, 4, x)


@kernel(internal=True)
def force_size(force, length_scale):
    """Largest entry of one body's force, torques over the length scale; ∞ for nonsense."""
    total = 0.0
    size = 0.0
    for i in range(6):
        entry = abs(force[i]) if i < 3 else abs(force[i]) / length_scale
        total += entry
        size = max(size, entry)
    return size if total < math.inf else math.inf


@kernel(internal=True)
def _memory_of(memories, k):
    if memories is None:
        return None
    return memories[k]


@kernel(internal=True)
def _add_contacts(
    contacts,
    count,
    position,
    matrix,
    velocity,
    contact_results,
    memories,
    target,
    rate_factor,
    geometric_factor,
):
    energy = 0.0
    largest = 0.0
    element = target.element
    block = target.block
    for k in range(count):
        contact = contacts[k]
        memory = _memory_of(memories, k)
        closed, stored = evaluate_contact(
            contact, position, matrix, velocity, contact_results[k], element, memory
        )
        if not closed:
            continue
        energy += stored
        largest = max(largest, contact_results[k].normal_force)
        a = contact.body_a
        b = contact.body_b
        add_forces(target, a, b, element[FORCE])
        clear_rows(block)
        contact_tangent(contact, element, rate_factor, geometric_factor, block, memory)
        add_element(target, a, b)
    return energy, largest


@kernel(internal=True)
def _fill_loads(loads, count, functions, data, matrix, time, out, element):
    """Forces and torques of the loads on every body."""
    clear_rows(out)
    force = element[0]
    arm = element[1]
    for k in range(count):
        load = loads[k]
        body = load.body
        value, _rate, _second = function_value(functions[load.function], data, time)
        apply(matrix[load.reference], load.torque, force)
        for i in range(3):
            out[body, 3 + i] += value * force[i]
        apply(matrix[load.reference], load.force, force)
        apply(matrix[body], load.at, arm)
        for i in range(3):
            out[body, i] += value * force[i]
        add_cross(arm, force, value, out[body, 3:6])


@kernel(internal=True)
def _add_load_arms(model, state, time, target, geometric_factor):
    """The arm of a force turns with the body; that a load follows another body is left out."""
    force = target.element[0]
    arm = target.element[1]
    for k in range(model.counts[LOADS]):
        load = model.loads[k]
        if dot(load.at, load.at) == 0.0 or dot(load.force, load.force) == 0.0:
            continue
        function = model.functions[load.function]
        value, _rate, _second = function_value(function, model.function_data, time)
        apply(state.matrix[load.reference], load.force, force)
        apply(state.matrix[load.body], load.at, arm)
        along = dot(force, arm)
        for i in range(3):
            for j in range(3):
                bend = arm[i] * force[j]  # (α x arm) x F = arm (F·α) - (arm·F) α
                if i == j:
                    bend -= along
                add_to_body(target, load.body, 3 + i, 3 + j, -value * geometric_factor * bend)
