"""A model linearised at an equilibrium: how it gives way to small forces and to open joints.

With K = ∂(Cᵀλ - Q)/∂q the whole tangent (stiffness of contacts and springs and the turning of
forces), C the joints' Jacobian and rows of all bodies but ground, small changes obey

    K x + Cᵀ μ = f,        C x = g.

They are solved in the null space Z of C, so that joints which say the same twice do no harm. What
nothing holds (a body within its clearance, a round pin that spins) makes ZᵀKZ singular; as in
statics, σ D is added to K with σ = 1e-9 of the stiffest diagonal and D = (1, 1, L²) of every body,
and `regularization_share` says how much of an answer is owed to it.

A contact that carries no more than round-off (a loose part left leaning where it last touched)
counts as open: it would resist being pushed and not being left. The model must have no elastic
friction, whose force depends on the way to a pose; that by velocity has no part at rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse
from scipy.sparse.linalg import SuperLU, splu

from flank.dynamics.assembly import assemble
from flank.dynamics.beams import mass_matrices
from flank.dynamics.joints import constraint_residuals
from flank.dynamics.model import Model, State, Workspace, initial_state, workspace
from flank.dynamics.spatial.model import SpatialModel, SpatialState, SpatialWorkspace
from flank.dynamics.statics import SMALLEST_REGULARIZATION
from flank.kernel import kernel

SPRINGS, CONTACTS, BEAMS = 1, 3, 4
"""Places in Model.counts."""

UNBALANCED = 1e-4
"""Share of the largest force (and newtons) that may be out of balance at an equilibrium.

A foot point found anew lies up to 10 nm from the solver's, which moves forces by some 1e-6."""

LEANING = 1e-8
"""Share of the largest force (and tenth of newtons) that a contact may carry and count as open."""

SAME_EQUATION = 1e-10
"""Share of the largest pivot of C below which a constraint repeats others."""


@dataclass(frozen=True)
class Linearization:
    """K, C and D at a pose; `state` holds the pose with its reactions and foot points."""

    state: State | SpatialState
    time: float
    closed: NDArray  # numbers of the contacts that carry
    stiffness: NDArray  # K (rows, rows), those of a body but ground follow each other: 3 or 6
    constraints: NDArray  # C (constraints, rows)
    weights: NDArray  # the diagonal of D

    @property
    def regularization(self) -> float:
        """σ, in N/m."""
        return SMALLEST_REGULARIZATION * max(1.0, float(np.abs(np.diag(self.stiffness)).max()))

    @cached_property
    def free_motions(self) -> NDArray:
        """Z, an orthonormal basis of the motions that the joints allow."""
        return null_space(self.constraints)

    @cached_property
    def _factors(self) -> SuperLU:
        """Sparse: leaves do not know each other, and threads of a dense solver cost more."""
        basis = sparse.csc_array(self.free_motions)
        held = sparse.csc_array(self.stiffness + np.diag(self.regularization * self.weights))
        return splu(sparse.csc_array(basis.T @ held @ basis))

    def solve(self, force: NDArray) -> NDArray:
        """x of K x + Cᵀμ = f, C x = 0; columns of `force` are load cases."""
        basis = self.free_motions
        return basis @ self._factors.solve(basis.T @ force)

    def influence(self, direction: NDArray) -> tuple[NDArray, NDArray]:
        """(y, μ) such that eᵀx = yᵀf + μᵀg for every f and g: one solve for all causes.

        y and μ solve the transposed system Kᵀy + Cᵀμ = e, C y = 0.
        """
        basis = self.free_motions
        moved = basis @ self._factors.solve(basis.T @ direction, trans="T")
        left = direction - self.stiffness.T @ moved
        return moved, np.linalg.lstsq(self.constraints.T, left, rcond=None)[0]

    def regularization_share(self, moved: NDArray, force: NDArray) -> float:
        """Part of fᵀx that σ D answers for: near one where nothing else resists."""
        work = float(force @ moved)
        return self.regularization * float(moved @ (self.weights * moved)) / work if work else 0.0


