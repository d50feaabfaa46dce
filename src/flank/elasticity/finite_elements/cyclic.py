"""A whole gear from one of its sectors, exactly: by harmonics around the axis.

Displacements are radial, tangential and axial components, so all sectors look alike. In the
harmonic n every sector moves as its neighbour did, e^{iφ} later, φ = 2πn/z; the nodes of its right
face are those of the next one's left face. With u = (E_0 + e^{iφ} E_1) q from the unknowns q of a
sector without its right face,

    K_n = K_0 + e^{iφ} K_1 + e^{-iφ} K_1ᵀ,   K_0 = E_0ᵀ K E_0 + E_1ᵀ K E_1,   K_1 = E_0ᵀ K E_1,

and M_n alike. Loads of any teeth are the sum of z harmonics (a discrete Fourier transform), of
which n and z - n are complex conjugates.

The held surface is rigid and follows a centre node on the axis at mid-face. Its six coordinates
meet few harmonics: axial motion and rotation n = 0, lateral motion and tilt n = 1, in pairs
x - iy. Each can be free or held. With a support stiffness the surface is not rigid; springs of so
much stiffness per area tie it to the centre node (a ring in its housing), or none if that is zero.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, eigsh

from flank.arrays import AnyArray, ComplexNumbers, Flags, Floats, Integers, first_largest
from flank.elasticity.finite_elements.elements import assembled, surface_mass
from flank.elasticity.finite_elements.factorization import factorized
from flank.elasticity.finite_elements.sector_mesh import Sector
from flank.elasticity.material import Material


@dataclass(frozen=True)
class Centre:
    """Which coordinates of the centre node are free to move; the others are held."""

    axial: bool = False
    rotation: bool = False
    lateral: bool = False
    tilt: bool = False

    @property
    def free(self) -> Flags:
        """Of the six coordinates: along x, y and the axis, about x, y and the axis."""
        given = (self.lateral, self.lateral, self.axial, self.tilt, self.tilt, self.rotation)
        return np.array(given)


HELD = Centre()

Pair = tuple[sparse.csr_array, sparse.csr_array]
"""A_0 and A_1 of A_n = A_0 + e^{iφ} A_1 + e^{-iφ} A_1ᵀ."""


@dataclass(frozen=True, eq=False)
class CyclicGear:
    """Matrices of a sector without its right face, and where its unknowns are.

    `held` are the nodes of the held surface; where it is not `rigid`, `support` ties it. `fixed`
    are unknowns that never move.
    """

    teeth: int
    stiffness: Pair
    mass: Pair
    support: Pair
    rigid: bool
    spread: Pair  # E_0 and E_1, to displacements x, y, z of the nodes of the mesh
    positions: Floats  # (nodes, 3): radius, angle, height
    place: Integers  # node that has the unknowns of a node of the mesh; -1 on the right face
    left: Integers
    held: Integers
    fixed: Flags

    @property
    def size(self) -> int:
        """Unknowns of the sector, three a node."""
        return 3 * len(self.positions)

    @property
    def free(self) -> Flags:
        """Unknowns that can move while the centre node is held."""
        free = ~self.fixed
        if self.rigid:
            free[unknowns(self.held)] = False
        return free

    def loads(self, forces: AnyArray) -> AnyArray:
        """Forces on the unknowns from forces (3 nodes of the mesh, ...) along x, y, z.

        What lies on the right face belongs to the next sector and must be given there.
        """
        return np.asarray(self.spread[0].T @ forces)


class Modes(NamedTuple):
    """Modes of a harmonic: natural frequencies in Hz, complex shapes (unknowns, modes).

    Tooth t moves as the real part of shape × e^{2πi n t/z}, with a modal mass of one over the whole
    gear; where 0 < n < z/2 the imaginary part is a second mode of the same frequency. `centre`
    are the free coordinates of the centre node that the harmonic has, (coordinates, modes): axial
    motion and rotation if n = 0, lateral motion and tilt if n = 1, both as x - iy.
    """

    harmonic: int
    frequencies: Floats
    shapes: ComplexNumbers
    centre: ComplexNumbers


def cyclic_gear(
    mesh: Sector, material: Material, support: float | None = None, plane: bool = False
) -> CyclicGear:
    """Matrices of a sector. `support` in N/m³ ties the held surface by springs in place of rigidly;
    `plane` holds all axial displacements: plane strain."""
    if mesh.teeth < 3:
        raise ValueError(f"cyclic symmetry needs at least three teeth, not {mesh.teeth}")
    stiffness, mass = assembled(mesh.nodes, mesh.elements, mesh.element, material)
    spread, kept = _spread(mesh)
    tie = sparse.csr_array(stiffness.shape)
    if support:
        surface = mesh.elements[mesh.held_cells]
        tie = support * surface_mass(mesh.nodes, surface, mesh.element, mesh.held_side)
    place = np.full(len(mesh.nodes), -1)
    place[kept] = np.arange(len(kept))
    held = place[mesh.held]
    fixed = np.zeros((len(kept), 3), dtype=bool)
    fixed[:, 2] = plane
    return CyclicGear(
        teeth=mesh.teeth,
        stiffness=_folded(stiffness, spread),
        mass=_folded(mass, spread),
        support=_folded(tie, spread),
        rigid=support is None,
        spread=spread,
        positions=_polar_positions(mesh.nodes[kept]),
        place=place,
        left=place[mesh.left],
        held=held[held >= 0],
        fixed=fixed.ravel(),
    )


def unknowns(nodes: Integers) -> Integers:
    """Numbers of the three displacements of nodes."""
    return (3 * np.asarray(nodes)[:, None] + np.arange(3)).ravel()


def rigid_motions(positions: Floats) -> Floats:
    """Radial, tangential and axial displacements (nodes, 3, 6) per coordinate of a centre node."""
    radius, angle, height = positions.T
    cosine, sine, none = np.cos(angle), np.sin(angle), np.zeros_like(angle)
    motions = (
        (cosine, -sine, none),
        (sine, cosine, none),
        (none, none, none + 1),
        (-height * sine, -height * cosine, radius * sine),
        (height * cosine, -height * sine, -radius * cosine),
        (none, radius, none),
    )
    return np.array(motions).transpose(2, 1, 0)


def harmonic_motions(positions: Floats, harmonic: int, centre: Centre) -> AnyArray:
    """Of the free coordinates that a harmonic has, as columns over the unknowns of nodes."""
    motions = rigid_motions(positions).reshape(-1, 6)
    if harmonic == 0:
        chosen = [k for k, free in ((2, centre.axial), (5, centre.rotation)) if free]
        return motions[:, chosen]
    pairs = [k for k, free in ((0, centre.lateral), (3, centre.tilt)) if free and harmonic == 1]
    return motions[:, pairs] + 1j * motions[:, [k + 1 for k in pairs]]


def harmonic_matrix(pair: Pair, teeth: int, harmonic: int) -> sparse.csr_array:
    """A_n; real where e^{iφ} is."""
    phase = np.exp(2j * np.pi * harmonic / teeth)
    if 2 * harmonic % teeth == 0:
        phase = phase.real
    return (pair[0] + phase * pair[1] + np.conj(phase) * pair[1].T).tocsr()


def harmonic_basis(gear: CyclicGear, harmonic: int, centre: Centre) -> Pair:
    """Unknowns from the free ones and those of the centre node: of bodies, and less the centre's
    motion where the held surface is not rigid."""
    tied = unknowns(gear.held)
    chosen = sparse.eye_array(gear.size).tocsr()[:, np.flatnonzero(gear.free)]
    motions = harmonic_motions(gear.positions, harmonic, centre)
    carried = np.zeros_like(motions)
    carried[tied] = motions[tied]
    nothing = np.zeros_like(motions)
    first = sparse.hstack((chosen, carried if gear.rigid else nothing)).tocsr()
    return first, sparse.hstack((chosen, nothing if gear.rigid else -carried)).tocsr()


def harmonic_system(
    gear: CyclicGear, harmonic: int, centre: Centre = HELD
) -> tuple[sparse.csc_array, sparse.csc_array, sparse.csr_array]:
    """K_n and M_n of the free unknowns and the basis that gives all of them."""
    basis, less_centre = harmonic_basis(gear, harmonic, centre)
    stiffness = _projected(gear, gear.stiffness, harmonic, basis)
    if not gear.rigid:
        stiffness = stiffness + _projected(gear, gear.support, harmonic, less_centre)
    return stiffness.tocsc(), _projected(gear, gear.mass, harmonic, basis).tocsc(), basis


def harmonic_modes(gear: CyclicGear, harmonic: int, count: int, centre: Centre = HELD) -> Modes:
    """The lowest modes of a harmonic, 0 to z/2; rigid motions that are free come with 0 Hz."""
    if not 0 <= harmonic <= gear.teeth // 2:
        raise ValueError(
            f"a gear of {gear.teeth} teeth has harmonics 0 to {gear.teeth // 2}, not {harmonic}"
        )
    stiffness, mass, basis = harmonic_system(gear, harmonic, centre)
    if count >= stiffness.shape[0]:
        raise ValueError(
            f"{count} modes asked of a sector with {stiffness.shape[0]} unknowns; ask for fewer"
        )
    values, vectors = lowest_modes(stiffness, mass, count)
    alone = 2 * harmonic % gear.teeth == 0
    shapes = basis @ vectors
    top = first_largest(np.abs(shapes), axis=0)
    phases = shapes[top, np.arange(count)]
    scale = np.sqrt((1 if alone else 2) / gear.teeth) * np.conj(phases) / np.abs(phases)
    coordinates = harmonic_motions(gear.positions[:0], harmonic, centre).shape[1]
    moved = vectors[len(vectors) - coordinates :]
    return Modes(
        harmonic, np.sqrt(np.maximum(values, 0)) / (2 * np.pi), shapes * scale, moved * scale
    )


def rest_shift(stiffness: sparse.csc_array, mass: sparse.csc_array) -> float:
    """An ω² just below zero, by which bodies that move freely are factorised."""
    return float(-1e-6 * stiffness.diagonal().real.sum() / mass.diagonal().real.sum())


def lowest_modes(
    stiffness: sparse.csc_array,
    mass: sparse.csc_array,
    count: int,
    solve: Callable[[AnyArray], AnyArray] | None = None,
) -> tuple[Floats, AnyArray]:
    """ω² and vectors of unit modal mass, by inverse iteration about a shift just below zero, so
    that free motions are no obstacle; or about zero by `solve`, if the stiffness is factorised."""
    shift = 0.0
    if solve is None:
        shift = rest_shift(stiffness, mass)
        solve = factorized((stiffness - shift * mass).tocsc())
    inverse = LinearOperator(stiffness.shape, matvec=solve, dtype=stiffness.dtype)
    start = np.random.default_rng(0).standard_normal(len(mass.diagonal()))
    values, vectors = eigsh(
        stiffness, count, mass, sigma=shift, OPinv=inverse, v0=start.astype(stiffness.dtype)
    )
    order = np.argsort(values)
    vectors = vectors[:, order]
    norms = np.sqrt(np.sum(vectors.conj() * (mass @ vectors), axis=0).real)
    return values[order], vectors / norms


def static_response(gear: CyclicGear, loads: Floats) -> Floats:
    """Displacements (teeth, unknowns) under loads (teeth, unknowns), the centre node held."""
    harmonics = np.fft.rfft(loads, axis=0)
    answers = np.zeros_like(harmonics)
    for n in range(len(harmonics)):
        stiffness, _, basis = harmonic_system(gear, n)
        answers[n] = basis @ factorized(stiffness)(basis.T @ harmonics[n])
    return np.fft.irfft(answers, gear.teeth, axis=0)


def whole_matrices(
    gear: CyclicGear, centre: Centre = HELD
) -> tuple[sparse.csc_array, sparse.csc_array, sparse.csr_array]:
    """K and M of all sectors at once, and the basis (all unknowns, free ones): what symmetry
    spares, for bodies that lose it and to check it. The last of the free ones are the centre's."""
    follows = sparse.csr_array(np.roll(np.eye(gear.teeth), 1, axis=1))
    whole = [
        sparse.kron(sparse.eye_array(gear.teeth), one)
        + sparse.kron(follows, other)
        + sparse.kron(follows, other).T
        for one, other in (gear.stiffness, gear.mass, gear.support)
    ]
    turns = np.repeat(2 * np.pi / gear.teeth * np.arange(gear.teeth), len(gear.positions))
    places = np.tile(gear.positions, (gear.teeth, 1))
    places[:, 1] += turns
    tied = (unknowns(gear.held) + gear.size * np.arange(gear.teeth)[:, None]).ravel()
    free = np.tile(gear.free, gear.teeth)
    motions = np.zeros((len(free), 6))
    motions[tied] = rigid_motions(places).reshape(-1, 6)[tied]
    motions = motions[:, centre.free]
    chosen = sparse.eye_array(len(free)).tocsr()[:, np.flatnonzero(free)]
    basis = sparse.hstack((chosen, motions if gear.rigid else 0 * motions)).tocsr()
    less = sparse.hstack((chosen, -motions)).tocsr()
    stiffness = basis.T @ whole[0] @ basis
    if not gear.rigid:
        stiffness = stiffness + less.T @ whole[2] @ less
    return stiffness.tocsc(), (basis.T @ whole[1] @ basis).tocsc(), basis


