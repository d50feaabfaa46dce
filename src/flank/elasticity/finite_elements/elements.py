"""Stiffness and mass of hexahedra, all elements at once, and their assembly.

Shape functions and quadrature are scikit-fem's; geometry and displacements have the same shape
functions, so rigid motions and constant strains are exact on curved elements too. What is chosen
by measured accuracy per time (`validation/gear_finite_elements.py`) is the one with 20 nodes.

The element with 8 nodes bends too stiffly by itself (its edges stay straight: shear locking), and
is too stiff where Poisson's ratio tends to ½. It has three modes 1 - ξ² per displacement inside,
which neighbours do not know of (Wilson; Taylor, Beresford and Wilson 1976; MacNeal 1993, ch. 8):

    K = K_uu - K_ua K_aa⁻¹ K_au,    ∂a/∂x = (|J_0|/|J|) J_0⁻ᵀ ∂a/∂ξ

with J_0 the Jacobian in the middle of the element, by which constant strains do no work on the
modes and patches of any shape pass.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy import sparse
from skfem import ElementTetP2
from skfem.quadrature import get_quadrature

from flank.arrays import Floats, Integers
from flank.elasticity.finite_elements.sector_mesh import ELEMENTS
from flank.elasticity.material import Material

SHAPES = ELEMENTS | {"tetrahedron-10": ElementTetP2}
"""All shape functions; meshes of gears have hexahedra only."""

ORDERS = {"hexahedron-8": 3, "hexahedron-20": 5, "hexahedron-27": 5, "tetrahedron-10": 5}
"""Degree that the quadrature integrates: of hexahedra along each axis, by two and three Gauss
points. That of degree 4 for tetrahedra has a negative weight."""

BLOCK = 256
"""Elements at a time: strains at all points of thousands would fill the memory."""


class Shapes(NamedTuple):
    """Values (nodes, points) and slopes (3, nodes, points) of shape functions; weights."""

    values: Floats
    slopes: Floats
    weights: Floats


def shapes_at(element: str, points: Floats) -> tuple[Floats, Floats]:
    """Values and slopes of all shape functions at points (3, points) of the unit cube."""
    reference = SHAPES[element]()
    pairs = [reference.lbasis(points, node) for node in range(len(reference.doflocs))]
    return np.array([value for value, _ in pairs]), np.array(
        [slope for _, slope in pairs]
    ).swapaxes(0, 1)


def corner_places(element: str) -> Floats:
    """Nodes of an element in the unit cube."""
    return np.asarray(SHAPES[element].doflocs, float)


def _shapes(element: str) -> tuple[Shapes, Floats]:
    points, weights = get_quadrature(SHAPES[element].refdom, ORDERS[element])
    return Shapes(*shapes_at(element, points), weights), points


def assembled(
    nodes: Floats, elements: Integers, element: str, material: Material
) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Stiffness and consistent mass, three displacements a node."""
    size = 3 * len(nodes)
    unknowns = (3 * elements[:, :, None] + np.arange(3)).reshape(len(elements), -1)
    parts = [
        element_matrices(nodes[elements[k : k + BLOCK]], element, material)
        for k in range(0, len(elements), BLOCK)
    ]
    rows = np.repeat(unknowns, unknowns.shape[1], axis=1).ravel()
    columns = np.tile(unknowns, (1, unknowns.shape[1])).ravel()
    stiffness, mass = (
        sparse.coo_array((np.concatenate(values).ravel(), (rows, columns)), (size, size)).tocsr()
        for values in zip(*parts, strict=True)
    )
    return stiffness, mass


def geometric_stiffness(
    nodes: Floats, elements: Integers, element: str, material: Material, displaced: Floats
) -> sparse.csr_array:
    """∫∇u : σ ∇u' dV under the stress σ of displacements (nodes, 3)."""
    size, parts = len(nodes), []
    for k in range(0, len(elements), BLOCK):
        block = elements[k : k + BLOCK]
        slopes, volume = _slopes(nodes[block], _shapes(element)[0])
        gradient = np.einsum("eqin,enj->eqij", slopes, displaced[block], optimize=True)
        strain = 0.5 * (gradient + gradient.swapaxes(-1, -2))
        spread = np.trace(strain, axis1=-2, axis2=-1)[..., None, None] * np.eye(3)
        poisson = material.poisson_ratio
        stress = 2 * material.shear_modulus * (strain + poisson / (1 - 2 * poisson) * spread)
        along = np.einsum("eqij,eqjm,eq->eqim", stress, slopes, volume, optimize=True)
        parts.append(np.einsum("eqin,eqim->enm", slopes, along, optimize=True))
    rows = np.repeat(elements, elements.shape[1], axis=1).ravel()
    columns = np.tile(elements, (1, elements.shape[1])).ravel()
    scalar = sparse.coo_array((np.concatenate(parts).ravel(), (rows, columns)), (size, size))
    return sparse.kron(scalar, sparse.eye_array(3)).tocsr()


