"""Radial stiffness of a preloaded angular contact ball bearing.

Palmgren's approach of the races along a ball's contact line is, for steel and in N and mm,
δ = 4.4e-4 (Q²/D)^(1/3) with the ball diameter D. Around the preload Q each ball is a spring
k = dQ/dδ = 3 Q / (2 δ), and

    K_r = (Z/2) k cos²α.
"""

import math

PALMGREN_BALL = 4.4e-4
"""mm for N and mm, both races."""


def radial_stiffness(count: int, radius: float, contact_angle: float, preload: float) -> float:
    """K_r in N/m of `count` balls under the axial `preload` in N."""
    load = preload / (count * math.sin(contact_angle))
    approach = 1e-3 * PALMGREN_BALL * math.pow(load**2 / (2e3 * radius), 1 / 3)
    return 0.5 * count * 1.5 * load / approach * math.cos(contact_angle) ** 2
