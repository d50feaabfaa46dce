"""Regularised Coulomb friction: the share of μ f that acts against the sliding velocity."""

import math

from flank.contact.table import FRICTION_SMOOTH
from flank.kernel import kernel


@kernel
def sliding_share(form, velocity, regularization):
    """φ(v) and dφ/dv.

    Smooth (seed Eq. 12): v/√(v² + v_r²). Linear (seed Eq. 15): sign(v) min(1, |v|/v_r).
    """
    if form == FRICTION_SMOOTH:
        root = math.sqrt(velocity * velocity + regularization * regularization)
        return velocity / root, regularization * regularization / root**3
    ratio = velocity / regularization
    if ratio > 1.0:
        return 1.0, 0.0
    if ratio < -1.0:
        return -1.0, 0.0
    return ratio, 1.0 / regularization
