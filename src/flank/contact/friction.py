"""Coulomb friction: regularised by velocity, or elastic-plastic and independent of rate.

Regularised, a share φ(v) of μ f acts against the sliding velocity v; or static friction fades and
is approached smoothly (Marter et al. 2020, Eq. 22, for w >= 0),

    μ(w) = (μ_r + (μ_0 - μ_r) exp(-w/v_g1)) tanh(w/v_g2),

which peaks below μ_0 and falls to μ_r. Elastic-plastic, the surfaces
hold each other by a tangential stiffness k up to ±μ f: with the slip Δs since the last accepted
pose and the friction f₀ there,

    f = clip(f₀ - k Δs, ±μ N),        plastic slip Δs_p = (f - f₀ + k Δs)/k.
"""

import math

from flank.contact.table import FRICTION_SMOOTH, FRICTION_STICK
from flank.kernel import kernel


@kernel
def sliding_share(form, velocity, regularization):
    """φ(v) and dφ/dv.

    Smooth: v/√(v² + v_r²); linear: sign(v) min(1, |v|/v_r) (arXiv 2604.02387, Eqs. 12 and 15).
    """
    if form == FRICTION_SMOOTH:
        root = math.sqrt(velocity * velocity + regularization * regularization)
        return velocity / root, regularization * regularization / root**3
    ratio = velocity / regularization
    if ratio > 1.0:
        return 1.0, 0.0
    if ratio < -1.0:
        return -1.0, 0.0
    return ratio, 1.0 / regularization


@kernel
def friction_coefficient(speed, sliding, static, static_velocity, stick_velocity):
    """μ(w)/w and dμ/dw at the speed w >= 0; both are μ_0/v_g2 at rest."""
    fading = (static - sliding) * math.exp(-speed / static_velocity)
    ratio = speed / stick_velocity
    share = math.tanh(ratio)
    coefficient = sliding + fading
    by_speed = (
        coefficient * (1.0 - share * share) / stick_velocity - fading * share / static_velocity
    )
    if ratio < 1e-8:  # tanh(x)/x is 1 to round-off, and nothing is divided by zero
        return coefficient / stick_velocity, by_speed
    return coefficient * share / speed, by_speed


@kernel(internal=True)
def friction_by_speed(contact, speed):
    """μ(w)/w and dμ/dw of a contact whose friction goes by the speed w >= 0 of sliding."""
    if contact.friction_form == FRICTION_STICK:
        return friction_coefficient(
            speed,
            contact.friction,
            contact.static_friction,
            contact.static_velocity,
            contact.friction_velocity,
        )
    share, slope = sliding_share(contact.friction_form, speed, contact.friction_velocity)
    if speed == 0.0:
        return contact.friction * slope, contact.friction * slope
    return contact.friction * share / speed, contact.friction * slope


@kernel
def drilling_radius(drilling_length, force):
    """r = ρ F^(1/3): the radius at which the friction μ F has the torque of a drilling contact."""
    return drilling_length * force ** (1.0 / 3.0)


@kernel
def return_mapping(stuck_force, stiffness, slip, limit):
    """Friction and what it would be without a limit (the trial) after `slip` from the last pose."""
    trial = stuck_force - stiffness * slip
    return min(max(trial, -limit), limit), trial


@kernel
def friction_potential(trial, stiffness, limit):
    """Stored energy plus what slip dissipates at a fixed limit: f²/2k + f (f_trial - f)/k.

    Its derivative by the slip is -f, so it leads statics downhill.
    """
    force = min(max(trial, -limit), limit)
    return force * (trial - 0.5 * force) / stiffness


@kernel
def dissipated(stuck_force, trial, force, stiffness, old_limit):
    """Work of the plastic slip in a step, force and limit taken as straight lines over it.

    Slip begins where the line f₀ .. f_trial meets the line of the limit; from there the force
    follows the limit, so the work is the mean of both ends' forces times the plastic slip.
    """
    if trial == force:
        return 0.0
    sign = 1.0 if trial > 0.0 else -1.0
    room = max(old_limit - sign * stuck_force, 0.0)
    begin = room / (room + sign * (trial - force))
    first = stuck_force + begin * (trial - stuck_force)
    return 0.5 * (first + force) * (trial - force) / stiffness
