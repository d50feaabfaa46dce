"""Tooth root stress of involute gears after ISO 6336-3:2006, method B.

    σ_F0 = F_t/(b m_n) Y_F Y_S Y_β Y_B Y_DT,   σ_F = σ_F0 K_A K_γ K_V K_Fβ K_Fα
    Y_F  = 6 h_Fe/m_n cos α_Fen / ((s_Fn/m_n)² cos α_n)
    Y_S  = (1.2 + 0.13 L) q_s^(1/(1.21 + 2.3/L)),   L = s_Fn/h_Fe, q_s = s_Fn/(2 ρ_F)
    σ_FG = σ_Flim Y_ST Y_NT Y_δrelT Y_RrelT Y_X,    Y_ST = 2

The critical section s_Fn stands where tangents at 30° to the middle of a tooth touch its fillet
(60° in a ring), in the normal section; the force acts where one pair of teeth alone ends to carry.
Of the trochoid of a rack, with

    G = ρ_fP - h_fP + x,   E = π/4 - h_fP tan α_n - (1 - sin α_n) ρ_fP/cos α_n   in modules,
    H = (2/z_n)(π/2 - E) - π/3,   θ = (2 G/z_n) tan θ - H,

s_Fn/m_n = z_n sin(π/3 - θ) + √3 (G/cos θ - ρ_fP) and ρ_F/m_n = ρ_fP + 2 G²/(cos θ (z_n cos² θ - 2
G)). The fillet of a ring is the arc that `geometry/tooth_fillet.py` draws, since no cutter is
named: its section is that of the arc. Without deviations of thickness, as in the norm; ρ_fP is that
for which the rack has room.
"""

import math
from dataclasses import dataclass, replace

from flank.geometry.gear import Gear, involute
from flank.geometry.gear_pair import GearPair
from flank.geometry.roots import zero_between
from flank.geometry.tooth_fillet import ring_fillet, rounding_of_rack
from flank.geometry.tooth_outline import normal_section
from flank.strength.flank_pressure import transverse_contact_ratio
from flank.strength.materials import GearStrength

TANGENT = math.radians(30)
RING_TANGENT = math.radians(60)

STRESS_CORRECTION = 2.0
"""Y_ST, of the test gears for which σ_Flim holds."""

TEST_NOTCH = 2.5
"""q_sT of the test gears."""

LEAST_RIM, STIFF_RIM = 0.5, 1.2
"""Rim over whole depth of an external gear: below, the norm knows no Y_B; from the second on it is
one."""

LEAST_RING, STIFF_RING = 1.75, 3.5
"""The same for the rim of a ring over the normal module."""


@dataclass(frozen=True)
class RootSection:
    """s_Fn and ρ_F in m, and its distance in m from the gear's axis along the middle of the
    tooth."""

    thickness: float
    fillet: float
    place: float


def root_section(gear: Gear) -> RootSection:
    """The critical section of a tooth in its normal section, deviations of thickness left out."""
    section = normal_section(replace(gear, thickness_deviation=0.0))
    return _ring_section(section) if gear.internal else _rack_section(section)


def _rack_section(gear: Gear) -> RootSection:
    module, slant = gear.normal_module, gear.normal_pressure_angle
    rounding, depth, teeth = rounding_of_rack(gear) / module, gear.dedendum, gear.teeth
    g = rounding - depth + gear.profile_shift
    e = 0.25 * math.pi - depth * math.tan(slant)
    e -= (1 - math.sin(slant)) * rounding / math.cos(slant)
    h = 2 / teeth * (0.5 * math.pi - e) - math.pi / 3

    def balance(angle: float) -> float:
        return angle - 2 * g / teeth * math.tan(angle) + h

    angle = zero_between(balance, 0.0, math.radians(89))
    cosine = math.cos(angle)
    thickness = teeth * math.sin(math.pi / 3 - angle) + math.sqrt(3) * (g / cosine - rounding)
    fillet = rounding + 2 * g**2 / (cosine * (teeth * cosine**2 - 2 * g))
    place = 0.5 * teeth * math.cos(math.pi / 3 - angle) + 0.5 * (g / cosine - rounding)
    return RootSection(thickness * module, fillet * module, place * module)


def _ring_section(gear: Gear) -> RootSection:
    """Where the direction of the fillet's arc is 60° from the middle of the tooth."""
    x, y, radius = ring_fillet(gear)[0].numbers
    direction = (
        RING_TANGENT - 0.5 * math.pi
    )  # of the radius at whose end the tangent has that angle
    point = complex(x, y) + radius * complex(math.cos(direction), math.sin(direction))
    return RootSection(2 * point.imag, radius, point.real)


@dataclass(frozen=True)
class RootLoad:
    """Y_F and Y_S of a load at one roll length of the flank, and what they come from, in m and
    rad."""

    section: RootSection
    arm: float  # h_Fe
    slant: float  # α_Fen
    notch: float  # q_s
    form: float  # Y_F
    correction: float  # Y_S


def root_load(gear: Gear, roll: float) -> RootLoad:
    """Of the normal section of a gear, loaded where the roll length in that section is `roll`."""
    section, normal = root_section(gear), normal_section(replace(gear, thickness_deviation=0.0))
    angle = math.atan(roll / normal.base_radius)
    half = normal.base_half_angle - normal.sign * involute(angle)
    slant = angle - normal.sign * half
    arm = normal.sign * (normal.base_radius / math.cos(slant) - section.place)
    module = gear.normal_module
    form = 6 * arm / module * math.cos(slant)
    form /= (section.thickness / module) ** 2 * math.cos(gear.normal_pressure_angle)
    slender, notch = section.thickness / arm, section.thickness / (2 * section.fillet)
    correction = (1.2 + 0.13 * slender) * math.pow(notch, 1 / (1.21 + 2.3 / slender))
    return RootLoad(section, arm, slant, notch, form, correction)


