"""Modes of a machine linearised at an equilibrium, and who moves in them.

Small vibrations obey M ẍ + K x = 0 within the joints, C x = 0. With Z the null space of C,

    ZᵀKZ y = ω² ZᵀMZ y,        x = Z y.

A body has three rows in the plane and six in space, where rotations are vectors of space.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy import linalg

from flank.analyses.largest import first_largest
from flank.arrays import Floats
from flank.dynamics.linearize import Linearization, mass_matrix, null_space
from flank.dynamics.model import Model
from flank.dynamics.spatial.linearize import spatial_mass_matrix
from flank.dynamics.spatial.model import SpatialModel, SpatialState
from flank.machines.base import Assembly

TAKES_PART = 0.2
"""Share of a mode's kinetic energy from which a body is named."""


@dataclass(frozen=True)
class Modes:
    """ω² (mode) by rising size and shapes (row, mode) with xᵀMx = 1; free ones left out."""

    eigenvalues: Floats
    shapes: Floats
    free: Floats  # shapes (row, mode) that nothing resists
    asymmetry: float
    mass: Floats  # M over the rows of the shapes

    @property
    def frequencies(self) -> Floats:
        """In Hz; zero where the motion does not swing back."""
        return np.sqrt(np.maximum(self.eigenvalues, 0.0)) / (2 * np.pi)

    def first(self, count: int) -> "Modes":
        return replace(self, eigenvalues=self.eigenvalues[:count], shapes=self.shapes[:, :count])


def modes_of(assembly: Assembly, at: Linearization, input_free: bool = False) -> Modes:
    """All modes of a machine at an equilibrium.

    A motion is free if its xᵀKx is less than what the solver's diagonal would give, σ xᵀDx.
    """
    constraints = at.constraints
    if input_free:
        constraints = np.delete(constraints, assembly.input_shaft.multiplier, axis=0)
    basis = null_space(constraints)
    stiffness = basis.T @ at.stiffness @ basis
    largest = float(np.abs(stiffness).max(initial=1.0))
    asymmetry = float(np.abs(stiffness - stiffness.T).max(initial=0.0)) / largest
    masses = mass_of(assembly.model, at)
    mass = basis.T @ masses @ basis
    squares, reduced = linalg.eigh(0.5 * (stiffness + stiffness.T), 0.5 * (mass + mass.T))
    shapes = _signed(basis @ reduced, at.weights)
    nothing = at.regularization * np.sum(at.weights[:, None] * shapes**2, axis=0)
    free = np.abs(squares) <= nothing
    return Modes(squares[~free], shapes[:, ~free], shapes[:, free], asymmetry, masses)


def mass_of(model: Model | SpatialModel, at: Linearization) -> Floats:
    """M over the rows of K."""
    if isinstance(model, Model):
        return mass_matrix(model)
    assert isinstance(at.state, SpatialState)
    return spatial_mass_matrix(model, at.state.matrix)


def _signed(shapes: Floats, weights: Floats) -> Floats:
    """Shapes whose largest displacement is positive: the sign of an eigenvector means nothing."""
    if not shapes.size:
        return shapes
    largest = first_largest(np.sqrt(weights)[:, None] * np.abs(shapes), axis=0)
    return shapes * np.where(shapes[largest, np.arange(shapes.shape[1])] < 0, -1.0, 1.0)


def energy_shares(model: Model | SpatialModel, mass: Floats, shapes: Floats) -> Floats:
    """Shares of the kinetic energy (mode, body, coordinate), ground first."""
    shares = by_body(model, shapes * (mass @ shapes))
    return np.asarray(shares / shares.sum(axis=(1, 2), keepdims=True))


def by_body(model: Model | SpatialModel, columns: Floats) -> Floats:
    """Columns of rows of K as (column, body, coordinate), ground first and at rest."""
    rows, count = columns.shape
    bodies = len(model.mass) - 1
    found = columns.T.reshape(count, bodies, rows // bodies)
    return np.pad(found, ((0, 0), (1, 0), (0, 0)))


COORDINATES = {3: ("x", "y", "angle"), 6: ("x", "y", "z", "about x", "about y", "about z")}
"""Of a body in the plane and in space, by their number."""


def motion_name(shares: Floats, names: tuple[str, ...]) -> str:
    """A mode in words: who moves most and how, 'carrier turns (62 %), disc 1 turns (20 %)'."""
    of_body = shares.sum(axis=1)
    turning = shares[:, shares.shape[1] // 2 + shares.shape[1] % 2 :].sum(axis=1)
    order = np.argsort(-of_body.round(3), kind="stable")  # equals in the machine's order
    told = [body for body in order if of_body[body] >= TAKES_PART] or [order[0]]
    return ", ".join(
        f"{names[body]} {'turns' if 2 * turning[body] >= of_body[body] else 'shifts'} "
        f"({of_body[body]:.0%})"
        for body in told
    )


def body_names(assembly: Assembly) -> tuple[str, ...]:
    """Names of all bodies, ground first; numbers where the machine gives none."""
    count = len(assembly.model.mass)
    return assembly.body_names or tuple(f"body {k}" for k in range(count))
