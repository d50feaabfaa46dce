"""Closed forms of a cycloid disc among equally stiff pins, unmodified, from which sizing begins.

A disc under the torque M presses the pin of phase φ by (docs/theory/cycloidal_drive.md)

    F = F_max sin φ/√S,    F_max = 4 M/(K1 z_c R),    S = 1 + K1² - 2 K1 cos φ

with the relative curvature of pin and flank 1/ρ = 1/r + κ, κ = κ_c/(1 - r κ_c) that of the flank
where it is convex positive, κ_c = (1 + z_p K1² - K1 (z_p + 1) cos φ)/(R S^(3/2)); and
p = √(F E*/(π B ρ)).
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

PHASES = np.linspace(0.02, math.pi - 0.02, 200)


@lru_cache(maxsize=4096)
def largest_pressure(
    pins: int,
    circle: float,
    shortening: float,
    pin: float,
    width: float,
    torque: float,
    modulus: float,
) -> float:
    """In Pa, over all phases; `torque` is one disc's."""
    cosine = np.cos(PHASES)
    square = 1 + shortening**2 - 2 * shortening * cosine
    force = 4 * torque / (shortening * (pins - 1) * circle) * np.sin(PHASES) / np.sqrt(square)
    bend = 1 + pins * shortening**2 - shortening * (pins + 1) * cosine
    centre = bend / (circle * square**1.5)
    curvature = 1 / pin + centre / (1 - pin * centre)
    return float(np.sqrt(force / width * modulus * curvature / math.pi).max())


def largest_radius(
    pins: int, circle: float, shortening: float, spacing: float, undercut: float
) -> float:
    """Of pins: pitch over diameter is `spacing`, and a share `undercut` of the sharpest bend."""
    from flank.geometry.cycloid import Cycloid

    sharpest = Cycloid(pins, circle, 0.0, shortening * circle / pins).minimum_convex_radius
    return min(circle * math.sin(math.pi / pins) / spacing, undercut * sharpest)


def along_share(shortening: float) -> float:
    """K_y: the pins' resultant along the crank over that across it, M/(e z_c)."""
    k1 = shortening
    logarithm = math.log((1 + k1) / (1 - k1))
    return 2 / math.pi * (1 / k1 + (k1**2 - 1) / (2 * k1**2) * logarithm)
