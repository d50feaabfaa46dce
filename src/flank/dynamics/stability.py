"""How long a step of an explicit method may be, by the model linearised where a run passes.

Small motions about a pose obey M ẍ + D ẋ + K x = 0 among the motions that joints allow. Runge and
Kutta's step of the length h multiplies one that goes with e^(λt) by

    R(z) = 1 + z + z²/2 + z³/6 + z⁴/24,      z = h λ,

and is stable while |R| is not above one: up to 2.83/ω without damping, 2.79/|λ| of pure decay.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flank.arrays import Floats
from flank.dynamics.linearize import small_motions
from flank.dynamics.model import Model
from flank.dynamics.trajectory import Trajectory

FURTHEST = 3.5
"""|z| beyond which no step that decays is stable in any direction."""

UNDAMPED = 1e-6
"""Real part over the size of λ below which a motion counts as undamped: round-off of |R|."""


class StableStep(NamedTuple):
    """The longest stable step in s, and the size of the λ that limits it in rad/s; a model without
    stiffness has neither."""

    step: float = np.inf
    rate: float = 0.0

    def sentence(self, given: float) -> str:
        """That a step is longer than this."""
        return (
            f"A step of {given:.3g} s is too long for the method 'runge-kutta': the fastest motion "
            f"of the model has {self.rate:.3g} rad/s, which is stable up to {self.step:.3g} s; use "
            "a shorter step, or the method 'generalized-alpha'."
        )


def stable_step(
    model: Model, position: Floats, velocity: Floats | None = None, time: float = 0.0
) -> StableStep:
    """Of the contacts that are closed in one pose; others may close, and shorten it."""
    mass, damping, stiffness = small_motions(model, position, velocity, time)
    if not len(mass):
        return StableStep()
    size = len(mass)
    system = np.zeros((2 * size, 2 * size))
    system[:size, size:] = np.eye(size)
    system[size:, :size] = -np.linalg.solve(mass, stiffness)
    system[size:, size:] = -np.linalg.solve(mass, damping)
    rates = np.linalg.eigvals(system)
    sizes = np.abs(rates)
    rates = rates[(sizes > 1e-6 * sizes.max(initial=0.0)) & (rates.real <= UNDAMPED * sizes)]
    if not len(rates):
        return StableStep()
    limits = _reach(rates) / np.abs(rates)
    shortest = int(np.argmin(limits))
    return StableStep(float(limits[shortest]), float(np.abs(rates[shortest])))


def run_stable_step(model: Model, run: Trajectory) -> StableStep:
    """The shortest of where a run begins, where its contacts carry most, and where it ends."""
    if not len(run.time):
        return StableStep()
    rows = {0, len(run.time) - 1}
    if run.contact_results.shape[1]:
        rows.add(int(np.argmax(run.contact_results["normal_force"].max(axis=1))))
    finite = [row for row in sorted(rows) if np.isfinite(run.position[row]).all()]
    found = (stable_step(model, run.position[k], run.velocity[k], run.time[k]) for k in finite)
    return min(found, key=lambda each: each.step, default=StableStep())


def _reach(rates: Floats) -> Floats:
    """How far |R| stays at most one along the direction of each λ."""
    direction = rates / np.abs(rates)
    direction = np.where(direction.real > -UNDAMPED, 1j * np.sign(direction.imag), direction)
    sizes = np.linspace(0.0, FURTHEST, 3501)
    z = sizes[:, None] * direction
    grown = np.abs(1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4)))) > 1 + 1e-12
    reach: Floats = sizes[np.argmax(grown, axis=0)]
    return reach
