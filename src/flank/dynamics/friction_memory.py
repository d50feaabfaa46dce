"""Elastic friction at an accepted pose: what it remembers, and limits frozen for a search."""

from flank.contact.friction import dissipated, friction_potential
from flank.contact.table import FRICTION_ELASTIC
from flank.dynamics.model import CONTACTS
from flank.dynamics.scatter import copy_rows
from flank.kernel import kernel


@kernel(internal=True)
def keep_friction(model, state):
    """What elastic friction remembers of the pose just evaluated, from which it counts its slip."""
    for k in range(model.counts[CONTACTS]):
        if model.contacts[k].friction_form == FRICTION_ELASTIC:
            _keep(model.contacts[k], state.memory[k], state.touches[k], state.accepted_force[k])
    copy_rows(state.position, state.anchor)


@kernel(internal=True)
def _keep(contact, memory, touch, old_normal_force):
    """Add the work of the slip since the last pose and hold on to the friction of this one.

    A contact that opened has let go of what it held: its limit fell to zero.
    """
    if touch.normal_force == 0.0:
        memory.trial_force = memory.stuck_force
    touch.friction_work += dissipated(
        memory.stuck_force,
        memory.trial_force,
        touch.friction_force,
        memory.tangential_stiffness,
        contact.friction * old_normal_force,
    )
    memory.stuck_force = touch.friction_force


@kernel(internal=True)
def freeze_friction(model, state):
    """Freeze the limits of friction at the pose just evaluated.

    Returns what that adds to the energy, and whether a contact slips.
    That the limit follows the normal force no potential can say. With the limits of the pose where
    a step begins there is one, and its gradient there is the force.
    """
    change = 0.0
    slipping = False
    for k in range(model.counts[CONTACTS]):
        contact = model.contacts[k]
        if contact.friction_form != FRICTION_ELASTIC:
            continue
        memory = state.memory[k]
        limit = contact.friction * state.touches[k].normal_force
        if limit > 0.0:
            trial = memory.trial_force
            stiffness = memory.tangential_stiffness
            change += friction_potential(trial, stiffness, limit)
            change -= friction_potential(trial, stiffness, memory.frozen_limit)
            slipping = slipping or abs(trial) > limit
        memory.frozen_limit = limit
    return change, slipping