def unit_turn(model: Model, body: int) -> NDArray:
    """The row that is the turning of one body: a unit torque on it, or the reading of its angle."""
    row = np.zeros(3 * (len(model.mass) - 1))
    row[3 * (body - 1) + 2] = 1.0
    return row


def mass_matrix(model: Model) -> NDArray:
    """M over the rows of K; the masses of beams couple their rows."""
    by_coordinate = mass_matrices(model.mass, model.beams)[:, 1:, 1:]
    size = by_coordinate.shape[1]
    whole = np.zeros((size, 3, size, 3))
    for i in range(3):
        whole[:, i, :, i] = by_coordinate[i]
    return whole.reshape(3 * size, 3 * size)


def linearize(
    model: Model, position: NDArray, time: float = 0.0, multipliers: NDArray | None = None
) -> Linearization:
    """The tangent at an equilibrium; reactions that are not known follow from the balance.

    ValueError if the pose is none, because what it gives would not be derivatives.
    """
    state, work = initial_state(model, position), workspace(model)
    model = model._replace(screened=False)
    largest = _assemble(model, state, time, work, 1.0)
    force = state.touches["normal_force"][: model.counts[CONTACTS]]
    closed = np.flatnonzero(force > LEANING * (0.1 + largest))
    constraints = dense_constraints(model, work)
    if multipliers is None:
        multipliers = reactions(constraints, work.force)
    state.multipliers[: model.constraint_count] = multipliers
    _assemble_closed(model, state, closed, time, work, 1.0)
    weights = model.weights[1:].ravel() ** 2
    refuse_unbalanced(work.force, weights, largest)
    tangent = dense_tangent(model, work)
    return Linearization(state, time, closed, tangent, constraints, weights)


def reactions(constraints: NDArray, force: NDArray) -> NDArray:
    """Multipliers that balance the forces (bodies, width) on all bodies but ground, Cᵀλ = Q."""
    return np.linalg.lstsq(constraints.T, force[1:].ravel(), rcond=None)[0]


def refuse_unbalanced(force: NDArray, weights: NDArray, largest: float) -> None:
    """ValueError if forces (bodies, width) are left against the `largest` single one."""
    unbalanced = float(np.abs(force[1:].ravel() / np.sqrt(weights)).max(initial=0.0))
    if not unbalanced <= UNBALANCED * (1.0 + largest):
        raise ValueError(
            f"the pose is no equilibrium: {unbalanced:.3g} N are out of balance against "
            f"a largest force of {largest:.3g} N; find the equilibrium first, of a model without "
            "elastic friction"
        )


def unbalanced_forces(model: Model, at: Linearization) -> tuple[NDArray, NDArray]:
    """Q - Cᵀλ and c(q, t) of a model at the pose and with the reactions of another's equilibrium.

    The two must have the same bodies, joints and contacts in the same order. Contacts that were
    open stay open.
    """
    work = workspace(model)
    _assemble_closed(model, at.state, at.closed, at.time, work, 1.0)
    _joint_values(model, at.state.position, at.time, work.constraint)
    return work.force[1:].ravel(), work.constraint[: model.constraint_count]


def elastic_tangent(
    model: Model,
    at: Linearization,
    contacts: Sequence[int],
    springs: Sequence[int],
    beams: Sequence[int] = (),
) -> NDArray:
    """What some elements add to K, the turning of their forces left out: Σ k J Jᵀ."""
    counts = np.zeros_like(model.counts)
    counts[SPRINGS], counts[BEAMS] = len(springs), len(beams)
    chosen = None if model.beams is None else _taken(model.beams, beams)
    part = model._replace(springs=_taken(model.springs, springs), beams=chosen, counts=counts)
    work = workspace(model)
    _assemble_closed(part, at.state, np.intersect1d(at.closed, contacts), at.time, work, 0.0)
    return dense_tangent(model, work)


