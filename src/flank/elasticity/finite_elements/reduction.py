"""Bodies of many coordinates reduced to few: Craig-Bampton, and how well it does.

The displacements u of a body with mass M and stiffness K are split into masters m, which are kept,
and all others s. The reduced coordinates are the masters and some modal coordinates q:

    u = T (u_m, q),   T = [ I  0 ]     Ψ = -K_ss⁻¹ K_sm,   K_ss Φ = M_ss Φ Ω²
                          [ Ψ  Φ ]

The columns of Ψ are what the body does at rest when one master is moved by one and the others are
held; so every motion without strain, which is at rest, is in T exactly (Craig and Bampton 1968).
With no modal coordinates this is the condensation of Guyan (1965). T is a Ritz basis: no natural
frequency of the reduced body lies below that of the full one.

Modal coordinates may be replaced by displacements at as many observed coordinates,
q = Φ_o⁻¹ (u_o - Ψ_o u_m): the same motions, so the same frequencies, described without modal
coordinates (the idea of SEREP, O'Callahan 1989). Which nodes are observed decides how well Φ_o can
be inverted; `auxiliary_nodes` chooses them.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg, sparse

from flank.arrays import Floats, Integers, first_largest
from flank.blas import one_blas_thread
from flank.elasticity.finite_elements.cyclic import lowest_modes, rest_shift
from flank.elasticity.finite_elements.factorization import superlu
from flank.errors import SpecError

Matrix = Any
"""A sparse matrix of SciPy, or an array."""

UNSYMMETRIC = 1e-8
"""Of the largest entry: files print eight digits and more, assembly rounds at 1e-15."""

SINGULAR = 1e-12
"""Of a diagonal entry: a pivot that small is what rounding leaves of zero."""

DENSE = 400
"""Coordinates up to which all eigenvalues are computed at once."""

WORST_CONDITION = 1e10
"""Of Φ_o: beyond it the observed displacements hardly tell the modes apart."""

CLOSE = 1e-3
"""Relative distance of neighbouring frequencies that makes them one cluster."""


class Modes(NamedTuple):
    """`frequencies` in Hz, rising, and `shapes`, columns with modal mass one."""

    frequencies: Floats
    shapes: Floats


def check_matrices(mass: Matrix, stiffness: Matrix) -> tuple[Matrix, Matrix]:
    """Both as sparse matrices by columns; SpecError unless they can be those of a body."""
    matrices = {name: _sparse(name, matrix) for name, matrix in _named(mass, stiffness)}
    problems = [_form(name, matrix) for name, matrix in matrices.items()]
    sizes = {name: matrix.shape[0] for name, matrix in matrices.items()}
    if not any(problems) and sizes["mass"] != sizes["stiffness"]:
        problems.append(
            f"The mass matrix has {sizes['mass']} rows and the stiffness matrix "
            f"{sizes['stiffness']}; both must belong to the same coordinates."
        )
    if not any(problems):
        problems += [_indefinite(name, matrix) for name, matrix in matrices.items()]
    if any(problems):
        raise SpecError(filter(None, problems))
    return matrices["mass"], matrices["stiffness"]


def _named(mass: Matrix, stiffness: Matrix) -> tuple[tuple[str, Matrix], ...]:
    return ("mass", mass), ("stiffness", stiffness)


def _sparse(name: str, matrix: Matrix) -> Matrix:
    try:
        return sparse.csc_matrix(matrix, dtype=float)
    except (TypeError, ValueError):
        raise SpecError(
            f"The {name} matrix is not a table of real numbers; give a NumPy array or a sparse "
            "matrix of SciPy."
        ) from None


def _form(name: str, matrix: Matrix) -> str:
    rows, columns = matrix.shape
    if rows != columns or rows == 0:
        return f"The {name} matrix is {rows} x {columns}; it must be square."
    if not np.isfinite(matrix.data).all():
        return f"The {name} matrix has entries that are no finite numbers."
    largest = abs(matrix).max()
    if largest == 0:
        return f"The {name} matrix has zeros only."
    asymmetry = abs(matrix - matrix.T).max() / largest
    if asymmetry > UNSYMMETRIC:
        return (
            f"The {name} matrix is not symmetric: its mirror image differs by {asymmetry:.1e} of "
            f"the largest entry, at most {UNSYMMETRIC:g} is taken for rounding; if a file has one "
            "triangle only, its header must say symmetric."
        )
    return ""


def _indefinite(name: str, matrix: Matrix) -> str:
    """Whether some principal minor of one or two rows is negative, which is cheap to see."""
    diagonal, entries = matrix.diagonal(), matrix.tocoo()
    bound = np.sqrt(np.maximum(diagonal, 0.0))
    room = UNSYMMETRIC * abs(diagonal).max()
    beyond = abs(entries.data) > bound[entries.row] * bound[entries.col] + room
    if diagonal.min() < 0 or beyond.any():
        row = int(entries.row[first_largest(beyond)]) if beyond.any() else int(diagonal.argmin())
        return (
            f"The {name} matrix is not positive semidefinite (see row {row}, counted from 0): some "
            "motion would have negative energy; check signs and whether parts are missing."
        )
    return ""


def _check_masters(masters: ArrayLike, size: int) -> Integers:
    given = np.asarray(masters)
    if given.ndim != 1 or given.size == 0 or not np.issubdtype(given.dtype, np.integer):
        raise SpecError("Masters are a list of at least one coordinate number.")
    if given.min() < 0 or given.max() >= size:
        outside = given[(given < 0) | (given >= size)][0]
        raise SpecError(
            f"Master {outside} is no coordinate of the body; they count from 0 to {size - 1}."
        )
    numbers, counts = np.unique(given, return_counts=True)
    if counts.max() > 1:
        raise SpecError(
            f"Master {numbers[first_largest(counts)]} is given twice; each coordinate can be kept "
            "once."
        )
    if len(numbers) == size:
        raise SpecError("Every coordinate is a master; then nothing is left to reduce.")
    return given.astype(np.int64)


def _check_modes(modes: int, mass: Matrix, others: Integers) -> None:
    """What has no mass has no mode."""
    most = int(np.count_nonzero(mass.diagonal()[others]))
    if not 0 <= modes <= most:
        raise SpecError(
            f"{modes} modes are asked for; with its masters held the body has {most}, and 0 is "
            "the condensation of Guyan."
        )


INDEFINITE = (
    "The stiffness matrix is not positive semidefinite: some motion would release energy; check "
    "signs and whether parts are missing."
)

LOOSE = (
    "With its masters held the body can still move without strain; choose masters that hold it, "
    "such as three nodes not on one line, or check that its parts are joined."
)


def _held_solver(stiffness: Matrix) -> Callable[[Floats], Floats]:
    """b -> K_ss⁻¹ b; SpecError unless K_ss is positive definite.

    Its pivots, taken along the diagonal, have the signs of the eigenvalues (Sylvester).
    """
    try:
        factors = superlu(stiffness)
    except RuntimeError:  # exactly singular
        raise SpecError(LOOSE) from None
    relative = factors.U.diagonal() / stiffness.diagonal()[np.argsort(factors.perm_c)]
    if relative.min() < SINGULAR:
        raise SpecError(INDEFINITE if relative.min() < -SINGULAR else LOOSE)
    solve: Callable[[Floats], Floats] = factors.solve
    return solve


@dataclass(frozen=True)
class Reduction:
    """A reduced body: u = `basis` times the reduced coordinates.

    Its first coordinates are the displacements of the `masters`, numbers of coordinates of the
    full body. Then come those `observed`, or else modal coordinates, whose frequencies in Hz with
    the masters held are `fixed_frequencies`.
    """

    mass: Floats
    stiffness: Floats
    basis: Floats
    masters: Integers
    fixed_frequencies: Floats
    observed: Integers

    @property
    def size(self) -> int:
        return len(self.mass)

    def modes(self, count: int) -> Modes:
        """The lowest natural modes; shapes are those of the full body."""
        if not 0 < count <= self.size:
            raise SpecError(
                f"{count} modes are asked for; the reduced body has {self.size} coordinates and as "
                "many modes."
            )
        squares, shapes = linalg.eigh(
            self.stiffness, self.mass, subset_by_index=(0, count - 1), driver="gvx"
        )
        return Modes(_frequencies(squares), self.basis @ shapes)

    def observed_at(self, coordinates: ArrayLike) -> "Reduction":
        """The same motions described without modal coordinates: by displacements of the body."""
        observed = np.asarray(coordinates, np.int64)
        count, kept = len(self.fixed_frequencies), len(self.masters)
        if len(observed) != count or len(set(observed) - set(self.masters)) != count:
            raise SpecError(
                f"{count} modal coordinates are replaced by as many observed ones, each once and "
                f"none of them a master; {len(observed)} were given."
            )
        rows = self.basis[observed]
        values = linalg.svdvals(rows[:, kept:])
        if values[-1] * WORST_CONDITION < values[0]:
            raise SpecError(
                f"The {count} observed coordinates do not tell the modes apart (condition "
                f"{values[0] / max(values[-1], 1e-300):.0e}); observe other nodes."
            )
        inverse = linalg.inv(rows[:, kept:])
        change = np.eye(self.size)
        change[kept:, kept:] = inverse
        change[kept:, :kept] = -inverse @ rows[:, :kept]
        return replace(
            self,
            mass=_symmetric(change.T @ self.mass @ change),
            stiffness=_symmetric(change.T @ self.stiffness @ change),
            basis=self.basis @ change,
            observed=observed,
        )


def reduce_body(mass: Matrix, stiffness: Matrix, masters: ArrayLike, modes: int = 0) -> Reduction:
    """Craig-Bampton on the `masters`, numbers of coordinates, with so many modal coordinates."""
    mass, stiffness = check_matrices(mass, stiffness)
    kept = _check_masters(masters, mass.shape[0])
    others = np.setdiff1d(np.arange(mass.shape[0]), kept)
    _check_modes(modes, mass, others)
    with one_blas_thread():
        return _craig_bampton(mass, stiffness, kept, others, modes)


def _craig_bampton(
    mass: Matrix, stiffness: Matrix, kept: Integers, others: Integers, modes: int
) -> Reduction:
    held_mass, held_stiffness = (each[others][:, others] for each in (mass, stiffness))
    solve = _held_solver(held_stiffness)
    coupling = stiffness[kept][:, others]
    static = -solve(coupling.T.toarray())
    squares, shapes = _lowest(held_mass, held_stiffness, modes, solve)
    basis = np.zeros((mass.shape[0], len(kept) + modes))
    basis[kept, np.arange(len(kept))] = 1.0
    basis[others] = np.hstack((static, shapes))
    # Ψ and Φ are orthogonal in K, whose product with Ψ vanishes at the others.
    condensed = stiffness[kept][:, kept].toarray() + coupling @ static
    reduced_stiffness = linalg.block_diag(_symmetric(condensed), np.diag(squares))
    reduced_mass = _symmetric(basis.T @ (mass @ basis))
    _check_reduced(reduced_mass, condensed)
    none = np.zeros(0, np.int64)
    return Reduction(
        reduced_mass, reduced_stiffness, basis, kept, _frequencies(squares), observed=none
    )


def _lowest(
    mass: Matrix, stiffness: Matrix, count: int, solve: Callable[[Floats], Floats] | None = None
) -> tuple[Floats, Floats]:
    """Squares of the lowest angular frequencies, and shapes; `solve` is by the stiffness, where
    that is definite."""
    size = mass.shape[0]
    if count == 0:
        return np.zeros(0), np.zeros((size, 0))
    if size > DENSE and count <= size // 2:
        return lowest_modes(stiffness, mass, count, solve)
    # 1/λ of (M, K - shift M), since M may be singular and K - shift M is not.
    shift = 0.0 if solve else rest_shift(stiffness, mass)
    inverse, shapes = linalg.eigh(mass.toarray(), (stiffness - shift * mass).toarray())
    inverse, shapes = inverse[::-1][:count], shapes[:, ::-1][:, :count]
    return shift + 1.0 / inverse, shapes / np.sqrt(inverse)


def _check_reduced(mass: Floats, condensed: Floats) -> None:
    sizes = np.sqrt(np.maximum(mass.diagonal(), SINGULAR * mass.diagonal().max()))
    if linalg.eigvalsh(mass / np.outer(sizes, sizes), subset_by_index=(0, 0))[0] < SINGULAR:
        raise SpecError(
            "The mass matrix is singular on what is kept: some of the masters and modes can move "
            "without any mass; keep fewer masters there, or give them mass."
        )
    values = linalg.eigvalsh(condensed)
    if values[0] < -UNSYMMETRIC * max(abs(values[-1]), abs(condensed).max()):
        raise SpecError(INDEFINITE)


def _symmetric(matrix: Floats) -> Floats:
    return 0.5 * (matrix + matrix.T)


def _frequencies(squares: Floats) -> Floats:
    """In Hz; what rounding makes negative is at rest."""
    return np.sqrt(np.maximum(squares, 0.0)) / (2 * math.pi)


def natural_modes(mass: Matrix, stiffness: Matrix, count: int) -> Modes:
    """The lowest natural modes of the full body by a direct solve; it may be free to move."""
    mass, stiffness = check_matrices(mass, stiffness)
    most = int(np.count_nonzero(mass.diagonal()))
    if not 0 < count <= most:
        raise SpecError(f"{count} modes are asked for; the body has {most}.")
    with one_blas_thread():
        squares, shapes = _lowest(mass, stiffness, count)
    if squares[0] < 0.5 * rest_shift(stiffness, mass):
        raise SpecError(INDEFINITE)
    return Modes(_frequencies(squares), shapes)


def auxiliary_nodes(
    places: Floats, shapes: Floats, count: int, chosen: Sequence[int] | Integers = ()
) -> Integers:
    """`count` nodes beside the `chosen` that show the modes best: a form of MoGeSeC.

    `places` are (nodes, 3) in m and `shapes` (nodes, 3, modes). The criterion is modal and
    geometrical (Bonisoli, Delprete, Rosso 2009): each next node has the largest product of what it
    shows of the modes and its distance to the nearest node that was chosen, so that nodes lie where
    modes move much and not side by side. Of the modal part only the aim is public, which is well
    conditioned matrices. Here it is the volume of the motions at the node, three directions by all
    modes, less what the nodes before it show already: the pivot of an elimination by nodes, whose
    product over the nodes is the determinant of Φ_o. It does not depend on how modes of one
    frequency are combined. Once all modes are shown the count of what is shown begins anew.
    """
    taken = [int(node) for node in chosen]
    if not 0 < count <= len(places) - len(taken):
        raise SpecError(
            f"{count} auxiliary nodes are asked for; beside the {len(taken)} chosen there are "
            f"{len(places) - len(taken)}."
        )
    starts = places[taken] if taken else places.mean(axis=0)[None, :]
    distance = np.min([np.linalg.norm(places - start, axis=1) for start in starts], axis=0)
    least = SINGULAR * _volume(shapes).max()
    nodes: list[int] = []
    hidden = shapes
    for _ in range(count):
        if _volume(hidden).max() <= least:
            hidden = shapes
        node = int(first_largest(_volume(hidden) * distance))
        distance = np.minimum(distance, np.linalg.norm(places - places[node], axis=1))
        directions = linalg.orth(hidden[node].T)
        hidden = hidden - hidden @ directions @ directions.T
        nodes.append(node)
    return np.array(nodes, np.int64)


def _volume(shapes: Floats) -> Floats:
    """Of each node, the geometric mean of its three principal motions."""
    products = np.matmul(shapes, shapes.swapaxes(1, 2))
    return np.asarray(np.maximum(np.linalg.det(products), 0.0) ** (1 / 6))


def assurance(first: Floats, second: Floats, weight: Matrix | None = None) -> Floats:
    """Modal assurance criterion |φᵀWψ|²/(φᵀWφ ψᵀWψ) of columns (Allemang and Brown 1982).

    The weight is one unless given; with the mass matrix the criterion of a full body with itself is
    one on the diagonal and zero beside it.
    """
    weighted = second if weight is None else weight @ second
    own = first if weight is None else weight @ first
    norms = np.outer(np.sum(first * own, axis=0), np.sum(second * weighted, axis=0))
    return np.asarray((first.T @ weighted) ** 2 / norms)


def clusters(frequencies: Floats, close: float = CLOSE) -> Integers:
    """The number of the cluster of every frequency; neighbours that are `close` share one."""
    apart = np.diff(frequencies) > close * frequencies[1:]
    return np.concatenate(([0], np.cumsum(apart))).astype(np.int64)


class Agreement(NamedTuple):
    """Full against reduced, mode by mode.

    `deviations` are reduced over full less one, `assurance` is the table of all with all, and
    `subspace_assurance` for each mode that of its cluster: the smallest squared cosine between the
    two spaces that the cluster's modes span, which does not depend on how modes of one frequency
    are combined.
    """

    full: Floats
    reduced: Floats
    deviations: Floats
    assurance: Floats
    cluster: Integers
    subspace_assurance: Floats


def compare(mass: Matrix, full: Modes, reduced: Modes, close: float = CLOSE) -> Agreement:
    """Modes in the same order; a last cluster that goes on beyond the given modes is compared as
    far as it is given, so give one more than is read."""
    if full.shapes.shape != reduced.shapes.shape:
        raise SpecError(
            f"The full body has {full.shapes.shape[0]} coordinates and {full.shapes.shape[1]} "
            f"modes, the reduced one {reduced.shapes.shape[0]} and {reduced.shapes.shape[1]}; "
            "give as many modes of both, on the same coordinates."
        )
    number = clusters(full.frequencies, close)
    cosines = np.array([_smallest_cosine(mass, full, reduced, number == k) for k in number])
    moving = np.where(full.frequencies > 0, full.frequencies, np.nan)
    return Agreement(
        full.frequencies,
        reduced.frequencies,
        reduced.frequencies / moving - 1.0,
        assurance(full.shapes, reduced.shapes, mass),
        number,
        cosines**2,
    )


def _smallest_cosine(mass: Matrix, full: Modes, reduced: Modes, members: Any) -> float:
    """Shapes of one body are orthogonal in its mass, so the products are cosines."""
    product = full.shapes[:, members].T @ (mass @ reduced.shapes[:, members])
    return float(linalg.svdvals(product)[-1])
