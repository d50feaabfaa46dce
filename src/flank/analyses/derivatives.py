"""Implicit differentiation: how the output's angle follows an error of the machine.

At an equilibrium r(q, λ; p) = 0 and c(q; p) = 0, an error p changes the pose by

    K dq + Cᵀ dλ = ∂(Q - Cᵀλ)/∂p dp,        C dq = -∂c/∂p dp.

The right sides are differences between the changed machine and the machine itself at the same pose,
joints and springs included. Only the output's angle is asked for, so one solve of the transposed
system at each equilibrium serves all errors:  dθ/dp = yᵀ ∂(Q - Cᵀλ)/∂p - μᵀ ∂c/∂p.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flank.dynamics.linearize import Linearization, linearize, unbalanced_forces, unit_turn
from flank.dynamics.model import Model
from flank.dynamics.spatial.linearize import linearize_spatial
from flank.dynamics.spatial.model import SpatialState
from flank.dynamics.trajectory import AnyTrajectory, SpatialPose
from flank.machines.base import Assembly

STEPS = {"m": 1e-12, "rad": 1e-11}
"""Changes over which forces are differenced. The lightest contacts of a path, at a millionth of the
torque, are pushed in by some 1e-10 m and must stay closed; positions carry some 1e-17 m."""

LOOSE = 1e-3
"""Share of the output's compliance owed to the solver's own diagonal above which it is loose."""


@dataclass(frozen=True)
class Station:
    """An equilibrium, and what forces and open joints there do to the output's angle."""

    at: Linearization
    pull: NDArray  # y, rad/N and rad/(N·m)
    opening: NDArray  # μ, rad per m or rad of c
    force: NDArray  # Q - Cᵀλ of the machine itself, zero but for round-off
    gaps: NDArray  # c of the machine itself
    loose: bool  # nothing but the solver's diagonal holds the output

    def turned_by(self, changed: Model) -> float:
        """Change of the output's angle, to first order in what differs between the models."""
        force, gaps = unbalanced_forces(changed, self.at)
        return float(self.pull @ (force - self.force) - self.opening @ (gaps - self.gaps))


def stations(assembly: Assembly, path: AnyTrajectory) -> list[Station]:
    """The equilibria of a static path, ready to be differentiated."""
    model = assembly.planar
    direction = unit_turn(model, assembly.output_shaft.body)
    return [
        _station(linearized(assembly, path, row), model, direction) for row in range(len(path.time))
    ]


def linearized(assembly: Assembly, path: AnyTrajectory, row: int) -> Linearization:
    """The model at an equilibrium of a static path."""
    pose, time = path.pose(row), float(path.time[row])
    if isinstance(assembly.model, Model):
        assert not isinstance(pose, SpatialPose)
        return linearize(assembly.model, pose, time)
    assert isinstance(pose, SpatialPose)
    return linearize_spatial(assembly.model, pose, time)


def output_is_loose(assembly: Assembly, path: AnyTrajectory) -> bool:
    """Whether nothing but the solver's diagonal holds the output where a path begins."""
    at, shaft = linearized(assembly, path, 0), assembly.output_shaft
    if isinstance(assembly.model, Model):
        direction = unit_turn(assembly.model, shaft.body)
    else:
        assert isinstance(at.state, SpatialState)
        direction = np.zeros(len(at.weights))
        first = 6 * (shaft.body - 1) + 3
        direction[first : first + 3] = at.state.matrix[shaft.reference] @ np.array(shaft.axis)
    return at.regularization_share(at.influence(direction)[0], direction) > LOOSE


def angle_derivatives(
    path: list[Station], step: float, above: Model, below: Model | None = None
) -> NDArray:
    """dθ/dp at every station from the machine changed by +step, and by -step if central."""
    changes = np.array([station.turned_by(above) for station in path])
    if below is None:
        return changes / step
    return (changes - np.array([station.turned_by(below) for station in path])) / (2 * step)


def _station(at: Linearization, model: Model, direction: NDArray) -> Station:
    pull, opening = at.influence(direction)
    force, gaps = unbalanced_forces(model, at)
    loose = at.regularization_share(pull, direction) > LOOSE
    return Station(at, pull, opening, force, gaps, loose)