def _slopes(corners: Floats, shapes: Shapes) -> tuple[Floats, Floats]:
    """Slopes of shape functions along x, y, z (elements, points, 3, nodes), and volumes of points
    (elements, points), of nodes at (elements, nodes, 3)."""
    jacobian = np.einsum("eni,jnq->eqij", corners, shapes.slopes)
    volume = np.linalg.det(jacobian) * shapes.weights
    if np.any(volume <= 0):
        raise ValueError("a cell of the mesh is turned inside out; take fewer or more cells")
    slopes = np.einsum("jnq,eqji->eqin", shapes.slopes, np.linalg.inv(jacobian))
    return slopes, volume


def element_matrices(corners: Floats, element: str, material: Material) -> tuple[Floats, Floats]:
    """Stiffness and mass (elements, 3 nodes, 3 nodes) of nodes at (elements, nodes, 3)."""
    shapes, points = _shapes(element)
    slopes, volume = _slopes(corners, shapes)
    strains = _strains(slopes)
    stiffness = _stiffness(strains, strains, volume, material)
    if element == "hexahedron-8":
        stiffness -= _relaxed(corners, points, strains, volume, material)
    scalar = np.einsum("nq,mq,eq->enm", shapes.values, shapes.values, volume, optimize=True)
    mass = np.einsum("enm,ij->enimj", material.density * scalar, np.eye(3))
    return stiffness, mass.reshape(stiffness.shape)


def surface_mass(nodes: Floats, elements: Integers, element: str, side: int) -> sparse.csr_array:
    """∫N Nᵀ dA over the faces of elements where their first coordinate is `side`, 0 or 1."""
    points, weights = get_quadrature(ELEMENTS[element].refdom.brefdom, ORDERS[element])
    at_side = np.vstack((np.full(points.shape[1], float(side)), points))
    values, slopes = shapes_at(element, at_side)
    along = np.einsum("eni,jnq->jeqi", nodes[elements], slopes[1:])
    area = np.linalg.norm(np.cross(along[0], along[1]), axis=-1) * weights
    scalar = np.einsum("nq,mq,eq->enm", values, values, area)
    rows = np.repeat(elements, elements.shape[1], axis=1).ravel()
    columns = np.tile(elements, (1, elements.shape[1])).ravel()
    total = sparse.coo_array((scalar.ravel(), (rows, columns)), (len(nodes), len(nodes)))
    return sparse.kron(total, sparse.eye_array(3)).tocsr()


def _strains(slopes: Floats) -> Floats:
    """B (elements, points, 6, 3 nodes) from slopes (elements, points, 3, nodes).

    Shear strains over √2, so that energies are sums of squares.
    """
    elements, points, _, count = slopes.shape
    strains = np.zeros((elements, points, 6, count, 3))
    for axis in range(3):
        strains[:, :, axis, :, axis] = slopes[:, :, axis]
        one, other = (axis + 1) % 3, (axis + 2) % 3
        strains[:, :, 3 + axis, :, one] = slopes[:, :, other] / math.sqrt(2)
        strains[:, :, 3 + axis, :, other] = slopes[:, :, one] / math.sqrt(2)
    return strains.reshape(elements, points, 6, 3 * count)


def _stiffness(first: Floats, second: Floats, volume: Floats, material: Material) -> Floats:
    """∫(λ tr ε tr ε' + 2 μ ε:ε') dV."""
    shear, poisson = material.shear_modulus, material.poisson_ratio
    law = 2 * shear * np.eye(6)
    law[:3, :3] += 2 * shear * poisson / (1 - 2 * poisson)
    stress = np.einsum("ab,eqbn,eq->eqan", law, second, volume, optimize=True)
    elements = len(first)
    left = first.reshape(elements, -1, first.shape[-1])
    return np.asarray(left.swapaxes(1, 2) @ stress.reshape(elements, -1, second.shape[-1]))


def _relaxed(
    corners: Floats, points: Floats, strains: Floats, volume: Floats, material: Material
) -> Floats:
    """What the modes inside take off the stiffness."""
    middle = shapes_at("hexahedron-8", np.full((3, 1), 0.5))[1]
    jacobian = np.einsum("eni,jnq->eij", corners, middle)
    bend = np.einsum("iq,ij->ijq", 4 - 8 * points, np.eye(3))  # of 1 - ξ², ξ = 2 x - 1
    slopes = np.einsum("jnq,eji->eqin", bend, np.linalg.inv(jacobian))
    weights = get_quadrature(ELEMENTS["hexahedron-8"].refdom, ORDERS["hexahedron-8"])[1]
    ratio = np.linalg.det(jacobian)[:, None] * weights / volume
    inside = _strains(slopes * ratio[:, :, None, None])
    coupling = _stiffness(inside, strains, volume, material)
    own = _stiffness(inside, inside, volume, material)
    return np.asarray(coupling.swapaxes(1, 2) @ np.linalg.solve(own, coupling))
