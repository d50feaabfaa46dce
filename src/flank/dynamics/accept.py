"""Accept a pose: what elastic friction and the count of switches remember of it."""

from flank.contact.friction import dissipated, friction_potential
from flank.contact.table import FRICTION_ELASTIC
from flank.dynamics.scatter import copy_rows
from flank.kernel import kernel


@kernel
def accept_pose(contacts, count, memories, touches, accepted_force, position, anchor):
    """Make the pose just evaluated the one the next step counts from; returns contacts switched.

    Solvers call it once for every equilibrium or time step they keep, never on the way to one.
    """
    switched = 0
    for k in range(count):
        new = touches[k].normal_force
        if (new > 0.0) != (accepted_force[k] > 0.0):
            switched += 1
        if contacts[k].friction_form == FRICTION_ELASTIC:
            _keep_friction(contacts[k], memories[k], touches[k], accepted_force[k])
        accepted_force[k] = new
    copy_rows(position, anchor)
    return switched


@kernel(internal=True)
def _keep_friction(contact, memory, touch, old_normal_force):
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
def freeze_limits(contacts, count, memories, touches):
    """Freeze the limits of friction at the pose just evaluated.

    Returns what that adds to the energy, and whether a contact slips.
    That the limit follows the normal force no potential can say. With the limits of the pose where
    a step begins there is one, and its gradient there is the force.
    """
    change = 0.0
    slipping = False
    for k in range(count):
        contact = contacts[k]
        if contact.friction_form != FRICTION_ELASTIC:
            continue
        memory = memories[k]
        limit = contact.friction * touches[k].normal_force
        if limit > 0.0:
            trial = memory.trial_force
            stiffness = memory.tangential_stiffness
            change += friction_potential(trial, stiffness, limit)
            change -= friction_potential(trial, stiffness, memory.frozen_limit)
            slipping = slipping or abs(trial) > limit
        memory.frozen_limit = limit
    return change, slipping
