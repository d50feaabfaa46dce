"""Elastic friction at an accepted pose: what it remembers, and limits frozen for a search."""

import math

from flank.contact.friction import dissipated, friction_potential
from flank.contact.spatial.vectors import dot, turned, turned_back
from flank.contact.table import FRICTION_ELASTIC
from flank.dynamics.model import CONTACTS
from flank.dynamics.scatter import copy_rows
from flank.dynamics.spatial.model import FRICTION
from flank.kernel import kernel
from flank.team import rank, team_any, team_size, team_sum


@kernel(internal=True)
def keep_friction(model, state, memories):
    """What elastic friction remembers of the pose just evaluated, from which it counts its slip."""
    results = state.contact_results
    for k in range(rank(), model.counts[CONTACTS], team_size()):
        contact = model.contacts[k]
        if contact.friction_form == FRICTION_ELASTIC:
            _keep(contact, memories[k], results[k], state.accepted_force[k])
    copy_rows(state.position, state.anchor)


@kernel(internal=True)
def _keep(contact, memory, contact_result, old_normal_force):
    """Add the work of the slip since the last pose and hold on to the friction of this one.

    A contact that opened has let go of what it held: its limit fell to zero.
    """
    if contact_result.normal_force == 0.0:
        memory.trial_force = memory.stuck_force
    contact_result.friction_work += dissipated(
        memory.stuck_force,
        memory.trial_force,
        contact_result.friction_force,
        memory.tangential_stiffness,
        contact.friction * old_normal_force,
    )
    memory.stuck_force = contact_result.friction_force


@kernel(internal=True)
def keep_friction_in_space(model, state, memories):
    """The same in space, where the ledger counts the work, too."""
    for k in range(model.counts[CONTACTS]):
        contact = model.contacts[k]
        result = state.contact_results[k]
        if contact.friction_form == FRICTION_ELASTIC:
            work = _slip_work(contact, memories[k], result, state.accepted_force[k])
            result.friction_work += work
            state.ledger[FRICTION] += work
            _remember(contact, memories[k], result, state.position, state.matrix)


@kernel(internal=True)
def _slip_work(contact, memory, contact_result, old_normal_force):
    """Slip goes along the trial force, so it is work along one line, as in the plane."""
    if contact_result.normal_force == 0.0:
        memory.trial_force = math.sqrt(dot(memory.stuck_force, memory.stuck_force))
        memory.stuck_along = memory.trial_force
    return dissipated(
        memory.stuck_along,
        memory.trial_force,
        min(memory.trial_force, contact.friction * contact_result.normal_force),
        memory.tangential_stiffness,
        contact.friction * old_normal_force,
    )


@kernel(internal=True)
def _remember(contact, memory, contact_result, position, matrix):
    """Friction, normal, sphere's centre and B's rotation, seen from A."""
    a = contact.body_a
    b = contact.body_b
    at_a = matrix[a]
    at_b = matrix[b]
    x, y, z = turned(at_b, contact.arm[0], contact.arm[1], contact.arm[2])
    x += position[b, 0] - position[a, 0]
    y += position[b, 1] - position[a, 1]
    z += position[b, 2] - position[a, 2]
    _put(memory.stuck_centre, turned_back(at_a, x, y, z))
    force = contact_result.friction
    _put(memory.stuck_force, turned_back(at_a, force[0], force[1], force[2]))
    normal = contact_result.normal
    _put(memory.stuck_normal, turned_back(at_a, normal[0], normal[1], normal[2]))
    for k in range(3):
        _put(memory.stuck_turn[:, k], turned_back(at_a, at_b[0, k], at_b[1, k], at_b[2, k]))


@kernel(internal=True)
def _put(out, vector):
    for i in range(3):
        out[i] = vector[i]


@kernel(internal=True)
def freeze_friction(model, memories, contact_results):
    """Freeze the limits of friction at the pose just evaluated; in plane and space alike.

    Returns what that adds to the energy, and whether a contact slips.
    That the limit follows the normal force no potential can say. With the limits of the pose where
    a step begins there is one, and its gradient there is the force.
    """
    change = 0.0
    slipping = False
    for k in range(rank(), model.counts[CONTACTS], team_size()):
        contact = model.contacts[k]
        if contact.friction_form != FRICTION_ELASTIC:
            continue
        memory = memories[k]
        limit = contact.friction * contact_results[k].normal_force
        if limit > 0.0:
            trial = memory.trial_force
            stiffness = memory.tangential_stiffness
            change += friction_potential(trial, stiffness, limit)
            change -= friction_potential(trial, stiffness, memory.frozen_limit)
            slipping = slipping or abs(trial) > limit
        memory.frozen_limit = limit
    return team_sum(change), team_any(slipping)
