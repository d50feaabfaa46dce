"""How stiffly a deflected joint holds its inner race along the axis, without friction."""

from __future__ import annotations

import numpy as np

from flank.analyses.joint_runs import static_turn
from flank.analyses.joint_torques import shaft_loads
from flank.reproduce.cv_joint.joints import Stiffness, joint

OFFSET = 1e-6
"""m: how far the inner race is held out of the middle, to either side."""

POINTS = 16
"""Of a turn, over which the force is averaged."""


def axial_stiffness(stiffness: Stiffness, deflection: float) -> float:
    """N/m, mean over a turn, at `deflection` in degrees."""
    forces = []
    for offset in (-OFFSET, OFFSET):
        changes = {
            "contact.friction": None,
            "operation.deflection": f"{deflection} deg",
            "operation.plunge.at": offset,
        }
        seen = static_turn(joint(stiffness, changes), POINTS)
        forces.append(np.mean(shaft_loads(seen.assembly, seen.trajectory).axial_force[:-1]))
    return float(forces[0] - forces[1]) / (2 * OFFSET)
