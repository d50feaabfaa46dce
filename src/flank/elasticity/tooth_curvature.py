"""Relative curvature of two flanks over the roll length, edges of tips included.

On the path of contact it is that of two involutes, κ = 1/ρ_1 ± 1/ρ_2. Beyond it the edge of a tip
touches the flank of its mate, with the curvature κ_e of a sharp circle. A contact has a width, so
the edge does not come in at once: with the roll u beyond the path

    κ = κ_f (κ_e/κ_f)^s,     s = u²/(u² + b²),

κ_f that of the flanks at the end of the path, b about half the width of a contact that is loaded as
ISO 6336 takes for granted. Explicit contacts do the same with the width under their own load
(contact/teeth_compliance.py).
"""

import numpy as np

from flank.arrays import Floats
from flank.elasticity.line_contact import half_width
from flank.elasticity.material import Material, contact_modulus
from flank.geometry.gear_pair import GearPair

REFERENCE_LOAD = 100e3
"""N/m: from here on ISO 6336 counts the stiffness of teeth as constant."""

SHARPEST = 1e-4
"""Normal modules: rounding of an edge that is called sharp; without one its pressure is endless."""

FLATTEST = 1e-3
"""Least radius of curvature in normal modules: the base circle has none."""


def relative_curvature(
    pair: GearPair, materials: tuple[Material, Material], rolls: Floats
) -> Floats:
    """In 1/m in the transverse plane, at roll lengths of the first gear as if involutes were
    endless."""
    inside = np.clip(rolls, *pair.path)
    least = FLATTEST * pair.first.normal_module
    mine, mate = np.maximum(inside, least), np.maximum(pair.second_roll(inside), least)
    flank: Floats = 1 / mine + pair.sign / mate
    edges = [
        1 / max(gear.edge_radius, SHARPEST * gear.normal_module)
        for gear in (pair.first, pair.second)
    ]
    edge = np.where(rolls > inside, edges[0] + pair.sign / mate, 1 / mine + edges[1])
    beyond = (rolls - inside) ** 2
    share = beyond / (beyond + edge_width(pair, materials) ** 2)
    return flank * (edge / flank) ** share


def edge_width(pair: GearPair, materials: tuple[Material, Material]) -> float:
    """b in m: roll beyond the end of a flank at which half of the edge's curvature counts."""
    middle = 0.5 * sum(pair.path)
    radius = 1 / (1 / middle + pair.sign / pair.second_roll(middle))
    flat = half_width(REFERENCE_LOAD, 1.0, radius, contact_modulus(*materials))
    return max(flat, pair.first.edge_radius, pair.second.edge_radius)
