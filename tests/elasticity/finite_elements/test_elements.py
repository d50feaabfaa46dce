"""Hexahedra: patches of constant strain, rigid motions, orders of convergence, locking."""

import math

import numpy as np
import pytest
from element_gears import skewed_block
from scipy import sparse
from skfem import Basis, ElementHexS2, ElementVector, MeshHex
from skfem.models.elasticity import lame_parameters, linear_elasticity

from flank.elasticity.finite_elements.elements import assembled, element_matrices, surface_mass
from flank.elasticity.finite_elements.factorization import factorized
from flank.elasticity.finite_elements.sector_mesh import ELEMENTS, Lattice, hexahedra
from flank.elasticity.material import Material

STEEL = Material(2.0e11, 0.3, 7800.0)
NEARLY_INCOMPRESSIBLE = Material(2.0e11, 0.4999, 7800.0)


def solved(nodes, elements, element, material, fixed, values, forces):
    """Displacements under prescribed ones and nodal forces."""
    stiffness, _ = assembled(nodes, elements, element, material)
    free = ~fixed
    right = forces - stiffness @ np.where(fixed, values, 0.0)
    answer = np.where(fixed, values, 0.0)
    answer[free] = factorized(stiffness[free][:, free].tocsc())(right[free])
    return answer


@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("material", [STEEL, NEARLY_INCOMPRESSIBLE])
def test_patch_of_any_shape_passes_with_constant_strain(element, material):
    nodes, elements = skewed_block(element)
    gradient = np.random.default_rng(1).standard_normal((3, 3))
    exact = (nodes @ gradient.T).ravel()
    on_surface = np.any((nodes < 1e-9) | (nodes > 1 - 1e-9), axis=1)
    assert not on_surface.all()
    fixed = np.repeat(on_surface, 3)
    found = solved(nodes, elements, element, material, fixed, exact, np.zeros_like(exact))
    np.testing.assert_allclose(found, exact, atol=1e-9)


@pytest.mark.parametrize("element", ELEMENTS)
def test_rigid_motions_have_no_energy_and_the_right_inertia(element):
    nodes, elements = skewed_block(element)
    stiffness, mass = assembled(nodes, elements, element, STEEL)
    x, y, z = nodes.T
    none = np.zeros_like(x)
    for motion in ((none + 1, none, none), (none, none + 1, none), (-y, x, none), (none, -z, y)):
        move = np.column_stack(motion).ravel()
        assert np.max(np.abs(stiffness @ move)) < 1e-12 * np.max(stiffness.diagonal())
    turn = np.column_stack((-y, x, none)).ravel()
    assert turn @ mass @ turn == pytest.approx(STEEL.density * 2 / 3, rel=1e-3)
    assert np.sum(mass.diagonal()) > 0


def test_matrices_of_20_nodes_are_those_of_scikit_fem():
    mesh = MeshHex.init_tensor(np.linspace(0, 1, 2), np.linspace(0, 2, 2), np.linspace(0, 3, 2))
    basis = Basis(mesh, ElementVector(ElementHexS2()), intorder=5)
    theirs = linear_elasticity(*lame_parameters(2.0e11, 0.3)).assemble(basis)
    one, _ = element_matrices(
        ElementHexS2().doflocs[None] * np.array([1.0, 2.0, 3.0]), "hexahedron-20", STEEL
    )
    assert np.sort(np.linalg.eigvalsh(one[0])) == pytest.approx(
        np.sort(np.linalg.eigvalsh(theirs.toarray())), rel=1e-9, abs=1e-3
    )


