"""Load ratings and rating lives of radial roller bearings, from their geometry and roller forces.

With Z rollers of diameter D and effective length L on the pitch diameter D_p, the contact angle α
and γ = D cos α/D_p; N and mm in the ratings, 10⁶ turns in the lives:

    ISO 281     C  = b_m f_c (L cos α)^(7/9) Z^(3/4) D^(29/27),    L10 = (C/P)^(10/3)
                f_c = 207.8 λν γ^(2/9) (1-γ)^(29/27)/(1+γ)^(1/4)
                      {1 + [1.04 ((1-γ)/(1+γ))^(143/108)]^(9/2)}^(-2/9)
    ISO 76      C0 = 44 (1 - γ) Z L D cos α
    ISO 16281   Q_ci = C/(0.378 λν Z cos α) {1 + [1.038 ((1-γ)/(1+γ))^(143/108)]^(9/2)}^(2/9)
                Q_ce = C/(0.364 λν Z cos α) {1 + [1.038 ((1-γ)/(1+γ))^(143/108)]^(-9/2)}^(2/9)
                L10r = {Σ_k [(q_kei/q_kci)^(9/2) + (q_kee/q_kce)^(9/2)]}^(-8/9)

f_c is what table 7 of ISO 281 tabulates (ISO/TR 1281-1), λν = 0.83, b_m = 1.1 for cylindrical and
tapered rollers and needles with machined rings. A lamina of n has the rating q_kc = Q_c n^(-7/9).

The norm's equivalent load of a lamina is the mean of the fourth power for a race that turns against
the load and of the power 9/2 for one that stands. Both follow from one rule (Lundberg and
Palmgren): a point of a race is worn by the mean of the fourth power over time, and points fail
independently, with the slope 9/8. `race_load` takes it, so that loads may turn with neither race.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from flank.arrays import Floats
from flank.elasticity.roller_profile import RollerProfile

RING_FACTOR = 1.1
"""b_m of ISO 281 for cylindrical and tapered rollers and needles with machined rings."""

REDUCTION = 0.83
"""λν: what ISO 281 takes off for loads that are uneven along a roller."""

LIFE_EXPONENT = 10 / 3
"""Of ISO 281, for roller bearings."""

WEAR, SLOPE = 4.0, 9 / 8
"""The power of a load that wears a point of a race, and Weibull's slope over its points."""

MILLION = 1e6
"""Turns in which ISO 281 counts lives."""

MM = 1e3
"""mm in a metre: the ratings are empirical in N and mm."""

LAMINAE = 30
"""The least number that ISO 16281 asks for."""

ROLLER_STIFFNESS = 35948.0
"""c_L/L^(8/9) of ISO 16281 in N/mm^(17/9): a steel roller between both races."""

LAMINA_EXPONENT = 10 / 9

NEWTON_STEPS = 30
"""Most that `lamina_loads` takes; a handful is usual."""

ROUND_OFF = 1e-12
"""Of a depth, relative."""


@dataclass(frozen=True)
class RollerBearing:
    """One row of rollers; lengths in m, `contact_angle` α in rad."""

    count: int
    diameter: float
    length: float
    pitch_diameter: float
    contact_angle: float = 0.0

    @property
    def slenderness(self) -> float:
        """γ = D cos α/D_p."""
        return self.diameter * math.cos(self.contact_angle) / self.pitch_diameter

    @property
    def dynamic_rating(self) -> float:
        """C of ISO 281, in N."""
        gamma = self.slenderness
        edge = 1 + math.pow(1.04 * _race_ratio(gamma), 4.5)
        shape = math.pow(gamma, 2 / 9) * math.pow(1 - gamma, 29 / 27) / math.pow(1 + gamma, 0.25)
        factor = 551.13373 * 0.377 * REDUCTION * shape * math.pow(edge, -2 / 9)
        length = math.pow(MM * self.length * math.cos(self.contact_angle), 7 / 9)
        size = math.pow(MM * self.diameter, 29 / 27)
        return RING_FACTOR * factor * length * math.pow(self.count, 0.75) * size

    @property
    def static_rating(self) -> float:
        """C0 of ISO 76, in N: 4000 MPa at the roller that carries most."""
        area = MM**2 * self.length * self.diameter * math.cos(self.contact_angle)
        return 44 * (1 - self.slenderness) * self.count * area

    @property
    def race_ratings(self) -> tuple[float, float]:
        """Q_ci and Q_ce of ISO 16281 in N, normal loads of one roller on inner and outer race."""
        ratio = math.pow(1.038 * _race_ratio(self.slenderness), 4.5)
        roller = self.dynamic_rating / (REDUCTION * self.count * math.cos(self.contact_angle))
        inner, outer = math.pow(1 + ratio, 2 / 9), math.pow(1 + 1 / ratio, 2 / 9)
        return roller / 0.378 * inner, roller / 0.364 * outer

    def life(self, load: float) -> float:
        """L10 of ISO 281 in turns, `load` the equivalent radial load P in N."""
        return MILLION * math.pow(self.dynamic_rating / load, LIFE_EXPONENT)

    def reference_life(self, inner: Floats, outer: Floats) -> float:
        """L10r of ISO 16281 in turns, of the equivalent loads of the laminae on both races in N."""
        share = len(inner) ** (-7 / 9)
        inner_rating, outer_rating = self.race_ratings
        worn = np.sum((inner / (inner_rating * share)) ** 4.5)
        worn += np.sum((outer / (outer_rating * share)) ** 4.5)
        return MILLION * math.pow(float(worn), -8 / 9)


