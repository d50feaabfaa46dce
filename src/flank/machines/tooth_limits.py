"""What the teeth of a mesh can carry at all, for models that know its whole force only.

The nominal Hertz pressure is that of ISO 6336-2: at the pitch point, on the length of contact that
the factor Z_ε counts. In the transverse plane, with the curvature 1/ρ = (1/r_b1 ± 1/r_b2)/tan α_wt,

    p0² = F Z_ε² cos β_b E* / (π b ρ).

Dynamic and face load factors are left out: forces are those of the model.
"""

import math

from flank.elasticity.material import contact_modulus
from flank.geometry.gear_pair import GearPair
from flank.geometry.pair_gap import DEEPEST
from flank.machines.base import ToothLimits
from flank.machines.meshed_pair import MeshedPair


def tooth_limits(meshed: MeshedPair) -> ToothLimits:
    pair = meshed.pair
    curvature = 1 / pair.first.base_radius + pair.sign / pair.second.base_radius
    curvature *= math.cos(pair.first.base_helix_angle) / math.tan(pair.working_angle)
    load = contact_ratio_factor(pair) / pair.face_width
    factor = load * contact_modulus(*meshed.materials) * curvature / math.pi
    return ToothLimits(factor, DEEPEST * pair.first.normal_module)


def contact_ratio_factor(pair: GearPair) -> float:
    """Z_ε² of ISO 6336-2: the load of one pair of teeth over that of the mesh."""
    along, across = max(pair.contact_ratio, 1.0), min(pair.overlap_ratio, 1.0)
    spur = max((4 - along) / 3, 1 / along)  # the norm's line meets 1/ε again at ε = 3
    return spur * (1 - across) + across / along
