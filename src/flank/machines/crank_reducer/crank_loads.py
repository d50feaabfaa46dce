"""What bearings of cranks bear at a torque, before anything is solved: for the sizing rule.

Of the torque T each of n_d discs takes M = T/n_d, and so does every one of n_c cranks. A turning
arm bears

    a = M/(n_c R_c)      along the circle of the cranks, which stands against the carrier,
    b = M f/n_c          against the ring's resultant M f, which turns with the crank,

f by the toothing. A crank rests on its two supports like a beam: with w_j what a support bears of a
force at disc j, it has a Σ w_j and b |Σ w_j e^{iψ_j}|, and its share of the force on the planet.
The mean over a turn, of the power of ISO 281, is the equivalent load. Discs and cranks share alike
here; deviations, friction and clearances are for equilibria to tell.
"""

from __future__ import annotations

import cmath
import math
from typing import TYPE_CHECKING

import numpy as np

from flank.elasticity.roller_bearing import equivalent_load
from flank.machines.round_parts import even_angles

if TYPE_CHECKING:
    from flank.machines.crank_reducer.rules import Toothing
    from flank.machines.crank_reducer.spec import CrankReducerSpec

PLACES = 72
"""Of the crank in its turn."""


def turning_arm_load(spec: CrankReducerSpec, toothing: Toothing) -> float:
    """P of a turning arm at the rated torque, in N."""
    return _over_a_turn(*_arm_forces(spec, toothing))


def support_load(
    spec: CrankReducerSpec, toothing: Toothing, lengths: tuple[float, float, float, float]
) -> float:
    """P of the support that bears more at the rated torque, in N; `lengths` of a journal, an
    eccentric, a web and the planet."""
    journal, eccentric, web, planet = lengths
    standing, turning = _arm_forces(spec, toothing)
    count = spec.discs.count
    between = count * eccentric + (count - 1) * web
    span = journal + between
    discs = [0.5 * journal + (j + 0.5) * eccentric + j * web for j in range(count)]
    overhang = 0.5 * (journal + planet)
    loads = []
    for near in (True, False):
        shares = [1 - place / span if near else place / span for place in discs]
        turned = sum(
            share * cmath.exp(1j * phase)
            for share, phase in zip(shares, even_angles(count), strict=True)
        )
        beyond = (1 + overhang / span) if near else overhang / span
        fixed = standing * sum(shares) + _planet_force(spec) * beyond
        loads.append(_over_a_turn(fixed, turning * abs(turned)))
    return max(loads)


def _arm_forces(spec: CrankReducerSpec, toothing: Toothing) -> tuple[float, float]:
    torque = spec.rated_torque / spec.discs.count / spec.cranks.count
    return torque / spec.cranks.circle_radius, torque * toothing.ring_force


def _planet_force(spec: CrankReducerSpec) -> float:
    """Normal force of the sun on a planet."""
    stage = spec.first_stage
    if stage is None:
        return 0.0
    base = 0.5 * stage.module * stage.sun_teeth * math.cos(stage.pressure_angle)
    return spec.rated_torque / abs(spec.ratio) / spec.cranks.count / base


def _over_a_turn(standing: float, turning: float) -> float:
    angles = 2 * np.pi * np.arange(PLACES) / PLACES
    return equivalent_load(np.abs(standing + turning * np.exp(1j * angles)))