def _race_ratio(gamma: float) -> float:
    """((1-γ)/(1+γ))^(143/108)."""
    return math.pow((1 - gamma) / (1 + gamma), 143 / 108)


def equivalent_load(loads: Floats) -> float:
    """P of a load that varies in time and turns with neither race: the mean of the power 10/3."""
    return float(np.mean(loads**LIFE_EXPONENT) ** (1 / LIFE_EXPONENT))


def lamina_places(length: float, count: int = LAMINAE) -> Floats:
    """Middles of the laminae of a roller, from its middle, in m."""
    return length * ((np.arange(count) + 0.5) / count - 0.5)


def edge_factors(count: int = LAMINAE) -> Floats:
    """f[k] of ISO 16281 by which the stress at a roller's ends exceeds that of a lamina alone."""
    numbers = np.arange(1, count + 1)
    place = np.abs(2 * numbers - count - 1) / (2 * count - 2)
    place = np.maximum(place, np.finfo(float).tiny)  # the middle of an odd number
    return np.asarray(1 - 0.01 / np.log(1.985 * place))


def race_load(loads: Floats, turns: Floats) -> Floats:
    """Equivalent loads (laminae,) of a race.

    `loads` (time, rollers, laminae) over evenly spread times; `turns` (time, rollers) says where on
    the race a roller stands, counted in whole turns. The race is cut into as many pieces as there
    are rollers, and a load is shared by its two neighbours.
    """
    pieces = loads.shape[1]
    place = turns * pieces
    low = np.floor(place).astype(int)
    upper = (place - low)[..., None]
    worn = np.zeros((pieces, loads.shape[2]))
    weight = np.zeros((pieces, 1))
    for piece, share in ((low, 1 - upper), (low + 1, upper)):
        np.add.at(worn, piece % pieces, share * loads**WEAR)
        np.add.at(weight, piece % pieces, share)
    means = worn / np.maximum(weight, np.finfo(float).tiny)
    return np.asarray(np.mean(means**SLOPE, axis=0) ** (1 / (WEAR * SLOPE)))


def lamina_loads(force: Floats, gaps: Floats, length: float) -> Floats:
    """What the laminae (..., laminae) of rollers carry of `force` (...), by the springs of ISO
    16281: q_k = c_L/n (δ - g_k)^(10/9), `gaps` g_k >= 0 (..., laminae) in m.

    The sum is convex in δ, so Newton's steps from a δ that is too large fall to the root.
    """
    count = gaps.shape[-1]
    stiffness = ROLLER_STIFFNESS * (MM * length) ** (8 / 9) * MM**LAMINA_EXPONENT / count
    pressed = force[..., None] / stiffness
    depth = (pressed / count) ** (1 / LAMINA_EXPONENT) + gaps.max(axis=-1, keepdims=True)
    for _ in range(NEWTON_STEPS):
        local = np.maximum(depth - gaps, 0.0)
        root = local ** (LAMINA_EXPONENT - 1)
        slope = LAMINA_EXPONENT * np.sum(root, axis=-1, keepdims=True)
        excess = np.sum(root * local, axis=-1, keepdims=True) - pressed
        step = np.where(slope > 0, excess / np.maximum(slope, np.finfo(float).tiny), 0.0)
        depth -= step
        if np.all(np.abs(step) <= np.abs(depth) * ROUND_OFF):
            break
    shares = np.maximum(depth - gaps, 0.0) ** LAMINA_EXPONENT
    total = np.maximum(np.sum(shares, axis=-1, keepdims=True), np.finfo(float).tiny)
    return np.asarray(shares / total * force[..., None])


def peak_load(force: Floats, profile: RollerProfile, length: float) -> Floats:
    """Largest load per length in N/m of rollers between their races under `force` (...)."""
    gaps = 2 * profile.depth(2 * lamina_places(length) / length)
    loads = lamina_loads(force, np.broadcast_to(gaps, (*force.shape, LAMINAE)), length)
    return np.asarray(loads.max(axis=-1) * LAMINAE / length)
