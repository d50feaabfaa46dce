"""Secondary torque and friction: the bounds of sliding balls, and parabolas as in the paper."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flank.reproduce.cv_joint.joints import PAPERS, joint


class Regression(NamedTuple):
    """T₂ = constant + linear μ + square μ² in N·m, by least squares."""

    square: float
    linear: float
    constant: float

    def at(self, friction: NDArray | float) -> NDArray:
        return self.constant + np.multiply(
            friction, self.linear + np.multiply(friction, self.square)
        )


def regression(torques: Mapping[float, float]) -> Regression:
    """Of torques by their friction."""
    found = np.polyfit(np.array(list(torques)), np.array(list(torques.values())), 2)
    return Regression(*found.tolist())


def bounds(friction: float) -> tuple[float, float]:
    """T tan(β/2) ∓ 2 μ T/(π sin α) in N·m, if every ball slides along both of its tracks."""
    machine = joint(PAPERS)
    ideal = machine.torque * math.tan(0.5 * machine.deflection)
    sliding = 2 * friction * machine.torque / math.pi / math.sin(machine.spec.tracks.contact_angle)
    return ideal - sliding, ideal + sliding


def sliding_loss(friction: float) -> float:
    """(4/π) μ T Ω tan(β/2)/sin α in W, under the same assumption."""
    machine = joint(PAPERS)
    angle = machine.spec.tracks.contact_angle
    power = friction * machine.torque * machine.speed / math.sin(angle)
    return 4 / math.pi * power * math.tan(0.5 * machine.deflection)
