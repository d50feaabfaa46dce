"""Hertz line contact of a pair of bodies: how far they approach under a load per length.

With F' the load per length, ρ the relative radius and E* the contact modulus (Johnson 1985, ch. 5):

    half width   b = √(4 F' ρ / (π E*)),        peak pressure p0 = 2 F' / (π b)
    approach     δ = Σ_i c_i F' [2 ln(4 R_i/b) - 1]           cylinders, to their centres
                     c_i F' [2 ln(2 d_i/b) - ν/(1 - ν)]       a deep body, to the depth d_i

with c_i = (1 - ν_i²)/(π E_i). Both bodies are counted; Eq. 8 of arXiv 2604.02387 counts one
and is about 2.2 times too stiff. Either term has the form F' (p - q ln F'), so any pair, and any
contacts in series, follow one law

    δ = F' (P - Q ln F'),

and a flank whose curvature vanishes (the inflection of a cycloid, where the load is largest) needs
a depth: a cylinder of infinite radius has no finite approach.
"""

import math
from dataclasses import dataclass

import numpy as np

from flank.arrays import Floats
from flank.elasticity.material import Material, contact_modulus

LEAST_W = 2.0
"""Least w = P/Q - ln F' for which the law is used: there a contact is about as wide as the bodies
are deep, and at w = 1 the law would turn back. Beyond, a contact is as stiff as there."""

NEWTON_STEPS = 4
"""To round-off from where `line_load` begins, for any depth."""

PALMGREN_FACTOR = 3.81
"""δ = 3.81 η^0.9 F^0.9 / l^0.8, η = Σ(1 - ν²)/(π E); for steel 3.84e-5 in N and mm."""


@dataclass(frozen=True)
class Cylinder:
    """A round body; the approach is counted to its centre."""

    radius: float
    material: Material

    def share(self) -> float:
        """Its part of P without the half width, in 1/Pa."""
        return self.material.line_compliance * (2 * math.log(4 * self.radius) - 1)


@dataclass(frozen=True)
class DeepBody:
    """A body of any flank shape; the approach is counted to `depth` below the surface."""

    depth: float
    material: Material

    def share(self) -> float:
        """Its part of P without the half width, in 1/Pa."""
        ratio = self.material.poisson_ratio / (1 - self.material.poisson_ratio)
        return self.material.line_compliance * (2 * math.log(2 * self.depth) - ratio)


@dataclass(frozen=True)
class LineLaw:
    """δ = F' (P - Q ln F'), P = `constant` - Q ln ρ, in SI; ρ is the relative radius in m."""

    constant: float
    slope: float
    length: float

    def approach(self, force: float, relative_radius: float) -> float:
        """δ in m under `force` in N."""
        if force <= 0:
            return 0.0
        load = force / self.length
        return load * (self.constant - self.slope * math.log(load * relative_radius))

    def in_series(self, radius: float, other: "LineLaw", other_radius: float) -> "LineLaw":
        """Law of two contacts under one load, such as a needle between its races.

        The relative radii are fixed here, so the result is to be used with a relative radius of
        1 m.
        """
        constant = self.constant - self.slope * math.log(radius)
        constant += other.constant - other.slope * math.log(other_radius)
        return LineLaw(constant, self.slope + other.slope, self.length)

    def slanted(self, angle: float) -> "LineLaw":
        """Law in the radial plane of a roller whose contacts are tilted by `angle` (a tapered one).

        A radial shift d presses the roller by d cos α, and of its force Q the part Q cos α is
        radial.
        """
        cosine = math.cos(angle)
        constant = (self.constant + self.slope * math.log(cosine)) / cosine**2
        return LineLaw(constant, self.slope / cosine**2, self.length)


def line_law(first: Cylinder | DeepBody, second: Cylinder | DeepBody, length: float) -> LineLaw:
    """The law of one pair. A hole's wall is a Cylinder of the hole's radius."""
    slope = first.material.line_compliance + second.material.line_compliance
    modulus = contact_modulus(first.material, second.material)
    constant = first.share() + second.share() - slope * math.log(4 / (math.pi * modulus))
    return LineLaw(constant, slope, length)


def line_approach(load: float, constant: Floats | float, slope: float) -> Floats:
    """δ under the load F' > 0, with P = `constant`; δ = Q (F' + F'_2) beyond F'_2, where w = 2."""
    w = np.maximum(constant / slope - np.log(load), LEAST_W)
    within = np.exp(constant / slope - w)  # F', or the load where the law ends
    approach: Floats = slope * (within * w + (LEAST_W - 1) * np.maximum(load - within, 0.0))
    return approach


def line_load(depth: Floats, constant: Floats, slope: float) -> Floats:
    """F' at the approach δ, the inverse of `line_approach`; zero where nothing touches.

    With s = P/Q - ln(δ/Q) - 1 the law reads w - ln w = 1 + s, whose root w > 1 lies between
    1 + √2s + 2s/3 and 1 + √2s + s (Chatzigeorgiou, IEEE Commun. Lett. 17 (2013) 1505). The left
    side is convex, so Newton's steps from the upper bound fall to the root and never pass it.
    """
    with np.errstate(over="ignore"):  # very soft bodies get nowhere near it
        deepest = LEAST_W * slope * np.exp(constant / slope - LEAST_W)
    within = np.clip(depth, np.finfo(float).tiny, deepest)
    s = constant / slope - np.log(within / slope) - 1
    w = 1 + np.sqrt(2 * s) + s
    for _ in range(NEWTON_STEPS):
        w -= (w - np.log(w) - 1 - s) / (1 - 1 / w)
    load = within / (slope * w) + np.maximum(depth - deepest, 0.0) / ((LEAST_W - 1) * slope)
    return np.where(depth > 0, load, 0.0)


def palmgren_stiffness(first: Material, second: Material, length: float) -> float:
    """K of F = K δ^(10/9), in N/m^(10/9), from length and material (inverse of Palmgren's 0.9)."""
    compliance = first.line_compliance + second.line_compliance
    return math.pow(length, 8 / 9) / (compliance * math.pow(PALMGREN_FACTOR, 10 / 9))


def half_width(force: float, length: float, relative_radius: float, modulus: float) -> float:
    """b in m; `modulus` is E* in Pa."""
    return math.sqrt(4 * max(force, 0.0) / length * relative_radius / (math.pi * modulus))
