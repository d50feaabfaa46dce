"""A model linearised at an equilibrium: how it gives way to small forces and to open joints.

With K = ∂(Cᵀλ - Q)/∂q the whole tangent (stiffness of contacts and springs and the turning of
forces), C the joints' Jacobian and rows of all bodies but ground, small changes obey

    K x + Cᵀ μ = f,        C x = g.

They are solved in the null space Z of C, so that joints which say the same twice do no harm. What
nothing holds (a body within its clearance, a round pin that spins) makes ZᵀKZ singular; as in
statics, σ D is added to K with σ = 1e-9 of the stiffest diagonal and D = (1, 1, L²) of every body,
in space (1, 1, 1, L², L², L²), and `regularization_share` says how much of an answer is owed to it.

Rotations in space change by vectors of space. Bodies are at rest: gyroscopic terms, which spinning
bodies would add to damping and stiffness, are not in K; nor is that a load follows another body.

A contact that carries no more than round-off (a loose part left leaning where it last touched)
counts as open: it would resist being pushed and not being left. The model must have no elastic
friction, whose force depends on the way to a pose; that by velocity has no part at rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from flank.arrays import Floats, Integers, Rows
from flank.dynamics.engine import evaluate, put_masses
from flank.dynamics.model import BEAMS, CONTACTS, SPRINGS, Model
from flank.dynamics.poses import AnyModel, AnyState, AnyWorkspace, state_at, workspace
from flank.dynamics.spatial.model import SpatialModel
from flank.dynamics.statics import SMALLEST_REGULARIZATION
from flank.dynamics.trajectory import Pose
from flank.kernel import kernel

CONTACT_ROWS = {"memory", "contact_results"}
"""Fields of a state with a row for each contact."""

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

    state: AnyState
    time: float
    closed: Integers  # numbers of the contacts that carry
    stiffness: Floats  # K (rows, rows); row n (body - 1) + i is coordinate i of n of a body
    constraints: Floats  # C (constraints, rows)
    weights: Floats  # the diagonal of D

    @property
    def regularization(self) -> float:
        """σ, in N/m."""
        return SMALLEST_REGULARIZATION * max(1.0, float(np.abs(np.diag(self.stiffness)).max()))

    @cached_property
    def free_motions(self) -> Floats:
        """Z, an orthonormal basis of the motions that the joints allow."""
        return null_space(self.constraints)

    @cached_property
    def _factors(self) -> Any:
        """Sparse: leaves do not know each other, and threads of a dense solver cost more."""
        from scipy import sparse  # which takes a fifth of a second, and few runs linearise
        from scipy.sparse.linalg import splu

        basis = sparse.csc_array(self.free_motions)
        regularized = sparse.csc_array(self.stiffness + np.diag(self.regularization * self.weights))
        return splu(sparse.csc_array(basis.T @ regularized @ basis))

    def solve(self, force: Floats) -> Floats:
        """x of K x + Cᵀμ = f, C x = 0; columns of `force` are load cases."""
        basis = self.free_motions
        return np.asarray(basis @ self._factors.solve(basis.T @ force))

    def influence(self, direction: Floats) -> tuple[Floats, Floats]:
        """(y, μ) such that eᵀx = yᵀf + μᵀg for every f and g: one solve for all causes.

        y and μ solve the transposed system Kᵀy + Cᵀμ = e, C y = 0.
        """
        basis = self.free_motions
        motion = basis @ self._factors.solve(basis.T @ direction, trans="T")
        remainder = direction - self.stiffness.T @ motion
        return motion, np.linalg.lstsq(self.constraints.T, remainder, rcond=None)[0]

    def regularization_share(self, motion: Floats, force: Floats) -> float:
        """Part of fᵀx that σ D answers for: near one where nothing else resists."""
        work = float(force @ motion)
        return self.regularization * float(motion @ (self.weights * motion)) / work if work else 0.0


def unit_turn(model: AnyModel, body: int, axis: ArrayLike = (0.0, 0.0, 1.0)) -> Floats:
    """The row that is the turning of one body: a unit torque on it, or the reading of its angle;
    in space about an axis of space."""
    size = _coordinates(model)
    row = np.zeros(size * (len(model.mass) - 1))
    direction = np.asarray(axis, dtype=float)
    turning = direction / np.linalg.norm(direction) if size == 6 else np.ones(1)
    row[size * body - len(turning) : size * body] = turning
    return row


def mass_matrix(model: AnyModel, state: AnyState | None = None) -> Floats:
    """M over the rows of K; the masses of beams couple their rows. In space it follows the pose,
    which `state` gives."""
    if state is None:
        if isinstance(model, SpatialModel):
            raise ValueError("masses in space turn with their bodies; give the state, too")
        state = state_at(model, np.zeros((len(model.mass), 3)))
    work = workspace(model)
    _fill_masses(model, _at_rest(state), work)
    return _dense_tangent(model, work)


@kernel
def _fill_masses(model, state, work):
    """An entry from Python, for a workspace that is empty."""
    put_masses(model, state, work)


def _at_rest(state: AnyState) -> AnyState:
    still = np.zeros_like(state.velocity)
    return state._replace(velocity=still, acceleration=still)


def linearize(
    model: AnyModel, position: Pose, time: float = 0.0, multipliers: Floats | None = None
) -> Linearization:
    """The tangent at an equilibrium; reactions that are not known follow from the balance.

    ValueError if the pose is none, because what it gives would not be derivatives.
    """
    state, work = _at_rest(state_at(model, position)), workspace(model)
    model = _unscreened(model)
    largest = _assemble(model, state, time, work, 1.0)
    force = state.contact_results["normal_force"][: model.counts[CONTACTS]]
    closed = np.flatnonzero(force > LEANING * (0.1 + largest))
    constraints = _dense_constraints(model, work)
    if multipliers is None:
        reactions = np.linalg.lstsq(constraints.T, work.force[1:].ravel(), rcond=None)[0]
        multipliers = reactions.astype(float)
    state.multipliers[: model.constraint_count] = multipliers
    _assemble_closed(model, state, closed, time, work, 1.0)
    weights = _weights(model).ravel() ** 2
    unbalanced = float(np.abs(work.force[1:].ravel() / np.sqrt(weights)).max(initial=0.0))
    if not unbalanced <= UNBALANCED * (1.0 + largest):
        raise ValueError(
            f"the pose is no equilibrium: {unbalanced:.3g} N are out of balance against "
            f"a largest force of {largest:.3g} N; find the equilibrium first, of a model without "
            "elastic friction"
        )
    tangent = _dense_tangent(model, work)
    return Linearization(state, time, closed, tangent, constraints, weights)


def small_motions(
    model: Model, position: Floats, velocity: Floats | None = None, time: float = 0.0
) -> tuple[Floats, Floats, Floats]:
    """M, D and K of small motions about a pose of a run, among those that the joints allow.

    The pose may be out of balance; reactions of joints are those of its forces, as at rest.
    """
    state, work = state_at(model, position, velocity), workspace(model)
    model = model._replace(screened=False)
    _assemble(model, state, time, work, 1.0)
    constraints = _dense_constraints(model, work)
    reactions = np.linalg.lstsq(constraints.T, work.force[1:].ravel(), rcond=None)[0]
    state.multipliers[: model.constraint_count] = reactions
    tangents = []
    for rate_factor in (0.0, 1.0):
        evaluate(model, state, float(time), work, rate_factor, 1.0, 1.0)
        tangents.append(_dense_tangent(model, work))
    stiffness, damping = tangents[0], tangents[1] - tangents[0]
    basis = null_space(constraints)
    matrices = mass_matrix(model), damping, stiffness
    mass, damping, stiffness = (basis.T @ matrix @ basis for matrix in matrices)
    return mass, damping, stiffness


def unbalanced_forces(model: Model, at: Linearization) -> tuple[Floats, Floats]:
    """Q - Cᵀλ and c(q, t) of a model at the pose and with the reactions of another's equilibrium.

    The two must have the same bodies, joints and contacts in the same order. Contacts that were
    open stay open.
    """
    work = workspace(model)
    _assemble_closed(model, at.state, at.closed, at.time, work, 1.0)
    return work.force[1:].ravel(), work.constraint[: model.constraint_count]


def elastic_tangent(
    model: Model,
    at: Linearization,
    contacts: Sequence[int],
    springs: Sequence[int],
    beams: Sequence[int] = (),
) -> Floats:
    """What some elements add to K, the turning of their forces left out: Σ k J Jᵀ."""
    counts = np.zeros_like(model.counts)
    counts[SPRINGS], counts[BEAMS] = len(springs), len(beams)
    part = model._replace(
        springs=_taken(model.springs, springs), beams=_taken(model.beams, beams), counts=counts
    )
    work = workspace(model)
    _assemble_closed(part, at.state, np.intersect1d(at.closed, contacts), at.time, work, 0.0)
    return _dense_tangent(model, work)


def full_elastic_tangent(model: Model, at: Linearization) -> Floats:
    """K without the turning of forces."""
    work = workspace(model)
    _assemble_closed(model, at.state, at.closed, at.time, work, 0.0)
    return _dense_tangent(model, work)


def null_space(matrix: Floats) -> Floats:
    """Orthonormal basis of what `matrix` maps to nothing, by QR with pivoting.

    Coordinates that no row touches stay coordinates, so that leaves keep to themselves.
    """
    touched = matrix.any(axis=0)
    basis = np.eye(matrix.shape[1])[:, ~touched]
    if not touched.any():
        return basis
    from scipy import linalg

    vectors, triangle, _order = linalg.qr(matrix[:, touched].T, pivoting=True)
    pivots = np.abs(np.diag(triangle))
    rank = int(np.sum(pivots > SAME_EQUATION * pivots[0]))
    within = np.zeros((matrix.shape[1], len(vectors) - rank))
    within[touched] = vectors[:, rank:]
    return np.hstack((within, basis))


def _assemble(
    model: AnyModel, state: AnyState, time: float, work: AnyWorkspace, geometric_factor: float
) -> float:
    """Fill `work` at rest; returns the largest single force."""
    return float(evaluate(model, state, float(time), work, 0.0, 1.0, geometric_factor)[1])


def _coordinates(model: AnyModel) -> int:
    """Of one body."""
    return 6 if isinstance(model, SpatialModel) else 3


def _weights(model: AnyModel) -> Floats:
    """What turns coordinates into displacements, (bodies without ground, coordinates)."""
    if isinstance(model, SpatialModel):
        return np.tile([1.0] * 3 + [model.length_scale] * 3, (len(model.mass) - 1, 1))
    return model.weights[1:]


def _unscreened(model: AnyModel) -> AnyModel:
    """Every contact of the plane is looked at; those in space always are."""
    return model if isinstance(model, SpatialModel) else model._replace(screened=False)


def _assemble_closed(
    model: AnyModel,
    state: AnyState,
    closed: Integers,
    time: float,
    work: AnyWorkspace,
    geometric_factor: float,
) -> None:
    """`_assemble` with some contacts only.

    Their foot points are searched from where `state` has them, always the same place, so that two
    models differ by what differs between them and not by where a search happened to end.
    """
    counts = model.counts.copy()
    counts[CONTACTS] = len(closed)
    some = _unscreened(model._replace(contacts=_taken(model.contacts, closed), counts=counts))
    tables = {name: getattr(state, name) for name in CONTACT_ROWS}
    rows: dict[str, Any] = {
        name: _taken(table, closed) for name, table in tables.items() if table is not None
    }
    _assemble(some, state._replace(**rows), time, work, geometric_factor)


def _taken(rows: Rows, numbers: Sequence[int] | Integers) -> Rows:
    """Copy of some rows of a table; of an unused one if of none, because kernels need an array."""
    chosen = np.asarray(numbers if len(numbers) else [0], dtype=int)
    return np.asarray(rows[chosen])


def _dense_tangent(model: AnyModel, work: AnyWorkspace) -> Floats:
    """K of all bodies from the blocks of core, leaves and what lies between them."""
    size = _coordinates(model)
    core, rows = size * model.core_count, size * (len(model.mass) - 1)
    dense = np.zeros((rows, rows))
    dense[:core, :core] = work.core[:core, :core]
    for leaf in range((rows - core) // size):
        block = slice(core + size * leaf, core + size * leaf + size)
        dense[block, block] = work.leaf[leaf]
        for slot, body in enumerate(model.leaf_neighbours[leaf]):
            if body > 0:
                other = slice(size * (body - 1), size * body)
                dense[block, other] = work.leaf_to_core[leaf, slot]
                dense[other, block] = work.core_to_leaf[leaf, slot]
    return dense


def _dense_constraints(model: AnyModel, work: AnyWorkspace) -> Floats:
    """C; leaves carry no joints."""
    size = _coordinates(model)
    core = size * model.core_count
    dense = np.zeros((model.constraint_count, size * (len(model.mass) - 1)))
    dense[:, :core] = work.core[core : core + model.constraint_count, :core]
    return dense