def _projected(
    gear: CyclicGear, pair: Pair, harmonic: int, basis: sparse.csr_array
) -> sparse.csr_array:
    return basis.conj().T @ harmonic_matrix(pair, gear.teeth, harmonic) @ basis


def _folded(matrix: sparse.csr_array, spread: Pair) -> Pair:
    """A_0 and A_1 from the matrix of a sector with both faces."""
    first, second = spread
    both = first.T @ matrix @ first + second.T @ matrix @ second
    return both.tocsr(), (first.T @ matrix @ second).tocsr()


def _spread(mesh: Sector) -> tuple[Pair, Integers]:
    """E_0 and E_1, and the nodes that have unknowns."""
    count = len(mesh.nodes)
    kept = np.setdiff1d(np.arange(count), mesh.right)
    place = np.full(count, -1)
    place[kept] = np.arange(len(kept))
    angle = np.arctan2(mesh.nodes[:, 1], mesh.nodes[:, 0])
    turns = np.zeros((count, 3, 3))
    turns[:, 0, 0] = turns[:, 1, 1] = np.cos(angle)
    turns[:, 1, 0] = np.sin(angle)
    turns[:, 0, 1] = -turns[:, 1, 0]
    turns[:, 2, 2] = 1.0
    polar = sparse.bsr_array((turns, np.arange(count), np.arange(count + 1)))
    pair = []
    for nodes, source in ((kept, place[kept]), (mesh.right, place[mesh.left])):
        rows, columns, shape = unknowns(nodes), unknowns(source), (3 * count, 3 * len(kept))
        pair.append(
            (polar @ sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape)).tocsr()
        )
    return (pair[0], pair[1]), kept


def _polar_positions(nodes: Floats) -> Floats:
    x, y, z = nodes.T
    return np.column_stack((np.hypot(x, y), np.arctan2(y, x), z))
