"""Equations of the paper as they are printed, run as far as they can be: what comes of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from flank.reproduce.spur.computing import PAPER, STEPS, Case, machine_of
from flank.reproduce.spur.impacts import Impact, Reconnection, momentum_balance
from flank.reproduce.spur.witness import ALPHA, DELTA, RollingPair

SLOW = 1e-10
"""rad/s², a rate at which a speed is as good as constant."""

APPROACH = 0.02
"""m/s of two flanks about to touch."""

UNEQUAL = 2.0
"""Mass of the wheel over that of the pinion, where equal gears would hide a slip."""


def numbers_of_equations() -> dict[str, Any]:
    """Eq. 6 has k diag(cos α, sin α cos β, cos α sin β); along n = (cos α, sin α, 0) that is
    k (cos³ α + sin³ α)."""
    machine = machine_of(Case())
    pair = machine.spec.pair
    angle, speed = pair.working_angle, PAPER.published["speeds"][1] * math.pi / 30
    inertia = sum(masses[1] for masses in machine.masses)
    gained = PAPER.published["torque"] / inertia * PAPER.published["sweep"]
    return {
        "true_base_radius": 1e3 * pair.first.base_radius,
        "equation_6": math.cos(angle) ** 3 + math.sin(angle) ** 3,
        "equation_10": printed_step(speed, SLOW) * speed / _angle(),
        "equation_18": printed_newmark_energy(),
        "equation_24": printed_impact_momentum(UNEQUAL, PAPER.published["restitution"]),
        "run_away": gained * 30 / math.pi,
    }


def _angle() -> float:
    """rad of the pinion in a step."""
    return 2 * math.pi / (machine_of(Case()).spec.pair.first.teeth * STEPS)


def printed_step(speed: float, rate: float) -> float:
    """Eq. 10: s in which a pinion turns by a step."""
    return (-speed + math.sqrt(speed**2 + 2 * _angle() * rate)) / rate


def printed_newmark_energy() -> float:
    """Eqs. 12 to 18: energy of an undamped oscillator after one step over that before.

    It has the natural frequency of the pair and begins at rest, displaced by one; Eq. 18 adds
    (1 - δ) times the acceleration to the velocity without Δt.
    """
    square = (2 * math.pi * PAPER.published["natural_frequency"]) ** 2
    step = 1 / (STEPS * PAPER.published["primary"])
    before = -square
    residual = -square - square * (0.5 - ALPHA) * step**2 * before
    after = residual / (1 + step**2 * ALPHA * square)
    velocity = (1 - DELTA) * before + DELTA * after * step
    displacement = 1 + step**2 * ((0.5 - ALPHA) * before + ALPHA * after)
    return float(velocity**2 / square + displacement**2)


def printed_impact_momentum(ratio: float, restitution: float) -> float:
    """Eq. 24: momentum after over momentum before, of a pinion of unit mass that meets a wheel at
    rest, whose mass is `ratio`; ε as printed is that of the wheel over that of the pinion."""
    pinion, epsilon = 1.0, ratio
    wheel_after = epsilon * pinion * (1 + restitution) / (1 + epsilon)
    pinion_after = epsilon * pinion * (epsilon - restitution) / (1 + epsilon)
    return pinion_after + ratio * wheel_after


def unbalanced_momentum(pair: RollingPair) -> float:
    """Of what nodal velocities by Eq. 24 exchange, the largest share that one gear lacks, where two
    flanks meet at places over the mesh cycle."""
    return max(
        momentum_balance(meeting(pair, int(position)), Reconnection.NODAL).unbalanced
        for position in np.arange(4) * pair.positions // 4
    )


def meeting(pair: RollingPair, position: int) -> Impact:
    """Two flanks about to touch while the gears turn towards each other as wholes."""
    state = pair.at_rest(position)
    state.velocity = pair.rotations(position) @ np.full(2, APPROACH / pair.pinion.base_radius)
    touching = np.zeros(len(state.connected), bool)
    touching[np.flatnonzero(state.springs)[0]] = True
    return pair.impact(state, touching)
