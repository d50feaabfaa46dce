"""Sectors of a gear condensed to their cut faces, and the ring that they make.

Some cells without their inner unknowns i are, on the unknowns f that they share with others,

    S = K_ff - K_fi K_ii⁻¹ K_if,   T = -K_fi K_ii⁻¹ F,   B = Fᵀ K_ii⁻¹ F

with F the loads, all of them inside; displacements are radial, tangential and axial. K_ii is taken
layer by layer: what lies on a layer of the lattice is coupled with the layers before and behind
only, so that K_ii = L Lᵀ has dense blocks. All that is asked for is RᵀK_ii⁻¹R = ZᵀZ, Z = L⁻¹R,
summed up while L is passed once; nothing is kept. Tooth and body are condensed by themselves and
then joined, so that what changes one of them leaves the other as it is.

Faces of neighbours are one. Where all sectors are alike, harmonics n with φ = 2πn/z part them; l
and r are the left and the right face of a sector,

    C_n = B + T_nᴴ S_n⁻¹ T_n,   S_n = S_ll + S_rr + e^{iφ} S_lr + e^{-iφ} S_rl,

with T_n = T_l + e^{-iφ} T_r.

Where they differ, the ring of faces is eliminated face by face, as layers are, the last one kept.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.linalg import cholesky, solve_triangular

from flank.arrays import AnyArray, Flags, Floats, Integers
from flank.elasticity.finite_elements.cyclic import unknowns
from flank.elasticity.finite_elements.elements import assembled
from flank.elasticity.finite_elements.sector_mesh import Sector
from flank.elasticity.finite_elements.store import told
from flank.elasticity.material import Material


class Condensed(NamedTuple):
    """S (f, f), T (f, m) and B (m, m) under m loads; of a sector the left face comes first."""

    stiffness: Floats
    loads: Floats
    compliance: Floats


class _Block(NamedTuple):
    """Unknowns of a matrix of blocks: their own part, that with the block before, and their rows of
    the right side, which has columns once one of them is not zero."""

    diagonal: Floats
    before: Floats
    right: Floats


def condensed(
    mesh: Sector,
    cells: Integers,
    shared: Integers,
    layers: Integers,
    material: Material,
    forces: Floats,
    still: Integers,
) -> Condensed:
    """Some cells of a sector on nodes `shared`, under forces (3 nodes, m) along x, y, z, the nodes
    `still` at rest. `layers` has, for each node, the number of its layer: cells lie between one and
    the next. Shared nodes that no cell has are moved by nothing."""
    elements, polar = mesh.elements[cells], _polar(mesh.nodes)
    stiffness, _ = assembled(mesh.nodes, elements, mesh.element, material)
    stiffness = (polar.T @ stiffness @ polar).tocsr()
    inside = np.zeros(len(mesh.nodes), dtype=bool)
    inside[elements] = True
    for nodes in (shared, still):
        inside[nodes] = False
    inner = [unknowns(np.flatnonzero(inside & (layers == k))) for k in np.unique(layers)]
    face = unknowns(shared)
    right = sparse.hstack((stiffness[:, face], polar.T @ sparse.csr_array(forces))).tocsr()
    taken = _by_layers(stiffness, inner, right)
    count = len(face)
    return Condensed(
        stiffness[face][:, face].toarray() - taken[:count, :count],
        -taken[:count, count:],
        taken[count:, count:],
    )


def joined(body: Condensed, tooth: Condensed, still: Flags) -> Condensed:
    """A sector of its body, whose last shared unknowns are those of the tooth; some of these may
    be held `still`. What they share is eliminated."""
    faces = len(body.stiffness) - len(tooth.stiffness)
    moving = np.flatnonzero(~still)
    foot = (body.stiffness[faces:, faces:] + tooth.stiffness)[np.ix_(moving, moving)]
    right = np.hstack((body.stiffness[faces:, :faces], tooth.loads))[moving]
    part = _lower(cholesky(foot, lower=True, check_finite=False), right)
    taken = part.T @ part
    return Condensed(
        body.stiffness[:faces, :faces] - taken[:faces, :faces],
        -taken[:faces, faces:],
        tooth.compliance + taken[faces:, faces:],
    )


def _polar(nodes: Floats) -> sparse.bsr_array:
    """Displacements x, y, z from radial, tangential and axial ones."""
    radius, count = np.hypot(nodes[:, 0], nodes[:, 1]), len(nodes)
    turns = np.zeros((count, 3, 3))
    turns[:, 0, 0] = turns[:, 1, 1] = nodes[:, 0] / radius
    turns[:, 1, 0] = nodes[:, 1] / radius
    turns[:, 0, 1], turns[:, 2, 2] = -turns[:, 1, 0], 1.0
    return sparse.bsr_array((turns, np.arange(count), np.arange(count + 1)))


def _by_layers(
    stiffness: sparse.csr_array, layers: Sequence[Integers], right: sparse.csr_array
) -> Floats:
    """RᵀK_ii⁻¹R of the unknowns in layers; columns of R count from the first layer they touch."""
    touched = np.array([np.diff(right[rows].tocsc().indptr) > 0 for rows in layers])
    first = touched.argmax(axis=0)
    order = np.argsort(first, kind="stable")
    begun = np.searchsorted(first[order], np.arange(len(layers)), "right")

    def blocks() -> Iterator[_Block]:
        for k, rows in enumerate(layers):
            own, before = stiffness[rows][:, rows], stiffness[rows][:, layers[max(k - 1, 0)]]
            part = right[rows][:, order[: begun[k]]]
            yield _Block(own.toarray(), before.toarray(), part.toarray())

    back = np.argsort(order)
    return _squared(blocks(), len(order))[np.ix_(back, back)]


def _squared(blocks: Iterable[_Block], columns: int) -> Floats:
    """RᵀA⁻¹R of a matrix that couples each block with the one before only."""
    total = np.zeros((columns, columns))
    factor = solved = np.zeros((0, 0))
    for block in blocks:
        diagonal, right = block.diagonal, block.right
        if len(factor):
            side = _lower(factor, block.before.T).T
            diagonal = diagonal - side @ side.T
            right[:, : solved.shape[1]] -= side @ solved
        factor = cholesky(diagonal, lower=True, check_finite=False)
        solved = _lower(factor, right)
        active = solved.shape[1]
        total[:active, :active] += solved.T @ solved
    return total


def _lower(factor: AnyArray, right: AnyArray) -> AnyArray:
    return np.asarray(solve_triangular(factor, right, lower=True, check_finite=False))


def alike(sector: Condensed, teeth: int) -> Floats:
    """Compliances (z, m, m) between loads on a tooth and the one k further, all sectors alike."""
    (left, ahead), (_, right) = _quarters(sector.stiffness)
    of_left, of_right = np.split(sector.loads, 2)
    harmonics = []
    for n in told(range(teeth // 2 + 1)):
        phase = np.exp(2j * np.pi * n / teeth)
        reduced = left + right + phase * ahead + phase.conj() * ahead.T
        factor = cholesky(reduced, lower=True, check_finite=False)
        part = _lower(factor, of_left + phase.conj() * of_right)
        harmonics.append(sector.compliance + part.conj().T @ part)
    return np.fft.irfft(np.array(harmonics), teeth, axis=0)


def differing(one: Condensed, others: Condensed, teeth: int) -> Floats:
    """Compliances (m, m) on a tooth that is unlike all others, which are alike."""
    (left, ahead), (behind, right) = _quarters(_chain(others.stiffness, teeth - 1))
    ring = one.stiffness + np.block([[right, behind], [ahead, left]])
    part = _lower(cholesky(ring, lower=True, check_finite=False), one.loads)
    return np.asarray(one.compliance + part.T @ part)


def _quarters(stiffness: Floats) -> list[list[Floats]]:
    return [np.hsplit(half, 2) for half in np.vsplit(stiffness, 2)]


def _chain(stiffness: Floats, count: int) -> Floats:
    """Of `count` sectors in a row, on the outer faces of the first and the last."""
    if count == 1:
        return stiffness
    half = _chain(stiffness, count // 2)
    doubled = _joined(half, half)
    return _joined(doubled, stiffness) if count % 2 else doubled


def _joined(first: Floats, second: Floats) -> Floats:
    """Two in a row, without the face between them."""
    (a, to_b), (_, b) = _quarters(first)
    (c, to_d), (_, d) = _quarters(second)
    factor = cholesky(b + c, lower=True, check_finite=False)
    sides = _lower(factor, np.hstack((to_b.T, to_d)))
    joined = -sides.T @ sides
    joined[: len(a), : len(a)] += a
    joined[len(a) :, len(a) :] += d
    return np.asarray(joined)


def ring(sectors: Sequence[Condensed]) -> Floats:
    """Compliances (z, m, z, m) between loads on all teeth of sectors that may differ.

    Face k lies between the sectors k - 1 and k. The last is kept, as columns that come first.
    """
    teeth, loads = len(sectors), sectors[0].loads.shape[1]
    parts = [_quarters(sector.stiffness) for sector in sectors]
    forces = [np.split(sector.loads, 2) for sector in sectors]
    corners = [_present(parts[k - 1][1][1] + parts[k][0][0]) for k in range(teeth)]
    face = len(corners[0])

    def blocks() -> Iterator[_Block]:
        for k in told(range(teeth - 1)):
            right = np.zeros((face, face + (k + 2) * loads))  # teeth: the last, 0, 1, ..., k
            if k == 0:
                right[:, :face] += parts[-1][0][1].T
            if k == teeth - 2:
                right[:, :face] += parts[k][0][1]
            right[:, face + k * loads : face + (k + 1) * loads] = forces[k - 1][1]
            right[:, face + (k + 1) * loads :] = forces[k][0]
            yield _Block(corners[k], parts[k - 1][0][1].T, right)

    squared = _squared(blocks(), face + teeth * loads)
    kept = -squared[:face, face:]
    kept[:, :loads] += forces[-1][0]
    kept[:, -loads:] += forces[-2][1]
    factor = cholesky(corners[-1] - squared[:face, :face], lower=True, check_finite=False)
    part = _lower(factor, kept)
    total = squared[face:, face:] + part.T @ part
    blocked = total.reshape(teeth, loads, teeth, loads)
    for k, sector in enumerate(sectors):
        blocked[(k + 1) % teeth, :, (k + 1) % teeth] += sector.compliance
    return np.roll(blocked, -1, axis=(0, 2))


def _present(corner: Floats) -> Floats:
    """With ones where both neighbours have left out a node, which nothing moves."""
    lacking = np.flatnonzero(corner.diagonal() == 0)
    corner[lacking, lacking] = 1.0
    return corner
