"""The profile of a cycloid disc, cut by a pin that rolls around it.

The centre of the cutting pin, seen from the disc, runs on (t = φ/z_c, pins counted from x)

    P0(t) = R' e^{it} - e e^{i z_p t},      R' = R - ΔR,   K1 = e z_p / R'

and the profile is the inner parallel curve at the distance r + Δr:

    P(t) = e^{iδ} [P0(t) - (r + Δr) n(t)],  n(t) = (e^{it} - K1 e^{i z_p t}) / √S,
    S    = 1 + K1² - 2 K1 cos(z_c t),       z_c = z_p - 1.

arXiv 2604.02387, Eqs. 1-2, with the minus signs and the root restored. Positive ΔR (radial) and
positive Δr (equidistant) both remove material; δ turns the whole profile against the disc's holes.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from flank.arrays import Floats
from flank.kernel import kernel


@kernel
def cycloid_point(t, radius, eccentricity, pins, offset, rotation):
    """Point, unit tangent, speed |dP/dt| and curvature of the profile at t.

    `radius` R', `eccentricity` e, `offset` r + Δr in m, `pins` z_p, `rotation` δ in rad. The curve
    runs counter-clockwise; curvature is positive where the flank is convex.
    """
    k1 = eccentricity * pins / radius
    lobe = (pins - 1.0) * t
    cos_lobe = math.cos(lobe)
    root = math.sqrt(1.0 + k1 * k1 - 2.0 * k1 * cos_lobe)
    cos_t = math.cos(t + rotation)
    sin_t = math.sin(t + rotation)
    sin_lobe = math.sin(lobe)
    cos_p = cos_t * cos_lobe - sin_t * sin_lobe
    sin_p = sin_t * cos_lobe + cos_t * sin_lobe
    nx = (cos_t - k1 * cos_p) / root
    ny = (sin_t - k1 * sin_p) / root
    x = radius * cos_t - eccentricity * cos_p - offset * nx
    y = radius * sin_t - eccentricity * sin_p - offset * ny
    centre_curvature = (1.0 + pins * k1 * k1 - k1 * (pins + 1.0) * cos_lobe) / (radius * root**3)
    shrink = 1.0 - offset * centre_curvature
    return x, y, -ny, nx, radius * root * shrink, centre_curvature / shrink


@kernel(internal=True)
def cycloid_curvature_slope(t, radius, eccentricity, pins, offset):
    """dκ/ds of the profile at t, s its arc length.

    Of the pins' centres κ_c = N/(R' S^(3/2)) with S = 1 + k1² - 2 k1 cos λ and
    N = 1 + z_p k1² - k1 (z_p + 1) cos λ, λ = z_c t; of the flank κ = κ_c/(1 - (r + Δr) κ_c).
    """
    k1 = eccentricity * pins / radius
    lobe = (pins - 1.0) * t
    cos_lobe = math.cos(lobe)
    rise = k1 * (pins - 1.0) * math.sin(lobe)
    square = 1.0 + k1 * k1 - 2.0 * k1 * cos_lobe
    root = math.sqrt(square)
    numerator = 1.0 + pins * k1 * k1 - k1 * (pins + 1.0) * cos_lobe
    centre_curvature = numerator / (radius * square * root)
    slope = (pins + 1.0) * rise - 3.0 * numerator * rise / square
    shrink = 1.0 - offset * centre_curvature
    return slope / (radius * square * root) / (shrink * shrink * shrink * radius * root)


@dataclass(frozen=True)
class Cycloid:
    """A cycloid profile; all lengths in m, angles in rad.

    `pins` z_p, `pin_circle_radius` R, `pin_radius` r, `eccentricity` e, `equidistant` Δr,
    `radial` ΔR, `angular` δ.
    """

    pins: int
    pin_circle_radius: float
    pin_radius: float
    eccentricity: float
    equidistant: float = 0.0
    radial: float = 0.0
    angular: float = 0.0

    @property
    def lobes(self) -> int:
        """z_c = z_p - 1, also the ratio of the stage."""
        return self.pins - 1

    @property
    def generating_radius(self) -> float:
        """R' = R - ΔR."""
        return self.pin_circle_radius - self.radial

    @property
    def offset(self) -> float:
        """r + Δr, the radius of the cutter."""
        return self.pin_radius + self.equidistant

    @property
    def shortening(self) -> float:
        """K1 = e z_p / R'; below one for a usable profile."""
        return self.eccentricity * self.pins / self.generating_radius

    @property
    def tip_radius(self) -> float:
        return self.generating_radius - self.offset + self.eccentricity

    @property
    def root_radius(self) -> float:
        return self.generating_radius - self.offset - self.eccentricity

    @property
    def minimum_convex_radius(self) -> float:
        """Smallest convex radius of the pin-centre curve; a cutter above it undercuts.

        R √[27 (1 - K1²)(z_p - 1)/(z_p + 1)³] inside the flank for K1 > (z_p - 2)/(2 z_p - 1),
        else the radius R(1 + K1)²/(1 + z_p K1) at the tip.
        """
        k1, zp, radius = self.shortening, self.pins, self.generating_radius
        if k1 > (zp - 2) / (2 * zp - 1):
            return radius * math.sqrt(max(27 * (1 - k1**2) * (zp - 1), 0.0) / (zp + 1) ** 3)
        return radius * (1 + k1) ** 2 / (1 + zp * k1)


def lever_arm(profile: Cycloid, phase: ArrayLike) -> Floats:
    """Lever arm of a pin's normal force about the disc centre, l = e z_c sin φ / √S.

    `phase` is the pin's angle from the crank. Largest, e z_c, where cos φ = K1.
    """
    k1 = profile.shortening
    phase = np.asarray(phase, dtype=float)
    root = np.sqrt(1 + k1**2 - 2 * k1 * np.cos(phase))
    return np.asarray(profile.eccentricity * profile.lobes * np.sin(phase) / root)
