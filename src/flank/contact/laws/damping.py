"""What a contact adds to any force law F(δ) by its rate δ̇, in one of three forms.

Hunt and Crossley's, d in s/m, gives no force at zero penetration and no tension at separation:

    f = F(δ) max(0, 1 + d δ̇).

A constant coefficient c in N·s/m that acts in approach only (arXiv 2604.02387, Eq. 11) gives no
tension either, and a force c δ̇ at first touch, where F is zero still:

    f = F(δ) + c max(0, δ̇).

The same in both directions is linear. It would hold bodies together that part faster than F/c; they
let go there, before the penetration is gone:

    f = max(0, F(δ) + c δ̇).
"""

from flank.contact.table import DAMPING_APPROACH, DAMPING_HUNT_CROSSLEY
from flank.kernel import kernel


@kernel
def damped(force, stiffness, form, damping, depth_rate):
    """Force, its derivative by depth and by depth rate."""
    if form == DAMPING_HUNT_CROSSLEY:
        factor = 1.0 + damping * depth_rate
        if factor <= 0.0:
            return 0.0, 0.0, 0.0
        return force * factor, stiffness * factor, force * damping
    if form == DAMPING_APPROACH and depth_rate <= 0.0:
        return force, stiffness, 0.0
    total = force + damping * depth_rate
    if total <= 0.0:
        return 0.0, 0.0, 0.0
    return total, stiffness, damping
