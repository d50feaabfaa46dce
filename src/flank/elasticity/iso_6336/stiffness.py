"""Mesh stiffness of involute gears after ISO 6336-1, method B.

    c'   = C_M C_R C_B cos β / q'            one pair of teeth, at its stiffest
    c_γα = c' (0.75 ε_α + 0.25)              mean of the mesh
    q'   = C1 + C2/z_n1 + C3/z_n2 + C4 x_1 + C5 x_1/z_n1 + C6 x_2 + C7 x_2/z_n2 + C8 x_1² + C9 x_2²
    C_B  = [1 + 0.5 (1.2 - h_fP/m_n)] [1 - 0.02 (20° - α_n)]

in N/(mm µm) for steel of 206 GPa, solid gears (C_R = 1) and loads above 100 N/mm; other materials
scale with the harmonic mean of their moduli. z_n = z/cos³β. A ring counts as a rack, z_n2 = ∞ and,
since a rack's shift is only a place, x_2 = 0. q' is a fit to Weber and Banaschek's tooth on a half
plane, C_M = 0.8 what measured pairs keep of its stiffness.
"""

import math

from flank.elasticity.material import Material
from flank.geometry.gear import Gear
from flank.geometry.gear_pair import GearPair

FIT = (0.04723, 0.15551, 0.25791, -0.00635, -0.11654, -0.00193, -0.24188, 0.00529, 0.00182)
"""C1 to C9."""

CORRECTION = 0.8
"""C_M: measured over theoretical stiffness."""

STEEL_MODULUS = 206e9
"""Pa, for which the norm's stiffness holds."""


def single_stiffness(pair: GearPair, materials: tuple[Material, Material]) -> float:
    """c', per face width in N/m², along the line of action."""
    first, second = (material.youngs_modulus for material in materials)
    modulus = 2 * first * second / (first + second)
    steel = CORRECTION * rack_factor(pair.first) * math.cos(pair.first.helix_angle)
    return steel / _flexibility(pair) * 1e9 * modulus / STEEL_MODULUS


def mean_stiffness(pair: GearPair, materials: tuple[Material, Material]) -> float:
    """c_γα, per face width in N/m²."""
    return single_stiffness(pair, materials) * (0.75 * transverse_contact_ratio(pair) + 0.25)


def rack_factor(gear: Gear) -> float:
    """C_B, one for the rack of 1.2 modules dedendum and 20°."""
    slant = 20 - math.degrees(gear.normal_pressure_angle)
    return (1 + 0.5 * (1.2 - gear.dedendum)) * (1 - 0.02 * slant)


def transverse_contact_ratio(pair: GearPair) -> float:
    """ε_α as the norm counts it, from tip circle to tip circle, interference left out."""
    between = pair.first.edge_roll_length
    between += pair.sign * (pair.second.edge_roll_length - pair.action_length)
    return between / pair.base_pitch


def _flexibility(pair: GearPair) -> float:
    """q' in mm µm/N."""
    first, second = pair.first, pair.second
    cosine = math.cos(first.helix_angle) ** 3
    a, x = cosine / first.teeth, first.profile_shift
    b, y = (0.0, 0.0) if second.internal else (cosine / second.teeth, second.profile_shift)
    terms = (1.0, a, b, x, x * a, y, y * b, x * x, y * y)
    return sum(factor * term for factor, term in zip(FIT, terms, strict=True))
