"""A torque-angle loop and what is read off it.

Input locked, torque cycled at the output in five stages (arXiv 2604.02387, Eq. 25): up to +T, back
to zero, down to -T, back to zero, up to +T again. Definitions (reducer catalogues):

    torsional stiffness K_T   slope of the mid curve over the last part of the torque, mean of ±
    lost motion LM            angle between the mid points of the loop at ±3 % of the rated torque
    backlash BL               width of the loop where it crosses zero torque

The mid curve is the mean of the rising and the falling branch at the same torque.
"""

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CORNERS = (0.0, 1.0, 0.0, -1.0, 0.0, 1.0)
"""Shares of the peak torque at the ends of the stages."""

STAGES = tuple(itertools.pairwise(CORNERS))
LOST_MOTION_SHARE = 0.03
LAST_DIGITS = 16
"""Of an angle: what differs by less does not differ."""

FIT_POINTS = 21
"""Torques, evenly spaced, to which the line of K_T is fitted."""


@dataclass(frozen=True)
class Loop:
    """Torque (N·m), angle (rad) and stage (0 to 4) of every point, in order."""

    torque: NDArray
    angle: NDArray
    stage: NDArray
    rated_torque: float
    fit_from: float = 0.66

    def branch(self, stage: int) -> tuple[NDArray, NDArray]:
        """Torque and angle of one stage by rising torque, the end of the stage before included."""
        own = np.flatnonzero(self.stage == stage)
        if stage > 0 and len(own):
            own = np.concatenate(([own[0] - 1], own))
        order = np.argsort(self.torque[own], kind="stable")
        return self.torque[own][order], self.angle[own][order]

    def at(self, stage: int, torque: float) -> float:
        """Angle of one stage at a torque, linear between points."""
        torques, angles = self.branch(stage)
        return float(np.interp(torque, torques, angles))

    def middle(self, torque: NDArray | float) -> NDArray:
        """Mean of the two branches at a torque of either sign."""
        torque = np.atleast_1d(np.asarray(torque, dtype=float))
        stages = np.where(torque[:, None] >= 0, (1, 4), (2, 3))
        pairs = zip(torque, stages, strict=True)
        return np.array([0.5 * (self.at(a, t) + self.at(b, t)) for t, (a, b) in pairs])

    def stiffness(self) -> float:
        """K_T in N·m/rad: least squares on the mid curve from `fit_from` to full torque."""
        share = np.linspace(self.fit_from, 1.0, FIT_POINTS)
        peak = np.max(self.torque)
        sides = [sign * share * peak for sign in (1, -1)]
        return float(np.mean([fitted_stiffness(side, self.middle(side)) for side in sides]))

    def lost_motion(self) -> float:
        """LM in rad."""
        torque = LOST_MOTION_SHARE * self.rated_torque
        return float(self.middle(torque)[0] - self.middle(-torque)[0])

    def backlash(self) -> float:
        """BL in rad: where unloading from +T ends, less where unloading from -T ends."""
        return self.at(1, 0.0) - self.at(3, 0.0)

    def swing(self) -> float:
        """How far the angle swings about its course near ±3 % of the torque, in rad (rms).

        Within 2 to 4 % of the torque on the loading branches, against a straight line.
        """
        low, high = 0.02 * self.rated_torque, 0.04 * self.rated_torque
        largest = 0.0
        for stage in (2, 4):
            torque, angle = self.branch(stage)
            near = (np.abs(torque) >= low) & (np.abs(torque) <= high)
            if near.sum() >= 4:
                line = np.polyval(np.polyfit(torque[near], angle[near], 1), torque[near])
                largest = max(largest, float(np.std(angle[near] - line)))
        return largest

    def closed_part(self) -> NDArray:
        """Numbers of the points of one closed loop: stages 2 to 5 and the peak they start from."""
        later = np.flatnonzero(self.stage >= 1)
        return np.concatenate(([later[0] - 1], later))

    def area(self) -> float:
        """Work lost in one closed loop (stages 2 to 5), in J."""
        keep = self.closed_part()
        return float(abs(np.trapezoid(self.torque[keep], self.angle[keep])))


def fitted_stiffness(torque: NDArray, angle: NDArray) -> float:
    """Slope of the line T(θ) by least squares, Σ(θ - θ̄)(T - T̄) / Σ(θ - θ̄)²."""
    if np.ptp(angle) <= LAST_DIGITS * np.spacing(np.abs(angle).max()):
        return math.inf  # all that could give way is rigid
    turned = angle - angle.mean()
    return float(turned @ (torque - torque.mean()) / (turned @ turned))


def fitted_stiffness_gradient(torque: NDArray, angle: NDArray) -> NDArray:
    """∂K/∂θ of `fitted_stiffness`: ((T - T̄) - 2 K (θ - θ̄)) / Σ(θ - θ̄)²."""
    turned = angle - angle.mean()
    slope = fitted_stiffness(torque, angle)
    return (torque - torque.mean() - 2 * slope * turned) / (turned @ turned)


def shortest_quasi_static_stage(inertia: float, dead_band: float, rated_torque: float) -> float:
    """Duration in s below which a stage is no longer quasi-static.

    In a ramp T = T_r t/t_seg a free inertia crosses the dead band b in (6 J b t_seg/T_r)^(1/3); it
    has crossed it before 3 % of the torque if t_seg > √(6 J b/(0.03³ T_r)).
    """
    band = max(dead_band, 0.0)
    return float(np.sqrt(6 * inertia * band / (LOST_MOTION_SHARE**3 * rated_torque)))
