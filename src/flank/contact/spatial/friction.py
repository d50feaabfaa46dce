"""Friction of a spatial contact: one speed of sliding and drilling, stick approximated smoothly.

Sliding with the velocity v_t and drilling with ω_n about the normal share one limit, an ellipsoid
(Goyal, Ruina, Papadopoulos 1991; Howe, Cutkosky 1996): with the drilling radius r and the speed

    w = √(|v_t|² + (r ω_n)²)

the friction is -μ(w) F v_t/w and its torque about the normal -μ(w) F r (r ω_n)/w, where

    μ(w) = (μ_r + (μ_0 - μ_r) exp(-w/v_g1)) tanh(w/v_g2)

(Marter et al. 2020, Eq. 22, for w >= 0). It peaks below μ_0 and falls to μ_r.
"""

import math

from flank.kernel import kernel


@kernel
def friction_coefficient(speed, sliding, static, static_velocity, stick_velocity):
    """μ(w)/w and dμ/dw at the speed w >= 0; both are μ_0/v_g2 at rest."""
    fading = (static - sliding) * math.exp(-speed / static_velocity)
    ratio = speed / stick_velocity
    held = math.tanh(ratio)
    coefficient = sliding + fading
    by_speed = coefficient * (1.0 - held * held) / stick_velocity - fading * held / static_velocity
    if ratio < 1e-8:  # tanh(x)/x is 1 to round-off, and nothing is divided by zero
        return coefficient / stick_velocity, by_speed
    return coefficient * held / speed, by_speed


@kernel
def drilling_radius(drilling_length, force):
    """r = ρ F^(1/3): the radius at which the friction μ F has the torque of a drilling contact."""
    return drilling_length * force ** (1.0 / 3.0)
