"""What rolls in the paper's formulation: reduced gears, springs between flanks, and its steps."""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy import linalg

from flank.arrays import Floats, Integers
from flank.errors import SpecError


@dataclass(frozen=True, eq=False)
class RollingBody:
    """A reduced gear at the first position of the cycle.

    Its first coordinate is the angle of its centre node about the axis. `nodes` (n, 2) are the
    coordinates that are x and y of one node, which turn with the body; `rotation` is the motion of
    all coordinates when the body turns by one radian about its axis; `turn` is the angle of one
    mesh cycle in rad, negative for the wheel. `hand_over` takes the coordinates at the end of a
    cycle to those at the beginning of the next, see `handed_over`.
    """

    mass: Floats
    stiffness: Floats
    nodes: Integers
    rotation: Floats
    base_radius: float
    turn: float
    hand_over: Floats

    @property
    def size(self) -> int:
        return len(self.mass)

    @property
    def inertia(self) -> float:
        return float(self.rotation @ self.mass @ self.rotation)

    def rotated(self, share: float) -> Floats:
        """R of Eq. 19: displacements turn by that share of the cycle with the body."""
        cosine, sine = math.cos(share * self.turn), math.sin(share * self.turn)
        matrix = np.eye(self.size)
        x, y = self.nodes.T
        matrix[x, x] = matrix[y, y] = cosine
        matrix[x, y], matrix[y, x] = -sine, sine
        return matrix


def handed_over(basis: Floats, sort: Any, weight: Any | None = None) -> Floats:
    """Eqs. 20 to 23 as one matrix: expanded by the `basis`, sorted, reduced again.

    `sort` are the coordinates of the full body, which the next tooth has taken over, from those
    before; displacements at the end of the cycle are still along the axes that have turned with the
    body by one pitch, so it also turns them. Without a `weight` the reduction is least squares as
    in Eq. 23, (TᵀT)⁻¹Tᵀ; with the mass matrix it is (TᵀMT)⁻¹TᵀM, which changes momentum and kinetic
    energy least. Sorting pinion and wheel the same way, as Eq. 22 has it, turns one of them
    backwards: teeth of the wheel go the other way.
    """
    weighted = basis if weight is None else weight @ basis
    return np.asarray(linalg.solve(basis.T @ weighted, weighted.T @ (sort @ basis), assume_a="pos"))


class Contacts(NamedTuple):
    """Springs between the flanks.

    `rows` (positions, elements, coordinates of both gears) give the approach of the flanks in m,
    n·u on the pinion less n·u on the wheel, so Eq. 6 is k n nᵀ. `stiffness` (loads, positions,
    elements) in N/m is that at the `loads`, total forces in N, between which it is interpolated; an
    element is absent where it is zero. `follows` is what each element becomes in the next cycle, or
    -1. `gaps` in m (positions, elements) are what the flanks lack, or nothing.
    """

    rows: Floats
    stiffness: Floats
    loads: Floats
    follows: Integers
    gaps: Floats

    def springs(self, position: int, force: float) -> Floats:
        """Stiffness of all elements under a total force."""
        values = self.stiffness[:, position]
        return np.array([np.interp(force, self.loads, column) for column in values.T])


@dataclass(frozen=True)
class Sweep:
    """Speed of the pinion in rad/s, from `start` to `end` at a constant rate in so many s."""

    start: float
    end: float
    duration: float

    def __post_init__(self) -> None:
        if not (self.start > 0 and self.end > 0 and self.duration > 0):
            raise SpecError(
                f"A sweep from {self.start:g} to {self.end:g} rad/s in {self.duration:g} s cannot "
                "be stepped by equal angles: both speeds and the duration must be positive."
            )

    @property
    def rate(self) -> float:
        """Eq. 8."""
        return (self.end - self.start) / self.duration


def equal_angles(sweep: Sweep, angle: float) -> tuple[Floats, Floats]:
    """Durations of steps that take one angle each, and the speeds after them (Eqs. 8 to 10).

    Eq. 10 is 0/0 at constant speed; multiplied by its conjugate it is t = 2θ/(Ω + √(Ω² + 2θΩ̇)),
    here for the whole angle θ so far, which does not add up rounding.
    """
    steps = math.floor(0.5 * (sweep.start + sweep.end) * sweep.duration / angle + 1e-9)
    angles = angle * np.arange(steps + 1)
    speeds = np.sqrt(np.maximum(sweep.start**2 + 2 * angles * sweep.rate, 0.0))
    return np.diff(2 * angles / (sweep.start + speeds)), speeds[1:]