def manufactured(element, cells):
    """Largest energy of the error of a smooth displacement held all around, by prescribed body
    forces: u_x = sin πx sin πy sin πz on the unit cube, relative."""
    steps = np.linspace(0, 1, 2 * cells + 1)
    lattice = Lattice(
        steps[:, None] + 1j * steps[None, :], steps, np.ones((cells,) * 3, dtype=bool)
    )
    nodes, elements, _ = hexahedra(lattice, element)
    stiffness, mass = assembled(nodes, elements, element, STEEL)
    x, y, z = (math.pi * nodes).T
    shear = STEEL.shear_modulus
    bulk = 2 * shear * 0.3 / 0.4
    force = math.pi**2 * np.column_stack(
        (
            (bulk + 4 * shear) * np.sin(x) * np.sin(y) * np.sin(z),
            -(bulk + shear) * np.cos(x) * np.cos(y) * np.sin(z),
            -(bulk + shear) * np.cos(x) * np.sin(y) * np.cos(z),
        )
    )
    exact = np.column_stack((np.sin(x) * np.sin(y) * np.sin(z), 0 * x, 0 * x)).ravel()
    on_surface = np.any((nodes < 1e-9) | (nodes > 1 - 1e-9), axis=1)
    free = ~np.repeat(on_surface, 3)
    right = (mass @ force.ravel()) / STEEL.density
    found = np.zeros_like(exact)
    found[free] = factorized(stiffness[free][:, free].tocsc())(right[free])
    off = found - exact
    return math.sqrt(off @ mass @ off / (exact @ mass @ exact))


@pytest.mark.parametrize(
    ("element", "cells", "order"),
    [("hexahedron-8", (4, 8), 2), ("hexahedron-20", (3, 6), 3), ("hexahedron-27", (2, 4), 3)],
)
def test_refinement_reaches_the_order_of_the_element(element, cells, order):
    coarse, fine = (manufactured(element, n) for n in cells)
    assert math.log2(coarse / fine) > order - 0.15


def cantilever(element, material, cells):
    """Mean deflection of the end over Timoshenko's: 10 long, 1 high, 0.2 wide, plane strain."""
    along, up = np.linspace(0, 10, 2 * cells + 1), np.linspace(-0.5, 0.5, 3)
    lattice = Lattice(
        along[:, None] + 1j * up[None, :], np.array([0.0, 0.1, 0.2]), np.ones((cells, 1, 1), bool)
    )
    nodes, elements, _ = hexahedra(lattice, element)
    x = nodes[:, 0]
    modulus = material.youngs_modulus / (1 - material.poisson_ratio**2)
    shear = material.shear_modulus
    fixed = np.zeros((len(nodes), 3), dtype=bool)
    fixed[:, 2] = True
    fixed[x < 1e-9, 0] = True
    fixed[x < 1e-9, 1] = True
    end = surface_mass(nodes, elements[-1:], element, 1)
    shape = np.zeros((len(nodes), 3))
    shape[:, 1] = 1.0
    forces = (end @ shape.ravel()) / 0.2
    found = solved(
        nodes, elements, element, material, fixed.ravel(), np.zeros(3 * len(nodes)), forces
    )
    tip = np.sum(end.diagonal()[1::3] * found[1::3]) / np.sum(end.diagonal()[1::3])
    inertia = 0.2 / 12
    beam = 1000 / (3 * modulus * inertia) + 10 / (5 / 6 * shear * 0.2)
    return tip / beam


@pytest.mark.parametrize("material", [STEEL, NEARLY_INCOMPRESSIBLE])
def test_eight_nodes_do_not_lock_in_bending(material):
    """Ten cells along and one over the height: fully integrated they would give two thirds."""
    assert cantilever("hexahedron-8", material, 10) == pytest.approx(1.0, abs=0.02)


def test_a_cell_turned_inside_out_is_refused():
    nodes, elements = skewed_block("hexahedron-8")
    with pytest.raises(ValueError, match="inside out"):
        assembled(nodes * np.array([1, 1, -1]), elements, "hexahedron-8", STEEL)


def test_surface_mass_is_the_area():
    nodes, elements = skewed_block("hexahedron-20", skew=0.0)
    ends = elements[np.min(nodes[elements][:, :, 0], axis=1) < 1e-9]
    matrix = surface_mass(nodes, ends, "hexahedron-20", 0)
    assert isinstance(matrix, sparse.csr_array)
    push = np.tile([0.0, 1.0, 0.0], len(nodes))
    assert push @ matrix @ push == pytest.approx(1.0)
