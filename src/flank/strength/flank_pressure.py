"""Flank pressure of involute gears after ISO 6336-2:2006, method B.

    σ_H0 = Z_H Z_E Z_ε Z_β √(F_t/(d_1 b) (u ± 1)/u)      at the pitch point, + for two external
    gears σ_H  = Z_B or Z_D σ_H0 √(K_A K_γ K_V K_Hβ K_Hα) σ_HG = σ_Hlim Z_NT Z_L Z_V Z_R Z_W Z_X

Z_H turns the tangential force at the reference circle into Hertz's pressure at the pitch point; Z_B
and Z_D go on to the points where one pair of teeth alone begins or ends to carry, where curvature
is larger. Z_ε counts the length of the lines of contact. Z_β = 1/√cos β since the corrigendum of
2008.
"""

import math

from flank.elasticity.material import Material, contact_modulus
from flank.geometry.gear_pair import GearPair
from flank.strength.materials import GearStrength

SOFT, HARD = 850e6, 1200e6
"""σ_Hlim in Pa, between which the factors of oil, speed and roughness change from soft to hard."""

SOFTEST_WHEEL, HARDEST_WHEEL = 130.0, 470.0
"""HBW, beyond which a hard pinion works a wheel no harder, or no softer, than there (Z_W)."""


def zone_factor(pair: GearPair) -> float:
    """Z_H = √(2 cos β_b cos α_wt / (cos² α_t sin α_wt))."""
    working, first = pair.working_angle, pair.first
    top = 2 * math.cos(first.base_helix_angle) * math.cos(working)
    return math.sqrt(top / math.sin(working)) / math.cos(first.pressure_angle)


def elasticity_factor(materials: tuple[Material, Material]) -> float:
    """Z_E = √(E*/π) in √Pa; 189.8 √(N/mm²) of steel on steel."""
    return math.sqrt(contact_modulus(*materials) / math.pi)


def contact_ratio_factor(transverse: float, overlap: float) -> float:
    """Z_ε² from ε_α and ε_β: the load of one pair of teeth over that of the mesh."""
    transverse, overlap = max(transverse, 1.0), min(overlap, 1.0)
    spur = max((4 - transverse) / 3, 1 / transverse)  # the norm's line meets 1/ε again at ε = 3
    return spur * (1 - overlap) + overlap / transverse


def transverse_contact_ratio(pair: GearPair) -> float:
    """ε_α as the norm counts it, from tip circle to tip circle, interference left out."""
    between = pair.first.edge_roll_length
    between += pair.sign * (pair.second.edge_roll_length - pair.action_length)
    return between / pair.base_pitch


def helix_factor(pair: GearPair) -> float:
    """Z_β = 1/√cos β."""
    return 1 / math.sqrt(math.cos(pair.first.helix_angle))


def single_contact_factors(pair: GearPair) -> tuple[float, float]:
    """Z_B and Z_D: M = √(ρ_C1 ρ_C2 / (ρ_1 ρ_2)) where one pair alone begins to carry, and ends.

    As large as that of spur gears without overlap, one with ε_β of one and more, on a line between;
    at least one. Of rings Z_D = 1.
    """
    pitch, ratio = pair.base_pitch, transverse_contact_ratio(pair)
    inner = pair.first.edge_roll_length - pitch
    outer = pair.first.edge_roll_length - (ratio - 1) * pitch
    overlap = min(pair.overlap_ratio, 1.0)
    factors = []
    for roll in (inner, outer):
        product = roll * pair.second_roll(roll)
        middle = (
            pair.first.base_radius * pair.second.base_radius * math.tan(pair.working_angle) ** 2
        )
        at = math.sqrt(middle / product) if product > 0 else math.inf
        factors.append(max(at - overlap * (at - 1), 1.0) if overlap < 1 else 1.0)
    return factors[0], factors[1] if pair.sign > 0 else 1.0


def nominal_pressure(pair: GearPair, materials: tuple[Material, Material], force: float) -> float:
    """σ_H0 in Pa of a tangential force F_t in N at the reference circles."""
    first, second = pair.first, pair.second
    ratio = second.teeth / first.teeth
    load = force / (2 * first.reference_radius * pair.face_width) * (ratio + pair.sign) / ratio
    covers = contact_ratio_factor(transverse_contact_ratio(pair), pair.overlap_ratio)
    factors = zone_factor(pair) * elasticity_factor(materials) * helix_factor(pair)
    return factors * math.sqrt(covers * load)


def lubricant_factor(flank: float, viscosity: float) -> float:
    """Z_L of σ_Hlim in Pa and the viscosity ν_40 at 40 °C in m²/s, which the norm takes in
    mm²/s."""
    share = _share(flank)
    return share + 4 * (1 - share) / (1.2 + 134 / (viscosity * 1e6)) ** 2


def speed_factor(flank: float, speed: float) -> float:
    """Z_V of σ_Hlim in Pa and the pitch line velocity in m/s."""
    share = _share(flank) + 0.02
    return share + 2 * (1 - share) / math.sqrt(0.8 + 32 / max(speed, 1e-6))


def _share(flank: float) -> float:
    """C_ZL, 0.83 of soft flanks and 0.91 of hard ones."""
    return 0.83 + 0.08 * min(max((flank - SOFT) / (HARD - SOFT), 0.0), 1.0)


def roughness_factor(pair: GearPair, flank: float, roughness: float) -> float:
    """Z_R of σ_Hlim in Pa and the mean peak-to-valley height Rz of both flanks in m."""
    as_if = roughness * 1e6 * (10e-3 / relative_radius(pair)) ** (1 / 3)
    power = 0.15 - 0.07 * min(max((flank - SOFT) / (HARD - SOFT), 0.0), 1.0)
    return float((3 / as_if) ** power)


def work_hardening_factor(
    own: GearStrength, mate: GearStrength, roughness: float, relative: float
) -> float:
    """Z_W of a soft gear against a hard and smooth mate: 1.2 - (HBW - 130)/1700, times
    (3/Rz_H)^0.15 with the mate's roughness; one of all others."""
    if own.hardened or not mate.hardened:
        return 1.0
    hardness = min(max(own.hardness, SOFTEST_WHEEL), HARDEST_WHEEL)
    as_if = max(roughness * 1e6 * (10e-3 / relative) ** 0.33, 3.0)
    return float(max((1.2 - (hardness - 130) / 1700) * (3 / as_if) ** 0.15, 1.0))


def relative_radius(pair: GearPair) -> float:
    """ρ_red at the pitch point, transverse, in m."""
    rolls = [gear.base_radius * math.tan(pair.working_angle) for gear in (pair.first, pair.second)]
    return float(rolls[0] * rolls[1] / (rolls[1] + pair.sign * rolls[0]))
