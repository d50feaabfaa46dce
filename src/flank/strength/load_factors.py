"""What a mesh bears beyond its nominal load: K_V, K_Hβ, K_Fβ, K_Hα, K_Fα of ISO 6336-1:2006, method
B.

K_V is that of two rotating masses on the mesh stiffness, run at N = n/n_E times their resonance:

    K_V = 1 + N (C_v1 B_p + C_v2 B_f + C_v3 B_k)        N ≤ N_S
          1 + C_v1 B_p + C_v2 B_f + C_v4 B_k            N_S < N ≤ 1.15
          C_v5 B_p + C_v6 B_f + C_v7                    N ≥ 1.5, on a line between
    B_p = c' f_pb,eff/w,  B_f = c' f_fα,eff/w,  B_k = |1 - c' C_a/w|,   w = F_t K_A K_γ/b

K_Hβ is that of a line load which rises across the face over flanks misaligned by F_βy:

    K_Hβ = 1 + F_βy c_γβ/(2 w K_V)     as long as all of the face carries (K_Hβ ≤ 2), else √(2 F_βy
    c_γβ/(w K_V))

with c_γβ = 0.85 c_γα. Deviations are those of ISO 1328-1:2013 for a tolerance grade, less what
running-in takes off. The method is for spur gears and helical ones up to 30°; rings count by their
stiffness alone.
"""

import math
from dataclasses import dataclass

from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair
from flank.strength.flank_pressure import contact_ratio_factor, transverse_contact_ratio
from flank.strength.materials import GearStrength
from flank.strength.tooth_root import root_contact_ratio_factor

MICRO = 1e-6

ACROSS = 0.85
"""c_γβ over c_γα."""

FULL_LOAD = 1e5
"""N/m, below which teeth are softer: c' falls with the fourth root of the load."""


def grade_step(grade: int) -> float:
    """Tolerance of an ISO 1328-1 grade over that of grade 5: √2 a grade."""
    return math.sqrt(2) ** (grade - 5)


def pitch_tolerance(gear: Gear, grade: int) -> float:
    """f_pT of a single pitch in m: 0.001 d + 0.4 m_n + 5 µm in grade 5, d and m_n in mm."""
    size = 2e3 * gear.reference_radius
    return (0.001 * size + 0.4e3 * gear.normal_module + 5) * grade_step(grade) * MICRO


def profile_tolerance(gear: Gear, grade: int) -> float:
    """f_fαT of the form of a profile in m: 0.55 m_n + 5 µm in grade 5."""
    return (0.55e3 * gear.normal_module + 5) * grade_step(grade) * MICRO


def helix_slope_tolerance(gear: Gear, width: float, grade: int) -> float:
    """f_HβT of the slope of a helix in m: 0.05 √d + 0.35 √b + 4 µm in grade 5."""
    size = 2e3 * gear.reference_radius
    return (0.05 * math.sqrt(size) + 0.35 * math.sqrt(width * 1e3) + 4) * grade_step(grade) * MICRO


def running_in_of_profile(strength: GearStrength, deviation: float) -> float:
    """y_α (y_p, y_f) in m of a deviation in m: what running-in takes off along the profile.

    0.075 f of hard flanks, at most 3 µm; 160/σ_Hlim f of others; 0.275 f of grey iron, at most 22
    µm.
    """
    if strength.hardened:
        return min(0.075 * deviation, 3 * MICRO)
    if strength.kind == "grey-iron":
        return min(0.275 * deviation, 22 * MICRO)
    return min(160e6 / strength.flank, 1.0) * deviation


def running_in_across(strength: GearStrength, misalignment: float) -> float:
    """y_β in m of F_βx in m: 0.15 F_βx of hard flanks, at most 6 µm; 320/σ_Hlim F_βx of others;
    0.55 F_βx of grey iron, at most 45 µm."""
    if strength.hardened:
        return min(0.15 * misalignment, 6 * MICRO)
    if strength.kind == "grey-iron":
        return min(0.55 * misalignment, 45 * MICRO)
    return min(320e6 / strength.flank, 1.0) * misalignment


def running_in_relief(strengths: tuple[GearStrength, GearStrength]) -> float:
    """C_ay in m, what running-in takes off at tips: (σ_Hlim/97 - 18.45)²/18 + 1.5 µm, both in
    mean."""
    each = [((one.flank / 97e6 - 18.45) ** 2 / 18 + 1.5) * MICRO for one in strengths]
    return 0.5 * sum(each)


def softened(stiffness: float, line_load: float) -> float:
    """c' or c_γ of a mesh at F_t K_A/b in N/m, softer below 100 N/mm."""
    return float(stiffness * min(line_load / FULL_LOAD, 1.0) ** 0.25)


