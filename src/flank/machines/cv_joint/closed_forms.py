"""Closed forms of a ball joint, as Marter, Daniel, Duvigneau and Woschke 2020 give them.

    F_0 = 2 T / (m PCD sin α_ca)                                     (23), of one loaded flank
    F_c = 2 F_0 (sin α_ca tan α ∓ cos α_ca tan β)                    (24), of one ball on its window
    T_2 = T tan(δ/2)                                                 (25), at each shaft

with the skew α and the inclination β. (23) and (24) are of first order in them and hold for the
straight joint; of (24) the minus holds for a positive torque and the plus for a reversed one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flank.machines.cv_joint.spec import CvJointSpec


def track_force(spec: CvJointSpec, torque: float) -> float:
    """F_0 in N, Eq. (23)."""
    arm = spec.balls.count * spec.pitch_circle_diameter * math.sin(spec.tracks.contact_angle)
    return 2 * abs(torque) / arm


def cage_force(spec: CvJointSpec, torque: float) -> float:
    """Force in N between one ball and its window, Eq. (24), half from each race's track."""
    angle = spec.tracks.contact_angle
    joint, sense = spec.geometry, -math.copysign(1.0, torque)
    push = sum(
        math.sin(angle) * math.tan(race.skew) + sense * math.cos(angle) * math.tan(race.inclination)
        for race in (joint.outer, joint.inner)
    )
    return abs(track_force(spec, torque) * push)


def secondary_torque(torque: float, deflection: float) -> float:
    """T_2 in N·m, Eq. (25): across the shaft, in the plane of both, without friction."""
    return abs(torque) * math.tan(0.5 * deflection)


def stroke(pitch_radius: float, deflection: float) -> float:
    """Amplitude in m of a ball along tracks parallel to the axis: PCD/2 tan(δ/2)."""
    return pitch_radius * math.tan(0.5 * deflection)