def load_at_tip(gear: Gear) -> RootLoad:
    """Y_Fa and Y_Sa of method C (DIN 3990-3, ISO 6336-3:1996): the whole load at the tip."""
    return root_load(gear, normal_section(gear).edge_roll_length)


def load_of_one_pair(gear: Gear, pair: GearPair) -> RootLoad:
    """Y_F and Y_S of method B: at the outer point where one pair alone carries, by ε_αn."""
    normal = normal_section(gear)
    back = max(normal_contact_ratio(pair) - 1, 0.0) * normal.base_pitch
    return root_load(gear, normal.edge_roll_length - normal.sign * back)


def normal_contact_ratio(pair: GearPair) -> float:
    """ε_αn = ε_α/cos² β_b."""
    return transverse_contact_ratio(pair) / math.cos(pair.first.base_helix_angle) ** 2


def root_contact_ratio_factor(pair: GearPair) -> float:
    """Y_ε = 0.25 + 0.75/ε_αn, of loads at the tip and of the limit of K_Fα."""
    return 0.25 + 0.75 / max(normal_contact_ratio(pair), 1.0)


def helix_root_factor(pair: GearPair) -> float:
    """Y_β = 1 - ε_β β/120°, with at most ε_β = 1 and β = 30°."""
    angle = min(math.degrees(pair.first.helix_angle), 30.0)
    return 1 - min(pair.overlap_ratio, 1.0) * angle / 120


def deep_tooth_factor(pair: GearPair, grade: int) -> float:
    """Y_DT: 2.366 - 0.666 ε_αn from 2.05 to 2.5 and 0.7 beyond, in tolerance grades up to 4."""
    ratio = normal_contact_ratio(pair)
    if grade > 4 or ratio <= 2.05:
        return 1.0
    return 2.366 - 0.666 * ratio if ratio <= 2.5 else 0.7


def rim_factor(gear: Gear, rim: float | None) -> float:
    """Y_B of a rim of this thickness in m behind the root; one of a solid gear.

    1.6 ln(2.242 h_t/s_R) outside, 1.15 ln(8.324 m_n/s_R) of a ring; beyond the norm's range the
    same curve goes on.
    """
    if rim is None:
        return 1.0
    if gear.internal:
        ratio, stiff = rim / gear.normal_module, STIFF_RING
        return 1.0 if ratio >= stiff else 1.15 * math.log(8.324 / max(ratio, 1e-3))
    ratio = rim / abs(gear.tip_radius - gear.root_radius)
    return 1.0 if ratio >= STIFF_RIM else 1.6 * math.log(2.242 / max(ratio, 1e-3))


def nominal_root_stress(
    gear: Gear, pair: GearPair, force: float, grade: int = 6, rim: float | None = None
) -> float:
    """σ_F0 in Pa of a tangential force in N at the reference circles, on the common face width."""
    load = load_of_one_pair(gear, pair)
    factors = load.form * load.correction * helix_root_factor(pair) * rim_factor(gear, rim)
    factors *= deep_tooth_factor(pair, grade)
    return force / (pair.face_width * gear.normal_module) * factors


def notch_sensitivity(strength: GearStrength, notch: float) -> float:
    """Y_δrelT = (1 + √(ρ' χ))/(1 + √(ρ' χ_T)), χ = 0.2 (1 + 2 q_s) per mm at a module of 5 mm."""

    def gradient(q: float) -> float:
        return 1 + math.sqrt(strength.slip_layer * 1e3 * 0.2 * (1 + 2 * q))

    return gradient(notch) / gradient(TEST_NOTCH)


def static_notch_sensitivity(strength: GearStrength, correction: float) -> float:
    """Y_δrelT of static stress, by Y_S: what few cycles leave of the notch."""
    if strength.kind == "case-hardened":
        return 0.44 * correction + 0.12
    if strength.kind == "nitrided":
        return 0.20 * correction + 0.60
    if strength.kind == "grey-iron":
        return 1.0
    slope, at = (0.93, 200 / YIELD) if strength.kind == "steel" else (0.82, 300 / HARD_YIELD)
    part = slope * math.pow(at, 0.25)
    return (1 + part * (correction - 1)) / (1 + part)


YIELD, HARD_YIELD = 300.0, 600.0
"""N/mm² of normalised and of through-hardened steel, for which the table of strengths has ρ'."""


def root_roughness_factor(strength: GearStrength, roughness: float) -> float:
    """Y_RrelT of the peak-to-valley height Rz of the fillet in m, up to 40 µm."""
    height = min(max(roughness * 1e6, 1.0), 40.0)
    if strength.kind in ("nitrided", "grey-iron"):
        return float(4.299 - 3.259 * (height + 1) ** 0.0058)
    if strength.kind == "steel":
        return float(5.306 - 4.203 * (height + 1) ** 0.01)
    return float(1.674 - 0.529 * (height + 1) ** 0.1)


def size_factor(strength: GearStrength, module: float) -> float:
    """Y_X of the normal module in m: one up to 5 mm, falling to 25 or 30 mm."""
    start, slope, least = {
        "steel": (1.03, 0.006, 0.85),
        "through-hardened": (1.03, 0.006, 0.85),
        "case-hardened": (1.05, 0.01, 0.80),
        "nitrided": (1.05, 0.01, 0.80),
        "grey-iron": (1.075, 0.015, 0.70),
    }[strength.kind]
    return min(max(start - slope * module * 1e3, least), 1.0)
