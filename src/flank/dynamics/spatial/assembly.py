"""Assembly of spatial bodies: forces and tangent of contacts, bushings, loads and joints.

The tangent is that of -Q by rotation vectors of space, -∂Q/∂q - (rate factor) ∂Q/∂q̇; inertia is
added by the integrator.
"""

import math

from flank.contact.spatial.element import contact_tangent, evaluate_contact
from flank.contact.spatial.friction import FORCE
from flank.contact.spatial.pull_back import cross_matrix
from flank.dynamics.functions import function_value
from flank.dynamics.model import CONTACTS, LOADS
from flank.dynamics.scatter import (
    add_element,
    add_forces,
    add_to_body,
    clear_rows,
    clear_tangent,
    target_of,
)
from flank.dynamics.spatial.bushings import add_bushings
from flank.dynamics.spatial.conditions import add_conditions
from flank.dynamics.spatial.flanks import add_flanks
from flank.dynamics.spatial.meshes import add_meshes
from flank.dynamics.spatial.rotation import add_cross, apply, dot
from flank.dynamics.spatial.space import largest_reaction
from flank.dynamics.spatial.teeth import add_teeth
from flank.kernel import kernel


@kernel(internal=True)
def assemble(model, state, time, work, rate_factor, scale, geometric_factor):
    """Fill work.force, work.load, work.constraint and the tangent; returns (energy, largest force).

    `scale` multiplies rows and columns of the joints. `geometric_factor` scales what the turning of
    forces adds to the tangent; without it the stiffness has no negative directions. The energy is
    that of contacts, bushings, meshes and flanks, with that of elastic friction.
    """
    target = target_of(model, work, rate_factor, geometric_factor)
    clear_rows(work.force)
    clear_tangent(target, work.core.shape[0])
    energy, largest = _add_contacts(model, state, target)
    energy += add_bushings(model, state, target)
    energy += add_meshes(model, state, target)
    energy += add_teeth(model.teeth, state, target)
    stored, pressed = add_flanks(model.flanks, state, work.flanks, target)
    energy += stored
    largest = max(largest, pressed)
    _add_loads(model, state, time, target, work.load)
    for body in range(1, work.force.shape[0]):  # before the sum, which is zero at rest
        largest = max(largest, force_size(work.force[body], model.length_scale))
        largest = max(largest, force_size(work.load[body], model.length_scale))
        for i in range(6):
            work.force[body, i] += work.load[body, i]
    add_conditions(model, state, time, target, work.constraint, scale)
    _add_half_torques(work, target)
    return energy, max(largest, largest_reaction(model, state.multipliers))


@kernel(internal=True)
def _add_half_torques(work, target):
    """Elements add the Hessian of their potential in rotation vectors. A torque t of a potential
    changes besides by -t x α/2, because rotations do not commute; loads have their own tangent."""
    torque = target.element[0]
    half = 0.5 * target.geometric_factor
    for body in range(1, work.force.shape[0]):
        for i in range(3):
            torque[i] = half * (work.force[body, 3 + i] - work.load[body, 3 + i])
        for i in range(3):
            for j in range(3):
                add_to_body(target, body, 3 + i, 3 + j, cross_matrix(torque, i, j))


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
def _add_contacts(model, state, target):
    """Forces and tangent of all contacts; returns (energy, largest normal force)."""
    energy = 0.0
    largest = 0.0
    element = target.element
    rate_factor = target.rate_factor
    geometric_factor = target.geometric_factor
    for k in range(model.counts[CONTACTS]):
        contact = model.contacts[k]
        contact_result = state.contact_results[k]
        memory = state.memory[k]
        closed, stored = evaluate_contact(
            contact, state.position, state.matrix, state.velocity, contact_result, element, memory
        )
        if not closed:
            continue
        energy += stored
        largest = max(largest, contact_result.normal_force)
        add_forces(target, contact.body_a, contact.body_b, element[FORCE])
        clear_rows(target.block)
        contact_tangent(contact, element, rate_factor, geometric_factor, target.block, memory)
        add_element(target, contact.body_a, contact.body_b)
    return energy, largest


@kernel(internal=True)
def _add_loads(model, state, time, target, out):
    """Forces and torques of the loads on every body into `out`, and to the tangent that the arm of
    a force turns with the body; that a load follows another body is left out."""
    clear_rows(out)
    force = target.element[0]
    arm = target.element[1]
    for k in range(model.counts[LOADS]):
        load = model.loads[k]
        body = load.body
        function = model.functions[load.function]
        value, _rate, _second = function_value(function, model.function_data, time)
        apply(state.matrix[load.reference], load.torque, force)
        for i in range(3):
            out[body, 3 + i] += value * force[i]
        apply(state.matrix[load.reference], load.force, force)
        apply(state.matrix[body], load.at, arm)
        for i in range(3):
            out[body, i] += value * force[i]
        add_cross(arm, force, value, out[body, 3:6])
        along = dot(force, arm)
        factor = -value * target.geometric_factor
        for i in range(3):
            for j in range(3):
                turning = arm[i] * force[j]  # (α x arm) x F = arm (F·α) - (arm·F) α
                if i == j:
                    turning -= along
                add_to_body(target, body, 3 + i, 3 + j, factor * turning)