def whole_elastic_tangent(model: Model, at: Linearization) -> NDArray:
    """K without the turning of forces."""
    work = workspace(model)
    _assemble_closed(model, at.state, at.closed, at.time, work, 0.0)
    return dense_tangent(model, work)


def null_space(matrix: NDArray) -> NDArray:
    """Orthonormal basis of what `matrix` maps to nothing, by QR with pivoting.

    Coordinates that no row touches stay coordinates, so that leaves keep to themselves.
    """
    touched = matrix.any(axis=0)
    basis = np.eye(matrix.shape[1])[:, ~touched]
    if not touched.any():
        return basis
    vectors, triangle, _order = linalg.qr(matrix[:, touched].T, pivoting=True)
    pivots = np.abs(np.diag(triangle))
    rank = int(np.sum(pivots > SAME_EQUATION * pivots[0]))
    within = np.zeros((matrix.shape[1], len(vectors) - rank))
    within[touched] = vectors[:, rank:]
    return np.hstack((within, basis))


@kernel
def _joint_values(model, position, time, out):
    """c(q, t): an entry from Python to what the solvers use."""
    constraint_residuals(
        model.joints,
        model.counts[0],
        model.gears,
        model.functions,
        model.function_data,
        position,
        time,
        out,
    )


def _assemble(model: Model, state: State, time: float, work: Workspace, geometric: float) -> float:
    """Fill `work` at rest; returns the largest single force."""
    arguments = (model, state, state.position, state.velocity, float(time), work)
    return float(assemble(*arguments, 0.0, 1.0, geometric)[1])


def _assemble_closed(
    model: Model,
    state: State | SpatialState,
    closed: NDArray,
    time: float,
    work: Workspace,
    geometric: float,
) -> None:
    """`_assemble` with some contacts only.

    Their foot points are searched from where `state` has them, always the same place, so that two
    models differ by what differs between them and not by where a search happened to end.
    """
    assert isinstance(state, State)
    counts = model.counts.copy()
    counts[CONTACTS] = len(closed)
    some = model._replace(contacts=_taken(model.contacts, closed), counts=counts, screened=False)
    memory, touches = _taken(state.memory, closed), _taken(state.touches, closed)
    _assemble(some, state._replace(memory=memory, touches=touches), time, work, geometric)


def _taken(rows: NDArray, numbers: Sequence[int] | NDArray) -> NDArray:
    """Copy of some rows of a table; of an unused one if of none, because kernels need an array."""
    return rows[np.asarray(numbers if len(numbers) else [0], dtype=int)]


def dense_tangent(model: Model | SpatialModel, work: Workspace | SpatialWorkspace) -> NDArray:
    """K of all bodies from the blocks of core, leaves and what lies between them."""
    width = work.leaf.shape[-1]
    core = width * model.core_count
    size = width * (len(model.mass) - 1)
    whole = np.zeros((size, size))
    whole[:core, :core] = work.core[:core, :core]
    for leaf in range((size - core) // width):
        own = slice(core + width * leaf, core + width * (leaf + 1))
        whole[own, own] = work.leaf[leaf]
        for slot, body in enumerate(model.leaf_neighbours[leaf]):
            if body > 0:
                other = slice(width * (body - 1), width * body)
                whole[own, other] = work.leaf_to_core[leaf, slot]
                whole[other, own] = work.core_to_leaf[leaf, slot]
    return whole


def dense_constraints(model: Model | SpatialModel, work: Workspace | SpatialWorkspace) -> NDArray:
    """C; leaves carry no joints."""
    width = work.leaf.shape[-1]
    core = width * model.core_count
    whole = np.zeros((model.constraint_count, width * (len(model.mass) - 1)))
    whole[:, :core] = work.core[core : core + model.constraint_count, :core]
    return whole
