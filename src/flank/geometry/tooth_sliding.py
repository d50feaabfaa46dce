"""Sliding of involute flanks: how far they slide over each other while they roll.

A pair of teeth that touches g before or behind the pitch point slides at |g| (1/r_b1 ± 1/r_b2)
times the speed of the base circles, minus for an internal mesh. All lines of contact that there are
share the load evenly, so that the mean of |g| over them is what counts.
"""

import numpy as np

from flank.geometry.gear_pair import GearPair

POSITIONS, STRIPS = 400, 40
"""Of a mesh cycle, and across the face of helical teeth."""


def sliding_share(pair: GearPair) -> float:
    """H_v: mean sliding over rolling of the base circles, load shared evenly by all lines.

    For spur teeth with 1 < ε_α < 2 and ε₁, ε₂ < 1 that is π (1/z₁ ± 1/z₂)(1 - ε_α + ε₁² + ε₂²),
    Ohlendorf 1958.
    """
    start, end = pair.path
    pitch_point = pair.first.base_radius * np.tan(pair.working_angle)
    pitch, strips = pair.base_pitch, STRIPS if pair.overlap_ratio else 1
    positions = (np.arange(POSITIONS) + 0.5) / POSITIONS
    across = pair.overlap_ratio * (np.arange(strips) + 0.5) / strips
    pairs = np.arange(-np.ceil(pair.overlap_ratio) - 1, np.ceil(pair.contact_ratio) + 1)
    rolls = start + pitch * (positions[:, None, None] + across[:, None] + pairs)
    touching = (rolls >= start) & (rolls < end)
    away = np.where(touching, np.abs(rolls - pitch_point), 0.0)
    mean = np.sum(away, axis=(1, 2)) / np.maximum(np.sum(touching, axis=(1, 2)), 1)
    radii = pair.first.base_radius, pair.second.base_radius
    return float(mean.mean() * (1 / radii[0] + pair.sign / radii[1]))
