"""Modes of a machine linearised at an equilibrium, and who moves in them.

Small vibrations obey M ẍ + K x = 0 within the joints, C x = 0. With Z the null space of C,

    ZᵀKZ y = ω² ZᵀMZ y,        x = Z y.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from flank.analyses.largest import first_largest
from flank.dynamics.linearize import Linearization, mass_matrix, null_space
from flank.dynamics.model import Model
from flank.dynamics.tables import ROTATION
from flank.machines.base import Assembly

TAKES_PART = 0.2
"""Share of a mode's kinetic energy from which a body is named."""


@dataclass(frozen=True)
class Modes:
    """ω² (mode) by rising size and shapes (row, mode) with xᵀMx = 1; free ones left out."""

    eigenvalues: NDArray
    shapes: NDArray
    free: NDArray  # shapes (row, mode) that nothing resists
    asymmetry: float

    @property
    def frequencies(self) -> NDArray:
        """In Hz; zero where the motion does not swing back."""
        return np.sqrt(np.maximum(self.eigenvalues, 0.0)) / (2 * np.pi)

    def first(self, count: int) -> "Modes":
        return Modes(self.eigenvalues[:count], self.shapes[:, :count], self.free, self.asymmetry)


def modes_of(assembly: Assembly, at: Linearization, input_free: bool = False) -> Modes:
    """All modes of a machine at an equilibrium.

    A motion is free if its xᵀKx is less than what the solver's diagonal would give, σ xᵀDx.
    """
    constraints = at.constraints
    if input_free:
        constraints = np.delete(constraints, _input_rows(assembly), axis=0)
    basis = null_space(constraints)
    stiffness = basis.T @ at.stiffness @ basis
    largest = float(np.abs(stiffness).max(initial=1.0))
    asymmetry = float(np.abs(stiffness - stiffness.T).max(initial=0.0)) / largest
    mass = basis.T @ mass_matrix(assembly.model) @ basis
    squares, reduced = linalg.eigh(0.5 * (stiffness + stiffness.T), 0.5 * (mass + mass.T))
    shapes = _signed(basis @ reduced, at.weights)
    nothing = at.regularization * np.sum(at.weights[:, None] * shapes**2, axis=0)
    free = np.abs(squares) <= nothing
    return Modes(squares[~free], shapes[:, ~free], shapes[:, free], asymmetry)


def _signed(shapes: NDArray, weights: NDArray) -> NDArray:
    """Shapes whose largest displacement is positive: the sign of an eigenvector means nothing."""
    if not shapes.size:
        return shapes
    largest = first_largest(np.sqrt(weights)[:, None] * np.abs(shapes), axis=0)
    return shapes * np.where(shapes[largest, np.arange(shapes.shape[1])] < 0, -1.0, 1.0)


def energy_shares(model: Model, shapes: NDArray) -> NDArray:
    """Shares of the kinetic energy (mode, body, coordinate), ground first."""
    shares = by_body(model, shapes * (mass_matrix(model) @ shapes))
    return shares / shares.sum(axis=(1, 2), keepdims=True)


def by_body(model: Model, columns: NDArray) -> NDArray:
    """Columns of rows of K as (column, body, coordinate), ground first and at rest."""
    bodies = len(model.mass) - 1
    return np.pad(columns.T.reshape(columns.shape[1], bodies, 3), ((0, 0), (1, 0), (0, 0)))


def motion_name(shares: NDArray, names: tuple[str, ...]) -> str:
    """A mode in words: who moves most and how, 'carrier turns (62 %), disc 1 turns (20 %)'."""
    of_body = shares.sum(axis=1)
    order = np.argsort(-of_body.round(3), kind="stable")  # equals in the machine's order
    told = [body for body in order if of_body[body] >= TAKES_PART] or [order[0]]
    return ", ".join(
        f"{names[body]} {'turns' if 2 * shares[body, 2] >= of_body[body] else 'shifts'} "
        f"({of_body[body]:.0%})"
        for body in told
    )


def body_names(assembly: Assembly) -> tuple[str, ...]:
    """Names of all bodies, ground first; numbers where the machine gives none."""
    count = len(assembly.model.mass)
    return assembly.body_names or tuple(f"body {k}" for k in range(count))


def _input_rows(assembly: Assembly) -> list[int]:
    """Constraints that hold the input's angle."""
    joints = assembly.model.joints[: assembly.model.counts[0]]
    return [
        int(joint["first"])
        for joint in joints
        if joint["kind"] == ROTATION and assembly.input_body in (joint["body_a"], joint["body_b"])
    ]
