"""A gear whose sectors are not alike: all teeth meshed, some cells left out, solved at once.

Holes in a web are cells that are not there, as many as their size takes; a broken tooth likewise.
Displacements are along x, y and z. What has symmetry is many times faster by `cyclic`.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy import sparse

from flank.arrays import Flags, Floats, Integers
from flank.elasticity.finite_elements.cyclic import HELD, Centre, unknowns
from flank.elasticity.finite_elements.elements import assembled
from flank.elasticity.finite_elements.factorization import factorized
from flank.elasticity.finite_elements.sector_mesh import Sector
from flank.elasticity.material import Material


class WholeGear(NamedTuple):
    """Nodes (N, 3) and elements of all sectors, and the nodes `held`.

    `numbers` (teeth, nodes of the sector) is where each node of a sector is; -1 if it is not.
    """

    nodes: Floats
    elements: Integers
    element: str
    held: Integers
    numbers: Integers


def whole_gear(mesh: Sector, left_out: Flags | None = None) -> WholeGear:
    """All sectors of a gear, without the cells (teeth, elements) that are left out."""
    kept = np.setdiff1d(np.arange(len(mesh.nodes)), mesh.right)
    place = np.empty(len(mesh.nodes), dtype=int)
    place[kept] = np.arange(len(kept))
    tooth = np.arange(mesh.teeth)[:, None]
    numbers = tooth * len(kept) + place
    numbers[:, mesh.right] = (tooth + 1) % mesh.teeth * len(kept) + place[mesh.left]
    elements = numbers[:, mesh.elements]
    chosen = elements.reshape(-1, elements.shape[2]) if left_out is None else elements[~left_out]
    used, compact = np.unique(chosen, return_inverse=True)
    nodes = np.concatenate([mesh.nodes[kept] @ _turn(mesh, k).T for k in range(mesh.teeth)])
    new = np.full(len(nodes), -1)
    new[used] = np.arange(len(used))
    numbers = new[numbers]
    held = np.unique(numbers[:, mesh.held])
    return WholeGear(
        nodes[used], compact.reshape(chosen.shape), mesh.element, held[held >= 0], numbers
    )


def round_holes(mesh: Sector, count: int, radius: float, size: float) -> Flags:
    """Cells (teeth, elements) whose middle lies in one of the holes of radius `size` along the
    circle of `radius`, the first on the x axis."""
    middles = mesh.nodes[mesh.elements].mean(axis=1)
    turns = np.exp(2j * np.pi / mesh.teeth * np.arange(mesh.teeth))[:, None]
    points = (middles[:, 0] + 1j * middles[:, 1]) * turns
    holes = radius * np.exp(2j * np.pi / count * np.arange(count))
    inside: Flags = np.any(np.abs(points[..., None] - holes) < size, axis=-1)
    return inside


def gear_matrices(
    whole: WholeGear, material: Material, centre: Centre = HELD
) -> tuple[sparse.csc_array, sparse.csc_array, sparse.csr_array]:
    """K and M of the free unknowns, and the basis (3 N, free ones) that gives all of them. The
    last are the free ones of the six coordinates of the centre node."""
    stiffness, mass = assembled(whole.nodes, whole.elements, whole.element, material)
    tied = unknowns(whole.held)
    free = np.setdiff1d(np.arange(stiffness.shape[0]), tied)
    motions = np.zeros((stiffness.shape[0], 6))
    axes = np.eye(3)
    for axis in range(3):
        motions[tied, axis] = np.tile(axes[axis], len(whole.held))
        motions[tied, 3 + axis] = np.cross(axes[axis], whole.nodes[whole.held]).ravel()
    chosen = sparse.eye_array(stiffness.shape[0]).tocsr()[:, free]
    basis = sparse.hstack((chosen, motions[:, centre.free])).tocsr()
    return (basis.T @ stiffness @ basis).tocsc(), (basis.T @ mass @ basis).tocsc(), basis


def tooth_forces(whole: WholeGear, mesh: Sector, forces: Floats, tooth: int) -> Floats:
    """Forces (3 N, ...) on a tooth, from those (3 nodes, ...) on the nodes of the sector."""
    by_node = forces.reshape(len(mesh.nodes), 3, -1)
    loaded = np.flatnonzero(np.any(by_node, axis=(1, 2)))
    numbers = whole.numbers[tooth % mesh.teeth, loaded]
    if np.any(numbers < 0):
        raise ValueError(f"a load on tooth {tooth} acts where cells are left out; load another")
    total = np.zeros((len(whole.nodes), 3, by_node.shape[2]))
    total[numbers] = np.einsum("ij,njm->nim", _turn(mesh, tooth), by_node[loaded])
    return total.reshape(-1, by_node.shape[2])


def direct_compliance(whole: WholeGear, material: Material, forces: Floats) -> Floats:
    """Displacements that all forces (3 N, m) do work on under each, m/N, the centre node held."""
    stiffness, _, basis = gear_matrices(whole, material)
    loads = basis.T @ forces
    return np.asarray(loads.T @ factorized(stiffness)(loads))


def _turn(mesh: Sector, tooth: int) -> Floats:
    angle = 2 * math.pi * tooth / mesh.teeth
    cosine, sine = math.cos(angle), math.sin(angle)
    return np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
