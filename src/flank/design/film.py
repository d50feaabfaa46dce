"""The oil film between two flanks that touch along a line.

With U = η u/(E' R), G = α E', W = F/(E' L R), u the mean of both surfaces' speeds and
1/E' = Σ(1 - ν²)/(2 E),

    h_min = 2.65 R U^0.7 G^0.54 W^-0.13,      λ = h_min/√(Rq1² + Rq2²)

(Dowson 1968, in Hamrock, Fundamentals of Fluid Film Lubrication, chapter 18). λ below 1 is boundary
lubrication, from 3 on a full film. Starvation and heating in the inlet are left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from flank.machines.release_spec import LubricationSpec


@dataclass(frozen=True)
class LinePress:
    """Two flanks of `length`, pressed by `force`; `modulus` E', relative radius R, all SI."""

    force: float
    length: float
    relative_radius: float
    modulus: float


def film(press: LinePress, speed: float, oil: LubricationSpec) -> float:
    """h_min in m, `speed` u the mean of both surfaces' speeds in m/s."""
    if speed <= 0 or press.force <= 0:
        return 0.0
    size = press.modulus * press.relative_radius
    rolled = math.pow(oil.viscosity * speed / size, 0.7)
    stiffened = math.pow(oil.pressure_viscosity * press.modulus, 0.54)
    pressed = math.pow(press.force / (size * press.length), -0.13)
    return 2.65 * press.relative_radius * rolled * stiffened * pressed


def relative_radius(force: float, length: float, modulus: float, pressure: float) -> float:
    """R of a line contact whose largest pressure is known: p0² = F E'/(2π L R)."""
    return force * modulus / (2 * math.pi * length * pressure**2)