@dataclass(frozen=True)
class Deviations:
    """f_pb,eff and f_fα,eff in m, that is after running-in, and the tip relief C_a in m."""

    pitch: float
    profile: float
    relief: float


def effective_deviations(
    pair: GearPair, strengths: tuple[GearStrength, GearStrength], grade: int
) -> Deviations:
    """Of a tolerance grade: the larger of both gears, less the mean of what running-in takes
    off."""
    gears = pair.first, pair.second
    pitch = max(pitch_tolerance(gear, grade) * math.cos(gear.pressure_angle) for gear in gears)
    profile = max(profile_tolerance(gear, grade) for gear in gears)
    pitch -= 0.5 * sum(running_in_of_profile(one, pitch) for one in strengths)
    profile -= 0.5 * sum(running_in_of_profile(one, profile) for one in strengths)
    reliefs = [gear.relief.amount for gear in gears if gear.relief is not None]
    relief = min(reliefs) if len(reliefs) == 2 else running_in_relief(strengths)
    return Deviations(pitch, profile, relief)


def resonance_ratio(
    teeth: int, speed: float, stiffness: float, width: float, reduced_mass: float
) -> float:
    """N: mesh frequency over the natural one of both gears on c_γα (N/m² over the width)."""
    natural = math.sqrt(stiffness * width / reduced_mass)
    return teeth * abs(speed) / natural


def dynamic_factor(
    resonance: float, line_load: float, single: float, ratio: float, deviations: Deviations
) -> float:
    """K_V from N, w in N/m, c' in N/m², ε_γ and deviations."""
    pitch = single * deviations.pitch / line_load
    profile = single * deviations.profile / line_load
    relief = abs(1 - single * deviations.relief / line_load)
    if ratio <= 2:
        v2, v3, v4, v6 = 0.34, 0.23, 0.90, 0.47
    else:
        v2, v3 = 0.57 / (ratio - 0.3), 0.096 / (ratio - 1.56)
        v4, v6 = (0.57 - 0.05 * ratio) / (ratio - 1.44), 0.12 / (ratio - 1.74)
    v1, v5 = 0.32, 0.47
    v7 = 0.75 if ratio <= 1.5 else 1.0
    if 1.5 < ratio <= 2.5:
        v7 = 0.125 * math.sin(math.pi * (ratio - 2)) + 0.875
    low = 0.85 if line_load >= FULL_LOAD else 0.5 + 0.35 * math.sqrt(line_load / FULL_LOAD)
    if resonance <= low:
        return 1 + resonance * (v1 * pitch + v2 * profile + v3 * relief)
    at_resonance = 1 + v1 * pitch + v2 * profile + v4 * relief
    if resonance <= 1.15:
        return at_resonance
    above = v5 * pitch + v6 * profile + v7
    if resonance >= 1.5:
        return max(above, 1.0)
    return max(above + (at_resonance - above) * (1.5 - resonance) / 0.35, 1.0)


def face_factor(misalignment: float, line_load: float, stiffness: float) -> float:
    """K_Hβ from F_βy in m, w K_V in N/m and c_γβ in N/m²."""
    slope = misalignment * stiffness / (2 * line_load)
    return 1 + slope if slope <= 1 else math.sqrt(4 * slope)


def root_face_factor(pair: GearPair, face: float) -> float:
    """K_Fβ = K_Hβ^N_F, N_F = (b/h)²/(1 + b/h + (b/h)²), with the larger whole depth h and b/h ≥
    3."""
    heights = [abs(gear.tip_radius - gear.root_radius) for gear in (pair.first, pair.second)]
    slender = max(pair.face_width / max(heights), 3.0)
    return float(face ** (slender**2 / (1 + slender + slender**2)))


def transverse_factors(
    pair: GearPair, stiffness: float, pitch: float, line_load: float
) -> tuple[float, float]:
    """K_Hα and K_Fα from c_γα in N/m², f_pb - y_α in m and F_tH/b in N/m."""
    ratio = transverse_contact_ratio(pair)
    total = ratio + pair.overlap_ratio
    share = stiffness * pitch / line_load
    if total <= 2:
        factor = 0.5 * total * (0.9 + 0.4 * share)
    else:
        factor = 0.9 + 0.4 * math.sqrt(2 * (total - 1) / total) * share
    flank = total / (ratio * contact_ratio_factor(ratio, pair.overlap_ratio))
    root = total / (ratio * root_contact_ratio_factor(pair))
    return max(min(factor, flank), 1.0), max(min(factor, root), 1.0)
